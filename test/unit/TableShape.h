// TableShape.h: what every transition of the protocol must look like, whatever the protocol does:
// the invariants that follow from the meaning of states and actions. No run is needed to check
// them.
#pragma once
#include "protocol/core/Classify.h"
#include <algorithm>
#include <string>
#include <vector>

namespace ompdsm::test {

class TransitionShape {
public:
  TransitionShape(BlockState before, Event event, const Transition &transition)
      : before_(before), event_(event), next_(transition.next), transition_(transition) {}

  /// What is wrong with the transition, in words; empty if nothing is.
  std::vector<std::string> faults() {
    checkTwin();
    checkPermissions();
    checkFetch();
    checkHome();
    checkFlush();
    return std::move(faults_);
  }

private:
  bool does(Action action) const {
    return std::find(transition_.actions.begin(), transition_.actions.end(), action) !=
           transition_.actions.end();
  }
  void require(bool condition, const char *what) {
    if (!condition)
      faults_.push_back(what);
  }
  static bool grantsR(BlockState s) { return !(missBits(s) & kReadMisses); }
  static bool grantsW(BlockState s) { return !(missBits(s) & kWriteMisses); }
  bool isPush() const {
    return event_ == Event::Update || event_ == Event::UpdateWatched || event_ == Event::Refresh;
  }
  /// All of a block comes unasked where there is nothing.
  bool bringsCopy() const {
    return (event_ == Event::Refresh || event_ == Event::UpdateWatched) &&
           before_ == BlockState::Invalid;
  }
  /// What the home takes for a valid copy is one.
  static bool isUpToDate(BlockState s) {
    return s == BlockState::Clean || s == BlockState::Dirty || s == BlockState::Closing ||
           s == BlockState::Unread;
  }
  bool isQuiet() const {
    return event_ == Event::FlushChangedQuiet || event_ == Event::FlushSameQuiet ||
           event_ == Event::FlushAwayQuiet || event_ == Event::FlushWatchedQuiet ||
           event_ == Event::FlushPushedQuiet || event_ == Event::GetQuiet ||
           event_ == Event::Supply;
  }
  /// All of the block is sent as what others may not be able to use.
  bool isRefresh() const {
    return event_ == Event::FlushRefreshed || before_ == BlockState::HomeBare;
  }
  /// The sender of a whole block keeps nothing.
  bool isAway() const { return event_ == Event::FlushAway || event_ == Event::FlushAwayQuiet; }
  /// Another node sends all of the block.
  bool isOverwritten() const { return event_ == Event::PutWhole || event_ == Event::PutAway; }

  /// Of what was sent while threads held W nobody has a copy any more, so none need be found.
  bool endsServed() const {
    return before_ == BlockState::HomeServed && next_ == BlockState::Exclusive &&
           does(Action::InvalidateAll);
  }

