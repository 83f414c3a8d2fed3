"""Executions of eager ops and functions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.filters import dtype_number, facets_payload, search_text
from tb_debugger_plugin.api.pages import cut_page
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
from tb_debugger_plugin.api.values import execution_debug_value, execution_health
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.runs.library import RunLibrary


def digests(library: RunLibrary, request: requests.ExecutionsPage) -> ExecutionDigests:
    """A page of timeline boxes."""
    answer = answer_from(library, request.run)
    begin, end, total, indices = _page(answer, request)
    return ExecutionDigests(begin, end, total, [_digest(answer, i) for i in indices])


def data(library: RunLibrary, request: requests.ExecutionsPage) -> Executions:
    """A page of full records."""
    answer = answer_from(library, request.run)
    begin, end, total, indices = _page(answer, request)
    return Executions(begin, end, total, [_execution(answer, i) for i in indices])


def position(library: RunLibrary, request: requests.ExecutionAt) -> ExecutionPosition:
    """The row of an execution under the filters."""
    answer = answer_from(library, request.run)
    answer.execution_row(request.index)
    indices = answer.view.execution_indices(_filter(answer, request))
    if indices is None:
        return ExecutionPosition(request.index, request.index, len(answer.snapshot.executions))
    row = int(np.searchsorted(indices, request.index))
    nearest = row if row < len(indices) else None
    exact = nearest is not None and int(indices[row]) == request.index
    return ExecutionPosition(nearest if exact else None, nearest, len(indices))


def facets(library: RunLibrary, request: requests.OfRun) -> Facets:
    """What there is to filter by."""
    answer = answer_from(library, request.run)
    return facets_payload(answer, answer.view.execution_facets)


def detail(library: RunLibrary, request: requests.AtIndex) -> ExecutionDetail:
    """One execution with all that is known of it."""
    answer = answer_from(library, request.run)
    row = answer.execution_row(request.index)
    executions = answer.snapshot.executions
    by_call, starts = answer.view.positions_by_call
    first, last = int(starts[row]), int(starts[row + 1])
    start_time = answer.run.start_time
    wall_time = float(executions.wall_time[row])
    return ExecutionDetail(
        execution=_execution(answer, request.index),
        mode=debug_modes.name(int(executions.mode[row])),
        time_since_start=None if start_time is None else wall_time - start_time,
        inputs=_inputs(answer, row),
        outputs=_outputs(answer, row),
        num_results=answer.view.producers.num_forward_results(row),
        num_graph_executions=last - first,
        first_graph_execution_index=int(by_call[first]) if last > first else None,
    )


def overview(library: RunLibrary, request: requests.Buckets) -> ExecutionOverview:
    """The whole timeline in buckets."""
    answer = answer_from(library, request.run)
    snapshot = answer.snapshot
    total = len(snapshot.executions)
    buckets = min(request.buckets, total)
    begins = np.arange(buckets, dtype=np.int64) * total // max(buckets, 1)
    strings = snapshot.names.strings.values
    op_types = snapshot.executions.op_type
    function_ids = [
        op_type
        for op_type in np.unique(op_types).tolist()
        if parse_function_name(strings[op_type]) is not None
    ]
    is_function = np.isin(op_types, function_ids)
    is_bad = answer.view.alerts_per_execution > 0
    if snapshot.execution_order is not None:
        is_function = is_function[snapshot.execution_order]
        is_bad = is_bad[snapshot.execution_order]
    return ExecutionOverview(
        num_executions=total,
        begins=begins.tolist(),
        num_functions=_sums(is_function, begins),
        num_alerts=_sums(is_bad, begins),
    )


def _filter(answer: RunAnswer, request: requests.ExecutionFilter) -> ExecutionFilter:
    return ExecutionFilter(
        text=search_text(request.text, is_regex=request.regex),
        is_regex=request.regex,
        values=ValueFilter(request.inf_nan, request.all_zero, dtype_number(request.dtype)),
        device=request.device,
        graph=None if request.graph_id is None else answer.find_graph(request.graph_id),
        begin_time=request.begin_time,
        end_time=request.end_time,
    )


def _page(answer: RunAnswer, request: requests.ExecutionsPage) -> tuple[int, int, int, list[int]]:
    found = answer.view.execution_indices(_filter(answer, request))
    total = len(answer.snapshot.executions) if found is None else len(found)
    begin, end = cut_page(request.begin, request.end, total)
    indices = list(range(begin, end)) if found is None else found[begin:end].tolist()
    return begin, end, total, indices


def _sums(flags: npt.NDArray[np.bool_], begins: Int64s) -> list[int]:
    if not len(begins):
        return []
    sums: list[int] = np.add.reduceat(flags, begins, dtype=np.int64).tolist()
    return sums


def _digest(answer: RunAnswer, index: int) -> ExecutionDigest:
    row = answer.execution_row(index)
    executions = answer.snapshot.executions
    op_type = answer.snapshot.names.strings.values[executions.op_type[row]]
    function = parse_function_name(op_type)
    begin, end = executions.output_end[row], executions.output_end[row + 1]
    return ExecutionDigest(
        index=index,
        wall_time=float(executions.wall_time[row]),
        op_type=op_type,
        output_tensor_device_ids=executions.output_device_id[begin:end].tolist() or None,
        function_name=function.python_name if function else None,
        function_kind=function.kind if function else None,
        num_alerts=int(answer.view.alerts_per_execution[row]),
    )


def _execution(answer: RunAnswer, index: int) -> Execution:
    digest = _digest(answer, index)
    snapshot = answer.snapshot
    executions = snapshot.executions
    row = answer.execution_row(index)
    location = snapshot.location(int(executions.location[row]))
    graph = int(executions.graph[row])
    first, last = int(executions.value_end[row]), int(executions.value_end[row + 1])
    values = [execution_debug_value(snapshot, row, v) for v in range(first, last)]
    inputs = executions.input_tensor_id[
        executions.input_end[row] : executions.input_end[row + 1]
    ].tolist()
    outputs = executions.output_tensor_id[
        executions.output_end[row] : executions.output_end[row + 1]
    ].tolist()
    aligned = len(values) == len(outputs)
    return Execution(
        index=digest.index,
        wall_time=digest.wall_time,
        op_type=digest.op_type,
        output_tensor_device_ids=digest.output_tensor_device_ids,
        function_name=digest.function_name,
        function_kind=digest.function_kind,
        num_alerts=digest.num_alerts,
        host_name=location.host_name or snapshot.host_of_file[int(executions.file[row])],
        stack_frame_ids=list(location.frame_ids),
        tensor_debug_mode=int(executions.mode[row]),
        graph_id=answer.graph_id(graph) if graph >= 0 else None,
        input_tensor_ids=inputs or None,
        output_tensor_ids=outputs or None,
        debug_tensor_values=None if not values else values if aligned else [None] * len(outputs),
        unaligned_debug_tensor_values=None if aligned or not values else values,
    )


def _inputs(answer: RunAnswer, row: int) -> list[ExecutionInput]:
    executions = answer.snapshot.executions
    begin, end = executions.input_end[row], executions.input_end[row + 1]
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
    """One entry an output slot, and one for each value whose slot is not known."""
    snapshot = answer.snapshot
    executions = snapshot.executions
    file = int(executions.file[row])
    first, last = int(executions.value_end[row]), int(executions.value_end[row + 1])
    begin, end = int(executions.output_end[row]), int(executions.output_end[row + 1])
    outputs = []
    for slot in range(end - begin):
        value_row = answer.output_value_row(row, slot)
        device_id = int(executions.output_device_id[begin + slot])
        outputs.append(
            ExecutionOutput(
                output_slot=slot,
                tensor_id=int(executions.output_tensor_id[begin + slot]),
                device_id=device_id or None,
                device_name=snapshot.device_name(file, device_id),
                health=None if value_row is None else execution_health(snapshot, row, value_row),
                alert_index=None if value_row is None else _alert_index(answer, value_row),
            )
        )
    if last - first != end - begin:
        outputs += [
            ExecutionOutput(
                output_slot=None,
                tensor_id=None,
                device_id=None,
                device_name=None,
                health=execution_health(snapshot, row, value_row),
                alert_index=_alert_index(answer, value_row),
            )
            for value_row in range(first, last)
        ]
    return outputs


def _alert_index(answer: RunAnswer, value_row: int) -> int | None:
    alert = int(answer.view.alert_of_execution_value[value_row])
    return None if alert < 0 else alert
