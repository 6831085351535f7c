// AddressSpace.cpp: reservations by mmap, and the lazily filled part of the state table.
#include "libompdsm/src/AddressSpace.h"
#include "fabric/Check.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/EarlyTable.h"
#include "libompdsm/src/MemoryLimits.h"
#include "protocol/engine/GroupTable.h"
#include "protocol/engine/MissCounts.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace ompdsm {
namespace {

/// Shares of a slice, by AreaUse.
constexpr unsigned kShares[kAreaUses] = {12, 32, 8, 7, 4, 1};
constexpr unsigned kShareSum = 64;
static_assert(std::accumulate(kShares, kShares + kAreaUses, 0U) == kShareSum);

/// Least size of the file that stands for untouched remote state, and most mappings of it: the
/// kernel allows a process 65530 mappings.
constexpr std::size_t kStateFileBytes = 4 << 20;
constexpr std::size_t kMaxStateMappings = 8192;

/// The counts of lines that miss lie behind the state table.
constexpr Address kMissCounts = OMPDSM_STATE_TABLE + OMPDSM_STATE_TABLE_BYTES;

/// The line of /proc/self/maps that overlaps `range`, or an empty string.
std::string mappingWithin(AddressRange range) {
  std::FILE *maps = std::fopen("/proc/self/maps", "re");
  if (!maps)
    return "";
  char line[512];
  std::string found;
  while (found.empty() && std::fgets(line, sizeof line, maps)) {
    unsigned long long begin = 0, end = 0;
    if (std::sscanf(line, "%llx-%llx", &begin, &end) == 2 && begin < range.end && end > range.begin)
      found.assign(line, std::strcspn(line, "\n"));
  }
  std::fclose(maps);
  return found;
}

/// `remedy` is for a range that is taken; `allBytes` is what all reservations need together.
Status reserveRange(AddressRange range, const char *what, const char *remedy,
                    std::size_t allBytes) {
  void *got = mmap(reinterpret_cast<void *>(range.begin), range.bytes(), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == reinterpret_cast<void *>(range.begin))
    return Status::ok();
  const int error = got == MAP_FAILED ? errno : EEXIST;
  if (got != MAP_FAILED)
    munmap(got, range.bytes()); // A kernel before 4.17 takes the address as a wish.
  char place[64];
  std::snprintf(place, sizeof place, "0x%llx-0x%llx", static_cast<unsigned long long>(range.begin),
                static_cast<unsigned long long>(range.end));
  std::string message = std::string("cannot reserve ") + what + " at " + place + ": ";
  if (error == EEXIST)
    message += "this mapping is in the way: " + mappingWithin(range) + "; " + remedy;
  else
    message += std::string(std::strerror(error)) + ": " + MemoryLimitText().text + ", but " +
               std::to_string(allBytes >> 10) +
               " KiB of addresses are needed (memory is used as it is touched); lift the limit";
  return Status::error(message);
}

AddressRange stateOf(AddressRange range) {
  const Address base = OMPDSM_STATE_TABLE;
  return {base + (range.begin >> OMPDSM_LINE_SHIFT), base + (range.end >> OMPDSM_LINE_SHIFT)};
}

AddressRange groupsOf(AddressRange range) {
  const Address base = OMPDSM_GROUP_TABLE;
  return {base + (range.begin >> OMPDSM_GROUP_SHIFT), base + (range.end >> OMPDSM_GROUP_SHIFT)};
}
static_assert(OMPDSM_GROUP_SHIFT == GroupTable::kGroupShift);
static_assert(OMPDSM_GROUP_TABLE + (1ULL << (47 - OMPDSM_GROUP_SHIFT)) <=
              OMPDSM_STATE_TABLE + (OMPDSM_LEAST_SHARED >> OMPDSM_LINE_SHIFT));

} // namespace

