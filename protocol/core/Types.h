// Types.h: the words of the protocol core. The core includes nothing of the project but itself.
#pragma once
#include <cstdint>

namespace ompdsm {

using NodeId = std::uint16_t;
using Address = std::uintptr_t;

} // namespace ompdsm
