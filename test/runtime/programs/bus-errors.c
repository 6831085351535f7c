// The program's own bus errors stay its own, although the runtime catches the signal for pages of other
// nodes: handlers by sigaction and signal, what they return, ignored and default actions.
// RUN: %cc -O1 %s -o %t
// RUN: %run -n 2 -t 1 %t %t.file | %check %s
// RUN: %run -n 1 %t %t.file | %check %s
// RUN: ! %run -n 2 -t 1 %t %t.file sent 2>&1 | %check --check-prefix=KILLED %s
// RUN: ! %run -n 2 -t 1 %t %t.file access 2>&1 | %check --check-prefix=KILLED %s
// KILLED: was killed by signal 7
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int handled;

static void jump(int number, siginfo_t *info, void *context) {
  (void)context;
  handled += number == SIGBUS && info->si_code == BUS_ADRERR;
  siglongjmp(back, 1);
}
static void count(int number) { handled += number == SIGBUS; }

/* A page of a file that was cut off. */
static volatile char *beyondEnd(const char *name) {
  int file = open(name, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, 4096) != 0)
    exit(3);
  volatile char *page = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
  if (page == MAP_FAILED || ftruncate(file, 0) != 0)
    exit(3);
  close(file);
  return page;
}

int main(int argc, char **argv) {
  volatile char *page = beyondEnd(argv[1]);
  if (argc > 2) {
    if (strcmp(argv[2], "sent") == 0)
      kill(getpid(), SIGBUS);
    else
      (void)*page;
    return 0;
  }
  static int shared[100000];
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = jump;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, &old);
  printf("default %d\n", old.sa_handler == SIG_DFL);
  if (sigsetjmp(back, 1) == 0)
    (void)*page;
  printf("faults %d\n", handled);
  printf("mine %d\n", signal(SIGBUS, count) == (void (*)(int))jump);
  raise(SIGBUS);
  printf("sent %d\n", handled);
  signal(SIGBUS, SIG_IGN);
  raise(SIGBUS);
  printf("ignored %d\n", handled);
  // And pages of other nodes come all the same.
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 100000; i++)
    shared[i] = 1;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100000; i++)
    sum += shared[i];
  printf("sum %d\n", sum);
  // CHECK: default 1
  // CHECK: faults 1
  // CHECK: mine 1
  // CHECK: sent 2
  // CHECK: ignored 2
  // CHECK: sum 100000
  unlink(argv[1]);
  return 0;
}
