// OfiConnect.cpp: opening endpoints, and reaching every peer by shm or TCP.
#include "../Check.h"
#include "Library.h"
#include "OfiNode.h"
#include "SendBuffer.h"
#include <unistd.h>

namespace ompdsm::fabric {

// shm needs one endpoint: its provider takes everything that has arrived in one go, so that a
// second one would not let Control overtake. TCP has a connection of its own for Control
// (measured: 2.5 to 3 times lower latency of Control under bulk).
//
// A provider that has no buffer for a message leaves it in the socket (net) or puts it aside (shm,
// rxm); windows bound that. Each TCP peer can be in the middle of a message, hence one buffer for
// each of them; beyond that, fewer stay in the caches.
static Rail::Shape shmShape() {
  return {.endpoints = 1,
          .maxMessageBytes = sizeof(WireHeader) + kMostInLetter,
          .receiveBuffers = 64,
          .canBlock = false};
}
static Rail::Shape tcpShape(unsigned nodeCount) {
  return {.endpoints = 2,
          .maxMessageBytes = kMaxWireBytes,
          .receiveBuffers = nodeCount + 16,
          .canBlock = true};
}
static constexpr std::size_t kSmallBytes = 1024, kMediumBytes = 8192;

OfiNode::OfiNode(const OfiOptions &options, NodeId self, unsigned nodeCount)
    : options_(options), self_(self), nodeCount_(nodeCount), peers_(nodeCount) {
  std::size_t buffers = std::size_t(nodeCount) * kChannelCount * kMaxOutstanding;
  pools_[0] = std::make_unique<BufferPool>(buffers, kSmallBytes);
  pools_[1] = std::make_unique<BufferPool>(buffers, kMediumBytes);
  pools_[2] = std::make_unique<BufferPool>(buffers, SendBuffer::kHeaderBytes + kMaxWireBytes);
  creditsDue_.reserve(nodeCount);
}

OfiNode::~OfiNode() {
  stopWatcher();
  // Providers still read from buffers whose sends are outstanding; a dead peer's never complete.
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (outstanding_.load() != 0 && std::chrono::steady_clock::now() < deadline) {
    for (Rail *rail : {shm_.get(), tcp_.get()}) {
      Rail::Completion batch[Rail::kBatch];
      unsigned taken = rail ? rail->read(batch, Rail::kBatch) : 0;
      for (unsigned i = 0; i < taken; ++i)
        if (batch[i].send)
          completeSend(static_cast<SendBuffer *>(static_cast<void *>(batch[i].send)));
      if (taken != 0)
        rail->recycle();
    }
    usleep(100);
  }
  shm_.reset();
  tcp_.reset();
  if (outstanding_.load() != 0)
    for (auto &pool : pools_)
      (void)pool.release(); // The buffers of a dead peer's sends are lost with the process.
}

Status OfiTransport::loadLibrary(const void *&inside) {
  if (Status status = openLibrary(); !status.isOk())
    return status;
  inside = reinterpret_cast<const void *>(library().getInfo);
  return Status::ok();
}

Status OfiTransport::create(const OfiOptions &options, NodeId self, unsigned nodeCount,
                            std::unique_ptr<OfiTransport> &transport) {
  OMPDSM_CHECK(nodeCount >= 1 && nodeCount <= DoorbellPage::kMaxNodes && self < nodeCount);
  if (Status status = openLibrary(); !status.isOk())
    return status;
  auto result = std::make_unique<OfiNode>(options, self, nodeCount);
  Status status = result->open();
  if (status.isOk())
    transport = std::move(result);
  return status;
}

Status OfiNode::open() {
  if (Status status = Doorbell::create(doorbell_); !status.isOk())
    return status;
  if (Status status = SharedFile::create("ompdsm-messages", nodeCount_ * kRingsBytes, rings_);
      !status.isOk())
    return status;
  if (Status status = openRails(); !status.isOk())
    return status;
  return describeEndpoints();
}

Status OfiNode::openRails() {
  StartupShield shield;
  ProviderEnvironment environment(options_.transport);
  bool isAuto = options_.transport == "auto";
  if (isAuto || options_.transport == "shm") {
    InfoPtr info;
    Status status = findProvider("shm", options_.bindAddress, info);
    if (status.isOk())
      status = Rail::open(std::move(info), shmShape(), shm_);
    if (!status.isOk() && !isAuto) // On its own, TCP does everything that shm does.
      return status;
  }
  if (options_.transport != "shm") {
    InfoPtr info;
    Status status = isAuto || options_.transport == "tcp"
                        ? findTcpProvider(options_.bindAddress, info)
                        : findProvider(options_.transport, options_.bindAddress, info);
    if (status.isOk())
      status = Rail::open(std::move(info), tcpShape(nodeCount_), tcp_);
    if (!status.isOk())
      return status;
  }
  return Status::ok();
}

Status OfiNode::describeEndpoints() {
  blob_.hostIdentity = currentHostIdentity() + "|" + options_.hostSuffix;
  blob_.processId = getpid();
  blob_.doorbellFd = doorbell_.fileDescriptor();
  blob_.ringsFd = rings_.descriptor();
  blob_.tcpProvider = tcp_ ? tcp_->providerName() : "";
  for (auto &[rail, names] :
       {std::pair(shm_.get(), &blob_.shmEndpoints), std::pair(tcp_.get(), &blob_.tcpEndpoints)})
    for (unsigned endpoint = 0; rail && endpoint < rail->endpointCount(); ++endpoint) {
      names->emplace_back();
      if (Status status = rail->endpointName(endpoint, names->back()); !status.isOk())
        return status;
    }
  return Status::ok();
}

Status OfiNode::connect(const std::vector<std::vector<std::byte>> &blobs) {
  OMPDSM_CHECK(blobs.size() == nodeCount_);
  StartupShield shield;
  for (unsigned node = 0; node < nodeCount_; ++node) {
    if (node == self_)
      continue;
    AddressBlob theirs;
    if (Status status = AddressBlob::decode(blobs[node], theirs); !status.isOk())
      return status;
    if (Status status = reachPeer(static_cast<NodeId>(node), theirs); !status.isOk())
      return status;
  }
  bool usesShm = false, usesTcp = false;
  for (const Peer &peer : peers_) {
    usesShm |= peer.rail != nullptr && peer.isLocal;
    usesTcp |= peer.rail != nullptr && !peer.isLocal;
  }
  if (!usesShm)
    shm_.reset();
  if (!usesTcp)
    tcp_.reset();
  name_ = usesShm ? "shm" : "";
  if (usesTcp)
    name_ += std::string(usesShm ? " + " : "") + "tcp (" + tcp_->providerName() + ")";
  if (name_.empty())
    name_ = "one node";
  if (usesTcp)
    if (Status status = tcp_->insertPeer(blob_.tcpEndpoints[0], ownTcpAddress_); !status.isOk())
      return status;
  Status status = exchangeHellos();
  if (status.isOk() && usesShm && usesTcp)
    startWatcher();
  return status;
}

Status OfiNode::reachPeer(NodeId node, const AddressBlob &theirs) {
  Peer &peer = peers_[node];
  std::string who = "node " + std::to_string(node);
  peer.isLocal = shm_ && theirs.hostIdentity == blob_.hostIdentity &&
                 theirs.shmEndpoints.size() == blob_.shmEndpoints.size();
  if (!peer.isLocal && !tcp_)
    return Status::error(who + " is on another host, which the transport 'shm' cannot reach; use "
                               "'auto' or 'tcp'");
  if (!peer.isLocal && theirs.tcpProvider != blob_.tcpProvider)
    return Status::error(who + " uses the libfabric provider '" + theirs.tcpProvider +
                         "' for tcp, this node '" + blob_.tcpProvider +
                         "'; install one version of libfabric on all hosts or name a provider");
  const auto &names = peer.isLocal ? theirs.shmEndpoints : theirs.tcpEndpoints;
  peer.rail = peer.isLocal ? shm_.get() : tcp_.get();
  if (names.size() != peer.rail->endpointCount())
    return Status::error(who + " has another number of endpoints; use one installation of ompdsm");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (Status status = peer.rail->insertPeer(names[i], peer.addresses[i]); !status.isOk())
      return status;
  return peer.isLocal ? shareMemory(node, theirs) : Status::ok();
}

Status OfiNode::shareMemory(NodeId node, const AddressBlob &theirs) {
  using Access = SharedFile::Access;
  Peer &peer = peers_[node];
  Status status = Doorbell::open(theirs.processId, theirs.doorbellFd, peer.doorbell);
  if (status.isOk())
    status = rings_.map(node * kRingsBytes, kRingsBytes, Access::ReadAndWrite, peer.rings);
  SharedFile file;
  if (status.isOk())
    status = SharedFile::open(theirs.processId, theirs.ringsFd, file);
  if (status.isOk())
    status = file.map(self_ * kRingsBytes, kRingsBytes, Access::Read, peer.theirRings);
  for (unsigned channel = 0; status.isOk() && channel < kChannelCount; ++channel) {
    peer.flows[channel].window = kLocalWindowBytes;
    peer.flows[channel].ring = RingWriter(peer.rings.data() + channel * kRingBytes);
    peer.flows[channel].peerRing = peer.theirRings.data() + channel * kRingBytes;
  }
  return status;
}

/// Each endpoint says hello to its counterpart at every peer, so that connections, mappings and
/// everything else that the first message would have to wait for exist afterwards. Over TCP the
/// node greets itself, too: that is how it wakes itself.
Status OfiNode::exchangeHellos() {
  auto deadline = std::chrono::steady_clock::now() + options_.connectTimeout;
  std::vector<unsigned> said(nodeCount_);
  Peer &self = peers_[self_];
  if (tcp_) {
    self.rail = tcp_.get();
    self.addresses[0] = ownTcpAddress_;
  }
  auto endpointsOf = [&](const Peer &peer) {
    return &peer == &self ? 1 : peer.rail->endpointCount();
  };
  for (;;) {
    bool complete = true;
    for (unsigned node = 0; node < nodeCount_; ++node) {
      Peer &peer = peers_[node];
      if (!peer.rail)
        continue;
      while (said[node] < endpointsOf(peer) &&
             sendBare(peer, WireKind::Hello, said[node], said[node]))
        ++said[node];
      complete &= said[node] == endpointsOf(peer) && peer.hellos == endpointsOf(peer);
    }
    if (complete)
      return Status::ok();
    if (std::chrono::steady_clock::now() > deadline)
      return Status::error("cannot connect to " + missingHellos() + " within " +
                           std::to_string(options_.connectTimeout.count()) + " ms over " + name_ +
                           "; check that address " + options_.bindAddress +
                           " is reachable from the other hosts");
    sleep(std::chrono::microseconds(1000));
    unsigned delivered = 0; // Peers that are ahead may send already: kept for the first poll.
    for (Rail *rail : {shm_.get(), tcp_.get()})
      if (rail)
        drain(*rail, 0, nullptr, Rail::kBatch, delivered);
  }
}

std::string OfiNode::missingHellos() const {
  std::string list;
  for (unsigned node = 0; node < nodeCount_; ++node)
    if (node != self_ && peers_[node].hellos != peers_[node].rail->endpointCount())
      list += (list.empty() ? "node " : ", node ") + std::to_string(node);
  return list.empty() ? "a node" : list;
}

} // namespace ompdsm::fabric
