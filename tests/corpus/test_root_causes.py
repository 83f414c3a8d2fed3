"""The first cause of a real program is the line that a person would name."""

from __future__ import annotations

import numpy as np
import pytest

from tb_debugger_plugin import open_run
from tb_debugger_plugin.analyses.alert_roles import AlertRoles
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS
from tb_debugger_plugin.analyses.mutes import Mute
from tb_debugger_plugin.analyses.provenance import parents_of_traces
from tb_debugger_plugin.analyses.provenance.call_arguments import UNSEEN
from tb_debugger_plugin.analyses.root_causes.cause import RootCause
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.tables import TraceIndex
from tests.corpus.logdirs import absence, unpacked_corpus

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

FIRST_CAUSES = {
    "benign_inf": ("constant", "Const", 12),
    "bf16_FULL_TENSOR": ("operation", "Mul", 10),
    "circ50": ("operation", "Sqrt", 10),
    "cause_fp16_eps": ("operation", "Rsqrt", 11),
    "cause_naive_softmax": ("operation", "Exp", 11),
    # The data is made at line 11, where nothing is recorded, and fed to fit() at line 13.
    "cause_nan_input": ("input_data", "Placeholder", 13),
    "cause_norm_grad": ("operation", "SqrtGrad", 15),
    "cause_vae_exp": ("operation", "Exp", 14),
    # f is given a NaN there, and makes infinities too at line 10.
    "complex64_FULL_TENSOR": ("input_data", "FFT", 11),
    "eager_bad_FULL_HEALTH": ("operation", "RealDiv", 10),
    "eager_bad_FULL_TENSOR": ("operation", "RealDiv", 10),
    "fanout": ("operation", "Mul", 12),
    "flush_live/live": ("operation", "Sqrt", 11),
    "fork_child": ("operation", "RealDiv", 10),
    "keras_div0": ("operation", "RealDiv", 13),
    # Finite values go into the layers; the learning rate makes them grow within fit().
    "keras_fit_nan_CONCISE_HEALTH": ("operation", "MatMul", 14),
    "mirrored": ("operation", "Log", 15),
    "mixed_fp16": ("operation", "Cast", 13),
    "mlp_log0_CONCISE_HEALTH": ("operation", "Log", 24),
    "mlp_log0_CURT_HEALTH": ("operation", "Log", 24),
    "mlp_log0_FULL_HEALTH": ("operation", "Log", 24),
    "mlp_log0_FULL_TENSOR": ("operation", "Log", 24),
    "multi_thread_enabled": ("operation", "Log", 12),
    "nested4": ("operation", "Log", 10),
    "nested_runs/runA": ("operation", "Log", 10),
    "nested_runs/runB/sub": ("operation", "Log", 10),
    "notebook": ("operation", "Log", 4),
    "sigkill_nobuf": ("operation", "Log", 12),
    "slot_misaligned": ("operation", "Cast", 11),
    "switch_root/first": ("operation", "Log", 10),
    "tf1_session": ("operation", "Log", 12),
    "tfdata": ("operation", "RealDiv", 9),
    "unicode": ("operation", "Log", 10),
    "while_cond_CONCISE_HEALTH": ("operation", "Log", 14),
}
MOST_ALERTS = 150
HEALTHY = (
    "dead_relu",
    "flush_live/live_t0",
    "long_run",
    "mlp_log0_NO_TENSOR",
    "mlp_log0_SHAPE",
    "nested_runs/run with spaces ü/x",
    "os_exit",
    "pair_weight_A",
    "pair_weight_A_FULL_TENSOR",
    "pair_weight_B",
    "pair_weight_B_FULL_TENSOR",
    "ranks_SHAPE",
    "retrace",
    "strings_FULL_TENSOR",
    "zero_step",
)
ONE_CAUSE = (
    "cause_fp16_eps",
    "cause_naive_softmax",
    "cause_nan_input",
    "cause_norm_grad",
    "cause_vae_exp",
    "keras_div0",
    "keras_fit_nan_CONCISE_HEALTH",
    "mirrored",
    "mlp_log0_CONCISE_HEALTH",
    "mlp_log0_CURT_HEALTH",
    "mlp_log0_FULL_HEALTH",
    "mlp_log0_FULL_TENSOR",
    "nested4",
    "sigkill_nobuf",
    "tf1_session",
    "tfdata",
)


def read(case: str) -> View:
    return open_run(str(unpacked_corpus() / case), cache=False).view


def line(view: View, location: int | None) -> int | None:
    frame = None if location is None else view.code.innermost_user_frame(location)
    return None if frame is None else frame.lineno


def first_cause(case: str) -> tuple[View, RootCause]:
    view = read(case)
    return view, view.root_causes.listed[0]


