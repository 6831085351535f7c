// The start of a node reads no large files: not the kernel's symbols, for which libfabric looks.
// RUN: %cc %s -o %t
// RUN: %run -n 2 -t 1 %t
#include "expect.h"
#include <string.h>
static long readBytes(void) {
  char line[100];
  long bytes = -1;
  FILE *io = fopen("/proc/self/io", "r");
  EXPECT(io);
  while (fgets(line, sizeof line, io))
    sscanf(line, "rchar: %ld", &bytes);
  fclose(io);
  return bytes;
}
int main(void) {
#pragma omp parallel num_threads(2)
  {
    const long bytes = readBytes();
    if (bytes < 0 || bytes > 2000000)
      printf("%ld bytes\n", bytes);
    EXPECT(bytes >= 0 && bytes <= 2000000);
  }
  // The program itself may read what it wants.
  FILE *symbols = fopen("/proc/kallsyms", "r");
  EXPECT(symbols && fgetc(symbols) != EOF);
  fclose(symbols);
  return 0;
}
