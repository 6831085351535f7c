// -Rpass=ompdsm and -Rpass-missed=ompdsm say for each access in a loop where its check is, and why.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -Rpass=ompdsm -Rpass-missed=ompdsm -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: remark
void next(void);
void product(long n, double *restrict a, double *restrict b, const int *restrict index) {
  for (long step = 0; step < n; step++) {
    for (long i = 0; i < n; i++)
      // CHECK: remarks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: check moved in front of the loop of line [[#@LINE-1]]; no further: the loop may synchronise [-Rpass=ompdsm]
      a[i] = 1;
    for (long i = 0; i < n; i++)
      // CHECK-DAG: remarks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: check stays in the loop: the address is no linear function of the iteration [-Rpass-missed=ompdsm]
      a[index[i]] = 2;
    for (long i = 0; i < n; i++)
      if (index[i])
        // CHECK-DAG: remarks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: check stays in the loop: the access is conditional [-Rpass-missed=ompdsm]
        b[i] = 3;
    next();
  }
}
