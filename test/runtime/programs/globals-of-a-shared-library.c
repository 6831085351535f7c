// Globals of a shared library that was compiled with the plugin are shared as the program's own are;
// so are those of an archive that comes before -lompdsm.
// RUN: mkdir -p %t.dir
// RUN: %cc -DLIBRARY -fPIC -shared %s -o %t.dir/liblibrary.so
// RUN: %cc -DARCHIVE -c %s -o %t.o && rm -f %t.a && ar rcs %t.a %t.o
// RUN: %cc %s %t.a %t.dir/liblibrary.so -Wl,-rpath,%t.dir -o %t
// RUN: %run -n 3 %t
#include "expect.h"
#include <omp.h>
#if defined LIBRARY
int counters[8];
static double big[20000];
double *bigOfLibrary(void) { return big; }
#elif defined ARCHIVE
int inArchive[8] = {1, 2, 3};
#else
extern int counters[8], inArchive[8];
double *bigOfLibrary(void);
int main(void) {
#pragma omp parallel num_threads(3)
  {
    const int me = omp_get_thread_num();
    counters[me] = me + 1;
    inArchive[me] += 10;
    for (int i = me; i < 20000; i += 3)
      bigOfLibrary()[i] = i;
#pragma omp barrier
    for (int i = 0; i < 3; i++)
      EXPECT(counters[i] == i + 1 && inArchive[i] == i + 11);
    for (int i = 0; i < 20000; i++)
      EXPECT(bigOfLibrary()[i] == i);
  }
  return 0;
}
#endif
