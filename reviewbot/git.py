"""What reviewbot asks of git: diffs, commits and file lists, with fixed arguments and nothing of the caller's
environment that could point elsewhere.  No hook, pager, external diff, textconv or network is used.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Collection
from pathlib import Path

from reviewbot.errors import InputError

TIMEOUT_SECONDS = 120
_COMMIT = re.compile(r"[0-9a-f]{40}")

_FIXED = (
    "git",
    "--no-pager",
    *("-c", "core.quotePath=false"),
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.allow=never"),
)
"""``protocol.allow=never`` keeps a partial clone from fetching what it lacks."""

_DIFF = (
    "diff",
    *("--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--submodule=short"),
    *("-U3", "--find-renames", "--src-prefix=a/", "--dst-prefix=b/"),
)


def diff_against(repo: Path, base: str, untracked: Collection[str] = ()) -> bytes:
    """The diff from the merge base of ``base`` and HEAD to the working tree, uncommitted changes included.

    Files that git neither tracks nor ignores are in it where their names end in one of ``untracked``
    (``.sh``).  Paths are relative to the top of the repository.  Raises InputError: not a repository, unknown
    reference, no common commit.
    """
    root = _top(repo)
    if not base or base.startswith("-") or not base.isprintable():
        raise InputError(f"{base!r} is not the name of a git reference; give a branch, tag or commit")
    commit = _run(root, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}")
    if commit is None:
        raise InputError(
            f"git knows no commit {base!r} in {root}; give a branch, tag or commit, or fetch it first"
        )
    if head_commit(root) is None:
        raise InputError(f"the repository {root} has no commit yet, so nothing can be compared with {base!r}")
    fork_point = _run(root, "merge-base", commit.decode().strip(), "HEAD")
    if fork_point is None:
        raise InputError(_no_merge_base(root, base))
    tracked = _checked(root, *_DIFF, fork_point.split()[0].decode(), "--")
    return tracked + b"".join(_added(root, path) for path in _untracked_files(root, untracked))


def repository_root(path: Path) -> Path | None:
    """The folder at or above ``path`` that holds ``.git``; None where there is none.  Needs no git."""
    here = path.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


def head_commit(path: Path) -> str | None:
    """The commit that is checked out; None where there is none, or no repository, or no git."""
    if repository_root(path) is None:
        return None
    try:
        found = _run(path, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except InputError:
        return None
    return found.decode().strip() if found else None


def uncommitted_diff(file: Path) -> bytes | None:
    """The diff from HEAD to the working tree for one file, empty where it is as committed.

    None where HEAD does not have the file.  Raises InputError where the file is in no repository.
    """
    folder = file.parent
    if _run(folder, "cat-file", "-e", f"HEAD:./{file.name}") is None:
        return None
    return _checked(folder, *_DIFF, "HEAD", "--", f":(literal){file.name}")


def tracked_files(repo: Path, suffixes: Collection[str]) -> tuple[str, ...]:
    """The tracked files that end in one of ``suffixes``, relative to the top of the repository, sorted.

    Raises InputError where ``repo`` is in no repository.
    """
    return _ending(_checked(_top(repo), "ls-files", "-z"), suffixes)


def commits_touching(
    repo: Path, commit: str, pathspec: str, text: str | None, seconds: float, count: int = 12
) -> tuple[str, ...] | None:
    """The messages of the newest commits up to ``commit`` that changed files of a pathspec, newest first.

    With ``text``: that changed a line that holds the text.  None where the history is not at hand (a shallow
    clone, an unknown commit, no git) or takes longer than ``seconds``.
    """
    if repository_root(repo) is None or not _COMMIT.fullmatch(commit):
        return None
    changed = () if text is None else ("-G", re.escape(text))
    log = ("log", f"-{count}", "--format=%B%x00", *changed, commit, "--", pathspec)
    try:
        if _run(repo, "rev-parse", "--is-shallow-repository") != b"false\n":
            return None
        result = _execute(repo, *log, seconds=seconds)
    except InputError:
        return None
    if result.returncode:
        return None
    messages = result.stdout.decode("utf-8", "replace").split("\0")
    return tuple(message.strip() for message in messages if message.strip())


def _top(repo: Path) -> Path:
    result = _execute(repo, "rev-parse", "--show-toplevel")
    if result.returncode:
        if b"dubious ownership" in result.stderr:
            raise InputError(
                f"git does not read {repo}, which belongs to another user; if it can be trusted, "
                f"run git config --global --add safe.directory {shlex.quote(str(repository_root(repo)))}"
            )
        raise InputError(f"{repo} is not in the working tree of a git repository ({_first_line(result)})")
    return Path(os.fsdecode(result.stdout.removesuffix(b"\n")))


def _untracked_files(root: Path, suffixes: Collection[str]) -> tuple[str, ...]:
    if not suffixes:
        return ()
    return _ending(_checked(root, "ls-files", "-z", "--others", "--exclude-standard"), suffixes)


def _ending(listing: bytes, suffixes: Collection[str]) -> tuple[str, ...]:
    paths = {os.fsdecode(path) for path in listing.split(b"\0") if path}
    return tuple(sorted(path for path in paths if path.endswith(tuple(suffixes))))


def _added(root: Path, path: str) -> bytes:
    """The diff that adds an untracked file."""
    result = _execute(root, *_DIFF, "--no-index", "--", os.devnull, path)
    if result.returncode > 1:
        raise InputError(_sentence(result))
    return result.stdout


def _no_merge_base(root: Path, base: str) -> str:
    if _run(root, "rev-parse", "--is-shallow-repository") == b"true\n":
        return (
            f"the shallow clone {root} does not reach the commit at which HEAD left {base!r}; "
            "run git fetch --unshallow (actions/checkout: fetch-depth: 0)"
        )
    return f"HEAD and {base!r} have no commit in common; give a base that HEAD comes from"


def _run(folder: Path, *arguments: str) -> bytes | None:
    """The output; None where git says no."""
    result = _execute(folder, *arguments)
    return result.stdout if result.returncode == 0 else None


def _checked(folder: Path, *arguments: str) -> bytes:
    result = _execute(folder, *arguments)
    if result.returncode:
        raise InputError(_sentence(result))
    return result.stdout


def _sentence(result: subprocess.CompletedProcess[bytes]) -> str:
    return f"git could not do its part: {_first_line(result)}"


def _first_line(result: subprocess.CompletedProcess[bytes]) -> str:
    first = result.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    return first.removeprefix("fatal: ") or f"exit code {result.returncode}"


def _execute(
    folder: Path, *arguments: str, seconds: float = TIMEOUT_SECONDS
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            [*_FIXED, *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError:
        missing = "git is not installed" if folder.is_dir() else f"{folder} does not exist"
        raise InputError(f"{missing}, so no diff can be made") from None
    except NotADirectoryError:
        raise InputError(f"{folder} is not a folder") from None
    except subprocess.TimeoutExpired:
        raise InputError(f"git gave no answer within {seconds:.0f} seconds in {folder}") from None


def _environment() -> dict[str, str]:
    """The environment without what redirects git (``GIT_DIR``, ``GIT_EXTERNAL_DIFF`` …).

    ``GIT_CONFIG_*`` stays, since containers name trusted folders there.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith("GIT_CONFIG_")
    }
    return kept | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }
