// AddressSpace.h: the reserved address ranges: the state table and the segment with its slices, and
// how a slice is cut into areas by use.
//
// The layout is a function of the options and the number of nodes, so that an address means the
// same on every node. create() is called once, by Entry; the rest is constant and may be called by
// anyone.
#pragma once
#include "fabric/Status.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Options.h"
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/MissCounts.h"
#include <cstddef>
#include <memory>
#include <optional>

namespace ompdsm {

/// [begin, end) of addresses.
struct AddressRange {
  Address begin = 0, end = 0;
  std::size_t bytes() const { return end - begin; }
  bool contains(Address address) const { return address >= begin && address < end; }
};

/// What a part of a slice is for. Small: allocations up to OMPDSM_SMALL_OBJECT_BYTES. Pinned: what
/// code that is not instrumented asked for and writes without checks (trap 9).
enum class AreaUse : unsigned {
  SmallApplication,
  LargeApplication,
  SmallPinned,
  LargePinned,
  Stacks,
  Extents ///< Of the objects in LargeApplication (ObjectExtents.h).
};
inline constexpr unsigned kAreaUses = 6;

class AddressSpace {
public:
  /// Reserves everything. With several nodes the state bytes of the other nodes' slices are set to
  /// kUntouchedRemoteState, lazily.
  static Status create(const Options &options, NodeId node, unsigned nodes,
                       std::unique_ptr<AddressSpace> &space);

  /// Code on stacks may be executed, on all nodes. Before anything is mapped in the segment.
  Status allowExecution();

  AddressRange slice(NodeId node) const {
    const Address begin = base_ + node * sliceBytes_;
    return {begin, begin + sliceBytes_};
  }
  AddressRange area(NodeId node, AreaUse use) const;
  /// Adds the areas of all slices to `map`.
  void addAreas(AddressMap &map, const Options &options) const;

  bool contains(const void *p) const {
    return reinterpret_cast<Address>(p) - base_ < nodes_ * sliceBytes_;
  }
  /// The node that allocated a contained address.
  NodeId ownerOf(const void *p) const {
    return static_cast<NodeId>((reinterpret_cast<Address>(p) - base_) / sliceBytes_);
  }
  AreaUse useOf(const void *p) const;

  /// Virtual base of the state table: the byte of address a is stateTable()[a >> 6].
  static std::byte *stateTable();
  /// Virtual base of the table of GroupTable.h.
  static std::byte *groupTable();
  /// Virtual base of the counts of MissCounts.h.
  static std::byte *missCounts();
  /// How many times the node has revoked permissions: as long as it revokes none, what does not
  /// miss goes on so. Only where the state table is reserved.
  static std::uint64_t revocations();
  /// Whether no state byte of the range is a group's byte of it: what is shared must lie in such
  /// ranges.
  static bool hasStatesOfItsOwn(AddressRange range);
  /// Fills the untouched state bytes of all lines of `range`, which is outside of the segment.
  static void fillState(AddressRange range, std::uint8_t state);

  /// True if a line of [p, p + bytes) has `missBit` on this node; as rangeMisses (Checks.h), but
  /// fast for long ranges.
  bool anyMisses(const void *p, std::size_t bytes, unsigned missBit) const {
    return bytes <= 2 * MissCounts::kChunkBytes ? rangeMisses(p, bytes, missBit)
                                                : anyMissesOfLong(p, bytes, missBit);
  }
  /// The first line of the range, in the user address space, that has `missBit` on this node.
  std::optional<Address> firstMiss(AddressRange range, unsigned missBit) const;
  /// Of all lines of the chunk of MissCounts that `address`, of the user address space, lies in.
  unsigned missBitsAround(Address address) const {
    const Address chunk = address & ~Address(MissCounts::kChunkBytes - 1);
    const auto bitIfAny = [&](unsigned bit) { return missesOfChunk(chunk, bit) != 0 ? bit : 0; };
    return bitIfAny(OMPDSM_READ_MISSES) | bitIfAny(OMPDSM_WRITE_MISSES);
  }
  /// How many lines of the range, in the user address space, have `missBit` on this node; or, if
  /// that is more than `most`, more than that.
  std::size_t countMisses(AddressRange range, unsigned missBit, std::size_t most) const;
  /// The longest part of the range, in the user address space, of whose lines none has `missBit`.
  /// Of a large range in which such lines are spread some parts may be passed over.
  AddressRange longestRun(AddressRange range, unsigned missBit) const;

private:
  AddressSpace(const Options &options, NodeId node, unsigned nodes)
      : base_(options.segmentBase), sliceBytes_(options.sliceBytes()), node_(node), nodes_(nodes) {}
  bool anyMissesOfLong(const void *p, std::size_t bytes, unsigned missBit) const;
  Status reserve();
  Status markRemoteSlices();
  /// As countMisses of the chunk of MissCounts that begins at `chunk`.
  int missesOfChunk(Address chunk, unsigned missBit) const;

  const Address base_;
  const std::size_t sliceBytes_;
  const NodeId node_;
  const unsigned nodes_;
};

} // namespace ompdsm
