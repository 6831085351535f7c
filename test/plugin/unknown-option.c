// An unknown option, or a value where none belongs, is an error that names what there is.
// RUN: not %clang -fplugin=%plugin -fplugin-arg-ompdsm-reprot -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -fpass-plugin=%plugin -fplugin-arg-ompdsm-reprot=x -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not env OMPDSM_PASS_OPTIONS=reprot %clang -fpass-plugin=%plugin -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not env OMPDSM_PASS_OPTIONS=report,reprot %opt -passes=ompdsm -disable-output /dev/null 2>&1 | FileCheck %s
// RUN: not %clang -fplugin=%plugin -fplugin-arg-ompdsm-no-eliminate=1 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=VALUE
// CHECK: error: unknown option 'reprot' of the ompdsm plugin; it has report: print {{.*}}; no-eliminate: keep
// VALUE: error: option 'no-eliminate' of the ompdsm plugin takes no value
int read(const int *p) { return *p; }
