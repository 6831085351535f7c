// SectionChecks.cpp: see SectionChecks.h.
#include "SectionChecks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;

namespace ompdsm {
namespace {

std::optional<std::int64_t> constantOf(const SCEV *value) {
  const auto *constant = dyn_cast<SCEVConstant>(value);
  if (!constant || constant->getAPInt().getSignificantBits() > 64)
    return std::nullopt;
  return constant->getAPInt().getSExtValue();
}

class Merger {
public:
  explicit Merger(ScalarEvolution &evolution) : se_(evolution) {}

  /// Widens `wide` to hold `other`, too, if they may be one.
  bool absorb(SectionCheck &wide, const SectionCheck &other) const {
    if (wide.section.loop != other.section.loop ||
        wide.section.dimensions != other.section.dimensions)
      return false;
    const bool sameGuards = wide.section.guards == other.section.guards;
    if (!sameGuards && !wide.section.guards.empty() && !other.section.guards.empty())
      return false;
    const auto distance = differenceOf(other.section.begin, wide.section.begin);
    const auto growth =
        distance ? constantOf(se_.getMinusSCEV(endOf(other.section), endOf(wide.section)))
                 : std::nullopt;
    if (!distance || !growth)
      return false;
    const bool inside = *distance >= 0 && *growth <= 0, around = *distance <= 0 && *growth >= 0;
    // What is not always accessed is covered by what is, and changes nothing.
    if (!sameGuards && !(wide.section.guards.empty() ? inside && wide.isWrite >= other.isWrite
                                                     : around && other.isWrite >= wide.isWrite))
      return false;
    if (wide.isWrite != other.isWrite) {
      // What is written may be read; but what is only read must not make the node a writer.
      if (wide.isWrite ? !inside : !around)
        return false;
    } else if (!inside && !around && !areNear(wide.section, other.section, *distance)) {
      return false;
    }
    const SCEV *begin = *distance < 0 ? other.section.begin : wide.section.begin;
    const SCEV *end = endOf(*growth > 0 ? other.section : wide.section);
    wide.section.bytes = se_.getMinusSCEV(end, begin);
    wide.section.begin = begin;
    if (!sameGuards)
      wide.section.guards.clear();
    wide.isWrite |= other.isWrite;
    return true;
  }

private:
  std::optional<std::int64_t> differenceOf(const SCEV *a, const SCEV *b) const {
    const SCEV *difference = se_.getMinusSCEV(a, b);
    return isa<SCEVCouldNotCompute>(difference) ? std::nullopt : constantOf(difference);
  }
  const SCEV *endOf(const Section &section) const {
    return se_.getAddExpr(section.begin, section.bytes);
  }
  /// The gap between them, in either order.
  bool areNear(const Section &a, const Section &b, std::int64_t distance) const {
    const Section &first = distance < 0 ? b : a;
    // At least the last access of a row is as long as this constant part says; a symbolic length
    // that is not negative only brings them nearer.
    const auto length = constantOf(first.bytes);
    return std::abs(distance) - length.value_or(0) <= SectionAnalysis::kMaxGapBytes;
  }

  ScalarEvolution &se_;
};

} // namespace

SmallVector<SectionCheck, 16> mergeSections(ArrayRef<SectionCheck> checks,
                                            ScalarEvolution &evolution) {
  SmallVector<SectionCheck, 16> merged(checks);
  const Merger merger(evolution);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < merged.size(); ++i)
      for (std::size_t k = i + 1; k < merged.size();)
        if (merger.absorb(merged[i], merged[k])) {
          merged.erase(merged.begin() + k);
          changed = true;
        } else {
          ++k;
        }
  }
  return merged;
}

