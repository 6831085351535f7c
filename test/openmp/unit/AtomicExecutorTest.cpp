// AtomicExecutorTest.cpp: each operation of ompdsm_atomic_op, on each type, as LLVM defines it.
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Atomics.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <thread>
#include <vector>

using namespace ompdsm;

namespace {

template <class T> T rmw(T &target, unsigned operation, T operand) {
  AtomicOperation op;
  op.kind = AtomicOperation::Kind::ReadModifyWrite;
  op.bytes = sizeof(T);
  op.operation = std::uint8_t(operation);
  std::memcpy(op.operand, &operand, sizeof(T));
  alignas(16) std::byte old[16] = {};
  executeAtomic(&target, op, old);
  T result;
  std::memcpy(&result, old, sizeof(T));
  return result;
}

template <class T> T after(unsigned operation, T before, T operand) {
  T target = before;
  EXPECT_EQ(std::memcmp(&before, &target, sizeof(T)), 0);
  T old = rmw(target, operation, operand);
  EXPECT_EQ(std::memcmp(&before, &old, sizeof(T)), 0) << "operation " << operation;
  return target;
}

template <class T> void checkIntegers() {
  constexpr T top = std::numeric_limits<T>::max(); // -1 as a signed number.
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_XCHG, 3, 9), T(9));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_ADD, top, 2), T(1));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_SUB, 1, 2), top);
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_AND, 12, 10), T(8));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_NAND, 12, 10), T(~T(8)));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_OR, 12, 10), T(14));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_XOR, 12, 10), T(6));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_MAX, top, 1), T(1));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_MIN, 1, top), top);
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_UMAX, 1, top), top);
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_UMIN, top, 1), T(1));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_UINC_WRAP, 4, 4), T(0));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_UINC_WRAP, 3, 4), T(4));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_UDEC_WRAP, 0, 4), T(4));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_UDEC_WRAP, 5, 4), T(4));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_UDEC_WRAP, 3, 4), T(2));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_USUB_COND, 3, 4), T(3));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_USUB_COND, 5, 4), T(1));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_USUB_SAT, 3, 4), T(0));
}

template <class T> void checkFloats() {
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_FADD, T(1.5), T(2)), T(3.5));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_FSUB, T(1.5), T(2)), T(-0.5));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_FMAX, T(1.5), T(2)), T(2));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_FMIN, T(1.5), T(2)), T(1.5));
  T nan = T(std::nan(""));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_FMAX, nan, T(2)), T(2));
  EXPECT_EQ(after<T>(OMPDSM_ATOMIC_FMIN, T(2), nan), T(2));
}

std::uint64_t timesAndOne(std::uint64_t old, std::uint64_t operand) { return old * operand + 1; }

template <class T> T applied(T before, std::uint64_t operand) {
  AtomicOperation op;
  op.kind = AtomicOperation::Kind::ReadModifyWrite;
  op.bytes = sizeof(T);
  op.operation = OMPDSM_ATOMIC_APPLY;
  std::memcpy(op.operand, &operand, sizeof(operand));
  op.setCompanion(reinterpret_cast<std::uintptr_t>(&timesAndOne));
  T target = before;
  alignas(16) std::byte old[16] = {};
  executeAtomic(&target, op, old);
  EXPECT_EQ(std::memcmp(&before, old, sizeof(T)), 0);
  return target;
}

TEST(AtomicExecutor, AppliesAFunctionOfTheProgram) {
  EXPECT_EQ(applied<std::uint8_t>(200, 3), std::uint8_t(601));
  EXPECT_EQ(applied<std::uint16_t>(40000, 3), std::uint16_t(120001));
  EXPECT_EQ(applied<std::uint32_t>(7, 3), 22u);
  EXPECT_EQ(applied<std::uint64_t>(1ull << 40, 4), (1ull << 42) + 1);
}

} // namespace

TEST(AtomicExecutor, IntegersOfAllSizes) {
  checkIntegers<std::uint8_t>();
  checkIntegers<std::uint16_t>();
  checkIntegers<std::uint32_t>();
  checkIntegers<std::uint64_t>();
}

TEST(AtomicExecutor, FloatingPointOfAllSizes) {
  checkFloats<_Float16>();
  checkFloats<float>();
  checkFloats<double>();
}

TEST(AtomicExecutor, SixteenBytesAtOnce) {
  alignas(16) std::uint64_t pair[2] = {1, 2};
  AtomicOperation op;
  op.bytes = 16;
  op.kind = AtomicOperation::Kind::CompareExchange;
  std::uint64_t expected[2] = {1, 2}, desired[2] = {3, 4}, old[2] = {};
  std::memcpy(op.operand, expected, 16);
  std::memcpy(op.desired, desired, 16);
  executeAtomic(pair, op, reinterpret_cast<std::byte *>(old));
  EXPECT_EQ(old[1], 2u);
  EXPECT_EQ(pair[0], 3u);
  executeAtomic(pair, op, reinterpret_cast<std::byte *>(old)); // Now it does not compare equal.
  EXPECT_EQ(old[0], 3u);
  EXPECT_EQ(pair[1], 4u);
  op.kind = AtomicOperation::Kind::Store;
  executeAtomic(pair, op, reinterpret_cast<std::byte *>(old));
  EXPECT_EQ(pair[0], 1u);
  op.kind = AtomicOperation::Kind::Load;
  executeAtomic(pair, op, reinterpret_cast<std::byte *>(old));
  EXPECT_EQ(old[1], 2u);
}

TEST(AtomicExecutor, NeighbouringBytesStay) {
  std::uint8_t bytes[4] = {1, 2, 3, 4};
  rmw(bytes[1], OMPDSM_ATOMIC_NAND, std::uint8_t(0));
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[1], 0xff);
  EXPECT_EQ(bytes[2], 3);
}

TEST(AtomicExecutor, ConcurrentUpdatesAreNotLost) {
  double sum = 0;
  std::uint32_t product = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; ++i) {
        rmw(sum, OMPDSM_ATOMIC_FADD, 1.0);
        rmw(product, OMPDSM_ATOMIC_ADD, 1u);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum, 40000);
  EXPECT_EQ(product, 40000u);
}

TEST(AtomicExecutorDeathTest, CanaryAnOperationThatDoesNotExistIsRefused) {
  std::uint32_t target = 0;
  EXPECT_DEATH(rmw(target, 99, 1u), "ompdsm_atomic_op");
}
