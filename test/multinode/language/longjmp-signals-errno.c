// setjmp and longjmp inside threads, errno per thread, raise with a handler, _Thread_local.
#include "../report.h"
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
static int log_[1000];
static _Thread_local int mine;
static _Thread_local volatile sig_atomic_t hits;
static _Thread_local sigjmp_buf out;
static int shared_hits;
static void on(int s) {
  hits++;
  (void)s;
}
static void jump(int s) { siglongjmp(out, s); }
__attribute__((noinline)) static void deep(int n, jmp_buf *b, int v) {
  log_[v] += n;
  if (n == 0)
    longjmp(*b, v + 1);
  deep(n - 1, b, v);
  log_[v] = -1;
}
int main(void) {
  struct sigaction sa = {0};
  sa.sa_handler = on;
  sigaction(SIGUSR1, &sa, NULL);
  sa.sa_handler = jump;
  sigaction(SIGUSR2, &sa, NULL);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    mine = me;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 200; i++) {
      jmp_buf b;
      volatile int stage = 0;
      const int r = setjmp(b);
      if (r == 0) {
        stage = 1;
        deep(20, &b, i);
        expectInteger("not reached", i, 0, 1);
      }
      expectInteger("setjmp", i, i + 1, r);
      expectInteger("stage", i, 1, stage);
    }
    for (int i = 0; i < 200; i++)
      expectInteger("log", i, 210, log_[i]);
    errno = me + 1;
#pragma omp barrier
    expectInteger("errno", me, me + 1, errno);
    expectInteger("open", me, -1, open("/nonexistent/file", O_RDONLY));
    expectInteger("ENOENT", me, ENOENT, errno);
    expectInteger("close", me, -1, close(-1));
    expectInteger("EBADF", me, EBADF, errno);
    expectInteger("thread local", me, me, mine);
  }
  sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on}, NULL);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    signal(SIGUSR1, on);
    signal(SIGUSR2, jump);
#pragma omp barrier
    raise(SIGUSR1);
    raise(SIGUSR1);
    expectInteger("hits", me, 2, hits);
    if (sigsetjmp(out, 1) == 0) {
      raise(SIGUSR2);
      expectInteger("not reached", me, 0, 1);
    }
#pragma omp atomic
    shared_hits += hits;
#pragma omp barrier
    expectInteger("shared hits", me, 2 * omp_get_num_threads(), shared_hits);
  }
  return finish();
}
