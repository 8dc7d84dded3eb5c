"""What a change does to what a recipe runs: effective settings and environment variables, before and after.

Only the path that the script takes by default is compared; what is not known is said to be so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reviewbot.checks.engine_arguments import engine_arguments
from reviewbot.checks.model import Finding
from reviewbot.checks.reading import Reading
from reviewbot.checks.recipe import NO_CLAIM, Plan, Recipe
from reviewbot.checks.wording import code, shown
from reviewbot.config.model import UNKNOWN, Override, Setting
from reviewbot.knowledge.conditions import keys_of
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import later, say
from reviewbot.logic import Truth
from reviewbot.shell.model import Known, Launch, Word

REFUSING_CHECKS = frozenset({"unknown-key", "wrong-prefix", "invalid-value", "constraint"})
REFUSED = later("no: refused at start")
_FATE = {
    "overwritten": later("no: overwritten"),
    "shadowed": later("no: another setting wins"),
    "ignored": later("no: ignored"),
}


@dataclass(frozen=True)
class Shown:
    """A value for people."""

    text: str
    known: Known = Known.YES


@dataclass(frozen=True)
class SettingChange:
    """A key whose effective value the change alters."""

    key: str
    before: Shown | None
    """None: there was no such key."""
    after: Shown | None
    reaches: str
    """What becomes of it: the server's arguments in code spans, or why it reaches none."""
    followers: int = 0
    """Keys that take their value from this one and change with it."""


@dataclass(frozen=True)
class VariableChange:
    """An environment variable that the change adds, removes or alters."""

    name: str
    before: Shown | None
    after: Shown | None


@dataclass(frozen=True)
class EffectiveSetting:
    """What a launch really gets for a key that its script sets."""

    key: str
    value: Shown | None
    line: int
    """Where the script sets it, 1-based; 0 for another script."""
    reaches: str
    """As in :class:`SettingChange`."""

    @property
    def kind(self) -> str:
        """``yes``, ``no``, or empty where that is not known."""
        if self.reaches in ("", say("not known"), say("none seen")):
            return ""
        return "yes" if self.reaches.startswith(say("yes: {names}", names="")) else "no"


@dataclass(frozen=True)
class EffectiveLaunch:
    """One launch, and the keys that its script sets, in the order of the config."""

    module: str
    line: int
    settings: tuple[EffectiveSetting, ...]
    note: str = ""
    """Why nothing is known, one sentence."""


