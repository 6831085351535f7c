// LibompShim.cpp: resolves the table of libomp's functions once.
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/Fatal.h"
#include <dlfcn.h>
#include <pthread.h>

namespace ompdsm {

namespace detail {
// Written once before it is published: a constant of the process whose value only dlsym knows. It
// cannot live in Runtime, because libraries may call OpenMP before the runtime exists.
constinit std::atomic<const LibompShim *> libompShim{nullptr};

namespace {
constinit LibompShim table{};
// pthread_once and not a function-local static: those call __cxa_guard_acquire, which is ours.
constinit pthread_once_t resolved = PTHREAD_ONCE_INIT;

/// libomp by itself: another OpenMP runtime that the program names (-lgomp) may come before it,
/// with functions of the same names that know nothing of libomp's threads.
void *openLibomp() {
  Dl_info info{};
  void *own = nextDefinition("__kmpc_fork_call");
  return dladdr(own, &info) && info.dli_fname ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                                              : nullptr;
}

void *definitionIn(void *library, const char *name) {
  void *symbol = library ? dlsym(library, name) : nullptr;
  return symbol ? symbol : nextDefinition(name);
}

void fillTable() {
  void *const library = openLibomp();
#define OMPDSM_RESOLVE(result, name, parameters)                                                   \
  table.name = reinterpret_cast<decltype(table.name)>(definitionIn(library, #name));
  OMPDSM_LIBOMP_FUNCTIONS(OMPDSM_RESOLVE)
#undef OMPDSM_RESOLVE
  libompShim.store(&table, std::memory_order_release);
}
} // namespace

const LibompShim &resolveLibomp() {
  pthread_once(&resolved, fillTable);
  return table;
}
} // namespace detail

void *nextDefinition(const char *name) {
  if (void *symbol = dlsym(RTLD_NEXT, name))
    return symbol;
  fatal(
      "the OpenMP runtime has no function %s: link the program with -fopenmp (LLVM's libomp 22 or "
      "later) after -lompdsm",
      name);
}

} // namespace ompdsm
