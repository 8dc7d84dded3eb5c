"""``environment``: an exported variable that nothing reads any more, or that is overwritten at start."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import Plan, Recipe, touched
from reviewbot.checks.wording import code, on_path, shown
from reviewbot.knowledge.environment.model import DEFAULTS, FORWARDS, READS, SETS, VariableFact
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.logic import Truth
from reviewbot.shell.model import Known, Word
from reviewbot.text import SourceText, Span

ID = "environment"

_ASKED = re.compile(r"os\.environ\.get\('(\w+)', '([^']*)'\)")


def check(recipe: Recipe, knowledge: Knowledge) -> Iterator[Finding]:
    """Variables that every launch which gets them does not need."""
    if recipe.shell.partly:
        return
    plans = {id(plan.launch): plan for plan in recipe.runs}
    uses: dict[tuple[Span, str], list[Finding | None]] = defaultdict(list)
    for launch in recipe.shell.launches:
        plan = plans.get(id(launch))
        for name, word in launch.env.items():
            variable = None if plan is None else _Variable(plan, knowledge, recipe.source, name, word)
            uses[word.span, name].append(None if variable is None else variable.finding())
    for findings in uses.values():
        first = findings[0]
        if first is not None and all(item is not None and item.rule == first.rule for item in findings):
            yield first


@dataclass(frozen=True)
class _Variable:
    """A variable that one launch gets."""

    plan: Plan
    knowledge: Knowledge
    source: SourceText
    name: str
    word: Word

    def finding(self) -> Finding | None:
        """What there is to say of it."""
        return self._set_by_framework() or self._unknown_to_engine() or self._unused_by_plugin()

    @property
    def _text(self) -> str:
        return code(f"{self.name}={self.word.text if self.word.text is not None else '…'}")

    # what the framework does

    def _set_by_framework(self) -> Finding | None:
        for fact in self.knowledge.environment.of(self.name):
            place = self._where(fact)
            if not place:
                continue
            reading = Reading(self.plan, self.knowledge)
            if reading.truth(self._condition(fact)) is not Truth.TRUE:
                continue
            value = _literal(fact.value)
            same = value is not None and value == self.word.text
            if fact.kind == DEFAULTS and not same:
                continue
            at = f"{fact.path}:{fact.line}"
            by_itself = say(
                "sets {name} to {value}",
                name=code(self.name),
                value=code(value if value is not None else fact.value),
            )
            if fact.kind == DEFAULTS:
                why = say(
                    "repeats a default: {place} {by_itself} where it is not set ({at})",
                    place=place,
                    by_itself=by_itself,
                    at=at,
                )
            elif same:
                why = say(
                    "is not needed: {place} {by_itself} in any case ({at})",
                    place=place,
                    by_itself=by_itself,
                    at=at,
                )
            else:
                why = say(
                    "is lost: {place} {by_itself} whatever it is before ({at})",
                    place=place,
                    by_itself=by_itself,
                    at=at,
                )
            return self._made(
                "default" if fact.kind == DEFAULTS else "set-at-start",
                Severity.LOW if same else Severity.MEDIUM,
                f"{why}{_assuming(reading)}.",
                reading,
                evidence=(fact.path, fact.line, fact.symbol or self.name),
            )
        return None

    def _where(self, fact: VariableFact) -> str:
        """Who does what a fact says, where that decides for the process that reads the variable; else nothing."""
        entry, framework = self.plan.entry_point, self.knowledge.framework
        if fact.scope in ("import", "entry") and fact.path == entry.path and fact.kind == SETS:
            return code(entry.module)
        if fact.scope == "runtime" and fact.kind in (SETS, DEFAULTS) and fact.path in framework.runtime_paths:
            started = framework.runtime_paths[fact.path]
            return (
                say("what {module} gives its workers", module=code(entry.module))
                if entry.module in started
                else ""
            )
        folder = f"{framework.server_dir}/{self.plan.backend}_"
        read_there = self.name.startswith(framework.server_variables.get(self.plan.backend or "", ("\0",)))
        if fact.scope == "server" and fact.kind == SETS and fact.path.startswith(folder) and read_there:
            owner = fact.symbol.partition(".")[0]
            return code(fact.symbol) if owner.endswith("Server") else ""
        return ""

    def _condition(self, fact: VariableFact) -> str:
        """A fact's condition over config keys."""
        framework = self.knowledge.framework
        names = (
            {**framework.roots, **framework.runtime_names}
            if fact.scope == "server"
            else framework.runtime_names
        )
        text = _ASKED.sub(lambda match: repr(self._environment(*match.groups())), fact.condition)
        for name, key in names.items():
            text = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", lambda _match, key=key: key, text)  # type: ignore[misc]
        return text

    def _environment(self, name: str, default: str) -> str | None:
        word = self.plan.launch.env.get(name)
        return default if word is None else word.text

    # what the engines know

    def _unknown_to_engine(self) -> Finding | None:
        engines = self.knowledge.engines
        owners = engines.of_variable(self.name)
        if not owners or any(engines.knows(owner, self.name) is not Truth.FALSE for owner in owners):
            return None
        if any(fact.kind in (READS, DEFAULTS, FORWARDS) for fact in self.knowledge.environment.of(self.name)):
            return None
        owner = owners[0]
        names = engines.names(owner)
        last = names.variables[self.name][1]
        default = names.last_defaults.get(self.name)
        met = default is not None and default == self.word.text
        why = say(
            "has no effect: {said}, {none} knows it{last}.",
            said=engines.said(owner),
            none=say("which no longer")
            if engines.is_named(owner)
            else say("and no release of {name} that this allows", name=owner.name),
            last=_last(last, default if met else None),
        )
        argument = self.name.removeprefix("VLLM_").lower()
        if all(names.knows_argument(argument, item) is Truth.TRUE for item in engines.releases(owner)):
            why += say(" The engine argument {argument} is set instead now.", argument=code(argument))
        reading = Reading(self.plan, self.knowledge)
        asked = engines.requirement(owner)
        return self._made(
            "unknown-variable",
            Severity.LOW if met else Severity.MEDIUM,
            why,
            reading,
            evidence=None
            if asked is None or engines.is_named(owner)
            else (asked.path, asked.line, engines.said(owner)),
            certain=engines.is_named(owner),
        )

    def _unused_by_plugin(self) -> Finding | None:
        framework, engines, backend = self.knowledge.framework, self.knowledge.engines, self.plan.backend
        reading = Reading(self.plan, self.knowledge)
        device = reading.get(framework.device_key) if framework.device_key else None
        plugin = engines.plugin(backend, device) if backend is not None and isinstance(device, str) else None
        if plugin is None or not engines.leaves_unused(plugin, self.name):
            return None
        reading.get(framework.backend_key)
        asked = engines.requirement(plugin)
        return self._made(
            "unused-by-plugin",
            Severity.MEDIUM,
            say(
                "has no effect: {device_key} is {device}, where {backend} runs with {name}, which "
                "decides by itself and never looks at it.",
                device_key=code(framework.device_key),
                device=code(shown(device)),
                backend=backend,
                name=plugin.name,
            ),
            reading,
            evidence=None if asked is None else (asked.path, asked.line, engines.said(plugin)),
            certain=engines.is_named(plugin),
        )

    def _made(
        self,
        rule: str,
        severity: Severity,
        why: str,
        reading: Reading,
        *,
        evidence: tuple[str, int, str] | None,
        certain: bool = True,
    ) -> Finding:
        sure = certain and self.word.known is Known.YES
        return Finding(
            check=ID,
            severity=severity,
            span=self.word.span,
            key=self.name,
            value=self.word.text if self.word.text is not None else "…",
            message=say(
                "{text}{branch} {why} Delete it.",
                text=self._text,
                branch=on_path(self.plan.launch.decisions),
                why=why,
            ),
            rule=rule,
            confidence=reading.confidence if sure else "likely",
            evidence=() if evidence is None else (self.knowledge.evidence(*evidence),),
            intent=_deletion(self.source, self.name, self.word.span),
            causes=touched(self.word),
            partners=tuple(
                span
                for setting in reading.used.values()
                if setting.set_by is not None
                for span in touched(setting.set_by.word)
            ),
        )


