// Options.cpp: parsing of the environment.
#include "libompdsm/src/Options.h"
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace ompdsm {
namespace {

Status invalid(const char *variable, const char *text, const std::string &wanted) {
  return Status::error(std::string(variable) + " is '" + text + "', but must be " + wanted);
}

/// Of K, M and G; 0 for any other.
unsigned shiftOfSuffix(char suffix) {
  switch (suffix) {
  case 'k':
  case 'K':
    return 10;
  case 'm':
  case 'M':
    return 20;
  case 'g':
  case 'G':
    return 30;
  default:
    return 0;
  }
}

template <class Number>
Status readNumber(const char *variable, std::uint64_t least, std::uint64_t most, Number &number) {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return Status::ok();
  const bool hexadecimal = std::strncmp(text, "0x", 2) == 0;
  const char *digits = hexadecimal ? text + 2 : text, *end = text + std::strlen(text);
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits, end, value, hexadecimal ? 16 : 10);
  const unsigned shift = stop + 1 == end ? shiftOfSuffix(*stop) : 0;
  if (error != std::errc() || stop + (shift != 0) != end || value << shift >> shift != value ||
      value << shift < least || value << shift > most)
    return invalid(variable, text,
                   "a number from " + std::to_string(least) + " to " + std::to_string(most));
  value <<= shift;
  number = static_cast<Number>(value);
  return Status::ok();
}

void readText(const char *variable, std::string &text) {
  if (const char *value = std::getenv(variable); value && *value)
    text = value;
}

Status checkPowerOfTwo(const char *variable, std::uint64_t value) {
  return std::has_single_bit(value)
             ? Status::ok()
             : invalid(variable, std::to_string(value).c_str(), "a power of two");
}

} // namespace

Status readOptions(Options &options) {
  Options read;
  read.spinMicroseconds =
      microsecondsToPoll(std::getenv("OMP_WAIT_POLICY"), std::getenv("KMP_BLOCKTIME"));
#define OMPDSM_OPTION(type, member, variable, initial, least, most, agree)                         \
  if (Status status = readNumber<type>(variable, least, most, read.member); !status.isOk())        \
    return status;
  OMPDSM_NUMBER_OPTIONS(OMPDSM_OPTION)
#undef OMPDSM_OPTION
#define OMPDSM_OPTION(member, variable, initial) readText(variable, read.member);
  OMPDSM_TEXT_OPTIONS(OMPDSM_OPTION)
#undef OMPDSM_OPTION
  for (auto [variable, bytes] : {std::pair{"OMPDSM_BLOCK_SMALL", read.blockSmallBytes},
                                 std::pair{"OMPDSM_BLOCK_LARGE", read.blockLargeBytes}})
    if (Status status = checkPowerOfTwo(variable, bytes); !status.isOk())
      return status;
  if (read.segmentBase % (std::uint64_t(1) << 30) != 0)
    return Status::error("OMPDSM_SEGMENT_BASE must be a multiple of 1 GiB (0x40000000)");
  options = std::move(read);
  return Status::ok();
}

Status inVariable(const char *variable, const Status &status) {
  return status.isOk() ? Status::ok()
                       : Status::error(std::string(variable) + ": " + status.message());
}

std::string describeForAgreement(const Options &options) {
  std::string text;
#define OMPDSM_OPTION(type, member, variable, initial, least, most, agree)                         \
  if (agree)                                                                                       \
    text += std::string(variable) + " " + std::to_string(options.member) + "\n";
  OMPDSM_NUMBER_OPTIONS(OMPDSM_OPTION)
#undef OMPDSM_OPTION
  return text;
}

std::string describeAll(const Options &options) {
  std::string text = "OMPDSM DISPLAY ENVIRONMENT BEGIN\n";
#define OMPDSM_OPTION(type, member, variable, initial, least, most, agree)                         \
  text += std::string("  ") + variable + " = '" + std::to_string(options.member) + "'\n";
  OMPDSM_NUMBER_OPTIONS(OMPDSM_OPTION)
#undef OMPDSM_OPTION
#define OMPDSM_OPTION(member, variable, initial)                                                   \
  text += std::string("  ") + variable + " = '" + options.member + "'\n";
  OMPDSM_TEXT_OPTIONS(OMPDSM_OPTION)
#undef OMPDSM_OPTION
  return text + "OMPDSM DISPLAY ENVIRONMENT END\n";
}

} // namespace ompdsm
