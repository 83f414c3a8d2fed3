from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tb_debugger_plugin.events import debug_modes, wire
from tb_debugger_plugin.events.batches import FINITE, HAS_INF_NAN, NOT_OBSERVED
from tb_debugger_plugin.events.tensors import (
    NOTHING_KNOWN,
    UNKNOWN_COUNTS,
    Counts,
    TensorSummary,
    parse_tensor,
    summarize,
)
from tests.builders.tensors import Values, float64_vector, tensor_proto, value_list
from tests.builders.wire import FIXED32, FIXED64, integer, message, tag, text

ml_dtypes = pytest.importorskip("ml_dtypes")

INF, NAN = np.inf, np.nan
FLOATS = [-INF, -INF, INF, NAN, NAN, NAN, -1.5, -0.25, 0.0, -0.0, 2.0, 3.0, 0.5]
SIGNED = [-3, -1, 0, 0, 5, 7, 100]
UNSIGNED = [0, 0, 1, 200, 255]

FLOAT_DTYPES: dict[int, Any] = {
    1: np.float32,
    2: np.float64,
    14: ml_dtypes.bfloat16,
    19: np.float16,
    24: ml_dtypes.float8_e5m2,
    25: ml_dtypes.float8_e4m3fn,
    26: ml_dtypes.float8_e4m3fnuz,
    27: ml_dtypes.float8_e4m3b11fnuz,
    28: ml_dtypes.float8_e5m2fnuz,
}
FLOAT8_DTYPES = [24, 25, 26, 27, 28]
INTEGER_DTYPES: dict[int, Any] = {
    3: np.int32,
    4: np.uint8,
    5: np.int16,
    6: np.int8,
    9: np.int64,
    10: np.bool_,
    11: np.int8,
    12: np.uint8,
    13: np.int32,
    15: np.int16,
    16: np.uint16,
    17: np.uint16,
    22: np.uint32,
    23: np.uint64,
}


def values_of(dtype: int) -> npt.NDArray[Any]:
    if dtype in FLOAT_DTYPES:
        return np.array(FLOATS, dtype=np.float32).astype(FLOAT_DTYPES[dtype])
    numpy = np.dtype(INTEGER_DTYPES[dtype])
    return np.array(SIGNED if numpy.kind == "i" else UNSIGNED).astype(numpy)


def counts_of(values: npt.NDArray[Any]) -> Counts:
    """What NumPy says of values that float64 holds exactly."""
    wide = values.astype(np.float64)
    finite = np.isfinite(wide)
    return (
        int(np.sum(wide == -INF)),
        int(np.sum(wide == INF)),
        int(np.sum(np.isnan(wide))),
        int(np.sum(finite & (wide < 0))),
        int(np.sum(wide == 0)),
        int(np.sum(finite & (wide > 0))),
    )


def summary_of(tensor: bytes, mode: int = debug_modes.FULL_TENSOR) -> TensorSummary:
    return summarize(tensor, parse_tensor(tensor, 0, len(tensor)), mode)


