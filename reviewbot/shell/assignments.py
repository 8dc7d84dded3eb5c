"""Assignments: expanded first, made afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from reviewbot.shell.memory import Elements
from reviewbot.shell.model import Origin
from reviewbot.shell.state import ExhaustedError
from reviewbot.shell.syntax import Assignment
from reviewbot.shell.values import Value, text_of
from reviewbot.shell.variables import Index, Variable

if TYPE_CHECKING:
    from reviewbot.shell.interpreter import Interpreter


MAX_ELEMENTS = 50_000
"""More elements of an array are not followed."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An assignment whose right side is expanded."""

    name: str
    origin: Origin | None
    append: bool
    value: Value = ()
    index: Value | None = None
    elements: Elements | None = None


def assign(shell: Interpreter, assignment: Assignment) -> None:
    """Makes an assignment."""
    store(shell, prepare(shell, assignment))


def prepare(shell: Interpreter, assignment: Assignment) -> Prepared:
    """Expands the right side of an assignment, and changes nothing yet."""
    origin = shell.path.memory.origin(assignment, assignment.name)
    if assignment.elements is not None:
        elements = shell.remembered(shell.path.memory.elements, assignment, partial(_elements, shell))
        return Prepared(assignment.name, origin, assignment.append, elements=elements)
    value = shell.value(assignment.value)
    index = None
    if assignment.index is not None:
        index = shell.parts_value(assignment.value, assignment.index, quoted=False)
    return Prepared(assignment.name, origin, assignment.append, value, index)


def _elements(shell: Interpreter, assignment: Assignment) -> Elements:
    found: list[tuple[Value | None, Value, bool]] = []
    for element in assignment.elements or ():
        word = element.value
        origin = shell.path.memory.origin(element, assignment.name)
        if element.index is not None:
            index = shell.parts_value(word, element.index, quoted=False)
            found.append((index, shell.path.memory.fed(shell.value(word), origin), element.append))
        else:
            found.extend(
                (None, shell.path.memory.fed(field.runs, origin), False) for field in shell.fields((word,))
            )
    return found


def store(shell: Interpreter, prepared: Prepared) -> None:
    """Makes an assignment whose right side is expanded."""
    if prepared.elements is None:
        shell.assign(
            prepared.name, prepared.value, prepared.origin, append=prepared.append, index=prepared.index
        )
        return
    variables = shell.shell.variables
    name = variables.target(prepared.name)
    variable = variables.get(name) or Variable()
    if variable.readonly:
        return
    elements: dict[Index, Value] = {}
    if prepared.append:
        elements = dict(variable.elements or ({} if variable.value is None else {0: variable.value}))
    if variable.associative:
        _store_pairs(prepared.elements, elements)
    else:
        elements = _store_elements(shell, prepared.elements, elements, variable)
    variables.put(name, variable._replace(elements=elements, value=None, origin=prepared.origin))
    shell.spend(len(elements) // 10)
    if len(elements) > MAX_ELEMENTS:
        raise ExhaustedError("an array has too many elements")


def _store_pairs(found: Elements, elements: dict[Index, Value]) -> None:
    pending: str | None = None
    for index, value, append in found:
        if index is not None:
            key = text_of(index) or "?"
            elements[key] = (*elements.get(key, ()), *value) if append else value
        elif pending is None:
            pending = text_of(value) or "?"
            elements[pending] = ()
        else:
            elements[pending], pending = value, None


def _store_elements(
    shell: Interpreter, found: Elements, elements: dict[Index, Value], variable: Variable
) -> dict[Index, Value]:
    following = max((key for key in elements if isinstance(key, int)), default=-1) + 1
    for index, value, append in found:
        key: Index | None = following if index is None else shell.index(variable, index)
        if not isinstance(key, int):
            key = following
        elements[key] = (*elements.get(key, ()), *value) if append else value
        following = key + 1
    if any(index is not None for index, _, _ in found):
        return {key: elements[key] for key in sorted(key for key in elements if isinstance(key, int))}
    return elements
