// AtomicInlining.h: relaxed atomic operations whose place is this node's happen without a call.
//
// An atomic operation happens in the memory of the home. Where that is this node, a relaxed one of
// at most 8 bytes is an ordinary access by an instruction that is atomic, which a thread may do
// under the permission that an ordinary access needs. So the call of the runtime becomes the other
// way of a branch, as a check's slow path. Method: inline checks as in Shasta (Scales,
// Gharachorloo and Thekkath, ASPLOS 1996).
#pragma once
#include "CheckBuilder.h"

namespace ompdsm {

/// After everything that looks at calls of the runtime; blocks are split.
void inlineAtomics(llvm::Function &function, const CheckBuilder &checks);

} // namespace ompdsm
