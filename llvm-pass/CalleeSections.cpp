// CalleeSections.cpp: see CalleeSections.h.
#include "CalleeSections.h"
#include "CoveredAccesses.h"
#include "UncheckedClones.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Accesses of one function, and sections that they are joined to, of which each call has as many.
constexpr unsigned kMaxAccesses = 200, kMaxSections = 16;

/// Expressions of a callee in terms of its caller; null where that is not possible.
class Translator {
public:
  Translator(const CallBase &call, ScalarEvolution &evolution) : call_(call), se_(evolution) {}

  const SCEV *of(const SCEV *expression) {
    const auto [known, added] = known_.try_emplace(expression, nullptr);
    if (!added)
      return known->second;
    const SCEV *translated = translate(*expression);
    return known_[expression] = translated;
  }

  bool translate(Section &section) {
    bool all = replace(section.begin) && replace(section.bytes);
    for (SectionDimension &dimension : section.dimensions)
      all = all && replace(dimension.stride) && replace(dimension.rows);
    for (SectionGuard &guard : section.guards)
      all = all && translate(guard);
    return all;
  }

private:
  bool replace(const SCEV *&expression) {
    expression = of(expression);
    return expression;
  }

  bool translate(SectionGuard &guard) {
    return guard.comparison && replace(guard.comparison->left) && replace(guard.comparison->right);
  }

  const SCEV *translate(const SCEV &expression) {
    if (auto *constant = dyn_cast<SCEVConstant>(&expression))
      return se_.getConstant(constant->getValue());
    if (auto *unknown = dyn_cast<SCEVUnknown>(&expression))
      return ofValue(*unknown->getValue());
    SmallVector<const SCEV *, 4> operands;
    for (const SCEV *operand : expression.operands())
      if (!operands.emplace_back(of(operand)))
        return nullptr;
    switch (expression.getSCEVType()) {
    case scTruncate:
      return se_.getTruncateExpr(operands[0], expression.getType());
    case scZeroExtend:
      return se_.getZeroExtendExpr(operands[0], expression.getType());
    case scSignExtend:
      return se_.getSignExtendExpr(operands[0], expression.getType());
    case scAddExpr:
      return se_.getAddExpr(operands);
    case scMulExpr:
      return se_.getMulExpr(operands);
    case scUDivExpr:
      return se_.getUDivExpr(operands[0], operands[1]);
    case scSMaxExpr:
      return se_.getSMaxExpr(operands);
    case scUMaxExpr:
      return se_.getUMaxExpr(operands);
    case scSMinExpr:
      return se_.getSMinExpr(operands);
    case scUMinExpr:
      return se_.getUMinExpr(operands);
    default:
      return nullptr;
    }
  }

  const SCEV *ofValue(Value &value) {
    if (auto *argument = dyn_cast<Argument>(&value))
      return argument->hasByValAttr() ? nullptr
                                      : se_.getSCEV(call_.getArgOperand(argument->getArgNo()));
    return isa<Constant>(value) ? se_.getSCEV(&value) : nullptr;
  }

  const CallBase &call_;
  ScalarEvolution &se_;
  DenseMap<const SCEV *, const SCEV *> known_;
};

/// The sections of a function in its own terms.
class Summary {
public:
  Summary(Function &function, FunctionAnalysisManager &analyses)
      : function_(function), loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        quiet_(findQuietLoops(loops_, analyses.getResult<TargetLibraryAnalysis>(function))),
        sections_(evolution_, dominators_, quiet_) {
    for (const BasicBlock &block : function)
      if (succ_empty(&block))
        ends_.push_back(&block);
  }

  std::optional<SmallVector<SectionCheck, 16>> all() const {
    SmallVector<SectionCheck, 16> found;
    if (ends_.empty())
      return std::nullopt;
    for (Instruction &instruction : instructions(function_)) {
      // Nothing else may keep an access from being executed; what is called may ask by itself.
      if (!instruction.isTerminator() &&
          (!isGuaranteedToTransferExecutionToSuccessor(&instruction) ||
           (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction) &&
            instruction.mayReadOrWriteMemory())))
        return std::nullopt;
      if (!isa<LoadInst, StoreInst>(instruction) || !isCovered(instruction))
        continue;
      auto section = ofAccess(instruction);
      if (!section || found.size() == kMaxAccesses)
        return std::nullopt;
      found.push_back({std::move(*section), isa<StoreInst>(instruction), &instruction});
    }
    return mergeSections(found, evolution_);
  }