bool canEmit(const Section &section, SCEVExpander &expander) {
  const Instruction *place = section.loop->getLoopPreheader()->getTerminator();
  const auto fits = [&](const SCEV *value) { return expander.isSafeToExpandAt(value, place); };
  return fits(section.begin) && fits(section.bytes) &&
         all_of(section.guards,
                [&](const SectionGuard &guard) {
                  if (guard.comparison)
                    return fits(guard.comparison->left) && fits(guard.comparison->right);
                  return !guard.iterations ||
                         (fits(guard.iterations->first) && fits(guard.iterations->length));
                }) &&
         all_of(section.dimensions, [&](const SectionDimension &dimension) {
           return fits(dimension.stride) && fits(dimension.rows);
         });
}

Value *ifGuardsHold(const Section &section, Value *count, SCEVExpander &expander,
                    IRBuilderBase &builder) {
  for (const SectionGuard &guard : section.guards) {
    Value *none = ConstantInt::get(count->getType(), 0);
    const auto value = [&](const SCEV *expression) {
      return expander.expandCodeFor(expression, expression->getType(), builder.GetInsertPoint());
    };
    if (guard.comparison) {
      const auto [predicate, left, right] = *guard.comparison;
      count = builder.CreateSelect(
          builder.CreateICmp(CmpInst::Predicate(predicate), value(left), value(right)), count,
          none);
      continue;
    }
    if (guard.iterations) {
      count = builder.CreateSelect(builder.CreateICmpNE(value(guard.iterations->length), none),
                                   count, none);
      continue;
    }
    count = guard.accessesIf ? builder.CreateSelect(guard.condition, count, none)
                             : builder.CreateSelect(guard.condition, none, count);
  }
  return count;
}

SmallVector<Value *, 2 * Section::kMaxDimensions>
dimensionArguments(const Section &section, SCEVExpander &expander, IRBuilderBase &builder) {
  SmallVector<Value *, 2 * Section::kMaxDimensions> arguments;
  for (const SectionDimension &dimension : section.dimensions)
    for (const SCEV *value : {dimension.stride, dimension.rows})
      arguments.push_back(
          expander.expandCodeFor(value, value->getType(), builder.GetInsertPoint()));
  for (auto i = section.dimensions.size(); i < Section::kMaxDimensions; ++i) {
    arguments.push_back(builder.getInt64(0));
    arguments.push_back(builder.getInt64(1));
  }
  return arguments;
}

CallInst *emitSectionCheck(const SectionCheck &check, Asking asking, SCEVExpander &expander,
                           const RuntimeCallees &callees) {
  const Section &section = check.section;
  Instruction *place = section.loop->getLoopPreheader()->getTerminator();
  IRBuilder<> builder(place);
  builder.SetCurrentDebugLocation(check.access->getDebugLoc());
  const auto value = [&](const SCEV *expression) {
    return expander.expandCodeFor(expression, expression->getType(), place->getIterator());
  };
  SmallVector<Value *, 6> arguments{value(section.begin), value(section.bytes)};
  if (!section.dimensions.empty())
    append_range(arguments, dimensionArguments(section, expander, builder));
  // No rows, or one without bytes.
  Value *&extent = arguments[section.dimensions.empty() ? 1 : 3];
  extent = ifGuardsHold(section, extent, expander, builder);
  // By whether there are dimensions, the section is written, and it is asked for together.
  static constexpr Callee kCallees[2][2][2] = {
      {{Callee::__ompdsm_loop_read, Callee::__ompdsm_loop_note_read},
       {Callee::__ompdsm_loop_write, Callee::__ompdsm_loop_note_write}},
      {{Callee::__ompdsm_section_read, Callee::__ompdsm_section_note_read},
       {Callee::__ompdsm_section_write, Callee::__ompdsm_section_note_write}}};
  return callees.call(
      builder, kCallees[!section.dimensions.empty()][check.isWrite][asking == Asking::Together],
      arguments);
}

CallInst *emitAsking(Loop &loop, const RuntimeCallees &callees) {
  IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
  builder.SetCurrentDebugLocation(loop.getStartLoc());
  return callees.call(builder, Callee::__ompdsm_sections_ask, {});
}

} // namespace ompdsm
