"""What speaks for a cause, in words and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance.call_arguments import UNSEEN
from tb_debugger_plugin.analyses.provenance.seen_inputs import SeenInput
from tb_debugger_plugin.analyses.root_causes.cause import BadEvent, CauseKind
from tb_debugger_plugin.analyses.root_causes.events import location_of_op
from tb_debugger_plugin.analyses.root_causes.folding import Bug, is_of_version
from tb_debugger_plugin.analyses.root_causes.gradients import Forward
from tb_debugger_plugin.analyses.values import Value, execution_values, trace_values
from tb_debugger_plugin.events.batches import HAS_INF_NAN
from tb_debugger_plugin.index.columns import place_in
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

_MOST_INPUTS_TOLD = 4
_GIVEN = frozenset({"constant", "input_data", "variable", "checkpoint"})
"""Kinds of causes that compute nothing: what went wrong with them is told too."""


class Evidence:
    """Words about one snapshot's events."""

    def __init__(self, snapshot: Snapshot, code: Code, producers: Producers) -> None:
        self._snapshot = snapshot
        self._code = code
        self._producers = producers

    def value(self, event: BadEvent) -> Value:
        """The value that an event's alert is about."""
        if event.trace_row is not None:
            return trace_values(self._snapshot, np.array([event.trace_row]))[0]
        rows = np.array([event.execution_row])
        return execution_values(self._snapshot, rows, np.array([event.value_row]))[0]

    def tell(self, kind: CauseKind, bug: Bug, made_nan: BadEvent | None) -> str:
        """What went in and what came out at a cause's first origin.

        Args:
          kind: What the cause is.
          bug: The cause.
          made_nan: Where its infinities became NaN first, as far as known.
        """
        suspect = bug.suspect
        first = suspect.first
        brought = [] if first.op_type in PLACEHOLDERS else suspect.brought
        how = "had" if brought else _HOW[kind]
        said = [f"{self._subject(first)} {how} {_bad_counts(self.value(first))}."]
        if suspect.forward is not None:
            said.append(f"It is part of the gradient of {self._forward(suspect.forward)}.")
        if brought:
            names = " or ".join(dict.fromkeys(map(self._name, brought[:_MOST_INPUTS_TOLD])))
            said.append(
                f"It makes none of finite numbers, so its input {names} was bad: data that the "
                f"program brought in, unless the record of what made it is missing."
            )
        elif kind == "variable":
            lost = ", but events before were dropped" if suspect.group.is_incomplete else ""
            said.append(f"No recorded update of it was given a bad value before{lost}.")
        elif kind == "function":
            said.append("Nothing that it computed inside was recorded.")
        else:
            said += self._inputs(kind, suspect.inputs)
        if made_nan is not None and kind in _GIVEN:
            said.append(f"{self._subject(made_nan)}{self._at(made_nan.location)} made NaN of it.")
        said += self._folded(bug)
        return " ".join(said)

    def _inputs(self, kind: CauseKind, inputs: Sequence[SeenInput]) -> Iterator[str]:
        # What goes in twice is told once.
        floats = list({given.tensor or given.argument: given for given in inputs}.values())
        floats = [given for given in floats if given.can_be_bad]
        seen = [given for given in floats if given.record != UNSEEN]
        unseen = [given for given in floats if given.record == UNSEEN]
        yield from (self._seen(given) for given in seen[:_MOST_INPUTS_TOLD])
        if len(seen) > _MOST_INPUTS_TOLD:
            yield f"{len(seen) - _MOST_INPUTS_TOLD} more inputs were recorded."
        if unseen and kind == "operation":
            names = ", ".join(self._name(given) for given in unseen[:_MOST_INPUTS_TOLD])
            more = ", and others" if len(unseen) > _MOST_INPUTS_TOLD else ""
            if len(unseen) == 1:
                yield f"Its input {names} was not recorded: an origin unless that was bad already."
            else:
                yield (
                    f"Its inputs {names}{more} were not recorded: "
                    "an origin unless one was bad already."
                )

    def _forward(self, forward: Forward) -> str:
        if forward.op is not None:
            return self._tensor(forward.op, 0)
        return f"eager {forward.op_type}{self._at(forward.location)}"

    def _folded(self, bug: Bug) -> Iterator[str]:
        """What is one bug with a cause."""
        others = [each for each in bug.folded if not is_of_version(each, bug.suspect)]
        if num_versions := len(bug.folded) - len(others):
            it = f"{num_versions} more versions" if num_versions > 1 else "another version"
            yield f"It did so in {it} of the function, too."
        if not others:
            return
        ops = list({each.site: each.first for each in others}.values())
        told = [f"{op.op_type}{self._at(op.location)}" for op in ops[:_MOST_INPUTS_TOLD]]
        more = ", and others" if len(ops) > _MOST_INPUTS_TOLD else ""
        if bug.suspect.brought:
            why = "The same was given to"
        elif bug.suspect.grew_in is not None:
            why = "Too large later were also"
        elif bug.suspect.set_by is not None:
            why = "It was also bad for"
        else:
            why = "The same numbers went bad in forward op and gradient: also in"
        yield f"{why} {', '.join(told)}{more}."

    def _subject(self, event: BadEvent) -> str:
        if event.op is not None:
            name = self._snapshot.names.op_name(event.op)
            return f"{event.op_type or 'Op'} {name}:{event.slot}{self._function_of(event.op)}"
        function = parse_function_name(event.op_type)
        return f"{function.python_name}()" if function else f"Eager {event.op_type}"

    def _function_of(self, op: OpKey) -> str:
        graph = self._snapshot.graphs.get(self._snapshot.names.graph_of(op))
        return f" of {graph.name}()" if graph is not None and graph.name else ""

    def _seen(self, given: SeenInput) -> str:
        num_traces = len(self._snapshot.traces)
        if given.record < num_traces:
            order = self._snapshot.trace_order
            row = given.record if order is None else int(order[given.record])
            value = trace_values(self._snapshot, np.array([row]))[0]
            source = self._tensor(
                OpKey(int(self._snapshot.traces.op[row])),
                int(self._snapshot.traces.output_slot[row]),
            )
        else:
            value_row = given.record - num_traces
            ends = self._snapshot.executions.value_end
            row = place_in(ends, value_row, "right") - 1
            value = execution_values(self._snapshot, np.array([row]), np.array([value_row]))[0]
            source = self._made_by(row, value_row - int(ends[row]))
        is_source = given.tensor is not None and source.split(" ")[1:2] == [self._name(given)]
        of = f"Input {source}" if is_source else f"Input {self._name(given)}, from {source},"
        return f"{of} had {_counts(value)}."

    def _tensor(self, op: OpKey, slot: int) -> str:
        name = f"{self._snapshot.op_type(op) or 'op'} {self._snapshot.names.op_name(op)}:{slot}"
        return f"{name}{self._function_of(op)}{self._at(location_of_op(self._snapshot, op))}"

    def _made_by(self, execution_row: int, slot: int) -> str:
        made = self._producers.execution_output(execution_row, slot)
        if made.op is not None and made.slot is not None:
            return self._tensor(made.op, made.slot)
        executions = self._snapshot.executions
        op_type = self._snapshot.names.strings.values[executions.op_type[execution_row]]
        function = parse_function_name(op_type)
        what = f"output {slot} of {function.python_name}()" if function else f"eager {op_type}"
        return f"{what}{self._at(int(executions.location[execution_row]))}"

    def _at(self, location: int) -> str:
        frame = self._code.innermost_user_frame(location)
        return "" if frame is None else f" at line {frame.lineno}"

    def _name(self, given: SeenInput) -> str:
        if given.tensor is None:
            return f"{given.argument}"
        return f"{self._snapshot.names.op_name(given.tensor.op)}:{given.tensor.slot}"


