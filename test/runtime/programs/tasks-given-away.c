// The statistics tell how many tasks other nodes have executed: none where each stays on its node, and where
// other nodes are never free.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=GIVEN --input-file=%t.json %s
// RUN: env OMPDSM_TASKS=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t apart | %check %s
// RUN: %check --check-prefix=NONE --input-file=%t.json %s
// RUN: { ! env OMPDSM_TASKS=2 %run -n 2 -t 1 %t; } 2>&1 | %check --check-prefix=BAD %s
// GIVEN: "tasks_given": {{[1-9]}}
// GIVEN: "tasks_taken": {{[1-9]}}
// NONE: "tasks_given": 0,
// NONE: "tasks_taken": 0,
// NONE: "tasks_given": 0,
// NONE: "tasks_taken": 0,
// BAD: OMPDSM_TASKS
#include <omp.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv) {
  (void)argv;
  // Without other nodes' help a few tasks will do; else until one has been executed there, which takes a
  // few milliseconds.
  int isElsewhere = argc > 1, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5 || (!isElsewhere && round < 1000); round++) {
    for (int i = 0; i < 8; i++) {
#pragma omp task shared(isElsewhere, wrong)
      {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        if (omp_get_thread_num() != 0) {
#pragma omp atomic write
          isElsewhere = 1;
          if (argc > 1) {
#pragma omp atomic
            wrong++;
          }
        }
      }
    }
#pragma omp taskwait
  }
  printf("%s\n", isElsewhere && !wrong ? "right" : "wrong"); // CHECK: right
  return 0;
}
