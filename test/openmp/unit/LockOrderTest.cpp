// LockOrderTest.cpp: which lock is expected to be taken after another.
#include "libompdsm/src/LockOrder.h"
#include <gtest/gtest.h>

using namespace ompdsm;

TEST(LockOrder, WhatFollowedTwiceInARowIsExpected) {
  LockOrder order;
  EXPECT_FALSE(order.expectedAfter(10));
  order.note(10, 20);
  EXPECT_FALSE(order.expectedAfter(10));
  order.note(10, 20);
  EXPECT_EQ(order.expectedAfter(10), Address(20));
  EXPECT_FALSE(order.expectedAfter(20));
}

TEST(LockOrder, AnotherFollowerHasToFollowTwice) {
  LockOrder order;
  for (const Address follower : {20, 20, 20, 30})
    order.note(10, follower);
  EXPECT_FALSE(order.expectedAfter(10));
  order.note(10, 30);
  EXPECT_EQ(order.expectedAfter(10), Address(30));
}

TEST(LockOrder, WhatWasExpectedInVainIsLearntAnew) {
  LockOrder order;
  for (int i = 0; i < 5; ++i)
    order.note(10, 20);
  order.doubt(10);
  EXPECT_TRUE(order.expectedAfter(10)) << "once in a while";
  order.doubt(10);
  EXPECT_FALSE(order.expectedAfter(10));
  order.doubt(11); // of which nothing is known
  order.note(10, 20);
  EXPECT_FALSE(order.expectedAfter(10));
  order.note(10, 20);
  EXPECT_EQ(order.expectedAfter(10), Address(20));
}

TEST(LockOrder, KeepsSoManyAndStartsAgain) {
  LockOrder order;
  for (Address lock = 1; lock < 100000; ++lock) {
    order.note(lock, lock + 1);
    order.note(lock, lock + 1);
    ASSERT_EQ(order.expectedAfter(lock), lock + 1);
  }
  EXPECT_FALSE(order.expectedAfter(1));
}
