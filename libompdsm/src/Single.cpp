// Single.cpp: claims of single constructs.
#include "libompdsm/src/Single.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>
#include <utility>

namespace ompdsm {

namespace {
struct ClaimBody {
  std::uint64_t region = 0;
  std::uint64_t construct = 0;
  std::uint64_t granted = 0; ///< Of the answer.
};
} // namespace

void SingleClaims::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::Claim), [this](NodeId from, fabric::Bytes bytes) {
    auto body = bodyFrom<ClaimBody>(bytes);
    {
      std::lock_guard lock(mutex_);
      body.granted = claimForNode(body.region, body.construct);
    }
    postTeamMessage(*runtime_.messenger, from, TeamMessage::ClaimAnswer, {bytesOf(body)});
  });
  messenger.setHandler(messageKind(TeamMessage::ClaimAnswer), [this](NodeId, fabric::Bytes bytes) {
    auto body = bodyFrom<ClaimBody>(bytes);
    {
      std::lock_guard lock(mutex_);
      auto waiter = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter *w) {
        return w->region == body.region && w->construct == body.construct;
      });
      OMPDSM_CHECK(waiter != waiters_.end());
      Waiter *answered = *waiter;
      waiters_.erase(waiter);
      answered->answer.store(int(body.granted), std::memory_order_release);
    }
    runtime_.messenger->notify();
  });
}

void SingleClaims::beginRegion(std::uint64_t region) {
  std::lock_guard lock(mutex_);
  region_ = region;
  claimed_ = 0;
  beyond_.clear();
}

bool SingleClaims::claimForNode(std::uint64_t region, std::uint64_t construct) {
  OMPDSM_CHECK(region == region_);
  if (construct < claimed_ || !beyond_.insert(construct).second)
    return false;
  for (; !beyond_.empty() && *beyond_.begin() == claimed_; ++claimed_)
    beyond_.erase(beyond_.begin());
  return true;
}

void SingleClaims::noteBarrier(RegionFrame &frame) {
  const void *site = std::exchange(frame.latestSingle, nullptr);
  if (!site || frame.region->node == 0 || !runtime_.options.keepSingles)
    return;
  std::lock_guard lock(mutex_);
  waiting_.insert(site);
}

bool SingleClaims::claim(RegionFrame &frame, const void *site) {
  SpreadRegion &region = *frame.region;
  std::uint64_t construct = frame.singlesMet++;
  frame.latestSingle = site;
  Waiter waiter;
  {
    std::lock_guard lock(mutex_);
    if (construct != region.singlesClaimed)
      return false;
    ++region.singlesClaimed;
    if (!region.spansNodes())
      return true;
    if (region.node == 0)
      return claimForNode(region.sequence, construct);
    if (site ? waiting_.contains(site) : runtime_.options.keepSingles)
      return false;
    OMPDSM_CHECK(waiters_.size() < region.localThreads);
    waiter.region = region.sequence;
    waiter.construct = construct;
    waiters_.push_back(&waiter);
    ClaimBody body{.region = region.sequence, .construct = construct, .granted = 0};
    postTeamMessage(*runtime_.messenger, 0, TeamMessage::Claim, {bytesOf(body)});
  }
  // Acquire pairs with the handler's release, after which it does not touch the waiter.
  runtime_.messenger->waitUntil(
      [&waiter] { return waiter.answer.load(std::memory_order_acquire) >= 0; });
  return waiter.answer.load(std::memory_order_relaxed) == 1;
}

} // namespace ompdsm
