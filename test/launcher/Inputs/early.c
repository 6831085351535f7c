/* early.c: the part of subject.cpp that runs before the runtime is there. Not instrumented. Records the
   pid for job.py, and fails at the start or when the node has just joined the job. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *earlyPhase, *earlyHow;
int earlyVictim;
static int node;

int earlyNode(void) { return node; }

void earlyFail(void) {
  if (!strcmp(earlyHow, "segv"))
    *(volatile int *)0 = 1;
  if (!strcmp(earlyHow, "kill"))
    kill(getpid(), SIGKILL);
  abort();
}

static void failIn(const char *phase) {
  if (earlyPhase && !strcmp(earlyPhase, phase) && node == earlyVictim)
    earlyFail();
}

/* The runtime makes this file between joining the job and its first word to the other nodes. */
int memfd_create(const char *name, unsigned flags) {
  failIn("joined");
  return (int)syscall(SYS_memfd_create, name, flags);
}

/* Nothing of the C library is initialised here. */
static const char *variable(char **environment, const char *name) {
  for (const size_t length = strlen(name); *environment; ++environment)
    if (!strncmp(*environment, name, length) && (*environment)[length] == '=')
      return *environment + length + 1;
  return "";
}

static void start(int argc, char **argv, char **environment) {
  /* By ompdsm-run; by mpirun. */
  node = atoi(variable(environment, "OMPDSM_NODE"));
  if (*variable(environment, "PMIX_RANK"))
    node = atoi(variable(environment, "PMIX_RANK"));
  earlyPhase = argc > 1 ? argv[1] : NULL;
  earlyVictim = argc > 2 ? atoi(argv[2]) : 0;
  earlyHow = argc > 3 ? argv[3] : "abort";
  char path[4096], text[16];
  snprintf(path, sizeof path, "%s/pid.%d", variable(environment, "FAKE_DIRECTORY"), node);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int length = snprintf(text, sizeof text, "%d", (int)getpid());
  if (file < 0 || write(file, text, (size_t)length) != length)
    abort();
  close(file);
  alarm(60); /* For what waits in vain, when nobody is left to end it. */
  failIn("start");
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = start;
