// Threads.cpp: interposed pthread_create, pthread_join and pthread_detach.
#include "libompdsm/src/Threads.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SharedHeap.h"
#include "libompdsm/src/SharedStacks.h"
#include "libompdsm/src/StackOverflow.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/ThreadPrivates.h"
#include <cerrno>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

namespace ompdsm {
namespace {

// A thread's own state, as ThreadContext.
struct ThreadRole {
  unsigned runtimeScopes = 0;
  bool isProgram = false;
  bool lastRound = false; ///< The destructors of thread-specific data ran once.
};
thread_local constinit ThreadRole role __attribute__((tls_model("initial-exec")));

struct StartOrder {
  void *(*start)(void *);
  void *argument;
  SharedStack *stack; ///< Null: a stack that the program chose.
  bool isOpenMps; ///< libomp made it: it waits in libomp at first, and comes online with a region.
};

/// Destructor of Runtime::endOfThread.
void endProgramThread(void *value) {
  Runtime &job = *runtime();
  // One round later than the program's own destructors, which are instrumented code.
  if (!role.lastRound) {
    role.lastRound = true;
    pthread_setspecific(job.endOfThread, value);
    return;
  }
  role.isProgram = false;
  freeThreadPrivateCopies();
  job.heap->endThreadCaches();
  detachCurrentThread();
}

void *runProgramThread(void *p) {
  const StartOrder order = *static_cast<StartOrder *>(p);
  delete static_cast<StartOrder *>(p);
  if (order.stack) {
    order.stack->thread.store(gettid(), std::memory_order_relaxed);
    watchStack(*order.stack, order.isOpenMps ? StackUse::OpenMp : StackUse::Program);
  }
  becomeProgramThread();
  pthread_setspecific(runtime()->endOfThread, &role);
  attachCurrentThread(/*online=*/!order.isOpenMps);
  return order.start(order.argument);
}

using PthreadCreate = int(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/// Size of the stack that `attributes` asks for, or 0 if it names a stack of the program's own.
std::size_t wantedStackBytes(const pthread_attr_t &attributes) {
  void *stack = nullptr;
  std::size_t bytes = 0;
  // The default attributes have no address, which glibc shows as its size below 0.
  if (pthread_attr_getstack(&attributes, &stack, &bytes) == 0 && stack &&
      reinterpret_cast<Address>(stack) + bytes != 0)
    return 0;
  if (pthread_attr_getstacksize(&attributes, &bytes) != 0 || bytes == 0)
    bytes = 8 << 20;
  return bytes;
}

/// libomp cannot go on without a thread, and says less about it. A program's own thread is the
/// program's matter.
[[noreturn]] void failForOpenMp(const char *reason, std::size_t stackBytes) {
  fatal("cannot make one more OpenMP thread with a stack of %zu KiB: %s; ask for fewer threads on "
        "each node (-t, OMP_NUM_THREADS), smaller stacks (OMP_STACKSIZE), or a larger slice "
        "(OMPDSM_SLICE_GIB), and look at `ulimit -u`",
        stackBytes >> 10, reason);
}

int createProgramThread(PthreadCreate *real, pthread_t *handle, const pthread_attr_t *wanted,
                        void *(*start)(void *), void *argument, bool isOpenMps) {
  pthread_attr_t attributes;
  if (wanted) {
    attributes = *wanted; // As glibc itself copies it; what it points to stays the caller's.
  } else if (const int error = pthread_getattr_default_np(&attributes)) {
    return error;
  }
  int detachState = PTHREAD_CREATE_JOINABLE;
  pthread_attr_getdetachstate(&attributes, &detachState);
  SharedStack *stack = nullptr;
  SharedStacks &stacks = *runtime()->stacks;
  int error = 0;
  // Held until the handle is known: the new thread may be detached or joined at once.
  auto held = stacks.hold();
  if (const std::size_t bytes = wantedStackBytes(attributes)) {
    stack = stacks.acquire(bytes);
    if (!stack && isOpenMps)
      failForOpenMp("there is no room for its stack", bytes);
    error = stack ? pthread_attr_setstack(&attributes, reinterpret_cast<void *>(stack->range.begin),
                                          stack->range.bytes())
                  : EAGAIN;
  }
  auto *order = new StartOrder{start, argument, stack, isOpenMps};
  if (error == 0)
    error = real(handle, &attributes, runProgramThread, order);
  if (error != 0 && isOpenMps)
    failForOpenMp(std::strerror(error), stack ? stack->range.bytes() : 0);
  if (error != 0) {
    delete order;
    if (stack)
      stacks.release(stack);
  } else if (stack) {
    stacks.noteCreated(stack, *handle, detachState == PTHREAD_CREATE_DETACHED);
  }
  held.unlock();
  if (!wanted)
    pthread_attr_destroy(&attributes);
  return error;
}

} // namespace

RuntimeThreadScope::RuntimeThreadScope() { ++role.runtimeScopes; }
RuntimeThreadScope::~RuntimeThreadScope() { --role.runtimeScopes; }

bool isProgramThread() { return role.isProgram; }

void becomeProgramThread() {
  role.isProgram = true;
  runtime()->heap->beginThreadCaches();
}

void prepareThreads(Runtime &job) {
  if (pthread_key_create(&job.endOfThread, endProgramThread) != 0)
    fatal("there is no key of thread-specific data left (pthread_key_create)");
}

} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                                 void *(*start)(void *), void *argument) {
  auto *real = reinterpret_cast<PthreadCreate *>(nextDefinition("pthread_create"));
  Runtime *job = runtime();
  const auto caller = reinterpret_cast<Address>(__builtin_return_address(0));
  if (!job || !job->stacks || role.runtimeScopes != 0 || job->networkLibrary.contains(caller))
    return real(handle, attributes, start, argument);
  const bool isOpenMps = job->openmpLibrary.contains(caller);
  return createProgramThread(real, handle, attributes, start, argument, isOpenMps);
}

OMPDSM_EXPORT int pthread_join(pthread_t handle, void **result) {
  auto *real = reinterpret_cast<int (*)(pthread_t, void **)>(nextDefinition("pthread_join"));
  Runtime *job = runtime();
  if (!job || !job->stacks || !isProgramThread())
    return real(handle, result);
  int error = 0;
  {
    // The other thread may wait for all threads of this node to be quiet before it can end.
    OfflineScope offline;
    error = real(handle, result);
  }
  if (error == 0)
    job->stacks->noteJoined(handle);
  return error;
}

OMPDSM_EXPORT int pthread_detach(pthread_t handle) {
  auto *real = reinterpret_cast<int (*)(pthread_t)>(nextDefinition("pthread_detach"));
  Runtime *job = runtime();
  // Before the real one: afterwards the handle may already be another thread's.
  if (job && job->stacks)
    job->stacks->noteDetached(handle);
  return real(handle);
}
