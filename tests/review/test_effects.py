"""Effects and risk marks: what a change does to what a recipe runs, and what a reviewer should know of it."""

from __future__ import annotations

import pytest

from reviewbot.checks.recipe import read_recipe
from reviewbot.diff import parse_patch
from reviewbot.knowledge.store import Knowledge, open_knowledge
from reviewbot.review.effects import Effect, SettingChange, Shown, VariableChange, effect
from reviewbot.review.review import Reviewer
from reviewbot.review.risks import Risk, risks
from reviewbot.shell.model import Known
from reviewbot.text import SourceText

RUN = "python3 -m verl.trainer.main_ppo"
ROLLOUT = "actor_rollout_ref.rollout"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_knowledge(source=None, source_name="", version="0.9.1")


def compare(knowledge: Knowledge, before: str, after: str) -> Effect:
    file = Reviewer(knowledge).whole(SourceText("run.sh", after))
    assert file.recipe is not None
    return effect(read_recipe(SourceText("run.sh", before), knowledge), file.recipe, knowledge, file.found)


def test_a_changed_setting_tells_the_argument_that_it_becomes(knowledge: Knowledge) -> None:
    made = compare(
        knowledge,
        f"{RUN} {ROLLOUT}.name=vllm {ROLLOUT}.tensor_model_parallel_size=2\n",
        f"{RUN} {ROLLOUT}.name=vllm {ROLLOUT}.tensor_model_parallel_size=4\n",
    )
    change = SettingChange(
        f"{ROLLOUT}.tensor_model_parallel_size", Shown("2"), Shown("4"), "yes: `tensor_parallel_size`"
    )
    assert made == Effect("run.sh", (change,))


@pytest.mark.parametrize(
    ("argument", "reaches"),
    [
        (f"+{ROLLOUT}.engine_kwargs.vllm.enable_expert_parallel=True", "no: overwritten"),
        (f"+{ROLLOUT}.engine_kwargs.vllm.max_num_batched_tokens=7", "yes: `max_num_batched_tokens`"),
        (f"+{ROLLOUT}.engine_kwargs.sglang.anything=7", "no: ignored"),
        ("trainer.nnodes=2", "none seen"),
    ],
)
def test_what_becomes_of_a_new_setting(knowledge: Knowledge, argument: str, reaches: str) -> None:
    base = f"{RUN} {ROLLOUT}.name=vllm {ROLLOUT}.mode=async"
    (change,) = compare(knowledge, f"{base}\n", f"{base} {argument}\n").settings
    key, _, value = argument.lstrip("+").partition("=")
    assert (change.key, change.after, change.reaches) == (key, Shown(value), reaches)


def test_a_setting_that_is_refused(knowledge: Knowledge) -> None:
    made = compare(knowledge, f"{RUN} trainer.nnodes=2\n", f"{RUN} +trainer.nnodes=3\n")
    assert made.settings == (SettingChange("trainer.nnodes", Shown("2"), Shown("3"), "no: refused at start"),)


def test_a_removed_setting_reaches_nothing(knowledge: Knowledge) -> None:
    made = compare(knowledge, f"{RUN} +trainer.mine=2\n", f"{RUN}\n")
    assert made.settings == (SettingChange("trainer.mine", Shown("2"), None, ""),)


def test_keys_that_follow_another_are_counted_with_it(knowledge: Knowledge) -> None:
    (change,) = compare(knowledge, f"{RUN}\n", f"{RUN} actor_rollout_ref.model.path=/models/other\n").settings
    assert change.key == "actor_rollout_ref.model.path"
    assert change.followers > 0


def test_what_is_not_known_is_said_so(knowledge: Knowledge) -> None:
    made = compare(
        knowledge,
        f"{RUN} trainer.nnodes=$NODES data.seed=${{SEED:-1}} trainer.project_name=$NAME\n",
        f"{RUN} trainer.nnodes=$OTHER data.seed=${{SEED:-2}} trainer.project_name=$NAME\n",
    )
    assert {item.key: (item.before, item.after) for item in made.settings} == {
        "data.seed": (Shown("1", Known.DEFAULT), Shown("2", Known.DEFAULT)),
        "trainer.nnodes": (Shown("$NODES", Known.NO), Shown("$OTHER", Known.NO)),
    }


def test_environment_variables(knowledge: Knowledge) -> None:
    made = compare(
        knowledge,
        f"export A=1 B=2 SAME=3\n{RUN}\n",
        f"export A=5 SAME=3\nC=$(date) {RUN}\n",
    )
    assert made.settings == ()
    assert made.variables == (
        VariableChange("A", Shown("1"), Shown("5")),
        VariableChange("B", Shown("2"), None),
        VariableChange("C", None, Shown("$(date)", Known.NO)),
    )


def test_launches_that_come_and_go_are_named(knowledge: Knowledge) -> None:
    made = compare(knowledge, f"{RUN}\n", f"{RUN} trainer.nnodes=2\n{RUN} trainer.nnodes=3\n")
    assert [(item.key, item.before, item.after) for item in made.settings] == [
        ("trainer.nnodes", Shown("1"), Shown("2")),
        ("launch", None, Shown("verl.trainer.main_ppo (line 2)")),
    ]


def test_a_command_that_does_not_compose_is_said_not_to_be_comparable(knowledge: Knowledge) -> None:
    made = compare(knowledge, f"{RUN}\n", f"{RUN} --config-name=nowhere\n")
    assert made.settings == ()
    assert "line 1 cannot be compared: after it" in made.notes[0].lower()


def review_risks(knowledge: Knowledge, text: str) -> list[Risk]:
    return list(risks(Reviewer(knowledge).whole(SourceText("run.sh", text))))


def test_risk_marks(knowledge: Knowledge) -> None:
    text = (
        f"{RUN} \\\n {ROLLOUT}.name=vllm \\\n {ROLLOUT}.mode=async \\\n"
        f" +{ROLLOUT}.engine_kwargs.vllm.enable_expert_parallel=True \\\n +trainer.nnodes=2 \\\n"
        " trainer.n_gpus_per_node=$GPUS\n"
    )
    assert review_risks(knowledge, text) == [
        Risk("run.sh", "refused at start", "line 5"),
        Risk("run.sh", "ineffective setting", "line 4"),
        Risk("run.sh", "values not known", "1 setting: `trainer.n_gpus_per_node`"),
    ]
    assert review_risks(knowledge, f"{RUN} {ROLLOUT}.name=vllm data.train_files=$HOME/x\n") == []
    assert review_risks(knowledge, f"{RUN} {ROLLOUT}.name=$BACKEND\n") == [
        Risk("run.sh", "values not known", "the rollout backend")
    ]


def test_older_findings_are_told_apart(knowledge: Knowledge) -> None:
    after = f"{RUN} \\\n +trainer.nnodes=2 \\\n +trainer.n_gpus_per_node=2\n"
    change = parse_patch(
        "run.sh",
        None,
        "modified",
        f"@@ -1,2 +1,3 @@\n {RUN} \\\n- +trainer.nnodes=2\n+ +trainer.nnodes=2 \\\n+ +trainer.n_gpus_per_node=2\n",
    )
    file = Reviewer(knowledge).changed(SourceText("run.sh", after), change)
    assert Risk("run.sh", "refused at start", "lines 2, 3; 1 of 2 from before this change") in list(
        risks(file)
    )
