"""Which paths are followed, and what each launch says of its own."""

from __future__ import annotations

from reviewbot.shell.model import Launch
from reviewbot.shell.script import read_script
from reviewbot.text import SourceText

PROBE = """\
DEVICE=${DEVICE:-$(python3 -c 'import torch_npu' 2>/dev/null && echo npu || echo gpu)}
case "${DEVICE}" in
    gpu | npu) ;;
    *) exit 1 ;;
esac
if [ "${DEVICE}" = npu ]; then
    EXTRA=(a.npu=1)
else
    EXTRA=(a.gpu=1)
fi
python3 -m module device=$DEVICE "${EXTRA[@]}"
"""


def launches(script: str, env: dict[str, str] | None = None) -> list[tuple[bool, list[str | None]]]:
    found: tuple[Launch, ...] = read_script(SourceText("run.sh", script), env=env).launches
    return [(launch.on_default_path, [word.text for word in launch.arguments]) for launch in found]


def test_what_a_failed_probe_decides_is_the_default_path_and_stays_decided() -> None:
    assert launches(PROBE) == [(True, ["device=gpu", "a.gpu=1"]), (False, ["device=npu", "a.npu=1"])]


def test_a_declared_variable_decides() -> None:
    assert launches(PROBE, {"DEVICE": "npu"}) == [(True, ["device=npu", "a.npu=1"])]


def test_a_default_is_the_default_path_and_the_branch_refines_the_other() -> None:
    script = """\
BACKEND=${BACKEND:-vllm}
if [ "$BACKEND" = sglang ]; then ARGS=(b=1); else ARGS=(a=1); fi
python3 -m module name=$BACKEND "${ARGS[@]}"
"""
    assert launches(script) == [(True, ["name=vllm", "a=1"]), (False, ["name=sglang", "b=1"])]


def test_paths_are_bounded() -> None:
    tests = "".join(f'[ -n "$V{number}" ] && A+=(k{number}=1)\n' for number in range(30))
    result = read_script(SourceText("run.sh", f'A=()\n{tests}python3 -m module "${{A[@]}}"\n'), max_paths=8)
    assert 1 <= len(result.launches) <= 8
    assert result.launches[0].on_default_path
