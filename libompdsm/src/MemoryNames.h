// MemoryNames.h: what the user calls a place in shared memory, for reports.
#pragma once
#include "protocol/core/Types.h"
#include <string>

namespace ompdsm {

struct Runtime;

/// What is in a block: "variable counts", "variables a, b", "an allocation of 8192 bytes of node 1
/// at 0x200300000000", or as far as that is known on this node. Asks no other node.
std::string memoryName(const Runtime &job, Address block);

} // namespace ompdsm
