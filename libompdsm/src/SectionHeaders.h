// SectionHeaders.h: what an image's file says of where its sections lie; they are not loaded.
#pragma once
#include "libompdsm/src/Images.h"

namespace ompdsm {

/// Whether some section of the image has bytes in the range; true if its file cannot be read, or
/// says nothing.
bool mayHoldSections(const LoadedImage &image, AddressRange range);

} // namespace ompdsm
