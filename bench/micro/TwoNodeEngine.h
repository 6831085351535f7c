// TwoNodeEngine.h: a node of a job of two that runs the protocol's engine, without compiled code
// and without the runtime: areas of one block size each, all at home at node 0, in memory that both
// have at the same address.
#pragma once
#include "protocol/engine/Engine.h"
#include "protocol/engine/StateTable.h"
#include <memory>
#include <vector>

namespace ompdsm::bench {

class TwoNodeEngine {
public:
  static constexpr unsigned kLeastShift = 6, kMostShift = 16;
  /// Blocks in each area.
  static constexpr std::size_t kBlocks = 64;

  explicit TwoNodeEngine(fabric::Transport &transport);
  ~TwoNodeEngine();
  TwoNodeEngine(const TwoNodeEngine &) = delete;
  TwoNodeEngine &operator=(const TwoNodeEngine &) = delete;

  Address blockAt(unsigned shift, std::size_t index) const;
  Engine &engine() { return *engine_; }
  Messenger &messenger() { return *messenger_; }
  void barrier() { engine_->barrier(thread_); }

private:
  AddressMap map_;
  std::byte *memory_ = nullptr;
  std::vector<std::uint8_t> states_;
  std::unique_ptr<Messenger> messenger_;
  std::unique_ptr<Engine> engine_;
  ThreadRegistration *thread_ = nullptr;
};

} // namespace ompdsm::bench
