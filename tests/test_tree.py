from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.tree import MAX_FILE_BYTES, DirectoryTree, OverlayTree, Tree, normal


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ""),
        (".", ""),
        ("a", "a"),
        ("a/b", "a/b"),
        ("./a//b/.", "a/b"),
        ("a/../b", "b"),
        ("a/..", ""),
        ("..", None),
        ("a/../..", None),
        ("a/../../a", None),
        ("/a", None),
        ("//a", None),
        ("a\0b", None),
        ("...", "..."),
        ("a\\..\\b", "a\\..\\b"),
    ],
)
def test_normal_paths(path: str, expected: str | None) -> None:
    assert normal(path) == expected


@given(st.lists(st.sampled_from(["a", "b", "..", ".", "", "..."]), max_size=8).map("/".join))
def test_a_normal_path_stays_inside_and_is_normal(path: str) -> None:
    result = normal(path)
    if result is not None:
        assert ".." not in result.split("/")
        assert normal(result) == result
        assert os.path.normpath("/top/" + path).startswith("/top")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    write(root / "a.sh", "a\n")
    write(root / "sub" / "b.sh", "b\r\n")
    write(root / "sub" / "deep" / "é 中.yaml", "c")
    write(root / "sub.txt", "x")
    write(root / ".git" / "config", "token")
    write(tmp_path / "outside" / "secret", "secret")
    write(tmp_path / "root-beside" / "secret", "secret")
    (root / "empty" / "deeper").mkdir(parents=True)
    return root


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def test_files_and_their_texts(root: Path) -> None:
    tree = DirectoryTree(root)
    assert list(tree.files()) == ["a.sh", "sub.txt", "sub/b.sh", "sub/deep/é 中.yaml"]
    assert list(tree.files("sub")) == ["sub/b.sh", "sub/deep/é 中.yaml"]
    assert list(tree.files("./sub/deep/..")) == ["sub/b.sh", "sub/deep/é 中.yaml"]
    assert [tree.read(path) for path in tree.files()] == ["a\n", "x", "b\r\n", "c"]
    assert tree.read("sub/../a.sh") == "a\n"


def test_a_relative_root_is_the_same_tree(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.parent)
    tree = DirectoryTree(Path("root"))
    assert list(tree.files()) == list(DirectoryTree(root).files())
    assert tree.read("a.sh") == "a\n"
    assert tree.locate("sub/b.sh") == root / "sub" / "b.sh"


def test_a_root_that_is_itself_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    tree = DirectoryTree(tmp_path / "link")
    assert tree.read("sub/b.sh") == "b\r\n"
    assert list(tree.files("sub")) == ["sub/b.sh", "sub/deep/é 中.yaml"]


def test_folders(root: Path) -> None:
    tree = DirectoryTree(root)
    assert all(tree.is_dir(path) for path in ("", ".", "sub", "sub/deep", "sub/deep/"))
    assert not any(tree.is_dir(path) for path in ("a.sh", "none", "empty", ".git", "..", "/"))


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret",
        "sub/../../outside/secret",
        "../root-beside/secret",
        "none",
        "none/none",
        "a.sh/none",
        "sub",
        "",
        ".git/config",
        ".GIT/config",
        "sub/../.git/config",
        "a\0.sh",
        "x" * 5000,
        "x/" * 5000 + "y",
        "\ud800",
        "\udcff.sh",
    ],
)
def test_what_is_not_there(root: Path, path: str) -> None:
    tree = DirectoryTree(root)
    assert tree.read(path) is None
    assert path in ("", "sub") or list(tree.files(path)) == []
    assert path in ("", "sub") or not tree.is_dir(path)


def test_absolute_paths_do_not_exist(root: Path) -> None:
    tree = DirectoryTree(root)
    path = str(root / "a.sh")
    assert (tree.read(path), tree.locate(path), list(tree.files(str(root))), tree.is_dir(str(root))) == (
        None,
        None,
        [],
        False,
    )


LINKS: list[tuple[str, Callable[[Path], Path | str]]] = [
    ("file outside", lambda root: root.parent / "outside" / "secret"),
    ("file outside, relative", lambda root: "../outside/secret"),
    ("file beside with the same start", lambda root: "../root-beside/secret"),
    ("git's file", lambda root: ".git/config"),
    ("nothing", lambda root: "none"),
    ("itself", lambda root: "link"),
    ("the root of the disk", lambda root: "/etc/passwd"),
]


@pytest.mark.parametrize("target", [target for _, target in LINKS], ids=[name for name, _ in LINKS])
def test_links_to_files_that_do_not_exist_for_the_tree(
    root: Path, target: Callable[[Path], Path | str]
) -> None:
    (root / "link").symlink_to(target(root))
    tree = DirectoryTree(root)
    assert tree.read("link") is None
    assert "link" not in list(tree.files())


def test_links_to_folders_outside(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "outside")
    (root / "up").symlink_to("..")
    (root / "own").symlink_to(".git")
    tree = DirectoryTree(root)
    for path in ("link/secret", "up/outside/secret", "up/root/.git/config", "own/config"):
        assert (tree.read(path), tree.locate(path)) == (None, None)
    for path in ("link", "up", "own"):
        assert (list(tree.files(path)), tree.is_dir(path)) == ([], False)
    assert list(tree.files()) == ["a.sh", "sub.txt", "sub/b.sh", "sub/deep/é 中.yaml"]


def test_links_inside_the_tree_are_followed_but_not_walked(root: Path) -> None:
    (root / "link.sh").symlink_to("sub/b.sh")
    (root / "folder").symlink_to("sub")
    tree = DirectoryTree(root)
    assert tree.read("link.sh") == "b\r\n"
    assert tree.read("folder/b.sh") == "b\r\n"
    assert tree.locate("folder/b.sh") == root / "sub" / "b.sh"
    assert list(tree.files()) == ["a.sh", "link.sh", "sub.txt", "sub/b.sh", "sub/deep/é 中.yaml"]
    assert list(tree.files("folder")) == ["folder/b.sh", "folder/deep/é 中.yaml"]


def test_files_too_large_and_not_text(root: Path) -> None:
    (root / "large").write_bytes(b"a" * (MAX_FILE_BYTES + 1))
    (root / "just").write_bytes(b"a" * MAX_FILE_BYTES)
    (root / "latin").write_bytes(b"\xe9")
    (root / "mark").write_bytes(b"\xef\xbb\xbfa")
    tree = DirectoryTree(root)
    assert tree.read("large") is None
    assert tree.read("just") == "a" * MAX_FILE_BYTES
    assert tree.read("latin") is None
    assert tree.read("mark") == "\ufeffa"
    assert {"large", "just", "latin", "mark"} <= set(tree.files()), "they are files all the same"


def test_pipes_are_no_files_and_do_not_block(root: Path) -> None:
    os.mkfifo(root / "pipe")
    tree = DirectoryTree(root)
    assert tree.read("pipe") is None
    assert "pipe" not in list(tree.files())


def test_names_that_are_not_utf_8(root: Path) -> None:
    name = os.fsdecode(b"\xff.sh")
    (root / name).write_bytes(b"x")
    tree = DirectoryTree(root)
    assert tree.read(name) == "x"
    assert name in list(tree.files())


def overlay(root: Path) -> Tree:
    changes = {"a.sh": "A\n", "sub/deep/é 中.yaml": None, "new/n.sh": "N", "gone/g.sh": None, "sub/c.sh": "C"}
    return OverlayTree(DirectoryTree(root), changes)


def test_an_overlay_replaces_adds_and_removes(root: Path) -> None:
    tree = overlay(root)
    assert list(tree.files()) == ["a.sh", "new/n.sh", "sub.txt", "sub/b.sh", "sub/c.sh"]
    assert list(tree.files("sub/")) == ["sub/b.sh", "sub/c.sh"]
    assert list(tree.files("sub/deep")) == []
    assert [tree.read(path) for path in ("a.sh", "./a.sh", "sub/b.sh", "new/n.sh")] == [
        "A\n",
        "A\n",
        "b\r\n",
        "N",
    ]
    assert [tree.read(path) for path in ("sub/deep/é 中.yaml", "gone/g.sh", "none", "../a.sh", "/a.sh")] == [
        None
    ] * 5
    assert list(tree.files("..")) == []


def test_folders_of_an_overlay(root: Path) -> None:
    tree = overlay(root)
    assert all(tree.is_dir(path) for path in ("", "sub", "new"))
    assert not any(tree.is_dir(path) for path in ("sub/deep", "gone", "empty", "a.sh", "ne", "..", "none"))


def test_an_overlay_of_an_overlay(root: Path) -> None:
    tree = OverlayTree(overlay(root), {"a.sh": None, "sub/deep/é 中.yaml": "back"})
    assert tree.read("a.sh") is None
    assert list(tree.files()) == ["new/n.sh", "sub.txt", "sub/b.sh", "sub/c.sh", "sub/deep/é 中.yaml"]
    assert tree.is_dir("sub/deep")
