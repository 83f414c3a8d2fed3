"""What the first cause of each program is."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MARK = "# <- cause"


@dataclass(frozen=True)
class Expected:
    """The kind of a program's first cause, and words of the advice that repairs it."""

    kind: str
    advice: str
    mode: str = "FULL_HEALTH"


BUGS = {
    "backward.all_steps_skipped": Expected("operation", "gradient of Sqrt"),
    "backward.arc_cosine_at_one": Expected("operation", "gradient of Acos"),
    "backward.branch_not_taken": Expected("operation", "double-where"),
    "backward.custom_gradient": Expected("operation", "divide_no_nan"),
    "backward.eager_root_at_zero": Expected("operation", "gradient of Sqrt"),
    "backward.float16_gradient_overflow": Expected("operation", "LossScaleOptimizer"),
    "backward.norm_of_a_function": Expected("function", "gradient of Sqrt"),
    "backward.gradient_penalty": Expected("operation", "1e-12) for a norm"),
    "backward.norm_at_zero": Expected("operation", "1e-12) for a norm"),
    "backward.normalized_without_epsilon": Expected("operation", "epsilon"),
    "backward.power_at_zero": Expected("operation", "gradient of Pow"),
    "backward.quotient_not_taken": Expected("operation", "double-where"),
    "backward.root_at_zero": Expected("operation", "epsilon inside", mode="CONCISE_HEALTH"),
    "data.dataset_iterated_in_a_function": Expected("input_data", "input pipeline"),
    "data.generator_dataset": Expected("input_data", "input pipeline"),
    "data.infinite_price": Expected("input_data", "input pipeline"),
    "data.label_of_nan": Expected("operation", "divide_no_nan"),
    "data.nan_in_a_dataset": Expected("input_data", "input pipeline"),
    "data.nan_in_a_mapped_dataset": Expected("operation", "divide_no_nan"),
    "data.nan_in_an_array": Expected("input_data", "input pipeline", mode="CONCISE_HEALTH"),
    "data.nan_in_an_eager_array": Expected("input_data", "input pipeline"),
    "forward.arc_cosine_out_of_range": Expected("operation", "clip it"),
    "forward.average_over_a_count": Expected("operation", "divide_no_nan"),
    "forward.deviation_of_a_constant_batch": Expected("operation", "an epsilon"),
    "forward.divergence": Expected("operation", "divide_no_nan"),
    "forward.eager_entropy": Expected("operation", "tf.math.xlogy"),
    "forward.exponential_overflow": Expected("operation", "clip_by_value"),
    "forward.first_of_two": Expected("operation", "logarithm"),
    "forward.float16_epsilon": Expected("operation", "a small epsilon does nothing"),
    "forward.float16_overflow": Expected("operation", "float16 ends at 65504"),
    "forward.float16_variance": Expected("operation", "float16 ends at 65504"),
    "forward.fully_masked_row": Expected("operation", "logarithm"),
    "forward.log_of_saturated_softmax": Expected(
        "operation", "softmax_cross_entropy_with_logits", mode="FULL_TENSOR"
    ),
    "forward.log_of_sigmoid": Expected("operation", "logarithm", mode="CONCISE_HEALTH"),
    "forward.log_of_zero": Expected("operation", "tf.math.log1p", mode="CURT_HEALTH"),
    "forward.mean_of_nothing": Expected("operation", "mean of no elements"),
    "forward.naive_softmax": Expected("operation", "subtract the maximum", mode="CONCISE_HEALTH"),
    "forward.numpy_function": Expected("operation", "function in Python"),
    "forward.power_of_a_negative": Expected("operation", "from below it"),
    "forward.printed_infinity": Expected("operation", "divide_no_nan"),
    "forward.product_overflow": Expected("operation", "too large"),
    "forward.result_whose_shape_is_asked_for": Expected("operation", "logarithm"),
    "forward.root_of_a_negative_variance": Expected("operation", "clip it"),
    "forward.row_masked_wholly": Expected("constant", "masked wholly"),
    "forward.singular_matrix": Expected("operation", "divide_no_nan"),
    "forward.threshold_of_nan": Expected("constant", "replace it"),
    "forward.zero_over_zero": Expected("operation", "divide_no_nan", mode="CURT_HEALTH"),
    "keras_models.bad_initializer": Expected("operation", "scale of the inputs"),
    "keras_models.batch_norm_without_epsilon": Expected("operation", "add an epsilon"),
    "keras_models.custom_layer": Expected("operation", "Keep zeros and negative values out"),
    "keras_models.custom_loss": Expected("operation", "divide_no_nan", mode="CONCISE_HEALTH"),
    "keras_models.custom_train_step": Expected("operation", "gradient of Log"),
    "keras_models.embeddings_set_from_an_array": Expected("variable", "initialiser"),
    "keras_models.fit_with_a_callback": Expected("operation", "learning rate"),
    "keras_models.float16_policy": Expected("operation", "float16 ends at 65504"),
    "keras_models.functional_lambda": Expected("operation", "divide_no_nan"),
    "keras_models.in_a_prediction": Expected("operation", "logarithm"),
    "keras_models.nan_in_the_labels": Expected("input_data", "input pipeline"),
    "keras_models.recurrent_layer": Expected("operation", "too large"),
    "keras_models.run_eagerly": Expected("operation", "from below it"),
    "keras_models.sample_weights": Expected("input_data", "input pipeline"),
    "keras_models.schedule_at_step_zero": Expected("operation", "epsilon"),
    "keras_models.weights_set_from_an_array": Expected("variable", "initialiser"),
    "loops.at_a_later_pass": Expected("operation", "logarithm"),
    "loops.diverging_newton": Expected("operation", "clip it"),
    "loops.gradient_of_a_growing_loop": Expected("operation", "too large"),
    "loops.gradient_through_a_loop": Expected("operation", "gradient of Sqrt"),
    "loops.growing_in_a_loop": Expected("operation", "too large"),
    "loops.in_a_case": Expected("operation", "logarithm"),
    "loops.in_a_mapped_function": Expected("operation", "divide_no_nan"),
    "loops.in_a_nested_function": Expected("operation", "epsilon", mode="FULL_TENSOR"),
    "loops.in_a_scan": Expected("operation", "divide_no_nan"),
    "loops.in_one_branch": Expected("operation", "divide_no_nan", mode="CONCISE_HEALTH"),
    "loops.recurrent_overflow": Expected("operation", "clip gradients"),
    "variables.accumulated_gradients": Expected("operation", "divide_no_nan"),
    "variables.adam_without_epsilon": Expected("operation", "an epsilon"),
    "variables.assigned_from_an_array": Expected("variable", "put this into the variable"),
    "variables.bad_initializer": Expected("operation", "divide_no_nan"),
    "variables.clipped_by_a_bad_norm": Expected("operation", "divide_no_nan"),
    "variables.corrupted_checkpoint": Expected("checkpoint", "restore an earlier one"),
    "variables.eager_training": Expected("operation", "softmax_cross_entropy_with_logits"),
    "variables.embedding_with_a_bad_row": Expected("variable", "initialiser"),
    "variables.initialized_with_nan": Expected("variable", "initialiser"),
    "variables.learning_rate_too_large": Expected("operation", "lower the learning rate"),
    "variables.learning_rate_too_large_in_an_optimizer": Expected(
        "operation", "lower the learning rate", mode="CONCISE_HEALTH"
    ),
    "variables.momentum_of_a_bad_gradient": Expected("operation", "divide_no_nan"),
    "variables.moving_variance": Expected("operation", "epsilon", mode="CURT_HEALTH"),
    "variables.updated_badly": Expected("operation", "divide_no_nan", mode="FULL_TENSOR"),
    "variables.updated_by_adam": Expected("operation", "logarithm"),
}

