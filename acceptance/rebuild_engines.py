"""Make the names that the engines' releases know again, from the published packages, and compare them.

    python acceptance/rebuild_engines.py [ENGINE…] [--packages DIR] [--write]

Packages are downloaded with pip (without their dependencies) and unpacked; nothing of them is installed, built or
run: the pip that is used knows no build tool. ``--packages`` keeps what is needed of them between runs.
Exit code 1 where any file differs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

from reviewbot.knowledge.environment.engines import ENGINES, Engine, Names, read_names, spans
from reviewbot.knowledge.paths import rules_folder
from reviewbot.tree import DirectoryTree

VERSIONS = {
    "vllm": (
        *("0.8.5", "0.9.2", "0.10.2", "0.11.0", "0.12.0", "0.13.0", "0.16.0", "0.17.1", "0.18.1", "0.19.1"),
        *("0.20.2", "0.22.1", "0.25.1", "0.28.0", "0.30.0", "0.33.0"),
    ),
    "sglang": ("0.4.6.post5", "0.5.2", "0.5.5", "0.5.9", "0.5.13", "0.5.17", "0.5.23"),
    "vllm-ascend": ("0.9.1", "0.11.0", "0.13.0", "0.18.0", "0.23.0.post1"),
}


def main() -> int:
    options = _options()
    differing = False
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.packages or Path(scratch)).resolve()
        for engine in ENGINES:
            if not options.engines or engine.name in options.engines:
                differing |= _rebuild(engine, folder, options.write)
    return 1 if differing and not options.write else 0


def _rebuild(engine: Engine, folder: Path, write: bool) -> bool:
    """Whether the bundled file differs from what the packages say."""
    releases: dict[str, Names] = {}
    for version in VERSIONS[engine.name]:
        names = read_names(DirectoryTree(_package(engine, version, folder)), engine)
        releases[version] = names
        print(f"{engine.name} {version}: {len(names.arguments)} arguments, {len(names.variables)} variables")
    text = _json(spans(releases).to_json())
    path = rules_folder() / "engines" / f"{engine.name}.json"
    same = path.is_file() and path.read_text(encoding="utf-8") == text
    if write and not same:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{engine.name}: {len(text)} bytes, {'the same' if same else 'differs'}")
    return not same


def _json(data: dict[str, object]) -> str:
    """JSON with a name a line."""
    parts = []
    for key, value in data.items():
        if isinstance(value, dict):
            rows = ",\n".join(f"    {json.dumps(name)}: {json.dumps(span)}" for name, span in value.items())
            parts.append(f"  {json.dumps(key)}: {{\n{rows}\n  }}")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _package(engine: Engine, version: str, folder: Path) -> Path:
    """The folder that holds the Python files of a release."""
    kept = folder / f"{engine.name}-{version}"
    if not kept.is_dir():
        with tempfile.TemporaryDirectory() as scratch:
            source = _downloaded(engine, version, Path(scratch))
            for path in source.rglob("*.py"):
                target = kept / engine.package / path.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    return kept


def _downloaded(engine: Engine, version: str, scratch: Path) -> Path:
    """The package's own folder in what pip downloads: a wheel of Python only, or a source distribution."""
    bare = scratch / "bare"
    venv.create(bare, with_pip=False)
    command = [sys.executable, "-m", "pip", "--python", str(bare / "bin" / "python"), "download", "--no-deps"]
    command += ["--quiet", "--dest", str(scratch / "wheels"), f"{engine.name}=={version}"]
    if engine.name == "sglang":
        subprocess.run([*command, "--only-binary", engine.name], check=True)
        wheel = next((scratch / "wheels").glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".py")]
            archive.extractall(scratch / "unpacked", names)
        return scratch / "unpacked" / engine.package
    # pip unpacks a source distribution and then finds no build tool; ``--no-clean`` leaves what it unpacked.
    work = scratch / "work"
    work.mkdir()
    subprocess.run(
        [*command, "--no-binary", engine.name, "--no-build-isolation", "--no-clean"],
        env={**os.environ, "TMPDIR": str(work)},
        check=False,
        capture_output=True,
    )
    marks = sorted(work.glob(f"pip-*/*/{engine.package}/envs.py"))
    if not marks:
        raise SystemExit(f"{engine.name} {version} has no source distribution that pip can get")
    return marks[0].parent


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engines", nargs="*")
    parser.add_argument("--packages", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
