// A libFuzzer target: any bytes through every decoder, in pieces, with and without right checksums.
//
// The first byte chooses the decoder, the second how the bytes are used: as a file, or as payloads that are framed here with
// right checksums, so that the fuzzer gets behind them. tests/native/test_fuzzing.py builds and runs it.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "../../tb_debugger_plugin/events/native/crc32c.h"
#include "../../tb_debugger_plugin/events/native/decoders.h"

namespace {

std::string KeepAsItIs(std::string_view bytes) { return std::string(bytes); }

std::unique_ptr<tbd::Decoder> MakeDecoder(uint8_t choice) {
  switch (choice % 5) {
    case 0: return std::make_unique<tbd::ExecutionDecoder>(KeepAsItIs);
    case 1: return std::make_unique<tbd::TraceDecoder>(KeepAsItIs);
    case 2: return std::make_unique<tbd::GraphsDecoder>(KeepAsItIs);
    case 3: return std::make_unique<tbd::SourceFilesDecoder>(KeepAsItIs);
    default: return std::make_unique<tbd::StackFramesDecoder>(KeepAsItIs);
  }
}

template <typename T>
void Append(std::vector<uint8_t>& file, T value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  file.insert(file.end(), bytes, bytes + sizeof(value));
}

// Cuts the bytes at 0xfa 0xce into payloads, and frames each.
std::vector<uint8_t> Framed(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file;
  size_t begin = 0;
  for (size_t at = 0; at <= size; ++at) {
    if (at < size && !(at + 1 < size && data[at] == 0xfa && data[at + 1] == 0xce)) continue;
    const uint64_t length = at - begin;
    Append(file, length);
    Append(file, tbd::MaskedCrc32c(file.data() + file.size() - 8, 8));
    file.insert(file.end(), data + begin, data + at);
    Append(file, tbd::MaskedCrc32c(data + begin, length));
    begin = ++at + 1;
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const auto decoder = MakeDecoder(data[0]);
  const size_t pieces = 1 + data[1] % 3;
  const bool framed = data[1] & 0x80;
  std::vector<uint8_t> file = framed ? Framed(data + 2, size - 2) : std::vector<uint8_t>(data + 2, data + size);
  size_t offset = 0;
  for (size_t piece = 1; piece <= pieces; ++piece) {
    const size_t end = file.size() * piece / pieces;
    if (end < offset) continue;
    // A copy of the right size: a read beyond its end is seen.
    const std::vector<uint8_t> part(file.begin() + offset, file.begin() + end);
    const size_t consumed = decoder->Feed(part.data(), part.size());
    if (consumed > part.size()) std::abort();
    offset += consumed;
  }
  return 0;
}
