// AttentionPolls.h: where computing threads look whether another node waits for this one.
//
// Such a look is a load and a branch that is hardly ever taken. It stands at the end of each
// iteration of loops in which each iteration has a call, an inner loop of some length, or a walk
// whose steps have loops of their own, and of outermost loops that have inner ones or calls at all;
// and at the beginning of functions that call themselves: often enough that who waits need not
// interrupt the thread, and not where it would be felt, in innermost loops and around the search
// for something. Source: polling at loop back-edges in Shasta (Scales, Gharachorloo and Thekkath,
// ASPLOS 1996).
#pragma once
#include "InstrumentationReport.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
namespace ompdsm {

/// The instructions in front of which the function is to look.
llvm::SmallVector<llvm::Instruction *, 8> placesOfPolls(llvm::Function &function,
                                                        llvm::FunctionAnalysisManager &analyses);

void emitPolls(llvm::ArrayRef<llvm::Instruction *> places, const RuntimeCallees &callees,
               InstrumentationReport &report);

} // namespace ompdsm
