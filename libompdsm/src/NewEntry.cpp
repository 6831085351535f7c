// NewEntry.cpp: the application-heap twins of operator new. A program that replaces operator new
// (C++ [replacement.functions]) gets its own: the twin then calls it.
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Export.h"
#include <atomic>
#include <dlfcn.h>
#include <new>

using namespace ompdsm;

namespace {

constexpr std::size_t kUsual = alignof(std::max_align_t);

const void *imageOf(const void *address) {
  Dl_info info{};
  return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

/// The program's own definition of `name`, or null where it is the C++ library's (or jemalloc's,
/// which defines it too).
void *replacementOf(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  const void *image = found ? imageOf(found) : nullptr;
  const bool isLibrarys = !image ||
                          image == imageOf(reinterpret_cast<void *>(&std::get_new_handler)) ||
                          image == imageOf(reinterpret_cast<void *>(&mallocx));
  return isLibrarys ? nullptr : found;
}

/// What dlsym says about one function, asked once. The C++ library's variants call the basic form
/// (`base`), so that replacing it replaces them.
class Replacement {
public:
  constexpr Replacement(const char *name, const char *base) : name_(name), base_(base) {}
  void *get() {
    void *known = function_.load(std::memory_order_relaxed);
    if (!known) {
      known = replacementOf(name_);
      if (!known && replacementOf(base_))
        known = dlsym(RTLD_DEFAULT, name_);
      if (!known)
        known = this; // Asked, and there is none.
      function_.store(known, std::memory_order_relaxed);
    }
    return known == this ? nullptr : known;
  }

private:
  const char *const name_, *const base_;
  std::atomic<void *> function_{nullptr};
};

void *allocateOrHandle(std::size_t bytes, std::size_t alignment) {
  for (;;) {
    if (void *p = allocateMemory(HeapKind::Application, bytes, alignment, false))
      return p;
    std::new_handler handler = std::get_new_handler();
    if (!handler)
      return nullptr;
    handler();
  }
}

void *allocateOrThrow(std::size_t bytes, std::size_t alignment) {
  void *p = allocateOrHandle(bytes, alignment);
  if (!p)
    std::__throw_bad_alloc();
  return p;
}

} // namespace

// The replacements are constants of the process that only dlsym knows.
#define OMPDSM_NEW(name, base, parameters, arguments, otherwise)                                   \
  OMPDSM_EXPORT void *__ompdsm_##name parameters {                                                 \
    static constinit Replacement replacement(#name, #base);                                        \
    if (void *function = replacement.get())                                                        \
      return reinterpret_cast<void *(*)parameters>(function) arguments;                            \
    return otherwise;                                                                              \
  }

using Nothrow = const std::nothrow_t &;
OMPDSM_NEW(_Znwm, _Znwm, (std::size_t n), (n), allocateOrThrow(n, kUsual))
OMPDSM_NEW(_Znam, _Znwm, (std::size_t n), (n), allocateOrThrow(n, kUsual))
OMPDSM_NEW(_ZnwmRKSt9nothrow_t, _Znwm, (std::size_t n, Nothrow t), (n, t),
           allocateOrHandle(n, kUsual))
OMPDSM_NEW(_ZnamRKSt9nothrow_t, _Znwm, (std::size_t n, Nothrow t), (n, t),
           allocateOrHandle(n, kUsual))
OMPDSM_NEW(_ZnwmSt11align_val_t, _ZnwmSt11align_val_t, (std::size_t n, std::size_t a), (n, a),
           allocateOrThrow(n, a))
OMPDSM_NEW(_ZnamSt11align_val_t, _ZnwmSt11align_val_t, (std::size_t n, std::size_t a), (n, a),
           allocateOrThrow(n, a))
OMPDSM_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, _ZnwmSt11align_val_t,
           (std::size_t n, std::size_t a, Nothrow t), (n, a, t), allocateOrHandle(n, a))
OMPDSM_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, _ZnwmSt11align_val_t,
           (std::size_t n, std::size_t a, Nothrow t), (n, a, t), allocateOrHandle(n, a))
