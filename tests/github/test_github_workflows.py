"""Which recipes the workflows of a repository run."""

from __future__ import annotations

import pytest

from reviewbot.github.workflows import Workflows
from reviewbot.tree import OverlayTree


class NoTree:
    def read(self, path: str) -> str | None:
        return None

    def files(self, under: str = "") -> list[str]:
        return []

    def is_dir(self, path: str) -> bool:
        return False


def run_none(path: str, files: dict[str, str]) -> bool:
    return Workflows(OverlayTree(NoTree(), files)).run_none(path)  # type: ignore[arg-type]


def workflow(run: str, **more: str) -> dict[str, str]:
    text = f"on:\n  push:\n    paths: ['examples/*.sh']\njobs:\n  a:\n    steps:\n      - run: |\n          {run}\n"
    return {".github/workflows/ci.yml": text, "examples/run.sh": "", **more}


@pytest.mark.parametrize(
    "run",
    [
        "bash examples/run.sh",
        "cd examples && ./run.sh --fast",
        "for f in examples/*.sh; do bash $f; done",
        "find . -name '*.sh' | xargs -n1 bash",
        'bash "$ROOT/examples/run.sh"',
        'bash "${ROOT}/run.sh"',
        "bash examples/$WHAT.sh",
    ],
)
def test_named_in_a_workflow(run: str) -> None:
    assert not run_none("examples/run.sh", workflow(run))


@pytest.mark.parametrize("run", ["bash examples/rerun.sh", "make test", "bash tests/*.sh", "echo examples"])
def test_not_named_in_any(run: str) -> None:
    assert run_none("examples/run.sh", workflow(run))


def test_named_in_a_script_that_a_workflow_calls() -> None:
    calls = workflow(
        "bash tests/all.sh",
        **{"tests/all.sh": "python3 tests/each.py\n", "tests/each.py": "run('examples/run.sh')\n"},
    )
    assert not run_none("examples/run.sh", calls)
    assert run_none("examples/other.sh", calls)


def test_named_in_an_action_of_the_repository() -> None:
    action = "runs:\n  using: composite\n  steps:\n    - run: bash examples/run.sh\n      shell: bash\n"
    files = workflow("true", **{".github/actions/e2e/action.yml": action})
    assert not run_none("examples/run.sh", files)


def test_without_workflows_nothing_is_said() -> None:
    assert not run_none("run.sh", {"run.sh": ""})


def test_what_is_no_yaml_is_read_as_text() -> None:
    assert not run_none("run.sh", {".github/workflows/ci.yml": "run: [bash run.sh\n"})


def test_too_much_to_read_is_no_claim() -> None:
    files = {f"tests/{number}/all.sh": "bash all.sh\n" for number in range(600)}
    assert not run_none("examples/run.sh", workflow("bash all.sh", **files))


@pytest.mark.parametrize(
    "text",
    [
        'x: !!bool "zz"\nrun: bash run.sh\n',
        'x: !!int ""\nrun: bash run.sh\n',
        'run: !!timestamp "bash run.sh"\n',
        "a: &a [bash run.sh]\nrun: *a\n",
        "a: &a {run: *a}\nb: {run: bash run.sh}\n",
    ],
)
def test_tags_and_aliases_are_only_text(text: str) -> None:
    assert not run_none("run.sh", {".github/workflows/ci.yml": text, "run.sh": ""})


def test_what_would_take_very_long_does_not() -> None:
    doubling = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    for text in (
        f"a0: &a0 [x]\n{doubling}run: *a11\n",
        f"run: {'a' * 400_000}\n",
        f"run: {'${' * 90_000}.sh\n",
    ):
        assert run_none("run.sh", {".github/workflows/ci.yml": text, "run.sh": ""})
