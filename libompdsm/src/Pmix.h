// Pmix.h: the few functions of PMIx that the start of a job needs. By dlopen, so that only those
// need the library who start jobs with it.
#pragma once
#include "fabric/Status.h"
#include <cstddef>
#include <pmix.h>
#include <string>

namespace ompdsm {

class Pmix {
public:
  Status open();
  void close() { finalize_(nullptr, 0); }

  unsigned rank() const { return self_.rank; }
  /// A number that the launcher knows of the whole job.
  Status jobNumber(const char *key, unsigned &number);
  /// For all ranks to read after the next fence(). `text` is not empty.
  Status put(const char *key, std::string text);
  /// Collective: waits for all ranks.
  Status fence();
  /// What `rank` put under `key`.
  Status get(unsigned rank, const char *key, std::string &text);

private:
  Status read(pmix_rank_t rank, const char *key, pmix_value_t *&value);
  Status check(const char *what, pmix_status_t code);

  pmix_proc_t self_{};
  decltype(&PMIx_Init) init_ = nullptr;
  decltype(&PMIx_Finalize) finalize_ = nullptr;
  decltype(&PMIx_Get) get_ = nullptr;
  decltype(&PMIx_Put) put_ = nullptr;
  decltype(&PMIx_Commit) commit_ = nullptr;
  decltype(&PMIx_Fence) fence_ = nullptr;
  decltype(&PMIx_Error_string) describe_ = nullptr;
};

} // namespace ompdsm
