"""The configuration of one launch: from its arguments to its effective config."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from reviewbot.config.apply import apply
from reviewbot.config.effective import EffectiveConfig
from reviewbot.config.groups import split_groups
from reviewbot.config.hydra_node import refused_settings
from reviewbot.config.model import UNKNOWN, Applied, Arguments, Base, Override, Refusal
from reviewbot.config.search import SEARCH_PATH


class BaseFor(Protocol):
    """Gives the base config of an entry point; callers cache it."""

    def __call__(
        self, config_path: str | None, config_name: str | None, group_texts: tuple[str, ...], /
    ) -> Base | Refusal:
        """The base for a command's ``--config-path`` and ``--config-name`` (None: not given) and group
        overrides.

        ``group_texts`` may hold ``hydra.searchpath=[…]``: see ``search_path``.
        """


@dataclass(frozen=True)
class Configured:
    """What a launch's arguments come to."""

    arguments: Arguments
    base: Base | None
    """None where there is no base: the refusals say why."""
    applied: Applied | None
    effective: EffectiveConfig | None
    refusals: tuple[Refusal, ...]
    """Everything that Hydra refuses but what its grammar refuses: see ``arguments.malformed``. Kinds
    ``outside-tree`` and ``unknown`` are no refusals of Hydra's: nothing can be said about the launch."""


def configure(arguments: Arguments, base_for: BaseFor) -> Configured:
    """Compose the base that the arguments choose and apply their plain overrides to it.

    Goes on after a refused override, without it.
    """
    composed = _compose(arguments, base_for)
    if composed.base is None:
        return Configured(arguments, None, None, None, tuple(composed.refusals))
    sorted_overrides = split_groups(composed.base, arguments.overrides)
    applied = apply(composed.base, sorted_overrides.plain)
    applied = replace(applied, superseded=(*_superseded_groups(sorted_overrides.groups), *applied.superseded))
    settings = refused_settings(sorted_overrides.hydra, composed.base.hydra)
    refusals = (*composed.refusals, *settings, *applied.refusals)
    return Configured(arguments, composed.base, applied, EffectiveConfig(applied), refusals)


@dataclass(frozen=True)
class _Composed:
    base: Base | None
    refusals: list[Refusal]


def _compose(arguments: Arguments, base_for: BaseFor) -> _Composed:
    """The base of a command, and the group overrides that Hydra refuses."""
    if arguments.unknown_config:
        return _nothing("unknown", "The config's name or path is not known from the script")
    if arguments.config_dir is not None:
        return _nothing(
            "outside-tree", f"--config-dir {arguments.config_dir} adds configs that are not followed"
        )
    search = _search_texts(arguments.overrides)
    if search is None:
        return _nothing("unknown", f"{SEARCH_PATH} is not known from the script")
    chosen = _chosen_groups(arguments, base_for, search)
    if isinstance(chosen, Refusal):
        return _Composed(None, [chosen])
    unknown = next((override for override in chosen if override.value is UNKNOWN), None)
    if unknown is not None:
        message = f"The choice of the config group {unknown.key} is not known from the script"
        return _Composed(None, [Refusal(unknown, "unknown", message)])
    return _compose_with(arguments, base_for, search, list(chosen))


def _compose_with(
    arguments: Arguments, base_for: BaseFor, search: tuple[str, ...], groups: list[Override]
) -> _Composed:
    """Compose with the group overrides, leaving out one that is refused after the other."""
    refusals: list[Refusal] = []
    while True:
        texts = tuple(_text(override) for override in groups)
        base = base_for(arguments.config_path, arguments.config_name, (*search, *texts))
        if isinstance(base, Base):
            return _Composed(base, refusals)
        blamed = next((override for override in groups if base.about and _text(override) == base.about), None)
        if blamed is None and base.kind == "compose":
            blamed = _first_wrong(arguments, base_for, search, groups)
        refusals.append(replace(base, override=base.override or blamed))
        if blamed is None:
            return _Composed(None, refusals)
        groups = [override for override in groups if override is not blamed]


def _first_wrong(
    arguments: Arguments, base_for: BaseFor, search: tuple[str, ...], groups: Sequence[Override]
) -> Override | None:
    """The group override that, added to those before it, makes the composition fail."""
    for count in range(len(groups)):
        texts = tuple(_text(override) for override in groups[:count])
        if not isinstance(base_for(arguments.config_path, arguments.config_name, (*search, *texts)), Base):
            return groups[count - 1] if count else None
    return groups[-1] if groups else None


def _chosen_groups(
    arguments: Arguments, base_for: BaseFor, search: tuple[str, ...]
) -> tuple[Override, ...] | Refusal:
    """The group overrides of a command.

    The folders of the search path decide which they are. Where the config does not compose without a choice,
    all overrides of group shape are tried; composing weeds them out.
    """
    default = base_for(arguments.config_path, arguments.config_name, search)
    if isinstance(default, Base):
        return split_groups(default, arguments.overrides).groups
    shaped = split_groups([_name(override) for override in arguments.overrides], arguments.overrides).groups
    shaped = tuple(
        override for override in shaped if "." not in _name(override) and override.value is not UNKNOWN
    )
    if default.kind != "compose" or not shaped:
        return default
    names = {_name(override) for override in shaped}
    while names:
        kept = split_groups(names, shaped).groups
        base = base_for(arguments.config_path, arguments.config_name, (*search, *map(_text, kept)))
        if isinstance(base, Base):
            return split_groups(base, arguments.overrides).groups
        wrong = next((_name(override) for override in kept if base.about == _text(override)), None)
        if wrong is None:
            return base
        names.discard(wrong)
    return default


def _search_texts(overrides: Sequence[Override]) -> tuple[str, ...] | None:
    """The command's own search path as override texts; None where it is not known."""
    own = [override for override in overrides if override.key == SEARCH_PATH]
    return (
        None
        if any(override.value is UNKNOWN for override in own)
        else tuple(_text(override) for override in own)
    )


def _superseded_groups(groups: Sequence[Override]) -> list[tuple[Override, Override]]:
    """Choices of a group that a later one of the same command replaces."""
    last: dict[str, Override] = {}
    found = []
    for override in groups:
        if override.op != "":
            continue
        if override.key in last:
            found.append((last[override.key], override))
        last[override.key] = override
    return found


def _nothing(kind: str, message: str) -> _Composed:
    return _Composed(None, [Refusal(None, kind, message)])


def _name(override: Override) -> str:
    return override.key.partition("@")[0]


def _text(override: Override) -> str:
    return override.word.text or ""
