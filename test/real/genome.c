// RUN: %build-c
// RUN: mkdir -p %t.d && cd %t.d
// RUN: %full env OMP_NUM_THREADS=4 %run -n 4 %t | tail -n 1 | grep -x ok
// RUN: %full %run -n 2 -t 2 %t | tail -n 1 | grep -x ok
/* genome.c - k-mer counting and read alignment on a generated genome.
 *
 * A shared chained hash table with striped locks counts k-mers and indexes
 * the reference; the counts are sorted by a task merge sort; reads are placed
 * by seeds and aligned by Smith-Waterman; one long alignment is done by a
 * blocked wavefront of tasks and by doacross.
 *
 *   genome [-n bases] [-s reads] [-k k] [-h]
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omp.h>

enum { STRIPES = 128, READ = 100, TOP = 10, BLOCK = 64 };

typedef struct {
  int bases, reads, k;
} Options;

typedef struct Place {
  int position;
  struct Place *next;
} Place;

typedef struct Entry {
  uint64_t kmer;
  int count;
  Place *places;
  struct Entry *next;
} Entry;

typedef struct {
  size_t buckets;
  Entry **chain;
  omp_lock_t lock[STRIPES];
  long entries[STRIPES];
} Table;

typedef struct {
  char *name, *bases;
  int length, truth;
} Read;

typedef struct {
  uint64_t kmer;
  int count;
} Count;

typedef struct {
  int read, position, score, end;
} Alignment;

typedef struct {
  char *text;
  size_t used, room;
} Buffer;

static int failures;

static void check(bool good, const char *what) {
  if (!good) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

static void *need(void *p) {
  if (!p) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return p;
}

/* ------------------------------------------------------------- generator -- */

static uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static const char letters[] = "ACGT";

static int code(char c) {
  switch (toupper((unsigned char)c)) {
  case 'A':
    return 0;
  case 'C':
    return 1;
  case 'G':
    return 2;
  case 'T':
    return 3;
  }
  return -1;
}

/* A random genome with repeats, so that some k-mers are frequent. */
static char *make_genome(int n) {
  char *g = need(malloc((size_t)n + 1));
  char repeat[48];
  for (int i = 0; i < 48; i++)
    repeat[i] = letters[mix(77 + i) & 3];
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    g[i] = letters[mix(1000003ull + i) >> 62];
  g[n] = '\0';
  const int copies = n / 1500;
#pragma omp parallel for schedule(dynamic)
  for (int c = 0; c < copies; c++) {
    const int at = 200 + c * 1500;
    if (at + 48 < n)
      memcpy(g + at, repeat, 30 + mix(c) % 18);
  }
  return g;
}

static Read *make_reads(const char *genome, int n, int count) {
  Read *r = need(calloc(count, sizeof *r));
#pragma omp parallel for schedule(dynamic, 16)
  for (int i = 0; i < count; i++) {
    uint64_t seed = mix(5000011ull * (i + 1));
    char name[32];
    r[i].truth = (int)(seed % (uint64_t)(n - READ - 4));
    snprintf(name, sizeof name, "read%05d/%d", i, r[i].truth);
    r[i].name = need(strdup(name));
    r[i].bases = need(malloc(READ + 1));
    int from = r[i].truth, to = 0;
    while (to < READ && from < n) {
      seed = mix(seed);
      const int chance = (int)(seed % 200);
      if (chance == 0) {
        from++; /* deletion     */
        continue;
      }
      if (chance == 1) {
        r[i].bases[to++] = letters[(seed >> 20) & 3]; /* insertion    */
        continue;
      }
      r[i].bases[to++] = chance < 5 ? letters[(seed >> 20) & 3] : genome[from];
      from++;
    }
    r[i].bases[to] = '\0';
    r[i].length = to;
  }
  return r;
}

static void free_reads(Read *r, int count) {
#pragma omp parallel for
  for (int i = 0; i < count; i++) {
    free(r[i].name);
    free(r[i].bases);
  }
  free(r);
}

/* ------------------------------------------------------------ hash table -- */

static Table *table_new(size_t buckets) {
  Table *t = need(malloc(sizeof *t));
  t->buckets = buckets;
  t->chain = need(calloc(buckets, sizeof *t->chain));
  for (int i = 0; i < STRIPES; i++) {
    omp_init_lock(&t->lock[i]);
    t->entries[i] = 0;
  }
  return t;
}

