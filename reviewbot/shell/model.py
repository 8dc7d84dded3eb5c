"""What the shell stage says about a script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from reviewbot.text import Span


class Known(str, Enum):
    """How much is known about a word on the path that was followed."""

    YES = "yes"
    """The script alone decides it."""
    DEFAULT = "default"
    """It holds as long as the environment does not set a variable that the script gives a default for."""
    CHOICE = "choice"
    """It holds because a branch was assumed that the defaults do not take."""
    NO = "no"
    """It depends on something that a reader of the script cannot know."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of a word, all from one source.

    ``text`` is None where the characters are not known; ``why`` then says what they stand for (``$(date)``,
    ``$HOME``).  ``span``, where given, covers exactly the characters of ``text`` as they stand in a file.
    """

    text: str | None
    span: Span | None = None
    known: Known = Known.YES
    why: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """A line that fed a value: an assignment, a loop, an array element, an argument of ``show --env``."""

    name: str
    """The shell variable."""
    span: Span
    """The whole assignment."""


@dataclass(frozen=True)
class Word:
    """One argument, after every expansion.

    ``span`` is where it is *written*: the array element, the command's word, or the stretch of a string that
    was split into words.  Cutting the span out of its file gives the word's text before expansion.
    """

    pieces: tuple[Piece, ...]
    span: Span
    origins: tuple[Origin, ...] = ()
    many: bool = False
    """True where it may stand for any number of words: ``"$@"``, an unquoted unknown."""

    @cached_property
    def text(self) -> str | None:
        """The text; None where any piece of it is not known."""
        texts = [piece.text for piece in self.pieces]
        return None if self.many or None in texts else "".join(text for text in texts if text is not None)

    @cached_property
    def prefix(self) -> str:
        """The known text up to the first unknown piece."""
        known = ""
        for piece in self.pieces:
            if piece.text is None:
                break
            known += piece.text
        return known

    @cached_property
    def known(self) -> Known:
        """The least certain of the pieces."""
        order = (Known.NO, Known.CHOICE, Known.DEFAULT)
        states = {Known.NO if piece.text is None else piece.known for piece in self.pieces}
        if self.many:
            states.add(Known.NO)
        return next((state for state in order if state in states), Known.YES)


@dataclass(frozen=True, slots=True)
class Decision:
    """A branch that was taken on the way to a launch.  Conditions that the script alone decides leave none."""

    condition: str
    """The condition as written: ``[ "$BACKEND" = vllm ]``, or ``$BACKEND`` for a ``case``."""
    taken: str
    """``true``, ``false``, or the pattern of the ``case`` arm."""
    span: Span
    assumed: bool = False
    """True where the path was followed to see what happens otherwise."""
    guessed: bool = False
    """True where the defaults decide nothing, and the likelier outcome was taken: a probe such as ``[ -f x ]`` or
    ``which`` fails, any other program succeeds, a branch that only ends the script is not taken."""


@dataclass(frozen=True)
class Launch:
    """One command that starts a Python program, on one path through the script."""

    span: Span
    """The command as written, from its first to its last word."""
    entry_point: Word
    """The module (``-m``) or the script file."""
    is_module: bool
    argv: tuple[Word, ...]
    """All words of the command as bash would pass them, from the first (``python3``, ``torchrun``, ``ray``)."""
    arguments: tuple[Word, ...]
    """The words after the entry point: a tail of ``argv`` except where a launcher wraps the command in a string."""
    env: Mapping[str, Word] = field(default_factory=dict)
    """Variables that the script exports, or sets in front of the command."""
    decisions: tuple[Decision, ...] = ()

    @property
    def on_default_path(self) -> bool:
        """Whether the defaults lead here, with guesses where they decide nothing."""
        return not any(decision.assumed for decision in self.decisions)


@dataclass(frozen=True, slots=True)
class ShellProblem:
    """Something in the script that does not do what it looks like."""

    kind: str
    """``blank-after-continuation``, ``comment-after-continuation``, ``space-after-backslash``, ``unset-variable``,
    ``split-word``, ``syntax``."""
    span: Span
    message: str
    """One sentence."""
    lost: tuple[Span, ...] = ()
    """For a continuation that ends early: the words that never reach the command."""


@dataclass(frozen=True)
class ShellResult:
    """A script, read."""

    launches: tuple[Launch, ...] = ()
    """In the order in which they run; the default path first."""
    problems: tuple[ShellProblem, ...] = ()
    partly: str = ""
    """Empty where all was understood; else one sentence: what was not, and from which line."""
    exports: Mapping[str, Span] = field(default_factory=dict)
    """Every environment variable that the script exports on some path, with its last assignment."""
    others: frozenset[str] = frozenset()
    """The programs that it runs besides its launches, with their arguments as far as they are known."""
