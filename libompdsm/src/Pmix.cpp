// Pmix.cpp: the functions of libpmix that are used, by name.
#include "libompdsm/src/Pmix.h"
#include <cstring>
#include <dlfcn.h>
#include <type_traits>

namespace ompdsm {

Status Pmix::open() {
  void *library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Status::error(std::string("the job's launcher offers PMIx, but libpmix is missing: ") +
                         dlerror() + "; install libpmix2, or use ompdsm-run");
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  if (!find(init_, "PMIx_Init") || !find(finalize_, "PMIx_Finalize") || !find(get_, "PMIx_Get") ||
      !find(put_, "PMIx_Put") || !find(commit_, "PMIx_Commit") || !find(fence_, "PMIx_Fence") ||
      !find(describe_, "PMIx_Error_string"))
    return Status::error("libpmix.so.2 is not PMIx of version 2 or later");
  return check("PMIx_Init", init_(&self_, nullptr, 0));
}

Status Pmix::jobNumber(const char *key, unsigned &number) {
  pmix_value_t *value = nullptr;
  Status status = read(PMIX_RANK_WILDCARD, key, value);
  if (status.isOk())
    number = value->data.uint32; // Values are small and few: not worth a release.
  return status;
}

Status Pmix::put(const char *key, std::string text) {
  pmix_value_t value{};
  value.type = PMIX_STRING;
  value.data.string = text.data();
  return check("PMIx_Put", put_(PMIX_GLOBAL, key, &value));
}

Status Pmix::fence() {
  if (Status status = check("PMIx_Commit", commit_()); !status.isOk())
    return status;
  pmix_info_t collect{};
  std::strncpy(collect.key, PMIX_COLLECT_DATA, PMIX_MAX_KEYLEN);
  collect.value.type = PMIX_BOOL;
  collect.value.data.flag = true;
  return check("PMIx_Fence", fence_(nullptr, 0, &collect, 1));
}

Status Pmix::get(unsigned rank, const char *key, std::string &text) {
  pmix_value_t *value = nullptr;
  Status status = read(rank, key, value);
  if (status.isOk())
    text = value->data.string;
  return status;
}

Status Pmix::read(pmix_rank_t rank, const char *key, pmix_value_t *&value) {
  pmix_proc_t process{};
  std::memcpy(process.nspace, self_.nspace, sizeof process.nspace);
  process.rank = rank;
  return check(key, get_(&process, key, nullptr, 0, &value));
}

Status Pmix::check(const char *what, pmix_status_t code) {
  return code == PMIX_SUCCESS
             ? Status::ok()
             : Status::error(std::string("the start by PMIx failed: ") + what + ": " +
                             describe_(code) + "; ompdsm-run needs no PMIx");
}

} // namespace ompdsm
