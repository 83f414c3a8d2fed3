// TFRecord framing; events/framing.py is the readable twin, whose answers these are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tbd {

constexpr size_t kHeaderBytes = 12;
constexpr size_t kFooterBytes = 4;
constexpr size_t kFrameBytes = kHeaderBytes + kFooterBytes;
constexpr uint64_t kMaxPayloadBytes = uint64_t{1} << 31;

// Of kLongName nothing but the middle of the name is lost.
enum class LossKind : uint8_t { kBadLength, kBadPayload, kUndecodable, kTooLarge, kTooManyNames, kLongName };

// Bytes of a file that yield no row, or not all that they hold.
struct Loss {
  LossKind kind;
  int64_t offset;
  int64_t num_bytes;
};

// Finds the records of a buffer, one at a time, checking every CRC.
class RecordReader {
 public:
  // `resyncing`: the buffer begins behind damage, not at a record. Losses go to `losses`, at offsets from `base` on.
  RecordReader(const uint8_t* data, size_t size, bool resyncing, int64_t base, std::vector<Loss>& losses);

  // The next intact record's payload; false at the end of what can be read now.
  bool Next(const uint8_t*& payload, size_t& length, int64_t& frame_offset);

  // Where the next buffer has to begin.
  size_t consumed() const { return at_; }
  bool resyncing() const { return resyncing_; }

 private:
  bool FindHeader(size_t begin, size_t& found) const;
  void Resync(size_t damage_begin, size_t search_begin);

  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
  bool resyncing_ = false;
  int64_t base_;
  std::vector<Loss>& losses_;
};

}  // namespace tbd
