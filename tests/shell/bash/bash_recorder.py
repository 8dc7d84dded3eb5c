"""Runs scripts under real bash and records every command that they start.

``PATH`` holds stand-ins only (``recorder/record.bash``): no program of the machine is run but bash itself and
text tools.  Two ways to run:

- *trusted*, for this project's own scripts: plain bash in a temporary folder, with an emptied environment;
- *sandboxed*, for anybody's: the same within bubblewrap, with everything unshared (no network), the system
  read-only, a temporary home, and limits on time, memory and output.  Text tools come from busybox.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 10
FILE_BYTES = 4 * 1024 * 1024
MEMORY_BYTES = 1024 * 1024 * 1024
HERE = Path(__file__).parent
TOOLS = (HERE / "recorder" / "tools.txt").read_text().split()
"""Text tools that scripts may use."""
STAND_INS = (HERE / "recorder" / "stand-ins.txt").read_text().split()
"""Programs that must be found on ``PATH``; any other is recorded by ``command_not_found_handle``."""
INTERNAL = frozenset(("BASH_ENV", "OLDPWD", "PATH", "PWD", "RECORDER", "RECORDS", "SHLVL", "_"))
COPIED = frozenset((".sh", ".bash", ".env", ".yaml", ".yml", ".toml", ".txt", ".cfg", ""))


@dataclass(frozen=True)
class Record:
    """One command that was started."""

    identity: str
    caller: str
    """The identity of the record that started this one (``nohup``, ``ray``); empty where the script did."""
    lost: bool
    """True where bash found no such command, and it looks like no program's name: a cut-off argument."""
    argv: tuple[str, ...]
    env: Mapping[str, str]


@dataclass(frozen=True)
class Run:
    """What a script did."""

    records: tuple[Record, ...]
    """In the order in which the commands were started."""
    status: int | None
    """The exit status; None where the time was up."""
    errors: str
    """What bash wrote to standard error."""


@dataclass(frozen=True)
class Given:
    """What a script is given: variables, positional arguments, and what programs print for it."""

    env: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    prints: Mapping[str, str] = field(default_factory=dict)


NOTHING = Given()


class MissingProgramError(Exception):
    """A program that recording needs is not installed.  The text says how to install it."""


