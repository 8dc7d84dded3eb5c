"""Finds the Python program that a command starts, behind whatever wraps it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

Texts = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Program:
    """A program within the words of a command."""

    entry: int
    """The index of the module or file."""
    is_module: bool
    arguments: int
    """The index of the first argument."""
    joined: bool = False
    """True where the module stands in one word with its option: ``-mpackage.module``."""


@dataclass(frozen=True, slots=True)
class Nested:
    """A script within the words of a command: text for ``bash -c``, or another script file."""

    index: int
    text: bool
    wrapped: bool
    """Whether another program starts that shell."""
    stdin: bool = False
    """Whether the shell reads its commands from standard input; its arguments begin at ``index``."""


PYTHON = re.compile(r"(?:.*/)?(?:python|pypy)[0-9.]*")
SHELL = re.compile(r"(?:.*/)?(?:ba|da|z|k)?sh")
_TORCHRUN = frozenset(("torchrun", "torch_distributed_run"))
_LAUNCHER_MODULES = frozenset(
    (
        "torch.distributed.run",
        "torch.distributed.launch",
        "accelerate.commands.launch",
        "deepspeed.launcher.runner",
    )
)
_MODULE = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)*")
_WRAPPERS = frozenset((
    "env", "nohup", "time", "nice", "ionice", "stdbuf", "timeout", "sudo", "srun", "mpirun", "mpiexec",
    "numactl", "taskset", "xargs", "setsid", "chrt", "strace", "unbuffer", "catchsegv", "nsys", "ncu", "py-spy",
    "dumb-init", "tini", "gosu", "flock", "msrun", "jsrun", "aprun", "horovodrun", "salloc", "sbatch",
))  # fmt: skip
"""Programs that start the command behind their own options."""
_OWN_WORDS = {"timeout": 1, "taskset": 1, "flock": 1, "gosu": 1, "nsys": 1, "py-spy": 1}
"""How many words that are no options stand before the command."""
_RUNNERS = {
    "uv": ("run",), "poetry": ("run",), "conda": ("run",), "mamba": ("run",), "micromamba": ("run",), "pixi": ("run",),
    "pdm": ("run",), "hatch": ("run",), "pipenv": ("run",), "rye": ("run",), "ray": ("job", "submit"),
}  # fmt: skip
"""Programs that start a command only after these words."""
_CONTAINERS = frozenset((
    "docker", "podman", "singularity", "apptainer", "enroot", "kubectl", "ssh", "pdsh", "tmux", "screen", "su",
    "script", "watch", "parallel",
))  # fmt: skip
"""Programs whose own words cannot be told from the command: the first known program behind them counts."""
_FLAGS = frozenset((
    "--standalone", "--no_python", "--no-python", "--use_env", "--use-env", "--run_path", "--run-path",
    "--multi_gpu", "--multi-gpu", "--use_deepspeed", "--use_fsdp", "--cpu", "--tpu", "--debug", "--quiet",
    "--no_local_rank", "--force_multi", "--isolated", "--no-project", "--no-sync", "--frozen", "--locked",
    "--active", "--exact", "--no-dev", "--all-extras", "--verbose", "-v", "-q", "--help", "-h",
))  # fmt: skip
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON_VALUED = frozenset(("-X", "-W", "--check-hash-based-pycs"))


def find(texts: Texts) -> Program | Nested | None:
    """The program or script that a command starts; None where it starts none that is known."""
    return _find(texts, 0, wrapped=False, depth=0)


def may_start(text: str | None) -> bool:
    """Whether a command with this first word may start a program or script."""
    return text is None or _is_program(text)


def _find(texts: Texts, at: int, *, wrapped: bool, depth: int) -> Program | Nested | None:
    if at >= len(texts) or depth > 10:
        return None
    text = texts[at]
    if text is None:
        return _after_unknown(texts, at)
    name = text.rpartition("/")[2]
    if PYTHON.fullmatch(text):
        return _python(texts, at + 1)
    if name in _TORCHRUN:
        return _launcher(texts, at + 1)
    if name == "accelerate":
        return _launcher(texts, at + 2) if texts[at + 1 : at + 2] == ["launch"] else None
    if name == "deepspeed":
        return _launcher(texts, at + 1)
    if SHELL.fullmatch(text):
        return _shell(texts, at + 1, wrapped=wrapped)
    if name in _RUNNERS:
        words = _RUNNERS[name]
        starts = tuple(texts[at + 1 : at + 1 + len(words)]) == words
        return _run(texts, at + 1 + len(words), name, depth) if starts else None
    if name in _WRAPPERS:
        return _wrapped(texts, at + 1, _OWN_WORDS.get(name, 0), depth)
    return _behind(texts, at + 1, depth) if name in _CONTAINERS else None


def _after_unknown(texts: Texts, at: int) -> Program | None:
    """``$PYTHON -m module`` or ``$PYTHON file.py``"""
    following = texts[at + 1 : at + 3]
    if len(following) == 2 and following[0] in ("-m", "-u") and following[1] is not None:
        return _python(texts, at + 1)
    if following and following[0] is not None and following[0].endswith(".py"):
        return _python(texts, at + 1)
    return None


def _python(texts: Texts, at: int) -> Program | None:
    while at < len(texts):
        text = texts[at]
        if text is None:
            return None
        if text == "-m":
            return _module(texts, at + 1)
        if text.startswith("-m") and _MODULE.fullmatch(text[2:]):
            return Program(at, True, at + 1, joined=True)
        if text in _PYTHON_VALUED:
            at += 2
        elif re.fullmatch(r"-[bBdEhiIOPqsSuvVx?]*m", text):
            return _module(texts, at + 1)
        elif text == "-" or re.match(r"-[bBdEhiIOPqsSuvVx?]*c", text):
            return None
        elif text.startswith("-"):
            at += 1
        else:
            return Program(at, False, at + 1)
    return None


def _module(texts: Texts, at: int) -> Program | None:
    if at >= len(texts):
        return None
    if texts[at] in _LAUNCHER_MODULES:
        return _launcher(texts, at + 1)
    return Program(at, True, at + 1)


def _launcher(texts: Texts, at: int) -> Program | None:
    """torchrun and its kind: options, then ``-m module``, ``--module module`` or a file."""
    while at < len(texts):
        text = texts[at]
        if text is None:
            at += 1
        elif text in ("-m", "--module"):
            return Program(at + 1, True, at + 2) if at + 1 < len(texts) else None
        elif text == "--":
            at += 1
        elif text.startswith("-"):
            at += 1
            following = texts[at] if at < len(texts) else None
            takes_value = "=" not in text and text not in _FLAGS
            if takes_value and at < len(texts) and not _starts_program(following):
                at += 1
        else:
            return Program(at, False, at + 1)
    return None


def _starts_program(text: str | None) -> bool:
    return text is not None and ((text.startswith("-") and not text[1:].isdecimal()) or text.endswith(".py"))


def _shell(texts: Texts, at: int, *, wrapped: bool) -> Nested | None:
    while at < len(texts):
        text = texts[at]
        if text is None:
            return Nested(at, False, wrapped)
        if text.startswith("-") and not text.startswith("--") and "c" in text:
            return Nested(at + 1, True, wrapped) if at + 1 < len(texts) else None
        if text == "-s":
            return Nested(at + 1, True, wrapped, stdin=True)
        if text in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file"):
            at += 2
        elif text.startswith(("-", "+")) and len(text) > 1:
            at += 1
        else:
            return Nested(at, False, wrapped)
    return Nested(at, True, wrapped, stdin=True)


def _run(texts: Texts, at: int, name: str, depth: int) -> Program | Nested | None:
    """``uv run``, ``conda run``, ``ray job submit``"""
    if name == "ray":
        border = next((index for index in range(at, len(texts)) if texts[index] == "--"), None)
        at = at if border is None else border + 1
    found = _wrapped(texts, at, 0, depth)
    return _uv_program(texts, at) if found is None and name == "uv" else found


def _uv_program(texts: Texts, at: int) -> Program | None:
    """``uv run`` starts modules and Python files itself; anything else is some other program."""
    found = _launcher(texts, at)
    if found is None or found.is_module:
        return found
    return found if (texts[found.entry] or "").endswith(".py") else None


def _wrapped(texts: Texts, at: int, own: int, depth: int) -> Program | Nested | None:
    """The program behind a wrapper's options, their values, assignments and ``own`` further words."""
    value_may_follow = False
    while at < len(texts):
        text = texts[at]
        if text is None:
            found = _after_unknown(texts, at)
            if found is not None:
                return found
            value_may_follow = False
        elif _is_program(text):
            return _find(texts, at, wrapped=True, depth=depth + 1)
        elif text.startswith("-"):
            value_may_follow = "=" not in text
            at += text in ("-mca", "--mca")
        elif value_may_follow or _ASSIGNMENT.match(text):
            value_may_follow = False
        elif own:
            own -= 1
        else:
            return None
        at += 1
    return None


def _behind(texts: Texts, at: int, depth: int) -> Program | Nested | None:
    """The first known program."""
    for index in range(at, min(len(texts), at + 200)):
        text = texts[index]
        if text is not None and _is_program(text):
            return _find(texts, index, wrapped=True, depth=depth + 1)
        found = None if text is not None else _after_unknown(texts, index)
        if found is not None:
            return found
    return None


def _is_program(text: str) -> bool:
    name = text.rpartition("/")[2]
    return bool(
        PYTHON.fullmatch(text)
        or name in _TORCHRUN
        or name in ("accelerate", "deepspeed")
        or SHELL.fullmatch(text)
        or name in _WRAPPERS
        or name in _RUNNERS
        or name in _CONTAINERS
    )
