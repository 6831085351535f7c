/* bounds.h: kernels whose accesses have no section, but lie between addresses that are known in front of the loop, of a
 * part of their arrays. Repeated, so that the part is there by then. */

enum { Width = 13 };
static int rowsOf(const struct Work *w) { return w->n / Width; }

void KERNEL(masked)(struct Work *w) {
  for (int round = 0; round < 3; round++)
    for (int i = w->n / 4; i < w->n / 2; i++)
      if (w->s[i] % 3)
        w->a[i] = w->b[i] + w->c[i + 1];
}
void KERNEL(flat)(struct Work *w) {
  const int rows = rowsOf(w);
  for (int round = 0; round < 3; round++)
    for (int k = rows / 3 * Width; k < rows / 2 * Width; k++) {
      const int i = k / Width, j = k % Width;
      if (i > 0 && j > 0 && j < Width - 1 && i < rows - 1)
        w->a[k] = w->b[k - Width] + w->b[k + Width] + w->b[k - 1] + w->b[k + 1];
    }
}
/* As clang collapses two loops, with a width that nobody knows. */
void KERNEL(collapsed)(struct Work *w) {
  const int width = w->n > 40 ? w->index[0] % 7 + 5 : 3, rows = w->n / width;
  const double *restrict b = w->b;
  double *restrict a = w->a;
  for (int round = 0; round < 3; round++)
    for (long k = (long)(rows / 4) * width; k < (long)(rows / 2) * width; k++) {
      const int i = (int)(k / width), j = (int)(k - k / width * width);
      a[i * width + j] = b[(i + 1) * width - 1 - j] + b[i * width];
    }
}
void KERNEL(tiled)(struct Work *w) {
  const int rows = rowsOf(w);
  for (int top = rows / 4; top < rows / 2; top += 3)
    for (int left = 0; left < Width; left += 5) {
      const int lastRow = top + 3 < rows / 2 ? top + 3 : rows / 2, last = left + 5 < Width ? left + 5 : Width;
      for (int i = top; i < lastRow; i++)
        for (int j = left; j < last; j++)
          if (w->s[j] % 2 == 0)
            w->a[i * Width + j] = w->b[i * Width + j] + 1;
    }
}
void KERNEL(unsignedGrid)(struct Work *w) {
  const unsigned width = w->n > 40 ? (unsigned)w->index[0] % 7 + 5 : 3, rows = (unsigned)w->n / width;
  for (int round = 0; round < 3; round++)
    for (unsigned i = rows / 4 + 1; i + 1 < rows / 2; i++)
      for (unsigned j = 1; j + 1 < width; j++)
        w->a[i * width + j] = w->b[(i - 1) * width + j] + w->b[i * width + j - 1] + w->c[i * width + j + 1];
}
/* Where sums of unsigned numbers wrap, and are small again. */
void KERNEL(wrapped)(struct Work *w) {
  for (int round = 0; round < 3; round++)
    for (unsigned i = 0; i < (unsigned)w->n; i++)
      if (i > 5 && (i + 4294967290u) % 2 == 0)
        w->a[i + 4294967290u] = w->b[i - 6u] + w->c[(i * 3000000000u) % (unsigned)w->n];
}
void KERNEL(periodic)(struct Work *w) {
  const int n = w->n / 3;
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < n; i++) {
      const int left = i == 0 ? n - 1 : i - 1, right = (i + 1) % n;
      if (w->s[i] % 5 != 1)
        w->a[i] = w->b[left] + w->b[right] - w->c[(i - n / 2) % n < 0 ? 0 : i];
    }
}
void KERNEL(downward)(struct Work *w) {
  for (int i = w->n / 2; i > w->n / 4; i--)
    for (int j = i; j > i - 4 && j > 0; j--)
      if ((i ^ j) % 3)
        w->a[j] += w->b[j - 1];
}
void KERNEL(triangular)(struct Work *w) {
  const int rows = rowsOf(w) < Width ? rowsOf(w) : Width;
  for (int round = 0; round < 3; round++)
    for (int i = rows / 3; i < rows; i++)
      for (int j = 0; j < i; j += 2)
        if (w->s[j] != 4)
          w->a[i * Width + j] += w->b[j * Width + i];
}
void KERNEL(clamped)(struct Work *w) {
  const int least = w->n / 5, most = w->n / 2;
  for (int round = 0; round < 3 && w->n; round++)
    for (int i = 0; i < w->n; i++) {
      const int place = i < least ? least : i > most ? most : i;
      w->a[place] += w->b[place / 2] + w->c[place >> 1] + w->c[place & 15 & (w->n - 1)];
    }
}
/* Another object on the way, and pointers that move. */
void KERNEL(pointerLoops)(struct Work *w) {
  for (int round = 0; round < 3; round++) {
    const double *from = round % 2 ? w->b + w->n / 4 : w->c + w->n / 3;
    double *to = w->a + w->n / 4;
    for (const double *const end = from + w->n / 2; from < end; from++, to++)
      if (*from > 20)
        *to = *from;
  }
}
