// Two ways to the same number: the SSE4.2 instruction, three at a time, and tables for the rest of the world.
//
// The instruction has a latency of three cycles and a throughput of one, so three stretches of the data advance side by
// side. Their registers are joined by multiplication: appending n zero bytes multiplies by x^8n.
#include "crc32c.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define TBD_HAS_CRC_INSTRUCTION 1
#include <nmmintrin.h>
#include <wmmintrin.h>
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

inline uint64_t Load(const uint8_t* data) {
  uint64_t word;
  std::memcpy(&word, data, 8);
  return word;
}

__attribute__((target("sse4.2,pclmul"))) inline __m128i Product(uint64_t a, uint32_t b) {
  return _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<int64_t>(a)), _mm_cvtsi32_si128(static_cast<int>(b)), 0);
}

// Bytes below which one stretch takes no longer than three and their joining.
constexpr size_t kWorthJoining = 96;

// Words of eight bytes in the longest stretch.
constexpr size_t kLongestStretch = 512;

// multipliers[n] takes a register past n words that follow: x^(64 n - 33) mod the polynomial. The product without carries of
// the two, and one step of the instruction (x^32, and one x more as bits are reflected), are the register behind n zero words.
struct Multipliers {
  std::array<uint32_t, 2 * kLongestStretch + 1> past = {};
  Multipliers() {
    const uint8_t word[8] = {};
    past[1] = 1;  // x^31: the reflected register's last bit.
    for (size_t n = 2; n < past.size(); ++n) past[n] = ByTables(past[n - 1], word, sizeof(word));
  }
};

// Three stretches of the data at a time, each as long as the data allow.
__attribute__((target("sse4.2,pclmul"))) uint32_t ByInstruction(uint32_t start, const uint8_t* data, size_t size) {
  static const Multipliers multipliers;
  uint64_t crc = start;
  while (size >= kWorthJoining) {
    const size_t stretch = std::min(size / 24, kLongestStretch);
    const uint8_t* second = data + 8 * stretch;
    const uint8_t* third = second + 8 * stretch;
    uint64_t a = crc, b = 0, c = 0;
    for (size_t i = 0; i < 8 * stretch; i += 8) {
      a = _mm_crc32_u64(a, Load(data + i));
      b = _mm_crc32_u64(b, Load(second + i));
      c = _mm_crc32_u64(c, Load(third + i));
    }
    const __m128i before_c = _mm_xor_si128(Product(a, multipliers.past[2 * stretch]), Product(b, multipliers.past[stretch]));
    crc = _mm_crc32_u64(0, static_cast<uint64_t>(_mm_cvtsi128_si64(before_c))) ^ c;
    data += 24 * stretch;
    size -= 24 * stretch;
  }
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
  if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul")) return ByInstruction;
#endif
  return ByTables;
}

}  // namespace

uint32_t Crc32c(const uint8_t* data, size_t size) {
  static const Extend extend = Best();
  return ~extend(~0u, data, size);
}

}  // namespace tbd
