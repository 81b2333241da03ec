"""E_ASSERT_WEAKENED: assertions of Python tests that run where nobody hears of a failure, each beside honest ones."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from testing.weaker_tests import judged, one

CHECK = "def check():\n    assert total([1, 2]) == 3\n\n\n"
CALLED = one("check()", CHECK)
JOBS = "import asyncio\nimport multiprocessing as mp\nfrom concurrent.futures import ThreadPoolExecutor\n\n\n"
PROCESS = one("p = mp.Process(target=check)\np.start()\np.join()\n{}", JOBS + CHECK)
POOL = one("with ThreadPoolExecutor() as pool:\n    job = pool.submit(check)\n    {}", JOBS + CHECK)
WORKERS = one("with mp.Pool() as pool:\n    job = pool.apply_async(check)\n    {}", JOBS + CHECK)
CHECKED = JOBS + "async def check():\n    assert total([1, 2]) == 3\n\n\n"
AWAITED = one("async def main():\n    await check()\n\nasyncio.run(main())", CHECKED)
LOOP = one("async def main():\n    {}\n    await asyncio.sleep(0)\n    {}\n\nasyncio.run(main())", CHECKED)
WAIT = "await asyncio.wait([asyncio.create_task(check())])"
TASK = "task = asyncio.create_task(check())"
SENT = one("send = mock.Mock()\ntotal([1], send)\nsend.assert_called_once_with('two words')")
GIVEN = one(
    "def check(text):\n    assert text == 'two words'\n\nsend = mock.Mock(side_effect=check)\ntotal([1], send)\n{}"
)
NOTED = one(
    "seen = []\n\ndef check(text):\n    assert text == 'two words'\n    seen.append(text)\n\n"
    "send = mock.Mock(side_effect=check)\ntotal([1], send)\nassert seen"
)
INNER = one("def check():\n    assert total([1, 2]) == 3\n\nloop = make()\n{}")


def rows(old: str, *heads: tuple[str, str, list[str]]) -> list[object]:
    return [pytest.param(old, new, expected, id=name) for name, new, expected in heads]


KINDS = [
    *rows(
        CALLED,
        ("a process that has to end well", PROCESS.format("assert p.exitcode == 0"), []),
        ("a process", PROCESS.format("assert not p.is_alive()"), [BLOCK]),
        ("a job that is asked", POOL.format("job.result()"), []),
        ("a job", POOL.format("assert job"), [BLOCK]),
        ("a job of a pool of processes that is asked", WORKERS.format("job.get()"), []),
        ("a job of a pool of processes", WORKERS.format("job.wait()"), [BLOCK]),
    ),
    *rows(
        AWAITED,
        ("a task that is awaited", LOOP.format(TASK, "await task"), []),
        ("a task that is asked", LOOP.format(TASK, "task.result()"), []),
        ("a task among others", LOOP.format(f"tasks = []\n    {TASK}\n    tasks.append(task)", "await tasks[0]"), []),
        ("a task whose callback keeps it", LOOP.format(TASK, "task.add_done_callback(seen.append)"), []),
        ("a task with a deaf callback", LOOP.format(TASK, "task.add_done_callback(lambda t: t.exception())"), [BLOCK]),
        ("a task that is cancelled", LOOP.format(TASK, "task.cancel()"), [BLOCK]),
        ("tasks that are waited for and asked", LOOP.format(
            f"done, _ = {WAIT}", "[one.result() for one in done]"), []),
        ("tasks that are waited for", LOOP.format(WAIT, "pass"), [BLOCK]),
    ),
    *rows(
        SENT,
        ("a callback of which the call is asserted", GIVEN.format("send.assert_called_once()"), []),
        ("a callback of which the calls are counted", GIVEN.format("assert send.call_count == 1"), []),
        ("a callback that keeps what it is given", NOTED, []),
        ("a callback that may never be called", GIVEN.format(""), [WARN]),
    ),
    *rows(
        GIVEN.format("assert send.call_count == 1"),
        ("a callback of which nobody asks any more", GIVEN.format(""), [WARN]),
    ),
    *rows(
        INNER.format("check()"),
        ("a function that is handed on", INNER.format("loop.run(check)"), []),
        ("a callback of the loop", INNER.format("loop.call_soon(check)"), [BLOCK]),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), KINDS)
def test_unheard(old: str, new: str, expected: list[str]) -> None:
    assert expected == judged(new, old)
