// String streams: each thread formats shared values into texts that others made room for, and parses
// shared texts into shared variables.
#include "report.h"
#include <complex>
#include <iomanip>
#include <omp.h>
#include <sstream>
#include <string>
#include <vector>

struct Row {
  int number = 0;
  double real = 0;
  std::string word, rest;
  char letters[8] = "";
  std::complex<double> z;
};

int main() {
  constexpr int Count = 48;
  std::vector<std::string> texts(Count);
  std::vector<Row> rows(Count);
  const std::string separator(20, ' '); // Made by node 0, on its heap.
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < Count; i++) {
      std::ostringstream out;
      out << i * 3 << separator << std::setw(9) << std::fixed << std::setprecision(2) << i * 0.25 << ' '
          << "word" << i << separator << "letter " << std::complex<double>(i, -i) << " the rest of " << texts.size() << '\n';
      texts[static_cast<std::size_t>(i)] = out.str();
    }
#pragma omp for schedule(static, 1)
    for (int k = 0; k < Count; k++) {
      const std::size_t i = static_cast<std::size_t>(Count - 1 - k);
      Row &row = rows[i];
      std::istringstream in(texts[i]);
      in >> row.number >> row.real >> row.word >> std::setw(7) >> row.letters >> row.z >> std::ws;
      std::getline(in, row.rest);
    }
    // Read by yet another thread.
#pragma omp for schedule(static, 1)
    for (int k = 0; k < Count; k++) {
      const int i = (k + 1) % Count;
      const Row &row = rows[static_cast<std::size_t>(i)];
      expectInteger("number", i, i * 3, row.number);
      expectReal("real", i, i * 0.25, row.real);
      expectInteger("word", i, 1, row.word == "word" + std::to_string(i));
      expectInteger("letters", i, 1, std::string(row.letters) == "letter");
      expectReal("complex", i, -i, row.z.imag());
      expectInteger("rest", i, 1, row.rest == "the rest of 48");
    }
  }
  return finish();
}
