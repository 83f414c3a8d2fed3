"""What a directory holds besides file sets, as far as it tells why a run is not there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tb_debugger_plugin.index.file_sets import FILE_KINDS, PREFIX

_COMPRESSED = re.compile(r"\.(?:gz|bz2|xz|zst|zip|tar|tgz|7z)$", re.IGNORECASE)
_UNFINISHED = re.compile(r"\.(?:part|partial|tmp|temp|crdownload|download|swp)$|~$", re.IGNORECASE)
_SUMMARIES = "events.out.tfevents."
_TFDBG_1 = "_tfdbg_"


@dataclass
class OtherFiles:
    """Files and directories that are no part of a file set.

    ``rejected`` counts those that look like it, by the reason why they are none, and names the
    first one each.
    """

    num_files: int = 0
    num_summaries: int = 0
    is_dump_of_tfdbg_1: bool = False
    rejected: dict[str, tuple[str, int]] = field(default_factory=dict)

    def add_directory(self, name: str) -> None:
        """Takes notice of a directory."""
        self.is_dump_of_tfdbg_1 |= name.startswith(_TFDBG_1)

    def add_file(self, name: str) -> None:
        """Takes notice of a file."""
        self.num_files += 1
        self.num_summaries += _SUMMARIES in name
        self.is_dump_of_tfdbg_1 |= name.startswith(_TFDBG_1)
        reason = why_rejected(name)
        if reason is not None:
            first, count = self.rejected.get(reason, (name, 0))
            self.rejected[reason] = (first, count + 1)

    @property
    def is_odd(self) -> bool:
        """Whether there is something that was meant for a debugger, and is not read."""
        return bool(self.rejected) or self.is_dump_of_tfdbg_1

    @property
    def note(self) -> str:
        """In words; "" for nothing odd."""
        if self.rejected:
            reasons = [
                f"{first}{f' and {count - 1:,} more' if count > 1 else ''} ({reason})"
                for reason, (first, count) in self.rejected.items()
            ]
            return f"rejected: {'; '.join(reasons)}"
        if self.is_dump_of_tfdbg_1:
            return "a dump of the debugger of TensorFlow 1, which is not read"
        return ""

    @property
    def counts(self) -> str:
        """How many of which there are, in words."""
        others = self.num_files - self.num_summaries
        counts = [
            (self.num_summaries, "file of TensorBoard summaries", "files of TensorBoard summaries"),
            (others, "other file", "other files"),
        ]
        words = [f"{n:,} {one if n == 1 else many}" for n, one, many in counts if n]
        return ", ".join(words) or "no files"


def why_rejected(name: str) -> str | None:
    """Why a file that looks like one of a set is none; ``None`` if it does not look like one.

    >>> why_rejected("tfdbg_events.1700000000.vm.graphs.gz")
    'compressed'
    >>> why_rejected("checkpoint")
    """
    if PREFIX not in name:
        return None
    if _COMPRESSED.search(name):
        return "compressed"
    if _UNFINISHED.search(name):
        return "not wholly copied"
    if not name.startswith(PREFIX):
        return f'does not begin with "{PREFIX}"'
    return f"ends in none of {', '.join(f'.{kind}' for kind in FILE_KINDS)}"
