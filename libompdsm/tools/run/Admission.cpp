// Admission.cpp: listening, the challenge, and the judgement of the answer.
#include "libompdsm/tools/run/Admission.h"
#include "fabric/Check.h"
#include <cerrno>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace ompdsm::run {

using namespace fabric::bootstrap;

Admission::~Admission() { close(); }

bool Admission::open(in_addr host) {
  listener_.reset(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr = host;
  return listener_.isOpen() &&
         bind(listener_.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 &&
         listen(listener_.get(), int(kMaxPending)) == 0;
}

std::string Admission::address() const {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  OMPDSM_CHECK(getsockname(listener_.get(), reinterpret_cast<sockaddr *>(&address), &length) == 0);
  return printAddress(address);
}

void Admission::start(Admitted admitted) {
  admitted_ = std::move(admitted);
  OMPDSM_CHECK(loop_.add(listener_.get(), EPOLLIN, [this](std::uint32_t) { acceptOne(); }));
}

void Admission::close() {
  pending_.clear();
  if (listener_.isOpen())
    loop_.remove(listener_.get());
  listener_.reset();
}

void Admission::sweep() {
  pending_.remove_if([](const Pending &pending) { return pending.finished; });
}

void Admission::tick(TimePoint now) {
  sweep();
  while (!pending_.empty() && pending_.front().deadline <= now)
    pending_.pop_front();
  if (admittedCount_ == nodes_)
    close();
}

void Admission::acceptOne() {
  UniqueFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!fd.isOpen()) {
    // Short of descriptors: who waits longest makes room, and the new one is accepted next time.
    if ((errno == EMFILE || errno == ENFILE) && !pending_.empty())
      pending_.pop_front();
    return;
  }
  sweep();
  if (pending_.size() == kMaxPending)
    pending_.pop_front();
  setLiveness(fd.get());
  Challenge challenge;
  if (!fillRandom(challenge.nonce))
    return;
  pending_.emplace_back();
  const Place place = std::prev(pending_.end());
  place->connection =
      std::make_unique<Connection>(loop_, std::move(fd), typeBit(MessageType::Hello));
  place->nonce = challenge.nonce;
  place->deadline = Clock::now() + kProofDeadline;
  place->connection->setHandlers([this, place](const Frame &frame) { return judge(place, frame); },
                                 [place](Connection::Ended) { place->finished = true; });
  auto bytes = std::make_shared<std::vector<std::byte>>();
  appendChallenge(*bytes, challenge);
  place->connection->send(std::move(bytes));
}

bool Admission::judge(Place place, const Frame &frame) {
  const Hello hello = decodeHello(frame);
  const Exchange exchange{hello.node, hello.pid, place->nonce, hello.nonce};
  if (!sameProof(hello.proof, proveNode(secret_, exchange)) || hello.node >= nodes_)
    return false;
  if (admittedNodes_[hello.node]) {
    // One of ours, so it is told why; it stays pending until it has heard, or its deadline.
    auto refusal = std::make_shared<std::vector<std::byte>>();
    appendText(*refusal, MessageType::End,
               "node " + std::to_string(hello.node) +
                   " has joined already; one node is one process");
    place->connection->accept(0);
    place->connection->send(std::move(refusal));
    return true;
  }
  admittedNodes_[hello.node] = true;
  ++admittedCount_;
  auto bytes = std::make_shared<std::vector<std::byte>>();
  appendWelcome(*bytes, Welcome{proveLauncher(secret_, exchange)});
  place->connection->send(std::move(bytes));
  place->connection->accept(typeBit(MessageType::Gather) | typeBit(MessageType::Failure) |
                            typeBit(MessageType::Done));
  place->finished = true;
  admitted_(hello.node, static_cast<pid_t>(hello.pid), std::move(place->connection));
  return true;
}

} // namespace ompdsm::run
