#include "tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tbd {
namespace {

constexpr size_t kMaxDims = 254;
constexpr Counts kUnknownCounts = {{-1, -1, -1, -1, -1, -1}};
constexpr int64_t kMaxSize = int64_t{1} << 62;
constexpr double kMaxExact = 9007199254740992.0;  // 2^53

// TensorDebugMode.
enum Mode : uint64_t { kCurtHealth = 2, kConciseHealth = 3, kFullHealth = 4, kShape = 5, kFullTensor = 7 };

// DataType.
enum DataType {
  kFloat32 = 1, kFloat64, kInt32, kUint8, kInt16, kInt8, kString, kComplex64, kInt64, kBool,
  kQint8, kQuint8, kQint32, kBfloat16, kQint16, kQuint16, kUint16, kComplex128, kFloat16,
  kResource, kVariant, kUint32, kUint64, kFloat8E5m2, kFloat8E4m3fn, kFloat8E4m3fnuz,
  kFloat8E4m3b11fnuz, kFloat8E5m2fnuz, kLastKnown = 33
};

// The TensorProto field that lists a dtype's values; 0 where it is not counted.
int ValueField(int32_t dtype) {
  switch (dtype) {
    case kFloat32: return 5;
    case kFloat64: return 6;
    case kInt32: case kUint8: case kInt16: case kInt8: case kQint8: case kQuint8: case kQint32:
    case kQint16: case kQuint16: case kUint16: return 7;
    case kComplex64: return 9;
    case kInt64: return 10;
    case kBool: return 11;
    case kComplex128: return 12;
    case kBfloat16: case kFloat16: return 13;
    case kUint32: return 16;
    case kUint64: return 17;
    case kFloat8E5m2: case kFloat8E4m3fn: case kFloat8E4m3fnuz: case kFloat8E4m3b11fnuz:
    case kFloat8E5m2fnuz: return 18;
    default: return 0;
  }
}

bool IsFloat8(int32_t dtype) { return dtype >= kFloat8E5m2 && dtype <= kFloat8E5m2fnuz; }

bool CanBeBad(int32_t dtype) {
  return dtype == kFloat32 || dtype == kFloat64 || dtype == kComplex64 || dtype == kComplex128 ||
         dtype == kBfloat16 || dtype == kFloat16 || IsFloat8(dtype);
}

template <typename Float>
Class ClassOfFloat(Float value) {
  if (std::isnan(value)) return kNan;
  if (std::isinf(value)) return value < 0 ? kNegInf : kPosInf;
  return value < 0 ? kNegative : value > 0 ? kPositive : kZero;
}

// Sign, exponent and mantissa of a 16-bit float.
Class ClassOfBits16(uint16_t bits, uint16_t exponent_mask) {
  const bool negative = bits & 0x8000;
  const uint16_t magnitude = bits & 0x7fff;
  if (magnitude > exponent_mask) return kNan;
  if (magnitude == exponent_mask) return negative ? kNegInf : kPosInf;
  if (magnitude == 0) return kZero;
  return negative ? kNegative : kPositive;
}

Class ClassOfFloat8(int32_t dtype, uint8_t bits) {
  const bool negative = bits >= 0x80;
  const uint8_t magnitude = bits & 0x7f;
  if (dtype == kFloat8E5m2) {
    if (magnitude > 0x7c) return kNan;
    if (magnitude == 0x7c) return negative ? kNegInf : kPosInf;
  } else if (dtype == kFloat8E4m3fn ? magnitude == 0x7f : bits == 0x80) {
    return kNan;
  }
  if (magnitude == 0) return kZero;
  return negative ? kNegative : kPositive;
}

template <typename Integer>
Class ClassOfInteger(Integer value) {
  return value < 0 ? kNegative : value > 0 ? kPositive : kZero;
}

// NaN if a part is; else infinite by the sign of the infinite part. Finite ones have no order: only zero is told.
template <typename Float>
Class ClassOfComplex(Float real, Float imaginary) {
  if (std::isnan(real) || std::isnan(imaginary)) return kNan;
  const bool real_inf = std::isinf(real), imaginary_inf = std::isinf(imaginary);
  if ((real_inf && real > 0) || (imaginary_inf && imaginary > 0)) return kPosInf;
  if (real_inf || imaginary_inf) return kNegInf;
  return real == 0 && imaginary == 0 ? kZero : kPositive;
}

// Calls `add(class)` for each element of raw little-endian values; false if the bytes are no whole elements.
template <typename T, typename ClassOf>
bool EachElement(Span bytes, ClassOf class_of, Counts& counts, Class& last) {
  if (bytes.size() % sizeof(T)) return false;
  int64_t of[kNumClasses] = {};
  for (const uint8_t* at = bytes.begin; at < bytes.end; at += sizeof(T)) {
    last = class_of(LoadLittleEndian<T>(at));
    ++of[last];
  }
  std::memcpy(counts.of, of, sizeof(of));
  return true;
}

template <typename Float>
struct Complex {
  Float real, imaginary;
};

// Counts raw elements of a dtype, and tells the last one's class.
bool CountRaw(int32_t dtype, Span bytes, Counts& counts, Class& last) {
  switch (dtype) {
    case kFloat32: return EachElement<float>(bytes, ClassOfFloat<float>, counts, last);
    case kFloat64: return EachElement<double>(bytes, ClassOfFloat<double>, counts, last);
    case kInt32: case kQint32: return EachElement<int32_t>(bytes, ClassOfInteger<int32_t>, counts, last);
    case kUint8: case kQuint8: case kBool:
      return EachElement<uint8_t>(bytes, ClassOfInteger<uint8_t>, counts, last);
    case kInt16: case kQint16: return EachElement<int16_t>(bytes, ClassOfInteger<int16_t>, counts, last);
    case kInt8: case kQint8: return EachElement<int8_t>(bytes, ClassOfInteger<int8_t>, counts, last);
    case kInt64: return EachElement<int64_t>(bytes, ClassOfInteger<int64_t>, counts, last);
    case kUint16: case kQuint16: return EachElement<uint16_t>(bytes, ClassOfInteger<uint16_t>, counts, last);
    case kUint32: return EachElement<uint32_t>(bytes, ClassOfInteger<uint32_t>, counts, last);
    case kUint64: return EachElement<uint64_t>(bytes, ClassOfInteger<uint64_t>, counts, last);
    case kBfloat16:
      return EachElement<uint16_t>(bytes, [](uint16_t b) { return ClassOfBits16(b, 0x7f80); }, counts, last);
    case kFloat16:
      return EachElement<uint16_t>(bytes, [](uint16_t b) { return ClassOfBits16(b, 0x7c00); }, counts, last);
    case kComplex64:
      return EachElement<Complex<float>>(
          bytes, [](Complex<float> c) { return ClassOfComplex(c.real, c.imaginary); }, counts, last);
    case kComplex128:
      return EachElement<Complex<double>>(
          bytes, [](Complex<double> c) { return ClassOfComplex(c.real, c.imaginary); }, counts, last);
    default:
      if (!IsFloat8(dtype)) return false;
      return EachElement<uint8_t>(bytes, [dtype](uint8_t b) { return ClassOfFloat8(dtype, b); }, counts, last);
  }
}

size_t ElementBytes(int32_t dtype) {
  switch (dtype) {
    case kFloat32: case kInt32: case kQint32: case kUint32: return 4;
    case kFloat64: case kInt64: case kUint64: case kComplex64: return 8;
    case kInt16: case kQint16: case kUint16: case kQuint16: case kBfloat16: case kFloat16: return 2;
    case kComplex128: return 16;
    default: return 1;
  }
}

void ForgetOrder(int32_t dtype, Counts& counts) {
  if (dtype == kComplex64 || dtype == kComplex128) {
    counts.of[kNegative] = counts.of[kPositive] = kCountUnknown;
  }
}

// The number if it is whole and not negative, else -1.
int64_t Integer(double number) {
  if (!(number >= 0 && number <= kMaxExact)) return -1;
  const int64_t whole = static_cast<int64_t>(number);
  return static_cast<double>(whole) == number ? whole : -1;
}

uint8_t Byte(int64_t value) { return value >= 0 && value <= 255 ? static_cast<uint8_t>(value) : 0; }

int16_t Rank(int64_t value) { return value <= static_cast<int64_t>(kMaxDims) ? static_cast<int16_t>(value) : -1; }

int8_t Badness(const Counts& counts) {
  bool all_zero = true;
  for (int kind = kNegInf; kind <= kNan; ++kind) {
    if (counts.of[kind] > 0) return kHasInfNan;
    all_zero = all_zero && counts.of[kind] == 0;
  }
  return all_zero ? kFinite : kNotObserved;
}

void SetCounts(const Counts& counts, TensorSummary& summary) {
  for (int kind = 0; kind < kNumClasses; ++kind) {
    const int64_t count = counts.of[kind];
    summary.counts[kind] = count < int64_t{1} << 31 ? static_cast<int32_t>(count) : kCountInRecord;
  }
  summary.bad = Badness(counts);
}

size_t SummaryLength(uint64_t mode) {
  switch (mode) {
    case kCurtHealth: return 2;
    case kConciseHealth: return 5;
    case kFullHealth: return 11;
    case kShape: return 10;
    default: return 0;
  }
}

constexpr size_t kSummaryHeaderBytes = 10;

// Doubles at any address.
struct Doubles {
  const uint8_t* at;
  double operator[](size_t i) const { return LoadLittleEndian<double>(at + i * 8); }
};

// Of FULL_HEALTH, whose summary has no dimensions: the shape is known of a scalar only.
void SetDtypeAndRank(int64_t dtype, int64_t rank, TensorSummary& summary) {
  summary.dtype = Byte(dtype);
  summary.rank = Rank(rank);
  summary.has_shape = rank == 0;
}

#ifdef __SSE2__

// FULL_HEALTH's numbers two at a time, where all are whole and below 2^31: nearly always. False, and nothing is told, else.
bool ReadSmallFullHealth(const Doubles& n, TensorSummary& summary) {
  const __m128d zero = _mm_setzero_pd();
  __m128d fit = _mm_cmpeq_pd(zero, zero);
  const auto two = [&](size_t first) {
    const __m128d numbers = _mm_loadu_pd(reinterpret_cast<const double*>(n.at) + first);
    const __m128i whole = _mm_cvttpd_epi32(numbers);
    fit = _mm_and_pd(fit, _mm_and_pd(_mm_cmpge_pd(numbers, zero), _mm_cmpeq_pd(_mm_cvtepi32_pd(whole), numbers)));
    return static_cast<uint64_t>(_mm_cvtsi128_si64(whole));
  };
  const uint64_t dtype_rank = two(2), rank_size = two(3), infinities = two(5), nan_negative = two(7), rest = two(9);
  if (_mm_movemask_pd(fit) != 3) return false;
  SetDtypeAndRank(static_cast<int64_t>(dtype_rank & 0xffffffff), static_cast<int64_t>(dtype_rank >> 32), summary);
  summary.size = static_cast<int64_t>(rank_size >> 32);
  std::memcpy(summary.counts, &infinities, 8);
  std::memcpy(summary.counts + 2, &nan_negative, 8);
  std::memcpy(summary.counts + 4, &rest, 8);
  summary.bad = infinities || nan_negative & 0xffffffff ? kHasInfNan : kFinite;
  return true;
}

#else

bool ReadSmallFullHealth(const Doubles&, TensorSummary&) { return false; }

#endif

// Whether the message is a vector of doubles as TensorFlow writes nearly every summary: dtype, shape, content.
bool IsUsualSummary(Span message, size_t length) {
  if (message.size() != kSummaryHeaderBytes + length * 8) return false;
  // 08 kFloat64, 12 04 12 02 08 length, 22 length * 8: as numbers, for an array of them would be stored to be loaded.
  return LoadLittleEndian<uint64_t>(message.begin) == (0x08021204120008 | uint64_t{kFloat64} << 8 | length << 56) &&
         LoadLittleEndian<uint16_t>(message.begin + 8) == (0x22 | length << 11);
}

// -1 if a dimension is negative, or the count beyond any real tensor's.
int64_t ElementCount(const std::vector<int64_t>& shape) {
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0) return -1;
    empty = empty || dim == 0;
  }
  if (empty) return 0;
  __int128 size = 1;
  for (int64_t dim : shape) {
    size *= dim;
    if (size > kMaxSize) return -1;
  }
  return static_cast<int64_t>(size);
}

}  // namespace

