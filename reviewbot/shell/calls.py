"""The call of a builtin command."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from reviewbot.shell.model import Origin
from reviewbot.shell.state import Outcome
from reviewbot.shell.syntax import Simple
from reviewbot.shell.values import Field

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Call(NamedTuple):
    """A builtin with its arguments, in a shell."""

    shell: Interpreter
    fields: list[Field]
    """The words of the command after expansion, the name included."""
    command: Simple

    @property
    def name(self) -> str:
        """The builtin."""
        return self.fields[0].text or ""

    @property
    def words(self) -> list[Field]:
        """The arguments."""
        return self.fields[1:]

    def origin(self, name: str) -> Origin | None:
        """The call as what assigns a variable."""
        span = self.command.code.span(self.command.start, self.command.end)
        return None if span is None else Origin(name, span)


Builtin = Callable[[Call], Outcome]
