// ResizePrograms.cpp: litmus programs about blocks whose sizes change at barriers: their homes end
// all copies first, so that a block of another size begins as one that nobody has fetched.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
/// Block 0 has its home at node 0.
Litmus resized(std::string name, std::vector<Program> threads) {
  Litmus litmus{"resize: " + std::move(name), std::move(threads)};
  litmus.blocks[0].resized = true;
  return litmus;
}
Litmus alsoResized(Litmus litmus) {
  litmus.name += ", resized";
  litmus.blocks[0].resized = true;
  return litmus;
}
Litmus alsoPushed(Litmus litmus) {
  litmus.name += ", pushed";
  litmus.blocks[0].readers = kOneAndTwo;
  return litmus;
}

std::vector<Litmus> copiesThatEnd() {
  return {
      ending(resized("a reader's copy", {{1, write(Y, 2) + barrier()}, {0, barrier()}}),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}),
      ending(resized("two copies", {{1, checkRead() + post(a) + barrier()},
                                    {2, write(Y, 2) + barrier()},
                                    {0, wait(a) + write(X, 1) + barrier()}}),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}, {2, 0, "Invalid"}}),
  };
}

std::vector<Litmus> sizesThatChange() {
  return {
      resized("both write, and read it all", {{1, write(Y, 2) + barrier() + read(X) + read(Y)},
                                              {0, write(X, 1) + barrier() + read(Y)}}),
      resized("both write, in two epochs",
              {{1, write(Y, 2) + barrier() + write(Y, 3) + barrier() + read(X)},
               {0, write(X, 1) + barrier() + write(X, 4) + barrier() + read(Y)}}),
      resized("a third node reads",
              {{1, write(Y, 2) + barrier() + barrier() + write(Y, 3) + barrier()},
               {2, barrier() + read(Y) + barrier() + barrier() + read(Y)},
               {0, barrier() + barrier() + barrier()}}),
      resized("a copy is given up", {{1, checkRead() + post(a) + barrier() + read(X)},
                                     {1, wait(a) + evict()},
                                     {0, wait(a) + write(X, 1) + barrier()}}),
      resized("a node overwrites it", {{1, overwrite(2, 3) + barrier() + read(X)},
                                       {0, barrier() + read(X) + write(Y, 4) + release()}}),
      resized("an atomic operation",
              {{1, checkRead() + exchange(X, 1) + barrier() + read(X)}, {0, barrier() + read(X)}}),
      resized("a reader holds its permission (G1)",
              {{1, barrier()},
               {1, read(Y) + tell(a) + watch(b) + load(Y)},
               {0, watch(a) + write(X, 1) + barrier() + tell(b)}}),
      resized("a thread may still write a copy (trap 2)",
              {{1, barrier()},
               {1, checkWrite() + tell(a) + watch(b) + store(Y, 2) + signal(c)},
               {0, watch(a) + write(X, 1) + barrier() + tell(b) + wait(c) + read(Y)}}),
      resized("a thread of the home may write it (trap 3)",
              {{1, checkRead() + watch(a) + barrier() + tell(b) + wait(c) + read(X)},
               {0, barrier()},
               {0, checkWrite() + tell(a) + watch(b) + store(X, 1) + signal(c)}}),
      resized("a node asks for what it will read behind the barrier",
              {{1, barrierBefore(X) + read(X)}, {0, write(X, 1) + barrier()}}),
      resized("a thread comes online in the barrier",
              {{1, barrier()}, {1, offline() + online() + read(Y)}, {0, write(X, 1) + barrier()}}),
      moving(resized("the home may move, too",
                     {{1, write(X, 1) + barrier() + write(Y, 2) + barrier() + read(X)},
                      {0, barrier() + barrier() + read(Y)}})),
  };
}

std::vector<Litmus> sizesOfSoleSharers() {
  Litmus sole =
      resized("who was the only sharer", {{1, write(X, 1) + barrier() + write(X, 2) + barrier()},
                                          {2, barrier() + barrier() + read(X)},
                                          {0, barrier() + write(Y, 3) + barrier()}});
  Litmus supplied =
      resized("what comes unasked", {{1, barrier() + read(X) + barrier() + read(Y)},
                                     {0, write(X, 1) + barrier() + write(Y, 2) + barrier()}});
  sole.blocks[0].saysSole = true;
  supplied.blocks[0].supplied = kOne;
  return {sole, supplied};
}

} // namespace

std::vector<Litmus> resizePrograms() {
  std::vector<Litmus> all;
  for (const std::vector<Litmus> &list :
       {copiesThatEnd(), sizesThatChange(), variantsOf(sizesThatChange(), alsoPushed),
        sizesOfSoleSharers(), variantsOf(pushesAndHomes(), alsoResized)})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

} // namespace ompdsm::sim
