// image.c: an image of bytes is blurred, its edges found, and its histogram equalised: arithmetic
// on bytes, clamped indices, small tables.
//
// (Gonzalez, Woods: Digital image processing, 3.3 and 3.6, for the equalisation and the Sobel
// operator.)
#include "kernel.h"

typedef uint8_t Byte;

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

static void blurRows(int width, int height, const Byte *from, Byte *to) {
  static const int weights[5] = {1, 4, 6, 4, 1};
#pragma omp parallel for schedule(static)
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int sum = 8;
      for (int d = -2; d <= 2; d++)
        sum += weights[d + 2] * from[y * width + clamp(x + d, width - 1)];
      to[y * width + x] = (Byte)(sum >> 4);
    }
}

static void blurColumns(int width, int height, const Byte *from, Byte *to) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < height; y++) {
    const Byte *row[5];
    for (int d = -2; d <= 2; d++)
      row[d + 2] = from + clamp(y + d, height - 1) * width;
    for (int x = 0; x < width; x++)
      to[y * width + x] =
          (Byte)((row[0][x] + 4 * row[1][x] + 6 * row[2][x] + 4 * row[3][x] + row[4][x] + 8) >> 4);
  }
}

static void findEdges(int width, int height, const Byte *from, Byte *to) {
#pragma omp parallel for schedule(static)
  for (int y = 1; y < height - 1; y++) {
    const Byte *up = from + (y - 1) * width, *here = up + width, *down = here + width;
    for (int x = 1; x < width - 1; x++) {
      const int gx =
          up[x + 1] + 2 * here[x + 1] + down[x + 1] - up[x - 1] - 2 * here[x - 1] - down[x - 1];
      const int gy = down[x - 1] + 2 * down[x] + down[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];
      to[y * width + x] = (Byte)clamp(abs(gx) + abs(gy), 255);
    }
  }
}

static void equalise(int width, int height, Byte *image) {
  long histogram[256] = {0};
  Byte table[256];
  const long count = (long)width * height;
#pragma omp parallel for schedule(static) reduction(+ : histogram)
  for (long i = 0; i < count; i++)
    histogram[image[i]]++;
  for (long v = 0, below = 0; v < 256; v++) {
    below += histogram[v];
    table[v] = (Byte)(below * 255 / count);
  }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < count; i++)
    image[i] = table[image[i]];
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), width = small ? 160 : 1600, height = small ? 120 : 1200,
            rounds = small ? 2 : 24;
  const long count = (long)width * height;
  Byte *image = allocate((size_t)count, 1), *other = allocate((size_t)count, 1);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < count; i++) {
    const long x = i % width, y = i / width, z = x * x / width + y * y / height;
    image[i] = (Byte)((z / 16 % 2 ? 60 : 180) + (long)(mix((uint64_t)i) % 40));
    other[i] = 0;
  }
  uint64_t answer = 0;
  long noise = 0, edges = 0;
  for (int round = 0; round < rounds; round++) {
    blurRows(width, height, image, other);
    blurColumns(width, height, other, image);
    equalise(width, height, image);
  }
  findEdges(width, height, image, other);
#pragma omp parallel for schedule(static) reduction(+ : answer, noise, edges)
  for (long i = 0; i < count; i++) {
    answer += mix((uint64_t)i * 65536 + image[i] * 256u + other[i]);
    noise += i > 0 && abs(image[i] - image[i - 1]) > 128;
    edges += other[i] > 100;
  }
  return conclude(answer, noise < count / 100 && edges > 0 && edges < count);
}
