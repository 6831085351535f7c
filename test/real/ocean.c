// RUN: %build-c
// RUN: mkdir -p %t.d && cd %t.d
// RUN: env OMP_NUM_THREADS=2 %run -n 2 %t | tail -n 1 | grep -x ok
// RUN: %full env OMP_NUM_THREADS=4 %run -n 4 %t | tail -n 1 | grep -x ok
// RUN: %full env OMP_NUM_THREADS=7 %run -n 3 %t | tail -n 1 | grep -x ok
/* ocean.c - shallow-water model on a periodic (x) channel, Arakawa C-grid.
 *
 * Leapfrog with Robert-Asselin filter; the geostrophically balanced start is
 * found from a vorticity field by a red-black SOR Poisson solver.
 *
 *   ocean [-n nx] [-s steps] [-c file] [-h]
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omp.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

enum { OLD, NOW, NEW, LEVELS };

typedef struct {
  int nx, ny;
  double dx, dy, dt;
  double g, depth, f0, beta, drag, viscosity, alpha;
} Params;

typedef struct {
  double *u[LEVELS]; /* nx * ny,     west faces            */
  double *v[LEVELS]; /* nx * (ny+1), south faces           */
  double *h[LEVELS]; /* nx * ny,     deviation from depth  */
} Fields;

typedef struct {
  Params p;
  Fields f;
  double *psi;  /* nx * (ny+1), at corners */
  double *zeta; /* nx * (ny+1), at corners */
  int step;
  double time;
} Model;

typedef struct {
  double mass, kinetic, potential, enstrophy, courant, hmin, hmax;
} Diagnostics;

typedef struct {
  int iterations;
  double residual, first;
  bool converged;
} SorResult;

typedef struct {
  char magic[8];
  int32_t nx, ny, step, reserved;
  double time;
  uint64_t sum;
} Header;

typedef struct {
  int nx, steps;
  const char *file;
} Options;

static int failures;

static void check(bool good, const char *what) {
  if (!good) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

/* ---------------------------------------------------------------- memory -- */

static double *field(size_t n) {
  double *p = malloc(n * sizeof *p);
  if (!p) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; i++)
    p[i] = 0.0;
  return p;
}

static inline size_t cells(const Params *p) { return (size_t)p->nx * p->ny; }
static inline size_t corners(const Params *p) { return (size_t)p->nx * (p->ny + 1); }

static void params_default(Params *p, int nx) {
  p->nx = nx;
  p->ny = nx / 2;
  p->dx = 1.0e6 / nx;
  p->dy = 1.0e6 / nx;
  p->g = 9.81;
  p->depth = 100.0;
  p->f0 = 1.0e-4;
  p->beta = 1.6e-11;
  p->drag = 1.0e-7;
  p->viscosity = 0.02 * p->dx;
  p->alpha = 0.05;
  p->dt = 0.25 * p->dx / sqrt(p->g * p->depth);
}

static void model_create(Model *m, int nx) {
  memset(m, 0, sizeof *m);
  params_default(&m->p, nx);
  for (int l = 0; l < LEVELS; l++) {
    m->f.u[l] = field(cells(&m->p));
    m->f.v[l] = field(corners(&m->p));
    m->f.h[l] = field(cells(&m->p));
  }
  m->psi = field(corners(&m->p));
  m->zeta = field(corners(&m->p));
}

static void model_destroy(Model *m) {
  for (int l = 0; l < LEVELS; l++) {
    free(m->f.u[l]);
    free(m->f.v[l]);
    free(m->f.h[l]);
  }
  free(m->psi);
  free(m->zeta);
  memset(m, 0, sizeof *m);
}

static inline int east(int i, int nx) { return i + 1 < nx ? i + 1 : 0; }
static inline int west(int i, int nx) { return i > 0 ? i - 1 : nx - 1; }

/* ---------------------------------------------------------- SOR, Poisson -- */

/* laplace(psi) = zeta at the inner corners; psi = 0 on both walls.
 * nx must be even for the colouring to close around the channel.  */
