"""The span of every argument covers the text that the author wrote for it."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.shell.script import read_script
from reviewbot.text import SourceText

KEYS = st.lists(
    st.sampled_from(["data", "trainer", "rollout", "n_gpus", "größe", "键"]), min_size=1, max_size=3
)
VALUES = st.sampled_from(
    [
        "1",
        "${n}",
        "$((2 * n))",
        '"a b"',
        "'[1,2]'",
        "${MISSING:-x}",
        "pre'mid'\"post ${n}\"",
        "$(date +%s)",
        "é中",
        '"${n}"/x',
        "",
    ]
)
BARE = st.sampled_from(["1", "a.b/c", "中文", "[1,2]", "-1e-6"])


@st.composite
def overrides(draw: st.DrawFn, values: st.SearchStrategy[str] = VALUES) -> str:
    text = draw(st.sampled_from(["", "+", "++"])) + ".".join(draw(KEYS)) + "=" + draw(values)
    quote = draw(st.sampled_from(["", '"'])) if not any(mark in text for mark in "'\"") else ""
    return f"{quote}{text}{quote}"


@dataclass(frozen=True)
class Written:
    script: str
    words: list[str]


@st.composite
def scripts(draw: st.DrawFn) -> Written:
    end = draw(st.sampled_from(["\n", "\r\n"]))
    in_array = draw(st.lists(overrides(), max_size=4))
    packed = draw(st.lists(overrides(BARE).map(lambda text: text.strip('"')), max_size=3))
    in_command = draw(st.lists(overrides(), max_size=4))
    gap = draw(st.sampled_from(["  ", "\t", "    "]))
    lines = ["#!/usr/bin/env bash", "# größer 中文 🙂", "n=3"]
    if draw(st.booleans()):
        lines += ["ARGS=(", *(f"{gap}{word}" for word in in_array), ")"]
    else:
        lines += ["ARGS=( " + " ".join(in_array) + " )"]
    lines += [f'EXTRA="{" ".join(packed)}"']
    command = [f"python3 -m module{draw(st.sampled_from(['', ' ']))}", '"${ARGS[@]}"', "$EXTRA", *in_command]
    joiner = draw(st.sampled_from([" ", f" \\{end}{gap}"]))
    lines.append(joiner.join(command))
    last = draw(st.sampled_from([end, ""]))
    alone = [f'"{packed[0]}"'] if len(packed) == 1 else packed  # a whole word keeps its quotes
    return Written(end.join(lines) + last, [*in_array, *alone, *in_command])


@given(scripts())
def test_cutting_a_span_gives_what_was_written(written: Written) -> None:
    source = SourceText("run.sh", written.script)
    (launch,) = read_script(source).launches
    assert [source.cut(word.span) for word in launch.arguments] == written.words
    assert all(source.span(0, len(source.text)).contains(word.span) for word in launch.arguments)


@given(st.lists(overrides(), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_spans_through_a_function_and_its_arguments(words: list[str], end: str) -> None:
    script = end.join(["n=1", "run() {", '  python3 -m module "$@"', "}", "run " + " ".join(words), ""])
    source = SourceText("run.sh", script)
    (launch,) = read_script(source).launches
    assert [source.cut(word.span) for word in launch.arguments] == words
