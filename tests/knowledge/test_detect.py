"""The release that a repository asks for, and the submodule that it brings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.knowledge.detect import LOCK_FILES, PROJECT_FILES, detect_release, submodules
from reviewbot.knowledge.store import open_knowledge_of
from reviewbot.tree import OverlayTree, Tree

MakeTree = Callable[[Mapping[str, str]], Tree]
BUNDLED = ("0.5.0", "0.6.0", "0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1")
CASES = yaml.safe_load((Path(__file__).with_name("detect.yaml")).read_text(encoding="utf-8"))
SUBMODULE = """
[submodule "flash"]
    path = third_party/flash
    url = https://github.com/x/flash.git
[submodule "verl"]
    path = third_party/verl
    url = git@github.com:someone/verl.git
"""
SOURCE = {
    "verl/version/version": "0.10.0.dev\n",
    "verl/trainer/main_ppo.py": """
        import hydra

        @hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
        def main(config):
            pass
        """,
    "verl/trainer/config/ppo_trainer.yaml": "defaults: [_self_]\nepochs: 1\n",
}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_is_asked_for(case: dict[str, Any], make_tree: MakeTree) -> None:
    found = detect_release(make_tree(case["files"]), "verl", BUNDLED)
    if "release" not in case:
        assert found is None
        return
    assert found is not None
    assert (found.asked.place, found.release) == (case["place"], case["release"])
    assert bool(found.problem) == (not case.get("exact", True))
    if found.problem:
        assert found.asked.place in found.problem
        assert found.release in found.problem


@given(
    st.text(max_size=80),
    st.sampled_from(["verl==", 'verl = "', "verl @ git+https://h/verl@", '"verl": {\n', "verl>="]),
)
def test_no_text_fails(text: str, start: str) -> None:
    class Nothing:
        def read(self, path: str) -> None:
            return None

        def files(self, under: str = "") -> Any:
            return iter(())

        def is_dir(self, path: str) -> bool:
            return False

    for path in (LOCK_FILES[0], PROJECT_FILES[0], "requirements.txt"):
        found = detect_release(OverlayTree(Nothing(), {path: start + text}), "verl", BUNDLED)
        assert found is None or found.release in BUNDLED


def test_the_report_says_where_a_release_was_named(make_tree: MakeTree) -> None:
    known = open_knowledge_of(make_tree({"requirements.txt": "verl==0.7.1\n"}), "here", version=None)
    assert (known.version, known.source) == ("0.7.1", "verl 0.7.1 (bundled, as requirements.txt:1 asks)")
    assert known.problems == ()


def test_what_is_settled_goes_first(make_tree: MakeTree) -> None:
    tree = make_tree({"requirements.txt": "verl==0.7.1\n"})
    assert open_knowledge_of(tree, "here", version="0.8.0").source == "verl 0.8.0 (bundled)"


def test_another_release_is_said(make_tree: MakeTree) -> None:
    known = open_knowledge_of(make_tree({"requirements.txt": "verl==0.7.5\n"}), "here", version=None)
    assert known.problems == (
        "requirements.txt:1 asks for verl ==0.7.5, which no bundled release is: the facts of 0.7.1 are used; "
        "for any other version give the source with --source",
    )


def test_a_submodule_that_is_there(make_tree: MakeTree) -> None:
    files = {f"third_party/verl/{path}": text for path, text in SOURCE.items()}
    tree = make_tree({".gitmodules": SUBMODULE, "requirements.txt": "verl==0.5.0\n", **files})
    known = open_knowledge_of(tree, "here", version=None)
    assert known.submodule
    assert known.source == "verl at third_party/verl (read from source)"
    entry = known.entry_point("verl.trainer.main_ppo")
    assert entry is not None
    assert known.base(entry, None, None, ()).tree == {"epochs": 1}  # type: ignore[union-attr]


def test_a_submodule_that_is_not_checked_out(make_tree: MakeTree) -> None:
    tree = make_tree({".gitmodules": SUBMODULE, "requirements.txt": "verl==0.5.0\n"})
    assert submodules(tree) == ("third_party/flash", "third_party/verl")
    assert open_knowledge_of(tree, "here", version=None).version == "0.5.0"


@pytest.mark.parametrize(
    "text",
    [
        '[submodule "v"]\npath = ../verl\nurl = https://h/verl\n',
        '[submodule "v"]\npath = /verl\n',
        "=",
    ],
)
def test_no_submodule(text: str, make_tree: MakeTree) -> None:
    assert submodules(make_tree({".gitmodules": text})) == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("environment.yml", f"- verl=={'9' * 5000}"),
        ("requirements.txt", f"verl=={'9' * 5000}"),
        ("pyproject.toml", f'verl = "^{"9" * 5000}"'),
        ("uv.lock", f'[[package]]\nname = "verl"\nversion = "{"9" * 5000}"'),
        ("setup.py", f"verl{' ' * 400_000}x"),
        ("setup.cfg", "git+" * 100_000),
    ],
)
def test_lines_beyond_all_measure(path: str, text: str, make_tree: MakeTree) -> None:
    found = detect_release(make_tree({path: text}), "verl", BUNDLED)
    assert found is None or found.problem
