"""Which overrides choose config groups: those belong to the composition, the others are applied to its
result."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from reviewbot.config.compose import concerns_hydra
from reviewbot.config.model import Base, Override


@dataclass(frozen=True)
class Sorted:
    """A command's overrides by what they do, each in its order."""

    groups: tuple[Override, ...]
    """They choose an entry of the defaults list."""
    plain: tuple[Override, ...]
    """They change the composed tree."""
    hydra: tuple[Override, ...]
    """They set something of Hydra's own: ``hydra.run.dir``, ``hydra/launcher``."""


def split_groups(
    base_or_options: Base | Mapping[str, tuple[str, ...]] | Collection[str], overrides: Sequence[Override]
) -> Sorted:
    """Sort overrides as Hydra does: one is a group's where the search path has a folder of that name.

    A dict value never chooses a group.  Source: Hydra 1.3, ``defaults_list.py:Overrides.__init__``.
    """
    names = base_or_options.options if isinstance(base_or_options, Base) else base_or_options
    groups, plain, hydra = [], [], []
    for override in overrides:
        name = override.key.partition("@")[0]
        if concerns_hydra(override.key):
            hydra.append(override)
        elif name in names and not isinstance(override.value, dict):
            groups.append(override)
        else:
            plain.append(override)
    return Sorted(tuple(groups), tuple(plain), tuple(hydra))
