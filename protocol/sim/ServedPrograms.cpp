// ServedPrograms.cpp: litmus programs about blocks that a home sends while its threads may store to
// them, and of which it keeps a digest until its next release.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"
#include <tuple>

namespace ompdsm::sim {

using namespace parts;

namespace {
Litmus served(std::string name, std::vector<Program> threads) {
  return unwritten({"served: " + std::move(name), std::move(threads)});
}
/// A thread of the home takes W before anybody asks, and goes on when the block was sent.
Operations hold() { return checkWrite() + tell(a) + watch(b); }
/// The node that is sent the block meanwhile.
Operations fetch() { return watch(a) + checkRead() + tell(b); }
/// It gives its copy up, of which the home has heard when it answers something else.
Operations giveUp() { return evict() + atomicLoad(U) + tell(c); }
Litmus givesUp(Litmus litmus) {
  litmus.blocks[1].home = litmus.blocks[0].home;
  return litmus;
}

std::vector<Litmus> flushesOfServedBlocks() {
  return {
      ending(
          served("a home that stores nothing shares it", {{0, hold() + release()}, {1, fetch()}}),
          {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(served("a home that stores tells who was sent",
                    {{0, hold() + store(X, 1) + signal(c)}, {1, fetch() + wait(c) + read(X)}}),
             {}, {2, 0, 1}),
      ending(served("nobody is left who was sent",
                    {{0, hold() + store(X, 1) + release()}, {1, fetch()}}),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {1, 0, 1}),
      ending(served("a store before it was sent is told once",
                    {{0, checkWrite() + store(X, 1) + tell(a) + watch(b) + signal(c)},
                     {1, fetch() + wait(c) + read(X)}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(served("a home stays so under a late writer", {{0, hold() + watch(d) + tell(e)},
                                                            {0, watch(b) + release() + tell(d)},
                                                            {1, fetch() + watch(e)}}),
             {{0, 0, "HomeServed"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(served("a home shares it behind a late writer",
                    {{0, hold() + watch(d) + release() + tell(e)},
                     {0, watch(b) + release() + tell(d) + watch(e) + release()},
                     {1, fetch()}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      served("a late store is found", {{0, hold() + watch(d) + store(X, 1) + signal(c)},
                                       {0, watch(b) + release() + tell(d)},
                                       {1, fetch() + wait(c) + read(X)}}),
      ending(served("another thread's release tells of a store",
                    {{0, hold() + store(X, 1) + tell(d) + watch(e)},
                     {0, watch(d) + release() + tell(e)},
                     {1, fetch()}}),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {1, 0, 1}),
      served("a store behind another thread's release",
             {{0, hold() + store(X, 1) + tell(d) + watch(e) + store(Y, 2) + signal(c)},
              {0, watch(d) + release() + tell(e)},
              {1, fetch() + watch(e) + checkRead() + wait(c) + read(X) + read(Y)}}),
      served("many releases beside a late writer",
             {{0, checkWrite() + store(X, 2) + signal(a)},
              {0, write(Y, 1) + release() + write(Y, 2) + release() + signal(b)},
              {1, checkRead() + wait(a) + read(X) + wait(b) + read(Y)}}),
      ending(givesUp(served(
                 "nobody shares it any more",
                 {{0, hold() + watch(c) + store(X, 1) + release()}, {1, fetch() + giveUp()}})),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {1, 0, 0}),
  };
}

/// No thread of the home can hold W.
std::vector<Litmus> quietHomes() {
  const Operations leave = release() + offline() + tell(a) + watch(b);
  return {
      ending({"served: by a home whose threads are offline",
              {{0, write(X, 1) + leave}, {1, fetch() + load(X)}}},
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      {"served: by a home of which a thread comes online, and stores",
       {{0, write(X, 1) + leave + online() + write(Y, 2) + signal(c)},
        {1, fetch() + wait(c) + read(Y)}}},
      {"served: while a thread of the home comes online, and stores",
       {{0, release() + offline() + online() + write(Y, 2) + signal(c)},
        {1, checkRead() + wait(c) + read(Y)}}},
      ending({"served: by a home of which one thread is offline",
              {{0, hold() + watch(d)}, {0, offline() + tell(d)}, {1, fetch()}}},
             {{0, 0, "HomeDirty"}, {1, 0, "Clean"}}, {1, 0, 0}),
  };
}

/// What comes to a home between sending the block and its release.
std::vector<Litmus> requestsOfServedBlocks() {
  return {
      ending(served("a thread of the home stores behind it",
                    {{0, hold() + write(X, 1) + signal(c)}, {1, fetch() + wait(c) + read(X)}}),
             {}, {2, 0, 1}),
      ending(served("a thread of the home opens it, and stores what it was",
                    {{0, hold() + write(X, 0) + release()}, {1, fetch()}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(served("a thread of the home opens it beside a late writer",
                    {{0, hold() + watch(d)}, {0, watch(b) + checkWrite() + tell(d)}, {1, fetch()}}),
             {{0, 0, "HomeDirty"}, {1, 0, "Clean"}}, {1, 0, 0}),
      served("a twin is made over a late store",
             {{0, hold() + store(X, 1) + tell(d) + wait(e) + signal(c)},
              {0, watch(d) + write(Y, 2) + signal(e)},
              {1, fetch() + wait(c) + read(X) + read(Y)}}),
      served("a twin is made over a store that goes back",
             {{0, hold() + store(X, 1) + tell(d) + watch(e) + store(X, 0) + signal(c)},
              {0, watch(d) + checkWrite() + tell(e)},
              {2, watch(d) + checkRead()},
              {1, fetch() + wait(c) + read(X)}}),
      served("two are sent what differs",
             {{0, hold() + store(X, 1) + tell(d) + watch(e) + signal(c)},
              {1, fetch() + wait(c) + read(X)},
              {2, watch(d) + checkRead() + tell(e) + wait(c) + read(X)}}),
      served("two are sent what differs, and it goes back",
             {{0, hold() + store(X, 1) + tell(d) + watch(e) + store(X, 0) + signal(c)},
              {1, fetch() + wait(c) + read(X)},
              {2, watch(d) + checkRead() + tell(e) + wait(c) + read(X)}}),
      ending(served("two are sent the same", {{0, hold() + watch(e) + release()},
                                              {1, fetch()},
                                              {2, watch(b) + checkRead() + tell(e)}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}, {2, 0, "Clean"}}, {2, 0, 0}),
      served("a node puts beside a store of the home",
             {{0, hold() + store(X, 1) + watch(d) + signal(c) + wait(e) + read(Y)},
              {1, watch(a) + checkWrite() + tell(b) + store(Y, 2) + signal(e) + tell(d) + wait(c) +
                      read(X)}}),
      ending(served("a node puts, and the home has stored nothing",
                    {{0, hold() + watch(d) + release()},
                     {1, watch(a) + checkWrite() + tell(b) + store(Y, 2) + release() + tell(d)}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 1, 0}),
      ending(served("a node puts under a late writer",
                    {{0, hold() + watch(d)},
                     {1, watch(a) + checkWrite() + tell(b) + store(Y, 2) + release() + tell(d)}}),
             {{0, 0, "HomeClosing"}, {1, 0, "Clean"}}, {1, 1, 0}),
      served("a node puts, another reads, and a late writer stores",
             {{0, hold() + watch(d) + store(X, 1) + signal(c)},
              {1, watch(a) + checkWrite() + tell(b) + store(Y, 2) + signal(e) + tell(d)},
              {2, watch(a) + checkRead() + wait(e) + read(Y) + wait(c) + read(X)}}),
      served("an atomic operation of a node", {{0, hold() + store(X, 1) + watch(d) + signal(c)},
                                               {1, fetch() + exchange(Y, 2) + atomicLoad(Y) +
                                                       tell(d) + wait(c) + read(X) + read(Y)}}),
      ending(served("an atomic operation ends sharing",
                    {{0, hold() + watch(d)}, {1, fetch() + exchange(Y, 2) + tell(d)}}),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {1, 0, 1}),
      ending(served("an update of a copy opens it",
                    {{0, hold() + watch(d)}, {1, fetch() + update(Y, 2) + tell(d)}}),
             {{0, 0, "HomeDirty"}, {1, 0, "Clean"}}, {1, 0, 0}),
      served("an update of a copy beside a late store and another copy",
             {{0, hold() + store(X, 1) + watch(d) + signal(c)},
              {1, fetch() + watch(e) + update(Y, 2) + signal(f) + tell(d) + wait(c) + read(X)},
              {2, watch(b) + checkRead() + tell(e) + wait(f) + read(Y)}}),
      ending(served("an atomic operation of the home opens it",
                    {{0, hold() + exchange(Y, 2)}, {1, fetch()}}),
             {{0, 0, "HomeDirty"}}, {1, 0, 1}),
      ending(served("an atomic load of the home", {{0, hold() + atomicLoad(Y)}, {1, fetch()}}),
             {{0, 0, "HomeServed"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(served("an atomic load of a node",
                    {{0, hold() + watch(d)}, {1, fetch() + atomicLoad(Y) + tell(d)}}),
             {{0, 0, "HomeServed"}, {1, 0, "Clean"}}, {1, 0, 0}),
      served("an atomic load beside a late store",
             {{0, hold() + store(X, 1) + atomicLoad(Y) + signal(c)},
              {1, fetch() + wait(c) + read(X)}}),
      ending(
          givesUp(served("a copy is given up", {{0, hold() + watch(c)}, {1, fetch() + giveUp()}})),
          {{0, 0, "HomeServed"}, {1, 0, "Invalid"}}, {1, 0, 0}),
      ending(served("a copy is given up and fetched again",
                    {{0, hold() + watch(d) + release()},
                     {1, fetch() + evict() + checkRead() + tell(d)}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {2, 0, 0}),
  };
}

/// Another node overwrites the block.
std::vector<Litmus> overwritersOfServedBlocks() {
  std::vector<Litmus> all;
  for (const auto &[keeping, how, atHome] :
       {std::tuple(Keeping::Copy, "", "Shared"),
        std::tuple(Keeping::Nothing, ", sent away", "Exclusive")}) {
    const Operations overwrites = overwrite(2, 3) + release() + tell(c);
    const auto overwritten = [&](const char *what, std::vector<Program> threads) {
      Litmus litmus = served(std::string(what) + how, std::move(threads));
      litmus.blocks[0].keeping = keeping;
      return litmus;
    };
    all.push_back(
        overwritten("another node overwrites it", {{0, hold() + wait(c) + read(X) + read(Y)},
                                                   {1, fetch() + wait(c) + read(X)},
                                                   {2, watch(b) + overwrite(2, 3) + signal(c)}}));
    all.push_back(
        ending(overwritten("another node overwrites it and nobody reads",
                           {{0, hold() + watch(c)}, {1, fetch()}, {2, watch(b) + overwrites}}),
               {{0, 0, atHome}, {1, 0, "Invalid"}}, {1, 1, 1}));
    all.push_back(ending(overwritten("who was sent it overwrites it",
                                     {{0, hold() + watch(c)}, {1, fetch() + overwrites}}),
                         {{0, 0, atHome}}, {1, 1, 0}));
  }
  return all;
}

/// Programs that are about tracked blocks.
std::vector<Litmus> tracked(std::vector<Litmus> programs) {
  std::erase_if(programs, [](const Litmus &litmus) { return litmus.blocks[0].untracked; });
  return programs;
}

} // namespace

std::vector<Litmus> servedPrograms() {
  std::vector<Litmus> all;
  for (const std::vector<Litmus> &list :
       {flushesOfServedBlocks(), quietHomes(), requestsOfServedBlocks(),
        overwritersOfServedBlocks(), variantsOf(tracked(blockPrograms()), unwritten),
        variantsOf(pushesOfHomes(), unwritten), variantsOf(pushesAndHomes(), unwritten)})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

} // namespace ompdsm::sim
