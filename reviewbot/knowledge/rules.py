"""Rules: what a person wrote down about a key, for what cannot be read from the source.

A rule file is YAML, a list of mappings; one topic a file.  Loading is strict: an unknown name or a wrong type is
an error that names the file, the line and the nearest valid name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from reviewbot.errors import ConfigurationError
from reviewbot.knowledge.cache import Cache
from reviewbot.knowledge.conditions import is_expression
from reviewbot.knowledge.environment.in_use import BY_NAME
from reviewbot.language import language

EFFECTS = (
    "overwritten",
    "shadowed",
    "ignored",
    "rejected",
    "renamed",
    "removed",
    "deprecated",
    "unset-env",
)
BASES = ("evidence", "facts", "policy")
PLACEHOLDER = re.compile(r"\{(setting|key|value|numbers|where|rest|engine)\}")
"""What a message may have: the override, its key, its value, the values that the condition read, the place of the
evidence, the last part of the key."""
SEVERITIES = ("low", "medium", "high")


@dataclass(frozen=True)
class Rule:
    """One rule."""

    id: str
    """Stable, kebab-case."""
    key: str
    """Absolute; ``{a,b}`` for either, a last ``*`` for all keys below."""
    effect: str
    """One of ``EFFECTS``."""
    message: str
    """One or two sentences, with the names of ``PLACEHOLDER``."""
    basis: str = "evidence"
    """``evidence``: the rule claims by itself, where its evidence holds.  ``facts``: it only says what to do about
    what was found in the source.  ``policy``: it claims by itself, as the owners of a repository want it; only rules of
    theirs may."""
    entry_points: tuple[str, ...] = ()
    """Patterns of modules (``verl.trainer.main_ppo``); empty: all, but where the claim rests on evidence only those
    that run the framework's own trainers and workers."""
    when: str = ""
    """A condition over absolute config keys, and ``value``; empty: always."""
    versions: str = ""
    """Releases that the rule speaks of, as in ``>=0.8``; empty: all."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """Releases of engines (``vllm: "<0.22"``) that the rule speaks of; only where the user named the one in use."""
    severity: str = "medium"
    message_zh: str = ""
    set: Mapping[str, str] = field(default_factory=dict)
    """The fix: keys to set, each with an expression over absolute config keys."""
    remove: bool = False
    """The fix: delete the override."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """``path``; ``symbol`` (a function or class, ``Class.method``); ``text``, which a line in it has; or ``writes``,
    the argument that it writes.  ``absent``: a name that no module of the package has; ``without``: a file
    of an older way, which is gone."""
    bad: tuple[str, ...] = ()
    """Overrides, separated by blanks, that the rule speaks of."""
    good: tuple[str, ...] = ()
    origin: str = field(default="", compare=False)
    """File and line."""

    @property
    def said(self) -> str:
        """The message in the language in use."""
        return self.message_zh if language() == "zh" and self.message_zh else self.message

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = re.split(r"(\{[^{}]*\}|\*$)", self.key)
        return re.compile("".join(map(_part, parts)))

    def matches(self, key: str) -> bool:
        """Whether the rule speaks of a config key."""
        return self._pattern.fullmatch(key) is not None

    def renamed(self, key: str) -> str | None:
        """The key to set instead of a key that the rule matches; None where the rule has none."""
        if not self.set:
            return None
        new = next(iter(self.set))
        found = self._pattern.fullmatch(key)
        rest = found.groups()[-1] if found is not None and found.groups() else ""
        return new.replace("*", rest) if found is not None else None

    def speaks_of(self, module: str) -> bool:
        """Whether the rule speaks of an entry point."""
        return not self.entry_points or any(fnmatchcase(module, pattern) for pattern in self.entry_points)

    def covers(self, version: str) -> bool:
        """Whether the rule speaks of a release (``0.9.1``); of one that is no version number, always."""
        if not self.versions:
            return True
        from packaging.specifiers import SpecifierSet
        from packaging.version import InvalidVersion, Version

        try:
            return SpecifierSet(self.versions).contains(Version(version), prereleases=True)
        except InvalidVersion:
            return True

    def covers_engines(self, configured: Mapping[str, str]) -> bool:
        """Whether the releases in use (``{"vllm": "0.21.0"}``) are those that the rule speaks of."""
        from packaging.specifiers import SpecifierSet

        return all(
            name in configured and SpecifierSet(wanted).contains(configured[name], prereleases=True)
            for name, wanted in self.engines.items()
        )


def _part(text: str) -> str:
    if text == "*":
        return "(.+)"
    if text.startswith("{"):
        return "(?:" + "|".join(map(re.escape, text[1:-1].split(","))) + ")"
    return re.escape(text)


def load_rules(folder: Path, cache: Cache | None = None) -> tuple[Rule, ...]:
    """The rules of all ``*.yaml`` files of a folder, in the order of file names and lines.

    With a cache, files that were read before are not parsed again.  Raises ConfigurationError for the first thing
    that is wrong.
    """
    texts = [
        (path.name, path.read_text(encoding="utf-8"))
        for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])
    ]
    parts = [part for item in texts for part in item]
    kept = cache.get("rules", parts) if cache is not None else None
    if isinstance(kept, list):
        return tuple(Rule(**{**item, **{name: tuple(item[name]) for name in _LISTS}}) for item in kept)
    rules = _parsed(texts)
    if cache is not None:
        cache.put("rules", parts, [asdict(rule) for rule in rules])
    return rules


def more_rules(texts: list[tuple[str, str]], known: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules of more files, by path and text.

    Raises ConfigurationError for the first thing that is wrong, such as an id that one of ``known`` has.
    """
    rules = _parsed(texts)
    ids = {rule.id for rule in known}
    for rule in rules:
        if rule.id in ids:
            raise ConfigurationError(f"{rule.origin}: there is a bundled rule {rule.id} already")
    return rules


