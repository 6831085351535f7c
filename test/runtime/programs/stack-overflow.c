// A stack that is too small is said once, with the node, the thread, the size and what enlarges it.
// Everything else about SIGSEGV is as without ompdsm.
// RUN: %cc -O1 %s -o %t
// RUN: { OMPDSM_MAIN_STACK_MIB=3 %run -n 2 -t 2 %t serial 0 2>&1; echo "code $?"; } | %check --check-prefix=SERIAL %s
// SERIAL: {{^}}ompdsm-run: node 0 (pid {{[0-9]+}}): stack overflow: the first thread has used up its stack of 3072 KiB; {{.*}}OMPDSM_MAIN_STACK_MIB makes it larger; the job ends
// SERIAL-NEXT: code 139
// Any thread of the team, on any node:
// RUN: for who in 0 2; do OMPDSM_MAIN_STACK_MIB=3 %run -n 2 -t 2 %t region $who 2>&1; echo "code $?"; done | %check --check-prefix=FIRST %s
// FIRST: {{^}}ompdsm-run: node 0 {{.*}} OpenMP thread 0 has used up its stack of 3072 KiB; {{.*}}OMPDSM_MAIN_STACK_MIB
// FIRST-NEXT: code 139
// FIRST-NEXT: {{^}}ompdsm-run: node 1 {{.*}} OpenMP thread 2 has used up its stack of 3072 KiB; {{.*}}OMPDSM_MAIN_STACK_MIB
// FIRST-NEXT: code 139
// RUN: for who in 1 3; do OMP_STACKSIZE=1M %run -n 2 -t 2 %t region $who 2>&1; echo "code $?"; done | %check --check-prefix=WORKER %s
// WORKER: {{^}}ompdsm-run: node 0 {{.*}} OpenMP thread 1 has used up its stack of 10{{[0-9]+}} KiB; {{.*}}OMP_STACKSIZE
// WORKER-NEXT: code 139
// WORKER-NEXT: {{^}}ompdsm-run: node 1 {{.*}} OpenMP thread 3 has used up its stack of 10{{[0-9]+}} KiB; {{.*}}OMP_STACKSIZE
// WORKER-NEXT: code 139
// All threads at once are one message, too:
// RUN: { %run -n 3 -t 2 %t region all 2>&1; echo "code $?"; } | %check --check-prefix=ALL %s
// ALL: {{^}}ompdsm-run: node {{.*}} stack overflow
// ALL-NEXT: code 139
// A thread that the program made:
// RUN: { %run -n 2 %t thread 0 2>&1; echo "code $?"; } | %check --check-prefix=THREAD %s
// THREAD: {{^}}ompdsm-run: node 0 {{.*}} the thread {{[0-9]+}} has used up its stack of 256 KiB; {{.*}}pthread_attr_setstacksize
// THREAD-NEXT: code 139
// Functions with large frames, which step over a page:
// RUN: { %run -n 2 -t 2 %t large 3 2>&1; echo "code $?"; } | %check --check-prefix=LARGE %s
// LARGE: {{^}}ompdsm-run: node 1 {{.*}} stack overflow: OpenMP thread 3
// LARGE-NEXT: code 139
// Other faults, and the signal sent by somebody:
// RUN: for how in null guard raise; do %run -n 2 %t $how 1 2>&1; echo "code $?"; done | %check --check-prefix=OTHER %s
// OTHER: {{^}}ompdsm-run: node 1 {{.*}} was killed by signal 11
// OTHER-NEXT: code 139
// OTHER-NEXT: {{^}}ompdsm-run: node 1 {{.*}} was killed by signal 11
// OTHER-NEXT: code 139
// OTHER-NEXT: {{^}}ompdsm-run: node 1 {{.*}} was killed by signal 11
// OTHER-NEXT: code 139
// The program's own handler:
// RUN: { %run -n 2 %t handler 0 2>&1; echo "code $?"; } | %check --check-prefix=HANDLER %s
// HANDLER: own handler
// HANDLER-NEXT: code 7
#include "expect.h"
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static __attribute__((noinline)) int deep(volatile char *below) {
  volatile char own[200];
  own[0] = *below;
  return deep(own) + own[0];
}
// A frame of half the guard; written from its upper end, as most are.
static __attribute__((noinline)) int deepAndLarge(volatile char *below) {
  volatile char own[30000];
  for (int i = (int)sizeof own; i-- > 0;)
    own[i] = *below;
  return deepAndLarge(own) + own[0];
}
static void *runDeep(void *p) { return p + deep(p); }
static void handle(int number) {
  (void)number;
  static const char text[] = "own handler\n";
  _exit(write(STDOUT_FILENO, text, sizeof text - 1) < 0 ? 1 : 7);
}

static volatile char zero;
static void fail(const char *how) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (!strcmp(how, "region") || !strcmp(how, "serial"))
    deep(&zero);
  else if (!strcmp(how, "large"))
    deepAndLarge(&zero);
  else if (!strcmp(how, "null"))
    *(volatile int *)(size_t)zero = 1;
  else if (!strcmp(how, "raise"))
    raise(SIGSEGV);
  else if (!strcmp(how, "handler")) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    EXPECT(sigaction(SIGSEGV, &action, NULL) == 0);
    deep(&zero);
  } else if (!strcmp(how, "guard")) {
    // A wild pointer below the stack is no overflow.
    char *below = (char *)&thread - 8192;
    for (;; below -= 8192)
      *(volatile char *)below = 1;
  } else if (!strcmp(how, "thread")) {
    pthread_attr_init(&attributes);
    EXPECT(pthread_attr_setstacksize(&attributes, 256 << 10) == 0);
    EXPECT(pthread_create(&thread, &attributes, runDeep, (void *)&zero) == 0);
    pthread_join(thread, NULL);
  }
}

int main(int argc, char **argv) {
  EXPECT(argc == 3);
  if (!strcmp(argv[1], "serial"))
    fail("serial");
#pragma omp parallel
  if (!strcmp(argv[2], "all") || omp_get_thread_num() == atoi(argv[2]))
    fail(argv[1]);
  return 1;
}
