// A text of a megabyte that node 0 has made is taken apart by another node: each search asks for the text as far as it
// goes, and finds what it finds on one node, also across lines and blocks.
// RUN: %cc -O2 %s -o %t && %run -n 1 -t 2 %t | %check %s
// RUN: env OMPDSM_STATS_FILE=%t.json OMPDSM_PREFETCH=0 %run -n 2 -t 1 %t | %check %s
// RUN: %python -c "import json; f = sum(n['bytes_fetched'] for n in json.load(open('%t.json'))['nodes']); assert 0 < f < 200000, f"
// CHECK: ok
#define _GNU_SOURCE
#include "expect.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
enum { Bytes = 1 << 20, Places = 9 };
static const int places[Places] = {0, 1, 62, 63, 64, 65, 2047, 2048, 5000};

int main(void) {
  for (int round = 0; round < Places; round++) {
    const int place = places[round];
    char *text = malloc(Bytes + 1);
    memset(text, 'a', Bytes);
    text[Bytes] = 0;
    memcpy(text + place + 1, ";bcd", 4);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
      EXPECT(strcspn(text, "x;") == (size_t)place + 1);
      EXPECT(strspn(text, "ab") == (size_t)place + 1);
      EXPECT(strpbrk(text, ";x") == text + place + 1);
      EXPECT(strchrnul(text, 'b') == text + place + 2);
      EXPECT(strchr(text, ';') == text + place + 1);
      EXPECT(strstr(text, "bcda") == text + place + 2);
      EXPECT(strstr(text, "") == text);
      char *rest = NULL, *at = text;
      EXPECT(strtok_r(text, ";", &rest) == text && strlen(text) == (size_t)place + 1);
      EXPECT(strtok_r(NULL, "a;bd", &rest) == text + place + 3 && text[place + 4] == 0);
      text[place + 1] = ';';
      EXPECT(strsep(&at, "c;") == text && at == text + place + 2 && text[place + 1] == 0);
    }
    EXPECT(text[place + 1] == 0 && text[place + 3] == 'c' && text[place + 4] == 0);
    EXPECT(strstr(text + place + 5, "aab") == NULL && strspn("", "a") == 0 && strcspn("abc", "") == 3);
    free(text);
  }
  puts("ok");
  return 0;
}
