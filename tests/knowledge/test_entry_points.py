"""Entry points, as modules define them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from reviewbot.knowledge.entry_points import read_entry_points
from reviewbot.knowledge.verl import VERL
from reviewbot.tree import Tree

MakeTree = Callable[[Mapping[str, str]], Tree]


@pytest.mark.parametrize(
    ("path", "decorator", "expected"),
    [
        ("verl/a.py", "@hydra.main(config_path='config', config_name='x')", ("verl.a", "verl/config", "x")),
        ("verl/b/c.py", "@hydra.main('../cfg', 'x.yaml')", ("verl.b.c", "verl/cfg", "x")),
        ("verl/b/__main__.py", "@hydra.main(config_path='.', config_name='x')", ("verl.b", "verl/b", "x")),
        ("verl/a.py", "@hydra.main(config_name='x')", ("verl.a", "verl", "x")),
        ("verl/a.py", "@hydra.main(config_path='/etc', config_name='x')", None),
        ("verl/a.py", "@hydra.main(config_path='../../..', config_name='x')", None),
        ("verl/a.py", "@hydra.main(config_path=FOLDER, config_name='x')", None),
        ("verl/a.py", "@hydra.main()", None),
        ("verl/a.py", "@other  # hydra.main", None),
        ("outside/a.py", "@hydra.main(config_path='config', config_name='x')", None),
    ],
)
def test_decorators(
    make_tree: MakeTree, path: str, decorator: str, expected: tuple[str, str, str] | None
) -> None:
    found = read_entry_points(
        make_tree({path: f"import hydra\n\n\n{decorator}\ndef main(config):\n    pass\n"}), VERL
    )
    if expected is None:
        assert found == ()
    else:
        (entry,) = found
        assert (entry.module, entry.config_dir, entry.config_name) == expected
        assert (entry.path, entry.line) == (path, 4)


def test_sorted_by_module(make_tree: MakeTree) -> None:
    text = "if True:\n    @hydra.main(config_path='c', config_name='x')\n    def main(config): ...\n"
    found = read_entry_points(
        make_tree({"verl/z.py": text, "verl/a/b.py": text, "verl/broken.py": "@hydra.main("}), VERL
    )
    assert [entry.module for entry in found] == ["verl.a.b", "verl.z"]
