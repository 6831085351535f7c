// SmallLoops.cpp: attributes of loops.
#include "SmallLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ompdsm {

void keepSmall(Loop &loop) {
  addStringMetadataToLoop(&loop, "llvm.loop.vectorize.enable", 0);
  addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
}

void keepAtomicLoopsSmall(const LoopInfo &loops) {
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && any_of(loop->blocks(), [](const BasicBlock *block) {
          return any_of(*block, [](const Instruction &instruction) {
            return instruction.isAtomic() && instruction.mayReadOrWriteMemory();
          });
        }))
      keepSmall(*loop);
}

} // namespace ompdsm
