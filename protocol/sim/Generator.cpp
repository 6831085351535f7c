#include "protocol/sim/Generator.h"
#include "protocol/sim/Dice.h"
#include "protocol/sim/ProgramParts.h"
#include <array>
#include <bit>

namespace ompdsm::sim {

namespace {
using namespace parts;

/// Writes a program as one run of it, with the happened-before order of that run.
class Writer {
public:
  explicit Writer(unsigned number)
      : dice_(number), expecting_(~std::uint64_t(number) - 1), gives_(~std::uint64_t(number) - 2),
        sums_(~std::uint64_t(number) - 3) {
    litmus_.name = "generated " + std::to_string(number);
    constexpr std::array<std::array<int, kMaxThreads>, 9> kPlaces = {{{0, 1, -1, -1},
                                                                      {1, 2, -1, -1},
                                                                      {0, 0, 1, -1},
                                                                      {0, 1, 1, -1},
                                                                      {1, 1, 2, -1},
                                                                      {0, 1, 2, -1},
                                                                      {0, 1, 1, -1},
                                                                      {1, 2, 2, -1},
                                                                      {0, 0, 1, 1}}};
    for (int node : kPlaces[dice_.below(kPlaces.size())])
      if (node >= 0)
        litmus_.threads.push_back({std::uint8_t(node), {}});
    const unsigned kind = dice_.below(10);
    twoBlocks_ = kind < 2;
    litmus_.blocks[0].untracked = kind == 2 || kind == 3;
    litmus_.blocks[0].foreign = kind == 3;
    litmus_.blocks[0].migratable = kind >= 4;
    isGuarded_ = kind >= 8;
    for (BlockTraits &block : litmus_.blocks)
      if (!block.foreign && dice_.oneIn(2)) {
        block.readers = std::uint8_t(dice_.below(1u << kMaxNodes));
        block.watched = dice_.oneIn(2);
      }
    Dice choices(~std::uint64_t(number)); // programs stay as they were
    for (BlockTraits &block : litmus_.blocks)
      block.keeping = Keeping(choices.below(3));
    for (BlockTraits &block : litmus_.blocks)
      block.closes = choices.oneIn(2);
    for (BlockTraits &block : litmus_.blocks)
      block.dense = choices.oneIn(3);
    for (BlockTraits &block : litmus_.blocks)
      block.saysSole = choices.oneIn(2);
    for (BlockTraits &block : litmus_.blocks)
      block.unwritten = choices.oneIn(2);
    for (BlockTraits &block : litmus_.blocks)
      block.supplied = choices.oneIn(2) ? std::uint8_t(choices.below(1u << kMaxNodes)) : 0;
    litmus_.blocks[1].migratable = kind == 0;
    litmus_.oneUnit = kind == 0;
    if (litmus_.oneUnit) { // of one area
      litmus_.blocks[0].migratable = true;
      litmus_.blocks[1].home = 0;
    }
    // Node 0 has no thread of its own in some, and cannot take part in a barrier.
    hasBarriers_ = litmus_.threads[0].node == 0 && dice_.below(3) != 0;
    for (unsigned t = 0; t < litmus_.threads.size(); ++t)
      if (!isLeader(t) && dice_.oneIn(2))
        members_ |= 1u << t;
  }

  Litmus write() {
    const unsigned phrases = 6 + dice_.below(litmus_.threads.size() == 2 ? 6 : 3);
    for (unsigned i = 0; i < phrases; ++i)
      phrase();
    return std::move(litmus_);
  }

private:
  struct Access {
    std::uint8_t at[kMaxThreads] = {}; ///< By thread: its clock then; 0: none.
  };
  Operations &of(unsigned t) { return litmus_.threads[t].operations; }
  void add(unsigned t, const Operations &operations) { of(t) = of(t) + operations; }
  Held heldBy(unsigned t) const {
    Litmus one;
    one.threads = {litmus_.threads[t]};
    return holdingsOf(one)[0].back();
  }

