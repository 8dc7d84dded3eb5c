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