class TestFullTensor:
    @pytest.mark.parametrize("encoding", ["content", "packed", "unpacked"])
    @pytest.mark.parametrize("dtype", [*FLOAT_DTYPES, *INTEGER_DTYPES])
    def test_values_are_counted_in_every_dtype_and_encoding(
        self, dtype: int, encoding: str
    ) -> None:
        values = values_of(dtype)
        if encoding == "content":
            tensor = tensor_proto(dtype, values.shape, content=values.tobytes())
        else:
            listed = value_list(dtype, values, packed=encoding == "packed")
            tensor = tensor_proto(dtype, values.shape, values=listed)
        summary = summary_of(tensor)
        counts = counts_of(values)
        assert summary.counts == counts
        assert (summary.dtype, summary.rank, summary.size) == (dtype, 1, len(values))
        assert summary.shape == values.shape
        assert summary.bad == (HAS_INF_NAN if any(counts[:3]) else FINITE)
        assert summary.tensor_id == -1

    @pytest.mark.parametrize("dtype", FLOAT8_DTYPES)
    def test_every_bit_pattern_of_a_float8_is_what_ml_dtypes_says(self, dtype: int) -> None:
        for bits in range(256):
            value = np.array([bits], dtype=np.uint8).view(FLOAT_DTYPES[dtype])
            tensor = tensor_proto(dtype, (1,), content=value.tobytes())
            assert summary_of(tensor).counts == counts_of(value), bits

    @pytest.mark.parametrize("dtype", [14, 19])
    def test_every_bit_pattern_of_a_two_byte_float_is_counted_as_it_is(self, dtype: int) -> None:
        values = np.arange(1 << 16, dtype=np.uint16).view(FLOAT_DTYPES[dtype])
        tensor = tensor_proto(dtype, values.shape, content=values.tobytes())
        with np.errstate(invalid="ignore"):
            assert summary_of(tensor).counts == counts_of(values)

    @pytest.mark.parametrize("dtype", [8, 18])
    @pytest.mark.parametrize("encoding", ["content", "packed", "unpacked"])
    def test_complex_values_are_nan_if_a_part_is_and_infinite_by_the_infinite_part(
        self, dtype: int, encoding: str
    ) -> None:
        numpy = np.complex64 if dtype == 8 else np.complex128
        parts = [(0, 0), (1, -1), (NAN, 1), (INF, NAN), (INF, 0), (0, -INF), (-INF, INF)]
        values = np.array(parts, dtype=np.float64).view(np.complex128)[:, 0].astype(numpy)
        if encoding == "content":
            tensor = tensor_proto(dtype, values.shape, content=values.tobytes())
        else:
            listed = value_list(dtype, values, packed=encoding == "packed")
            tensor = tensor_proto(dtype, values.shape, values=listed)
        summary = summary_of(tensor)
        assert summary.counts == (1, 2, 2, -1, 1, -1)
        assert summary.bad == HAS_INF_NAN

    @pytest.mark.parametrize("dtype", [8, 18])
    def test_complex_zeros_that_are_not_listed_have_no_sign(self, dtype: int) -> None:
        tensor = tensor_proto(dtype, (3,))
        assert summary_of(tensor).counts == (0, 0, 0, -1, 3, -1)

    def test_a_string_tensor_has_a_shape_and_no_counts(self) -> None:
        python = tensor_proto(7, (2,), values=message(8, b"") + message(8, b"ab\x00\xff"))
        trace = tensor_proto(7, (2,), content=b"\x00\x04ab\x00\xff")
        for tensor in (python, trace):
            expected = TensorSummary(dtype=7, rank=1, size=2, shape=(2,), bad=FINITE)
            assert summary_of(tensor) == expected

    @pytest.mark.parametrize("dtype", [20, 21, 29, 30, 31, 32, 33])
    def test_a_dtype_that_cannot_hold_nan_is_never_bad_though_not_counted(self, dtype: int) -> None:
        summary = summary_of(tensor_proto(dtype, (3,), content=b"\x00\x01\x02"))
        assert (summary.dtype, summary.size, summary.counts) == (dtype, 3, UNKNOWN_COUNTS)
        assert summary.bad == FINITE

    @pytest.mark.parametrize("dtype", [34, 99, 255])
    def test_of_a_dtype_that_is_not_known_nothing_is_claimed(self, dtype: int) -> None:
        summary = summary_of(tensor_proto(dtype, (3,), content=b"\x00\x01\x02"))
        assert (summary.dtype, summary.counts, summary.bad) == (dtype, UNKNOWN_COUNTS, NOT_OBSERVED)

    @pytest.mark.parametrize("dtype", [-1, 256, 1 << 30])
    def test_a_dtype_number_beyond_a_byte_is_no_dtype(self, dtype: int) -> None:
        assert summary_of(tensor_proto(dtype, (3,))).dtype == 0

    @pytest.mark.parametrize("dtype", [*FLOAT_DTYPES, *INTEGER_DTYPES])
    def test_the_last_listed_value_repeats_for_those_that_are_missing(self, dtype: int) -> None:
        values = values_of(dtype)
        for listed in range(1, len(values) + 1):
            proto = tensor_proto(dtype, values.shape, values=value_list(dtype, values[:listed]))
            whole = np.concatenate([values[:listed], np.repeat(values[listed - 1], len(values))])
            assert summary_of(proto).counts == counts_of(whole[: len(values)])

    @pytest.mark.parametrize("dtype", [*FLOAT_DTYPES, *INTEGER_DTYPES])
    def test_with_no_value_listed_all_are_zero(self, dtype: int) -> None:
        assert summary_of(tensor_proto(dtype, (2, 3))).counts == (0, 0, 0, 0, 6, 0)

    def test_more_values_than_elements_are_not_counted(self) -> None:
        listed = value_list(1, np.array([1, NAN, INF], dtype=np.float32))
        assert summary_of(tensor_proto(1, (1,), values=listed)).counts == (0, 0, 0, 0, 0, 1)

    def test_a_scalar_has_rank_0_and_one_element(self) -> None:
        summary = summary_of(tensor_proto(1, (), content=np.float32(NAN).tobytes()))
        assert (summary.rank, summary.size, summary.shape) == (0, 1, ())
        assert summary.counts == (0, 0, 1, 0, 0, 0)

    @pytest.mark.parametrize("shape", [(0,), (3, 0, 2), (1 << 62, 0)])
    def test_a_tensor_without_elements_is_finite(self, shape: tuple[int, ...]) -> None:
        summary = summary_of(tensor_proto(1, shape))
        assert (summary.size, summary.counts, summary.bad) == (0, (0,) * 6, FINITE)

    @pytest.mark.parametrize("num_bytes", [3, 7, 8])
    def test_content_that_does_not_fit_the_shape_tells_nothing_of_values(
        self, num_bytes: int
    ) -> None:
        summary = summary_of(tensor_proto(1, (3,), content=b"\xff" * num_bytes))
        assert (summary.size, summary.counts, summary.bad) == (3, UNKNOWN_COUNTS, NOT_OBSERVED)

    def test_an_empty_proto_such_as_of_an_unsupported_dtype_tells_nothing(self) -> None:
        for mode in debug_modes.NAMES:
            assert summary_of(b"", mode) == NOTHING_KNOWN

    def test_fields_of_no_interest_are_passed_over(self) -> None:
        values = np.array([NAN, 1], dtype=np.float32)
        tensor = tensor_proto(1, (2,), content=values.tobytes())
        tensor = integer(3, 1) + text(99, "unknown") + tensor + message(15, b"variant")
        assert summary_of(tensor).counts == (0, 0, 1, 0, 0, 1)


