"""Worker processes give the same results as this process, and end with it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from indexer.compile.workers import Workers


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_same_results(jobs: int) -> None:
    """Results do not depend on the number of processes."""
    with closing(Workers(jobs)) as workers:
        assert workers.parallel is (jobs > 1)
        results = [workers.submit(divmod, number, 3) for number in range(20)]
        assert [result() for result in results] == [divmod(number, 3) for number in range(20)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_come_back(jobs: int) -> None:
    """An exception in a task is raised where its result is read."""
    with closing(Workers(jobs)) as workers:
        result = workers.submit(divmod, 1, 0)
        with pytest.raises(ZeroDivisionError):
            result()


def test_where_the_work_is_done() -> None:
    """With two jobs a task runs in another process, with one job in this one."""
    with closing(Workers(1)) as alone, closing(Workers(2)) as two:
        assert alone.submit(os.getpid)() == os.getpid()
        assert two.submit(os.getpid)() != os.getpid()


def test_failing_preparation() -> None:
    """A worker that cannot be prepared fails the build."""
    with closing(Workers(2, sys.exit)) as workers, pytest.raises(Exception, match="terminated abruptly"):
        workers.submit(divmod, 7, 3)()


PARENT = """
import os, sys, time
from indexer.compile.workers import Workers
if __name__ == "__main__":
    workers = Workers(2)
    print(workers.submit(os.getpid)(), flush=True)
    time.sleep(60)
"""


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    """After kill -9 of the build its worker ends."""
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
