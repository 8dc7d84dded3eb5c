"""Answers to ``/reviewbot help`` and ``/reviewbot explain``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewbot.checks.registry import CHECKS
from reviewbot.checks.wording import shown
from reviewbot.config.model import Base
from reviewbot.github.assembly import Part, assemble
from reviewbot.github.links import Links
from reviewbot.github.markdown import MAX_BODY
from reviewbot.knowledge.store import Knowledge
from reviewbot.report.inert import code, prose

HELP = """\
Commands, alone on a line of a comment, by people who may write to this repository:

- `/reviewbot review`: review this pull request now
- `/reviewbot explain <check or key>`: what is known about it
- `/reviewbot pause`: no more reviews of this pull request; `/reviewbot resume` takes them up again
- `/reviewbot help`: this list"""

_MAX_TREES = 8
_MISSING = object()


def explain(subject: str, knowledge: Knowledge, links: Links) -> str:
    """What is known about a check or a config key, as the body of a comment."""
    if not subject:
        return HELP
    if subject in {check.id for check in CHECKS}:
        return (
            f"{links.check(subject)} is one of the checks: {', '.join(code(check.id) for check in CHECKS)}."
        )
    key = subject.lstrip("+~").partition("=")[0]
    items = [*_defaults(key, knowledge), *_arguments(key, knowledge, links)]
    renamed = knowledge.renamed(key)
    if renamed is not None:
        items.append(f"- It is called {code(renamed)} now.")
    if not items:
        return f"Nothing is known about {code(key)} in {prose(knowledge.source)}."
    return assemble(
        f"What {prose(knowledge.source)} makes of {code(key)}:", [Part("", tuple(items))], "", MAX_BODY
    )


def _defaults(key: str, knowledge: Knowledge) -> Iterator[str]:
    """Its value in the config tree of each entry point, entry points of one value together."""
    values: dict[str, list[str]] = {}
    for entry_point in knowledge.entry_points[:_MAX_TREES]:
        base = knowledge.base(entry_point, None, None, ())
        value = _at(base.tree, key) if isinstance(base, Base) else _MISSING
        if value is not _MISSING:
            values.setdefault(shown(value), []).append(entry_point.module)
    for value, modules in values.items():
        yield f"- {code(value)} by default under {', '.join(map(code, modules))}"


def _arguments(key: str, knowledge: Knowledge, links: Links) -> Iterator[str]:
    """The server arguments that it feeds, and what the server does to it as an engine argument."""
    for trace in knowledge.traces:
        own = knowledge.framework.engine_key(trace.backend) + "."
        for write in trace.writes:
            if key in write.feeds:
                told = f"feeds {code(write.argument)} of the {prose(trace.backend)} server"
            elif key == own + write.argument and write.stage in ("after", "merge"):
                verb = "is overwritten with" if write.stage == "after" else "is merged into"
                told = f"{verb} {code(knowledge.readable(write.value))}"
            else:
                continue
            when = f" where {code(knowledge.readable(write.condition))}" if write.condition else ""
            evidence = links.evidence(knowledge.evidence(trace.path, write.line, trace.symbol))
            yield f"- {told}{when} ({evidence})"


def _at(tree: Mapping[str, Any], key: str) -> Any:
    node: Any = tree
    for part in key.split("."):
        if not isinstance(node, Mapping) or part not in node:
            return _MISSING
        node = node[part]
    return node
