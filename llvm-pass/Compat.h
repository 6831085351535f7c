// Compat.h: what differs between LLVM versions, in one place, and what both entries of the plugin
// need.
#pragma once
#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"

static_assert(LLVM_VERSION_MAJOR == 22, "the plugin is written for LLVM 22");

namespace ompdsm {
/// As in -fplugin-arg-ompdsm-<option>.
inline constexpr const char *kPluginName = "ompdsm";
} // namespace ompdsm
