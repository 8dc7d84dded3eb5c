"""The header of one file's part in a git diff, from ``diff --git`` to the last extended header line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewbot.diff.model import Status
from reviewbot.diff.paths import DEV_NULL, git_line_paths, header_path, strip_prefixes

_EXTENDED = re.compile(
    r"(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to"
    r"|similarity index|dissimilarity index|index) (.*)",
    re.DOTALL,
)
_EMPTY_BLOB = re.compile(r"0+$|e69de29|473a0f4")
"""No file, or the empty file, in SHA-1 and SHA-256."""


@dataclass(frozen=True, slots=True)
class GitHeader:
    """The header, read."""

    told: tuple[str, str] | None
    """Both paths of the ``diff --git`` line, prefixes kept; None where it leaves them open."""
    extended: Mapping[str, str]
    length: int
    """Lines of the header."""

    @property
    def mode(self) -> str:
        """The mode that the file has in the end."""
        words = ("new mode", "new file mode", "deleted file mode")
        told = next((self.extended[word] for word in words if word in self.extended), "")
        return told or self.extended.get("index", "").partition(" ")[2]

    def status(self, binary: bool, changed: bool) -> Status:
        """What happens to the file, where its part is ``binary``, or ``changed`` by hunks."""
        if "deleted file mode" in self.extended:
            return "deleted"
        if binary:
            return "binary"
        if "new file mode" in self.extended:
            return "added"
        if "rename to" in self.extended:
            return "renamed"
        if "copy to" in self.extended:
            return "copied"
        return "mode" if "new mode" in self.extended and not changed else "modified"

    def paths(self, shown: tuple[str, str] | None) -> tuple[str | None, str | None] | None:
        """The paths before and after; ``shown`` are those of the ``---`` and ``+++`` lines, prefixes kept.

        None where the header does not tell.  Raises PathError.
        """
        for word in ("rename", "copy"):
            if f"{word} from" in self.extended and f"{word} to" in self.extended:
                return header_path(self.extended[f"{word} from"])[0], header_path(
                    self.extended[f"{word} to"]
                )[0]
        names = self.told if self.told and (shown is None or DEV_NULL in shown) else shown
        if names is None:
            return None
        old, new = strip_prefixes(*names)
        return (
            None if "new file mode" in self.extended or old == DEV_NULL else old,
            None if "deleted file mode" in self.extended or new == DEV_NULL else new,
        )

    @property
    def incomplete(self) -> bool:
        """Whether the header announces more than it holds, given that no hunk follows."""
        pairs = (("old mode", "new mode"), ("rename from", "rename to"), ("copy from", "copy to"))
        if not self.extended or any(one in self.extended and two not in self.extended for one, two in pairs):
            return True
        if "index" not in self.extended:
            return self.extended.get("similarity index", "100%") != "100%"
        old, _, new = self.extended["index"].partition(" ")[0].partition("..")
        return old != new and not (_EMPTY_BLOB.match(old) and _EMPTY_BLOB.match(new))


def read_git_header(lines: Sequence[str], at: int) -> GitHeader:
    """Read the header that starts at ``lines[at]`` (0-based).  Raises PathError."""
    extended: dict[str, str] = {}
    end = at + 1
    while end < len(lines) and (match := _EXTENDED.fullmatch(lines[end])):
        extended[match[1]] = match[2]
        end += 1
    return GitHeader(git_line_paths(lines[at].removeprefix("diff --git ")), extended, end - at)
