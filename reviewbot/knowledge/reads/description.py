"""What has to be told about a framework so that its reads can be told apart by what a run chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Dimension:
    """A config key whose value chooses classes from a registry."""

    key: str
    registries: tuple[str, ...]
    """Calls and decorators that register under a value: ``EngineRegistry.register``."""
    argument: str = ""
    """Keyword that holds the value; empty: the first argument."""
    covers: tuple[str, ...] = ()
    """Config nodes whose keys are judged by this choice; empty: all."""
    bare: bool = False
    """Whether the values are telling enough that a comparison of any name with one decides a branch."""
    needs: Mapping[str, object] = field(default_factory=dict)
    """Other keys that have to have a value for the choice to matter."""
    own_tree: bool = False
    """Whether each value has config trees of its own, told by the value at the key; other values have the first's."""


@dataclass(frozen=True)
class Switch:
    """A config key, true or false, that chooses between two branches."""

    key: str
    default: bool


@dataclass(frozen=True)
class ReadsDescription:
    """The choices of a framework."""

    dimensions: tuple[Dimension, ...] = ()
    switches: tuple[Switch, ...] = ()
    absent: frozenset[str] = frozenset()
    """Modules that released packages leave out, although others import them, and that read no more of the config
    than what they are handed."""


VERL_READS = ReadsDescription(
    dimensions=(
        Dimension(
            "actor_rollout_ref.rollout.name",
            ("RolloutReplicaRegistry.register",),
            covers=("actor_rollout_ref.rollout", "actor_rollout_ref.model"),
            bare=True,
        ),
        Dimension(
            "actor_rollout_ref.actor.strategy",
            ("EngineRegistry.register",),
            argument="backend",
            covers=("actor_rollout_ref.actor", "actor_rollout_ref.ref", "actor_rollout_ref.model"),
            own_tree=True,
        ),
        Dimension("trainer.v1.trainer_mode", ("register_trainer",), needs={"trainer.use_v1": True}),
    ),
    switches=(Switch("trainer.use_v1", True),),
    absent=frozenset(
        {
            "verl.experimental.reward.router.naive_router",
            "verl.experimental.reward.router.sglang_router",
            "verl.experimental.reward_loop.router.naive_router",
            "verl.tools.utils.mcp_clients.McpClientManager",
            "verl.utils.dataset.dynamicgen_dataset",
            "verl.utils.sglang.sglang_fp8_utils",
            "verl.workers.roles.reward_model",
            "verl.workers.rollout.trtllm_rollout.trtllm_async_server",
        }
    ),
)
DESCRIPTIONS: Mapping[str, ReadsDescription] = {"verl": VERL_READS}
"""By the framework's name."""
