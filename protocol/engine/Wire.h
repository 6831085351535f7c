// Wire.h: encoding and decoding of the protocol's messages. Little-endian, packed. A decoder never
// reads outside the message and answers false to anything malformed; addresses are checked by the
// engine against its areas.
#pragma once
#include "fabric/Transport.h"
#include "protocol/core/Types.h"
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/StateTable.h"
#include "protocol/engine/UninitializedAllocator.h"
#include <cstring>
#include <type_traits>
#include <vector>

namespace ompdsm {

/// Appends fixed-size values and bytes to a message body.
class WireWriter {
public:
  explicit WireWriter(std::size_t reserveBytes = 0) { bytes_.reserve(reserveBytes); }
  template <class Value> void put(Value value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::memcpy(extend(sizeof(Value)), &value, sizeof(Value));
  }
  void putBytes(const void *data, std::size_t count) {
    if (count != 0)
      std::memcpy(extend(count), data, count);
  }
  /// Makes room for `count` bytes and returns where they go; valid until the next append.
  std::byte *extend(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return bytes_.data() + bytes_.size() - count;
  }
  void shrink(std::size_t count) { bytes_.resize(bytes_.size() - count); }
  /// Overwrites an earlier value.
  template <class Value> void patch(std::size_t at, Value value) {
    std::memcpy(bytes_.data() + at, &value, sizeof(Value));
  }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  fabric::Bytes bytes() const { return bytes_; }
  /// Whether the other has the same from byte `begin` on.
  bool isSame(const WireWriter &other, std::size_t begin) const {
    return size() == other.size() && size() >= begin &&
           std::memcmp(bytes_.data() + begin, other.bytes_.data() + begin, size() - begin) == 0;
  }
  void clear() { bytes_.clear(); }

private:
  std::vector<std::byte, UninitializedAllocator<std::byte>> bytes_;
};

/// Reads what WireWriter wrote.
class WireReader {
public:
  explicit WireReader(fabric::Bytes bytes) : bytes_(bytes) {}
  template <class Value> [[nodiscard]] bool get(Value &value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (bytes_.size() < sizeof(Value))
      return false;
    std::memcpy(&value, bytes_.data(), sizeof(Value));
    bytes_ = bytes_.subspan(sizeof(Value));
    return true;
  }
  [[nodiscard]] bool getBytes(fabric::Bytes &out, std::size_t count) {
    if (bytes_.size() < count)
      return false;
    out = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return true;
  }
  [[nodiscard]] bool skip(std::size_t count) {
    fabric::Bytes skipped;
    return getBytes(skipped, count);
  }
  fabric::Bytes rest() const { return bytes_; }
  bool atEnd() const { return bytes_.empty(); }
  std::size_t remaining() const { return bytes_.size(); }

private:
  fabric::Bytes bytes_;
};

/// A run of memory: blocks to fetch or invalidate, or contents that follow.
struct WireRun {
  std::uint64_t begin = 0; ///< Line aligned.
  std::uint32_t bytes = 0; ///< Multiple of the line, > 0.
};
inline constexpr std::size_t kWireRunBytes = 12;

/// Collects runs for one receiver; adjacent ones are joined.
class RunCollector {
public:
  void add(Address begin, std::size_t bytes) {
    totalBytes_ += bytes;
    if (!runs_.empty() && runs_.back().begin + runs_.back().bytes == begin &&
        runs_.back().bytes < (1u << 30))
      runs_.back().bytes += static_cast<std::uint32_t>(bytes);
    else
      runs_.push_back({begin, static_cast<std::uint32_t>(bytes)});
  }
  bool empty() const { return runs_.empty(); }
  std::size_t count() const { return runs_.size(); }
  std::size_t totalBytes() const { return totalBytes_; }
  void writeTo(WireWriter &writer) const;
  void clear() {
    runs_.clear();
    totalBytes_ = 0;
  }

private:
  std::vector<WireRun> runs_;
  std::size_t totalBytes_ = 0;
};

/// Reads one run; false if the message ended or the run is malformed (alignment, zero, wraps).
[[nodiscard]] bool readRun(WireReader &reader, WireRun &run);

/// Heads of message bodies.
struct RequestHead {
  std::uint32_t epoch = 0;         ///< Barriers that the sender has left.
  std::uint32_t wantsAck : 1 = 0;  ///< Put: answer with PutAck.
  std::uint32_t ofBarrier : 1 = 0; ///< Put: that a barrier counts.
  std::uint32_t isTold : 1 = 0;    ///< Put: the receiver may have to tell others of it.
  /// Sums: what was done to numbers of so many bytes.
  std::uint32_t operation : 8 = 0, numberBytes : 4 = 0;
  std::uint32_t zero : 17 = 0; ///< Else these bits would be what the stack had there.
};
struct UpdateHead {
  std::uint32_t putsProcessed = 0; ///< Of the receiver, by the sender; the low bits.
  std::uint32_t wantsAck : 1 = 0;  ///< Confirm with InvalidateAck.
  std::uint32_t ofRelease : 1 = 0; ///< That no barrier and no fork is about.
  std::uint32_t site : kSiteIdBits = kNoSite;
};
static_assert(sizeof(UpdateHead) == sizeof(RequestHead), "PutWriter makes room for either");
/// Of a CommonUpdate, behind its head, in which putsProcessed says how many there are.
struct ReceiverPuts {
  std::uint32_t putsProcessed = 0;
  NodeId node = 0;
  std::uint16_t zero = 0;
};
static_assert(sizeof(ReceiverPuts) == 8);
/// Of SiteReads, before runs of blocks.
struct SiteReadsHead {
  std::uint32_t isRead : 1 = 0;
  std::uint32_t zero : 31 - kSiteIdBits = 0;
  std::uint32_t site : kSiteIdBits = kNoSite;
};
static_assert(sizeof(SiteReadsHead) == 4);
/// Of Order, before runs of blocks.
struct OrderHead {
  SiteId site = kNoSite;
  std::uint32_t epoch = 0; ///< The barrier that the sender has come to.
};
static_assert(sizeof(OrderHead) == 8);
/// Of SilentStores, before runs of units.
struct SilentStoresHead {
  std::uint32_t epoch = 0; ///< Barriers that the sender has left; it comes to the next one.
};
struct OfferHead {
  std::uint32_t zero = 0;
};
struct InvalidateHead {
  std::uint32_t wantsAck = 0;
};
struct CountBody {
  std::uint64_t count = 0;
};
/// Of BarrierArrive, BarrierDone and BarrierGo, before pages that move and what was sent
/// (core/BarrierTree.h).
struct BarrierHead {
  std::uint32_t half = 0; ///< The number of this half of a barrier.
  std::uint16_t moves = 0;
  std::uint8_t askNothing : 1 = 0, areSettled : 1 = 0, tellNobody : 1 = 0;
  std::uint8_t isLast : 1 = 0; ///< Else more of the same report follows.
  std::uint8_t zero : 4 = 0;
};
static_assert(sizeof(BarrierHead) == 8);
inline constexpr std::size_t kSentBytes = 20; ///< Of each pair of nodes.
/// Pages, or a block, whose home moves from one node to another; or a page of other blocks.
struct MovedPages {
  std::uint64_t begin = 0;
  std::uint32_t pages = 0; ///< 0: one block of less than a page moves.
  NodeId from = 0, heir = 0;
  /// Not 0: the page stays, and its blocks have this size from now on.
  std::uint8_t blockShift = 0;
  std::uint8_t lines = 0; ///< Of that block.
  std::uint8_t reserved[6] = {};

  std::size_t bytes() const { return pages * kPageBytes + lines * kLineBytes; }
};
static_assert(sizeof(MovedPages) == 24);
struct AtomicBody {
  std::uint64_t ticket = 0;
  std::uint64_t address = 0;
  std::uint8_t kind = 0, bytes = 0, operation = 0;
  std::byte operand[16] = {};
  std::byte desired[16] = {};
};
/// Of a read-modify-write operation.
struct AtomicPutBody {
  std::uint64_t address : 48 = 0, bytes : 8 = 0, operation : 8 = 0;
  std::uint64_t operand = 0;
  std::uint64_t companion : 48 = 0;
  std::uint64_t isKept : 16 = 0; ///< The sender has done it to its copy, too.
};
static_assert(sizeof(AtomicPutBody) == 24);
struct AtomicReplyBody {
  std::uint64_t ticket = 0;
  std::byte old[16] = {};
};

} // namespace ompdsm
