// CanaryTest.cpp: the test that fails, to show that a failure is seen. Run by canary.test only.
#include <gtest/gtest.h>

TEST(Canary, DISABLED_ThisTestFails) { FAIL() << "as it must"; }
