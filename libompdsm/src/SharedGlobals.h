// SharedGlobals.h: the mutable globals and statics of instrumented images as shared memory.
//
// Their home is node 0, whose memory holds their initial values. On every other node the runtime
// marks them as never fetched. Called at start, before any instrumented code runs.
#pragma once
#include "fabric/Status.h"
#include "libompdsm/src/Images.h"
#include "libompdsm/src/Options.h"
#include "protocol/engine/AddressMap.h"
#include <vector>

namespace ompdsm {

/// A shared section of an image; page aligned at both ends.
struct GlobalRange {
  AddressRange range;
  bool large = false; ///< Objects above OMPDSM_SMALL_OBJECT_BYTES: larger blocks, may change home.
};

/// Reads the notes of `images`. An error: an image was compiled for another ABI, or linked so that
/// a shared section shares its last page with other data, or shared sections lie where they have no
/// state bytes of their own. `ranges` may become empty.
Status findSharedGlobals(const std::vector<LoadedImage> &images, std::vector<GlobalRange> &ranges);

/// Adds the ranges to the map and, on nodes other than 0, marks them as untouched.
void shareGlobals(const std::vector<GlobalRange> &ranges, NodeId node, const Options &options,
                  AddressMap &map);

} // namespace ompdsm
