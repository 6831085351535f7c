// SharedArea.h: memory that the nodes of one test share, whether they are threads or processes: a
// barrier, the exchange of addresses, and why the test failed.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ompdsm::test {

class SharedArea {
public:
  static constexpr unsigned kMaxNodes = 16;
  static constexpr std::size_t kMaxBlobBytes = 4096;
  static constexpr std::size_t kMaxReasonBytes = 512;

  /// A new area; processes that inherit its file descriptor open() it.
  static SharedArea *create(int &fd);
  static SharedArea *open(int fd);
  static void close(SharedArea *area);

  /// Says that this participant is here; hasPassed() tells when all `nodes` are.
  std::uint32_t arrive(unsigned nodes);
  bool hasPassed(std::uint32_t ticket) const { return generation_.load() != ticket; }
  /// Waits until `nodes` participants are here; false when the test has failed or takes too long.
  bool meet(unsigned nodes);
  /// All-gather; false as in meet().
  bool exchange(unsigned self, unsigned nodes, std::span<const std::byte> mine,
                std::vector<std::vector<std::byte>> &all);
  /// Keeps the first reason; ends all waiting.
  void fail(const std::string &reason);
  bool hasFailed() const { return failed_.load() != 0; }
  std::string reason() const { return hasFailed() ? reason_ : ""; }

  /// Free for the scenario: counters that all nodes see.
  std::atomic<std::uint64_t> counters[64];

private:
  std::atomic<std::uint32_t> arrived_;
  std::atomic<std::uint32_t> generation_;
  std::atomic<std::uint32_t> failed_;
  char reason_[kMaxReasonBytes];
  std::uint32_t blobBytes_[kMaxNodes];
  std::byte blobs_[kMaxNodes][kMaxBlobBytes];
};

} // namespace ompdsm::test
