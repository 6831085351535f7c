// SupplyPrograms.cpp: litmus programs about copies that a home sends at barriers to nodes that have
// none and have not asked.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
/// Block 0 has its home at node 0. Changes are not pushed, but for what the program says.
Litmus supplied(std::string name, std::uint8_t nodes, std::vector<Program> threads) {
  Litmus litmus{"supply: " + std::move(name), std::move(threads)};
  litmus.blocks[0].supplied = nodes;
  return litmus;
}
Litmus noticed(Litmus litmus) {
  litmus.name += ", watched";
  litmus.blocks[0].watched = true;
  return litmus;
}
Litmus alsoSupplied(Litmus litmus) {
  litmus.name += ", supplied";
  litmus.blocks[0].supplied = kOneAndTwo;
  return litmus;
}

std::vector<Litmus> suppliesThatAreRead() {
  const auto first = [](std::string reads, Operations reader) {
    return supplied("who never had a copy " + reads, kOne,
                    {{1, barrier() + reader}, {0, write(X, 1) + barrier()}});
  };
  const auto again = [](Operations reader) {
    return supplied(
        "a copy that has ended", kOne,
        {{1, checkRead() + post(a) + barrier() + reader}, {0, wait(a) + write(X, 1) + barrier()}});
  };
  const auto changed = [](Operations between) {
    return supplied("it changes again and again", kOne,
                    {{1, barrier() + between + barrier() + read(X) + read(Y)},
                     {0, write(X, 1) + barrier() + write(Y, 2) + barrier()}});
  };
  return {
      ending(first("reads", read(X)), {{0, 0, "Shared"}, {1, 0, "Clean"}}, {0, 0, 0}),
      ending(first("does not read", {}), {{0, 0, "Shared"}, {1, 0, "Clean"}}, {0, 0, 0}),
      ending(noticed(first("reads", read(X))), {{0, 0, "Shared"}, {1, 0, "Clean"}}, {0, 0, 0}),
      ending(noticed(first("does not read", {})), {{0, 0, "Shared"}, {1, 0, "Unread"}}, {0, 0, 0}),
      ending(again(read(X)), {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 1}),
      ending(noticed(again({})), {{0, 0, "Shared"}, {1, 0, "Unread"}}, {1, 0, 1}),
      ending(changed(read(X)), {{1, 0, "Clean"}}, {1, 0, 1}),
      ending(noticed(changed({})), {{0, 0, "Shared"}, {1, 0, "Clean"}}, {0, 0, 1}),
      supplied("one of two readers", kOne,
               {{1, barrier() + read(X) + barrier() + read(Y)},
                {2, checkRead() + post(a) + barrier() + read(X) + barrier() + read(Y)},
                {0, wait(a) + write(X, 1) + barrier() + write(Y, 2) + barrier()}}),
      ending(supplied("another node has a copy already", kOne,
                      {{1, barrier() + read(X)},
                       {2, checkRead() + post(a) + barrier()},
                       {0, wait(a) + release() + barrier()}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}, {2, 0, "Clean"}}, {1, 0, 0}),
      supplied("a reader writes what it was sent", kOne,
               {{1, barrier() + write(Y, 2) + barrier()},
                {0, write(X, 1) + barrier() + barrier() + read(Y)}}),
      supplied("a third node has written", kOne,
               {{1, barrier() + read(X)}, {2, write(X, 1) + barrier()}, {0, barrier()}}),
      supplied("a reader holds its permission (G1)", kOne,
               {{1, barrier()},
                {1, read(Y) + tell(a) + watch(b) + load(Y)},
                {0, watch(a) + write(X, 1) + barrier() + tell(b)}}),
  };
}

