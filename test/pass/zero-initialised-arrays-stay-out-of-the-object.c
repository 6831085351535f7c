// A static array of 256 MB takes no room in the object file, at any level.
// RUN: %clang -O0 -fplugin=%plugin -c %s -o %t.o && llvm-readelf -SW %t.o | FileCheck %s && %python -c "import os, sys; sys.exit(os.path.getsize(r'%t.o') > 20000)"
// RUN: %clang -O1 -fplugin=%plugin -c %s -o %t.o && llvm-readelf -SW %t.o | FileCheck %s && %python -c "import os, sys; sys.exit(os.path.getsize(r'%t.o') > 20000)"
// RUN: %clang -O2 -fplugin=%plugin -c %s -o %t.o && llvm-readelf -SW %t.o | FileCheck %s && %python -c "import os, sys; sys.exit(os.path.getsize(r'%t.o') > 20000)"
// RUN: %clang -O3 -fplugin=%plugin -c %s -o %t.o && llvm-readelf -SW %t.o | FileCheck %s && %python -c "import os, sys; sys.exit(os.path.getsize(r'%t.o') > 20000)"
// CHECK-DAG: ompdsm_large_bss NOBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 10000000 00 WA {{.*}} 1024
// CHECK-DAG: ompdsm_data PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000004 00 WA {{.*}} 16
// CHECK-DAG: ompdsm_bss NOBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000004 00 WA {{.*}} 16
char array[256 << 20];
int one = 1;
static int zero;
int *where(void) { return &zero; }
