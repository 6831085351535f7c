// SharedStacksTest.cpp: when a stack may be used again, and the switch to one.
#include "libompdsm/src/SharedStacks.h"
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ompdsm;

namespace {

constexpr std::size_t kAreaBytes = 64 << 20;
constexpr std::size_t kStackBytes = 1 << 20;

class SharedStacksTest : public testing::Test {
protected:
  SharedStacksTest()
      : memory_(mmap(nullptr, kAreaBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
        stacks_({reinterpret_cast<Address>(memory_),
                 reinterpret_cast<Address>(memory_) + kAreaBytes}) {}
  ~SharedStacksTest() override { munmap(memory_, kAreaBytes); }

  SharedStack *acquire(std::size_t bytes = kStackBytes) {
    auto held = stacks_.hold();
    return stacks_.acquire(bytes);
  }
  void created(SharedStack *stack, pthread_t handle, bool isDetached) {
    auto held = stacks_.hold();
    stacks_.noteCreated(stack, handle, isDetached);
  }
  void *const memory_;
  SharedStacks stacks_;
};

TEST_F(SharedStacksTest, stacksInUseAreApart) {
  SharedStack *a = acquire(), *b = acquire();
  ASSERT_TRUE(a && b);
  EXPECT_GE(a->range.bytes(), kStackBytes);
  EXPECT_GE(b->range.begin, a->range.end + SharedStack::kBelowBytes);
  std::memset(reinterpret_cast<void *>(a->range.begin), 1, a->range.bytes());
}

TEST_F(SharedStacksTest, theGuardPageCanBeReadButNotWritten) {
  SharedStack *stack = acquire();
  auto *guard = reinterpret_cast<volatile char *>(stack->range.begin - 1);
  EXPECT_EQ(*guard, 0);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL); // Libraries below libfabric catch it.
    *guard = 1;
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
}

TEST_F(SharedStacksTest, aJoinedThreadsStackIsUsedAgain) {
  SharedStack *stack = acquire();
  created(stack, pthread_self(), false);
  EXPECT_NE(acquire(), stack);
  stacks_.noteJoined(pthread_self());
  EXPECT_EQ(acquire(), stack);
}

TEST_F(SharedStacksTest, aThreadThatEndedWithoutJoinKeepsItsStack) {
  SharedStack *stack = acquire();
  created(stack, pthread_self(), false);
  stack->thread.store(0x7ffffff0); // No thread has this number.
  EXPECT_NE(acquire(), stack) << "its control block is still in the C library's list";
}

TEST_F(SharedStacksTest, aDetachedThreadKeepsItsStackUntilTheKernelForgetsIt) {
  SharedStack *stack = acquire();
  created(stack, pthread_self(), false);
  stacks_.noteDetached(pthread_self());
  EXPECT_NE(acquire(), stack) << "it has not started";
  stack->thread.store(gettid());
  EXPECT_NE(acquire(), stack) << "it runs";
  stack->thread.store(0x7ffffff0);
  EXPECT_EQ(acquire(), stack);
}

TEST_F(SharedStacksTest, aUsedUpAreaAnswersNull) {
  EXPECT_EQ(acquire(kAreaBytes), nullptr) << "there is no room for the guard";
  unsigned count = 0;
  while (acquire())
    ++count;
  EXPECT_GT(count, kAreaBytes / (2 * kStackBytes));
  EXPECT_LE(count, kAreaBytes / kStackBytes);
}

TEST_F(SharedStacksTest, aLargeStackIsNotSpentOnASmallThread) {
  SharedStack *large = acquire(16 * kStackBytes);
  created(large, pthread_self(), false);
  stacks_.noteJoined(pthread_self());
  EXPECT_NE(acquire(kStackBytes), large);
  EXPECT_EQ(acquire(16 * kStackBytes), large);
}

TEST_F(SharedStacksTest, aFunctionRunsOnTheStackItIsGiven) {
  struct Seen {
    Address local = 0;
    double sum = 0;
  } seen;
  SharedStack *stack = acquire();
  const double before = 1.5; // Survives in whatever register it lives.
  callOnStack(
      stack->range,
      [](void *p) {
        volatile double numbers[100];
        auto *result = static_cast<Seen *>(p);
        result->local = reinterpret_cast<Address>(&numbers);
        for (int i = 0; i < 100; ++i)
          numbers[i] = i;
        for (double number : numbers)
          result->sum += number;
      },
      &seen);
  EXPECT_TRUE(stack->range.contains(seen.local));
  EXPECT_EQ(seen.sum * before, 4950 * 1.5);
}

} // namespace
