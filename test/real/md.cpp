// RUN: %build-cpp
// RUN: mkdir -p %t.d && cd %t.d
// RUN: %full env OMP_NUM_THREADS=4 %run -n 4 %t -q -n 6 -s 2 | tail -n 1 | grep -x ok
// md.cpp - Lennard-Jones molecular dynamics in reduced units.
//
// Velocity Verlet, cell lists rebuilt every k steps, half neighbour lists,
// Berendsen thermostat during the equilibration, NVE afterwards.
//
//   md [-n cells per side] [-s steps] [-r rebuild interval] [-l] [-q] [-h]

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <omp.h>

namespace md {

// ---------------------------------------------------------------- small maths

struct Vec3 {
  double x = 0.0, y = 0.0, z = 0.0;

  Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  Vec3 &operator-=(const Vec3 &o) {
    x -= o.x;
    y -= o.y;
    z -= o.z;
    return *this;
  }
  Vec3 &operator*=(double s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  double norm2() const { return x * x + y * y + z * z; }
};

inline Vec3 operator+(Vec3 a, const Vec3 &b) { return a += b; }
inline Vec3 operator-(Vec3 a, const Vec3 &b) { return a -= b; }
inline Vec3 operator*(Vec3 a, double s) { return a *= s; }

#pragma omp declare reduction(+ : Vec3 : omp_out += omp_in) initializer(omp_priv = Vec3())

// Counter based generator so that the start does not depend on the threads.
class Random {
public:
  explicit Random(unsigned long long seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}

  unsigned long long next() {
    unsigned long long z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  double uniform() { return (next() >> 11) * (1.0 / 9007199254740992.0); }
  double gauss() {
    double u1 = uniform(), u2 = uniform();
    if (u1 < 1e-300)
      u1 = 1e-300;
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(2.0 * M_PI * u2);
  }

private:
  unsigned long long state_;
};

// ------------------------------------------------------------------- options

struct Options {
  int side = 7; // fcc cells per side, 4 side^3 atoms
  int steps = 120;
  int equilibration = 40;
  int rebuild = 8;
  bool locks = false; // locks instead of atomics for the forces
  bool quiet = false;
  double density = 0.8442;
  double temperature = 1.0;
  double cutoff = 2.5;
  double skin = 0.4;
  double dt = 0.004;
};

void usage(const char *name) {
  std::printf("usage: %s [-n side] [-s steps] [-r rebuild] [-l] [-q] [-h]\n"
              "  -n  fcc unit cells per side (default 7; atoms = 4 n^3)\n"
              "  -s  number of steps\n"
              "  -r  steps between rebuilds of the neighbour lists\n"
              "  -l  protect the forces by locks instead of atomics\n"
              "  -q  no progress lines\n",
              name);
}

Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    auto value = [&]() -> int {
      if (i + 1 >= argc)
        throw std::runtime_error("option " + a + " needs a value");
      return std::stoi(argv[++i]);
    };
    if (a == "-n")
      o.side = value();
    else if (a == "-s")
      o.steps = value();
    else if (a == "-r")
      o.rebuild = value();
    else if (a == "-l")
      o.locks = true;
    else if (a == "-q")
      o.quiet = true;
    else if (a == "-h") {
      usage(argv[0]);
      std::exit(0);
    } else
      throw std::runtime_error("unknown option " + a);
  }
  if (o.side < 6)
    throw std::runtime_error("at least 6 unit cells per side are needed");
  if (o.rebuild < 1 || o.steps < 1)
    throw std::runtime_error("steps and rebuild must be positive");
  o.equilibration = std::min(o.equilibration, o.steps / 3);
  return o;
}

// ---------------------------------------------------------------- the system

struct Atoms {
  std::vector<Vec3> r, v, f;
  std::vector<int> id;
  double box = 0.0;

  int size() const { return static_cast<int>(r.size()); }

  void resize(int n) {
    r.resize(n);
    v.resize(n);
    f.resize(n);
    id.resize(n);
  }

