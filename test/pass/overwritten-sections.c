// What a loop nest stores whole, before anything could read it, is asked for without its contents. Where it may overlap
// what the nest reads, that is found out in front of the nest. What it may read before it is stored whole is asked for
// with its contents, and that all of it will be stored is said.
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -fopenmp -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@filled(
// CHECK: call void @__ompdsm_section_overwrite(ptr %0, i64 %[[BYTES:.*]], i64 0, i64 1, i64 0, i64 1)
// CHECK: {{^}}}
void filled(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = (double)i;
}
// Another type's memory, and what is restrict, is apart.
// CHECK-LABEL: define {{.*}}@apart(
// CHECK-NOT: select
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %0, i64 %{{.*}}, i64 0, i64 1, i64 0, i64 1)
// CHECK: {{^}}}
void apart(double *restrict a, const double *restrict b, const int *c, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] + c[n - 1 - i];
}
// CHECK-LABEL: define {{.*}}@perhapsApart(
// CHECK-COUNT-2: icmp ule
// CHECK: %[[ASKED:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %0, i64 %[[ASKED]], i64 0, i64 1, i64 0, i64 1)
// CHECK: {{^}}}
void perhapsApart(double *a, const double *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i];
}
// A whole matrix.
// CHECK-LABEL: define {{.*}}@rows(
// CHECK: call void @__ompdsm_section_overwrite(ptr %0,
// CHECK: {{^}}}
void rows(double (*a)[64], long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 64; j++)
      a[i][j] = (double)(i - j);
}
// Rows that lie apart.
// CHECK-LABEL: define {{.*}}@rowsApart(
// CHECK: call void @__ompdsm_section_overwrite(ptr %0, i64 80, i64 8000, i64 %1, i64 0, i64 1)
// CHECK: {{^}}}
void rowsApart(double (*a)[1000], long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 10; j++)
      a[i][j] = (double)(i - j);
}
// Members of a structure that are all stored, in whichever order; in rows, too.
struct Complex {
  double re, im;
};
// CHECK-LABEL: define {{.*}}@complexes(
// CHECK: %[[BYTES:.*]] = shl i64 %1, 4
// CHECK-NEXT: call void @__ompdsm_section_overwrite(ptr %0, i64 %[[BYTES]], i64 0, i64 1, i64 0, i64 1)
// CHECK-NOT: overwrite
// CHECK: {{^}}}
void complexes(struct Complex *a, long n) {
  for (long i = 0; i < n; i++) {
    a[i].im = (double)i;
    a[i].re = 1;
  }
}
// CHECK-LABEL: define {{.*}}@copies(
// CHECK: call void @__ompdsm_section_note_overwrite(ptr %0, i64 160, i64 16000, i64 %2, i64 0, i64 1)
// CHECK-NOT: overwrite
// CHECK: {{^}}}
void copies(struct Complex (*restrict a)[1000], const struct Complex *restrict b, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 10; j++)
      a[i][j] = b[j * n + i];
}

// --- Not without its contents, and where something stays what it was not at all.

// A part of each structure, or of some of them, stays what it was.
// CHECK-LABEL: define {{.*}}@halves(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
void halves(struct Complex *a, long n) {
  for (long i = 0; i < n; i++)
    a[i].im = (double)i;
}
// CHECK-LABEL: define {{.*}}@fewer(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
void fewer(struct Complex *a, long n, int both) {
  for (long i = 0; i < n; i++) {
    if (both)
      a[i].re = 1;
    a[i].im = (double)i;
  }
}
// CHECK-LABEL: define {{.*}}@triples(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
struct Triple {
  double a, b, c;
};
void triples(struct Triple *a, long n) {
  for (long i = 0; i < n; i++) {
    a[i].a = (double)i;
    a[i].c = 1;
  }
}
// Both parts are read before they are stored, and then all is.
// CHECK-LABEL: define {{.*}}@turned(
// CHECK-NOT: overwrite
// CHECK: call void @__ompdsm_section_{{(note_)?}}rewrite(ptr %0, i64 %{{.*}}, i64 0, i64 1, i64 0, i64 1)
// CHECK-NOT: overwrite
// CHECK: {{^}}}
void turned(struct Complex *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = (struct Complex){-a[i].im, a[i].re};
}
// Whether rows are apart from what is read is not asked in front of the nest.
// CHECK-LABEL: define {{.*}}@rowsPerhapsApart(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
void rowsPerhapsApart(double (*a)[1000], const double *b, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 10; j++)
      a[i][j] = b[i];
}

// Read and written.
// CHECK-LABEL: define {{.*}}@updated(
// CHECK-NOT: overwrite
// CHECK: call void @__ompdsm_section_{{(note_)?}}rewrite(ptr %0, i64 %{{.*}}, i64 0, i64 1, i64 0, i64 1)
// CHECK-NOT: overwrite
// CHECK: {{^}}}
void updated(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = 2 * a[i];
}
// CHECK-LABEL: define {{.*}}@shifted(
// CHECK-NOT: overwrite
// CHECK: call void @__ompdsm_section_{{(note_)?}}rewrite(ptr %0, i64 %{{.*}}, i64 0, i64 1, i64 0, i64 1)
// CHECK-NOT: overwrite
// CHECK: {{^}}}
void shifted(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = a[i + 5] * 2;
}
// What it reads has no section.
// CHECK-LABEL: define {{.*}}@gathered(
// CHECK-NOT: overwrite
// CHECK: call void @__ompdsm_section_{{(note_)?}}rewrite(ptr %0, i64 %{{.*}}, i64 0, i64 1, i64 0, i64 1)
// CHECK-NOT: overwrite
// CHECK: {{^}}}
void gathered(double *a, const double *b, const int *index, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[index[i]];
}
// With gaps; conditional; with an end in the middle.
// CHECK-LABEL: define {{.*}}@gaps(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
void gaps(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[2 * i] = 1;
}
// CHECK-LABEL: define {{.*}}@parts(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
void parts(double *a, const char *wanted, long n) {
  for (long i = 0; i < n; i++)
    if (wanted[i])
      a[i] = 1;
}
// CHECK-LABEL: define {{.*}}@interrupted(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
void interrupted(double *restrict a, const double *restrict b, long n) {
  for (long i = 0; i < n; i++) {
    a[i] = 1;
    if (b[i] != 0)
      break;
  }
}
// Two fields of three.
// CHECK-LABEL: define {{.*}}@fields(
// CHECK-NOT: {{over|re}}write
// CHECK: {{^}}}
struct Three {
  double x, y, z;
};
void fields(struct Three *a, long n) {
  for (long i = 0; i < n; i++)
    a[i].x = a[i].z = (double)i;
}
