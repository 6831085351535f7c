// TableTest.cpp: the protocol's tables and the classification of situations, without running them.
#include "protocol/core/Classify.h"
#include "test/unit/TableShape.h"
#include <gtest/gtest.h>
#include <set>

namespace ompdsm::test {
namespace {

using enum BlockState;

template <class Visit> void forEachTransition(Visit visit) {
  auto cells = [&](const TransitionTable &table) {
    for (unsigned s = 0; s < kBlockStateCount; ++s)
      for (unsigned e = 0; e < kEventCount; ++e)
        if (const Transition &t = table.look(BlockState(s), Event(e)); t.possible)
          visit(BlockState(s), Event(e), t);
  };
  cells(kCacheTable);
  cells(kHomeTable);
}

TEST(Tables, EveryTransitionHasALegalShape) {
  unsigned seen = 0;
  forEachTransition([&](BlockState state, Event event, const Transition &transition) {
    ++seen;
    for (const std::string &fault : TransitionShape(state, event, transition).faults())
      ADD_FAILURE() << "state " << unsigned(state) << " event " << unsigned(event) << ": " << fault;
  });
  EXPECT_EQ(seen, std::size(cache_rows::kCacheRows) + std::size(home_rows::kHomeRows));
}

TEST(Tables, MostSingleMutationsOfAnActionHaveAnIllegalShape) {
  // The canary of the test above. What escapes it is for the explorer (test/model) to find: rules
  // whose need shows only in a run.
  const std::set<Action> invisible = {Action::RenewTwin};
  unsigned removed = 0;
  forEachTransition([&](BlockState state, Event event, const Transition &transition) {
    for (unsigned i = 0; i < Transition::kMaxActions; ++i) {
      if (transition.actions[i] == Action::None)
        continue;
      Transition mutant = transition;
      mutant.actions[i] = Action::None;
      ++removed;
      if (!invisible.contains(transition.actions[i])) {
        EXPECT_FALSE(TransitionShape(state, event, mutant).faults().empty())
            << "state " << unsigned(state) << " event " << unsigned(event) << " without action "
            << unsigned(transition.actions[i]);
      }
    }
  });
  EXPECT_GT(removed, 50u);
}

constexpr BlockState kTwoStates[] = {Exclusive, Shared};
constexpr Event kTwoEvents[] = {Event::Get, Event::Put};
constexpr std::pair<BlockState, Event> kImpossible[] = {{Shared, Event::Put}};

TEST(Tables, AHoleADuplicateAndAStrayCellMakeATableInvalid) {
  constexpr TransitionTable::Row kWhole[] = {{Exclusive, Event::Get, Shared, {}},
                                             {Exclusive, Event::Put, Exclusive, {}},
                                             {Shared, Event::Get, Shared, {}}};
  constexpr TransitionTable::Row kHole[] = {{Exclusive, Event::Get, Shared, {}},
                                            {Shared, Event::Get, Shared, {}}};
  constexpr TransitionTable::Row kTwice[] = {{Exclusive, Event::Get, Shared, {}},
                                             {Exclusive, Event::Put, Exclusive, {}},
                                             {Shared, Event::Get, Shared, {}},
                                             {Shared, Event::Put, Shared, {}}};
  constexpr TransitionTable::Row kStray[] = {{Exclusive, Event::Get, Shared, {}},
                                             {Exclusive, Event::Put, Exclusive, {}},
                                             {Shared, Event::Get, Shared, {}},
                                             {Dirty, Event::Put, Shared, {}}};
  EXPECT_TRUE(TransitionTable(kWhole, kImpossible).isTotal(kTwoStates, kTwoEvents));
  EXPECT_FALSE(TransitionTable(kHole, kImpossible).isTotal(kTwoStates, kTwoEvents));
  EXPECT_FALSE(TransitionTable(kTwice, kImpossible).isTotal(kTwoStates, kTwoEvents));
  EXPECT_FALSE(TransitionTable(kStray, kImpossible).isTotal(kTwoStates, kTwoEvents));
}

TEST(Tables, AStateByteKeepsItsStateAndWhatCodeTests) {
  std::set<std::uint8_t> bytes;
  for (unsigned s = 0; s < kBlockStateCount; ++s) {
    BlockState state = BlockState(s);
    std::uint8_t byte = stateByte(state);
    EXPECT_EQ(blockStateOf(byte), state);
    EXPECT_EQ(byte & (kReadMisses | kWriteMisses), missBits(state));
    EXPECT_EQ((byte & (kRemote | kWriteMisses)) == 0, isOrdinaryAccess(state, /*mayWrite=*/true));
    EXPECT_EQ((byte & (kRemote | kReadMisses)) == 0, isOrdinaryAccess(state, /*mayWrite=*/false));
    EXPECT_FALSE((missBits(state) & kReadMisses) && !(missBits(state) & kWriteMisses))
        << "W without R";
    bytes.insert(byte);
  }
  EXPECT_EQ(bytes.size(), kBlockStateCount);
}

TEST(Classify, AFlushIsClassifiedByEverythingThatMatters) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    FlushSituation s{bool(bits & 1), bool(bits & 2),  bool(bits & 4),
                     bool(bits & 8), bool(bits & 16), bool(bits & 32)};
    bool tell = s.changed || s.distrusted;
    Event cacher = tell ? (s.quiet ? Event::FlushChangedQuiet : Event::FlushChanged)
                        : (s.quiet ? Event::FlushSameQuiet : Event::FlushSame);
    EXPECT_EQ(classifyFlush(Dirty, s), cacher) << "sharers are the home's";
    const Event pushed = s.distrusted            ? Event::FlushRefreshed
                         : s.quiet && !s.written ? Event::FlushPushedQuiet
                                                 : Event::FlushPushed;
    EXPECT_EQ(classifyFlush(HomeDirty, s), s.unshared           ? Event::FlushUnshared
                                           : s.expected && tell ? pushed
                                                                : cacher);
    if (!s.changed || s.distrusted)
      continue; // Without a twin all is changed, and nothing hidden.
    for (BlockState state : {HomeWhole, HomeBare})
      EXPECT_EQ(classifyFlush(state, s), s.unshared    ? Event::FlushUnshared
                                         : !s.expected ? cacher
                                         : s.quiet     ? Event::FlushPushedQuiet
                                                       : Event::FlushPushed);
  }
}

