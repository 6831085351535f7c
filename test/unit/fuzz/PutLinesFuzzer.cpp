// PutLinesFuzzer.cpp: whatever bytes arrive as a Put, the decoder stays inside of them.
#include "protocol/engine/BlockMessages.h"
#include <cstdlib>

using namespace ompdsm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  fabric::Bytes body(reinterpret_cast<const std::byte *>(data), size);
  WireReader reader(body);
  PutLines lines;
  if (!readPutLines(reader, lines))
    return 0;
  alignas(64) std::byte line[kLineBytes] = {};
  for (const PutLine &put : lines) {
    std::size_t used = 0; // of packed bytes; all are read
    for (std::uint32_t i = 0; put.packed && i < put.lines; ++i)
      used += unpackMasked(line, put.packed + used, put.mask);
    const bool inside =
        put.packed >= body.data() && put.packed + used <= body.data() + body.size();
    if (put.line % kLineBytes || !(inside || (put.whole && !put.packed)))
      std::abort();
  }
  return 0;
}
