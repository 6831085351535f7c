// SolePrograms.cpp: litmus programs about blocks that two nodes write, of which others need not be
// told, and about third nodes that get a copy nevertheless.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
Litmus sole(std::string name, std::vector<Program> threads, std::uint8_t readers = kOne) {
  Litmus litmus{"sole sharer: " + std::move(name), std::move(threads)};
  litmus.blocks[0].readers = readers;
  return litmus;
}
Operations barriers(unsigned count) {
  Operations all;
  for (; count != 0; --count)
    all = std::move(all) + barrier();
  return all;
}
// Two intervals, as who has fetched in the first one says so.
/// Of the home, which says twice that there is one sharer.
Operations home() { return wait(a) + write(X, 1) + barrier() + write(X, 2) + barrier(); }
/// Of that one.
Operations sharer() { return checkRead() + post(a) + barriers(2); }
/// Of another node.
Operations third() { return barriers(2); }

std::vector<Litmus> borders() {
  // The home waits for the sharer to leave each barrier: what it says earlier is taken for what it
  // has said before.
  constexpr Cost kOneSecondHalf{1, 3, 0, 2}, kTwoOfThree{1, 3, 0, 12};
  const Program first{0, wait(a) + write(X, 1) + barrier() + wait(b) + write(X, 2) + barrier() +
                             wait(c) + write(X, 3) + barrier() + read(Y)},
      second{1, checkRead() + post(a) + write(Y, 3) + barrier() + post(b) + write(Y, 4) +
                    barrier() + post(c) + write(Y, 5) + barrier() + read(X)};
  return {
      ending(sole("two nodes write a block in each interval", {first, second}), {}, kOneSecondHalf),
      ending(sole("two of three nodes write a block in each interval",
                  {first, second, {2, barriers(3)}}),
             {}, kTwoOfThree),
      sole("a border, and a third node reads in the end",
           {first, second, {2, barriers(3) + read(Y)}}),
      sole("a border between releases",
           {{0, wait(a) + write(X, 1) + signal(b) + wait(c) + read(Y) + write(X, 2) + barrier()},
            {1, checkRead() + post(a) + wait(b) + write(Y, 2) + signal(c) + barrier() + read(X)},
            {2, checkRead() + barrier() + read(Y)}}),
  };
}

