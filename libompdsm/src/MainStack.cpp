// MainStack.cpp: interposed __libc_start_main, which moves main, its arguments and its environment
// into the segment before the program's constructors run.
#include "libompdsm/src/MainStack.h"
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/SharedStacks.h"
#include "libompdsm/src/StackOverflow.h"
#include "libompdsm/src/Team.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace ompdsm {
namespace {

constexpr std::size_t kLeastStackBytes = std::size_t(64) << 20;
constexpr std::size_t kMostStackBytes = std::size_t(512) << 20;

/// Memory of it is used as it is touched, so a large one costs nothing.
std::size_t mainStackBytes(const Options &options) {
  if (options.mainStackMib != 0)
    return options.mainStackMib << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0)
    return kLeastStackBytes;
  return std::clamp<std::size_t>(limit.rlim_cur, kLeastStackBytes, kMostStackBytes);
}

/// A stack for the calling thread.
AddressRange acquireMainStack(Runtime &job) {
  const std::size_t bytes = mainStackBytes(job.options);
  auto held = job.stacks->hold();
  SharedStack *stack = job.stacks->acquire(bytes);
  if (!stack)
    fatal("there is no room for a main stack of %zu MiB: set a smaller OMPDSM_MAIN_STACK_MIB or a "
          "larger OMPDSM_SLICE_GIB",
          bytes >> 20);
  watchStack(*stack, StackUse::Main);
  return stack->range;
}

using StartMain = int(int (*)(int, char **, char **), int, char **, void (*)(), void (*)(),
                      void (*)(), void *);

struct StartArguments {
  StartMain *real;
  int (*main)(int, char **, char **);
  int argc;
  char **argv;
  void (*init)(), (*fini)(), (*rtldFini)();
  void *stackEnd;
};

/// The program's main. Its exit status is recorded here, because exit calls handlers in reverse
/// order and the library's destructor, which may need it, comes after those that main registers.
int runMain(int argc, char **argv, char **environment) {
  Runtime &job = *runtime();
  const auto record = [](int status, void *to) {
    static_cast<Runtime *>(to)->exitStatus.store(status, std::memory_order_relaxed);
  };
  if (on_exit(record, &job) != 0)
    fatal("there is no memory for an exit handler");
  return job.programMain(argc, argv, environment);
}

void startMain(void *p) {
  const StartArguments &start = *static_cast<StartArguments *>(p);
  start.real(start.main, start.argc, start.argv, start.init, start.fini, start.rtldFini,
             start.stackEnd); // Ends in exit().
}

std::size_t countStrings(char **list) {
  std::size_t count = 0;
  while (list[count])
    ++count;
  return count;
}

/// Auxiliary vector entries, the last included: some programs look for them after the environment.
std::size_t countAuxiliary(const Elf64_auxv_t *vector) {
  std::size_t count = 0;
  while (vector[count++].a_type != AT_NULL)
    ;
  return count;
}

/// Copies arguments, environment and auxiliary vector to the pinned heap, in the kernel's layout,
/// and makes the copy the environment of the C library. Returns the new argv.
char **shareArguments(int argc, char **argv) {
  // The kernel's environment follows argv; the C library's may be another one by now.
  char **kernelEnvironment = argv + argc + 1;
  const auto *auxiliary = reinterpret_cast<const Elf64_auxv_t *>(
      kernelEnvironment + countStrings(kernelEnvironment) + 1);
  const std::size_t arguments = countStrings(argv), variables = countStrings(environ);
  const std::size_t auxiliaryBytes = countAuxiliary(auxiliary) * sizeof(Elf64_auxv_t);
  const std::size_t pointers = arguments + 1 + variables + 1;
  std::size_t bytes = pointers * sizeof(char *) + auxiliaryBytes;
  for (char **list : {argv, environ})
    for (; *list; ++list)
      bytes += std::strlen(*list) + 1;

  auto *copy = static_cast<char **>(allocateMemory(HeapKind::Pinned, bytes, 16, true));
  if (!copy)
    fatal("there is no memory for %zu bytes of arguments and environment", bytes);
  std::memcpy(copy + pointers, auxiliary, auxiliaryBytes);
  char *text = reinterpret_cast<char *>(copy + pointers) + auxiliaryBytes;
  char **to = copy;
  for (char **list : {argv, environ}) {
    for (; *list; ++list) {
      const std::size_t length = std::strlen(*list) + 1;
      std::memcpy(text, *list, length);
      *to++ = text;
      text += length;
    }
    *to++ = nullptr;
  }
  environ = copy + arguments + 1;
  return copy;
}

} // namespace

void runWorker(Runtime &job) {
  callOnStack(
      acquireMainStack(job), [](void *p) { static_cast<Runtime *>(p)->team->workerLoop(); }, &job);
  __builtin_unreachable();
}

} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                                    void (*init)(), void (*fini)(), void (*rtldFini)(),
                                    void *stackEnd) {
  StartArguments start{reinterpret_cast<StartMain *>(nextDefinition("__libc_start_main")),
                       main,
                       argc,
                       argv,
                       init,
                       fini,
                       rtldFini,
                       stackEnd};
  Runtime *job = runtime();
  if (job && job->spread()) {
    start.argv = shareArguments(argc, argv);
    job->programMain = std::exchange(start.main, runMain);
    callOnStack(acquireMainStack(*job), startMain, &start);
  } else {
    startMain(&start);
  }
  __builtin_unreachable();
}
