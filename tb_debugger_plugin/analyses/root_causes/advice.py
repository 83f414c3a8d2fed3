"""What repairs a cause, by what it did."""

from __future__ import annotations

from dataclasses import dataclass

from tb_debugger_plugin.analyses.arithmetic import GROWING, HALF, only_passes_on
from tb_debugger_plugin.analyses.root_causes.cause import CauseKind

_LOG = (
    "Keep zeros and negative values out of the logarithm: tf.math.log(tf.maximum(x, 1e-7)) or an "
    "epsilon; for a cross entropy of softmax outputs, tf.nn.softmax_cross_entropy_with_logits on "
    "the logits; for x * log(y), tf.math.xlogy; for log(1 + x), tf.math.log1p."
)
_ROOT = (
    "Keep the argument away from zero and from below it: clip it, or add an epsilon that its dtype "
    "can hold, before the root."
)
_DIVISION = (
    "Keep zeros out of the denominator: tf.math.divide_no_nan, an epsilon, or a check that what "
    "is counted or summed there is not empty."
)
_EXP = (
    "Bound the argument: subtract the maximum before exp (tf.nn.softmax and tf.reduce_logsumexp "
    "do), or clip it, as tf.clip_by_value(x, -20, 20) for a log variance."
)
_OVERFLOW = (
    "Finite values went in and their result was too large. If values grow over the steps, lower "
    "the learning rate or clip gradients (tf.clip_by_global_norm); check the scale of the inputs."
)
_GROWTH = (
    "The calls before made finite values, so they grew until they were too large: lower the "
    "learning rate, or clip gradients (tf.clip_by_global_norm)."
)
_EMPTY = (
    "A mean of no elements is NaN: check that there are any, or take tf.math.divide_no_nan of the "
    "sum and the number of elements."
)
_SINGULAR = (
    "The matrix is singular, or nearly: add a small multiple of tf.eye to it before, or solve "
    "with tf.linalg.lstsq and a regularizer."
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
_VARIABLE_OR_LOST_UPDATE = (
    "What updated this variable before was not kept: look at earlier causes first. Record all "
    "events with circular_buffer_size=-1 to see which update was bad."
)
_CHECKPOINT = (
    "The checkpoint held this already: restore an earlier one, and look for the cause in the run "
    "that saved it."
)
_CONSTANT = "The program holds this constant. If it is no mask, replace it."
_MASK_MADE_NAN = (
    "The program holds this constant, and something made NaN of the infinity: a softmax of a row "
    "that is masked wholly does, so do a product with zero and the difference of two infinities. A "
    "large negative number, as -1e9, makes none; skip rows that are masked wholly."
)
_MASK = (
    "Nothing to repair, as far as the run shows. A large negative number, as -1e9, instead of -inf "
    "keeps the alert away."
)
_CAME_FROM_ELSEWHERE = (
    "This op makes no NaN of finite numbers: an input was bad already, and its record is missing. "
    "Look at what comes before it, and record all of the run."
)
_LEFT_OUT = (
    "Nothing to repair, as far as the run shows: what is NaN is left out. A safe argument before "
    "it (the double-where), or tf.math.divide_no_nan, keeps the alert away."
)
_LOSS_SCALE = (
    "Nothing to repair, if a loss scale is at work: it drops such steps and lowers itself. Without "
    "one, scale the loss with tf.keras.mixed_precision.LossScaleOptimizer."
)
_FUNCTION = (
    "Nothing that went on inside this function is on disk. If a file of the run is missing or "
    "damaged, copy it again. Else record the run with circular_buffer_size=-1 and no filters, and "
    "trace the function after enable_dump_debug_info."
)
_HALF_GRADIENT = (
    "A gradient in float16 left its range, 6e-8 to 65504: scale the loss with "
    "tf.keras.mixed_precision.LossScaleOptimizer, which skips such steps, or compute this in "
    "float32."
)
_PYTHON = "A function in Python made this: look there for what makes NaN or infinities."
_OTHER = "Look at the inputs at this call, and keep them within the op's domain."

_BY_KIND: dict[CauseKind, str] = {
    "input_data": _DATA,
    "checkpoint": _CHECKPOINT,
    "variable": _VARIABLE,
    "constant": _CONSTANT,
}
_DIVISIONS = ("RealDiv", "Div", "Reciprocal", "Inv", "Xdivy", "FloorDiv", "FloorMod")
_BY_OP: dict[str, str] = {
    **dict.fromkeys(GROWING, _OVERFLOW),
    # What overflows when it is cast is cast to a smaller type.
    "Cast": _HALF_OVERFLOW,
    **dict.fromkeys(("Log", "Log1p", "Xlogy", "Xlog1py"), _LOG),
    **dict.fromkeys(("Sqrt", "Rsqrt", "Pow"), _ROOT),
    **dict.fromkeys(_DIVISIONS, _DIVISION),
    **dict.fromkeys(("PyFunc", "PyFuncStateless", "EagerPyFunc"), _PYTHON),
    **dict.fromkeys(("Exp", "Expm1", "Sinh", "Cosh", "Softplus"), _EXP),
    **dict.fromkeys(("Acos", "Asin", "Acosh", "Atanh", "Lgamma", "Digamma", "Erfinv"), _DOMAIN),
    **dict.fromkeys(
        ("MatrixInverse", "MatrixSolve", "MatrixTriangularSolve", "Cholesky", "Svd"), _SINGULAR
    ),
}
_SMALL_MATTERS = frozenset({"Log", "Sqrt", "Rsqrt", *_DIVISIONS})


@dataclass(frozen=True)
class Symptom:
    """What a cause did at its first origin.

    ``dtype`` is a DataType number. ``made_nan``: as far as counts tell. ``forward_type`` is that
    of the op whose gradient it computes. ``has_grown``: values were finite for many calls before.
    ``is_incomplete``: a record is missing of what went in. ``led_to_nan``: its infinities did.
    """

    kind: CauseKind
    op_type: str
    dtype: int
    made_nan: bool
    forward_type: str | None
    has_grown: bool
    is_incomplete: bool
    led_to_nan: bool


def advice_for(symptom: Symptom, *, is_harmless: bool) -> str:
    """The repair that fits: one to three sentences.

    Args:
      symptom: What the cause did.
      is_harmless: Whether the values are meant to be bad, as far as the run shows.

    """
    if is_harmless:
        if symptom.made_nan:
            return _LEFT_OUT
        # In some modes no dtype is recorded.
        is_scaled = symptom.dtype in (HALF, 0) and symptom.forward_type is not None
        return _LOSS_SCALE if is_scaled else _MASK
    if symptom.kind == "variable" and symptom.is_incomplete:
        return _VARIABLE_OR_LOST_UPDATE
    if symptom.kind == "constant" and symptom.led_to_nan:
        return _MASK_MADE_NAN
    if symptom.kind in _BY_KIND:
        return _BY_KIND[symptom.kind]
    if symptom.forward_type is not None:
        return _of_gradient(symptom, symptom.forward_type)
    if symptom.kind == "function":
        return _FUNCTION
    advice = _of_op(symptom)
    if symptom.dtype == HALF and advice != _HALF_OVERFLOW:
        half = _HALF_EPSILON if symptom.op_type in _SMALL_MATTERS else _HALF_OVERFLOW
        return f"{half} {advice}"
    return advice


def _of_op(symptom: Symptom) -> str:
    if symptom.op_type == "Mean" and symptom.made_nan:
        return _EMPTY
    if symptom.made_nan and only_passes_on(symptom.op_type, is_nan=True):
        return _CAME_FROM_ELSEWHERE
    if symptom.has_grown:
        return _GROWTH
    return _BY_OP.get(symptom.op_type, _OTHER)


def _of_gradient(symptom: Symptom, forward_type: str) -> str:
    if symptom.op_type in GROWING or symptom.op_type == "Cast":
        return _HALF_GRADIENT if symptom.dtype == HALF else _of_op(symptom)
    gradient = (
        f"The gradient of {forward_type} is infinite or NaN at the edge of its domain, as at zero. "
        f"Keep its argument away from there: clip it, or add an epsilon inside, as in "
        f"tf.sqrt(tf.reduce_sum(x * x) + 1e-12) for a norm. If tf.where chooses around it, choose "
        f"a safe argument before it too, for the gradient of the branch not taken counts (the "
        f"double-where)."
    )
    return f"{_HALF_EPSILON} {gradient}" if symptom.dtype == HALF else gradient
