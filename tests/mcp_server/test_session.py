"""A session opens its index once, and again only if the file at its path is another one."""

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from query_support import altered_copy, document

from query.errors import IndexMissing, IndexUnreadable, UsageError
from query.mcp.cli import tools
from query.mcp.session import Session

TOOLS = tools()
RENAMED = "UPDATE slice SET name = 'NEW' WHERE slice_id = 'live/danmaku-wall'"


@pytest.fixture
def path(sample_db: Path, tmp_path: Path) -> Path:
    """A copy of the sample's index."""
    return Path(shutil.copy(sample_db, tmp_path / "x.db"))


@pytest.fixture
def session(path: Path) -> Iterator[Session]:
    """A session with that copy."""
    with closing(Session(path)) as opened:
        yield opened


def name(session: Session) -> str:
    """The name of a slice, as a call of ``show`` prints it."""
    return str(session.call(TOOLS["show"], {"id": "live/danmaku-wall"}).document["name"])


def test_opened_once(session: Session) -> None:
    """All calls use the same open index."""
    index = session.index()
    assert name(session) == name(session) == "弹幕墙"
    assert session.index() is index


def test_replaced(session: Session, path: Path) -> None:
    """A file that was renamed over the index is read from the next call on."""
    index = session.index()
    altered_copy(path, path.with_name("new.db"), RENAMED).replace(path)
    assert name(session) == "NEW"
    assert session.index() is not index


def test_changed_in_place(session: Session, path: Path) -> None:
    """A file of the same device and inode is opened again if its time of change is another."""
    session.index()
    altered_copy(path, path.with_name("new.db"), RENAMED)
    path.write_bytes(path.with_name("new.db").read_bytes())
    os.utime(path, ns=(1, 1))
    assert name(session) == "NEW"


def test_removed_and_restored(session: Session, path: Path, sample_db: Path) -> None:
    """Without the file a call fails, and with a new one the session goes on."""
    session.index()
    path.unlink()
    with pytest.raises(IndexMissing):
        name(session)
    shutil.copy(sample_db, path)
    assert name(session) == "弹幕墙"


def test_from_any_thread(session: Session, sample_db: Path) -> None:
    """Calls from several threads, one at a time, are answered from the same index."""
    index = session.index()
    arguments = {"query": "弹幕", "explain": True}
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        answers = [pool.submit(session.call, TOOLS["trtc_search"], arguments).result() for pool in (one, other, one)]
    wanted = document(sample_db, "trtc", "弹幕", "--explain")
    assert [answer.document for answer in answers] == [wanted] * 3
    assert session.index() is index


def test_errors(session: Session, path: Path) -> None:
    """A blank query is a usage error; content that makes a search fail is a fault of the file."""
    with pytest.raises(UsageError, match="the query is empty"):
        session.call(TOOLS["nim_search"], {"query": " "})
    altered_copy(path, path.with_name("new.db"), "UPDATE nim_posting SET ranks = x'62'").replace(path)
    with pytest.raises(IndexUnreadable, match="damaged or altered"):
        session.call(TOOLS["nim_search"], {"query": "登录后被踢"})
