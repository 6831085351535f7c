// ForeignCode.h: functions that were not compiled with the plugin ("foreign") and get pointers from
// functions that were.
//
// What such code does with shared memory nobody checks: it may read stale bytes, and what it writes
// may never reach other nodes. The C++ library, OpenMP and this runtime are not foreign in this
// sense: their functions are interposed or work on their own memory. Nor is the C library, but for
// the functions that are known to be neither.
#pragma once
#include "libompdsm/src/Images.h"
#include <string>
#include <vector>

namespace ompdsm {

/// Whether this function was compiled with the plugin. It is one that other modules can call, or the
/// code of a parallel region or a task, and begins at least 16 bytes after its segment does.
bool isInstrumented(const void *function);
/// Whether this instrumented function, the code of a parallel region, may be folded
/// (FoldedRegion.h).
bool isFoldable(const void *function);

struct ForeignCallee {
  std::string name, place; ///< Its symbol; "file:line" of a call, or the calling file.
  std::string image;       ///< Path of the image that it is in.
};

/// The foreign functions that functions of these images call with pointers, each once. Their calls
/// lend what the pointers point to from now on (__ompdsm_lend).
std::vector<ForeignCallee> noteForeignCallees(const std::vector<LoadedImage> &images);

/// One message about all of them, without a newline; empty if there are none.
std::string describeForeignCallees(const std::vector<ForeignCallee> &callees);

} // namespace ompdsm