static SorResult poisson(Model *m, double tolerance, int limit) {
  const int nx = m->p.nx, ny = m->p.ny;
  const double h2 = m->p.dx * m->p.dx;
  double *psi = m->psi;
  const double *zeta = m->zeta;
  const double omega = 2.0 / (1.0 + sin(M_PI / ny));
  SorResult r = {0, 0.0, 0.0, false};
  double sum = 0.0, norm = 0.0;
  bool done = false;

#pragma omp parallel default(none) shared(psi, zeta, sum, norm, done, r)                           \
    firstprivate(nx, ny, h2, omega, tolerance, limit)
  {
#pragma omp for reduction(+ : norm)
    for (int j = 1; j < ny; j++)
      for (int i = 0; i < nx; i++)
        norm += h2 * zeta[(size_t)j * nx + i] * h2 * zeta[(size_t)j * nx + i];

    int it = 0;
    while (!done) {
      for (int colour = 0; colour < 2; colour++) {
#pragma omp for schedule(static)
        for (int j = 1; j < ny; j++)
          for (int i = (j + colour) & 1; i < nx; i += 2) {
            const size_t k = (size_t)j * nx + i, row = (size_t)j * nx;
            const double res = psi[row + east(i, nx)] + psi[row + west(i, nx)] + psi[k + nx] +
                               psi[k - nx] - 4.0 * psi[k] - h2 * zeta[k];
            psi[k] += 0.25 * omega * res;
          }
      }
      it++;
      if (it % 10 == 0) {
#pragma omp single
        sum = 0.0;
#pragma omp for schedule(static) reduction(+ : sum) nowait
        for (int j = 1; j < ny; j++)
          for (int i = 0; i < nx; i++) {
            const size_t k = (size_t)j * nx + i, row = (size_t)j * nx;
            const double res = psi[row + east(i, nx)] + psi[row + west(i, nx)] + psi[k + nx] +
                               psi[k - nx] - 4.0 * psi[k] - h2 * zeta[k];
            sum += res * res;
          }
#pragma omp barrier
#pragma omp masked
        {
          r.iterations = it;
          r.residual = sqrt(sum / (norm > 0 ? norm : 1.0));
          if (it == 10)
            r.first = r.residual;
          r.converged = r.residual < tolerance;
          done = r.converged || it >= limit;
        }
#pragma omp barrier
      }
    }
  }
  return r;
}

/* ----------------------------------------------------------------- start -- */

static void initial_vorticity(Model *m) {
  const int nx = m->p.nx, ny = m->p.ny;
  double *z = m->zeta;
#pragma omp parallel for collapse(2) schedule(static)
  for (int j = 1; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      const double x = (double)i / nx, y = (double)j / ny;
      const double a = exp(-((x - 0.35) * (x - 0.35) * 4 + (y - 0.5) * (y - 0.5)) * 60.0);
      const double b = exp(-((x - 0.65) * (x - 0.65) * 4 + (y - 0.45) * (y - 0.45)) * 60.0);
      z[(size_t)j * nx + i] = 1.0e-5 * (a - b) + 2.0e-7 * sin(2 * M_PI * 3 * x) * sin(M_PI * y);
    }
}

/* u = -psi_y, v = psi_x, g h = f psi, with the mean of h taken away. */
static void balance(Model *m) {
  const Params *p = &m->p;
  const int nx = p->nx, ny = p->ny;
  double mean = 0.0;
  Fields *f = &m->f;

#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        const size_t k = (size_t)j * nx + i;
        f->u[NOW][k] = -(m->psi[k + nx] - m->psi[k]) / p->dy;
      }
#pragma omp for schedule(static) nowait
    for (int j = 1; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        const size_t row = (size_t)j * nx;
        f->v[NOW][row + i] = (m->psi[row + east(i, nx)] - m->psi[row + i]) / p->dx;
      }
#pragma omp for schedule(static) reduction(+ : mean)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        const size_t row = (size_t)j * nx;
        const int e = east(i, nx);
        const double c = 0.25 * (m->psi[row + i] + m->psi[row + e] + m->psi[row + nx + i] +
                                 m->psi[row + nx + e]);
        f->h[NOW][row + i] = p->f0 * c / p->g;
        mean += f->h[NOW][row + i];
      }
#pragma omp single
    mean /= (double)nx * ny;
#pragma omp for schedule(static)
    for (size_t k = 0; k < (size_t)nx * ny; k++) {
      f->h[NOW][k] -= mean;
      f->h[OLD][k] = f->h[NOW][k];
      f->u[OLD][k] = f->u[NOW][k];
    }
