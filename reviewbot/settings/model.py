"""Settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reviewbot.checks.model import Severity


@dataclass(frozen=True)
class CheckSettings:
    """What is settled about one check."""

    enabled: bool = True
    severity: Severity | None = None
    """The severity of all its findings; None: each finding's own."""


@dataclass(frozen=True)
class Settings:
    """What a review is asked to do; the defaults hold where nothing is settled."""

    paths: tuple[str, ...] = ()
    """Globs of the files that are recipes; none: the usual ones."""
    exclude: tuple[str, ...] = ()
    """Globs of files that are none, whatever ``paths`` says."""
    framework_version: str | None = None
    """The bundled release to review against, where the repository does not hold the framework's source."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """The releases of engines that launches run with."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Environment variables that are set where the recipes run."""
    min_severity: Severity | None = None
    """Say only what is at least this bad; None: medium."""
    fail_level: str | None = None
    """``none`` or the word of a severity; None: what the command does by itself."""
    checks: Mapping[str, CheckSettings] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    """Folders of the repository with more rules."""
    language: str = "en"
    max_comments: int = 30
    drafts: bool = False
    """Whether drafts are reviewed."""
    speak_when_clean: bool = False
    annotations: bool = False
    """Whether findings become annotations although they are comments too."""
    check_run: bool = False

    @property
    def shown_from(self) -> Severity:
        """The least severity that is said."""
        return Severity.MEDIUM if self.min_severity is None else self.min_severity
