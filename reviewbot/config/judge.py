"""One override applied by Hydra itself: the judge where ``change.py`` is not sure.  Slow: 30 ms and more."""

from __future__ import annotations

from reviewbot.config.change import (
    RefusedError,
    append_exists,
    copied,
    delete_missing,
    delete_raw,
    no_such_key,
    written_as,
)
from reviewbot.config.environment import no_environment, read_the_environment
from reviewbot.config.model import UNKNOWN, Override, Plain, Refusal


def change_by_hydra(tree: dict[str, Plain], override: Override) -> dict[str, Plain]:
    """A new tree with ``override`` applied.  Raises RefusedError.  The environment is not read."""
    from hydra._internal.config_loader_impl import ConfigLoaderImpl
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf

    text = written_as(override)
    parsed = OverridesParser.create().parse_override(
        f"{override.op}{override.key}=0" if "…" in text else text
    )
    if override.value is UNKNOWN:
        parsed._value = _UNKNOWN_TEXT
    config = DictConfig(_without_unknown(tree))
    OmegaConf.set_struct(config, True)
    with no_environment():
        try:
            ConfigLoaderImpl._apply_overrides_to_config([parsed], config)
        except (HydraException, ValueError, TypeError, AttributeError, AssertionError, LookupError) as error:
            if not read_the_environment(error):
                raise RefusedError(refusal_of(override, error)) from None
            config = DictConfig(_without_unknown(tree))
            if override.op == "+":
                OmegaConf.update(config, override.key, parsed.value(), merge=True, force_add=True)
            else:
                after: dict[str, Plain] = copied(tree)
                delete_raw(after, tuple(override.key.split(".")))
                return after
    result = OmegaConf.to_container(config, resolve=False)
    assert isinstance(result, dict)
    changed: dict[str, Plain] = _with_unknown(result)
    return changed


_UNKNOWN_TEXT = "\0reviewbot: not known\0"


def refusal_of(override: Override, error: Exception) -> Refusal:
    """What Hydra's error says about an override."""
    message = str(error)
    if message.startswith("Could not override"):
        return no_such_key(override)
    if message.startswith("Could not append"):
        return append_exists(override)
    if message.startswith("Could not delete"):
        if "does not exist" in message:
            return delete_missing(override)
        return Refusal(override, "delete-missing", message)
    cause = error.__cause__ or error.__context__
    said = [str(error), *([str(cause)] if cause else [])]
    first_lines = [line.splitlines()[0].strip() for line in said if line.strip()]
    return Refusal(
        override, "type", ": ".join(first_lines) or f"Error merging override {written_as(override)}"
    )


def _without_unknown(value: Plain) -> Plain:
    if isinstance(value, dict):
        return {key: _without_unknown(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_unknown(item) for item in value]
    return _UNKNOWN_TEXT if value is UNKNOWN else value


def _with_unknown(value: Plain) -> Plain:
    if isinstance(value, dict):
        return {key: _with_unknown(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_unknown(item) for item in value]
    return UNKNOWN if isinstance(value, str) and _UNKNOWN_TEXT in value else value