bool TensorReader::Read(Span message, uint64_t mode, TensorSummary& summary) {
  const size_t length = SummaryLength(mode);
  double listed[kMaxSummary];
  Doubles n{reinterpret_cast<const uint8_t*>(listed)};
  if (length && IsUsualSummary(message, length)) {
    // Read where they lie: a copy of so few bytes costs as much as what is done with them.
    n.at = message.begin + kSummaryHeaderBytes;
  } else {
    if (!Parse(message)) return false;
    if (length == 0) return mode == kFullTensor && dtype_ ? FullTensor(summary) : true;
    size_t num_numbers;
    if (!SummaryNumbers(listed, num_numbers)) return false;
    if (num_numbers != length) return true;
  }
  summary.tensor_id = Integer(n[0]);
  switch (mode) {
    case kCurtHealth:
      summary.bad = n[1] != 0 ? kHasInfNan : kFinite;
      break;
    case kConciseHealth:
      summary.size = Integer(n[1]);
      SetCounts({{Integer(n[2]), Integer(n[3]), Integer(n[4]), kCountUnknown, kCountUnknown, kCountUnknown}}, summary);
      break;
    case kFullHealth:
      shape_.clear();
      if (ReadSmallFullHealth(n, summary)) break;
      summary.size = Integer(n[4]);
      SetCounts({{Integer(n[5]), Integer(n[6]), Integer(n[7]), Integer(n[8]), Integer(n[9]), Integer(n[10])}}, summary);
      SetDtypeAndRank(Integer(n[2]), Integer(n[3]), summary);
      break;
    default:
      summary.dtype = Byte(Integer(n[1]));
      summary.rank = Rank(Integer(n[2]));
      summary.size = Integer(n[3]);
      summary.has_shape = summary.rank >= 0;
      shape_.clear();
      for (int dim = 0; dim < summary.rank && dim < 6; ++dim) shape_.push_back(Integer(n[4 + dim]));
  }
  return true;
}

