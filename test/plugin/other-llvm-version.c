// A program that is no LLVM of the plugin's version gets a message and no crash, although it has none of the symbols.
// RUN: not %python -c "import ctypes; ctypes.CDLL(r'%plugin')" 2>&1 | FileCheck %s
// CHECK: ompdsm: this plugin is built for LLVM {{[0-9]+}}, and the program that loads it is LLVM 0: use clang-{{[0-9]+}}
