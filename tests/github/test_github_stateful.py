"""Pushes, edits, rebases, replies, resolves and faults in any order: each finding is said exactly once."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from loopback_client import client_of
from loopback_faults import FAULTS, set_fault
from loopback_github import LoopbackGitHub
from loopback_repository import BOT, Comment, Thread
from toy_review import run_bot, said_now, wanted_now

from reviewbot.github.marker import FindingMarker, read_marker
from reviewbot.github.publish import Options

KEYS = ("ah", "bh", "c", "d", "el")
LINE = st.one_of(
    st.sampled_from([f"plain {number}" for number in range(6)]),
    st.builds("bad.{}={}".format, st.sampled_from(KEYS), st.sampled_from("12")),
)
PLACES = st.lists(st.tuples(st.integers(0, 24), LINE), min_size=1, max_size=5)
TALLY: dict[str, list[int]] = {}
"""For each fault: runs, findings expected, findings found exactly once afterwards; filled while the test runs."""


class Bot(RuleBasedStateMachine):
    """A pull request that people and the bot work on."""

    github: LoopbackGitHub

    @initialize()
    def start(self) -> None:
        self.github.reset()
        self.repository = self.github.repository
        self.base = {"a.sh": _text(25), "b.sh": _text(25)}
        self.head = dict(self.base)
        self.pull = self.repository.open_pull(self.base, {**self.head, "b.sh": _text(25) + "more\n"})
        self.client = client_of(self.github)
        self.others: list[tuple[Comment, str]] = []

    @rule(path=st.sampled_from(["a.sh", "b.sh"]), places=PLACES)
    def push_additions(self, path: str, places: list[tuple[int, str]]) -> None:
        lines = self.head[path].splitlines(keepends=True)
        for after, line in places:
            lines.insert(min(after, len(lines)), line + "\n")
        self.head[path] = "".join(lines)
        self.repository.push(self.pull, self.head)

    @rule(path=st.sampled_from(["a.sh", "b.sh"]), first=st.integers(0, 30), count=st.integers(1, 6))
    def push_removal(self, path: str, first: int, count: int) -> None:
        lines = self.head[path].splitlines(keepends=True)
        del lines[first : first + count]
        self.head[path] = "".join(lines)
        self.repository.push(self.pull, self.head)

    @rule()
    def rebase(self) -> None:
        self.base = {path: "base moved\n" + text for path, text in self.base.items()}
        self.head = {path: "base moved\n" + text for path, text in self.head.items()}
        self.repository.rebase(self.pull, self.base, self.head)

    @rule(path=st.sampled_from(["a.sh", "b.sh"]))
    def github_stops_showing_a_diff(self, path: str) -> None:
        self.repository.hidden_patches ^= {path}

    @precondition(lambda self: self.open_threads())
    @rule(data=st.data(), how=st.sampled_from(["resolve", "answer", "hide"]))
    def a_person_settles(self, data: st.DataObject, how: str) -> None:
        self.settle(data.draw(st.sampled_from(self.open_threads())), how)

    def settle(self, thread: Thread, how: str) -> None:
        if how == "resolve":
            thread.resolved = True
        elif how == "answer":
            comment = Comment(next(self.repository.ids), "alice", "on purpose")
            thread.comments.append(comment)
            self.others.append((comment, comment.body))
        else:
            thread.comments[0].hidden = "OFF_TOPIC"
        self.others.append((thread.comments[0], thread.comments[0].body))

    @rule(line=st.integers(1, 25))
    def a_person_comments(self, line: int) -> None:
        marked = wanted_now(self.repository)[:1]
        comment = Comment(next(self.repository.ids), "mallory", f"me\n\n{FindingMarker(tuple(marked))}")
        self.pull.threads.append(Thread("a.sh", line, line, self.pull.head, [comment]))
        self.others.append((comment, comment.body))

    @rule(cap=st.sampled_from([2, 30, 30]))
    def run(self, cap: int) -> None:
        outcome = run_bot(self.client, self.repository, options=Options(cap=cap))
        assert not outcome.untold
        assert not outcome.trouble
        self._exactly_once()

    @rule(name=st.sampled_from(sorted(FAULTS)))
    def run_with_fault(self, name: str) -> None:
        fault = set_fault(name, self.github, self.head)
        outcome = run_bot(self.client, self.repository, options=Options())
        hit = fault.times < FAULTS[name].times
        self.github.faults.clear()
        self.github.bad_lines.clear()
        if fault.kind == "act" and name == "the head moves" and hit:
            assert not outcome.posted
        else:
            untold = [finding.fingerprint for finding in outcome.untold]
            said, wanted = said_now(self.repository), self._wanted()
            live = [one for one in said if one in wanted]
            assert len(live) == len(set(live)), f"{name}: something is said twice"
            assert set(wanted) <= {*live, *untold}, f"{name}: something is lost"
            if hit:
                tally = TALLY.setdefault(name, [0, 0, 0])
                for index, value in enumerate((1, len(wanted), len(set(wanted) & {*live, *untold}))):
                    tally[index] += value
        self.run(30)

    @invariant()
    def others_are_left_alone(self) -> None:
        for comment, body in getattr(self, "others", []):
            assert comment.body == body
            assert comment.hidden in ("", "OFF_TOPIC")

    @invariant()
    def the_description_was_kept(self) -> None:
        assert self.github.problems == []

    def _wanted(self) -> list[str]:
        settled = self._settled()
        return [one for one in wanted_now(self.repository) if one not in settled]

    def _exactly_once(self) -> None:
        settled = self._settled()
        assert [one for one in said_now(self.repository) if one not in settled] == self._wanted()

    def _settled(self) -> set[str]:
        found: set[str] = set()
        for thread in self.pull.threads:
            marker = read_marker(thread.comments[0].body)
            if (
                thread.comments[0].author != BOT
                or not isinstance(marker, FindingMarker)
                or marker.state != "live"
            ):
                continue
            if thread.resolved or thread.comments[0].hidden or len(thread.comments) > 1:
                found.update(marker.fingerprints)
        return found

    def open_threads(self) -> list[Thread]:
        pull = getattr(self, "pull", None)
        return [
            thread
            for thread in (pull.threads if pull is not None else [])
            if thread.comments[0].author == BOT
            and not thread.resolved
            and not thread.comments[0].hidden
            and len(thread.comments) == 1
        ]


def _text(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(count))


def run_machine(github: LoopbackGitHub, examples: int, steps: int) -> dict[str, list[int]]:
    """Run the machine; returns the tally of the faults."""
    TALLY.clear()
    machine: Any = type("Machine", (Bot,), {"github": github})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return TALLY


def test_in_any_order_each_finding_is_said_exactly_once(server: LoopbackGitHub) -> None:
    tally = run_machine(server, examples=30, steps=15)
    assert tally, "no fault was ever hit"
    assert all(expected == present for _runs, expected, present in tally.values())


def fault_runs(github: LoopbackGitHub, name: str, count: int) -> tuple[int, int, int]:
    """Meet a fault ``count`` times on random histories: runs, findings expected, findings told afterwards."""
    TALLY.pop(name, None)
    chance = random.Random(name)
    while TALLY.get(name, [0])[0] < count:
        machine: Bot = Bot.__new__(type("Machine", (Bot,), {"github": github}))
        machine.start()
        for _step in range(chance.randint(1, 8)):
            _one_step(machine, chance)
        machine.push_additions(
            "a.sh", [(chance.randint(0, 24), f"bad.new{chance.choice('hm')}={chance.randint(0, 99)}")]
        )
        machine.run_with_fault(name)
        machine.others_are_left_alone()
        machine.the_description_was_kept()
    runs, expected, present = TALLY[name]
    return runs, expected, present


def _one_step(machine: Bot, chance: random.Random) -> None:
    path = chance.choice(["a.sh", "b.sh"])
    step = chance.choice(["add", "add", "add", "remove", "rebase", "settle", "run", "run"])
    if step == "add":
        lines = [f"bad.{chance.choice(KEYS)}={chance.choice('12')}" for _ in range(chance.randint(1, 5))]
        machine.push_additions(path, [(chance.randint(0, 24), line) for line in lines])
    elif step == "remove":
        machine.push_removal(path, chance.randint(0, 30), chance.randint(1, 6))
    elif step == "rebase":
        machine.rebase()
    elif step == "run":
        machine.run(chance.choice([2, 30]))
    elif step == "settle" and machine.open_threads():
        machine.settle(chance.choice(machine.open_threads()), chance.choice(["resolve", "answer", "hide"]))


@pytest.mark.parametrize("name", sorted(set(FAULTS) - {"the head moves"}))
def test_after_each_fault_nothing_is_lost_or_said_twice(server: LoopbackGitHub, name: str) -> None:
    runs, expected, present = fault_runs(server, name, 3)
    assert runs == 3
    assert 0 < expected == present
