"""The demo goes wrong as its README says, and `--fix` mends it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.tensorflow

DIGITS = Path(__file__).parents[2] / "demo" / "digits.py"


def run_demo(*flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(DIGITS), *flags],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def accuracies(*flags: str) -> list[float]:
    done = run_demo(*flags)
    assert done.returncode == 0, done.stderr
    return [
        float(found) for found in re.findall(r"^Accuracy at step \d+: (.+)$", done.stdout, re.M)
    ]


def test_unfixed_demo_stays_near_chance_and_its_dump_leads_to_the_log(tmp_path: Path) -> None:
    from tensorflow.python.debug.lib import debug_events_monitors, debug_events_reader

    steps = accuracies("--max_steps=10", f"--dump_dir={tmp_path}")

    assert len(steps) == 10
    assert max(steps) < 0.3
    with debug_events_reader.DebugDataReader(str(tmp_path)) as reader:
        monitor = debug_events_monitors.InfNanMonitor(reader)
        reader.update()
        log, *later = monitor.alerts()
    assert (log.op_type, log.num_nan) == ("Log", 0)
    assert log.num_neg_inf > 0
    assert any(alert.num_nan for alert in later)


@pytest.mark.parametrize("seed", [1, 2])
def test_unfixed_demo_goes_wrong_with_other_seeds(seed: int) -> None:
    assert max(accuracies("--max_steps=5", f"--seed={seed}")) < 0.3


def test_fixed_demo_trains_past_nine_tenths() -> None:
    assert accuracies("--fix")[-1] > 0.9


def test_check_numerics_stops_at_the_log() -> None:
    done = run_demo("--check_numerics")

    assert done.returncode != 0
    assert 'graph op "Log"' in done.stderr


@pytest.mark.parametrize(
    "mode", ["NO_TENSOR", "CURT_HEALTH", "CONCISE_HEALTH", "SHAPE", "FULL_TENSOR"]
)
def test_every_debug_mode_dumps_executions_and_traces(tmp_path: Path, mode: str) -> None:
    steps = accuracies(
        "--max_steps=2", f"--dump_dir={tmp_path}", f"--dump_tensor_debug_mode={mode}"
    )

    assert len(steps) == 2
    for suffix in ("execution", "graph_execution_traces"):
        (dumped,) = tmp_path.glob(f"tfdbg_events.*.{suffix}")
        assert dumped.stat().st_size > 0


def test_check_numerics_and_a_dump_exclude_each_other(tmp_path: Path) -> None:
    done = run_demo("--check_numerics", f"--dump_dir={tmp_path}")

    assert done.returncode == 2
    assert "exclude each other" in done.stderr
