// RUN: %build-cpp
// RUN: mkdir -p %t.d && cd %t.d
// RUN: env OMP_NUM_THREADS=2 %run -n 2 %t | tail -n 1 | grep -x ok
// RUN: %full env OMP_NUM_THREADS=4 %run -n 4 %t | tail -n 1 | grep -x ok
// RUN: %full env OMP_NUM_THREADS=7 %run -n 3 %t | tail -n 1 | grep -x ok
// raytrace.cpp - a small Whitted style ray tracer.
//
// Shapes are a class hierarchy, materials are shared, the bounding volume
// hierarchy is built by tasks and the picture is rendered in tiles.
//
//   raytrace [-n width] [-s samples per pixel side] [-o file] [-h]

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <omp.h>

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = 1e-6;

// ------------------------------------------------------------------- vectors

struct Vec {
  double x, y, z;

  constexpr Vec(double a = 0, double b = 0, double c = 0) : x(a), y(b), z(c) {}
  double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  Vec operator-() const { return {-x, -y, -z}; }
};

inline Vec operator+(const Vec &a, const Vec &b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(const Vec &a, const Vec &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(const Vec &a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec operator*(const Vec &a, const Vec &b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(const Vec &a, const Vec &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec unit(const Vec &a) { return a * (1.0 / std::sqrt(dot(a, a))); }
inline Vec lowest(const Vec &a, const Vec &b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
inline Vec highest(const Vec &a, const Vec &b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}
inline Vec reflect(const Vec &d, const Vec &n) { return d - n * (2.0 * dot(d, n)); }

struct Ray {
  Vec origin, direction, inverse;
  Ray(const Vec &o, const Vec &d)
      : origin(o), direction(d), inverse(1.0 / d.x, 1.0 / d.y, 1.0 / d.z) {}
  Vec at(double t) const { return origin + direction * t; }
};

struct Box {
  Vec lo{infinity, infinity, infinity}, hi{-infinity, -infinity, -infinity};

  void grow(const Box &b) {
    lo = lowest(lo, b.lo);
    hi = highest(hi, b.hi);
  }
  void grow(const Vec &p) {
    lo = lowest(lo, p);
    hi = highest(hi, p);
  }
  Vec centre() const { return (lo + hi) * 0.5; }
  double area() const {
    const Vec d = hi - lo;
    return d.x < 0 ? 0.0 : 2.0 * (d.x * d.y + d.y * d.z + d.z * d.x);
  }
  int longest() const {
    const Vec d = hi - lo;
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
  }
  bool hit(const Ray &r, double tmax) const {
    double t0 = 0.0, t1 = tmax;
    for (int a = 0; a < 3; ++a) {
      double near = (lo[a] - r.origin[a]) * r.inverse[a];
      double far = (hi[a] - r.origin[a]) * r.inverse[a];
      if (near > far)
        std::swap(near, far);
      t0 = near > t0 ? near : t0;
      t1 = far < t1 ? far : t1;
      if (t0 > t1)
        return false;
    }
    return true;
  }
};

// ----------------------------------------------------------------- materials

class Material {
public:
  Material(std::string name, const Vec &colour, double shine, double mirror)
      : name_(std::move(name)), colour_(colour), shine_(shine), mirror_(mirror) {}
  virtual ~Material() = default;

  virtual Vec colour(const Vec &) const { return colour_; }
  double shine() const { return shine_; }
  double mirror() const { return mirror_; }
  const std::string &name() const { return name_; }

protected:
  std::string name_;
  Vec colour_;
  double shine_, mirror_;
};

class Checker : public Material {
public:
  Checker(std::string name, const Vec &a, const Vec &b, double size)
      : Material(std::move(name), a, 4.0, 0.08), other_(b), size_(size) {}

  Vec colour(const Vec &p) const override {
    const long i = static_cast<long>(std::floor(p.x / size_));
    const long k = static_cast<long>(std::floor(p.z / size_));
    return ((i + k) & 1) ? other_ : colour_;
  }

private:
  Vec other_;
  double size_;
};

class Marble : public Material {
public:
  using Material::Material;
  Vec colour(const Vec &p) const override {
    const double w = 0.5 + 0.5 * std::sin(6.0 * p.x + 3.0 * std::sin(4.0 * p.y + 2.0 * p.z));
    return colour_ * (0.4 + 0.6 * w);
  }
};

using MaterialPtr = std::shared_ptr<const Material>;

// -------------------------------------------------------------------- shapes

class Shape;

struct Hit {
  double t = infinity;
  const Shape *shape = nullptr;
};

class Shape {
public:
  explicit Shape(MaterialPtr m) : material_(std::move(m)) {}
  virtual ~Shape() = default;

  virtual double intersect(const Ray &r, double tmax) const = 0;
  virtual Vec normal(const Vec &p) const = 0;
  virtual Box bounds() const = 0;
  virtual std::string describe() const = 0;

  const MaterialPtr &material() const { return material_; }

private:
  MaterialPtr material_;
};

class Sphere : public Shape {
public:
  Sphere(const Vec &c, double r, MaterialPtr m) : Shape(std::move(m)), centre_(c), radius_(r) {}

  double intersect(const Ray &r, double tmax) const override {
    const Vec oc = r.origin - centre_;
    const double b = dot(oc, r.direction), c = dot(oc, oc) - radius_ * radius_;
    const double disc = b * b - c;
    if (disc < 0)
      return infinity;
    const double s = std::sqrt(disc);
    double t = -b - s;
    if (t < epsilon)
      t = -b + s;
    return t >= epsilon && t < tmax ? t : infinity;
  }
  Vec normal(const Vec &p) const override { return (p - centre_) * (1.0 / radius_); }
  Box bounds() const override {
    const Vec r{radius_, radius_, radius_};
    Box b;
    b.grow(centre_ - r);
    b.grow(centre_ + r);
    return b;
  }
  std::string describe() const override { return "sphere"; }

private:
  Vec centre_;
  double radius_;
};

class Triangle : public Shape {
public:
  Triangle(const Vec &a, const Vec &b, const Vec &c, MaterialPtr m)
      : Shape(std::move(m)), a_(a), e1_(b - a), e2_(c - a), n_(unit(cross(e1_, e2_))) {}

  double intersect(const Ray &r, double tmax) const override {
    const Vec p = cross(r.direction, e2_);
    const double det = dot(e1_, p);
    if (std::fabs(det) < 1e-12)
      return infinity;
    const double inv = 1.0 / det;
    const Vec s = r.origin - a_;
    const double u = dot(s, p) * inv;
    if (u < 0 || u > 1)
      return infinity;
    const Vec q = cross(s, e1_);
    const double v = dot(r.direction, q) * inv;
    if (v < 0 || u + v > 1)
      return infinity;
    const double t = dot(e2_, q) * inv;
    return t >= epsilon && t < tmax ? t : infinity;
  }
  Vec normal(const Vec &) const override { return n_; }
  Box bounds() const override {
    Box b;
    b.grow(a_);
    b.grow(a_ + e1_);
    b.grow(a_ + e2_);
    return b;
  }
  std::string describe() const override { return "triangle"; }

private:
  Vec a_, e1_, e2_, n_;
};

class Brick : public Shape {
public:
  Brick(const Vec &lo, const Vec &hi, MaterialPtr m) : Shape(std::move(m)) {
    box_.grow(lo);
    box_.grow(hi);
  }

  double intersect(const Ray &r, double tmax) const override {
    double t0 = -infinity, t1 = infinity;
    for (int a = 0; a < 3; ++a) {
      double near = (box_.lo[a] - r.origin[a]) * r.inverse[a];
      double far = (box_.hi[a] - r.origin[a]) * r.inverse[a];
      if (near > far)
        std::swap(near, far);
      t0 = std::max(t0, near);
      t1 = std::min(t1, far);
      if (t0 > t1)
        return infinity;
    }
    const double t = t0 >= epsilon ? t0 : t1;
    return t >= epsilon && t < tmax ? t : infinity;
  }
  Vec normal(const Vec &p) const override {
    const Vec c = box_.centre(), d = box_.hi - box_.lo;
    const double x = (p.x - c.x) / d.x, y = (p.y - c.y) / d.y, z = (p.z - c.z) / d.z;
    if (std::fabs(x) >= std::fabs(y) && std::fabs(x) >= std::fabs(z))
      return {x < 0 ? -1.0 : 1.0, 0, 0};
    if (std::fabs(y) >= std::fabs(z))
      return {0, y < 0 ? -1.0 : 1.0, 0};
    return {0, 0, z < 0 ? -1.0 : 1.0};
  }
  Box bounds() const override { return box_; }
  std::string describe() const override { return "brick"; }

private:
  Box box_;
};

// --------------------------------------------------- bounding volume hierarchy

struct Node {
  Box box;
  std::unique_ptr<Node> left, right;
  std::vector<const Shape *> shapes;
  bool leaf() const { return !left; }
};

struct TreeStats {
  int nodes = 0, leaves = 0, depth = 0, shapes = 0;
};

class Hierarchy {
public:
  void build(const std::vector<std::unique_ptr<Shape>> &shapes) {
    items_.clear();
    for (const auto &s : shapes)
      items_.push_back({s->bounds(), s.get()});
    root_ = std::make_unique<Node>();
#pragma omp parallel
    {
#pragma omp single nowait
      split(root_.get(), 0, items_.size(), 0);
    }
  }

  bool closest(const Ray &r, Hit &hit) const {
    walk(*root_, r, hit);
    return hit.shape != nullptr;
  }

  bool blocked(const Ray &r, double tmax) const { return any(*root_, r, tmax); }

  TreeStats stats() const {
    TreeStats s;
    count(*root_, 1, s);
    return s;
  }

private:
  struct Item {
    Box box;
    const Shape *shape;
  };

  void split(Node *node, size_t first, size_t last, int depth) {
    for (size_t i = first; i < last; ++i)
      node->box.grow(items_[i].box);
    if (last - first <= 4 || depth > 24) {
      for (size_t i = first; i < last; ++i)
        node->shapes.push_back(items_[i].shape);
      return;
    }
    Box centres;
    for (size_t i = first; i < last; ++i)
      centres.grow(items_[i].box.centre());
    const int axis = centres.longest();
    const size_t mid = (first + last) / 2;
    std::nth_element(items_.begin() + first, items_.begin() + mid, items_.begin() + last,
                     [axis](const Item &a, const Item &b) {
                       return a.box.centre()[axis] < b.box.centre()[axis];
                     });
    node->left = std::make_unique<Node>();
    node->right = std::make_unique<Node>();
    Node *l = node->left.get(), *r = node->right.get();
#pragma omp task firstprivate(l, first, mid, depth) if (last - first > 32)
    split(l, first, mid, depth + 1);
#pragma omp task firstprivate(r, mid, last, depth) if (last - first > 32)
    split(r, mid, last, depth + 1);
#pragma omp taskwait
  }

  void walk(const Node &n, const Ray &r, Hit &hit) const {
    if (!n.box.hit(r, hit.t))
      return;
    if (n.leaf()) {
      for (const Shape *s : n.shapes) {
        const double t = s->intersect(r, hit.t);
        if (t < hit.t) {
          hit.t = t;
          hit.shape = s;
        }
      }
      return;
    }
    walk(*n.left, r, hit);
    walk(*n.right, r, hit);
  }

  bool any(const Node &n, const Ray &r, double tmax) const {
    if (!n.box.hit(r, tmax))
      return false;
    if (n.leaf()) {
      for (const Shape *s : n.shapes)
        if (s->intersect(r, tmax) < tmax)
          return true;
      return false;
    }
    return any(*n.left, r, tmax) || any(*n.right, r, tmax);
  }

  void count(const Node &n, int depth, TreeStats &s) const {
    ++s.nodes;
    s.depth = std::max(s.depth, depth);
    if (n.leaf()) {
      ++s.leaves;
      s.shapes += static_cast<int>(n.shapes.size());
      return;
    }
    count(*n.left, depth + 1, s);
    count(*n.right, depth + 1, s);
  }

  std::unique_ptr<Node> root_;
  std::vector<Item> items_;
};

// --------------------------------------------------------------------- scene

struct Light {
  Vec position, colour;
};

struct Camera {
  Vec eye, corner, right, down;

  Camera() = default;
  Camera(const Vec &from, const Vec &to, double angle, double aspect) : eye(from) {
    const Vec f = unit(to - from), r = unit(cross(f, {0, 1, 0})), u = cross(r, f);
    const double h = 2.0 * std::tan(angle / 2), w = h * aspect;
    corner = f - r * (w / 2) + u * (h / 2);
    right = r * w;
    down = u * -h;
  }
  Ray through(double sx, double sy) const { return {eye, unit(corner + right * sx + down * sy)}; }
};

struct Scene {
  std::vector<std::unique_ptr<Shape>> shapes;
  std::map<std::string, MaterialPtr> materials;
  std::vector<Light> lights;
  Hierarchy tree;
  Camera camera;
  std::map<std::string, int> census;
};

// The scene as text; the generated part is appended by code.
const char *description = R"(
# material kind name r g b shine mirror
material plain   red     0.9 0.2 0.2 40 0.15
material plain   green   0.2 0.8 0.3 20 0.05
material plain   mirror  0.9 0.9 0.9 80 0.75
material marble  stone   0.9 0.8 0.7 10 0.02
material checker floor   0.9 0.9 0.9 0.15 0
sphere  0.0 1.2 0.0 1.2 mirror
sphere  2.3 0.7 1.0 0.7 red
sphere -2.2 0.8 0.6 0.8 stone
brick   -6 -0.2 -6  6 0 6 floor
brick   -3.5 0 -3.0 -2.5 2.0 -2.0 stone
triangle 1.5 0 -3  4.5 0 -3  3 3 -3.5 green
light -4 7 5  0.7 0.7 0.65
light  5 5 3  0.35 0.35 0.45
)";

void parse_scene(Scene &scene, const std::string &text) {
  std::istringstream lines(text);
  std::string line;
  int number = 0;
  while (std::getline(lines, line)) {
    ++number;
    std::istringstream in(line);
    std::string word, name;
    if (!(in >> word) || word[0] == '#')
      continue;
    Vec a, b, c;
    double d = 0, e = 0;
    auto find = [&](const std::string &n) {
      auto it = scene.materials.find(n);
      if (it == scene.materials.end())
        throw std::runtime_error("line " + std::to_string(number) + ": no material " + n);
      return it->second;
    };
    if (word == "material") {
      std::string kind;
      in >> kind >> name >> a.x >> a.y >> a.z >> d >> e;
      if (kind == "plain")
        scene.materials[name] = std::make_shared<Material>(name, a, d, e);
      else if (kind == "marble")
        scene.materials[name] = std::make_shared<Marble>(name, a, d, e);
      else if (kind == "checker")
        scene.materials[name] = std::make_shared<Checker>(name, a, Vec(0.25, 0.25, 0.3), 0.8);
      else
        throw std::runtime_error("unknown kind of material " + kind);
    } else if (word == "sphere") {
      in >> a.x >> a.y >> a.z >> d >> name;
      scene.shapes.push_back(std::make_unique<Sphere>(a, d, find(name)));
    } else if (word == "brick") {
      in >> a.x >> a.y >> a.z >> b.x >> b.y >> b.z >> name;
      scene.shapes.push_back(std::make_unique<Brick>(a, b, find(name)));
    } else if (word == "triangle") {
      in >> a.x >> a.y >> a.z >> b.x >> b.y >> b.z >> c.x >> c.y >> c.z >> name;
      scene.shapes.push_back(std::make_unique<Triangle>(a, b, c, find(name)));
    } else if (word == "light") {
      in >> a.x >> a.y >> a.z >> b.x >> b.y >> b.z;
      scene.lights.push_back({a, b});
    } else
      throw std::runtime_error("unknown word " + word);
    if (in.fail())
      throw std::runtime_error("line " + std::to_string(number) + " is incomplete");
  }
}

// A spiral of beads and a height field of triangles.
void decorate(Scene &scene) {
  const std::array<std::string, 4> names{"red", "green", "stone", "mirror"};
  for (int i = 0; i < 240; ++i) {
    const double phi = 0.21 * i, r = 2.6 + 0.011 * i, y = 0.12 + 0.45 * (1 + std::sin(0.13 * i));
    scene.shapes.push_back(std::make_unique<Sphere>(Vec(r * std::cos(phi), y, r * std::sin(phi)),
                                                    0.12, scene.materials.at(names[i % 4])));
  }
  const int m = 14;
  auto height = [](double x, double z) {
    return 0.3 * std::sin(1.7 * x) * std::cos(1.3 * z) - 0.9;
  };
  auto point = [&](int i, int k) {
    const double x = -9.0 + 18.0 * i / m, z = -12.0 + 16.0 * k / m;
    return Vec(x, height(x, z), z);
  };
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < m; ++k) {
      auto g = scene.materials.at("green");
      scene.shapes.push_back(
          std::make_unique<Triangle>(point(i, k), point(i, k + 1), point(i + 1, k), g));
      scene.shapes.push_back(
          std::make_unique<Triangle>(point(i + 1, k), point(i, k + 1), point(i + 1, k + 1), g));
    }
}

void take_census(Scene &scene) {
  const int n = static_cast<int>(scene.shapes.size());
#pragma omp parallel
  {
    std::map<std::string, int> mine;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; ++i)
      ++mine[scene.shapes[i]->describe() + " of " + scene.shapes[i]->material()->name()];
#pragma omp critical(census)
    for (const auto &[what, k] : mine)
      scene.census[what] += k;
  }
}

// ----------------------------------------------------------------- rendering

struct Counters {
  long primary = 0, shadow = 0, mirrored = 0;
  Counters &operator+=(const Counters &o) {
    primary += o.primary;
    shadow += o.shadow;
    mirrored += o.mirrored;
    return *this;
  }
  bool operator==(const Counters &) const = default;
};

#pragma omp declare reduction(merge:Counters : omp_out += omp_in) initializer(omp_priv = Counters())

class Image {
public:
  Image(int w, int h) : width_(w), height_(h), pixels_(static_cast<size_t>(w) * h) {}
  int width() const { return width_; }
  int height() const { return height_; }
  Vec &at(int x, int y) { return pixels_[static_cast<size_t>(y) * width_ + x]; }
  const Vec &at(int x, int y) const { return pixels_[static_cast<size_t>(y) * width_ + x]; }

  static int level(double v) {
    return std::clamp(static_cast<int>(std::pow(std::clamp(v, 0.0, 1.0), 1 / 2.2) * 255.0 + 0.5), 0,
                      255);
  }

  std::string ppm() const {
    std::vector<std::string> rows(height_);
#pragma omp parallel for schedule(dynamic, 4)
    for (int y = 0; y < height_; ++y) {
      std::ostringstream row;
      for (int x = 0; x < width_; ++x) {
        const Vec &p = at(x, y);
        row << level(p.x) << ' ' << level(p.y) << ' ' << level(p.z)
            << (x + 1 < width_ ? ' ' : '\n');
      }
      rows[y] = row.str();
    }
    std::ostringstream out;
    out << "P3\n# raytrace\n" << width_ << ' ' << height_ << "\n255\n";
    for (const auto &r : rows)
      out << r;
    return out.str();
  }

private:
  int width_, height_;
  std::vector<Vec> pixels_;
};

class Renderer {
public:
  Renderer(const Scene &s, int samples) : scene_(s), samples_(samples) {}

  Image render(int width, int height, Counters &total, std::vector<int> &tiles) const {
    constexpr int tile = 16;
    Image image(width, height);
    const int tx = (width + tile - 1) / tile, ty = (height + tile - 1) / tile;
    tiles.assign(static_cast<size_t>(tx) * ty, 0);
    Counters sum;
    std::atomic<int> finished{0};
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(merge : sum)
    for (int j = 0; j < ty; ++j)
      for (int i = 0; i < tx; ++i) {
        for (int y = j * tile; y < std::min(height, (j + 1) * tile); ++y)
          for (int x = i * tile; x < std::min(width, (i + 1) * tile); ++x)
            image.at(x, y) = pixel(x, y, width, height, sum);
        ++tiles[static_cast<size_t>(j) * tx + i];
        finished.fetch_add(1, std::memory_order_relaxed);
      }
    if (finished != tx * ty)
      throw std::runtime_error("tiles are missing");
    total += sum;
    return image;
  }

private:
  Vec pixel(int x, int y, int w, int h, Counters &c) const {
    Vec sum;
    for (int a = 0; a < samples_; ++a)
      for (int b = 0; b < samples_; ++b) {
        const double sx = (x + (a + 0.5) / samples_) / w;
        const double sy = (y + (b + 0.5) / samples_) / h;
        ++c.primary;
        sum = sum + trace(scene_.camera.through(sx, sy), 0, c);
      }
    return sum * (1.0 / (samples_ * samples_));
  }

  Vec sky(const Vec &d) const {
    const double t = 0.5 * (d.y + 1.0);
    return Vec(0.9, 0.92, 0.98) * (1 - t) + Vec(0.3, 0.5, 0.85) * t;
  }

  Vec trace(const Ray &r, int depth, Counters &c) const {
    Hit hit;
    if (!scene_.tree.closest(r, hit))
      return sky(r.direction);
    const Vec p = r.at(hit.t);
    Vec n = hit.shape->normal(p);
    if (dot(n, r.direction) > 0)
      n = -n;
    const MaterialPtr m = hit.shape->material(); // a counted reference
    const Vec base = m->colour(p);
    Vec result = base * 0.12;
    for (const Light &l : scene_.lights) {
      const Vec to = l.position - p;
      const double distance = std::sqrt(dot(to, to));
      const Vec d = to * (1.0 / distance);
      const double cosine = dot(n, d);
      if (cosine <= 0)
        continue;
      ++c.shadow;
      if (scene_.tree.blocked({p + n * 1e-5, d}, distance))
        continue;
      result = result + base * l.colour * cosine;
      const double s = dot(reflect(r.direction, n), d);
      if (s > 0)
        result = result + l.colour * (0.4 * std::pow(s, m->shine()));
    }
    if (m->mirror() > 0.01 && depth < 4) {
      ++c.mirrored;
      const Vec other = trace({p + n * 1e-5, reflect(r.direction, n)}, depth + 1, c);
      result = result * (1 - m->mirror()) + other * m->mirror();
    }
    return result;
  }

  const Scene &scene_;
  int samples_;
};

std::uint64_t checksum(const std::string &s) {
  std::uint64_t h = 1469598103934665603ull;
  for (unsigned char c : s)
    h = (h ^ c) * 1099511628211ull;
  return h;
}

struct Options {
  int width = 160, samples = 1;
  std::string output;
};

bool parse_options(int argc, char **argv, Options &o) {
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "-h") {
      std::cout << "usage: " << argv[0] << " [-n width] [-s samples] [-o file.ppm] [-h]\n";
      return false;
    }
    if (i + 1 >= argc)
      throw std::runtime_error("what is " + a + "?");
    if (a == "-n")
      o.width = std::stoi(argv[++i]);
    else if (a == "-s")
      o.samples = std::stoi(argv[++i]);
    else if (a == "-o")
      o.output = argv[++i];
    else
      throw std::runtime_error("unknown option " + a);
  }
  if (o.width < 8 || o.width > 8192 || o.samples < 1)
    throw std::runtime_error("bad size");
  return true;
}

int run(const Options &opt) {
  int failures = 0;
  auto check = [&](bool good, const std::string &what) {
    if (!good) {
      std::cout << "FAILED: " << what << '\n';
      ++failures;
    }
  };
  const int width = opt.width, height = width * 3 / 4;
  const double start = omp_get_wtime();

  Scene scene;
  parse_scene(scene, description);
  decorate(scene);
  scene.camera = Camera({0, 3.2, 8}, {0, 0.8, 0}, 0.85, static_cast<double>(width) / height);
  take_census(scene);
  scene.tree.build(scene.shapes);

  const TreeStats ts = scene.tree.stats();
  std::cout << scene.shapes.size() << " shapes, " << ts.nodes << " nodes, " << ts.leaves
            << " leaves, depth " << ts.depth << '\n';
  check(ts.shapes == static_cast<int>(scene.shapes.size()), "the tree lost shapes");
  int counted = 0;
  for (const auto &[what, k] : scene.census) {
    std::cout << std::setw(6) << k << ' ' << what << '\n';
    counted += k;
  }
  check(counted == static_cast<int>(scene.shapes.size()), "the census is wrong");
  std::map<std::string, long> references;
  for (const auto &[name, m] : scene.materials)
    references[name] = m.use_count();

  const Renderer renderer(scene, opt.samples);
  Counters parallel, serial;
  std::vector<int> tiles;
  const Image image = renderer.render(width, height, parallel, tiles);
  const std::string text = image.ppm();
  check(std::all_of(tiles.begin(), tiles.end(), [](int k) { return k == 1; }),
        "a tile was not rendered once");

  // the same serially, with a tree built serially
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  scene.tree.build(scene.shapes);
  const TreeStats tss = scene.tree.stats();
  const Image again = renderer.render(width, height, serial, tiles);
  const std::string reference = again.ppm();
  omp_set_num_threads(threads);

  check(tss.nodes == ts.nodes && tss.depth == ts.depth, "the serial tree differs");
  check(parallel == serial, "the numbers of rays differ");
  check(text.size() == reference.size(), "the sizes of the pictures differ");
  check(checksum(text) == checksum(reference), "the pictures differ");
  for (const auto &[name, m] : scene.materials)
    check(m.use_count() == references[name], "references of " + name + " are miscounted");

  double bright = 0;
#pragma omp parallel for reduction(+ : bright) collapse(2)
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      bright += (image.at(x, y).x + image.at(x, y).y + image.at(x, y).z) / 3;
  bright /= static_cast<double>(width) * height;
  check(bright > 0.1 && bright < 0.95, "the picture is dark or empty");

  if (!opt.output.empty()) {
    std::ofstream file(opt.output);
    file << text;
    check(file.good(), "cannot write " + opt.output);
  }
  std::cout << "rays: " << parallel.primary << " primary, " << parallel.shadow << " shadow, "
            << parallel.mirrored << " mirrored\n"
            << "picture " << width << "x" << height << ", " << text.size() << " bytes, brightness "
            << std::fixed << std::setprecision(4) << bright << ", checksum " << std::hex
            << checksum(text) << std::dec << '\n';
  std::cerr << "time " << omp_get_wtime() - start << " s\n";
  return failures;
}

} // namespace

int main(int argc, char **argv) {
  try {
    Options opt;
    if (!parse_options(argc, argv, opt))
      return 0;
    if (const int failures = run(opt)) {
      std::cout << failures << " checks failed\n";
      return 1;
    }
  } catch (const std::exception &e) {
    std::cout << "error: " << e.what() << '\n';
    return 1;
  }
  std::cout << "ok\n";
  return 0;
}
