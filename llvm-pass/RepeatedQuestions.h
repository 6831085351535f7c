// RepeatedQuestions.h: a nest that began with checks, as its objects were not valid, asks again
// when they may have become so.
//
// What is asked in front of a nest (LoopCopies.h) has the answer no where others have just written,
// although the first iterations of the outer loop fetch all that the others need: a table in which
// each row is looked up, a vector that each product reads. So, between two iterations of the outer
// loop, the one with checks looks whether misses were served since it began, and none any more
// during the last iteration. If so it goes back to the questions, with all that its header's phis
// hold, and whichever of the loops then runs goes on there. A question costs less than the miss
// that led to it.
//
// That is done behind CheckHoisting, which would not know how many iterations are left. What it has
// put in front of the loops then asks for all iterations, also those that are done: these miss no
// more.
#pragma once
#include "llvm/IR/PassManager.h"
namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm
namespace ompdsm {

/// For the pass: `loop`, which will be the one with checks, asks again, if its iterations are long
/// enough for that. To be called before it is copied. The questions will begin in `question`, whose
/// only predecessor has no other successor.
void markQuestion(llvm::Loop &loop, llvm::BasicBlock &question);

class RepeatedQuestionsPass : public llvm::PassInfoMixin<RepeatedQuestionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Whether no loop of the program is around it.
bool isOutermostOfProgram(const llvm::Loop &loop);

} // namespace ompdsm
