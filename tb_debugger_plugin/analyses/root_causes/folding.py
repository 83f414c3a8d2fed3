"""Which origins are one bug: versions of an op, a gradient with its forward op, what grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tb_debugger_plugin.analyses.provenance.seen_inputs import SeenInput
from tb_debugger_plugin.analyses.root_causes.cause import BadEvent
from tb_debugger_plugin.analyses.root_causes.gradients import Forward
from tb_debugger_plugin.analyses.root_causes.origins import OriginGroup
from tb_debugger_plugin.analyses.root_causes.sites import Site
from tb_debugger_plugin.analyses.variables import READS


@dataclass(frozen=True)
class Suspect:
    """A group of origins with what is known of its first one.

    ``site`` is where it is, ``records`` is where the inputs' values are, constants left out.
    ``forward`` is the op whose gradient it computes, ``None`` if it is forward itself, and
    ``forward_site`` where that is. ``brought`` are inputs of which one must have been bad when the
    program brought it in, though it was not recorded. ``grew_in`` is the function in which finite
    values grew from call to call until they were too large. ``set_by`` is the execution that set a
    variable to a value without a record.
    """

    group: OriginGroup
    first: BadEvent
    site: Site
    inputs: Sequence[SeenInput]
    records: frozenset[int]
    forward: Forward | None
    forward_site: Site | None
    brought: Sequence[SeenInput]
    grew_in: str | None
    set_by: int | None


@dataclass(frozen=True)
class Bug:
    """A suspect, and those that are the same bug."""

    suspect: Suspect
    folded: list[Suspect]

    @property
    def num_alerts(self) -> int:
        """The alerts that descend from any of them."""
        return sum(each.group.num_alerts for each in (self.suspect, *self.folded))


def fold(
    suspects: Iterable[Suspect], origin_of_forward: Callable[[Suspect], Site | None]
) -> list[Bug]:
    """Bugs, in the order of the likeliest suspect of each.

    An op is one bug with the same op in another version of its function. A gradient is one with its
    forward op, with another gradient of the same op, with a forward op that was given the same
    tensor, and with what made its forward op's output bad. So is what one bad array or argument
    made bad, what grew in the same function, and reads of one variable.

    Args:
      suspects: The likeliest first.
      origin_of_forward: Where the bad values of a gradient's forward op came up, if it has any.

    """
    bugs: list[Bug] = []
    for suspect in suspects:
        origin = origin_of_forward(suspect)
        for bug in bugs:
            first = bug.suspect
            if (
                is_of_version(suspect, first)
                or _is_of_gradient(suspect, first)
                or _is_of_same_data(suspect, first)
                or (suspect.grew_in is not None and suspect.grew_in == first.grew_in)
                or (suspect.set_by is not None and suspect.set_by == first.set_by)
                or origin == first.site
            ):
                bug.folded.append(suspect)
                break
        else:
            bugs.append(Bug(suspect, []))
    return bugs


def is_of_version(one: Suspect, other: Suspect) -> bool:
    """Whether the same op went bad in two versions of a function, by what it computes."""
    computes = not one.brought and not other.brought and one.first.op_type not in READS
    return computes and one.site == other.site


def _is_of_same_data(one: Suspect, other: Suspect) -> bool:
    tensors = {given.brought for given in one.brought}
    return any(given.brought in tensors for given in other.brought)


def _is_of_gradient(one: Suspect, other: Suspect) -> bool:
    if one.forward is None and other.forward is None:
        return False
    if one.forward is not None and other.forward is not None:
        return one.forward_site == other.forward_site
    gradient, forward = (one, other) if one.forward is not None else (other, one)
    return gradient.forward_site == forward.site or not gradient.records.isdisjoint(forward.records)
