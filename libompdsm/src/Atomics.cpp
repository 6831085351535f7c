// Atomics.cpp: the atomic entries of the ABI, but for updates (AtomicUpdates.cpp). See
// ompdsm/abi.def for their contracts.
#include "libompdsm/src/Atomics.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Attention.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include <cstring>

namespace ompdsm {

namespace {

bool releases(std::int32_t order) { return order >= __ATOMIC_RELEASE; }
bool acquires(std::int32_t order) {
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order >= __ATOMIC_ACQ_REL;
}

/// The thread's release before an operation that other nodes may observe and order themselves
/// after.
void releaseBefore(std::int32_t order) {
  if (releases(order) || isReleaseOwed())
    releaseHere();
}
void acquireAfter(std::int32_t order) {
  if (acquires(order))
    acquireHere();
}

/// Memory of this node alone needs the processor's ordering only: what is released inside the node
/// reaches other nodes by the next release that does.
void perform(void *target, const AtomicOperation &operation, std::int32_t order, std::byte *old) {
  if (!isShared(target))
    return executeAtomic(target, operation, old);
  releaseBefore(order);
  runtime()->engine->atomic(currentRegistration(), reinterpret_cast<Address>(target), operation,
                            old);
  acquireAfter(order);
  // Who adds to numbers of its own all the time is asked for others' by who adds at the border.
  if (isAttentionWanted())
    attend();
}

AtomicOperation operationOf(AtomicOperation::Kind kind, std::int32_t bytes, std::uint64_t operand) {
  AtomicOperation operation;
  operation.kind = kind;
  operation.bytes = std::uint8_t(bytes);
  std::memcpy(operation.operand, &operand, sizeof(operand));
  return operation;
}

std::uint64_t performWord(void *target, const AtomicOperation &operation, std::int32_t order) {
  alignas(16) std::byte old[16] = {};
  perform(target, operation, order, old);
  std::uint64_t value = 0;
  std::memcpy(&value, old, operation.bytes);
  return value;
}

/// Whether hardware and engine do it in one step: a power of two up to 16 bytes, naturally aligned.
bool isOneStep(std::uint64_t bytes, const void *target) {
  bool size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  return size && reinterpret_cast<Address>(target) % bytes == 0;
}

AtomicOperation sizedOperation(AtomicOperation::Kind kind, std::uint64_t bytes,
                               const void *operand) {
  AtomicOperation operation;
  operation.kind = kind;
  operation.bytes = std::uint8_t(bytes);
  if (operand)
    std::memcpy(operation.operand, operand, bytes);
  return operation;
}

/// Guards all objects of odd sizes in memory of this process alone. Here and not in Runtime because
/// such operations may come before the runtime exists. Innermost.
constinit std::mutex privateObjects;

/// Runs `body` while no other sized operation on `target` runs on any node, with permission to read
/// and write it. The lock's acquire and release order more than any memory_order asks for.
template <class Body> void underLock(void *target, std::uint64_t bytes, Body body) {
  if (!isShared(target)) {
    std::lock_guard guard(privateObjects);
    body();
    return;
  }
  LockScope guard(team().locks(), reinterpret_cast<Address>(target));
  runtime()->engine->ensure(reinterpret_cast<Address>(target), bytes, Access::Write);
  body();
}

/// The value and result operands may be shared memory, too.
void ensureOperand(const void *operand, std::uint64_t bytes, Access access) {
  if (isShared(operand))
    runtime()->engine->ensure(reinterpret_cast<Address>(operand), bytes, access);
}

using Kind = AtomicOperation::Kind;

} // namespace
} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT std::uint64_t __ompdsm_atomic_load(void *p, std::int32_t bytes, std::int32_t order) {
  return performWord(p, operationOf(Kind::Load, bytes, 0), order);
}

OMPDSM_EXPORT void __ompdsm_atomic_store(void *p, std::uint64_t value, std::int32_t bytes,
                                         std::int32_t order) {
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE) {
    performWord(p, operationOf(Kind::Store, bytes, value), order);
    return;
  }
  // An exchange whose old value nobody wants: nothing that the thread does later need come behind
  // it, but its accesses of the same place, which do.
  if (isShared(p))
    releaseBefore(order);
  __ompdsm_atomic_update(p, value, OMPDSM_ATOMIC_XCHG, bytes);
}

