// BlockMessages.h: building and reading the bodies of Put (byte-exact changes) and Data (contents),
// both as runs over adjacent lines and blocks.
#pragma once
#include "protocol/core/Classify.h"
#include "protocol/engine/GatherWriter.h"
#include "protocol/engine/Twin.h"

namespace ompdsm {

/// An Update of a larger block might not fit into a message.
inline constexpr std::size_t kMostPushedBytes = 32 * 1024;

/// What a run of lines in a Put has.
enum class PutForm : std::uint32_t {
  Masked, ///< For each line u64 mask and the packed bytes of the mask.
  // Blocks: the contents; of zeros nothing.
  Overwritten,
  OverwrittenByZeros,
  Away, ///< Overwritten, and the sender keeps no copy.
  AwayAsZeros,
  Refreshed, ///< Whatever has changed.
  RefreshedAsZeros,
};

/// Added to the form of a run of an Update: the receiver is the only sharer of its blocks.
inline constexpr std::uint32_t kSoleForm = 1u << 31;

/// Body of a Put or an Update: RequestHead or UpdateHead, then runs {u64 first line address, u32
/// lines, u32 PutForm, then as it says}.
class PutWriter {
public:
  /// Whether another line, or `bytes` as they are or as bytesOf and mostBytes say, fit into a
  /// message of `limitBytes`.
  bool hasRoom(std::size_t limitBytes, std::size_t bytes = sizeof(LineMask) + kLineBytes) const {
    return writer_.size() + kRunHead + bytes <= limitBytes;
  }
  void addLine(Address line, LineMask mask, const std::byte *bytes);
  /// The same of those lines of a block, in order, whose masks are not 0.
  void addLines(Address begin, std::span<const LineMask> masks, const std::byte *bytes);
  /// The same, where only the bytes of the mask are there.
  void addPacked(Address line, LineMask mask, const std::byte *packed);
  /// All of a block.
  void addWhole(Address begin, fabric::Bytes contents, WholeBlock why,
                Contents taken = Contents::MayChange);
  bool empty() const { return lines_ == 0; }
  /// Of the lines that follow, until clear(): the receiver is the only sharer of their blocks.
  void saySole(bool isSole) { sole_ = isSole ? kSoleForm : 0; }
  /// Sets the head and returns the parts of the body, of which the first begins with the head.
  /// Valid until the next change.
  template <class Head> std::span<const fabric::Bytes> finish(Head head) {
    if (writer_.empty())
      begin();
    writer_.patch(0, head);
    return writer_.parts();
  }
  void clear();
  /// Whether its body, but for the head, is that of the other.
  bool isSame(const PutWriter &other) const { return writer_.isSame(other.writer_, kHead); }
  std::size_t size() const { return writer_.size(); }

  /// Bytes that lines with these masks take; adjacent ones but where a mask is 0.
  static std::size_t bytesOf(std::span<const LineMask> masks);
  /// At most, wherever they are.
  static std::size_t bytesOf(std::span<const PutLine> lines);
  /// Most bytes that the lines of a block take, however they are spread.
  static constexpr std::size_t mostBytes(std::size_t lines) {
    return lines * (kRunHead + sizeof(LineMask) + kLineBytes);
  }

private:
  static constexpr std::size_t kHead = sizeof(RequestHead), kRunHead = 16;
  void begin();
  /// Continues the run with `lines` lines from `first` on, or begins another.
  void extendRun(Address first, std::uint32_t lines, PutForm form);
  GatherWriter writer_;
  std::size_t countAt_ = 0;
  Address next_ = 0;
  std::uint32_t runLines_ = 0;
  std::uint32_t form_ = 0, sole_ = 0; ///< Of the run; what is added to the next form.
  std::size_t lines_ = 0;
};

/// Decodes the lines after the head into `lines` (cleared first); false if malformed.
[[nodiscard]] bool readPutLines(WireReader &reader, PutLines &lines);

/// Data body: runs {u64 begin, u32 bytes, u32 bytes of contents, the contents}. Blocks of zeros,
/// as most memory is that nobody has written, make runs of their own without contents.
class DataWriter {
public:
  bool hasRoom(std::size_t bytes, std::size_t limitBytes) const {
    return writer_.size() + kRunHead + bytes <= limitBytes;
  }
  void addBlock(Address begin, fabric::Bytes contents, Contents taken = Contents::MayChange);
  bool empty() const { return writer_.empty(); }
  bool isSame(const DataWriter &other) const { return writer_.isSame(other.writer_, 0); }
  std::size_t size() const { return writer_.size(); }
  /// Of the body, in order; valid until the next change.
  std::span<const fabric::Bytes> parts() { return writer_.parts(); }
  void clear();

private:
  static constexpr std::size_t kRunHead = 16;
  GatherWriter writer_;
  std::size_t countAt_ = 0;
  Address next_ = 0;
  std::uint32_t runBytes_ = 0;
  bool runIsZero_ = false;
};

/// Before the contents of a Data of one block alone, which are not zeros.
struct DataHead {
  std::uint64_t begin = 0;
  std::uint32_t bytes = 0, contentBytes = 0;
};
static_assert(sizeof(DataHead) == 16);

struct DataRun {
  Address begin = 0;
  std::size_t bytes = 0;
  const std::byte *contents = nullptr; ///< Null: zeros.
  Address end() const { return begin + bytes; }
};
/// Decodes one run; false if malformed.
[[nodiscard]] bool readDataRun(WireReader &reader, DataRun &run);

} // namespace ompdsm
