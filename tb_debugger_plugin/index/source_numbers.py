"""Which source file stack frames mean by a number.

Frames count the files of their set in the order of their first records. A record that cannot be
read may have held a file of its own, which takes a number, or one that another thread recorded too,
which takes none: what is behind it has this number or that. So it has none until frames prove that
they name as many files as there are if each record that was lost held one of its own.
"""

from __future__ import annotations

from tb_debugger_plugin.index.state import SourceNumbersState


class SourceNumbers:
    """The numbers of one file set, in the order of its records."""

    def __init__(self, state: SourceNumbersState | None = None) -> None:
        """Without a number, or with those of another one's ``state``."""
        known = state or SourceNumbersState([], 0, 0, False)
        self._files = list(known.files)
        self._distinct = set(known.files)
        self._num_named = known.num_named
        self.num_known = known.num_known
        """Numbers below it are known for good, if only as those of lost records."""
        self.is_broken = known.is_broken
        """Nothing that follows will be known."""

    def state(self) -> SourceNumbersState:
        """What another one can go on from."""
        return SourceNumbersState(
            list(self._files), self._num_named, self.num_known, self.is_broken
        )

    def add(self, source: int) -> None:
        """Counts a record of the file at a position in the run's sources."""
        if source not in self._distinct:
            self._distinct.add(source)
            in_doubt = self.is_broken or self.num_known < len(self._files)
            self._files.append(source)
            self.num_known += not in_doubt

    def add_lost(self) -> None:
        """Counts a record that cannot be read."""
        self._files.append(None)

    def break_off(self) -> None:
        """Takes notice that nobody knows how many records are lost here."""
        self.is_broken = True

    def name(self, number: int) -> None:
        """Takes notice that a frame is in the file of a number."""
        self._num_named = max(self._num_named, number + 1)

    def settle(self) -> bool:
        """Trusts all numbers if as many are named; tells whether some were not trusted before.

        To be called when both files are read whole. A file is recorded with its first frame, so
        that frames name all files. A lost record that took no number, or whose file was recorded
        again, makes more than they name.
        """
        is_proof = not self.is_broken and self._num_named == len(self._files)
        is_new = is_proof and self.num_known < len(self._files)
        if is_new:
            self.num_known = len(self._files)
        return is_new

    def source(self, number: int) -> int | None:
        """The file's position in the run's sources; ``None`` if its record is lost, or unknown."""
        return self._files[number] if self.knows(number) else None

    def knows(self, number: int) -> bool:
        """Whether nothing that may still be read changes which file a number means."""
        return 0 <= number < self.num_known