class Recorder:
    """A folder with the stand-ins, for any number of runs over the scripts below ``root``."""

    def __init__(self, root: Path, *, sandboxed: bool) -> None:
        """Raise MissingProgramError where bash, or what the sandbox needs, is not installed."""
        needed = ("bash", "bwrap", "busybox") if sandboxed else ("bash",)
        missing = [name for name in needed if shutil.which(name) is None]
        if missing:
            raise MissingProgramError(
                f"recording needs {', '.join(missing)}: apt-get install bash bubblewrap busybox-static"
            )
        self.sandboxed = sandboxed
        self._folder = tempfile.TemporaryDirectory(prefix="recorder-")
        self._top = Path(self._folder.name).resolve()
        self._bash = str(Path(shutil.which("bash") or "bash").resolve())
        self._recorder = Path("/recorder") if sandboxed else self._top / "recorder"
        home = "/home/user" if sandboxed else str(self._top / "home")
        here = "/repository" if sandboxed else str(self._top / "repository")
        self.declared = {"HOME": home, "PWD": here, "USER": "user", "LC_ALL": "C.UTF-8"}
        """What every script is told, and what a reader of it may be told as well."""
        self._copy = _Copy(root, self._top / "repository")
        self._set_up()

    def close(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()

    def run(self, script: str, given: Given = NOTHING) -> Run:
        """Run ``script`` (a path relative to the root) from the root, in a fresh copy of it."""
        records = self._fresh("records")
        self._fresh("home")
        self._copy.restore()
        env = {
            **{f"RECORDED_PRINTS_{name}": text for name, text in given.prints.items()},
            **given.env,
            **self.declared,
            "PATH": str(self._recorder / "bin"),
            "BASH_ENV": str(self._recorder / "setup.bash"),
            "RECORDER": str(self._recorder),
            "RECORDS": "/records" if self.sandboxed else str(records),
        }
        command = [self._bash, "-p", str(self._recorder / "run.bash"), script, *given.arguments]
        if self.sandboxed:
            command = [*self._sandbox(env), *command]
        status, errors = self._limited(command, env)
        found = sorted(records.iterdir())
        return Run(tuple(_record(path) for path in found), status, errors)

    def _set_up(self) -> None:
        recorder = self._top / "recorder"
        (recorder / "bin").mkdir(parents=True)
        (recorder / "tools").mkdir()
        for name in ("setup.bash", "run.bash"):
            shutil.copy(HERE / "recorder" / name, recorder / name)
        stand_in = recorder / "bin" / "python3"
        stand_in.write_text(f"#!{self._bash} -p\n{(HERE / 'recorder' / 'record.bash').read_text()}")
        stand_in.chmod(0o755)
        for name in TOOLS:
            program = shutil.which("busybox" if self.sandboxed else name)
            if program:
                target = "/recorder/busybox" if self.sandboxed else program
                (recorder / "tools" / name).symlink_to(target)
                (recorder / "bin" / name).symlink_to(target)
        for name in STAND_INS:
            if name != "python3":
                (recorder / "bin" / name).unlink(missing_ok=True)
                (recorder / "bin" / name).hardlink_to(stand_in)
        for name in ("bash", "sh"):
            (recorder / "bin" / name).symlink_to(self._bash)
        if self.sandboxed:
            shutil.copy(shutil.which("busybox") or "busybox", recorder / "busybox")

    def _fresh(self, name: str) -> Path:
        folder = self._top / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def _sandbox(self, env: Mapping[str, str]) -> list[str]:
        links = [("/recorder/tools/env", "/usr/bin/env")]
        links += [(f"/recorder/bin/{name}", f"/usr/bin/{name}") for name in ("python", "python3", "torchrun")]
        libraries = [path for path in ("/lib", "/lib64", "/usr/lib", "/usr/lib64") if Path(path).exists()]
        return [
            *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"),
            *("--size", str(64 * 1024 * 1024), "--tmpfs", "/", "--proc", "/proc", "--dev", "/dev"),
            *(word for path in libraries for word in ("--ro-bind", path, path)),
            *("--ro-bind", self._bash, "/bin/bash", "--ro-bind", self._bash, self._bash),
            *("--symlink", "/bin/bash", "/bin/sh"),
            *(word for target, link in links for word in ("--symlink", target, link)),
            *("--ro-bind", str(self._top / "recorder"), "/recorder"),
            *("--bind", str(self._top / "records"), "/records"),
            *("--bind", str(self._top / "repository"), "/repository"),
            *("--dir", "/home/user", "--dir", "/tmp", "--chdir", "/repository"),
            *(word for name, value in env.items() for word in ("--setenv", name, value)),
        ]

    def _limited(self, command: Sequence[str], env: Mapping[str, str]) -> tuple[int | None, str]:
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                command,
                cwd=self._top / "repository",
                env=dict(env) if not self.sandboxed else {"PATH": os.environ.get("PATH", os.defpath)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
                preexec_fn=_limits,
            )
            try:
                status: int | None = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                _end_session(process)
            errors.seek(0)
            return status, errors.read(FILE_BYTES).decode("utf-8", "replace")


def is_internal(name: str) -> bool:
    """Whether a variable is bash's or the recorder's own business."""
    return name in INTERNAL or name.startswith("RECORDED_")


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_session(process: subprocess.Popen[bytes]) -> None:
    """End what the script left running in the background, too."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()


class _Copy:
    """A copy of the scripts and settings of a folder that runs may write to: undone before the next run."""

    def __init__(self, root: Path, target: Path) -> None:
        self._root, self._target = root, target
        target.mkdir()
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name != ".git")
            relative = Path(folder).relative_to(root)
            (target / relative).mkdir(exist_ok=True)
            for name in names:
                if _is_small_text(Path(folder, name)):
                    shutil.copy(Path(folder, name), target / relative / name)
        self._state = self._look()

    def restore(self) -> None:
        """Undo whatever a run changed."""
        now = self._look()
        for path in now.keys() - self._state.keys():
            (self._target / path).unlink()
        changed = [path for path, state in self._state.items() if now.get(path) != state]
        for path in changed:
            (self._target / path).parent.mkdir(parents=True, exist_ok=True)
            (self._target / path).unlink(missing_ok=True)
            shutil.copy(self._root / path, self._target / path)
        if changed:
            self._state = self._look()

    def _look(self) -> dict[str, tuple[int, int]]:
        """Relative path → size and time of change."""
        found = {}
        for folder, folders, names in os.walk(self._target):
            links = [name for name in folders if Path(folder, name).is_symlink()]
            for path in (Path(folder, name) for name in (*names, *links)):
                status = path.lstat()
                found[path.relative_to(self._target).as_posix()] = (status.st_size, status.st_mtime_ns)
        return found


def _is_small_text(path: Path) -> bool:
    return (
        path.suffix in COPIED
        and path.is_file()
        and not path.is_symlink()
        and path.stat().st_size <= 256 * 1024
    )


def _record(path: Path) -> Record:
    caller, lost, count, *rest = path.read_bytes().decode("utf-8", "surrogateescape").split("\0")
    argv, variables = rest[: int(count)], rest[int(count) : -1]
    env = dict(variable.split("=", 1) for variable in variables)
    outer = {name: value for name, value in env.items() if not is_internal(name)}
    return Record(path.name, caller, bool(lost), tuple(argv), outer)
