"""The files of a pull request, as the API gives them: in pages, without patches, renamed, too many."""

from __future__ import annotations

from loopback_github import LoopbackGitHub

from reviewbot.commands.inputs import is_recipe_name
from reviewbot.github.changes import Changes, read_changes
from reviewbot.github.client import Client


def changes(client: Client) -> Changes:
    return read_changes(client, client.pull(1), is_recipe_name, None)


def test_more_files_than_three_hundred(github: LoopbackGitHub, client: Client) -> None:
    before = {f"run_{number:03}.sh": "a=1\n" for number in range(320)}
    github.repository.open_pull(before, dict.fromkeys(before, "a=2\n"))
    found = changes(client)
    assert [recipe.path for recipe in found.recipes] == sorted(before)
    assert all(recipe.shown and recipe.source is not None for recipe in found.recipes[:100])


def test_patches_that_a_full_page_leaves_out(github: LoopbackGitHub, client: Client) -> None:
    github.repository.crowded_pages = 10
    before = {f"run_{number:02}.sh": "a=1\n" for number in range(30)}
    github.repository.open_pull(before, dict.fromkeys(before, "a=2\n"))
    assert all(recipe.shown for recipe in changes(client).recipes)


def test_a_patch_that_github_never_gives_is_worked_out(github: LoopbackGitHub, client: Client) -> None:
    github.repository.open_pull({"run.sh": "a=1\nb=1\n"}, {"run.sh": "a=1\nb=2\n"})
    github.repository.hidden_patches.add("run.sh")
    (recipe,) = changes(client).recipes
    assert not recipe.shown
    assert recipe.change is not None
    assert recipe.change.added_lines == {2}
    assert recipe.reviewed.change is None


def test_binary_and_other_files(github: LoopbackGitHub, client: Client) -> None:
    github.repository.open_pull(
        {"run.sh": "a=1\n", "verl/a.py": "A = 1\n", "gone.sh": "a=1\n", "image.png": "x"},
        {"run.sh": b"\0\1", "verl/a.py": "A = 2\n", "image.png": "y", "naïve run.sh": "a=1\n"},
    )
    found = changes(client)
    assert [(recipe.path, recipe.why) for recipe in found.recipes] == [
        ("naïve run.sh", ""),
        ("run.sh", "it is a binary file"),
    ]
    assert found.overlay["verl/a.py"] == "A = 2\n"
    assert found.overlay["gone.sh"] is None
    assert "image.png" not in found.overlay


def test_a_file_without_an_end_of_its_last_line(github: LoopbackGitHub, client: Client) -> None:
    github.repository.open_pull({"run.sh": "a=1\nb=1"}, {"run.sh": "a=1\nb=2"})
    (recipe,) = changes(client).recipes
    assert recipe.change is not None
    assert recipe.change.added_lines == {2}
