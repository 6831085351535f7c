// OfiNode.h: the implementation of OfiTransport, private to this directory.
//
// Locks, in order of rank: a flow's sendMutex, then those of libfabric and of the buffer pools;
// watchMutex_ stands alone. No lock is held while a Receiver runs.
#pragma once
#include "../BufferPool.h"
#include "AddressBlob.h"
#include "Doorbell.h"
#include "Flow.h"
#include "OfiTransport.h"
#include "PollingRhythm.h"
#include "Rail.h"
#include <array>
#include <condition_variable>
#include <memory>
#include <thread>

namespace ompdsm::fabric {

class OfiNode final : public OfiTransport {
public:
  OfiNode(const OfiOptions &options, NodeId self, unsigned nodeCount);
  ~OfiNode() override;
  OfiNode(const OfiNode &) = delete;
  OfiNode &operator=(const OfiNode &) = delete;

  /// The first half of OfiTransport::create.
  Status open();
  std::vector<std::byte> addressBlob() const override { return blob_.encode(); }
  Status connect(const std::vector<std::vector<std::byte>> &blobs) override;

  NodeId self() const override { return self_; }
  unsigned nodeCount() const override { return nodeCount_; }
  std::string_view name() const override { return name_; }
  SendResult trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                     Urgency urgency) override;
  unsigned poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) override;
  void sleep(std::chrono::microseconds timeout) override;
  void wake() override;
  void beginPolling() override;
  void endPolling() override;
  /// What was sent and not completed keeps a sleeper from leaving TCP to who polls next.
  bool wantsLook() const override {
    return (shm_ && doorbell_.isPressing()) || outstanding_.load(std::memory_order_relaxed) != 0;
  }
  void insist() override;
  SharedPage attention() const override {
    return shm_ ? SharedPage{doorbell_.fileDescriptor(), Doorbell::kAttentionPage} : SharedPage{};
  }
  void beginWaiting() override;
  void endWaiting() override;

  /// Sends per (peer, channel) whose buffers a provider may hold at a time.
  static constexpr unsigned kMaxOutstanding = 64;

