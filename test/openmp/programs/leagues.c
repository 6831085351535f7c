// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 spread | grep -x ok
// RUN: %on3 spread | grep -x ok
// RUN: %on4 spread | grep -x ok
// RUN: env OMP_NUM_TEAMS=3 OMP_TEAMS_THREAD_LIMIT=2 %on4 given | grep -x ok
// Leagues of teams that the initial thread starts: how many teams and threads, what the queries
// answer, whose iterations are whose, reductions over teams, and regions of teams on all nodes.
#include "check.h"
#include <omp.h>
#include <string.h>

enum { Most = 256, N = 3000 };
static int hits[N], teamOf[N], threadOf[N], visits[Most], numbers[Most];
static int level, active, inside, threads, limit, teams;
static char *mode = "";

static void clear(void) {
  memset(hits, 0, sizeof hits);
  memset(visits, 0, sizeof visits);
}

static int isSpread(void) { return !strcmp(mode, "spread"); }

/// Each team has been executed once, and all agree on their number.
static void expectTeams(int count) {
  for (int i = 0; i < Most; i++)
    EXPECT_EQUAL(i < count, visits[i]);
  for (int i = 0; i < count; i++)
    EXPECT_EQUAL(count, numbers[i]);
}

static void note(void) {
  visits[omp_get_team_num()]++;
  numbers[omp_get_team_num()] = omp_get_num_teams();
}

static void oneTeam(int all) {
  clear();
  int count = 0;
#pragma omp teams reduction(+ : count)
  {
    note();
    level = omp_get_level();
    inside = omp_in_parallel();
    threads = omp_get_max_threads();
    limit = omp_get_thread_limit();
#pragma omp parallel reduction(+ : count)
    {
      count++;
#pragma omp single
      teams = omp_get_num_teams();
    }
  }
  expectTeams(1);
  EXPECT_EQUAL(1, teams);
  EXPECT_EQUAL(0, level);
  EXPECT_EQUAL(0, inside);
  if (isSpread()) {
    EXPECT_EQUAL(all, count);
    EXPECT_EQUAL(all, threads);
    EXPECT_EQUAL(all, limit);
  }
  EXPECT_EQUAL(1, omp_get_num_teams());
  EXPECT_EQUAL(0, omp_get_team_num());
}

/// As many teams as threads, each of one thread.
static void manyTeams(int all, int asked) {
  clear();
  int count = 0, ancestors = 0;
#pragma omp teams num_teams(asked) reduction(+ : count, ancestors)
  {
    const int me = omp_get_team_num();
    int mine[8] = {me};
    note();
    if (me == 0) {
      level = omp_get_level();
      active = omp_get_active_level();
      inside = omp_in_parallel();
      threads = omp_get_max_threads();
      limit = omp_get_thread_limit();
    }
    ancestors += omp_get_ancestor_thread_num(0) + omp_get_thread_num() + (omp_get_num_threads() - 1) +
                 (omp_get_team_size(0) - 1) + (omp_get_team_size(1) != -1);
#pragma omp parallel num_threads(3) reduction(+ : count)
    {
#pragma omp atomic
      mine[0]++;
      count += omp_get_team_num() == me;
#pragma omp critical
      hits[0] += 1;
      if (omp_get_level() != 1 || omp_get_ancestor_thread_num(1) != omp_get_thread_num() ||
          omp_get_team_size(1) != omp_get_num_threads())
        count += 1000;
#pragma omp barrier
    }
    hits[100 + me] = mine[0] - me;
  }
  EXPECT(numbers[0] >= 1 && numbers[0] <= asked);
  expectTeams(numbers[0]);
  EXPECT_EQUAL(0, ancestors);
  EXPECT_EQUAL(0, level);
  EXPECT_EQUAL(0, inside);
  EXPECT_EQUAL(0, active);
  EXPECT_EQUAL(hits[0], count);
  int sum = 0;
  for (int i = 0; i < numbers[0]; i++)
    sum += hits[100 + i];
  EXPECT_EQUAL(count, sum);
  if (isSpread()) {
    EXPECT_EQUAL(all < asked ? all : asked, numbers[0]);
    EXPECT_EQUAL(numbers[0], count);
    EXPECT_EQUAL(1, threads);
    EXPECT_EQUAL(1, limit);
  }
}

