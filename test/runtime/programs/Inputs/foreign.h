struct item {
  struct item *next;
  int weight;
};
double foreign_sum(const double *values, long count);
void foreign_axpy(double factor, const double *x, double *y, long count);
int foreign_length(const struct item *list);
