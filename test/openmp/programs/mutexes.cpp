// RUN: %build-cpp
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// std::mutex and its companions, and those of POSIX, exclude the threads of all nodes, wherever the
// mutex lies; condition variables wake threads of other nodes; call_once runs once in the whole job.
#include "check.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <omp.h>
#include <pthread.h>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

enum { Rounds = 30 };
static std::mutex global;
static pthread_mutex_t posix = PTHREAD_MUTEX_INITIALIZER;
static long counts[8];
static std::once_flag once, throwing;
static int onceRuns, throwingRuns;

struct Account {
  std::mutex mutex;
  long value = 0;
};

static void deep(std::recursive_mutex &mutex, int depth) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  counts[2]++;
  if (depth > 0)
    deep(mutex, depth - 1);
}

int main() {
  std::recursive_mutex recursive;
  std::shared_mutex readers;
  std::timed_mutex timed;
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_mutex_t onStack;
  pthread_mutex_init(&onStack, nullptr);
  std::vector<std::unique_ptr<Account>> accounts;
  for (int i = 0; i < 10; i++)
    accounts.push_back(std::make_unique<Account>());
  int threads = 0, wrong = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int round = 0; round < Rounds; round++) {
      {
        std::lock_guard<std::mutex> lock(global);
        counts[0]++;
      }
      pthread_mutex_lock(&posix);
      counts[1]++;
      pthread_mutex_unlock(&posix);
      deep(recursive, 2);
      {
        std::unique_lock<std::shared_mutex> lock(readers);
        counts[3]++;
      }
      {
        std::shared_lock<std::shared_mutex> lock(readers);
        if (counts[3] < round + 1)
#pragma omp atomic
          wrong++;
      }
      while (!timed.try_lock_for(std::chrono::milliseconds(3)))
        ;
      counts[4]++;
      timed.unlock();
      pthread_spin_lock(&spin);
      counts[5]++;
      pthread_spin_unlock(&spin);
      while (pthread_mutex_trylock(&onStack) != 0)
        std::this_thread::yield();
      counts[6]++;
      pthread_mutex_unlock(&onStack);
      // Two locks at once, from one account to another.
      Account &from = *accounts[static_cast<size_t>(round % 10)], &to = *accounts[static_cast<size_t>((round + 3) % 10)];
      std::scoped_lock both(from.mutex, to.mutex);
      from.value -= 5;
      to.value += 5;
    }
    std::call_once(once, [] { onceRuns++; });
    try {
      std::call_once(throwing, [] {
        if (++throwingRuns < 3)
          throw std::runtime_error("not yet");
      });
    } catch (const std::runtime_error &) {
    }
  }
  long expected = long(threads) * Rounds;
  for (int i : {0, 1, 3, 4, 5, 6})
    EXPECT_EQUAL(expected, counts[i]);
  EXPECT_EQUAL(3 * expected, counts[2]);
  EXPECT_EQUAL(0, wrong);
  long sum = 0;
  for (auto &account : accounts)
    sum += account->value;
  EXPECT_EQUAL(0, sum);
  EXPECT_EQUAL(1, onceRuns);
  EXPECT_EQUAL(threads < 3 ? threads : 3, throwingRuns);

  // A bounded queue between threads of all nodes.
  std::mutex mutex;
  std::condition_variable notEmpty, notFull;
  std::deque<int> queue;
  long produced = 0, consumed = 0;
  int producers = 0;
#pragma omp parallel num_threads(4) reduction(+ : produced, consumed)
  if (omp_get_thread_num() % 2 == 0) {
    for (int i = 0; i < 60; i++) {
      std::unique_lock<std::mutex> lock(mutex);
      notFull.wait(lock, [&] { return queue.size() < 5; });
      queue.push_back(i);
      produced += i;
      notEmpty.notify_one();
    }
    std::lock_guard<std::mutex> lock(mutex);
    producers++;
    notEmpty.notify_all();
  } else {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex);
      notEmpty.wait(lock, [&] { return !queue.empty() || producers == 2; });
      if (queue.empty())
        break;
      consumed += queue.front();
      queue.pop_front();
      notFull.notify_one();
    }
  }
  EXPECT_EQUAL(2 * 60 * 59 / 2, produced);
  EXPECT_EQUAL(produced, consumed);

  // A wait that nobody ends, and the threads of C++ on node 0.
  {
    std::unique_lock<std::mutex> lock(mutex);
    EXPECT(notEmpty.wait_for(lock, std::chrono::milliseconds(20)) == std::cv_status::timeout);
  }
  bool ready = false, seen = false;
  std::thread other([&] {
    std::unique_lock<std::mutex> lock(mutex);
    notEmpty.wait(lock, [&] { return ready; });
    seen = true;
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
  }
  notEmpty.notify_all();
  other.join();
  EXPECT(seen);
  pthread_mutex_destroy(&onStack);
  pthread_spin_destroy(&spin);
  return checkResult();
}
