// subject.cpp: a program that goes wrong when and where its arguments say: PHASE [NODE HOW].
// Linked with early.c, which serves the phases before any constructor.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>
#include <string>
#include <vector>

extern "C" {
extern const char *earlyPhase, *earlyHow; // This process's own.
extern int earlyVictim;
int earlyNode(void);
void earlyFail(void);
}

constexpr std::size_t kLargeBytes = std::size_t(256) << 20;
char large[kLargeBytes];
static pid_t pids[64]; // By node.
static volatile bool forever = true;

static bool isPhase(const char *name) { return earlyPhase && !std::strcmp(earlyPhase, name); }
static bool isVictim() { return earlyNode() == earlyVictim; }

static void fail() {
  if (!std::strcmp(earlyHow, "throw"))
    throw 1;
  earlyFail();
}

/// Node 0 ends the victim, be it another node, and waits for the consequences.
static void failFromNode0() {
  if (earlyVictim == 0)
    fail();
  const bool aborts = !std::strcmp(earlyHow, "abort") || !std::strcmp(earlyHow, "throw");
  kill(pids[earlyVictim], !std::strcmp(earlyHow, "kill") ? SIGKILL : aborts ? SIGABRT : SIGSEGV);
  while (forever)
    pause();
}

struct Constructed {
  Constructed() {
    if (isPhase("constructor"))
      fail();
  }
} constructed;

static void handler() {
  if (isPhase("handler"))
    failFromNode0();
}

static int counted;

/// All threads tell the test that they are there, and wait for its word.
static void hold() {
  const std::string directory = std::getenv("FAKE_DIRECTORY"), go = directory + "/go";
#pragma omp barrier
  if (omp_get_thread_num() == 0)
    std::fclose(std::fopen((directory + "/holding").c_str(), "w"));
  while (access(go.c_str(), F_OK) != 0)
    usleep(1000);
}

static void inRegion() {
#pragma omp parallel
  {
    if (isPhase("hold"))
      hold();
#pragma omp atomic
    ++counted;
    const bool mine = isVictim() && omp_get_thread_num() % 2 == 1;
    if (isPhase("region")) {
      if (mine)
        fail();
      while (forever)
        ;
    }
    if (isPhase("barrier") && mine)
      fail();
    if (isPhase("critical")) {
#pragma omp critical
      if (mine)
        fail();
    }
#pragma omp barrier
  }
}

/// Allocates until nothing is left, as a program that can handle it.
static void useUpTheSlice() {
  constexpr std::size_t kBytes = std::size_t(64) << 20;
  int failures = 0;
#pragma omp parallel reduction(+ : failures)
  for (int kind = 0; kind < 2; ++kind) {
    std::vector<void *> all;
    for (void *p; (p = std::malloc(kBytes));)
      all.push_back(p);
    try {
      while (true)
        all.push_back(std::malloc(0)), std::free(all.back()), all.back() = ::operator new(kBytes);
    } catch (const std::bad_alloc &) {
      ++failures;
    }
    for (void *p : all)
      std::free(p);
  }
  std::printf("%d failures\n", failures);
}

/// Forbids one node any further memory and makes its runtime need some: blocks that the other node
/// wrote first stay at home there, so each has a twin here once it is written.
static void useUpPrivateMemory() {
#pragma omp parallel
  {
    const bool first = omp_get_thread_num() % 2 == 0;
    if (first && !isVictim())
      for (std::size_t i = 0; i < kLargeBytes; i += 512)
        large[i] = 1;
#pragma omp barrier
    if (first && isVictim()) {
      unsigned long pages = 0;
      std::FILE *file = std::fopen("/proc/self/statm", "r");
      if (std::fscanf(file, "%lu", &pages) != 1)
        std::abort();
      const rlimit limit{pages * 4096 + (24 << 20), RLIM_INFINITY};
      if (setrlimit(RLIMIT_AS, &limit) != 0)
        std::abort();
      for (std::size_t i = 0; i < kLargeBytes; i += 512)
        large[i] += 1;
    }
  }
}

int main() {
#pragma omp parallel
  pids[earlyNode()] = getpid();
  std::atexit(handler);
  if (isPhase("main"))
    failFromNode0();
  if (isPhase("slice"))
    useUpTheSlice();
  if (isPhase("private"))
    useUpPrivateMemory();
  if (isPhase("huge team"))
#pragma omp parallel num_threads(100000000)
    std::puts("a thread");
  inRegion();
  std::puts(counted == omp_get_max_threads() ? "ran" : "wrong");
  std::fflush(stdout);
}
