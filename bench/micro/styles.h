// styles.h: what the programs of bench/micro/styles share: their arguments, their clock, their
// output.
//
//   PROGRAM STYLE SIZE STEPS
//
// SIZE: of the problem; of fields, rows and columns. Prints the seconds of the second half of the
// steps, and a sum over the results.
#ifndef OMPDSM_BENCH_MICRO_STYLES_H
#define OMPDSM_BENCH_MICRO_STYLES_H
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>

/// A style is made with the size, and has step() and sum().
template <class Style> int run(int size, int steps) {
  Style style(size);
  double start = 0;
  for (int step = 0; step < steps; ++step) {
    if (step == steps / 2)
      start = omp_get_wtime();
    style.step();
  }
  const double seconds = omp_get_wtime() - start;
  std::printf("%.6f %.12g\n", seconds, style.sum());
  return 0;
}

struct Entry {
  const char *name;
  int (*run)(int size, int steps);
};

/// Of main: its exit code.
template <unsigned Count> int runStyle(const Entry (&styles)[Count], int argc, char **argv) {
  const int size = argc == 4 ? std::atoi(argv[2]) : 0, steps = argc == 4 ? std::atoi(argv[3]) : 0;
  if (size >= 3 && size <= 10000 && steps >= 2)
    for (const Entry &entry : styles)
      if (std::strcmp(entry.name, argv[1]) == 0)
        return entry.run(size, steps);
  std::fprintf(stderr, "usage: %s STYLE SIZE STEPS\n", argv[0]);
  return 2;
}

#endif
