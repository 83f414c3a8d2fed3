#include "framing.h"

#include <algorithm>

#include "crc32c.h"
#include "wire.h"

namespace tbd {

RecordReader::RecordReader(const uint8_t* data, size_t size, bool resyncing, int64_t base,
                           std::vector<Loss>& losses)
    : data_(data), size_(size), base_(base), losses_(losses) {
  if (resyncing) Resync(0, 0);
}

bool RecordReader::Next(const uint8_t*& payload, size_t& length, int64_t& frame_offset) {
  while (!resyncing_ && size_ - at_ >= kHeaderBytes) {
    const uint8_t* header = data_ + at_;
    const uint64_t size = LoadLittleEndian<uint64_t>(header);
    if (LoadLittleEndian<uint32_t>(header + 8) != MaskedCrc32c(header, 8) || size > kMaxPayloadBytes) {
      Resync(at_, at_ + 1);
      continue;
    }
    const size_t rest = size_ - at_;
    if (rest < kFrameBytes || size > rest - kFrameBytes) return false;
    payload = header + kHeaderBytes;
    length = static_cast<size_t>(size);
    frame_offset = base_ + static_cast<int64_t>(at_);
    at_ += kFrameBytes + length;
    if (LoadLittleEndian<uint32_t>(payload + length) == MaskedCrc32c(payload, length)) return true;
    losses_.push_back({LossKind::kBadPayload, frame_offset, static_cast<int64_t>(length + kFrameBytes)});
  }
  return false;
}

bool RecordReader::FindHeader(size_t begin, size_t& found) const {
  for (size_t at = begin; at + kHeaderBytes <= size_; ++at) {
    const uint8_t* header = data_ + at;
    // The length is the cheaper test, and almost no garbage passes it.
    if (LoadLittleEndian<uint64_t>(header) > kMaxPayloadBytes) continue;
    if (LoadLittleEndian<uint32_t>(header + 8) == MaskedCrc32c(header, 8)) {
      found = at;
      return true;
    }
  }
  return false;
}

void RecordReader::Resync(size_t damage_begin, size_t search_begin) {
  size_t next = 0;
  resyncing_ = !FindHeader(search_begin, next);
  if (resyncing_) {
    // Behind the offsets at which a whole header was looked for in vain.
    next = std::max(search_begin, size_ >= kHeaderBytes - 1 ? size_ - kHeaderBytes + 1 : 0);
  }
  if (next > damage_begin) {
    losses_.push_back({LossKind::kBadLength, base_ + static_cast<int64_t>(damage_begin),
                       static_cast<int64_t>(next - damage_begin)});
  }
  at_ = next;
}

}  // namespace tbd
