// BlockSizing.h: which pages of this home should have blocks of another size. Under the engine's
// lock.
//
// Where several nodes change different lines of a block in the same epoch, each is sent what the
// others have changed there, whether it reads that or not. Smaller blocks part them, and move to
// who changes them alone (HomeMap.h). Who reads what cannot be seen, so it is tried: a page in
// which the writers can be told apart by lines, again and again, gets the largest blocks that leave
// a quarter of the shared bytes or less; if the home then does not send so much less as blocks of
// that size must save, it gets its size back for good. Few pages are tried at first, more where it
// was worth it, fewer where not. Method: adaptive granularity (Park and Saavedra 1996) with a trial
// instead of a guess.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/StateTable.h"
#include <algorithm>
#include <array>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <vector>

namespace ompdsm {

class BlockSizing {
public:
  /// `patience`: watched epochs in a row in which writers could be told apart by lines until that
  /// is tried; 0: never; 1: at the first, however little is sent, and not for long (for tests).
  BlockSizing(unsigned patience, unsigned nodes, bool homesMove)
      : patience_(patience), homesMove_(homesMove),
        leastThatStays_(nodes == 2 ? kLeastShiftOfTwo : kLeastShiftOfMore),
        warmEpochs_(patience == 1 ? 6 : kWarmEpochs),
        countedEpochs_(patience == 1 ? 4 : kCountedEpochs) {}

  /// Whether changes of this epoch are noted.
  bool isWatching() const { return isWatching_; }
  /// `writer` has changed the line, of a block of `area`, whose blocks are at most pages.
  void onChanged(const Area &area, Address line, NodeId writer) {
    const Address page = pageOf(line);
    if (page != latest_) {
      if (area.untracked || area.blockShift > kPageShift || settled_.contains(page) ||
          (changed_.size() >= kMostPages && !changed_.contains(page)))
        return;
      latest_ = page;
    }
    auto [entry, added] = changed_.try_emplace(page);
    Lines &lines = entry.value();
    if (added)
      lines = {noWriters(), area.blockShift, homesMove_ && area.migratable};
    NodeId &of = lines.writers[(line - page) >> kLineShift];
    of = of == kNobody || of == writer ? writer : kSeveral;
  }
  /// Contents, or changes, of a block leave for a sharer.
  void onSent(Address block, std::size_t bytes) {
    if (suspects_.empty()) [[likely]]
      return;
    if (auto found = suspects_.find(pageOf(block)); found != suspects_.end())
      found.value().sentBytes += bytes;
  }

  struct Wanted {
    Address page = 0;
    unsigned blockShift = 0;
  };
  bool wantsAny() const { return !wanted_.empty(); }
  const std::vector<Wanted> &wanted() const { return wanted_; }
  void onResized(const Wanted &page) {
    Suspect &suspect = suspects_[page.page];
    if (suspect.isTried)
      return settle(page.page);
    suspect.isTried = true;
    suspect.sentBefore = sentOf(suspect);
    suspect.since = epochs_;
    suspect.sentBytes = 0;
    ++tried_;
  }
  /// Blocks of the page, which are tried, stay here until that has ended.
  bool isTried(Address page) const {
    const auto found = suspects_.find(page);
    return found != suspects_.end() && found->second.isTried;
  }
  /// The page keeps the blocks that it has: they are worth it, or have different homes by now.
  void keep(Address page) {
    if (isTried(page))
      mostTried_ = std::min<unsigned>(mostTried_ * 2, kMostPages);
    settle(page);
  }
  /// The page has another home.
  void forget(Address page) {
    if (auto found = suspects_.find(page); found != suspects_.end()) {
      tried_ -= found->second.isTried;
      suspects_.erase(found);
    }
  }

