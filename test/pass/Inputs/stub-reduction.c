/* stub-reduction.c: prints what a reduction tells the runtime, and leaves the work to libomp. Not
 * instrumented. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

int32_t __kmpc_reduce(void *loc, int32_t gtid, int32_t count, size_t bytes, void *data, void *combine,
                      void *lock);
int32_t __kmpc_reduce_nowait(void *loc, int32_t gtid, int32_t count, size_t bytes, void *data,
                             void *combine, void *lock);

int32_t __ompdsm_reduce(void *loc, int32_t gtid, int32_t count, int64_t bytes, void *data,
                        void *combine, void *lock, const int64_t *sizes, int32_t nowait) {
  if (omp_get_thread_num() == 0) {
    printf("%d entries:", count);
    for (int i = 0; i < count; i++)
      printf(" %d", (int)sizes[i]);
    printf("\ndata has %d bytes\n", (int)bytes);
  }
  return nowait ? __kmpc_reduce_nowait(loc, gtid, count, (size_t)bytes, data, combine, lock)
                : __kmpc_reduce(loc, gtid, count, (size_t)bytes, data, combine, lock);
}
