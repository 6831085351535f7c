// LeasePrograms.cpp: litmus programs about atomic loads of a node's own copy
// (engine/AtomicReads.h): what a thread finds of X is never older than what it has found or heard
// of. Only one thread stores there, and ever more.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
Litmus leased(std::string name, std::vector<Program> threads) {
  return {"lease: " + std::move(name), std::move(threads)};
}
Operations loads() { return atomicLoad(X) + atomicLoad(X); }

std::vector<Litmus> leasesAndHomes() {
  return {
      leased("beside the home", {{1, lease(X) + loads()}, {0, exchange(X, 1) + exchange(X, 2)}}),
      leased("beside a home that stores",
             {{1, lease(X) + loads()}, {0, write(Y, 1) + exchange(X, 1) + release()}}),
      leased("beside a home that has sharers",
             {{1, checkRead() + tell(a) + lease(X) + loads()},
              {0, watch(a) + write(Y, 1) + exchange(X, 1) + exchange(X, 2)}}),
      leased("where there is an older copy",
             {{1, checkRead() + tell(a) + watch(b) + atomicLoad(X) + lease(X) + atomicLoad(X)},
              {0, watch(a) + exchange(X, 1) + tell(b)}}),
      leased("beside a release of the home",
             {{1, lease(X) + loads() + wait(a) + loads()}, {0, exchange(X, 1) + signal(a)}}),
      leased("of a node with two threads", {{1, lease(X) + atomicLoad(X)},
                                            {1, atomicLoad(X) + lease(X) + atomicLoad(X)},
                                            {0, exchange(X, 1) + exchange(X, 2)}}),
      leased("beside updates of a third node",
             {{1, lease(X) + loads()}, {2, update(X, 1) + update(X, 2)}, {0, {}}}),
      leased("beside exchanges of a third node",
             {{1, lease(X) + loads()}, {2, exchange(X, 1) + exchange(X, 2)}, {0, {}}}),
  };
}

std::vector<Litmus> leasesAndTheirNode() {
  return {
      leased("its thread updates", {{1, lease(X) + update(X, 1) + loads()}, {0, {}}}),
      leased("its thread updates, and others read",
             {{1, lease(X) + tell(a) + watch(b) + update(Y, 3) + loads()},
              {1, checkRead() + atomicLoad(X) + checkRead() + loads()},
              {0, watch(a) + exchange(X, 1) + tell(b) + exchange(X, 2)}}),
      leased("its thread exchanges",
             {{1, lease(X) + exchange(X, 1) + loads()}, {1, loads()}, {0, {}}}),
      leased("its thread stores beside, and then asks",
             {{1, lease(X) + tell(a) + watch(b) + write(Y, 2) + atomicLoad(X) + release() +
                      atomicLoad(X)},
              {0, watch(a) + exchange(X, 1) + tell(b)}}),
      leased("another thread stores beside",
             {{1, lease(X) + loads()}, {1, write(Y, 2) + release()}, {0, exchange(X, 1)}}),
      leased("another thread reads", {{1, atomicLoad(X) + lease(X) + loads()},
                                      {1, read(Y) + load(Y)},
                                      {0, exchange(X, 1) + release()}}),
      leased("beside a prefetch", {{1, prefetch() + atomicLoad(X)},
                                   {1, lease(X) + loads()},
                                   {0, exchange(X, 1) + exchange(X, 2)}}),
      leased("of a copy that is given up",
             {{1, lease(X) + atomicLoad(X) + evict() + atomicLoad(X) + lease(X) + atomicLoad(X)},
              {0, exchange(X, 1) + exchange(X, 2)}}),
      leased("its thread overwrites", {{1, lease(X) + atomicLoad(X) + signal(a)},
                                       {1, wait(a) + overwrite(1, 2) + loads() + release()},
                                       {0, {}}}),
  };
}

