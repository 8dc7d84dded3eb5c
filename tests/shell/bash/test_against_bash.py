"""reviewbot gives the arguments and the environment that real bash gives, on the project's own scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bash_compare import Comparison, Counts, compare, launches_under_bash
from bash_recorder import Given, Recorder

from reviewbot.shell.script import read_script
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree

RECIPES = Path(__file__).parents[2] / "recipes"
GIVEN = {"undeclared-environment.sh": Given({"DATA_ROOT": "/somewhere"})}
"""What a script is given that reviewbot is not told."""

READ_AS_MEANT = "windows-line-ends.sh"
"""Bash keeps carriage returns in words.  reviewbot reads such a file as its author meant it, and reports ``crlf``."""


@pytest.fixture(scope="module", params=["good", "bad"])
def comparisons(request: pytest.FixtureRequest) -> Iterator[dict[str, Comparison]]:
    folder = RECIPES / request.param
    recorder = Recorder(folder, sandboxed=False)
    scripts = sorted(path.name for path in folder.glob("*.sh"))
    meant = {READ_AS_MEANT} if request.param == "bad" else set()
    yield {script: compared(recorder, folder, script) for script in scripts if script not in meant}
    recorder.close()


def compared(recorder: Recorder, folder: Path, script: str) -> Comparison:
    given = GIVEN.get(script, Given())
    text = (folder / script).read_bytes().decode()
    tree = DirectoryTree(folder)
    result = read_script(SourceText(script, text), env=recorder.declared, read=tree.read)
    return compare(result, recorder.run(script, given), given, recorder.declared)


def test_nothing_known_is_wrong(comparisons: dict[str, Comparison]) -> None:
    wrong = [f"{name}: {line}" for name, comparison in comparisons.items() for line in comparison.wrong]
    assert wrong == []


def test_little_is_unknown(comparisons: dict[str, Comparison]) -> None:
    total = Counts()
    for comparison in comparisons.values():
        total += comparison.counts
    unknown = [f"{name}: {line}" for name, comparison in comparisons.items() for line in comparison.unknown]
    assert total.words > 200
    assert total.unknown_other <= total.words / 100, unknown
    assert total.equal + total.unknown_env + total.unknown_other == total.words


def test_windows_line_ends_are_read_as_meant_but_reported() -> None:
    text = (RECIPES / "bad" / READ_AS_MEANT).read_bytes().decode()
    result = read_script(SourceText(READ_AS_MEANT, text))
    plain = read_script(SourceText(READ_AS_MEANT, text.replace("\r\n", "\n")))
    assert [problem.kind for problem in result.problems] == ["crlf"]
    assert [[word.text for word in launch.argv] for launch in result.launches] == [
        [word.text for word in launch.argv] for launch in plain.launches
    ]


def test_every_good_recipe_names_its_idiom_and_launches() -> None:
    recorder = Recorder(RECIPES / "good", sandboxed=False)
    scripts = sorted((RECIPES / "good").glob("*.sh"))
    assert len(scripts) >= 60
    for path in scripts:
        head = path.read_text(encoding="utf-8").split("\n")[:5]
        assert any(line.startswith("# idiom: ") for line in head), path.name
        assert launches_under_bash(recorder.run(path.name, GIVEN.get(path.name, Given()))), path.name
    recorder.close()
