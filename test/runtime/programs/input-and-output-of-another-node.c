// Files and formats are read to and written from memory that another node wrote.
// RUN: %cc -O0 %s -o %t0 && %run -n 2 %t0 %t0.file > %t0.out && %check %s < %t0.out
// RUN: %cc -O2 -D_FORTIFY_SOURCE=2 %s -o %t2 && %run -n 2 %t2 %t2.file > %t2.out && %check %s < %t2.out
#define _GNU_SOURCE
#include "expect.h"
#include <fcntl.h>
#include <omp.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { Bytes = 100000 };
static unsigned char buffer[Bytes], *allocated;
static char line[256], *lines;
static size_t lineBytes;
static int counted;

static void fill(unsigned char *p, int seed) {
  for (int i = 0; i < Bytes; i++)
    p[i] = (unsigned char)(i * 31 + seed);
}
static void check(const unsigned char *p, int seed) {
  for (int i = 0; i < Bytes; i++)
    EXPECT(p[i] == (unsigned char)(i * 31 + seed));
}

/* Runs the statement on the given thread of two, between barriers. */
#define ON(thread, ...)                                                                            \
  do {                                                                                             \
    if (omp_get_thread_num() == thread) {                                                          \
      __VA_ARGS__;                                                                               \
    }                                                                                              \
    _Pragma("omp barrier")                                                                         \
  } while (0)

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  const char *path = argv[1];
  allocated = malloc(Bytes);
  for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(2)
    {
      const int a = round % 2, b = 1 - a;
      ON(a, fill(buffer, round); fill(allocated, round + 5));
      ON(b, FILE *file = fopen(path, "w"); EXPECT(fwrite(buffer, 1, Bytes, file) == Bytes);
         fclose(file); int fd = open(path, O_WRONLY | O_APPEND);
         EXPECT(write(fd, allocated, Bytes) == Bytes); close(fd));
      ON(a, memset(buffer, 0, Bytes); memset(allocated, 0, Bytes));
      ON(b, FILE *file = fopen(path, "r"); EXPECT(fread(buffer, Bytes / 10, 10, file) == 10);
         fclose(file); int fd = open(path, O_RDONLY);
         EXPECT(pread(fd, allocated, Bytes, Bytes) == Bytes); close(fd));
      ON(a, check(buffer, round); check(allocated, round + 5));
      ON(a, struct iovec parts[2] = {{buffer, 10}, {allocated, 20}}; int fd = open(path, O_RDONLY);
         EXPECT(readv(fd, parts, 2) == 30); close(fd));
      ON(b, check(buffer, round); EXPECT(allocated[0] == buffer[10]));
      // Text: b writes a line, a reads it, b sees what a read.
      ON(b, FILE *file = fopen(path, "w"); fprintf(file, "first %d\nsecond %s\n", round, "line");
         fclose(file));
      ON(a, FILE *file = fopen(path, "r"); EXPECT(fgets(line, sizeof line, file));
         EXPECT(getline(&lines, &lineBytes, file) == 12); fclose(file));
      ON(b, EXPECT(strcmp(lines, "second line\n") == 0); int value; char word[16];
         EXPECT(sscanf(line, "%15s %d%n", word, &value, &counted) == 2 && value == round));
      ON(a, EXPECT(counted == 7));
      ON(b, memset(line, 'x', 20); line[20] = 0);
      ON(a, printf("round %d: %.5s|%-8.*s|%5.1f|%Lf|%lld\n", round, line, 3, line, 1.25, 2.5L, 1ll << 40);
         fflush(stdout));
      ON(b, snprintf(line, sizeof line, "%s-%d", path + strlen(path) - 4, round));
      ON(a, puts(line); fflush(stdout));
    }
  }
  // CHECK: round 0: xxxxx|xxx     |  1.2|2.500000|1099511627776
  // CHECK-NEXT: file-0
  // CHECK: round 3: xxxxx|xxx     |  1.2|2.500000|1099511627776
  // CHECK-NEXT: file-3
  return 0;
}
