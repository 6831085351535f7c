// ThreadLocalStorage.h: which addresses are in thread-local storage and so mean nothing elsewhere.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include <vector>

namespace ompdsm {

/// The calling thread's thread-local blocks of all loaded images.
std::vector<AddressRange> ownThreadLocals();

/// Whether one of the ranges holds the address.
bool isIn(const std::vector<AddressRange> &ranges, const void *address);

/// True for an address in one of the calling thread's.
bool isOwnThreadLocal(const void *address);

} // namespace ompdsm
