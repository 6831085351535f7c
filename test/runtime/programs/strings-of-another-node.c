// Functions of the C library read and write strings and memory that another node wrote.
// RUN: %cc -O0 -fno-builtin %s -o %t0 && %run -n 2 %t0
// RUN: %cc -O2 %s -o %t2 && %run -n 2 %t2
#define _GNU_SOURCE
#include "expect.h"
#include <omp.h>
#include <string.h>
#include <strings.h>

enum { Long = 3000 };
static char text[Long + 1], copy[2 * Long + 2], small[64], number[64];
static int sorted[2000];

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* One node at a time; all of it was written by the other node just before. */
static void checkAll(int round) {
  const char last = (char)('a' + round % 20);
  EXPECT(strlen(text) == Long && strnlen(text, 100) == 100 && strnlen(text, Long * 2) == Long);
  EXPECT(strchr(text, last) == text + Long - 1 && strchr(text, '?') == NULL);
  EXPECT(strrchr(text, 'X') == text + Long - 2 && memchr(text, last, 100000) == text + Long - 1);
  EXPECT(strstr(text, "YX") == text + Long - 3 && strcspn(text, "Y") == Long - 3);
  EXPECT(strspn(text, "X.") == Long - 3 - 0);
  char *twice = strdup(text), *part = strndup(text, 10);
  EXPECT(strcmp(twice, text) == 0 && memcmp(twice, text, Long) == 0 && strlen(part) == 10);
  twice[Long - 1] = 'z';
  EXPECT(strcmp(twice, text) > 0 && strcmp(text, twice) < 0 && strncmp(text, twice, Long - 1) == 0);
  EXPECT(strcasecmp(text, twice) != 0 && strncasecmp(text, twice, 10) == 0);
  free(twice), free(part);
  EXPECT(strtol(number, NULL, 10) == 1000 + round && atoi(number) == 1000 + round);
  char *end = NULL;
  EXPECT(strtod(number, &end) == 1000 + round + 0.25 && *end == ' ');
  EXPECT(strtol(end, &end, 16) == 0xff && strcmp(end, " tail") == 0);
  strcpy(copy, text);
  strcat(copy, text);
  EXPECT(strlen(copy) == 2 * Long && copy[2 * Long - 1] == last && copy[Long] == text[0]);
  strncpy(copy, "ab", 200);
  EXPECT(copy[199] == 0 && copy[200] == text[200]);
  memmove(copy + 1, copy, 2 * Long);
  EXPECT(copy[1] == 'a' && copy[201] == text[200]);
  int values[3];
  char word[32], c;
  double real;
  EXPECT(sscanf(small, "%d-%d %31s %c%lf %d", &values[0], &values[1], word, &c, &real, &values[2]) == 6);
  EXPECT(values[0] == round && values[1] == 7 && strcmp(word, "word") == 0 && c == 'q' && real == 2.5);
  qsort(sorted, 2000, sizeof sorted[0], ascending);
  for (int i = 0; i < 2000; i++)
    EXPECT(sorted[i] == i);
}

static void writeAll(int round) {
  memset(text, '.', Long);
  text[Long - 3] = 'Y', text[Long - 2] = 'X', text[Long - 1] = (char)('a' + round % 20);
  snprintf(number, sizeof number, "%d.25 ff tail", 1000 + round);
  sprintf(small, "%d-%d %s %c%.1f %d", round, 7, "word", 'q', 2.5, 5);
  for (int i = 0; i < 2000; i++)
    sorted[i] = (i * 7 + round) % 2000;
}

int main(void) {
  for (int round = 0; round < 12; round++) {
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == round % 2)
        writeAll(round);
#pragma omp barrier
      if (omp_get_thread_num() != round % 2)
        checkAll(round);
    }
  }
  return 0;
}