#pragma omp for schedule(static)
    for (size_t k = 0; k < (size_t)nx * (ny + 1); k++)
      f->v[OLD][k] = f->v[NOW][k];
  }
}

/* ------------------------------------------------------------------ step -- */

/* Called by all threads of the team; worksharing inside. */
static void vorticity(Model *m) {
  const int nx = m->p.nx, ny = m->p.ny;
  const double *u = m->f.u[NOW], *v = m->f.v[NOW];
#pragma omp for schedule(static)
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i < nx; i++) {
      const size_t row = (size_t)j * nx;
      if (j == 0 || j == ny) {
        m->zeta[row + i] = 0.0; /* free slip */
        continue;
      }
      m->zeta[row + i] =
          (v[row + i] - v[row + west(i, nx)]) / m->p.dx - (u[row + i] - u[row - nx + i]) / m->p.dy;
    }
}

static void tendencies(Model *m, double dt2, int from) {
  const Params *p = &m->p;
  const int nx = p->nx, ny = p->ny;
  Fields *f = &m->f;
  const double *u = f->u[NOW], *v = f->v[NOW], *h = f->h[NOW], *z = m->zeta;
  const double *ul = f->u[from], *vl = f->v[from];

#pragma omp for schedule(static) nowait
  for (int j = 0; j < ny; j++) {
    const double y = (j + 0.5) * p->dy - 0.5 * ny * p->dy, cor = p->f0 + p->beta * y;
    const size_t r = (size_t)j * nx;
    for (int i = 0; i < nx; i++) {
      const int w = west(i, nx), e = east(i, nx);
      const double vbar = 0.25 * (v[r + i] + v[r + w] + v[r + nx + i] + v[r + nx + w]);
      const double zbar = 0.5 * (z[r + i] + z[r + nx + i]);
      const double ke_e = 0.25 * (u[r + i] * u[r + i] + u[r + e] * u[r + e] + v[r + i] * v[r + i] +
                                  v[r + nx + i] * v[r + nx + i]);
      const double ke_w = 0.25 * (u[r + w] * u[r + w] + u[r + i] * u[r + i] + v[r + w] * v[r + w] +
                                  v[r + nx + w] * v[r + nx + w]);
      const double up = j + 1 < ny ? ul[r + nx + i] : ul[r + i];
      const double down = j > 0 ? ul[r - nx + i] : ul[r + i];
      const double lap = (ul[r + e] + ul[r + w] + up + down - 4 * ul[r + i]) / (p->dx * p->dx);
      const double t = (cor + zbar) * vbar - p->g * (h[r + i] - h[r + w]) / p->dx -
                       (ke_e - ke_w) / p->dx + p->viscosity * lap - p->drag * ul[r + i];
      f->u[NEW][r + i] = ul[r + i] + dt2 * t;
    }
  }
#pragma omp for schedule(static) nowait
  for (int j = 0; j <= ny; j++) {
    const size_t r = (size_t)j * nx;
    const double y = j * p->dy - 0.5 * ny * p->dy, cor = p->f0 + p->beta * y;
    for (int i = 0; i < nx; i++) {
      if (j == 0 || j == ny) {
        f->v[NEW][r + i] = 0.0;
        continue;
      }
      const int w = west(i, nx), e = east(i, nx);
      const double ubar = 0.25 * (u[r + i] + u[r + e] + u[r - nx + i] + u[r - nx + e]);
      const double zbar = 0.5 * (z[r + i] + z[r + e]);
      const double ke_n = 0.25 * (u[r + i] * u[r + i] + u[r + e] * u[r + e] + v[r + i] * v[r + i] +
                                  v[r + nx + i] * v[r + nx + i]);
      const size_t s = r - nx;
      const double ke_s = 0.25 * (u[s + i] * u[s + i] + u[s + e] * u[s + e] + v[s + i] * v[s + i] +
                                  v[r + i] * v[r + i]);
      const double lap =
          (vl[r + e] + vl[r + w] + vl[r + nx + i] + vl[s + i] - 4 * vl[r + i]) / (p->dx * p->dx);
      const double t = -(cor + zbar) * ubar - p->g * (h[r + i] - h[s + i]) / p->dy -
                       (ke_n - ke_s) / p->dy + p->viscosity * lap - p->drag * vl[r + i];
      f->v[NEW][r + i] = vl[r + i] + dt2 * t;
    }
  }
#pragma omp for schedule(static)
  for (int j = 0; j < ny; j++) {
    const size_t r = (size_t)j * nx;
    for (int i = 0; i < nx; i++) {
      const int w = west(i, nx), e = east(i, nx);
      const double c = p->depth + h[r + i];
      const double fe = u[r + e] * 0.5 * (c + p->depth + h[r + e]);
      const double fw = u[r + i] * 0.5 * (c + p->depth + h[r + w]);
      const double fn = j + 1 < ny ? v[r + nx + i] * 0.5 * (c + p->depth + h[r + nx + i]) : 0;
      const double fs = j > 0 ? v[r + i] * 0.5 * (c + p->depth + h[r - nx + i]) : 0;
      f->h[NEW][r + i] = f->h[from][r + i] - dt2 * ((fe - fw) / p->dx + (fn - fs) / p->dy);
    }
  }
}

