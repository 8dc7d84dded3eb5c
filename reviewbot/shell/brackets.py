"""Reads ``[[ … ]]``."""

from __future__ import annotations

import re

from reviewbot.shell.braced import BracedReader
from reviewbot.shell.syntax import Condition, Part, Test, Word
from reviewbot.shell.words import RefusedError

_SPACE = re.compile(r"(?:[ \t\n]|\\\n)+")
_UNARY = re.compile(r"-[abcdefghknoprstuvwxzGLNORS](?=[ \t\n])")
_BINARY = re.compile(r"(==|=~|!=|=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)(?=[ \t\n]))")
_REGEX_END = frozenset(" \t\n")


class ConditionReader(BracedReader):
    """The part of the grammar between ``[[`` and ``]]``."""

    def condition(self, start: int) -> Condition:
        """The ``[[ … ]]`` at the position."""
        self.position += 2
        test = self._or(start)
        self._space()
        if not self.text.startswith("]]", self.position) or self.position + 2 > self.end:
            raise RefusedError(start, "[[ is never closed by ]]")
        self.position += 2
        return Condition(start, self.position, self.code, test)

    def _space(self) -> None:
        match = _SPACE.match(self.text, self.position, self.end)
        if match:
            self.position = match.end()

    def _takes(self, token: str) -> bool:
        self._space()
        if self.text.startswith(token, self.position) and self.position + len(token) <= self.end:
            self.position += len(token)
            return True
        return False

    def _or(self, opened: int) -> Test:
        self._space()
        start = self.position
        operands: list[Test | Word] = [self._and(opened)]
        while self._takes("||"):
            operands.append(self._and(opened))
        return self._joined(start, "||", operands)

    def _and(self, opened: int) -> Test:
        self._space()
        start = self.position
        operands: list[Test | Word] = [self._not(opened)]
        while self._takes("&&"):
            operands.append(self._not(opened))
        return self._joined(start, "&&", operands)

    def _joined(self, start: int, operator: str, operands: list[Test | Word]) -> Test:
        if len(operands) == 1 and isinstance(operands[0], Test):
            return operands[0]
        return Test(start, operands[-1].end, operator, operands)

    def _not(self, opened: int) -> Test:
        self._space()
        start = self.position
        self.enter(start)
        if self.text.startswith("!", start) and self.text[start + 1 : start + 2] in (" ", "\t", "\n", "("):
            self.position += 1
            inner = self._not(opened)
            test = Test(start, inner.end, "!", [inner])
        elif self._takes("("):
            test = self._or(opened)
            if not self._takes(")"):
                raise RefusedError(start, "a parenthesis is never closed")
        else:
            test = self._primary(opened)
        self.depth -= 1
        return test

    def _primary(self, opened: int) -> Test:
        start = self.position
        unary = _UNARY.match(self.text, start, self.end)
        if unary:
            self.position = unary.end()
            self._space()
            if not self._ends():
                operand = self._operand(opened)
                if not self._binary_follows():
                    return Test(start, operand.end, unary[0], [operand])
            self.position = start
        left = self._operand(opened)
        self._space()
        binary = _BINARY.match(self.text, self.position, self.end)
        if binary is None:
            return Test(start, left.end, "-n", [left])
        self.position = binary.end()
        self._space()
        right = self._regex(opened) if binary[0] == "=~" else self._operand(opened)
        return Test(start, right.end, binary[0], [left, right])

    def _ends(self) -> bool:
        return any(self.text.startswith(token, self.position) for token in ("]]", "&&", "||", ")"))

    def _binary_follows(self) -> bool:
        before = self.position
        self._space()
        follows = _BINARY.match(self.text, self.position, self.end) is not None
        self.position = before
        return follows

    def _operand(self, opened: int) -> Word:
        if self.text.startswith("]]", self.position):
            raise RefusedError(self.position, "unexpected ']]'")
        word = self.word()
        if word is None:
            if self.position >= self.end:
                raise RefusedError(opened, "[[ is never closed by ]]")
            raise RefusedError(self.position, f"unexpected {self.text[self.position]!r} in [[ ]]")
        return word

    def _regex(self, opened: int) -> Word:
        """The right side of ``=~``, where parentheses and bars are no operators."""
        start = self.position
        parts: list[Part] = []
        depth = 0
        while self.position < self.end:
            at = self.position
            char = self.text[at]
            if char in _REGEX_END and depth == 0:
                break
            depth += (char == "(") - (char == ")" and depth > 0)
            if not self.common(parts, char, quoted=False):
                self.add(parts, at, at + 1)
        if self.position == start:
            return self._operand(opened)
        return Word(self.code, start, self.position, parts)
