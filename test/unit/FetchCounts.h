// FetchCounts.h: what node 1 of two has fetched so far, and by which requests.
#pragma once
#include "test/unit/Duo.h"

namespace ompdsm::test {

struct FetchCounts {
  explicit FetchCounts(Duo &duo)
      : fetched(duo.cluster.statistics(1).blocksFetched),
        expected(duo.cluster.statistics(1).blocksExpected),
        unread(duo.cluster.statistics(1).expectedUnread),
        asks(duo.cluster.sent(1, MessageKind::GetBehind)),
        gets(duo.cluster.sent(1, MessageKind::Get)) {}
  std::uint64_t fetched, expected, unread, asks, gets;
};

} // namespace ompdsm::test
