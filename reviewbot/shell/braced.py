"""Reads ``${…}``."""

from __future__ import annotations

import re

from reviewbot.shell.syntax import Literal, Parameter, Part
from reviewbot.shell.words import NAME, RefusedError, WordReader

_LITERAL = re.compile(r"[^}\\'\"$`]+")
_PATTERN_LITERAL = re.compile(r"[^}/\\'\"$`]+")
_INDEX_LITERAL = re.compile(r"[^\]\\'\"$`\[]+")
_BRACED_INDEX_LITERAL = re.compile(r"[^}\]\\'\"$`\[]+")
_PARAMETER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
_OPERATOR = re.compile(r":[-=?+]|[-=?+]|##?|%%?|//|/[#%]?|\^\^?|,,?|:|@[A-Za-z]")


class _BadSubscriptError(Exception):
    """The brace is closed before the bracket: bash finds out when it runs the command."""


class BracedReader(WordReader):
    """Reads parameter expansions in braces, and subscripts."""

    def braced(self, at: int, *, quoted: bool) -> Parameter:
        """``${…}``.  What is no parameter expansion is read up to its ``}`` and called a bad substitution."""
        self.enter(at)
        self.position = at + 2
        depth = self.depth
        try:
            parameter = self._parameter(at, quoted)
        except _BadSubscriptError:
            parameter = Parameter(at, at, "")
            self.position, self.depth = at + 2, depth
        if not self.text.startswith("}", self.position) or self.position >= self.end:
            self._argument(at, quoted=quoted, pattern=False)
            parameter.name = ""
        self.position += 1
        parameter.end = self.position
        self.depth -= 1
        return parameter

    def _parameter(self, at: int, quoted: bool) -> Parameter:
        text = self.text
        parameter = Parameter(at, at, "")
        if text[self.position : self.position + 1] in ("#", "!") and not _is_special(
            text, self.position, self.end
        ):
            parameter.prefix = text[self.position]
            self.position += 1
        match = _PARAMETER_NAME.match(text, self.position, self.end)
        if match is None:
            return parameter
        parameter.name = match[0]
        self.position = match.end()
        if text.startswith("[", self.position) and self.position < self.end and NAME.match(parameter.name):
            self._subscript(parameter, at)
        match = _OPERATOR.match(text, self.position, self.end)
        if match is None:
            if parameter.prefix == "!" and text[self.position : self.position + 2] in ("*}", "@}"):
                parameter.operator = text[self.position]
                self.position += 1
            return parameter
        operator = match[0]
        self.position = match.end()
        parameter.operator = operator
        pattern = operator[0] in "#%/^,"
        if operator[0] == "/":
            anchored = operator[1:] in ("#", "%")  # then the pattern may be empty
            parameter.argument = self._argument(at, quoted=quoted, pattern=True, slash=True, empty=anchored)
            if text.startswith("/", self.position) and self.position < self.end:
                self.position += 1
                parameter.replacement = self._argument(at, quoted=quoted, pattern=True)
        else:
            parameter.argument = self._argument(at, quoted=quoted, pattern=pattern)
        return parameter

    def _subscript(self, parameter: Parameter, opened: int) -> None:
        start = self.position + 1
        if self.text[start : start + 2] in ("@]", "*]"):
            parameter.whole = self.text[start]
            self.position = start + 2
        else:
            parameter.index = self.subscript(opened, braced=True)

    def subscript(self, opened: int, *, braced: bool = False) -> list[Part]:
        """The parts of ``[…]`` at the position, which is left behind the bracket; ``braced`` in ``${…}``."""
        self.enter(opened)
        self.position += 1
        parts: list[Part] = []
        depth = 1
        while True:
            at = self.position
            if at >= self.end:
                raise RefusedError(opened, "a bracket is never closed")
            char = self.text[at]
            if braced and char == "}":
                raise _BadSubscriptError
            if char in "[]":
                depth += 1 if char == "[" else -1
                if depth == 0:
                    break
                self.add(parts, at, at + 1)
            elif not self.common(parts, char, quoted=False):
                literal = _BRACED_INDEX_LITERAL if braced else _INDEX_LITERAL
                match = literal.match(self.text, at, self.end)
                self.add(parts, at, match.end() if match else at + 1)
        self.position += 1
        self.depth -= 1
        return parts

    def _argument(
        self, opened: int, *, quoted: bool, pattern: bool, slash: bool = False, empty: bool = False
    ) -> list[Part]:
        """The parts up to ``}``, or up to ``/`` where that separates a replacement."""
        parts: list[Part] = []
        literal = _PATTERN_LITERAL if slash else _LITERAL
        first = self.position
        while True:
            at = self.position
            if at >= self.end:
                raise RefusedError(opened, "the brace of ${ is never closed")
            char = self.text[at]
            if char == "}" or (slash and char == "/" and (at > first or empty)):
                return parts
            if quoted and not pattern:
                if char == '"':
                    parts.append(self.double())
                elif char == "'":
                    parts.append(Literal(at, at + 1, "'", quoted=True))
                    self.position = at + 1
                else:
                    self.inner(parts, literal, escapable='$`"\\}')
            elif not self.common(parts, char, quoted=False):
                match = literal.match(self.text, at, self.end)
                self.add(parts, at, match.end() if match else at + 1)


def _is_special(text: str, position: int, end: int) -> bool:
    """Whether ``#`` or ``!`` in ``${#…`` is itself the parameter."""
    following = text[position + 1 : min(position + 2, end)]
    if following in ("}", ""):
        return True
    if text[position] == "#":
        return following in ":=+%/" or (following in "-?#" and text[position + 2 : position + 3] != "}")
    return following in ":=+%/^,"