def _parsed(texts: list[tuple[str, str]]) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    places: dict[str, str] = {}
    for name, text in texts:
        for rule in parse_rules(text, name):
            if rule.id in places:
                raise ConfigurationError(
                    f"{rule.origin}: rule {rule.id} is already defined at {places[rule.id]}"
                )
            places[rule.id] = rule.origin
            rules.append(rule)
    return tuple(rules)


def parse_rules(text: str, name: str) -> Iterator[Rule]:
    """The rules of one file; ``name`` is what errors call it.  Raises ConfigurationError."""
    import yaml

    try:
        top = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        raise ConfigurationError(f"{name}:{line}: not YAML: {getattr(error, 'problem', error)}") from error
    if top is None:
        return
    if not isinstance(top, yaml.SequenceNode):
        raise ConfigurationError(f"{name}:1: a rule file is a list of rules (start each with '- id: …')")
    for node in top.value:
        yield _rule(_Reader(name), node)


_LISTS = ("bad", "good", "entry_points")
FIELDS = (
    "id",
    "key",
    "effect",
    "basis",
    "entry_points",
    "when",
    "versions",
    "engines",
    "severity",
    "message",
    "message_zh",
    "fix",
    "evidence",
    "examples",
)
REQUIRED = ("id", "key", "effect", "message", "examples")
EVIDENCE = ("path", "symbol", "writes", "text", "absent", "without")


