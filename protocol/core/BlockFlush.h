// BlockFlush.h: a release visits one block of the dirty list.
//
// Source: ARCHITECTURE section 2, traps 2 and 8. In two parts, because threads of the node store
// and synchronise meanwhile, under no lock: the explorer lets them do so between the parts.
#pragma once
#include "BlockStep.h"

namespace ompdsm {

/// Beyond a BlockPort.
template <class P>
concept FlushPort = BlockPort<P> && requires(P port, std::uint64_t stamp) {
  { port.isSharer(NodeId()) } -> std::same_as<bool>;
  { port.othersOffline() } -> std::same_as<bool>;
  { port.isQuietSince(stamp) } -> std::same_as<bool>;
  { port.compareWithTwin() } -> std::same_as<bool>; ///< Takes the snapshot; whether it differs.
  port.takeWhole(bool()); ///< Takes the snapshot of a block without a twin; all of it is changed.
                          ///< If quiet, memory is one: nobody stores until the step is over.
  { port.keeping() } -> std::same_as<Keeping>; ///< Of such a block; asked once in a flush.
  port.noteWriter();                           ///< This node has changed the block.
  port.noteUnchanged();                        ///< It was open for writing, and has not changed.
  /// Of such a block whose changes are pushed: whether the home is expected to change it in the
  /// next interval, too. Asked once in a flush.
  { port.expectsWriter() } -> std::same_as<bool>;
  { port.wasPostponed() } -> std::same_as<bool>;
};

/// What becomes of the block's entry in the dirty list.
enum class FlushResult : std::uint8_t {
  Off,       ///< It is not listed any more, or never was.
  Relist,    ///< Late writers may still change it: the next release comes again (trap 2).
  Postponed, ///< Once more in this release, when the fetch in flight has ended (trap 8).
};

template <FlushPort Port> class BlockFlush {
public:
  explicit BlockFlush(Port &port) : port_(port) {}

  /// First: false if there is nothing to do. A thread that is not quiet by now may store and become
  /// so at any time, and what it stores after the snapshot is found only if the twin stays.
  bool begin() {
    const BlockState state = port_.state();
    if (!isListed(state))
      return false;
    if (state == BlockState::Summed) // Who still adds finds that the sums have left.
      return true;
    const bool open = !(missBits(state) & kWriteMisses);
    situation_.quiet = open ? port_.othersOffline() : port_.isQuietSince(port_.record().graceStamp);
    return true;
  }
  bool isQuiet() const { return situation_.quiet; }

  /// Then: compares, sends, goes on.
  FlushResult finish() { return finish(situation_.quiet); }
  /// The same, with what an earlier begin() has found.
  FlushResult finish(bool quiet) {
    const BlockState state = port_.state();
    situation_.quiet = quiet;
    if (leavesWhole(state)) {
      port_.takeWhole(quiet);
      situation_.changed = true;
    } else if (state != BlockState::Summed) {
      situation_.changed =
          state == BlockState::HomeServed ? port_.compareWithDigest() : port_.compareWithTwin();
    }
    if (state == BlockState::Whole)
      situation_.keeping = port_.keeping();
    const auto *record = port_.findRecord(); // What leaves whole has none.
    situation_.distrusted = record && record->distrusted;
    situation_.unshared = port_.sharers().empty();
    const bool mayTell =
        situation_.distrusted ? mayRefresh(port_.isUntracked()) : situation_.changed;
    situation_.expected = isHomeState(state) && mayTell && expectsReaders(port_);
    if (situation_.changed && isHomeState(state))
      port_.noteWriter();
    if ((state == BlockState::HomeDirty || state == BlockState::Dirty) && !situation_.changed)
      port_.noteUnchanged();
    if (state == BlockState::HomeDirty && situation_.expected && quiet)
      situation_.written = port_.expectsWriter();
    step(port_, classifyFlush(state, situation_));
    if (port_.wasPostponed())
      return FlushResult::Postponed;
    return isListed(port_.state()) ? FlushResult::Relist : FlushResult::Off;
  }

private:
  Port &port_;
  FlushSituation situation_;
};

template <FlushPort Port> FlushResult flushBlock(Port &port) {
  BlockFlush<Port> flush(port);
  return flush.begin() ? flush.finish() : FlushResult::Off;
}

} // namespace ompdsm
