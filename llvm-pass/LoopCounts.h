// LoopCounts.h: how often inner loops run, in terms that outer loops do not change.
#pragma once
namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm
namespace ompdsm {

/// What ScalarEvolution::getBackedgeTakenCount returns, written so that terms which both ends of
/// the loop's range share cancel out: of `for (at = i * w + 1; at < i * w + n; at++)`, whose count
/// Scalar Evolution knows as max(i * w + 2, i * w + n) - i * w - 2, it is max(2, n) - 2, and n - 2
/// if n is known to be at least 2.
const llvm::SCEV *backedgeTakenCount(llvm::ScalarEvolution &evolution, const llvm::Loop &loop);

} // namespace ompdsm