static void filter(double *old, double *now, const double *new, size_t n, double alpha) {
#pragma omp for simd schedule(static) nowait
  for (size_t k = 0; k < n; k++)
    now[k] += alpha * (old[k] - 2.0 * now[k] + new[k]);
}

static void rotate(double *a[LEVELS]) {
  double *t = a[OLD];
  a[OLD] = a[NOW];
  a[NOW] = a[NEW];
  a[NEW] = t;
}

static void integrate(Model *m, int steps) {
  const size_t nc = cells(&m->p), nv = corners(&m->p);
  Fields *f = &m->f;
#pragma omp parallel
  for (int s = 0; s < steps; s++) {
    const bool euler = m->step % 50 == 0; /* against the time splitting */
    const double dt2 = euler ? m->p.dt : 2.0 * m->p.dt;
    vorticity(m);
    tendencies(m, dt2, euler ? NOW : OLD);
    if (!euler) {
      filter(f->u[OLD], f->u[NOW], f->u[NEW], nc, m->p.alpha);
      filter(f->v[OLD], f->v[NOW], f->v[NEW], nv, m->p.alpha);
      filter(f->h[OLD], f->h[NOW], f->h[NEW], nc, m->p.alpha);
    }
#pragma omp barrier
#pragma omp single
    {
      rotate(f->u);
      rotate(f->v);
      rotate(f->h);
      m->step++;
      m->time += m->p.dt;
    }
  }
}

/* ----------------------------------------------------------- diagnostics -- */

static void sum_mass(const Model *m, Diagnostics *d) {
  double s = 0;
  for (size_t k = 0; k < cells(&m->p); k++)
    s += m->p.depth + m->f.h[NOW][k];
  d->mass = s * m->p.dx * m->p.dy;
}

static void sum_energy(const Model *m, Diagnostics *d) {
  double ke = 0, pe = 0;
  for (size_t k = 0; k < cells(&m->p); k++) {
    const double u = m->f.u[NOW][k], v = m->f.v[NOW][k], h = m->f.h[NOW][k];
    ke += 0.5 * m->p.depth * (u * u + v * v);
    pe += 0.5 * m->p.g * h * h;
  }
  d->kinetic = ke * m->p.dx * m->p.dy;
  d->potential = pe * m->p.dx * m->p.dy;
}

static void sum_enstrophy(const Model *m, Diagnostics *d) {
  double s = 0;
  for (size_t k = 0; k < corners(&m->p); k++)
    s += 0.5 * m->zeta[k] * m->zeta[k];
  d->enstrophy = s * m->p.dx * m->p.dy;
}

static void extremes(const Model *m, Diagnostics *d) {
  double c = 0, lo = m->f.h[NOW][0], hi = lo;
  for (size_t k = 0; k < cells(&m->p); k++) {
    const double s = fabs(m->f.u[NOW][k]) + fabs(m->f.v[NOW][k]);
    const double h = m->f.h[NOW][k];
    c = s > c ? s : c;
    lo = h < lo ? h : lo;
    hi = h > hi ? h : hi;
  }
  d->courant = (c + sqrt(m->p.g * (m->p.depth + hi))) * m->p.dt / m->p.dx;
  d->hmin = lo;
  d->hmax = hi;
}

