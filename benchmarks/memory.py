"""Resident memory of this process, as Linux counts it."""

from __future__ import annotations

from pathlib import Path


class Memory:
    """Bytes beyond what the process holds when this is made: make it behind the imports."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        self._base = _status("VmHWM")

    @property
    def peak(self) -> int:
        """The most that was held at once since then."""
        return _status("VmHWM") - self._base

    @property
    def kept(self) -> int:
        """What is held now."""
        return _status("VmRSS") - self._base


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"/proc/self/status tells no {name}")
