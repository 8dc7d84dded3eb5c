"""Compares reviewbot with real bash on folders of scripts: the work of ``acceptance/compare_bash.py``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml
from bash_compare import Comparison, Counts, compare
from bash_needs import run_with_needs
from bash_recorder import Given, Recorder

from reviewbot.shell.script import read_script
from reviewbot.text import SourceText, decode
from reviewbot.tree import DirectoryTree


def check_sandbox() -> None:
    """Run a script that tries to get out of the sandbox; raise RuntimeError where it could."""
    probe = Path(__file__).parent / "recorder"
    recorder = Recorder(probe, sandboxed=True)
    try:
        run = recorder.run("probe.sh")
    finally:
        recorder.close()
    words = [
        word for record in run.records if record.argv[1:3] == ("-m", "probe") for word in record.argv[3:]
    ]
    if not words or any(not word.endswith("=no") for word in words):
        raise RuntimeError(f"the sandbox does not hold: {words or run.errors}")


def read_table(path: Path) -> dict[str, Given]:
    """What scripts are given."""
    entries = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    return {
        script: Given(
            {name: str(value) for name, value in entry.get("env", {}).items()},
            tuple(map(str, entry.get("arguments", ()))),
            entry.get("prints", {}),
        )
        for script, entry in entries.items()
    }


def compare_folder(folder: Path, table: Mapping[str, Given], *, only: str, verbose: bool) -> Counts:
    """Compare the scripts below a folder, and print what is wrong with each."""
    total = Counts()
    recorder = Recorder(folder, sandboxed=True)
    try:
        for path in sorted(folder.rglob("*.sh")):
            script = path.relative_to(folder).as_posix()
            if only in script and path.is_file():
                comparison = compare_script(recorder, folder, script, table.get(script, Given()))
                total += comparison.counts
                lines = [f"WRONG {line}" for line in comparison.wrong]
                lines += [f"unknown {line}" for line in comparison.unknown if verbose]
                for line in lines:
                    print(f"  {script}: {line}")
    finally:
        recorder.close()
    return total


def compare_script(recorder: Recorder, folder: Path, script: str, given: Given) -> Comparison:
    """Run one script, read it, and compare."""
    text = decode((folder / script).read_bytes())
    if text is None:
        return Comparison()
    run, given = run_with_needs(recorder, script, given)
    told = {**given.env, **recorder.declared}
    tree = DirectoryTree(folder)
    source = SourceText(script, text)
    result = read_script(source, env=told, read=tree.read, arguments=given.arguments or None)
    return compare(result, run, given, recorder.declared)
