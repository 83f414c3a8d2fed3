// Two ways to the same number: the SSE4.2 instruction, three at a time, and tables for the rest of the world.
//
// The instruction has a latency of three cycles and a throughput of one, so three stretches of the data advance side by
// side; their registers are joined by the linear map "append n zero bytes", kept in tables for the one n in use.
#include "crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define TBD_HAS_CRC_INSTRUCTION 1
#include <nmmintrin.h>
#endif

namespace tbd {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78u;

using Table = std::array<uint32_t, 256>;

// kTables[k][b]: the register after byte b and k zero bytes.
struct SlicingTables {
  std::array<Table, 8> tables;
  SlicingTables() {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t crc = byte;
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? kPolynomial : 0);
      tables[0][byte] = crc;
    }
    for (size_t k = 1; k < 8; ++k) {
      for (uint32_t byte = 0; byte < 256; ++byte) {
        const uint32_t before = tables[k - 1][byte];
        tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
      }
    }
  }
};

const SlicingTables& Tables() {
  static const SlicingTables tables;
  return tables;
}

uint32_t ByTables(uint32_t crc, const uint8_t* data, size_t size) {
  const auto& t = Tables().tables;
  while (size >= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    word ^= crc;
    crc = t[7][word & 0xff] ^ t[6][(word >> 8) & 0xff] ^ t[5][(word >> 16) & 0xff] ^
          t[4][(word >> 24) & 0xff] ^ t[3][(word >> 32) & 0xff] ^ t[2][(word >> 40) & 0xff] ^
          t[1][(word >> 48) & 0xff] ^ t[0][word >> 56];
    data += 8;
    size -= 8;
  }
  while (size--) crc = (crc >> 8) ^ t[0][(crc ^ *data++) & 0xff];
  return crc;
}

#ifdef TBD_HAS_CRC_INSTRUCTION

// Advances a register by a fixed number of zero bytes.
struct ZeroShift {
  std::array<Table, 4> tables;
  explicit ZeroShift(size_t num_bytes) {
    std::array<uint32_t, 32> basis;
    for (int bit = 0; bit < 32; ++bit) {
      uint32_t crc = 1u << bit;
      for (size_t i = 0; i < num_bytes; ++i) crc = (crc >> 8) ^ Tables().tables[0][crc & 0xff];
      basis[bit] = crc;
    }
    for (int place = 0; place < 4; ++place) {
      for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t crc = 0;
        for (int bit = 0; bit < 8; ++bit) {
          if (byte >> bit & 1) crc ^= basis[place * 8 + bit];
        }
        tables[place][byte] = crc;
      }
    }
  }
  uint32_t operator()(uint32_t crc) const {
    return tables[0][crc & 0xff] ^ tables[1][(crc >> 8) & 0xff] ^ tables[2][(crc >> 16) & 0xff] ^
           tables[3][crc >> 24];
  }
};

inline uint64_t Load(const uint8_t* data) {
  uint64_t word;
  std::memcpy(&word, data, 8);
  return word;
}

// Three stretches of kStretch bytes at a time.
template <size_t kStretch>
__attribute__((target("sse4.2"))) void Interleaved(uint64_t& crc, const uint8_t*& data, size_t& size) {
  static const ZeroShift shift(kStretch);
  while (size >= 3 * kStretch) {
    uint64_t a = crc, b = 0, c = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < kStretch; i += 8) {
      a = _mm_crc32_u64(a, Load(data + i));
      b = _mm_crc32_u64(b, Load(data + kStretch + i));
      c = _mm_crc32_u64(c, Load(data + 2 * kStretch + i));
    }
    crc = shift(shift(static_cast<uint32_t>(a)) ^ static_cast<uint32_t>(b)) ^ c;
    data += 3 * kStretch;
    size -= 3 * kStretch;
  }
}

__attribute__((target("sse4.2"))) uint32_t ByInstruction(uint32_t start, const uint8_t* data, size_t size) {
  uint64_t crc = start;
  Interleaved<4096>(crc, data, size);
  Interleaved<512>(crc, data, size);
  Interleaved<192>(crc, data, size);
  Interleaved<64>(crc, data, size);
  while (size >= 8) {
    crc = _mm_crc32_u64(crc, Load(data));
    data += 8;
    size -= 8;
  }
  uint32_t rest = static_cast<uint32_t>(crc);
  if (size & 4) {
    uint32_t word;
    std::memcpy(&word, data, 4);
    rest = _mm_crc32_u32(rest, word);
    data += 4;
  }
  if (size & 2) {
    uint16_t word;
    std::memcpy(&word, data, 2);
    rest = _mm_crc32_u16(rest, word);
    data += 2;
  }
  return size & 1 ? _mm_crc32_u8(rest, *data) : rest;
}

#endif

using Extend = uint32_t (*)(uint32_t, const uint8_t*, size_t);

Extend Best() {
#ifdef TBD_HAS_CRC_INSTRUCTION
  if (__builtin_cpu_supports("sse4.2")) return ByInstruction;
#endif
  return ByTables;
}

}  // namespace

uint32_t Crc32c(const uint8_t* data, size_t size) {
  static const Extend extend = Best();
  return ~extend(~0u, data, size);
}

}  // namespace tbd
