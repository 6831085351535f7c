// Images.h: the executable and the shared libraries that are loaded now: where they lie, which
// build they are, and the note that libompdsm-image.o left in those that are linked with -lompdsm.
//
// A snapshot; libraries that dlopen loads later are not in it. Called at start, by one thread.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ompdsm {

inline constexpr unsigned kSharedSections = 4;

/// The note of ompdsm/abi.h, decoded.
struct ImageNote {
  unsigned abiVersion = 0;
  std::array<AddressRange, kSharedSections> sections; ///< In the order of abi.h; empty if absent.
  AddressRange callees;                               ///< OMPDSM_SECTION_CALLEES.
  AddressRange variables;                             ///< OMPDSM_SECTION_VARIABLES.
};

struct LoadedImage {
  std::string name;    ///< Path; of the executable as /proc/self/exe names it.
  AddressRange range;  ///< From the first to the last byte of its load segments.
  std::string buildId; ///< Hexadecimal; empty if the image has none.
  std::optional<ImageNote> note;
};

/// All images but the kernel's own (vdso), in the order of loading; the executable is the first.
std::vector<LoadedImage> loadedImages();

/// Whether one of them refers to this function of another image.
bool anyImageCalls(const char *function);

/// Whether one of them wants stacks that can be executed, for code that it puts there.
bool anyImageExecutesStack();

/// Whether these bytes are of a readable segment of some image.
bool isLoaded(AddressRange bytes);

/// The range of the image that holds `address`; empty if none does.
AddressRange imageRangeAround(const void *address);

} // namespace ompdsm
