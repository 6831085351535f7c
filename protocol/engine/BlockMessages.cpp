#include "protocol/engine/BlockMessages.h"
#include <bit>

namespace ompdsm {

namespace {
/// More than a message has bytes for, if they are not zeros.
constexpr std::uint32_t kMaxRunLines = fabric::kMaxMessageBytes / sizeof(LineMask);

// Two forms for each reason to send whole blocks, behind that of changed bytes.
constexpr PutForm formOf(WholeBlock why, bool zeros) {
  return PutForm(1 + 2 * unsigned(why) + unsigned(zeros));
}
constexpr WholeBlock reasonOf(PutForm form) { return WholeBlock((unsigned(form) - 1) / 2); }
constexpr bool hasNoContents(PutForm form) { return unsigned(form) % 2 == 0; }
static_assert(formOf(WholeBlock::Away, true) == PutForm::AwayAsZeros);
static_assert(formOf(WholeBlock::Refreshed, false) == PutForm::Refreshed);
} // namespace

void PutWriter::begin() { writer_.put(RequestHead{}); }

void PutWriter::extendRun(Address first, std::uint32_t lines, PutForm form) {
  if (writer_.empty())
    begin();
  const std::uint32_t wanted = std::uint32_t(form) | sole_;
  if (lines_ == 0 || first != next_ || wanted != form_ || runLines_ + lines > kMaxRunLines) {
    writer_.put(std::uint64_t(first));
    countAt_ = writer_.place();
    writer_.put(std::uint32_t(0));
    writer_.put(wanted);
    runLines_ = 0;
    form_ = wanted;
  }
  writer_.patch(countAt_, runLines_ += lines);
  next_ = first + lines * kLineBytes;
  lines_ += lines;
}

void PutWriter::addLine(Address line, LineMask mask, const std::byte *bytes) {
  extendRun(line, 1, PutForm::Masked);
  writer_.put(mask);
  std::byte *packed = writer_.extend(kLineBytes);
  writer_.shrink(kLineBytes - packMasked(packed, bytes, mask));
}

void PutWriter::addLines(Address begin, std::span<const LineMask> masks, const std::byte *bytes) {
  constexpr std::size_t kMostBytes = sizeof(LineMask) + kLineBytes;
  for (std::size_t first = 0, last; first < masks.size(); first = last) {
    last = first + 1;
    if (!masks[first])
      continue;
    while (last < masks.size() && masks[last])
      ++last;
    const std::size_t lines = last - first;
    extendRun(begin + first * kLineBytes, static_cast<std::uint32_t>(lines), PutForm::Masked);
    std::byte *target = writer_.extend(lines * kMostBytes);
    writer_.shrink(lines * kMostBytes - byteMasks().packLines(target, masks.data() + first,
                                                              bytes + first * kLineBytes, lines));
  }
}

void PutWriter::addPacked(Address line, LineMask mask, const std::byte *packed) {
  extendRun(line, 1, PutForm::Masked);
  writer_.put(mask);
  writer_.putBytes(packed, std::size_t(std::popcount(mask)));
}

void PutWriter::addWhole(Address begin, fabric::Bytes contents, WholeBlock why, Contents taken) {
  const bool zeros = isZero(contents.data(), contents.size());
  extendRun(begin, static_cast<std::uint32_t>(contents.size() / kLineBytes), formOf(why, zeros));
  if (!zeros)
    writer_.append(contents, taken);
}

std::size_t PutWriter::bytesOf(std::span<const LineMask> masks) {
  std::size_t bytes = 0;
  LineMask before = 0;
  for (const LineMask mask : masks) {
    if (mask)
      bytes += (before ? 0 : kRunHead) + sizeof(mask) + std::size_t(std::popcount(mask));
    before = mask;
  }
  return bytes;
}

std::size_t PutWriter::bytesOf(std::span<const PutLine> lines) {
  std::size_t bytes = 0;
  for (const PutLine &put : lines)
    bytes += kRunHead + sizeof(put.mask) + std::size_t(std::popcount(put.mask));
  return bytes;
}

void PutWriter::clear() {
  writer_.clear();
  lines_ = 0;
  sole_ = 0;
}

namespace {
/// The lines of one run, from `line` on, of which the first is lines[0]; false if malformed.
[[nodiscard]] bool readRunOfLines(WireReader &reader, Address line, bool isSole,
                                  std::span<PutLine> lines) {
  for (PutLine &put : lines) {
    put.line = line;
    put.lines = 1;
    put.whole = false;
    put.isSole = isSole;
    line += kLineBytes;
  }
  const fabric::Bytes rest = reader.rest();
  const std::byte *end = byteMasks().readLines(rest.data(), rest.data() + rest.size(), lines);
  return end && reader.skip(std::size_t(end - rest.data()));
}

[[nodiscard]] bool readWholeRun(WireReader &reader, PutForm form, PutLine &run) {
  if (hasNoContents(form))
    return true;
  fabric::Bytes contents;
  if (!reader.getBytes(contents, run.bytes()))
    return false;
  run.packed = contents.data();
  return true;
}
} // namespace

bool readPutLines(WireReader &reader, PutLines &lines) {
  lines.clear();
  while (!reader.atEnd()) {
    std::uint64_t line;
    std::uint32_t count;
    std::uint32_t coded;
    if (!reader.get(line) || !reader.get(count) || !reader.get(coded))
      return false;
    const bool isSole = coded & kSoleForm;
    const PutForm form{coded & ~kSoleForm};
    if (form > PutForm::RefreshedAsZeros || line % kLineBytes || count == 0 ||
        count > kMaxRunLines || line + std::uint64_t(count) * kLineBytes < line)
      return false;
    const std::size_t before = lines.size();
    const bool whole = form != PutForm::Masked;
    lines.resize(before + (whole ? 1 : count));
    const std::span added = std::span(lines).subspan(before);
    if (whole)
      added[0] = {line, kWholeLine, nullptr, count, true, reasonOf(form), isSole};
    if (whole ? !readWholeRun(reader, form, added[0])
              : !readRunOfLines(reader, line, isSole, added)) {
      lines.resize(before);
      return false;
    }
  }
  return true;
}

void DataWriter::addBlock(Address begin, fabric::Bytes contents, Contents taken) {
  const bool zeros = isZero(contents.data(), contents.size());
  if (writer_.empty() || begin != next_ || zeros != runIsZero_) {
    writer_.put(std::uint64_t(begin));
    countAt_ = writer_.place();
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
  writer_.append(contents, taken);
}

void DataWriter::clear() { writer_.clear(); }

bool readDataRun(WireReader &reader, DataRun &run) {
  WireRun place;
  std::uint32_t count;
  fabric::Bytes contents;
  if (!readRun(reader, place) || !reader.get(count) || (count != 0 && count != place.bytes) ||
      !reader.getBytes(contents, count))
    return false;
  run = {place.begin, place.bytes, count ? contents.data() : nullptr};
  return true;
}

} // namespace ompdsm
