"""Which of the bad inputs of an alert is its parent."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int32s, Int64s


class Parents:
    """The parents of some alerts, while inputs are looked through.

    Of several bad inputs one with a NaN counts more than infinities, and then the first in time.
    """

    def __init__(self, own: Int64s, has_nan: Mask) -> None:
        self.own = own
        self._has_nan = has_nan
        self._offered: list[Int32s] = []
        self.parents: Int64s = np.full(len(own), -1, dtype=np.int64)
        self.lost: Mask = np.zeros(len(own), dtype=np.bool_)
        self.guessed: Mask = np.zeros(len(own), dtype=np.bool_)
        self.not_looked_at: Mask = np.zeros(len(own), dtype=np.bool_)

    @classmethod
    def not_known(cls, own: Int64s, has_nan: Mask) -> Parents:
        """Those of alerts that are behind the most that are looked at."""
        unknown = cls(own, has_nan)
        unknown.lost[:] = True
        unknown.not_looked_at[:] = True
        return unknown

    def offer(self, numbers: Int64s) -> None:
        """Further inputs' alerts, -1 for none."""
        late = len(self._has_nan)
        offered = numbers + late * ~self._has_nan[numbers]
        known = self.parents + late * ~self._has_nan[self.parents]
        known[self.parents < 0] = 2 * late
        valid = (numbers >= 0) & (numbers < self.own)
        better = valid & (offered < known)
        self.parents[better] = numbers[better]
        if valid.any():
            self._offered.append(np.where(valid, numbers, -1).astype(np.int32))

    def others(self) -> Iterator[Int32s]:
        """Bad inputs that did not become parents, above those whose inputs they are.

        Beside a NaN an infinity does not count: a masked score is NaN if the scores are.
        """
        for numbers in self._offered if len(self._offered) > 1 else []:
            others = (numbers >= 0) & (numbers != self.parents)
            others &= self._has_nan[numbers] | (self.parents < 0) | ~self._has_nan[self.parents]
            rest = np.flatnonzero(others)
            yield np.stack([numbers[rest], self.own[rest].astype(np.int32)])

    def offer_rest(self, which: Mask | None, *offers: Callable[[Int64s], Int64s]) -> None:
        """What is taken for an input's alert where no input is known to be bad: a guess.

        Args:
          which: The alerts that it is taken for; ``None`` for all.
          offers: Make the alerts for some places among ``own``; an earlier one counts more.

        """
        for offer in offers:
            missing = self.parents < 0
            rest = np.flatnonzero(missing if which is None else missing & which)
            if not len(rest):
                return
            numbers = offer(rest)
            valid = (numbers >= 0) & (numbers < self.own[rest])
            self.parents[rest[valid]] = numbers[valid]
            self.guessed[rest[valid]] = True
