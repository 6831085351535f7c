// Rail.cpp: libfabric objects in the order in which they need each other.
#include "Rail.h"
#include "../Check.h"
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <sys/mman.h>

namespace ompdsm::fabric {

/// Distance of receive buffers whose size is `bytes`: whole cache lines, and not a power of two, so
/// that the beginnings of all messages do not fall into the same set of a cache.
static std::size_t strideOf(std::size_t bytes) { return (bytes + 63) / 64 * 64 + 64; }

/// Completions that a queue holds before its provider has to stall.
static constexpr std::size_t kCompletionQueueEntries = 4096;

static Status failed(const std::string &what, const std::string &provider, ssize_t result) {
  return Status::error("libfabric provider '" + provider + "' cannot " + what + ": " +
                       library().describeError(static_cast<int>(-result)));
}

Status Rail::open(InfoPtr info, const Shape &shape, std::unique_ptr<Rail> &rail) {
  OMPDSM_CHECK(shape.endpoints >= 1 && shape.endpoints <= kMaxEndpoints);
  OMPDSM_CHECK(shape.receiveBuffers >= 1);
  std::unique_ptr<Rail> result(new Rail);
  result->info_ = std::move(info);
  fi_info &chosen = *result->info_;
  result->shape_ = shape;
  result->providerName_ = chosen.fabric_attr->prov_name;
  result->injectBytes_ = chosen.tx_attr->inject_size;
  const std::string &name = result->providerName_;

  fid_fabric *fabric = nullptr;
  if (int error = library().openFabric(chosen.fabric_attr, &fabric, nullptr))
    return failed("open its fabric", name, error);
  result->fabric_.reset(fabric);
  fid_domain *domain = nullptr;
  if (int error = fi_domain(fabric, &chosen, &domain, nullptr))
    return failed("open its domain", name, error);
  result->domain_.reset(domain);
  fi_av_attr addressAttributes{};
  addressAttributes.type = FI_AV_TABLE;
  fid_av *addresses = nullptr;
  if (int error = fi_av_open(domain, &addressAttributes, &addresses, nullptr))
    return failed("open an address table", name, error);
  result->addresses_.reset(addresses);
  fi_cq_attr queueAttributes{};
  queueAttributes.format = FI_CQ_FORMAT_DATA;
  queueAttributes.wait_obj = shape.canBlock ? FI_WAIT_UNSPEC : FI_WAIT_NONE;
  queueAttributes.size = kCompletionQueueEntries;
  fid_cq *completions = nullptr;
  if (int error = fi_cq_open(domain, &queueAttributes, &completions, nullptr))
    return failed("open a completion queue", name, error);
  result->completions_.reset(completions);

  // Untouched pages of the buffers cost nothing.
  std::size_t buffers = shape.endpoints * shape.receiveBuffers;
  result->memoryBytes_ = buffers * strideOf(shape.maxMessageBytes);
  void *memory = mmap(nullptr, result->memoryBytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return Status::error("cannot allocate receive buffers for the transport");
  result->memory_ = static_cast<std::byte *>(memory);
  result->buffers_.resize(buffers);
  result->used_.reserve(buffers);
  for (unsigned endpoint = 0; endpoint < shape.endpoints; ++endpoint)
    if (Status status = result->openEndpoint(); !status.isOk())
      return status;
  rail = std::move(result);
  return Status::ok();
}

Status Rail::openEndpoint() {
  auto index = static_cast<unsigned>(endpoints_.size());
  fid_ep *endpoint = nullptr;
  if (int error = fi_endpoint(domain_.get(), info_.get(), &endpoint, nullptr))
    return failed("open an endpoint", providerName_, error);
  endpoints_.emplace_back(endpoint);
  if (int error = fi_ep_bind(endpoint, &addresses_->fid, 0))
    return failed("bind an endpoint to its addresses", providerName_, error);
  if (int error = fi_ep_bind(endpoint, &completions_->fid, FI_TRANSMIT | FI_RECV))
    return failed("bind an endpoint to its queue", providerName_, error);
  if (int error = fi_enable(endpoint))
    return failed("enable an endpoint", providerName_, error);
  for (std::size_t i = 0; i < shape_.receiveBuffers; ++i) {
    std::size_t number = index * shape_.receiveBuffers + i;
    ReceiveBuffer &buffer = buffers_[number];
    buffer.operation.kind = Operation::Kind::Receive;
    buffer.endpoint = index;
    buffer.memory = memory_ + number * strideOf(shape_.maxMessageBytes);
    if (!post(buffer))
      return Status::error("libfabric provider '" + providerName_ + "' takes no receive buffers");
  }
  return Status::ok();
}

Rail::~Rail() {
  // Buffers outlive the endpoints that write to them; the members go in reverse order by
  // themselves.
  endpoints_.clear();
  completions_.reset();
  if (memory_)
    munmap(memory_, memoryBytes_);
}

Status Rail::endpointName(unsigned endpoint, std::vector<std::byte> &name) const {
  std::vector<std::byte> result(512);
  std::size_t bytes = result.size();
  if (int error = fi_getname(&endpoints_[endpoint]->fid, result.data(), &bytes))
    return failed("tell the address of an endpoint", providerName_, error);
  result.resize(bytes);
  name = std::move(result);
  return Status::ok();
}

Status Rail::insertPeer(const std::vector<std::byte> &name, fi_addr_t &address) {
  int inserted = fi_av_insert(addresses_.get(), name.data(), 1, &address, 0, nullptr);
  return inserted == 1 ? Status::ok()
                       : failed("use the address of a peer", providerName_, inserted);
}

Rail::Outcome Rail::outcomeOf(ssize_t result) {
  if (result == 0)
    return Outcome::Done;
  // A provider without memory for one more operation is a full queue to us.
  return result == -FI_EAGAIN || result == -FI_ENOMEM ? Outcome::Again : Outcome::Failed;
}

Rail::Outcome Rail::inject(unsigned endpoint, fi_addr_t to, Bytes message) {
  return outcomeOf(fi_inject(endpoints_[endpoint].get(), message.data(), message.size(), to));
}

Rail::Outcome Rail::send(unsigned endpoint, fi_addr_t to, Bytes message, Operation &operation) {
  operation.kind = Operation::Kind::Send;
  return outcomeOf(fi_send(endpoints_[endpoint].get(), message.data(), message.size(), nullptr, to,
                           &operation.reserved));
}

bool Rail::post(ReceiveBuffer &buffer) {
  return fi_recv(endpoints_[buffer.endpoint].get(), buffer.memory, shape_.maxMessageBytes, nullptr,
                 FI_ADDR_UNSPEC, &buffer.operation.reserved) == 0;
}

unsigned Rail::read(Completion *completions, unsigned count) {
  fi_cq_data_entry entries[kBatch];
  OMPDSM_CHECK(count >= 1 && count <= kBatch);
  ssize_t result = fi_cq_read(completions_.get(), entries, count);
  if (result == -FI_EAVAIL) {
    completions[0] = Completion{};
    readError(completions[0]);
    return 1;
  }
  if (result <= 0)
    return 0;
  for (ssize_t i = 0; i < result; ++i) {
    const fi_cq_data_entry &entry = entries[i];
    Completion &completion = completions[i];
    completion = Completion{};
    auto *operation = static_cast<Operation *>(entry.op_context);
    if (operation->kind == Operation::Kind::Send) {
      completion.send = operation;
      continue;
    }
    auto *buffer = reinterpret_cast<ReceiveBuffer *>(operation);
    completion.received = {buffer->memory, entry.len};
    used_.push_back(buffer);
  }
  return static_cast<unsigned>(result);
}

void Rail::readError(Completion &completion) {
  fi_cq_err_entry error{};
  if (fi_cq_readerr(completions_.get(), &error, 0) <= 0)
    return;
  if (failure_.empty())
    failure_ = "libfabric provider '" + providerName_ +
               "' lost a message: " + library().describeError(error.err);
  auto *operation = static_cast<Operation *>(error.op_context);
  completion.failed = true;
  if (operation && operation->kind == Operation::Kind::Send)
    completion.send = operation;
  else if (operation)
    used_.push_back(reinterpret_cast<ReceiveBuffer *>(operation));
}

void Rail::recycle() {
  if (used_.empty())
    return;
  // A provider that is out of entries gets the buffer the next time.
  std::erase_if(used_, [this](ReceiveBuffer *buffer) { return post(*buffer); });
}

bool Rail::hasCompletions() {
  // A read of nothing makes progress and answers 0 when there would be something (util_cq.c).
  return fi_cq_read(completions_.get(), nullptr, 0) != -FI_EAGAIN;
}

void Rail::waitForCompletion(std::chrono::microseconds timeout) {
  auto timeoutMs = static_cast<int>((timeout.count() + 999) / 1000);
  // Nothing is taken: the entry stays for whoever polls, also when that is another thread.
  (void)fi_cq_sread(completions_.get(), nullptr, 0, nullptr, timeoutMs);
}

} // namespace ompdsm::fabric