bool TensorReader::Parse(Span message) {
  dtype_ = 0;
  dims_.clear();
  content_ = {};
  message_ = message;
  Fields fields(message);
  Field field;
  while (fields.Next(field)) {
    if (field.number == 1) {
      if (!field.is_varint()) return false;
      dtype_ = static_cast<int32_t>(static_cast<uint32_t>(field.value));
    } else if (field.number == 2) {
      if (!field.is_span() || !ParseDims(field.span())) return false;
    } else if (field.number == 4) {
      if (!field.is_span()) return false;
      content_ = field.span();
    }
  }
  return fields.ok();
}

bool TensorReader::ParseDims(Span message) {
  dims_.clear();
  Fields fields(message);
  Field field;
  while (fields.Next(field)) {
    if (field.number != 2) continue;
    if (!field.is_span()) return false;
    int64_t size = 0;
    Fields inner(field.span());
    Field entry;
    while (inner.Next(entry)) {
      if (entry.number != 1) continue;
      if (!entry.is_varint()) return false;
      size = static_cast<int64_t>(entry.value);
    }
    if (!inner.ok()) return false;
    dims_.push_back(size);
    if (dims_.size() > kMaxDims) return false;
  }
  return fields.ok();
}

bool TensorReader::SummaryNumbers(double* numbers, size_t& num_numbers) {
  num_numbers = 0;
  if (dtype_ != kFloat64) return true;
  Span bytes = content_;
  if (bytes.empty()) {
    if (!ListedBytes(8, kFixed64, bytes_)) return false;
    bytes = {bytes_.data(), bytes_.data() + std::min(bytes_.size() / 8, kMaxSummary) * 8};
  } else if (bytes.size() > kMaxSummary * 8 || bytes.size() % 8) {
    return true;
  }
  num_numbers = bytes.size() / 8;
  if (num_numbers) std::memcpy(numbers, bytes.begin, bytes.size());
  return true;
}

