// What libstdc++ has compiled beforehand, without checks, is instantiated in the program if it touches
// the program's objects; the library's own objects (locales) stay the library's.
// RUN: %clangxx -std=c++17 -O0 -fplugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=OWN %s < %t.ll
// RUN: %clangxx -std=c++17 -O0 -D_GLIBCXX_ASSERTIONS -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -std=c++20 -O1 -fno-inline -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// Without the plugin they are the library's, so the test can fail.
// RUN: %clangxx -std=c++17 -O0 -S -emit-llvm %s -o - | FileCheck --check-prefix=PLAIN %s
// The macro has its value again behind the headers.
// RUN: %clangxx -fplugin=%plugin -fsyntax-only -DASK %s
// CHECK-DAG: define linkonce_odr {{.*}} @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(
// CHECK-DAG: define linkonce_odr {{.*}} @_ZNSirsERi(
// The variable that a number is read into is asked for before the library stores to it.
// CHECK-DAG: call void @__ompdsm_range_write(ptr {{.*}}%{{[^,]*}}, i64 8)
// CHECK-DAG: define linkonce_odr {{.*}} @_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(
// OWN-NOT: @_ZNSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE2idE = {{.*}}global
// PLAIN: declare {{.*}} @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(
#include <iostream>
#include <string>
#if defined ASK && _GLIBCXX_EXTERN_TEMPLATE != 1
#error "the macro lost its value"
#endif
void add(std::string &text) { text.append("more"); }
void read(std::string &text, int &number, double &real) { std::cin >> text >> number >> real; }
void write(const std::string &text) { std::cout << text; }
