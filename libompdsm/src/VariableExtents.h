// VariableExtents.h: where each shared variable of the loaded images begins and ends, and its name.
//
// A check in front of a loop may ask about the whole object that a pointer points into
// (ObjectChecks.cpp). What the compiler knows of the variables is in a list in each image
// (ompdsm/abi.h). Made at start, constant afterwards.
#pragma once
#include "libompdsm/src/Images.h"
#include <span>
#include <vector>

namespace ompdsm {

struct Variable {
  AddressRange range;
  const char *name = nullptr; ///< As the image has it; demangled.
};

class VariableExtents {
public:
  VariableExtents() = default;
  explicit VariableExtents(const std::vector<LoadedImage> &images);

  /// The variable that holds `address`; empty if it is in no list. O(log variables).
  AddressRange find(Address address) const;
  /// Those that have bytes in the range, ascending.
  std::span<const Variable> in(AddressRange range) const;

private:
  std::vector<Variable> variables_; ///< Ascending; no two begin at one address.
};

} // namespace ompdsm
