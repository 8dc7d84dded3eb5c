"""Facts as plain JSON values, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from reviewbot.knowledge.model import (
    ClassField,
    ConfigClass,
    ConfigWrite,
    Constraint,
    EntryPoint,
    MethodRules,
    NodeCall,
    ServerTrace,
    ServerWrite,
    Validator,
)

_Kind = TypeVar("_Kind", ServerTrace, ConfigClass, Validator, EntryPoint)

_PARTS: Mapping[type, Mapping[str, type]] = {
    ServerTrace: {"writes": ServerWrite, "constraints": Constraint},
    ConfigClass: {"fields": ClassField, "rules": MethodRules},
    MethodRules: {"constraints": Constraint, "writes": ConfigWrite},
    Validator: {"constraints": Constraint, "writes": ConfigWrite, "calls": NodeCall},
}
"""Fields that hold data classes."""


def encode(item: Any) -> dict[str, Any]:
    """A data class as JSON: fields that have their default value are left out."""
    encoded: dict[str, Any] = {}
    for entry in fields(item):
        value = getattr(item, entry.name)
        if value == entry.default and isinstance(value, bool) == isinstance(entry.default, bool):
            continue
        parts = entry.name in _PARTS.get(type(item), {})
        encoded[entry.name] = [encode(part) for part in value] if parts else value
    return encoded


def decode(kind: type[_Kind], item: Mapping[str, Any]) -> _Kind:
    """A data class from its JSON form.  Raises TypeError, KeyError or AttributeError where it is none."""
    return _decode(kind, item)  # type: ignore[no-any-return]  # kind is what it makes


def _decode(kind: type, item: Mapping[str, Any]) -> Any:
    parts = _PARTS.get(kind, {})
    values: dict[str, Any] = {}
    for name, value in item.items():
        if name in parts:
            values[name] = tuple(_decode(parts[name], part) for part in value)
        else:
            values[name] = _frozen(value)
    return kind(**values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
