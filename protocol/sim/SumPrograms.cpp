// SumPrograms.cpp: litmus programs about additions that a node keeps beside a block (engine/Sums.h)
// until a release, or until it does something else there.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
Litmus summed(std::string name, std::vector<Program> threads) {
  return {"sum: " + std::move(name), std::move(threads)};
}

std::vector<Litmus> sumsAndReleases() {
  return {
      ending(summed("there behind a release", {{1, add(X, 1) + signal(a)}, {0, wait(a) + read(X)}}),
             {{1, 0, "Invalid"}}),
      summed("of the home", {{0, add(X, 1) + signal(a)}, {1, wait(a) + read(X)}}),
      summed("two in a row", {{1, add(X, 1) + add(X, 2) + signal(a)}, {0, wait(a) + read(X)}}),
      summed("behind another release",
             {{1, add(X, 1) + release() + add(X, 2) + add(Y, 3) + signal(a)},
              {0, wait(a) + read(X) + read(Y)}}),
      summed("of two bytes, released by another thread (trap 6)",
             {{1, add(X, 1) + add(Y, 2) + signal(a)},
              {1, release() + release()},
              {0, wait(a) + read(X) + read(Y)}}),
      summed("of two threads", {{1, add(X, 1) + add(X, 3) + signal(a)},
                                {1, add(Y, 2) + add(Y, 4) + signal(b)},
                                {0, wait(a) + wait(b) + read(X) + read(Y)}}),
      summed("of two threads in one byte",
             {{1, add(X, 1) + add(X, 2) + release()}, {1, add(X, 3) + release()}, {0, {}}}),
      summed("a third node's copy ends", {{1, wait(b) + add(X, 1) + signal(a)},
                                          {2, checkRead() + post(b) + wait(a) + read(X)},
                                          {0, {}}}),
      summed("handed over to a third node",
             {{1, add(X, 1) + give(a, 2)}, {2, checkRead() + take(a) + read(X)}, {0, {}}}),
      summed("under a lock", {{1, lock(a) + add(X, 1) + unlock(a)},
                              {0, lock(a) + read(X) + unlock(a)},
                              {2, lock(a) + add(X, 2) + unlock(a)}}),
      summed("beside an atomic load and an exchange",
             {{1, add(X, 1) + atomicLoad(X) + add(X, 2) + exchange(X, 3)},
              {0, atomicLoad(X) + exchange(Y, 1)}}),
      summed("beside an update", {{1, add(X, 1) + update(Y, 2) + read(X) + read(Y)}, {0, {}}}),
  };
}

std::vector<Litmus> sumsAndCopies() {
  return {
      summed("its thread reads it", {{1, add(X, 1) + read(X)}, {0, {}}}),
      summed("its thread had a copy", {{1, read(X) + add(X, 1) + read(X)}, {0, {}}}),
      summed("its thread reads it, and another one reads beside",
             {{1, add(X, 1) + add(X, 2) + read(X)}, {1, read(Y) + load(Y)}, {0, {}}}),
      summed("its thread reads it, and another one asks",
             {{1, add(X, 1) + add(X, 2) + read(X)}, {1, exchange(Y, 3)}, {0, {}}}),
      summed("its thread reads it, and another one adds",
             {{1, add(X, 1) + add(X, 2) + read(X) + release()},
              {1, add(Y, 3) + read(Y) + add(Y, 4)},
              {0, {}}}),
      summed("its thread has stored",
             {{1, write(X, 1) + add(X, 2) + read(X) + signal(a)}, {0, wait(a) + read(X)}}),
      summed("its thread stores",
             {{1, add(X, 1) + write(X, 2) + signal(a)}, {0, wait(a) + read(X)}}),
      summed("its thread stores, and another one adds",
             {{1, add(X, 1) + write(X, 2) + signal(a)},
              {1, add(Y, 3) + add(Y, 4) + signal(b)},
              {0, wait(a) + wait(b) + read(X) + read(Y)}}),
      summed("its thread overwrites",
             {{1, add(X, 1) + overwrite(2, 3) + signal(a)}, {0, wait(a) + read(X)}}),
      summed("beside a writer of the node", {{1, checkWrite() + store(Y, 3) + signal(b)},
                                             {1, add(X, 1) + read(X) + signal(a)},
                                             {0, wait(a) + wait(b) + read(X) + read(Y)}}),
      summed("beside a prefetch of the node",
             {{1, prefetch()}, {1, add(X, 1) + add(X, 2) + read(X)}, {0, {}}}),
      summed("beside a copy that is given up",
             {{1, checkRead() + evict() + add(X, 1) + evict() + read(X)},
              {0, write(Y, 1) + release()}}),
      summed("beside a writer of the home",
             {{1, add(X, 1) + read(X) + signal(a)},
              {0, checkWrite() + store(Y, 1) + store(Y, 2) + signal(b) + wait(a) + read(X)}}),
  };
}

