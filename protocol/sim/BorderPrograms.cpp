// BorderPrograms.cpp: litmus programs about units that several nodes write, none of which is their
// home: where the parts of two nodes meet, in arrays that a third one has allocated.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
Litmus border(std::string name, std::vector<Program> threads, std::uint8_t readers = kOneAndTwo) {
  Litmus litmus{"border: " + std::move(name), std::move(threads)};
  for (BlockTraits &block : litmus.blocks) {
    block.readers = readers;
    block.migratable = true;
  }
  return litmus;
}
/// Block 0 is left by node `node` in one of `states`.
Litmus ending(Litmus litmus, std::uint8_t node, const char *states) {
  litmus.endings = {{node, 0, states}};
  return litmus;
}
/// Both hold the block before either has written.
Operations first() { return checkRead() + post(a) + wait(b); }
Operations second() { return checkRead() + post(b) + wait(a); }
constexpr const char *kOfAHome = "Exclusive Shared HomeDirty HomeClosing";

std::vector<Litmus> ofOneBlock() {
  return {
      ending(border("the home moves to one of two writers",
                    {{0, barrier()},
                     {1, first() + write(X, 1) + barrier() + read(Y)},
                     {2, second() + write(Y, 2) + barrier() + read(X)}}),
             1, kOfAHome),
      border("both write again after the move",
             {{0, barrier() + barrier()},
              {1, first() + write(X, 1) + barrier() + write(X, 3) + barrier() + read(Y)},
              {2, second() + write(Y, 2) + barrier() + write(Y, 4) + barrier() + read(X)}}),
      border("nobody has waited for the other's copy",
             {{0, barrier() + barrier()},
              {1, write(X, 1) + barrier() + write(X, 3) + barrier() + read(Y)},
              {2, write(Y, 2) + barrier() + checkRead() + barrier() + read(X)}}),
      border("the former home reads",
             {{0, barrier() + read(Y) + barrier() + read(X)},
              {1, first() + write(X, 1) + barrier() + write(X, 3) + barrier()},
              {2, second() + write(Y, 2) + barrier() + barrier() + read(X)}}),
      ending(border("the home has written, too, and stays",
                    {{0, wait(a) + wait(b) + write(X, 5) + barrier()},
                     {1, checkRead() + post(a) + wait(b) + write(Y, 1) + barrier() + read(X)},
                     {2, checkRead() + post(b) + wait(a) + barrier() + read(Y)}}),
             0, kOfAHome),
      border("the lower writer is told that its copy is stale",
             {{0, barrier()},
              {1, first() + write(X, 1) + barrier() + read(Y)},
              {2, second() + write(Y, 2) + barrier() + read(X)}},
             kTwo),
      border("the other writer is told that its copy is stale",
             {{0, barrier() + barrier()},
              {1, first() + write(X, 1) + barrier() + barrier() + read(Y)},
              {2, second() + write(Y, 2) + barrier() + read(X) + write(Y, 4) + barrier()}},
             kOne),
      border("they write in turns",
             {{0, barrier() + barrier() + barrier() + read(X)},
              {1, first() + write(X, 1) + barrier() + barrier() + read(Y) + barrier()},
              {2, second() + barrier() + write(Y, 2) + barrier() + write(X, 3) + barrier()}}),
      border("one overwrites what the other has written before",
             {{0, barrier() + barrier() + read(X)},
              {1, first() + write(X, 1) + barrier() + barrier() + read(Y)},
              {2, second() + write(Y, 2) + barrier() + overwrite(3, 4) + barrier()}}),
      border("a thread outside of it hands over what it has written",
             {{0, barrier()},
              {1, first() + write(X, 1) + barrier() + wait(c) + read(Y)},
              {2, second() + barrier()},
              {2, write(Y, 2) + signal(c)}}),
      border("one gives its copy up",
             {{0, barrier() + barrier() + read(X)},
              {1, first() + write(X, 1) + signal(c) + evict() + barrier() + barrier() + read(Y)},
              {2, second() + wait(c) + write(Y, 2) + barrier() + write(Y, 4) + barrier()}}),
      border("an atomic operation besides",
             {{0, barrier() + barrier() + read(X)},
              {1, first() + write(X, 1) + barrier() + exchange(X, 3) + barrier()},
              {2, second() + exchange(Y, 2) + barrier() + atomicLoad(X) + barrier() + read(X)}}),
  };
}

std::vector<Litmus> ofTwoBlocks() {
  std::vector<Litmus> all = {
      border("each writes a block of the unit, and holds both",
             {{0, barrier()},
              {1, checkReadBoth() + write(X, 1) + barrier() + read(U)},
              {2, checkReadBoth() + write(U, 2) + barrier() + read(X)}}),
      border("each writes a block of the unit, and holds no other",
             {{0, barrier() + read(X) + read(U)},
              {1, write(X, 1) + barrier() + write(Y, 3)},
              {2, write(U, 2) + barrier() + read(X)}}),
  };
  for (Litmus &litmus : all)
    litmus.oneUnit = true;
  return all;
}
} // namespace

std::vector<Litmus> borderPrograms() {
  std::vector<Litmus> all = ofOneBlock();
  const std::vector<Litmus> watched = variantsOf(all, [](Litmus litmus) {
    litmus.name += ", watched";
    litmus.blocks[0].watched = true;
    return litmus;
  });
  const auto add = [&](const std::vector<Litmus> &programs) {
    all.insert(all.end(), programs.begin(), programs.end());
  };
  add(ofTwoBlocks());
  add(variantsOf(all, [](Litmus litmus) {
    litmus.name += ", said to who puts";
    litmus.blocks[0].saysSole = litmus.blocks[1].saysSole = true;
    return litmus;
  }));
  add(watched);
  return all;
}

} // namespace ompdsm::sim
