/* A library as it comes from elsewhere: compiled without the plugin. */
#include "foreign.h"

double foreign_sum(const double *values, long count) {
  double sum = 0;
  for (long i = 0; i < count; ++i)
    sum += values[i];
  return sum;
}

void foreign_axpy(double factor, const double *x, double *y, long count) {
  for (long i = 0; i < count; ++i)
    y[i] += factor * x[i];
}

int foreign_length(const struct item *list) {
  int length = 0;
  for (; list; list = list->next)
    length += list->weight;
  return length;
}
