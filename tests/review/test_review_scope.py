"""Which findings belong to a change, and what a proof accepts."""

from __future__ import annotations

from reviewbot.checks.model import Finding, Intent, Rewrite, Severity
from reviewbot.checks.recipe import read_recipe
from reviewbot.checks.registry import findings
from reviewbot.diff import parse_diff
from reviewbot.knowledge.store import open_knowledge
from reviewbot.review.proof import Pipeline, prove
from reviewbot.review.review import FileReview, Reviewer
from reviewbot.review.scope import in_scope
from reviewbot.text import SourceText, Span

KNOWLEDGE = open_knowledge(source=None, source_name="", version="0.9.1")
EXPERT = "+actor_rollout_ref.rollout.engine_kwargs.vllm.enable_expert_parallel=True"
SIZE = "actor_rollout_ref.rollout.expert_parallel_size=2"
SCRIPT = f"""\
gen_tp=2
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=$gen_tp \\
    {SIZE} \\
    {EXPERT} \\
    trainer.total_epochs=1
"""


def change(before: str, after: str) -> FileReview:
    import difflib

    diff = "".join(
        difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), "a/run.sh", "b/run.sh"
        )
    )
    (file,) = parse_diff(diff, "diff").files
    return Reviewer(KNOWLEDGE).changed(SourceText("run.sh", after), file)


def test_an_added_line() -> None:
    (finding,) = change(SCRIPT.replace(f"    {EXPERT} \\\n", ""), SCRIPT).findings
    assert (finding.key, finding.in_diff) == (EXPERT[1:].partition("=")[0], True)


def test_an_unrelated_change() -> None:
    assert not change(SCRIPT, SCRIPT.replace("epochs=1", "epochs=2")).findings


def test_a_removed_line_that_makes_a_finding_worse() -> None:
    after = SCRIPT.replace(f"    {SIZE} \\\n", "")
    (finding,) = change(SCRIPT, after).findings
    assert (finding.severity, finding.in_diff) == (Severity.HIGH, False)


def test_a_removed_line_that_changes_nothing() -> None:
    after = SCRIPT.replace(" \\\n    trainer.total_epochs=1", "")
    assert not change(SCRIPT, after).findings


def test_an_added_line_that_makes_another_line_wrong() -> None:
    before = SCRIPT.replace("=vllm", "=sglang")
    after = before.replace(
        "    trainer.total", "    actor_rollout_ref.rollout.name=vllm \\\n    trainer.total"
    )
    checks = [(item.check, item.span.line, item.in_diff) for item in change(before, after).findings]
    assert checks == [("shadowed", 3, True), ("overwritten", 6, False)]


def test_a_changed_variable_that_feeds_a_finding() -> None:
    before = SCRIPT.replace(EXPERT, "$flag").replace("gen_tp=2\n", "gen_tp=2\nflag=trainer.nnodes=1\n")
    after = before.replace("flag=trainer.nnodes=1", f"flag={EXPERT}")
    (finding,) = change(before, after).findings
    assert finding.span.line == 2
    assert finding.in_diff


def test_a_change_of_the_winner() -> None:
    script = SCRIPT.replace("trainer.total_epochs=1", "trainer.nnodes=1 \\\n    trainer.total_epochs=1")
    after = script + "".join(())
    after = after.rstrip("\n") + " \\\n    trainer.nnodes=2\n"
    (finding,) = change(script, after).findings
    assert (finding.check, finding.span.line, finding.in_diff) == ("shadowed", 7, True)


def finding(line: int, severity: Severity = Severity.HIGH, value: str = "1") -> Finding:
    return Finding("overwritten", severity, Span("run.sh", line, 1, line, 5), "a.b", value, "message")


def test_findings_that_were_there_before_are_left_out_as_often_as_they_were() -> None:
    before = (finding(3),)
    after = (finding(5), finding(9))
    assert [item.span.line for item in in_scope(after, frozenset(), "run.sh", lambda: before)] == [9]
    assert in_scope(after, frozenset(), "run.sh", None) == ()


