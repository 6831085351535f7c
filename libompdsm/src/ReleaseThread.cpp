// ReleaseThread.cpp: its life.
#include "libompdsm/src/ReleaseThread.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/Threads.h"
#include <csignal>
#include <thread>
#include <utility>

namespace ompdsm {

void ReleaseThread::demand() {
  std::lock_guard lock(mutex_);
  isDemanded_ = true;
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
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      demanded_.wait(lock, [this] { return isDemanded_; });
      isDemanded_ = false;
    }
    goOnline();
    release_();
    goOffline();
  }
}

} // namespace ompdsm
