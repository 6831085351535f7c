// ObjectChecks.cpp: what compiled code calls in front of a loop whose accesses cannot be computed:
// may all of an object be accessed? If so, it takes a copy of the loop that has no checks. What the
// loop does not access would be fetched in vain, so an object is fetched here only if the loop has
// missed on much of it before (ObjectFetches.h), and never for writing.
//
// An answer may be about more than the object, never about less.
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/MappedMemory.h"
#include "libompdsm/src/ObjectAnswers.h"
#include "libompdsm/src/ObjectExtents.h"
#include "libompdsm/src/ObjectFetches.h"
#include "libompdsm/src/RefusedQuestions.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/StackOverflow.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <x86intrin.h>

namespace ompdsm {
namespace {

/// What holds the object that `p` points into; empty if that is not known.
AddressRange extentsAround(const Runtime &job, const void *p) {
  const AddressSpace &space = *job.addressSpace;
  const Address address = reinterpret_cast<Address>(p);
  if (!space.contains(p)) {
    const Area *area = job.addressMap.find(address);
    if (!area) // This node's own, which never misses.
      return {address, address + 1};
    const AddressRange variable = job.variables.find(address);
    return variable.bytes() != 0 ? variable : AddressRange{area->begin, area->end};
  }
  switch (space.useOf(p)) {
  case AreaUse::LargeApplication:
    return ObjectExtents(space).find(p);
  case AreaUse::SmallApplication:
  case AreaUse::SmallPinned: {
    const AddressRange area = space.area(space.ownerOf(p), space.useOf(p));
    return {std::max(area.begin, address - OMPDSM_SMALL_OBJECT_BYTES),
            std::min(area.end, address + OMPDSM_SMALL_OBJECT_BYTES)};
  }
  case AreaUse::Stacks: {
    // An object of one of the callers.
    const AddressRange frames = stackInUse();
    return frames.contains(address) ? frames : AddressRange{};
  }
  case AreaUse::LargePinned:
  case AreaUse::Extents:
    return {};
  }
  return {};
}

/// With one node everything is valid. After the job's end exit handlers get what there is.
bool neverMisses(const Runtime *job) { return !job || !job->engine; }

bool isValid(const Runtime &job, AddressRange range, unsigned missBit) {
  return !job.addressSpace->anyMisses(reinterpret_cast<const void *>(range.begin), range.bytes(),
                                      missBit);
}

/// The same of what extentsAround has found.
bool isObjectValid(const Runtime &job, AddressRange object, unsigned missBit) {
  static thread_local constinit ObjectAnswers answers
      __attribute__((tls_model("initial-exec"))) = {};
  return answers.mayAccess(*job.addressSpace, object, missBit);
}

constexpr std::size_t kSamples = 16;

/// Whether samples from all over an object, of what is missing, are zero; not at equal distances,
/// as rows often begin with zeros. They are read where they are: who fetched them would share their
/// blocks, and be sent their changes.
bool areZero(const Runtime &job, AddressRange object, std::size_t firstSample, std::size_t end) {
  AtomicOperation load;
  load.bytes = sizeof(load.operand);
  for (std::size_t sample = firstSample; sample < end; ++sample) {
    // Multiples of the golden ratio spread evenly over 0 to 1 (Knuth 3, 6.4).
    const double place = std::fmod(double(sample) * 0.6180339887498949, 1.0);
    const Address from = object.begin + std::size_t(place * double(object.bytes()));
    const auto missing = job.addressSpace->firstMiss({from, object.end}, OMPDSM_READ_MISSES);
    if (!missing)
      continue;
    static constexpr std::byte kZeros[sizeof(load.operand)]{};
    alignas(16) std::byte found[sizeof(load.operand)];
    job.engine->atomic(currentRegistration(), *missing & ~Address(sizeof(found) - 1), load, found);
    if (std::memcmp(found, kZeros, sizeof(found)) != 0)
      return false;
  }
  return true;
}

/// Whether what misses of an object looks as if nobody had ever written there. Of most objects that
/// are used the first one says so, by one message to one node. `look`: 1 the first time; each has
/// places of its own.
bool looksUnused(const Runtime &job, AddressRange object, unsigned look) {
  const std::size_t first = (look - 1) * kSamples + 1;
  return areZero(job, object, first, first + 1) &&
         areZero(job, object, first + 1, first + kSamples);
}

/// The loop at `place` may read all of the object now: it is worth fetching, and has been fetched.
bool fetch(const Runtime &job, AddressRange object, const void *place) {
  if (job.ended.load(std::memory_order_relaxed))
    return false;
  const std::size_t missing =
      job.addressSpace->countMisses(object, OMPDSM_READ_MISSES,
                                    job.objectFetches->maxBytes() / OMPDSM_LINE_BYTES) *
      OMPDSM_LINE_BYTES;
  const int kept = errno;
  if (!job.objectFetches->isWorthFetching(place, object, missing)) {
    const unsigned look = job.objectFetches->lookAtMissing(place, object);
    if (look == 0 || !looksUnused(job, object, look)) {
      errno = kept;
      return false;
    }
  }
  job.engine->ensure(object.begin, object.bytes(), Access::Read, FetchAhead::No);
  errno = kept;
  return true;
}

/// What lies around a small object is not its own, and not worth a fetch.
bool isKnown(const Runtime &job, AddressRange extents) {
  const auto *begin = reinterpret_cast<const void *>(extents.begin);
  return extents.bytes() != 0 && job.addressSpace->contains(begin) &&
         job.addressSpace->useOf(begin) == AreaUse::LargeApplication;
}

bool isObjectReadable(const Runtime &job, const void *p, const void *place) {
  const AddressRange extents = extentsAround(job, p);
  return extents.bytes() != 0 && (isObjectValid(job, extents, OMPDSM_READ_MISSES) ||
                                  (isKnown(job, extents) && fetch(job, extents, place)));
}

bool isRangeReadable(const Runtime &job, const void *p, std::size_t bytes, const void *place) {
  const Address begin = reinterpret_cast<Address>(p);
  const AddressRange range{begin, begin + bytes};
  return isValid(job, range, OMPDSM_READ_MISSES) || fetch(job, range, place);
}

/// All of shared memory may be loaded from: what nobody has allocated is zero, and the ends of
/// stacks are protected from stores only (SharedStacks.cpp). With one node memory lies anywhere.
bool isSharedReadable(const void *p, std::size_t bytes, const void *place) {
  const Runtime *job = runtime();
  if (job && !job->spread() && job->team)
    return isKnownToBeMapped(p, bytes);
  const auto *last = static_cast<const std::byte *>(p) + bytes - 1;
  return job && job->addressSpace && job->addressSpace->contains(p) &&
         job->addressSpace->contains(last) &&
         (neverMisses(job) || isRangeReadable(*job, p, bytes, place));
}

/// What was the longest readable run of an object when the calling thread searched for it.
struct KnownRun {
  AddressRange object, run;
  unsigned questions, patience; ///< Since then; until the next search.
};
/// To search takes some microseconds, and loops that ask are often short and many. So it is done
/// the more rarely, the longer nothing new is found.
constexpr unsigned kMostPatience = 64;

/// The parts of one interval differ little from those of the one before.
AddressRange readableRunOf(const Runtime &job, AddressRange object) {
  static thread_local constinit std::array<KnownRun, 8> runs
      __attribute__((tls_model("initial-exec"))) = {};
  KnownRun &known = runs[object.begin / kPageBytes % runs.size()];
  const auto isSame = [](AddressRange one, AddressRange other) {
    return one.begin == other.begin && one.end == other.end;
  };
  const bool isKnown = isSame(known.object, object);
  if (isKnown && ++known.questions < known.patience && isValid(job, known.run, OMPDSM_READ_MISSES))
    return known.run;
  const AddressRange run = job.addressSpace->longestRun(object, OMPDSM_READ_MISSES);
  const unsigned patience =
      isKnown && isSame(known.run, run) ? std::min(2 * known.patience, kMostPatience) : 2;
  known = {object, run, 0, patience};
  return run;
}

/// Bytes of the run that the calling thread has asked for last.
thread_local constinit std::size_t runBytes __attribute__((tls_model("initial-exec"))) = 0;

Address findReadableRun(const void *p) {
  const Runtime *job = runtime();
  const AddressRange run =
      neverMisses(job) ? AddressRange{0, ~Address(0)} : readableRunOf(*job, extentsAround(*job, p));
  runBytes = run.bytes();
  return run.begin;
}

bool isObjectWritable(const Runtime &job, const void *p) {
  const AddressRange extents = extentsAround(job, p);
  return extents.bytes() != 0 && isObjectValid(job, extents, OMPDSM_WRITE_MISSES);
}

/// Bytes of an object, counted from a pointer into it.
struct Offsets {
  std::int64_t begin, end;
};

/// What the object that `p` points into has there; empty if nothing. If the object's extent is not
/// known, what there is at these addresses, unless they are all.
AddressRange partOf(const Runtime &job, const void *p, Offsets offsets) {
  constexpr std::int64_t kFar = std::int64_t(1) << 56; // and no address is
  const AddressRange extents = extentsAround(job, p);
  if (extents.bytes() == 1) // This node's own.
    return extents;
  const auto address = static_cast<std::int64_t>(reinterpret_cast<Address>(p));
  const bool isBounded = offsets.begin > -kFar && offsets.end < kFar;
  const std::int64_t begin = isBounded ? address + offsets.begin : 0;
  const std::int64_t end = isBounded ? address + offsets.end : kFar;
  if (extents.bytes() == 0 && (!isBounded || begin < 0 || end < begin))
    return {};
  const AddressRange all = extents.bytes() == 0 ? AddressRange{0, Address(kFar)} : extents;
  AddressRange part{std::max(all.begin, Address(std::max(begin, std::int64_t(0)))),
                    std::min(all.end, Address(std::max(end, std::int64_t(0))))};
  part.end = std::max(part.begin, part.end);
  return part;
}

constexpr std::size_t kOneIn = 8, kFewBytes = 16384;

/// Asks for what misses in a part, if that is at most `most` bytes.
bool ensureFew(const Runtime &job, AddressRange part, Access access, std::size_t most) {
  const unsigned missBit = access == Access::Read ? OMPDSM_READ_MISSES : OMPDSM_WRITE_MISSES;
  if (job.ended.load(std::memory_order_relaxed) ||
      job.addressSpace->countMisses(part, missBit, most / OMPDSM_LINE_BYTES) >
          most / OMPDSM_LINE_BYTES)
    return false;
  const int kept = errno;
  job.engine->ensure(part.begin, part.bytes(), access, FetchAhead::No);
  errno = kept;
  return true;
}

/// A few blocks that miss in a part, as it is taken for larger than what the loop reads: a row
/// beyond the border, or beyond the array. They come once, if nobody writes there.
bool readFew(const Runtime &job, AddressRange part) {
  return ensureFew(job, part, Access::Read, std::min(part.bytes() / kOneIn, kFewBytes));
}

/// What is fetched is the object: its parts may differ from question to question.
bool isPartReadable(const Runtime &job, const void *p, Offsets offsets, const void *place) {
  const AddressRange part = partOf(job, p, offsets);
  if (part.bytes() == 0)
    return false;
  if (isObjectValid(job, part, OMPDSM_READ_MISSES) || readFew(job, part))
    return true;
  const AddressRange extents = extentsAround(job, p);
  return isKnown(job, extents) && fetch(job, extents, place);
}

/// The borders of a node's part are shared, and closed at each release: a few blocks. So they are
/// opened here, as the sections of a loop that has some would be.
bool openFew(const Runtime &job, AddressRange part) {
  return isObjectValid(job, part, OMPDSM_READ_MISSES) &&
         ensureFew(job, part, Access::Write, std::max(part.bytes() / kOneIn, kFewBytes));
}

bool isPartWritable(const Runtime &job, const void *p, Offsets offsets) {
  const AddressRange part = partOf(job, p, offsets);
  return part.bytes() != 0 && (isObjectValid(job, part, OMPDSM_WRITE_MISSES) || openFew(job, part));
}

bool isRangeWritable(const Runtime &job, const void *p, std::size_t bytes) {
  const Address begin = reinterpret_cast<Address>(p);
  return isValid(job, {begin, begin + bytes}, OMPDSM_WRITE_MISSES);
}

/// The answer to a loop at `place`, of `question`, unless it need not be asked.
template <class Question> std::int32_t answer(const void *place, Question question) {
  static thread_local constinit RefusedQuestions refused
      __attribute__((tls_model("initial-exec"))) = {};
  const Runtime *job = runtime();
  if (neverMisses(job))
    return 1;
  if (refused.isPointless(place))
    return 0;
  const bool isValid = question(*job);
  if (isValid)
    refused.onValid(place);
  else
    refused.onRefused(place, __rdtsc());
  return isValid;
}

} // namespace
} // namespace ompdsm

