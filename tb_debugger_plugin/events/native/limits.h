// How much a record may hold; events/limits.py tells why, and has the same numbers.
#pragma once

#include <cstddef>

namespace tbd {

constexpr size_t kMostNameBytes = 1024;
constexpr size_t kMostLocationBytes = size_t{1} << 18;
constexpr size_t kMostParts = size_t{1} << 16;

}  // namespace tbd
