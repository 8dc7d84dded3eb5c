"""What a run is asked to do: inputs of the Action, then ``.github/reviewbot.yml`` of the base, then defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from reviewbot.checks.model import Severity
from reviewbot.errors import ConfigurationError

CONFIG_PATH = ".github/reviewbot.yml"
MAX_CONFIG = 100_000
_LEVELS = {severity.word: severity for severity in Severity}


@dataclass(frozen=True)
class Settings:
    """Settings of one run."""

    paths: tuple[str, ...] = ()
    """Globs of the files that are recipes; none: the usual ones."""
    min_severity: Severity = Severity.MEDIUM
    fail_level: Severity | None = None
    """None: findings never fail the run."""
    max_comments: int = 30
    drafts: bool = False
    """Whether drafts are reviewed."""
    speak_when_clean: bool = False
    annotations: bool = False
    """Whether findings become annotations although they are comments too."""
    check_run: bool = False
    framework_version: str | None = None
    """The bundled release to review against, where the repository does not hold the framework's source."""


def settings(config_text: str | None, given: Callable[[str], str]) -> Settings:
    """Defaults, overlaid with the file's text (None: there is no file) and with what inputs ``given`` returns.

    Raises ConfigurationError, which names the key and where it stands.
    """
    made = Settings() if config_text is None else _from_file(config_text)
    for name in _READERS:
        value = given(name)
        if value:
            made = _with(made, name, value, f"the input {name}")
    return made


def _from_file(text: str) -> Settings:
    import yaml

    if len(text) > MAX_CONFIG:
        raise ConfigurationError(f"{CONFIG_PATH} is larger than {MAX_CONFIG} characters")
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = "" if line is None else f" (line {line + 1})"
        raise ConfigurationError(f"{CONFIG_PATH} is not YAML{where}") from error
    if data is None:
        return Settings()
    if not isinstance(data, dict):
        raise ConfigurationError(f"{CONFIG_PATH} must be a mapping of settings")
    made = Settings()
    for name, value in data.items():
        if name not in _READERS:
            raise ConfigurationError(_unknown(str(name)))
        made = _with(made, str(name), value, f"{name} in {CONFIG_PATH}")
    return made


def _with(made: Settings, name: str, value: object, where: str) -> Settings:
    field, read = _READERS[name]
    change: dict[str, Any] = {field: read(value, where)}
    return replace(made, **change)


def _unknown(name: str) -> str:
    near = get_close_matches(name, _READERS, 1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(sorted(_READERS))}"
    return f"{CONFIG_PATH} has an unknown setting {name!r}{hint}"


def _globs(value: object, where: str) -> tuple[str, ...]:
    items = value.split() if isinstance(value, str) else value
    if not isinstance(items, list) or not items or not all(isinstance(item, str) and item for item in items):
        raise ConfigurationError(f"{where} must be a list of globs, such as ['*.sh']")
    return tuple(items)


def _severity(value: object, where: str) -> Severity:
    if value not in _LEVELS:
        raise ConfigurationError(f"{where} must be one of {', '.join(_LEVELS)}, not {value!r}")
    return _LEVELS[str(value)]


def _level(value: object, where: str) -> Severity | None:
    if value == "none":
        return None
    if value not in _LEVELS:
        raise ConfigurationError(f"{where} must be one of none, {', '.join(_LEVELS)}, not {value!r}")
    return _LEVELS[str(value)]


def _count(value: object, where: str) -> int:
    text = str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdigit() or int(text) > 100:
        raise ConfigurationError(f"{where} must be a number from 0 to 100, not {value!r}")
    return int(text)


def _switch(value: object, where: str) -> bool:
    if value in ("true", True):
        return True
    if value in ("false", False):
        return False
    raise ConfigurationError(f"{where} must be true or false, not {value!r}")


def _version(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigurationError(f"{where} must be a version in quotes, such as '0.9.1'")
    return value


_READERS: Mapping[str, tuple[str, Callable[[object, str], object]]] = {
    "paths": ("paths", _globs),
    "min-severity": ("min_severity", _severity),
    "fail-level": ("fail_level", _level),
    "max-comments": ("max_comments", _count),
    "drafts": ("drafts", _switch),
    "comment-when-clean": ("speak_when_clean", _switch),
    "annotations": ("annotations", _switch),
    "check-run": ("check_run", _switch),
    "framework-version": ("framework_version", _version),
}
