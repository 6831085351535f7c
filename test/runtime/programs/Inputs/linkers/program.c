/* Program of linkers.test: one object in each of the four shared sections. */
#include <omp.h>
int data = 1, bss, largeData[9000] = {1}, largeBss[9000];
int main(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    data += 4;
    bss = 5;
    largeData[8000] = 6;
    largeBss[8000] = 7;
  }
  return !(data == 5 && bss == 5 && largeData[8000] == 6 && largeBss[8000] == 7 && largeData[0] == 1);
}
