"""``reviewbot explain``, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewbot.__main__ import main
from reviewbot.checks.registry import CHECKS
from reviewbot.knowledge.store import FRAMEWORKS, rules_of

ROLLOUT = "actor_rollout_ref.rollout"
EXPERTS = f"{ROLLOUT}.expert_parallel_size"
FLAG = f"{ROLLOUT}.engine_kwargs.vllm.enable_expert_parallel"
SERVER = "verl/workers/rollout/vllm_rollout/vllm_async_server.py:402 vLLMHttpServer.launch_server"


class Explained:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def sentence(self) -> str:
        """All on one line, however it was wrapped."""
        return " ".join(self.out.split())


Explain = Callable[..., Explained]


@pytest.fixture
def explain(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explain:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Explained:
        code = main(["explain", *arguments])
        out, err = capsys.readouterr()
        return Explained(code, out, err)

    return run


def test_the_key_that_turns_expert_parallelism_on(explain: Explain) -> None:
    """Its value must be the product that the config class asserts, or stay 1; the flag of vLLM follows it."""
    done = explain(EXPERTS, "--verl", "0.9.1")
    assert done.code == 0
    for text in (
        f"Instead of `{FLAG}`, set this key to `tensor_model_parallel_size * data_parallel_size`",
        "`1` under verl.trainer.main_ppo",
        "`int`, a field of `RolloutConfig`",
        f"vllm: `enable_expert_parallel` is `expert_parallel_size > 1`, whatever `{FLAG}` says {SERVER}",
        f"sglang: `ep_size` is `expert_parallel_size`, unless `{ROLLOUT}.engine_kwargs.sglang.ep_size` is set",
        "`expert_parallel_size == tensor_model_parallel_size * data_parallel_size` "
        "(where `name != 'trtllm' and expert_parallel_size > 1`); its default, `1`, passes "
        "verl/workers/config/rollout.py:295 RolloutConfig.__post_init__",
        "0.5.0: not there 0.6.0 to 0.9.1: in the config, `1`",
        "`vllm-expert-parallel` (>=0.8)",
    ):
        assert text in done.sentence


def test_the_flag_that_the_server_writes_again(explain: Explain) -> None:
    done = explain(f"+{FLAG}=True", "--verl", "0.9.1")
    assert done.code == 0
    for text in (
        "A recipe that sets it gains nothing: the value is overwritten.",
        f"Set `{EXPERTS}` to `tensor_model_parallel_size * data_parallel_size` instead",
        f"the server writes it after it has read the engine arguments, as `expert_parallel_size > 1` {SERVER}",
        f"of `{EXPERTS}`: `expert_parallel_size == tensor_model_parallel_size * data_parallel_size`",
        "0.6.0 to 0.7.1: overwritten by the server (where `expert_parallel_size > 1`) "
        "0.8.0 to 0.9.1: overwritten by the server",
    ):
        assert text in done.sentence


def test_the_flag_where_it_still_took_effect(explain: Explain) -> None:
    done = explain(FLAG, "--verl", "0.7.1")
    assert "(where `expert_parallel_size > 1`)" in done.sentence
    assert "gains nothing" not in done.sentence


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("trainer.nnodes", ["`1` under verl.trainer.main_ppo", "int", "0.5.0 to 0.9.1: in the config, `1`"]),
        ("trainer", ["a group of", "`nnodes`"]),
        (f"{ROLLOUT}.engine_kwargs.vllm.seed_of_all", ["the server passes it on to vllm as it is"]),
        (f"{ROLLOUT}.tensor_model_parallel_size", ["vllm: `tensor_parallel_size`", "Must hold"]),
        (
            "vllm-expert-parallel",
            ["reported by the check `overwritten` as high", SERVER, "0.8.0, 0.9.0, 0.9.1"],
        ),
    ],
)
def test_names(explain: Explain, name: str, texts: list[str]) -> None:
    done = explain(name, "--verl", "0.9.1")
    assert done.code == 0
    for text in texts:
        assert text in done.sentence


@pytest.mark.parametrize("check", [check.id for check in CHECKS])
def test_a_check_shows_what_it_says_about_its_examples(explain: Explain, check: str) -> None:
    done = explain(check, "--verl", "0.9.1")
    assert done.code == 0
    bad = done.out.partition("What reviewbot says\n")[2].partition("\nCorrect code\n")[0]
    assert f": {check}" in bad
    assert "fix: " in bad
    assert "No findings: 1 recipe reviewed against verl 0.9.1 (bundled)" in done.out


@pytest.mark.parametrize("rule", [rule.id for rule in rules_of(FRAMEWORKS[0])])
def test_every_rule(explain: Explain, rule: str) -> None:
    done = explain(rule)
    assert done.code == 0
    assert done.out.startswith(f"`{rule}`: a rule, ")
    assert "\nReported\n" in done.out


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("overwriten", "overwritten"),
        ("vllm-expert-paralel", "vllm-expert-parallel"),
        (f"{ROLLOUT}.expert_paralel_size", EXPERTS),
        ("trainer.nodes", "trainer.nnodes"),
    ],
)
def test_an_unknown_name_gets_the_nearest(explain: Explain, name: str, near: str) -> None:
    done = explain(name)
    assert (done.code, done.out) == (2, "")
    assert f"{name} is no check, rule or config key of verl" in done.err
    assert near in done.err.partition("nearest: ")[2].split(", ")[0]


def test_nothing_near(explain: Explain) -> None:
    done = explain("zzz.qqq")
    assert done.code == 2
    assert "the checks are broken-command, " in done.err


def test_the_end_of_several_keys_lists_them(explain: Explain) -> None:
    done = explain("expert_parallel_size")
    assert (done.code, done.out) == (2, "")
    assert f" {EXPERTS}," in done.err


def test_the_end_of_one_key_stands_for_it(explain: Explain) -> None:
    assert explain("n_gpus_per_node").code == 2
    assert explain("total_training_steps").code == 2
    done = explain("critic_warmup")
    assert done.code == 0
    assert done.out.startswith("`trainer.critic_warmup`")


def test_json(explain: Explain) -> None:
    told = json.loads(explain(EXPERTS, "--verl", "0.9.1", "--format", "json").out)
    assert (told["version"], told["kind"], told["key"]) == (1, "key", EXPERTS)
    assert told["defaults"][0]["value"] == 1
    assert {item["backend"]: item["argument"] for item in told["arguments"]} == {
        "sglang": "ep_size",
        "trtllm": "moe_expert_parallel_size",
        "vllm": "enable_expert_parallel",
    }
    assert told["constraints"][0]["evidence"]["line"] == 295
    assert told["rules"] == ["vllm-expert-parallel"]
    told = json.loads(explain("overwritten", "--format", "json").out)
    assert [finding["check"] for finding in told["bad"]["findings"]] == ["overwritten"]
    assert told["good"]["findings"] == []
    told = json.loads(explain("vllm-expert-parallel", "--format", "json").out)
    assert (told["kind"], told["rule"]["id"]) == ("rule", "vllm-expert-parallel")


def test_knowledge_of_a_checkout(explain: Explain, tmp_path: Path) -> None:
    assert explain("trainer.nnodes", "--source", str(tmp_path)).code == 2
    assert explain("trainer.nnodes", "--verl", "0.1").code == 2
