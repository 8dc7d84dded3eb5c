"""What is shipped beside the program: the action, the example workflows, the image's recipe, each by its own linter."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / "docs" / "workflows").glob("*.yml"))


def passes(tool: str, *arguments: str) -> None:
    done = subprocess.run(
        [str(TOOLS / tool), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_action_is_valid() -> None:
    passes("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_are_valid(workflow: Path) -> None:
    passes("check-jsonschema", "--builtin-schema", "vendor.github-workflows", str(workflow))


def test_the_workflow_of_the_readme_is_valid(tmp_path: Path) -> None:
    blocks = re.findall(
        r"^```ya?ml\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S
    )
    workflows = [block for block in blocks if "jobs:" in block]
    assert workflows
    for number, block in enumerate(workflows):
        file = tmp_path / f"{number}.yml"
        file.write_text(block, encoding="utf-8")
        passes("check-jsonschema", "--builtin-schema", "vendor.github-workflows", str(file))


def test_the_action_and_the_workflows_are_safe() -> None:
    passes("zizmor", "--offline", "--no-progress", "action.yml", *map(str, WORKFLOWS))


def test_the_image_is_linted() -> None:
    passes("hadolint", "Dockerfile")


def test_the_image_copies_what_the_package_is_made_of() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = project.partition("[tool.hatch.build.targets.wheel.force-include]\n")[2].partition("\n[")[0]
    wanted = {line.split('"')[1] for line in section.splitlines() if line.strip()}
    copied = set(re.findall(r"^COPY ([\w/]+) ", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.M))
    allowed = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines()}
    assert wanted
    assert wanted | {"reviewbot", "requirements"} <= copied & allowed
