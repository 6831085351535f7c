// std::string: short ones (kept in the object) and long ones (on the heap) are made in serial code
// and read by all threads.
#include "report.h"
#include <omp.h>
#include <string>
#include <vector>

int main() {
  constexpr int Count = 60;
  std::vector<std::string> texts;
  for (int i = 0; i < Count; i++) {
    std::string text = "text ";
    for (int k = 0; k < i; k++)
      text += static_cast<char>('a' + (i + k) % 26);
    texts.push_back(text);
  }
  std::string last;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (int n = 0; n < Count; n++) {
      const int i = (n + 7 * me) % Count;
      const std::string &text = texts[static_cast<std::size_t>(i)];
      expectInteger("size", i, 5 + i, static_cast<long>(text.size()));
      expectInteger("first", i, 't', text[0]);
      for (int k = 0; k < i; k++)
        expectInteger("character", k, 'a' + (i + k) % 26, text[static_cast<std::size_t>(5 + k)]);
      expectInteger("terminator", i, 0, text.c_str()[5 + i]);
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < Count; i++) // characters may be written, each by one thread
      texts[static_cast<std::size_t>(i)][0] = static_cast<char>('T' + i % 3);
#pragma omp master
    last = texts[Count - 1];
  }
  for (int i = 0; i < Count; i++)
    expectInteger("changed character", i, 'T' + i % 3, texts[static_cast<std::size_t>(i)][0]);
  expectInteger("copied in the region", 0, Count + 4, static_cast<long>(last.size()));
  return finish();
}