/// Fewer teams than threads: each has all of them.
static void fewTeams(int all) {
  clear();
  int count = 0, most = 0;
#pragma omp teams num_teams(2) reduction(+ : count) reduction(max : most)
  {
    note();
#pragma omp parallel reduction(+ : count)
    {
      count++;
#pragma omp masked
      hits[omp_get_team_num()] = omp_get_num_threads();
    }
    omp_set_num_threads(1); // Of this team's regions only.
#pragma omp parallel reduction(max : most)
    most = omp_get_num_threads();
  }
  EXPECT(numbers[0] >= 1 && numbers[0] <= 2);
  expectTeams(numbers[0]);
  EXPECT_EQUAL(hits[0] + (numbers[0] > 1 ? hits[1] : 0), count);
  EXPECT_EQUAL(1, most);
  if (isSpread()) {
    EXPECT_EQUAL(all, omp_get_max_threads());
    if (all > 2)
      EXPECT_EQUAL(2 * all, count);
  }
}

void __kmpc_push_num_teams_51(void *location, int gtid, int lower, int upper, int limit);
static void lowerBound(int all) {
  if (!isSpread())
    return; // libomp has no more teams than processors.
  clear();
  // num_teams(all + 3: all + 5), which flang compiles and clang 22 does not.
  __kmpc_push_num_teams_51(NULL, 0, all + 3, all + 5, 2);
  int count = 0;
#pragma omp teams reduction(+ : count)
  {
    note();
#pragma omp parallel reduction(+ : count)
    count++;
  }
  EXPECT(numbers[0] >= all + 3 && numbers[0] <= all + 5);
  expectTeams(numbers[0]);
  EXPECT(count >= numbers[0] && count <= 2 * numbers[0]);
}

