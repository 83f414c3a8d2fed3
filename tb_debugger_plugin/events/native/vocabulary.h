// The distinct things that a file's records name, with ids in order of first appearance.
//
// Records repeat: the id is predicted from the one before, confirmed by comparing bytes, and hashed only on a miss.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limits.h"
#include "wire.h"

namespace tbd {

// A secret of the process: whoever knew it could name things that all have the same hash.
inline uint64_t HashSecret() {
  static const uint64_t secret = [] {
    std::random_device chance;
    return uint64_t{chance()} << 32 | chance();
  }();
  return secret;
}

inline uint64_t HashBytes(std::string_view bytes, uint64_t seed) {
  // wyhash's mixing step over eight bytes at a time: fast, and good enough for a table that is checked by comparison.
  uint64_t hash = HashSecret() ^ seed ^ (bytes.size() * 0x9e3779b97f4a7c15ull);
  const char* at = bytes.data();
  size_t size = bytes.size();
  while (size >= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    const __uint128_t product = static_cast<__uint128_t>(hash ^ word) * 0xa0761d6478bd642full;
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    at += 8;
    size -= 8;
  }
  uint64_t word = 0;
  if (size) std::memcpy(&word, at, size);  // An absent name has no address.
  const __uint128_t product = static_cast<__uint128_t>(hash ^ word ^ 0xe7037ed1a0b428dbull) * 0x8ebc6af09c88c6e3ull;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// What a file's distinct names may still take in memory. Once one does not fit, no other is added.
class Room {
 public:
  bool saw_long_name = false;  // For whoever looks at a record.

  void set(size_t num_bytes) { left_ = num_bytes; }

  bool Take(size_t num_bytes) {
    const size_t cost = 2 * num_bytes + kBesideAName;
    if (cost > left_) {
      left_ = 0;
      return false;
    }
    left_ -= cost;
    return true;
  }

 private:
  static constexpr size_t kBesideAName = 400;  // As limits.name_cost has it.

  size_t left_ = SIZE_MAX;
};

// The id of a name that there is no room for.
constexpr int32_t kNoRoom = -2;

// Distinct byte strings, each with a number beside it (0 where none is needed).
class Interner {
 public:
  explicit Interner(Room& room) : room_(room) {}

  int32_t Find(std::string_view bytes, int64_t beside = 0) {
    if (last_ >= 0 && Is(last_, bytes, beside)) return last_;
    // A training step names its ops in nearly the same order as the step before: after this name comes that one.
    // Two names are remembered, for steps take turns.
    if (last_ >= 0) {
      After& after = after_[last_];
      if (after.lately >= 0 && Is(after.lately, bytes, beside)) return last_ = after.lately;
      if (after.before >= 0 && Is(after.before, bytes, beside)) {
        std::swap(after.lately, after.before);
        return last_ = after.lately;
      }
    }
    const int32_t found = Lookup(bytes, beside);
    if (found >= 0) Follow(found);
    return found;
  }

  // Adds what `Find` did not know, or answers kNoRoom. The bytes are copied.
  int32_t Add(std::string_view bytes, int64_t beside = 0) {
    if (!room_.Take(bytes.size())) return kNoRoom;
    if ((names_.size() + 1) * 2 > slots_.size()) Grow();
    const int32_t id = static_cast<int32_t>(names_.size());
    names_.emplace_back(bytes);
    beside_.push_back(beside);
    hashes_.push_back(Hash(bytes, beside));
    after_.push_back({});
    Place(id);
    Follow(id);
    return id;
  }

  int32_t Intern(std::string_view bytes, int64_t beside = 0) {
    const int32_t found = Find(bytes, beside);
    return found >= 0 ? found : Add(bytes, beside);
  }

  size_t size() const { return names_.size(); }
  const std::string& name(size_t id) const { return names_[id]; }
  int64_t beside(size_t id) const { return beside_[id]; }

 private:
  // The names that came after one.
  struct After {
    int32_t lately = -1;
    int32_t before = -1;
  };

  void Follow(int32_t id) {
    if (last_ >= 0) after_[last_] = {id, after_[last_].lately};
    last_ = id;
  }

  static uint64_t Hash(std::string_view bytes, int64_t beside) {
    return HashBytes(bytes, static_cast<uint64_t>(beside) * 0x2545f4914f6cdd1dull);
  }

  bool Is(int32_t id, std::string_view bytes, int64_t beside) const {
    return beside_[id] == beside && names_[id] == bytes;
  }

  int32_t Lookup(std::string_view bytes, int64_t beside) const {
    if (slots_.empty()) return -1;
    const uint64_t hash = Hash(bytes, beside);
    for (size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      const int32_t id = slots_[slot];
      if (id < 0) return -1;
      if (hashes_[id] == hash && Is(id, bytes, beside)) return id;
    }
  }

  void Place(int32_t id) {
    size_t slot = hashes_[id] & (slots_.size() - 1);
    while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = id;
  }

  void Grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, -1);
    for (size_t id = 0; id < names_.size(); ++id) Place(static_cast<int32_t>(id));
  }

  Room& room_;
  std::vector<std::string> names_;
  std::vector<int64_t> beside_;
  std::vector<uint64_t> hashes_;
  std::vector<After> after_;
  std::vector<int32_t> slots_;
  int32_t last_ = -1;
};

// A name as texts.py has it kept: `clean` is the module's way to ask Python, which happens for unusual names only.
using CleanName = std::string (*)(std::string_view bytes);

// A name as it is kept; the room notes a long one.
std::string Kept(std::string_view bytes, CleanName clean, Room& room);

class TextInterner {
 public:
  TextInterner(CleanName clean, Room& room) : clean_(clean), room_(room), texts_(room) {}

  // Within whoever calls it: nearly every name was the next one before, too.
  TBD_INLINE int32_t Intern(std::string_view bytes, int64_t beside = 0) {
    const int32_t found = texts_.Find(bytes, beside);
    return found >= 0 ? found : AddNew(bytes, beside);
  }

  const Interner& texts() const { return texts_; }

 private:
  int32_t AddNew(std::string_view bytes, int64_t beside);

  CleanName clean_;
  Room& room_;
  Interner texts_;
};

struct Vocabulary {
  explicit Vocabulary(CleanName clean)
      : strings(clean, room), graph_ids(clean, room), op_refs(clean, room), locations(room), shapes(room) {}
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  Room room;
  TextInterner strings;
  TextInterner graph_ids;
  TextInterner op_refs;  // Beside each name: the id of its graph.
  Interner locations;
  Interner shapes;  // int64 dimensions as bytes.
};

}  // namespace tbd
