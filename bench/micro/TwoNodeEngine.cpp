#include "bench/micro/TwoNodeEngine.h"
#include "fabric/Check.h"
#include <cstring>
#include <sys/mman.h>

namespace ompdsm::bench {

namespace {
/// Free in every process of x86-64 Linux that has not asked for it.
constexpr Address kBase = 0x2000'0000'0000;
/// Each area has as much room as that of the largest blocks.
constexpr std::size_t kAreaBytes = TwoNodeEngine::kBlocks << TwoNodeEngine::kMostShift;
constexpr std::size_t kAreas = TwoNodeEngine::kMostShift - TwoNodeEngine::kLeastShift + 1;

void refuseAtomic(void *, const AtomicOperation &, std::byte *) {
  OMPDSM_CHECK(!"no atomic operation is measured here");
}
} // namespace

TwoNodeEngine::TwoNodeEngine(fabric::Transport &transport) {
  void *memory = mmap(reinterpret_cast<void *>(kBase), kAreas * kAreaBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  OMPDSM_CHECK(memory == reinterpret_cast<void *>(kBase));
  memory_ = static_cast<std::byte *>(memory);
  const bool isHome = transport.self() == 0;
  for (unsigned shift = kLeastShift; shift <= kMostShift; ++shift) {
    Area area;
    area.begin = blockAt(shift, 0);
    area.end = blockAt(shift, kBlocks);
    area.blockShift = static_cast<std::uint8_t>(shift);
    map_.add(area);
    // Contents that do not compress to zeros, and pages that are there.
    std::memset(memory_ + (area.begin - kBase), isHome ? 1 : 2, area.end - area.begin);
  }
  map_.seal();
  states_.assign((kAreas * kAreaBytes) >> kLineShift, isHome ? 0 : kUntouchedRemoteState);
  messenger_ = std::make_unique<Messenger>(
      transport, MessengerOptions{.spinMicroseconds = 1000000}); // who waits attends
  EngineOptions options;
  options.stateTable = reinterpret_cast<std::byte *>(reinterpret_cast<Address>(states_.data()) -
                                                     (kBase >> kLineShift));
  options.atomicExecutor = refuseAtomic;
  options.homePatience = 0;
  options.pushUpdates = false; // or nothing is missed after a while
  engine_ = std::make_unique<Engine>(map_, *messenger_, options);
  messenger_->start();
  thread_ = engine_->registerThread();
}

TwoNodeEngine::~TwoNodeEngine() {
  engine_->unregisterThread(thread_);
  messenger_->stop();
  engine_.reset();
  munmap(memory_, kAreas * kAreaBytes);
}

Address TwoNodeEngine::blockAt(unsigned shift, std::size_t index) const {
  return kBase + (shift - kLeastShift) * kAreaBytes + (index << shift);
}

} // namespace ompdsm::bench