def _literal(value: str) -> str | None:
    """The text of a literal; None for any other source text."""
    try:
        found = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return None
    return found if isinstance(found, str) else None


def _last(release: str | None, default: str | None) -> str:
    """The last of the releases that were read which knows a variable, and its default there."""
    if release is None:
        return ""
    if default is None:
        return say(" ({release} is the last seen that does)", release=release)
    return say(
        " ({release} is the last seen that does, with {default} as its default)",
        release=release,
        default=code(default),
    )


def _assuming(reading: Reading) -> str:
    parts = [
        say("{key} is {value}", key=code(key), value=code(shown(setting.value)))
        for key, setting in reading.used.items()
    ]
    return say(" while {parts}", parts=say(" and ").join(parts)) if parts else ""


def _deletion(source: SourceText, name: str, span: Span) -> Intent | None:
    """Deletes the assignment, with the command that exports nothing else."""
    if span.path != source.path:
        return None
    before = source.line(span.line)[: span.column - 1].strip()
    after = source.line(span.end_line)[span.end_column - 1 :].strip()
    text = say("Delete {name} on line {line}", name=name, line=span.line)
    if before == "export" and (not after or after.startswith("#")):
        return Intent(text, delete_lines=((span.line, span.end_line),), unset=(name,))
    if before in ("", "export") and after.startswith((";", "&", "|")):
        return None
    return Intent(text, remove=(span,), unset=(name,))
