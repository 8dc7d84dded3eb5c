"""A file is replaced whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from reviewbot.commands.replacing import replace_file


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "run.sh"
    file.write_bytes(b"old\n")
    monkeypatch.setattr(os, "fsync", full)
    assert replace_file(file, b"old\n", b"new\n") == "cannot be written (No space left on device)"
    assert file.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "run.sh"
    file.write_bytes(b"newer\n")
    assert replace_file(file, b"old\n", b"new\n") == "changed while it was reviewed; run again"
    assert file.read_bytes() == b"newer\n"


def test_a_name_of_the_greatest_length(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 252 + ".sh")
    file.write_bytes(b"old\n")
    assert replace_file(file, b"old\n", b"new\n") == ""
    assert file.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [file]
