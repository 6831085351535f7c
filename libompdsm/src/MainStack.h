// MainStack.h: the first thread of every node runs on a stack in the node's slice.
#pragma once
#include "libompdsm/src/Runtime.h"

namespace ompdsm {

/// The life of a node other than 0, on a stack in its slice.
[[noreturn]] void runWorker(Runtime &job);

} // namespace ompdsm
