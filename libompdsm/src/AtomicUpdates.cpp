// AtomicUpdates.cpp: atomic updates whose old value nobody wants; most of them add something. Where
// sums are kept of what they change (protocol/engine/Sums.h), a thread adds to these here, and
// nothing else is done.
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/Atomics.h"
#include "libompdsm/src/Attention.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/ThreadContext.h"
#include "protocol/engine/Sums.h"
#include <bit>
#include <cstring>

namespace ompdsm {

namespace {

/// As an operation of which zero is the identity, if it is one of those that commute.
AtomicOperation updateOf(std::uint64_t operand, std::int32_t op, std::int32_t bytes) {
  AtomicOperation operation;
  operation.kind = AtomicOperation::Kind::ReadModifyWrite;
  operation.bytes = std::uint8_t(bytes);
  operation.operation = std::uint8_t(op);
  switch (op) {
  case OMPDSM_ATOMIC_SUB:
    operation.operation = OMPDSM_ATOMIC_ADD;
    operand = -operand;
    [[fallthrough]];
  case OMPDSM_ATOMIC_ADD:
  case OMPDSM_ATOMIC_OR:
  case OMPDSM_ATOMIC_XOR:
    operation.combines = true;
    break;
  case OMPDSM_ATOMIC_UMAX:
    operation.combines = operation.isExtreme = true;
    break;
  case OMPDSM_ATOMIC_UMIN:
  case OMPDSM_ATOMIC_MAX:
  case OMPDSM_ATOMIC_MIN:
    operation.isExtreme = true;
    break;
  case OMPDSM_ATOMIC_FSUB:
    operation.operation = OMPDSM_ATOMIC_FADD;
    operand ^= std::uint64_t(1) << (bytes * 8 - 1);
    [[fallthrough]];
  case OMPDSM_ATOMIC_FADD:
    operation.combines = bytes >= 4; // Sums of sums are rounded otherwise; in 16 bits, by much.
    break;
  }
  std::memcpy(operation.operand, &operand, sizeof(operand));
  return operation;
}

template <class Number> Number operandOf(const AtomicOperation &operation) {
  Number operand;
  std::memcpy(&operand, operation.operand, sizeof(operand));
  return operand;
}

template <class Float, class Bits> void addFloat(std::byte *sum, Float operand) {
  auto *const target = reinterpret_cast<Bits *>(sum);
  Bits old = __atomic_load_n(target, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(target, &old,
                                      std::bit_cast<Bits>(std::bit_cast<Float>(old) + operand),
                                      /*weak=*/true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
}

/// As executeAtomic; what programs add most comes first.
void addTo(std::byte *sum, const AtomicOperation &operation) {
  const bool isWide = operation.bytes == 8;
  alignas(16) std::byte unwanted[16];
  if (operation.operation == OMPDSM_ATOMIC_ADD && isWide)
    __atomic_fetch_add(reinterpret_cast<std::uint64_t *>(sum), operandOf<std::uint64_t>(operation),
                       __ATOMIC_SEQ_CST);
  else if (operation.operation == OMPDSM_ATOMIC_ADD && operation.bytes == 4)
    __atomic_fetch_add(reinterpret_cast<std::uint32_t *>(sum), operandOf<std::uint32_t>(operation),
                       __ATOMIC_SEQ_CST);
  else if (operation.operation == OMPDSM_ATOMIC_FADD && isWide)
    addFloat<double, std::uint64_t>(sum, operandOf<double>(operation));
  else if (operation.operation == OMPDSM_ATOMIC_FADD)
    addFloat<float, std::uint32_t>(sum, operandOf<float>(operation));
  else
    executeAtomic(sum, operation, unwanted);
}

/// Sums of floating-point numbers are rounded otherwise than one addition after the other.
bool mayCombine(const Runtime &job, const AtomicOperation &operation) {
  return operation.combines &&
         (operation.operation != OMPDSM_ATOMIC_FADD || job.options.sums == kSumAll);
}

void update(void *p, AtomicOperation operation) {
  const auto address = reinterpret_cast<Address>(p);
  const StateTable states(AddressSpace::stateTable());
  const bool isSummed = states.stateAt(address) == BlockState::Summed; // so it is shared
  if (!isSummed && !isShared(p)) {
    alignas(16) std::byte unwanted[16];
    return executeAtomic(p, operation, unwanted);
  }
  Runtime &job = *runtime();
  operation.combines = mayCombine(job, operation);
  if (isReleaseOwed())
    releaseHere();
  // Who takes the sums knows of threads that are attached and may hold permissions.
  const Sums::Added added =
      isSummed && operation.combines && currentThread.registration && currentThread.online
          ? job.engine->sums().add(address, operation, states,
                                   [&](std::byte *sum) { addTo(sum, operation); })
          : Sums::Added::No;
  if (added == Sums::Added::No)
    job.engine->update(currentRegistration(), address, operation);
  else if (added == Sums::Added::Late)
    job.engine->settle(address, operation);
  if (isAttentionWanted())
    attend();
}

} // namespace
} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void __ompdsm_atomic_update(void *p, std::uint64_t operand, std::int32_t op,
                                          std::int32_t bytes) {
  update(p, updateOf(operand, op, bytes));
}

OMPDSM_EXPORT void __ompdsm_atomic_apply(void *p, std::uint64_t operand, void *function,
                                         std::int32_t bytes) {
  AtomicOperation operation = updateOf(operand, OMPDSM_ATOMIC_APPLY, bytes);
  operation.setCompanion(reinterpret_cast<std::uintptr_t>(function));
  update(p, operation);
}
