// MemoryTest.cpp: what the bookkeeping of shared memory costs: 16 nodes, blocks of 1 KiB, each
// shared by all.
//
// Counted are the bytes that the protocol holds on the heap (replaced operator new; twins and
// records are aligned allocations, which this does not count), the state bytes, and two bytes per
// page of the home map. Records of blocks are counted apart: a node keeps some of those that it
// needed at once for the next blocks, how many depends on the moment.
#include "protocol/engine/BlockTable.h"
#include "test/unit/Cluster.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <malloc.h>
#include <new>

namespace {
std::atomic<std::int64_t> heapBytes{0}, records{0};
constexpr std::int64_t kMallocHeader = 8;
void count(void *p, std::int64_t sign) {
  heapBytes += sign * (std::int64_t(malloc_usable_size(p)) + kMallocHeader);
}
/// Of aligned allocations, to which twins belong, too.
void countRecord(std::size_t bytes, std::int64_t sign) {
  if (bytes == sizeof(ompdsm::BlockRecord))
    records += sign;
}
void *orAbort(void *p) {
  if (!p)
    std::abort();
  return p;
}
} // namespace

void *operator new(std::size_t bytes) {
  void *p = orAbort(std::malloc(bytes));
  count(p, 1);
  return p;
}
void operator delete(void *p) noexcept {
  if (p)
    count(p, -1);
  std::free(p);
}
void operator delete(void *p, std::size_t) noexcept { operator delete(p); }
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  countRecord(bytes, 1);
  return orAbort(std::aligned_alloc(std::size_t(alignment), bytes));
}
void operator delete(void *p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void *p, std::size_t bytes, std::align_val_t) noexcept {
  countRecord(bytes, -1);
  std::free(p);
}

namespace ompdsm::test {
namespace {

constexpr unsigned kNodes = 16;

/// Bytes of bookkeeping on the heaps of all nodes together, when all have read `bytes` of shared
/// memory, of which node 0 is the home. Nearly all of it is node 0's: no node can have more.
std::int64_t bookkeepingOf(std::size_t bytes) {
  ClusterOptions options;
  options.nodes = kNodes;
  options.areas.clear();
  const std::size_t part = bytes / kNodes;
  for (unsigned n = 0; n < kNodes; ++n)
    options.areas.push_back({n * part, part, 0, 10});
  Cluster cluster(options);
  std::int64_t before = 0, after = 0, recordsBefore = 0, recordsAfter = 0;
  runThreads(cluster, "memory of the bookkeeping", [&](NodeThread &thread, unsigned index) {
    thread.barrier();
    if (index == 0)
      before = heapBytes, recordsBefore = records;
    thread.barrier();
    for (unsigned area = 0; area < kNodes; ++area)
      thread.check(cluster.at(area, 0), part, Access::Read);
    // The homes learn that they have not written, and drop the digests of what they have served.
    thread.barrier();
    thread.barrier();
    if (index == 0)
      after = heapBytes, recordsAfter = records;
  });
  for (unsigned n = 0; n < kNodes; ++n)
    for (unsigned area = 0; area < kNodes; ++area)
      EXPECT_EQ(cluster.stateAt(NodeId(n), cluster.at(area, part - 1)),
                n == 0 ? BlockState::Shared : BlockState::Clean);
  EXPECT_LE(recordsAfter - recordsBefore, std::int64_t(kNodes * BlockTable::kMostSpare))
      << "blocks that are only shared have no record";
  EXPECT_GT(recordsAfter, recordsBefore) << "none was ever made: what was counted?";
  return after - before;
}

TEST(Memory, BookkeepingOfBlocksThatAllShareTakesLessThanTwoPercent) {
  // What more shared memory adds: what nodes need anyway (buffers for messages to each other,
  // records for what is in flight) does not count.
  constexpr std::size_t kLess = std::size_t(64) << 20, kMore = std::size_t(96) << 20;
  const double sharers =
      double(bookkeepingOf(kMore) - bookkeepingOf(kLess)) / double(kMore - kLess);
  const double states = 1.0 / kLineBytes, homes = 2.0 / 4096;
  std::printf("per shared GiB at its home: state bytes %.1f MiB, home map %.1f MiB, sharers %.1f "
              "MiB; %.2f %%\n",
              1024 * states, 1024 * homes, 1024 * sharers, 100 * (states + homes + sharers));
  EXPECT_LT(states + homes + sharers, 0.02);
  EXPECT_GT(sharers, 1.0 / 1024) << "a set for each block takes at least a byte: what was counted?";
}

} // namespace
} // namespace ompdsm::test
