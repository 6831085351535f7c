// Sections.h: what an access touches in all iterations of a loop nest, as an array section.
#pragma once
#include "IterationRanges.h"
#include "QuietLoops.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm
namespace ompdsm {

/// `rows` repetitions of a section, `stride` bytes apart (it may be negative).
struct SectionDimension {
  const llvm::SCEV *stride, *rows;
  bool operator==(const SectionDimension &) const = default;
};

struct SectionComparison {
  unsigned predicate; ///< Of two integers.
  const llvm::SCEV *left, *right;
  bool operator==(const SectionComparison &) const = default;
};

/// A branch on something that is the same in all iterations, a condition or a comparison, or that
/// holds in some first or last ones of them.
struct SectionGuard {
  llvm::Value *condition = nullptr; ///< Null if one of those below says it.
  bool accessesIf = true;           ///< With this outcome the accesses are executed, else none is.
  std::optional<IterationRange> iterations = std::nullopt; ///< Those with accesses,
  const llvm::Loop *loop = nullptr;                        ///< of this loop.
  std::optional<SectionComparison> comparison = std::nullopt;
  bool operator==(const SectionGuard &) const = default;
};

/// Rows of `bytes` contiguous bytes. Values of type i64, `begin` a pointer; all are invariant in
/// `loop`.
struct Section {
  static constexpr unsigned kMaxDimensions = 2;
  const llvm::SCEV *begin = nullptr;
  const llvm::SCEV *bytes = nullptr;
  llvm::SmallVector<SectionDimension, kMaxDimensions> dimensions;
  /// All must hold, or the section is empty. What one is made of may be poison if a later one does
  /// not hold.
  llvm::SmallVector<SectionGuard, 2> guards;
  std::int64_t accessBytes = 0;
  /// Bytes of a row between an access and the next one (0: none, negative: they overlap); nothing
  /// if that varies.
  std::optional<std::int64_t> gap = 0;
  llvm::Loop *loop = nullptr;      ///< The outermost loop that the section is the whole of.
  const char *stoppedBy = nullptr; ///< Why the next loop does not widen it; null if there is none.
};

/// Computes sections of accesses of one function. A section is a whole stack object of the
/// function, or exact up to gaps of kMaxGapBytes and never larger than what the program accesses
/// whenever the loop's preheader is reached: an access that depends on a condition that comes and
/// goes in a loop, or a loop whose number of iterations is unknown, ends it there.
///
/// Method: the recurrences of the address (Scalar Evolution), peeled off loop by loop from the
/// innermost, as array data-flow analyses do (Feautrier 1991 has the general problem).
class SectionAnalysis {
public:
  static constexpr unsigned kMaxGapBytes = 256;
  /// Of a stack object that is asked for whole: a few pages, of which the runtime has summaries.
  static constexpr std::uint64_t kMaxObjectBytes = 32 * 1024;

  SectionAnalysis(llvm::ScalarEvolution &evolution, const llvm::DominatorTree &dominators,
                  const QuietLoops &quiet)
      : evolution_(evolution), dominators_(dominators), quiet_(quiet) {}

  /// The section of an access of `bytes` bytes that is in `innermost`; `loop` is null if there is
  /// none.
  Section of(const llvm::Instruction &access, llvm::Value *pointer, std::uint64_t bytes,
             llvm::Loop *innermost) const;
  /// One execution of an access, in no loop.
  Section ofOne(llvm::Value &pointer, std::uint64_t bytes) const;
  /// The section of all executions of an instruction, of which one accesses `section`.
  /// `inIteration` is told what is accessed in each iteration of a loop, innermost first.
  Section widened(
      Section section, const llvm::Instruction &access, llvm::Loop *innermost,
      llvm::function_ref<void(const llvm::Loop &, const Section &)> inIteration = nullptr) const;

private:
  /// The whole of a stack object of this function, if nothing smaller is known to be accessed: its
  /// home is where its thread is, so that asking for it fetches nothing.
  std::optional<Section> ofOwnObject(const llvm::Value &pointer, llvm::Loop *innermost) const;
  /// Both return what is in the way, or null.
  const char *widen(Section &section, llvm::Loop &loop) const;
  const char *findGuards(const llvm::Instruction &access, const llvm::Loop *inner,
                         const llvm::Loop &loop, Section &section) const;
  /// False if nothing can be said of when the condition has this outcome.
  bool addGuard(llvm::Value &condition, bool outcome, const llvm::Loop &loop,
                Section &section) const;

  llvm::ScalarEvolution &evolution_;
  const llvm::DominatorTree &dominators_;
  const QuietLoops &quiet_;
};

} // namespace ompdsm
