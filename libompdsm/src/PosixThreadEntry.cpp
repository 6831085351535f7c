// PosixThreadEntry.cpp: mutexes, read-write locks, spin locks, once and condition variables of
// POSIX threads, and with them std::mutex and its companions.
//
// Those of instrumented code (the pass calls the twins, abi.def) exclude threads of all nodes: in a
// job of several nodes they are locks of the job, by address, if they lie in shared memory. Readers
// exclude each other, too. Libraries keep the C library's, except for condition variables:
// std::condition_variable waits inside libstdc++, so these are interposed, and told apart by who
// owns the mutex.
#include "libompdsm/src/Atomics.h"
#include "libompdsm/src/Conditions.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/Team.h"
#include <cerrno>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ompdsm;

namespace {

Address addressOf(const volatile void *object) { return reinterpret_cast<Address>(object); }

bool isShared(const volatile void *object) {
  return jobIsSpread() && runtime()->addressMap.find(addressOf(object)) != nullptr;
}

int acquire(void *lock) {
  team().locks().acquireNested(addressOf(lock));
  return 0;
}

int tryAcquire(void *lock) {
  return team().locks().tryAcquireNested(addressOf(lock)) != 0 ? 0 : EBUSY;
}

int release(void *lock) {
  team().locks().releaseNested(addressOf(lock));
  return 0;
}

/// A lock has no queue for who waits for a time only, so this asks again and again.
int acquireUntil(void *lock, clockid_t clock, const timespec *deadline) {
  constexpr timespec kPause{0, 200'000};
  for (;;) {
    if (tryAcquire(lock) == 0)
      return 0;
    timespec now{};
    clock_gettime(clock, &now);
    if (now.tv_sec > deadline->tv_sec ||
        (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec))
      return ETIMEDOUT;
    nanosleep(&kPause, nullptr);
  }
}

} // namespace

/// The twin of a function on one object: `shared` if the object is shared memory of several nodes.
#define OMPDSM_THREAD_TWIN(name, type, shared)                                                     \
  OMPDSM_EXPORT int __ompdsm_##name(type *object) {                                                \
    return isShared(object)                                                                        \
               ? shared(const_cast<void *>(static_cast<const volatile void *>(object)))            \
               : name(object);                                                                     \
  }
/// The twin of a function that waits until a time.
#define OMPDSM_TIMED_TWIN(name, type)                                                              \
  OMPDSM_EXPORT int __ompdsm_##name(type *object, const timespec *deadline) {                      \
    return isShared(object) ? acquireUntil(object, CLOCK_REALTIME, deadline)                       \
                            : name(object, deadline);                                              \
  }
#define OMPDSM_CLOCK_TWIN(name, type)                                                              \
  OMPDSM_EXPORT int __ompdsm_##name(type *object, clockid_t clock, const timespec *deadline) {     \
    return isShared(object) ? acquireUntil(object, clock, deadline)                                \
                            : name(object, clock, deadline);                                       \
  }

OMPDSM_THREAD_TWIN(pthread_mutex_lock, pthread_mutex_t, acquire)
OMPDSM_THREAD_TWIN(pthread_mutex_trylock, pthread_mutex_t, tryAcquire)
OMPDSM_THREAD_TWIN(pthread_mutex_unlock, pthread_mutex_t, release)
OMPDSM_TIMED_TWIN(pthread_mutex_timedlock, pthread_mutex_t)
OMPDSM_CLOCK_TWIN(pthread_mutex_clocklock, pthread_mutex_t)
OMPDSM_THREAD_TWIN(pthread_rwlock_rdlock, pthread_rwlock_t, acquire)
OMPDSM_THREAD_TWIN(pthread_rwlock_tryrdlock, pthread_rwlock_t, tryAcquire)
OMPDSM_THREAD_TWIN(pthread_rwlock_wrlock, pthread_rwlock_t, acquire)
OMPDSM_THREAD_TWIN(pthread_rwlock_trywrlock, pthread_rwlock_t, tryAcquire)
OMPDSM_THREAD_TWIN(pthread_rwlock_unlock, pthread_rwlock_t, release)
OMPDSM_TIMED_TWIN(pthread_rwlock_timedrdlock, pthread_rwlock_t)
OMPDSM_TIMED_TWIN(pthread_rwlock_timedwrlock, pthread_rwlock_t)
OMPDSM_CLOCK_TWIN(pthread_rwlock_clockrdlock, pthread_rwlock_t)
OMPDSM_CLOCK_TWIN(pthread_rwlock_clockwrlock, pthread_rwlock_t)
OMPDSM_THREAD_TWIN(pthread_spin_lock, pthread_spinlock_t, acquire)
OMPDSM_THREAD_TWIN(pthread_spin_trylock, pthread_spinlock_t, tryAcquire)
OMPDSM_THREAD_TWIN(pthread_spin_unlock, pthread_spinlock_t, release)