class TestBombs:
    """Shapes claim what no file holds; reading them must cost nothing."""

    @pytest.mark.parametrize("dtype", [*FLOAT_DTYPES, 3, 10])
    def test_a_claim_of_10_to_the_18_elements_is_counted_without_memory(self, dtype: int) -> None:
        values = values_of(dtype)[-1:]
        tensor = tensor_proto(dtype, (10**9, 10**9), values=value_list(dtype, values))
        tracemalloc.start()
        try:
            summary = summary_of(tensor)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert summary.size == 10**18
        assert sum(summary.counts) == 10**18
        assert peak < 1 << 20

    @pytest.mark.parametrize(
        "dims",
        [(1 << 62, 2), (1 << 40, 1 << 40, 1 << 40), (-1,), (3, -(1 << 63)), ((1 << 63) - 1, 7)],
    )
    def test_an_element_count_beyond_any_tensor_is_unknown(self, dims: tuple[int, ...]) -> None:
        summary = summary_of(tensor_proto(1, dims))
        assert (summary.size, summary.rank, summary.shape) == (-1, len(dims), dims)
        assert (summary.counts, summary.bad) == (UNKNOWN_COUNTS, NOT_OBSERVED)

    def test_254_dimensions_are_the_most_that_tensorflow_knows(self) -> None:
        assert summary_of(tensor_proto(1, (1,) * 254)).rank == 254
        for num_dims in (255, 10_000):
            with pytest.raises(wire.WireError, match="dimensions"):
                summary_of(tensor_proto(1, (1,) * num_dims))

    def test_content_that_claims_more_bytes_than_there_are_is_refused(self) -> None:
        with pytest.raises(wire.WireError):
            summary_of(b"\x08\x01\x22\xff\xff\xff\xff\x7f\x00")


