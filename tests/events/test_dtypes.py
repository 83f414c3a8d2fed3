from __future__ import annotations

import pytest

from tb_debugger_plugin.events import debug_modes, dtypes


def test_a_dtype_has_the_name_that_numpy_users_know() -> None:
    assert [dtypes.name(number) for number in (1, 14, 19, 25)] == [
        "float32",
        "bfloat16",
        "float16",
        "float8_e4m3fn",
    ]


def test_a_reference_dtype_says_so() -> None:
    assert dtypes.name(101) == "float32_ref"


@pytest.mark.parametrize("number", [-1, 0, 34, 100, 134, 1 << 31])
def test_an_unknown_dtype_has_no_name(number: int) -> None:
    assert dtypes.name(number) is None


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_names_are_those_of_tensorflow() -> None:
    from tensorflow.core.framework import types_pb2
    from tensorflow.python.framework import dtypes as tensorflow_dtypes

    numbers = [n for n in types_pb2.DataType.values() if 0 < n < 100]
    known = {n: tensorflow_dtypes.as_dtype(n).name for n in numbers}
    assert known == dtypes.NAMES


def test_a_debug_mode_that_is_not_known_still_has_a_name() -> None:
    assert debug_modes.name(4) == "FULL_HEALTH"
    assert debug_modes.name(99) == "MODE_99"