  /// `thread` goes on only after everything that `earlier` has done.
  bool order(unsigned earlier, unsigned thread) {
    if (flags_ == 8)
      return false;
    const Flag flag = Flag(flags_++);
    const std::uint8_t from = litmus_.threads[earlier].node, to = litmus_.threads[thread].node;
    const bool isGiven = from != to && gives_.oneIn(2);
    add(earlier, isGiven ? give(flag, to) : signal(flag));
    add(thread, isGiven ? take(flag) : wait(flag));
    join(clocks_[thread], clocks_[earlier]);
    ++clocks_[earlier][earlier];
    return true;
  }
  using VectorClock = std::array<std::uint8_t, kMaxThreads>;
  static void join(VectorClock &clock, const VectorClock &other) {
    for (unsigned t = 0; t < kMaxThreads; ++t)
      clock[t] = std::max(clock[t], other[t]);
  }
  /// Orders the thread after all accesses of others that an access would race with.
  bool avoidRace(unsigned t, unsigned byte, bool writes, bool isAtomic) {
    for (unsigned u = 0; u < litmus_.threads.size(); ++u) {
      if (u == t)
        continue;
      unsigned last = stores_[byte].at[u];
      if (writes)
        last = std::max<unsigned>(last, loads_[byte].at[u]);
      if (!isAtomic)
        last = std::max<unsigned>(last, atomicStores_[byte].at[u]);
      if (!isAtomic && writes)
        last = std::max<unsigned>(last, atomicLoads_[byte].at[u]);
      if (last > clocks_[t][u] && !order(u, t))
        return false;
    }
    return true;
  }
  void access(unsigned t, unsigned byte, bool writes) {
    if (isGuarded_ && byte == Y)
      return guarded(t);
    if ((isRaw_[byte] && !writes) || !avoidRace(t, byte, writes, false))
      return;
    isRaw_[byte] = false;
    const Held held = heldBy(t);
    const bool allowed = (writes ? held.writable : held.readable) >> (byte / kBlockBytes) & 1;
    if (!allowed || (held.outdated >> byte & 1) || dice_.oneIn(4))
      add(t, writes ? checkWrite(std::uint8_t(byte)) : checkRead(std::uint8_t(byte)));
    add(t, writes ? store(std::uint8_t(byte), value()) : load(std::uint8_t(byte)));
    (writes ? stores_ : loads_)[byte].at[t] = clocks_[t][t];
  }
  void overwriteBlock(unsigned t, unsigned byte) {
    const unsigned first = byte / kBlockBytes * kBlockBytes;
    for (unsigned i = first; i < first + kBlockBytes; ++i)
      if ((isGuarded_ && i == Y) || !avoidRace(t, i, true, false))
        return;
    add(t, checkOverwrite(std::uint8_t(byte)));
    for (unsigned i = first; i < first + kBlockBytes; ++i) {
      add(t, store(std::uint8_t(i), value()));
      isRaw_[i] = false;
      stores_[i].at[t] = clocks_[t][t];
    }
  }
  void atomic(unsigned t, unsigned byte, bool writes) {
    if ((isGuarded_ && byte == Y) || isRaw_[byte] || !avoidRace(t, byte, writes, true))
      return;
    const auto at = std::uint8_t(byte);
    if (writes)
      add(t, !dice_.oneIn(2)  ? exchange(at, value())
             : sums_.oneIn(2) ? parts::add(at, value())
                              : update(at, value()));
    else
      add(t, atomicLoad(at));
    (writes ? atomicStores_ : atomicLoads_)[byte].at[t] = clocks_[t][t];
  }
  /// By code without checks, at the home; what it leaves is the program's only in foreign blocks.
  void rawStoreAtHome(unsigned byte) {
    const BlockTraits &block = litmus_.blocks[byte / kBlockBytes];
    if (!block.untracked || litmus_.threads[0].node != block.home ||
        !avoidRace(0, byte, true, false))
      return;
    add(0, rawStore(std::uint8_t(byte), value()));
    stores_[byte].at[0] = clocks_[0][0];
    isRaw_[byte] = !block.foreign;
  }
  /// Byte Y under a lock, whoever gets it first.
  void guarded(unsigned t) {
    add(t, lock(a) + read(Y));
    if (dice_.oneIn(2))
      add(t, parts::write(Y, value()));
    add(t, unlock(a));
  }
  /// Few values, so that stores are often silent.
  std::uint8_t value() { return std::uint8_t(dice_.below(3)); }

