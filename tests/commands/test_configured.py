"""``check`` with a configuration, with suppressions and with a baseline, from outside."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from program import BAD, GOOD, reviewbot

TWO = BAD + "\n" + BAD.replace("trainer.nnodes=2", "trainer.total_epochs=2")
CONFIG = ".github/reviewbot.yml"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def found(folder: Path, *arguments: str) -> list[tuple[str, str]]:
    done = reviewbot(folder, "check", "--format", "json", *arguments)
    return [(item["path"], item["check"]) for item in json.loads(done.out)["findings"]]


@pytest.mark.parametrize(
    ("config", "code", "said"),
    [
        ("paths: ['*.job']\n", 0, "1 recipe reviewed"),
        ("exclude: [run.sh]\n", 0, "nothing to review"),
        ("exclude: [a/]\n", 1, "2 recipes reviewed"),
        ("framework-version: '0.8.0'\n", 1, "against verl 0.8.0 (bundled)"),
        ("min-severity: high\n", 1, "high: wrong-prefix"),
        ("fail-level: none\n", 0, "high: wrong-prefix"),
        ("checks: {wrong-prefix: {enabled: false}}\n", 0, "No findings"),
        ("checks: {wrong-prefix: {severity: low}}\n", 0, "No findings"),
        ("checks: {wrong-prefix: {severity: medium}}\n", 1, "medium: wrong-prefix"),
    ],
)
def test_settings(tmp_path: Path, config: str, code: int, said: str) -> None:
    write(tmp_path, {CONFIG: config, "run.sh": BAD, "run.job": GOOD, "a/b.txt": BAD})
    if "a/" in config:
        write(tmp_path, {"a/run.sh": BAD, "two.sh": GOOD})
    done = reviewbot(tmp_path, "check")
    assert (done.code, said in done.out + done.err) == (code, True), done.out + done.err


def test_declared_variables_and_engines(tmp_path: Path) -> None:
    script = "export VLLM_USE_V1=0\n" + GOOD.replace("trainer.nnodes=2", '"${PLUS}trainer.nnodes=2"')
    write(tmp_path, {CONFIG: "env: {PLUS: '+'}\nengines: {vllm: '0.18.0'}\n", "run.sh": script})
    assert found(tmp_path) == [("run.sh", "environment"), ("run.sh", "wrong-prefix")]
    assert found(tmp_path, "--env", "PLUS=", "--engine", "vllm=0.9.0") == []
    shown = reviewbot(tmp_path, "show", "run.sh")
    assert "+trainer.nnodes=2" in shown.out


RULE = """
- id: house-rule
  key: trainer.total_epochs
  effect: ignored
  basis: policy
  severity: medium
  message: "{setting} is for the scheduler to say."
  fix: {remove: true}
  examples:
    bad: [trainer.total_epochs=3]
    good: [trainer.nnodes=3]
