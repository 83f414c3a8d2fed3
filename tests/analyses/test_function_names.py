from __future__ import annotations

import pytest

from tb_debugger_plugin.analyses.function_names import is_backward_graph, parse_function_name


@pytest.mark.parametrize(
    ("op_type", "name", "kind"),
    [
        ("__inference_model_771", "model", "inference"),
        ("__forward_loss_fn_305", "loss_fn", "forward"),
        ("__inference___backward_loss_364_409", "loss", "backward"),
        ("__inference___backward_loss_fn_12_364_409", "loss_fn_12", "backward"),
        ("__backward_loss_364", "loss", "backward"),
        ("__inference_step_2_31", "step_2", "inference"),
        ("__inference_train_step", "train_step", "inference"),
        ("__inference_損失_7", "損失", "inference"),
        ("__inference_a.b/<lambda>_7", "a.b/<lambda>", "inference"),
        ("__inference_1_2", "1", "inference"),
    ],
)
def test_the_name_of_a_function_is_read(op_type: str, name: str, kind: str) -> None:
    function = parse_function_name(op_type)
    assert function is not None
    assert (function.python_name, function.kind) == (name, kind)


@pytest.mark.parametrize(
    "op_type", ["", "MatMul", "inference_f_1", "_inference_f_1", "__inference_", "__other_f_1", "_"]
)
def test_an_op_is_no_function(op_type: str) -> None:
    assert parse_function_name(op_type) is None


def test_a_very_long_name_is_read_at_once() -> None:
    for name in ("_1" * 50_000, "__backward_" * 10_000, "_" * 100_000, "\n" * 100_000):
        function = parse_function_name(f"__inference_{name}_1")
        assert function is not None


@pytest.mark.parametrize(
    ("name", "is_backward"),
    [
        ("__backward_f_7", True),
        ("f", False),
        ("my__backward_f_7", False),
        ("", False),
        (None, False),
    ],
)
def test_gradient_graphs_are_known_by_name(name: str | None, is_backward: bool) -> None:
    assert is_backward_graph(name) is is_backward
