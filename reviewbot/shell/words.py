"""Reads words: quotes, expansions, nested substitutions.  The text is never copied, offsets are kept."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from reviewbot.shell.code import Code, unescaped_code
from reviewbot.shell.syntax import (
    Arithmetic,
    CommandList,
    CommandSubstitution,
    Literal,
    Parameter,
    Part,
    Quoted,
    Word,
)

MAX_DEPTH = 40
"""How deep substitutions, quotes and compound commands may nest."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_./:=+,@%^-]+")
_WORD_END = frozenset(" \t\n;&|<>()")
_LITERAL = re.compile(r"(?:[^ \t\n;&|<>()\\'\"$`?*+@!]|[?*+@!](?!\())+")
_QUOTED_LITERAL = re.compile(r'[^"\\$`]+')
_DOCUMENT_LITERAL = re.compile(r"[^\\$`]+")
_ARITHMETIC_LITERAL = re.compile(r"[^\\$`\"]+")
_SHORT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_PARENTHESIS = re.compile(r"[()'\"\\`]")
_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.))",
    re.DOTALL,
)


class RefusedError(Exception):
    """Bash refuses the text: the offset in the code, and why."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class TooDeepError(Exception):
    """The text nests deeper than :data:`MAX_DEPTH`; the offset in the code."""

    def __init__(self, offset: int) -> None:
        super().__init__("nested too deeply")
        self.offset = offset


class WordReader(ABC):
    """Reads words of ``code`` from ``position`` up to ``end``."""

    def __init__(self, code: Code, position: int = 0, end: int | None = None, depth: int = 0) -> None:
        self.code = code
        self.text = code.text
        self.position = position
        self.end = len(code.text) if end is None else end
        self.depth = depth
        self.arrays = True

    def word(self) -> Word | None:
        """The word at the position, or None where there is none.  ``name=`` before ``(`` ends a word."""
        start = self.position
        match = _PLAIN_WORD.match(self.text, start, self.end)
        if match:
            stop = match.end()
            extended = self.text.startswith("(", stop) and self.text[stop - 1] in "@+"
            if stop == self.end or (self.text[stop] in _WORD_END and not extended):
                self.position = stop
                return Word(self.code, start, stop, [Literal(start, stop, match[0])], match[0])
        parts = self._word_parts()
        if self.position == start:
            return None
        plain = None
        if len(parts) == 1 and isinstance(parts[0], Literal) and not parts[0].quoted:
            plain = parts[0].text
        return Word(self.code, start, self.position, parts, plain)

    def _word_parts(self) -> list[Part]:
        parts: list[Part] = []
        text, end = self.text, self.end
        while self.position < end:
            at = self.position
            char = text[at]
            if char in "<>" and text.startswith("(", at + 1) and at + 1 < end:
                parts.append(self._substitution(at, at + 2, process=char))
            elif char in _WORD_END:
                break
            elif not self.common(parts, char, quoted=False):
                match = _LITERAL.match(text, at, end)
                if match:
                    self.add(parts, at, match.end())
                elif text.startswith("(", at + 1) and at + 1 < end:
                    self.add(parts, at, self._closing(at + 2, at) + 1)
                else:
                    self.add(parts, at, at + 1)
        return parts

    def common(self, parts: list[Part], char: str, *, quoted: bool) -> bool:
        """Reads what an unquoted ``char`` starts: an escape, quotes, an expansion."""
        at = self.position
        if char == "\\":
            self._escape(parts)
        elif char == "'":
            parts.append(self._single(at))
        elif char == '"':
            parts.append(self.double())
        elif char in "$`":
            part = self.expansion(quoted=quoted)
            if part is None:
                self.add(parts, at, at + 1)
            else:
                parts.append(part)
        else:
            return False
        return True

    def add(self, parts: list[Part], start: int, end: int) -> None:
        """Takes unquoted characters as they are."""
        self.position = end
        parts.append(Literal(start, end, self.text[start:end]))

    def _escape(self, parts: list[Part]) -> None:
        at = self.position
        if at + 1 >= self.end:
            self.position = self.end
        elif self.text[at + 1] == "\n":
            self.position = at + 2
        else:
            parts.append(Literal(at + 1, at + 2, self.text[at + 1], quoted=True))
            self.position = at + 2

    def _single(self, at: int) -> Quoted:
        close = self.text.find("'", at + 1, self.end)
        if close < 0:
            raise RefusedError(at, "the quote ' is never closed")
        self.position = close + 1
        return Quoted(at, close + 1, [Literal(at + 1, close, self.text[at + 1 : close], quoted=True)])

    def double(self) -> Quoted:
        """The ``"…"`` at the position."""
        start = self.position
        self.enter(start)
        self.position = start + 1
        parts: list[Part] = []
        while True:
            at = self.position
            if at >= self.end:
                raise RefusedError(start, 'the quote " is never closed')
            if self.text[at] == '"':
                break
            self.inner(parts, _QUOTED_LITERAL)
        self.position += 1
        self.depth -= 1
        return Quoted(start, self.position, parts)

    def inner(self, parts: list[Part], literal: re.Pattern[str], escapable: str = '$`"\\') -> None:
        """Reads on inside double quotes: a run of characters, an escape or an expansion."""
        at = self.position
        match = literal.match(self.text, at, self.end)
        if match:
            parts.append(Literal(at, match.end(), match[0], quoted=True))
            self.position = match.end()
        elif self.text[at] == "\\":
            following = self.text[at + 1 : min(at + 2, self.end)]
            if following == "\n":
                self.position = at + 2
            elif following and following in escapable:
                parts.append(Literal(at + 1, at + 2, following, quoted=True))
                self.position = at + 2
            else:
                parts.append(Literal(at, at + 1, "\\", quoted=True))
                self.position = at + 1
        else:
            part = self.expansion(quoted=True) if self.text[at] in "$`" else None
            if part is None:
                part = Literal(at, at + 1, self.text[at], quoted=True)
                self.position = at + 1
            parts.append(part)

    def document(self, start: int, end: int) -> list[Part]:
        """The parts of a here-document's body.  Bash reads them when it runs the command, so nothing is refused."""
        after = self.position
        parts = self._bounded(start, end, _DOCUMENT_LITERAL, "$`\\")
        self.position = after
        return parts

    def _bounded(self, start: int, end: int, literal: re.Pattern[str], escapable: str) -> list[Part]:
        """The parts between two offsets; where they make no sense, one that stands for anything."""
        outer, depth, self.end, self.position = self.end, self.depth, end, start
        parts: list[Part] = []
        try:
            while self.position < end:
                self.inner(parts, literal, escapable)
        except RefusedError:
            parts = [Parameter(start, end, "")]
        finally:
            self.end, self.depth = outer, depth
        return parts

    def expansion(self, *, quoted: bool) -> Part | None:
        """What ``$`` or a backquote at the position starts; None for a ``$`` that stands for itself."""
        at = self.position
        if self.text[at] == "`":
            return self._backquotes(at)
        following = self.text[at + 1 : min(at + 3, self.end)]
        if following == "((":
            return self._double_parenthesis(at)
        if following.startswith("("):
            return self._substitution(at, at + 2)
        if following.startswith("{"):
            return self.braced(at, quoted=quoted)
        if following.startswith("["):
            close = self._bracket_end(at + 2, at)
            return self._arithmetic(at, at + 2, close, close + 1)
        if not quoted and following.startswith("'"):
            return self._ansi(at)
        if not quoted and following.startswith('"'):
            self.position = at + 1
            part = self.double()
            part.start = at
            return part
        match = _SHORT_NAME.match(self.text, at + 1, self.end)
        if match is None:
            return None
        self.position = match.end()
        return Parameter(at, match.end(), match[0])

    def _double_parenthesis(self, at: int) -> Part:
        """``$((…))``; where it is no arithmetic, bash reads it as commands when it runs them."""
        close = self.arithmetic_end(at + 3)
        if close is not None:
            return self._arithmetic(at, at + 3, close, close + 2)
        depth = self.depth
        try:
            return self._substitution(at, at + 2)
        except RefusedError:
            end = self._closing(at + 2, at) + 1
            self.position, self.depth = end, depth
            return Parameter(at, end, "")

    def enter(self, at: int) -> None:
        """Counts a nesting; whoever enters takes one off :attr:`depth` again."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeepError(at)

    def _backquotes(self, at: int) -> CommandSubstitution:
        cursor = at + 1
        while cursor < self.end and self.text[cursor] != "`":
            cursor += 2 if self.text[cursor] == "\\" else 1
        if cursor >= self.end:
            raise RefusedError(at, "the quote ` is never closed")
        self.position = cursor + 1
        code = unescaped_code(self.code, at + 1, cursor, "$`\\")
        return CommandSubstitution(at, cursor + 1, code, None)

    def _substitution(self, at: int, inner: int, process: str = "") -> CommandSubstitution:
        self.enter(at)
        self.position = inner
        body = self.commands_until_parenthesis(at)
        self.depth -= 1
        return CommandSubstitution(at, self.position, self.code, body, process)

    @abstractmethod
    def commands_until_parenthesis(self, opened: int) -> CommandList:
        """The commands up to the ``)`` that belongs to ``opened``."""

    @abstractmethod
    def braced(self, at: int, *, quoted: bool) -> Parameter:
        """The ``${…}`` at ``at``."""

    def arithmetic_end(self, start: int) -> int | None:
        """The offset of the ``))`` that closes an arithmetic expansion; None where no such thing is there."""
        try:
            close = self._closing(start, start)
        except RefusedError:
            return None
        return close if self.text.startswith(")", close + 1) and close + 1 < self.end else None

    def _closing(self, start: int, opened: int) -> int:
        """The offset of the ``)`` that closes a parenthesis whose inside begins at ``start``."""
        depth, cursor = 1, start
        while True:
            match = _PARENTHESIS.search(self.text, cursor, self.end)
            if match is None:
                raise RefusedError(opened, "a parenthesis is never closed")
            cursor = match.end()
            char = match[0]
            if char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if depth == 0:
                    return match.start()
            elif char == "\\":
                cursor += 1
            else:
                cursor = self._quote_end(match.start())

    def _quote_end(self, at: int) -> int:
        """The offset behind the quoted stretch that opens at ``at``; what it holds does not matter."""
        quote, cursor = self.text[at], at + 1
        while cursor < self.end and self.text[cursor] != quote:
            cursor += 2 if self.text[cursor] == "\\" and quote != "'" else 1
        if cursor >= self.end:
            raise RefusedError(at, f"the quote {quote} is never closed")
        return cursor + 1

    def _bracket_end(self, start: int, opened: int) -> int:
        depth, cursor = 1, start
        while cursor < self.end:
            char = self.text[cursor]
            if char in "'\"`":
                cursor = self._quote_end(cursor)
                continue
            depth += (char == "[") - (char == "]")
            if depth == 0:
                return cursor
            cursor += 2 if char == "\\" else 1
        raise RefusedError(opened, "a bracket is never closed")

    def _arithmetic(self, at: int, start: int, close: int, end: int) -> Arithmetic:
        parts = self.arithmetic_parts(start, close)
        self.position = end
        return Arithmetic(at, end, parts)

    def arithmetic_parts(self, start: int, end: int) -> list[Part]:
        """The parts of the expression that stands between two offsets.  Bash reads them when it runs the command."""
        self.enter(start)
        parts = self._bounded(start, end, _ARITHMETIC_LITERAL, '$`"\\')
        self.depth -= 1
        return [part for part in parts if not (isinstance(part, Literal) and part.text == '"')]

    def _ansi(self, at: int) -> Quoted:
        close = at + 2
        while close < self.end and self.text[close] != "'":
            close += 2 if self.text[close] == "\\" else 1
        if close >= self.end:
            raise RefusedError(at, "the quote $' is never closed")
        raw = self.text[at + 2 : close]
        text = _ANSI.sub(_ansi_character, raw).split("\0", 1)[0]
        self.position = close + 1
        return Quoted(at, close + 1, [Literal(at + 2, close, text, quoted=True, exact=text == raw)])


def _ansi_character(match: re.Match[str]) -> str:
    simple, octal, *coded, control = match.groups()
    if simple:
        return _ESCAPES[simple]
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if control:
        return chr(ord(control) & 0x1F)
    number = int(next(code for code in coded if code), 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "�"
