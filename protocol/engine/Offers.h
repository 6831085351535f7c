// Offers.h: units that homes offer to who changes them alone (Offers.cpp). Under the engine's lock.
#pragma once
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/Wire.h"
#include <map>
#include <vector>

namespace ompdsm {

struct Offers {
  std::map<NodeId, RunCollector> made; ///< By this node as their home; until they are posted.
  std::vector<AddressRun> received;    ///< Until this node leaves a barrier.
};

} // namespace ompdsm
