// Sizes that cannot be, alignments, zero sizes: as with the C library, on one node and on two.
// RUN: %cxx -Wno-everything -fno-builtin %s -o %t
// RUN: %run -n 1 %t
// RUN: %run -n 2 %t
#include "expect.h"
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <malloc.h>
#include <new>

struct alignas(256) Wide {
  char bytes[300];
};
static bool isAligned(const void *p, std::size_t to) { return reinterpret_cast<std::uintptr_t>(p) % to == 0; }

static void play() {
  const volatile std::size_t huge = SIZE_MAX / 2 - 100, large = std::size_t(1) << 50;
  for (std::size_t bytes : {huge, large, std::size_t(SIZE_MAX)}) {
    errno = 0;
    EXPECT(malloc(bytes) == nullptr && errno == ENOMEM);
    errno = 0;
    EXPECT(calloc(bytes, 1) == nullptr && errno == ENOMEM);
    bool thrown = false;
    try {
      operator delete(operator new(bytes));
    } catch (const std::bad_alloc &) {
      thrown = true;
    }
    EXPECT(thrown && operator new(bytes, std::nothrow) == nullptr);
  }
  EXPECT(calloc(SIZE_MAX / 2, 3) == nullptr && reallocarray(nullptr, SIZE_MAX / 2, 3) == nullptr);
  char *kept = static_cast<char *>(malloc(10));
  strcpy(kept, "kept");
  EXPECT(realloc(kept, huge) == nullptr && strcmp(kept, "kept") == 0);
  EXPECT(realloc(kept, 0) == nullptr);
  void *zero = malloc(0), *other = malloc(0);
  EXPECT(zero && other && zero != other);
  free(zero), free(other), free(nullptr);
  EXPECT(malloc_usable_size(nullptr) == 0);

  void *p = nullptr;
  EXPECT(posix_memalign(&p, 3, 10) == EINVAL && posix_memalign(&p, 4, 10) == EINVAL && !p);
  for (std::size_t to = 8; to <= (1 << 21); to *= 4) {
    EXPECT(posix_memalign(&p, to, 100) == 0 && isAligned(p, to));
    free(p);
    void *q = aligned_alloc(to, 4 * to);
    EXPECT(q && isAligned(q, to));
    memset(q, 1, 4 * to);
    free(q);
  }
  p = valloc(10);
  EXPECT(isAligned(p, 4096));
  free(p);
  p = pvalloc(4097);
  EXPECT(isAligned(p, 4096) && malloc_usable_size(p) >= 8192);
  free(p);
  Wide *wide = new Wide, *array = new Wide[3];
  EXPECT(isAligned(wide, 256) && isAligned(array, 256));
  delete wide;
  delete[] array;
}

int main() {
#pragma omp parallel
#pragma omp critical
  play();
}
