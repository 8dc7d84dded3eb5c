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
    "numactl", "taskset", "xargs", "setsid", "chrt", "strace", "script", "unbuffer", "uv", "poetry",
    "conda", "mamba", "micromamba", "pixi", "pdm", "hatch", "pipenv", "rye", "ray", "docker", "podman",
    "singularity", "apptainer", "enroot", "salloc", "sbatch", "parallel", "flock", "watch", "catchsegv",
    "nsys", "ncu", "py-spy", "dumb-init", "tini", "gosu", "su", "tmux", "screen", "ssh", "pdsh",
    "kubectl", "msrun", "jsrun", "aprun", "horovodrun", "colossalai",
))  # fmt: skip
_FLAGS = frozenset((
    "--standalone", "--no_python", "--no-python", "--use_env", "--use-env", "--run_path", "--run-path",
    "--multi_gpu", "--multi-gpu", "--use_deepspeed", "--use_fsdp", "--cpu", "--tpu", "--debug", "--quiet",
    "--no_local_rank", "--force_multi", "--isolated", "--no-project", "--no-sync", "--frozen", "--locked",
    "--active", "--exact", "--no-dev", "--all-extras", "--verbose", "-v", "-q", "--help", "-h",
))  # fmt: skip
_PYTHON_VALUED = frozenset(("-X", "-W", "--check-hash-based-pycs"))


def find(texts: Texts) -> Program | Nested | None:
    """The program or script that a command starts; None where it starts none that is known."""
    return _find(texts, 0, wrapped=False, depth=0)


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
    if name in _WRAPPERS:
        return _wrapped(texts, at, name, depth)
    return None


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


def _wrapped(texts: Texts, at: int, name: str, depth: int) -> Program | Nested | None:
    """Behind the wrapper's own options: the first word that starts a program that is known."""
    if name == "ray":
        if texts[at + 1 : at + 3] != ["job", "submit"]:
            return None
        for index in range(at + 3, len(texts)):
            if texts[index] == "--":
                return _behind(texts, index + 1, depth)
    if name == "uv" and texts[at + 1 : at + 2] == ["run"]:
        return _behind(texts, at + 2, depth) or _uv_program(texts, at + 2)
    return _behind(texts, at + 1, depth)


def _uv_program(texts: Texts, at: int) -> Program | None:
    """``uv run`` starts modules and Python files itself; anything else is some other program."""
    found = _launcher(texts, at)
    if found is None or found.is_module:
        return found
    return found if (texts[found.entry] or "").endswith(".py") else None


def _behind(texts: Texts, at: int, depth: int) -> Program | Nested | None:
    for index in range(at, min(len(texts), at + 200)):
        text = texts[index]
        if text is None:
            found: Program | Nested | None = _after_unknown(texts, index)
        elif _is_program(text):
            return _find(texts, index, wrapped=True, depth=depth + 1)
        else:
            found = None
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
    )