static Diagnostics diagnose(const Model *m) {
  Diagnostics d;
#pragma omp parallel sections shared(d)
  {
#pragma omp section
    sum_mass(m, &d);
#pragma omp section
    sum_energy(m, &d);
#pragma omp section
    sum_enstrophy(m, &d);
#pragma omp section
    extremes(m, &d);
  }
  return d;
}

static void print_diagnostics(const Model *m, const Diagnostics *d) {
  printf("step %5d  t %8.0f s  mass %.12e  ke %.6e  pe %.6e  enst %.5e  cfl %.4f  h %.4f..%.4f\n",
         m->step, m->time, d->mass, d->kinetic, d->potential, d->enstrophy, d->courant, d->hmin,
         d->hmax);
}

/* ------------------------------------------------------------ checkpoint -- */

static uint64_t sum_bytes(const double *a, size_t n) {
  uint64_t s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static)
  for (size_t k = 0; k < n; k++) {
    uint64_t w;
    memcpy(&w, &a[k], sizeof w);
    s += (w ^ (w >> 29)) * 0x9E3779B97F4A7C15ull * (2 * k + 1);
  }
  return s;
}

static uint64_t model_sum(const Model *m) {
  uint64_t s = 0;
  for (int l = 0; l < NEW; l++) {
    s = s * 31 + sum_bytes(m->f.u[l], cells(&m->p));
    s = s * 31 + sum_bytes(m->f.v[l], corners(&m->p));
    s = s * 31 + sum_bytes(m->f.h[l], cells(&m->p));
  }
  return s;
}

static bool transfer(const Model *m, FILE *fp, bool write) {
  for (int l = 0; l < NEW; l++) {
    double *part[3] = {m->f.u[l], m->f.v[l], m->f.h[l]};
    const size_t size[3] = {cells(&m->p), corners(&m->p), cells(&m->p)};
    for (int k = 0; k < 3; k++) {
      size_t n = write ? fwrite(part[k], sizeof(double), size[k], fp)
                       : fread(part[k], sizeof(double), size[k], fp);
      if (n != size[k])
        return false;
    }
  }
  return true;
}

static bool checkpoint(const Model *m, const char *name) {
  Header h = {.magic = "OCEAN01",
              .nx = m->p.nx,
              .ny = m->p.ny,
              .step = m->step,
              .time = m->time,
              .sum = model_sum(m)};
  FILE *fp = fopen(name, "wb");
  if (!fp) {
    printf("cannot write %s: %s\n", name, strerror(errno));
    return false;
  }
  bool good = fwrite(&h, sizeof h, 1, fp) == 1 && transfer(m, fp, true);
  if (fclose(fp) != 0)
    good = false;
  return good;
}

static bool restart(Model *m, const char *name) {
  Header h;
  FILE *fp = fopen(name, "rb");
  if (!fp) {
    printf("cannot read %s: %s\n", name, strerror(errno));
    return false;
  }
  if (fread(&h, sizeof h, 1, fp) != 1 || memcmp(h.magic, "OCEAN01", 8) != 0) {
    fclose(fp);
    return false;
  }
  model_create(m, h.nx);
  bool good = m->p.ny == h.ny && transfer(m, fp, false);
  fclose(fp);
  m->step = h.step;
  m->time = h.time;
  if (good && model_sum(m) != h.sum) {
    printf("checkpoint is damaged\n");
    good = false;
  }
  return good;
}

/* ------------------------------------------------------------------ main -- */

static double difference(const Model *a, const Model *b) {
  double d = 0;
  const size_t n = cells(&a->p);
#pragma omp parallel for reduction(max : d)
  for (size_t k = 0; k < n; k++) {
    d = fmax(d, fabs(a->f.h[NOW][k] - b->f.h[NOW][k]));
    d = fmax(d, fabs(a->f.u[NOW][k] - b->f.u[NOW][k]));
    d = fmax(d, fabs(a->f.v[NOW][k] - b->f.v[NOW][k]));
  }
  return d;
}

