"""What repairs a cause, by what it did."""

from __future__ import annotations

from tb_debugger_plugin.analyses.root_causes.cause import CauseKind

_HALF = 19

_LOG = (
    "Keep zeros and negative values out of the logarithm: tf.math.log(tf.maximum(x, 1e-7)) or an "
    "epsilon; for a cross entropy of softmax outputs, tf.nn.softmax_cross_entropy_with_logits on "
    "the logits; for x * log(y), tf.math.xlogy; for log(1 + x), tf.math.log1p."
)
_ROOT = (
    "Keep the argument away from zero and from below it: clip it, or add an epsilon that its dtype "
    "can hold, before the root."
)
_ROOT_GRADIENT = (
    "The gradient of a root at zero is infinite. Add an epsilon inside the root, as in "
    "tf.sqrt(tf.reduce_sum(x * x) + 1e-12) for a norm. If tf.where chooses around it, choose a "
    "safe argument too, before the root: the gradient of the branch not taken counts (the "
    "double-where)."
)
_DIVISION = (
    "Keep zeros out of the denominator: tf.math.divide_no_nan, an epsilon, or a check that the "
    "denominator is not empty. In a gradient through tf.where, make the argument safe in the "
    "branch not taken too (the double-where)."
)
_EXP = (
    "Bound the argument: subtract the maximum before exp (tf.nn.softmax and tf.reduce_logsumexp "
    "do), or clip it, as tf.clip_by_value(x, -20, 20) for a log variance."
)
_OVERFLOW = (
    "Finite values went in and their result was too large. If values grow over the steps, lower "
    "the learning rate or clip gradients (tf.clip_by_global_norm); check the scale of the inputs."
)
_HALF_OVERFLOW = (
    "float16 ends at 65504: scale the loss (tf.keras.mixed_precision.LossScaleOptimizer), scale "
    "the inputs, or compute this in float32."
)
_HALF_EPSILON = (
    "In float16, anything below 6e-8 is zero, so a small epsilon does nothing: use one of 1e-3 or "
    "so, or compute this in float32."
)
_DOMAIN = "An argument was outside of the op's domain: clip it before, or check where it is made."
_DATA = (
    "Check the input pipeline: look for NaN and infinities in the data (tf.debugging.check_numerics"
    " in Dataset.map), and drop or fill them."
)
_VARIABLE = (
    "No recorded update put this into the variable. Check its initialiser and the checkpoint that "
    "it was restored from, and whether an update overflowed."
)
_CHECKPOINT = (
    "The checkpoint held this already: restore an earlier one, and look for the cause in the run "
    "that saved it."
)
_CONSTANT = "The program holds this constant. If it is no mask, replace it."
_MASK = (
    "Nothing to repair, as far as the run shows. A large negative number, as -1e9, instead of -inf "
    "keeps the alert away."
)
_FUNCTION = (
    "Nothing was recorded inside this function. Record it with circular_buffer_size=-1 and no "
    "filters, and trace the function after enable_dump_debug_info."
)
_OTHER = "Look at the inputs at this call, and keep them within the op's domain."

_BY_OP: dict[str, str] = {
    # What overflows when it is cast is cast to a smaller type.
    "Cast": _HALF_OVERFLOW,
    **dict.fromkeys(("Log", "Log1p", "Xlogy", "Xlog1py"), _LOG),
    **dict.fromkeys(("Sqrt", "Rsqrt", "Pow"), _ROOT),
    **dict.fromkeys(("SqrtGrad", "RsqrtGrad"), _ROOT_GRADIENT),
    **dict.fromkeys(
        ("RealDiv", "Div", "Reciprocal", "Inv", "Xdivy", "FloorDiv", "FloorMod", "InvGrad"),
        _DIVISION,
    ),
    **dict.fromkeys(("Exp", "Expm1", "Sinh", "Cosh", "Softplus"), _EXP),
    **dict.fromkeys(("Acos", "Asin", "Acosh", "Atanh", "Lgamma", "Digamma", "Erfinv"), _DOMAIN),
    **dict.fromkeys(
        (
            "MatMul",
            "BatchMatMulV2",
            "Conv2D",
            "Mul",
            "Add",
            "AddV2",
            "AddN",
            "Sub",
            "Square",
            "Sum",
            "Mean",
            "Prod",
            "Einsum",
            "Cumsum",
            "Cumprod",
            "BiasAdd",
            "SquaredDifference",
            "L2Loss",
        ),
        _OVERFLOW,
    ),
}
_SMALL_MATTERS = frozenset({"Log", "Sqrt", "Rsqrt", "RealDiv", "Div", "Reciprocal", "Xdivy"})


def advice_for(kind: CauseKind, op_type: str, dtype: int, *, is_harmless: bool) -> str:
    """The repair that fits: one or two sentences.

    Args:
      kind: What the cause is.
      op_type: Of the op that made the bad values.
      dtype: Of these, a DataType number.
      is_harmless: Whether the values are meant to be bad, as far as the run shows.

    """
    if is_harmless:
        return _MASK
    by_kind = {
        "input_data": _DATA,
        "checkpoint": _CHECKPOINT,
        "variable": _VARIABLE,
        "constant": _CONSTANT,
        "function": _FUNCTION,
    }
    if kind in by_kind:
        return by_kind[kind]
    advice = _BY_OP.get(op_type, _OTHER)
    if dtype == _HALF and advice != _HALF_OVERFLOW:
        advice = f"{_half(op_type, advice)} {advice}"
    return advice


def _half(op_type: str, advice: str) -> str:
    return _HALF_EPSILON if op_type in _SMALL_MATTERS else _HALF_OVERFLOW
