"""What the config stage takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewbot.shell.model import Known, Word


class Unknown:
    """The one value that stands for "not known"; it equals only itself."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()

Scalar = None | bool | int | float | str
Plain = Any
"""A plain config value: a scalar, a list of values, a dict with scalar keys, or UNKNOWN.  Interpolations are
strings (``${oc.env:HOME}``)."""


@dataclass(frozen=True)
class Override:
    """One Hydra argument of a launch."""

    word: Word
    op: str
    """``""``, ``+``, ``++`` or ``~``."""
    key: str
    """The key or group as written, without the operator; with ``@package`` where there is one."""
    value_text: str | None
    """The text after the first ``=``; None where it is not known, and for ``~key``."""
    value: Plain
    """What Hydra makes of the text: UNKNOWN where the text is not known; None for ``~key``."""

    @property
    def known(self) -> Known:
        """How much is known about the value."""
        return self.word.known


@dataclass(frozen=True)
class Arguments:
    """The arguments of an entry point, sorted out as Hydra's command line does."""

    overrides: tuple[Override, ...]
    config_name: str | None = None
    """``--config-name``, without ``.yaml``; None where it is not given."""
    config_path: str | None = None
    """``--config-path``; ``$PWD/…`` where the script takes it from its working directory."""
    config_dir: str | None = None
    malformed: tuple[tuple[Word, str], ...] = ()
    """Words that Hydra's override grammar refuses, with its message."""
    options: tuple[Word, ...] = ()
    """Other options (``--multirun``, ``--cfg job``)."""
    open: tuple[Word, ...] = ()
    """Words that may stand for further arguments: ``"$@"``, unknown words."""
    prints: bool = False
    """True where Hydra only prints something (``--cfg job``, ``--info``, ``--help``): nothing is run."""
    unknown_config: bool = False
    """True where ``--config-name`` or ``--config-path`` is given but not known."""


@dataclass(frozen=True)
class Base:
    """A config tree, composed from its defaults list before any plain override."""

    tree: Mapping[str, Plain]
    """The composed values, interpolations as text; without ``hydra``."""
    config_name: str
    groups: Mapping[str, str]
    """Overridable entries of the defaults list (``model_engine``, ``actor@actor_rollout_ref.actor``) and the
    choice of each."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Config groups of the search path and their choices, sorted."""
    origin: str = ""
    """Path of the primary config file in its tree."""
    hydra: Mapping[str, Plain] = field(default_factory=dict)
    """What the config files say below ``hydra``, without the search path."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Hydra refuses an override, or the whole command."""

    override: Override | None
    kind: str
    """``no-such-key`` (not in struct), ``append-exists`` (+ on a value), ``no-such-group``,
    ``no-such-choice``, ``delete-missing``, ``type`` (path runs through a scalar), ``grammar``,
    ``no-such-config``, ``compose``, ``force-add-group`` (``++`` on a config group). Two are no claim about
    the command, only a reason why nothing can be said: ``outside-tree`` (it composes from what is not in the
    reviewed tree) and ``unknown`` (the config's name, path or a group's choice is not known)."""
    message: str
    """Hydra's words, shortened to one sentence."""
    about: str = ""
    """The group override (its text) that is to blame, where the override itself was not at hand."""


@dataclass(frozen=True)
class Applied:
    """A config tree with a command's overrides applied, in order."""

    tree: Mapping[str, Plain]
    """Interpolations as text, UNKNOWN where an override's value is not known."""
    set_by: Mapping[str, Override]
    """For each leaf (dotted key) that an override decided: that override."""
    refusals: tuple[Refusal, ...] = ()
    """What Hydra refuses: it would stop at the first; the others are judged as if the refused ones were not
    there."""
    superseded: tuple[tuple[Override, Override], ...] = ()
    """Overrides of which no leaf is left, each with the later override that took the last one."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The effective value at one key."""

    value: Plain
    """Interpolations resolved where they stay within the tree; UNKNOWN where not known."""
    set_by: Override | None
    """The override that decided it; None where the config files did."""
    known: Known
    via: tuple[str, ...] = ()
    """The keys that interpolation went through."""