static void check_against_serial(int nx, int steps) {
  Model a, b;
  const int threads = omp_get_max_threads();
  model_create(&a, nx);
  initial_vorticity(&a);
  SorResult ra = poisson(&a, 1e-9, 5000);
  balance(&a);
  integrate(&a, steps);

  omp_set_num_threads(1);
  model_create(&b, nx);
  initial_vorticity(&b);
  SorResult rb = poisson(&b, 1e-9, 5000);
  balance(&b);
  integrate(&b, steps);
  omp_set_num_threads(threads);

  const double d = difference(&a, &b);
  printf("serial comparison %dx%d, %d steps: %d and %d iterations, difference %s\n", nx, nx / 2,
         steps, ra.iterations, rb.iterations, d < 1e-9 ? "below 1e-9" : "large");
  check(abs(ra.iterations - rb.iterations) <= 10, "SOR iterations differ from the serial run");
  check(d < 1e-9, "fields differ from the serial run");
  model_destroy(&a);
  model_destroy(&b);
}

static void usage(const char *name) {
  printf("usage: %s [-n nx] [-s steps] [-c checkpoint] [-h]\n", name);
}

static Options parse(int argc, char **argv) {
  Options o = {.nx = 128, .steps = 240, .file = "ocean-checkpoint.bin"};
  int c;
  while ((c = getopt(argc, argv, "n:s:c:h")) != -1)
    switch (c) {
    case 'n':
      o.nx = atoi(optarg);
      break;
    case 's':
      o.steps = atoi(optarg);
      break;
    case 'c':
      o.file = optarg;
      break;
    case 'h':
      usage(argv[0]);
      exit(0);
    default:
      usage(argv[0]);
      exit(1);
    }
  if (o.nx < 16 || o.nx % 4 || o.steps < 2) {
    printf("nx must be a multiple of 4 from 16, steps at least 2\n");
    exit(1);
  }
  return o;
}

int main(int argc, char **argv) {
  const Options o = parse(argc, argv);
  const double t0 = omp_get_wtime();
  Model m, back;

  model_create(&m, o.nx);
  initial_vorticity(&m);
  const SorResult sor = poisson(&m, 1e-8, 20000);
  printf("poisson: %d iterations, residual %.2e -> %s\n", sor.iterations, sor.first,
         sor.converged ? "converged" : "not converged");
  check(sor.converged, "SOR does not converge");
  balance(&m);

#pragma omp parallel
  vorticity(&m);
  const Diagnostics start = diagnose(&m);
  print_diagnostics(&m, &start);

  const int half = o.steps / 2, quarter = half > 4 ? half / 4 : 1;
  for (int done = 0; done < half;) {
    const int k = half - done < quarter ? half - done : quarter;
    integrate(&m, k);
    done += k;
    const Diagnostics d = diagnose(&m);
    print_diagnostics(&m, &d);
  }

  check(checkpoint(&m, o.file), "checkpoint not written");
  const uint64_t at_half = model_sum(&m);
  integrate(&m, o.steps - half);

  if (restart(&back, o.file)) {
    check(model_sum(&back) == at_half, "restart differs from the checkpoint");
    integrate(&back, o.steps - half);
    check(back.step == m.step, "restarted run has other steps");
    check(difference(&m, &back) == 0.0, "restarted run differs");
    check(model_sum(&m) == model_sum(&back), "restarted run differs in its checksum");
    model_destroy(&back);
  } else {
    check(false, "cannot restart");
  }
  if (unlink(o.file) != 0)
    check(false, "cannot remove the checkpoint");

  const Diagnostics end = diagnose(&m);
  print_diagnostics(&m, &end);
  check(fabs(end.mass - start.mass) < 1e-10 * start.mass, "mass is not conserved");
  check(isfinite(end.kinetic), "the model blew up");
  check(end.kinetic + end.potential < 1.1 * (start.kinetic + start.potential), "energy grows");
  check(end.kinetic + end.potential > 0.3 * (start.kinetic + start.potential), "energy is lost");
  check(end.courant < 1.0, "Courant number too large");

  check_against_serial(o.nx < 64 ? o.nx : 64, o.steps < 60 ? o.steps : 60);
  fprintf(stderr, "time %.3f s\n", omp_get_wtime() - t0);
  model_destroy(&m);
  if (failures) {
    printf("%d checks failed\n", failures);
    return 1;
  }
  printf("ok\n");
  return 0;
}