_HOW: dict[CauseKind, str] = {
    "operation": "made",
    "function": "returned",
    "input_data": "brought in",
    "checkpoint": "restored",
    "variable": "read",
    "constant": "holds",
}


def _bad_counts(value: Value) -> str:
    counts = (
        (value.num_nan, "NaN"),
        (value.num_neg_inf, "−∞"),
        (value.num_pos_inf, "+∞"),
    )
    known = [f"{count:,} {sign}" for count, sign in counts if count > 0]
    return f"{' and '.join(known) or 'NaN or ∞'}{_among(value)}"


def _counts(value: Value) -> str:
    """What went in, of which most debug modes record few numbers."""
    if value.bad == HAS_INF_NAN:
        return _bad_counts(value)
    if value.num_zero < 0:
        return f"neither NaN nor ∞{_among(value)}"
    parts = (
        (value.num_zero, "zero" if value.num_zero == 1 else "zeros"),
        (value.num_negative, "negative"),
        (value.num_positive, "positive"),
    )
    known = [f"{count:,} {word}" for count, word in parts if count > 0]
    return f"{', '.join(known) or 'no elements'}{_among(value)}"


def _among(value: Value) -> str:
    if value.size < 0:
        return ""
    return f" among {value.size:,} element{'' if value.size == 1 else 's'}"
