#include "vocabulary.h"

namespace tbd {
namespace {

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

// Characters that are written out: those of _STEERING in texts.py. The bytes are UTF-8.
bool Steers(std::string_view bytes) {
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  for (const uint8_t* end = at + bytes.size(); at < end; ++at) {
    if (*at < 0x20 || *at == 0x7f) return true;
    if (*at == 0xc2 && at[1] < 0xa0) return true;
    if (*at == 0xd8 && at[1] == 0x9c) return true;
    if (*at != 0xe2) continue;
    if (at[1] == 0x80 && (at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae))) return true;
    if (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9) return true;
  }
  return false;
}

bool IsPlain(std::string_view bytes) { return bytes.size() <= kMostNameBytes && IsUtf8(bytes) && !Steers(bytes); }

}  // namespace

std::string Kept(std::string_view bytes, CleanName clean, Room& room) {
  if (IsPlain(bytes)) return std::string(bytes);
  room.saw_long_name = room.saw_long_name || bytes.size() > kMostNameBytes;
  return clean(bytes);
}

// A name that is not kept as it stands in the file comes here each time.
int32_t TextInterner::AddNew(std::string_view bytes, int64_t beside) {
  return IsPlain(bytes) ? texts_.Add(bytes, beside) : texts_.Intern(Kept(bytes, clean_, room_), beside);
}

}  // namespace tbd
