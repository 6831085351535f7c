// SharedArea.cpp: a memfd full of zeros is a valid SharedArea.
#include "SharedArea.h"
#include "fabric/Check.h"
#include <chrono>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace ompdsm::test {

/// How long a node waits for the others before the test fails.
static constexpr std::chrono::seconds kPatience{100};

SharedArea *SharedArea::create(int &fd) {
  fd = memfd_create("fabric-test", 0);
  OMPDSM_CHECK(fd >= 0 && ftruncate(fd, sizeof(SharedArea)) == 0);
  return open(fd);
}

SharedArea *SharedArea::open(int fd) {
  void *memory = mmap(nullptr, sizeof(SharedArea), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  OMPDSM_CHECK(memory != MAP_FAILED);
  return static_cast<SharedArea *>(memory);
}

void SharedArea::close(SharedArea *area) { munmap(area, sizeof(SharedArea)); }

std::uint32_t SharedArea::arrive(unsigned nodes) {
  std::uint32_t generation = generation_.load();
  if (arrived_.fetch_add(1) + 1 == nodes) {
    arrived_.store(0);
    generation_.fetch_add(1);
  }
  return generation;
}

bool SharedArea::meet(unsigned nodes) {
  auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::uint32_t ticket = arrive(nodes);
  while (!hasPassed(ticket)) {
    if (hasFailed())
      return false;
    if (std::chrono::steady_clock::now() > deadline) {
      fail("a node waited too long for the others");
      return false;
    }
    usleep(50);
  }
  return !hasFailed();
}

bool SharedArea::exchange(unsigned self, unsigned nodes, std::span<const std::byte> mine,
                          std::vector<std::vector<std::byte>> &all) {
  OMPDSM_CHECK(self < kMaxNodes && nodes <= kMaxNodes && mine.size() <= kMaxBlobBytes);
  std::memcpy(blobs_[self], mine.data(), mine.size());
  blobBytes_[self] = static_cast<std::uint32_t>(mine.size());
  if (!meet(nodes))
    return false;
  all.clear();
  for (unsigned node = 0; node < nodes; ++node)
    all.emplace_back(blobs_[node], blobs_[node] + blobBytes_[node]);
  return meet(nodes);
}

void SharedArea::fail(const std::string &reason) {
  std::uint32_t none = 0;
  // 1: somebody writes the reason; 2: it can be read.
  if (!failed_.compare_exchange_strong(none, 1))
    return;
  std::strncpy(reason_, reason.c_str(), kMaxReasonBytes - 1);
  failed_.store(2);
}

} // namespace ompdsm::test
