// Rail.h: the endpoints of one libfabric provider, sharing one completion queue.
//
// A thin and thread-safe layer: it sends from and receives into memory, and knows nothing of
// windows, channels or order between endpoints. read() and everything about receive buffers belong
// to one thread at a time; the rest may be called by any thread.
//
// Each message is received into a buffer of its own. FI_MULTI_RECV would save memory, but the `net`
// provider returns a shared buffer while another connection still receives into it (seen as damaged
// messages; xnet_alter_mrecv flags the message that was placed last, not the one that ends last).
#pragma once
#include "../Status.h"
#include "../Transport.h"
#include "Provider.h"
#include <memory>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <string>
#include <vector>

namespace ompdsm::fabric {

/// What every operation context begins with: libfabric's part, then whose it is.
struct Operation {
  fi_context2 reserved;
  enum class Kind : std::uint8_t { Receive, Send } kind;
};

class Rail {
public:
  struct Shape {
    unsigned endpoints = 1;
    std::size_t maxMessageBytes = 0;
    std::size_t receiveBuffers = 0; ///< Per endpoint.
    bool canBlock = false;          ///< waitForCompletion() will be used.
  };
  /// Something that has happened.
  struct Completion {
    Operation *send = nullptr; ///< A send is complete: its context; else null.
    bool failed = false;       ///< The send was not carried out.
    Bytes received;            ///< What has arrived, if anything has. Valid until recycle().
  };
  enum class Outcome : std::uint8_t { Done, Again, Failed };
  static constexpr unsigned kMaxEndpoints = 2;
  static constexpr unsigned kBatch = 16;

  static Status open(InfoPtr info, const Shape &shape, std::unique_ptr<Rail> &rail);
  ~Rail();
  Rail(const Rail &) = delete;
  Rail &operator=(const Rail &) = delete;

  const std::string &providerName() const { return providerName_; }
  unsigned endpointCount() const { return static_cast<unsigned>(endpoints_.size()); }
  /// Messages of at most this size can be injected: sent without a context.
  std::size_t injectBytes() const { return injectBytes_; }

  Status endpointName(unsigned endpoint, std::vector<std::byte> &name) const;
  /// Makes the endpoint of that name at a peer reachable as `address`.
  Status insertPeer(const std::vector<std::byte> &name, fi_addr_t &address);

  Outcome inject(unsigned endpoint, fi_addr_t to, Bytes message);
  /// `message` and `operation` stay with the provider until the completion.
  Outcome send(unsigned endpoint, fi_addr_t to, Bytes message, Operation &operation);

  /// Makes progress; at most `count` (<= kBatch) completions. Never blocks.
  unsigned read(Completion *completions, unsigned count);
  /// Gives the memory of all `received` so far back to the provider.
  void recycle();
  /// Makes progress; true if read() would return something (or failed: read() will say).
  bool hasCompletions();
  /// Blocks until hasCompletions() or the timeout. To end it early, let the node send itself a
  /// message: fi_cq_signal is lost when it comes just before the provider goes to sleep (measured
  /// with net and rxm of libfabric 1.17: once in some hundred wake-ups).
  void waitForCompletion(std::chrono::microseconds timeout);

  /// Why an operation failed, for messages; empty if none did.
  const std::string &failure() const { return failure_; }

private:
  struct ReceiveBuffer {
    Operation operation{};
    unsigned endpoint = 0;
    std::byte *memory = nullptr;
  };
  struct FidDeleter {
    template <class T> void operator()(T *object) const { fi_close(&object->fid); }
  };
  template <class T> using FidPtr = std::unique_ptr<T, FidDeleter>;

  Rail() = default;
  Status openEndpoint();
  bool post(ReceiveBuffer &buffer);
  void readError(Completion &completion);
  Outcome outcomeOf(ssize_t result);

  // Closed in the reverse order: endpoints before what they are bound to.
  std::vector<ReceiveBuffer> buffers_;
  std::byte *memory_ = nullptr;
  std::size_t memoryBytes_ = 0;
  InfoPtr info_;
  FidPtr<fid_fabric> fabric_;
  FidPtr<fid_domain> domain_;
  FidPtr<fid_av> addresses_;
  FidPtr<fid_cq> completions_;
  std::vector<FidPtr<fid_ep>> endpoints_;
  Shape shape_;
  std::size_t injectBytes_ = 0;
  std::string providerName_;
  std::string failure_;
  std::vector<ReceiveBuffer *> used_; ///< To be posted again by recycle().
};

} // namespace ompdsm::fabric
