// HandoverPrograms.cpp: litmus programs about releases of which one node hears before they are
// confirmed, as the next holder of a lock does.
#include "protocol/sim/ProgramLists.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
Litmus handedOver(std::string name, std::vector<Program> threads) {
  return {"handed over: " + std::move(name), std::move(threads)};
}
} // namespace

std::vector<Litmus> handoverPrograms() {
  return {
      handedOver("to the home", {{1, write(X, 1) + give(a, 0)}, {0, take(a) + read(X)}}),
      handedOver("by the home",
                 {{0, write(X, 1) + give(a, 1)}, {1, checkRead() + take(a) + read(X)}}),
      handedOver("to and fro",
                 {{1, write(X, 1) + give(a, 0) + take(b) + read(X) + write(Y, 3) + give(c, 0)},
                  {0, take(a) + read(X) + write(X, 2) + give(b, 1) + take(c) + read(Y)}}),
      handedOver(
          "beside a third node's copy",
          {{1, write(X, 1) + give(a, 2)}, {2, checkRead() + take(a) + read(X)}, {0, checkRead()}}),
      handedOver("of what has another home (trap 6)",
                 {{2, write(X, 1) + write(U, 2) + give(a, 0)}, {0, take(a) + read(U) + read(X)}}),
      handedOver("of what has the receiver's home and one's own",
                 {{0, write(X, 1) + write(U, 2) + give(a, 1)},
                  {1, checkRead() + take(a) + read(X) + read(U)}}),
      handedOver("while a third node's copy is not yet invalid (trap 7)",
                 {{1, write(X, 1) + give(a, 0)},
                  {0, take(a) + signal(b)},
                  {2, checkRead() + wait(b) + read(X)}}),
      handedOver("and on, while a third node's copy is not yet invalid (trap 7)",
                 {{1, write(X, 1) + give(a, 0)},
                  {0, take(a) + give(b, 2)},
                  {2, checkRead() + take(b) + read(X)}}),
      handedOver("and on, with what the second has written",
                 {{1, write(X, 1) + give(a, 0)},
                  {0, take(a) + read(X) + write(Y, 2) + give(b, 2)},
                  {2, checkRead() + take(b) + read(X) + read(Y)}}),
      handedOver("and told by another thread of the node (trap 7)",
                 {{1, write(X, 1) + give(a, 0)},
                  {0, take(a) + tell(b)},
                  {0, watch(b) + signal(c)},
                  {2, checkRead() + wait(c) + read(X)}}),
      handedOver("by somebody else's flush (trap 6)",
                 {{1, write(X, 1) + give(a, 0)}, {1, release()}, {0, take(a) + read(X)}}),
      handedOver("to a node that a home tells (trap 6)", {{1, write(X, 1) + give(a, 2)},
                                                          {1, write(Y, 3) + release()},
                                                          {2, checkRead() + take(a) + read(X)}}),
      handedOver("late stores (trap 2)",
                 {{1, checkWrite() + store(X, 1) + give(a, 0)},
                  {1, checkWrite() + store(Y, 1) + store(Y, 2) + give(b, 0)},
                  {0, take(a) + read(X) + take(b) + read(Y)}}),
      handedOver(
          "by a thread outside of a barrier that has flushed it (trap 6)",
          {{0, barrier()}, {1, barrier()}, {1, write(X, 1) + give(a, 0)}, {0, take(a) + read(X)}}),
      handedOver("to a third node, of what a barrier has flushed (trap 6)",
                 {{0, barrier()},
                  {1, barrier()},
                  {1, write(X, 1) + give(a, 2)},
                  {2, barrier() + take(a) + read(X)}}),
      handedOver("to a thread whose node is in a barrier",
                 {{0, write(X, 1) + give(a, 1) + barrier()},
                  {1, checkRead() + barrier() + read(X)},
                  {1, checkRead() + take(a) + read(X)}}),
      handedOver("later, when more was written",
                 {{1, write(X, 1) + begin(a) + write(Y, 2) + hand(a, 0) + give(b, 0)},
                  {0, take(a) + read(X) + take(b) + read(Y)}}),
      handedOver("later, to a third node", {{1, write(X, 1) + begin(a) + write(Y, 2) + hand(a, 2)},
                                            {2, checkRead() + take(a) + read(X)},
                                            {0, {}}}),
      handedOver("later, behind a barrier", {{1, write(X, 1) + begin(a) + barrier() + hand(a, 2)},
                                             {2, checkRead() + barrier() + take(a) + read(X)},
                                             {0, barrier()}}),
      handedOver("later, by another thread", {{1, write(X, 1) + begin(a) + tell(b)},
                                              {1, watch(b) + hand(a, 2)},
                                              {2, checkRead() + take(a) + read(X)},
                                              {0, checkRead()}}),
      handedOver("by a thread that another one has told",
                 {{1, checkWrite() + store(X, 1) + tell(b)},
                  {1, watch(b) + give(a, 0)},
                  {0, checkRead() + take(a) + read(X)}}),
      handedOver("by a thread that another one has told, to a third node",
                 {{1, write(X, 1) + tell(b)},
                  {1, watch(b) + give(a, 2)},
                  {2, checkRead() + take(a) + read(X)},
                  {0, checkRead()}}),
      handedOver("not at all, but told by a release (trap 6)",
                 {{1, write(X, 1) + begin(a) + signal(b)}, {2, checkRead() + wait(b) + read(X)}}),
      handedOver("beside a fetch that is under way (trap 8)",
                 {{1, checkWrite() + store(X, 1) + give(a, 2) + take(b) + read(Y)},
                  {2, take(a) + read(X) + write(Y, 2) + give(b, 1)},
                  {1, checkRead()}}),
  };
}

} // namespace ompdsm::sim
