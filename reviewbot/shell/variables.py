"""Shell variables and their scopes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from reviewbot.shell.model import Origin
from reviewbot.shell.values import Value

Index = int | str


class Variable(NamedTuple):
    """A variable; what changes makes a new one, so that subshells can share them."""

    value: Value | None = None
    """The scalar value; None where it is unset, or an array."""
    elements: Mapping[Index, Value] | None = None
    """The elements of an array, in order; keys are texts for an associative one."""
    associative: bool = False
    exported: bool = False
    readonly: bool = False
    integer: bool = False
    case: str = ""
    """``l`` or ``u`` where assignments are lowered or raised."""
    reference: str = ""
    """The name that a ``declare -n`` variable stands for."""
    origin: Origin | None = None
    """The last assignment."""

    @property
    def first(self) -> Value | None:
        """The value of ``$name``: for an array its element 0."""
        if self.elements is None:
            return self.value
        return self.elements.get("0" if self.associative else 0)

    @property
    def is_set(self) -> bool:
        """Whether it has any value."""
        return self.value is not None or bool(self.elements)


class Variables:
    """Variables by name, in nested scopes; functions see the variables of their callers."""

    def __init__(self, scopes: list[dict[str, Variable]] | None = None) -> None:
        self.scopes: list[dict[str, Variable]] = [{}] if scopes is None else scopes

    def copy(self) -> Variables:
        """A copy for a subshell."""
        return Variables([dict(scope) for scope in self.scopes])

    def get(self, name: str) -> Variable | None:
        """The variable that a name means, through references."""
        for _ in range(10):
            variable = self._find(name)
            if variable is None or not variable.reference:
                return variable
            name = variable.reference
        return None

    def _find(self, name: str) -> Variable | None:
        for scope in reversed(self.scopes):
            variable = scope.get(name)
            if variable is not None:
                return variable
        return None

    def target(self, name: str) -> str:
        """The name that assignments to ``name`` change."""
        for _ in range(10):
            variable = self._find(name)
            if variable is None or not variable.reference:
                return name
            name = variable.reference
        return name

    def put(self, name: str, variable: Variable) -> None:
        """Replaces a variable where it lives; a new one becomes global."""
        for scope in reversed(self.scopes):
            if name in scope:
                scope[name] = variable
                return
        self.scopes[0][name] = variable

    def put_local(self, name: str, variable: Variable) -> None:
        """Makes a variable of the innermost function."""
        self.scopes[-1][name] = variable

    def change(self, name: str, **changes: Any) -> Variable:
        """Replaces some attributes of a variable; makes it where it is not."""
        name = self.target(name)
        variable = (self._find(name) or Variable())._replace(**changes)
        self.put(name, variable)
        return variable

    def remove(self, name: str) -> None:
        """Unsets a variable; what stays says that the environment no longer matters.

        A local variable of a function further out goes away, so that one behind it comes to light again.
        """
        name = self.target(name)
        for scope in reversed(self.scopes):
            if name in scope:
                if scope is self.scopes[-1] or scope is self.scopes[0]:
                    scope[name] = Variable()
                else:
                    del scope[name]
                return
        self.scopes[0][name] = Variable()

    def forget(self, name: str) -> None:
        """Takes a variable away as if it had never been assigned."""
        for scope in reversed(self.scopes):
            if scope.pop(name, None) is not None:
                return

    def exported(self) -> Iterator[tuple[str, Variable, Value]]:
        """What programs get to see: of each name the innermost variable that is exported and has a value.

        A local variable without a value, or one that is not exported, leaves an outer one of its name visible.
        """
        seen = set()
        for scope in reversed(self.scopes):
            for name, variable in scope.items():
                if name not in seen and variable.exported and variable.value is not None:
                    seen.add(name)
                    yield name, variable, variable.value

    def names(self) -> Iterator[str]:
        """All names, those of inner scopes first."""
        seen = set()
        for scope in reversed(self.scopes):
            for name in scope:
                if name not in seen:
                    seen.add(name)
                    yield name
