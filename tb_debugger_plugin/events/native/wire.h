// The protocol-buffer wire format, read where it lies; events/wire.py is the readable twin.
//
// Every function checks against the end of the message and says false, never reading past it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__GNUC__)
#define TBD_INLINE inline __attribute__((always_inline))
#define TBD_APART __attribute__((noinline))
#else
#define TBD_INLINE inline
#define TBD_APART
#endif

namespace tbd {

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

// A piece of a message.
struct Span {
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  size_t size() const { return static_cast<size_t>(end - begin); }
  bool empty() const { return begin == end; }
  std::string_view text() const { return {reinterpret_cast<const char*>(begin), size()}; }
};

// One field. `value` is the number of a numeric field (fixed ones as unsigned bits), or how many bytes a length-delimited
// one has from `begin` on.
struct Field {
  uint64_t number = 0;
  uint32_t wire_type = 0;
  uint64_t value = 0;
  const uint8_t* begin = nullptr;
  bool is_span() const { return wire_type == kLengthDelimited; }
  Span span() const { return {begin, begin + value}; }  // If it is one.
  bool is_varint() const { return wire_type == kVarint; }
};

// A number and where it ends; nowhere if it does not.
struct Varint {
  uint64_t value;
  const uint8_t* end;
};

TBD_APART inline Varint ReadLongVarint(const uint8_t* at, const uint8_t* end) {
  uint64_t result = 0;
  for (int shift = 0; shift <= 63; shift += 7) {
    if (at >= end) break;
    const uint64_t byte = *at++;
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) return {result, at};
  }
  return {0, nullptr};
}

TBD_INLINE bool ReadVarint(const uint8_t*& at, const uint8_t* end, uint64_t& value) {
  if (at < end && *at < 0x80) {
    value = *at++;
    return true;
  }
  if (end - at >= 2 && at[1] < 0x80) {
    value = (at[0] & 0x7f) | uint64_t{at[1]} << 7;
    at += 2;
    return true;
  }
  // By value: what has an address is kept in memory, by whoever calls this.
  const Varint read = ReadLongVarint(at, end);
  if (!read.end) return false;
  value = read.value;
  at = read.end;
  return true;
}

template <typename T>
inline T LoadLittleEndian(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "big-endian machines use the reference decoder"
#endif
  return value;
}

// Walks the fields of a message:  Fields fields(span); Field f; while (fields.Next(f)) ...; if (!fields.ok()) ...
class Fields {
 public:
  explicit Fields(Span message) : at_(message.begin), end_(message.end) {}

  // Kept within the loop that calls it: a record has a dozen fields, nearly all with a tag and a length of one byte.
  TBD_INLINE bool Next(Field& field) {
    if (at_ >= end_) return false;
    uint64_t tag;
    if (!ReadVarint(at_, end_, tag)) return Fail();
    field.number = tag >> 3;
    field.wire_type = tag & 7;
    if (field.number == 0) return Fail();
    if (field.wire_type == kLengthDelimited) {
      uint64_t length;
      if (!ReadVarint(at_, end_, length) || length > static_cast<uint64_t>(end_ - at_)) return Fail();
      field.value = length;
      field.begin = at_;
      at_ += length;
      return true;
    }
    return field.wire_type == kVarint ? ReadVarint(at_, end_, field.value) || Fail() : NextFixed(field);
  }

  bool ok() const { return ok_; }

 private:
  TBD_INLINE bool NextFixed(Field& field) {
    if (field.wire_type == kFixed64 && end_ - at_ >= 8) {
      field.value = LoadLittleEndian<uint64_t>(at_);
      at_ += 8;
      return true;
    }
    if (field.wire_type == kFixed32 && end_ - at_ >= 4) {
      field.value = LoadLittleEndian<uint32_t>(at_);
      at_ += 4;
      return true;
    }
    return Fail();
  }

  bool Fail() {
    ok_ = false;
    at_ = end_;
    return false;
  }

  const uint8_t* at_;
  const uint8_t* end_;
  bool ok_ = true;
};

// Calls `add` for each element of one occurrence of a repeated varint field, packed or not.
template <typename Add>
TBD_INLINE bool EachVarint(const Field& field, Add add) {
  if (field.is_varint()) {
    add(field.value);
    return true;
  }
  if (!field.is_span()) return false;
  const uint8_t* at = field.begin;
  const uint8_t* const end = at + field.value;
  while (at < end) {
    uint64_t value;
    if (!ReadVarint(at, end, value)) return false;
    add(value);
  }
  return true;
}

}  // namespace tbd
