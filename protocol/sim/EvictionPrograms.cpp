// EvictionPrograms.cpp: litmus programs about copies that are given up, and their memory.
#include "protocol/sim/ProgramLists.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
/// Block 0 is left by the home in one of `states`, after so many Invalidates.
Litmus leaving(std::string name, std::vector<Program> threads, const char *states,
               std::uint8_t invalidates) {
  Litmus litmus{"evict: " + std::move(name), std::move(threads)};
  litmus.endings = {{0, 0, states}};
  litmus.most.invalidates = invalidates;
  return litmus;
}
} // namespace

std::vector<Litmus> evictionPrograms() {
  constexpr BlockTraits kMoves{.migratable = true}, kOther{.home = 1},
      kUntracked{.untracked = true};
  std::vector<Litmus> all = {
      {"evict: a copy is fetched again",
       {{1, read(Y) + evict() + drop() + wait(a) + read(X)}, {0, write(X, 1) + signal(a)}}},
      {"evict: a change goes first",
       {{1, write(X, 1) + post(b) + evict() + drop() + read(X) + signal(a)},
        {0, wait(a) + read(X)}}},
      {"evict: a change goes first beside a late store",
       {{1, checkWrite() + store(X, 1) + tell(a) + store(X, 2) + signal(b)},
        {1, watch(a) + evict() + drop() + read(Y)},
        {0, wait(b) + read(X)}}},
      {"evict: beside a reader",
       {{1, read(X) + tell(a) + watch(b) + load(X)}, {1, watch(a) + evict() + drop() + tell(b)}}},
      {"evict: beside a reader that fetches again",
       {{1, checkRead() + post(a) + wait(b) + read(X) + tell(c) + watch(d) + load(X)},
        {1, wait(a) + evict() + post(b) + watch(e) + drop() + tell(d)},
        {0, watch(c) + write(Y, 1) + release() + tell(e)}}},
      {"evict: of what is being invalidated",
       {{1, checkRead() + post(a) + wait(b) + evict() + read(X)},
        {0, wait(a) + write(X, 1) + post(b) + signal(c)},
        {1, wait(c) + read(X)}}},
      {"evict: of what is being fetched",
       {{1, prefetch() + evict() + drop() + read(X)}, {0, write(Y, 1) + release()}}},
      {"evict: a fetch overtakes no leave",
       {{1, checkRead() + evict() + checkRead() + wait(a) + read(X)},
        {0, write(X, 1) + signal(a)}}},
      {"evict: a leave that another's Put has overtaken",
       {{1, checkRead() + post(a) + evict() + checkRead() + wait(b) + read(X)},
        {2, wait(a) + write(X, 1) + signal(b)}}},
      {"evict: a leave under a late store of the home (trap 2)",
       {{1, checkRead() + evict()},
        {2, checkRead() + wait(b) + read(X)},
        {0, checkWrite() + store(X, 1) + signal(b)},
        {0, release()}}},
      {"evict: over untracked bytes",
       {{1, checkRead() + post(a) + wait(b) + evict() + write(X, 0) + evict() + signal(c)},
        {0, wait(a) + release() + rawStore(X, 9) + signal(b) + wait(c) + read(X)}},
       {kUntracked, kOther}},
      leaving("a home that nobody shares with pays nothing",
              {{1, checkRead() + post(a) + wait(b) + evict()}, {0, wait(a) + release() + post(b)}},
              "Exclusive", 0),
      leaving("a leave that comes too late",
              {{1, checkRead() + post(a) + evict()}, {0, wait(a) + write(X, 1) + release()}},
              "Exclusive", 1),
      leaving(
          "a home that is closing beside another reader",
          {{1, checkRead() + post(a) + wait(b) + evict() + post(c)},
           {2, checkRead() + post(f)},
           {0, wait(a) + wait(f) + release() + post(b) + wait(c) + wait(d) + release() + post(e)},
           {0, wait(b) + post(d) + wait(e)}},
          "Shared", 0),
      leaving("a home that writes then tells nobody",
              {{1, checkRead() + post(a) + wait(d) + evict() + post(b)},
               {0, wait(a) + release() + post(d) + wait(b) + barrier() + write(X, 1) + release()},
               {1, wait(b) + barrier()}},
              "Exclusive", 0),
      leaving("a home that has written tells who stays",
              {{1, checkRead() + post(a) + evict() + offline() + post(d)},
               {2, checkRead() + post(b) + barrier() + checkRead()},
               {0, wait(a) + wait(b) + barrier() + write(X, 1) + release()},
               {1, wait(d) + barrier()}},
              "Exclusive Shared HomeDirty", 1),
      leaving("a home that is tracking",
              {{1, checkRead() + evict() + barrier()}, {0, barrier() + write(X, 1) + release()}},
              "Exclusive", 0),
      leaving("a home that is closing",
              {{1, checkRead() + post(a) + wait(b) + evict() + post(c)},
               {0, wait(a) + release() + post(b) + wait(d) + barrier() + write(X, 1) + release()},
               {0, wait(d)},
               {1, wait(c) + post(d) + barrier()}},
              "Exclusive", 0),
  };
  const auto withMovingHome = [&](std::string name, std::vector<Program> threads) {
    Litmus litmus{"evict: " + std::move(name), std::move(threads), {kMoves, kOther}};
    return litmus;
  };
  all.push_back(withMovingHome(
      "the home does not move to who has given up",
      {{0, barrier() + read(X) + barrier()},
       {1, write(X, 1) + release() + evict() + barrier() + write(Y, 2) + barrier()}}));
  all.push_back(withMovingHome("the home moves while another gives up",
                               {{0, barrier() + barrier() + read(X)},
                                {1, write(X, 1) + barrier() + read(X) + barrier()},
                                {2, checkRead() + evict() + barrier() + barrier() + read(X)}}));
  return all;
}

} // namespace ompdsm::sim
