"""Marks on a recipe that a reviewer should know of before looking closer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reviewbot.checks.model import Finding, Severity
from reviewbot.checks.recipe import Plan, Recipe
from reviewbot.checks.wording import code, plural
from reviewbot.config.model import UNKNOWN, Override, Plain
from reviewbot.language import later, say
from reviewbot.review.effects import REFUSING_CHECKS
from reviewbot.review.review import FileReview

INEFFECTIVE = later("ineffective setting")
REFUSED = later("refused at start")
NOT_KNOWN = later("values not known")
NOT_RUN = later("run by no workflow of this repository")

_INEFFECTIVE_CHECKS = frozenset({"overwritten", "shadowed", "ignored", "broken-command"})
MAX_LISTED = 5


@dataclass(frozen=True)
class Risk:
    """A mark on a recipe."""

    path: str
    mark: str
    why: str = ""
    """Where, or for which reason; empty where the mark says it all."""


def risks(file: FileReview) -> Iterator[Risk]:
    """The marks that a review of one file gives."""
    shown = [finding for finding in file.found if finding.severity >= Severity.MEDIUM]
    refused = [item for item in shown if item.check in REFUSING_CHECKS and item.severity is Severity.HIGH]
    ineffective = [item for item in shown if item.check in _INEFFECTIVE_CHECKS]
    if refused:
        yield Risk(file.path, say(REFUSED), _places(file, refused))
    if ineffective:
        yield Risk(file.path, say(INEFFECTIVE), _places(file, ineffective))
    why = "" if file.recipe is None else _not_known(file.recipe)
    if why:
        yield Risk(file.path, say(NOT_KNOWN), why)


def _places(file: FileReview, findings: list[Finding]) -> str:
    """``lines 3, 7; 1 of 2 from before this change``."""
    lines = list(dict.fromkeys(finding.span.line for finding in findings))
    more = ", …" if len(lines) > MAX_LISTED else ""
    numbers = ", ".join(map(str, lines[:MAX_LISTED])) + more
    listed = (
        say("lines {numbers}", numbers=numbers) if len(lines) > 1 else say("line {numbers}", numbers=numbers)
    )
    brought = {(item.check, item.span, item.key) for item in file.findings}
    older = sum(1 for item in findings if (item.check, item.span, item.key) not in brought)
    return (
        say(
            "{listed}; {older} of {count} from before this change",
            listed=listed,
            older=older,
            count=len(findings),
        )
        if older
        else listed
    )


def _not_known(recipe: Recipe) -> str:
    """Why what the recipe runs by default cannot be told; paths and names that are not known do not count."""
    if recipe.partly:
        return recipe.partly
    for plan in recipe.runs:
        if not plan.launch.on_default_path:
            continue
        if plan.backend is None and plan.configured.effective is not None:
            return say("the rollout backend")
        unknown = [override for override in plan.configured.arguments.overrides if _matters(plan, override)]
        if unknown:
            names = ", ".join(code(override.key) for override in unknown[:MAX_LISTED])
            more = ", …" if len(unknown) > MAX_LISTED else ""
            return f"{plural(len(unknown), 'setting')}: {names}{more}"
    return ""


def _matters(plan: Plan, override: Override) -> bool:
    """Whether a setting is not known that is a number or a switch by default: paths and names seldom are known."""
    if override.value is not UNKNOWN or plan.configured.base is None:
        return False
    node: Plain = plan.configured.base.tree
    for part in override.key.split("."):
        if not isinstance(node, dict) or part not in node:
            return False
        node = node[part]
    return isinstance(node, (bool, int, float))
