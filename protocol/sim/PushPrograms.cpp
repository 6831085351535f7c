// PushPrograms.cpp: litmus programs about changes that are sent to nodes that are expected to read
// them.
#include "protocol/sim/ProgramLists.h"
#include "protocol/sim/PushParts.h"

namespace ompdsm::sim {

using namespace parts;

namespace {
std::vector<Litmus> pushesThatClose() {
  return {
      ending(closed(pushed(
                 "a reader of what is written in turns fetches once", kOne,
                 {{1, checkRead() + post(a) + wait(b) + read(X) + post(c) + wait(d)},
                  {0, wait(a) + write(X, 1) + signal(b) + wait(c) + write(X, 2) + signal(d)}})),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(closed(pushed("who is not expected is told", kOne,
                           {{1, checkRead() + post(a) + wait(b) + read(X)},
                            {2, checkRead() + post(c) + wait(b)},
                            {0, wait(a) + wait(c) + write(X, 1) + signal(b)}})),
             {{0, 0, "Shared"}, {2, 0, "Invalid"}}, {2, 0, 1}),
      ending(closed(pushed("beside a thread that may write", kOne,
                           {{1, checkRead() + post(a) + wait(b)},
                            {0, wait(a) + watch(c) + write(X, 1) + signal(b) + tell(d)},
                            {0, checkWrite() + tell(c) + watch(d)}})),
             {{0, 0, "HomeDirty"}, {1, 0, "Clean Invalid"}}),
  };
}
} // namespace

std::vector<Litmus> pushesOfHomes() {
  return {
      ending(pushed("a reader fetches once", kOne,
                    {{1, read(X) + post(a) + wait(b) + read(X) + post(c) + wait(d) + read(X)},
                     {0, wait(a) + write(X, 1) + signal(b) + wait(c) + write(X, 2) + signal(d)}}),
             {{0, 0, "HomeDirty"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(pushed("a home that writes no more pays no more", kOne,
                    {{1, read(X) + post(a) + wait(b) + read(X)},
                     {0, wait(a) + write(X, 1) + release() + signal(b)}}),
             {{0, 0, "Shared"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(pushed("a reader may read on", kOne,
                    {{1, checkRead() + post(a) + wait(b)}, {0, wait(a) + write(X, 1) + signal(b)}}),
             {{1, 0, "Clean"}}, {1, 0, 0}),
      ending(pushed("who is not expected is told", kOne,
                    {{1, checkRead() + post(a) + wait(b) + read(X)},
                     {2, checkRead() + post(c) + wait(b)},
                     {0, wait(a) + wait(c) + write(X, 1) + signal(b)}}),
             {{0, 0, "HomeDirty"}, {2, 0, "Invalid"}}, {2, 0, 1}),
      ending(pushed("nobody is expected", kNone,
                    {{1, checkRead() + post(a) + wait(b)}, {0, wait(a) + write(X, 1) + signal(b)}}),
             {{0, 0, "Exclusive"}, {1, 0, "Invalid"}}, {1, 0, 1}),
      pushed("the old value is stored again (trap 1)", kOne,
             {{1, write(X, 7) + signal(a) + wait(b) + write(X, 7) + signal(c)},
              {0, wait(a) + write(X, 5) + signal(b) + wait(c) + read(X)}}),
      pushed("the old value is stored again beside a writer (trap 1)", kOne,
             {{1, write(X, 7) + signal(a) + wait(b) + write(X, 7) + signal(c)},
              {1, checkWrite() + tell(d) + watch(e) + store(Y, 3) + release()},
              {0, wait(a) + watch(d) + write(X, 5) + signal(b) + tell(e) + wait(c) + read(X)}}),
      pushed("under a late store (trap 2)", kOne,
             {{1, checkWrite() + tell(a) + watch(b) + store(X, 1) + signal(c)},
              {0, watch(a) + write(Y, 3) + release() + tell(b) + wait(c) + read(X)}}),
      pushed("under a late store after another's release (trap 2)", kOne,
             {{1, checkWrite() + tell(a) + watch(b) + store(X, 1) + signal(c) + wait(d) + read(Y)},
              {1, watch(a) + release() + tell(e)},
              {0, watch(e) + write(Y, 3) + release() + tell(b) + wait(c) + read(X) + post(d)}}),
      pushed("a late store of the home (trap 2)", kOne,
             {{1, checkRead() + post(a) + wait(c) + read(X)},
              {0, wait(a) + checkWrite() + tell(b) + store(X, 1) + signal(c)},
              {0, watch(b) + write(Y, 2) + release()}}),
      pushed("a home that is closing", kOne,
             {{1, checkRead() + post(a) + wait(d) + read(X)},
              {0, wait(a) + checkWrite() + tell(b) + watch(c) + store(X, 1) + signal(d)},
              {0, watch(b) + release() + tell(c) + release()}}),
      ending(pushed("a home that is closing stays so", kOne,
                    {{1, checkRead() + post(a)},
                     {0, wait(a) + watch(f) + release() + tell(g) + watch(h) + release() + post(e)},
                     {0, checkWrite() + tell(f) + watch(g) + store(X, 1) + tell(h) + wait(e)}}),
             {{0, 0, "HomeClosing"}}, {1, 0, 0}),
      ending(pushed("a home that is closing pushes once", kOne,
                    {{1, checkRead() + post(a)},
                     {0, wait(a) + watch(f) + release() + tell(g) + watch(h) + release() + post(e) +
                             wait(d) + release() + post(c)},
                     {0, checkWrite() + tell(f) + watch(g) + store(X, 1) + tell(h) + wait(e) +
                             post(d) + wait(c)}}),
             {{0, 0, "Shared"}}, {1, 0, 0}),
      ending(
          pushed("a writer goes on writing", kOne,
                 {{1, checkWrite() + post(a) + wait(b)}, {0, wait(a) + write(X, 1) + signal(b)}}),
          {{1, 0, "Dirty"}}, {1, 0, 0}),
      ending(pushed("a writer that is closing stays so", kOne,
                    {{1, watch(f) + release() + post(a) + wait(b)},
                     {1, checkWrite() + tell(f) + watch(h)},
                     {0, wait(a) + write(X, 1) + signal(b) + tell(h)}}),
             {{1, 0, "Closing"}}, {1, 0, 0}),
      pushed("a reader was served what is not released", kOne,
             {{0, checkWrite() + store(X, 1) + tell(a) + watch(b) + store(X, 0) + signal(c)},
              {1, watch(a) + checkRead() + tell(b) + wait(c) + read(X)},
              {2, checkRead()}}),
      pushed("a reader was served what is not released, beside a change", kOne,
             {{0, write(X, 1) + tell(a) + watch(b) + store(X, 0) + store(Y, 1) + signal(c)},
              {1, checkRead() + watch(a) + evict() + checkRead() + tell(b) + wait(c) + read(X) +
                      read(Y)}}),
      pushed("of what is being given up", kOne,
             {{1, checkRead() + post(a) + evict() + wait(b) + read(X)},
              {0, wait(a) + write(X, 1) + signal(b)}}),
      pushed("of what is given up and fetched again", kOne,
             {{1, checkRead() + post(a) + evict() + checkRead() + wait(b) + read(X)},
              {0, wait(a) + write(X, 1) + signal(b)}}),
      pushed("beside an atomic operation", kOneAndTwo,
             {{1, checkRead() + post(a) + exchange(X, 2) + wait(b) + read(Y)},
              {0, wait(a) + write(Y, 1) + signal(b)}}),
      pushed("a reader holds its permission (G1)", kOne,
             {{1, read(Y) + tell(a) + watch(b) + load(Y)},
              {0, watch(a) + write(X, 1) + release() + tell(b)}}),
      pushed("of an overwritten block of which the home was told otherwise", kOne,
             {{1, checkRead() + overwrite(1, 2) + signal(a) + wait(c) + read(X) + post(d)},
              {1, checkRead() + wait(d)},
              {2, overwrite(1, 2) + signal(b)},
              {0, wait(a) + wait(b) + write(X, 3) + signal(c)}}),
      pushed("of some of an overwritten block", kOne,
             {{1, checkRead() + post(b) + overwrite(1, 2) + signal(a)},
              {2, wait(b) + write(X, 1) + signal(c)},
              {0, wait(a) + wait(c) + read(X) + read(Y)}}),
      pushed("over an overwritten block", kOne,
             {{1, checkRead() + overwrite(1, 2) + signal(a)},
              {0, checkWrite() + store(X, 1) + store(Y, 2) + signal(b) + wait(a) + read(X)}}),
  };
}

Litmus untracked(Litmus litmus) {
  litmus.blocks[0].untracked = true;
  return litmus;
}

namespace {
std::vector<Litmus> pushesOverUntrackedBytes() {
  return {
      untracked(pushed("silent store over untracked bytes at the home", kOne,
                       {{1, checkRead() + post(a) + wait(b) + read(X)},
                        {0, wait(a) + release() + rawStore(X, 9) + write(X, 9) + signal(b)}})),
      untracked(pushed(
          "untracked bytes between two pushes", kOne,
          {{1, checkRead() + post(a) + wait(b) + read(X) + post(c) + wait(d) + read(X) + read(Y)},
           {0, wait(a) + write(X, 1) + signal(b) + wait(c) + rawStore(Y, 9) + rawStore(X, 2) +
                   write(X, 2) + write(Y, 9) + signal(d)}})),
      untracked(
          pushed("contents cross a Put", kOne,
                 {{1, checkRead() + post(a) + wait(b) + write(X, 1) + release() + read(X)},
                  {0, wait(a) + release() + checkWrite() + store(Y, 2) + post(b) + release()}})),
      untracked(pushed("a cacher writes untracked bytes", kOneAndTwo,
                       {{1, checkRead() + post(a) + wait(b) + write(X, 0) + signal(c)},
                        {2, checkRead() + wait(c) + read(X)},
                        {0, wait(a) + release() + rawStore(X, 9) + signal(b)}})),
      untracked(watched("a cacher writes untracked bytes that were watched", kOne,
                        {{1, checkRead() + post(a) + wait(b) + write(X, 0) + signal(c)},
                         {0, wait(a) + write(Y, 2) + signal(b) + wait(c) + read(X)}})),
      ending(untracked(pushed("untracked bytes are sent whole", kOne,
                              {{1, checkRead() + post(a) + wait(b)},
                               {0, wait(a) + release() + write(X, 1) + signal(b)}})),
             {{0, 0, "HomeDirty"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(untracked(pushed("untracked bytes are sent whole once", kOne,
                              {{1, checkRead() + post(a) + wait(b)},
                               {0, wait(a) + release() + write(X, 1) + release() + signal(b)}})),
             {{0, 0, "Shared"}}, {1, 0, 0}),
      ending(untracked(watched("untracked bytes are sent again, and nobody reads them", kOne,
                               {{1, checkRead() + post(a) + wait(b) + post(c) + wait(d)},
                                {0, wait(a) + write(X, 1) + signal(b) + wait(c) + release() +
                                        write(X, 2) + signal(d)}})),
             {{1, 0, "Unread"}}, {1, 0, 0}),
      untracked(watched("untracked bytes are sent again before they are read", kOne,
                        {{1, checkRead() + post(a) + wait(b) + post(c) + wait(d) + read(X)},
                         {0, wait(a) + write(X, 1) + signal(b) + wait(c) + release() + write(X, 2) +
                                 signal(d)}})),
      untracked(watched(
          "silent store of a cacher over untracked bytes that were watched", kOneAndTwo,
          {{1, checkRead() + post(a) + wait(f) + write(X, 9) + signal(c)},
           {2, checkRead() + post(d) + wait(b) + read(Y) + post(e) + wait(c) + read(X)},
           {0, wait(a) + wait(d) + write(Y, 2) + signal(b) + wait(e) + rawStore(X, 9) + post(f)}})),
      ending(untracked(
                 pushed("a reader of untracked bytes fetches once", kOne,
                        {{1, read(X) + post(a) + wait(b) + read(X) + post(c) + wait(d) + read(X)},
                         {0, wait(a) + release() + write(X, 1) + signal(b) + wait(c) + write(X, 2) +
                                 signal(d)}})),
             {{0, 0, "HomeDirty"}, {1, 0, "Clean"}}, {1, 0, 0}),
      ending(untracked(pushed(
                 "a home of untracked bytes that is closing and has served stays so", kOne,
                 {{1, checkRead() + post(a) + watch(h) + evict() + checkRead() + tell(c)},
                  {0, wait(a) + watch(f) + release() + tell(g) + watch(c) + release() + post(e)},
                  {0, checkWrite() + tell(f) + watch(g) + store(X, 1) + tell(h) + wait(e)}})),
             {{0, 0, "HomeClosing"}}, {2, 0, 0}),
      ending(untracked(pushed(
                 "a home of untracked bytes that is closing and has served pushes once", kOne,
                 {{1, checkRead() + post(a) + watch(h) + evict() + checkRead() + tell(c)},
                  {0, wait(a) + watch(f) + release() + tell(g) + watch(c) + release() + post(e) +
                          wait(d) + release() + post(b)},
                  {0, checkWrite() + tell(f) + watch(g) + store(X, 1) + tell(h) + wait(e) +
                          post(d) + wait(b)}})),
             {{0, 0, "Shared"}}, {2, 0, 0}),
      untracked(pushed(
          "over untracked bytes under a late store (trap 2)", kOne,
          {{1, checkWrite() + tell(a) + watch(b) + store(X, 1) + signal(c)},
           {0, watch(a) + release() + write(Y, 3) + release() + tell(b) + wait(c) + read(X)}})),
  };
}

} // namespace

std::vector<Litmus> pushesOfPuts() {
  return {
      ending(pushed("a Put goes on", kTwo,
                    {{2, checkRead() + post(a) + wait(b) + read(X) + read(Y)},
                     {1, write(Y, 2) + wait(a) + write(X, 1) + signal(b)},
                     {0, {}}}),
             {{0, 0, "Shared HomeDirty"}, {1, 0, "Clean"}, {2, 0, "Clean"}}, {2, 1, 0}),
      pushed("two writers of one block", kOneAndTwo,
             {{1, write(X, 1) + signal(a) + wait(b) + read(Y)},
              {2, write(Y, 2) + signal(b) + wait(a) + read(X)}}),
      pushed("a Put goes on, and the home has changed the block", kTwo,
             {{2, checkRead() + post(a) + wait(b) + read(X) + wait(c) + read(Y)},
              {1, wait(a) + write(X, 1) + signal(b)},
              {0, wait(a) + write(Y, 2) + signal(c)}}),
      pushed("a Put goes on where the home is closing", kTwo,
             {{2, checkRead() + post(a) + wait(b) + read(X)},
              {1, wait(a) + watch(c) + write(X, 1) + signal(b) + tell(g)},
              {0, wait(a) + checkWrite() + tell(d) + watch(e) + store(Y, 2) + release()},
              {0, wait(a) + watch(d) + release() + tell(c) + watch(g) + tell(e)}}),
      pushed(
          "a Put in a barrier", kTwo,
          {{0, barrier()}, {1, write(X, 1) + barrier()}, {2, checkRead() + barrier() + read(X)}}),
      pushed("a lock", kOneAndTwo,
             {{1, lock(a) + read(X) + write(X, 1) + unlock(a)},
              {2, lock(a) + read(X) + write(X, 2) + unlock(a)},
              {0, lock(a) + read(X) + unlock(a)}}),
  };
}

std::vector<Litmus> watchedPushes() {
  return {
      ending(watched("nobody reads it", kOne,
                     {{1, checkRead() + post(a) + wait(b) + post(c) + wait(d)},
                      {0, wait(a) + write(X, 1) + signal(b) + wait(c) + write(X, 2) + signal(d)}}),
             {{1, 0, "Unread"}}, {1, 0, 0}),
      ending(watched("it is read late", kOne,
                     {{1, checkRead() + post(a) + wait(b) + post(c) + wait(d) + read(X)},
                      {0, wait(a) + write(X, 1) + signal(b) + wait(c) + write(X, 2) + signal(d)}}),
             {{1, 0, "Clean"}}, {1, 0, 0}),
      ending(watched("it is read", kOne,
                     {{1, checkRead() + post(a) + wait(b) + read(X) + post(c) + wait(d) + read(X)},
                      {0, wait(a) + write(X, 1) + signal(b) + wait(c) + write(Y, 2) + signal(d)}}),
             {{1, 0, "Clean"}}, {1, 0, 0}),
      ending(
          watched("it is given up", kOne,
                  {{1, checkRead() + post(a) + wait(b) + evict() + barrier()},
                   {0, wait(a) + write(X, 1) + signal(b) + barrier() + write(X, 2) + release()}}),
          {{1, 0, "Invalid"}, {0, 0, "Exclusive"}}, {1, 0, 0}),
      ending(watched("it is written", kOne,
                     {{1, checkRead() + post(a) + wait(b) + write(Y, 3) + signal(c)},
                      {0, wait(a) + write(X, 1) + signal(b) + wait(c) + read(Y) + read(X)}}),
             {{1, 0, "Clean"}}, {1, 1, 0}),
      watched("it is overwritten", kOne,
              {{1, checkRead() + post(a) + wait(b) + overwrite(3, 4) + signal(c)},
               {0, wait(a) + write(X, 1) + signal(b) + wait(c) + read(Y) + read(X)}}),
      watched("it is invalidated", kOne,
              {{1, checkRead() + post(a) + wait(b) + post(c) + wait(d) + read(X)},
               {0, wait(a) + write(Y, 1) + signal(b)},
               {2, wait(c) + exchange(X, 2) + post(d)}}),
      watched("under a late store (trap 2)", kOne,
              {{1, checkWrite() + tell(a) + watch(b) + store(X, 1) + signal(c)},
               {0, watch(a) + write(Y, 3) + release() + tell(b) + wait(c) + read(X)}}),
      watched("under a late store after another's release (trap 2)", kOne,
              {{1, checkWrite() + tell(a) + watch(b) + store(X, 1) + signal(c) + wait(d) + read(Y)},
               {1, watch(a) + release() + tell(e)},
               {0, watch(e) + write(Y, 3) + release() + tell(b) + wait(c) + read(X) + post(d)}}),
      watched("of what is being given up", kOne,
              {{1, checkRead() + post(a) + evict() + wait(b) + read(X)},
               {0, wait(a) + write(X, 1) + signal(b)}}),
      watched("of what is given up and fetched again", kOne,
              {{1, checkRead() + post(a) + evict() + checkRead() + wait(b) + read(X)},
               {0, wait(a) + write(X, 1) + signal(b)}}),
      watched("a reader holds its permission (G1)", kOne,
              {{1, read(Y) + tell(a) + watch(b) + load(Y)},
               {0, watch(a) + write(X, 1) + release() + tell(b)}}),
      watched("over an overwritten block", kOne,
              {{1, checkRead() + overwrite(1, 2) + signal(a)},
               {0, checkWrite() + store(X, 1) + store(Y, 2) + signal(b) + wait(a) + read(X)}}),
  };
}

std::vector<Litmus> pushesAndHomes() {
  std::vector<Litmus> all = {
      moving(pushed("the home moves to the writer", kOneAndTwo,
                    {{0, barrier() + barrier() + read(X)},
                     {1, write(X, 1) + barrier() + write(Y, 2) + barrier()},
                     {2, checkRead() + barrier() + read(X) + barrier() + read(Y)}})),
      moving(watched("the home moves to the writer of an unread copy", kOne,
                     {{0, wait(a) + write(X, 1) + barrier() + barrier() + read(Y)},
                      {1, checkRead() + post(a) + barrier() + write(Y, 2) + barrier()}})),
      moving(pushed("the home moves to a writer that could not use whole contents", kOne,
                    {{0, wait(a) + checkWrite() + store(X, 1) + tell(b) + watch(c) + store(X, 0) +
                             barrier() + barrier() + read(Y)},
                     {1, checkRead() + post(a) + watch(b) + evict() + checkRead() + tell(c) +
                             write(Y, 2) + barrier() + barrier()}})),
  };
  Litmus unit = watched("the home of an unread copy moves with its neighbour", kOne,
                        {{0, wait(a) + write(X, 1) + barrier() + barrier() + barrier() + read(U)},
                         {1, checkRead() + checkRead(U) + post(a) + barrier() + barrier() +
                                 write(U, 2) + barrier() + read(X)}});
  unit.blocks[0].migratable = unit.blocks[1].migratable = unit.oneUnit = true;
  unit.blocks[1].home = 0;
  unit.endings = {{1, 0, "Exclusive"}};
  all.push_back(unit);
  return all;
}

std::vector<Litmus> pushPrograms() {
  std::vector<Litmus> all;
  for (const std::vector<Litmus> &list :
       {pushesOfHomes(), pushesOverUntrackedBytes(), pushesOfPuts(), watchedPushes(),
        pushesAndHomes(), pushesThatClose(), variantsOf(pushesOfHomes(), closed),
        variantsOf(pushesOfPuts(), closed)})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

} // namespace ompdsm::sim
