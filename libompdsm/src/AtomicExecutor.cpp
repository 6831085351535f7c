// AtomicExecutor.cpp: performs atomic operations on this process's memory, natively.
#include "fabric/Check.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Atomics.h"
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>

namespace ompdsm {

namespace {

template <class T> T valueOf(const std::byte *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// Replaces the target by f(old value) with a compare-exchange loop; returns the old value.
template <class T, class Change> T update(T *target, Change f) {
  T old = __atomic_load_n(target, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(target, &old, f(old), /*weak=*/true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

template <class T> T combineIntegers(unsigned operation, T old, T operand) {
  using Signed = std::make_signed_t<T>;
  switch (operation) {
  case OMPDSM_ATOMIC_NAND:
    return T(~(old & operand));
  case OMPDSM_ATOMIC_MAX:
    return T(std::max(Signed(old), Signed(operand)));
  case OMPDSM_ATOMIC_MIN:
    return T(std::min(Signed(old), Signed(operand)));
  case OMPDSM_ATOMIC_UMAX:
    return std::max(old, operand);
  case OMPDSM_ATOMIC_UMIN:
    return std::min(old, operand);
  case OMPDSM_ATOMIC_UINC_WRAP:
    return old >= operand ? T(0) : T(old + 1);
  case OMPDSM_ATOMIC_UDEC_WRAP:
    return old == 0 || old > operand ? operand : T(old - 1);
  case OMPDSM_ATOMIC_USUB_COND:
    return old >= operand ? T(old - operand) : old;
  case OMPDSM_ATOMIC_USUB_SAT:
    return old >= operand ? T(old - operand) : T(0);
  }
  OMPDSM_CHECK(!"an operation of ompdsm_atomic_op");
  return old;
}

template <class Float, class T> T combineFloats(unsigned operation, T old, T operand) {
  Float a = std::bit_cast<Float>(old), b = std::bit_cast<Float>(operand), result = a;
  switch (operation) {
  case OMPDSM_ATOMIC_FADD:
    result = Float(a + b);
    break;
  case OMPDSM_ATOMIC_FSUB:
    result = Float(a - b);
    break;
  // IEEE 754 maxNum and minNum, as LLVM's fmax and fmin: a NaN loses against a number.
  case OMPDSM_ATOMIC_FMAX:
    result = b != b || a >= b ? a : b;
    break;
  case OMPDSM_ATOMIC_FMIN:
    result = b != b || a <= b ? a : b;
    break;
  default:
    OMPDSM_CHECK(!"a floating-point operation of ompdsm_atomic_op");
  }
  return std::bit_cast<T>(result);
}

template <class T> T combineFloatBits(unsigned operation, T old, T operand) {
  if constexpr (sizeof(T) == 2)
    return combineFloats<_Float16>(operation, old, operand);
  else if constexpr (sizeof(T) == 4)
    return combineFloats<float>(operation, old, operand);
  else if constexpr (sizeof(T) == 8)
    return combineFloats<double>(operation, old, operand);
  OMPDSM_CHECK(!"a floating-point type has 2, 4 or 8 bytes");
  return old;
}

/// As of __ompdsm_atomic_apply: of the old value and the operand.
using Function = std::uint64_t(std::uint64_t, std::uint64_t);

template <class T> T apply(T *target, const AtomicOperation &operation) {
  auto *const function = reinterpret_cast<Function *>(operation.companion());
  const auto operand = valueOf<std::uint64_t>(operation.operand);
  return update(target, [=](T old) { return T(function(old, operand)); });
}

template <class T> T readModifyWrite(T *target, unsigned operation, T operand) {
  switch (operation) {
  case OMPDSM_ATOMIC_XCHG:
    return __atomic_exchange_n(target, operand, __ATOMIC_SEQ_CST);
  case OMPDSM_ATOMIC_ADD:
    return __atomic_fetch_add(target, operand, __ATOMIC_SEQ_CST);
  case OMPDSM_ATOMIC_SUB:
    return __atomic_fetch_sub(target, operand, __ATOMIC_SEQ_CST);
  case OMPDSM_ATOMIC_AND:
    return __atomic_fetch_and(target, operand, __ATOMIC_SEQ_CST);
  case OMPDSM_ATOMIC_OR:
    return __atomic_fetch_or(target, operand, __ATOMIC_SEQ_CST);
  case OMPDSM_ATOMIC_XOR:
    return __atomic_fetch_xor(target, operand, __ATOMIC_SEQ_CST);
  case OMPDSM_ATOMIC_FADD:
  case OMPDSM_ATOMIC_FSUB:
  case OMPDSM_ATOMIC_FMAX:
  case OMPDSM_ATOMIC_FMIN:
    return update(target, [=](T old) { return combineFloatBits(operation, old, operand); });
  default:
    return update(target, [=](T old) { return combineIntegers(operation, old, operand); });
  }
}

template <class T> void execute(void *address, const AtomicOperation &operation, std::byte *out) {
  T *target = static_cast<T *>(address);
  T operand = valueOf<T>(operation.operand), old{};
  switch (operation.kind) {
  case AtomicOperation::Kind::Load:
    old = __atomic_load_n(target, __ATOMIC_SEQ_CST);
    break;
  case AtomicOperation::Kind::Store:
  case AtomicOperation::Kind::Exchange:
    old = __atomic_exchange_n(target, operand, __ATOMIC_SEQ_CST);
    break;
  case AtomicOperation::Kind::CompareExchange:
    old = operand;
    __atomic_compare_exchange_n(target, &old, valueOf<T>(operation.desired), /*weak=*/false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    break;
  case AtomicOperation::Kind::ReadModifyWrite:
    old = operation.operation == OMPDSM_ATOMIC_APPLY
              ? apply(target, operation)
              : readModifyWrite(target, operation.operation, operand);
    break;
  }
  std::memcpy(out, &old, sizeof(T));
}

/// Of one line. In the order of what is done most.
template <class T> void addLine(std::byte *line, unsigned operation, const std::byte *sums) {
  for (std::size_t at = 0; at < OMPDSM_LINE_BYTES; at += sizeof(T))
    if (const T sum = valueOf<T>(sums + at)) {
      T *const target = reinterpret_cast<T *>(line + at);
      if (operation == OMPDSM_ATOMIC_ADD)
        __atomic_fetch_add(target, sum, __ATOMIC_RELAXED);
      else
        readModifyWrite(target, operation, sum);
    }
}

using Pair = unsigned __int128;

/// cmpxchg16b, which every x86-64 processor since 2006 has; a load is an exchange of equal values.
/// In assembly, because the compiler's builtin calls libatomic unless the whole file assumes cx16.
Pair compareExchangePair(Pair *target, Pair expected, Pair desired) {
  auto low = std::uint64_t(expected), high = std::uint64_t(expected >> 64);
  asm volatile("lock cmpxchg16b %0"
               : "+m"(*target), "+a"(low), "+d"(high)
               : "b"(std::uint64_t(desired)), "c"(std::uint64_t(desired >> 64))
               : "memory", "cc");
  return Pair(high) << 64 | low;
}

void executePair(void *address, const AtomicOperation &operation, std::byte *out) {
  OMPDSM_CHECK(reinterpret_cast<std::uintptr_t>(address) % sizeof(Pair) == 0);
  Pair *target = static_cast<Pair *>(address);
  Pair operand = valueOf<Pair>(operation.operand), old = 0;
  switch (operation.kind) {
  case AtomicOperation::Kind::Load:
    old = compareExchangePair(target, 0, 0);
    break;
  case AtomicOperation::Kind::CompareExchange:
    old = compareExchangePair(target, operand, valueOf<Pair>(operation.desired));
    break;
  case AtomicOperation::Kind::Store:
  case AtomicOperation::Kind::Exchange:
    for (Pair expected = 0;; expected = old) {
      old = compareExchangePair(target, expected, operand);
      if (old == expected)
        break;
    }
    break;
  case AtomicOperation::Kind::ReadModifyWrite:
    OMPDSM_CHECK(!"read-modify-write operations have at most 8 bytes");
  }
  std::memcpy(out, &old, sizeof(Pair));
}

} // namespace

void executeAtomic(void *target, const AtomicOperation &operation, std::byte *old) {
  switch (operation.bytes) {
  case 1:
    return execute<std::uint8_t>(target, operation, old);
  case 2:
    return execute<std::uint16_t>(target, operation, old);
  case 4:
    return execute<std::uint32_t>(target, operation, old);
  case 8:
    return execute<std::uint64_t>(target, operation, old);
  case 16:
    return executePair(target, operation, old);
  }
  OMPDSM_CHECK(!"an atomic operation has 1, 2, 4, 8 or 16 bytes");
}

void addSums(std::byte *line, const AtomicOperation &operation, const std::byte *sums) {
  switch (operation.bytes) {
  case 1:
    return addLine<std::uint8_t>(line, operation.operation, sums);
  case 2:
    return addLine<std::uint16_t>(line, operation.operation, sums);
  case 4:
    return addLine<std::uint32_t>(line, operation.operation, sums);
  case 8:
    return addLine<std::uint64_t>(line, operation.operation, sums);
  }
  OMPDSM_CHECK(!"sums are of numbers of 1, 2, 4 or 8 bytes");
}

} // namespace ompdsm
