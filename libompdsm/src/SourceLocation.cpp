// SourceLocation.cpp: parses LLVM's ";file;function;line;column;;".
#include "libompdsm/src/SourceLocation.h"
#include <string_view>
#include <tuple>

namespace ompdsm {

std::string sourceLine(const Ident *location) {
  if (!location || !location->psource)
    return "an unknown place";
  std::string_view rest = location->psource, fields[3];
  if (rest.starts_with(';'))
    rest.remove_prefix(1);
  for (std::string_view &field : fields) {
    std::size_t end = rest.find(';');
    if (end == std::string_view::npos)
      return "an unknown place";
    field = rest.substr(0, end);
    rest.remove_prefix(end + 1);
  }
  auto [file, function, line] = std::tie(fields[0], fields[1], fields[2]);
  if (file == "unknown")
    return function == "unknown" ? "an unknown place (compile with -g to see which)"
                                 : "function " + std::string(function);
  return std::string(file) + ":" + std::string(line);
}

} // namespace ompdsm
