// SourceLocation.h: the place in the program that an Ident names, for messages.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include <string>

namespace ompdsm {

/// "file:line" of a location, or "an unknown place" when the compiler gave none. Without -g the
/// file is "unknown" and the line that of nothing; then the function's name is all there is.
std::string sourceLine(const Ident *location);

} // namespace ompdsm
