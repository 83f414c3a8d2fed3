"""Which bad values an op can make of finite ones."""

from __future__ import annotations

HALF = 19
"""The DataType number of float16."""

_MOVES = frozenset(
    [
        "Abs",
        "ComplexAbs",
        "Conj",
        "Real",
        "Imag",
        "Neg",
        "Sign",
        "Relu",
        "Relu6",
        "LeakyRelu",
        "Elu",
        "Selu",
        "Tanh",
        "Sigmoid",
        "Softmax",
        "Softsign",
        "Sin",
        "Cos",
        "Erf",
        "Atan",
        "Max",
        "Min",
        "Maximum",
        "Minimum",
        "ClipByValue",
        "Round",
        "Floor",
        "Ceil",
        "Select",
        "SelectV2",
        "Where",
        "Reshape",
        "Transpose",
        "Squeeze",
        "ExpandDims",
        "Pack",
        "Unpack",
        "ConcatV2",
        "Split",
        "SplitV",
        "Slice",
        "StridedSlice",
        "GatherV2",
        "GatherNd",
        "ScatterNd",
        "Tile",
        "Pad",
        "PadV2",
        "MirrorPad",
        "BroadcastTo",
        "Reverse",
        "ReverseV2",
        "TopKV2",
        "MaxPool",
        "IdentityN",
        "Snapshot",
        "StopGradient",
        "OneHot",
        "SpaceToBatchND",
        "BatchToSpaceND",
    ]
)
"""Bad values come out only where some went in."""

GROWING = frozenset(
    [
        "Add",
        "AddV2",
        "AddN",
        "Sub",
        "Mul",
        "Square",
        "SquaredDifference",
        "Sum",
        "Mean",
        "Prod",
        "Cumsum",
        "Cumprod",
        "BiasAdd",
        "L2Loss",
        "MatMul",
        "BatchMatMulV2",
        "BatchMatMulV3",
        "Einsum",
        "Conv2D",
        "Conv3D",
        "DepthwiseConv2dNative",
        "FFT",
        "FFT2D",
        "IFFT",
        "IFFT2D",
        "RFFT",
        "IRFFT",
        "UnsortedSegmentSum",
        "SegmentSumV2",
    ]
)
"""What these make of finite numbers is infinite only where it is too large, and so never meant."""

_MAKES_NO_NAN = GROWING - {"Mean"}
"""A mean of no elements is NaN."""


def only_passes_on(op_type: str, *, is_nan: bool) -> bool:
    """Whether bad values of an output can only come from inputs.

    A sum of finite numbers may be infinite, but is no NaN.

    >>> only_passes_on("Sum", is_nan=True), only_passes_on("Sum", is_nan=False)
    (True, False)
    """
    return op_type in _MOVES or (is_nan and op_type in _MAKES_NO_NAN)


def may_pass_on(op_type: str) -> bool:
    """Whether bad values of an output are likelier to come from inputs than to be made."""
    return op_type in _MOVES or op_type in GROWING