class TestSummaries:
    SEEN = Values(size=240, neg_inf=24, pos_inf=1, nan=2, negative=3, zero=4, shape=(24, 10))

    def test_curt_health_tells_only_whether_any_element_is_bad(self) -> None:
        mode = debug_modes.CURT_HEALTH
        bad = summary_of(float64_vector(self.SEEN.summary(mode, 7)), mode)
        assert bad == TensorSummary(bad=HAS_INF_NAN, tensor_id=7)
        good = summary_of(float64_vector(Values().summary(mode, -1)), mode)
        assert good == TensorSummary(bad=FINITE, tensor_id=-1)

    def test_concise_health_counts_the_bad_elements(self) -> None:
        mode = debug_modes.CONCISE_HEALTH
        summary = summary_of(float64_vector(self.SEEN.summary(mode, 7)), mode)
        counts = (24, 1, 2, -1, -1, -1)
        assert summary == TensorSummary(size=240, counts=counts, bad=HAS_INF_NAN, tensor_id=7)

    def test_full_health_counts_all_kinds_and_knows_dtype_and_rank(self) -> None:
        mode = debug_modes.FULL_HEALTH
        summary = summary_of(float64_vector(self.SEEN.summary(mode, 7)), mode)
        assert summary == TensorSummary(
            dtype=1,
            rank=2,
            size=240,
            counts=(24, 1, 2, 3, 4, 206),
            bad=HAS_INF_NAN,
            tensor_id=7,
        )

    def test_full_health_knows_the_shape_of_a_scalar(self) -> None:
        mode = debug_modes.FULL_HEALTH
        values = Values(zero=1, shape=())
        assert summary_of(float64_vector(values.summary(mode, 7)), mode).shape == ()

    @pytest.mark.parametrize(
        ("dims", "shape"),
        [
            ((), ()),
            ((5, 0), (5, 0)),
            ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)),
            ((9, 8, 1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)),
        ],
    )
    def test_shape_mode_records_the_last_six_dimensions(
        self, dims: tuple[int, ...], shape: tuple[int, ...]
    ) -> None:
        mode = debug_modes.SHAPE
        values = Values(size=7, dtype=3, shape=dims)
        summary = summary_of(float64_vector(values.summary(mode, 7)), mode)
        assert summary == TensorSummary(dtype=3, rank=len(dims), size=7, shape=shape, tensor_id=7)

    def test_no_tensor_mode_tells_nothing(self) -> None:
        tensor = Values(nan=1).tensor_proto(debug_modes.NO_TENSOR, 7)
        assert summary_of(tensor, debug_modes.NO_TENSOR) == NOTHING_KNOWN

    @pytest.mark.parametrize("mode", debug_modes.SUMMARY_LENGTHS)
    def test_a_vector_of_another_length_or_dtype_is_no_summary(self, mode: int) -> None:
        numbers = Values(nan=1).summary(mode, 7)
        for other in (numbers[:-1], [*numbers, 0.0], []):
            assert summary_of(float64_vector(other), mode) == NOTHING_KNOWN
        floats = np.array(numbers, dtype=np.float32)
        tensor = tensor_proto(1, floats.shape, content=floats.tobytes())
        assert summary_of(tensor, mode) == NOTHING_KNOWN

    def test_eleven_doubles_of_a_full_tensor_are_values_and_no_summary(self) -> None:
        tensor = float64_vector([7, -1, 1, 1, 240, 24, 0, 0, 0, 0, 216])
        summary = summary_of(tensor, debug_modes.FULL_TENSOR)
        assert (summary.dtype, summary.size, summary.counts) == (2, 11, (0, 0, 0, 1, 4, 6))

    @pytest.mark.parametrize("mode", debug_modes.SUMMARY_LENGTHS)
    def test_a_summary_may_be_listed_instead_of_raw(self, mode: int) -> None:
        numbers = np.array(self.SEEN.summary(mode, 7), dtype=np.float64)
        raw = float64_vector(numbers.tolist())
        for packed in (True, False):
            listed = value_list(2, numbers, packed=packed)
            tensor = tensor_proto(2, numbers.shape, values=listed)
            assert summary_of(tensor, mode) == summary_of(raw, mode)

    @pytest.mark.parametrize("number", [NAN, INF, -INF, -1.0, 0.5, 1e300])
    @pytest.mark.parametrize("mode", debug_modes.SUMMARY_LENGTHS)
    def test_a_count_that_is_no_count_is_unknown(self, mode: int, number: float) -> None:
        length = debug_modes.SUMMARY_LENGTHS[mode]
        summary = summary_of(float64_vector([number] * length), mode)
        assert (summary.size, summary.rank, summary.tensor_id) == (-1, -1, -1)
        assert set(summary.counts) == {-1}

    def test_counts_up_to_2_to_the_53_are_exact(self) -> None:
        mode = debug_modes.CONCISE_HEALTH
        summary = summary_of(float64_vector([1, 2**53, 2**53 - 1, 0, 0]), mode)
        assert (summary.size, summary.counts[0]) == (2**53, 2**53 - 1)

    def test_a_tensor_with_unknown_counts_is_not_called_finite(self) -> None:
        summary = summary_of(float64_vector([1, 5, 0, 0, NAN]), debug_modes.CONCISE_HEALTH)
        assert summary.bad == NOT_OBSERVED


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("num_elements", ["one", "all"])
@pytest.mark.parametrize("dtype", sorted({*FLOAT_DTYPES, *INTEGER_DTYPES} - {26, 27, 28}))
def test_tensors_are_read_as_tensorflow_s_python_writer_encodes_them(
    dtype: int, num_elements: str
) -> None:
    from tensorflow.python.framework import dtypes, tensor_util

    values = values_of(dtype)[: 1 if num_elements == "one" else None]
    plain = values.astype(dtypes.as_dtype(dtype).as_numpy_dtype)
    tensor = tensor_util.make_tensor_proto(plain, dtype=dtypes.as_dtype(dtype))
    summary = summary_of(tensor.SerializeToString())
    assert (summary.counts, summary.shape) == (counts_of(values), values.shape)


