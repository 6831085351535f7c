// HullQuestions.h: one question for all sections of an object that an inner loop asks for.
//
// A loop whose sections cannot be computed further out asks for them each time that it begins, for
// some fourteen in the pass of a Fourier transform. They lie near each other and hardly ever miss:
// so their hull, from the first byte of all to the last, is asked about before, without a miss; and
// each section only if something of the hull is missing. What lies between them is not fetched.
// Hulls are those of array regions (Triolet, Irigoin and Feautrier 1986), in one dimension.
#pragma once
#include "NestQuestions.h"
namespace ompdsm {

/// Puts the questions behind what the asking computes, and its calls behind the answer no, if that
/// saves calls. True if so; the loop's preheader is another block then.
bool askOnlyOutsideHulls(const LoopAsking &asking, llvm::SCEVExpander &expander,
                         llvm::ScalarEvolution &evolution, const RuntimeCallees &callees,
                         llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

} // namespace ompdsm
