"""Source trees as dicts of texts."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest

from reviewbot.tree import OverlayTree, Tree


@dataclass(frozen=True)
class NoFiles:
    def read(self, path: str) -> str | None:
        return None

    def files(self, under: str = "") -> Iterator[str]:
        return iter(())

    def is_dir(self, path: str) -> bool:
        return False


def tree_of(files: Mapping[str, str]) -> Tree:
    return OverlayTree(NoFiles(), {path: textwrap.dedent(text) for path, text in files.items()})


@pytest.fixture
def make_tree() -> Callable[[Mapping[str, str]], Tree]:
    return tree_of
