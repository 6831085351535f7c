// UpdatePrograms.cpp: litmus programs about atomic updates whose old value nobody wants: they leave
// as Puts do, and their threads go on.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
Litmus updated(std::string name, std::vector<Program> threads) {
  return {"update: " + std::move(name), std::move(threads)};
}

std::vector<Litmus> updatesAndReleases() {
  return {
      updated("there behind a release", {{1, update(X, 1) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("of the home", {{0, update(X, 1) + signal(a)}, {1, wait(a) + read(X)}}),
      updated("two in a row",
              {{1, update(X, 1) + update(X, 2) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("a third node's copy ends", {{1, wait(b) + update(X, 1) + signal(a)},
                                           {2, checkRead() + post(b) + wait(a) + read(X)},
                                           {0, {}}}),
      updated("a third node's copy ends while it is told by another home (trap 7)",
              {{1, update(X, 1) + write(U, 2) + signal(a)},
               {2, checkRead() + wait(a) + read(U) + read(X)},
               {0, {}}}),
      updated("released by another thread of the node (trap 6)",
              {{1, update(X, 1) + signal(a)}, {1, release() + release()}, {0, wait(a) + read(X)}}),
      updated("handed over to the home", {{1, update(X, 1) + give(a, 0)}, {0, take(a) + read(X)}}),
      updated("handed over to a third node",
              {{1, update(X, 1) + give(a, 2)}, {2, checkRead() + take(a) + read(X)}, {0, {}}}),
      updated("under a lock", {{1, lock(a) + read(X) + update(X, 1) + unlock(a)},
                               {0, lock(a) + read(X) + unlock(a)},
                               {2, lock(a) + read(X) + unlock(a)}}),
      updated("beside an atomic load and an exchange",
              {{1, update(X, 1) + atomicLoad(X) + update(X, 2) + exchange(X, 3)},
               {0, atomicLoad(X) + exchange(Y, 1)}}),
  };
}

std::vector<Litmus> updatesAndCopies() {
  return {
      updated("its thread reads it", {{1, update(X, 1) + read(X)}, {0, {}}}),
      updated("its thread had a copy", {{1, read(X) + update(X, 1) + read(X)}, {0, {}}}),
      updated("its thread had a copy, and others read there",
              {{1, read(X) + update(X, 1) + read(X)}, {1, read(Y) + load(Y)}, {0, {}}}),
      updated("its thread has stored",
              {{1, write(X, 1) + update(X, 2) + read(X) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("its thread stores",
              {{1, update(X, 1) + write(X, 2) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("its thread overwrites",
              {{1, update(X, 1) + overwrite(2, 3) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("beside a writer of the node", {{1, checkWrite() + store(Y, 3) + signal(b)},
                                              {1, update(X, 1) + read(X) + signal(a)},
                                              {0, wait(a) + wait(b) + read(X) + read(Y)}}),
      updated("beside a fetch of the node",
              {{1, checkRead()}, {1, update(X, 1) + read(X) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("beside a prefetch of the node",
              {{1, prefetch()}, {1, update(X, 1) + read(X)}, {0, {}}}),
      updated("beside a copy that is given up",
              {{1, checkRead() + evict() + update(X, 1) + read(X)}, {0, write(Y, 1) + release()}}),
      updated("beside a writer of the home",
              {{1, update(X, 1) + read(X) + signal(a)},
               {0, checkWrite() + store(Y, 1) + store(Y, 2) + signal(b) + wait(a) + read(X)}}),
  };
}

/// Copies that stay.
std::vector<Litmus> updatesAndHolders() {
  const Litmus beside = updated("of a copy, beside a home that may store (trap 3)",
                                {{1, checkRead() + tell(a) + update(X, 1) + read(X) + signal(b)},
                                 {0, checkWrite() + watch(a) + store(Y, 2) + signal(c)},
                                 {1, wait(c) + read(Y) + load(Y)},
                                 {0, wait(b) + read(X)}});
  const std::vector<Program> both{{0, checkRead() + exchange(X, 1) + barrier() + read(X)},
                                  {1, checkRead() + update(X, 2) + barrier() + read(X) + read(Y)}};
  return {
      updated("of a copy, twice", {{1, read(X) + update(X, 1) + update(X, 2) + read(X) + signal(a)},
                                   {0, wait(a) + read(X)}}),
      updated("of a copy, of which the home hears",
              {{1, read(X) + update(X, 1) + signal(a) + wait(b) + read(Y) + read(X)},
               {0, wait(a) + read(X) + write(Y, 2) + signal(b)}}),
      updated("of a copy that is then stored to",
              {{1, read(X) + update(X, 1) + write(X, 2) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("of a copy that then has its old value",
              {{1, read(X) + update(X, 1) + write(X, 0) + signal(a)}, {0, wait(a) + read(X)}}),
      updated("of a copy that is given up",
              {{1, checkRead() + update(X, 1) + evict() + read(X)}, {0, write(Y, 1) + release()}}),
      updated("of two copies", {{1, checkRead() + update(X, 1) + signal(a)},
                                {2, checkRead() + update(Y, 2) + signal(b)},
                                {0, wait(a) + wait(b) + read(X) + read(Y)}}),
      updated("of two copies, and both read",
              {{0, barrier()},
               {1, checkRead() + update(X, 1) + barrier() + read(X) + read(Y)},
               {2, checkRead() + update(Y, 2) + barrier() + read(X) + read(Y)}}),
      moving(pushed("of a copy that ends, while the home may move to who writes", kOne,
                    {{0, barrier()},
                     {1, checkRead() + update(Y, 1) + barrier() + read(X) + read(Y)},
                     {2, write(X, 2) + barrier() + read(Y)}})),
      moving(
          pushed("of a copy that ends, while the home may move, and behind that", kOne,
                 {{0, barrier() + barrier()},
                  {1, checkRead() + update(Y, 1) + barrier() + update(Y, 3) + barrier() + read(X)},
                  {2, write(X, 2) + barrier() + barrier() + read(Y)}})),
      updated("of a copy, and of the home", both),
      pushed("of a copy, and of the home", kOne, both),
      closed(pushed("of a copy, and of the home", kOne, both)),
      bare(pushed("of a copy, and of the home", kOne, both)),
      watched("of a copy, and of the home", kOne, both),
      beside,
      unwritten(beside),
      ending(updated("of a copy that is about to end", {{1, checkRead() + post(a) + update(X, 1)},
                                                        {0, wait(a) + write(Y, 2) + release()}}),
             {{0, 0, "Exclusive"}}),
      ending(updated("of a copy, at a home that stores",
                     {{1, checkRead() + post(a) + watch(b) + update(Y, 2) + tell(c)},
                      {0, wait(a) + release() + checkWrite() + store(X, 1) + tell(b) + watch(c)}}),
             {{0, 0, "HomeDirty"}, {1, 0, "Clean"}}),
      ending(updated("of a copy, at a home that has released beside a late writer",
                     {{1, checkRead() + tell(a) + watch(b) + watch(e) + update(Y, 4) + signal(f) +
                              tell(c)},
                      {2, checkRead() + tell(e) + wait(f) + read(Y)},
                      {0, watch(a) + watch(e) + checkWrite() + tell(d) + watch(c)},
                      {0, watch(d) + checkWrite() + release() + tell(b)}}),
             {{0, 0, "HomeClosing"}}),
      moving(updated("of a copy of a unit that moves there",
                     {{0, write(Y, 3) + barrier() + proposeHome(X, 1) + barrier() + read(X)},
                      {1, barrier() + read(Y) + update(X, 1) + barrier() + read(X) + read(Y)}})),
  };
}

std::vector<Litmus> updatesAndBarriers() {
  return {
      updated("over a barrier", {{0, barrier() + read(X)},
                                 {1, update(X, 1) + barrier() + read(X)},
                                 {2, checkRead() + barrier() + read(X)}}),
      updated("behind a barrier that others are in",
              {{0, barrier() + barrier() + read(X)},
               {1, barrier() + update(X, 1) + barrier()},
               {2, write(X, 5) + barrier() + barrier() + read(X)}}),
      updated("by a thread outside of a barrier",
              {{0, barrier() + wait(a) + read(X)}, {1, barrier()}, {1, update(X, 1) + signal(a)}}),
      moving(
          updated("of a unit that moves", {{0, barrier() + barrier() + read(X)},
                                           {1, write(X, 1) + barrier() + update(X, 2) + barrier()},
                                           {2, barrier() + update(Y, 3) + barrier() + read(X)}})),
      moving(
          updated("of a unit that moves to who updates it",
                  {{0, barrier() + barrier() + read(X)},
                   {1, read(Y) + update(X, 1) + read(X) + barrier() + update(X, 2) + barrier()}})),
  };
}

std::vector<Litmus> updatesAndPushes() {
  return {
      pushed("beside an update", kOne,
             {{1, checkRead() + post(a) + update(X, 2) + read(X)},
              {0, wait(a) + write(Y, 1) + release()}}),
      pushed("beside an update of another node", kOne,
             {{1, checkRead() + post(a) + wait(b) + read(X)},
              {2, wait(a) + update(X, 2) + signal(b)},
              {0, wait(a) + write(Y, 1) + release()}}),
      bare(pushed("crosses an update", kOne,
                  {{1, checkRead() + post(a) + watch(b) + update(Y, 2) + read(Y)},
                   {0, wait(a) + release() + checkWrite() + store(X, 1) + tell(b) + release()}})),
      supplied(updated(
          "crosses what is supplied in a barrier",
          {{0, write(X, 1) + barrier()}, {1, update(Y, 2) + barrier() + read(Y) + read(X)}})),
      supplied(updated("crosses what is supplied to a node in a barrier",
                       {{0, write(X, 1) + barrier()},
                        {1, barrier()},
                        {1, checkRead() + update(Y, 2) + read(Y)}})),
  };
}
} // namespace

std::vector<Litmus> updatePrograms() {
  return concat({updatesAndReleases(), updatesAndCopies(), updatesAndHolders(),
                 updatesAndBarriers(), updatesAndPushes()});
}

} // namespace ompdsm::sim
