"""The settings that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reviewbot.settings import kinds
from reviewbot.settings.kinds import Kind


@dataclass(frozen=True)
class Key:
    """One setting."""

    field: str
    """The attribute of :class:`~reviewbot.settings.model.Settings`."""
    kind: Kind
    says: str
    """One sentence for the documentation and the JSON Schema."""
    given: str = ""
    """The Action's input of the same meaning; empty where there is none."""


KEYS: Mapping[str, Key] = {
    "paths": Key(
        "paths", kinds.GLOBS, "Globs of the files that are recipes (default: *.sh, *.bash)", "paths"
    ),
    "exclude": Key("exclude", kinds.GLOBS, "Globs of files that are not reviewed", "exclude"),
    "framework-version": Key(
        "framework_version",
        kinds.VERSION,
        "Bundled release to review against, where the repository does not hold the framework's source",
        "framework-version",
    ),
    "engines": Key(
        "engines", kinds.ENGINES, "Releases of the engines that launches run with, by name", "engines"
    ),
    "env": Key("env", kinds.VARIABLES, "Environment variables that are set where the recipes run"),
    "min-severity": Key(
        "min_severity", kinds.SEVERITY, "Say only what is at least this bad (default: medium)", "min-severity"
    ),
    "fail-level": Key(
        "fail_level",
        kinds.LEVEL,
        "Fail from this severity on (default: none in the Action, what is shown on the command line)",
        "fail-level",
    ),
    "checks": Key(
        "checks",
        kinds.CHECK_SETTINGS,
        "For each check: whether it is enabled, and the severity it reports with",
    ),
    "rules": Key("rules", kinds.FOLDERS, "Folders of this repository with more rules"),
    "language": Key("language", kinds.LANGUAGE, "Language of the messages (default: en)", "lang"),
    "max-comments": Key(
        "max_comments",
        kinds.COUNT,
        "At most so many inline comments, the worst first; the rest is in the summary (default: 30)",
        "max-comments",
    ),
    "drafts": Key("drafts", kinds.SWITCH, "Review drafts too (default: false)", "drafts"),
    "comment-when-clean": Key(
        "speak_when_clean",
        kinds.SWITCH,
        "Post a summary also where nothing was ever found (default: false)",
        "comment-when-clean",
    ),
    "annotations": Key(
        "annotations",
        kinds.SWITCH,
        "Annotate the workflow run although there are comments (default: false)",
        "annotations",
    ),
    "check-run": Key(
        "check_run",
        kinds.SWITCH,
        "Post a check run with annotations, which needs checks: write (default: false)",
        "check-run",
    ),
}