def _rule(reader: _Reader, node: Any) -> Rule:
    values = reader.mapping(node, FIELDS)
    place = reader.place(node)
    for name in REQUIRED:
        if name not in values:
            raise ConfigurationError(f"{place}: a rule needs {name!r}")
    basis = reader.choice(values["basis"], BASES) if "basis" in values else BASES[0]
    if (basis == "evidence") != ("evidence" in values):
        raise ConfigurationError(
            f"{place}: a rule needs 'evidence', or none and 'basis: facts' or 'basis: policy'"
        )
    fix = reader.mapping(values["fix"], ("set", "remove")) if "fix" in values else {}
    evidence = reader.mapping(values["evidence"], EVIDENCE) if "evidence" in values else {}
    if evidence and "path" not in evidence:
        raise ConfigurationError(f"{place}: evidence needs a 'path'")
    examples = reader.mapping(values["examples"], ("bad", "good"))
    if "when" in values and not is_expression(reader.text(values["when"])):
        raise ConfigurationError(f"{reader.place(values['when'])}: this is no condition over config keys")
    return Rule(
        id=reader.text(values["id"]),
        key=reader.text(values["key"]),
        effect=reader.choice(values["effect"], EFFECTS),
        basis=basis,
        entry_points=reader.items(values["entry_points"]) if "entry_points" in values else (),
        message=reader.message(values["message"]),
        when=reader.text(values["when"]) if "when" in values else "",
        versions=reader.text(values["versions"]) if "versions" in values else "",
        engines=reader.specifiers(values["engines"]) if "engines" in values else {},
        severity=reader.choice(values["severity"], SEVERITIES) if "severity" in values else "medium",
        message_zh=reader.message(values["message_zh"]) if "message_zh" in values else "",
        set=reader.texts(fix["set"]) if "set" in fix else {},
        remove=reader.boolean(fix["remove"]) if "remove" in fix else False,
        evidence={key: reader.text(value) for key, value in evidence.items()},
        bad=reader.items(examples["bad"]) if "bad" in examples else (),
        good=reader.items(examples["good"]) if "good" in examples else (),
        origin=place,
    )


@dataclass(frozen=True)
class _Reader:
    """Reads YAML nodes strictly."""

    name: str

    def place(self, node: Any) -> str:
        return f"{self.name}:{node.start_mark.line + 1}"

    def mapping(self, node: Any, allowed: tuple[str, ...]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in self._pairs(node):
            word = self.text(key)
            if word not in allowed:
                raise ConfigurationError(f"{self.place(key)}: unknown name {word!r}; {_hint(word, allowed)}")
            if word in values:
                raise ConfigurationError(f"{self.place(key)}: {word!r} is given twice")
            values[word] = value
        return values

    def texts(self, node: Any) -> dict[str, str]:
        return {self.text(key): self.text(value) for key, value in self._pairs(node)}

    def text(self, node: Any) -> str:
        value = getattr(node, "value", None)
        if not isinstance(value, str):
            raise ConfigurationError(f"{self.place(node)}: a text is needed here")
        return value

    def specifiers(self, node: Any) -> dict[str, str]:
        from packaging.specifiers import InvalidSpecifier, SpecifierSet

        for key, value in self._pairs(node):
            self.choice(key, tuple(BY_NAME))
            try:
                SpecifierSet(self.text(value))
            except InvalidSpecifier as error:
                raise ConfigurationError(
                    f"{self.place(value)}: {value.value!r} is no version specifier (write one like '<0.22')"
                ) from error
        return self.texts(node)

    def message(self, node: Any) -> str:
        text = self.text(node)
        stray = re.search(r"\{[^{}]*\}?", PLACEHOLDER.sub("", text))
        if stray is not None:
            raise ConfigurationError(f"{self.place(node)}: {stray[0]!r} in a message stands for nothing")
        return text

    def boolean(self, node: Any) -> bool:
        if self.text(node) not in ("true", "false"):
            raise ConfigurationError(f"{self.place(node)}: true or false is needed here")
        return self.text(node) == "true"

    def choice(self, node: Any, allowed: tuple[str, ...]) -> str:
        word = self.text(node)
        if word not in allowed:
            hint = _hint(word, allowed)
            raise ConfigurationError(f"{self.place(node)}: {word!r} is none of the choices; {hint}")
        return word

    def items(self, node: Any) -> tuple[str, ...]:
        import yaml

        if not isinstance(node, yaml.SequenceNode):
            raise ConfigurationError(f"{self.place(node)}: a list is needed here")
        return tuple(self.text(item) for item in node.value)

    def _pairs(self, node: Any) -> list[tuple[Any, Any]]:
        import yaml

        if not isinstance(node, yaml.MappingNode):
            raise ConfigurationError(f"{self.place(node)}: a mapping (name: value) is needed here")
        return list(node.value)


def _hint(word: str, allowed: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, allowed, 1)
    return f"did you mean {near[0]!r}?" if near else "known: " + ", ".join(allowed)
