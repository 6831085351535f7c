// Conditions.cpp: waiting with and without a deadline.
#include "libompdsm/src/Conditions.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <chrono>

namespace ompdsm {

namespace {

struct SignalBody {
  Address condition = 0;
};

std::chrono::nanoseconds untilDeadline(clockid_t clock, const timespec &deadline) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(deadline.tv_sec - now.tv_sec) +
         std::chrono::nanoseconds(deadline.tv_nsec - now.tv_nsec);
}

} // namespace

void Conditions::registerHandlers() {
  runtime_.messenger->setHandler(
      messageKind(TeamMessage::ConditionSignal),
      [this](NodeId, fabric::Bytes bytes) { wakeHere(bodyFrom<SignalBody>(bytes).condition); });
}

void Conditions::wakeHere(Address condition) {
  std::lock_guard lock(mutex_);
  for (Waiter &waiter : waiters_)
    waiter.woken |= waiter.condition == condition;
  changed_.notify_all();
}

bool Conditions::wait(Address condition, Address mutex, clockid_t clock, const timespec *deadline) {
  std::list<Waiter> own{{condition}};
  const auto waiter = own.begin();
  {
    std::lock_guard lock(mutex_);
    waiters_.splice(waiters_.end(), own);
  }
  team().locks().release(mutex);
  bool woken = false;
  {
    OfflineScope waiting;
    std::unique_lock lock(mutex_);
    const auto isWoken = [&] { return waiter->woken; };
    if (deadline)
      changed_.wait_for(lock, untilDeadline(clock, *deadline), isWoken);
    else
      changed_.wait(lock, isWoken);
    woken = waiter->woken;
    own.splice(own.end(), waiters_, waiter);
  }
  team().locks().acquire(mutex);
  return woken;
}

void Conditions::signal(Address condition) {
  wakeHere(condition);
  for (unsigned node = 0; node < runtime_.nodes; ++node)
    if (node != runtime_.node)
      postTeamMessage(*runtime_.messenger, NodeId(node), TeamMessage::ConditionSignal,
                      {bytesOf(SignalBody{condition})});
}

} // namespace ompdsm
