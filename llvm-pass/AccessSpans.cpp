// AccessSpans.cpp: see AccessSpans.h.
#include "AccessSpans.h"
#include "Compat.h"
#include "ompdsm/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Steps back from an address.
constexpr unsigned kMaxSteps = 8;
/// Indices and their factors are small; so nothing overflows.
constexpr unsigned kMaxBits = 16;

/// One step back: a value is itself behind a phi of nothing else, as loops have them at their
/// exits.
std::optional<Span> stripPhi(Span span) {
  auto *phi = dyn_cast<PHINode>(span.base);
  Value *only = phi ? phi->hasConstantValue() : nullptr;
  if (!only || isa<UndefValue>(only))
    return std::nullopt;
  span.base = only;
  return span;
}

Span stripConstants(Span span, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(span.base->getType()), 0);
  span.base =
      span.base->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  span.begin += offset.getSExtValue();
  span.end += offset.getSExtValue();
  return span;
}

/// The values that a small index may have.
std::optional<std::pair<std::int64_t, std::int64_t>> limitsOf(const Value &index,
                                                              const DataLayout &layout) {
  ConstantRange range = computeConstantRange(&index, /*ForSigned=*/true)
                            .intersectWith(ConstantRange::fromKnownBits(
                                computeKnownBits(&index, layout), /*IsSigned=*/true));
  const APInt low = range.getSignedMin(), high = range.getSignedMax();
  if (range.isEmptySet() || low.getSignificantBits() > kMaxBits ||
      high.getSignificantBits() > kMaxBits)
    return std::nullopt;
  return std::pair(low.getSExtValue(), high.getSExtValue());
}

/// One step back, over indices that are not constant.
std::optional<Span> stripIndices(Span span, const DataLayout &layout) {
  auto *element = dyn_cast<GEPOperator>(span.base);
  if (!element)
    return std::nullopt;
  const unsigned bits = layout.getIndexTypeSizeInBits(element->getType());
  IndexScales scales;
  APInt constant(bits, 0);
  if (!element->collectOffset(layout, bits, scales, constant))
    return std::nullopt;
  span.begin += constant.getSExtValue();
  span.end += constant.getSExtValue();
  for (auto &[index, scale] : scales) {
    const auto limits = limitsOf(*index, layout);
    if (!limits || scale.getSignificantBits() > kMaxBits)
      return std::nullopt;
    const std::int64_t first = limits->first * scale.getSExtValue(),
                       last = limits->second * scale.getSExtValue();
    span.begin += std::min(first, last);
    span.end += std::max(first, last);
  }
  if (span.end - span.begin > OMPDSM_LINE_BYTES)
    return std::nullopt;
  span.base = element->getPointerOperand();
  return span;
}

} // namespace

Span spanOf(const Access &access, const DataLayout &layout) {
  return stripConstants({access.pointer, 0, std::int64_t(access.bytes)}, layout);
}

Span widestSpanOf(const Access &access, const DataLayout &layout) {
  Span span = spanOf(access, layout);
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    std::optional<Span> next = stripPhi(span);
    if (!next)
      next = stripIndices(span, layout);
    if (!next)
      break;
    span = stripConstants(*next, layout);
  }
  return span;
}

} // namespace ompdsm