/// Whose copies have what they raise, too.
std::vector<Litmus> leasesAndMaxima() {
  const Program home{0, wait(a) + raise(X, 1) + write(Y, 1) + release() + raise(X, 3)};
  const std::vector<Program> beside{
      {1, checkRead() + post(a) + lease(X) + raise(X, 2) + loads() + atomicLoad(X)}, home};
  const std::vector<Program> both{
      {0, checkRead() + raise(X, 3) + barrier() + read(X)},
      {1, lease(X) + raise(X, 2) + loads() + barrier() + atomicLoad(X) + read(X)}};
  return {
      leased("its thread raises", {{1, lease(X) + raise(X, 2) + loads()}, {0, {}}}),
      leased("its thread raises beside the home",
             {{1, lease(X) + raise(X, 2) + loads()}, {0, raise(X, 1) + raise(X, 3)}}),
      leased("its thread raises beside a third node",
             {{1, lease(X) + raise(X, 2) + loads()},
              {2, raise(X, 1) + atomicLoad(X) + raise(X, 3)},
              {0, {}}}),
      leased(
          "two nodes raise",
          {{1, lease(X) + raise(X, 2) + loads()}, {2, lease(X) + raise(X, 3) + loads()}, {0, {}}}),
      leased("its thread raises beside one that asks", {{1, lease(X) + raise(X, 2) + loads()},
                                                        {1, exchange(Y, 1) + atomicLoad(X)},
                                                        {0, raise(X, 3)}}),
      leased("its thread raises beside changes of the home", beside),
      pushed("beside a lease whose thread raises", kOne, beside),
      bare(pushed("beside a lease whose thread raises", kOne, beside)),
      watched("beside a lease whose thread raises", kOne, beside),
      leased("two nodes raise before a barrier", both),
      pushed("two nodes raise before a barrier", kOne, both),
      bare(pushed("two nodes raise before a barrier", kOne, both)),
  };
}

std::vector<Litmus> leasesAndAcquires() {
  const Operations later = wait(a) + atomicLoad(X);
  return {
      leased("before it hears of another's load", {{2, lease(X) + tell(b) + later},
                                                   {1, watch(c) + atomicLoad(X) + signal(a)},
                                                   {0, watch(b) + exchange(X, 1) + tell(c)}}),
      leased("before its node hears of it", {{2, lease(X) + tell(b) + watch(d) + atomicLoad(X)},
                                             {2, wait(a) + loads() + tell(d)},
                                             {1, watch(b) + atomicLoad(X) + signal(a)},
                                             {0, exchange(X, 1)}}),
      leased("before it hears of a leased load", {{2, lease(X) + later},
                                                  {1, lease(X) + atomicLoad(X) + signal(a)},
                                                  {0, exchange(X, 1) + exchange(X, 2)}}),
      leased("under a lock", {{1, lock(a) + atomicLoad(X) + unlock(a)},
                              {2, lease(X) + lock(a) + atomicLoad(X) + unlock(a)},
                              {0, exchange(X, 1)}}),
      leased("over a barrier", {{0, exchange(X, 1) + barrier() + exchange(X, 2)},
                                {1, lease(X) + atomicLoad(X) + barrier() + loads()}}),
      moving(leased("over a barrier, of a unit that moves",
                    {{0, barrier() + loads() + barrier()},
                     {1, write(Y, 1) + update(X, 1) + barrier() + exchange(X, 2) + barrier()},
                     {2, lease(X) + barrier() + lease(X) + loads() + barrier() + loads()}})),
  };
}

std::vector<Litmus> leasesAndPushes() {
  const Program home{0, wait(a) + exchange(X, 1) + write(Y, 1) + release() + exchange(X, 2)};
  return {
      pushed("beside a lease", kOne,
             {{1, checkRead() + post(a) + lease(X) + loads() + loads()}, home}),
      bare(pushed("beside a lease", kOne,
                  {{1, checkRead() + post(a) + lease(X) + loads() + loads()}, home})),
      watched("beside a lease", kOne, {{1, checkRead() + post(a) + lease(X) + loads()}, home}),
  };
}
} // namespace

std::vector<Litmus> leasePrograms() {
  return concat({leasesAndHomes(), leasesAndTheirNode(), leasesAndMaxima(), leasesAndAcquires(),
                 leasesAndPushes()});
}

} // namespace ompdsm::sim
