// VariableExtents.h: where each shared variable of the loaded images begins and ends.
//
// A check in front of a loop may ask about the whole object that a pointer points into
// (ObjectChecks.cpp). What the compiler knows of the variables is in a list in each image
// (ompdsm/abi.h). Made at start, constant afterwards.
#pragma once
#include "libompdsm/src/Images.h"
#include <vector>

namespace ompdsm {

class VariableExtents {
public:
  VariableExtents() = default;
  explicit VariableExtents(const std::vector<LoadedImage> &images);

  /// The variable that holds `address`; empty if it is in no list. O(log variables).
  AddressRange find(Address address) const;

private:
  std::vector<AddressRange> variables_; ///< Ascending; no two begin at one address.
};

} // namespace ompdsm