static void table_free(Table *t) {
#pragma omp parallel for schedule(dynamic, 64)
  for (size_t b = 0; b < t->buckets; b++)
    for (Entry *e = t->chain[b]; e;) {
      Entry *next = e->next;
      for (Place *p = e->places; p;) {
        Place *q = p->next;
        free(p);
        p = q;
      }
      free(e);
      e = next;
    }
  for (int i = 0; i < STRIPES; i++)
    omp_destroy_lock(&t->lock[i]);
  free(t->chain);
  free(t);
}

static void table_add(Table *t, uint64_t kmer, int position) {
  const size_t b = mix(kmer) % t->buckets;
  const int stripe = (int)(b * STRIPES / t->buckets);
  omp_set_lock(&t->lock[stripe]);
  Entry *e = t->chain[b];
  while (e && e->kmer != kmer)
    e = e->next;
  if (!e) {
    e = need(malloc(sizeof *e));
    e->kmer = kmer;
    e->count = 0;
    e->places = NULL;
    e->next = t->chain[b];
    t->chain[b] = e;
    t->entries[stripe]++;
  }
  e->count++;
  if (position >= 0) {
    Place *p = need(malloc(sizeof *p));
    p->position = position;
    p->next = e->places;
    e->places = p;
  }
  omp_unset_lock(&t->lock[stripe]);
}

/* Only when nobody adds any more. */
static const Entry *table_find(const Table *t, uint64_t kmer) {
  const Entry *e = t->chain[mix(kmer) % t->buckets];
  while (e && e->kmer != kmer)
    e = e->next;
  return e;
}

static long table_size(const Table *t) {
  long n = 0;
  for (int i = 0; i < STRIPES; i++)
    n += t->entries[i];
  return n;
}

static bool encode(const char *s, int k, uint64_t *out) {
  uint64_t v = 0;
  for (int i = 0; i < k; i++) {
    const int c = code(s[i]);
    if (c < 0)
      return false;
    v = v << 2 | (uint64_t)c;
  }
  *out = v;
  return true;
}

static void decode(uint64_t kmer, int k, char *out) {
  for (int i = k - 1; i >= 0; i--, kmer >>= 2)
    out[i] = letters[kmer & 3];
  out[k] = '\0';
}

static Table *index_genome(const char *g, int n, int k) {
  Table *t = table_new((size_t)n / 2 + 1);
  /* chunks by threads: neighbouring k-mers hash to different stripes */
#pragma omp parallel for schedule(static)
  for (int i = 0; i <= n - k; i++) {
    uint64_t v;
    if (encode(g + i, k, &v))
      table_add(t, v, i);
  }
  return t;
}

/* ------------------------------------------------------------------ sort -- */

static int compare_counts(const void *x, const void *y) {
  const Count *a = x, *b = y;
  if (a->count != b->count)
    return a->count < b->count ? 1 : -1;
  return a->kmer < b->kmer ? -1 : a->kmer > b->kmer;
}

static void merge(const Count *a, size_t na, const Count *b, size_t nb, Count *out) {
  while (na && nb)
    if (compare_counts(a, b) <= 0) {
      *out++ = *a++;
      na--;
    } else {
      *out++ = *b++;
      nb--;
    }
  memcpy(out, na ? a : b, (na ? na : nb) * sizeof *out);
}

static void sort_tasks(Count *a, Count *tmp, size_t n) {
  if (n <= 1024) {
    qsort(a, n, sizeof *a, compare_counts);
    return;
  }
  const size_t half = n / 2;
#pragma omp task
  sort_tasks(a, tmp, half);
#pragma omp task
  sort_tasks(a + half, tmp + half, n - half);
#pragma omp taskwait
  merge(a, half, a + half, n - half, tmp);
  memcpy(a, tmp, n * sizeof *a);
}

static Count *collect(const Table *t, size_t *count) {
  const size_t n = (size_t)table_size(t);
  Count *a = need(malloc((n + 1) * sizeof *a)), *tmp = need(malloc((n + 1) * sizeof *tmp));
  size_t next = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 256)
    for (size_t b = 0; b < t->buckets; b++) {
      int here = 0;
      for (const Entry *e = t->chain[b]; e; e = e->next)
        here++;
      if (!here)
        continue;
      size_t at;
#pragma omp atomic capture
      {
        at = next;
        next += here;
      }
      for (const Entry *e = t->chain[b]; e; e = e->next, at++) {
        a[at].kmer = e->kmer;
        a[at].count = e->count;
      }
    }
