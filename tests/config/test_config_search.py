from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hydra_reference import FILES, word, write_files

from reviewbot.config.arguments import sort_arguments
from reviewbot.config.model import Arguments, Refusal
from reviewbot.config.search import locate, packages_of, search_path
from reviewbot.tree import DirectoryTree


@dataclass(frozen=True)
class Entry:
    path: str = "pkg/trainer/main.py"
    config_dir: str = "pkg/trainer/config"
    config_name: str = "main"


def arguments(*texts: str) -> Arguments:
    return sort_arguments([word(text) for text in texts])


@pytest.mark.parametrize(
    ("texts", "where"),
    [
        ([], ("pkg/trainer/config", "main")),
        (["--config-name=other.yaml"], ("pkg/trainer/config", "other")),
        (["--config-path=config"], ("pkg/trainer/config", "main")),
        (["--config-path=./config"], ("pkg/trainer/config", "main")),
        (["--config-path", "../more/conf", "-cn", "x"], ("pkg/more/conf", "x")),
        (["--config-path=$PWD/examples/conf"], ("examples/conf", "main")),
        (["--config-path=."], ("pkg/trainer", "main")),
        (["--config-path=pkg://shared"], ("shared", "main")),
    ],
)
def test_where_a_commands_config_is(tmp_path: Path, texts: list[str], where: tuple[str, str]) -> None:
    write_files(tmp_path, FILES)
    packages = packages_of(DirectoryTree(tmp_path))
    assert locate(Entry(), arguments(*texts), packages) == where


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("--config-path=/abs/config", "outside-tree"),
        ("--config-path=../../../up", "outside-tree"),
        ("--config-path=pkg://nowhere.conf", "outside-tree"),
        ("--config-path=$PWD/../up", "outside-tree"),
        ("--config-path=config/main.yaml", "no-such-config"),
    ],
)
def test_paths_that_cannot_be(tmp_path: Path, text: str, kind: str) -> None:
    refusal = locate(Entry(), arguments(text), packages_of(DirectoryTree(tmp_path)))
    assert isinstance(refusal, Refusal)
    assert refusal.kind == kind
    assert text.partition("=")[2] in refusal.message


def test_a_name_that_is_not_known() -> None:
    refusal = locate(Entry(), Arguments((), unknown_config=True))
    assert isinstance(refusal, Refusal)
    assert refusal.kind == "unknown"


@pytest.mark.parametrize(
    ("entries", "folders"),
    [
        ("[pkg://shared]", ["shared"]),
        ("['pkg://more/conf', pkg://more.conf]", ["more/conf", "more/conf"]),
        ("['file://more/conf', shared, ./shared]", ["more/conf", "shared", "shared"]),
        ("[]", []),
        ("null", []),
    ],
)
def test_entries_are_mapped_to_folders(tmp_path: Path, entries: str, folders: list[str]) -> None:
    write_files(tmp_path, FILES)
    write_files(tmp_path, {"conf/own.yaml": f"hydra:\n  searchpath: {entries}\n"})
    tree = DirectoryTree(tmp_path)
    assert search_path(tree, "conf", "own", packages_of(tree)) == folders
    assert (
        search_path(tree, "conf", "main", packages_of(tree), ("a=1", f"hydra.searchpath={entries}"))
        == folders
    )


def test_the_commands_search_path_replaces_the_files(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    tree = DirectoryTree(tmp_path)
    assert search_path(tree, "conf", "searching.yaml", packages_of(tree)) == ["shared", "more/conf"]
    assert search_path(tree, "conf", "searching", packages_of(tree), ("hydra.searchpath=[shared]",)) == [
        "shared"
    ]
    assert search_path(tree, "conf", "none", packages_of(tree)) == []


@pytest.mark.parametrize(
    "text", ["hydra: {searchpath: shared}\n", "hydra: {searchpath: [1]}\n", "hydra: {searchpath: [\n"]
)
def test_a_search_path_of_another_shape(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {"conf/own.yaml": text})
    tree = DirectoryTree(tmp_path)
    refusal = search_path(tree, "conf", "own", packages_of(tree))
    assert isinstance(refusal, Refusal)
    assert refusal.kind == "compose"
