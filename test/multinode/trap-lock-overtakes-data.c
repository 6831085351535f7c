// Trap 6: a lock leaves its holder before what was written under it is confirmed, and its message
// may be faster than the data. Whoever gets it next must not go on before the data is there, nor
// tell a third thread, under another lock, what that cannot see yet.
// ENVIRONMENT: OMPDSM_FAULT=delay=0..100us,seed=3
#include "report.h"
#include <omp.h>

enum { Accounts = 24, Rounds = 60, Sum = 1000 };

static long balances[Accounts], entries[Accounts];
static long book[Rounds * 64], booked;
static omp_lock_t locks[Accounts];
static omp_nest_lock_t bookLock;

/// Two accounts with locks of their own, in the order of their numbers.
static void transfer(int low, int high, long amount) {
  balances[low] -= amount;
  balances[high] += amount;
  entries[low]++;
  entries[high]++;
}

/// Each entry follows from the one before, whoever has made that.
static void enter(void) {
  omp_set_nest_lock(&bookLock);
  omp_set_nest_lock(&bookLock);
  if (booked > 0)
    expectInteger("the last entry", booked, 3 * booked, book[booked - 1]);
  booked++;
  book[booked - 1] = 3 * booked;
  omp_unset_nest_lock(&bookLock);
  omp_unset_nest_lock(&bookLock);
}

int main(void) {
  omp_init_nest_lock(&bookLock);
  for (int i = 0; i < Accounts; i++) {
    omp_init_lock(&locks[i]);
    balances[i] = Sum;
  }
  long transfers = 0, made = 0;
#pragma omp parallel reduction(+ : transfers, made)
  {
    unsigned random = 17u + (unsigned)omp_get_thread_num();
    for (int round = 0; round < Rounds; round++) {
      random = random * 1664525u + 1013904223u;
      const int low = (int)(random >> 8) % (Accounts - 1),
                high = low + 1 + (int)(random >> 16) % (Accounts - 1 - low);
      omp_set_lock(&locks[low]);
      if (round % 3 != 0)
        omp_set_lock(&locks[high]);
      else if (!omp_test_lock(&locks[high])) {
        omp_unset_lock(&locks[low]);
        continue;
      }
      transfer(low, high, (long)(random >> 24) % 10);
      transfers++;
      if (round % 16 == 0) {
        enter();
        made++;
      }
      omp_unset_lock(&locks[high]);
      omp_unset_lock(&locks[low]);
    }
  }
  long sum = 0, counted = 0;
  for (int i = 0; i < Accounts; i++) {
    sum += balances[i];
    counted += entries[i];
  }
  expectInteger("sum of all balances", 0, (long)Sum * Accounts, sum);
  expectInteger("entries of the accounts", 0, 2 * transfers, counted);
  expectInteger("entries of the book", 0, made, booked);
  return finish();
}
