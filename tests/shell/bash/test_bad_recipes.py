"""What ``tests/recipes/bad/expected.yaml`` says about each script is what bash does, and what reviewbot reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from bash_compare import launches_under_bash
from bash_recorder import Recorder

from reviewbot.shell.script import read_script
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree

BAD = Path(__file__).parents[2] / "recipes" / "bad"
GOOD = BAD.parent / "good"
EXPECTED: dict[str, dict[str, Any]] = yaml.safe_load((BAD / "expected.yaml").read_text())
KINDS = {
    *("blank-after-continuation", "comment-after-continuation", "space-after-backslash", "missing-backslash"),
    *("unset-variable", "split-word", "syntax", "crlf"),
}


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    recorder = Recorder(BAD, sandboxed=False)
    yield recorder
    recorder.close()


def test_every_script_has_its_entry() -> None:
    assert sorted(EXPECTED) == sorted(path.name for path in BAD.glob("*.sh"))
    assert len(EXPECTED) >= 25


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_bash_does_what_is_written_down(recorder: Recorder, name: str) -> None:
    entry = EXPECTED[name]
    assert entry["kind"] in KINDS
    assert 3 <= entry["line"] <= len((BAD / name).read_text().split("\n"))
    run = recorder.run(name)
    launches = launches_under_bash(run)
    bash = entry["bash"]
    assert len(launches) == bash["launches"]
    assert [list(record.argv) for record in run.records if record.lost] == bash.get("lost", [])
    assert bash.get("error", "") in run.errors
    for launch in launches:
        assert _neighbours(bash.get("words", []), launch.inner.argv)
        assert bash.get("last", launch.inner.argv[-1]) == launch.inner.argv[-1]


def _neighbours(words: list[str], argv: tuple[str, ...]) -> bool:
    size = len(words)
    return any(list(argv[start : start + size]) == words for start in range(len(argv) - size + 1))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_reviewbot_reports_it(name: str) -> None:
    entry = EXPECTED[name]
    result = read_script(SourceText(name, (BAD / name).read_bytes().decode()), env={})
    found = [(problem.kind, problem.span.line) for problem in result.problems]
    assert (entry["kind"], entry["line"]) in found


@pytest.mark.parametrize("path", sorted(GOOD.glob("*.sh")), ids=lambda path: path.name)
def test_reviewbot_finds_nothing_in_a_good_recipe(path: Path) -> None:
    tree = DirectoryTree(GOOD)
    result = read_script(SourceText(path.name, path.read_bytes().decode()), env={}, read=tree.read)
    assert (result.problems, result.partly) == ((), "")
