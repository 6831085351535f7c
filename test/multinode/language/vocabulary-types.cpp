// optional, variant, any, tuple, function, string_view, span, array, bitset, complex, pair,
// initializer_list.
#include "../report.h"
#include <any>
#include <array>
#include <bitset>
#include <complex>
#include <functional>
#include <map>
#include <omp.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <valarray>
#include <variant>
#include <vector>
struct Item {
  std::optional<std::string> o;
  std::variant<int, double, std::string, std::vector<int>> v;
  std::any a;
  std::tuple<int, std::string, std::array<short, 7>> t;
  std::function<int(int)> f;
  std::bitset<130> b;
  std::complex<double> c;
  std::string_view view;
  std::span<int> span;
  std::valarray<double> val;
};
int main() {
  constexpr int N = 60;
  std::vector<Item> items(N);
  std::vector<int> numbers(N * 10);
  std::vector<std::string> texts(N);
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      Item &x = items[i];
      texts[i] = "the text that is viewed by others " + std::to_string(i);
      if (i % 3)
        x.o = "optional " + texts[i];
      if (i % 4 == 0)
        x.v = i;
      else if (i % 4 == 1)
        x.v = i / 2.0;
      else if (i % 4 == 2)
        x.v = texts[i];
      else
        x.v = std::vector<int>(20, i);
      if (i % 2)
        x.a = texts[i];
      else
        x.a = i;
      x.t = {i, texts[i], {}};
      std::get<2>(x.t)[6] = (short)i;
      const std::string big = texts[i];
      x.f = [big, i](int k) { return (int)big.size() + i + k; };
      for (int k = 0; k < 130; k += i % 7 + 1)
        x.b.set(k);
      x.c = {double(i), -double(i)};
      x.view = texts[i];
      x.view.remove_prefix(4);
      x.span = std::span(numbers).subspan(i * 10, 10);
      for (int &n : x.span)
        n = i;
      x.val = std::valarray<double>(double(i), 9);
    }
    for (int i = 0; i < N; i++) {
      const Item &x = items[i];
      expectInteger("optional", i, i % 3 != 0, x.o.has_value());
      if (x.o)
        expectInteger("optional text", i, 1, *x.o == "optional " + texts[i]);
      expectInteger("index", i, i % 4, (long)x.v.index());
      const long visited = std::visit(
          [](const auto &q) -> long {
            using T = std::decay_t<decltype(q)>;
            if constexpr (std::is_same_v<T, int>)
              return q;
            else if constexpr (std::is_same_v<T, double>)
              return long(q * 2);
            else if constexpr (std::is_same_v<T, std::string>)
              return (long)q.size();
            else
              return q[19];
          },
          x.v);
      expectInteger("visited", i, i % 4 == 2 ? (long)texts[i].size() : i, visited);
      if (i % 2)
        expectInteger("any", i, 1, std::any_cast<const std::string &>(x.a) == texts[i]);
      else
        expectInteger("any", i, i, std::any_cast<int>(x.a));
      bool bad = false;
      try {
        (void)std::any_cast<float>(x.a);
      } catch (const std::bad_any_cast &) {
        bad = true;
      }
      expectInteger("bad any", i, 1, bad);
      auto &[a, b, c] = x.t;
      expectInteger("tuple", i, i, a);
      expectInteger("tuple text", i, 1, b == texts[i]);
      expectInteger("tuple array", i, i, c[6]);
      expectInteger("function", i, (long)texts[i].size() + i + 3, x.f(3));
      expectInteger("bits", i, (129 / (i % 7 + 1)) + 1, (long)x.b.count());
      expectReal("complex", i, 2.0 * i * i, std::norm(x.c));
      expectInteger("view", i, 0, (long)x.view.find("text"));
      expectInteger("view end", i, 1, x.view.ends_with(std::to_string(i)));
      expectInteger("span", i, i, x.span[9]);
      expectReal("valarray", i, 9.0 * i, x.val.sum());
    }
#pragma omp barrier
#pragma omp for schedule(static, 7)
    for (int i = 0; i < N; i++) {
      Item moved = std::move(items[i]);
      items[i] = Item();
      items[i].v = moved.v;
      moved.o.reset();
      moved.a.reset();
      moved.f = nullptr;
    }
  }
  for (int i = 0; i < N; i++)
    expectInteger("index at the end", i, i % 4, (long)items[i].v.index());
  return finish();
}
