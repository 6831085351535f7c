// FetchPrograms.cpp: litmus programs about what is fetched because it is expected to be read, with
// copies that are closed until it is.
#include "protocol/sim/ProgramLists.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
/// Block 0 has its home at node 0.
Litmus expected(std::string name, std::vector<Program> threads) {
  Litmus litmus{"expected: " + std::move(name), std::move(threads)};
  litmus.blocks[0].watched = true;
  return litmus;
}
Litmus moving(Litmus litmus) {
  litmus.blocks[0].migratable = true;
  return litmus;
}
} // namespace

std::vector<Litmus> fetchPrograms() {
  return {
      ending(expected("nobody reads it", {{1, prefetch() + barrier()}, {0, barrier()}}),
             {{1, 0, "Unread"}}, {1, 0, 0}),
      ending(expected("it is read", {{1, barrier() + prefetch() + barrier() + read(X)},
                                     {0, write(X, 1) + barrier() + barrier()}}),
             {{1, 0, "Clean"}}, {1, 0, 0}),
      ending(expected("it is read at once",
                      {{1, wait(a) + prefetch() + read(X)}, {0, write(X, 1) + signal(a)}}),
             {{1, 0, "Clean"}}, {1, 0, 0}),
      expected("it is written", {{1, wait(a) + prefetch() + write(Y, 3) + signal(b)},
                                 {0, write(X, 1) + signal(a) + wait(b) + read(X) + read(Y)}}),
      expected("it is overwritten", {{1, wait(a) + prefetch() + overwrite(3, 4) + signal(b)},
                                     {0, write(X, 1) + signal(a) + wait(b) + read(X) + read(Y)}}),
      expected("it is given up", {{1, prefetch() + wait(a) + evict() + drop() + read(X)},
                                  {0, write(X, 1) + signal(a)}}),
      expected("it is stale again", {{1, prefetch() + wait(a) + read(X) + write(Y, 2) + signal(b)},
                                     {2, write(X, 1) + signal(a) + wait(b) + read(Y)},
                                     {1, checkRead()}}),
      expected("the home writes unseen (trap 3)",
               {{0, checkWrite() + store(X, 1) + tell(a) + watch(b) + store(X, 0) + signal(c)},
                {1, watch(a) + prefetch() + tell(b) + wait(c) + read(X)}}),
      expected("beside an atomic operation",
               {{1, wait(b) + prefetch() + exchange(X, 2) + atomicLoad(X) + signal(a) + read(Y)},
                {0, write(Y, 1) + signal(b) + wait(a) + read(X)}}),
      expected("another thread waits for it", {{1, prefetch() + tell(a) + wait(b) + read(X)},
                                               {1, watch(a) + checkRead() + post(c)},
                                               {0, wait(c) + write(X, 1) + signal(b)}}),
      ending(expected("it is asked for in the barrier",
                      {{1, barrierBefore(X) + read(X)}, {0, write(X, 1) + barrier()}}),
             {{1, 0, "Clean"}}, {1, 0, 0}),
      expected(
          "it is asked for in the barrier that invalidates it",
          {{1, checkRead() + barrierBefore(X) + read(X) + barrier() + barrierBefore(X) + read(X)},
           {0, write(X, 1) + barrier() + barrier() + write(X, 2) + barrier()}}),
      expected("it is asked for in the barrier in which others write it",
               {{1, barrierBefore(X) + read(X) + barrier() + read(Y)},
                {2, write(X, 1) + barrier() + write(Y, 2) + barrier()},
                {0, barrier() + barrier()}}),
      expected("it is asked for in a barrier, and the home goes on writing",
               {{1, barrierBefore(X) + write(Y, 3) + barrier() + read(X)},
                {0, write(X, 1) + barrier() + write(X, 2) + barrier() + read(Y)}}),
      expected("it is asked for in a barrier beside a thread that comes",
               {{1, barrierBefore(X) + read(X)},
                {1, offline() + wait(a) + online() + write(Y, 2) + signal(b)},
                {0, write(X, 1) + post(a) + barrier() + wait(b) + read(Y)}}),
      moving(expected("its home may move where it is asked for",
                      {{1, write(X, 1) + barrier() + write(Y, 2) + barrier() + read(X)},
                       {2, barrierBefore(X) + read(X) + barrierBefore(X) + read(Y)},
                       {0, barrier() + barrierBefore(X) + read(X)}})),
      moving(expected("its home moves",
                      {{1, write(X, 1) + barrier() + prefetch() + barrier() + read(X)},
                       {2, barrier() + prefetch() + barrier() + read(X)},
                       {0, barrier() + barrier() + read(X)}})),
      moving(expected("its home moves to who has not read it",
                      {{1, write(X, 1) + barrier() + write(Y, 2) + barrier() + read(X)},
                       {0, barrier() + prefetch() + barrier() + prefetch() + read(Y)}})),
  };
}

} // namespace ompdsm::sim
