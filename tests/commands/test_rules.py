"""``reviewbot rules``, through the command line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reviewbot.__main__ import main
from reviewbot.knowledge.store import FRAMEWORKS, rules_of

RULE = """\
- id: {id}
  key: actor_rollout_ref.rollout.calm
  effect: ignored
  message: "{{setting}} has no effect ({{where}})."
  evidence: {{path: verl/trainer/main_ppo.py, text: "{text}"}}
  examples:
    bad: [+actor_rollout_ref.rollout.calm=1]
    good: [actor_rollout_ref.rollout.name=vllm]
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["rules", *arguments])
    return code, capsys.readouterr().out


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "list")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()] == [
        rule.id for rule in rules_of(FRAMEWORKS[0])
    ]


def test_examples_of_a_folder_are_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(RULE.format(id="calm", text="def main(config)"))
    code, out = run(capsys, "test", "--rules", str(tmp_path))
    assert code == 1
    assert out.splitlines() == [
        "own.yaml:1: calm: a bad example is not reported: +actor_rollout_ref.rollout.calm=1",
        "1 rule, 2 examples, 1 failing",
    ]


def test_evidence_holds_moved_and_gone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "verl/trainer").mkdir(parents=True)
    (source / "verl/trainer/main_ppo.py").write_text("import hydra\n\n\ndef main(config): ...\n")
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "own.yaml").write_text(
        RULE.format(id="stands", text="def main(config)") + RULE.format(id="lost", text="def gone(config)")
    )
    code, out = run(capsys, "verify", "--source", str(source), "--rules", str(rules))
    assert code == 1
    assert out.splitlines() == [
        "stands: moved: verl/trainer/main_ppo.py:4",
        "lost: gone: verl/trainer/main_ppo.py has no text='def gone(config)'; the rule is not used here",
        "0 holds, 1 moved, 1 gone",
    ]


def test_a_rule_without_evidence_is_not_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same recipe against two trees: one has the line that the rule stands on, the other has it no more."""
    script = tmp_path / "run.sh"
    script.write_text(
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "
        "+actor_rollout_ref.rollout.repetition_penalty=1.1\n"
    )
    said = []
    for text in ("repetition_penalty=1.0,", "repetition_penalty=config.repetition_penalty,"):
        tree = tmp_path / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        _write(tree / "verl/trainer/main_ppo.py", MAIN)
        _write(tree / "verl/trainer/config/ppo_trainer.yaml", CONFIG)
        _write(tree / "verl/version/version", "0.9.1\n")
        _write(tree / "verl/experimental/agent_loop/agent_loop.py", f"params = dict(\n    {text}\n)\n")
        main(["check", "--source", str(tree), "--min-severity", "low", str(script)])
        said.append("of every request" in " ".join(capsys.readouterr().out.split()))
    assert said == [True, False]


BRIDGE = """\
class Engine:
    def __init__(self):
        assert self.engine_config.use_mbridge
"""


@pytest.mark.parametrize("older", [False, True])
def test_a_rule_about_the_newer_way_is_not_used_where_the_older_is_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, older: bool
) -> None:
    """The legacy workers, which the config chose by default while they were there, never make the engine."""
    tree = tmp_path / "tree"
    _write(
        tree / "verl/trainer/main_ppo.py",
        MAIN.replace("rollout.repetition_penalty", "actor.megatron.use_mbridge"),
    )
    _write(tree / "verl/trainer/config/ppo_trainer.yaml", CONFIG + ACTOR)
    _write(tree / "verl/version/version", "0.8.0.dev\n")
    _write(tree / "verl/workers/engine/megatron/transformer_impl.py", BRIDGE)
    if older:
        _write(tree / "verl/workers/fsdp_workers.py", "class Worker: ...\n")
    script = tmp_path / "run.sh"
    script.write_text(
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "
        "actor_rollout_ref.actor.megatron.use_mbridge=False\n"
    )
    main(["check", "--source", str(tree), str(script)])
    assert ("through a bridge only" in capsys.readouterr().out) is not older


@pytest.mark.parametrize("module", ["verl.trainer.main_ppo", "verl.experimental.own.main_own"])
def test_a_rule_says_nothing_of_entry_points_with_trainers_of_their_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, module: str
) -> None:
    tree = tmp_path / "tree"
    folder = module.rpartition(".")[0].replace(".", "/")
    _write(tree / f"{module.replace('.', '/')}.py", MAIN)
    _write(tree / "verl/trainer/main_ppo.py", MAIN)
    _write(tree / f"{folder}/config/ppo_trainer.yaml", CONFIG)
    _write(tree / "verl/version/version", "0.9.1\n")
    _write(tree / "verl/experimental/agent_loop/agent_loop.py", "params = dict(repetition_penalty=1.0)\n")
    script = tmp_path / "run.sh"
    script.write_text(
        f"python3 -m {module} actor_rollout_ref.rollout.name=vllm "
        "+actor_rollout_ref.rollout.repetition_penalty=1.1\n"
    )
    main(["check", "--source", str(tree), str(script)])
    said = "of every request" in " ".join(capsys.readouterr().out.split())
    assert said is (module == "verl.trainer.main_ppo")


def test_a_folder_without_rules_is_a_mistake(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "own.yml").write_text(RULE.format(id="calm", text="def main(config)"))
    assert "1 rule," in run(capsys, "test", "--rules", str(tmp_path))[1]
    (tmp_path / "own.yml").unlink()
    assert main(["rules", "test", "--rules", str(tmp_path)]) == 2
    assert "the folder holds no rule (*.yaml, *.yml)" in capsys.readouterr().err


MAIN = """\
import hydra


@hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
def main(config):
    print(config.actor_rollout_ref.rollout.repetition_penalty)
"""
ACTOR = "  actor:\n    strategy: megatron\n    megatron: {use_mbridge: true}\n"
CONFIG = "actor_rollout_ref:\n  rollout:\n    name: ???\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["test", "--rules", "nowhere"], "nowhere: there is no such folder"),
        (["verify", "--source", "nowhere"], "nowhere: there is no such folder"),
    ],
)
def test_what_is_wrong_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], says: str
) -> None:
    assert main(["rules", *arguments]) == 2
    assert says in capsys.readouterr().err
