// Copies of a few bytes within a loop are loads and stores, so that their checks move in front of it; a loop that is
// entered with all that it copies at hand calls nothing.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
#include <string.h>

struct Piece {
  double values[8];
};
// A column of pieces: rows of 64 bytes.
// CHECK-LABEL: define {{.*}}@gather(
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %0, i64 %{{.*}}, i64 0, i64 1, i64 0, i64 1)
// CHECK: call void @__ompdsm_section_note_read(ptr %1, i64 64, i64 %{{.*}}, i64 %2, i64 0, i64 1)
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: call {{.*}}@{{__ompdsm|llvm.memcpy}}
// CHECK: load <8 x i64>
// CHECK: store <8 x i64>
// CHECK-NOT: call {{.*}}@{{__ompdsm|llvm.memcpy}}
// CHECK: {{^}}}
void gather(struct Piece *restrict column, const struct Piece *restrict matrix, long rows, long columns) {
  for (long i = 0; i < rows; i++)
    column[i] = matrix[i * columns];
}
// By bytes, from the stack, and 128 of them.
// CHECK-LABEL: define {{.*}}@scatter(
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %0, i64 128, i64 1024, i64 %1, i64 0, i64 1)
// CHECK: call void @__ompdsm_sections_ask()
// CHECK-NOT: call {{.*}}@{{__ompdsm|llvm.memcpy}}
// CHECK: store <16 x i64>
// CHECK-NOT: call {{.*}}@{{__ompdsm|llvm.memcpy}}
// CHECK: {{^}}}
void use(void *);
void scatter(char (*rows)[1024], long n) {
  char piece[128];
  use(piece);
  for (long i = 0; i < n; i++)
    memcpy(rows[i], piece, sizeof piece);
}
// What may overlap is loaded before it is stored.
// CHECK-LABEL: define {{.*}}@moved(
// CHECK: [[SOURCE:%.*]] = load <3 x i64>, ptr %{{.*}}, align 1
// CHECK: store <3 x i64> [[SOURCE]], ptr %{{.*}}, align 1
// CHECK: {{^}}}
void moved(char *a, long n) {
  for (long i = 0; i < n; i++)
    memmove(a + 100 * i + 5, a + 100 * i, 24);
}

// --- Not applied: outside of loops, volatile, large, not of whole words.
// CHECK-LABEL: define {{.*}}@once(
// CHECK: call void @llvm.memcpy
// CHECK: {{^}}}
void once(struct Piece *a, const struct Piece *b) { *a = *b; }
// CHECK-LABEL: define {{.*}}@volatileCopies(
// CHECK: call void @llvm.memcpy{{.*}}i1 true
// CHECK: {{^}}}
void volatileCopies(volatile struct Piece *a, volatile struct Piece *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i];
}
// CHECK-LABEL: define {{.*}}@large(
// CHECK: call void @llvm.memcpy
// CHECK: {{^}}}
void large(char (*a)[1024], char (*b)[1024], long n) {
  for (long i = 0; i < n; i++)
    memcpy(a[i], b[i], 136);
}
// CHECK-LABEL: define {{.*}}@odd(
// CHECK: call void @llvm.memcpy
// CHECK: {{^}}}
void odd(char (*a)[1024], char (*b)[1024], long n) {
  for (long i = 0; i < n; i++)
    memcpy(a[i], b[i], 13);
}

// Nor where the copy is what a call gets by value, which is no copy in the end.
struct Point {
  double x, y, z;
};
double distance(struct Point p);
// CHECK-LABEL: define {{.*}}@byValue(
// CHECK-NOT: alloca
// CHECK: call {{.*}}double @distance(ptr {{.*}}byval(
// CHECK: {{^}}}
double byValue(const struct Point *p, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += distance(p[i]);
  return sum;
}
