// OverwritePrograms.cpp: litmus programs about blocks that a thread overwrites whole.
#include "protocol/sim/ProgramLists.h"

namespace ompdsm::sim {

using namespace parts;

namespace {

/// Programs that do not say what they cost or leave behind, as they are for all ways of keeping.
std::vector<Litmus> overwrites() {
  constexpr BlockTraits kMoves{.migratable = true}, kUntracked{.untracked = true},
      kOther{.home = 1};
  return {
      {"overwrite: all read",
       {{1, overwrite(1, 2) + signal(a) + read(X) + wait(c) + read(Y)},
        {2, checkRead() + wait(a) + read(X) + read(Y) + post(b)},
        {0, wait(a) + read(X) + read(Y) + wait(b) + write(Y, 3) + signal(c)}}},
      {"overwrite: beside another thread's release",
       {{1, checkOverwrite() + store(X, 1) + store(Y, 2) + signal(a)},
        {1, release()},
        {0, wait(a) + read(X) + read(Y)}}},
      {"overwrite: of what others hold",
       {{2, checkRead() + wait(a) + read(X)},
        {0, write(X, 3) + signal(b)},
        {1, wait(b) + overwrite(1, 2) + signal(a)}}},
      {"overwrite: handed on in the node before the release",
       {{1, overwrite(1, 2) + post(a) + wait(d) + read(X)},
        {1, wait(a) + read(Y) + write(X, 3) + signal(b)},
        {2, checkRead() + wait(b) + read(X) + read(Y) + write(X, 4) + signal(d)}}},
      {"overwrite: late store of another thread (trap 2)",
       {{1, overwrite(1, 2) + post(a)},
        {1, wait(a) + checkWrite() + tell(b) + store(X, 3) + signal(c)},
        {1, watch(b) + release()},
        {0, wait(c) + read(X)}}},
      {"overwrite: late store of another thread, many flushes (trap 2)",
       {{1, overwrite(1, 2) + post(a)},
        {1, wait(a) + checkWrite() + tell(b) + watch(d) + store(X, 3) + signal(c)},
        {1, watch(b) + release() + release() + tell(d)},
        {0, wait(c) + read(X)}}},
      {"overwrite: late store of another thread under an invalidation (trap 2)",
       {{1, overwrite(1, 2) + signal(a)},
        {1, wait(a) + checkWrite() + store(X, 3) + signal(c)},
        {2, wait(a) + write(Y, 4) + signal(b)},
        {0, wait(c) + read(X) + wait(b) + read(Y)}}},
      {"overwrite: of a copy, of which the home has been told otherwise",
       {{1, checkRead() + overwrite(1, 2) + signal(a)},
        {2, overwrite(1, 2) + signal(b)},
        {0, wait(a) + wait(b) + read(X)}}},
      {"overwrite: another node stores some of it",
       {{1, checkRead() + post(b) + overwrite(1, 2) + signal(a)},
        {2, wait(b) + write(X, 1) + signal(c)},
        {0, wait(a) + wait(c) + read(X) + read(Y)}}},
      {"overwrite: a home that writes then tells the writer",
       {{1, overwrite(1, 2) + signal(a) + wait(b) + read(X)},
        {0, wait(a) + write(X, 3) + signal(b)}}},
      {"overwrite: a home that is tracking",
       {{2, checkRead() + post(b)},
        {0, wait(b) + write(Y, 5) + signal(c)},
        {1, wait(c) + overwrite(1, 2) + signal(a)},
        {0, wait(a) + read(Y) + checkWrite() + release() + read(X)}}},
      {"overwrite: a home that is closing",
       {{0, checkWrite() + store(X, 5) + signal(a)},
        {0, write(Y, 5) + signal(b)},
        {2, checkRead() + wait(c) + read(Y)},
        {1, wait(a) + wait(b) + overwrite(1, 2) + signal(c)}}},
      {"overwrite: over a fetch ahead",
       {{1, prefetch() + overwrite(1, 2) + signal(a)}, {0, wait(a) + read(X) + read(Y)}}},
      {"overwrite: of what was given up",
       {{1, checkRead() + evict() + overwrite(1, 2) + evict() + signal(a) + evict() + read(X)},
        {0, wait(a) + read(X) + read(Y)}}},
      {"overwrite: then an atomic operation",
       {{1, overwrite(1, 2) + exchange(X, 3) + store(Y, 4) + signal(a) + read(X)},
        {0, wait(a) + read(X) + read(Y)}}},
      {"overwrite: of the value that is there",
       {{0, overwrite(1, 2) + signal(a)},
        {1, wait(a) + overwrite(1, 2) + signal(b)},
        {2, checkRead() + wait(b) + read(X) + read(Y)}}},
      {"overwrite: over untracked bytes",
       {{1, overwrite(1, 0) + signal(a)}, {0, wait(a) + read(X) + read(Y)}},
       {kUntracked, kOther}},
      {"overwrite: a barrier, and the home moves",
       {{0, checkRead() + barrier() + read(Y) + barrier() + read(X)},
        {1, overwrite(1, 2) + barrier() + read(Y) + write(X, 4) + barrier()}},
       {kMoves, kOther}},
      {"overwrite: a barrier while a thread outside of it overwrites",
       {{0, barrier() + wait(a) + read(X)},
        {1, barrier()},
        {1, checkOverwrite() + store(X, 1) + store(Y, 2) + signal(a)}},
       {kMoves, kOther}},
  };
}

/// Whoever has overwritten block 0 keeps that of it.
Litmus keeping(Keeping keeping, Litmus litmus) {
  constexpr const char *kHow[] = {"", ", watched", ", sent away"};
  litmus.name += kHow[unsigned(keeping)];
  litmus.blocks[0].keeping = keeping;
  return litmus;
}

/// The home of block 0 overwrites it, which node 1 has read.
std::vector<Litmus> homePrograms() {
  std::vector<Litmus> all;
  for (const bool reads : {false, true}) {
    const auto at = [&](std::string name, std::vector<Program> threads) {
      Litmus litmus{"overwrite at home" + std::string(reads ? ", pushed: " : ": ") + name,
                    std::move(threads)};
      litmus.blocks[0].readers = reads ? 2 : 0;
      return litmus;
    };
    const char *const afterwards = reads ? "Shared" : "Exclusive";
    // Until then the home tracks; and until all of its threads have synchronised.
    const Operations shared = wait(a) + release();
    const Operations sharedByTwo = shared + post(e) + wait(f) + release();
    const Operations sharedByThree = shared + post(e) + wait(g) + release();
    const Operations second = wait(e) + post(f), third = wait(f) + post(g);
    const std::uint8_t told = !reads;
    all.insert(
        all.end(),
        {
            ending(at("no twin", {{1, checkRead() + post(a) + wait(b)},
                                  {0, shared + overwrite(1, 2) + signal(b)}}),
                   {{0, 0, afterwards}, {1, 0, reads ? "Clean" : "Invalid"}}, {1, 0, told}),
            at("again and again",
               {{1, read(X) + post(a) + wait(b) + read(X) + post(c) + wait(d) + read(X) + read(Y)},
                {0, shared + overwrite(1, 2) + signal(b) + wait(c) + overwrite(3, 2) + signal(d)}}),
            at("old bytes are read", {{1, checkRead() + post(a) + wait(b) + read(X) + read(Y)},
                                      {0, shared + checkRewrite() + load(X) + store(X, 1) +
                                              load(Y) + store(Y, 2) + signal(b)}}),
            at("the values that are there",
               {{1, wait(c) + read(X) + post(a) + wait(b) + read(X) + read(Y)},
                {0, write(X, 1) + signal(c) + shared + overwrite(1, 2) + signal(b)}}),
            ending(at("beside a thread that may write",
                      {{1, checkRead() + post(a)},
                       {0, sharedByTwo + overwrite(1, 2) + release() + post(b)},
                       {0, second + wait(b)}}),
                   {{0, 0, "HomeClosing"}}, {1, 0, told}),
            at("beside another thread's release",
               {{1, checkRead() + post(a) + wait(b) + read(X) + read(Y)},
                {0, sharedByTwo + checkOverwrite() + store(X, 1) + store(Y, 2) + signal(b)},
                {0, second + release()}}),
            at("late store of another thread (trap 2)",
               {{1, checkRead() + post(a) + wait(c) + read(X) + read(Y)},
                {0, sharedByThree + overwrite(1, 2) + post(b)},
                {0, second + wait(b) + checkWrite() + tell(d) + store(X, 3) + signal(c)},
                {0, third + watch(d) + release()}}),
            at("served meanwhile",
               {{1, checkRead() + post(a) + wait(b) + read(X)},
                {2, wait(a) + watch(c) + checkRead() + tell(d) + wait(b) + read(X) + read(Y)},
                {0, shared + checkOverwrite() + store(X, 1) + tell(c) + watch(d) + store(Y, 2) +
                        signal(b)}}),
            ending(at("given up meanwhile",
                      {{1, checkRead() + post(a) + watch(c) + evict() + atomicLoad(X) + tell(d)},
                       {0, shared + checkOverwrite() + tell(c) + watch(d) + store(X, 1) +
                               store(Y, 2) + release()}}),
                   {{0, 0, "Exclusive"}}, {1, 0, 0}),
            at("one of two gives it up meanwhile",
               {{1, checkRead() + wait(b) + post(a) + watch(c) + evict() + atomicLoad(X) + tell(d)},
                {2, checkRead() + post(b) + wait(f) + read(X) + read(Y)},
                {0, shared + checkOverwrite() + tell(c) + watch(d) + store(X, 1) + store(Y, 2) +
                        signal(f)}}),
            at("late store of another thread, many flushes (trap 2)",
               {{1, checkRead() + post(a) + watch(g) + checkRead() + tell(e) + wait(c) + read(X) +
                        read(Y)},
                {0, shared + wait(f) + release() + overwrite(1, 2) + post(b) + watch(d) +
                        release() + tell(g) + watch(e) + release() + tell(h)},
                {0, wait(a) + post(f) + wait(b) + checkWrite() + tell(d) + watch(h) + store(X, 3) +
                        signal(c)}}),
            at("another node stores the same",
               {{1, checkRead() + post(a) + checkWrite() + store(X, 1) + signal(c)},
                {2, checkRead() + wait(b) + wait(c) + read(X) + read(Y)},
                {0, shared + overwrite(1, 2) + signal(b)}}),
            at("another node overwrites the same",
               {{1, checkRead() + post(a) + wait(c) + wait(b) + read(X) + read(Y)},
                {2, wait(a) + overwrite(1, 2) + signal(c)},
                {0, shared + overwrite(1, 2) + signal(b)}}),
            ending(at("another node overwrites it next",
                      {{1, checkRead() + post(a) + wait(b) + overwrite(3, 4) + signal(c)},
                       {0, shared + overwrite(1, 2) + post(b) + wait(c)}}),
                   {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 1, 0}),
            ending(
                keeping(Keeping::Nothing, at("another node overwrites it next",
                                             {{1, checkRead() + wait(d) + post(a) + wait(b) +
                                                      overwrite(3, 4) + signal(c)},
                                              {2, checkRead() + post(d) + wait(c)},
                                              {0, shared + overwrite(1, 2) + post(b) + wait(c)}})),
                {{0, 0, "Exclusive"}, {1, 0, "Invalid"}, {2, 0, "Invalid"}}, {2, 1, 1}),
            at("then atomic operations",
               {{1, checkRead() + post(a) + wait(b) + read(X) + read(Y)},
                {0, shared + overwrite(1, 2) + exchange(X, 3) + atomicLoad(X) + signal(b)}}),
            at("beside atomic operations of other nodes",
               {{1, checkRead() + post(a) + wait(b) + wait(c) + read(X) + read(Y)},
                {2, checkRead() + wait(a) + atomicLoad(X) + exchange(Y, 2) + post(c) + wait(b) +
                        read(Y)},
                {0, shared + overwrite(1, 2) + signal(b)}}),
        });
  }
  all.push_back({"overwrite: old bytes are read",
                 {{0, write(X, 5) + signal(a)},
                  {1, wait(a) + checkRewrite() + load(X) + store(X, 1) + store(Y, 2) + signal(b)},
                  {0, wait(b) + read(X) + read(Y)}}});
  all.push_back({"overwrite at home: and it moves",
                 {{1, checkRead() + barrier() + barrier() + write(X, 4) + barrier() + read(Y)},
                  {0, barrier() + overwrite(1, 2) + barrier() + barrier() + read(X)}},
                 {{.migratable = true}, {.home = 1}}});
  return all;
}

std::vector<Litmus> awayPrograms() {
  constexpr auto kNothing = Keeping::Nothing, kWatched = Keeping::Watched;
  return {
      ending(keeping(kNothing, {"overwrite: nothing but the contents moves",
                                {{1, overwrite(1, 2) + signal(a)},
                                 {0, wait(a) + read(X) + write(X, 3) + release()}}}),
             {{1, 0, "Invalid"}, {0, 0, "Exclusive"}}, {0, 1, 0}),
      ending(keeping(kNothing, {"overwrite: of a copy",
                                {{1, checkRead() + post(b) + wait(c) + overwrite(1, 2) + signal(a)},
                                 {0, wait(b) + signal(c) + wait(a) + read(X)}}}),
             {{1, 0, "Invalid"}, {0, 0, "Exclusive"}}, {1, 1, 0}),
      ending(
          keeping(kNothing, {"overwrite: of a copy, and the home tracks",
                             {{1, checkRead() + signal(b) + wait(c) + overwrite(1, 2) + signal(a)},
                              {0, wait(b) + checkWrite() + post(c) + wait(a) + read(X)}}}),
          {{1, 0, "Invalid"}, {0, 0, "Exclusive"}}, {1, 1, 0}),
      ending(
          keeping(kNothing, {"overwrite: of a copy, and the home is closing",
                             {{0, checkWrite() + post(d) + wait(a)},
                              {0, wait(d) + release() + post(b)},
                              {1, checkRead() + post(c) + wait(b) + overwrite(1, 2) + signal(a)}}}),
          {{1, 0, "Invalid"}, {0, 0, "Exclusive"}}, {1, 1, 0}),
      ending(keeping(kNothing, {"overwrite: beside a thread that may write",
                                {{1, overwrite(1, 2) + release() + post(b)}, {1, wait(b)}}}),
             {{1, 0, "Stale"}, {0, 0, "Exclusive"}}),
      ending(keeping(kWatched,
                     {"overwrite: nobody reads it", {{1, overwrite(1, 2) + release()}, {0, {}}}}),
             {{1, 0, "Unread"}, {0, 0, "Shared"}}, {0, 1, 0}),
      ending(keeping(kWatched, {"overwrite: it is read",
                                {{1, overwrite(1, 2) + release() + read(X)}, {0, {}}}}),
             {{1, 0, "Clean"}, {0, 0, "Shared"}}, {0, 1, 0}),
  };
}

} // namespace

std::vector<Litmus> overwritePrograms() {
  std::vector<Litmus> all = overwrites();
  for (Keeping how : {Keeping::Watched, Keeping::Nothing})
    for (Litmus &litmus : overwrites())
      all.push_back(keeping(how, std::move(litmus)));
  for (Litmus &litmus : awayPrograms())
    all.push_back(std::move(litmus));
  for (Litmus &litmus : homePrograms())
    all.push_back(std::move(litmus));
  Litmus costs{"overwrite: neither fetch nor twin", {{1, overwrite(1, 2) + release()}, {0, {}}}};
  costs.most = {0, 1, 0};
  costs.endings = {{1, 0, "Clean"}, {0, 0, "Shared"}};
  all.push_back(costs);
  Litmus closing{"overwrite: beside a thread that may write",
                 {{1, overwrite(1, 2) + release() + post(b)}, {1, wait(b)}}};
  closing.endings = {{1, 0, "Closing"}};
  all.push_back(closing);
  all.push_back(ending({"overwrite: of a copy, and the home tracks",
                        {{1, checkRead() + signal(b) + wait(c) + overwrite(1, 2) + signal(a)},
                         {0, wait(b) + checkWrite() + post(c) + wait(a)}}},
                       {{1, 0, "Clean"}, {0, 0, "Shared"}}, {1, 1, 0}));
  return all;
}

} // namespace ompdsm::sim
