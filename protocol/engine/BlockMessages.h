// BlockMessages.h: building and reading the bodies of Put (byte-exact changes) and Data (contents),
// both as runs over adjacent lines and blocks.
#pragma once
#include "protocol/engine/Twin.h"
#include "protocol/engine/Wire.h"

namespace ompdsm {

/// Put body: RequestHead, then runs {u64 first line address, u32 lines, then for each line u64 mask
/// and the packed bytes of the mask}.
class PutWriter {
public:
  /// Whether another line fits into a message of `limitBytes`.
  bool hasRoom(std::size_t limitBytes) const {
    return writer_.size() + kRunHead + sizeof(LineMask) + kLineBytes <= limitBytes;
  }
  void addLine(Address line, LineMask mask, const std::byte *bytes);
  bool empty() const { return lines_ == 0; }
  /// Sets the head and returns the body, valid until clear().
  fabric::Bytes finish(RequestHead head);
  void clear();

private:
  static constexpr std::size_t kRunHead = 12;
  void begin();
  WireWriter writer_;
  std::size_t countAt_ = 0;
  Address next_ = 0;
  std::uint32_t runLines_ = 0;
  std::size_t lines_ = 0;
};

/// One changed line of a Put.
struct PutLine {
  Address line = 0;
  LineMask mask = 0;
  const std::byte *packed = nullptr;
};
/// Decodes the lines after the head into `lines` (cleared first); false if malformed.
[[nodiscard]] bool readPutLines(WireReader &reader, std::vector<PutLine> &lines);

/// Data body: runs {u64 begin, u32 bytes, u32 bytes of contents, the contents}. Blocks of zeros,
/// as most memory is that nobody has written, make runs of their own without contents.
class DataWriter {
public:
  bool hasRoom(std::size_t bytes, std::size_t limitBytes) const {
    return writer_.size() + kRunHead + bytes <= limitBytes;
  }
  void addBlock(Address begin, fabric::Bytes contents);
  bool empty() const { return writer_.empty(); }
  fabric::Bytes bytes() const { return writer_.bytes(); }
  void clear();

private:
  static constexpr std::size_t kRunHead = 16;
  WireWriter writer_;
  std::size_t countAt_ = 0;
  Address next_ = 0;
  std::uint32_t runBytes_ = 0;
  bool runIsZero_ = false;
};

/// Decodes one run; `contents` is empty if they are zeros. False if malformed.
[[nodiscard]] bool readDataRun(WireReader &reader, WireRun &run, fabric::Bytes &contents);

} // namespace ompdsm
