// What the runtime exports besides its own entries, some library below it has, too: nobody finds a function there that
// no header of this system declares (as configure scripts look for them).
// RUN: nm -D --defined-only %build/lib/libompdsm.so.0 | sed 's/.* //; s/@.*//' | grep -v '^__ompdsm_\|^ompdsm' | sort -u > %t.ours
// RUN: for each in libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1 libomp.so.5; do %plain-cc -print-file-name=$each; done > %t.files
// RUN: xargs nm -D --defined-only < %t.files | sed 's/.* //; s/@.*//' | sort -u > %t.theirs
// RUN: test $(wc -l < %t.ours) -gt 500 && comm -23 %t.ours %t.theirs > %t.more && diff /dev/null %t.more
// A program's own function of such a name is the one that is called.
// RUN: %cc -w %s -o %t && %run -n 2 %t | %check %s
// CHECK: 9 sentence
#include <stdio.h>
#include <string.h>

size_t strlcat(char *to, const char *from, size_t room) {
  strncat(to, from, room - strlen(to) - 1);
  return strlen(to) + 1;
}

int main(void) {
  static char text[20] = "sent";
  size_t length = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  length = strlcat(text, "ence", sizeof text);
  printf("%zu %s\n", length, text);
}
