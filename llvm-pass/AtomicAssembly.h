// AtomicAssembly.h: inline assembly that is one atomic instruction, or a fence.
//
// Programs from before C had atomic operations, and libraries with locks of their own, have them as
// inline assembly, which excludes the threads of one node only.
#pragma once
namespace llvm {
class Module;
} // namespace llvm
namespace ompdsm {

/// Replaces x86's xadd, xchg and cmpxchg on memory, inc, dec, add, sub, and, or and xor with the
/// lock prefix, and the fences, by LLVM's instructions, sequentially consistent as the processor's
/// are. What has another instruction beside it, or whose flags are used, stays as it is. Wanted:
/// as early as possible, as passes over loops must know the synchronisation points. True if
/// anything was changed.
bool translateAtomicAssembly(llvm::Module &module);

} // namespace ompdsm