BESIDE = {
    "beside.masked_scores": "Log",
    "beside.masked_scores_in_keras": "Log",
    "beside.rows_dropped_by_a_pipeline": "Log",
    "beside.steps_skipped_by_a_loss_scale": "RealDiv",
}
"""The op type of the first cause, where it is not the first alert's."""

HEALTHY = (
    "healthy.actions_chosen_in_numpy",
    "healthy.actions_chosen_in_numpy_eager",
    "healthy.added_mask",
    "healthy.batch_norm",
    "healthy.beam_search",
    "healthy.best_score_so_far",
    "healthy.classes_without_elements",
    "healthy.clipped_norm",
    "healthy.connectionist_temporal_classification",
    "healthy.double_where",
    "healthy.dropout",
    "healthy.eager_masked_attention",
    "healthy.eager_padding",
    "healthy.early_stopping",
    "healthy.gradient_through_a_mask",
    "healthy.guarded_division_eager",
    "healthy.guarded_logarithm",
    "healthy.harmonic_mean",
    "healthy.initial_minimum",
    "healthy.learning_rate_schedule",
    "healthy.least_value_as_a_metric",
    "healthy.logistic",
    "healthy.loss_scale",
    "healthy.mask_by_logarithm",
    "healthy.mask_from_a_pipeline",
    "healthy.mask_of_a_function",
    "healthy.masked_attention",
    "healthy.maximum_of_empty_segments",
    "healthy.metric_of_nothing",
    "healthy.missing_values_filled_in_a_model",
    "healthy.nan_selected_away",
    "healthy.padded_with_infinity",
    "healthy.range_found_by_a_loss_scale",
    "healthy.rows_dropped_by_a_pipeline",
    "healthy.shortest_paths",
    "healthy.unreachable_nodes",
)

MODES = {name: bug.mode for name, bug in BUGS.items()} | dict.fromkeys(
    (*BESIDE, *HEALTHY), "FULL_HEALTH"
)
"""Of all programs, in the order in which they run."""


@cache
def source(module: str) -> str:
    """The text of a module of programs."""
    return Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")


def marked_line(program: str) -> int:
    """The line of a program that bears the mark."""
    module, name = program.split(".")
    lines = source(module).splitlines()
    (function,) = (
        node
        for node in ast.parse(source(module)).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    assert function.end_lineno is not None
    (line,) = (
        number
        for number in range(function.lineno, function.end_lineno + 1)
        if MARK in lines[number - 1]
    )
    return line
