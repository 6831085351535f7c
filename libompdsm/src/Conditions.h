// Conditions.h: condition variables of POSIX threads whose mutex is a lock of the whole job
// (Locks.h).
//
// Nothing is stored in the program's variable: each node keeps the list of its waiting threads, and
// a signal goes to all nodes and wakes all that wait for its address (POSIX allows to wake more
// than one). A thread is on the list before it releases the mutex, so a signal by whoever holds the
// mutex afterwards finds it.
#pragma once
#include "fabric/Transport.h"
#include "protocol/core/Types.h"
#include <condition_variable>
#include <ctime>
#include <list>
#include <mutex>

namespace ompdsm {

struct Runtime;

class Conditions {
public:
  explicit Conditions(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();
  /// Releases the lock `mutex`, waits for a signal, and acquires the lock again. False if
  /// `deadline` (of `clock`; null for none) came first.
  bool wait(Address condition, Address mutex, clockid_t clock, const timespec *deadline);
  void signal(Address condition);

private:
  struct Waiter {
    Address condition;
    bool woken = false;
  };
  void wakeHere(Address condition);

  Runtime &runtime_;
  std::mutex mutex_; ///< Guards all below; nothing is called with it.
  std::condition_variable changed_;
  std::list<Waiter> waiters_; ///< One for each thread at most.
};

} // namespace ompdsm
