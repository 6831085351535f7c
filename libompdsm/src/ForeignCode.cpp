// ForeignCode.cpp: reads the lists that the plugin has left in the images.
#include "libompdsm/src/ForeignCode.h"
#include "libompdsm/include/ompdsm/abi.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <string_view>

namespace ompdsm {
namespace {

/// Libraries whose functions are looked after: base names begin so.
constexpr std::string_view kKnownLibraries[] = {
    "libc.so",      "libm.so",      "libmvec.so",     "libpthread.so", "libdl.so",
    "librt.so",     "ld-linux",     "libresolv.so",   "libstdc++.so",  "libc++.so",
    "libc++abi.so", "libgcc_s.so",  "libatomic.so",   "libunwind.so",  "libomp.so",
    "libomp5.so",   "libompdsm.so", "libjemalloc.so", "libflang_rt",   "libquadmath.so"};
/// Of the C library, but linked statically into every image (libc_nonshared.a).
constexpr std::string_view kKnownFunctions[] = {"atexit", "at_quick_exit", "pthread_atfork"};
/// Functions of the C library that touch their caller's memory and are not looked after; with '*':
/// all that begin so.
constexpr std::string_view kUnwatchedFunctions[] = {
    // Wide characters.
    "wcs*", "wmem*", "mbs*", "mbr*", "mbtowc", "wcr*", "wctomb", "fgetws*", "fputws*", "fwprintf",
    "fwscanf", "swprintf", "swscanf", "vfwprintf", "vswprintf", "vfwscanf", "vswscanf", "wprintf",
    "wscanf", "c16rtomb", "c32rtomb", "__wcs*", "__wmem*", "__mbs*", "__fgetws*", "__swprintf*",
    "__vswprintf*", "iconv",
    // What other nodes' threads do not meet.
    "sem_*", "pthread_barrier_*", "mtx_*", "cnd_*", "call_once",
    // Memory that is used later, or behind further pointers.
    "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "ioctl", "syscall", "open_memstream",
    "open_wmemstream", "fmemopen", "aio_*", "lio_listio", "semop", "semctl", "msgsnd", "msgrcv",
    "shmctl", "process_vm_*", "vmsplice",
    // Structures of the library's own in the caller's memory.
    "tsearch", "tfind", "tdelete", "twalk", "twalk_r", "hcreate_r", "hsearch_r", "hdestroy_r",
    "getpwnam_r", "getpwuid_r", "getgrnam_r", "getgrgid_r", "gethostby*", "getnameinfo", "glob*",
    "wordexp", "scandir*", "argz_*", "envz_*", "_obstack_*", "getcontext", "makecontext",
    "swapcontext", "initstate", "setstate", "hcreate", "hsearch", "timer_*", "timerfd_*", "wait3",
    "wait4", "waitid", "mincore", "mmap", "mmap64", "statx", "dladdr", "crypt_r", "strfmon",
    "readdir_r", "ftw", "nftw", "fts_*"};
constexpr std::size_t kMostNamed = 4;
constexpr std::uint64_t kMark[] = OMPDSM_CODE_MARK;

struct CalleeEntry {
  const void *function;
  const char *name, *place;
  std::uint64_t isForeign;
};

std::string_view baseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const LoadedImage *imageOf(const void *function, const std::vector<LoadedImage> &images) {
  for (const LoadedImage &image : images)
    if (image.range.contains(reinterpret_cast<Address>(function)))
      return &image;
  return nullptr;
}

bool isUnwatched(std::string_view function) {
  return std::ranges::any_of(kUnwatchedFunctions, [&](std::string_view known) {
    return known.ends_with('*') ? function.starts_with(known.substr(0, known.size() - 1))
                                : function == known;
  });
}

bool isKnown(const CalleeEntry &entry, const LoadedImage &image) {
  if (baseName(image.name).starts_with("libc.so") && isUnwatched(entry.name))
    return false;
  return std::ranges::any_of(kKnownLibraries,
                             [&](auto known) { return baseName(image.name).starts_with(known); }) ||
         std::ranges::find(kKnownFunctions, entry.name) != std::end(kKnownFunctions);
}

/// The bytes in front of its code.
std::array<std::uint64_t, 2> markOf(const void *function) {
  std::array<std::uint64_t, 2> mark;
  static_assert(sizeof mark == sizeof kMark);
  std::memcpy(&mark, static_cast<const std::byte *>(function) - sizeof mark, sizeof mark);
  return mark;
}

/// As isInstrumented(), for any address.
bool hasMark(const void *function) {
  const auto code = reinterpret_cast<Address>(function);
  return isLoaded({code - sizeof kMark, code}) && isInstrumented(function);
}

/// A procedure linkage table of an image that is no position-independent executable may stand for a
/// function of another image.
const void *behindLinkageTable(const CalleeEntry &entry) {
  const void *found = dlsym(RTLD_DEFAULT, entry.name);
  return found ? found : entry.function;
}

} // namespace

bool isInstrumented(const void *function) {
  const std::array<std::uint64_t, 2> mark = markOf(function);
  return mark[0] == kMark[0] && (mark[1] & ~OMPDSM_CODE_MARK_FOLDABLE) == kMark[1];
}

bool isFoldable(const void *function) { return markOf(function)[1] & OMPDSM_CODE_MARK_FOLDABLE; }

std::vector<ForeignCallee> noteForeignCallees(const std::vector<LoadedImage> &images) {
  std::vector<ForeignCallee> found;
  for (const LoadedImage &caller : images) {
    if (!caller.note)
      continue;
    auto *begin = reinterpret_cast<CalleeEntry *>(caller.note->callees.begin);
    auto *end = reinterpret_cast<CalleeEntry *>(caller.note->callees.end);
    for (CalleeEntry *entry = begin; entry < end; ++entry) {
      if (!entry->function || hasMark(entry->function))
        continue;
      const void *function = behindLinkageTable(*entry);
      const LoadedImage *image = imageOf(function, images);
      if (!image || hasMark(function) || isKnown(*entry, *image))
        continue;
      entry->isForeign = 1;
      if (std::ranges::find(found, entry->name, &ForeignCallee::name) == found.end())
        found.push_back({entry->name, entry->place, image->name});
    }
  }
  return found;
}

std::string describeForeignCallees(const std::vector<ForeignCallee> &callees) {
  if (callees.empty())
    return "";
  std::string text = "the program hands pointers to functions that were not compiled with ompdsm: ";
  for (std::size_t i = 0; i < std::min(callees.size(), kMostNamed); ++i)
    text += (i ? ", " : "") + callees[i].name + " in " + std::string(baseName(callees[i].image)) +
            " (called at " + callees[i].place + ")";
  if (callees.size() > kMostNamed)
    text += ", and " + std::to_string(callees.size() - kMostNamed) + " more";
  return text +
         "; on several nodes they may read old values of what other nodes write, and what they "
         "write may be lost: compile them with ompdsm-clang, or, if they work on memory of one "
         "node "
         "only, set OMPDSM_WARN_FOREIGN=0";
}

} // namespace ompdsm
