// AddressBlob.h: what a node tells its peers at start so that they can reach it.
#pragma once
#include "../Status.h"
#include "../Transport.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ompdsm::fabric {

struct AddressBlob {
  /// Two nodes with equal identities can use shm with each other: same kernel, same pid namespace,
  /// same /dev/shm, same user and same host name.
  std::string hostIdentity;
  std::int32_t processId = 0;
  std::int32_t doorbellFd = 0; ///< Of Doorbell.h.
  std::int32_t ringsFd = 0;    ///< The node's rings (MessageRing.h), by receiver.
  std::string tcpProvider; ///< Empty if the node has no TCP-like endpoints.
  std::vector<std::vector<std::byte>> shmEndpoints; ///< Names, by endpoint.
  std::vector<std::vector<std::byte>> tcpEndpoints;

  std::vector<std::byte> encode() const;
  static Status decode(Bytes bytes, AddressBlob &blob);
};

/// The identity of this host as seen by this process.
std::string currentHostIdentity();

} // namespace ompdsm::fabric
