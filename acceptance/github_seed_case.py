"""The seed case on the loopback GitHub: one inline comment, and its suggestion applied as GitHub applies it.

    python acceptance/github_seed_case.py BEFORE AFTER

BEFORE and AFTER are checkouts of verl at the parent of d43594c54 and at that commit.  Checks that the review posts one
comment on the line of the flag whose suggestion deletes it, and that the script with the suggestion applied gets no
finding.  Exit code 1 where anything differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "github"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from loopback_description import description
from loopback_github import LoopbackGitHub

from reviewbot.commands.inputs import is_recipe_name
from reviewbot.github.client import Client
from reviewbot.github.publish import Options, publish
from reviewbot.github.reviewing import Place, review_pull
from reviewbot.github.transport import Pace, Transport
from reviewbot.settings.model import Settings

SCRIPT = "verl/experimental/fully_async_policy/shell/dapo_30b_a3b_math_fsdp_npu.sh"
FLAG = "enable_expert_parallel=True"


def main() -> int:
    before, after = (_tree(Path(folder)) for folder in sys.argv[1:3])
    with LoopbackGitHub(description()) as github:
        pull = github.repository.open_pull(before, after)
        client = Client(Transport("bot-token", github.url, Pace(between_writes=0)), github.repository.name)
        _review(client)
        for thread in pull.threads:
            print(f"{thread.path}:{thread.start_line}-{thread.line}\n{thread.comments[0].body}\n")
        if [thread.path for thread in pull.threads] != [SCRIPT]:
            print("FAIL: not one comment on the script")
            return 1
        (thread,) = pull.threads
        lines = after[SCRIPT].decode().splitlines(keepends=True)
        right = thread.start_line == thread.line and FLAG in lines[thread.line - 1]
        deletes = "```suggestion\n```" in thread.comments[0].body
        del lines[thread.start_line - 1 : thread.line]
        github.repository.push(pull, {**after, SCRIPT: "".join(lines)})
        _review(client)
        gone = thread.comments[0].hidden == "RESOLVED" and len(pull.threads) == 1
        print(f"on the flag's line: {right}; deletes it: {deletes}; applied, nothing is left: {gone}")
        print(f"requests: {len(github.log)}; against the description: {github.problems or 'all right'}")
        return 0 if right and deletes and gone and not github.problems else 1


def _review(client: Client) -> None:
    pull = client.pull(1)
    done = review_pull(client, pull, is_recipe_name, Settings(), Place("https://github.com", None, "", ""))
    outcome = publish(client, pull, done.story, done.files, done.refresh, Options())
    print(f"findings {len(done.review.findings)}, posted {len(outcome.posted)}, trouble {outcome.trouble}")


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts
    }


if __name__ == "__main__":
    raise SystemExit(main())
