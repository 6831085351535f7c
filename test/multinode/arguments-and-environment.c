// argc, argv and the environment that main got are read by all threads, through the pointers of
// main's thread.
#include "report.h"
#include <omp.h>
#include <string.h>

extern char **environ;

static unsigned long hashOf(const char *text) {
  unsigned long hash = 5381;
  for (; *text; text++)
    hash = hash * 33 + (unsigned char)*text;
  return hash;
}

int main(int argc, char **argv) {
  char **environment = environ;
  unsigned long arguments = 0, variables = 0;
  long count = 0;
  for (int i = 0; i < argc; i++)
    arguments += hashOf(argv[i]);
  for (char **v = environment; *v; v++, count++)
    variables += hashOf(*v);
  const char *path = getenv("PATH");
  const unsigned long pathHash = path ? hashOf(path) : 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    unsigned long mine = 0;
    for (int i = 0; i < argc; i++)
      mine += hashOf(argv[i]);
    expectInteger("arguments", me, (long)arguments, (long)mine);
    expectInteger("end of argv", me, 1, argv[argc] == NULL);
    mine = 0;
    long seen = 0;
    for (char **v = environment; *v; v++, seen++)
      mine += hashOf(*v);
    expectInteger("number of variables", me, count, seen);
    expectInteger("variables", me, (long)variables, (long)mine);
    const char *own = getenv("PATH");
    expectInteger("getenv", me, (long)pathHash, own ? (long)hashOf(own) : 0);
  }
  // The strings of argv may be written.
  if (argc > 0 && argv[0][0]) {
    const char before = argv[0][0];
#pragma omp parallel
    {
      if (omp_get_thread_num() == omp_get_num_threads() - 1)
        argv[0][0] = (char)(before + 1);
#pragma omp barrier
      expectInteger("changed argument", omp_get_thread_num(), (char)(before + 1), argv[0][0]);
    }
  }
  return finish();
}
