// Checks.cpp: what compiled checks call when a line misses, and before memory intrinsics.
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/ObjectFetches.h"
#include "libompdsm/src/OpenWindows.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Section.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <span>
#include <unistd.h>
#include <utility>

namespace ompdsm {
namespace {

unsigned missBitOf(Access access) {
  return access == Access::Read ? OMPDSM_READ_MISSES : OMPDSM_WRITE_MISSES;
}

/// Threads may count two misses as one: who looks wants to know whether there was any.
void noteServed() {
  const std::atomic_ref<std::uint32_t> misses(
      *reinterpret_cast<std::uint32_t *>(OMPDSM_MISSES_SERVED));
  misses.store(misses.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// The ranges that miss, among those of one call; they are asked for together.
class MissingRanges {
public:
  /// `job` has an engine.
  explicit MissingRanges(Runtime &job) : job_(job) {}
  ~MissingRanges() { ask(); }
  MissingRanges(const MissingRanges &) = delete;
  MissingRanges &operator=(const MissingRanges &) = delete;

  /// One of which some line misses: no memory that is not shared has any.
  void add(const void *p, std::size_t bytes, Access access) {
    if (storesToAll(access) && !job_.options.overwrite)
      access = Access::Write;
    ranges_[count_++] = {reinterpret_cast<Address>(p), bytes, access};
    if (count_ == job_.options.rangesTogether)
      ask();
  }

private:
  void ask() {
    const std::span<const WantedRange> wanted(ranges_.data(), std::exchange(count_, 0));
    if (wanted.empty())
      return;
    if (job_.ended.load(std::memory_order_relaxed)) {
      if (job_.process != getpid())
        fatal("a child of node %u (fork) used memory of another node at %p; it may use what it had "
              "when it was forked, or exec another program",
              unsigned(job_.node), reinterpret_cast<void *>(wanted.front().begin));
      return; // Exit handlers after the end of the job see what this node has.
    }
    // A check may stand between a system call and the program's look at its errno.
    const int kept = errno;
    job_.engine->ensure(wanted);
    noteServed();
    errno = kept;
  }

  Runtime &job_;
  std::size_t count_ = 0;
  std::array<WantedRange, kMostRangesTogether> ranges_;
};

/// Before the job starts, and with one node, there is nobody to ask: null.
Runtime *jobWithOthers() {
  Runtime *job = runtime();
  return job && job->engine ? job : nullptr;
}

void askFor(Runtime &job, const void *p, std::size_t bytes, Access access) {
  MissingRanges(job).add(p, bytes, access);
}

/// In a loop, perhaps.
void readMissed(Runtime &job, const void *p, std::size_t bytes) {
  job.objectFetches->noteMiss(reinterpret_cast<Address>(p));
  askFor(job, p, bytes, Access::Read);
}

/// The job that has to be asked for a run; null if nothing of it misses. Loops whose outer ones
/// have no sections ask for some in each iteration, of which hardly any misses: a few nanoseconds
/// each.
inline Runtime *whomToAskForRun(const void *p, std::size_t bytes, Access access) {
  Runtime *job = jobWithOthers();
  return job && job->addressSpace->anyMisses(p, bytes, missBitOf(access)) ? job : nullptr;
}

inline void ensureMissed(const void *p, std::size_t bytes, Access access) {
  if (Runtime *job = whomToAskForRun(p, bytes, access)) [[unlikely]]
    askFor(*job, p, bytes, access);
}

std::size_t smallestBlockOf(const Runtime &job) {
  return std::min(job.options.blockSmallBytes, job.options.blockLargeBytes);
}

/// Whether something of the section may miss; false is certain. Most sections miss nowhere, have
/// many rows, and little lies between these.
bool mayMiss(const Runtime &job, const Section &section) {
  constexpr std::size_t kMostPerRow = MissCounts::kChunkBytes; // What takes as long to look at.
  const std::size_t extent = section.extent();
  return (!section.isOneRun() && extent / kMostPerRow > section.rows()) ||
         job.addressSpace->anyMisses(section.begin, extent, missBitOf(section.access));
}

/// Those rows that miss. They are often near the section's ends.
void addRows(const Runtime &job, MissingRanges &missing, const Section &section) {
  if (!mayMiss(job, section))
    return;
  if (section.isOneRun())
    return missing.add(section.begin, section.bytes, section.access);
  const auto [low, high] = section.halves();
  addRows(job, missing, low);
  addRows(job, missing, high);
}

/// What the calling thread has found.
thread_local constinit OpenWindows openHere __attribute__((tls_model("initial-exec"))) = {};

/// Whether it is known that nothing of the section misses. Generated code asks for some thirty
/// sections in a microsecond, where outer loops have none: from the registers of the call.
[[gnu::always_inline]] inline bool isOpen(const Section &section) {
  const auto [first, last] = section.ends();
  return openHere.areOpen(AddressSpace::revocations(), first, last, missBitOf(section.access));
}

/// Simplifies the section. The job that has to be asked for it; null if nothing of it misses.
Runtime *whomToAskFor(Section &section) {
  Runtime *job = jobWithOthers();
  if (!job || section.isEmpty())
    return nullptr;
  const auto [first, last] = section.ends();
  const std::uint64_t revocations = AddressSpace::revocations();
  section.simplify(smallestBlockOf(*job));
  if (mayMiss(*job, section))
    return job;
  openHere.note(revocations, first, last,
                [&](Address address) { return job->addressSpace->missBitsAround(address); });
  return nullptr;
}

[[gnu::noinline]] void ensureSection(Section section) {
  if (Runtime *job = whomToAskFor(section)) {
    MissingRanges missing(*job);
    addRows(*job, missing, section);
  }
}

/// Sections of the calling thread that have been noted and not yet asked for.
struct NotedSections {
  std::size_t count;
  std::array<Section, 16> all;
};
thread_local constinit NotedSections notedHere __attribute__((tls_model("initial-exec"))) = {};

void askForNoted(Runtime &job) {
  MissingRanges missing(job);
  for (std::size_t i = 0, count = std::exchange(notedHere.count, 0); i < count; ++i)
    addRows(job, missing, notedHere.all[i]);
}

void noteMissing(Runtime &job, const Section &section) {
  if (notedHere.count == notedHere.all.size())
    askForNoted(job);
  notedHere.all[notedHere.count++] = section;
}

[[gnu::noinline]] void noteSection(Section section) {
  if (Runtime *job = whomToAskFor(section))
    noteMissing(*job, section);
}

/// The same of one run.
inline void noteRun(const std::byte *p, std::size_t bytes, Access access) {
  if (Runtime *job = whomToAskForRun(p, bytes, access)) [[unlikely]]
    noteMissing(*job, {p, bytes, access});
}

// Most sections of generated code are one run.
[[gnu::always_inline]] inline void ensureRows(const Section &section) {
  if (section.isOneRun())
    ensureMissed(section.begin, section.bytes, section.access);
  else if (jobWithOthers() && !isOpen(section))
    ensureSection(section);
}
[[gnu::always_inline]] inline void noteRows(const Section &section) {
  if (section.isOneRun())
    noteRun(section.begin, section.bytes, section.access);
  else if (jobWithOthers() && !isOpen(section))
    noteSection(section);
}

/// Whether it is seen at once that nothing of a hull misses. Short ones are asked about in front of
/// inner loops.
inline bool isHullOpen(const void *p, std::size_t bytes, unsigned missBit) {
  constexpr std::size_t kMostBytes = std::size_t(128) << OMPDSM_GROUP_SHIFT;
  return !jobWithOthers() || (bytes <= kMostBytes && !groupsMiss(p, bytes, missBit));
}

} // namespace

void ensureRead(const void *p, std::size_t bytes) { ensureMissed(p, bytes, Access::Read); }
void ensureWrite(void *p, std::size_t bytes) { ensureMissed(p, bytes, Access::Write); }
void ensureOverwrite(void *p, std::size_t bytes) { ensureMissed(p, bytes, Access::Overwrite); }

} // namespace ompdsm

using namespace ompdsm;

// The image's __ompdsm_read_miss and __ompdsm_write_miss come here (image/image.S).
// preserve_most keeps the caller's general registers; the pass knows that vector registers are
// lost, as with any call. The bodies are ordinary functions, so that what they call needs nothing
// special.
OMPDSM_EXPORT __attribute__((preserve_most)) void __ompdsm_read_missed(void *p, std::size_t bytes) {
  if (Runtime *job = jobWithOthers())
    readMissed(*job, p, bytes);
}
OMPDSM_EXPORT __attribute__((preserve_most)) void __ompdsm_write_missed(void *p,
                                                                        std::size_t bytes) {
  ensureWrite(p, bytes);
}
OMPDSM_EXPORT void __ompdsm_loop_read(const void *p, std::size_t bytes) { ensureRead(p, bytes); }
OMPDSM_EXPORT void __ompdsm_loop_write(void *p, std::size_t bytes) { ensureWrite(p, bytes); }
OMPDSM_EXPORT void __ompdsm_section_read(const std::byte *p, std::size_t bytes,
                                         std::ptrdiff_t stride0, std::size_t rows0,
                                         std::ptrdiff_t stride1, std::size_t rows1) {
  ensureRows({p, bytes, Access::Read, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_section_write(std::byte *p, std::size_t bytes, std::ptrdiff_t stride0,
                                          std::size_t rows0, std::ptrdiff_t stride1,
                                          std::size_t rows1) {
  ensureRows({p, bytes, Access::Write, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_section_overwrite(std::byte *p, std::size_t bytes,
                                              std::ptrdiff_t stride0, std::size_t rows0,
                                              std::ptrdiff_t stride1, std::size_t rows1) {
  ensureRows({p, bytes, Access::Overwrite, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_section_rewrite(std::byte *p, std::size_t bytes, std::ptrdiff_t stride0,
                                            std::size_t rows0, std::ptrdiff_t stride1,
                                            std::size_t rows1) {
  ensureRows({p, bytes, Access::Rewrite, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_loop_note_read(const std::byte *p, std::size_t bytes) {
  noteRun(p, bytes, Access::Read);
}
OMPDSM_EXPORT void __ompdsm_loop_note_write(std::byte *p, std::size_t bytes) {
  noteRun(p, bytes, Access::Write);
}
OMPDSM_EXPORT void __ompdsm_section_note_read(const std::byte *p, std::size_t bytes,
                                              std::ptrdiff_t stride0, std::size_t rows0,
                                              std::ptrdiff_t stride1, std::size_t rows1) {
  noteRows({p, bytes, Access::Read, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_section_note_write(std::byte *p, std::size_t bytes,
                                               std::ptrdiff_t stride0, std::size_t rows0,
                                               std::ptrdiff_t stride1, std::size_t rows1) {
  noteRows({p, bytes, Access::Write, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_section_note_overwrite(std::byte *p, std::size_t bytes,
                                                   std::ptrdiff_t stride0, std::size_t rows0,
                                                   std::ptrdiff_t stride1, std::size_t rows1) {
  noteRows({p, bytes, Access::Overwrite, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_section_note_rewrite(std::byte *p, std::size_t bytes,
                                                 std::ptrdiff_t stride0, std::size_t rows0,
                                                 std::ptrdiff_t stride1, std::size_t rows1) {
  noteRows({p, bytes, Access::Rewrite, {stride0, rows0}, {stride1, rows1}});
}
OMPDSM_EXPORT void __ompdsm_sections_ask() {
  if (notedHere.count != 0)
    askForNoted(*runtime());
}
OMPDSM_EXPORT std::int32_t __ompdsm_hull_readable(const void *p, std::size_t bytes) {
  return isHullOpen(p, bytes, OMPDSM_READ_MISSES);
}
OMPDSM_EXPORT std::int32_t __ompdsm_hull_writable(const void *p, std::size_t bytes) {
  return isHullOpen(p, bytes, OMPDSM_WRITE_MISSES);
}
OMPDSM_EXPORT void __ompdsm_range_read(const void *p, std::size_t bytes) { ensureRead(p, bytes); }
OMPDSM_EXPORT void __ompdsm_range_write(void *p, std::size_t bytes) { ensureWrite(p, bytes); }
