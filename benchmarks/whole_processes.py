"""Times whole processes, as ratios in one run.

    python benchmarks/whole_processes.py [--checkout DIR] [--rounds 7]

Prints the CPU seconds (user + system, the least of all rounds) of an empty Python and of a two-file diff check with
bundled knowledge; with a checkout of verl, also of all its recipes, and of shellcheck on the same files where it is
installed; and the peak memory of each.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    seconds: float
    megabytes: float


def measure(command: list[str], folder: Path, rounds: int) -> Cost:
    """The least CPU time and the largest peak memory of a command, in a child of its own each round."""
    seconds, peak = [], 0.0
    for _ in range(rounds):
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            os._exit(0)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.waitpid(child, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        peak = max(peak, after.ru_maxrss / 1024)
    return Cost(min(seconds), peak)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    tool = [sys.executable, "-I", "-m", "reviewbot"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        diff = _two_files(folder)
        empty = measure([sys.executable, "-c", "pass"], folder, options.rounds)
        check = measure([*tool, "check", "--diff", diff, "--verl", "0.9.1"], folder, options.rounds)
    print(f"empty Python          {empty.seconds:7.3f} s {empty.megabytes:6.0f} MB")
    ratio = check.seconds / empty.seconds
    print(
        f"two-file diff         {check.seconds:7.3f} s {check.megabytes:6.0f} MB  {ratio:.1f} x empty Python"
    )
    if options.checkout is None:
        return
    scripts = [path.as_posix() for path in sorted(options.checkout.rglob("*.sh"))]
    rounds = max(1, options.rounds // 3)
    everything = measure([*tool, "check", "--verl", "0.9.1"], options.checkout, rounds)
    print(f"all {len(scripts)} recipes       {everything.seconds:7.3f} s {everything.megabytes:6.0f} MB")
    if shutil.which("shellcheck"):
        other = measure(["shellcheck", *scripts], options.checkout, rounds)
        ratio = everything.seconds / other.seconds
        print(
            f"shellcheck            {other.seconds:7.3f} s {other.megabytes:6.0f} MB  ours is {ratio:.2f} of it"
        )


def _two_files(folder: Path) -> str:
    """Two new recipes and the diff that adds them; returns the name of the diff."""
    demo = Path(__file__).resolve().parent.parent / "demo" / "recipes"
    text = next(demo.glob("*.sh")).read_text(encoding="utf-8")
    lines = text.split("\n")[:-1]
    pieces = []
    for name in ("run_one.sh", "run_two.sh"):
        (folder / name).write_text(text, encoding="utf-8")
        body = "".join(f"+{line}\n" for line in lines)
        pieces.append(
            f"diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n+++ b/{name}\n"
            f"@@ -0,0 +1,{len(lines)} @@\n{body}"
        )
    (folder / "pr.diff").write_text("".join(pieces), encoding="utf-8")
    return "pr.diff"


if __name__ == "__main__":
    main()
