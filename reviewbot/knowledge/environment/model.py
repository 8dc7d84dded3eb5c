"""Facts about environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

SETS, DEFAULTS, POPS, FORWARDS, READS = "sets", "defaults", "pops", "forwards", "reads"
KINDS = (SETS, DEFAULTS, POPS, FORWARDS, READS)
ANY = "*"


@dataclass(frozen=True, order=True, slots=True)
class VariableFact:
    """One thing that the source does with one variable."""

    name: str
    """``NCCL_DEBUG``; ``*`` stands for a part that is not known: ``RAY_EXPERIMENTAL_NOSET_*``, ``*``."""
    kind: str
    """``sets`` (the user's value is lost), ``defaults`` (set only where the user does not), ``pops`` (removed),
    ``forwards`` (the user's value is passed on to workers) or ``reads``."""
    scope: str
    """Which process: ``import`` (any that imports the module), ``entry`` (the entry point's), ``server`` (a rollout
    server's), ``runtime`` (workers, through the runtime environment) or ``process`` (whichever calls)."""
    path: str
    line: int
    """1-based."""
    symbol: str = ""
    """``vLLMHttpServer.__init__``; empty: the module's own statements."""
    value: str = ""
    """The source text of the value; empty for pops and reads."""
    condition: str = ""
    """The source text of the enclosing tests; empty: always."""


@dataclass(frozen=True, slots=True)
class EnvironmentFacts:
    """All of them, sorted, and a sentence for each file that could not be read."""

    variables: tuple[VariableFact, ...] = ()
    problems: tuple[str, ...] = field(default=())

    def of(self, name: str) -> tuple[VariableFact, ...]:
        """What happens to a variable, by its name or by a name with an unknown part."""
        return tuple(fact for fact in self.variables if _matches(fact.name, name))

    def notable(self) -> EnvironmentFacts:
        """Without all but one of the places that read a variable."""
        kept: list[VariableFact] = []
        read: set[str] = set()
        for fact in self.variables:
            if fact.kind != READS:
                kept.append(fact)
            elif fact.name not in read:
                read.add(fact.name)
                kept.append(VariableFact(fact.name, fact.kind, fact.scope, fact.path, fact.line))
        return EnvironmentFacts(tuple(sorted(kept)), self.problems)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values; empty fields are left out."""
        rows = [{key: value for key, value in asdict(fact).items() if value != ""} for fact in self.variables]
        return {"variables": rows, "problems": list(self.problems)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EnvironmentFacts:
        """The facts from their JSON form.  Raises TypeError or KeyError where it is none."""
        return cls(tuple(VariableFact(**row) for row in data["variables"]), tuple(data["problems"]))


def _matches(pattern: str, name: str) -> bool:
    head, star, tail = pattern.partition(ANY)
    if not star:
        return pattern == name
    return (
        pattern != ANY and len(name) > len(head) + len(tail) and name.startswith(head) and name.endswith(tail)
    )
