"""Published descriptions that come in npm packages: fetched once into ``build/``, which git ignores, and kept there."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

BUILD = Path(__file__).parent.parent / "build" / "published"


def kept(name: str, package: str, member: str, change: Callable[[bytes], bytes]) -> Path | None:
    """A file made from a member of an npm package; None without npm, or where it serves no such package."""
    place = BUILD / f"{package.rpartition('@')[2]}-{name}"
    if place.exists():
        return place
    npm = shutil.which("npm")
    if npm is None:
        return None
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if place.exists():
            return place
        packed = subprocess.run(
            [npm, "pack", "--silent", "--pack-destination", str(BUILD), package],
            capture_output=True,
            text=True,
            check=False,
            cwd=BUILD,
            timeout=300,
        )
        if packed.returncode:
            return None
        archive = BUILD / packed.stdout.strip().splitlines()[-1]
        with tarfile.open(archive) as files:
            file = files.extractfile(member)
            assert file is not None
            data = change(file.read())
        archive.unlink()
        partial = place.with_suffix(".partial")
        partial.write_bytes(data)
        partial.replace(place)
    return place
