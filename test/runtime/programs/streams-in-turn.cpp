// Streams in memory that threads of all nodes write to, read from and change the state of, one after
// the other; also where nothing of them is in the program's own code but calls (-O0).
// RUN: %cxx -O0 %s -o %t0 && %run -n 2 %t0 | %check %s
// RUN: %run -n 3 -t 2 %t0 | %check %s
// RUN: %cxx -O2 %s -o %t2 && %run -n 3 %t2 | %check %s
// RUN: env OMPDSM_PUSH=0 %run -n 4 %t2 | %check %s
// CHECK: ok
#include "expect.h"
#include <iomanip>
#include <omp.h>
#include <sstream>
#include <string>

enum { Count = 400 };

int main() {
  std::stringstream stream;
  std::string expected;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < Count; i++) {
#pragma omp ordered
    {
      if (i % 3 == 0)
        stream << "number " << i << ' ';
      else if (i % 3 == 1)
        stream << std::setw(6) << i * 0.5 << std::endl;
      else
        (stream << std::string(40, char('a' + i % 26))).put(' ');
      std::ostringstream own;
      if (i % 3 == 0)
        own << "number " << i << ' ';
      else if (i % 3 == 1)
        own << std::setw(6) << i * 0.5 << '\n';
      else
        own << std::string(40, char('a' + i % 26)) << ' ';
      expected += own.str();
    }
  }
  EXPECT(stream.str() == expected);

  // What is in it is given out to whoever comes.
  std::istringstream numbers;
  std::string text;
  for (int i = 0; i < Count; i++)
    text += std::to_string(i) + (i % 2 ? "\n" : ".5 ");
  numbers.str(text);
  double sum = 0;
  int found = 0;
#pragma omp parallel reduction(+ : sum, found)
  for (bool more = true; more;) {
    double number = 0;
#pragma omp critical
    more = bool(numbers >> number);
    if (more) {
      sum += number;
      ++found;
    }
  }
  EXPECT(found == Count && sum == Count * (Count - 1) / 2 + Count / 2 * 0.5);
  EXPECT(numbers.eof() && numbers.fail());
  // The state that another node sets, and clears.
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    numbers.clear(), numbers.seekg(0);
  EXPECT(numbers.good() && !numbers.eof());
  double first = -1;
  numbers >> first;
  EXPECT(first == 0.5);
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    numbers.setstate(std::ios::failbit);
  EXPECT(!numbers && numbers.rdstate() == std::ios::failbit);
  std::puts("ok");
}