private:
  struct Peer {
    Rail *rail = nullptr;            ///< Null for self.
    bool isLocal = false;            ///< Over shm, with a doorbell.
    std::atomic<bool> unseen{false}; ///< It may not have seen what was sent WhenSeen.
    std::array<fi_addr_t, Rail::kMaxEndpoints> addresses{};
    Doorbell doorbell;         ///< The peer's, if local,
    Mapping rings, theirRings; ///< the rings to it and from it.
    std::array<Flow, kChannelCount> flows;
    bool creditDue = false; ///< In creditsDue_. Polling thread only.
    unsigned hellos = 0;    ///< Endpoints whose Hello has arrived; during connect().
  };
  struct SendBuffer; ///< Context, flow and bytes of a send that the provider holds.

  // OfiConnect.cpp.
  Status openRails();
  Status describeEndpoints();
  Status reachPeer(NodeId node, const AddressBlob &theirs);
  Status shareMemory(NodeId node, const AddressBlob &theirs);
  Status exchangeHellos();
  std::string missingHellos() const;

  // OfiSend.cpp.
  unsigned endpointOf(const Peer &peer, Channel channel) const {
    return channel == Channel::Control ? 0 : peer.rail->endpointCount() - 1;
  }
  bool isRefused(const Flow &flow, std::uint32_t cost) const;
  WireHeader makeHeader(const Peer &peer, WireKind kind, unsigned channel) const;
  void noteReported(Peer &peer, const WireHeader &header);
  SendResult refuse(Peer &peer);
  void ringAfterSend(Peer &peer, Urgency urgency);
  bool sendLocal(Peer &peer, Flow &flow, WireHeader header, std::span<const Bytes> parts,
                 std::size_t messageBytes, Urgency urgency);
  bool sendBuffered(Peer &peer, Flow &flow, WireHeader header, std::span<const Bytes> parts,
                    std::size_t messageBytes, Urgency urgency);
  template <std::size_t Most>
  bool sendInjected(Peer &peer, const WireHeader &header, std::span<const Bytes> parts,
                    std::size_t messageBytes);
  SendBuffer *acquireBuffer(Flow &flow, std::size_t wireBytes);
  void releaseBuffer(SendBuffer *buffer);
  /// Runs `attempt` (returning Rail::Outcome) once more after asking to be told when the provider
  /// has room again, so that a refused sender is never forgotten. `ownOutstanding` of the sends
  /// that are counted as outstanding are this one.
  template <class Attempt>
  bool sendOrAskForRoom(Peer &peer, std::uint32_t ownOutstanding, Attempt attempt);
  bool inject(Peer &peer, unsigned endpoint, Bytes message);
  /// Sends a header alone.
  bool sendBare(Peer &peer, WireKind kind, unsigned channel, unsigned endpoint);

  // OfiReceive.cpp; all on the polling thread.
  bool isTimeForTcp();
  unsigned deliverHeld(ChannelSet channels, Receiver &receiver, unsigned maxMessages);
  bool holdsAny(ChannelSet channels) const;
  void takeArrived(ChannelSet channels, Receiver &receiver, unsigned maxMessages,
                   unsigned &delivered);
  unsigned drain(Rail &rail, ChannelSet channels, Receiver *receiver, unsigned count,
                 unsigned &delivered);
  void completeSend(SendBuffer *buffer);
  void receive(Bytes wire, ChannelSet channels, Receiver *receiver, unsigned &delivered);
  void accept(const WireHeader &header);
  void deliver(NodeId from, Channel channel, Bytes message, Receiver &receiver);
  void sendCredits();
  void ringWaiting();
  void reportFailure(const std::string &reason);

  // OfiSleep.cpp.
  bool hasNews();
  bool hasLocalNews(); ///< Held, or over shm.
  void sleepOnDoorbell(std::chrono::microseconds timeout, std::uint32_t seen);
  bool leaveTcpToPollers(std::chrono::microseconds &timeout, std::uint32_t seen);
  bool sleepInTcp(std::chrono::microseconds timeout, std::uint32_t seen);
  void ringSelf();
  void tellOfRoom();
  void sendWake();
  void takeWake();
  bool mayReadTcp();
  void watchTcp();
  void startWatcher();
  void stopWatcher();

  const OfiOptions options_;
  const NodeId self_;
  const unsigned nodeCount_;
  std::string name_ = "not connected";
  AddressBlob blob_;
  Doorbell doorbell_;
  SharedFile rings_; ///< This node's rings, by receiver.
  // Send buffers by size; they outlive the rails, whose providers write to them.
  std::array<std::unique_ptr<BufferPool>, 3> pools_;
  std::vector<Peer> peers_;
  std::unique_ptr<Rail> shm_;
  std::unique_ptr<Rail> tcp_;

  std::vector<NodeId> creditsDue_; ///< Polling thread only.
  std::array<std::atomic<std::uint32_t>, kChannelCount> heldMessages_{};
  std::atomic<ChannelSet> lastPolled_{kAllChannels};
  std::atomic<std::uint32_t> outstanding_{0}; ///< Sends whose buffers a provider holds.
  std::atomic<bool> anyUnseen_{false};        ///< Of the peers.
  std::atomic<bool> tcpRefused_{false}; ///< A TCP provider was full; the next completion rings.
  /// A TCP provider was full with nothing of ours outstanding: no event will tell when to go on.
  std::atomic<bool> blindRetry_{false};
  fi_addr_t ownTcpAddress_ = FI_ADDR_UNSPEC;
  std::atomic<bool> wakeInFlight_{false}; ///< A Wake has been sent and not been polled.
  std::atomic<bool> inTcpWait_{false};    ///< A sleep is inside the TCP provider.
  /// A sleep leaves TCP to those who poll: the last of them rings.
  std::atomic<bool> leavesTcpToPollers_{false};
  std::atomic<bool> madeRoom_{false};           ///< For what was refused, while others polled.
  std::atomic<std::uint32_t> pollingsEnded_{0}; ///< How often the last of them has left.
  PollingRhythm rhythm_;                        ///< Kept where there is TCP.
  bool leaveTcpToSleeper_ = false;              ///< Polling thread only.
  std::atomic<bool> failureReported_{false};
  std::uint32_t seenRings_ = 0; ///< Rings that a sleep has answered. Sleeping thread only.
  std::atomic<unsigned> pollsUntilTcp_{0}; ///< With both rails; a sleep takes it to 0.

  // With both rails, a thread that turns events of TCP into rings of the doorbell.
  std::thread watcher_;
  std::mutex watchMutex_; ///< Guards watchArmed_ and watchStopping_.
  std::condition_variable watchChanged_;
  bool watchArmed_ = false;
  bool watchStopping_ = false;
};

} // namespace ompdsm::fabric
