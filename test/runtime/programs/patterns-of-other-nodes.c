// A pattern that one node has compiled may be used there only; a program that uses it elsewhere ends with
// a message, where it hung now and then. Each node may have its own.
// RUN: %cc -O2 %s -o %t && %run -n 3 -t 2 %t | %check %s
// RUN: { ! %run -n 2 %t shared; } 2>&1 | %check --check-prefix=SHARED %s
// CHECK: ok
// SHARED: the program calls regexec on node 1 with a pattern that node 0 has compiled
#include "expect.h"
#include <omp.h>
#include <regex.h>
static regex_t shared;
int main(int argc, char **argv) {
  (void)argv;
  EXPECT(!regcomp(&shared, "a(b+)c", REG_EXTENDED));
  EXPECT(!regexec(&shared, "xabbcx", 0, NULL, 0));
  int found = 0;
#pragma omp parallel reduction(+ : found)
  {
    regex_t own;
    EXPECT(!regcomp(&own, "a(b+)c", REG_EXTENDED));
    for (int i = 0; i < 100; i++)
      found += !regexec(argc > 1 ? &shared : &own, i % 2 ? "xabbbcx" : "xacx", 0, NULL, 0);
    regfree(&own);
  }
  EXPECT(found == 50 * omp_get_max_threads());
  regfree(&shared);
  puts("ok");
}
