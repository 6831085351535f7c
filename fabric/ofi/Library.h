// Library.h: libfabric, which is opened when a process needs a network.
//
// It is not linked: a program on one node needs none, and what libfabric brings along costs each
// process that loads it 10 to 20 ms of processor time and 100 ms of waiting (libinfinipath measures
// the clock).
#pragma once
#include "../Status.h"
#include <rdma/fabric.h>

namespace ompdsm::fabric {

/// libfabric's functions that do not belong to an object of its own.
struct Library {
  decltype(&fi_getinfo) getInfo = nullptr;
  decltype(&fi_dupinfo) duplicateInfo = nullptr;
  decltype(&fi_freeinfo) freeInfo = nullptr;
  decltype(&fi_fabric) openFabric = nullptr;
  decltype(&fi_strerror) describeError = nullptr;
};

/// Opens it at the first call; by any thread. An error says why it cannot be opened.
Status openLibrary();
/// After openLibrary() has succeeded.
const Library &library();

} // namespace ompdsm::fabric
