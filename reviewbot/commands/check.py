"""``reviewbot check``: review a diff, some files, or a whole repository."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from reviewbot.checks.model import Severity
from reviewbot.commands.baselines import given_baseline, with_baseline
from reviewbot.commands.configuration import settings_for
from reviewbot.commands.fixing import Fixer
from reviewbot.commands.inputs import (
    Unreadable,
    expand,
    is_recipe_name,
    load,
    relative_name,
    working_root,
)
from reviewbot.commands.knowledge import knowledge_for
from reviewbot.commands.output import colour_wanted, declared, note, write_report
from reviewbot.commands.progress import progress
from reviewbot.commands.wish import Wish, wish_of
from reviewbot.diff import Diff, FileDiff, parse_diff
from reviewbot.diff.parse import MAX_BYTES
from reviewbot.errors import ExitCode, InputError
from reviewbot.git import diff_against
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say, speaking
from reviewbot.report.model import Review
from reviewbot.review.fixing import fix_changed, fix_whole
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.settings.apply import policy_of
from reviewbot.settings.model import Settings
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree, Tree

FORMATS = {
    "json": ("reviewbot.report.json_report", "json_report"),
    "sarif": ("reviewbot.report.sarif_report", "sarif_report"),
    "github": ("reviewbot.report.annotations", "annotations_report"),
    "markdown": ("reviewbot.report.markdown_report", "markdown_report"),
}
"""The reports for machines, each imported where it is asked for."""


def run(options: Namespace) -> int:
    """Review what the options name and print the report; returns the exit code.

    Raises InputError for what cannot be read.
    """
    root = working_root()
    settings = settings_for(options, root)
    with speaking(options.lang or settings.language):
        return _run(options, root, settings)


def _run(options: Namespace, root: Path, settings: Settings) -> int:
    wish = wish_of(options, settings)
    baseline = given_baseline(options)
    changes = _changes(options, root, wish)
    knowledge = knowledge_for(options, root, settings)
    job = _Job(root, _reviewer(options, root, knowledge, settings, wish.shown), options, wish)
    files = tuple(job.diff(changes) if changes is not None else job.paths())
    files = with_baseline(options, wish, baseline, files, root, whole=changes is None)
    review = Review(knowledge.framework.name, knowledge.version, knowledge.source, knowledge.origin, files)
    fixes = _fixes(options, job)
    silent = options.quiet and options.format == "text" and not review.findings
    report = "" if silent else _report(options, review, knowledge)
    if options.format == "text":
        write_report(options.output, fixes + report)
    else:
        write_report(options.output, report)
        sys.stderr.write(fixes)
    for problem in knowledge.problems:
        wish.note(problem)
    for path in job.unreadable:
        note(f"{path.path}: {path.why}; it was not reviewed")
    return _exit_code(options, wish, review, job)


@dataclass
class _Job:
    root: Path
    reviewer: Reviewer
    options: Namespace
    wish: Wish

    def __post_init__(self) -> None:
        self.unreadable: list[Unreadable] = []
        wanted = self.options.fix or self.options.fix_dirty
        self.fixer = Fixer(dirty=self.options.fix_dirty) if wanted else None

    def paths(self) -> Iterator[FileReview]:
        """Review the named files, or every recipe of the repository."""
        globs = self.wish.globs
        named = self.options.paths or [str(self.root)]
        files = list(expand(named, self.root, globs, self.wish.exclude))
        for file, name in progress(files, [name for _, name in files], quiet=self.wish.quiet):
            source = load(file, name)
            if isinstance(source, Unreadable):
                self.unreadable.append(source)
                yield FileReview(name, "skipped", say("it {why}", why=source.why))
            else:
                yield self._whole(file, source)
        if not files:
            self.wish.note(f"no recipe ({', '.join(globs)}) in {', '.join(named)}: nothing to review")

    def _whole(self, file: Path, source: SourceText) -> FileReview:
        if self.fixer is None:
            return self.reviewer.whole(source)
        return self.fixer.write(file, fix_whole(self.reviewer, source))

    def diff(self, changes: tuple[FileDiff, ...]) -> Iterator[FileReview]:
        """Review the recipes that a diff touches."""
        globs = self.wish.globs
        recipes = [change for change in changes if is_recipe_name(change.path, globs, self.wish.exclude)]
        if not changes:
            self.wish.note("the diff is empty: nothing to review")
        elif not recipes:
            self.wish.note(f"the diff touches no recipe ({', '.join(globs)}): nothing to review")
        wanted = self._wanted(recipes)
        for change in progress(wanted, [change.path for change in wanted], quiet=self.wish.quiet):
            if change.status != "deleted" and (change.hunks or change.status == "binary"):
                yield self._change(change)

    def _wanted(self, recipes: list[FileDiff]) -> list[FileDiff]:
        """The recipes at or below the named paths, which are relative to the current folder; all where none is."""
        if not self.options.paths:
            return recipes
        wanted: list[FileDiff] = []
        for given in self.options.paths:
            name = relative_name(Path(given), self.root)
            below = [
                recipe
                for recipe in recipes
                if name in (".", recipe.path) or recipe.path.startswith(name + "/")
            ]
            if recipes and not below:
                self.wish.note(f"{given}: the diff touches no recipe there")
            wanted.extend(below)
        return [recipe for recipe in recipes if recipe in wanted]

    def _change(self, change: FileDiff) -> FileReview:
        if change.status == "binary":
            return FileReview(change.path, "skipped", say("the diff shows it as a binary file"))
        if change.is_link:
            return FileReview(change.path, "skipped", say("it is a symbolic link or a submodule"))
        source, why = self._after(change)
        if source is None:
            if not change.is_utf8:
                return FileReview(change.path, "skipped", say("the diff shows text that is not UTF-8"))
            return self.reviewer.hunks(change, why)
        file = self.root / change.path
        # A link that the change makes may lead out of the repository: nothing is written there.
        there = DirectoryTree(self.root).locate(change.path) is not None and file.is_file()
        if self.options.all_lines:
            return self._whole(file, source) if there else self.reviewer.whole(source)
        if self.fixer is None or not there:
            return self.reviewer.changed(source, change)
        return self.fixer.write(file, fix_changed(self.reviewer, source, change))

    def _after(self, change: FileDiff) -> tuple[SourceText | None, str]:
        """The whole file after the change, or the reason why only the hunks are known."""
        why = say("only the lines of the diff are known, since the file is not at hand")
        for tree_root in self._roots():
            inside = DirectoryTree(tree_root)
            if inside.locate(change.path) is None:
                continue
            source = load(tree_root / change.path, change.path)
            if isinstance(source, Unreadable):
                why = say(
                    "only the lines of the diff are known, since the file at hand {why}", why=source.why
                )
                continue
            line = change.mismatch(source)
            if line is None:
                return source, ""
            why = say(
                "only the lines of the diff are known, since line {line} of the file at hand differs "
                "from the diff",
                line=line,
            )
        if change.whole:
            return change.after_text().source, ""
        return None, why

    def _roots(self) -> list[Path]:
        return [self.root, *([Path(self.options.source)] if self.options.source else [])]


def _changes(options: Namespace, root: Path, wish: Wish) -> tuple[FileDiff, ...] | None:
    """The changes that the options name; None where they name no diff."""
    diff = _diff(options, root, wish)
    if diff is None:
        return None
    for refused in diff.refused:
        note(refused.why)
    return diff.files


def _diff(options: Namespace, root: Path, wish: Wish) -> Diff | None:
    if options.base is not None:
        return parse_diff(
            diff_against(root, options.base, _untracked(wish)),
            say("the diff against {base}", base=options.base),
        )
    if options.diff is None:
        return None
    if options.diff == "-":
        return parse_diff(_standard_input(), say("standard input"))
    try:
        with Path(options.diff).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"{options.diff}: the diff cannot be read ({error.strerror or 'unknown error'}); "
            "name a file, or - for standard input"
        ) from error
    return parse_diff(data, options.diff)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise InputError("standard input is closed, so no diff can be read from it")
    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"standard input cannot be read ({error.strerror or 'unknown error'})") from error


def _untracked(wish: Wish) -> tuple[str, ...]:
    """The ends of names by which git's untracked files count as added."""
    return tuple(glob.rpartition("*")[2] for glob in wish.globs)


