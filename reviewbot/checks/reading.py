"""Conditions and values of the framework's source, judged on the effective config of one launch."""

from __future__ import annotations

from dataclasses import dataclass, field

from reviewbot.checks.recipe import Plan
from reviewbot.config.model import UNKNOWN, Plain, Setting
from reviewbot.knowledge.conditions import evaluate, truth
from reviewbot.logic import Truth
from reviewbot.shell.model import Known


@dataclass
class Reading:
    """Evaluates expressions for one launch and remembers which settings took part."""

    plan: Plan
    used: dict[str, Setting] = field(default_factory=dict)

    def get(self, key: str) -> Plain:
        """The effective value at ``key``; UNKNOWN where it is not known or the key is not there."""
        effective = self.plan.configured.effective
        setting = effective.get(key) if effective is not None else None
        if setting is None:
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
        if not self.plan.launch.on_default_path or self.plan.backend_known is not Known.YES:
            return "likely"
        uncertain = any(setting.known is not Known.YES for setting in self.used.values())
        return "likely" if uncertain else "certain"
