"""What is known of the values that functions were given."""

from __future__ import annotations

from dataclasses import dataclass

from tb_debugger_plugin.analyses.observations.words import count_of
from tb_debugger_plugin.analyses.patterns.pattern import Argument
from tb_debugger_plugin.events import dtypes
from tb_debugger_plugin.index.snapshot import Snapshot


@dataclass(frozen=True)
class Form:
    """What a function can be compiled for; ``None`` for what is not recorded."""

    dtype: str | None
    rank: int | None
    shape: tuple[int, ...] | None
    size: int | None

    @property
    def is_whole(self) -> bool:
        """Whether all is known that TensorFlow compiles tensors for."""
        return self.dtype is not None and self.shape is not None


class GivenValues:
    """Answers for one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def form(self, argument: Argument) -> Form | None:
        """What was given at the first call; ``None`` where nothing of it is recorded."""
        if argument.value_row is None:
            return None
        values, row = self._snapshot.executions.values, argument.value_row
        rank, size, shape = int(values.rank[row]), int(values.size[row]), int(values.shape[row])
        dims = None if shape < 0 else self._snapshot.names.shapes.values[shape]
        known = Form(
            dtypes.name(int(values.dtype[row])),
            None if rank < 0 else rank,
            # SHAPE mode records the last six dimensions only.
            dims if dims is not None and len(dims) == rank else None,
            None if size < 0 else size,
        )
        return None if known == Form(None, None, None, None) else known

    def words(self, argument: Argument) -> str | None:
        """The same in words, as ``float32 [2, 3]``."""
        form = self.form(argument)
        if form is None:
            return None
        parts = [form.dtype or ""]
        if form.shape is not None:
            parts.append(f"[{', '.join(map(str, form.shape))}]")
        else:
            parts.append("" if form.rank is None else f"rank {form.rank}")
            parts.append("" if form.size is None else count_of(form.size, "element"))
        return " ".join(filter(None, parts))