  double wrap(double x) const {
    if (x < 0.0)
      x += box;
    else if (x >= box)
      x -= box;
    return x < box && x >= 0.0 ? x : 0.0;
  }

  Vec3 nearest(Vec3 d) const {
    const double h = 0.5 * box;
    if (d.x > h)
      d.x -= box;
    else if (d.x < -h)
      d.x += box;
    if (d.y > h)
      d.y -= box;
    else if (d.y < -h)
      d.y += box;
    if (d.z > h)
      d.z -= box;
    else if (d.z < -h)
      d.z += box;
    return d;
  }
};

void fcc(Atoms &a, int side, double density) {
  static const double basis[4][3] = {
      {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
  const double edge = std::cbrt(4.0 / density);
  a.box = edge * side;
  a.resize(4 * side * side * side);
#pragma omp parallel for collapse(3) schedule(static)
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k)
        for (int b = 0; b < 4; ++b) {
          const int n = ((i * side + j) * side + k) * 4 + b;
          a.r[n].x = (i + basis[b][0]) * edge;
          a.r[n].y = (j + basis[b][1]) * edge;
          a.r[n].z = (k + basis[b][2]) * edge;
          a.id[n] = n;
        }
}

void maxwell(Atoms &a, double temperature) {
  const int n = a.size();
  Vec3 total;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    Random rng(1234567ull + i);
    a.v[i].x = rng.gauss();
    a.v[i].y = rng.gauss();
    a.v[i].z = rng.gauss();
    total += a.v[i];
  }
  const Vec3 mean = total * (1.0 / n);
  double kin = 0.0;
#pragma omp parallel for reduction(+ : kin)
  for (int i = 0; i < n; ++i) {
    a.v[i] -= mean;
    kin += a.v[i].norm2();
  }
  const double scale = std::sqrt(3.0 * (n - 1) * temperature / kin);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    a.v[i] *= scale;
}

// ------------------------------------------------------- cells and neighbours

class CellGrid {
public:
  void setup(double box, double reach) {
    m_ = std::max(3, static_cast<int>(std::floor(box / reach)));
    if (box / m_ < reach)
      throw std::runtime_error("box too small for the cell lists");
    inv_ = m_ / box;
    cells_.assign(static_cast<size_t>(m_) * m_ * m_, {});
    locks_.resize(cells_.size());
    for (auto &l : locks_)
      omp_init_lock(&l);
  }

  ~CellGrid() {
    for (auto &l : locks_)
      omp_destroy_lock(&l);
  }

  int count() const { return static_cast<int>(cells_.size()); }
  int side() const { return m_; }
  const std::vector<int> &cell(int c) const { return cells_[c]; }

  int locate(const Vec3 &r) const {
    const int i = std::min(m_ - 1, static_cast<int>(r.x * inv_));
    const int j = std::min(m_ - 1, static_cast<int>(r.y * inv_));
    const int k = std::min(m_ - 1, static_cast<int>(r.z * inv_));
    return (i * m_ + j) * m_ + k;
  }

  int neighbour(int c, int di, int dj, int dk) const {
    const int k = (c % m_ + dk + m_) % m_;
    const int j = (c / m_ % m_ + dj + m_) % m_;
    const int i = (c / (m_ * m_) + di + m_) % m_;
    return (i * m_ + j) * m_ + k;
  }

  // Called by all threads of a team.
  void fill(const Atoms &a) {
    const int nc = count(), n = a.size();
#pragma omp for schedule(static)
    for (int c = 0; c < nc; ++c)
      cells_[c].clear();
#pragma omp for schedule(static)
    for (int i = 0; i < n; ++i) {
      const int c = locate(a.r[i]);
      omp_set_lock(&locks_[c]);
      cells_[c].push_back(i);
      omp_unset_lock(&locks_[c]);
    }
    // order in the cells is made deterministic
#pragma omp for schedule(dynamic, 8)
    for (int c = 0; c < nc; ++c)
      std::sort(cells_[c].begin(), cells_[c].end());
  }

private:
  int m_ = 0;
  double inv_ = 0.0;
  std::vector<std::vector<int>> cells_;
  std::vector<omp_lock_t> locks_;
};

class NeighbourList {
public:
  void resize(int n) { list_.resize(n); }
  const std::vector<int> &of(int i) const { return list_[i]; }

