"""Make the bundled facts again from the released packages and compare them byte for byte.

    python acceptance/rebuild_facts.py [VERSION…] [--wheels DIR] [--write]

The packages are downloaded with pip (without their dependencies, nothing of them is installed or run) into
``--wheels``, or into a folder that is removed afterwards.  With ``--write`` facts that differ are written anew.
Exit code 1 where any differ.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from reviewbot.knowledge.commands import extract_facts
from reviewbot.knowledge.paths import rules_folder
from reviewbot.knowledge.store import FRAMEWORKS, bundled_versions


def main() -> int:
    framework = FRAMEWORKS[0]
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        wheels = options.wheels or Path(scratch) / "wheels"
        wheels.mkdir(parents=True, exist_ok=True)
        differing = []
        for version in options.versions or bundled_versions(framework):
            started = time.process_time()
            source = _unpacked(_wheel(framework.name, version, wheels), Path(scratch) / version)
            text = extract_facts(str(source), version)
            path = rules_folder() / framework.name / "facts" / f"{version}.json"
            same = path.is_file() and path.read_bytes() == text.encode()
            if not same:
                differing.append(version)
                if options.write:
                    path.write_bytes(text.encode())
            seconds = time.process_time() - started
            print(
                f"{framework.name} {version}: {len(text.encode()):>7} bytes, {seconds:.1f} s, "
                f"{'the same' if same else 'differs'}"
            )
    return 1 if differing and not options.write else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("versions", nargs="*")
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def _wheel(package: str, version: str, folder: Path) -> Path:
    found = sorted(folder.glob(f"{package}-{version}-*.whl"))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", str(folder), f"{package}=={version}"], check=True)
        found = sorted(folder.glob(f"{package}-{version}-*.whl"))
    return found[0]


def _unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


if __name__ == "__main__":
    sys.exit(main())
