"""What each kind of pattern means, how it is recognised, and what to do about it.

``docs/alert-kinds.md`` is made of this (``guide.py``), and the page shows the same words. Texts are
Markdown of which only `code` is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tb_debugger_plugin.analyses.patterns import thresholds
from tb_debugger_plugin.analyses.patterns.pattern import PatternKind
from tb_debugger_plugin.events import debug_modes


@dataclass(frozen=True)
class Explanation:
    """The words for one kind.

    Attributes:
      title: A few words.
      rule: One sentence: from when on it is told.
      details: What is left out, what it needs, and where the rule is from.
      advice: What to do.
      usual: One sentence: which of them healthy programs show too, and why; "" for none.
      modes: The debug modes that record what it is told by; empty for all.
    """

    title: str
    rule: str
    details: str
    advice: str
    usual: str = ""
    modes: tuple[int, ...] = ()


_T = thresholds

_COUNTING_ZEROS = (debug_modes.FULL_HEALTH, debug_modes.FULL_TENSOR)

_IN_EACH_CALL = (
    f"in each of the last {_T.LAST_CALLS} calls, or in all if there were only "
    f"{_T.FEWEST_CALLS} or {_T.LAST_CALLS - 1}"
)

EXPLANATIONS: Mapping[PatternKind, Explanation] = {
    "retracing": Explanation(
        "Retraced functions",
        f"{_T.COMPILED} of {_T.AMONG_CALLS} successive calls compiled the same Python function "
        f"anew, or {_T.COMPILED_FOR_ONE_CALL} in a row did, each for a single call.",
        "The first rule is that of TensorFlow's own warning "
        "(`FREQUENT_TRACING_WARNING_THRESHOLD`). Functions are the same if they have one name and "
        "their ops were made at the same lines of your code; functions of libraries are left out, "
        "as these make one for each model. What an argument was is known where an execution made "
        "it and the debug mode recorded it: SHAPE and FULL_TENSOR tell dtype and shape, "
        "FULL_HEALTH dtype, rank and size, CONCISE_HEALTH the size. What tells versions apart "
        "otherwise is a Python value, another object, or `tf.function` that was applied anew.",
        "Compiling takes far longer than running. Pass tensors instead of Python numbers, give "
        "changing dimensions as `None` in `input_signature` (or set `reduce_retracing=True`), and "
        "apply `tf.function` once, outside of loops.",
    ),
    "dead_activation": Explanation(
        "Dead activations",
        f"More than {_T.DEAD_SHARE:.0%} of what a Relu or Relu6 returned were zero "
        f"{_IN_EACH_CALL}.",
        "Units that are zero for all inputs pass no gradient on and never recover (Lu et al., "
        "“Dying ReLU and Initialization”, 2019). Amazon SageMaker Debugger's rule DeadRelu tells "
        "of a layer of which more than half of the units are so. LeakyRelu, Elu and Selu are left "
        "out, as they are zero nowhere but at zero. Needs FULL_HEALTH or FULL_TENSOR, which count "
        "zeros, and tensors in graphs.",
        "Lower the learning rate, check the bias and the scale of the "
        "inputs, initialise with He's method, or use LeakyRelu or Elu.",
        f"Less than {_T.MOSTLY_DEAD_SHARE:.0%} counts as no alert: debug modes count elements, not "
        "units, half of the elements are zero where inputs are spread evenly around zero, and "
        "healthy programs were measured at 51% to 84%.",
        modes=_COUNTING_ZEROS,
    ),
    "zero_gradient": Explanation(
        "Zero gradients",
        f"All elements of a gradient were zero {_IN_EACH_CALL}.",
        "A gradient is what an op of a backward function or below `gradient_tape/` outputs, of "
        "more than one element. Of gradients that are computed from one another the first is told, "
        "and how many follow. Constants and ops that make zeros are left out. Needs FULL_HEALTH or "
        "FULL_TENSOR, and tensors in graphs.",
        "What is behind it does not learn. Look at the forward op: an activation that is dead or "
        "saturated, an input that is all zero, a mask, or a loss that does not depend on it.",
        modes=_COUNTING_ZEROS,
    ),
    "all_zero": Explanation(
        "All-zero tensors",
        f"All elements of a tensor were zero {_IN_EACH_CALL}.",
        "Floating tensors of more than one element in graphs. Constants, ops that make zeros, "
        "activations and gradients (which have kinds of their own), and what is computed from a "
        "tensor that is all zero, be it meant to, are left out, and so are variables that the same "
        "function does not update. Needs FULL_HEALTH or FULL_TENSOR.",
        "If it is no mask and nothing that starts at zero: check the op's inputs, the input "
        "pipeline, and whether a weight was ever updated.",
        modes=_COUNTING_ZEROS,
    ),
    "shape_change": Explanation(
        "Changed shapes",
        f"A tensor had the same shape in its first {_T.SAME_SHAPE_CALLS} calls or more, and "
        "another one later.",
        "A change of the first dimension alone, as by the last and smaller batch of an epoch, is "
        "not told, nor is the same change of another dimension in that call. Of tensors that are "
        "computed from one another the first is told. Needs SHAPE or FULL_TENSOR; in FULL_HEALTH a "
        "change of rank is seen.",
        "See what was given to that call. If sizes are meant to vary, nothing is wrong; else check "
        "the input pipeline, and broadcasting.",
        modes=(debug_modes.SHAPE, *_COUNTING_ZEROS),
    ),
    "magnitude_growth": Explanation(
        "Growing values",
        f"The largest magnitude in a tensor rose at each of the last {_T.LAST_CALLS} calls, to "
        f"more than {_T.GROWTH:g} times as much.",
        "Needs FULL_TENSOR, whose values are read from the files: of "
        f"{_T.MOST_TENSORS_READ} tensors at most, variables that are read first. Magnitudes below "
        "1 are left out, and so are integers.",
        "Lower the learning rate, clip gradients (`tf.clip_by_global_norm`), normalise "
        "activations, and check the scale of the inputs.",
        modes=(debug_modes.FULL_TENSOR,),
    ),
    "unchanged": Explanation(
        "Unchanged variables",
        f"A variable was the same, bit by bit, when it was read in the last {_T.UNCHANGED_CALLS} "
        "calls, although the same function updates it.",
        "Needs FULL_TENSOR, whose values are read from the files, as for values that grow. An "
        "update is an op like AssignSub or ResourceApplyAdam on the handle that was read, in the "
        "same graph.",
        "See whether its gradient is zero, the learning rate is zero or too small for the dtype, "
        "or the update is skipped, as loss scaling does after an overflow.",
        modes=(debug_modes.FULL_TENSOR,),
    ),
    "unobserved_function": Explanation(
        "Unobserved functions",
        "A function was called and gave values, or was built, and no tensor inside was recorded.",
        "As the problems `unobserved_calls` and `unobserved_functions` tell: what XLA compiles "
        "(`jit_compile=True`), functions that were traced before `enable_dump_debug_info`, and "
        "those that other threads run. NaN and ∞ in there raise no alert.",
        "Call `enable_dump_debug_info` before the function is first called, in the thread that "
        "runs it, and leave out `jit_compile=True` while you debug.",
    ),
}
