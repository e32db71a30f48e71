"""Other processes: work is done wherever it is, and nobody outlives the build."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from indexer.compile.workers import Future, Workers


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_same_results(jobs: int) -> None:
    """Results do not depend on who works, and come in the order in which they are asked for."""
    with closing(Workers(jobs)) as workers:
        assert workers.are_others is (jobs > 1)
        handed = [workers.submit(divmod, number, 3) for number in range(20)]
        assert [later.result() for later in handed] == [divmod(number, 3) for number in range(20)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_come_back(jobs: int) -> None:
    """An error elsewhere is raised where the result is wanted."""
    with closing(Workers(jobs)) as workers:
        later = workers.submit(divmod, 1, 0)
        with pytest.raises(ZeroDivisionError):
            later.result()


def test_other_processes_do_the_work() -> None:
    """With two jobs the work is done by another process, with one by this."""
    with closing(Workers(1)) as alone, closing(Workers(2)) as two:
        assert alone.submit(os.getpid).result() == os.getpid()
        assert two.submit(os.getpid).result() != os.getpid()


def test_later_waits() -> None:
    """Alone, nothing is computed before it is asked for."""
    asked: list[int] = []
    later = Future(lambda: asked.append(1))
    assert asked == []
    later.result()
    assert asked == [1]


def test_failing_preparation_is_told() -> None:
    """A worker that cannot prepare breaks the build, not silently."""
    with closing(Workers(2, sys.exit)) as workers, pytest.raises(Exception, match="terminated abruptly"):
        workers.submit(divmod, 7, 3).result()


PARENT = """
import os, sys, time
from indexer.compile.workers import Workers
if __name__ == "__main__":
    workers = Workers(2)
    print(workers.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    """After kill -9 of the build its worker goes away by itself."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT, "utf-8")
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    for _ in range(100):
        if not _is_running(worker):
            return
        time.sleep(0.1)
    pytest.fail("the worker still runs")


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