std::vector<Litmus> suppliesInVain() {
  return {
      supplied("it crosses a Put", kOne,
               {{1, write(Y, 2) + barrier() + read(X) + read(Y)},
                {0, write(X, 1) + barrier() + read(Y)}}),
      supplied("it crosses a Put, and there are later changes", kOne,
               {{1, write(Y, 2) + barrier() + read(X) + barrier() + read(X) + read(Y)},
                {0, write(X, 1) + barrier() + write(Y, 3) + barrier()}}),
      supplied("it crosses word that a copy was given up", kOne,
               {{1, checkRead() + post(a) + barrier() + barrier() + read(X)},
                {1, wait(a) + evict()},
                {0, wait(a) + write(X, 1) + barrier() + write(X, 2) + barrier()}}),
      supplied("it crosses a fetch", kOne,
               {{1, barrier() + read(X)}, {1, read(Y)}, {0, write(X, 1) + barrier()}}),
      supplied("a thread may still write the copy that has ended (trap 2)", kOne,
               {{1, barrier()},
                {1, checkWrite() + tell(a) + watch(b) + store(Y, 2) + signal(c)},
                {0, watch(a) + write(X, 1) + barrier() + tell(b) + wait(c) + read(Y)}}),
      supplied("a node is overwriting it", kOne,
               {{1, barrier()},
                {1, checkOverwrite() + tell(a) + watch(b) + store(X, 2) + store(Y, 3) + signal(c)},
                {0, watch(a) + barrier() + tell(b) + wait(c) + read(X) + read(Y)}}),
      supplied("a node has overwritten it", kOne,
               {{1, overwrite(2, 3) + barrier() + read(X)},
                {0, barrier() + read(X) + write(Y, 4) + release()}}),
      supplied("a thread of the home may write it (trap 3)", kOne,
               {{1, watch(a) + barrier() + tell(b) + wait(c) + read(X)},
                {0, barrier()},
                {0, checkWrite() + tell(a) + watch(b) + store(X, 1) + signal(c)}}),
      supplied("memory that was given up", kOne,
               {{1, checkRead() + post(a) + evict() + barrier() + read(X)},
                {1, drop() + drop()},
                {0, wait(a) + write(X, 1) + barrier()}}),
  };
}

std::vector<Litmus> suppliesAndHomes() {
  const auto both = [](std::string who, std::uint8_t nodes) {
    return moving(supplied("the home does not move to " + who + " that could not use a copy", nodes,
                           {{0, barrier() + barrier() + read(X) + read(Y)},
                            {1, write(X, 1) + barrier() + barrier() + read(Y)},
                            {2, write(Y, 2) + barrier() + barrier()}}));
  };
  Litmus sole = supplied("who was the only sharer hears of it", kOne,
                         {{1, barrier() + read(X) + barrier() + read(X) + read(Y)},
                          {2, write(X, 1) + barrier() + write(Y, 2) + barrier()},
                          {0, barrier() + barrier()}});
  Litmus ended = supplied("who was the only sharer puts when its copy has ended", kTwo,
                          {{1, write(X, 1) + barrier() + write(X, 2) + barrier()},
                           {2, barrier() + barrier() + read(X)},
                           {0, barrier() + write(Y, 3) + barrier()}});
  sole.blocks[0].saysSole = ended.blocks[0].saysSole = true;
  return {both("one writer", kOne),
          both("another writer", kTwo),
          both("either writer", kOneAndTwo),
          sole,
          ended,
          moving(supplied("the home does not move to who could not use a copy before", kOne,
                          {{0, write(X, 1) + barrier() + proposeHome(X, 1) + barrier() + read(Y)},
                           {1, write(Y, 2) + barrier() + barrier()}}))};
}

} // namespace

std::vector<Litmus> supplyPrograms() {
  std::vector<Litmus> all;
  for (const std::vector<Litmus> &list :
       {suppliesThatAreRead(), suppliesInVain(), variantsOf(suppliesInVain(), noticed),
        suppliesAndHomes(), variantsOf(pushesAndHomes(), alsoSupplied)})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

} // namespace ompdsm::sim
