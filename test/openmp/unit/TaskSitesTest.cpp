// TaskSitesTest.cpp: at which barriers nodes wait for tasks of others.
#include "libompdsm/src/TaskSites.h"
#include <gtest/gtest.h>

using namespace ompdsm;

TEST(TaskSites, ABarrierWithoutTasksIsLookedAtTwiceAndThenNowAndThen) {
  TaskSites sites;
  const int here = 0;
  unsigned looks = 0;
  for (unsigned visit = 0; visit < 200; ++visit) {
    const bool isLookedAt = sites.beginVisit(&here, 4);
    if (isLookedAt)
      sites.endVisit(&here, 4, false);
    looks += isLookedAt;
    if (visit < 2) {
      EXPECT_TRUE(isLookedAt);
    }
  }
  EXPECT_EQ(looks, 2u + 3u);
}

TEST(TaskSites, ABarrierWithTasksIsLookedAtEachTime) {
  TaskSites sites;
  const int here = 0;
  for (unsigned visit = 0; visit < 200; ++visit) {
    ASSERT_TRUE(sites.beginVisit(&here, 4));
    sites.endVisit(&here, 4, visit % 2 == 0);
  }
}

TEST(TaskSites, NodesThatAreNotInATeamNeedNotKnowOfItsVisits) {
  TaskSites all, some;
  const int here = 0;
  for (unsigned visit = 0; visit < 5; ++visit)
    if (some.beginVisit(&here, 2))
      some.endVisit(&here, 2, false);
  EXPECT_EQ(all.beginVisit(&here, 4), some.beginVisit(&here, 4));
}
