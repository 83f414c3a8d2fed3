from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tb_debugger_plugin.analyses.freed_memory import returning_memory

MB = 1 << 20


def resident_bytes() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("/proc/self/status tells no VmRSS")


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another allocator than glibc's"
)
def test_what_making_something_took_does_not_stay_resident_below_what_was_made() -> None:
    @returning_memory
    def make(size: int) -> npt.NDArray[np.uint8]:
        took = [np.ones(size, dtype=np.uint8) for _ in range(1600)]
        made.append(resident_bytes())
        return took[-1]

    made: list[int] = []
    kept = make(MB // 16)
    assert resident_bytes() < made[0] - 80 * MB
    assert kept.all()