  // Called by all threads of a team. Pair (i, j) goes to the smaller index.
  void build(const Atoms &a, const CellGrid &grid, double reach) {
    const double r2max = reach * reach;
    const int nc = grid.count();
#pragma omp for schedule(dynamic, 4)
    for (int c = 0; c < nc; ++c) {
      int around[27], na = 0;
      for (int di = -1; di <= 1; ++di)
        for (int dj = -1; dj <= 1; ++dj)
          for (int dk = -1; dk <= 1; ++dk)
            around[na++] = grid.neighbour(c, di, dj, dk);
      for (int i : grid.cell(c)) {
        std::vector<int> &mine = list_[i];
        mine.clear();
        for (int k = 0; k < na; ++k)
          for (int j : grid.cell(around[k])) {
            if (j <= i)
              continue;
            if (a.nearest(a.r[i] - a.r[j]).norm2() < r2max)
              mine.push_back(j);
          }
      }
    }
  }

  long pairs() const {
    long total = 0;
#pragma omp parallel for reduction(+ : total)
    for (size_t i = 0; i < list_.size(); ++i)
      total += static_cast<long>(list_[i].size());
    return total;
  }

private:
  std::vector<std::vector<int>> list_;
};

// --------------------------------------------------------------------- forces

class Protection {
public:
  virtual ~Protection() = default;
  virtual void add(Atoms &a, int i, const Vec3 &f) = 0;
  virtual const char *name() const = 0;
};

class ByAtomics : public Protection {
public:
  void add(Atoms &a, int i, const Vec3 &f) override {
#pragma omp atomic
    a.f[i].x += f.x;
#pragma omp atomic
    a.f[i].y += f.y;
#pragma omp atomic
    a.f[i].z += f.z;
  }
  const char *name() const override { return "atomics"; }
};

class ByLocks : public Protection {
public:
  explicit ByLocks(int n) : locks_(std::min(n, 64)) {
    for (auto &l : locks_)
      omp_init_lock(&l);
  }
  ~ByLocks() override {
    for (auto &l : locks_)
      omp_destroy_lock(&l);
  }
  void add(Atoms &a, int i, const Vec3 &f) override {
    // neighbouring atoms share a lock
    omp_lock_t *l = &locks_[(i / 4) % locks_.size()];
    omp_set_lock(l);
    a.f[i] += f;
    omp_unset_lock(l);
  }
  const char *name() const override { return "locks"; }

private:
  std::vector<omp_lock_t> locks_;
};

struct Energies {
  double potential = 0.0, kinetic = 0.0, virial = 0.0;
  double total() const { return potential + kinetic; }
};

// ------------------------------------------------------------------ histogram

constexpr int bins = 64;

struct Radial {
  double reach = 0.0;
  long count[bins] = {};
  double g[bins] = {};
  int samples = 0;

  void sample(const Atoms &a, const NeighbourList &list) {
    const int n = a.size();
    long h[bins] = {};
    const double inv = bins / reach;
#pragma omp parallel for schedule(guided) reduction(+ : h[ : bins])
    for (int i = 0; i < n; ++i)
      for (int j : list.of(i)) {
        const double d = std::sqrt(a.nearest(a.r[i] - a.r[j]).norm2());
        const int b = static_cast<int>(d * inv);
        if (b < bins)
          h[b] += 2;
      }
    for (int b = 0; b < bins; ++b)
      count[b] += h[b];
    ++samples;
  }

  void finish(int n, double box) {
    const double rho = n / (box * box * box), w = reach / bins;
#pragma omp parallel for simd
    for (int b = 0; b < bins; ++b) {
      const double lo = b * w, hi = lo + w;
      const double shell = 4.0 / 3.0 * M_PI * (hi * hi * hi - lo * lo * lo);
      g[b] = count[b] / (shell * rho * n * std::max(samples, 1));
    }
  }

