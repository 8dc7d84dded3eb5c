"""One bash process that runs many small scripts of our own: about a millisecond each."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from bash_recorder import MissingProgramError, Record, Run, is_internal

SERVER = Path(__file__).parent / "recorder" / "serve.bash"


class BashServer:
    """Bash with no program on its PATH, in an empty folder, with an empty environment.

    Only for scripts that are known to be harmless and to end: there is no sandbox and no time limit.
    """

    def __init__(self) -> None:
        """Raise MissingProgramError where bash is not installed."""
        bash = shutil.which("bash")
        if bash is None:
            raise MissingProgramError("recording needs bash: apt-get install bash")
        self._folder = tempfile.TemporaryDirectory(prefix="bash-server-")
        self._process = subprocess.Popen(
            [bash, "--norc", "--noprofile", str(SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self._folder.name,
            env={"PATH": "", "LC_ALL": "C.UTF-8"},
        )
        self._rest = b""

    def close(self) -> None:
        """End bash."""
        self._process.communicate()
        self._folder.cleanup()

    def run(self, script: str) -> Run:
        """What the launches (``python3 …``) of a script got."""
        assert self._process.stdin is not None
        self._process.stdin.write(script.encode() + b"\0")
        self._process.stdin.flush()
        records: list[Record] = []
        while (count := self._field()) != "end":
            argv = ("python3", *(self._field() for _ in range(int(count))))
            variables = (self._field() for _ in range(int(self._field())))
            env = dict(variable.split("=", 1) for variable in variables)
            outer = {name: value for name, value in env.items() if not is_internal(name)}
            records.append(Record(str(len(records)), "", False, argv, outer))
        return Run(tuple(records), int(self._field()), "")

    def _field(self) -> str:
        """The next NUL-terminated field."""
        assert self._process.stdout is not None
        while b"\0" not in self._rest:
            more = os.read(self._process.stdout.fileno(), 65536)
            if not more:
                raise EOFError("bash ended")
            self._rest += more
        field, self._rest = self._rest.split(b"\0", 1)
        return field.decode("utf-8", "surrogateescape")
