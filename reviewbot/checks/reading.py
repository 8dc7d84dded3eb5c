"""Conditions and values of the framework's source, judged on the effective config of one launch."""

from __future__ import annotations

from dataclasses import dataclass, field

from reviewbot.checks.recipe import Plan
from reviewbot.config.model import UNKNOWN, Plain, Setting
from reviewbot.knowledge.conditions import evaluate, truth
from reviewbot.knowledge.store import Knowledge
from reviewbot.logic import Truth
from reviewbot.shell.model import Known

MANDATORY = "???"
"""What the config files say of a value that must be given."""


@dataclass
class Reading:
    """Evaluates expressions for one launch and remembers which settings took part."""

    plan: Plan
    knowledge: Knowledge
    used: dict[str, Setting] = field(default_factory=dict)

    def get(self, key: str) -> Plain:
        """The effective value at ``key``; UNKNOWN where it is not known.

        A key that only the node's config class declares has that field's default.
        """
        configured = self.plan.configured
        setting = configured.effective.get(key) if configured.effective is not None else None
        if setting is None:
            setting = self._class_default(key)
        if setting is None or setting.value == MANDATORY:
            return UNKNOWN
        self.used[key] = setting
        return setting.value

    def truth(self, condition: str) -> Truth:
        """The truth of a condition; an empty one always holds."""
        return truth(condition, self.get) if condition else Truth.TRUE

    def value(self, expression: str) -> Plain:
        """The value of an expression; UNKNOWN where any part that decides it is not known."""
        return evaluate(expression, self.get)

    @property
    def confidence(self) -> str:
        """``likely`` where the environment or an assumed branch takes part, else ``certain``."""
        if not self.plan.launch.on_default_path:
            return "likely"
        uncertain = any(setting.known is not Known.YES for setting in self.used.values())
        return "likely" if uncertain else "certain"

    def _class_default(self, key: str) -> Setting | None:
        applied = self.plan.configured.applied
        node, _, name = key.rpartition(".")
        if applied is None or not node:
            return None
        klass = self.knowledge.node_class(applied.tree, node)
        for item in klass.fields if klass is not None else ():
            if item.name == name and item.default is not None:
                value = evaluate(item.default, lambda _key: UNKNOWN)
                return None if value is UNKNOWN else Setting(value, None, Known.YES)
        return None
