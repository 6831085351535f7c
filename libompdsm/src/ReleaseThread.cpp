// ReleaseThread.cpp: its life.
#include "libompdsm/src/ReleaseThread.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/Threads.h"
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace ompdsm {

namespace {
constexpr std::chrono::microseconds kBetweenLooks{100};
/// To be woken for each demand would cost its sender more.
constexpr unsigned kLooksInVain = 50;
} // namespace

void ReleaseThread::demand() {
  std::lock_guard lock(mutex_);
  isDemanded_ = true;
  if (!isWatching_)
    demanded_.notify_one();
  if (std::exchange(hasBegun_, true))
    return;
  const RuntimeThreadScope runtimeThread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  std::thread([this] { run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ReleaseThread::run() {
  attachCurrentThread(/*online=*/false);
  std::unique_lock lock(mutex_);
  for (;;) {
    demanded_.wait(lock, [this] { return isDemanded_; });
    isWatching_ = true;
    watch(lock);
    isWatching_ = false;
  }
}

void ReleaseThread::watch(std::unique_lock<std::mutex> &lock) {
  for (unsigned inVain = 0; inVain < kLooksInVain; ++inVain) {
    lock.unlock();
    std::this_thread::sleep_for(kBetweenLooks);
    lock.lock();
    if (!std::exchange(isDemanded_, false))
      continue;
    lock.unlock();
    release_();
    lock.lock();
    inVain = 0;
  }
}

} // namespace ompdsm
