// CopyPrivate.cpp: one message to each node, and a barrier.
#include "libompdsm/src/CopyPrivate.h"
#include "libompdsm/src/Barrier.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"

namespace ompdsm {

void CopyPrivates::registerHandlers() {
  runtime_.messenger->setHandler(messageKind(TeamMessage::CopyPrivate),
                                 [this](NodeId, fabric::Bytes bytes) {
                                   auto body = bodyFrom<Body>(bytes);
                                   {
                                     std::lock_guard lock(mutex_);
                                     lists_[{body.region, body.construct}] = body.data;
                                   }
                                   runtime_.messenger->notify();
                                 });
}

void *CopyPrivates::find(const Key &key) {
  std::lock_guard lock(mutex_);
  // Constructs are separated by barriers, so nobody looks for the ones before.
  lists_.erase(lists_.begin(), lists_.lower_bound(key));
  const auto entry = lists_.find(key);
  return entry == lists_.end() ? nullptr : entry->second;
}

void *CopyPrivates::broadcast(Ident *location, std::int32_t gtid, RegionFrame &frame, void *data,
                              bool did) {
  const SpreadRegion &region = *frame.region;
  const Key key{region.sequence, frame.copyPrivatesMet++};
  if (did) {
    const Body body{key.first, key.second, data};
    {
      std::lock_guard lock(mutex_);
      lists_[key] = data;
    }
    for (unsigned node = 0; node < region.layout.nodesInTeam(); ++node)
      if (node != region.node)
        postTeamMessage(*runtime_.messenger, NodeId(node), TeamMessage::CopyPrivate,
                        {bytesOf(body)});
  }
  barrierOfTeam(location, gtid, frame, /*code=*/nullptr);
  void *list = nullptr;
  runtime_.messenger->waitUntil([&] { return (list = find(key)) != nullptr; });
  return list;
}

} // namespace ompdsm
