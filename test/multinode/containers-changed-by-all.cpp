// std::map, set, multimap, list, deque and the unordered ones, changed by all threads under a lock
// (whose parts in libstdc++.so are not instrumented), and read by all without one.
#include "report.h"
#include <deque>
#include <list>
#include <map>
#include <omp.h>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

struct Everything {
  std::map<int, long> numbers;
  std::map<std::string, int> names;
  std::multimap<int, int> many;
  std::set<long> values;
  std::list<int> line;
  std::deque<int> ends;
  std::unordered_map<int, std::string> texts;
  std::unordered_set<std::string> words;

  /// The `step`-th change. Deterministic, so that a serial copy gives the expected contents.
  void change(int step) {
    const int key = static_cast<int>(static_cast<unsigned>(step) * 2654435761u >> 20);
    numbers[key] += step;
    names["name " + std::to_string(key % 211)] = step;
    many.emplace(key % 17, step);
    values.insert(long(key) * step);
    line.insert(step % 2 ? line.begin() : line.end(), key);
    step % 3 ? ends.push_back(key) : ends.push_front(key);
    texts[key] = std::to_string(step) + " is long enough for the heap";
    words.insert("word number " + std::to_string(key % 97));
    if (step % 3 == 2 && !numbers.empty()) {
      auto it = numbers.lower_bound(key / 2);
      if (it == numbers.end())
        --it;
      texts.erase(it->first);
      numbers.erase(it);
    }
    if (step % 11 == 10) {
      many.erase(many.begin());
      values.erase(std::prev(values.end()));
      line.remove(key);
      line.reverse();
      std::list<int> other{1, 2, 3};
      line.splice(std::next(line.begin()), other);
      ends.pop_front();
    }
    if (step % 50 == 49)
      line.sort();
  }

  /// A number that depends on all of it, and on the order where there is one.
  unsigned long digest() const {
    unsigned long sum = 1, unordered = 0;
    const auto add = [&](unsigned long value) { sum = sum * 1000003 + value; };
    for (const auto &[key, value] : numbers)
      add(static_cast<unsigned long>(key * 7 + value));
    for (const auto &[name, value] : names)
      add(name.size() * 31 + static_cast<unsigned>(name.back()) + static_cast<unsigned>(value));
    for (const auto &[key, value] : many)
      add(static_cast<unsigned>(key * 1000 + value));
    for (auto it = values.rbegin(); it != values.rend(); ++it)
      add(static_cast<unsigned long>(*it));
    for (int value : line)
      add(static_cast<unsigned>(value));
    for (int value : ends)
      add(static_cast<unsigned>(value));
    for (const auto &[key, text] : texts)
      unordered += static_cast<unsigned long>(key) * text.size() + static_cast<unsigned>(text[0]);
    for (const std::string &word : words)
      unordered += static_cast<unsigned>(word.back()) * word.size();
    return sum + unordered;
  }
};

int main() {
  constexpr int Steps = 400;
  Everything shared;
  int next = 0;
#pragma omp parallel
  {
    bool done = false;
    while (!done) {
#pragma omp critical
      {
        for (int i = 0; i < 5 && next < Steps; i++)
          shared.change(next++);
        done = next == Steps;
      }
    }
  }
  Everything serial;
  for (int step = 0; step < Steps; step++)
    serial.change(step);
  const unsigned long wanted = serial.digest();
  expectInteger("digest", 0, static_cast<long>(wanted), static_cast<long>(shared.digest()));
#pragma omp parallel
  {
    const int self = omp_get_thread_num();
    expectInteger("digest by a thread", self, static_cast<long>(wanted), static_cast<long>(shared.digest()));
    for (int key = self; key < 4096; key += omp_get_num_threads()) {
      const auto found = shared.numbers.find(key), expected = serial.numbers.find(key);
      expectInteger("found", key, expected != serial.numbers.end(), found != shared.numbers.end());
      expectInteger("in the hash table", key, static_cast<long>(serial.texts.count(key)), static_cast<long>(shared.texts.count(key)));
    }
  }
  // What one thread emptied, another fills again.
#pragma omp parallel
  {
#pragma omp single
    shared = Everything();
#pragma omp critical
    shared.change(omp_get_thread_num());
  }
  expectInteger("elements", 0, omp_get_max_threads() > 0, !shared.line.empty());
  return finish();
}
