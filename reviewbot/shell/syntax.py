"""The syntax tree of a shell script.  ``start`` and ``end`` are 0-based offsets in the code of the node's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reviewbot.shell.code import Code


@dataclass(slots=True, eq=False)
class Literal:
    """Characters that stand for themselves; ``quoted`` ones are safe from splitting and patterns."""

    start: int
    end: int
    text: str
    quoted: bool = False
    exact: bool = True
    """Whether ``text`` is the code between ``start`` and ``end``, which leave out quotes and backslashes."""


@dataclass(slots=True, eq=False)
class Quoted:
    """``"…"``: the parts within, ``start`` and ``end`` including the quotes.  ``'…'`` has one literal part."""

    start: int
    end: int
    parts: list[Part]


@dataclass(slots=True, eq=False)
class Parameter:
    """``$name`` or ``${…}``."""

    start: int
    end: int
    name: str
    """Empty for what bash calls a bad substitution."""
    index: list[Part] | None = None
    """The parts of the subscript."""
    whole: str = ""
    """``@`` or ``*`` where that is the subscript."""
    prefix: str = ""
    """``#`` for a length, ``!`` for an indirection."""
    operator: str = ""
    argument: list[Part] = field(default_factory=list)
    replacement: list[Part] | None = None


@dataclass(slots=True, eq=False)
class CommandSubstitution:
    """``$(…)``, `` `…` ``, ``<(…)``."""

    start: int
    end: int
    code: Code
    body: CommandList | None
    """None: the code is still to be parsed (backquotes)."""
    process: str = ""
    """``<`` or ``>`` for a process substitution."""


@dataclass(slots=True, eq=False)
class Arithmetic:
    """``$((…))``."""

    start: int
    end: int
    parts: list[Part]


Part = Literal | Quoted | Parameter | CommandSubstitution | Arithmetic


def flat(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with those inside quotes in place of the quotes."""
    for part in parts:
        if isinstance(part, Quoted):
            yield from flat(part.parts)
        else:
            yield part


@dataclass(slots=True, eq=False)
class Word:
    """A word before any expansion."""

    code: Code
    start: int
    end: int
    parts: list[Part]
    plain: str | None = None
    """The text of a word without quotes and expansions."""

    @property
    def source(self) -> str:
        """The word as written."""
        return self.code.text[self.start : self.end]


@dataclass(slots=True, eq=False)
class Assignment:
    """``name=value``, ``name+=value``, ``name[index]=value``, ``name=(…)``."""

    start: int
    end: int
    name: str
    index: list[Part] | None
    append: bool
    value: Word
    elements: list[Element] | None = None
    """The elements of an array."""


@dataclass(slots=True, eq=False)
class Element:
    """An array element, ``value`` or ``[index]=value``."""

    value: Word
    index: list[Part] | None = None
    append: bool = False


@dataclass(slots=True, eq=False)
class Redirect:
    """A redirection.  ``body`` is the text of a here-document."""

    operator: str
    target: Word
    descriptor: str = ""
    body: Word | None = None


@dataclass(slots=True, eq=False)
class Simple:
    """A simple command."""

    start: int
    end: int
    code: Code
    assignments: list[Assignment]
    words: list[Word | Assignment]
    """An assignment where the command takes them as arguments (``export A=1``)."""
    redirects: list[Redirect]
    stop: int = 0
    """Where the text after the last word stops being blank: the newline, comment or operator that ends it."""


@dataclass(slots=True, eq=False)
class Pipeline:
    """Commands joined by pipes."""

    start: int
    end: int
    commands: list[Command]
    negated: bool
    timed: bool = False


@dataclass(slots=True, eq=False)
class AndOr:
    """``first && second || third``."""

    start: int
    end: int
    first: Command
    rest: list[tuple[str, Command]]


@dataclass(slots=True, eq=False)
class CommandList:
    """Commands one after the other."""

    start: int
    end: int
    commands: list[Command]
    background: list[bool]


@dataclass(slots=True, eq=False)
class If:
    """``if``: conditions with their bodies, then the ``else`` body."""

    start: int
    end: int
    arms: list[tuple[CommandList, CommandList]]
    otherwise: CommandList | None


@dataclass(slots=True, eq=False)
class Loop:
    """``while`` and ``until``."""

    start: int
    end: int
    condition: CommandList
    body: CommandList
    until: bool


@dataclass(slots=True, eq=False)
class For:
    """``for`` and ``select`` over words; ``words`` is None where they are the positional parameters."""

    start: int
    end: int
    code: Code
    name: str
    words: list[Word] | None
    body: CommandList
    select: bool = False


@dataclass(slots=True, eq=False)
class ArithmeticFor:
    """``for ((a; b; c))``."""

    start: int
    end: int
    code: Code
    clauses: list[list[Part]]
    body: CommandList


@dataclass(slots=True, eq=False)
class Case:
    """``case``: arms of patterns, body and terminator (``;;``, ``;&``, ``;;&``)."""

    start: int
    end: int
    code: Code
    subject: Word
    arms: list[tuple[list[Word], CommandList, str]]


@dataclass(slots=True, eq=False)
class Group:
    """``{ …; }`` or, in a shell of its own, ``( … )``."""

    start: int
    end: int
    body: CommandList
    subshell: bool


@dataclass(slots=True, eq=False)
class ArithmeticCommand:
    """``(( … ))``."""

    start: int
    end: int
    code: Code
    parts: list[Part]


@dataclass(slots=True, eq=False)
class Function:
    """A function definition."""

    start: int
    end: int
    name: str
    body: Command


@dataclass(slots=True, eq=False)
class Test:
    """A part of ``[[ … ]]``: ``&&``, ``||``, ``!``, a unary or a binary operator over words."""

    start: int
    end: int
    operator: str
    operands: list[Test | Word]


@dataclass(slots=True, eq=False)
class Condition:
    """``[[ … ]]``."""

    start: int
    end: int
    code: Code
    test: Test


@dataclass(slots=True, eq=False)
class Redirected:
    """A compound command with redirections."""

    start: int
    end: int
    command: Command
    redirects: list[Redirect]


Command = (
    Simple
    | Pipeline
    | AndOr
    | CommandList
    | If
    | Loop
    | For
    | ArithmeticFor
    | Case
    | Group
    | ArithmeticCommand
    | Function
    | Condition
    | Redirected
)
