// Canary.cpp: shows that a unit of this suite can fail; run by the test runtime/canary only.
#include <gtest/gtest.h>

TEST(Canary, DISABLED_ThisTestFails) { EXPECT_EQ(1, 2); }