@pytest.mark.parametrize("case", FIRST_CAUSES)
def test_the_first_cause_is_the_line_that_a_person_would_name(case: str) -> None:
    view, cause = first_cause(case)
    assert (cause.kind, cause.first.op_type, line(view, cause.location)) == (FIRST_CAUSES[case])


@pytest.mark.parametrize("case", HEALTHY)
def test_a_program_without_bad_values_has_no_cause(case: str) -> None:
    assert read(case).root_causes.listed == []


@pytest.mark.parametrize("case", ONE_CAUSE)
def test_one_bug_is_one_cause_that_explains_all_alerts(case: str) -> None:
    causes = read(case).root_causes
    assert [cause.num_alerts for cause in causes.listed] == [causes.num_alerts]


@pytest.mark.parametrize("case", [case for case in FIRST_CAUSES if case != "benign_inf"])
def test_a_bug_is_not_taken_for_harmless(case: str) -> None:
    assert not any(cause.is_harmless for cause in read(case).root_causes.listed)


def test_a_mask_and_an_initial_minimum_are_harmless() -> None:
    causes = read("benign_inf").root_causes
    assert [cause.is_harmless for cause in causes.listed] == [True, True]


def test_the_evidence_of_a_logarithm_tells_its_zeros_and_who_made_them() -> None:
    _, cause = first_cause("mlp_log0_FULL_HEALTH")
    assert cause.evidence == (
        "Log Log:0 of loss_fn() made 24 −∞ among 240 elements. Input probs:0, from Softmax "
        "Softmax:0 of model() at line 21, had 24 zeros, 216 positive among 240 elements."
    )
    assert "softmax_cross_entropy_with_logits" in cause.advice
    assert (cause.call_number, cause.confidence) == (3, "high")
    assert [link.event.op_type for link in cause.chain] == [
        "Log",
        "Mul",
        "Mean",
        "__forward_loss_fn_305",
    ]


def test_a_gradient_that_went_bad_with_its_forward_op_is_told_with_it() -> None:
    _, cause = first_cause("mirrored")
    assert cause.evidence.endswith("in forward op and gradient: also in Reciprocal at line 16.")


def test_a_chain_tells_what_of_it_is_a_guess() -> None:
    _, cause = first_cause("keras_fit_nan_CONCISE_HEALTH")
    assert any(link.is_guess for link in cause.chain)
    assert (cause.confidence, cause.called) == ("medium", "multi_step_on_iterator")


def test_a_gradient_is_told_with_the_line_of_its_forward_op() -> None:
    view, cause = first_cause("cause_norm_grad")
    assert line(view, cause.forward_location) == 13


@pytest.mark.parametrize("case", FIRST_CAUSES)
def test_what_is_a_cause_once_others_are_muted_has_that_role(case: str) -> None:
    view, cause = first_cause(case)
    mutes = (Mute("op_type", cause.first.op_type),)
    roles, trace_of_alert = (
        AlertRoles(view, mutes),
        dict(zip(*view.alerts.traces[::-1], strict=True)),
    )
    for other in view.root_causes_without(mutes).listed:
        if not other.is_harmless and other.first.alert in trace_of_alert:
            role = roles.of_trace(TraceIndex(int(trace_of_alert[other.first.alert])))
            assert role is not None
            assert (role.role, role.is_muted) == ("cause", False)


@pytest.mark.parametrize("case", FIRST_CAUSES)
def test_the_walk_for_all_calls_at_once_agrees_with_the_walk_for_one(case: str) -> None:
    view = read(case)
    snapshot, order = view.snapshot, view.traces.order
    for number in range(min(len(view.alerts), MOST_ALERTS)):
        row = view.alerts[number].trace_row
        for given in view.provenance.inputs(number) if row is not None else ():
            assert row is not None
            assert given.tensor is not None
            if snapshot.op_type(given.tensor.op) in PLACEHOLDERS:
                continue  # One that left a trace is a link here, and passed over there.
            origin = view.producers.origin(given.tensor, view.producers.call_of_trace(row))
            if origin.trace_row is None:
                assert given.record == UNSEEN or given.record >= len(order)
            elif origin.execution_row is None:
                assert given.record == order.index(origin.trace_row)


@pytest.mark.parametrize("case", FIRST_CAUSES)
def test_ops_looked_at_together_have_the_parents_that_they_have_one_by_one(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = read(case).provenance
    monkeypatch.setattr(parents_of_traces, "_FEW_ALERTS", -1)
    one_by_one = read(case).provenance
    np.testing.assert_array_equal(together.parents, one_by_one.parents)
    np.testing.assert_array_equal(together.lost_input, one_by_one.lost_input)
