// LoopLocals.h: stack objects that a loop alone uses.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
namespace llvm {
class DominatorTree;
class Loop;
} // namespace llvm
namespace ompdsm {

/// Gives a copy of the loop that is about to be made stack objects of its own for those that live
/// in the loop: each access lies in it, behind a beginning of the object's lifetime that lies in
/// it, too. The clones of the objects, and of addresses into them that are computed outside of the
/// loop, go into `copies`. Were an object shared by both loops, it would stay in memory wherever
/// they access it by parts of different size, as after one of them has been vectorised.
void cloneLoopLocals(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                     llvm::ValueToValueMapTy &copies);

} // namespace ompdsm
