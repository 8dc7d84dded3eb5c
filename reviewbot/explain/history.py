"""What became of a config key from release to release."""

from __future__ import annotations

from dataclasses import replace

from reviewbot.explain.model import Period
from reviewbot.explain.trees import MISSING, bases, engine_argument, value_at
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.store import Knowledge, bundled_versions, open_knowledge


def history(key: str, framework: Framework) -> tuple[Period, ...]:
    """The bundled releases, oldest first, those in a row with the same state together."""
    periods: list[Period] = []
    for version in bundled_versions(framework):
        state, detail = _state(key, open_knowledge(source=None, source_name="", version=version))
        if periods and (periods[-1].state, periods[-1].detail) == (state, detail):
            periods[-1] = replace(periods[-1], last=version)
        else:
            periods.append(Period(version, version, state, detail))
    return tuple(periods)


def _state(key: str, knowledge: Knowledge) -> tuple[str, str]:
    trees = bases(knowledge)
    for _, base in trees:
        value = value_at(base.tree, key)
        if value is not MISSING:
            return "config", "" if isinstance(value, (dict, list)) else _text(value)
    engine = engine_argument(key, knowledge.framework, knowledge.backends)
    if engine is not None:
        return _engine_state(*engine, knowledge)
    if any(knowledge.class_has_field(base.tree, key) for _, base in trees):
        return "field", ""
    return "absent", ""


def _engine_state(backend: str, argument: str, knowledge: Knowledge) -> tuple[str, str]:
    trace = knowledge.trace(backend)
    if trace is None:
        return "absent", ""
    write = next((item for item in reversed(trace.writes) if item.argument == argument), None)
    if write is not None:
        return write.stage, write.condition
    taken = (*(trace.only or ()), *trace.honoured)
    return ("passed" if trace.only is None or argument in taken else "not-taken"), ""


def _text(value: object) -> str:
    return "null" if value is None else str(value)
