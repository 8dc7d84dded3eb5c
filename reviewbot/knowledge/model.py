"""Facts: comparable values with stable identities, read from a framework's source at one version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, order=True, slots=True)
class Evidence:
    """Where in the framework's source a claim can be read."""

    path: str
    line: int
    """1-based; the line of the write, assert or field that makes the claim true."""
    symbol: str
    """``vLLMHttpServer.launch_server``"""
    version: str
    """A release (``0.9.1``), or the commit or folder that was read."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something that must hold, or the run ends at start."""

    when: str
    """The guards in the language of conditions; empty: always."""
    requires: str
    """What must hold then."""
    path: str
    line: int
    symbol: str


@dataclass(frozen=True, slots=True)
class ServerWrite:
    """One write to the dict that becomes the server's arguments, in source order."""

    argument: str
    """The engine's argument: ``enable_expert_parallel``; nested: ``compilation_config.cudagraph_mode``."""
    stage: str
    """``before`` the spread of engine_kwargs (engine_kwargs wins over it: it is shadowed), ``after`` (it
    overwrites), ``merge`` (after, but made from the value that is there), ``default`` (only where absent),
    ``conflict`` (a keyword of the call that takes ``**engine_kwargs``: both together are a TypeError)."""
    value: str
    """The source expression, with what stands for config keys written as absolute keys:
    ``actor_rollout_ref.rollout.expert_parallel_size > 1``; parts that are not config keys stay source text in
    ``opaque("…")``."""
    condition: str
    """The conjunction of the enclosing tests in the same notation; empty: always."""
    line: int
    feeds: tuple[str, ...]
    """The config keys that the value reads, absolute, sorted."""


@dataclass(frozen=True, slots=True)
class ServerTrace:
    """How one backend's server makes its arguments."""

    backend: str
    """The value of the backend key, and the name of its engine_kwargs: ``vllm``."""
    path: str
    symbol: str
    spread_line: int
    """Line of ``**engine_kwargs``; 0 where the server does not spread it."""
    writes: tuple[ServerWrite, ...]
    honoured: tuple[str, ...] = ()
    """Arguments that are popped from engine_kwargs and put back under the same name."""
    only: tuple[str, ...] | None = None
    """Where engine_kwargs is not spread: the only arguments read from it.  None: all are passed on."""
    drops: tuple[str, ...] = ()
    """Values that never reach the engine: ``False``, ``None``, ``[]``."""
    drops_line: int = 0
    drops_path: str = ""
    """The file of ``drops_line``."""
    may_drop: tuple[str, ...] = ()
    """Values that never reach the engine for some arguments only (it depends on the engine's own types)."""
    skips_none: bool = False
    """True where None in engine_kwargs counts as absent: the value written before stays."""
    condition: str = ""
    """When this server is used, besides the backend: ``actor_rollout_ref.rollout.mode == 'async'``."""
    constraints: tuple[Constraint, ...] = ()
    """What the server refuses while it makes its arguments."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A module with ``@hydra.main``."""

    module: str
    path: str
    line: int
    config_dir: str
    """Folder of the tree that ``config_path`` names."""
    config_name: str
    """Default config name."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A YAML file of a config folder, as data."""

    package: str
    """Its ``# @package`` line, without the ``#``; empty where it has none."""
    data: Any


@dataclass(frozen=True, slots=True)
class ConfigWrite:
    """A config key that the framework's code assigns."""

    key: str
    value: str
    """An expression, as in :class:`ServerWrite`."""
    when: str
    path: str
    line: int
    symbol: str
    on_object: bool = False
    """True where it is written to the object that the code made of the node, not to the config itself: who reads
    the config, or makes an object of its own, does not see it."""


@dataclass(frozen=True, slots=True)
class ClassField:
    """A field of a config class."""

    name: str
    type: str
    """The annotation, as written."""
    default: str | None = None
    """The default as an expression; None where there is none, or it is made by a factory or elsewhere."""
    required: bool = False
    """True where there is no default of any kind."""


@dataclass(frozen=True, slots=True)
class NodeCall:
    """A method that is called on a config node: its class says what that refuses."""

    key: str
    method: str
    arguments: tuple[tuple[str, str], ...]
    """Names (positions as digits) and expressions."""
    when: str


@dataclass(frozen=True, slots=True)
class MethodRules:
    """What one method of a config class refuses and writes."""

    method: str
    parameters: tuple[str, ...]
    """In expressions they are ``_arg_.name``."""
    constraints: tuple[Constraint, ...] = ()
    writes: tuple[ConfigWrite, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfigClass:
    """A class that a config node is made into.  In expressions the node is ``_self_``."""

    target: str
    """What ``_target_`` says."""
    path: str
    line: int
    symbol: str
    fields: tuple[ClassField, ...]
    """Its own and inherited ones, in the order of the constructor."""
    open: bool = False
    """True where further keys are accepted: it takes ``**kwargs``, or an ancestor cannot be read."""
    rules: tuple[MethodRules, ...] = ()


@dataclass(frozen=True, slots=True)
class Validator:
    """A function of an entry point that checks the whole config."""

    path: str
    symbol: str
    entry_point: str
    """The module."""
    when: str = ""
    """When it is reached; empty: always."""
    constraints: tuple[Constraint, ...] = ()
    writes: tuple[ConfigWrite, ...] = ()
    calls: tuple[NodeCall, ...] = ()
