"""Peak resident memory of this process, as Linux counts it."""

from __future__ import annotations

from pathlib import Path


class PeakMemory:
    """Bytes beyond what the process holds when this is made: make it behind the imports."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        self._base = _peak()

    @property
    def num_bytes(self) -> int:
        """The most that was held at once since then."""
        return _peak() - self._base


def _peak() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/self/status tells no VmHWM")
