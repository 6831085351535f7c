// Double-checked initialisation: a pointer is read with acquire; who finds none takes the lock,
// looks again, makes the object and publishes it with release. Each object is made once and is
// complete for everybody who sees the pointer.
#include "report.h"
#include <omp.h>

enum { Objects = 40, Length = 50 };

struct Object {
  int values[Length];
  int maker;
};

static struct Object *objects[Objects];
static int made[Objects];

static struct Object *get(int i) {
  struct Object *object;
#pragma omp atomic read acquire
  object = objects[i];
  if (object)
    return object;
#pragma omp critical(make)
  {
#pragma omp atomic read
    object = objects[i];
    if (!object) {
      object = malloc(sizeof *object);
      for (int k = 0; k < Length; k++)
        object->values[k] = i * 1000 + k;
      object->maker = omp_get_thread_num();
      made[i]++;
#pragma omp atomic write release
      objects[i] = object;
    }
  }
  return object;
}

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int n = 0; n < Objects; n++) {
      const int i = (n + me % 3) % Objects;
      const struct Object *object = get(i);
      for (int k = 0; k < Length; k++)
        expectInteger("value of an object", k, i * 1000 + k, object->values[k]);
      expectInteger("maker", i, 1, object->maker >= 0 && object->maker < threads);
    }
  }
  for (int i = 0; i < Objects; i++) {
    expectInteger("times made", i, 1, made[i]);
    free(objects[i]);
  }
  return finish();
}