  int peak() const {
    int best = 0;
    for (int b = 1; b < bins; ++b)
      if (g[b] > g[best])
        best = b;
    return best;
  }
};

// ----------------------------------------------------------------- simulation

class Simulation {
public:
  explicit Simulation(const Options &o) : opt_(o) {
    fcc(atoms_, o.side, o.density);
    maxwell(atoms_, o.temperature);
    const double reach = o.cutoff + o.skin;
    grid_.setup(atoms_.box, reach);
    list_.resize(atoms_.size());
    radial_.reach = o.cutoff;
    const double s6 = std::pow(1.0 / o.cutoff, 6);
    shift_ = 4.0 * (s6 * s6 - s6);
    if (o.locks)
      protect_ = std::make_unique<ByLocks>(atoms_.size());
    else
      protect_ = std::make_unique<ByAtomics>();
  }

  const Atoms &atoms() const { return atoms_; }
  const Radial &radial() const { return radial_; }
  const std::vector<Energies> &history() const { return history_; }
  long pairs() const { return list_.pairs(); }
  const char *protection() const { return protect_->name(); }
  int rebuilds() const { return rebuilds_; }

  void run() {
    rebuild();
    forces();
    kinetic();
    history_.push_back(now_);
    for (int step = 1; step <= opt_.steps; ++step) {
      advance();
      if (step % opt_.rebuild == 0)
        rebuild();
      forces();
      kick();
      kinetic();
      if (step <= opt_.equilibration)
        thermostat();
      else if (step % 10 == 0)
        radial_.sample(atoms_, list_);
      history_.push_back(now_);
      if (!opt_.quiet && step % 40 == 0)
        std::printf("step %5d  T %8.5f  Epot/N %10.6f  Etot/N %10.6f  P %9.5f\n", step,
                    temperature(), now_.potential / atoms_.size(), now_.total() / atoms_.size(),
                    pressure());
    }
    radial_.finish(atoms_.size(), atoms_.box);
  }

  double temperature() const { return 2.0 * now_.kinetic / (3.0 * (atoms_.size() - 1)); }
  double pressure() const {
    const double v = atoms_.box * atoms_.box * atoms_.box;
    return (2.0 * now_.kinetic + now_.virial) / (3.0 * v);
  }

  Vec3 momentum() const {
    Vec3 p;
    const int n = atoms_.size();
#pragma omp parallel for reduction(+ : p)
    for (int i = 0; i < n; ++i)
      p += atoms_.v[i];
    return p;
  }

  Vec3 net_force() const {
    Vec3 p;
    const int n = atoms_.size();
#pragma omp parallel for reduction(+ : p)
    for (int i = 0; i < n; ++i)
      p += atoms_.f[i];
    return p;
  }

private:
  void rebuild() {
#pragma omp parallel
    {
      grid_.fill(atoms_);
      list_.build(atoms_, grid_, opt_.cutoff + opt_.skin);
    }
    ++rebuilds_;
  }

  // first half of velocity Verlet
  void advance() {
    const int n = atoms_.size();
    const double dt = opt_.dt;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      atoms_.v[i] += atoms_.f[i] * (0.5 * dt);
      atoms_.r[i] += atoms_.v[i] * dt;
      atoms_.r[i].x = atoms_.wrap(atoms_.r[i].x);
      atoms_.r[i].y = atoms_.wrap(atoms_.r[i].y);
      atoms_.r[i].z = atoms_.wrap(atoms_.r[i].z);
    }
  }

  void kick() {
    const int n = atoms_.size();
    const double dt = opt_.dt;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i)
      atoms_.v[i] += atoms_.f[i] * (0.5 * dt);
  }

  void forces() {
    const int n = atoms_.size();
    const double rc2 = opt_.cutoff * opt_.cutoff;
    double potential = 0.0, virial = 0.0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int i = 0; i < n; ++i)
        atoms_.f[i] = Vec3();