std::vector<Litmus> thirdNodes() {
  const Operations late = checkRead() + barrier();
  return {
      sole("a third node fetches before a Put", {{0, home() + barrier()},
                                                 {1, sharer() + write(Y, 2) + barrier()},
                                                 {2, third() + late + read(Y)}}),
      sole("a third node fetches when the home has said so again",
           {{0, home() + write(X, 3) + barriers(2)},
            {1, sharer() + barrier() + write(Y, 2) + barrier()},
            {2, third() + late + barrier() + read(Y)}}),
      sole("a third node fetches when the sharer has overwritten it",
           {{0, wait(a) + write(X, 1) + barriers(4)},
            {1, checkRead() + post(a) + barrier() + overwrite(3, 4) + barriers(2) + write(Y, 5) +
                    barrier()},
            {2, barriers(2) + checkRead() + barriers(2) + read(Y)}}),
      sole("a third node has fetched long ago",
           {{0, home() + barriers(3)},
            {1, sharer() + barriers(2) + write(Y, 2) + barrier()},
            {2, third() + late + barriers(2) + read(Y)}}),
      sole("a third node asks when it has arrived", {{0, home() + barrier()},
                                                     {1, sharer() + write(Y, 2) + barrier()},
                                                     {2, third() + barrier() + read(Y)},
                                                     {2, checkRead()}}),
      sole("a third node asks when it has arrived, and is told",
           {{0, home() + barrier()},
            {1, sharer() + write(Y, 2) + barrier() + signal(c)},
            {2, third() + barrier()},
            {2, checkRead() + wait(c) + read(Y)}}),
      sole("a third node reads as well",
           {{0, wait(b) + home() + barrier()},
            {1, sharer() + write(Y, 2) + barrier()},
            {2, checkRead() + post(b) + third() + barrier() + read(Y)}},
           kOneAndTwo),
      sole("a third node reads, and is not expected to",
           {{0, wait(b) + home() + barrier()},
            {1, sharer() + write(Y, 2) + barrier()},
            {2, checkRead() + post(b) + third() + read(X) + barrier() + read(Y)}}),
      sole("a third node overwrites all of it",
           {{0, home() + barriers(2) + read(X)},
            {1, sharer() + barrier() + write(Y, 5) + barrier()},
            {2, third() + overwrite(3, 4) + barriers(2) + read(Y)}}),
      sole("a third node overwrites all of it before",
           {{0, wait(a) + barrier() + write(X, 1) + signal(b) + barriers(2)},
            {1, sharer() + write(Y, 5) + barrier()},
            {2, barrier() + wait(b) + overwrite(3, 4) + barriers(2) + read(Y)}}),
      sole("a third node overwrites, and its copy stays behind",
           {{0, home() + barriers(2)},
            {1, sharer() + write(Y, 5) + signal(b) + barriers(2) + read(X)},
            {2, third() + wait(b) + overwrite(3, 4) + barriers(2) + read(Y)}}),
      sole("the sharer gives its copy up, and a third node fetches",
           {{0, home() + barrier()},
            {1, sharer() + evict() + post(b) + write(Y, 2) + barrier()},
            {2, third() + wait(b) + late + read(Y)}}),
      sole("a late store to a copy that has ended (trap 2)",
           {{0, home() + barriers(2)},
            {1, sharer() + barrier() + tell(d) + wait(g) + barrier()},
            {1, checkWrite() + tell(c) + watch(d) + store(Y, 5) + post(g) + offline()},
            {2, third() + watch(c) + exchange(X, 3) + checkRead() + barriers(2) + read(Y)}}),
      sole("the home says so of a copy that is being given up",
           {{0, home() + write(X, 3) + barriers(3)},
            {1, sharer() + evict() + barrier() + checkRead() + barrier() + write(Y, 5) + barrier()},
            {2, third() + barrier() + late + barrier() + read(Y)}}),
      sole("an atomic operation of a third node",
           {{0, home() + barrier() + read(Y)},
            {1, sharer() + write(Y, 2) + barrier()},
            {2, third() + exchange(X, 3) + checkRead() + barrier() + read(Y)}}),
  };
}

std::vector<Litmus> earlyLeavers() {
  return {
      sole("a thread of the home comes online, and is told by the sharer (trap 6)",
           {{0, home() + barrier()},
            {1, sharer() + write(Y, 2) + barrier() + signal(c)},
            {0, offline() + online() + checkRead() + wait(c) + read(Y)}}),
      sole("a thread of the home comes online, and is handed it by the sharer (trap 6)",
           {{0, home() + barrier()},
            {1, sharer() + write(Y, 2) + barrier() + give(c, 0)},
            {0, offline() + online() + checkRead() + take(c) + read(Y)}}),
      sole("a thread of the home comes online, and is told by a third node (trap 7)",
           {{0, home() + barrier()},
            {1, sharer() + write(Y, 2) + barrier()},
            {2, third() + barrier() + signal(c)},
            {0, offline() + online() + checkRead() + wait(c) + read(Y)}}),
      sole("the sharer goes on, and reads anew",
           {{0, home() + barriers(2)},
            {1, sharer() + write(Y, 2) + barrier() + evict() + read(Y) + write(Y, 3) + barrier() +
                    read(Y)}}),
      sole("the sharer hands on to a third node",
           {{0, home() + barrier()},
            {1, sharer() + write(Y, 2) + barrier() + signal(c)},
            {2, third() + barrier() + wait(c) + read(Y)}}),
      sole("a join, and an order", {{0, wait(a) + write(X, 1) + join() + order(b, 1u << 1) +
                                            write(X, 2) + join() + order(c, 1u << 1) + read(Y)},
                                    {1, checkRead() + post(a) + join() + obey(b) + write(Y, 2) +
                                            join() + obey(c) + read(X)}}),
      moving(sole("the home moves where it has not written",
                  {{0, home() + barriers(2) + read(Y)},
                   {1, sharer() + write(Y, 3) + barrier() + write(Y, 4) + barrier()}})),
  };
}

