"""The changed files of a pull request, as data: recipes with their diffs, and the source that it changes."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reviewbot.diff import FileDiff, parse_patch
from reviewbot.errors import InputError
from reviewbot.github.anchors import Reviewed
from reviewbot.github.client import Client
from reviewbot.github.model import PullFile, PullRequest
from reviewbot.knowledge.detect import names_release
from reviewbot.language import say
from reviewbot.text import SourceText, decode
from reviewbot.tree import DirectoryTree, normal

SOURCE_SUFFIXES = (".py", ".yaml", ".yml", ".sh", ".bash")
"""Files that knowledge and scripts are read from."""
MAX_FETCHED = 300
"""Source files fetched at most; a pull request that changes more of them is reviewed against the base for the rest."""
SMALL_PAGES = (10, 1)
"""GitHub leaves patches out of a page that holds too many lines: a smaller page shows them."""


@dataclass(frozen=True)
class RecipeChange:
    """A changed recipe."""

    path: str
    change: FileDiff | None
    """None where no diff can be had: ``why`` says why the file is not reviewed."""
    source: SourceText | None
    """The file under review; None where only hunks are known."""
    shown: bool
    """Whether the diff is the one that GitHub shows: comments can stand on its lines."""
    why: str = ""

    @property
    def reviewed(self) -> Reviewed:
        """What comments need to know of it."""
        return Reviewed(self.source, self.change if self.shown else None)


@dataclass(frozen=True)
class Changes:
    """What a pull request changes."""

    recipes: tuple[RecipeChange, ...]
    overlay: Mapping[str, str | None]
    """Source files as the pull request leaves them; None: it removes them."""
    notes: tuple[str, ...]

    @property
    def reviewed(self) -> dict[str, Reviewed]:
        """The recipes by path."""
        return {recipe.path: recipe.reviewed for recipe in self.recipes}


def read_changes(
    client: Client, pull: PullRequest, is_recipe: Callable[[str], bool], checkout: Path | None
) -> Changes:
    """Read them through the API; files that the checkout holds already are not fetched again."""
    return _Reading(client, pull, is_recipe, checkout).read()


@dataclass
class _Reading:
    client: Client
    pull: PullRequest
    is_recipe: Callable[[str], bool]
    checkout: Path | None
    notes: list[str] = field(default_factory=list)
    fetched: int = 0

    def read(self) -> Changes:
        files = self.client.files(self.pull.number)
        missing = self.pull.changed_files - len(files)
        if missing > 0:
            self.notes.append(
                say(
                    "GitHub lists only {count} of the {changed_files} changed files",
                    count=len(files),
                    changed_files=self.pull.changed_files,
                )
            )
        recipes = [
            self._recipe(index, file)
            for index, file in enumerate(files)
            if self.is_recipe(file.path)
            and file.status not in ("removed", "unchanged")
            and not _only_renamed(file)
        ]
        overlay = self._overlay(files)
        return Changes(tuple(recipes), overlay, tuple(self.notes))

    def _recipe(self, index: int, file: PullFile) -> RecipeChange:
        data = self._content(file)
        if data is not None and b"\0" in data:
            return RecipeChange(file.path, None, None, False, say("it is a binary file"))
        text = decode(data) if data is not None else None
        source = SourceText(file.path, text) if text is not None else None
        change, problem = self._change(self._with_patch(index, file), source)
        if change is not None:
            return RecipeChange(
                file.path, change, source, True, _why_only_hunks(data) if source is None else ""
            )
        if source is None:
            return RecipeChange(
                file.path,
                None,
                None,
                False,
                say("{problem}, and {why_only_hunks}", problem=problem, why_only_hunks=_why_only_hunks(data)),
            )
        return RecipeChange(file.path, self._own_diff(file, source), source, False)

    def _change(self, file: PullFile, source: SourceText | None) -> tuple[FileDiff | None, str]:
        """The diff that GitHub shows; None and the reason where there is none, or it is not of this file."""
        if file.patch is None:
            return None, say("GitHub shows no diff of it")
        try:
            change = parse_patch(file.path, file.previous_path, file.status, file.patch)
        except InputError as error:
            return None, str(error)
        if source is not None and change.mismatch(source) is not None:
            return None, say("its diff and its content differ")
        return change, ""

    def _with_patch(self, index: int, file: PullFile) -> PullFile:
        """The file with its patch, asked for again on a small page where a full one left it out."""
        for per_page in SMALL_PAGES:
            if file.patch is not None:
                break
            page = self.client.file_page(self.pull.number, index, per_page)
            file = next((other for other in page if other.path == file.path), file)
        return file

    def _own_diff(self, file: PullFile, after: SourceText) -> FileDiff:
        """A diff that GitHub does not show, worked out from both contents."""
        before = b""
        if file.status != "added":
            base = self.client.merge_base(self.pull.base, self.pull.head)
            before = self.client.content(file.previous_path or file.path, base) or b""
        old = SourceText(file.path, decode(before) or "")
        lines = list(difflib.unified_diff(old.lines, after.lines, n=3))[2:]
        patch = "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )
        return parse_patch(file.path, file.previous_path, file.status, patch or None)

    def _overlay(self, files: tuple[PullFile, ...]) -> dict[str, str | None]:
        overlay: dict[str, str | None] = {}
        for file in files:
            if file.previous_path and file.status == "renamed":
                overlay[normal(file.previous_path) or ""] = None
            path = normal(file.path)
            if not path or not (
                path.endswith(SOURCE_SUFFIXES) or self.is_recipe(path) or names_release(path)
            ):
                continue
            if file.status == "removed":
                overlay[path] = None
                continue
            data = self._content(file)
            if data is not None:
                overlay[path] = decode(data)
        overlay.pop("", None)
        return overlay

    def _content(self, file: PullFile) -> bytes | None:
        """The content after the change."""
        if not file.blob:
            return None
        at_hand = self._at_hand(file)
        if at_hand is not None:
            return at_hand
        if file.blob not in self._blobs:
            if self.fetched == MAX_FETCHED:
                self.notes.append(
                    say(
                        "only {MAX_FETCHED} changed files were fetched; the others were read as in the base",
                        MAX_FETCHED=MAX_FETCHED,
                    )
                )
            self.fetched += 1
            self._blobs[file.blob] = self.client.blob(file.blob) if self.fetched <= MAX_FETCHED else None
        return self._blobs[file.blob]

    def __post_init__(self) -> None:
        self._blobs: dict[str, bytes | None] = {}

    def _at_hand(self, file: PullFile) -> bytes | None:
        """The file in the checkout, where it is the very content that GitHub names."""
        if self.checkout is None:
            return None
        place = DirectoryTree(self.checkout).locate(file.path)
        try:
            data = place.read_bytes() if place is not None and place.is_file() else None
        except OSError:
            return None
        return data if data is not None and blob_id(data) == file.blob else None


def blob_id(data: bytes) -> str:
    """The id that git gives a file's content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _why_only_hunks(data: bytes | None) -> str:
    return say("GitHub does not give its content") if data is None else say("it is not UTF-8 text")


def _only_renamed(file: PullFile) -> bool:
    return file.status == "renamed" and file.changes == 0 and file.patch is None