#pragma omp for schedule(static, 32) reduction(+ : potential, virial)
      for (int i = 0; i < n; ++i) {
        Vec3 fi;
        for (int j : list_.of(i)) {
          const Vec3 d = atoms_.nearest(atoms_.r[i] - atoms_.r[j]);
          const double r2 = d.norm2();
          if (r2 >= rc2)
            continue;
          const double ir2 = 1.0 / r2;
          const double ir6 = ir2 * ir2 * ir2;
          potential += 4.0 * ir6 * (ir6 - 1.0) - shift_;
          const double ff = 48.0 * ir6 * (ir6 - 0.5) * ir2;
          virial += ff * r2;
          const Vec3 f = d * ff;
          fi += f;
          protect_->add(atoms_, j, f * -1.0);
        }
        protect_->add(atoms_, i, fi);
      }
    }
    now_.potential = potential;
    now_.virial = virial;
  }

  void kinetic() {
    const int n = atoms_.size();
    double k = 0.0;
#pragma omp parallel for reduction(+ : k) schedule(static)
    for (int i = 0; i < n; ++i)
      k += 0.5 * atoms_.v[i].norm2();
    now_.kinetic = k;
  }

  void thermostat() {
    const int n = atoms_.size();
    const double lambda =
        std::sqrt(1.0 + 0.1 * (opt_.temperature / std::max(temperature(), 1e-9) - 1.0));
#pragma omp parallel for schedule(static) firstprivate(lambda)
    for (int i = 0; i < n; ++i)
      atoms_.v[i] *= lambda;
    now_.kinetic *= lambda * lambda;
  }

  Options opt_;
  Atoms atoms_;
  CellGrid grid_;
  NeighbourList list_;
  Radial radial_;
  Energies now_;
  std::vector<Energies> history_;
  std::unique_ptr<Protection> protect_;
  double shift_ = 0.0;
  int rebuilds_ = 0;
};

// --------------------------------------------------------------------- checks

struct Report {
  int failures = 0;
  void check(bool good, const std::string &what) {
    if (!good) {
      std::printf("FAILED: %s\n", what.c_str());
      ++failures;
    }
  }
};

// All pairs by brute force against the neighbour lists.
double brute_potential(const Atoms &a, double cutoff) {
  const double s6 = std::pow(1.0 / cutoff, 6), shift = 4.0 * (s6 * s6 - s6);
  const int n = a.size();
  double e = 0.0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : e)
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      const double r2 = a.nearest(a.r[i] - a.r[j]).norm2();
      if (r2 < cutoff * cutoff) {
        const double ir6 = 1.0 / (r2 * r2 * r2);
        e += 4.0 * ir6 * (ir6 - 1.0) - shift;
      }
    }
  return e;
}

double drift(const std::vector<Energies> &h, int from) {
  double lo = h[from].total(), hi = lo;
#pragma omp parallel for reduction(min : lo) reduction(max : hi)
  for (size_t i = from; i < h.size(); ++i) {
    lo = std::min(lo, h[i].total());
    hi = std::max(hi, h[i].total());
  }
  return hi - lo;
}

void compare_serial(const Options &o, Report &rep) {
  Options small = o;
  small.side = std::min(o.side, 6);
  small.steps = std::min(o.steps, 20);
  small.equilibration = small.steps / 3;
  small.quiet = true;

  const int threads = omp_get_max_threads();
  Simulation parallel(small);
  parallel.run();
  omp_set_num_threads(1);
  Simulation serial(small);
  serial.run();
  omp_set_num_threads(threads);

  double worst = 0.0;
  const Atoms &p = parallel.atoms(), &s = serial.atoms();
  const int n = p.size();
#pragma omp parallel for reduction(max : worst)
  for (int i = 0; i < n; ++i)
    worst = std::max(worst, std::sqrt(p.nearest(p.r[i] - s.r[i]).norm2()));
  rep.check(worst < 1e-6, "positions differ from the serial run by " + std::to_string(worst));

  const double ep = parallel.history().back().total(), es = serial.history().back().total();
  rep.check(std::fabs(ep - es) < 1e-6 * std::fabs(es), "energy differs from the serial run");
  long dh = 0;
  for (int b = 0; b < bins; ++b)
    dh += std::labs(parallel.radial().count[b] - serial.radial().count[b]);
  rep.check(dh <= 8, "radial histogram differs from the serial run");
  rep.check(parallel.pairs() == serial.pairs(), "number of pairs differs from the serial run");
  std::printf("serial comparison: %d atoms, %d steps, worst deviation %s\n", n, small.steps,
              worst < 1e-6 ? "below 1e-6" : "large");
}

