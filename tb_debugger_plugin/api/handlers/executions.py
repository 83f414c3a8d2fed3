"""Executions of eager ops and functions."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter, ExecutionSelection
from tb_debugger_plugin.analyses.function_names import FunctionName, parse_function_name
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.analyses.values import execution_values
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.filters import (
    dtype_number,
    facets_payload,
    nearest,
    page_of,
    place_of,
    search_text,
)
from tb_debugger_plugin.api.mutes import muting, parse_mutes
from tb_debugger_plugin.api.pages import cut_by_weight, cut_page
from tb_debugger_plugin.api.payloads import (
    Execution,
    ExecutionDetail,
    ExecutionDigest,
    ExecutionDigests,
    ExecutionInput,
    ExecutionOutput,
    ExecutionOverview,
    ExecutionPosition,
    Executions,
    Facets,
)
from tb_debugger_plugin.api.values import debug_tensor_value, health
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Location
from tb_debugger_plugin.runs.library import RunLibrary

_MOST_PARTS_A_PAGE = 1 << 20
"""Inputs, outputs, values and frames in an answer of full records: some megabytes."""
_BYTES_A_FRAME = 38

_MOST_PARTS_LISTED = 1000
"""Inputs, outputs or values of one execution on the page, and output devices in brief."""


def digests(library: RunLibrary, request: requests.ExecutionsPage) -> ExecutionDigests:
    """A page of timeline boxes."""
    answer = answer_from(library, request.run)
    begin, end, total, indices = _page(answer, request)
    return ExecutionDigests(begin, end, total, _digests(answer, indices, _MOST_PARTS_LISTED))


def data(library: RunLibrary, request: requests.ExecutionsPage) -> Executions:
    """A page of full records."""
    answer = answer_from(library, request.run)
    begin, _, total, indices = _page(answer, request)
    indices = indices[: cut_by_weight(_num_parts(answer, indices), _MOST_PARTS_A_PAGE)]
    return Executions(begin, begin + len(indices), total, _executions(answer, indices))


def position(library: RunLibrary, request: requests.ExecutionAt) -> ExecutionPosition:
    """The row of an execution under the filters."""
    answer = answer_from(library, request.run)
    answer.execution_row(request.index)
    selected = _select(answer, request)
    found = nearest(selected.indices, request.index)
    row = None if found is None else place_of(selected.indices, found)
    return ExecutionPosition(
        row=row if found == request.index else None, nearest_row=row, num_rows=len(selected)
    )


def facets(library: RunLibrary, request: requests.OfRun) -> Facets:
    """What there is to filter by."""
    answer = answer_from(library, request.run)
    return facets_payload(answer, answer.view.execution_facets)


def detail(library: RunLibrary, request: requests.AtIndex) -> ExecutionDetail:
    """One execution with all that is known of it."""
    answer = answer_from(library, request.run)
    row = answer.execution_row(request.index)
    executions = answer.snapshot.executions
    traces = answer.view.traces.of_call(row)
    start_time = answer.moment.start_time
    wall_time = float(executions.wall_time[row])
    return ExecutionDetail(
        execution=_executions(answer, np.array([request.index]))[0],
        mode=debug_modes.name(int(executions.mode[row])),
        time_since_start=None if start_time is None else wall_time - start_time,
        inputs=_inputs(answer, row),
        outputs=_outputs(answer, row),
        num_results=answer.view.producers.num_forward_results(row),
        num_graph_executions=len(traces),
        first_graph_execution_index=int(traces[0]) if len(traces) else None,
    )


def overview(library: RunLibrary, request: requests.Buckets) -> ExecutionOverview:
    """The whole timeline in buckets."""
    answer = answer_from(library, request.run)
    muted = muting(answer, parse_mutes(request.mute)).muted
    snapshot = answer.snapshot
    total = len(snapshot.executions)
    buckets = min(request.buckets, total)
    begins = np.arange(buckets, dtype=np.int64) * total // max(buckets, 1)
    return ExecutionOverview(
        num_executions=total,
        begins=begins.tolist(),
        num_functions=answer.view.functions_between(begins).tolist(),
        num_alerts=answer.view.alerts.executions_between(begins, muted).tolist(),
    )


def _select(answer: RunAnswer, request: requests.ExecutionFilter) -> ExecutionSelection:
    wanted = ExecutionFilter(
        text=search_text(request.text, is_regex=request.regex),
        is_regex=request.regex,
        values=ValueFilter(request.inf_nan, request.all_zero, dtype_number(request.dtype)),
        device=request.device,
        graph=None if request.graph_id is None else answer.find_graph(request.graph_id),
        begin_time=request.begin_time,
        end_time=request.end_time,
    )
    return answer.view.select_executions(wanted)


def _page(answer: RunAnswer, request: requests.ExecutionsPage) -> tuple[int, int, int, Int64s]:
    selected = _select(answer, request)
    begin, end = cut_page(request.begin, request.end, len(selected))
    return begin, end, len(selected), page_of(selected.indices, begin, end)


def _num_parts(answer: RunAnswer, indices: Int64s) -> Int64s:
    """How many inputs, outputs, values and stack frames executions have together."""
    executions, locations = answer.snapshot.executions, answer.snapshot.names.locations.values
    rows = answer.executions.rows(indices)
    all_ends = (executions.input_end, executions.output_end, executions.value_end)
    parts = sum(ends[rows + 1].astype(np.int64) - ends[rows] for ends in all_ends)
    stack_bytes = [
        0 if location < 0 else len(locations[location])
        for location in executions.location[rows].tolist()
    ]
    return parts + np.array(stack_bytes, dtype=np.int64) // _BYTES_A_FRAME


def _digests(
    answer: RunAnswer, indices: Int64s, most_devices: int | None = None
) -> list[ExecutionDigest]:
    snapshot = answer.snapshot
    executions, strings = snapshot.executions, snapshot.names.strings.values
    rows = answer.executions.rows(indices)
    functions: dict[int, FunctionName | None] = {}
    page = []
    for index, wall_time, op_type, devices, num_alerts, misses_frames in zip(
        indices.tolist(),
        executions.wall_time[rows].tolist(),
        executions.op_type[rows].tolist(),
        _parts(executions.output_device_id, executions.output_end, rows, most_devices),
        answer.view.alerts.per_execution(indices).tolist(),
        answer.view.observations.stacks.misses_frames(executions.location[rows]).tolist(),
        strict=True,
    ):
        if op_type not in functions:
            functions[op_type] = parse_function_name(strings[op_type])
        function = functions[op_type]
        page.append(
            ExecutionDigest(
                index=index,
                wall_time=wall_time,
                op_type=strings[op_type],
                output_tensor_device_ids=devices or None,
                function_name=function.python_name if function else None,
                function_kind=function.kind if function else None,
                num_alerts=num_alerts,
                misses_frames=misses_frames,
            )
        )
    return page


def _executions(answer: RunAnswer, indices: Int64s) -> list[Execution]:
    snapshot = answer.snapshot
    executions = snapshot.executions
    rows = answer.executions.rows(indices)
    locations: dict[int, Location] = {}
    first_value = executions.value_end[rows].astype(np.int64)
    num_values = executions.value_end[rows + 1] - first_value
    begins = np.cumsum(num_values) - num_values
    value_rows = np.arange(num_values.sum()) + np.repeat(first_value - begins, num_values)
    values = iter(execution_values(snapshot, np.repeat(rows, num_values), value_rows))
    page = []
    for digest, location, graph, file, mode, inputs, outputs, count in zip(
        _digests(answer, indices),
        executions.location[rows].tolist(),
        executions.graph[rows].tolist(),
        executions.file[rows].tolist(),
        executions.mode[rows].tolist(),
        _parts(executions.input_tensor_id, executions.input_end, rows),
        _parts(executions.output_tensor_id, executions.output_end, rows),
        num_values.tolist(),
        strict=True,
    ):
        if location not in locations:
            locations[location] = snapshot.location(location)
        place = locations[location]
        summaries = [debug_tensor_value(snapshot, value) for value in islice(values, count)]
        aligned = count == len(outputs)
        page.append(
            Execution(
                index=digest.index,
                wall_time=digest.wall_time,
                op_type=digest.op_type,
                output_tensor_device_ids=digest.output_tensor_device_ids,
                function_name=digest.function_name,
                function_kind=digest.function_kind,
                num_alerts=digest.num_alerts,
                misses_frames=digest.misses_frames,
                host_name=place.host_name or snapshot.host_of_file[file],
                stack_frame_ids=list(place.frame_ids),
                tensor_debug_mode=mode,
                graph_id=answer.graph_id(graph) if graph >= 0 else None,
                input_tensor_ids=inputs or None,
                output_tensor_ids=outputs or None,
                debug_tensor_values=None
                if not summaries
                else summaries
                if aligned
                else [None] * len(outputs),
                unaligned_debug_tensor_values=None if aligned or not summaries else summaries,
            )
        )
    return page


def _parts(
    column: npt.NDArray[Any], ends: Int64s, rows: Int64s, most: int | None = None
) -> list[list[int]]:
    """What each row owns of the column beside it, or the first parts of that."""
    begins, ends_of_rows = ends[rows].astype(np.int64), ends[rows + 1].astype(np.int64)
    if most is not None:
        ends_of_rows = np.minimum(ends_of_rows, begins + most)
    bounds = zip(begins.tolist(), ends_of_rows.tolist(), strict=True)
    return [column[begin:end].tolist() for begin, end in bounds]


def _inputs(answer: RunAnswer, row: int) -> list[ExecutionInput]:
    executions = answer.snapshot.executions
    begin = int(executions.input_end[row])
    end = min(int(executions.input_end[row + 1]), begin + _MOST_PARTS_LISTED)
    inputs = []
    for tensor_id in executions.input_tensor_id[begin:end].tolist():
        made = answer.view.producers.eager_producer(tensor_id, row)
        op_type = None if made is None else answer.string(int(executions.op_type[made[0]]))
        function = None if op_type is None else parse_function_name(op_type)
        inputs.append(
            ExecutionInput(
                tensor_id=tensor_id,
                execution_index=None if made is None else answer.execution_index(made[0]),
                output_slot=None if made is None else made[1],
                op_type=op_type,
                function_name=function.python_name if function else None,
            )
        )
    return inputs


def _outputs(answer: RunAnswer, row: int) -> list[ExecutionOutput]:
    """One entry an output slot, and one for each value whose slot is not known: the first ones."""
    snapshot = answer.snapshot
    executions = snapshot.executions
    file = int(executions.file[row])
    first, last = int(executions.value_end[row]), int(executions.value_end[row + 1])
    begin, end = int(executions.output_end[row]), int(executions.output_end[row + 1])
    aligned = last - first == end - begin
    value_rows = np.arange(first, min(last, first + _MOST_PARTS_LISTED))
    values = execution_values(snapshot, np.full(len(value_rows), row), value_rows)
    healths = [health(snapshot, value) for value in values]
    index = answer.execution_index(row)
    alerts = [answer.view.alerts.of_value(index, value_row) for value_row in value_rows.tolist()]
    outputs = []
    for slot in range(min(end - begin, _MOST_PARTS_LISTED)):
        device_id = int(executions.output_device_id[begin + slot])
        outputs.append(
            ExecutionOutput(
                output_slot=slot,
                tensor_id=int(executions.output_tensor_id[begin + slot]),
                device_id=device_id or None,
                device_name=snapshot.device_name(file, device_id),
                health=healths[slot] if aligned else None,
                alert_index=alerts[slot] if aligned else None,
            )
        )
    if not aligned:
        outputs += [
            ExecutionOutput(
                output_slot=None,
                tensor_id=None,
                device_id=None,
                device_name=None,
                health=value_health,
                alert_index=alert,
            )
            for value_health, alert in zip(healths, alerts, strict=True)
        ]
    return outputs
