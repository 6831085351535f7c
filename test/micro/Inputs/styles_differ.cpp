// styles_differ.cpp: answers otherwise where ompdsm's compiler has compiled it.
#include <cstdio>

int main() {
#ifdef __OMPDSM__
  std::puts("0.1 2");
#else
  std::puts("0.1 1");
#endif
}