std::vector<Litmus> sumsAndBarriers() {
  return {
      summed("over a barrier", {{0, barrier() + read(X)},
                                {1, add(X, 1) + add(Y, 2) + barrier() + read(X)},
                                {2, checkRead() + barrier() + read(X)}}),
      summed("behind a barrier that others are in",
             {{0, barrier() + barrier() + read(X)},
              {1, barrier() + add(X, 1) + barrier()},
              {2, write(X, 5) + barrier() + barrier() + read(X)}}),
      summed("by a thread outside of a barrier", {{0, barrier() + wait(a) + read(X)},
                                                  {1, barrier()},
                                                  {1, add(X, 1) + add(X, 2) + signal(a)}}),
      moving(summed("of a unit that moves", {{0, barrier() + barrier() + read(X)},
                                             {1, write(X, 1) + barrier() + add(X, 2) + barrier()},
                                             {2, barrier() + add(Y, 3) + barrier() + read(X)}})),
      moving(summed("of a unit that moves to who adds",
                    {{0, barrier() + barrier() + read(X)},
                     {1, read(Y) + add(X, 1) + read(X) + barrier() + add(X, 2) + barrier()}})),
      moving(
          summed("of a unit that moves beside who adds", {{0, barrier() + read(Y)},
                                                          {1, write(Y, 1) + barrier()},
                                                          {1, add(X, 1) + add(X, 2) + offline()}})),
  };
}

std::vector<Litmus> sumsAndPushes() {
  return {
      pushed("beside a sum", kOne,
             {{1, checkRead() + post(a) + add(X, 2) + read(X)},
              {0, wait(a) + write(Y, 1) + release()}}),
      pushed("beside a sum of another node", kOne,
             {{1, checkRead() + post(a) + wait(b) + read(X)},
              {2, wait(a) + add(X, 2) + signal(b)},
              {0, wait(a) + write(Y, 1) + release()}}),
      bare(pushed("crosses a sum", kOne,
                  {{1, checkRead() + post(a) + watch(b) + add(Y, 2) + add(Y, 3) + read(Y)},
                   {0, wait(a) + release() + checkWrite() + store(X, 1) + tell(b) + release()}})),
      moving(
          supplied(summed("of nothing crosses what is supplied, and the home does not move there",
                          {{0, write(X, 1) + barrier() + proposeHome(X, 1) + barrier() + read(X)},
                           {1, barrier() + barrier()},
                           {1, add(Y, 0)}}))),
      supplied(
          summed("crosses what is supplied in a barrier",
                 {{0, write(X, 1) + barrier()}, {1, add(Y, 2) + barrier() + read(Y) + read(X)}})),
      supplied(summed(
          "crosses what is supplied to a node in a barrier",
          {{0, write(X, 1) + barrier()}, {1, barrier()}, {1, checkRead() + add(Y, 2) + read(Y)}})),
  };
}
} // namespace

std::vector<Litmus> sumPrograms() {
  return concat({sumsAndReleases(), sumsAndCopies(), sumsAndBarriers(), sumsAndPushes()});
}

} // namespace ompdsm::sim
