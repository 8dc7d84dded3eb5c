"""What the expansion of words needs to know of a shell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from reviewbot.shell.patterns import Fragments
from reviewbot.shell.state import Path, Shell
from reviewbot.shell.syntax import CommandSubstitution, Parameter, Part, Word
from reviewbot.shell.values import Run, Value
from reviewbot.shell.variables import Index

PLAIN, QUOTED, SPLIT, BREAK = range(4)
"""How a run takes part in splitting: written unquoted, quoted, out of an unquoted expansion, a border of fields."""
Item = tuple[Run, int]
BORDER: Item = (Run(""), BREAK)


class Surroundings(ABC):
    """A shell, as the expansion of words sees it."""

    shell: Shell
    path: Path

    @abstractmethod
    def read(self, name: str) -> Value | None:
        """The value of a variable or special parameter; None where it is certainly unset."""

    @abstractmethod
    def read_all(self, name: str) -> list[tuple[Index, Value]]:
        """The elements of an array, or of the positional parameters for ``@`` and ``*``."""

    @abstractmethod
    def has_array(self, name: str) -> bool:
        """Whether an array was assigned, be it an empty one."""

    @abstractmethod
    def read_element(self, name: str, index: Value) -> Value | None:
        """One element of an array."""

    @abstractmethod
    def assign_default(self, name: str, value: Value, word: Word, part: Parameter) -> None:
        """Assigns what ``${name:=value}`` says."""

    @abstractmethod
    def unbound(self, _name: str) -> None:
        """A parameter that is certainly unset is used: ``set -u`` ends the shell."""

    @abstractmethod
    def names_with(self, prefix: str) -> list[str]:
        """The set variables whose name begins so."""

    @abstractmethod
    def substitution(self, word: Word, part: CommandSubstitution) -> Value:
        """What a command substitution writes."""

    @abstractmethod
    def arithmetic(self, word: Word, parts: Sequence[Part], *, why: str) -> Run:
        """The value of an arithmetic expression."""

    @abstractmethod
    def matched(self, groups: Sequence[str | None], subject: Value) -> None:
        """Keeps what ``=~`` found."""

    @abstractmethod
    def ifs(self) -> str:
        """The value of IFS."""

    @abstractmethod
    def spend(self, steps: int) -> None:
        """Counts work against the budget."""

    @abstractmethod
    def items(self, word: Word, parts: Sequence[Part], *, quoted: bool) -> list[Item]:
        """See :class:`Expander`."""

    @abstractmethod
    def tilded(self, word: Word, items: list[Item], *, assigned: bool = False) -> list[Item]:
        """See :class:`Expander`."""

    @abstractmethod
    def fragments(self, word: Word, parts: Sequence[Part]) -> Fragments | None:
        """See :class:`Expander`."""

    @abstractmethod
    def parts_value(self, word: Word, parts: Sequence[Part], *, quoted: bool = True) -> Value:
        """See :class:`Expander`."""

    @abstractmethod
    def number(self, expression: str) -> int | None:
        """The value of an arithmetic expression given as text; None where it is not known."""