  /// Members wait for it, offline, as OpenMP's threads do; others take no part.
  void barrierOfAll() {
    if (flags_ + 2 * unsigned(std::popcount(members_)) > 8)
      return;
    std::array<int, kMaxThreads> resumes;
    resumes.fill(-1);
    VectorClock all{};
    for (unsigned t = 0; t < litmus_.threads.size(); ++t)
      if (members_ >> t & 1) {
        const Flag flag = Flag(flags_++);
        resumes[t] = int(flags_++);
        add(t, offline() + post(flag));
        add(leaderOf(t), wait(flag));
        join(all, clocks_[t]);
      }
    for (unsigned t = 0; t < litmus_.threads.size(); ++t)
      if (isLeader(t)) {
        add(t, expecting_.oneIn(3) ? barrierBefore(X) : barrier());
        join(all, clocks_[t]);
      }
    for (unsigned t = 0; t < litmus_.threads.size(); ++t) {
      if (resumes[t] >= 0) {
        add(leaderOf(t), post(Flag(resumes[t])));
        add(t, wait(Flag(resumes[t])) + online());
      } else if (!isLeader(t))
        continue;
      join(clocks_[t], all);
      ++clocks_[t][t];
    }
  }
  bool isLeader(unsigned t) const {
    return t == 0 || litmus_.threads[t].node != litmus_.threads[t - 1].node;
  }
  unsigned leaderOf(unsigned t) const {
    while (!isLeader(t))
      --t;
    return t;
  }

  void phrase() {
    const unsigned t = dice_.below(unsigned(litmus_.threads.size()));
    const unsigned byte = dice_.below(twoBlocks_ ? kBytes : kBlockBytes);
    switch (dice_.below(20)) {
    case 0:
      return add(t, checkRead(std::uint8_t(byte)));
    case 1:
      return add(t, checkWrite(std::uint8_t(byte)));
    case 2:
      return add(t, prefetch(std::uint8_t(byte)));
    case 3:
    case 4:
      return add(t, release());
    case 5:
      return atomic(t, byte, true);
    case 6:
      return atomic(t, byte, false);
    case 7:
    case 8:
      if (hasBarriers_)
        return barrierOfAll();
      [[fallthrough]];
    case 9:
      rawStoreAtHome(byte);
      [[fallthrough]];
    case 10:
    case 11:
      return access(t, byte, false);
    case 12:
      return add(t, evict(std::uint8_t(byte)));
    case 13:
      return add(t, drop());
    case 14:
    case 15:
      return overwriteBlock(t, byte);
    default:
      return access(t, byte, true);
    }
  }

  Dice dice_, expecting_, gives_, sums_; // programs stay as they were
  Litmus litmus_;
  bool twoBlocks_ = false, hasBarriers_ = false, isGuarded_ = false;
  unsigned members_ = 0, flags_ = 0;
  std::array<VectorClock, kMaxThreads> clocks_ = {
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  std::array<bool, kBytes> isRaw_{}; ///< The last store was no one of the program.
  std::array<Access, kBytes> loads_{}, stores_{}, atomicLoads_{}, atomicStores_{};
};

} // namespace

Litmus generatedLitmus(unsigned number) { return Writer(number).write(); }

} // namespace ompdsm::sim
