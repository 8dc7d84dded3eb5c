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
from reviewbot.language import say
from reviewbot.report.inert import code, prose

_MAX_TREES = 8
_MISSING = object()


def help_text() -> str:
    """The commands, as the body of a comment."""
    resume = "`/reviewbot resume`"
    pause = say("no more reviews of this pull request; {resume} takes them up again", resume=resume)
    lines = (
        say("Commands, alone on a line of a comment, by people who may write to this repository:") + "\n",
        f"- `/reviewbot review`: {say('review this pull request now')}",
        f"- `/reviewbot explain <check or key>`: {say('what is known about it')}",
        f"- `/reviewbot pause`: {pause}",
        f"- `/reviewbot help`: {say('this list')}",
    )
    return "\n".join(lines)


def explain(subject: str, knowledge: Knowledge, links: Links) -> str:
    """What is known about a check or a config key, as the body of a comment."""
    if not subject:
        return help_text()
    if subject in {check.id for check in CHECKS}:
        checks = say(", ").join(code(check.id) for check in CHECKS)
        return say("{check} is one of the checks: {checks}.", check=links.check(subject), checks=checks)
    key = subject.lstrip("+~").partition("=")[0]
    items = [*_defaults(key, knowledge), *_arguments(key, knowledge, links)]
    renamed = knowledge.renamed(key)
    if renamed is not None:
        items.append(say("- It is called {key} now.", key=code(renamed)))
    if not items:
        return say("Nothing is known about {key} in {source}.", key=code(key), source=prose(knowledge.source))
    head = say("What {source} makes of {key}:", source=prose(knowledge.source), key=code(key))
    return assemble(head, [Part("", tuple(items))], "", MAX_BODY)


def _defaults(key: str, knowledge: Knowledge) -> Iterator[str]:
    """Its value in the config tree of each entry point, entry points of one value together."""
    values: dict[str, list[str]] = {}
    for entry_point in knowledge.entry_points[:_MAX_TREES]:
        base = knowledge.base(entry_point, None, None, ())
        value = _at(base.tree, key) if isinstance(base, Base) else _MISSING
        if value is not _MISSING:
            values.setdefault(shown(value), []).append(entry_point.module)
    for value, modules in values.items():
        yield say(
            "- {value} by default under {modules}",
            value=code(value),
            modules=say(", ").join(map(code, modules)),
        )


def _arguments(key: str, knowledge: Knowledge, links: Links) -> Iterator[str]:
    """The server arguments that it feeds, and what the server does to it as an engine argument."""
    for trace in knowledge.traces:
        own = knowledge.framework.engine_key(trace.backend) + "."
        for write in trace.writes:
            if key in write.feeds:
                told = say(
                    "feeds {argument} of the {backend} server",
                    argument=code(write.argument),
                    backend=prose(trace.backend),
                )
            elif key == own + write.argument and write.stage in ("after", "merge"):
                value = code(knowledge.readable(write.value))
                after = write.stage == "after"
                told = (
                    say("is overwritten with {value}", value=value)
                    if after
                    else say("is merged into {value}", value=value)
                )
            else:
                continue
            condition = code(knowledge.readable(write.condition)) if write.condition else ""
            when = say(" where {condition}", condition=condition) if condition else ""
            evidence = links.evidence(knowledge.evidence(trace.path, write.line, trace.symbol))
            yield say("- {told}{when} ({evidence})", told=told, when=when, evidence=evidence)


def _at(tree: Mapping[str, Any], key: str) -> Any:
    node: Any = tree
    for part in key.split("."):
        if not isinstance(node, Mapping) or part not in node:
            return _MISSING
        node = node[part]
    return node
