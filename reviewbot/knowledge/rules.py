"""Rules: what a person wrote down about a key, for what cannot be read from the source.

A rule file is YAML, a list of mappings; one topic a file.  Loading is strict: an unknown name or a wrong type is
an error that names the file, the line and the nearest valid name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from reviewbot.errors import ConfigurationError
from reviewbot.knowledge.cache import Cache

EFFECTS = ("overwritten", "shadowed", "ignored", "rejected", "renamed", "removed", "unset-env")
SEVERITIES = ("low", "medium", "high")


@dataclass(frozen=True)
class Rule:
    """One rule."""

    id: str
    """Stable, kebab-case."""
    key: str
    effect: str
    """One of ``EFFECTS``."""
    message: str
    """May use ``{key}``, ``{value}`` and ``{set_by}``."""
    when: str = ""
    """A condition over absolute config keys, and ``value``; empty: always."""
    versions: str = ""
    """Releases that the rule speaks of, as in ``>=0.8``; empty: all."""
    severity: str = "medium"
    message_zh: str = ""
    set: Mapping[str, str] = field(default_factory=dict)
    """The fix: keys to set, each with an expression over absolute config keys."""
    remove: bool = False
    """The fix: delete the override."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """``path``, ``symbol`` and ``writes`` (the argument that the symbol writes)."""
    bad: tuple[str, ...] = ()
    """Overrides, separated by blanks, that the rule speaks of."""
    good: tuple[str, ...] = ()
    origin: str = field(default="", compare=False)
    """File and line."""

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


def load_rules(folder: Path, cache: Cache | None = None) -> tuple[Rule, ...]:
    """The rules of all ``*.yaml`` files of a folder, in the order of file names and lines.

    With a cache, files that were read before are not parsed again.  Raises ConfigurationError for the first thing
    that is wrong.
    """
    texts = [(path.name, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.yaml"))]
    parts = [part for item in texts for part in item]
    kept = cache.get("rules", parts) if cache is not None else None
    if isinstance(kept, list):
        return tuple(
            Rule(**{**item, "bad": tuple(item["bad"]), "good": tuple(item["good"])}) for item in kept
        )
    rules = _parsed(texts)
    if cache is not None:
        cache.put("rules", parts, [asdict(rule) for rule in rules])
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


_FIELDS = (
    "id",
    "key",
    "effect",
    "when",
    "versions",
    "severity",
    "message",
    "message_zh",
    "fix",
    "evidence",
    "examples",
)
_REQUIRED = ("id", "key", "effect", "message", "evidence", "examples")


def _rule(reader: _Reader, node: Any) -> Rule:
    values = reader.mapping(node, _FIELDS)
    place = reader.place(node)
    for name in _REQUIRED:
        if name not in values:
            raise ConfigurationError(f"{place}: a rule needs {name!r}")
    fix = reader.mapping(values["fix"], ("set", "remove")) if "fix" in values else {}
    evidence = reader.mapping(values["evidence"], ("path", "symbol", "writes"))
    examples = reader.mapping(values["examples"], ("bad", "good"))
    return Rule(
        id=reader.text(values["id"]),
        key=reader.text(values["key"]),
        effect=reader.choice(values["effect"], EFFECTS),
        message=reader.text(values["message"]),
        when=reader.text(values["when"]) if "when" in values else "",
        versions=reader.text(values["versions"]) if "versions" in values else "",
        severity=reader.choice(values["severity"], SEVERITIES) if "severity" in values else "medium",
        message_zh=reader.text(values["message_zh"]) if "message_zh" in values else "",
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
