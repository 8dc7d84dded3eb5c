"""Three-valued logic: what is not known never becomes a claim."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Truth(Enum):
    """True, false or unknown."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, value: bool | None) -> Truth:
        """The truth of a bool; None is unknown."""
        if value is None:
            return cls.UNKNOWN
        return cls.TRUE if value else cls.FALSE

    def __bool__(self) -> bool:
        raise TypeError("a Truth has three values: compare it with Truth.TRUE, FALSE or UNKNOWN")

    def __invert__(self) -> Truth:
        return {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE}.get(self, Truth.UNKNOWN)


def all_of(values: Iterable[Truth]) -> Truth:
    """Kleene's conjunction."""
    result = Truth.TRUE
    for value in values:
        if value is Truth.FALSE:
            return Truth.FALSE
        if value is Truth.UNKNOWN:
            result = Truth.UNKNOWN
    return result


def any_of(values: Iterable[Truth]) -> Truth:
    """Kleene's disjunction."""
    return ~all_of(~value for value in values)