#pragma omp single
    sort_tasks(a, tmp, n);
  }
  check(next == n, "k-mers lost between table and array");
  free(tmp);
  *count = n;
  return a;
}

/* --------------------------------------------------------- Smith-Waterman -- */

enum { MATCH = 2, MISMATCH = -1, GAP = -2 };

static inline int max2(int a, int b) { return a > b ? a : b; }

static inline int cell(char x, char y, int diag, int up, int left) {
  const int d = diag + (x == y ? MATCH : MISMATCH);
  return max2(max2(0, d), max2(up, left) + GAP);
}

/* Plain version with two rows for the reads. */
static int align(const char *a, int na, const char *b, int nb, int *end) {
  int row[READ * 2 + 2] = {0}, best = 0;
  *end = 0;
  for (int i = 0; i < na; i++) {
    int diag = 0;
    for (int j = 0; j < nb; j++) {
      const int v = cell(a[i], b[j], diag, row[j + 1], row[j]);
      diag = row[j + 1];
      row[j + 1] = v;
      if (v > best) {
        best = v;
        *end = j;
      }
    }
  }
  return best;
}

static void block(const char *a, const char *b, int *h, int nb, int i0, int i1, int j0, int j1) {
  const size_t w = (size_t)nb + 1;
  for (int i = i0; i < i1; i++)
    for (int j = j0; j < j1; j++) {
      int *p = h + (size_t)(i + 1) * w + j + 1;
      *p = cell(a[i], b[j], p[-(long)w - 1], p[-(long)w], p[-1]);
    }
}

static int *matrix(int na, int nb) {
  return need(calloc((size_t)(na + 1) * (nb + 1), sizeof(int)));
}

static int matrix_max(const int *h, int na, int nb) {
  const size_t n = (size_t)(na + 1) * (nb + 1);
  int best = 0;
#pragma omp parallel for reduction(max : best)
  for (size_t i = 0; i < n; i++)
    best = max2(best, h[i]);
  return best;
}

static int wave_tasks(const char *a, int na, const char *b, int nb, int *h) {
  const int mi = (na + BLOCK - 1) / BLOCK, mj = (nb + BLOCK - 1) / BLOCK;
  char *done = need(calloc((size_t)(mi + 1) * (mj + 1), 1));
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < mi; i++)
      for (int j = 0; j < mj; j++) {
        const int i1 = (i + 1) * BLOCK < na ? (i + 1) * BLOCK : na;
        const int j1 = (j + 1) * BLOCK < nb ? (j + 1) * BLOCK : nb;
        char *me = done + (size_t)(i + 1) * (mj + 1) + j + 1;
        char *up = me - (mj + 1), *left = me - 1;
#pragma omp task depend(in : up[0], left[0]) depend(out : me[0]) firstprivate(i, j, i1, j1, me)
        {
          block(a, b, h, nb, i * BLOCK, i1, j * BLOCK, j1);
          *me = 1;
        }
      }
  }
  int complete = 0;
  for (int i = 1; i <= mi; i++)
    for (int j = 1; j <= mj; j++)
      complete += done[(size_t)i * (mj + 1) + j];
  check(complete == mi * mj, "blocks of the wavefront are missing");
  free(done);
  return matrix_max(h, na, nb);
}

static int wave_doacross(const char *a, int na, const char *b, int nb, int *h) {
  const int mi = (na + BLOCK - 1) / BLOCK, mj = (nb + BLOCK - 1) / BLOCK;
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 0; i < mi; i++)
    for (int j = 0; j < mj; j++) {
      const int i1 = (i + 1) * BLOCK < na ? (i + 1) * BLOCK : na;
      const int j1 = (j + 1) * BLOCK < nb ? (j + 1) * BLOCK : nb;
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      block(a, b, h, nb, i * BLOCK, i1, j * BLOCK, j1);
#pragma omp ordered depend(source)
    }
  return matrix_max(h, na, nb);
}

/* ---------------------------------------------------------------- mapping -- */