// Initialised as the C library does it, because libraries may get them.

OMPDSM_EXPORT int __ompdsm_pthread_mutex_init(pthread_mutex_t *mutex,
                                              const pthread_mutexattr_t *attributes) {
  ensureWrite(mutex, sizeof *mutex);
  ensureRead(attributes, attributes ? sizeof *attributes : 0);
  return pthread_mutex_init(mutex, attributes);
}

OMPDSM_EXPORT int __ompdsm_pthread_rwlock_init(pthread_rwlock_t *lock,
                                               const pthread_rwlockattr_t *attributes) {
  ensureWrite(lock, sizeof *lock);
  ensureRead(attributes, attributes ? sizeof *attributes : 0);
  return pthread_rwlock_init(lock, attributes);
}

OMPDSM_EXPORT int __ompdsm_pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  ensureWrite(const_cast<int *>(lock), sizeof *lock);
  return pthread_spin_init(lock, shared);
}

OMPDSM_EXPORT int __ompdsm_pthread_cond_init(pthread_cond_t *condition,
                                             const pthread_condattr_t *attributes) {
  ensureWrite(condition, sizeof *condition);
  ensureRead(attributes, attributes ? sizeof *attributes : 0);
  return pthread_cond_init(condition, attributes);
}

// The C library would wait for those who use the object, and nobody does.
#define OMPDSM_DESTROY_TWIN(name, type)                                                            \
  OMPDSM_EXPORT int __ompdsm_##name(type *object) { return isShared(object) ? 0 : name(object); }
OMPDSM_DESTROY_TWIN(pthread_mutex_destroy, pthread_mutex_t)
OMPDSM_DESTROY_TWIN(pthread_rwlock_destroy, pthread_rwlock_t)
OMPDSM_DESTROY_TWIN(pthread_spin_destroy, pthread_spinlock_t)
OMPDSM_DESTROY_TWIN(pthread_cond_destroy, pthread_cond_t)

// Once for the whole job. The routine may throw (std::call_once), and is then run again.
OMPDSM_EXPORT int __ompdsm_pthread_once(pthread_once_t *control, void (*routine)()) {
  if (!isShared(control))
    return pthread_once(control, routine);
  constexpr pthread_once_t kDone = PTHREAD_ONCE_INIT + 1;
  const LockScope lock(team().locks(), addressOf(control));
  ensureRead(control, sizeof *control);
  if (*control == kDone)
    return 0;
  routine();
  ensureWrite(control, sizeof *control);
  *control = kDone;
  return 0;
}

// --- Futexes, by which std::atomic waits. The kernel knows those of this node only, so a wait in
// shared memory looks again after a while; it may end without a wake, as any may.

namespace {

long futexWait(const std::uint32_t *word, std::uint32_t expected, const timespec *timeout) {
  constexpr timespec kPause{0, 100'000};
  if (std::uint32_t(__ompdsm_atomic_load(const_cast<std::uint32_t *>(word), sizeof *word,
                                         __ATOMIC_SEQ_CST)) != expected) {
    errno = EAGAIN;
    return -1;
  }
  const bool isShort = timeout && timeout->tv_sec == 0 && timeout->tv_nsec < kPause.tv_nsec;
  const OfflineScope waiting;
  nanosleep(isShort ? timeout : &kPause, nullptr);
  return 0;
}

} // namespace

OMPDSM_EXPORT long __ompdsm_syscall(long number, long a, long b, long c, long d, long e, long f) {
  const auto *word = reinterpret_cast<const std::uint32_t *>(a);
  if (number == SYS_futex && isShared(word)) {
    const int command = int(b) & FUTEX_CMD_MASK;
    if (command == FUTEX_WAIT)
      return futexWait(word, std::uint32_t(c), reinterpret_cast<const timespec *>(d));
    if (command == FUTEX_WAIT_BITSET) // Its time is a date.
      return futexWait(word, std::uint32_t(c), nullptr);
    if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET)
      return 0;
  }
  return syscall(number, a, b, c, d, e, f);
}

