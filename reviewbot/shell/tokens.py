"""Reads the tokens of bash's grammar: blanks, operators, reserved words, here-documents."""

from __future__ import annotations

import re

from reviewbot.shell.brackets import ConditionReader
from reviewbot.shell.code import Code
from reviewbot.shell.syntax import Literal, Part, Redirect, Word
from reviewbot.shell.words import RefusedError

_BLANKS = re.compile(r"(?:[ \t]|\\\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_CONTROL = re.compile(r"&&|\|\||\|&|;;&|;;|;&|[;&|()\n]")
_WORD_STOP = re.compile(r"[ \t\n;&|<>()]|$")
RESERVED = frozenset(
    (
        *("if", "then", "elif", "else", "fi", "while", "until", "time", "do", "done", "for", "case", "esac"),
        *("select", "function", "{", "}", "!", "[[", "]]", "in", "coproc"),
    )
)


class TokenReader(ConditionReader):
    """Reads tokens."""

    def __init__(self, code: Code, position: int = 0, end: int | None = None, depth: int = 0) -> None:
        super().__init__(code, position, end, depth)
        self.documents: list[tuple[Redirect, str, bool, bool]] = []
        """Here-documents whose bodies are still to come: delimiter, whether quoted, whether without tabs."""
        self.comments: dict[int, int] = {}
        """The comments that were skipped: from where, to where."""

    def blanks(self) -> None:
        """Skips blanks, continuations and a comment."""
        match = _BLANKS.match(self.text, self.position, self.end)
        if match:
            self.position = match.end()
        if self.position < self.end and self.text[self.position] == "#" and self._comment_may_start():
            comment = _COMMENT.match(self.text, self.position, self.end)
            if comment:
                self.comments[comment.start()] = comment.end()
                self.position = comment.end()

    def _comment_may_start(self) -> bool:
        return self.position == 0 or self.text[self.position - 1] in " \t\n;&|()<>`"

    def newlines(self) -> None:
        """Skips newlines too; here-documents begin behind them."""
        while True:
            self.blanks()
            if self.position >= self.end or self.text[self.position] != "\n":
                return
            self.newline()

    def newline(self) -> None:
        """Takes a newline; here-documents begin behind it."""
        if self.position < self.end:
            self.position += 1
        pending, self.documents = self.documents, []
        for redirect, delimiter, quoted, tabs in pending:
            redirect.body = self._document(delimiter, quoted, tabs)

    def _document(self, delimiter: str, quoted: bool, tabs: bool) -> Word:
        """The body of a here-document that starts at the position."""
        start = self.position
        line = start
        while line < self.end:
            newline = self.text.find("\n", line, self.end)
            stop = self.end if newline < 0 else newline
            content = self.text[line:stop]
            if (content.lstrip("\t") if tabs else content) == delimiter:
                self.position = min(stop + 1, self.end)
                break
            line = stop + 1
        else:
            self.position = line = self.end
        if quoted:
            parts: list[Part] = [Literal(start, line, self.text[start:line], quoted=True)]
        else:
            parts = self.document(start, line)
        return Word(self.code, start, line, parts)

    def at(self, token: str) -> bool:
        """Whether a token is at the position."""
        return self.position + len(token) <= self.end and self.text.startswith(token, self.position)

    def accept(self, token: str) -> bool:
        """Takes a token where it is at the position."""
        if self.at(token):
            self.position += len(token)
            return True
        return False

    def accept_operator(self, token: str) -> bool:
        """Accepts ``;`` or ``&`` unless it begins a longer operator."""
        match = _CONTROL.match(self.text, self.position, self.end)
        return match is not None and match[0] == token and self.accept(token)

    def reserved(self) -> str | None:
        """The reserved word at the position."""
        self.blanks()
        stop = _WORD_STOP.search(self.text, self.position, min(self.end, self.position + 9))
        word = self.text[self.position : stop.start() if stop else self.end]
        return word if word in RESERVED else None

    def take_reserved(self, word: str) -> bool:
        """Takes a reserved word where it is at the position."""
        if self.reserved() == word:
            self.position += len(word)
            return True
        return False

    def expect(self, word: str, opened: int) -> None:
        """Takes the reserved word that the command that begins at ``opened`` needs here."""
        self.newlines()
        if not self.take_reserved(word):
            if self.position >= self.end:
                raise RefusedError(
                    opened, f"{_first_word(self.text, opened)!r} is never closed: {word!r} is missing"
                )
            raise RefusedError(self.position, f"unexpected {self.token()!r} where {word!r} is needed")

    def token(self) -> str:
        """The operator or word at the position, for messages."""
        match = _CONTROL.match(self.text, self.position, self.end)
        if match:
            return match[0].replace("\n", "newline")
        return _first_word(self.text, self.position)

    def unexpected(self) -> str:
        """What is wrong where bash can read nothing on."""
        return "unexpected end of file" if self.position >= self.end else f"unexpected {self.token()!r}"


def _first_word(text: str, start: int) -> str:
    stop = _WORD_STOP.search(text, start + 1, start + 40)
    return text[start : stop.start() if stop else start + 40]
