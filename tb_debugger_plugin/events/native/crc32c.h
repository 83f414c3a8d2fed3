// CRC32C (Castagnoli), as TFRecord stores it: masked by rotate_right(crc, 15) + 0xa282ead8.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tbd {

// The CRC32C of `size` bytes. Uses the processor's CRC instruction where there is one.
uint32_t Crc32c(const uint8_t* data, size_t size);

inline uint32_t Mask(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

inline uint32_t MaskedCrc32c(const uint8_t* data, size_t size) { return Mask(Crc32c(data, size)); }

}  // namespace tbd