static int compare_ints(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The best diagonal by votes of the seeds, then an alignment around it. */
static Alignment map_read(const Table *t, const char *g, int n, const Read *r, int id, int k) {
  Alignment best = {id, -1, 0, 0};
  int *votes = NULL, used = 0, room = 0;
  for (int i = 0; i + k <= r->length; i += 4) {
    uint64_t v;
    if (!encode(r->bases + i, k, &v))
      continue;
    const Entry *e = table_find(t, v);
    if (!e || e->count > 64)
      continue;
    for (const Place *p = e->places; p; p = p->next) {
      if (used == room) {
        room = room ? 2 * room : 16;
        votes = need(realloc(votes, room * sizeof *votes));
      }
      votes[used++] = p->position - i;
    }
  }
  qsort(votes, used, sizeof *votes, compare_ints);
  int diagonal = 0, most = 0;
  for (int i = 0; i < used;) {
    int j = i;
    while (j < used && votes[j] - votes[i] <= 3)
      j++;
    if (j - i > most) {
      most = j - i;
      diagonal = votes[i];
    }
    i = j;
  }
  free(votes);
  if (most >= 2) {
    const int from = max2(0, diagonal - 8);
    const int to = from + READ + 24 < n ? from + READ + 24 : n;
    best.score = align(r->bases, r->length, g + from, to - from, &best.end);
    best.end += from;
    best.position = diagonal;
  }
  return best;
}

static void map_all(const Table *t, const char *g, int n, const Read *r, int count, int k,
                    Alignment *out, long *placed, long *score) {
  long pl = 0, sc = 0;
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : pl, sc)
  for (int i = 0; i < count; i++) {
    out[i] = map_read(t, g, n, &r[i], i, k);
    if (out[i].position >= 0) {
      pl++;
      sc += out[i].score;
    }
  }
  *placed = pl;
  *score = sc;
}

static int compare_alignments(const void *x, const void *y) {
  const Alignment *a = x, *b = y;
  if (a->score != b->score)
    return b->score - a->score;
  return a->read - b->read;
}

/* ----------------------------------------------------------------- output -- */

static void append(Buffer *b, const char *format, ...) {
  va_list ap;
  for (;;) {
    va_start(ap, format);
    const int n = vsnprintf(b->text ? b->text + b->used : NULL, b->room - b->used, format, ap);
    va_end(ap);
    if (b->text && b->used + (size_t)n < b->room) {
      b->used += (size_t)n;
      return;
    }
    b->room = 2 * b->room + (size_t)n + 64;
    b->text = need(realloc(b->text, b->room));
  }
}

/* Lines are formatted in parallel and appended in order. */
static Buffer report(const Count *counts, size_t nk, const Read *reads, const Alignment *al, int nr,
                     int k) {
  Buffer b = {NULL, 0, 0};
  char kmer[40];
  append(&b, "rank  k-mer%*s count\n", k - 5 > 0 ? k - 5 : 0, "");
  for (size_t i = 0; i < TOP && i < nk; i++) {
    decode(counts[i].kmer, k, kmer);
    append(&b, "%4zu  %-*s %5d\n", i + 1, k, kmer, counts[i].count);
  }
  append(&b, "read              truth  position  score  end\n");
#pragma omp parallel for ordered schedule(static, 4)
  for (int i = 0; i < nr; i++) {
    char line[96];
    const Read *r = &reads[al[i].read];
    snprintf(line, sizeof line, "%-16s %6d  %8d  %5d  %6d\n", r->name, r->truth, al[i].position,
             al[i].score, al[i].end);
#pragma omp ordered
    append(&b, "%s", line);
  }
  return b;
}

static uint64_t hash_text(const char *s) {
  uint64_t h = 1469598103934665603ull;
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * 1099511628211ull;
  return h;
}

/* ------------------------------------------------------------------- run -- */

typedef struct {
  Buffer text;
  size_t kmers;
  long total, placed, score, right;
  int wave;
} Result;

