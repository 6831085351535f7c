// The report says what each function got, and why which access got nothing, with its place.
// RUN: %clang -g -O1 -fplugin=%plugin -fplugin-arg-ompdsm-report -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: rm -f %t.txt
// RUN: %clang -g -O1 -fplugin=%plugin -fplugin-arg-ompdsm-report=%t.txt -c %s -o %t.o 2>&1 | count 0
// RUN: FileCheck %s < %t.txt
// CHECK: instrumentation report
// CHECK: increment ({{.*}}report.c:[[@LINE+5]]): inserted 1 write checks; not checked 1 constant, 1 covered by an earlier check
// CHECK-DAG: report.c:[[@LINE+5]]:{{.*}}: load not checked: constant
// CHECK-DAG: report.c:[[@LINE+4]]:{{.*}}: store not checked: covered by an earlier check
const int steps[4] = {1, 2, 3, 4};

void increment(int *p, int i) {
  *p += steps[i & 3];
}
