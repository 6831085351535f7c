// Library.cpp: see Library.h.
#include "Library.h"
#include "../Check.h"
#include <array>
#include <csignal>
#include <dlfcn.h>

namespace ompdsm::fabric {

namespace {

/// Libraries below libfabric (those of PSM) catch SIGSEGV and its like when they are loaded, print a
/// backtrace and exit: gives all signals back to whom they belong.
class SignalActions {
public:
  SignalActions() {
    for (int signal = 1; signal < kSignals; ++signal)
      isKnown_[signal] = sigaction(signal, nullptr, &actions_[signal]) == 0;
  }
  ~SignalActions() {
    for (int signal = 1; signal < kSignals; ++signal)
      if (isKnown_[signal])
        sigaction(signal, &actions_[signal], nullptr);
  }
  SignalActions(const SignalActions &) = delete;
  SignalActions &operator=(const SignalActions &) = delete;

private:
  static constexpr int kSignals = 32; ///< Those that are not of real time.
  std::array<struct sigaction, kSignals> actions_{};
  std::array<bool, kSignals> isKnown_{};
};

struct Opened {
  Library functions;
  Status status = Status::ok();
};

template <class Pointer> bool find(void *handle, const char *name, Pointer &function) {
  function = reinterpret_cast<Pointer>(dlsym(handle, name));
  return function != nullptr;
}

Opened open() {
  Opened opened;
  Library &f = opened.functions;
  const SignalActions kept;
  // By its name as the linker would have noted it; else where it was when this was built. Never
  // closed: its objects live until the process ends.
  void *handle = dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    handle = dlopen(OMPDSM_LIBFABRIC_DIRECTORY "/libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle || !find(handle, "fi_getinfo", f.getInfo) ||
      !find(handle, "fi_dupinfo", f.duplicateInfo) || !find(handle, "fi_freeinfo", f.freeInfo) ||
      !find(handle, "fi_fabric", f.openFabric) || !find(handle, "fi_strerror", f.describeError)) {
    const char *why = dlerror();
    opened.status =
        Status::error(std::string("cannot load libfabric, which several nodes need: ") +
                      (why ? why : "a function is missing") + ". install libfabric 1.17 or newer");
  }
  return opened;
}

const Opened &theLibrary() {
  static const Opened opened = open();
  return opened;
}

} // namespace

Status openLibrary() { return theLibrary().status; }

const Library &library() {
  const Opened &opened = theLibrary();
  OMPDSM_CHECK(opened.status.isOk());
  return opened.functions;
}

} // namespace ompdsm::fabric