TEST(Classify, WhatIsOverwrittenIsSentAwayOrWatchedIfNobodyIsExpectedToReadIt) {
  FlushSituation s{.changed = true, .quiet = true};
  for (BlockState state : {Whole, Dirty, Closing})
    for (bool quiet : {false, true}) {
      s.quiet = quiet;
      const bool whole = state == Whole;
      const Event kept = quiet ? Event::FlushChangedQuiet : Event::FlushChanged;
      s.keeping = Keeping::Copy;
      EXPECT_EQ(classifyFlush(state, s), kept);
      s.keeping = Keeping::Watched;
      EXPECT_EQ(classifyFlush(state, s), whole && quiet ? Event::FlushWatchedQuiet : kept)
          << "what a thread may still write has a twin";
      s.keeping = Keeping::Nothing;
      EXPECT_EQ(classifyFlush(state, s), !whole  ? kept
                                         : quiet ? Event::FlushAwayQuiet
                                                 : Event::FlushAway);
    }
  EXPECT_EQ(classifyPut(false, false), Event::Put);
  EXPECT_EQ(classifyPut(true, false), Event::PutWhole);
  EXPECT_EQ(classifyPut(true, true), Event::PutAway);
}

TEST(Classify, APageIsCededOnlyWhenTheHeirHoldsItAndNobodyWritesIt) {
  for (unsigned s = 0; s < kBlockStateCount; ++s) {
    EXPECT_EQ(mayCede(BlockState(s), true), BlockState(s) == Shared);
    EXPECT_FALSE(mayCede(BlockState(s), false));
  }
}

/// Where code without checks writes a block never comes there.
bool isOfTrackedMemory(BlockState state) {
  return leavesWhole(state) || state == HomeServed || state == Summed;
}

TEST(Classify, WhatAHomeKeepsOfWhatItSendsDependsOnWhoMayStore) {
  for (BlockState state : kHomeStates)
    for (bool quiet : {false, true})
      for (bool expectsStores : {false, true}) {
        const Event tracked = quiet           ? Event::GetQuiet
                              : expectsStores ? Event::Get
                                              : Event::GetUnwritten;
        EXPECT_EQ(classifyGet(state, /*untracked=*/false, quiet, expectsStores),
                  state == Exclusive ? tracked : Event::Get);
        EXPECT_EQ(classifyGet(state, /*untracked=*/true, quiet, expectsStores), Event::Get);
      }
}

TEST(Classify, WhatIsClassifiedIsPossible) {
  for (BlockState state : kHomeStates) {
    for (unsigned bits = 0; bits < 32; ++bits) {
      const bool changed = (bits & 1) || leavesWhole(state);
      const bool distrusted = (bits & 2) && !leavesWhole(state);
      Event event = classifyFlush(
          state, {changed, distrusted, bool(bits & 4), bool(bits & 8), bool(bits & 16)});
      EXPECT_EQ(lookUp(state, event).possible, isListed(state));
    }
    for (unsigned bits = 0; bits < 4; ++bits)
      EXPECT_TRUE(lookUp(state, classifyOverwrite(state, bits & 1, bits & 2)).possible ||
                  isOfTrackedMemory(state));
    for (unsigned bits = 0; bits < 4; ++bits)
      EXPECT_TRUE(lookUp(state, classifyWrite(state, bits & 1, bits & 2)).possible ||
                  isOfTrackedMemory(state));
    for (unsigned bits = 0; bits < 8; ++bits)
      EXPECT_TRUE(lookUp(state, classifyGet(state, bits & 1, bits & 2, bits & 4)).possible);
  }
  for (BlockState state : kCacheStates) {
    for (unsigned bits = 0; bits < 4; ++bits) {
      const bool changed = (bits & 1) || state == Whole;
      EXPECT_EQ(
          lookUp(state, classifyFlush(state, {changed, false, false, bool(bits & 2)})).possible,
          isListed(state));
    }
    for (unsigned bits = 0; bits < 8; ++bits) {
      const Event event = classifyUpdate(state, bits & 1, bits & 2, bits & 4);
      EXPECT_TRUE(lookUp(state, event).possible);
      EXPECT_TRUE(event != Event::Refresh || !(bits & 2)) << "what a Put has crossed is old";
    }
    for (unsigned bits = 0; bits < 4; ++bits)
      if (missBits(state) & kWriteMisses)
        EXPECT_TRUE(lookUp(state, classifyOverwrite(state, bits & 1, bits & 2)).possible ||
                    isOfTrackedMemory(state));
    for (unsigned bits = 0; bits < 4; ++bits)
      EXPECT_EQ(lookUp(state, classifyData(state, bits & 1, bits & 2)).possible, isFetching(state));
    EXPECT_TRUE(lookUp(state, Event::Invalidate).possible);
  }
}

} // namespace
} // namespace ompdsm::test