OMPDSM_EXPORT std::uint64_t __ompdsm_atomic_rmw(void *p, std::uint64_t operand, std::int32_t op,
                                                std::int32_t bytes, std::int32_t order) {
  AtomicOperation operation = operationOf(Kind::ReadModifyWrite, bytes, operand);
  operation.operation = std::uint8_t(op);
  return performWord(p, operation, order);
}

OMPDSM_EXPORT std::uint64_t __ompdsm_atomic_apply_old(void *p, std::uint64_t operand,
                                                      void *function, std::int32_t bytes) {
  AtomicOperation operation = operationOf(Kind::ReadModifyWrite, bytes, operand);
  operation.operation = OMPDSM_ATOMIC_APPLY;
  operation.setCompanion(reinterpret_cast<std::uintptr_t>(function));
  return performWord(p, operation, __ATOMIC_RELAXED);
}

OMPDSM_EXPORT std::uint64_t __ompdsm_atomic_cmpxchg(void *p, std::uint64_t expected,
                                                    std::uint64_t desired, std::int32_t bytes,
                                                    std::int32_t order) {
  AtomicOperation operation = operationOf(Kind::CompareExchange, bytes, expected);
  std::memcpy(operation.desired, &desired, sizeof(desired));
  return performWord(p, operation, order);
}

OMPDSM_EXPORT void __ompdsm_atomic_load_sized(std::uint64_t bytes, void *p, void *result,
                                              std::int32_t order) {
  alignas(16) std::byte old[16];
  if (isOneStep(bytes, p)) {
    perform(p, sizedOperation(Kind::Load, bytes, nullptr), order, old);
    ensureOperand(result, bytes, Access::Write);
    std::memcpy(result, old, bytes);
    return;
  }
  underLock(p, bytes, [=] {
    ensureOperand(result, bytes, Access::Write);
    std::memcpy(result, p, bytes);
  });
}

OMPDSM_EXPORT void __ompdsm_atomic_store_sized(std::uint64_t bytes, void *p, void *value,
                                               std::int32_t order) {
  alignas(16) std::byte old[16];
  ensureOperand(value, bytes, Access::Read);
  if (isOneStep(bytes, p))
    return perform(p, sizedOperation(Kind::Store, bytes, value), order, old);
  underLock(p, bytes, [=] {
    ensureOperand(value, bytes, Access::Read);
    std::memcpy(p, value, bytes);
  });
}

OMPDSM_EXPORT void __ompdsm_atomic_exchange_sized(std::uint64_t bytes, void *p, void *value,
                                                  void *result, std::int32_t order) {
  alignas(16) std::byte old[16];
  ensureOperand(value, bytes, Access::Read);
  if (isOneStep(bytes, p)) {
    perform(p, sizedOperation(Kind::Exchange, bytes, value), order, old);
    ensureOperand(result, bytes, Access::Write);
    std::memcpy(result, old, bytes);
    return;
  }
  underLock(p, bytes, [=] {
    ensureOperand(value, bytes, Access::Read);
    ensureOperand(result, bytes, Access::Write);
    std::memcpy(result, p, bytes);
    std::memcpy(p, value, bytes);
  });
}

OMPDSM_EXPORT std::int32_t __ompdsm_atomic_cmpxchg_sized(std::uint64_t bytes, void *p,
                                                         void *expected, void *desired,
                                                         std::int32_t success,
                                                         std::int32_t failure) {
  ensureOperand(expected, bytes, Access::Read);
  ensureOperand(desired, bytes, Access::Read);
  if (isOneStep(bytes, p)) {
    AtomicOperation operation = sizedOperation(Kind::CompareExchange, bytes, expected);
    std::memcpy(operation.desired, desired, bytes);
    alignas(16) std::byte old[16];
    perform(p, operation, std::max(success, failure), old);
    if (std::memcmp(old, operation.operand, bytes) == 0)
      return 1;
    ensureOperand(expected, bytes, Access::Write);
    std::memcpy(expected, old, bytes);
    return 0;
  }
  bool equal = false;
  underLock(p, bytes, [=, &equal] {
    ensureOperand(expected, bytes, Access::Write);
    ensureOperand(desired, bytes, Access::Read);
    equal = std::memcmp(p, expected, bytes) == 0;
    std::memcpy(equal ? p : expected, equal ? desired : p, bytes);
  });
  return equal;
}

OMPDSM_EXPORT void __ompdsm_fence(std::int32_t order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!jobIsSpread())
    return;
  if (releases(order))
    releaseHere();
  if (acquires(order))
    acquireHere();
}