  /// A barrier ends; `watches`: the changes of the next epoch.
  void endEpoch(bool watches) {
    isWatching_ = isOn() && watches;
    wanted_.clear();
    if (!isOn() && tried_ == 0)
      return suspects_.clear();
    ++epochs_;
    for (const auto &[page, lines] : changed_)
      judge(page, lines);
    changed_.clear();
    latest_ = kNoPage;
    if (!suspects_.empty())
      choose();
  }

private:
  static constexpr std::size_t kMostPages = 1024;
  /// Epochs behind a change of size: until all is fetched again, and of which is counted then.
  static constexpr unsigned kWarmEpochs = 12, kCountedEpochs = 16;
  /// Below, what each block costs its writer (a miss, a twin, a comparison) is more than what the
  /// others are then not sent, the less the fewer they are: measured (bench/README.md). Blocks that
  /// move to their writers cost nothing in the end where nobody reads them: then lines will do, if
  /// they save the more; and where they are read a writer that is the home puts nothing.
  static constexpr unsigned kLeastShiftOfTwo = 9, kLeastShiftOfMore = 8;
  static constexpr unsigned kFirstTrials = 8;
  /// Bytes in an epoch, of a page and of all that may be tried.
  static constexpr double kLittle = 128, kLittleOfAll = 2048;
  static constexpr unsigned kPauseEpochs = 64; ///< Behind a trial in vain.
  static constexpr NodeId kNobody = 0xffff, kSeveral = 0xfffe;
  static constexpr Address kNoPage = ~Address(0);
  static constexpr std::size_t kLines = kPageBytes / kLineBytes;
  using Writers = std::array<NodeId, kLines>;

  struct Lines {
    Writers writers;
    unsigned blockShift = 0;
    bool homesMove = false;
  };
  struct Suspect {
    unsigned found = 0;      ///< Watched epochs.
    unsigned blockShift = 0; ///< That it should have.
    unsigned before = 0;     ///< That it has, or had before it was tried.
    bool isTried = false, isVain = false, homesMove = false;
    std::uint64_t since = 0; ///< The epoch behind which was sent:
    std::uint64_t sentBytes = 0;
    double sentBefore = 0; ///< Bytes an epoch, before the trial.
  };

  unsigned leastShift(bool homesMove) const {
    return patience_ == 1 || homesMove ? kLineShift : leastThatStays_;
  }
  /// Of what was sent before, in quarters: as much as may be sent of blocks that are worth it.
  static int mostSent(const Suspect &suspect) {
    if (suspect.blockShift < kLeastShiftOfMore)
      return 1;
    return suspect.blockShift < kLeastShiftOfTwo || !suspect.homesMove ? 3 : 5;
  }
  static constexpr Writers noWriters() {
    Writers none;
    none.fill(kNobody);
    return none;
  }
  /// Bytes of blocks that several nodes have changed, if blocks had that size.
  static std::size_t sharedBytes(const Writers &writers, unsigned blockShift) {
    const std::size_t block = std::size_t(1) << (blockShift - kLineShift);
    std::size_t shared = 0;
    for (std::size_t first = 0; first < kLines; first += block) {
      NodeId writer = kNobody;
      bool several = false;
      for (std::size_t line = first; line < first + block; ++line) {
        const NodeId of = writers[line];
        several |= of == kSeveral || (of != kNobody && writer != kNobody && of != writer);
        writer = of == kNobody ? writer : of;
      }
      shared += several ? block * kLineBytes : 0;
    }
    return shared;
  }
  /// The largest that part the writers; that of now if none do.
  unsigned partingShift(const Lines &lines) const {
    const std::size_t now = sharedBytes(lines.writers, lines.blockShift);
    for (unsigned shift = lines.blockShift; now != 0 && shift-- > leastShift(lines.homesMove);)
      if (sharedBytes(lines.writers, shift) * 4 <= now)
        return shift;
    return lines.blockShift;
  }

