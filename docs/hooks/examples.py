"""MkDocs hook: the outputs that the pages show are what the program prints while they are built.

Two kinds of examples: on a check's page the script under "Problematic code" and the report below it; on any page a
console block with one ``$ reviewbot …`` line and its output.  Commands run in the repository's root.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
RELEASE = "0.9.1"
"""The release of verl that the examples speak of."""
_CHECK_PAGE = re.compile(
    r"(## Problematic code\n\n```bash\n)(?P<script>.*?)"
    r"(```\n.*?## What reviewbot says\n\n```text\n)(?P<said>.*?)(```\n)",
    re.DOTALL,
)
_CONSOLE = re.compile(
    r"(?<=```console\n)(?P<prompt>\$ reviewbot (?P<command>[^\n]*)\n)(?!\$|```)(?P<said>.*?)(?=^```$)",
    re.DOTALL | re.MULTILINE,
)


def on_page_markdown(markdown: str, **_rest: Any) -> str:
    """MkDocs' event: the text of a page, with its outputs made again."""
    return with_outputs(markdown)


def with_outputs(markdown: str) -> str:
    """The text of a page with the outputs of its examples replaced by what the program prints now.

    Raises RuntimeError where an example is wrong usage or fails.
    """
    markdown = _CHECK_PAGE.sub(lambda found: _rejoined(found, _report(found["script"])), markdown)
    return _CONSOLE.sub(lambda found: found["prompt"] + _run(shlex.split(found["command"])), markdown)


def _rejoined(found: re.Match[str], said: str) -> str:
    return f"{found[1]}{found['script']}{found[3]}{said}{found[5]}"


def _report(script: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "run.sh").write_text(script, encoding="utf-8")
        return _run(["check", "run.sh", "--min-severity", "low", "--verl", RELEASE], folder)


def _run(arguments: list[str], folder: Path | str = ROOT) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "reviewbot", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"reviewbot {shlex.join(arguments)}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":  # writes the outputs into the pages that are named
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(with_outputs(page.read_text(encoding="utf-8")), encoding="utf-8")
