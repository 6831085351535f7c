// A hint becomes a call at its place; without the plugin, and under -E, it stays a pragma.
// RUN: %clang -fopenmp -fpass-plugin=%plugin -Wall -Wextra -Werror -pedantic -std=c99 -S -emit-llvm -O1 %s -o - | FileCheck %s
// RUN: %clang -fopenmp -fplugin=%plugin -Wall -Wextra -Werror -S -emit-llvm -O1 %s -o - | FileCheck %s
// RUN: %clang -x c++ -fopenmp -fpass-plugin=%plugin -Wall -Wextra -Werror -S -emit-llvm -O1 %s -o - | FileCheck %s
// RUN: %clang -fopenmp -fpass-plugin=%plugin -E %s | FileCheck --check-prefix=TEXT %s
// RUN: %clang -fopenmp -fpass-plugin=%plugin -E %s -o %t.i
// RUN: %clang -fopenmp -fpass-plugin=%plugin -S -emit-llvm -O1 %t.i -o - | FileCheck %s
// RUN: %clang -fopenmp -S -emit-llvm -O1 %s -o - | FileCheck --check-prefix=PLAIN %s
// TEXT: #pragma ompdsm distribute ( block : table , p [ 1000 : 2 * 1000 ] )
// PLAIN-NOT: __ompdsm_hint
#define N 1000
double table[N];
void use(double *p, int n) {
// CHECK-LABEL: @{{.*}}use
// CHECK: call void @__ompdsm_hint(i32 {{[a-z ]*}}1, ptr {{.*}}@table, i64 {{[a-z ]*}}8000, ptr {{.*}}@[[PLACE:[.a-z0-9]+]])
// CHECK: %[[SECOND:.+]] = getelementptr{{.*}} ptr %{{.*}}, i64 8000
// CHECK: call void @__ompdsm_hint(i32 {{[a-z ]*}}1, ptr {{.*}}%[[SECOND]], i64 {{[a-z ]*}}16000,
#pragma ompdsm distribute(block: table, p[N:2*N])
  if (n > 1) {
// CHECK: call void @__ompdsm_hint(i32 {{[a-z ]*}}0, ptr {{.*}}@table, i64 {{[a-z ]*}}8000,
    _Pragma("ompd broadcast(table)")
    p[0] = 1;
  }
  switch (n) {
  case 7:
// CHECK-DAG: call void @__ompdsm_hint(i32 {{[a-z ]*}}0, ptr {{.*}}%{{.*}}, i64 {{[a-z ]*}}8,
#pragma ompdsm broadcast(p[1])
    p[1] = 2;
    break;
  default:
    break;
  }
}
