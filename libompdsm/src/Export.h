// Export.h: how a function of the library becomes visible to programs.
#pragma once

/// An entry with C linkage and default visibility; everything else in the library is hidden.
#define OMPDSM_EXPORT extern "C" __attribute__((visibility("default")))
