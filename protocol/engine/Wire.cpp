#include "protocol/engine/Wire.h"
#include "protocol/engine/StateTable.h"

namespace ompdsm {

void RunCollector::writeTo(WireWriter &writer) const {
  for (const WireRun &run : runs_) {
    writer.put(run.begin);
    writer.put(run.bytes);
  }
}

bool readRun(WireReader &reader, WireRun &run) {
  WireRun read;
  if (!reader.get(read.begin) || !reader.get(read.bytes))
    return false;
  if (read.bytes == 0 || read.bytes % kLineBytes || read.begin % kLineBytes ||
      read.begin + read.bytes < read.begin)
    return false;
  run = read;
  return true;
}

} // namespace ompdsm
