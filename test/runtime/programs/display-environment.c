// OMPDSM_DISPLAY_ENV shows what the runtime reads, once, whatever the number of nodes.
// RUN: %cc %s -o %t
// RUN: env OMPDSM_DISPLAY_ENV=1 OMPDSM_PREFETCH=7 %run -n 3 %t 2>&1 | %check %s
// RUN: env OMPDSM_DISPLAY_ENV=1 OMPDSM_PREFETCH=7 %t 2>&1 | %check %s
// CHECK: OMPDSM DISPLAY ENVIRONMENT BEGIN
// CHECK: OMPDSM_PREFETCH = '7'
// CHECK: OMPDSM_PROVIDER = 'auto'
// CHECK: OMPDSM DISPLAY ENVIRONMENT END
// CHECK-NOT: DISPLAY
// CHECK: ran
// CHECK-NOT: DISPLAY
#include <stdio.h>
int main(void) { puts("ran"); }