private:
  std::optional<Section> ofAccess(Instruction &access) const {
    const DataLayout &layout = function_.getParent()->getDataLayout();
    const TypeSize bytes = layout.getTypeStoreSize(getLoadStoreType(&access));
    if (bytes.isScalable())
      return std::nullopt;
    Loop *innermost = loops_.getLoopFor(access.getParent());
    Section section =
        sections_.of(access, getLoadStorePointerOperand(&access), bytes.getFixedValue(), innermost);
    if (innermost && (!section.loop || section.loop->getParentLoop()))
      return std::nullopt;
    for (SectionGuard &guard : section.guards)
      if (!compare(guard))
        return std::nullopt;
    const BasicBlock *block = section.loop ? section.loop->getLoopPreheader() : access.getParent();
    if (!addGuards(*block, section))
      return std::nullopt;
    section.loop = nullptr;
    section.gap = std::nullopt; // Others may read it between the stores.
    return section;
  }

  /// The conditions on the way from the function's entry to the block.
  bool addGuards(const BasicBlock &from, Section &section) const {
    for (const BasicBlock *block = &from; !all_of(
             ends_, [&](const BasicBlock *end) { return dominators_.dominates(block, end); });) {
      const BasicBlock *before = block->getSinglePredecessor();
      const auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
      if (!branch || loops_.getLoopFor(before))
        return false;
      if (branch->isConditional()) {
        SectionGuard guard{branch->getCondition(), branch->getSuccessor(0) == block};
        if (!compare(guard))
          return false;
        section.guards.push_back(guard);
      }
      block = before;
    }
    return true;
  }

  /// Says the same by a comparison of expressions; false if that is not possible.
  bool compare(SectionGuard &guard) const {
    if (guard.iterations) {
      const SCEV *length = guard.iterations->length;
      guard = {};
      guard.comparison = {CmpInst::ICMP_NE, length, evolution_.getZero(length->getType())};
      return true;
    }
    auto *compare = dyn_cast<ICmpInst>(guard.condition);
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
      return false;
    const auto predicate =
        guard.accessesIf ? compare->getPredicate() : compare->getInversePredicate();
    guard = {};
    guard.comparison = {predicate, evolution_.getSCEV(compare->getOperand(0)),
                        evolution_.getSCEV(compare->getOperand(1))};
    return true;
  }

  Function &function_;
  const LoopInfo &loops_;
  const DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  const QuietLoops quiet_;
  const SectionAnalysis sections_;
  SmallVector<const BasicBlock *, 2> ends_; ///< Where the function is left.
};

} // namespace

std::optional<SmallVector<SectionCheck, 16>> CalleeSections::of(CallBase &call) {
  Function *clone = uncheckedCloneOf(call);
  if (!clone)
    return std::nullopt;
  auto sections = Summary(*clone, analyses_).all();
  if (!sections || sections->empty() || sections->size() > kMaxSections)
    return std::nullopt;
  Translator translator(call, evolution_);
  for (SectionCheck &each : *sections) {
    if (!translator.translate(each.section))
      return std::nullopt;
    each.access = &call;
  }
  return sections;
}

std::optional<SmallVector<CalleeSection, 4>> widenedSections(CallBase &call, Loop &innermost,
                                                             CalleeSections &callees,
                                                             const SectionAnalysis &sections,
                                                             SCEVExpander &expander) {
  const auto one = callees.of(call);
  if (!one)
    return std::nullopt;
  SmallVector<CalleeSection, 4> all;
  for (const SectionCheck &each : *one) {
    const Section section = sections.widened(each.section, call, &innermost);
    if (!section.loop || !canEmit(section, expander))
      return std::nullopt;
    all.push_back({each, {section, each.isWrite, &call}});
  }
  return all;
}

} // namespace ompdsm
