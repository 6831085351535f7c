// Checks.cpp: what compiled checks call when a line misses, and before memory intrinsics.
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include <array>
#include <cerrno>
#include <unistd.h>

namespace ompdsm {
namespace {

void ensureMissed(const void *p, std::size_t bytes, unsigned missBit, Access access) {
  // The test comes first: of the many ranges most miss nowhere, and memory that is not shared has
  // no line that misses. Before the job starts, and with one node, there is nobody to ask.
  Runtime *job = runtime();
  if (!job || !job->engine || !rangeMisses(p, bytes, missBit))
    return;
  if (job->ended.load(std::memory_order_relaxed)) {
    if (job->process != getpid())
      fatal("a child of node %u (fork) used memory of another node at %p; it may use what it had "
            "when it was forked, or exec another program",
            unsigned(job->node), p);
    return; // Exit handlers after the end of the job see what this node has.
  }
  // A check may stand between a system call and the program's look at its errno.
  const int kept = errno;
  job->engine->ensure(reinterpret_cast<Address>(p), bytes, access);
  errno = kept;
}

/// Calls visit(offset) for the rows of a section, the inner dimension first.
template <class Visit>
void forEachRow(std::array<std::ptrdiff_t, 2> strides, std::array<std::size_t, 2> rows,
                Visit visit) {
  for (std::size_t outer = 0; outer < rows[1]; ++outer)
    for (std::size_t inner = 0; inner < rows[0]; ++inner)
      visit(strides[1] * std::ptrdiff_t(outer) + strides[0] * std::ptrdiff_t(inner));
}

} // namespace

void ensureRead(const void *p, std::size_t bytes) {
  ensureMissed(p, bytes, OMPDSM_READ_MISSES, Access::Read);
}
void ensureWrite(void *p, std::size_t bytes) {
  ensureMissed(p, bytes, OMPDSM_WRITE_MISSES, Access::Write);
}

} // namespace ompdsm

using namespace ompdsm;

// preserve_most keeps the caller's general registers; the pass knows that vector registers are
// lost, as with any call. The bodies are ordinary functions, so that what they call needs nothing
// special.
OMPDSM_EXPORT __attribute__((preserve_most)) void __ompdsm_read_miss(void *p, std::size_t bytes) {
  ensureRead(p, bytes);
}
OMPDSM_EXPORT __attribute__((preserve_most)) void __ompdsm_write_miss(void *p, std::size_t bytes) {
  ensureWrite(p, bytes);
}
OMPDSM_EXPORT void __ompdsm_loop_read(const void *p, std::size_t bytes) { ensureRead(p, bytes); }
OMPDSM_EXPORT void __ompdsm_loop_write(void *p, std::size_t bytes) { ensureWrite(p, bytes); }
OMPDSM_EXPORT void __ompdsm_section_read(const std::byte *p, std::size_t bytes,
                                         std::ptrdiff_t stride0, std::size_t rows0,
                                         std::ptrdiff_t stride1, std::size_t rows1) {
  forEachRow({stride0, stride1}, {rows0, rows1},
             [=](std::ptrdiff_t offset) { ensureRead(p + offset, bytes); });
}
OMPDSM_EXPORT void __ompdsm_section_write(std::byte *p, std::size_t bytes, std::ptrdiff_t stride0,
                                          std::size_t rows0, std::ptrdiff_t stride1,
                                          std::size_t rows1) {
  forEachRow({stride0, stride1}, {rows0, rows1},
             [=](std::ptrdiff_t offset) { ensureWrite(p + offset, bytes); });
}
OMPDSM_EXPORT void __ompdsm_range_read(const void *p, std::size_t bytes) { ensureRead(p, bytes); }
OMPDSM_EXPORT void __ompdsm_range_write(void *p, std::size_t bytes) { ensureWrite(p, bytes); }
