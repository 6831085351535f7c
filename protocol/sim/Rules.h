// Rules.h: the rules under exploration: a copy of the core's tables, which a mutant may change, and
// switches for what is not in a table.
#pragma once
#include "protocol/core/Classify.h"
#include <string>
#include <vector>

namespace ompdsm::sim {

struct Rules {
  Rules(); ///< Those of the protocol.
  Transition &cell(BlockState state, Event event) {
    return cells[std::size_t(state)][std::size_t(event)];
  }
  const Transition &cell(BlockState state, Event event) const {
    return cells[std::size_t(state)][std::size_t(event)];
  }
  Transition cells[kBlockStateCount][kEventCount];
  bool channelsAreOrdered = true;
  bool releaseWaitsForNode = true;
  bool releaseAsksForCountedPuts = true;
  bool answersWaitForEarlier = true;
  bool quietBeforeSnapshot = true;
  bool acquireEndsUntrackedWrites = true;
  bool acquireDropsForeignCopies = true;
  bool atomicKeepsOwnPermissions = true;
  bool untrackedHomesStay = true;
  bool homesMoveOnPromise = true;
  bool sizesChangeOnPromise = true;
  bool requestsOfNextEpochWait = true;
  bool requestsWaitBySender = true;
  bool doneFollowsPuts = true;
  bool doneFollowsInvalidates = true;
  bool leaveFollowsDone = true;
  bool leaveFollowsInvalidates = true;
  bool ordersFollowReleases = true;
  bool ordersFollowPuts = true;
  bool onlyFollowersGoUnconfirmed = true;
  bool followersAsk = true;
  bool takersSeeWhatWasSent = true;
  bool begunReleasesAreAskedFor = true;
  bool onlyTakersGoUnconfirmed = true;
  bool settledNodesSendNoPuts = true;
  bool whoHasFetchedSaysSo = true;
  bool nobodyIsToldOnPromise = true;
  bool soleSharersHearOfOthers = true;
  bool lostCopiesAreNotSole = true;
  bool onlyHoldersAreSole = true;
  bool soleIsOfOne = true;
  bool acquiresWaitForPuts = true;
  bool heirHoldsUnit = true;
  bool zerosAreData = true;
  bool quietHomesAreOffline = true;
  bool dropsWhenQuiet = true;
  bool fetchKeepsMemory = true;
  bool barriersCountLeaves = true;
  bool acquiresInBarriersAsk = true;
  bool pushesCrossNoPuts = true;
  bool suppliesCrossNoLeaves = true;
  bool updatesAreCounted = true;
  bool updatesEndCopies = true;
  bool keptCopiesAreUpdated = true;
  bool pushesCrossNoUpdates = true;
  bool changesCrossNoUpdates = true;
  bool keepersOfCopiesAreAlone = true;
  bool addersSettle = true;
  bool leasesAreFetched = true;
  bool asksEndLeases = true;
  bool acquiresEndLeases = true;
  bool suppliersStayHomes = true;
  bool suppliersSaySo = true;
  bool soleEndsInBarriers = true;
  bool suppliesFollowMoves = true;
  bool suppliedBlocksAreQuiet = true;
  bool whoAsksBehindPromisesNothing = true;
};

/// A rule by its name, and the protocol without it: a canary, some litmus program must fail.
struct NamedRule {
  const char *name;
  unsigned trap; ///< Of ARCHITECTURE section 2; 0 if it is none of the list.
  const char *meaning;
  void (*switchOff)(Rules &);
};
const std::vector<NamedRule> &namedRules();
/// Null if there is none of that name.
const NamedRule *ruleOf(const std::string &name);

} // namespace ompdsm::sim
