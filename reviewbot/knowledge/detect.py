"""Which release of the framework a repository asks for: its lock files, else its requirements, else a submodule.

Files are read as text, line by line: nothing is resolved, imported or run.  A lock file names one release; a
requirement allows many, and the newest bundled one that it allows is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from reviewbot.language import say
from reviewbot.tree import Tree, normal

LOCK_FILES = ("uv.lock", "pylock.toml", "poetry.lock", "pdm.lock", "Pipfile.lock")
_KINDS = ("", "-dev", "-test", "-train", "-training", "-gpu", "-cuda", "-npu", "-vllm", "-sglang")
_NAMES = tuple(f"requirements{separator}" for kind in _KINDS for separator in (kind, kind.replace("-", "_")))
REQUIREMENTS = (
    *dict.fromkeys(f"{name}.{ending}" for name in _NAMES for ending in ("txt", "in")),
    "constraints.txt",
)
PROJECT_FILES = ("pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "environment.yml", "environment.yaml")
_LOCKED = re.compile(r"""^\s*(?:version\s*=|"version":)\s*"=*([\w.+!-]{1,60})"?""")
_ENTRY = re.compile(r'^\s*(?:\[\[|"[^"]+":\s*\{)')
_GIT_REVISION = re.compile(
    r"""(?:\.git|\b)(?:@|\?(?:rev|tag|branch)=|["']?\s*,.*?\b(?:rev|tag)\s*=\s*["'])([\w./+-]{1,100})"""
)
_SPECIFIER = r"(?:===|==|~=|!=|<=|>=|<|>)\s*[\w.*+!-]{1,60}"
_MOST_SUBMODULES = 100
_LONGEST_LINE = 500
"""Characters of a line that are looked at; no requirement is longer, and what is tried on a line has a bound."""


@dataclass(frozen=True)
class Asked:
    """What a line of a repository asks for."""

    path: str
    line: int
    """1-based."""
    text: str
    """``==0.7.1``, ``>=0.7``; a commit or a branch of the framework's repository."""

    @property
    def place(self) -> str:
        """``uv.lock:12``."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Detected:
    """The release to use."""

    asked: Asked
    release: str
    """One of the bundled ones."""
    problem: str
    """A sentence, where it is not what was asked for; else empty."""


def detect_release(tree: Tree, framework: str, bundled: Sequence[str]) -> Detected | None:
    """The bundled release that is, or comes nearest to, what a repository asks for; None where it does not say.

    ``bundled`` are releases, oldest first.  Lock files go before requirements, and these before project files; of
    one file the first line that asks for the framework counts.
    """
    asked = next(_asked(tree, framework), None)
    if asked is None:
        return None
    versions = [Version(release) for release in bundled]
    try:
        wanted = SpecifierSet(asked.text)
    except InvalidSpecifier:
        return Detected(asked, bundled[-1], _other(asked, framework, bundled[-1]))
    fitting = [version for version in versions if wanted.contains(version, prereleases=True)]
    if fitting:
        return Detected(asked, bundled[versions.index(fitting[-1])], "")
    nearest = bundled[versions.index(_nearest(wanted, versions))]
    return Detected(asked, nearest, _other(asked, framework, nearest))


def names_release(path: str) -> bool:
    """Whether a file is one of those that may say which release of the framework a repository uses."""
    folder, _, _name = path.rpartition("/")
    known = (*LOCK_FILES, *REQUIREMENTS, *PROJECT_FILES, ".gitmodules")
    return path in known or (folder == "requirements" and path.endswith((".txt", ".in")))


def submodules(tree: Tree) -> tuple[str, ...]:
    """The folders of the submodules that ``.gitmodules`` names, in its order."""
    found: list[str] = []
    for line in (tree.read(".gitmodules") or "").splitlines():
        name, _, value = (part.strip() for part in line.partition("="))
        folder = normal(value) if name == "path" else None
        if folder:
            found.append(folder)
    return tuple(found[:_MOST_SUBMODULES])


def _nearest(wanted: SpecifierSet, versions: Sequence[Version]) -> Version:
    """The newest that is not newer than what is asked for; the oldest where all are."""
    limits = [limit for item in wanted if (limit := _version(item.version.removesuffix(".*"))) is not None]
    older = [version for version in versions if limits and version <= min(limits)]
    return older[-1] if older else versions[0] if limits else versions[-1]


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _other(asked: Asked, framework: str, used: str) -> str:
    return say(
        "{place} asks for {framework} {text}, which no bundled release is: the facts of {used} are used; for any "
        "other version give the source with --source",
        place=asked.place,
        framework=framework,
        text=asked.text,
        used=used,
    )


def _asked(tree: Tree, framework: str) -> Iterator[Asked]:
    for path in LOCK_FILES:
        yield from _locked(path, tree.read(path) or "", framework)
    folder = (path for path in tree.files("requirements") if path.endswith((".txt", ".in")))
    for path in (*REQUIREMENTS, *folder, *PROJECT_FILES):
        yield from _required(path, tree.read(path) or "", framework)


def _locked(path: str, text: str, framework: str) -> Iterator[Asked]:
    """The entry of the framework's package: ``[[package]]`` of TOML, ``"name": {`` of Pipfile.lock."""
    package = re.compile(rf'^\s*(?:name\s*=\s*"{re.escape(framework)}"|"{re.escape(framework)}":\s*\{{)')
    at = 0
    for number, line in _lines(text):
        if package.match(line):
            at = number
        elif _ENTRY.match(line):
            at = 0
        elif at and (found := _LOCKED.match(line)):
            yield Asked(path, at, f"=={found.group(1).partition('+')[0]}")
            at = 0


def _required(path: str, text: str, framework: str) -> Iterator[Asked]:
    name = rf"(?<![\w./@:+-]){re.escape(framework)}"
    specifier = re.compile(rf"{name}(?:\[[^\]]*\])?\s*\(?\s*({_SPECIFIER}(?:\s*,\s*{_SPECIFIER})*)")
    table = re.compile(rf"""^\s*{re.escape(framework)}\s*=\s*(?:\{{.*?\bversion\s*=\s*)?["']([^"']+)["']""")
    repository = re.compile(
        rf"(?:git\+\S*|\bgit\s*=\s*\S*|https?:\S*)[/:]{re.escape(framework)}(?=[.@?\"',\s]|$)"
    )
    for number, whole in _lines(text):
        line = re.sub(r"(^|\s)#(?!egg=).*", "", whole)
        if found := repository.search(line):
            revision = _GIT_REVISION.match(line, found.end())
            if revision is not None:
                yield Asked(path, number, _release_of(revision.group(1)))
        elif found := specifier.search(line):
            yield Asked(path, number, found.group(1).replace(" ", ""))
        elif (found := table.match(line)) and (poetry := _of_poetry(found.group(1))):
            yield Asked(path, number, poetry)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        yield number, line[:_LONGEST_LINE]


def _release_of(revision: str) -> str:
    """A tag as a specifier; anything else as it is."""
    found = re.fullmatch(r"(?:refs/tags/)?v?(\d+(?:\.\d+)+(?:\.?(?:a|b|rc|post|dev)\d*)?)", revision)
    return f"=={found.group(1)}" if found else revision


def _of_poetry(text: str) -> str:
    """Poetry's ``^0.7``, ``~0.7`` and ``0.7.1`` as specifiers; empty where it says nothing about a version."""
    if found := re.fullmatch(r"([\^~]?)\s*(\d{1,9}(?:\.\d{1,9})*)", text.strip()):
        sign, version = found.groups()
        numbers = [int(number) for number in version.split(".")]
        if not sign:
            return f"=={version}"
        keep = (
            1 if sign == "~" else next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        )
        keep = min(keep, len(numbers) - 1)
        end = ".".join(map(str, (*numbers[:keep], numbers[keep] + 1)))
        return f">={version},<{end}"
    try:
        return str(SpecifierSet(text))
    except InvalidSpecifier:
        return ""
