"""Variables that a launch uses and nothing sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from reviewbot.language import say
from reviewbot.shell.model import ShellProblem
from reviewbot.shell.state import Path
from reviewbot.shell.syntax import Assignment, Command, CommandList, For, Simple, Word
from reviewbot.shell.values import Run, Use
from reviewbot.shell.walk import commands_in

_LITERALS = {"true": "True", "false": "False", "none": "None", "null": "null"}
_FROM_ENVIRONMENT = re.compile(
    r"MASTER_(?:ADDR|PORT)|(?:LOCAL_|NODE_|GROUP_)?RANK|(?:LOCAL_)?WORLD_SIZE|NNODES|NODES?|HOSTFILE"
    r"|(?:SLURM|CUDA|NCCL|HCCL|ASCEND|RAY|WANDB|SWANLAB|HF|HYDRA|VLLM|SGLANG|TORCH|OMPI|PMI|MPI|PBS|LSB|KUBE|AWS|GIT"
    r"|CI|GITHUB|PYTHON|CONDA|VIRTUAL|XDG|LD|LC|TRITON|TOKENIZERS|OMP|MKL|ROCM|HIP|MLFLOW|TENSORBOARD)_.*"
    r"|.*_(?:HOME|TOKEN|API_KEY|KEY|USER|PASSWORD|SECRET)|TMPDIR|TMP|TEMP|EDITOR|DISPLAY|HOSTNAME|PWD|PATH|HOME|USER"
)
_CAPITALS = re.compile(r"[A-Z_][A-Z0-9_]*")
_SETTING = frozenset(("declare", "typeset", "local", "export", "readonly"))
_NAMING = frozenset((
    "read", "mapfile", "readarray", "getopts", "printf", "let", "unset",
))  # fmt: skip
_NAME = re.compile(r"[A-Za-z_]\w*")


def unset_variables(
    paths: Sequence[Path], scripts: Iterable[Sequence[CommandList]], path: str
) -> Iterator[ShellProblem]:
    """Variables in the words of launches that no script at hand ever sets, as far as they must be mistakes."""
    if any(run.opaque for run in paths):
        return
    runs = [item for followed in paths for item in followed.unset if _NAME.fullmatch(item[0].env)]
    if not runs:
        return
    names = {name for commands in scripts for line in commands for name in names_set(line)}
    for run, strict in runs:
        message = None if run.env in names else _message(run.env, names, strict=strict)
        use = _innermost(run)
        if message is None or use is None:
            continue
        span = use.word.code.span(use.start, use.end)
        if span is not None and span.path == path:
            yield ShellProblem("unset-variable", span, message)


def _innermost(run: Run) -> Use | None:
    use = run.use
    while use is not None and use.before is not None:
        use = use.before
    return use


def _message(name: str, names: set[str], *, strict: bool) -> str | None:
    effect = say("the script ends here (`set -u`)") if strict else say("it is empty")
    literal = _LITERALS.get(name.lower())
    if literal is not None:
        return say(
            "`${{{name}}}` is a variable that nothing sets, so {effect}: write `{literal}`.",
            name=name,
            effect=effect,
            literal=literal,
        )
    nearest = _nearest(name, names)
    if _FROM_ENVIRONMENT.fullmatch(name) or (nearest is None and _CAPITALS.fullmatch(name)):
        return None
    advice = "" if nearest is None else say(" Did you mean `{nearest}`?", nearest=nearest)
    return say(
        "`{name}` is never set in the script and has no default: unless the environment sets it, {effect}.{advice}",
        name=name,
        effect=effect,
        advice=advice,
    )


def _nearest(name: str, names: set[str]) -> str | None:
    best, best_ratio = None, 0.0
    for other in sorted(names):
        if abs(len(other) - len(name)) > 3 or (
            other.isupper() != name.isupper() and other.lower() != name.lower()
        ):
            continue
        ratio = (
            1.0
            if other.lower() == name.lower()
            else SequenceMatcher(None, name, other, autojunk=False).ratio()
        )
        if ratio > best_ratio and _alike(name, other, ratio):
            best, best_ratio = other, ratio
    return best


def _alike(name: str, other: str, ratio: float) -> bool:
    """Whether one may be a slip of the other; names that differ in a number or a whole word are not."""
    if re.sub(r"\d+", "", name) == re.sub(r"\d+", "", other) and name != other:
        return False
    return ratio >= (0.85 if len(name) > 5 else 0.9)


def names_set(command: Command) -> Iterator[str]:
    """The names that a command may set, in any way that can be seen."""
    for inner in commands_in(command):
        if isinstance(inner, For):
            yield inner.name
        elif isinstance(inner, Simple):
            for assignment in inner.assignments:
                yield assignment.name
            yield from _argument_names(inner)


def _argument_names(command: Simple) -> Iterator[str]:
    first = command.words[0].plain if command.words and isinstance(command.words[0], Word) else None
    for word in command.words:
        if isinstance(word, Assignment):
            yield word.name
        elif first in _SETTING or first in _NAMING:
            match = _NAME.match(word.source.lstrip("\"'"))
            if match:
                yield match[0]