@dataclass(frozen=True)
class Effect:
    """What the change does to one recipe."""

    path: str
    settings: tuple[SettingChange, ...] = ()
    variables: tuple[VariableChange, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences: what could not be compared, and why."""


def effect(before: Recipe, after: Recipe, knowledge: Knowledge, found: Sequence[Finding]) -> Effect:
    """Compare two readings of one recipe.

    ``knowledge`` is that of the later one, ``found`` everything that was found in it.
    """
    settings: dict[SettingChange, None] = {}
    notes: list[str] = []
    old, new = _by_default(before), _by_default(after)
    for one, other in _pairs(old, new):
        if one is None or other is None:
            settings[_launch_row(one, other)] = None
            continue
        reason = _not_composed(one, say("before the change")) or _not_composed(other, say("after it"))
        if reason:
            notes.append(reason)
            continue
        settings.update(dict.fromkeys(_changes(one, other, knowledge, found)))
    return Effect(
        after.source.path, tuple(settings), tuple(_variables(before, after)), tuple(dict.fromkeys(notes))
    )


def effective_launches(
    recipe: Recipe, knowledge: Knowledge, found: Sequence[Finding]
) -> tuple[EffectiveLaunch, ...]:
    """What the launches of the default path get; ``found`` is everything that was found in the recipe."""
    return tuple(_effective(plan, recipe, knowledge, found) for plan in _by_default(recipe))


def _effective(plan: Plan, recipe: Recipe, knowledge: Knowledge, found: Sequence[Finding]) -> EffectiveLaunch:
    arguments, settings = _arguments(plan, knowledge), _settings(plan)
    followers: dict[str, list[str]] = {}
    for key, setting in settings.items():
        for name in setting.via:
            followers.setdefault(name, []).append(key)
    rows = [
        EffectiveSetting(key, Shown(item.value_text or "…", item.known), _line(item, recipe), say(REFUSED))
        for key, item in _refused(plan).items()
    ]
    for key, setting in settings.items():
        if setting.set_by is not None and not setting.via:
            reaches = _reaches(setting, (key, *followers.get(key, ())), arguments, found)
            rows.append(EffectiveSetting(key, _shown(setting), _line(setting.set_by, recipe), reaches))
    note = next((refusal.message for refusal in plan.configured.refusals), "")
    return EffectiveLaunch(plan.entry_point.module, plan.launch.span.line, tuple(rows), note)


def _line(override: Override, recipe: Recipe) -> int:
    span = override.word.span
    return span.line if span.path == recipe.source.path else 0


def _by_default(recipe: Recipe) -> list[Plan]:
    return [plan for plan in recipe.runs if plan.launch.on_default_path]


def _pairs(old: list[Plan], new: list[Plan]) -> Iterator[tuple[Plan | None, Plan | None]]:
    """Launches that correspond: in order where there are as many of them, else those of one entry point in order."""
    if len(old) == len(new):
        yield from zip(old, new, strict=True)
        return
    rest = list(new)
    for one in old:
        other = next((plan for plan in rest if plan.entry_point.module == one.entry_point.module), None)
        rest = [plan for plan in rest if plan is not other]
        yield one, other
    for other in rest:
        yield None, other


def _launch_row(one: Plan | None, other: Plan | None) -> SettingChange:
    def told(plan: Plan | None) -> Shown | None:
        return (
            None
            if plan is None
            else Shown(
                say("{module} (line {line})", module=plan.entry_point.module, line=plan.launch.span.line)
            )
        )

    return SettingChange(say("launch"), told(one), told(other), "")


def _not_composed(plan: Plan, when: str) -> str:
    if plan.configured.effective is not None:
        return ""
    reason = next((refusal.message for refusal in plan.configured.refusals), say("its config is not known"))
    return say(
        "Line {line} cannot be compared: {when}, {lower}{reason}",
        line=plan.launch.span.line,
        when=when,
        lower=reason[:1].lower(),
        reason=reason[1:],
    )


def _changes(
    one: Plan, other: Plan, knowledge: Knowledge, found: Sequence[Finding]
) -> Iterator[SettingChange]:
    """The keys that differ; those that only follow another changed key are counted there."""
    if one.entry_point.module != other.entry_point.module:
        modules = (Shown(one.entry_point.module), Shown(other.entry_point.module))
        yield SettingChange(say("entry point"), *modules, "")
    old, new = _settings(one), _settings(other)
    changed = {
        key: (old.get(key), new.get(key))
        for key in dict.fromkeys((*new, *old))
        if _differ(old.get(key), new.get(key))
    }
    changed = {key: sides for key, sides in changed.items() if not _only_filled(*sides, key, changed)}
    followed: dict[str, list[str]] = {}
    for key, (before, after) in changed.items():
        setting = after or before
        source = next((name for name in reversed(setting.via) if name in changed), None) if setting else None
        if source is not None and source != key:
            followed.setdefault(source, []).append(key)
    following = {key for keys in followed.values() for key in keys}
    arguments = _arguments(other, knowledge)
    refused = _refused(other)
    for key, override in refused.items():
        yield SettingChange(key, _shown(old.get(key)), Shown(override.value_text or "…"), say(REFUSED))
    for key, (before, after) in changed.items():
        if key in following or key in refused:
            continue
        followers = followed.get(key, [])
        reaches = _reaches(after, (key, *followers), arguments, found)
        yield SettingChange(key, _shown(before), _shown(after), reaches, len(followers))


def _settings(plan: Plan) -> dict[str, Setting]:
    effective = plan.configured.effective
    return dict(effective.leaves()) if effective is not None else {}


def _differ(one: Setting | None, other: Setting | None) -> bool:
    if one is None or other is None:
        return one is not other
    if one.value is UNKNOWN or other.value is UNKNOWN:
        return _shown(one) != _shown(other)
    return shown(one.value) != shown(other.value)


def _refused(plan: Plan) -> Mapping[str, Override]:
    """The overrides that Hydra refuses, by key: nothing of their launch runs."""
    return {
        refusal.override.key: refusal.override
        for refusal in plan.configured.refusals
        if refusal.override is not None and refusal.kind not in NO_CLAIM
    }


def _only_filled(
    before: Setting | None, after: Setting | None, key: str, changed: Mapping[str, object]
) -> bool:
    """Whether an empty mapping only gained its first key, or lost its last one: that key tells it."""
    empty = (before is None or before.value == {}) and (after is None or after.value == {})
    return empty and any(name.startswith(f"{key}.") for name in changed)


def _shown(setting: Setting | None) -> Shown | None:
    if setting is None:
        return None
    if setting.value is not UNKNOWN:
        return Shown(shown(setting.value), setting.known)
    written = "" if setting.set_by is None else _text(setting.set_by.word).partition("=")[2]
    return Shown(written, Known.NO)


def _text(word: Word) -> str:
    """A word of which not all is known: what it hangs on stands in its place."""
    return "".join(piece.text if piece.text is not None else piece.why or "…" for piece in word.pieces)


def _arguments(plan: Plan, knowledge: Knowledge) -> Mapping[str, tuple[str, ...]] | None:
    """The server's arguments by the config keys that decide them; None where the server is not known."""
    if plan.trace is None:
        return None
    found: dict[str, dict[str, None]] = {}
    for write in plan.trace.writes:
        judged = Reading(plan, knowledge).truth(write.condition)
        if judged is Truth.FALSE:
            continue
        name = code(write.argument) + ("" if judged is Truth.TRUE else " (perhaps)")
        deciding = set(keys_of(write.condition)) - {knowledge.framework.backend_key}
        for key in (*write.feeds, *sorted(deciding)):
            found.setdefault(key, {})[name] = None
    for argument in engine_arguments(plan, knowledge):
        if plan.trace.only is None or argument.name in plan.trace.only:
            found.setdefault(argument.key, {})[code(argument.name)] = None
    return {key: tuple(names) for key, names in found.items()}


def _reaches(
    after: Setting | None,
    keys: tuple[str, ...],
    arguments: Mapping[str, tuple[str, ...]] | None,
    found: Sequence[Finding],
) -> str:
    if after is None:
        return ""
    told = {finding.check for finding in found if finding.key == keys[0] and _speaks_of(finding, after)}
    if told & REFUSING_CHECKS:
        return say(REFUSED)
    fate = next((_FATE[check] for check in _FATE if check in told), None)
    if fate is not None:
        return say(fate)
    if arguments is None:
        return say("not known")
    names = [name for key in keys for name in arguments.get(key, ())]
    return say("yes: {names}", names=", ".join(dict.fromkeys(names))) if names else say("none seen")


def _speaks_of(finding: Finding, setting: Setting) -> bool:
    return setting.set_by is not None and finding.span == setting.set_by.word.span


def _variables(before: Recipe, after: Recipe) -> Iterator[VariableChange]:
    old, new = _environment(before), _environment(after)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield VariableChange(name, old.get(name), new.get(name))


def _environment(recipe: Recipe) -> dict[str, Shown]:
    """The variables of the launches on the default path; of several launches the first that has one."""
    found: dict[str, Shown] = {}
    for launch in recipe.shell.launches:
        if launch.on_default_path:
            found = {**_of_launch(launch), **found}
    return found


def _of_launch(launch: Launch) -> dict[str, Shown]:
    return {
        name: Shown(word.text, word.known) if word.text is not None else Shown(_text(word), Known.NO)
        for name, word in launch.env.items()
    }
