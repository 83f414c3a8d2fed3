"""What is amiss over many events of each real logdir: no more than what is so.

Every case was looked at by hand. A case that is not in the table shows nothing, neither of what is
amiss nor of what healthy programs show too: those of the corpus that count zeros have no other ReLU
that is more than half zero call after call.
"""

from __future__ import annotations

import pytest

from tb_debugger_plugin import open_run
from tests.corpus.logdirs import absence
from tests.corpus.truth import RunTruth, runs

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

RUNS = [] if ABSENCE else runs()

SHOWN: dict[str, dict[str, list[int]]] = {
    # A bias of -100 before the ReLU: the gradients of both weights are zero, and all before it.
    "dead_relu": {"dead_activation": [13], "zero_gradient": [14, 14]},
    # A function that is called with a tensor of each rank.
    "ranks_SHAPE": {"retracing": [11]},
    # One with other sizes, Python numbers and dtypes; and one that is defined anew in a loop.
    "retrace": {"retracing": [14, 21]},
}
"""By case and kind: the lines of the program."""


def place(run: RunTruth) -> str:
    return run.case if run.folder == "." else f"{run.case}/{run.folder}"


def test_the_table_names_runs_that_there_are() -> None:
    assert set(SHOWN) <= {place(run) for run in RUNS}


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_run_shows_what_is_so_and_no_more(run: RunTruth) -> None:
    view = open_run(run.path, run=f".#{run.run_id}", cache=False).view
    shown: dict[str, list[int]] = {}
    usual = []
    for kind, found in view.patterns.items():
        for pattern in found.listed:
            frame = view.code.innermost_user_frame(pattern.location)
            assert frame is not None
            shown.setdefault(kind, []).append(frame.lineno)
            usual += [pattern.op_type] * pattern.is_usual
    assert shown == SHOWN.get(place(run), {})
    assert usual == []
