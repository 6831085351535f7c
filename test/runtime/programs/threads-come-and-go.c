// A program may make and end any number of threads, joined or detached, on every node: stacks are
// used again, and a detached thread's only after it has ended.
// RUN: %cc %s -o %t
// RUN: %run -n 2 -t 2 %t
#include "expect.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

enum { Rounds = 1500 }; // More than the 4 GiB of stacks hold at 8 MiB each.

static void *add(void *p) {
  volatile char deep[20000];
  deep[0] = 1;
  *(int *)p += deep[0];
  return p;
}

static sem_t *ended;
static void *addAndTell(void *p) {
  add(p);
  sem_post(ended);
  return NULL;
}
static void *endEarly(void *p) { pthread_exit(add(p)); }

int main(void) {
#pragma omp parallel
  {
    int count = 0;
    for (int i = 0; i < Rounds; i++) {
      pthread_t thread;
      void *result = NULL;
      EXPECT(pthread_create(&thread, NULL, i % 2 ? add : endEarly, &count) == 0);
      EXPECT(pthread_join(thread, &result) == 0 && result == &count);
    }
    EXPECT(count == Rounds);
  }
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  ended = &semaphore;
  int count = 0;
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < Rounds; i++) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, i % 2 ? &detached : NULL, addAndTell, &count) == 0);
    if (i % 2 == 0)
      EXPECT(pthread_detach(thread) == 0);
    sem_wait(&semaphore);
  }
  EXPECT(count == Rounds);
  // A stack of the program's own, and sizes as asked for.
  static char own[1 << 16] __attribute__((aligned(4096)));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT(pthread_attr_setstack(&attributes, own, sizeof own) == 0);
  pthread_t thread;
  EXPECT(pthread_create(&thread, &attributes, add, &count) == 0 && pthread_join(thread, NULL) == 0);
  EXPECT(pthread_attr_setstacksize(&detached, 1ul << 40) == 0);
  EXPECT(pthread_create(&thread, &detached, add, &count) == EAGAIN);
  return 0;
}
