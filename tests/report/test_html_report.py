"""The HTML report: what is in it, and how it behaves in a browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from reviewbot.checks.model import Severity
from reviewbot.knowledge.store import open_knowledge
from reviewbot.report.html_report import html_report
from reviewbot.report.model import Review
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText

KNOWLEDGE = open_knowledge(source=None, source_name="", version="0.9.1")
START = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "
SCRIPTS = {
    "a/one.sh": START + "+trainer.nnodes=2\n",
    "b/two.sh": START
    + "\\\n    trainer.balance_batch=False \\\n    trainer.total_epochs=2 trainer.total_epochs=3\n",
    "b/clean.sh": START + "actor_rollout_ref.rollout.gpu_memory_utilization=0.5\n",
}
HOSTILE = {
    "x/</script><script>alert(1)</script>.sh": START
    + "'trainer.project_name=\"<img src=x onerror=alert(2)>\"' \\\n"
    + "    'trainer.experiment_name=\"</script><!--\u202e\x1b[31m\"' trainer.balance_batch=False\n",
}


def report(scripts: dict[str, str]) -> str:
    reviewer = Reviewer(KNOWLEDGE, min_severity=Severity.LOW)
    files = tuple(reviewer.whole(SourceText(path, text)) for path, text in scripts.items())
    return html_report(Review("verl", "0.9.1", KNOWLEDGE.source, KNOWLEDGE.origin, files), KNOWLEDGE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = next(filter(None, map(shutil.which, names)), None)
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=options)
        yield started
        started.close()


@pytest.fixture
def said() -> list[str]:
    """What pages wrote on their console, and their errors."""
    return []


@pytest.fixture
def opened(browser: Browser, tmp_path: Path, said: list[str]) -> Iterator[Page]:
    (tmp_path / "report.html").write_text(report(SCRIPTS), encoding="utf-8")
    yield from page_of(browser, tmp_path / "report.html", said)


def page_of(browser: Browser, file: Path, said: list[str]) -> Iterator[Page]:
    page = browser.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append("a dialog"))
    page.on("request", lambda request: None if request.url == file.as_uri() else said.append(request.url))
    page.goto(file.as_uri())
    yield page
    page.close()


def shown(page: Page) -> list[str]:
    return [
        str(item.get_attribute("data-path"))
        for item in page.query_selector_all("article")
        if item.is_visible()
    ]


def test_the_page_needs_nothing_else() -> None:
    text = report(SCRIPTS)
    assert not re.search(r"""(?:src|href)=["'](?!#)""", text)
    assert "default-src 'none'" in text
    assert text.count("<article ") == 3
    assert "against verl 0.9.1 (bundled)" in text


def test_views_and_filters(opened: Page, said: list[str]) -> None:
    page = opened
    assert sorted(shown(page)) == ["a/one.sh", "b/two.sh", "b/two.sh"]
    assert page.inner_text("#shown") == "3 of 3 shown"
    assert [item.inner_text() for item in page.query_selector_all("h2")] == [
        "wrong-prefix 1",
        "shadowed 1",
        "ignored 1",
    ]
    page.click("#tab-recipe")
    headings = [item.inner_text() for item in page.query_selector_all("h2") if item.is_visible()]
    assert headings == ["a/one.sh 1", "b/two.sh 2"]
    page.click("button[data-severity=high]")
    assert shown(page) == ["b/two.sh"]
    page.click("button[data-severity=high]")
    page.select_option("#check", "ignored")
    assert page.inner_text("#shown") == "1 of 3 shown"
    page.select_option("#check", "")
    page.fill("#text", "one.SH")
    assert shown(page) == ["a/one.sh"]
    page.fill("#text", "no such text")
    assert page.is_visible("#none")
    page.fill("#text", "")
    page.click("#tab-check")
    assert len(shown(page)) == 3
    page.click("article details summary >> nth=0")
    assert page.is_visible("pre .removed")
    assert said == []


def test_the_effective_config(opened: Page, said: list[str]) -> None:
    page = opened
    page.click("#tab-effective")
    page.select_option("#recipe", label="b/two.sh")
    rows = {text.split("\t")[0]: text for text in page.locator("tbody tr").all_inner_texts()}
    assert rows["trainer.balance_batch"].split("\t")[1:] == ["False", "2", "no: ignored"]
    assert rows["trainer.total_epochs"].split("\t")[1:3] == ["3", "3"]
    page.select_option("#recipe", label="b/clean.sh")
    page.fill("#text", "gpu_memory")
    (row,) = page.query_selector_all("tbody tr")
    assert row.inner_text().endswith("yes: gpu_memory_utilization")
    assert said == []


def test_the_keyboard_is_enough(opened: Page, said: list[str]) -> None:
    page = opened
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("/")
    page.keyboard.type("two")
    assert shown(page) == ["b/two.sh", "b/two.sh"]
    page.focus("#tab-check")
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#tab-recipe", "aria-selected") == "true"
    page.keyboard.press("ArrowRight")
    assert page.is_visible("#effective")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.get_attribute("button[data-severity=high]", "aria-pressed") == "false"
    assert said == []


def test_light_and_dark(opened: Page) -> None:
    page = opened

    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page.emulate_media(color_scheme="light")
    light = paper()
    page.emulate_media(color_scheme="dark")
    dark = paper()
    assert light != dark
    page.click("#theme")
    assert paper() == light
    page.click("#theme")
    assert paper() == dark


def test_what_a_pull_request_wrote_stays_text(browser: Browser, tmp_path: Path, said: list[str]) -> None:
    text = report(HOSTILE)
    assert "\u202e" not in text
    assert "\x1b" not in text
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    for page in page_of(browser, tmp_path / "report.html", said):
        assert page.query_selector_all("img") == []
        assert len(page.query_selector_all("script")) == 2
        assert set(shown(page)) == set(HOSTILE)
        page.click("#tab-recipe")
        page.click("#tab-effective")
        assert "<img src=x onerror=alert(2)>" in page.inner_text("tbody")
        assert page.query_selector_all("img") == []
    assert said == []


def test_without_its_script_all_findings_are_there(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(report(SCRIPTS), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert len(shown(page)) == 3
    assert not page.is_visible(".bar")
    context.close()
