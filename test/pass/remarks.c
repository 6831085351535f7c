// -Rpass=ompdsm and -Rpass-missed=ompdsm say for each access in a loop where its check is, and why.
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -Rpass=ompdsm -Rpass-missed=ompdsm -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -fopenmp -fplugin=%plugin -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: remark
void next(void);
struct List {
  struct List *next;
  long value;
};
long product(long n, double *restrict a, struct List **lists, const struct List *list, const int *restrict index) {
  long sum = 0;
  for (long step = 0; step < n; step++) {
    for (long i = 0; i < n; i++)
      // CHECK-DAG: remarks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: check moved in front of the loop of line [[#@LINE-1]]; no further: the loop may synchronise [-Rpass=ompdsm]
      a[i] = 1;
    for (long i = 0; i < n; i++)
      // CHECK-DAG: remarks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: no check if all of the object is valid in front of the loop of line [[#@LINE-1]] [-Rpass=ompdsm]
      a[index[i]] = 2;
    for (const struct List *at = list; at; at = at->next)
      // CHECK-DAG: remarks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: check stays in the loop: the number of iterations is unknown [-Rpass-missed=ompdsm]
      sum += at->value;
    for (long i = 0; i < n; i++)
      if (lists[i])
        // CHECK-DAG: remarks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: check stays in the loop: the access is conditional [-Rpass-missed=ompdsm]
        sum += lists[i]->value;
    next();
  }
  return sum;
}
