// std::string: all threads append to, insert into, replace and erase from the same strings in turns,
// under a lock, so that each string is read and reallocated by nodes that did not make it.
#include "report.h"
#include <omp.h>
#include <string>
#include <vector>

static std::string global;

/// What `step` does to a text; the same function, called serially, gives the expected value.
static void grow(std::string &text, int step) {
  text += static_cast<char>('a' + step % 26);
  text.append("more text ").append(std::to_string(step));
  text.insert(text.size() / 2, "middle");
  if (step % 3 == 0)
    text.erase(text.size() / 3, 7);
  if (step % 4 == 0)
    text.replace(0, 2, "start of it");
  if (step % 5 == 0)
    text = text + '.' + text.substr(0, 5);
  if (step % 7 == 0)
    text.resize(text.size() / 2);
}

int main() {
  constexpr int Texts = 5, Steps = 120;
  std::vector<std::string> texts(Texts);
  int next = 0;
#pragma omp parallel
  {
    bool done = false;
    while (!done) {
#pragma omp critical
      {
        if (next < Steps) {
          // Whoever holds the lock does a few steps, so several threads get to it.
          for (int i = 0; i < 3 && next < Steps; i++, next++) {
            grow(texts[static_cast<std::size_t>(next % Texts)], next);
            grow(global, next);
          }
        } else {
          done = true;
        }
      }
    }
  }
  std::vector<std::string> wanted(Texts);
  std::string wantedGlobal;
  for (int step = 0; step < Steps; step++) {
    grow(wanted[static_cast<std::size_t>(step % Texts)], step);
    grow(wantedGlobal, step);
  }
  for (int i = 0; i < Texts; i++)
    expectInteger("text", i, 0, texts[static_cast<std::size_t>(i)].compare(wanted[static_cast<std::size_t>(i)]));
  expectInteger("global text", 0, 1, global == wantedGlobal);

  // Each thread makes strings that the others read and join.
  std::vector<std::string> parts(64);
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 64; i++)
      parts[static_cast<std::size_t>(i)] = std::string(static_cast<std::size_t>(i), 'x') + std::to_string(i);
    std::string all;
    for (const std::string &part : parts)
      all += part;
    std::string expected;
    for (int i = 0; i < 64; i++)
      expected.append(static_cast<std::size_t>(i), 'x').append(std::to_string(i));
    expectInteger("joined", omp_get_thread_num(), 1, all == expected);
    // And takes over others' memory.
#pragma omp barrier
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 64; i++) {
      std::string mine;
      mine.swap(parts[static_cast<std::size_t>(63 - i)]);
      expectInteger("swapped", i, 1, mine.ends_with(std::to_string(63 - i)) && parts[static_cast<std::size_t>(63 - i)].empty());
    }
  }
  return finish();
}
