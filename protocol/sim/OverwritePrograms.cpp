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
  Litmus costs{"overwrite: neither fetch nor twin", {{1, overwrite(1, 2) + release()}, {0, {}}}};
  costs.most = {0, 1, 0};
  costs.endings = {{1, 0, "Clean"}, {0, 0, "Shared"}};
  all.push_back(costs);
  Litmus closing{"overwrite: beside a thread that may write",
                 {{1, overwrite(1, 2) + release() + post(b)}, {1, wait(b)}}};
  closing.endings = {{1, 0, "Closing"}};
  all.push_back(closing);
  return all;
}

} // namespace ompdsm::sim
