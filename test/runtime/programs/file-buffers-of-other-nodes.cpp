// Streams of C++ with a file that one node has opened, used by threads of all nodes in turn: what they
// write arrives whole and in the order of the program, what they read is given out once; places, and
// closing on another node.
// RUN: %cxx -O0 %s -o %t0 && %run -n 3 -t 2 %t0 %t0.log | %check %s
// RUN: %cxx -O2 %s -o %t2 && %run -n 2 %t2 %t2.log | %check %s
// RUN: env OMPDSM_PUSH=0 %run -n 4 %t2 %t2.log | %check %s
// RUN: %run -n 1 -t 4 %t2 %t2.log | %check %s
// CHECK: ok
#include "expect.h"
#include <cstring>
#include <fstream>
#include <iomanip>
#include <omp.h>
#include <string>

enum { Lines = 200 };
static std::ofstream global;
static int given[Lines];

static void writeLine(std::ostream &out, int i) {
  switch (i % 4) {
  case 0:
    out << "line " << i << '\n';
    break;
  case 1:
    out << "line" << std::setw(4) << i << std::endl;
    break;
  case 2:
    out.write("line ", 5).put(char('0' + i / 100)).put(char('0' + i / 10 % 10));
    out.put(char('0' + i % 10)).put('\n');
    break;
  default:
    out << std::string("line ") + std::to_string(i) + '\n' << std::flush;
  }
}

static void checkLines(const char *path) {
  std::ifstream in(path);
  std::string line;
  for (int i = 0; i < Lines; i++) {
    EXPECT(std::getline(in, line));
    EXPECT(line.compare(0, 4, "line") == 0 && std::stoi(line.substr(4)) == i);
  }
  EXPECT(!std::getline(in, line));
}

int main(int, char **argv) {
  const char *path = argv[1];
  // One that is local, one that is global and that another node opens and a third one closes.
  {
    std::ofstream local(path);
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < Lines; i++) {
#pragma omp ordered
      writeLine(local, i);
    }
  }
  checkLines(path);
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    global.open(path);
#pragma omp parallel for ordered schedule(static, 3)
  for (int i = 0; i < Lines; i++) {
#pragma omp ordered
    writeLine(global, i);
  }
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() / 2) {
    EXPECT(global.is_open());
    global.close();
    EXPECT(!global.is_open());
  }
  checkLines(path);

  // Lines are given out as threads come for them; then numbers.
  std::ifstream in(path);
  int lines = 0;
#pragma omp parallel reduction(+ : lines)
  for (bool more = true; more;) {
    std::string line;
#pragma omp critical
    more = bool(std::getline(in, line));
    if (more)
      lines += ++given[std::stoi(line.substr(4))];
  }
  EXPECT(lines == Lines);
  in.close();
  std::fstream both(path, std::ios::in | std::ios::out | std::ios::trunc);
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < 1000; i++) {
#pragma omp ordered
    both << i * 3 << ' ';
  }
#pragma omp parallel
#pragma omp single
  both.seekg(0);
  long sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < 1000; i++) {
    int number = -1;
#pragma omp critical
    both >> number;
    sum += number;
  }
  EXPECT(sum == 3L * 1000 * 999 / 2);
  // A place in the middle, by another node: the number 3 * 4 is replaced.
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    both.clear();
    both.seekp(std::strlen("0 3 6 9 "));
    both << 77 << std::flush;
    EXPECT(both.tellp() == std::streampos(10));
  }
  both.seekg(0);
  int numbers[5];
  for (int &number : numbers)
    both >> number;
  EXPECT(numbers[3] == 9 && numbers[4] == 77);
  both.close();
  std::remove(path);
  std::puts("ok");
}
