// A wrong or unknown hint is reported once, at its place.
// RUN: not %clang -fopenmp -fpass-plugin=%plugin -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not=warning: --match-full-lines %s
int a[100], *p;
// CHECK: {{.*}}hint-errors.c:[[#@LINE+1]]:1: error: '#pragma ompdsm' may only be used inside a function
#pragma ompdsm broadcast(a)
void f(int n) {
// CHECK: {{.*}}:[[#@LINE+1]]:16: error: unknown hint 'brodcast' in '#pragma ompdsm'; known are 'distribute', 'broadcast'
#pragma ompdsm brodcast(a)
// CHECK: {{.*}}:[[#@LINE+1]]:14: error: unknown hint 'distribute' in '#pragma ompd'; known are 'broadcast'
#pragma ompd distribute(block: a)
// CHECK: {{.*}}:[[#@LINE+1]]:24: error: expected '(' after 'broadcast'
#pragma ompd broadcast a
// CHECK: {{.*}}:[[#@LINE+2]]:25: error: expected ')'
// CHECK: {{.*}}:[[#@LINE+1]]:23: note: to match this '('
#pragma ompd broadcast(a
// CHECK: {{.*}}:[[#@LINE+1]]:23: error: expected a variable in 'broadcast'
#pragma ompd broadcast()
// CHECK: {{.*}}:[[#@LINE+1]]:27: error: expected 'block:' in 'distribute'
#pragma ompdsm distribute(a)
// CHECK: {{.*}}:[[#@LINE+1]]:26: error: expected a variable in 'distribute'
#pragma ompdsm distribute(block: )
// CHECK: {{.*}}:[[#@LINE+1]]:34: error: use of undeclared identifier 'undeclared'
#pragma ompdsm distribute(block: undeclared)
// CHECK: {{.*}}:[[#@LINE+1]]:15: error: expected a clause after '#pragma ompdsm'; known are 'distribute', 'broadcast'
#pragma ompdsm
// CHECK: {{.*}}:[[#@LINE+1]]:14: warning: the hint 'scatter' is not supported yet and has no effect
#pragma ompd scatter(a,1,0)
  if (n)
// CHECK: {{.*}}:[[#@LINE+1]]:1: error: '#pragma ompd' cannot be the body of a statement; put braces around it and the statement that follows
#pragma ompd broadcast(a)
    n = 1;
  else
// CHECK: {{.*}}:[[#@LINE+1]]:1: error: '#pragma ompd' cannot be the body of a statement; put braces around it and the statement that follows
#pragma ompd broadcast(a)
    n = 2;
#pragma omp parallel for
// CHECK: {{.*}}:[[#@LINE+1]]:1: error: '#pragma ompd' must come before the OpenMP directive, not between it and its statement
#pragma ompd broadcast(a)
  for (int i = 0; i < n; i++)
    a[i] = 1;
#pragma omp barrier
#pragma ompd broadcast(a), broadcast(p[0:n])
// CHECK: {{.*}}:[[#@LINE+1]]:23: error: expected a variable in 'broadcast'
#pragma ompd broadcast(a,)
}
struct s {
  int x;
} s1 = {1};
// A brace of an initialiser is no code.
int list[] = {
    1,
// CHECK: {{.*}}:[[#@LINE+1]]:1: error: '#pragma ompd' may only be used inside a function
#pragma ompd broadcast(a)
    2};
struct s g(void) {
#pragma ompdsm distribute(block: p[1:100*10])
  return s1;
}