Status AddressSpace::create(const Options &options, NodeId node, unsigned nodes,
                            std::unique_ptr<AddressSpace> &space) {
  OMPDSM_CHECK(node < nodes);
  std::unique_ptr<AddressSpace> made(new AddressSpace(options, node, nodes));
  if (Status status = made->reserve(); !status.isOk())
    return status;
  if (Status status = made->markRemoteSlices(); !status.isOk())
    return status;
  space = std::move(made);
  return Status::ok();
}

Status AddressSpace::reserve() {
  const AddressRange table{OMPDSM_STATE_TABLE, kMissCounts + MissCounts::kTableBytes};
  const AddressRange segment{base_, base_ + nodes_ * sliceBytes_};
  if (stateOf(segment).end > kMissCounts || segment.end > Address(1) << 47)
    return Status::error("the segment of " + std::to_string(nodes_) +
                         " nodes does not fit below the end of the address space; set a smaller "
                         "OMPDSM_SLICE_GIB or OMPDSM_SEGMENT_BASE");
  const std::size_t allBytes = table.bytes() + segment.bytes();
  if (!takeEarlyTable())
    if (Status status =
            reserveRange(table, "the state table",
                         "its place is fixed: start the program with ompdsm-run or "
                         "`setarch -R`, and link it as a position-independent executable",
                         allBytes);
        !status.isOk())
      return status;
  if (Status status = reserveRange(segment, "the shared segment",
                                   "set OMPDSM_SEGMENT_BASE to a free multiple of 0x40000000, or a "
                                   "smaller OMPDSM_SLICE_GIB",
                                   allBytes);
      !status.isOk())
    return status;
  // The table is touched sparsely, 64 bytes for a page: huge pages would multiply its memory by up
  // to 512. It says nothing that a core dump needs. Both are wishes, so failures do not matter.
  void *tableBegin = reinterpret_cast<void *>(table.begin);
  (void)madvise(tableBegin, table.bytes(), MADV_NOHUGEPAGE);
  (void)madvise(tableBegin, table.bytes(), MADV_DONTDUMP);
  return Status::ok();
}

