// heat.c: heat conduction on a rectangle, as an ordinary OpenMP program.
//
// The state is read from a file, then each step replaces every inner value by the mean of its four
// neighbours (Jacobi, two buffers); the edge keeps its temperature. Usage:
//   heat make ROWS COLUMNS FILE        writes an initial state
//   heat FILE STEPS [RESULT-FILE]      reads it, runs, prints a checksum and the seconds of the
//   step loop
// A state file is two 64-bit integers (rows, columns) and rows x columns doubles, in the byte order
// of the machine. The checksum covers every bit of the final state and is computed in fixed order,
// so it is the same for any number of threads.
#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MostCells = 1 << 30 };

struct State {
  int64_t rows, columns;
  double *cells;
};

static void fail(const char *what, const char *file) {
  fprintf(stderr, "heat: %s '%s': %s\n", what, file, errno ? strerror(errno) : "not a state file");
  exit(2);
}

static int64_t number(const char *text, const char *name) {
  char *end;
  const long long value = strtoll(text, &end, 10);
  if (*end || value < 0 || value > MostCells) {
    fprintf(stderr, "heat: %s must be a number from 0 to %d, not '%s'\n", name, MostCells, text);
    exit(2);
  }
  return value;
}

static double *allocateCells(int64_t count) {
  double *cells = malloc((size_t)count * sizeof *cells);
  if (!cells) {
    fprintf(stderr, "heat: no memory for %lld values\n", (long long)count);
    exit(2);
  }
  return cells;
}

static void writeState(const struct State *state, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file)
    fail("cannot write", path);
  // A row at a time through a buffer of this thread.
  const int64_t sizes[2] = {state->rows, state->columns};
  double *row = allocateCells(state->columns);
  int good = fwrite(sizes, sizeof sizes, 1, file) == 1;
  for (int64_t i = 0; i < state->rows && good; i++) {
    for (int64_t j = 0; j < state->columns; j++)
      row[j] = state->cells[i * state->columns + j];
    good = fwrite(row, sizeof *row, (size_t)state->columns, file) == (size_t)state->columns;
  }
  free(row);
  if (fclose(file) || !good)
    fail("cannot write", path);
}

static struct State readState(const char *path) {
  struct State state;
  int64_t sizes[2];
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file || fread(sizes, sizeof sizes, 1, file) != 1)
    fail("cannot read", path);
  if (sizes[0] < 3 || sizes[1] < 3 || sizes[0] > MostCells || sizes[1] > MostCells / sizes[0])
    fail("cannot use the sizes in", path);
  state.rows = sizes[0];
  state.columns = sizes[1];
  state.cells = allocateCells(state.rows * state.columns);
  if (fread(state.cells, sizeof(double), (size_t)(state.rows * state.columns), file) !=
      (size_t)(state.rows * state.columns))
    fail("cannot read all of", path);
  fclose(file);
  return state;
}

/// A hot disc on a cold plate, a warm edge on the left, and a pattern that makes every row
/// different.
static void makeState(int64_t rows, int64_t columns, const char *path) {
  if (rows < 3 || columns < 3 || columns > MostCells / rows) {
    fprintf(stderr, "heat: sizes from 3 x 3 to %d values in all, please\n", MostCells);
    exit(2);
  }
  const struct State state = {rows, columns, allocateCells(rows * columns)};
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) {
      const double y = (double)(2 * i - rows) / (double)rows,
                   x = (double)(2 * j - columns) / (double)columns;
      state.cells[i * columns + j] =
          j == 0 ? 50.0
                 : (x * x + y * y < 0.25 ? 100.0 : 0.0) + (double)((i * 7 + j * 13) % 32) / 32;
    }
  writeState(&state, path);
  free(state.cells);
}

// The threads that compute a row are the first to write it in both buffers.
static void distribute(const struct State *initial, double *now, double *next) {
  const int64_t columns = initial->columns;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < initial->rows; i++)
    for (int64_t j = 0; j < columns; j++)
      now[i * columns + j] = next[i * columns + j] = initial->cells[i * columns + j];
}

static void step(int64_t rows, int64_t columns, const double *restrict now, double *restrict next) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 1; i < rows - 1; i++) {
    const double *const row = now + i * columns;
    double *const to = next + i * columns;
    for (int64_t j = 1; j < columns - 1; j++)
      to[j] = 0.25 * (row[j - columns] + row[j + columns] + row[j - 1] + row[j + 1]);
  }
}

static uint64_t checksumOf(const double *cells, int64_t count) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &cells[i], sizeof bits);
    sum = sum * 31 + bits;
  }
  return sum;
}

static void run(const char *path, int64_t steps, const char *resultPath) {
  const struct State initial = readState(path);
  const int64_t count = initial.rows * initial.columns;
  double *now = allocateCells(count), *next = allocateCells(count);
  distribute(&initial, now, next);
  free(initial.cells);

  const double start = omp_get_wtime();
  for (int64_t k = 0; k < steps; k++) {
    step(initial.rows, initial.columns, now, next);
    double *const kept = now;
    now = next;
    next = kept;
  }
  const double seconds = omp_get_wtime() - start;

  printf("heat %lld x %lld, %lld steps, %d threads\n", (long long)initial.rows,
         (long long)initial.columns, (long long)steps, omp_get_max_threads());
  printf("checksum %016llx\n", (unsigned long long)checksumOf(now, count));
  printf("seconds %.4f\n", seconds);
  if (resultPath) {
    const struct State result = {initial.rows, initial.columns, now};
    writeState(&result, resultPath);
  }
  free(now);
  free(next);
}

int main(int argc, char **argv) {
  if (argc == 5 && !strcmp(argv[1], "make")) {
    makeState(number(argv[2], "ROWS"), number(argv[3], "COLUMNS"), argv[4]);
    return 0;
  }
  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: heat FILE STEPS [RESULT-FILE], or heat make ROWS COLUMNS FILE\n");
    return 2;
  }
  run(argv[1], number(argv[2], "STEPS"), argc == 4 ? argv[3] : NULL);
  return 0;
}