  void judge(Address page, const Lines &lines) {
    auto found = suspects_.find(page);
    if (found != suspects_.end() && found->second.isTried)
      return;
    const unsigned shift = partingShift(lines);
    if (shift == lines.blockShift) {
      if (found != suspects_.end())
        suspects_.erase(found);
      return;
    }
    if (found == suspects_.end() && suspects_.size() >= kMostPages)
      return;
    auto [entry, added] = suspects_.try_emplace(page);
    Suspect &suspect = entry.value();
    suspect.blockShift = added ? shift : std::min(shift, suspect.blockShift);
    suspect.before = lines.blockShift;
    suspect.homesMove = lines.homesMove;
    if (added)
      suspect.since = epochs_;
    ++suspect.found;
  }

  /// Bytes that are sent of the page in an epoch.
  double sentOf(const Suspect &suspect) const {
    const std::uint64_t epochs = epochs_ - suspect.since;
    return epochs == 0 ? 0 : double(suspect.sentBytes) / double(epochs);
  }
  /// The least that must be sent of a page in an epoch for a trial: what leaves in messages that
  /// leave anyway is not worth it, be it of one page or of all.
  double leastSent() const {
    if (patience_ == 1)
      return 1e-9;
    double all = 0;
    for (const auto &[page, suspect] : suspects_)
      all += suspect.isTried ? 0 : sentOf(suspect);
    return all > kLittleOfAll ? kLittle : kLittleOfAll;
  }

  void choose() {
    std::vector<Address> done;
    const double leastSent = this->leastSent();
    for (auto entry = suspects_.begin(); entry != suspects_.end(); ++entry) {
      Suspect &suspect = entry.value();
      const std::uint64_t epochs = epochs_ - suspect.since;
      if (!suspect.isTried) {
        const bool costs = sentOf(suspect) >= leastSent;
        if (isOn() && costs && suspect.found >= patience_ && tried_ + wanted_.size() < mostTried_ &&
            epochs_ >= pausesUntil_)
          wanted_.push_back({entry->first, suspect.blockShift});
        continue;
      }
      if (epochs == warmEpochs_)
        suspect.sentBytes = 0;
      if (epochs < warmEpochs_ + countedEpochs_)
        continue;
      const double now = double(suspect.sentBytes) / double(epochs - warmEpochs_);
      if (!suspect.isVain && now * 4 <= suspect.sentBefore * mostSent(suspect)) {
        done.push_back(entry->first);
        continue;
      }
      if (!std::exchange(suspect.isVain, true)) {
        mostTried_ = std::max(mostTried_ / 2, 1u);
        pausesUntil_ = epochs_ + kPauseEpochs;
      }
      wanted_.push_back({entry->first, suspect.before});
    }
    for (Address page : done)
      keep(page);
    std::sort(wanted_.begin(), wanted_.end(),
              [](const Wanted &a, const Wanted &b) { return a.page < b.page; });
  }

  void settle(Address page) {
    forget(page);
    settled_.insert(page);
    if (settled_.size() >= kMostSettled)
      patience_ = 0; // What is known of so many pages is enough; trials still end.
  }
  static constexpr std::size_t kMostSettled = std::size_t(1) << 16;

  bool isOn() const { return patience_ != 0; }

  unsigned patience_;
  bool homesMove_;
  unsigned leastThatStays_; ///< Size of blocks that stay where they are.
  unsigned warmEpochs_, countedEpochs_;
  bool isWatching_ = false;
  std::uint64_t epochs_ = 0, pausesUntil_ = 0;
  unsigned tried_ = 0, mostTried_ = kFirstTrials;
  Address latest_ = kNoPage;                            ///< In changed_.
  tsl::robin_map<Address, Lines, AddressHash> changed_; ///< In this epoch, if it is watched.
  tsl::robin_map<Address, Suspect, AddressHash> suspects_;
  tsl::robin_set<Address, AddressHash> settled_; ///< Pages that keep their sizes.
  std::vector<Wanted> wanted_;
};

} // namespace ompdsm
