/* kernels.h: the kernels of kernels.c, by name, and what they work on. */
#ifndef KERNELS_H
#define KERNELS_H

struct Work {
  double *a, *b, *c; /* n each */
  float *f;          /* n */
  int *index;        /* n values in [0, n) */
  short *s;          /* n */
  char *bytes;       /* 8 n, of any alignment */
  int n;
};

#define KERNELS(K)                                                                                 \
  K(triad) K(stencil) K(reversed) K(strided) K(gather) K(scatter) K(histogram) K(sum) K(dot) K(partly) \
  K(conditional) K(conditionalFloat) K(compact) K(converted) K(charactersUp) K(shorts) K(copied)    \
  K(moved) K(filled) K(compared) K(structures) K(packed) K(bits) K(increments) K(pointers)          \
  K(synchronising) K(atomics) K(fenced) K(branches) K(matrix) K(complexNumbers) K(longDoubles)      \
  K(locals) K(recursive) K(variableArrays) K(doubled) K(expanded) K(compressed)                     \
  K(fivePoints) K(fixedRows) K(columns) K(transposed) K(product) K(cube) K(triangle) K(backwards)   \
  K(emptyRows) K(planes) K(wrapping) K(interrupted) K(leftEarly) K(records) K(swept) K(callees) \
  K(margins) K(counted) K(rowsByIndex) K(rowsOfMembers) K(summaries) K(partsOfRows) K(searched) \
  K(butterflies)                                                                                   \
  K(masked) K(flat) K(collapsed) K(tiled) K(unsignedGrid) K(wrapped) K(periodic) K(downward)        \
  K(triangular) K(clamped) K(pointerLoops)

#define DECLARE(name) void plain_##name(struct Work *w); void checked_##name(struct Work *w);
KERNELS(DECLARE)
#undef DECLARE

#endif
