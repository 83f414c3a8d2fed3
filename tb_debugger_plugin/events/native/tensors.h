// TensorProto -> what is known of the tensor's values; events/tensors.py is the readable twin.
//
// Nothing is allocated that a shape merely claims.
#pragma once

#include <cstdint>
#include <vector>

#include "wire.h"

namespace tbd {

constexpr int8_t kFinite = 0, kHasInfNan = 1, kNotObserved = -1;
constexpr int64_t kCountUnknown = -1;
constexpr int32_t kCountInRecord = -2;
constexpr size_t kMaxSummary = 11;  // Numbers in FULL_HEALTH's summary, the longest.

enum Class { kNegInf, kPosInf, kNan, kNegative, kZero, kPositive, kNumClasses };

struct Counts {
  int64_t of[kNumClasses];
};

// One row of events.batches.TensorValues.
struct TensorSummary {
  uint8_t dtype = 0;
  int16_t rank = -1;
  int64_t size = -1;
  bool has_shape = false;  // The shape is in TensorReader::shape().
  int32_t counts[kNumClasses] = {-1, -1, -1, -1, -1, -1};  // kCountInRecord where one is too large.
  int8_t bad = kNotObserved;
  int64_t tensor_id = -1;
};

// Reads TensorProtos one after another; owns the memory that they share.
class TensorReader {
 public:
  // Tells in `summary`, made anew, what is known. False if the bytes are not a TensorProto.
  bool Read(Span message, uint64_t mode, TensorSummary& summary);

  // The dimensions of the summary just read, if it has any.
  const std::vector<int64_t>& shape() const { return shape_; }

 private:
  bool Parse(Span message);
  bool ParseDims(Span message);
  bool SummaryNumbers(double* numbers, size_t& num_numbers);
  bool FullTensor(TensorSummary& summary);
  bool CountElements(int64_t size, Counts& counts);
  bool CountListed(int64_t size, Counts& counts);
  bool ListedBytes(size_t width, uint32_t fixed_type, std::vector<uint8_t>& bytes) const;

  int32_t dtype_ = 0;
  std::vector<int64_t> dims_;
  Span content_;
  Span message_;  // For its *_val fields, of which there may be millions.
  std::vector<int64_t> shape_;
  std::vector<uint8_t> bytes_;
};

}  // namespace tbd
