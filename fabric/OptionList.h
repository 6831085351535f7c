// OptionList.h: option strings of the form "name=value,name=value".
#pragma once
#include "Status.h"
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace ompdsm::fabric {

/// Calls `set(name, value)` for each element of `text`; it answers false when it does not know the
/// name or cannot use the value, which becomes an error that quotes the element and `known`.
template <class Set>
Status parseOptionList(std::string_view text, std::string_view what, std::string_view known,
                       Set set) {
  while (!text.empty()) {
    std::string_view element = text.substr(0, text.find(','));
    text.remove_prefix(element.size() == text.size() ? text.size() : element.size() + 1);
    std::string_view name = element.substr(0, element.find('='));
    std::string_view value =
        name.size() == element.size() ? std::string_view() : element.substr(name.size() + 1);
    if (!set(name, value))
      return Status::error("cannot use '" + std::string(element) + "' in the " + std::string(what) +
                           " options; known are " + std::string(known));
  }
  return Status::ok();
}

/// Parses all of `text` as a number.
template <class Number> bool parseNumber(std::string_view text, Number &number) {
  Number value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  number = value;
  return true;
}

} // namespace ompdsm::fabric