/// The home writes nothing, and tells who puts.
std::vector<Litmus> writersAlone() {
  constexpr Cost kOneSecondHalf{1, 3, 0, 2}, kOneOfThree{1, 3, 0, 6};
  const Operations writes = write(Y, 1) + barrier() + write(Y, 2) + barrier() + write(Y, 3);
  const Program one{1, writes + barrier()};
  std::vector<Litmus> all = {
      ending(sole("one node writes a block in each interval", {{0, barriers(3) + read(Y)}, one}),
             {}, kOneSecondHalf),
      ending(sole("one of three nodes writes a block in each interval",
                  {{0, barriers(3) + read(Y)}, one, {2, barriers(3)}}),
             {}, kOneOfThree),
      sole("one writes, and a third node reads in the end",
           {{0, barriers(3)}, one, {2, barriers(3) + read(Y)}}),
      sole("one writes, and a third node reads between",
           {{0, barriers(3)}, one, {2, barrier() + checkRead() + barriers(2) + read(Y)}}),
      sole("one writes, and a third node reads always",
           {{0, barriers(3)},
            one,
            {2, checkRead() + barrier() + checkRead() + barrier() + checkRead() + barrier() +
                    read(Y)}},
           kOneAndTwo),
      sole("one writes, and a third node writes in the end",
           {{0, barriers(3) + read(Y)}, one, {2, barriers(2) + write(X, 4) + barrier() + read(Y)}}),
      ending(sole("one overwrites a block in each interval",
                  {{0, barriers(3) + read(Y)},
                   {1, write(Y, 1) + barrier() + overwrite(2, 3) + barrier() + overwrite(4, 5) +
                           barrier()},
                   {2, barriers(3)}}),
             {}, kOneOfThree),
      sole(
          "one overwrites, and a third node reads between",
          {{0, barriers(3)},
           {1, write(Y, 1) + barrier() + overwrite(2, 3) + barrier() + overwrite(4, 5) + barrier()},
           {2, barrier() + checkRead() + barriers(2) + read(Y)}}),
      sole("one overwrites, and a third node does, too",
           {{0, barriers(3)},
            {1, write(Y, 1) + barriers(2) + write(Y, 2) + barrier()},
            {2, barrier() + overwrite(3, 4) + barriers(2) + read(Y)}}),
      sole("one writes, and then gives its copy up",
           {{0, barriers(3) + read(Y)},
            {1, write(Y, 1) + barrier() + evict() + barrier() + write(Y, 2) + barrier()},
            {2, barrier() + checkRead() + barriers(2) + read(Y)}}),
      sole("one writes, and its other thread releases",
           {{0, barriers(2) + wait(c) + read(X)},
            {1, write(Y, 1) + barrier() + write(Y, 2) + barrier()},
            {1, write(X, 1) + signal(c)}}),
  };
  const std::vector<Litmus> move = variantsOf(all, [](Litmus litmus) {
    litmus.name += ", and may get it";
    litmus.blocks[0].migratable = true;
    return litmus;
  });
  all.insert(all.end(), move.begin(), move.end());
  for (Litmus &litmus : all)
    litmus.blocks[0].saysSole = true;
  return all;
}

Litmus said(Litmus litmus) {
  litmus.name += ", said to who puts";
  litmus.blocks[0].saysSole = true;
  return litmus;
}
} // namespace

std::vector<Litmus> solePrograms() {
  std::vector<Litmus> all = borders();
  for (const auto &more : {thirdNodes(), earlyLeavers(), writersAlone()})
    all.insert(all.end(), more.begin(), more.end());
  for (auto vary : {closed, bare, said}) {
    const std::vector<Litmus> variants = variantsOf(all, vary);
    all.insert(all.end(), variants.begin(), variants.end());
  }
  return all;
}

} // namespace ompdsm::sim