"""


def test_rules_of_the_repository(tmp_path: Path) -> None:
    script = GOOD.replace("trainer.nnodes=2", "trainer.total_epochs=3")
    write(tmp_path, {CONFIG: "rules: [own]\n", "own/house.yaml": RULE, "run.sh": script})
    done = reviewbot(tmp_path, "check", "--format", "json")
    (finding,) = json.loads(done.out)["findings"]
    assert (finding["rule"], finding["line"]) == ("house-rule", 3)
    assert finding["message"].startswith("`trainer.total_epochs=3` is for the scheduler to say.")
    assert "the owners of the repository want it so" in reviewbot(tmp_path, "explain", "house-rule").out
    assert reviewbot(tmp_path, "rules", "test", "--rules", "own").code == 0
    write(tmp_path, {"own/house.yaml": RULE.replace("effect: ignored", "effect: ignord")})
    wrong = reviewbot(tmp_path, "check")
    assert wrong.code == 2
    assert (
        wrong.err == "reviewbot: own/house.yaml:4: 'ignord' is none of the choices; did you mean 'ignored'?\n"
    )
    write(tmp_path, {"own/house.yaml": RULE.replace("house-rule", "balance-batch-off")})
    assert "there is a bundled rule balance-batch-off already" in reviewbot(tmp_path, "check").err
    write(tmp_path, {CONFIG: "rules: [none]\n"})
    assert "the folder none does not exist" in reviewbot(tmp_path, "check").err


def test_a_wrong_configuration(tmp_path: Path) -> None:
    write(tmp_path, {CONFIG: "\nfail-levl: high\n", "run.sh": BAD})
    for command in (["check"], ["show", "run.sh"], ["explain", "ignored"]):
        done = reviewbot(tmp_path, *command)
        assert (done.code, done.out) == (2, "")
        assert done.err == f"reviewbot: {CONFIG}:2: unknown setting 'fail-levl'; did you mean fail-level?\n"
    write(tmp_path, {"other.yml": "fail-level: none\n"})
    assert reviewbot(tmp_path, "check", "--config", "other.yml").code == 0
    missing = reviewbot(tmp_path, "check", "--config", "gone.yml")
    assert (missing.code, "gone.yml: the configuration cannot be read" in missing.err) == (2, True)
    write(tmp_path, {"reviewbot.yml": "fail-level: none\n"})
    assert "There are two configurations" in reviewbot(tmp_path, "check").err
    (tmp_path / CONFIG).write_bytes(b"\xff\xfe")
    assert "the configuration is not UTF-8 text" in reviewbot(tmp_path, "check").err


def test_suppressions_are_counted(tmp_path: Path) -> None:
    write(tmp_path, {"run.sh": "# reviewbot: ignore[wrong-prefix] so be it\n" + BAD})
    done = reviewbot(tmp_path, "check", "run.sh")
    assert (done.code, done.out.strip().endswith("; 1 suppressed.")) == (0, True), done.out
    summary = json.loads(reviewbot(tmp_path, "check", "--format", "json").out)["summary"]
    assert (summary["findings"], summary["suppressed"], summary["baseline"]) == (0, 1, 0)


def test_a_diff_that_takes_a_suppression_away_brings_the_finding(tmp_path: Path) -> None:
    diff = (
        "diff --git a/run.sh b/run.sh\n--- a/run.sh\n+++ b/run.sh\n@@ -1,4 +1,3 @@\n"
        "-# reviewbot: ignore[wrong-prefix] so be it\n" + "".join(f" {line}\n" for line in BAD.splitlines())
    )
    write(tmp_path, {"run.sh": BAD, "pr.diff": diff})
    assert found(tmp_path, "--diff", "pr.diff") == [("run.sh", "wrong-prefix")]


def test_an_unused_suppression_is_fixed(tmp_path: Path) -> None:
    write(tmp_path, {"run.sh": "# reviewbot: ignore[wrong-prefix] so be it\n" + GOOD})
    assert reviewbot(tmp_path, "check", "--fix").code == 0
    assert (tmp_path / "run.sh").read_text() == GOOD


def test_a_baseline_is_written_used_and_shrunk(tmp_path: Path) -> None:
    write(tmp_path, {"run.sh": TWO, "other.sh": BAD})
    written = reviewbot(tmp_path, "check", "--write-baseline", "known.json")
    assert (written.code, written.err) == (0, "reviewbot: known.json: the baseline holds 3 findings\n")
    first = (tmp_path / "known.json").read_text()
    used = reviewbot(tmp_path, "check", "--baseline", "known.json")
    assert (used.code, used.err) == (0, "")
    assert used.out.strip().endswith("; 3 in the baseline.")
    # moved lines are known, new findings are not
    write(
        tmp_path,
        {
            "run.sh": "echo hello\n\n"
            + TWO.replace("rollout.name=vllm", "rollout.name=vllm +data.shuffle=True")
        },
    )
    new = json.loads(reviewbot(tmp_path, "check", "--baseline", "known.json", "--format", "json").out)
    assert {item["key"] for item in new["findings"]} == {"data.shuffle"}
    assert new["summary"]["baseline"] == 3
    # what is gone is said, and taken out; what is new does not come in
    write(
        tmp_path,
        {
            "run.sh": TWO.replace("+trainer.nnodes", "trainer.nnodes")
            + "\n"
            + BAD.replace("trainer.nnodes", "data.shuffle")
        },
    )
    gone = reviewbot(tmp_path, "check", "--baseline", "known.json")
    assert "known.json: 1 finding of the baseline no longer found" in gone.err
    shrunk = reviewbot(tmp_path, "check", "--baseline", "known.json", "--write-baseline", "known.json")
    assert shrunk.code == 1
    second = (tmp_path / "known.json").read_text()
    assert len(json.loads(second)["findings"]) == 2
    assert set(second.splitlines()) - set(first.splitlines()) <= {
        line.rstrip(",") for line in first.splitlines()
    }
    # a file that is not reviewed keeps its entries, one that is deleted loses them
    reviewbot(tmp_path, "check", "run.sh", "--baseline", "known.json", "--write-baseline", "known.json")
    assert (tmp_path / "known.json").read_text() == second
    (tmp_path / "other.sh").unlink()
    reviewbot(tmp_path, "check", "run.sh", "--baseline", "known.json", "--write-baseline", "known.json")
    assert [item["path"] for item in json.loads((tmp_path / "known.json").read_text())["findings"]] == [
        "run.sh"
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "the baseline cannot be read"),
        ("{", "the baseline is not JSON; make it again with --write-baseline"),
        ("[" * 100_000, "the baseline is not JSON"),
        ('{"version": 2}', "it is no baseline of version 1"),
        ('{"version": 1, "findings": [{"path": "a"}]}', "entry 1 of the baseline lacks one of fingerprint"),
        ('{"version": 1, "findings": 3}', "entry 1 of the baseline lacks"),
    ],
)
def test_a_wrong_baseline(tmp_path: Path, text: str | None, sentence: str) -> None:
    write(tmp_path, {"run.sh": BAD, **({} if text is None else {"known.json": text})})
    done = reviewbot(tmp_path, "check", "--baseline", "known.json")
    assert (done.code, done.out, sentence in done.err) == (2, "", True), done.err


def test_a_baseline_is_not_written_from_a_diff(tmp_path: Path) -> None:
    done = reviewbot(tmp_path, "check", "--diff", "x.diff", "--write-baseline", "known.json")
    assert (done.code, "leave out --diff" in done.err) == (2, True)


def test_quiet(tmp_path: Path) -> None:
    write(tmp_path, {"run.sh": GOOD, "empty.diff": ""})
    assert reviewbot(tmp_path, "check", "--quiet").out == ""
    done = reviewbot(tmp_path, "check", "--quiet", "--diff", "empty.diff")
    assert (done.code, done.out, done.err) == (0, "", "")
    write(tmp_path, {"run.sh": BAD})
    assert "wrong-prefix" in reviewbot(tmp_path, "check", "--quiet").out


def test_the_same_with_git(tmp_path: Path) -> None:
    """A configuration lies at the top of the repository, wherever the program is started."""
    write(tmp_path, {"reviewbot.yml": "checks: {wrong-prefix: {enabled: false}}\n", "a/run.sh": BAD})
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert reviewbot(tmp_path / "a", "check", "run.sh").code == 0


def test_the_language_changes_words_only(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"run.sh": BAD.replace("+trainer.nnodes=2", "+trainer.nnodes=2 trainer.balance_batch=False")},
    )

    def report(*arguments: str) -> list[dict[str, object]]:
        done = reviewbot(tmp_path, "check", "--format", "json", *arguments)
        found: list[dict[str, object]] = json.loads(done.out)["findings"]
        return found

    english, chinese = report(), report("--lang", "zh")
    assert [item["fingerprint"] for item in english] == [item["fingerprint"] for item in chinese]
    for one, other in zip(english, chinese, strict=True):
        assert one.keys() == other.keys()
        assert {name for name in one if one[name] != other[name]} <= {"message", "fix"}
        assert "不" in str(other["message"]) or "已有" in str(other["message"])
    write(tmp_path, {CONFIG: "language: zh\n"})
    assert report() == chinese
    assert report("--lang", "en") == english
    for arguments in (
        ("explain", "ignored"),
        ("explain", "trainer.nnodes"),
        ("explain", "balance-batch-off"),
    ):
        assert any("\u4e00" <= character <= "\u9fff" for character in reviewbot(tmp_path, *arguments).out)
