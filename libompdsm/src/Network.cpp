// Network.cpp: creates, connects and decorates the transport.
#include "libompdsm/src/Network.h"
#include "fabric/Fault.h"
#include "fabric/Trace.h"
#include "fabric/ofi/OfiTransport.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Images.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ompdsm {
namespace {

/// The own address on the way to the launcher: connecting a datagram socket sends nothing, but asks
/// the routing table. The default of OfiOptions stays where that fails.
void findBindAddress(const std::string &rendezvous, std::string &bindAddress) {
  const std::size_t colon = rendezvous.rfind(':');
  sockaddr_in peer{};
  peer.sin_family = AF_INET;
  peer.sin_port = htons(9); // Any will do.
  if (inet_pton(AF_INET, rendezvous.substr(0, colon).c_str(), &peer.sin_addr) != 1)
    return;
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return;
  sockaddr_in own{};
  socklen_t length = sizeof own;
  char text[INET_ADDRSTRLEN];
  if (connect(fd, reinterpret_cast<const sockaddr *>(&peer), sizeof peer) == 0 &&
      getsockname(fd, reinterpret_cast<sockaddr *>(&own), &length) == 0 &&
      inet_ntop(AF_INET, &own.sin_addr, text, sizeof text))
    bindAddress = text;
  close(fd);
}

} // namespace

Status loadNetworkLibrary(AddressRange &range) {
  const void *inside = nullptr;
  Status status = fabric::OfiTransport::loadLibrary(inside);
  if (status.isOk())
    range = imageRangeAround(inside);
  return status;
}

Network::~Network() {
  while (!layers_.empty())
    layers_.pop_back(); // From the outermost inwards.
}

Status Network::open(const Options &options, const std::string &rendezvous, NodeId node,
                     unsigned nodes, fabric::Bootstrap &bootstrap,
                     std::unique_ptr<Network> &network) {
  // The decorators' options first, so that a mistake there costs no time.
  fabric::FaultOptions fault;
  if (!options.fault.empty())
    if (Status status =
            inVariable("OMPDSM_FAULT", fabric::FaultOptions::parse(options.fault, fault));
        !status.isOk())
      return status;
  fabric::TraceOptions trace;
  if (!options.trace.empty())
    if (Status status =
            inVariable("OMPDSM_TRACE", fabric::TraceOptions::parse(options.trace, trace));
        !status.isOk())
      return status;

  const std::chrono::seconds timeout(options.startTimeoutSeconds);
  fabric::OfiOptions ofi;
  ofi.transport = options.provider;
  ofi.hostSuffix = options.hostSuffix;
  ofi.connectTimeout = timeout;
  findBindAddress(rendezvous, ofi.bindAddress);
  ofi.onFailure = [node](const std::string &reason) {
    fatal("node %u lost a connection of the network: %s", unsigned(node), reason.c_str());
  };
  std::unique_ptr<fabric::OfiTransport> transport;
  if (Status status = fabric::OfiTransport::create(ofi, node, nodes, transport); !status.isOk())
    return status;
  std::vector<std::vector<std::byte>> addresses;
  if (Status status = bootstrap.allGather(transport->addressBlob(), addresses, timeout);
      !status.isOk())
    return status;
  if (Status status = transport->connect(addresses); !status.isOk())
    return status;

  std::unique_ptr<Network> made(new Network);
  made->layers_.push_back(std::move(transport));
  // Each node draws other delays, in every run the same.
  fault.seed = fault.seed * nodes + node;
  if (!options.fault.empty())
    made->layers_.push_back(std::make_unique<fabric::FaultTransport>(made->transport(), fault));
  if (!options.trace.empty())
    made->layers_.push_back(std::make_unique<fabric::TraceTransport>(made->transport(), trace));
  network = std::move(made);
  return Status::ok();
}

} // namespace ompdsm
