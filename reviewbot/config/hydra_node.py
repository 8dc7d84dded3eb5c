"""Overrides of Hydra's own settings (``hydra.run.dir=x``), judged against Hydra's own schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewbot.config.change import written_as
from reviewbot.config.judge import refusal_of
from reviewbot.config.model import UNKNOWN, Override, Plain, Refusal

_FREE = (
    "searchpath",
    "defaults",
    "help",
    "hydra_help",
    "hydra_logging",
    "job_logging",
    "launcher",
    "sweeper",
)
"""Settings that config groups or plugins fill: no schema says what is in them."""


def refused_settings(overrides: Sequence[Override], own: Mapping[str, Plain]) -> tuple[Refusal, ...]:
    """The overrides below ``hydra`` that Hydra refuses; ``own`` is what the config files say there.

    Choices of Hydra's groups, settings that a plugin may define and values that are not known are taken as
    right.
    """
    judged = [override for override in overrides if _is_judged(override)]
    if not judged:
        return ()
    from hydra._internal.config_loader_impl import ConfigLoaderImpl
    from hydra.conf import HydraConf
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    config = DictConfig({"hydra": HydraConf})
    try:
        config.merge_with({"hydra": dict(own)})
    except OmegaConfBaseException:
        return ()
    OmegaConf.set_struct(config, True)
    refusals = []
    for override in judged:
        parsed = OverridesParser.create().parse_override(written_as(override))
        try:
            ConfigLoaderImpl._apply_overrides_to_config([parsed], config)
        except (HydraException, ValueError, TypeError, AttributeError, AssertionError, LookupError) as error:
            refusals.append(refusal_of(override, error))
    return tuple(refusals)


def _is_judged(override: Override) -> bool:
    parts = override.key.split(".")
    return (
        len(parts) > 1 and parts[1] not in _FREE and "@" not in override.key and override.value is not UNKNOWN
    )