def _reviewer(
    options: Namespace, root: Path, knowledge: Knowledge, settings: Settings, shown: Severity
) -> Reviewer:
    trees: list[Tree] = [DirectoryTree(root)]
    if options.source:
        trees.append(DirectoryTree(Path(options.source)))

    def read(path: str) -> str | None:
        return next((text for tree in trees if (text := tree.read(path)) is not None), None)

    env = {**settings.env, **declared(options.env)}
    return Reviewer(knowledge, read, env, shown, policy_of(settings))


def _report(options: Namespace, review: Review, knowledge: Knowledge) -> str:
    if options.format == "text":
        from reviewbot.report.text_report import text_report

        return text_report(review, colour=options.output is None and colour_wanted(sys.stdout))
    if options.format == "html":
        from reviewbot.report.html_report import html_report

        return html_report(review, knowledge)
    module, name = FORMATS[options.format]
    report: Callable[[Review], str] = getattr(import_module(module), name)
    return report(review)


def _fixes(options: Namespace, job: _Job) -> str:
    """What was fixed, as text; empty where nothing was to be."""
    if job.fixer is None:
        return ""
    from reviewbot.report.fix_report import fix_report

    to_terminal = options.output is None and options.format == "text"
    return fix_report(job.fixer.applied, colour=to_terminal and colour_wanted(sys.stdout)) + "\n"


def _exit_code(options: Namespace, wish: Wish, review: Review, job: _Job) -> int:
    if job.unreadable and options.paths and options.diff is None and options.base is None:
        return ExitCode.USAGE
    if job.fixer is not None and job.fixer.failed:
        return ExitCode.USAGE
    worst = max((finding.severity for finding in review.findings), default=None)
    failed = wish.fails is not None and worst is not None and worst >= wish.fails
    return ExitCode.FINDINGS if failed else ExitCode.OK
