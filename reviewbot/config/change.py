"""One override applied to a plain config tree under Hydra's rules, without Hydra.

What is not certain here raises :class:`NotSureError`; ``judge.py`` then asks Hydra itself. Source of the
rules: Hydra 1.3, ``ConfigLoaderImpl._apply_overrides_to_config``, and OmegaConf 2.3, ``OmegaConf.update``.
"""

from __future__ import annotations

from typing import NoReturn

from reviewbot.config.interpolation import is_interpolation, is_missing, is_sure_interpolation
from reviewbot.config.lookup import AbsentError, DependsOnUnknownError, Lookup, NotKnownError, Path
from reviewbot.config.model import UNKNOWN, Override, Plain, Refusal


class NotSureError(Exception):
    """The case needs Hydra's own judgement."""


class RefusedError(Exception):
    """Hydra refuses the override."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def change(tree: dict[str, Plain], override: Override) -> None:
    """Apply ``override`` to ``tree`` in place. Raises RefusedError or NotSureError, and then has changed
    nothing."""
    key = override.key
    if "@" in key:
        _refuse(
            override,
            "no-such-group",
            f"'{key}' looks like a config group override, but there is no such group",
        )
    parts = tuple(key.split("."))
    if not all(parts):
        raise NotSureError
    _check_value(override.value)
    if override.op == "~":
        _delete(tree, parts, override)
    elif override.op == "":
        _set_existing(tree, parts, override)
    else:
        if override.op == "+":
            _check_append(tree, parts, override)
        _set_anyway(tree, parts, override)


def copied(value: Plain) -> Plain:
    """A copy of a plain value that shares no container with it."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def written_as(override: Override) -> str:
    """The override's text, ``…`` standing for a value that is not known."""
    if override.op == "~" and override.value_text is None and override.value is None:
        return f"~{override.key}"
    return f"{override.op}{override.key}={'…' if override.value_text is None else override.value_text}"


def no_such_key(override: Override, key: str = "") -> Refusal:
    """Hydra's refusal of a key that is not in the config; ``key`` where it is one of a dict value's."""
    said = f"Could not override '{override.key}'"
    inside = f", '{key}' is not in it" if key else ""
    return Refusal(
        override,
        "no-such-key",
        f"{said}{inside}: to append to your config use +{written_as(override).lstrip('+')}",
    )


def append_exists(override: Override) -> Refusal:
    """Hydra's refusal of ``+`` on a key that has a value."""
    text = written_as(override)
    return Refusal(
        override,
        "append-exists",
        f"Could not append to config, an item is already at '{override.key}': either remove + prefix: "
        f"'{text[1:]}', or add a second + to add or override it: '+{text}'",
    )


def delete_missing(override: Override) -> Refusal:
    """Hydra's refusal of ``~`` on a key that is not there or is null."""
    return Refusal(
        override, "delete-missing", f"Could not delete from config, '{override.key}' does not exist"
    )


def _set_existing(tree: dict[str, Plain], parts: Path, override: Override) -> None:
    node: Plain = tree
    for part in parts[:-1]:
        child = _child(node, part)
        if child is UNKNOWN:
            return
        if not isinstance(child, (dict, list)):
            raise RefusedError(no_such_key(override))
        node = child
    if _child(node, parts[-1]) is _NOTHING:
        raise RefusedError(no_such_key(override))
    _put(node, parts[-1], override, struct=True)


def _check_append(tree: dict[str, Plain], parts: Path, override: Override) -> None:
    """Raise where ``+`` meets a value that is neither null nor to be merged with a list or dict."""
    try:
        current = Lookup(tree).find(parts).value
    except (AbsentError, DependsOnUnknownError):
        return
    except NotKnownError:
        raise NotSureError from None
    if current is None or is_missing(current) or isinstance(override.value, (dict, list)):
        return
    if override.value is not UNKNOWN:
        raise RefusedError(append_exists(override))


def _set_anyway(tree: dict[str, Plain], parts: Path, override: Override) -> None:
    """Set a key, making the way there: what is no container on it becomes an empty dict."""
    node: Plain = tree
    for depth, part in enumerate(parts[:-1]):
        child = _child(node, part)
        if child is UNKNOWN:
            return
        if not isinstance(child, (dict, list)):
            value = copied(override.value)
            for name in reversed(parts[depth + 1 :]):
                value = {name: value}
            node[part] = value
            return
        node = child
    _put(node, parts[-1], override, struct=False)


def _put(node: dict[str, Plain], part: str, override: Override, *, struct: bool) -> None:
    """Set or merge the value at a key of ``node``."""
    value, current = override.value, _child(node, part)
    if isinstance(value, (dict, list)) and isinstance(current, (dict, list)):
        node[part] = _merged(copied(current), value, override, struct=struct)
    elif not (current is UNKNOWN and isinstance(value, dict)):
        node[part] = copied(value)


def _merged(into: Plain, value: Plain, override: Override, *, struct: bool) -> Plain:
    """``value`` merged into the container ``into``: dicts key by key, lists replaced."""
    if isinstance(into, list) and isinstance(value, list):
        return copied(value)
    if not (isinstance(into, dict) and isinstance(value, dict)):
        _refuse(
            override, "type", f"Error merging override {written_as(override)}: a list and a dict do not merge"
        )
    for key, item in value.items():
        current = into.get(key, _NOTHING)
        if current is _NOTHING and struct:
            raise RefusedError(no_such_key(override, str(key)))
        if is_interpolation(current):
            raise NotSureError
        if current is not _NOTHING and is_missing(item):
            continue
        if isinstance(current, (dict, list)) and isinstance(item, (dict, list)):
            into[key] = _merged(current, item, override, struct=struct)
        elif not (current is UNKNOWN and isinstance(item, dict)):
            into[key] = copied(item)
    return into


def _delete(tree: dict[str, Plain], parts: Path, override: Override) -> None:
    lookup = Lookup(tree)
    try:
        current = lookup.find(parts).value
        node = lookup.find(parts[:-1]).value
    except DependsOnUnknownError:
        delete_raw(tree, parts)
        return
    except AbsentError:
        raise RefusedError(delete_missing(override)) from None
    except NotKnownError:
        raise NotSureError from None
    if current is None or is_missing(current):
        raise RefusedError(delete_missing(override))
    if isinstance(node, list):
        raise NotSureError
    value = override.value
    if value is not None and value is not UNKNOWN:
        if isinstance(value, (dict, list)) or isinstance(current, (dict, list)):
            raise NotSureError
        if value != current:
            message = (
                f"Could not delete from config, the value of '{override.key}' is {current} and not {value}"
            )
            _refuse(override, "delete-missing", message)
    del node[parts[-1]]


def delete_raw(tree: dict[str, Plain], parts: Path) -> None:
    """Delete a key, if it is there, without looking at its value or following interpolations."""
    node: Plain = tree
    for part in parts[:-1]:
        node = node.get(part) if isinstance(node, dict) else None
    if isinstance(node, dict):
        node.pop(parts[-1], None)


_NOTHING = object()


def _child(node: Plain, part: str) -> Plain:
    if isinstance(node, list):
        raise NotSureError
    return node.get(part, _NOTHING)


def _check_value(value: Plain) -> None:
    """Raise NotSureError where OmegaConf may refuse the value itself."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key is None:
                raise NotSureError
            _check_value(item)
    elif isinstance(value, list):
        for item in value:
            _check_value(item)
    elif isinstance(value, str) and "${" in value and not is_sure_interpolation(value):
        raise NotSureError


def _refuse(override: Override, kind: str, message: str) -> NoReturn:
    raise RefusedError(Refusal(override, kind, message))