void print_radial(const Radial &g) {
  std::printf("      r      g(r)\n");
  for (int b = 0; b < bins; b += 4) {
    const double r = (b + 0.5) * g.reach / bins;
    const std::string bar(static_cast<size_t>(std::min(40.0, g.g[b] * 12)), '#');
    std::printf("%7.4f %9.5f %s\n", r, g.g[b], bar.c_str());
  }
}

} // namespace md

int main(int argc, char **argv) {
  using namespace md;
  try {
    const Options opt = parse(argc, argv);
    Report rep;
    const double t0 = omp_get_wtime();

    Simulation sim(opt);
    std::printf("%d atoms in a box of %.4f, %s for the forces\n", sim.atoms().size(),
                sim.atoms().box, sim.protection());
    sim.run();

    if (!opt.quiet && opt.steps >= 30)
      print_radial(sim.radial());

    const int n = sim.atoms().size();
    const Vec3 p = sim.momentum(), f = sim.net_force();
    rep.check(std::sqrt(p.norm2()) < 1e-8 * n, "momentum is not conserved");
    rep.check(std::sqrt(f.norm2()) < 1e-7 * n, "forces do not add up to zero");

    const double dr = drift(sim.history(), opt.equilibration + 1) / n;
    rep.check(dr < 5e-3, "energy drifts by " + std::to_string(dr) + " per atom");

    const double eb = brute_potential(sim.atoms(), opt.cutoff);
    const double el = sim.history().back().potential;
    rep.check(std::fabs(eb - el) < 1e-4 * std::fabs(eb),
              "neighbour lists miss pairs: " + std::to_string(eb) + " " + std::to_string(el));

    if (sim.radial().samples > 0) {
      const double r = (sim.radial().peak() + 0.5) * opt.cutoff / bins;
      rep.check(r > 0.95 && r < 1.25, "first peak of g(r) at " + std::to_string(r));
      std::printf("first peak of g(r) at %.3f\n", r);
    }
    // every atom still exactly once
    std::vector<int> seen(n, 0);
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
#pragma omp atomic update
      seen[sim.atoms().id[i]]++;
    }
    rep.check(std::all_of(seen.begin(), seen.end(), [](int k) { return k == 1; }),
              "atoms lost or doubled");

    compare_serial(opt, rep);
    Options other = opt;
    other.locks = !opt.locks;
    other.steps = std::min(opt.steps, 6);
    other.equilibration = 0;
    other.quiet = true;
    Simulation alt(other);
    alt.run();
    const double ea = alt.history().front().total(), e0 = sim.history().front().total();
    rep.check(std::fabs(ea - e0) < 1e-8 * std::fabs(e0), "the protections disagree");

    std::printf("pairs %ld, rebuilds %d, T %.4f, drift below 5e-3: %s\n", sim.pairs(),
                sim.rebuilds(), sim.temperature(), dr < 5e-3 ? "yes" : "no");
    std::fprintf(stderr, "time %.3f s\n", omp_get_wtime() - t0);
    if (rep.failures) {
      std::printf("%d checks failed\n", rep.failures);
      return 1;
    }
  } catch (const std::exception &e) {
    std::printf("error: %s\n", e.what());
    return 1;
  }
  std::printf("ok\n");
  return 0;
}
