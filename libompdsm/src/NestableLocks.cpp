// NestableLocks.cpp: locks that their owner may set again.
#include "libompdsm/src/Locks.h"
#include "libompdsm/src/ThreadContext.h"

namespace ompdsm {

bool LockTable::ownedHere(Address lock) {
  std::lock_guard guard(mutex_);
  auto entry = local_.find(lock);
  return entry != local_.end() && entry->second.owner == &currentThread;
}

int LockTable::acquireNested(Address lock) {
  if (ownedHere(lock)) {
    std::lock_guard guard(mutex_);
    return ++owned(lock).depth;
  }
  acquire(lock);
  return 1;
}

int LockTable::tryAcquireNested(Address lock) {
  if (ownedHere(lock)) {
    std::lock_guard guard(mutex_);
    return ++owned(lock).depth;
  }
  return tryAcquire(lock) ? 1 : 0;
}

int LockTable::releaseNested(Address lock) {
  {
    std::lock_guard guard(mutex_);
    LocalLock &entry = owned(lock);
    if (entry.depth > 1)
      return --entry.depth;
  }
  release(lock);
  return 0;
}

} // namespace ompdsm
