"""The engines that a launch may run with, and what they know of environment variables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reviewbot.errors import InputError
from reviewbot.knowledge.environment.engines import ENGINES, Engine, EngineNames
from reviewbot.knowledge.environment.requirements import Requirement
from reviewbot.logic import Truth

BY_NAME: Mapping[str, Engine] = {engine.name: engine for engine in ENGINES}


@dataclass(frozen=True)
class Engines:
    """What is known about the engines."""

    folder: Path
    """Where the names that releases know lie."""
    requirements: tuple[Requirement, ...] = ()
    """What the framework's package asks for."""
    configured: Mapping[str, str] = field(default_factory=dict)
    """The release of an engine that the user named."""
    _names: dict[str, EngineNames] = field(default_factory=dict, compare=False)

    def of_variable(self, variable: str) -> tuple[Engine, ...]:
        """The engines whose variable it is: it begins as theirs do, and some release knows it."""
        return tuple(
            engine
            for engine in ENGINES
            if variable.startswith(engine.prefixes) and variable in self.names(engine).variables
        )

    def names(self, engine: Engine) -> EngineNames:
        """What the releases of an engine know."""
        if engine.name not in self._names:
            text = (self.folder / f"{engine.name}.json").read_text(encoding="utf-8")
            self._names[engine.name] = EngineNames.from_json(json.loads(text))
        return self._names[engine.name]

    def requirement(self, engine: Engine) -> Requirement | None:
        """What the framework asks of the engine, or of the one that it is a plugin of: the least of it."""
        from packaging.version import Version

        wanted = engine.base or engine.name
        found = [item for item in self.requirements if item.engine == wanted and item.least]
        return min(found, key=lambda item: Version(item.least), default=None)

    def releases(self, engine: Engine) -> tuple[str, ...]:
        """The releases of an engine that a launch may run with, of those that were looked at.

        A named one, else all from the oldest on that the framework works with: newer ones than it asks for are used
        as well.  Empty where nothing is known about that.
        """
        if engine.name in self.configured:
            return (self.configured[engine.name],)
        if engine.base in self.configured:
            return self.names(engine).from_release(self.configured[engine.base])[:1]
        asked = self.requirement(engine)
        return self.names(engine).from_release(asked.least) if asked is not None else ()

    def said(self, engine: Engine) -> str:
        """Why these: ``vllm 0.11.0 is used``, ``vllm>=0.18.0 is asked for``."""
        for name in (engine.name, engine.base):
            if name in self.configured:
                return f"{name} {self.configured[name]} is used"
        asked = self.requirement(engine)
        return f"{asked.engine}{asked.specifier} is asked for" if asked is not None else ""

    def is_named(self, engine: Engine) -> bool:
        """Whether the user named the engine's release."""
        return engine.name in self.configured

    def knows(self, engine: Engine, variable: str) -> Truth:
        """Whether some release of an engine that may be used knows a variable; UNKNOWN where it cannot be told."""
        names = self.names(engine)
        answers = [names.knows_variable(variable, release) for release in self.releases(engine)]
        if not answers:
            return Truth.UNKNOWN
        if Truth.TRUE in answers:
            return Truth.TRUE
        return Truth.UNKNOWN if Truth.UNKNOWN in answers else Truth.FALSE

    def plugin(self, base: str, device: str) -> Engine | None:
        """The plugin with which an engine runs on a device."""
        return next((item for item in ENGINES if item.base == base and item.device == device), None)

    def leaves_unused(self, plugin: Engine, variable: str) -> bool:
        """Whether no release of a plugin that may be used does anything with a variable of its engine."""
        if variable not in self.names(plugin).unused:
            return False
        releases, base = self.releases(plugin), BY_NAME[plugin.base]
        return bool(releases) and all(
            self.names(plugin).leaves_unused(variable, release) is Truth.TRUE
            or self.names(base).knows_variable(variable, release) is Truth.FALSE
            for release in releases
        )


def engine_versions(pairs: Iterable[str], option: str = "--engine ") -> dict[str, str]:
    """``NAME=VERSION`` texts of ``--engine`` as a mapping; raises InputError for what is none.

    ``option`` is how an error's sentence begins.
    """
    from packaging.version import InvalidVersion, Version

    result = {}
    for pair in pairs:
        name, _, version = pair.partition("=")
        if name not in BY_NAME:
            raise InputError(f"{option}{pair}: {name!r} is none of {', '.join(BY_NAME)}")
        try:
            result[name] = str(Version(version.removeprefix("v")))
        except InvalidVersion as error:
            raise InputError(
                f"{option}{pair}: {version!r} is no version; give one such as vllm=0.18.0"
            ) from error
    return result
