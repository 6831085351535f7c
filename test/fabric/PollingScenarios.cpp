// PollingScenarios.cpp: what comes while a thread polls that ends before it has seen it.
#include "Checker.h"
#include <atomic>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace ompdsm::test {

using namespace fabric;

namespace {
/// What a round of endOfPollingTells sends.
enum class Case : unsigned { Now, WhenWaiting, InsistedWhilePolled, InsistedAfterwards };
constexpr Case caseOf(std::uint64_t round) { return Case(round % 4); }

/// The attention flag of a node, as compiled code has it; never set where there is none.
class Attention {
public:
  explicit Attention(const SharedPage &page) {
    if (page.file < 0)
      return;
    void *memory = mmap(nullptr, size_, PROT_READ, MAP_SHARED, page.file, off_t(page.offset));
    if (memory != MAP_FAILED)
      memory_ = static_cast<const std::byte *>(memory);
  }
  ~Attention() {
    if (memory_)
      munmap(const_cast<std::byte *>(memory_), size_);
  }
  Attention(const Attention &) = delete;
  Attention &operator=(const Attention &) = delete;
  bool exists() const { return memory_; }
  bool isSet() const {
    return *reinterpret_cast<const volatile std::uint32_t *>(memory_ + kAttentionOffset) != 0;
  }

private:
  const std::size_t size_ = std::size_t(getpagesize());
  const std::byte *memory_ = nullptr;
};

void await(const Node &node, const std::atomic<std::uint64_t> &counter, std::uint64_t count) {
  while (counter.load() < count && !node.area.hasFailed())
    std::this_thread::yield();
}
} // namespace

/// A thread of node 1 says that it polls, but does not look, while node 0 sends something; then it
/// says that it has ended. What is urgent or was insisted on, before or after that, ends the sleep
/// of node 1's other thread; the rest only sets the attention flag.
static std::string endOfPollingTells(Node &node) {
  constexpr std::uint64_t kRounds = 400;
  Checker checker;
  Source source(node, static_cast<NodeId>(1 - node.self), Channel::Reply);
  std::atomic<std::uint64_t> &polled = node.area.counters[0], &sent = node.area.counters[1],
                             &ended = node.area.counters[2], &seen = node.area.counters[3];
  if (node.self == 0) {
    for (std::uint64_t round = 1; round <= kRounds && !node.area.hasFailed(); ++round) {
      const Case what = caseOf(round);
      await(node, polled, round);
      if (!source.trySend(64, what == Case::Now           ? Urgency::Now
                              : what == Case::WhenWaiting ? Urgency::WhenWaiting
                                                          : Urgency::WhenSeen))
        return "a small message was refused";
      if (what == Case::InsistedWhilePolled)
        node.transport.insist();
      sent.store(round);
      await(node, ended, round);
      if (what == Case::InsistedAfterwards)
        node.transport.insist();
      await(node, seen, round);
      pollAll(node, checker);
    }
    return finish(node, checker);
  }
  const Attention attention(node.transport.attention());
  PollInTurns poll(node, checker, seen);
  std::atomic<bool> overslept{false};
  std::atomic<std::uint64_t> sleepsEnded{0};
  std::thread sleeper([&] {
    while (seen.load() < kRounds && !node.area.hasFailed()) {
      if (!sleepsInTime(node))
        overslept.store(true);
      sleepsEnded.fetch_add(1);
      poll();
    }
  });
  std::uint64_t spared = 0;
  for (std::uint64_t round = 1; round <= kRounds && !node.area.hasFailed(); ++round) {
    node.transport.beginPolling();
    polled.store(round);
    await(node, sent, round);
    const std::uint64_t before = sleepsEnded.load();
    node.transport.endPolling();
    if (caseOf(round) == Case::WhenWaiting) { // As a thread that computes.
      while (attention.exists() && !attention.isSet() && seen.load() < round &&
             !node.area.hasFailed())
        std::this_thread::yield();
      spared += sleepsEnded.load() == before;
      poll();
    }
    ended.store(round);
    await(node, seen, round);
  }
  node.transport.wake();
  sleeper.join();
  if (overslept.load())
    return "a message that was left to a thread that polled did not end a sleep";
  if (attention.exists() && spared < kRounds / 8)
    return "what was in no hurry spared the sleeper only " + std::to_string(spared) + " times of " +
           std::to_string(kRounds / 4);
  return finish(node, checker);
}
static const RegisteredScenario endOfPollingRegistered("endOfPollingTells", endOfPollingTells);

} // namespace ompdsm::test
