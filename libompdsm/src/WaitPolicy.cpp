#include "libompdsm/src/WaitPolicy.h"
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <strings.h>

namespace ompdsm {
namespace {

constexpr std::uint64_t kLeast = 1000, kInfinite = std::numeric_limits<unsigned>::max();

/// Nothing of what libomp does not understand, of which it warns.
std::optional<std::uint64_t> parseBlockTime(std::string_view text) {
  if (text == "infinite")
    return kInfinite;
  std::uint32_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(std::size_t(stop - text.data()));
  if (error != std::errc() || (unit != "" && unit != "ms" && unit != "us"))
    return std::nullopt;
  return unit == "us" ? value : value * std::uint64_t(1000);
}

} // namespace

unsigned microsecondsToPoll(const char *waitPolicy, const char *blockTime) {
  std::uint64_t microseconds = kUsualPolling;
  if (waitPolicy && strcasecmp(waitPolicy, "active") == 0)
    microseconds = kInfinite;
  if (waitPolicy && strcasecmp(waitPolicy, "passive") == 0)
    microseconds = 0;
  if (blockTime)
    microseconds = parseBlockTime(blockTime).value_or(microseconds);
  return static_cast<unsigned>(std::clamp(microseconds, kLeast, kInfinite));
}

} // namespace ompdsm