DIMS = st.lists(st.sampled_from([0, 1, 2, 3, 5, -1, 1 << 40, (1 << 62) + 1]), max_size=4)
VALUE_FIELDS = st.one_of(
    st.builds(message, st.integers(4, 18), st.binary(max_size=40)),
    st.builds(integer, st.integers(5, 18), st.integers(-(1 << 63), (1 << 63) - 1)),
    st.builds(
        lambda number, octets: tag(number, FIXED32) + octets,
        st.integers(5, 18),
        st.binary(min_size=4, max_size=4),
    ),
    st.builds(
        lambda number, octets: tag(number, FIXED64) + octets,
        st.integers(5, 18),
        st.binary(min_size=8, max_size=8),
    ),
)


@settings(deadline=None, max_examples=400)
@given(
    mode=st.integers(0, 9),
    dtype=st.integers(-1, 34) | st.sampled_from([101, 255, 256]),
    dims=DIMS,
    content=st.just(b"") | st.binary(max_size=100),
    values=st.lists(VALUE_FIELDS, max_size=4),
)
def test_any_tensor_is_summarised_within_the_columns_limits_or_refused(
    mode: int, dtype: int, dims: list[int], content: bytes, values: list[bytes]
) -> None:
    tensor = tensor_proto(dtype, dims, content=content, values=b"".join(values))
    try:
        summary = summary_of(tensor, mode)
    except wire.WireError:
        return
    assert 0 <= summary.dtype <= 255
    assert -1 <= summary.rank <= 254
    assert -1 <= summary.size <= 1 << 62
    assert summary.bad in (FINITE, HAS_INF_NAN, NOT_OBSERVED)
    assert all(type(count) is int and -1 <= count <= 1 << 62 for count in summary.counts)
    if mode == debug_modes.FULL_TENSOR and min(summary.counts) >= 0:
        assert sum(summary.counts) == summary.size
