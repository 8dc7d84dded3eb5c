"""What has to be told about a framework so that its source can be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from reviewbot.tree import Tree


@dataclass(frozen=True)
class NodeUse:
    """A config node that a run makes into the class that its ``_target_`` names, with everything below it."""

    key: str
    when: str = ""
    """A condition; empty: always."""
    never: tuple[str, ...] = ()
    """Entry points that never do."""
    without: str = ""
    """A module that stands for an older way: where it exists, the node is not made into its class."""
    changed: bool = False
    """True where the framework changes the node before: what its class requires cannot be judged."""


@dataclass(frozen=True)
class Step:
    """A method that a run of some entry points goes through with the whole config, or a part of it."""

    path: str
    symbol: str
    """``Class.method``"""
    entry_points: tuple[str, ...]
    """Patterns of modules."""
    root: str = ""
    """The key of its parameter ``config``, or of ``self.config``; empty: the whole config."""
    when: str = ""
    """A condition; empty: always."""
    without: str = ""
    """A file that stands for an older way: where it exists, the step is not taken."""
    known: Mapping[str, str] = field(default_factory=dict)
    """Source expressions that are known there, in the language of conditions."""


@dataclass(frozen=True)
class Hook:
    """A config key by which a recipe brings in code that is not the framework's."""

    key: str
    nodes: tuple[str, ...] = ("",)
    """The config nodes that the code gets; ``""``: the whole config."""


@dataclass(frozen=True)
class Framework:
    """A training framework whose recipes are Hydra overrides."""

    name: str
    package: str
    """Its root package, a folder of the source tree: ``verl``."""
    marks: tuple[str, ...]
    """Files of which a tree that holds the framework has at least one."""
    server_dir: str
    """Folder below which the code that starts the rollout servers lies."""
    backend_key: str
    """Config key that names the backend."""
    engine_kwargs: str
    """Config key of the arguments that are handed to the backend, with ``{backend}`` in it."""
    roots: Mapping[str, str]
    """Expressions of the server code that stand for a config node, and that node's key."""
    classes: Mapping[str, str]
    """Config classes of the server code's parameters, and the key of the node that each is made from."""
    usual: tuple[str, ...] = ()
    """Patterns of the entry points that run the framework's own trainers, workers and servers; others bring some of
    their own, and nothing is known of what these make of the config."""
    only_servers: tuple[str, ...] = ()
    """Entry points that start the asynchronous server whatever mode the config chooses."""
    main_entry_point: str = ""
    """The module that most recipes launch: what examples of rules are launched with."""
    version_path: str = ""
    """File that holds the release's number."""
    known: Mapping[str, str] = field(default_factory=dict)
    """Other expressions of the server code, and what each is for a rollout server, as a condition."""
    registry: str = ""
    """Name of the dict that maps (backend, mode) to a class."""
    registry_path: str = ""
    worker_paths: tuple[str, ...] = ()
    """Files that choose a rollout class where there is no registry."""
    mode_key: str = ""
    """Config key that chooses the mode, the second part of the registry's keys."""
    rollout_keys: tuple[str, ...] = ()
    """Further config nodes that configure a server of the same kind."""
    transparent: frozenset[str] = frozenset()
    """Functions that give back their first argument in another type, or a copy of it."""
    makers: frozenset[str] = frozenset()
    """Those of them that make the object that the framework then works with."""
    variants: tuple[tuple[str, ...], ...] = ()
    """Config groups (those of one tuple are chosen alike) for whose choices facts hold composed trees."""
    validators: tuple[str, ...] = ()
    """Names of functions that check the composed config; entry points that call one are followed."""
    steps: tuple[Step, ...] = ()
    uses: tuple[NodeUse, ...] = ()
    """The config nodes that are made into their classes."""
    hooks: tuple[Hook, ...] = ()
    """The keys that bring in other code: what that reads is not known."""
    hook_variables: tuple[str, ...] = ()
    """Environment variables that do."""
    device_key: str = ""
    """Config key of the device that all runs on."""
    runtime_paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Files that give workers their environment, and the entry points (modules) that use them."""
    runtime_names: Mapping[str, str] = field(default_factory=dict)
    """Expressions in conditions on which the environment is set, and what each is over config keys."""
    server_variables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a backend: what the variables begin with that only its servers read."""
    on_by_default: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a backend: the engine's arguments that are on, or decided by the model, where they are not given."""

    def is_usual(self, module: str) -> bool:
        """Whether an entry point runs the framework's own trainers, workers and servers."""
        return any(fnmatchcase(module, pattern) for pattern in self.usual)

    def held_by(self, tree: Tree) -> bool:
        """Whether the tree holds the framework's source."""
        return any(tree.read(mark) is not None for mark in self.marks)

    def engine_key(self, backend: str) -> str:
        """The config key of a backend's own arguments."""
        return self.engine_kwargs.format(backend=backend)
