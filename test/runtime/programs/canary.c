// A wrong value ends the job with an error: the checks of this suite can fail.
// RUN: %cc %s -o %t
// RUN: { ! %run -n 2 %t; } 2>&1 | %check %s
// CHECK: canary.c:[[#]]: wrong: 1 == 2
#include "expect.h"
int main(void) { EXPECT(1 == 2); }
