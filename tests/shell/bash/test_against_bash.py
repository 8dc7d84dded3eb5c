"""reviewbot gives the arguments and the environment that real bash gives, on the project's own scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bash_compare import Comparison, Counts, compare
from bash_recorder import Given, Recorder

from reviewbot.shell.script import read_script
from reviewbot.text import SourceText
from reviewbot.tree import DirectoryTree

RECIPES = Path(__file__).parents[2] / "recipes"
GIVEN = {"undeclared-environment.sh": Given({"DATA_ROOT": "/somewhere"})}
"""What a script is given that reviewbot is not told."""


@pytest.fixture(scope="module", params=["good", "bad"])
def comparisons(request: pytest.FixtureRequest) -> Iterator[dict[str, Comparison]]:
    folder = RECIPES / request.param
    recorder = Recorder(folder, sandboxed=False)
    yield {path.name: compared(recorder, folder, path.name) for path in sorted(folder.glob("*.sh"))}
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


def test_every_good_recipe_names_its_idiom_and_launches() -> None:
    recorder = Recorder(RECIPES / "good", sandboxed=False)
    scripts = sorted((RECIPES / "good").glob("*.sh"))
    assert len(scripts) >= 60
    for path in scripts:
        assert "# idiom: " in path.read_text(), path.name
    recorder.close()
