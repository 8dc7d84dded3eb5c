"""Evaluates arithmetic: 64-bit integers, bash's operators and precedence."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

MAX_LENGTH = 10_000
MAX_NESTING = 30

_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9A-Fa-f]+|[0-9]+#[0-9A-Za-z@_]+|[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)"
    r"|(<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:,()\[\]]))"
)
_NAME_FOLLOWS = re.compile(r"\s*[A-Za-z_]")
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<=", ">=", "<", ">"), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_ASSIGNING = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))


class WrongError(Exception):
    """The expression is no arithmetic, divides by zero, or is too large."""


class Names(Protocol):
    """Where the values of names come from."""

    def read(self, name: str, index: str | None) -> str | None:
        """The text of a variable (empty where unset); None where it is not known."""

    def write(self, name: str, index: str | None, value: int | None) -> None:
        """Assigns; None where the value is not known."""


def evaluate(expression: str, names: Names, depth: int = 0) -> int | None:
    """The value; None where it depends on something unknown.  Raises :class:`WrongError`."""
    if len(expression) > MAX_LENGTH or depth > MAX_NESTING:
        raise WrongError
    if not expression.strip():
        return 0
    parser = _Evaluation(expression, names, depth)
    value = parser.comma()
    if parser.token is not None:
        raise WrongError
    return value


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


class _Evaluation:
    """Recursive descent; ``skip`` counts the branches that are read but not taken."""

    def __init__(self, expression: str, names: Names, depth: int) -> None:
        self.expression = expression
        self.names = names
        self.depth = depth
        self.at = 0
        self.skip = 0
        self.nesting = 0
        self.kind = ""
        self.token: str | None = None
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.expression, self.at)
        if match is None:
            if self.expression[self.at :].strip():
                raise WrongError
            self.token = None
            self.kind = ""
            return
        self.at = match.end()
        number, name, operator = match.groups()
        if (
            operator in ("++", "--")
            and self.kind != "name"
            and not _NAME_FOLLOWS.match(self.expression, self.at)
        ):
            # Neither behind a name nor in front of one: two signs, as in `0--(1)`.
            operator = operator[0]
            self.at = match.end() - 1
        self.kind = "number" if number else "name" if name else "operator"
        self.token = number or name or operator

    def take(self, *tokens: str) -> str | None:
        if self.kind == "operator" and self.token in tokens:
            taken = self.token
            self.advance()
            return taken
        return None

    def comma(self) -> int | None:
        value = self.assignment()
        while self.take(","):
            value = self.assignment()
        return value

    def assignment(self) -> int | None:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise WrongError
        value = self.ternary()
        self.nesting -= 1
        return value

    def ternary(self) -> int | None:
        condition = self.binary(0)
        if not self.take("?"):
            return condition
        yes = self.branch(condition is not None and condition == 0, self.comma)
        if not self.take(":"):
            raise WrongError
        no = self.branch(condition is not None and condition != 0, self.assignment)
        if condition is None:
            return yes if yes == no else None
        return yes if condition else no

    def branch(self, skipped: bool, read: Callable[[], int | None]) -> int | None:
        self.skip += skipped
        value = read()
        self.skip -= skipped
        return value

    def binary(self, level: int) -> int | None:
        if level == len(_LEVELS):
            return self.power()
        left = self.binary(level + 1)
        while operator := self.take(*_LEVELS[level]):
            decided = left is not None and (
                (operator == "||" and left != 0) or (operator == "&&" and left == 0)
            )
            right = self.branch(decided, lambda: self.binary(level + 1))
            left = self.apply(operator, left, right)
        return left

    def power(self) -> int | None:
        base = self.unary()
        if self.take("**"):
            self.nesting += 1
            if self.nesting > MAX_NESTING:
                raise WrongError
            exponent = self.power()
            self.nesting -= 1
            if base is None or exponent is None:
                return None
            if exponent < 0:
                if self.skip:
                    return 0
                raise WrongError
            return _wrapped(pow(base, exponent, 2**64))
        return base

    def unary(self) -> int | None:
        operator = self.take("-", "+", "!", "~", "++", "--")
        if operator is None:
            return self.primary()
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise WrongError
        try:
            if operator in ("++", "--"):
                if self.kind == "name":
                    name, index = self.name()
                    return self.store(name, index, self.apply(operator[0], self.load(name, index), 1))
                return self.unary()
            value = self.unary()
        finally:
            self.nesting -= 1
        if value is None:
            return None
        return {"-": _wrapped(-value), "+": value, "!": int(not value), "~": ~value}[operator]

    def primary(self) -> int | None:
        if self.take("("):
            value = self.comma_nested()
            if not self.take(")"):
                raise WrongError
            return value
        if self.kind == "number":
            token = self.token or ""
            self.advance()
            return _number(token)
        if self.kind != "name":
            raise WrongError
        name, index = self.name()
        if self.kind == "operator" and self.token in _ASSIGNING:
            operator = self.token or ""
            self.advance()
            right = self.assignment()
            if operator != "=":
                right = self.apply(operator[:-1], self.load(name, index), right)
            return self.store(name, index, right)
        step = self.take("++", "--")
        value = self.load(name, index)
        if step:
            self.store(name, index, self.apply(step[0], value, 1))
        return value

    def comma_nested(self) -> int | None:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise WrongError
        value = self.comma()
        self.nesting -= 1
        return value

    def name(self) -> tuple[str, str | None]:
        name = self.token or ""
        if self.expression[self.at : self.at + 1] != "[":
            self.advance()
            return name, None
        start, depth = self.at + 1, 0
        for offset in range(self.at, len(self.expression)):
            depth += (self.expression[offset] == "[") - (self.expression[offset] == "]")
            if depth == 0:
                self.at = offset + 1
                self.advance()
                return name, self.expression[start:offset]
        raise WrongError

    def load(self, name: str, index: str | None) -> int | None:
        if self.skip:
            return 0
        text = self.names.read(name, index)
        if text is None:
            return None
        text = text.strip()
        if not text:
            return 0
        if text.lstrip("-").isdecimal() and text.isascii():
            negative = text.startswith("-")
            return -_number(text[1:]) if negative else _number(text)
        return evaluate(text, self.names, self.depth + 1)

    def store(self, name: str, index: str | None, value: int | None) -> int | None:
        if not self.skip:
            self.names.write(name, index, value)
        return value

    def apply(self, operator: str, left: int | None, right: int | None) -> int | None:
        if operator == "&&":
            if left == 0 or right == 0:
                return 0
            return None if left is None or right is None else 1
        if operator == "||":
            if left or right:
                return 1
            return None if left is None or right is None else 0
        if left is None or right is None:
            return None
        if operator in ("/", "%"):
            if right == 0:
                if self.skip:
                    return 0
                raise WrongError
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return _wrapped(quotient) if operator == "/" else left - quotient * right
        if operator in ("<<", ">>"):
            return _wrapped(left << (right % 64)) if operator == "<<" else left >> (right % 64)
        return _wrapped(int(_PLAIN[operator](left, right)))


_PLAIN: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}


def _number(token: str) -> int:
    """An integer literal: decimal, octal, hexadecimal or ``base#digits``."""
    if len(token) > 100:
        raise WrongError
    try:
        if "#" in token:
            base_text, digits = token.split("#", 1)
            return _wrapped(_based(int(base_text), digits))
        if token[:2] in ("0x", "0X"):
            return _wrapped(int(token, 16))
        if token.startswith("0") and len(token) > 1:
            return _wrapped(int(token, 8))
        return _wrapped(int(token))
    except ValueError as error:
        raise WrongError from error


def _based(base: int, digits: str) -> int:
    if not 2 <= base <= 64:
        raise WrongError
    alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
    value = 0
    for digit in digits.lower() if base <= 36 else digits:
        place = alphabet.index(digit)
        if place >= base:
            raise WrongError
        value = value * base + place
    return value
