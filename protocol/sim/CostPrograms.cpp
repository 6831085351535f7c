// CostPrograms.cpp: litmus programs about what a run may cost: how many messages at most, and that
// blocks return to the states that cost nothing (the home effect).
#include "protocol/sim/ProgramLists.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
constexpr BlockTraits kMoves{.migratable = true};

/// Block 0 is left by node `node` in one of `states`.
Litmus ending(std::string name, std::vector<Program> threads, std::uint8_t node, const char *states,
              Cost most = {}) {
  Litmus litmus{std::move(name), std::move(threads)};
  litmus.endings = {{node, 0, states}};
  litmus.most = most;
  return litmus;
}

/// The home has released while another of its threads was online, which synchronises then; node 1
/// does `event`, and at the home's next release nobody writes any more.
Litmus closing(std::string name, Operations event, Operations atHome, const char *states) {
  return ending("closing home: " + name,
                {{0, wait(a) + write(Y, 1) + release() + atHome + post(b) + wait(c) + wait(d) +
                         release() + post(e)},
                 {0, wait(b) + post(d) + wait(e)},
                 {1, checkRead() + post(a) + wait(b) + event + post(c)}},
                0, states);
}
} // namespace

std::vector<Litmus> costPrograms() {
  std::vector<Litmus> all = {
      ending("cost: a home alone", {{0, write(X, 1) + release() + atomicLoad(X) + write(X, 2)}}, 0,
             "Exclusive", {0, 0, 0}),
      ending("cost: an atomic operation of a cacher alone", {{1, exchange(X, 1)}}, 0, "Exclusive",
             {0, 0, 0}),
      ending("cost: a late Put finds an untracked block",
             {{1, write(X, 1) + post(b) + wait(a) + release()},
              {0, wait(b) + write(Y, 2) + signal(a)}},
             0, "Exclusive", {1, 1, 1}),
      ending("cost: an atomic operation ends sharing",
             {{1, checkRead() + post(a) + wait(b) + exchange(X, 1)},
              {0, wait(a) + release() + post(b)}},
             0, "Exclusive", {1, 0, 1}),
      ending("cost: a reader of a home that has written nothing",
             {{1, checkRead() + post(a)}, {0, wait(a) + release()}}, 0, "Shared", {1, 0, 0}),
      ending("cost: a home's write ends sharing",
             {{1, checkRead() + post(a)}, {0, wait(a) + write(X, 1) + release()}}, 0, "Exclusive",
             {1, 0, 1}),
      ending("cost: a tracked block without sharers",
             {{1, checkRead() + exchange(X, 1) + post(a)}, {0, wait(a) + release()}}, 0,
             "Exclusive", {1, 0, 1}),
      ending("cost: a home is told quiet at its second release",
             {{1, checkRead() + post(a)},
              {0, wait(a) + release() + post(b) + wait(d) + release() + post(e)},
              {0, wait(b) + post(d) + wait(e)}},
             0, "Shared", {1, 0, 0}),
      ending("cost: a home tells a change once",
             {{1, checkRead() + post(a) + wait(b) + checkRead() + post(c)},
              {0, wait(a) + write(X, 1) + release() + post(b) + wait(c) + release() + post(e)},
              {0, wait(e)}},
             0, "HomeClosing", {2, 0, 1}),
      ending("cost: a home tells a late change once",
             {{1, checkRead() + post(a) + wait(b) + checkRead() + post(c)},
              {0, wait(a) + release() + release() + post(b) + wait(c) + release() + post(e)},
              {0, checkWrite() + store(X, 1) + post(d) + wait(e)}},
             0, "HomeClosing HomeDirty Shared Exclusive", {2, 0, 1}),
      ending("cost: a home that is closing stays so under a late store",
             {{1, checkRead() + post(a)},
              {0, wait(a) + watch(f) + release() + tell(g) + watch(h) + release() + post(e)},
              {0, checkWrite() + tell(f) + watch(g) + store(X, 1) + tell(h) + wait(e)}},
             0, "HomeClosing", {1, 0, 1}),
      ending("cost: a cacher reads on under a late store",
             {{1, watch(f) + release() + tell(g) + watch(h) + release() + read(Y) + post(e)},
              {1, checkWrite() + tell(f) + watch(g) + store(X, 1) + tell(h) + wait(e)}},
             1, "Closing", {1, 1, 0}),
      ending("cost: a cacher reads on after a late store",
             {{1, watch(f) + release() + tell(g) + wait(h) + release() + read(X) + post(e)},
              {1, checkWrite() + tell(f) + watch(g) + store(X, 1) + post(h) + wait(e)}},
             1, "Clean", {1, 1, 0}),
      closing("nobody asks", {}, {}, "Exclusive"),
      closing("a fetch", read(Y), {}, "Shared"),
      closing("a Put", write(X, 1) + release(), {}, "Shared"),
      closing("a Put of all", overwrite(1, 2) + release(), {}, "Shared"),
      closing("an atomic operation", exchange(X, 1) + checkRead(), {}, "Shared"),
      closing("an atomic load", atomicLoad(X) + checkRead(), {}, "Shared"),
      closing("an atomic load of the home", checkRead(), atomicLoad(X), "Shared"),
      ending("cost: a cacher that wrote nothing reads on",
             {{1, checkWrite() + release() + read(X)}, {0, {}}}, 1, "Clean", {1, 0, 0}),
      ending("cost: a cacher that wrote nothing may read on", {{1, checkWrite() + release()}}, 1,
             "Clean", {1, 0, 0}),
      ending("cost: a cacher may read on after a late store",
             {{1, watch(f) + release() + tell(g) + wait(h) + release() + post(e)},
              {1, checkWrite() + tell(f) + watch(g) + store(X, 1) + post(h) + wait(e)}},
             1, "Clean", {1, 1, 0}),
      ending("cost: a cacher that wrote nothing reads on beside a thread",
             {{1, checkWrite() + release() + read(X) + post(b)}, {1, wait(b)}}, 1, "Closing",
             {1, 0, 0}),
      ending("cost: a cacher reads on in all its releases",
             {{1, write(X, 1) + release() + release() + read(X) + post(b) + wait(c) + release() +
                      read(X) + post(d)},
              {1, wait(b) + post(c) + wait(d)}},
             1, "Clean", {1, 1, 0}),
      ending("cost: a stale copy is let go",
             {{1, checkWrite() + post(a) + wait(b) + release()},
              {0, wait(a) + write(X, 1) + signal(b)}},
             1, "Invalid", {1, 0, 1}),
      ending("cost: a merged copy is told quiet at its release",
             {{1, checkWrite() + post(a) + wait(b) + read(X) + wait(c) + release() + post(d)},
              {1, wait(b) + post(c) + wait(d)},
              {0, wait(a) + write(X, 1) + signal(b)}},
             1, "Clean", {2, 0, 1}),
      ending("cost: a fetch ahead", {{1, prefetch()}}, 1, "Clean", {1, 0, 0}),
  };
  Litmus moved = ending("cost: a new home alone", {{0, barrier()}, {1, write(X, 1) + barrier()}}, 1,
                        "Exclusive", {1, 1, 0});
  moved.blocks[0] = kMoves;
  all.push_back(moved);
  constexpr std::uint8_t kAny = Cost::kAny;
  all.push_back(ending("cost: a barrier without Puts has no second half",
                       {{0, write(X, 1) + barrier() + barrier()},
                        {1, checkRead() + barrier() + read(X) + barrier()},
                        {2, barrier() + read(X) + barrier()}},
                       0, "Shared HomeDirty", {kAny, 0, kAny, 0}));
  moved = ending("cost: a proposed home moves though nobody has sent a Put",
                 {{0, proposeHome(X, 1) + barrier()}, {1, checkRead() + barrier()}}, 1, "Exclusive",
                 {1, 0, 0});
  moved.blocks[0] = kMoves;
  all.push_back(moved);
  return all;
}

std::vector<Litmus> concat(std::vector<std::vector<Litmus>> lists) {
  std::vector<Litmus> all;
  for (std::vector<Litmus> &list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

const std::vector<Litmus> &allLitmuses() {
  static const std::vector<Litmus> all =
      concat({blockPrograms(), updatePrograms(), sumPrograms(), leasePrograms(), servedPrograms(),
              supplyPrograms(), resizePrograms(), barrierPrograms(), evictionPrograms(),
              overwritePrograms(), pushPrograms(), fetchPrograms(), handoverPrograms(),
              costPrograms(), barePrograms(), solePrograms(), borderPrograms()});
  return all;
}

} // namespace ompdsm::sim
