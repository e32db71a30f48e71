"""Work that need not wait for the rest: done by other processes where there are some, else when it is asked for."""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class Future(Generic[Result]):
    """A result that is computed elsewhere, or on the first call of ``result``."""

    def __init__(self, compute: Callable[[], Result]) -> None:
        self._compute = compute

    def result(self) -> Result:
        """Wait for it, or compute it."""
        return self._compute()


class Workers:
    """``jobs`` processes in all: this one and ``jobs - 1`` others, which end with it even if it is killed."""

    def __init__(self, jobs: int, prepare: Callable[[], object] | None = None) -> None:
        self._pool = (
            ProcessPoolExecutor(jobs - 1, initializer=_begin, initargs=(os.getpid(), prepare)) if jobs > 1 else None
        )

    @property
    def are_others(self) -> bool:
        """Whether work handed over early is done meanwhile."""
        return self._pool is not None

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Hand over a call of a picklable function."""
        if self._pool is None:
            return Future(lambda: function(*arguments))
        return Future(self._pool.submit(function, *arguments).result)

    def close(self) -> None:
        """End the other processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _begin(parent: int, prepare: Callable[[], object] | None) -> None:
    """Prepare while the parent still reads, and watch whether it is alive."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    if prepare is not None:
        prepare()
