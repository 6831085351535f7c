// Attention.cpp: the page of the flag, and what a thread does that has seen it set.
#include "libompdsm/src/Attention.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Runtime.h"
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ompdsm {

Status showAttention(const fabric::Transport &transport) {
  const fabric::SharedPage page = transport.attention();
  if (page.file < 0)
    return Status::ok();
  // All states on it are of lines that no program has.
  static_assert(OMPDSM_ATTENTION == OMPDSM_STATE_TABLE + fabric::kAttentionOffset);
  void *const place = reinterpret_cast<void *>(OMPDSM_STATE_TABLE);
  if (mmap(place, std::size_t(getpagesize()), PROT_READ, MAP_SHARED | MAP_FIXED, page.file,
           off_t(page.offset)) == MAP_FAILED)
    return Status::error(std::string("cannot map the attention flag: ") + std::strerror(errno));
  return Status::ok();
}

bool isAttentionWanted() {
  return *reinterpret_cast<const volatile std::uint8_t *>(OMPDSM_ATTENTION) != 0;
}

void attend() {
  Runtime *const job = runtime();
  // A child (fork) sees its parent's flag.
  if (!job || !job->messenger || job->ended.load(std::memory_order_relaxed) ||
      job->process != getpid())
    return;
  const int kept = errno;
  job->messenger->attend();
  errno = kept;
}

} // namespace ompdsm

using namespace ompdsm;

// The image's __ompdsm_attend comes here (image/image.S).
OMPDSM_EXPORT __attribute__((preserve_most)) void __ompdsm_attended() { attend(); }
