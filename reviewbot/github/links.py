"""Links from comments: permalinks into the reviewed repository, and the pages of the checks."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from reviewbot.knowledge.model import Evidence
from reviewbot.report.inert import code, prose


@dataclass(frozen=True)
class Links:
    """Makes links for one run."""

    server: str
    """``https://github.com``, or the GitHub Enterprise server."""
    repository: str
    """``owner/name``."""
    base: str
    """The commit that the source was read at."""
    head: str
    """The commit under review."""
    framework: str
    from_repository: bool
    """Whether evidence was read from the reviewed repository."""
    changed: frozenset[str] = frozenset()
    """Source files that were read as the pull request leaves them."""
    documentation: str = ""
    """Where the folder ``docs`` of reviewbot can be read; empty where that is not known."""

    def head_line(self, path: str, line: int, end_line: int | None = None) -> str:
        """A permalink to lines of the file under review."""
        return self._link(path, line, end_line, self.head)

    def evidence(self, evidence: Evidence) -> str:
        """A permalink where the evidence was read from the repository, else its place and version as text."""
        if self.from_repository:
            commit = self.head if evidence.path in self.changed else self.base
            return self._link(evidence.path, evidence.line, None, commit)
        place = code(f"{evidence.path}:{evidence.line}")
        return f"{place} of {prose(self.framework)} {prose(evidence.version)}"

    def check(self, check: str) -> str:
        """A link to the page of a check, where there is one."""
        if not self.documentation:
            return code(check)
        return f"[{code(check)}]({self.documentation}/checks/{quote(check)}.md)"

    def _link(self, path: str, line: int, end_line: int | None, commit: str) -> str:
        url = (
            f"{self.server}/{self.repository}/blob/{commit}/{quote(path.encode('utf-8', 'surrogateescape'))}"
        )
        last = f"-L{end_line}" if end_line is not None and end_line != line else ""
        return f"[{code(f'{path}:{line}')}]({url}#L{line}{last})"
