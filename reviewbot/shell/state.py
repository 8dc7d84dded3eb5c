"""The state of a shell, and what it knows about its surroundings."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from reviewbot.shell.code import Code
from reviewbot.shell.launches import Started
from reviewbot.shell.model import Decision, Known, Origin
from reviewbot.shell.syntax import Command, CommandList
from reviewbot.shell.values import Run, Value, slice_runs, text_of
from reviewbot.shell.variables import Variables
from reviewbot.text import Span

if TYPE_CHECKING:
    from reviewbot.shell.memory import Memory

MAX_CALLS = 25
"""How deep functions, substitutions, sourced files and ``eval`` nest."""

Key = tuple[str, int, int, str]
"""A condition: path, offsets, and its text after expansion."""


class Stop(Exception):  # noqa: N818 - no error: the way out of a shell
    """The shell ends: an ``exit``, or a failure under ``set -e``."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class Return(Exception):  # noqa: N818 - no error: the way out of a function
    """``return``"""


class Leave(Exception):  # noqa: N818 - no error: the way out of a loop
    """``break`` (or, with ``again``, ``continue``) out of ``levels`` loops."""

    def __init__(self, levels: int, *, again: bool) -> None:
        super().__init__()
        self.levels = levels
        self.again = again


class ExhaustedError(Exception):
    """The budget is used up; the message says which."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value of an environment variable that a path takes for granted; None: any other than ``excluded``."""

    name: str
    value: str | None
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ends."""

    value: bool | None
    """Success, failure, or not known."""
    known: Known = Known.YES
    code: int | None = None
    """The exit code, where it is known."""
    place: tuple[Code, int, int] | None = None
    """The condition as written."""
    rendered: str = ""
    when_true: tuple[Assumption, ...] = ()
    when_false: tuple[Assumption, ...] = ()
    guess: bool = True
    """What is most likely where it is not known."""

    def negated(self) -> Outcome:
        """The outcome of ``! command``."""
        value = None if self.value is None else not self.value
        code = None if value is None else int(not value)
        return Outcome(
            value,
            self.known,
            code,
            self.place,
            "! " + self.rendered,
            self.when_false,
            self.when_true,
            not self.guess,
        )


SUCCESS = Outcome(True, code=0)
FAILURE = Outcome(False, code=1)


@dataclass(frozen=True, slots=True)
class Course:
    """The assumptions that make one path through the script."""

    forced: Mapping[Key, int] = field(default_factory=dict)
    """Conditions (0 false, 1 true) and ``case`` arms that are taken against the default."""
    assumptions: Mapping[str, Assumption] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    """The same as other stages see it."""

    @property
    def is_default(self) -> bool:
        """Whether nothing is assumed: the defaults and guesses lead."""
        return not self.forced and not self.assumptions

    @property
    def identity(self) -> tuple[frozenset[tuple[Key, int]], frozenset[Assumption]]:
        """What makes two courses the same."""
        return frozenset(self.forced.items()), frozenset(self.assumptions.values())


@dataclass(frozen=True, slots=True)
class Alternative:
    """A way that a path did not take."""

    key: Key
    choice: int
    assumptions: tuple[Assumption, ...]
    """What the environment must hold for it; empty where that cannot be said, and the condition itself is forced."""
    decision: Decision


@dataclass
class Budget:
    """What a whole script, over all its paths, may use."""

    steps: int
    characters: int

    def spend(self, steps: int) -> None:
        """Raises :class:`ExhaustedError` once the steps are used up."""
        self.steps -= steps
        if self.steps < 0:
            raise ExhaustedError("it takes too many steps")

    def write(self, characters: int) -> None:
        """Raises :class:`ExhaustedError` once too much text was made."""
        self.characters -= characters
        if self.characters < 0:
            raise ExhaustedError("its words grow too long")


class Files(Protocol):
    """The scripts at hand, parsed."""

    def code(self, path: str) -> Code | None:
        """The code of a file of the repository."""

    def commands(self, code: Code) -> Iterable[CommandList]:
        """The commands of a code, line by line, up to where bash would refuse it."""


@dataclass
class Path:
    """One run through the script, and what came of it."""

    course: Course
    budget: Budget
    env: Mapping[str, str]
    files: Files
    code: Code
    """The script that was started."""
    fallback: Span
    """What stands for things that are written nowhere."""
    memory: Memory
    decisions: list[Decision] = field(default_factory=list)
    settled: dict[Key, int] = field(default_factory=dict)
    alternatives: list[Alternative] = field(default_factory=list)
    launches: list[Started] = field(default_factory=list)
    exports: dict[str, Origin] = field(default_factory=dict)
    unset: list[tuple[Run, bool]] = field(default_factory=list)
    opaque: bool = False
    """True once a file or text was sourced that is not at hand: any variable may be set."""
    gaps: dict[str, None] = field(default_factory=dict)
    """What was not followed."""
    others: dict[str, None] = field(default_factory=dict)
    """The programs that were run and start no Python, with their arguments as far as they are known."""
    scripts: int = 0
    """How many scripts are being run, one started by the other."""
    depth: int = 0
    shifted: int = 0
    """How many unknown arguments were shifted away at the top of the script."""
    guesses: int = 0
    """How many decisions were on conditions that nothing decides, guessed or forced."""

    @contextmanager
    def nested(self, limit: int) -> Iterator[None]:
        """Counts a nested call.  Raises :class:`ExhaustedError` where calls nest deeper than ``limit``."""
        if self.depth >= limit:
            raise ExhaustedError("functions, substitutions and scripts call one another too deeply")
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def gap(self, message: str) -> None:
        """Notes something that was not followed."""
        self.gaps[message] = None


@dataclass
class Stdin:
    """What commands read: runs, from an offset on; None where it is not known."""

    runs: Value | None
    position: int = 0

    def line(self) -> Value | None:
        """The next line; None at the end.  Raises LookupError where the text is not known."""
        text = None if self.runs is None else text_of(self.runs)
        if text is None or self.runs is None:
            raise LookupError
        if self.position >= len(text):
            return None
        end = text.find("\n", self.position)
        end = len(text) if end < 0 else end
        line = slice_runs(self.runs, self.position, end)
        self.position = end + 1
        return line


@dataclass
class Shell:
    """The state that a subshell copies."""

    variables: Variables
    functions: dict[str, Command]
    positional: list[Value]
    open_arguments: bool
    """True where more arguments may follow than are known: at the top of the script."""
    script: str
    """The path of the running script."""
    options: set[str] = field(default_factory=set)
    folder: str | None = ""
    """The working directory within the repository; None where it is not known."""
    status: Outcome = SUCCESS
    local_depth: int = 0


def joined_path(folder: str | None, path: str) -> str | None:
    """A path within the repository; None where it leaves it or is not known."""
    if folder is None or path.startswith("/"):
        return None
    whole = posixpath.normpath(posixpath.join(folder, path))
    if whole == ".." or whole.startswith("../"):
        return None
    return "" if whole == "." else whole
