"""The program from outside: what it prints where, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from program import BAD, GOOD, reviewbot


def added(name: str, text: str) -> str:
    lines = text.split("\n")[:-1]
    body = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n+++ b/{name}\n"
        f"@@ -0,0 +1,{len(lines)} @@\n{body}"
    )


CHANGED = """\
diff --git a/run.sh b/run.sh
--- a/run.sh
+++ b/run.sh
@@ -1,3 +1,3 @@
 python3 -m verl.trainer.main_ppo \\
     actor_rollout_ref.rollout.name=vllm \\
-    trainer.nnodes=1
+    +trainer.nnodes=2
"""


def test_a_file_with_a_finding(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    done = reviewbot(tmp_path, "check", "run.sh")
    assert done.code == 1
    assert "run.sh" in done.out
    assert "3:5 high: wrong-prefix" in done.out
    assert "     3 |     +trainer.nnodes=2\n       |     ^^^^^^^^^^^^^^^^^\n" in done.out
    assert "      -    +trainer.nnodes=2\n      +    trainer.nnodes=2\n" in done.out
    assert "1 finding (1 high) in 1 recipe reviewed against verl" in done.out
    assert "\x1b" not in done.out
    assert not done.err


def test_a_clean_file(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(GOOD)
    done = reviewbot(tmp_path, "check", "run.sh")
    assert done.code == 0
    assert done.out.startswith("No findings: 1 recipe reviewed against verl")


@pytest.mark.parametrize(("level", "code"), [("none", 0), ("low", 1), ("medium", 1), ("high", 1)])
def test_fail_level(tmp_path: Path, level: str, code: int) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    assert reviewbot(tmp_path, "check", "run.sh", "--fail-level", level).code == code


def test_low_findings_are_shown_on_request(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(GOOD.replace("trainer.nnodes=2", "trainer.nnodes=2 trainer.nnodes=2"))
    assert reviewbot(tmp_path, "check", "run.sh").code == 0
    shown = reviewbot(tmp_path, "check", "run.sh", "--min-severity", "low")
    assert shown.code == 1
    assert "low: shadowed" in shown.out
    failing = reviewbot(tmp_path, "check", "run.sh", "--fail-level", "low")
    assert failing.code == 1
    assert "low: shadowed" in failing.out


def test_a_diff_with_the_file_at_hand(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    for arguments, stdin in ((("--diff", "pr.diff"), b""), (("--diff", "-"), CHANGED.encode())):
        (tmp_path / "pr.diff").write_text(CHANGED)
        done = reviewbot(tmp_path, "check", "--format", "json", *arguments, stdin=stdin)
        report = json.loads(done.out)
        assert [file["status"] for file in report["files"]] == ["reviewed"]
        (finding,) = report["findings"]
        assert (finding["check"], finding["line"], finding["in_diff"]) == ("wrong-prefix", 3, True)
        assert finding["fix"]["edits"] == [
            {"path": "run.sh", "start_line": 3, "end_line": 3, "text": "    trainer.nnodes=2\n"}
        ]


def test_a_diff_reports_only_what_it_changed(tmp_path: Path) -> None:
    text = BAD.replace("vllm", "sglang")
    (tmp_path / "run.sh").write_text(text)
    diff = (
        CHANGED.replace("vllm", "sglang")
        .replace(
            " python3 -m verl.trainer.main_ppo \\\n",
            "-python3  -m verl.trainer.main_ppo \\\n+python3 -m verl.trainer.main_ppo \\\n",
        )
        .replace("-    trainer.nnodes=1\n+    +trainer.nnodes=2\n", "     +trainer.nnodes=2\n")
    )
    (tmp_path / "pr.diff").write_text(diff)
    assert reviewbot(tmp_path, "check", "--diff", "pr.diff").code == 0
    assert reviewbot(tmp_path, "check", "--diff", "pr.diff", "--all-lines").code == 1


def test_a_change_to_a_variable_counts(tmp_path: Path) -> None:
    launch = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +trainer.nnodes=$nodes\n"
    script = f"nodes=2\nkey=+trainer.nnodes\n{launch}"
    (tmp_path / "run.sh").write_text(script)
    (tmp_path / "pr.diff").write_text(
        "--- a/run.sh\n+++ b/run.sh\n@@ -1,2 +1,2 @@\n-nodes=1\n+nodes=2\n key=+trainer.nnodes\n"
    )
    assert reviewbot(tmp_path, "check", "--diff", "pr.diff").code == 1


def test_a_file_at_hand_that_is_another_one(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(GOOD)
    (tmp_path / "pr.diff").write_text(CHANGED)
    done = reviewbot(tmp_path, "check", "--diff", "pr.diff", "--format", "json")
    (file,) = json.loads(done.out)["files"]
    assert file["status"] == "partly"
    assert "line 3 of the file at hand differs from the diff" in file["why"]


def test_an_added_file_is_known_whole_from_its_diff(tmp_path: Path) -> None:
    (tmp_path / "pr.diff").write_text(added("run.sh", BAD))
    done = reviewbot(tmp_path, "check", "--diff", "pr.diff")
    assert done.code == 1
    assert "wrong-prefix" in done.out


def test_hunks_alone_speak_of_what_holds_in_any_case(tmp_path: Path) -> None:
    key = "actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel"
    (tmp_path / "pr.diff").write_text(
        f"--- a/run.sh\n+++ b/run.sh\n@@ -10,2 +10,3 @@\n     a.b=1 \\\n+    +{key}=True \\\n     c.d=2 \\\n"
    )
    at_09 = reviewbot(tmp_path, "check", "--diff", "pr.diff", "--verl", "0.9.1")
    assert "11:5 medium: overwritten" in at_09.out
    assert "partly reviewed: only the lines of the diff are known" in at_09.out
    assert reviewbot(tmp_path, "check", "--diff", "pr.diff", "--verl", "0.7.1").code == 0


def test_a_repository_is_reviewed_against_its_base(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )

    git("init", "-b", "main")
    (tmp_path / "run.sh").write_text(GOOD)
    (tmp_path / "other.sh").write_text(BAD)
    git("add", ".")
    git("commit", "-m", "one")
    (tmp_path / "run.sh").write_text(BAD)
    done = reviewbot(tmp_path, "check", "--base", "main", "--format", "json")
    assert [finding["path"] for finding in json.loads(done.out)["findings"]] == ["run.sh"]
    everything = reviewbot(tmp_path, "check", "--format", "json")
    assert [finding["path"] for finding in json.loads(everything.out)["findings"]] == ["other.sh", "run.sh"]
    unknown = reviewbot(tmp_path, "check", "--base", "nowhere")
    assert unknown.code == 2
    assert "nowhere" in unknown.err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("check", "--diff", "empty.diff"), 0, "the diff is empty: nothing to review"),
        (("check", "--diff", "docs.diff"), 0, "the diff touches no recipe"),
        (("check", "--diff", "missing.diff"), 2, "missing.diff: the diff cannot be read"),
        (("check", "--diff", "garbage.diff"), 2, "garbage.diff: line 1:"),
        (("check", "missing.sh"), 2, "missing.sh: there is no such file or folder"),
        (("check", "binary.sh"), 2, "binary.sh: is a binary file"),
        (("check", "latin1.sh"), 2, "latin1.sh: is not UTF-8"),
        (("check", "run.sh", "--verl", "0.9.7"), 2, "0.9.7"),
        (("check", "run.sh", "--source", "."), 2, "verl"),
        (("check", "run.sh", "--source", "nowhere"), 2, "nowhere"),
        (("check", "run.sh", "--source", ".", "--verl", "0.9.1"), 2, "--source and --verl"),
        (("check", "run.sh", "--env", "1=2"), 2, "--env 1=2"),
        (("check", "run.sh", "--output", "no/such/folder"), 2, "no/such/folder"),
        (("check", "empty"), 0, "no recipe"),
        (("show", "missing.sh"), 2, "missing.sh"),
        (("show", "binary.sh"), 2, "binary.sh"),
        (("rules", "extract", "--source", ".", "--version", "1.0"), 2, "verl"),
    ],
)
def test_bad_input_gets_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "run.sh").write_text(GOOD)
    (tmp_path / "binary.sh").write_bytes(b"\x7fELF\0\0\1")
    (tmp_path / "latin1.sh").write_bytes(b"# caf\xe9\n")
    (tmp_path / "empty.diff").write_bytes(b"")
    (tmp_path / "docs.diff").write_text(added("README.md", "hello\n"))
    (tmp_path / "garbage.diff").write_text("this is no diff\n")
    done = reviewbot(tmp_path, *arguments)
    assert done.code == code, done.err
    assert done.err.startswith("reviewbot: ")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_wrong_options(tmp_path: Path) -> None:
    done = reviewbot(tmp_path, "check", "--no-such-option")
    assert done.code == 2
    assert "--no-such-option" in done.err


def test_a_binary_file_in_a_diff_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "pr.diff").write_text(
        "diff --git a/run.sh b/run.sh\nindex 1234567..89abcde 100644\nBinary files a/run.sh and b/run.sh differ\n"
    )
    done = reviewbot(tmp_path, "check", "--diff", "pr.diff")
    assert done.code == 0
    assert "skipped" in done.out


def test_nothing_of_the_reviewed_folder_is_imported_or_read_from_the_environment(tmp_path: Path) -> None:
    trap = "from pathlib import Path\nPath(__file__).with_suffix('.ran').write_text('')\n"
    for name in ("yaml.py", "sitecustomize.py", "hydra.py", "tree_sitter.py", "unidiff.py", "omegaconf.py"):
        (tmp_path / name).write_text(trap)
    (tmp_path / "hydra_plugins").mkdir()
    (tmp_path / "hydra_plugins" / "evil.py").write_text(trap)
    (tmp_path / "run.sh").write_text(
        "touch ran\n$(touch ran)\npython3 -m verl.trainer.main_ppo --config-path=pkg://evil"
        " actor_rollout_ref.rollout.name=$BACKEND 'trainer.nnodes=${oc.env:NODES}'\n"
    )
    done = reviewbot(tmp_path, "check", "run.sh", env={"BACKEND": "secret-backend", "NODES": "secret-nodes"})
    assert done.code in (0, 1)
    assert "secret" not in done.out + done.err
    assert not list(tmp_path.rglob("*.ran"))
    assert not (tmp_path / "ran").exists()


def test_control_characters_of_a_script_are_inert(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD.replace("nnodes=2", "nnodes=2\x1b[31m\u202e"))
    done = reviewbot(tmp_path, "check", "run.sh", "--min-severity", "low")
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(BAD)
    with subprocess.Popen(
        [sys.executable, "-m", "reviewbot", "check", "run.sh"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_show(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("export A=1\nn=${N:-2}\n" + GOOD.replace("nodes=2", "nodes=${n}"))
    text = reviewbot(tmp_path, "show", "run.sh")
    assert text.code == 0
    assert "trainer.nnodes=2" in text.out
    assert "unless the environment says otherwise; from n (line 2)" in text.out
    report = json.loads(reviewbot(tmp_path, "show", "run.sh", "--format", "json").out)
    (launch,) = report["launches"]
    assert launch["entry_point"] == "verl.trainer.main_ppo"
    assert launch["env"] == {"A": "1"}
    assert launch["argv"][:3] == ["python3", "-m", "verl.trainer.main_ppo"]
    assert launch["overrides"][1] == {
        "op": "",
        "key": "trainer.nnodes",
        "value": "2",
        "known": "default",
        "path": "run.sh",
        "line": 5,
        "end_line": 5,
        "column": 5,
        "end_column": 24,
        "fed_by": [{"name": "n", "line": 2}],
    }
    declared = json.loads(reviewbot(tmp_path, "show", "run.sh", "--format", "json", "--env", "N=4").out)
    assert declared["launches"][0]["overrides"][1]["value"] == "4"


def test_version(tmp_path: Path) -> None:
    assert reviewbot(tmp_path, "--version").out.startswith("reviewbot ")


def test_show_names_what_replaces_an_override_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(
        "python3 -m verl.trainer.main_ppo trainer.nnodes=1 trainer.logger=console trainer.nnodes=2\n"
    )
    done = reviewbot(tmp_path, "show", "run.sh")
    assert "trainer.nnodes=1   # replaced on line 1: 2\n" in done.out
    assert done.out.count("replaced") == 1


def test_the_release_that_the_repository_asks_for(tmp_path: Path) -> None:
    (tmp_path / "run_it.sh").write_text(GOOD)
    (tmp_path / "requirements.txt").write_text("verl==0.7.5\n")
    done = reviewbot(tmp_path, "check")
    assert "against verl 0.7.1 (bundled; not what requirements.txt:1 asks for)" in done.out
    assert "requirements.txt:1 asks for verl ==0.7.5, which no bundled release is" in done.err
    assert "requirements.txt" not in reviewbot(tmp_path, "check", "--verl", "0.9.1").out
