// BarePrograms.cpp: litmus programs about blocks that their home writes without a twin, and sends
// whole.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
/// The home has been read: its next store is a miss.
Operations shared(Flag flag) { return wait(flag) + release(); }
/// The same, under a permission that the reader, or writer, still holds.
Operations sharedUnder(Flag flag) { return watch(flag) + release(); }
/// The same, where the home has another thread, which begins with other().
Operations sharedBeside(Flag flag) {
  return wait(flag) + release() + post(e) + wait(f) + release();
}
Operations other() { return wait(e) + post(f); }
/// Opens the block, stores, and lets others go on before the release.
Operations open(Flag told) { return checkWrite() + store(X, 1) + tell(told); }

std::vector<Litmus> flushesOfBareHomes() {
  return {
      ending(bare(pushed(
                 "a reader of what is sent whole fetches once", kOne,
                 {{1, checkRead() + post(a) + wait(b) + read(X) + post(c) + wait(d) + read(X) +
                          read(Y)},
                  {0, shared(a) + write(X, 1) + signal(b) + wait(c) + write(Y, 2) + signal(d)}})),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(bare(watched(
                 "nobody reads what is sent whole", kOne,
                 {{1, checkRead() + post(a) + wait(b)}, {0, shared(a) + write(X, 1) + signal(b)}})),
             {{0, 0, "Shared"}, {1, 0, "Unread"}}, {1, 0, 0}),
      ending(bare(pushed("who is not expected to read is told of what is sent whole", kOne,
                         {{1, checkRead() + post(a) + wait(b) + read(X)},
                          {2, checkRead() + post(c) + wait(b)},
                          {0, wait(c) + shared(a) + write(X, 1) + signal(b)}})),
             {{0, 0, "Shared"}, {2, 0, "Invalid"}}, {2, 0, 1}),
      ending(bare(pushed(
                 "nobody is expected to read what would be sent whole", kNone,
                 {{1, checkRead() + post(a) + wait(b)}, {0, shared(a) + write(X, 1) + signal(b)}})),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {1, 0, 1}),
      bare(pushed("nobody was expected to read what was to be sent whole", kNone,
                  {{1, checkRead() + post(a) + wait(b) + read(X)},
                   {0, shared(a) + write(X, 1) + signal(b)}})),
      ending(bare(pushed("there is nobody to send all to", kOne,
                         {{1, checkRead() + post(a) + watch(b) + evict() + tell(c)},
                          {0, shared(a) + open(b) + watch(c) + barrier() + write(Y, 2) + release()},
                          {1, barrier()}})),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {1, 0, 0}),
      ending(bare(pushed("all is sent beside a thread that may write", kOne,
                         {{1, checkRead() + post(a) + wait(b) + read(X)},
                          {0, sharedBeside(a) + open(c) + watch(d)},
                          {0, other() + watch(c) + write(Y, 2) + signal(b) + tell(d)}})),
             {{0, 0, "HomeClosing"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(bare(pushed("all is told beside a thread that may write", kNone,
                         {{1, checkRead() + post(a) + wait(b)},
                          {0, sharedBeside(a) + open(c) + watch(d)},
                          {0, other() + watch(c) + write(Y, 2) + signal(b) + tell(d)}})),
             {{0, 0, "HomeClosing"}, {1, 0, "Invalid"}}, {1, 0, 1}),
      bare(pushed(
          "a late store of a home that has sent all (trap 2)", kOne,
          {{1, checkRead() + post(a) + wait(c) + read(X) + read(Y)},
           {0, sharedBeside(a) + checkWrite() + tell(b) + watch(d) + store(X, 1) + signal(c)},
           {0, other() + watch(b) + write(Y, 2) + release() + release() + tell(d)}})),
      bare(pushed(
          "a late store of a home that has told all (trap 2)", kNone,
          {{1, checkRead() + post(a) + wait(g) + read(Y) + tell(h) + wait(c) + read(X)},
           {0, sharedBeside(a) + checkWrite() + tell(b) + watch(d) + store(X, 1) + signal(c)},
           {0, other() + watch(b) + write(Y, 2) + signal(g) + watch(h) + release() + tell(d)}})),
  };
}

/// What comes to a home while it writes without a twin.
std::vector<Litmus> requestsOfBareHomes() {
  return {
      bare(pushed("a node fetches what will be sent whole", kOneAndTwo,
                  {{1, checkRead() + post(a) + wait(d) + read(X)},
                   {2, watch(b) + checkRead() + tell(c) + wait(d) + read(X)},
                   {0, shared(a) + open(b) + watch(c) + store(X, 2) + signal(d)}})),
      bare(pushed(
          "a node writes what will be sent whole", kOneAndTwo,
          {{1, checkRead() + post(a) + watch(b) + write(Y, 2) + signal(c) + wait(d) + read(X)},
           {0, shared(a) + open(b) + wait(c) + read(Y) + signal(d)},
           {2, checkRead() + wait(c) + read(Y) + wait(d) + read(X)}})),
      bare(pushed(
          "a node has written what is sent whole", kOne,
          {{1, checkWrite() + tell(a) + watch(b) + store(Y, 2) + signal(c) + wait(d) + read(X)},
           {0, sharedUnder(a) + open(b) + wait(c) + signal(d) + read(Y)}})),
      bare(pushed("a node writes beside what is sent whole (G1)", kOneAndTwo,
                  {{1, checkWrite() + tell(a) + store(Y, 2) + watch(b) + load(Y) + signal(c)},
                   {0, sharedUnder(a) + write(X, 1) + release() + tell(b) + wait(c) + read(Y)},
                   {2, checkRead() + wait(c) + read(Y)}})),
      bare(pushed(
          "a node writes beside what is fetched and sent whole (G1)", kOneAndTwo,
          {{1, checkWrite() + tell(a) + store(Y, 2) + watch(d) + load(Y) + signal(e)},
           {2, watch(b) + checkRead() + tell(c) + wait(e) + read(Y)},
           {0, sharedUnder(a) + open(b) + watch(c) + release() + tell(d) + wait(e) + read(Y)}})),
      ending(bare(pushed("a writer ends its copy, and says so", kOne,
                         {{1, checkWrite() + tell(a) + watch(b)},
                          {0, sharedUnder(a) + write(X, 1) + release() + tell(b)}})),
             {{0, 0, "Exclusive"}, {1, 0, "Stale"}}, {1, 0, 0}),
      ending(bare(pushed("a writer that is closing ends its copy, and says so", kOne,
                         {{1, checkWrite() + tell(a) + watch(b)},
                          {1, watch(a) + release() + post(d)},
                          {0, shared(d) + write(X, 1) + release() + tell(b)}})),
             {{0, 0, "Exclusive"}, {1, 0, "Stale"}}, {1, 0, 0}),
      bare(pushed("a late store beside what is sent whole (trap 2)", kOne,
                  {{1, checkWrite() + tell(a) + watch(b) + store(Y, 2) + signal(c)},
                   {1, watch(a) + release() + post(d)},
                   {0, shared(d) + write(X, 1) + release() + tell(b) + wait(c) + read(Y)}})),
      bare(pushed("a late store where a copy has ended (trap 2)", kOne,
                  {{1, checkWrite() + tell(a) + watch(e) + store(Y, 2) + signal(c)},
                   {1, watch(b) + release() + tell(e)},
                   {0, sharedUnder(a) + write(X, 1) + release() + tell(b) + wait(c) + read(Y)}})),
      bare(pushed("contents that are sent whole cross a Put", kOne,
                  {{1, write(Y, 2) + post(a) + watch(b) + write(Y, 3) + release() + post(c) +
                           barrier() + read(X)},
                   {0, shared(a) + open(b) + release() + wait(c) + read(Y) + barrier()}})),
      bare(watched("contents that are sent whole, and were sent before, cross a Put", kOne,
                   {{1, checkRead() + post(a) + write(Y, 2) + release() + barrier() + read(X)},
                    {0, wait(a) + write(X, 1) + release() + release() + write(X, 3) + release() +
                            barrier() + read(Y)}})),
      bare(pushed(
          "a node overwrites what would be sent whole", kOneAndTwo,
          {{1, checkRead() + post(a) + wait(d) + read(X) + read(Y)},
           {0, shared(a) + checkWrite() + tell(b) + wait(c) + read(X) + write(Y, 4) + signal(d)},
           {2, watch(b) + overwrite(2, 3) + signal(c) + wait(d) + read(Y)}})),
      bare(pushed("a node that is overwriting is sent all", kOneAndTwo,
                  {{1, checkRead() + post(a) + watch(b) + checkOverwrite() + tell(c) + watch(d) +
                           store(X, 2) + store(Y, 3) + signal(e)},
                   {0, shared(a) + checkWrite() + tell(b) + watch(c) + release() + tell(d) +
                           wait(e) + read(X) + read(Y)}})),
      bare(pushed("an atomic operation at a home that will send all", kOneAndTwo,
                  {{1, checkRead() + post(a) + wait(c) + read(Y)},
                   {0, shared(a) + open(b) + wait(c) + atomicLoad(Y) + release()},
                   {2, watch(b) + exchange(Y, 2) + atomicLoad(Y) + post(c)}})),
      bare(pushed("an update of a copy at a home that will send all", kOneAndTwo,
                  {{1, checkRead() + post(a) + wait(c) + read(Y)},
                   {0, wait(d) + shared(a) + open(b) + wait(c) + release()},
                   {2, checkRead() + post(d) + watch(b) + update(Y, 2) + signal(c)}})),
      bare(pushed(
          "an atomic load at a home that will send all", kOne,
          {{1, checkRead() + post(a) + watch(b) + atomicLoad(Y) + tell(c) + wait(d) + read(X)},
           {0, shared(a) + open(b) + atomicLoad(Y) + watch(c) + store(X, 2) + signal(d)}})),
      bare(pushed("a copy is given up whose home will send all", kOneAndTwo,
                  {{1, checkRead() + post(a) + watch(b) + evict() + checkRead() + tell(c) +
                           wait(d) + read(X)},
                   {2, checkRead() + wait(d) + read(X)},
                   {0, shared(a) + open(b) + watch(c) + store(X, 2) + signal(d)}})),
      bare(pushed("another thread of the home writes what will be sent whole", kOne,
                  {{1, checkRead() + post(a) + wait(c) + wait(d) + read(X) + read(Y)},
                   {0, sharedBeside(a) + open(b) + signal(c)},
                   {0, other() + watch(b) + write(Y, 2) + signal(d)}})),
  };
}
/// What takes a block away from a home while that writes it so.
std::vector<Litmus> overwritersOfBareHomes() {
  const auto overwritten = [](std::string name, Operations afterwards) {
    return bare(pushed(std::move(name), kOneAndTwo,
                       {{1, checkRead() + post(a) + wait(c) + afterwards},
                        {2, checkRead() + post(g) + watch(b) + overwrite(2, 3) + signal(c)},
                        {0, wait(g) + shared(a) + checkWrite() + tell(b) + wait(c)}}));
  };
  const auto away = [](Litmus litmus) {
    litmus.name += ", sent away";
    litmus.blocks[0].keeping = Keeping::Nothing;
    return litmus;
  };
  const Litmus read =
      overwritten("a node overwrites what was to be sent whole", parts::read(X) + parts::read(Y));
  const Litmus kept = overwritten("a node takes what was to be sent whole", {});
  return {read, away(read), ending(kept, {{0, 0, "Shared"}, {1, 0, "Invalid"}}, {2, 1, 1}),
          ending(away(kept), {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {2, 1, 1})};
}

/// `state` of a home that writes block 0 and that it `opens` and `stores` to, whatever comes.
std::vector<Litmus> homesThatStay(const char *state, const Operations &opens,
                                  const Operations &stores) {
  const auto stays = [&](std::string what, Operations reader, Operations before, Operations after) {
    Litmus litmus = bare(pushed(
        std::string(state) + " stays so: " + what, kOne,
        {{1, checkRead() + post(a) + reader}, {0, shared(a) + opens + before + stores + after}}));
    litmus.endings = {{0, 0, state}};
    return litmus;
  };
  const Operations meets = tell(b) + watch(c);
  return {
      stays("a copy is given up and fetched again", watch(b) + evict() + checkRead() + tell(c),
            meets, {}),
      stays("a copy is given up", watch(b) + evict() + tell(c), meets, {}),
      stays("another node stores the same", write(Y, 2) + release(), {}, {}),
      stays("a load that is atomic", watch(b) + atomicLoad(Y) + tell(c), meets, {}),
      stays("an atomic operation", watch(b) + exchange(Y, 2) + tell(c), meets, {}),
      stays("an update of a copy", watch(b) + update(Y, 2) + tell(c), meets, {}),
      stays("a load of its own that is atomic", {}, {}, atomicLoad(X)),
      stays("an atomic operation of its own", {}, {}, exchange(X, 3)),
  };
}

/// Of a copy that ended the home is told, or takes its node for one that could be the next home.
std::vector<Litmus> bareHomesThatMove() {
  return {
      moving(bare(pushed(
          "the home does not move to who could not use what was sent whole", kOne,
          {{1, checkRead() + post(a) + write(Y, 2) + barrier() + barrier()},
           {0, shared(a) + write(X, 1) + barrier() + proposeHome(X, 1) + barrier() + read(Y)}}))),
      moving(bare(watched(
          "the home does not move to who could not use what was sent whole", kOneAndTwo,
          {{1, checkRead() + post(a) + write(Y, 2) + barrier() + barrier()},
           {2, checkRead() + post(g) + watch(b) + write(X, 1) + release() + barrier() + barrier()},
           {0, wait(g) + shared(a) + checkWrite() + tell(b) + barrier() + proposeHome(X, 1) +
                   barrier() + read(Y)}}))),
  };
}

} // namespace

std::vector<Litmus> barePrograms() {
  std::vector<Litmus> all;
  for (const std::vector<Litmus> &list :
       {flushesOfBareHomes(), requestsOfBareHomes(), overwritersOfBareHomes(), bareHomesThatMove(),
        homesThatStay("HomeBare", checkWrite(), store(X, 1)),
        homesThatStay("HomeWhole", checkOverwrite(), store(X, 1) + store(Y, 2)),
        variantsOf(pushesOfHomes(), bare), variantsOf(pushesOfPuts(), bare),
        variantsOf(watchedPushes(), bare), variantsOf(pushesAndHomes(), bare)})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

} // namespace ompdsm::sim
