// A linked list: all threads allocate elements and push them under a critical; then all threads
// walk it; then every thread frees elements that others have allocated.
#include "report.h"
#include <omp.h>

enum { Elements = 300 };

struct Element {
  struct Element *next;
  int key, owner;
  char text[11];
};

static struct Element *head;

int main(void) {
  long walked = 0, freed = 0, length = 0;
  const long expectedSum = (long)Elements * (Elements - 1) / 2;
#pragma omp parallel reduction(+ : walked, freed)
  {
    const int me = omp_get_thread_num();
#pragma omp for schedule(static, 1)
    for (int k = 0; k < Elements; k++) {
      struct Element *element = malloc(sizeof *element);
      element->key = k;
      element->owner = me;
      for (int i = 0; i < 11; i++)
        element->text[i] = (char)(k + i);
#pragma omp critical
      {
        element->next = head;
        head = element;
      }
    }
    long sum = 0, count = 0;
    for (struct Element *e = head; e; e = e->next, count++) {
      sum += e->key;
      for (int i = 0; i < 11; i++)
        expectInteger("text of an element", e->key, (char)(e->key + i), e->text[i]);
    }
    expectInteger("elements seen by a thread", me, Elements, count);
    expectInteger("sum of the keys", me, expectedSum, sum);
    walked += count;
#pragma omp barrier
    for (;;) {
      struct Element *mine;
#pragma omp critical
      {
        mine = head;
        if (head)
          head = head->next;
      }
      if (!mine)
        break;
      freed += mine->key;
      free(mine);
    }
#pragma omp single
    length = omp_get_num_threads();
  }
  expectInteger("elements walked", 0, length * Elements, walked);
  expectInteger("keys freed", 0, expectedSum, freed);
  expectInteger("list is empty", 0, 1, head == NULL);
  return finish();
}