/// Teams without regions: from the second time on they run at the same time.
static void teamsAlone(void) {
  for (int round = 0; round < 4; round++) {
    clear();
    long sum = 0;
#pragma omp teams distribute num_teams(2) reduction(+ : sum) dist_schedule(static, 7)
    for (int i = 0; i < N; i++) {
      hits[i]++;
      teamOf[i] = omp_get_team_num();
      sum += i;
    }
    EXPECT_EQUAL((long)N * (N - 1) / 2, sum);
    int two = 0;
    for (int i = 0; i < N; i++) {
      EXPECT_EQUAL(1, hits[i]);
      two += teamOf[i];
    }
    if (isSpread())
      EXPECT(two > N / 3 && two < 2 * N / 3);
  }
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define EVERY_ITERATION(count, kept, ...)                                                             \
  do {                                                                                             \
    clear();                                                                                       \
    long sum = 0, last = -1;                                                                       \
    PRAGMA(__VA_ARGS__ reduction(+ : sum))                                                         \
    for (int i = 0; i < (count); i++) {                                                            \
      hits[i]++;                                                                                   \
      teamOf[i] = omp_get_team_num();                                                              \
      threadOf[i] = omp_get_thread_num();                                                          \
      sum += i;                                                                                    \
      last = i;                                                                                    \
    }                                                                                              \
    EXPECT_EQUAL((long)(count) * ((count)-1) / 2, sum);                                            \
    EXPECT_EQUAL(kept, last);                                                                      \
    for (int i = 0; i < (count); i++)                                                              \
      EXPECT_EQUAL(1, hits[i]);                                                                    \
  } while (0)
#define COMBINED(count, ...)                                                                       \
  EVERY_ITERATION(count, (count)-1, omp teams distribute parallel for lastprivate(last) __VA_ARGS__)
// libomp gives back a wrong value now and then.
#define WITHOUT_LAST(count, ...)                                                                   \
  EVERY_ITERATION(count, -1, omp teams distribute parallel for firstprivate(last) __VA_ARGS__)

static void loops(int all) {
  COMBINED(N, );
  if (isSpread())
    EXPECT_EQUAL(all - 1, threadOf[N - 1]);
  COMBINED(N, schedule(static, 5));
  WITHOUT_LAST(N, schedule(dynamic, 3));
  WITHOUT_LAST(N, schedule(guided));
  COMBINED(N, dist_schedule(static, 11));
  COMBINED(N, dist_schedule(static, 11) schedule(static, 2));
  COMBINED(N, num_teams(2));
  WITHOUT_LAST(N, num_teams(2) dist_schedule(static, 50) schedule(dynamic, 4));
  COMBINED(N, num_teams(2) thread_limit(1) dist_schedule(static, 1) schedule(static, 1));
  COMBINED(N, num_teams(100));
  COMBINED(N, num_teams(100) dist_schedule(static, 3));
  COMBINED(2, num_teams(100));
  COMBINED(1, num_teams(2));
  COMBINED(N, num_threads(2));
  COMBINED(N, if(parallel : 0) num_teams(2));
  EVERY_ITERATION(N, N - 1, omp target teams distribute parallel for map(tofrom : sum, last)
                                lastprivate(last));
  clear();
#pragma omp teams loop
  for (int i = 0; i < N; i++)
    hits[i]++;
#pragma omp target teams loop num_teams(100) collapse(2)
  for (int i = 0; i < N / 10; i++)
    for (int k = 0; k < 10; k++)
      hits[10 * i + k]++;
#pragma omp target teams loop bind(teams)
  for (int i = 0; i < N; i++)
    hits[i]++;
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(3, hits[i]);
}

/// Loops over signed and unsigned numbers of 64 bits, downwards.
static void types(void) {
  clear();
#pragma omp teams distribute parallel for num_teams(2)
  for (long long i = N - 1; i >= 0; i -= 3)
    hits[i]++;
#pragma omp teams distribute parallel for num_teams(100) dist_schedule(static, 4)
  for (unsigned long long i = 1; i < N; i += 3)
    hits[i]++;
#pragma omp teams distribute parallel for collapse(2)
  for (unsigned i = 0; i < 10; i++)
    for (unsigned k = 0; k < N / 30; k++)
      hits[(i * (N / 30) + k) * 3]++;
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL((i % 3 == (N - 1) % 3) + (i % 3 == 1) + (i % 3 == 0), hits[i]);
}

/// Regions of several nodes and leagues in turns, on the same data; a league in a region.
static void inTurns(void) {
  clear();
  for (int round = 0; round < 20; round++) {
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      hits[i] += 1;
#pragma omp teams distribute parallel for num_teams(round % 3 * 40)
    for (int i = 0; i < N; i++)
      hits[N - 1 - i] += 1;
#pragma omp teams distribute num_teams(2)
    for (int k = 0; k < 10; k++) {
#pragma omp parallel for
      for (int i = k * (N / 10); i < (k + 1) * (N / 10); i++)
        hits[i] += 1;
    }
  }
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(60, hits[i]);
  int inner = 0;
#pragma omp parallel
#pragma omp masked
  {
#pragma omp target teams distribute parallel for map(tofrom : inner) reduction(+ : inner)
    for (int i = 0; i < N; i++)
      inner += hits[i];
  }
  EXPECT_EQUAL(60 * N, inner);
}

static void defaults(void) {
  clear();
  int most = 0;
#pragma omp teams reduction(max : most)
  {
    note();
#pragma omp parallel reduction(max : most)
    most = omp_get_num_threads();
  }
  expectTeams(3);
  EXPECT_EQUAL(2, most);
  omp_set_num_teams(2);
  omp_set_teams_thread_limit(1);
  clear();
#pragma omp teams
  {
    note();
    limit = omp_get_thread_limit();
  }
  expectTeams(2);
  EXPECT_EQUAL(1, limit);
}

int main(int argc, char **argv) {
  if (argc > 1)
    mode = argv[1];
  const int all = omp_get_max_threads();
  if (!strcmp(mode, "given")) {
    defaults();
    return checkResult();
  }
  oneTeam(all);
  manyTeams(all, 100);
  manyTeams(all, 100);
  manyTeams(all, all);
  fewTeams(all);
  lowerBound(all);
  teamsAlone();
  loops(all);
  types();
  inTurns();
  oneTeam(all);
  return checkResult();
}
