"""The pages and READMEs: they build without a warning, their links resolve, and what they say is so."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import jsonschema
import pytest
import yaml

from reviewbot.checks.registry import CHECKS
from reviewbot.errors import ConfigurationError
from reviewbot.knowledge.rules import FIELDS, parse_rules
from reviewbot.knowledge.rules_schema import rules_schema

HERE = Path(__file__).parent.parent
DOCS = HERE / "docs"
sys.path.insert(0, str(DOCS / "hooks"))

from examples import with_outputs  # noqa: E402

PAGES = sorted(DOCS.rglob("*.md"))
READMES = [HERE / "README.md", HERE / "README.zh.md"]


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            if name == "id" and value is not None:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=HERE,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_link_of_the_built_pages_resolves(site: Path) -> None:
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert len(pages) > len(PAGES)  # and the page for what is not there
    checked = 0
    for path, page in pages.items():
        for link in page.links:
            if path.name == "404.html" or re.match(r"[a-z]+:", link):
                continue
            place, anchor = urldefrag(unquote(link))
            target = path.parent / place if place else path
            target = target / "index.html" if target.is_dir() else target
            assert target.is_file(), f"{path}: {link}"
            if anchor and anchor not in ("__skip", "__top"):
                assert anchor in pages[target.resolve()].anchors, f"{path}: {link}"
            checked += 1
    assert checked > 500


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|img|link|iframe)[^>]+(?:src|href)="(https?:[^"]+)"', path.read_text()
        )
        assert not loaded, path


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_every_link_of_a_readme_resolves(readme: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", readme.read_text(encoding="utf-8"))
    assert len(links) > 15
    for link in links:
        assert link.startswith("https://") or (HERE / link).is_file(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_outputs_are_what_the_program_prints(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert with_outputs(text) == text


def test_an_output_is_made_again() -> None:
    said = (DOCS / "checks" / "overwritten.md").read_text(encoding="utf-8")
    assert with_outputs(said.replace("1 finding (1 high)", "2 findings (2 high)")) == said
    asked = (DOCS / "quickstart.md").read_text(encoding="utf-8")
    assert with_outputs(asked.replace("Releases", "Versions")) == asked


def commands(text: str) -> list[str]:
    """The commands and the code of a page, without the comments."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [re.split(r"\s+#", line)[0] for block in blocks for line in block.splitlines()]


def test_the_readmes_agree() -> None:
    english, chinese = (readme.read_text(encoding="utf-8") for readme in READMES)
    assert commands(english) == commands(chinese)
    assert re.findall(r"\]\((docs/[^)]+)\)", english) == re.findall(r"\]\((docs/[^)]+)\)", chinese)
    assert "(README.zh.md)" in english
    assert "(README.md)" in chinese


@pytest.mark.parametrize("page", [*READMES, DOCS / "index.md"], ids=lambda path: path.name)
def test_every_check_is_named(page: Path) -> None:
    named = re.findall(r"^\| \[`?([a-z-]+)`?\]\(\S+\)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(check.id for check in CHECKS)


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_the_readme_holds_the_example_workflow(readme: Path) -> None:
    workflow = (DOCS / "workflows" / "review.yml").read_text(encoding="utf-8")
    assert f"```yaml\n{workflow}```\n" in readme.read_text(encoding="utf-8")


def test_the_page_of_the_action_has_its_inputs_and_outputs() -> None:
    action = yaml.safe_load((HERE / "action.yml").read_text(encoding="utf-8"))
    page = (DOCS / "action.md").read_text(encoding="utf-8")
    for kind in ("inputs", "outputs"):
        rows = "".join(f"| `{name}` | {item['description']} |\n" for name, item in action[kind].items())
        assert f"| {kind[:-1]} | says |\n|---|---|\n{rows}\n" in page


def example_rules() -> str:
    page = (DOCS / "writing-rules.md").read_text(encoding="utf-8")
    found = re.search(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_of_a_rule_passes_its_examples(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(example_rules(), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-m", "reviewbot", "rules", "test", "--rules", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "1 rule, 2 examples, 0 failing\n"), done.stderr


def test_the_page_about_rules_names_every_field() -> None:
    page = (DOCS / "writing-rules.md").read_text(encoding="utf-8")
    fields = page.partition("## Fields")[2].partition("## Effects")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", fields, re.MULTILINE)) == set(FIELDS)


SCHEMA = json.loads(rules_schema())


def test_the_schema_of_rules_is_the_published_one() -> None:
    assert (DOCS / "schema" / "rules-v1.schema.json").read_text(encoding="utf-8") == rules_schema()


@pytest.mark.parametrize("path", sorted((HERE / "rules" / "verl").glob("*.yaml")), ids=lambda path: path.name)
def test_bundled_rules_are_valid(path: Path) -> None:
    jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), SCHEMA)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("effect: ignored", "effect: overlooked"),
        ("basis: policy", "basis: taste"),
        ("severity: high", "severity: grave"),
        ("  key:", "  keys:"),
        ("    set:", "    sets:"),
        ("    bad:", "    worse:"),
        ("- id:", "- name:"),
        ('bad: ["trainer.n_gpus_per_node=16"]', "bad: trainer.n_gpus_per_node=16"),
    ],
)
def test_schema_and_loader_refuse_alike(before: str, after: str) -> None:
    text = example_rules()
    assert before in text
    wrong = text.replace(before, after)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(wrong), SCHEMA)
    with pytest.raises(ConfigurationError):
        list(parse_rules(wrong, "ours.yaml"))
