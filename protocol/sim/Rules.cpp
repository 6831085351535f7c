#include "protocol/sim/Rules.h"

namespace ompdsm::sim {

Rules::Rules() {
  for (unsigned s = 0; s < kBlockStateCount; ++s)
    for (unsigned e = 0; e < kEventCount; ++e)
      cells[s][e] = lookUp(BlockState(s), Event(e));
}

namespace {
using enum BlockState;
using enum Action;

void replace(Rules &rules, BlockState state, Event event, BlockState next,
             std::array<Action, Transition::kMaxActions> actions) {
  Transition &cell = rules.cell(state, event);
  cell.next = next;
  cell.actions = actions;
}
} // namespace

const std::vector<NamedRule> &namedRules() {
  static const std::vector<NamedRule> all = {
      {"invalidation-takes-writes", 1, "an invalidation takes W with R",
       [](Rules &r) {
         for (BlockState s : {Dirty, Closing})
           replace(r, s, Event::Invalidate, s, {});
       }},
      {"twin-stays-under-late-writers", 2, "a twin stays until no thread can hold W",
       [](Rules &r) {
         replace(r, Dirty, Event::FlushChanged, Clean, {SendPut, DropTwin});
         replace(r, Closing, Event::FlushChanged, Clean, {SendPut, DropTwin});
         replace(r, Closing, Event::FlushSame, Clean, {DropTwin});
       }},
      {"quiet-before-snapshot", 2, "late writers are asked for before the snapshot is taken",
       [](Rules &r) { r.quietBeforeSnapshot = false; }},
      {"served-block-is-tracked", 3, "a home that serves a block tracks its own writes",
       [](Rules &r) { replace(r, Exclusive, Event::Get, Shared, {AddSharer, SendMemory}); }},
      {"quiet-homes-are-offline", 3,
       "a home that does not track what it serves has no thread that holds a permission",
       [](Rules &r) { r.quietHomesAreOffline = false; }},
      {"served-digest-is-compared", 3,
       "a home that is not expected to write what it serves finds out if it does",
       [](Rules &r) {
         replace(r, Exclusive, Event::GetUnwritten, Shared, {AddSharer, SendMemory});
       }},
      {"served-digest-stays-under-late-writers", 3, "a digest stays until no thread can hold W",
       [](Rules &r) { replace(r, HomeServed, Event::FlushSame, Shared, {DropDigest}); }},
      {"served-bytes-are-noted", 3, "a home tells those whom it served unreleased bytes",
       [](Rules &r) {
         for (BlockState s : {HomeDirty, HomeClosing, HomeServed})
           replace(r, s, Event::Get, s, {AddSharer, SendMemory});
       }},
      {"channels-are-ordered", 4, "messages of a class keep their order",
       [](Rules &r) { r.channelsAreOrdered = false; }},
      {"merges-keep-late-stores", 5, "data is merged under late writers",
       [](Rules &r) {
         replace(r, Stale_D, Event::Data, Closing, {ApplyData, WakeWaiters});
         replace(r, Stale_D, Event::DataForWrite, Dirty, {ApplyData, WakeWaiters});
       }},
      {"release-waits-for-node", 6, "a release waits for all that its node has in flight",
       [](Rules &r) { r.releaseWaitsForNode = false; }},
      {"release-asks-for-counted-puts", 6,
       "a release asks for what a barrier has sent without answer",
       [](Rules &r) { r.releaseAsksForCountedPuts = false; }},
      {"answers-wait-for-earlier", 7, "an answer waits for earlier invalidations",
       [](Rules &r) { r.answersWaitForEarlier = false; }},
      {"flush-waits-for-fetch", 8, "a block is not flushed while it is fetched",
       [](Rules &r) {
         replace(r, Stale_D, Event::FlushChanged, Stale_D, {SendPut, RenewTwin});
         replace(r, Stale_D, Event::FlushChangedQuiet, Invalid_D, {SendPut, DropTwin});
       }},
      {"untracked-homes-stay", 9, "pages that uninstrumented code writes keep their home",
       [](Rules &r) { r.untrackedHomesStay = false; }},
      {"twins-over-untracked-are-distrusted", 9,
       "a home's twin over untracked bytes shows too little",
       [](Rules &r) { replace(r, Shared, Event::WriteMissUntracked, HomeDirty, {MakeTwin}); }},
      {"untracked-is-fetched-before-a-write", 9,
       "a cacher fetches untracked bytes before it writes",
       [](Rules &r) { replace(r, Clean, Event::WriteMissUntracked, Dirty, {MakeTwin}); }},
      {"acquire-ends-untracked-writes", 9, "W over untracked bytes ends at an acquire",
       [](Rules &r) { r.acquireEndsUntrackedWrites = false; }},
      {"acquire-drops-foreign-copies", 9, "copies of foreign blocks end at an acquire",
       [](Rules &r) { r.acquireDropsForeignCopies = false; }},
      {"atomic-keeps-own-permissions", 0, "an atomic operation is no synchronisation point",
       [](Rules &r) { r.atomicKeepsOwnPermissions = false; }},
      {"homes-move-on-promise", 0, "homes move only if all nodes ask nothing (G4)",
       [](Rules &r) { r.homesMoveOnPromise = false; }},
      {"sizes-change-on-promise", 0, "blocks change their sizes only if all nodes ask nothing",
       [](Rules &r) { r.sizesChangeOnPromise = false; }},
      {"recalled-copies-end", 0, "a home ends all copies of a block before its size changes",
       [](Rules &r) { replace(r, Shared, Event::Recall, Exclusive, {}); }},
      {"heir-holds-unit", 0, "a unit moves only to a node that holds all of it",
       [](Rules &r) { r.heirHoldsUnit = false; }},
      {"requests-of-next-epoch-wait", 0, "who is still in a barrier serves nobody who has left it",
       [](Rules &r) { r.requestsOfNextEpochWait = false; }},
      {"requests-wait-by-sender", 0, "a Put does not wait behind another node's request that waits",
       [](Rules &r) { r.requestsWaitBySender = false; }},
      {"done-follows-puts", 0, "a node is done when it has all Puts of the epoch",
       [](Rules &r) { r.doneFollowsPuts = false; }},
      {"done-follows-invalidates", 0, "a node goes on when it has all Invalidates of the arrivals",
       [](Rules &r) { r.doneFollowsInvalidates = false; }},
      {"leave-follows-done", 0, "a node leaves when all have applied the Puts of the epoch",
       [](Rules &r) { r.leaveFollowsDone = false; }},
      {"leave-follows-invalidates", 0,
       "a node leaves when it has all Invalidates of those who are done",
       [](Rules &r) { r.leaveFollowsInvalidates = false; }},
      {"settled-nodes-send-no-puts", 0, "a barrier whose epoch had Puts has its second half",
       [](Rules &r) { r.settledNodesSendNoPuts = false; }},
      {"who-has-fetched-says-so", 0,
       "a barrier has its second half where nodes have fetched and others put",
       [](Rules &r) { r.whoHasFetchedSaysSo = false; }},
      {"nobody-is-told-on-promise", 0,
       "a barrier whose epoch had Puts has its second half if somebody may ask",
       [](Rules &r) { r.nobodyIsToldOnPromise = false; }},
      {"sole-sharers-hear-of-others", 0, "who was the only sharer hears that there is another",
       [](Rules &r) { r.soleSharersHearOfOthers = false; }},
      {"lost-copies-are-not-sole", 0, "who has lost its copy is not the only sharer",
       [](Rules &r) { r.lostCopiesAreNotSole = false; }},
      {"only-holders-are-sole", 0, "who holds no copy does not take itself for the only sharer",
       [](Rules &r) { r.onlyHoldersAreSole = false; }},
      {"sole-is-of-one", 0, "the only sharer is who is told so",
       [](Rules &r) { r.soleIsOfOne = false; }},
      {"acquires-wait-for-puts", 7,
       "an acquire in a barrier waits for what others have put before they left it",
       [](Rules &r) { r.acquiresWaitForPuts = false; }},
      {"orders-follow-releases", 0, "who goes on by a message gets it behind the Invalidates",
       [](Rules &r) { r.ordersFollowReleases = false; }},
      {"orders-follow-puts", 0, "a release towards some nodes waits for all its Puts",
       [](Rules &r) { r.ordersFollowPuts = false; }},
      {"only-followers-go-unconfirmed", 0,
       "a release towards some nodes waits for the Invalidates to others",
       [](Rules &r) { r.onlyFollowersGoUnconfirmed = false; }},
      {"followers-ask", 7, "an acquire in a node that waits for such a message asks",
       [](Rules &r) { r.followersAsk = false; }},
      {"takers-see-what-was-sent", 6,
       "who gets something unconfirmed waits for what was sent to its node before",
       [](Rules &r) { r.takersSeeWhatWasSent = false; }},
      {"begun-releases-are-asked-for", 6,
       "who hands something over asks for what its release has sent without answer",
       [](Rules &r) { r.begunReleasesAreAskedFor = false; }},
      {"only-takers-go-unconfirmed", 6,
       "who hands something over waits for what was sent to other nodes",
       [](Rules &r) { r.onlyTakersGoUnconfirmed = false; }},
      {"zeros-are-data", 0, "data of zeros, which has no contents, overwrites what memory holds",
       [](Rules &r) { r.zerosAreData = false; }},
      {"memory-goes-when-quiet", 0, "memory that was given up goes when all have synchronised (G4)",
       [](Rules &r) { r.dropsWhenQuiet = false; }},
      {"fetch-keeps-memory", 0, "memory that was fetched into again stays (G4)",
       [](Rules &r) { r.fetchKeepsMemory = false; }},
      {"barriers-count-leaves", 0, "no home moves while it is being told that a copy is given up",
       [](Rules &r) { r.barriersCountLeaves = false; }},
      {"acquires-in-barriers-ask", 7,
       "an acquire in a barrier waits for what those who have left it have made stale",
       [](Rules &r) { r.acquiresInBarriersAsk = false; }},
      {"pushes-cross-no-puts", 8, "contents that are sent unasked have what the receiver has put",
       [](Rules &r) { r.pushesCrossNoPuts = false; }},
      {"supplies-cross-no-leaves", 0,
       "a copy that comes unasked has a home that knows that the one before was given up",
       [](Rules &r) { r.suppliesCrossNoLeaves = false; }},
      {"suppliers-stay-homes", 0, "a home stays where it may have sent a copy in vain",
       [](Rules &r) { r.suppliersStayHomes = false; }},
      {"suppliers-say-so", 0,
       "a barrier has its second half where copies are sent unasked and others put",
       [](Rules &r) { r.suppliersSaySo = false; }},
      {"sole-ends-in-barriers", 0,
       "who was the only sharer may have put as that until the barrier in which its copy ended is "
       "over",
       [](Rules &r) { r.soleEndsInBarriers = false; }},
      {"supplies-follow-moves", 0,
       "nobody is sent a copy unasked who may not know where the home has moved to",
       [](Rules &r) { r.suppliesFollowMoves = false; }},
      {"supplied-blocks-are-quiet", 3,
       "what threads of the home may write is not sent before it is asked for",
       [](Rules &r) { r.suppliedBlocksAreQuiet = false; }},
      {"copies-in-vain-are-told", 0,
       "who cannot use a copy that comes unasked tells the home that it holds none",
       [](Rules &r) {
         for (BlockState s : {Invalid, Stale})
           replace(r, s, Event::Discard, s, {});
       }},
      {"ended-copies-are-told", 0,
       "who cannot use what was sent whole tells the home that it holds none",
       [](Rules &r) {
         for (BlockState s : {Clean, Unread})
           replace(r, s, Event::Discard, Invalid, {});
       }},
      {"updates-are-counted", 6, "a release waits for atomic updates that nobody has waited for",
       [](Rules &r) { r.updatesAreCounted = false; }},
      {"updates-end-copies", 0,
       "a copy that may not stay ends when its node updates the block at its home",
       [](Rules &r) { r.updatesEndCopies = false; }},
      {"kept-copies-are-updated", 0, "a copy that stays has what its node updates at the home",
       [](Rules &r) { r.keptCopiesAreUpdated = false; }},
      {"pushes-cross-no-updates", 8,
       "contents that come unasked and have crossed an atomic update are of no use",
       [](Rules &r) { r.pushesCrossNoUpdates = false; }},
      {"changes-cross-no-updates", 8,
       "changes that come unasked and have crossed an update of the copy are of no use",
       [](Rules &r) { r.changesCrossNoUpdates = false; }},
      {"keepers-of-copies-are-alone", 0,
       "a home stays where one of several writers has updated its copy, too",
       [](Rules &r) { r.keepersOfCopiesAreAlone = false; }},
      {"adders-settle", 0, "who has added to sums that had ended sends them",
       [](Rules &r) { r.addersSettle = false; }},
      {"sums-leave-first", 0, "what a node has added leaves before it asks for the block",
       [](Rules &r) {
         replace(r, Summed, Event::ReadMiss, Invalid_D, {RequestData, AwaitData});
         replace(r, Summed, Event::WriteMiss, Invalid_D, {RequestData, AwaitDataForWrite});
       }},
      {"sums-hide-no-copies", 0,
       "contents that come unasked are of no use where the node keeps sums",
       [](Rules &r) { replace(r, Summed, Event::Discard, Clean, {ApplyPut}); }},
      {"leases-are-fetched", 0,
       "a copy that is to serve atomic loads is fetched for them, though there is one",
       [](Rules &r) { r.leasesAreFetched = false; }},
      {"asks-end-leases", 0, "a copy serves no atomic loads when its home was asked since",
       [](Rules &r) { r.asksEndLeases = false; }},
      {"acquires-end-leases", 0, "a copy from before an acquire serves no atomic loads",
       [](Rules &r) { r.acquiresEndLeases = false; }},
      {"who-asks-behind-promises-nothing", 0,
       "homes stay where a node asks for what it will read behind the barrier (G4)",
       [](Rules &r) { r.whoAsksBehindPromisesNothing = false; }},
      {"overwrites-are-sent-whole", 0,
       "what is overwritten is sent whole, not by a twin of old bytes",
       [](Rules &r) {
         for (BlockState s : {Invalid, Clean})
           replace(r, s, Event::WriteMissWhole, Dirty, {MakeTwin});
       }},
      {"overwriters-become-sharers", 0, "who has overwritten a block is told of later changes",
       [](Rules &r) { replace(r, Exclusive, Event::PutWhole, Exclusive, {ApplyPut}); }},
      {"what-is-sent-away-is-not-read", 0,
       "who is no sharer of what it has overwritten has no copy",
       [](Rules &r) { replace(r, Whole, Event::FlushAwayQuiet, Clean, {SendAway}); }},
      {"twin-stays-when-sent-away", 2, "what is sent away is compared until no thread can hold W",
       [](Rules &r) { replace(r, Whole, Event::FlushAway, Invalid, {SendAway}); }},
  };
  return all;
}

const NamedRule *ruleOf(const std::string &name) {
  for (const NamedRule &rule : namedRules())
    if (name == rule.name)
      return &rule;
  return nullptr;
}

} // namespace ompdsm::sim