  void checkTwin() {
    bool twin = keepsTwin(before_), digest = before_ == BlockState::HomeServed;
    for (Action action : transition_.actions)
      switch (action) {
      case Action::MakeTwin:
        require(!twin, "a twin is made where there is one");
        twin = true;
        break;
      case Action::DropTwin:
        require(twin, "a twin is dropped where there is none");
        twin = false;
        break;
      case Action::KeepSnapshot:
        require(!twin &&
                    (does(Action::SendWhole) || does(Action::SendAway) || does(Action::TellAll) ||
                     does(Action::RefreshAll) || does(Action::InvalidateAll)),
                "a twin is made of what nobody knows");
        twin = true;
        break;
      case Action::TwinForDigest:
        require(!twin && digest, "a twin is made for a digest that there is not");
        twin = true;
        digest = false;
        break;
      case Action::KeepDigest:
        require(!twin && !digest && does(Action::SendMemory),
                "a digest is kept of what was not sent");
        digest = true;
        break;
      case Action::DropDigest:
        require(digest, "a digest is dropped where there is none");
        digest = false;
        break;
      case Action::NoteServed:
        require(twin || before_ == BlockState::HomeServed,
                "what was served is compared with nothing");
        break;
      case Action::RenewTwin:
      case Action::MergeData:
      case Action::SendTwin:
        require(twin, "a twin is used where there is none");
        break;
      case Action::DistrustTwin: // or the one that comes with the contents
        require(twin || isFetching(next_), "a twin is distrusted where there is none");
        break;
      case Action::ApplyData:
        require(!twin, "late writers' bytes are overwritten");
        break;
      default:
        break;
      }
    require(twin == keepsTwin(next_), "a state and its twin disagree");
    require(does(Action::SendSums) == (before_ == BlockState::Summed && next_ != before_),
            "sums leave when their state ends, and only then");
    // What nobody shares has no record that could keep one.
    require(digest == (next_ == BlockState::HomeServed) || next_ == BlockState::Exclusive,
            "a state and its digest disagree");
    // A release takes the list, and puts back what it leaves in a listed state.
    require((does(Action::MakeTwin) || does(Action::Enlist) || does(Action::KeepDigest)) ==
                (!isListed(before_) && isListed(next_)),
            "a state and the dirty list disagree");
  }
  void checkPermissions() {
    // What is overwritten whole by another node nobody here stores to.
    if (grantsW(before_) && !grantsW(next_) && !isOverwritten())
      require(does(Action::StampGrace) || isQuiet(), "W is revoked without a grace period");
    if (does(Action::StampGrace))
      require(grantsW(before_) && !grantsW(next_), "a grace period begins with nothing revoked");
    if (isListed(before_) && !isListed(next_) && before_ != BlockState::Summed)
      require(isQuiet() || event_ == Event::FlushUnshared || isOverwritten() || endsServed(),
              "a twin is dropped under late writers");
    if (!grantsR(before_) && grantsR(next_))
      require(does(Action::ApplyData) || does(Action::MergeData) ||
                  event_ == Event::WriteMissWhole || before_ == BlockState::Unread || bringsCopy(),
              "R is given over old contents");
    if (grantsW(next_) && !isHomeState(next_))
      require(isListed(next_), "a cacher's writes are not tracked");
    if ((event_ == Event::Invalidate || event_ == Event::Discard) && before_ != BlockState::Whole)
      require(!grantsR(next_) && !grantsW(next_), "a stale copy stays readable");
    require(isHomeState(before_) == isHomeState(next_) || event_ == Event::Cede ||
                event_ == Event::Adopt,
            "a home is no home any more");
  }
  void checkFetch() {
    bool begins = !isFetching(before_) && isFetching(next_);
    bool ends = isFetching(before_) && !isFetching(next_);
    bool writeMiss = event_ == Event::WriteMiss || event_ == Event::WriteMissUntracked;
    require(does(Action::RequestData) == begins, "a fetch begins with a request, once");
    require(does(Action::WakeWaiters) == ends, "the end of a fetch wakes its waiters, once");
    require((does(Action::ApplyData) || does(Action::MergeData)) == ends,
            "a fetch brings contents");
    require(does(Action::AwaitData) == (event_ == Event::ReadMiss && isFetching(next_)),
            "a reader waits for contents");
    require(does(Action::AwaitDataForWrite) == (writeMiss && isFetching(next_)),
            "a writer waits for contents");
    if (event_ == Event::ReadMiss && !isFetching(next_))
      require(grantsR(next_), "a read miss ends without a permission");
    if ((writeMiss || event_ == Event::WriteMissWhole || event_ == Event::WriteMissBare) &&
        !isFetching(next_))
      require(grantsW(next_), "a write miss ends without a permission");
    if (event_ == Event::WriteMissUntracked && !isHomeState(before_))
      require(!grantsW(next_) && does(Action::DistrustTwin),
              "a twin is made over untracked bytes, or trusted");
    if (event_ == Event::DataForWrite)
      require(grantsW(next_), "a waiting writer gets nothing");
  }
  void checkHome() {
    bool everybodyTold = does(Action::InvalidateAll);
    if (event_ == Event::WriteMissUntracked && before_ == BlockState::Shared)
      require(does(Action::DistrustTwin), "sharers may lack bytes and are not told");
    if (event_ == Event::Get || event_ == Event::GetQuiet || event_ == Event::GetUnwritten) {
      require(does(Action::AddSharer), "a reader is forgotten");
      require(does(Action::SendTwin) != does(Action::SendMemory), "a reader gets one answer");
      require(!does(Action::SendMemory) ||
                  !(keepsTwin(before_) || before_ == BlockState::HomeServed) ||
                  does(Action::NoteServed),
              "bytes that the twin does not show are sent and forgotten");
    }
    if (event_ == Event::Supply)
      require(does(Action::AddSharer) && does(Action::SendSupply),
              "a reader is forgotten, or sent nothing");
    if (event_ == Event::Put) {
      require(does(Action::ApplyPut), "a change is lost");
      require(before_ == BlockState::Exclusive || does(Action::TellOthers),
              "sharers are not told of a change");
    }
    if (does(Action::TellOthers) || does(Action::TellAll) || does(Action::RefreshAll))
      require(next_ != BlockState::Exclusive, "an untracked block has sharers");
    if (isPush())
      require(does(Action::ApplyPut) == (isUpToDate(before_) || bringsCopy()) &&
                  isUpToDate(next_) == (isUpToDate(before_) || bringsCopy()),
              "a valid copy is lost, or a stale one written to");
    if (isOverwritten())
      require(does(Action::ApplyPut), "an overwritten block is lost");
    if (event_ == Event::PutAway)
      require(next_ == BlockState::Exclusive &&
                  (before_ == BlockState::Exclusive ||
                   (does(Action::RemoveSharer) && does(Action::InvalidateAll))),
              "a home knows sharers of what was sent away");
    if (event_ == Event::PutWhole) {
      require(does(Action::AddSharer) && next_ == BlockState::Shared,
              "a home does not know who has overwritten a block");
      require(before_ == BlockState::Exclusive || does(Action::InvalidateOthers),
              "sharers are not told that a block was overwritten");
    }
    if (event_ == Event::AtomicUpdate || event_ == Event::AtomicUpdateKept ||
        event_ == Event::AtomicRead)
      require(does(Action::ExecuteAtomic), "an atomic operation is not done");
    if (event_ == Event::AtomicUpdate)
      require(before_ == BlockState::Exclusive || before_ == BlockState::HomeWhole || everybodyTold,
              "sharers are not told of an atomic operation");
    if (event_ == Event::AtomicUpdateKept)
      require(before_ == BlockState::Exclusive || before_ == BlockState::HomeWhole ||
                  (does(Action::InvalidateOthers) && !does(Action::InvalidateAll)),
              "a copy that has an atomic operation ends, or another one stays");
    if (next_ == BlockState::Exclusive)
      require((before_ == BlockState::Exclusive && !does(Action::AddSharer)) || everybodyTold ||
                  event_ == Event::FlushUnshared || event_ == Event::Adopt ||
                  event_ == Event::LeaveLast,
              "an untracked block has sharers");
    if (event_ == Event::Discard)
      require(does(Action::SendLeave) == !(isFetching(before_) || before_ == BlockState::Whole),
              "a home does not know that a copy has ended, or was not made");
    if (event_ == Event::Sum)
      require(does(Action::SendLeave) == holdsCopy(before_), "a copy ends in secret");
    if (event_ == Event::Evict)
      require(does(Action::SendLeave) && !grantsR(next_), "a copy is given up in secret");
    if (event_ == Event::Leave || event_ == Event::LeaveLast)
      require(before_ == BlockState::Exclusive || does(Action::RemoveSharer),
              "a copy that was given up is remembered");
    if (event_ == Event::Cede)
      require(does(Action::InvalidateOthers), "a new home does not know its sharers");
  }
  void checkFlush() {
    bool changed = event_ == Event::FlushChanged || event_ == Event::FlushChangedQuiet ||
                   event_ == Event::FlushWatchedQuiet || isAway();
    if (event_ == Event::FlushPushed || event_ == Event::FlushPushedQuiet ||
        event_ == Event::FlushRefreshed) {
      require(does(isRefresh() ? Action::RefreshAll : Action::TellAll), "a change is not told");
      require(does(Action::RenewTwin) || does(Action::DropTwin) || leavesWhole(before_),
              "a change is told again and again");
      require(event_ == Event::FlushPushedQuiet ? next_ == BlockState::Shared
                                                : (before_ == next_) == !leavesWhole(before_),
              "a pushed block stays open, or is closed, when it is not to");
    }
    bool flush = changed || isQuiet() || event_ == Event::FlushSame;
    require(does(Action::Postpone) == (changed && isFetching(before_)),
            "a flush that has changes to send, and nothing else, is postponed for a fetch");
    if (flush && isFetching(before_))
      return require(before_ == next_ && !does(Action::SendPut),
                     "a flush under a fetch does something");
    if (changed) {
      require(does(before_ == BlockState::Summed  ? Action::SendSums
                   : isHomeState(before_)         ? Action::InvalidateAll
                   : isAway()                     ? Action::SendAway
                   : before_ == BlockState::Whole ? Action::SendWhole
                                                  : Action::SendPut),
              "a change is not told");
      require(does(Action::RenewTwin) || does(Action::KeepSnapshot) || !isListed(next_),
              "a change is told again and again");
    }
    if (isAway())
      require(!grantsR(next_), "what its home does not know of is read");
    if (isQuiet() || event_ == Event::FlushUnshared)
      require(!isListed(next_), "a block that nobody writes stays on the list");
  }

  const BlockState before_;
  const Event event_;
  const BlockState next_;
  const Transition &transition_;
  std::vector<std::string> faults_;
};

} // namespace ompdsm::test
