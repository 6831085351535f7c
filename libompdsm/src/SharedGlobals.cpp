// SharedGlobals.cpp: from image notes to areas.
#include "libompdsm/src/SharedGlobals.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/SectionHeaders.h"
#include "protocol/core/BlockState.h"
#include <algorithm>
#include <bit>
#include <cstdio>

namespace ompdsm {
namespace {

constexpr const char *kSectionNames[kSharedSections] = {
    OMPDSM_SECTION_DATA, OMPDSM_SECTION_BSS, OMPDSM_SECTION_LARGE_DATA, OMPDSM_SECTION_LARGE_BSS};

/// Executables that are not position-independent lie at low addresses; others do not.
Status checkPlaces(const std::vector<GlobalRange> &globals) {
  AddressRange low{OMPDSM_LEAST_SHARED, 0};
  for (const GlobalRange &global : globals)
    if (global.range.begin < OMPDSM_LEAST_SHARED)
      low = {std::min(low.begin, global.range.begin), std::max(low.end, global.range.end)};
  if (low.end == 0 || AddressSpace::hasStatesOfItsOwn(low))
    return Status::ok();
  char place[64];
  std::snprintf(place, sizeof place, "0x%llx-0x%llx", static_cast<unsigned long long>(low.begin),
                static_cast<unsigned long long>(low.end));
  return Status::error(std::string("the variables of an executable that is not "
                                   "position-independent, at ") +
                       place + ", are too large: compile it with -fPIE and link it with -pie");
}

} // namespace

Status findSharedGlobals(const std::vector<LoadedImage> &images, std::vector<GlobalRange> &ranges) {
  std::vector<GlobalRange> found;
  for (const LoadedImage &image : images) {
    if (!image.note)
      continue;
    if (image.note->abiVersion != OMPDSM_ABI_VERSION)
      return Status::error(image.name + " was linked for version " +
                           std::to_string(image.note->abiVersion) +
                           " of ompdsm's interface, this libompdsm has version " +
                           std::to_string(OMPDSM_ABI_VERSION) + ": compile and link it again");
    for (unsigned i = 0; i < kSharedSections; ++i) {
      AddressRange section = image.note->sections[i];
      if (section.bytes() == 0)
        continue;
      // What is linked behind -lompdsm, or as the result of link-time optimisation, lies behind the
      // pad that ends the section at a page. The next section may begin at one all the same.
      const Address end = pageOf(section.end + kPageBytes - 1);
      if (section.begin % kPageBytes != 0 ||
          (end != section.end && mayHoldSections(image, {section.end, end})))
        return Status::error(image.name + ": the section " + kSectionNames[i] +
                             " shares its last page with others, because instrumented objects or "
                             "archives follow -lompdsm on the link line: put -lompdsm after them");
      section.end = end;
      found.push_back({section, i >= 2});
    }
  }
  if (Status status = checkPlaces(found); !status.isOk())
    return status;
  ranges = std::move(found);
  return Status::ok();
}

void shareGlobals(const std::vector<GlobalRange> &ranges, NodeId node, const Options &options,
                  AddressMap &map) {
  for (const GlobalRange &global : ranges) {
    Area area;
    area.begin = global.range.begin;
    area.end = global.range.end;
    area.defaultHome = 0;
    area.blockShift = static_cast<std::uint8_t>(
        std::countr_zero(global.large ? options.blockLargeBytes : options.blockSmallBytes));
    area.migratable = global.large;
    map.add(area);
    if (node != 0)
      AddressSpace::fillState(global.range, kUntouchedRemoteState);
  }
}

} // namespace ompdsm