Status AddressSpace::allowExecution() {
  const AddressRange segment{base_, base_ + nodes_ * sliceBytes_};
  if (mprotect(reinterpret_cast<void *>(segment.begin), segment.bytes(),
               PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
    return Status::ok();
  return Status::error("the program puts code on its stack, which the system does not allow (" +
                       std::string(std::strerror(errno)) +
                       "): pass no internal procedures that use their host's variables, or link "
                       "with -z noexecstack if it does not");
}

Status AddressSpace::markRemoteSlices() {
  if (nodes_ == 1)
    return Status::ok();
  // One small file of that byte is mapped again and again: reads share its pages, writes copy them.
  // That its miss bits are a group's, too, is all that is asked of the other table.
  const std::size_t perSlice = stateOf(slice(0)).bytes();
  std::size_t fileBytes =
      std::max(kStateFileBytes, std::bit_ceil(perSlice * (nodes_ - 1) / kMaxStateMappings + 1));
  fileBytes = std::min(fileBytes, perSlice);
  const int file = memfd_create("ompdsm-state", MFD_CLOEXEC);
  auto failed = [&](const char *what) {
    const int error = errno;
    if (file >= 0)
      close(file);
    return Status::error(std::string("cannot fill the state table: ") + what + ": " +
                         std::strerror(error));
  };
  if (file < 0 || ftruncate(file, static_cast<off_t>(fileBytes)) != 0)
    return failed("memfd_create");
  void *contents = mmap(nullptr, fileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (contents == MAP_FAILED)
    return failed("mmap");
  std::memset(contents, kUntouchedRemoteState, fileBytes);
  munmap(contents, fileBytes);
  for (unsigned other = 0; other < nodes_; ++other) {
    if (other == node_)
      continue;
    const AddressRange memory = slice(static_cast<NodeId>(other));
    for (const AddressRange bytes : {stateOf(memory), groupsOf(memory)})
      for (Address at = bytes.begin; at < bytes.end; at += fileBytes)
        if (mmap(reinterpret_cast<void *>(at), std::min(fileBytes, bytes.end - at),
                 PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file,
                 0) == MAP_FAILED)
          return failed("mmap");
  }
  close(file);
  return Status::ok();
}

AddressRange AddressSpace::area(NodeId node, AreaUse use) const {
  const std::size_t share = sliceBytes_ / kShareSum;
  unsigned before = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(use); ++i)
    before += kShares[i];
  const Address begin = slice(node).begin + before * share;
  return {begin, begin + kShares[static_cast<unsigned>(use)] * share};
}

AreaUse AddressSpace::useOf(const void *p) const {
  const std::size_t offset = (reinterpret_cast<Address>(p) - base_) % sliceBytes_;
  unsigned share = static_cast<unsigned>(offset / (sliceBytes_ / kShareSum)), use = 0;
  while (share >= kShares[use])
    share -= kShares[use++];
  return static_cast<AreaUse>(use);
}

void AddressSpace::addAreas(AddressMap &map, const Options &options) const {
  const auto smallShift = static_cast<std::uint8_t>(std::countr_zero(options.blockSmallBytes));
  const auto largeShift = static_cast<std::uint8_t>(std::countr_zero(options.blockLargeBytes));
  for (unsigned node = 0; node < nodes_; ++node)
    for (unsigned i = 0; i < kAreaUses; ++i) {
      const auto use = static_cast<AreaUse>(i);
      const AddressRange range = area(static_cast<NodeId>(node), use);
      const bool large = use == AreaUse::LargeApplication || use == AreaUse::LargePinned;
      Area area;
      area.begin = range.begin;
      area.end = range.end;
      area.defaultHome = static_cast<NodeId>(node);
      area.blockShift = large ? largeShift : smallShift;
      area.untracked =
          use == AreaUse::SmallPinned || use == AreaUse::LargePinned || use == AreaUse::Stacks;
      area.foreign = use == AreaUse::SmallPinned || use == AreaUse::LargePinned;
      area.migratable = use == AreaUse::LargeApplication || use == AreaUse::SmallApplication;
      map.add(area);
    }
}

std::byte *AddressSpace::stateTable() { return reinterpret_cast<std::byte *>(OMPDSM_STATE_TABLE); }

std::byte *AddressSpace::groupTable() { return reinterpret_cast<std::byte *>(OMPDSM_GROUP_TABLE); }

std::byte *AddressSpace::missCounts() { return reinterpret_cast<std::byte *>(kMissCounts); }

std::uint64_t AddressSpace::revocations() { return MissCounts(missCounts()).revocations(); }

bool AddressSpace::hasStatesOfItsOwn(AddressRange range) {
  return range.begin >= OMPDSM_LEAST_SHARED || groupsOf(range).end <= stateOf(range).begin;
}

void AddressSpace::fillState(AddressRange range, std::uint8_t state) {
  const Address end = (range.end + OMPDSM_LINE_BYTES - 1) & ~Address(OMPDSM_LINE_BYTES - 1);
  const AddressRange bytes = stateOf({range.begin, end});
  const MissCounts counts(missCounts());
  for (Address at = range.begin; at < end;) {
    const Address next = std::min(end, (at | (MissCounts::kChunkBytes - 1)) + 1);
    counts.beforeChange(at, static_cast<int>((next - at) >> OMPDSM_LINE_SHIFT), 0, state);
    at = next;
  }
  GroupTable(groupTable()).beforeChange(range.begin, end, missBits(blockStateOf(state)));
  std::memset(reinterpret_cast<void *>(bytes.begin), state, bytes.bytes());
}

std::size_t AddressSpace::countMisses(AddressRange range, unsigned missBit,
                                      std::size_t most) const {
  constexpr std::size_t chunk = MissCounts::kChunkBytes;
  std::size_t lines = 0;
  for (Address at = range.begin, next; at < range.end && lines <= most; at = next) {
    next = std::min(range.end, (at | (chunk - 1)) + 1);
    if (next - at == chunk) {
      lines += std::size_t(missesOfChunk(at, missBit));
      continue;
    }
    const auto *states = reinterpret_cast<const volatile std::uint8_t *>(OMPDSM_STATE_TABLE);
    for (Address line = at >> OMPDSM_LINE_SHIFT; line <= (next - 1) >> OMPDSM_LINE_SHIFT; ++line)
      lines += (states[line] & missBit) != 0;
  }
  return lines;
}

std::optional<Address> AddressSpace::firstMiss(AddressRange range, unsigned missBit) const {
  constexpr std::size_t chunk = MissCounts::kChunkBytes;
  for (Address at = range.begin, next; at < range.end; at = next) {
    next = std::min(range.end, (at | (chunk - 1)) + 1);
    if (next - at == chunk && missesOfChunk(at, missBit) == 0)
      continue;
    if (!rangeMisses(reinterpret_cast<const void *>(at), next - at, missBit))
      continue;
    for (Address line = at; line < next; line = (line | (OMPDSM_LINE_BYTES - 1)) + 1)
      if (rangeMisses(reinterpret_cast<const void *>(line), 1, missBit))
        return line;
  }
  return std::nullopt;
}

AddressRange AddressSpace::longestRun(AddressRange range, unsigned missBit) const {
  /// Of chunks whose lines are looked at: up to a microsecond each.
  constexpr unsigned kMostLooks = 64;
  constexpr std::size_t chunk = MissCounts::kChunkBytes;
  const auto *states = reinterpret_cast<const volatile std::uint8_t *>(OMPDSM_STATE_TABLE);
  AddressRange longest{range.begin, range.begin}, run = longest;
  const auto extendTo = [&](Address end) {
    run.end = end;
    if (run.bytes() > longest.bytes())
      longest = run;
  };
  unsigned looks = 0;
  for (Address at = range.begin, next; at < range.end; at = next) {
    next = std::min(range.end, (at | (chunk - 1)) + 1);
    const int misses = next - at == chunk ? missesOfChunk(at, missBit) : 1;
    if (misses == 0) {
      extendTo(next);
    } else if (misses == MissCounts::kLinesPerChunk || ++looks > kMostLooks) {
      run = {next, next};
    } else {
      for (Address line = at, end; line < next; line = end) {
        end = std::min(next, (line | (OMPDSM_LINE_BYTES - 1)) + 1);
        if (states[line >> OMPDSM_LINE_SHIFT] & missBit)
          run = {end, end};
        else
          extendTo(end);
      }
    }
  }
  // Pairs with the release of the states: who finds lines that do not miss sees their contents.
  std::atomic_thread_fence(std::memory_order_acquire);
  return longest;
}

int AddressSpace::missesOfChunk(Address chunk, unsigned missBit) const {
  const auto *p = reinterpret_cast<const void *>(chunk);
  const bool remote = contains(p) && ownerOf(p) != node_;
  const int initially = remote ? MissCounts::kLinesPerChunk : 0;
  return initially + MissCounts(missCounts()).count(chunk, missBit);
}

bool AddressSpace::anyMissesOfLong(const void *p, std::size_t bytes, unsigned missBit) const {
  constexpr std::size_t chunk = MissCounts::kChunkBytes;
  const auto *begin = static_cast<const std::byte *>(p), *end = begin + bytes;
  const Address address = reinterpret_cast<Address>(p);
  // Addresses outside of the user address space (as after an overflow) never miss.
  if (address >> 47 != 0 || bytes > (Address(1) << 47) - address)
    return rangeMisses(p, bytes, missBit);
  const auto *first = begin + (-address & (chunk - 1));
  const auto *last = end - (reinterpret_cast<Address>(end) & (chunk - 1));
  if (rangeMisses(begin, std::size_t(first - begin), missBit) ||
      rangeMisses(last, std::size_t(end - last), missBit))
    return true;
  for (const std::byte *at = first; at < last; at += chunk)
    if (missesOfChunk(reinterpret_cast<Address>(at), missBit) != 0)
      return true;
  return false;
}

} // namespace ompdsm
