// A stream that one node has opened: what threads of other nodes write to it arrives, in the order of
// the program, whole; other uses end the job with a message that names the function.
// RUN: %cc -O0 %s -o %t0 && %run -n 3 -t 2 %t0 %t0.log | %check %s
// RUN: %cc -O2 -D_FORTIFY_SOURCE=2 %s -o %t2 && %run -n 2 %t2 %t2.log | %check %s
// RUN: %run -n 1 -t 4 %t2 %t2.log | %check %s
// RUN: { ! %run -n 2 %t2 %t2.log read; } 2>&1 | %check --check-prefix=READ %s
// READ: the program calls fgets on node 1 with a stream that node 0 has opened, to which other nodes can only write
// CHECK: ok
#include "expect.h"
#include <errno.h>
#include <omp.h>
#include <stdarg.h>
#include <string.h>

enum { Lines = 60, Long = 200000 };
static FILE *log_;
static char large[Long];

static int say(FILE *file, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int length = vfprintf(file, format, list);
  va_end(list);
  return length;
}

/// Line `i`, in one way or another.
static void writeLine(int i) {
  const char *const text = "line";
  switch (i % 5) {
  case 0:
    EXPECT(fprintf(log_, "%s %d\n", text, i) == (i < 10 ? 7 : 8));
    break;
  case 1:
    EXPECT(say(log_, "%s %*d\n", text, i < 10 ? 1 : 2, i) == (i < 10 ? 7 : 8));
    break;
  case 2:
    EXPECT(fputs("line ", log_) >= 0);
    EXPECT(fprintf(log_, "%d", i) == (i < 10 ? 1 : 2));
    EXPECT(fputc('\n', log_) == '\n');
    break;
  case 3: {
    char own[32];
    const int length = snprintf(own, sizeof own, "%s %d\n", text, i);
    EXPECT(fwrite(own, 1, (size_t)length, log_) == (size_t)length);
    EXPECT(!fflush(log_));
    break;
  }
  default:
    EXPECT(fputs("line ", log_) >= 0);
    putc('0' + i / 10, log_), putc('0' + i % 10, log_), putc('\n', log_);
  }
}

static void check(const char *path) {
  FILE *file = fopen(path, "r");
  char line[64];
  for (int i = 0; i < Lines; i++) {
    EXPECT(fgets(line, sizeof line, file));
    EXPECT(!memcmp(line, "line ", 5) && atoi(line + 5) == i && strchr(line, '\n'));
  }
  static char read[Long];
  EXPECT(fread(read, 1, Long, file) == Long && !memcmp(read, large, Long));
  EXPECT(fgetc(file) == EOF);
  fclose(file);
}

int main(int argc, char **argv) {
  log_ = fopen(argv[1], argc > 2 ? "w+" : "w");
  memset(large, 'x', Long);
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < Lines; i++) {
#pragma omp ordered
    writeLine(i);
  }
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    EXPECT(fwrite(large, 4, Long / 4, log_) == Long / 4);
    if (argc > 2)
      EXPECT(fgets(large, argc + 8, log_)); // by __fgets_chk, with -D_FORTIFY_SOURCE
    EXPECT(!fclose(log_));
  }
  check(argv[1]);
  // The other way round; and an error comes back.
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    log_ = fopen("/dev/full", "w");
    setvbuf(log_, NULL, _IONBF, 0);
  }
  errno = 0;
  EXPECT(fprintf(log_, "text") < 0 && errno == ENOSPC);
  EXPECT(fputc('x', log_) == EOF);
  fclose(log_);
  remove(argv[1]);
  puts("ok");
  return 0;
}
