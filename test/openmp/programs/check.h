// check.h: counts failed expectations and names the first ones on stderr. Serial code only, or code
// that one thread executes. `return checkResult();` from main: "ok" and 0, or 1.
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>

static int checkFailures;

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition) && checkFailures++ < 8)                                                       \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                     \
  } while (0)

#define EXPECT_EQUAL(expected, actual)                                                             \
  do {                                                                                             \
    long long expected_ = (expected), actual_ = (actual);                                          \
    if (expected_ != actual_ && checkFailures++ < 8)                                               \
      fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", __FILE__, __LINE__, #actual, actual_,  \
              expected_);                                                                          \
  } while (0)

static inline int checkResult(void) {
  if (checkFailures)
    fprintf(stderr, "%d failures\n", checkFailures);
  else
    printf("ok\n");
  return checkFailures != 0;
}
#endif
