// PassPlugin.cpp: the entry of -fpass-plugin=, opt -load-pass-plugin and lld --load-pass-plugin,
// and the guard against a host of another LLVM version. No symbol of Clang is used here.
#include "Compat.h"
#include "Pipeline.h"
#include <cstdio>
#include <dlfcn.h>
#include <unistd.h>

// LLVM's C++ interface belongs to one release: in another one a plugin crashes obscurely.
__attribute__((constructor(101))) static void refuseOtherHosts() {
  unsigned major = 0, minor = 0, patch = 0;
  if (auto *version = reinterpret_cast<void (*)(unsigned *, unsigned *, unsigned *)>(
          dlsym(RTLD_DEFAULT, "LLVMGetVersion")))
    version(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR)
    return;
  std::fprintf(
      stderr,
      "ompdsm: this plugin is built for LLVM %d, and the program that loads it is LLVM %u: "
      "use clang-%d or a plugin for %u\n",
      LLVM_VERSION_MAJOR, major, LLVM_VERSION_MAJOR, major);
  _exit(1);
}

extern "C" __attribute__((visibility("default"), weak)) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, ompdsm::kPluginName, "0.1", ompdsm::registerPasses};
}