def proof(intent: Intent, script: str = SCRIPT) -> bool:
    def read(source: SourceText):  # type: ignore[no-untyped-def]  # the type is the pipeline's
        return read_recipe(source, KNOWLEDGE)

    pipeline = Pipeline(read, lambda recipe: findings(recipe, KNOWLEDGE))
    recipe = read(SourceText("run.sh", script))
    found = findings(recipe, KNOWLEDGE)
    (about,) = (item for item in found if item.check == "overwritten")
    from dataclasses import replace

    return prove(recipe, found, replace(about, intent=intent), pipeline) is not None


def span_of(text: str, script: str = SCRIPT) -> Span:
    start = script.index(text)
    return SourceText("run.sh", script).span(start, start + len(text))


def test_a_proof_holds() -> None:
    assert proof(Intent("delete", remove=(span_of(EXPERT),)))


def test_a_fix_that_leaves_the_finding_is_refused() -> None:
    assert not proof(Intent("delete another", remove=(span_of("trainer.total_epochs=1"),)))


def test_a_fix_that_brings_a_finding_is_refused() -> None:
    rewrite = Rewrite(span_of(EXPERT), EXPERT, "+trainer.nnodes=2", "+trainer.nnodes=2")
    assert not proof(Intent("replace", rewrite=(rewrite,)))


def test_a_fix_whose_words_come_out_otherwise_is_refused() -> None:
    rewrite = Rewrite(span_of(EXPERT), EXPERT, "trainer.nnodes=$gen_tp", "trainer.nnodes=3")
    assert not proof(Intent("replace", rewrite=(rewrite,)))


def test_a_fix_that_changes_the_environment_is_refused() -> None:
    script = "export A=1\n" + SCRIPT
    both = Intent("delete", remove=(span_of(EXPERT, script),), delete_lines=((1, 1),))
    assert not proof(both, script)
    assert proof(Intent(both.description, both.remove, (), both.delete_lines, unset=("A",)), script)


def test_a_fix_that_is_not_written_there_is_refused() -> None:
    rewrite = Rewrite(span_of(EXPERT), "no such text", "x", None)
    assert not proof(Intent("replace", rewrite=(rewrite,)))


def test_a_finding_in_another_script_stays_with_it() -> None:
    wrapper = "bash other.sh trainer.total_epochs=3\n"
    other = 'python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +trainer.nnodes=2 "$@"\n'
    files = {"other.sh": other}
    reviewer = Reviewer(KNOWLEDGE, files.get)
    assert not reviewer.whole(SourceText("run.sh", wrapper)).findings
    assert [item.check for item in reviewer.whole(SourceText("other.sh", other)).findings] == ["wrong-prefix"]


def test_a_wrapper_that_passes_something_wrong() -> None:
    wrapper = "bash other.sh +trainer.nnodes=3\n"
    files = {"other.sh": 'python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "$@"\n'}
    (found,) = Reviewer(KNOWLEDGE, files.get).whole(SourceText("run.sh", wrapper)).findings
    assert (found.check, found.span.path, found.span.line) == ("wrong-prefix", "run.sh", 1)


def test_what_follows_from_a_refused_choice_is_not_reported() -> None:
    script = """\
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.actor.model_engine=megatron \\
    actor_rollout_ref.actor.megatron.param_offload=True \\
    actor_rollout_ref.actor.megatron.no_such_thing=True
"""
    found = Reviewer(KNOWLEDGE).whole(SourceText("run.sh", script)).findings
    assert [item.span.line for item in found] == [3, 5]


def test_a_mistake_in_a_sourced_script_is_told_at_the_launch() -> None:
    script = 'source common.sh\npython3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "${ARGS[@]}"\n'
    files = {"common.sh": "ARGS=(+trainer.nnodes=1)\n"}
    (found,) = Reviewer(KNOWLEDGE, files.get).whole(SourceText("run.sh", script)).findings
    assert (found.check, found.span.path, found.span.line) == ("wrong-prefix", "run.sh", 2)
    assert found.message.startswith("common.sh:1: ")
    assert found.fix is None
