// RunsFuzzer.cpp: whatever bytes arrive as Get, Invalidate or Data, the decoder stays inside of
// them and gives only runs that the engine can walk.
#include "protocol/engine/BlockMessages.h"
#include "protocol/engine/StateTable.h"
#include <cstdlib>

using namespace ompdsm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size == 0)
    return 0;
  const bool withContents = data[0] & 1;
  fabric::Bytes body(reinterpret_cast<const std::byte *>(data) + 1, size - 1);
  WireReader reader(body);
  unsigned sum = 0;
  while (!reader.atEnd()) {
    WireRun run;
    DataRun data;
    if (!(withContents ? readDataRun(reader, data) : readRun(reader, run)))
      return 0;
    if (withContents)
      run = {data.begin, static_cast<std::uint32_t>(data.bytes)};
    if (run.bytes == 0 || run.bytes % kLineBytes || run.begin % kLineBytes ||
        run.begin + run.bytes < run.begin)
      std::abort();
    for (std::size_t i = 0; data.contents && i < data.bytes; ++i)
      sum += unsigned(data.contents[i]);
  }
  volatile unsigned sink = sum; // so that the contents are read
  (void)sink;
  return 0;
}
