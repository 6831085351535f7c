// Main, the team's threads and the program's own threads run on stacks in their node's slice;
// arguments and environment are in the segment.
// RUN: %cxx %s -o %t
// RUN: env SOME_VARIABLE=some-value %run -n 3 -t 2 %t first "second argument" | %check %s
// CHECK: ok first second argument some-value 3 nodes
#include "expect.h"
#include <atomic>
#include <cstring>
#include <omp.h>
#include <thread>

static int constructed = [] {
  int local = 0;
  EXPECT(isShared(&local)); // Constructors run on the stack of main.
  return 7;
}();
static int nodesSeen[64];
static char *environmentVariable;

int main(int argc, char **argv, char **environment) {
  int local = 0;
  EXPECT(constructed == 7 && isShared(&local) && ownerOf(&local) == 0);
  EXPECT(argc == 3 && isShared(argv) && isShared(argv[2]) && argv[3] == nullptr);
  EXPECT(isShared(environment) && isShared(environment[0]));
  environmentVariable = getenv("SOME_VARIABLE");
  EXPECT(isShared(environmentVariable));
#pragma omp parallel
  {
    int mine = omp_get_thread_num();
    EXPECT(isShared(&mine));
    nodesSeen[ownerOf(&mine)] = 1;
    // Another node reads the strings.
    EXPECT(strcmp(argv[1], "first") == 0 && strcmp(argv[2], "second argument") == 0);
    EXPECT(strcmp(environmentVariable, "some-value") == 0);
    int answer = 0;
    std::thread own([&] {
      int inner = mine;
      EXPECT(isShared(&inner) && ownerOf(&inner) == ownerOf(&mine));
      answer = inner + 1;
    });
    own.join();
    EXPECT(answer == mine + 1);
  }
  int nodes = 0;
  for (int seen : nodesSeen)
    nodes += seen;
  printf("ok %s %s %s %d nodes\n", argv[1], argv[2], environmentVariable, nodes);
}
