#include "vocabulary.h"

namespace tbd {

bool IsUtf8(std::string_view bytes) {
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  const uint8_t* end = at + bytes.size();
  while (at < end) {
    const uint8_t lead = *at++;
    if (lead < 0x80) continue;
    int more;
    uint32_t least, code;
    if (lead >= 0xc2 && lead <= 0xdf) {
      more = 1, least = 0x80, code = lead & 0x1f;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2, least = 0x800, code = lead & 0x0f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3, least = 0x10000, code = lead & 0x07;
    } else {
      return false;
    }
    if (end - at < more) return false;
    while (more--) {
      if ((*at & 0xc0) != 0x80) return false;
      code = code << 6 | (*at++ & 0x3f);
    }
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}

}  // namespace tbd
