#include "protocol/engine/BlockMessages.h"
#include <bit>

namespace ompdsm {

void PutWriter::begin() { writer_.put(RequestHead{}); }

void PutWriter::addLine(Address line, LineMask mask, const std::byte *bytes) {
  if (writer_.empty())
    begin();
  if (lines_ == 0 || line != next_) {
    writer_.put(std::uint64_t(line));
    countAt_ = writer_.size();
    writer_.put(std::uint32_t(0));
    runLines_ = 0;
  }
  writer_.patch(countAt_, ++runLines_);
  writer_.put(mask);
  std::byte *packed = writer_.extend(kLineBytes);
  writer_.shrink(kLineBytes - packMasked(packed, bytes, mask));
  next_ = line + kLineBytes;
  ++lines_;
}

fabric::Bytes PutWriter::finish(RequestHead head) {
  if (writer_.empty())
    begin();
  writer_.patch(0, head);
  return writer_.bytes();
}

void PutWriter::clear() {
  writer_.clear();
  lines_ = 0;
}

bool readPutLines(WireReader &reader, std::vector<PutLine> &lines) {
  lines.clear();
  while (!reader.atEnd()) {
    std::uint64_t line;
    std::uint32_t count;
    if (!reader.get(line) || !reader.get(count) || line % kLineBytes || count == 0 ||
        count > fabric::kMaxMessageBytes / sizeof(LineMask) ||
        line + std::uint64_t(count) * kLineBytes < line)
      return false;
    for (std::uint32_t i = 0; i < count; ++i, line += kLineBytes) {
      LineMask mask;
      fabric::Bytes packed;
      if (!reader.get(mask) || !reader.getBytes(packed, std::popcount(mask)))
        return false;
      lines.push_back({line, mask, packed.data()});
    }
  }
  return true;
}

void DataWriter::addBlock(Address begin, fabric::Bytes contents) {
  const bool zeros = isZero(contents.data(), contents.size());
  if (writer_.empty() || begin != next_ || zeros != runIsZero_) {
    writer_.put(std::uint64_t(begin));
    countAt_ = writer_.size();
    writer_.put(std::uint64_t(0));
    runBytes_ = 0;
    runIsZero_ = zeros;
  }
  runBytes_ += static_cast<std::uint32_t>(contents.size());
  writer_.patch(countAt_, runBytes_);
  next_ = begin + contents.size();
  if (zeros)
    return;
  writer_.patch(countAt_ + sizeof(runBytes_), runBytes_);
  writer_.putBytes(contents.data(), contents.size());
}

void DataWriter::clear() { writer_.clear(); }

bool readDataRun(WireReader &reader, WireRun &run, fabric::Bytes &contents) {
  WireRun read;
  std::uint32_t count;
  return readRun(reader, read) && reader.get(count) && (count == 0 || count == read.bytes) &&
         reader.getBytes(contents, count) && (run = read, true);
}

} // namespace ompdsm