static Result analyse(const Options *o, bool wave) {
  Result r = {0};
  char *g = make_genome(o->bases);
  Read *reads = make_reads(g, o->bases, o->reads);
  Table *t = index_genome(g, o->bases, o->k);
  Count *counts = collect(t, &r.kmers);

  bool sorted = true;
  long total = 0;
#pragma omp parallel for reduction(&& : sorted) reduction(+ : total)
  for (size_t i = 0; i < r.kmers; i++) {
    total += counts[i].count;
    if (i > 0)
      sorted = sorted && compare_counts(&counts[i - 1], &counts[i]) < 0;
  }
  r.total = total;
  check(sorted, "the counts are not sorted");
  check(total == o->bases - o->k + 1, "the counts do not add up");

  Alignment *al = need(malloc(o->reads * sizeof *al));
  map_all(t, g, o->bases, reads, o->reads, o->k, al, &r.placed, &r.score);
  long right = 0;
#pragma omp parallel for reduction(+ : right)
  for (int i = 0; i < o->reads; i++)
    if (al[i].position >= 0 && abs(al[i].position - reads[i].truth) <= 8)
      right++;
  r.right = right;
  qsort(al, o->reads, sizeof *al, compare_alignments);
  r.text = report(counts, r.kmers, reads, al, o->reads < 40 ? o->reads : 40, o->k);

  if (wave) {
    const int na = 500 < o->bases / 4 ? 500 : o->bases / 4, nb = na + 37;
    int *h1 = matrix(na, nb), *h2 = matrix(na, nb), *h3 = matrix(na, nb);
    const char *a = g + 100, *b = g + o->bases / 2;
    const int s1 = wave_tasks(a, na, b, nb, h1);
    const int s2 = wave_doacross(a, na, b, nb, h2);
    block(a, b, h3, nb, 0, na, 0, nb);
    const int s3 = matrix_max(h3, na, nb);
    const size_t bytes = (size_t)(na + 1) * (nb + 1) * sizeof(int);
    check(s1 == s3 && memcmp(h1, h3, bytes) == 0, "the wavefront by tasks is wrong");
    check(s2 == s3 && memcmp(h2, h3, bytes) == 0, "the wavefront by doacross is wrong");
    r.wave = s3;
    free(h1);
    free(h2);
    free(h3);
  }
  free(al);
  free(counts);
  table_free(t);
  free_reads(reads, o->reads);
  free(g);
  return r;
}

static Options parse(int argc, char **argv) {
  Options o = {.bases = 30000, .reads = 300, .k = 13};
  int c;
  while ((c = getopt(argc, argv, "n:s:k:h")) != -1)
    switch (c) {
    case 'n':
      o.bases = atoi(optarg);
      break;
    case 's':
      o.reads = atoi(optarg);
      break;
    case 'k':
      o.k = atoi(optarg);
      break;
    default:
      printf("usage: %s [-n bases] [-s reads] [-k k] [-h]\n", argv[0]);
      exit(c == 'h' ? 0 : 1);
    }
  if (o.bases < 2000 || o.reads < 1 || o.k < 8 || o.k > 31) {
    printf("bases from 2000, reads from 1, k from 8 to 31\n");
    exit(1);
  }
  return o;
}

int main(int argc, char **argv) {
  const Options o = parse(argc, argv);
  const double t0 = omp_get_wtime();
  Result par = analyse(&o, true);

  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  Result ser = analyse(&o, false);
  omp_set_num_threads(threads);

  printf("%.*s", (int)(par.text.used < 1200 ? par.text.used : 1200), par.text.text);
  printf("...\n%zu distinct of %ld k-mers, %ld of %d reads placed, %ld right, score %ld, wave %d\n",
         par.kmers, par.total, par.placed, o.reads, par.right, par.score, par.wave);

  check(par.kmers == ser.kmers, "the numbers of k-mers differ");
  check(par.placed == ser.placed && par.right == ser.right, "the placements differ");
  check(par.score == ser.score, "the scores differ");
  check(par.text.used == ser.text.used && strcmp(par.text.text, ser.text.text) == 0,
        "the tables differ");
  check(par.right >= o.reads * 9 / 10, "too few reads are placed right");
  printf("table of %zu bytes, checksum %016llx\n", par.text.used,
         (unsigned long long)hash_text(par.text.text));
  fprintf(stderr, "time %.3f s\n", omp_get_wtime() - t0);
  free(par.text.text);
  free(ser.text.text);
  if (failures) {
    printf("%d checks failed\n", failures);
    return 1;
  }
  printf("ok\n");
  return 0;
}
