// grid.cpp: classes with operators: a lattice Boltzmann flow whose field is a class with
// operator()(x, y, direction), and small vectors with overloaded operators.
//
// D2Q9 with one relaxation time (Qian, d'Humieres, Lallemand: Lattice BGK models for Navier-Stokes
// equation, 1992), pulled, periodic, with a decaying vortex.
#include <array>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

struct Vector {
  double x = 0, y = 0;

  Vector &operator+=(const Vector &other) {
    x += other.x;
    y += other.y;
    return *this;
  }
  friend Vector operator*(double factor, const Vector &v) { return {factor * v.x, factor * v.y}; }
  friend double dot(const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y; }
};

constexpr int Directions = 9;
constexpr std::array<int, Directions> StepX = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr std::array<int, Directions> StepY = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr std::array<double, Directions> Weight = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                                   1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

class Lattice {
public:
  explicit Lattice(int side)
      : side_(side), values_(static_cast<std::size_t>(side) * side * Directions) {}
  int side() const { return side_; }
  double &operator()(int x, int y, int direction) { return values_[place(x, y, direction)]; }
  double operator()(int x, int y, int direction) const { return values_[place(x, y, direction)]; }
  const std::vector<double> &values() const { return values_; }

private:
  std::size_t place(int x, int y, int direction) const {
    return (static_cast<std::size_t>(y) * side_ + x) * Directions + direction;
  }
  int side_;
  std::vector<double> values_;
};

double equilibrium(int direction, double density, const Vector &velocity) {
  const Vector step{static_cast<double>(StepX[direction]), static_cast<double>(StepY[direction])};
  const double along = dot(step, velocity);
  return Weight[direction] * density *
         (1 + 3 * along + 4.5 * along * along - 1.5 * dot(velocity, velocity));
}

void start(Lattice &lattice) {
  const double wave = 2 * 3.14159265358979323846 / lattice.side();
#pragma omp parallel for schedule(static)
  for (int y = 0; y < lattice.side(); y++)
    for (int x = 0; x < lattice.side(); x++) {
      const Vector velocity{-0.05 * std::cos(wave * x) * std::sin(wave * y),
                            0.05 * std::sin(wave * x) * std::cos(wave * y)};
      for (int d = 0; d < Directions; d++)
        lattice(x, y, d) = equilibrium(d, 1, velocity);
    }
}

void step(const Lattice &now, Lattice &next, double rate) {
  const int side = now.side();
#pragma omp parallel for schedule(static)
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      std::array<double, Directions> pulled;
      double density = 0;
      Vector momentum;
      for (int d = 0; d < Directions; d++) {
        pulled[d] = now((x - StepX[d] + side) % side, (y - StepY[d] + side) % side, d);
        density += pulled[d];
        momentum +=
            pulled[d] * Vector{static_cast<double>(StepX[d]), static_cast<double>(StepY[d])};
      }
      const Vector velocity = 1 / density * momentum;
      for (int d = 0; d < Directions; d++)
        next(x, y, d) = pulled[d] + rate * (equilibrium(d, density, velocity) - pulled[d]);
    }
}

double energy(const Lattice &lattice) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int y = 0; y < lattice.side(); y++)
    for (int x = 0; x < lattice.side(); x++) {
      Vector momentum;
      for (int d = 0; d < Directions; d++)
        momentum +=
            lattice(x, y, d) * Vector{static_cast<double>(StepX[d]), static_cast<double>(StepY[d])};
      sum += dot(momentum, momentum);
    }
  return sum;
}

} // namespace

int main(int argc, char **argv) {
  const bool small = isSmall(argc, argv);
  const int side = small ? 24 : 256, steps = small ? 10 : 300;
  Lattice now(side), next(side);
  start(now);
  const double before = energy(now);
  for (int t = 0; t < steps; t++) {
    step(now, next, 1.25);
    std::swap(now, next);
  }
  // The vortex decays with exp(-4 nu k^2 t), nu = (1 / rate - 1 / 2) / 3.
  const double wave = 2 * 3.14159265358979323846 / side, viscosity = (1 / 1.25 - 0.5) / 3;
  const double expected = before * std::exp(-4 * viscosity * wave * wave * steps);
  const bool right = std::fabs(energy(now) - expected) < 0.02 * expected;
  return conclude(hashDoubles(now.values().data(), now.values().size()), right);
}
