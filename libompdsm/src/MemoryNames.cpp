#include "libompdsm/src/MemoryNames.h"
#include "libompdsm/src/ObjectExtents.h"
#include "libompdsm/src/Runtime.h"
#include <algorithm>
#include <cstdio>

namespace ompdsm {

namespace {

constexpr std::size_t kMostNames = 5;

std::string namesOf(std::span<const Variable> variables) {
  std::string names;
  for (const Variable &variable : variables.first(std::min(variables.size(), kMostNames)))
    names += std::string(names.empty() ? "" : ", ") + (variable.name ? variable.name : "?");
  if (names.empty())
    return "variables whose names are not known";
  if (variables.size() > kMostNames)
    names += " and others";
  return (variables.size() == 1 ? "variable " : "variables ") + names;
}

} // namespace

std::string memoryName(const Runtime &job, Address block) {
  const auto *p = reinterpret_cast<const void *>(block);
  const AddressSpace &space = *job.addressSpace;
  if (!space.contains(p)) {
    const Area *area = job.addressMap.find(block);
    return namesOf(job.variables.in({block, area ? area->blockEnd(block) : block + 1}));
  }
  const std::string owner = " of node " + std::to_string(space.ownerOf(p));
  switch (space.useOf(p)) {
  case AreaUse::LargeApplication:
    if (const AddressRange object = ObjectExtents(space).findHere(p); object.bytes() != 0) {
      char begin[32];
      std::snprintf(begin, sizeof begin, " at 0x%lx", object.begin);
      return "an allocation of " + std::to_string(object.bytes()) + " bytes" + owner + begin;
    }
    return "large allocations" + owner;
  case AreaUse::SmallApplication:
    return "small allocations" + owner;
  case AreaUse::Stacks:
    return "stacks" + owner;
  case AreaUse::SmallPinned:
  case AreaUse::LargePinned:
  case AreaUse::Extents:
    return "memory of libraries" + owner;
  }
  return "shared memory" + owner;
}

} // namespace ompdsm
