"""Reads mutated scripts: nothing may crash, hang or grow, and nothing may be refused that bash accepts.

    python acceptance/mutate_scripts.py DIR COUNT [--seed N] [--bash] [--keep DIR]

Takes the ``.sh`` files below DIR, changes them at random (characters, lines, brackets, line ends, sizes) and reads
COUNT of them.  With ``--bash`` each is also given to ``bash -n``, which runs nothing: where reviewbot reports a
problem of kind ``syntax`` that bash does not see, or the other way round, that is counted.  Prints figures; exits 1
when a script raised, took more than 2 s, needed more than 500 MB, or was refused though bash accepts it.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from reviewbot.shell.script import read_script
from reviewbot.text import SourceText

MAX_SECONDS = 2.0
MAX_MEGABYTES = 500
TOKENS = (
    *(
        "'",
        '"',
        "`",
        "\\",
        "\\\n",
        "\n",
        "\n\n",
        " ",
        "\t",
        "\r\n",
        "#",
        ";",
        ";;",
        "&",
        "&&",
        "||",
        "|",
        "|&",
    ),
    *(
        "$",
        "${",
        "$(",
        "$((",
        "$[",
        "}",
        ")",
        "))",
        "(",
        "{",
        "[",
        "]",
        "[[",
        "]]",
        "((",
        "<<EOF\n",
        "<<<",
        "<(",
        ">",
    ),
    *(
        "if ",
        "then ",
        "fi\n",
        "for x in ",
        "do ",
        "done\n",
        "while ",
        "case x in ",
        "esac\n",
        "function f ",
        "f() ",
    ),
    *(
        "a=(",
        "a+=",
        "${a[@]}",
        "${a:-",
        "${!a}",
        "${#a}",
        "${a//x/y}",
        "$@",
        "$*",
        "{1..9}",
        "{a,b}",
        "~",
        "*",
        "?",
    ),
    *(
        "export ",
        "local ",
        "declare -A ",
        "eval ",
        "source x\n",
        "exit 1\n",
        "set -eu\n",
        "\x00",
        "é",
        "模",
        "\ufeff",
    ),
)


@dataclass
class Figures:
    """What came of the scripts."""

    read: int = 0
    crashed: int = 0
    slow: int = 0
    slowest: float = 0.0
    refused_wrongly: int = 0
    accepted_wrongly: int = 0
    launches: int = 0
    failures: list[str] = field(default_factory=list)


def mutated(random_: random.Random, text: str) -> str:
    """The text with one to eight changes."""
    for _ in range(random_.choice((1, 1, 1, 2, 3, 8))):
        text = random_.choice(_CHANGES)(random_, text)
    return text[:1_000_000]


def _insert(random_: random.Random, text: str) -> str:
    at = random_.randint(0, len(text))
    return text[:at] + random_.choice(TOKENS) + text[at:]


def _delete(random_: random.Random, text: str) -> str:
    at = random_.randint(0, len(text))
    return text[:at] + text[at + random_.choice((1, 1, 2, 10, 200)) :]


def _delete_token(random_: random.Random, text: str) -> str:
    token = random_.choice(TOKENS)
    places = [at for at in range(len(text)) if text.startswith(token, at)] if len(text) < 50_000 else []
    at = random_.choice(places) if places else 0
    return text[:at] + text[at + len(token) :] if places else text


def _repeat(random_: random.Random, text: str) -> str:
    at = random_.randint(0, len(text))
    piece = text[at : at + random_.choice((1, 3, 30, 300))]
    return text[:at] + piece * random_.choice((2, 2, 10, 200)) + text[at:]


def _repeat_token(random_: random.Random, text: str) -> str:
    at = random_.randint(0, len(text))
    return text[:at] + random_.choice(TOKENS) * random_.choice((2, 10, 100, 5000)) + text[at:]


def _swap_lines(random_: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        first, second = random_.randrange(len(lines)), random_.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
    return "".join(lines)


def _truncate(random_: random.Random, text: str) -> str:
    return text[: random_.randint(0, len(text))]


def _line_ends(random_: random.Random, text: str) -> str:
    return text.replace("\n", "\r\n") if random_.random() < 0.3 else text


_CHANGES = (
    _insert,
    _insert,
    _insert,
    _delete,
    _delete_token,
    _repeat,
    _repeat_token,
    _swap_lines,
    _truncate,
    _line_ends,
)


def check(name: str, text: str, figures: Figures, *, bash: bool) -> None:
    """Reads one script."""
    source = SourceText(name, text)
    started = time.process_time()
    try:
        result = read_script(source)
        for launch in result.launches:
            for word in launch.argv:
                if word.span.path == name:
                    source.cut(word.span)
    except Exception:  # any exception at all is what this looks for
        figures.crashed += 1
        figures.failures.append(f"{name}: {traceback.format_exc(limit=-3)}")
        return
    seconds = time.process_time() - started
    figures.read += 1
    figures.launches += len(result.launches)
    figures.slowest = max(figures.slowest, seconds)
    if seconds > MAX_SECONDS:
        figures.slow += 1
        figures.failures.append(f"{name}: {seconds:.1f} s")
    if bash and "\x00" not in text and "\r" not in text:
        refused = any(problem.kind == "syntax" for problem in result.problems)
        run = subprocess.run(
            ["bash", "-n"], input=text.encode(), capture_output=True, check=False, timeout=60
        )
        said = [line for line in run.stderr.decode(errors="replace").splitlines() if "warning" not in line]
        if refused and run.returncode == 0 and not said:
            figures.refused_wrongly += 1
            figures.failures.append(f"{name}: refused, though bash accepts it: {result.problems}")
        elif not refused and run.returncode and not result.partly:
            figures.accepted_wrongly += 1
            figures.failures.append(f"{name}: bash refuses it: {' '.join(said)[:200]}")


def main() -> int:
    """Reads the scripts; the exit code."""
    parser = argparse.ArgumentParser(description="Read mutated scripts.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bash", action="store_true", help="compare with bash -n")
    parser.add_argument("--keep", type=Path, help="write the scripts that failed here")
    options = parser.parse_args()
    texts = [text for path in sorted(options.folder.glob("**/*.sh")) if (text := _text(path)) is not None]
    figures = Figures()
    for number in range(options.count):
        random_ = random.Random(options.seed * 1_000_003 + number)
        text = mutated(random_, random_.choice(texts))
        failures = len(figures.failures)
        check(f"{number}.sh", text, figures, bash=options.bash)
        if len(figures.failures) > failures:
            print(figures.failures[-1], flush=True)
            if options.keep is not None:
                (options.keep / f"{number}.sh").write_bytes(text.encode())
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{figures.read} read, {figures.launches} launches, {figures.crashed} crashed, {figures.slow} slow, "
        f"slowest {figures.slowest:.2f} s, {megabytes} MB; refused wrongly {figures.refused_wrongly}, "
        f"accepted wrongly {figures.accepted_wrongly}"
    )
    return int(bool(figures.crashed or figures.slow or figures.refused_wrongly or megabytes > MAX_MEGABYTES))


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None


if __name__ == "__main__":
    sys.exit(main())
