"""Runs tasks in worker processes with ``--jobs`` above 1, else in this process when their result is needed."""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")


class Workers:
    """``jobs`` processes: this one, and ``jobs - 1`` workers, which also end if this one is killed."""

    def __init__(self, jobs: int, prepare: Callable[[], object] | None = None) -> None:
        self._pool = (
            ProcessPoolExecutor(jobs - 1, initializer=_start, initargs=(os.getpid(), prepare)) if jobs > 1 else None
        )

    @property
    def parallel(self) -> bool:
        """Whether there are workers, so that a task submitted early is also done early."""
        return self._pool is not None

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Callable[[], Result]:
        """Submit a call of a picklable function. The function returned waits for the result, or computes it here."""
        return partial(function, *arguments) if self._pool is None else self._pool.submit(function, *arguments).result

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _start(parent: int, prepare: Callable[[], object] | None) -> None:
    """Prepare a worker while the parent reads, and end it when the parent is gone."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    if prepare is not None:
        prepare()