// The same inside libstdc++, for std::future. True unless the time (seconds and nanoseconds of a date)
// is over.
#define OMPDSM_FUTURE_WAIT(name, clock)                                                            \
  OMPDSM_INTERPOSE(bool, name,                                                                     \
                   (void *self, std::uint32_t *word, std::uint32_t expected, bool limited,         \
                    std::int64_t seconds, std::int64_t nanoseconds)) {                             \
    if (!currentThread.registration || !isShared(word))                                            \
      return real_##name.get()(self, word, expected, limited, seconds, nanoseconds);               \
    futexWait(word, expected, nullptr);                                                            \
    timespec now{};                                                                                \
    clock_gettime(clock, &now);                                                                    \
    return !limited || now.tv_sec < seconds ||                                                     \
           (now.tv_sec == seconds && now.tv_nsec < nanoseconds);                                   \
  }
OMPDSM_FUTURE_WAIT(
    _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE,
    CLOCK_REALTIME)
OMPDSM_FUTURE_WAIT(
    _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE,
    CLOCK_MONOTONIC)

// --- Condition variables, of instrumented code and inside libstdc++.

namespace {

bool isLockOfJob(pthread_mutex_t *mutex) {
  return currentThread.registration && isShared(mutex) &&
         team().locks().ownedHere(addressOf(mutex));
}

int waitForSignal(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                  const timespec *deadline) {
  return team().conditions().wait(addressOf(condition), addressOf(mutex), clock, deadline)
             ? 0
             : ETIMEDOUT;
}

/// Wakes those who wait for a condition with a lock of the job. Returns whether threads of this node
/// may wait for it in the C library: not in memory of other nodes, of which it has a copy at most.
bool signalWaiters(pthread_cond_t *condition, const void *caller) {
  // libomp wakes its own threads thousands of times.
  if (!mustAsk(caller) || runtime()->openmpLibrary.contains(addressOf(caller)))
    return true;
  const Area *area = jobIsSpread() ? runtime()->addressMap.find(addressOf(condition)) : nullptr;
  if (!area)
    return true;
  team().conditions().signal(addressOf(condition));
  return area->defaultHome == runtime()->node;
}

} // namespace

OMPDSM_INTERPOSE(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex)) {
  if (isLockOfJob(mutex))
    return waitForSignal(condition, mutex, CLOCK_REALTIME, nullptr);
  return real_pthread_cond_wait.get()(condition, mutex);
}

// With an attribute for another clock the deadline would be misread, so a twin notes nothing and
// the monotonic clock is reached by pthread_cond_clockwait only, as in libstdc++.
OMPDSM_INTERPOSE(int, pthread_cond_timedwait,
                 (pthread_cond_t * condition, pthread_mutex_t *mutex, const timespec *deadline)) {
  if (isLockOfJob(mutex))
    return waitForSignal(condition, mutex, CLOCK_REALTIME, deadline);
  return real_pthread_cond_timedwait.get()(condition, mutex, deadline);
}

OMPDSM_INTERPOSE(int, pthread_cond_clockwait,
                 (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
                  const timespec *deadline)) {
  if (isLockOfJob(mutex))
    return waitForSignal(condition, mutex, clock, deadline);
  return real_pthread_cond_clockwait.get()(condition, mutex, clock, deadline);
}

OMPDSM_INTERPOSE(int, pthread_cond_signal, (pthread_cond_t * condition)) {
  return signalWaiters(condition, OMPDSM_CALLER) ? real_pthread_cond_signal.get()(condition) : 0;
}

OMPDSM_INTERPOSE(int, pthread_cond_broadcast, (pthread_cond_t * condition)) {
  return signalWaiters(condition, OMPDSM_CALLER) ? real_pthread_cond_broadcast.get()(condition) : 0;
}