bool TensorReader::FullTensor(TensorSummary& summary) {
  shape_ = dims_;
  summary.has_shape = true;
  summary.rank = static_cast<int16_t>(dims_.size());
  summary.dtype = dtype_ > 0 && dtype_ <= 255 ? static_cast<uint8_t>(dtype_) : 0;
  const int64_t size = ElementCount(dims_);
  if (size < 0) return true;
  summary.size = size;
  Counts counts = kUnknownCounts;
  if (!CountElements(size, counts)) return false;
  SetCounts(counts, summary);
  const bool cannot_be_bad = summary.dtype >= 1 && summary.dtype <= kLastKnown && !CanBeBad(summary.dtype);
  if (cannot_be_bad) summary.bad = kFinite;
  return true;
}

bool TensorReader::CountElements(int64_t size, Counts& counts) {
  if (ValueField(dtype_) == 0) return true;
  if (size == 0) {
    counts = {};
    return true;
  }
  if (content_.empty()) return CountListed(size, counts);
  if (content_.size() != ElementBytes(dtype_) * static_cast<__uint128_t>(size)) return true;
  Class last;
  CountRaw(dtype_, content_, counts, last);
  ForgetOrder(dtype_, counts);
  return true;
}

// The last listed value stands for the elements that are not listed; with none listed all are zero.
bool TensorReader::CountListed(int64_t size, Counts& counts) {
  const uint64_t number = static_cast<uint64_t>(ValueField(dtype_));
  Counts listed = {};
  Class last = kZero;
  int64_t num_listed = 0;
  if (dtype_ == kFloat32 || dtype_ == kFloat64 || dtype_ == kComplex64 || dtype_ == kComplex128) {
    const bool narrow = dtype_ == kFloat32 || dtype_ == kComplex64;
    if (!ListedBytes(narrow ? 4 : 8, narrow ? kFixed32 : kFixed64, bytes_)) return false;
    const size_t width = ElementBytes(dtype_);
    num_listed = static_cast<int64_t>(std::min<uint64_t>(bytes_.size() / width, static_cast<uint64_t>(size)));
    CountRaw(dtype_, {bytes_.data(), bytes_.data() + num_listed * width}, listed, last);
  } else {
    Fields fields(message_);
    Field field;
    while (fields.Next(field)) {
      if (field.number != number) continue;
      const auto add = [&](Class kind) {
        if (num_listed >= size) return;
        ++num_listed;
        ++listed.of[last = kind];
      };
      if (IsFloat8(dtype_)) {
        if (!field.is_span()) return false;
        for (const uint8_t* at = field.span().begin; at < field.span().end; ++at) add(ClassOfFloat8(dtype_, *at));
        continue;
      }
      const bool read = EachVarint(field, [&](uint64_t value) {
        if (dtype_ == kBfloat16 || dtype_ == kFloat16) {
          add(ClassOfBits16(value & 0xffff, dtype_ == kBfloat16 ? 0x7f80 : 0x7c00));
        } else if (dtype_ == kUint32 || dtype_ == kUint64) {
          add(ClassOfInteger(value));
        } else {
          add(ClassOfInteger(static_cast<int64_t>(value)));
        }
      });
      if (!read) return false;
    }
  }
  listed.of[last] += size - num_listed;
  ForgetOrder(dtype_, listed);
  counts = listed;
  return true;
}

// The bytes of all occurrences of the dtype's field of floats, packed or not.
bool TensorReader::ListedBytes(size_t width, uint32_t fixed_type, std::vector<uint8_t>& bytes) const {
  const uint64_t number = static_cast<uint64_t>(ValueField(dtype_));
  bytes.clear();
  Fields fields(message_);
  Field field;
  while (fields.Next(field)) {
    if (field.number != number) continue;
    if (field.is_span()) {
      bytes.insert(bytes.end(), field.span().begin, field.span().end);
    } else if (field.wire_type == fixed_type) {
      const auto* value = reinterpret_cast<const uint8_t*>(&field.value);
      bytes.insert(bytes.end(), value, value + width);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace tbd
