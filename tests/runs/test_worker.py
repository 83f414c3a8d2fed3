from __future__ import annotations

import threading

import pytest

from tb_debugger_plugin.runs.worker import Worker


def test_wake_ups_during_the_work_are_one_more_turn() -> None:
    begun, go_on, done = threading.Semaphore(0), threading.Semaphore(0), threading.Semaphore(0)

    def work() -> None:
        begun.release()
        assert go_on.acquire(timeout=60)
        done.release()

    worker = Worker("test", work)
    worker.wake()
    assert begun.acquire(timeout=60)
    for _ in range(5):
        worker.wake()
    go_on.release(2)
    assert done.acquire(timeout=60)
    assert done.acquire(timeout=60)
    worker.close()
    assert not begun.acquire(blocking=False) or not begun.acquire(blocking=False)


def test_a_failure_is_logged_and_does_not_end_the_thread(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done = threading.Semaphore(0)

    def work() -> None:
        done.release()
        raise RuntimeError("a surprise")

    worker = Worker("test", work)
    for _ in range(2):
        worker.wake()
        assert done.acquire(timeout=60)
    worker.close()
    assert caplog.text.count("RuntimeError: a surprise") == 2
    assert "the test failed" in caplog.text


def test_close_cuts_a_pause_short() -> None:
    begun = threading.Event()

    def work() -> None:
        begun.set()
        worker.rest(3600)

    worker = Worker("test", work)
    worker.wake()
    assert begun.wait(60)
    worker.close()
    assert worker.closing


def test_a_worker_that_was_closed_does_not_start() -> None:
    worker = Worker("test", lambda: pytest.fail("it works"))
    threads = threading.active_count()
    worker.close()
    worker.wake()
    assert threading.active_count() == threads
