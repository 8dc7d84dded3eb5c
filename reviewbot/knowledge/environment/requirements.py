"""Which releases of the engines a release of the framework asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewbot.knowledge.environment.engines import ENGINES
from reviewbot.tree import Tree

_NAMES = "|".join(re.escape(engine.name) for engine in ENGINES)
_REQUIRED = re.compile(
    rf"""(?:^Requires-Dist:\s*|["'])({_NAMES})(?:\[[^\]]*\])?\s*\(?([<>=!~][^"';)]*)""", re.MULTILINE
)
_LEAST = (">=", ">", "==", "===", "~=")


@dataclass(frozen=True, order=True, slots=True)
class Requirement:
    """An engine that the framework's package asks for."""

    engine: str
    specifier: str
    """``>=0.8.5,<=0.12.0``"""
    path: str
    line: int
    """1-based."""

    @property
    def least(self) -> str:
        """The oldest release that meets it; empty where any may."""
        from packaging.specifiers import InvalidSpecifier, SpecifierSet
        from packaging.version import InvalidVersion, Version

        try:
            versions = [
                Version(item.version.removesuffix(".*"))
                for item in SpecifierSet(self.specifier)
                if item.operator in _LEAST
            ]
        except (InvalidSpecifier, InvalidVersion):
            return ""
        return str(max(versions)) if versions else ""


def read_requirements(tree: Tree, package: str, version: str) -> tuple[Requirement, ...]:
    """What the package's own files say, a checkout's or a released package's; nothing is run."""
    paths = ("setup.py", "pyproject.toml", f"{package}-{version}.dist-info/METADATA")
    found: set[Requirement] = set()
    for path in paths:
        text = tree.read(path) or ""
        for match in _REQUIRED.finditer(text):
            start = text.rfind("\n", 0, match.start(1)) + 1
            if text[start : match.start(1)].lstrip().startswith("#"):
                continue
            line = text.count("\n", 0, match.start(1)) + 1
            found.add(Requirement(match.group(1), match.group(2).strip().rstrip(","), path, line))
    return tuple(sorted(found))
