// HullQuestions.cpp: see HullQuestions.h.
#include "HullQuestions.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Calls that the questions must spare.
constexpr unsigned kLeastSpared = 2;

/// Sections whose addresses are computed from the same pointer, and that are accessed in the same
/// way.
struct Hull {
  const SCEV *base;
  bool isWrite;
  SmallVector<const Section *, 8> sections;
};

/// None if the questions save too little.
SmallVector<Hull, 4> findHulls(const LoopAsking &asking, ScalarEvolution &evolution) {
  SmallVector<Hull, 4> hulls;
  for (const LoopAsking::Asked &asked : asking.sections) {
    const SCEV *base = evolution.getPointerBase(asked.section.begin);
    auto known = find_if(hulls, [&](const Hull &hull) {
      return hull.base == base && hull.isWrite == asked.isWrite;
    });
    if (known == hulls.end())
      known = hulls.insert(hulls.end(), Hull{base, asked.isWrite, {}});
    known->sections.push_back(&asked.section);
  }
  if (asking.sections.size() < hulls.size() + kLeastSpared)
    hulls.clear();
  return hulls;
}

/// Computes hulls at a place behind all that the sections are made of.
class HullBuilder {
public:
  HullBuilder(Instruction *place, SCEVExpander &expander, ScalarEvolution &evolution)
      : builder_(place), expander_(expander), evolution_(evolution) {}
  IRBuilder<> &builder() { return builder_; }

  /// Its first byte and its length, to be asked about. What an empty section adds may be anything.
  std::pair<Value *, Value *> extentOf(const Hull &hull) {
    Value *first = nullptr, *end = nullptr;
    for (const Section *section : hull.sections) {
      const SCEV *low = evolution_.getMinusSCEV(section->begin, hull.base), *high = low;
      for (const SectionDimension &dimension : section->dimensions) {
        const SCEV *none = evolution_.getZero(dimension.stride->getType());
        const SCEV *one = evolution_.getOne(dimension.rows->getType());
        const SCEV *reach =
            evolution_.getMulExpr(dimension.stride, evolution_.getMinusSCEV(dimension.rows, one));
        low = evolution_.getAddExpr(low, evolution_.getSMinExpr(reach, none));
        high = evolution_.getAddExpr(high, evolution_.getSMaxExpr(reach, none));
      }
      addTo(first, low, Intrinsic::smin, *section);
      addTo(end, evolution_.getAddExpr(high, section->bytes), Intrinsic::smax, *section);
    }
    Value *pointer = builder_.CreateGEP(builder_.getInt8Ty(), valueOf(hull.base), first);
    return {pointer, builder_.CreateSub(end, first)};
  }

private:
  Value *valueOf(const SCEV *expression) {
    return expander_.expandCodeFor(expression, expression->getType(), builder_.GetInsertPoint());
  }
  void addTo(Value *&limit, const SCEV *expression, Intrinsic::ID either, const Section &section) {
    Value *value = valueOf(expression);
    if (!section.guards.empty())
      value = builder_.CreateFreeze(value);
    limit = limit ? builder_.CreateBinaryIntrinsic(either, limit, value) : value;
  }

  IRBuilder<> builder_;
  SCEVExpander &expander_;
  ScalarEvolution &evolution_;
};

} // namespace

bool askOnlyOutsideHulls(const LoopAsking &asking, SCEVExpander &expander,
                         ScalarEvolution &evolution, const RuntimeCallees &callees,
                         DominatorTree &dominators, LoopInfo &loops) {
  const auto hulls = findHulls(asking, evolution);
  if (hulls.empty())
    return false;
  Instruction *end = asking.calls.front()->getParent()->getTerminator();
  HullBuilder extents(end, expander, evolution);
  IRBuilder<> &builder = extents.builder();
  builder.SetCurrentDebugLocation(asking.loop->getStartLoc());
  Value *answers = nullptr;
  for (const Hull &hull : hulls) {
    const auto [pointer, bytes] = extents.extentOf(hull);
    Value *answer = callees.call(
        builder, hull.isWrite ? Callee::__ompdsm_hull_writable : Callee::__ompdsm_hull_readable,
        {pointer, bytes});
    answers = answers ? builder.CreateAnd(answers, answer) : answer;
  }
  askOnlyIf(*builder.CreateICmpEQ(answers, builder.getInt32(0), "outside"), asking, end, dominators,
            loops);
  return true;
}

} // namespace ompdsm