using namespace ompdsm;

/// Where compiled code asks.
#define OMPDSM_PLACE __builtin_return_address(0)

OMPDSM_EXPORT std::int32_t __ompdsm_object_readable(const void *p) {
  const void *place = OMPDSM_PLACE;
  return answer(place, [=](const Runtime &job) { return isObjectReadable(job, p, place); });
}
OMPDSM_EXPORT std::uint64_t __ompdsm_readable_run(const void *p) { return findReadableRun(p); }
OMPDSM_EXPORT std::uint64_t __ompdsm_readable_run_bytes(const void *) { return runBytes; }
OMPDSM_EXPORT std::int32_t __ompdsm_object_writable(const void *p) {
  return answer(OMPDSM_PLACE, [=](const Runtime &job) { return isObjectWritable(job, p); });
}
OMPDSM_EXPORT std::int32_t __ompdsm_part_readable(const void *p, std::int64_t begin,
                                                  std::int64_t end) {
  const void *place = OMPDSM_PLACE;
  return answer(place,
                [=](const Runtime &job) { return isPartReadable(job, p, {begin, end}, place); });
}
OMPDSM_EXPORT std::int32_t __ompdsm_part_writable(const void *p, std::int64_t begin,
                                                  std::int64_t end) {
  return answer(OMPDSM_PLACE,
                [=](const Runtime &job) { return isPartWritable(job, p, {begin, end}); });
}
OMPDSM_EXPORT std::int32_t __ompdsm_range_readable(const void *p, std::size_t bytes) {
  const void *place = OMPDSM_PLACE;
  return answer(place, [=](const Runtime &job) { return isRangeReadable(job, p, bytes, place); });
}
OMPDSM_EXPORT std::int32_t __ompdsm_shared_readable(const void *p, std::size_t bytes) {
  return isSharedReadable(p, bytes, OMPDSM_PLACE);
}
OMPDSM_EXPORT std::int32_t __ompdsm_range_writable(const void *p, std::size_t bytes) {
  return answer(OMPDSM_PLACE, [=](const Runtime &job) { return isRangeWritable(job, p, bytes); });
}
