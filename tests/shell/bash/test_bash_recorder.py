"""What the recorder gives scripts, and what it sees of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bash_needs import run_with_needs
from bash_recorder import Given, MissingProgramError, Recorder, Run

Runner = Callable[..., Run]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Runner]:
    """Runs the text of a script, after other files were written."""
    recorders = []

    def run(script: str, given: Given | None = None, **files: str) -> Run:
        for name, text in {"script.sh": script, **files}.items():
            (tmp_path / name).write_text(text)
        recorder = Recorder(tmp_path, sandboxed=False)
        recorders.append(recorder)
        return run_with_needs(recorder, "script.sh", given or Given())[0]

    yield run
    for recorder in recorders:
        recorder.close()


def words(run: Run) -> list[tuple[str, ...]]:
    return [record.argv for record in run.records]


def test_arguments_and_environment_are_recorded_as_they_are(run: Runner) -> None:
    found = run("export A='1 2'\nB=$'x\\ny' python3 -m m '' 'a  b' $'c\\nd' é\n")
    assert words(found) == [("python3", "-m", "m", "", "a  b", "c\nd", "é")]
    assert found.records[0].env.items() >= {"A": "1 2", "B": "x\ny", "USER": "user"}.items()


def test_nothing_of_the_callers_environment_is_seen(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "s")
    assert words(run('python3 "${SECRET-none}" "$USER"\n')) == [("python3", "none", "user")]


def test_what_is_missing_does_not_stop_a_script(run: Runner) -> None:
    found = run(
        'set -e\nsource /no/such\n. none.sh\ncd /no/../such/folder\nconda activate x\npython3 "$PWD" "$(pwd)"\n'
    )
    assert words(found)[-1] == ("python3", "/such/folder", "/such/folder")
    assert found.status == 0


def test_wrappers_are_recorded_with_what_they_run(run: Runner) -> None:
    found = run("srun -n 2 nohup env A=1 bash -c 'python3 -m m \"$A\"'\n")
    names = {record.identity: record.argv[0] for record in found.records}
    chain = [(record.argv[0], names.get(record.caller, "")) for record in found.records]
    assert chain == [("srun", ""), ("nohup", "srun"), ("env", "nohup"), ("python3", "env")]
    assert found.records[-1].argv == ("python3", "-m", "m", "1")


def test_words_that_were_cut_off_are_told_from_programs(run: Runner) -> None:
    found = run("trainer.a=1 b=2\n+c.d=3\nmodule load cuda\n")
    assert [record.lost for record in found.records] == [True, True, False]


def test_background_jobs_are_waited_for(run: Runner) -> None:
    assert words(run("(python3 -m late) &\n")) == [("python3", "-m", "late")]


def test_changes_to_files_do_not_reach_the_next_run(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("python3 -m m; echo 'exit 0' >a.sh; mkdir -p new; echo >new/b.txt\n")
    recorder = Recorder(tmp_path, sandboxed=False)
    assert words(recorder.run("a.sh")) == words(recorder.run("a.sh")) == [("python3", "-m", "m")]
    recorder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["a.sh"]


def test_what_a_script_demands_is_found_out(run: Runner) -> None:
    found = run(
        'set -u\n[ $# -ge 2 ] || exit 1\necho "$NEEDED" ${OTHER:?say it}\npython3 -m m "$#" "$NEEDED" "$OTHER"\n'
    )
    assert words(found) == [("python3", "-m", "m", "2", "2", "2")]


def test_programs_print_what_they_are_given_to_print(run: Runner) -> None:
    found = run("x=$(python3 -c 'print(1)')\npython3 -m m \"$x\"\n", Given(prints={"python3": "cuda"}))
    assert words(found)[-1] == ("python3", "-m", "m", "cuda")


def test_the_sandbox_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else f"/bin/{name}")
    with pytest.raises(
        MissingProgramError, match="needs bwrap: apt-get install bash bubblewrap busybox-static"
    ):
        Recorder(tmp_path, sandboxed=True)
