"""Unified diffs: which lines of which files changed, and the text before and after."""

from reviewbot.diff.model import Diff, DiffLine, Excerpt, FileDiff, Hunk, Refused
from reviewbot.diff.parse import parse_diff, parse_patch

__all__ = ["Diff", "DiffLine", "Excerpt", "FileDiff", "Hunk", "Refused", "parse_diff", "parse_patch"]
