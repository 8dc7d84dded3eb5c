"""Replaces the text of a file at once: what reads it sees the old one or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path


def replace_file(file: Path, old: bytes, new: bytes) -> str:
    """Write ``new`` in place of ``old``; mode, owner and attributes stay.

    Returns why it was not done, as the end of a sentence; empty where it was.  Nothing is left behind.
    """
    if file.is_symlink():
        return "is a symbolic link; name the file that it leads to"
    try:
        if file.read_bytes() != old:
            return "changed while it was reviewed; run again"
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name[:100]}.", dir=file.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as output:
                output.write(new)
                output.flush()
                os.fsync(output.fileno())
            _like(file, temporary)
            temporary.replace(file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        return f"cannot be written ({error.strerror or 'unknown error'})"
    return ""


def _like(file: Path, other: Path) -> None:
    """Give another file the owner, mode and attributes of one."""
    status = file.stat()
    with contextlib.suppress(OSError):  # only its owner's own groups, unless it is root who asks
        os.chown(other, status.st_uid, status.st_gid)
    shutil.copystat(file, other)
    os.utime(other)
