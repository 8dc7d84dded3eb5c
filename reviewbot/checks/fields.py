"""Keys that a config class refuses because it has no such field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan
from reviewbot.checks.wording import code
from reviewbot.config.model import Plain
from reviewbot.config.nearest import is_slip
from reviewbot.knowledge.model import ConfigClass, Evidence
from reviewbot.knowledge.placing import node_at
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth


@dataclass(frozen=True)
class NoField:
    """A node that becomes a config class, and a name that the class does not have."""

    node: str
    name: str
    klass: ConfigClass
    confidence: str
    """``certain``, or ``likely`` where it hangs on what was assumed."""

    def sentence(self) -> str:
        """``` `a.b` becomes a `C` (c.py:1), which has no field `d` ```, without an end."""
        return say(
            "{node} becomes a {symbol} ({path}:{line}), which has no field {name}",
            node=code(self.node),
            symbol=code(self.klass.symbol),
            path=self.klass.path,
            line=self.klass.line,
            name=code(self.name),
        )

    meant: tuple[str, ...] = ()
    """Keys that may have been meant, with ``+`` where the config files do not have them: fields with nearly that
    name, and the same name one node further up."""

    def evidence(self, knowledge: Knowledge) -> Evidence:
        """The line of the class."""
        return knowledge.evidence(self.klass.path, self.klass.line, self.klass.symbol)


def no_field(knowledge: Knowledge, plan: Plan, key: str) -> NoField | None:
    """What refuses a key that is added to a launch's config; None where nothing is known to."""
    applied, base = plan.configured.applied, plan.configured.base
    if applied is None or base is None or "." not in key:
        return None
    node, name = first_added(key, base.tree)
    klass = knowledge.node_class(applied.tree, node)
    if klass is None or klass.open or any(field.name == name for field in klass.fields):
        return None
    reading = Reading(plan, knowledge)
    if reading.truth(knowledge.node_condition(plan.entry_point, node)) is not Truth.TRUE:
        return None
    return NoField(node, name, klass, reading.confidence, tuple(_meant(node, name, klass, base.tree)))


def _meant(node: str, name: str, klass: ConfigClass, tree: Mapping[str, Plain]) -> Iterator[str]:
    outer = node.rpartition(".")[0]
    if outer and _has(tree, outer, name):
        yield f"{outer}.{name}"
    for field in klass.fields:
        if is_slip(f"{node}.{name}", f"{node}.{field.name}"):
            yield f"{'' if _has(tree, node, field.name) else '+'}{node}.{field.name}"


def _has(tree: Mapping[str, Plain], node: str, name: str) -> bool:
    there = node_at(tree, node)
    return isinstance(there, Mapping) and name in there


def first_added(key: str, tree: Mapping[str, Plain]) -> tuple[str, str]:
    """The node that a key is added to, and the name of what is added there: ``a``, ``new`` of ``a.new.b``."""
    *parents, last = key.split(".")
    for count, name in enumerate(parents[1:], 1):
        node = ".".join(parents[:count])
        there = node_at(tree, node)
        if not isinstance(there, Mapping) or name not in there:
            return node, name
    return ".".join(parents), last
