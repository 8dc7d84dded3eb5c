"""A cache of what was read from source trees: JSON files in the user's cache folder.

Entries are named by the content they were made from and by the code that made them.  A cache that cannot be
read or written is no error: things are then worked out again.  Nothing is ever unpickled.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

MAX_ENTRIES = 400
MAX_BYTES = 4 * 1024 * 1024


def default_folder() -> Path | None:
    """``$XDG_CACHE_HOME/reviewbot``, or ``~/.cache/reviewbot``; None where there is no home."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if configured.startswith("/"):
        return Path(configured) / "reviewbot"
    try:
        return Path.home() / ".cache" / "reviewbot"
    except RuntimeError:
        return None


@dataclass(frozen=True)
class Cache:
    """A folder of entries; None: nothing is kept."""

    folder: Path | None

    def get(self, kind: str, parts: Iterable[str]) -> Any:
        """The value that was put for these parts; None where there is none, or it cannot be read."""
        path = self._path(kind, parts)
        try:
            if path is None or path.stat().st_size > MAX_BYTES:
                return None
            entry = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        return entry.get("value") if isinstance(entry, dict) and entry.get("kind") == kind else None

    def put(self, kind: str, parts: Iterable[str], value: Any) -> None:
        """Keep a JSON value; a full or read-only disk is passed over."""
        import tempfile

        path = self._path(kind, parts)
        if path is None:
            return
        data = json.dumps({"kind": kind, "value": value}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(data) > MAX_BYTES:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._make_room(path.parent)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(name).replace(path)
            except OSError:
                with contextlib.suppress(OSError):
                    Path(name).unlink()
        except OSError:
            return

    def _path(self, kind: str, parts: Iterable[str]) -> Path | None:
        if self.folder is None:
            return None
        digest = hashlib.sha256(own_code().encode())
        for part in (kind, *parts):
            encoded = part.encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "big") + encoded)
        return self.folder / "facts" / f"{digest.hexdigest()[:40]}.json"

    def _make_room(self, folder: Path) -> None:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith((".json", ".tmp"))]
        if len(entries) < MAX_ENTRIES:
            return
        for entry in sorted(entries, key=lambda entry: entry.stat().st_mtime)[: MAX_ENTRIES // 4]:
            with contextlib.suppress(OSError):
                Path(entry.path).unlink()


@cache
def own_code() -> str:
    """A hash of the code that makes the entries: another version of the tool finds other entries."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for folder in ("config", "knowledge"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
