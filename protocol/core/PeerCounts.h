// PeerCounts.h: how many messages a node has exchanged with each other, and what a release, an
// answer and a barrier wait for.
//
// Invalidates to a node are numbered; it confirms "I have processed the first k" if asked. Channels
// are ordered, so a number covers all before it. Sources: ARCHITECTURE section 2, traps 6 and 7,
// and section 5 (a barrier carries counts of what was sent).
#pragma once
#include "Types.h"
#include <cstddef>

namespace ompdsm {

/// Messages exchanged with one peer since the start; they only grow. `Counter` has get() (acquire),
/// set() and add() (release), which may be plain where there are no threads; counters are written
/// by one thread at a time.
template <class Counter> struct PeerCounts {
  using Value = typename Counter::Value;

  Counter putsSent, putsProcessed; ///< To the peer; of the peer. Leaves are among them.
  Counter putsCovered;   ///< The Puts up to this number are, or will be, known as applied.
  Counter putsAnnounced; ///< With the last Arrive.
  Value latestTold = 0;  ///< The latest Put of which the peer may have to tell others.
  Counter acksWanted, acksReceived; ///< Of Puts to the peer.
  Counter putsSaid;                 ///< So many Puts had the peer sent when it answered one last.
  Counter invalidatesSent;          ///< To the peer.
  Counter invalidatesAsked;         ///< The number up to which the peer was asked to confirm.
  Counter invalidatesConfirmed;     ///< The number that it has confirmed, or a barrier has.
  Counter invalidatesAnnounced;     ///< Sent when this node arrived last, or was done.
  Counter invalidatesProcessed;     ///< Of the peer.
  Value invalidatesReported = 0;    ///< The same.
  /// Of the peer: how many messages this node waits for in the barrier that it is in.
  Value putsExpected = 0, invalidatesExpected = 0;

  /// `tellsOthers`: the peer may have to tell other sharers of it (BarrierRules.h).
  void onPutSent(bool wantsAck, bool tellsOthers) {
    putsSent.add(1);
    if (tellsOthers)
      latestTold = putsSent.get();
    if (wantsAck) {
      acksWanted.add(1);
      putsCovered.set(putsSent.get());
    }
  }
  /// A Leave is counted among the Puts, so that no home moves while one is under way to it; but
  /// nobody waits for its effect, so no release asks for it.
  void onLeaveSent() {
    const bool covered = !mustAskForPuts();
    putsSent.add(1);
    latestTold = putsSent.get();
    if (covered)
      putsCovered.set(putsSent.get());
  }
  /// Whether Puts that a barrier counts may still be under way: a release of a thread outside of
  /// that barrier sends a Put of nothing after them, whose answer covers them (trap 6).
  bool mustAskForPuts() const { return putsCovered.get() < putsSent.get(); }
  /// Whether a Put of number `put` (0: none) may have crossed what the peer sent when it had
  /// processed so many.
  static constexpr bool hasCrossed(Value put, Value processed) { return put > processed; }
  /// Whether nothing was sent since the last Arrive that a barrier counts.
  bool hasAnnouncedPuts() const { return putsAnnounced.get() == putsSent.get(); }
  /// The same of Puts of which the peer may have to tell others.
  bool hasAnnouncedTold() const { return putsAnnounced.get() >= latestTold; }
  /// This node arrives: whether it has something to report of this peer, since it did so last.
  bool reportArrival() {
    const bool isNew = !hasAnnouncedPuts() || invalidatesReported != invalidatesSent.get();
    putsAnnounced.set(putsSent.get());
    reportDone();
    return isNew;
  }
  /// The same when it is done, of Invalidates. A Put that it has sent since it arrived is reported
  /// in the next barrier: what may come of it is not told yet.
  bool reportDone() {
    const bool isNew = invalidatesReported != invalidatesSent.get();
    invalidatesReported = invalidatesSent.get();
    invalidatesAnnounced.set(invalidatesReported);
    return isNew;
  }
  /// A barrier ends: what was announced is applied, or is going to be when the peer leaves, too.
  /// Who is told of it by a thread of this node cannot use what it has made stale, as acquires in
  /// nodes that have not left ask (askAllPeers).
  void onBarrierDone() {
    if (putsCovered.get() < putsAnnounced.get())
      putsCovered.set(putsAnnounced.get());
    onConfirmed(invalidatesAnnounced.get());
  }
  /// The peer has left the barrier that this node is still in, so it has all that was announced.
  void onLeftBefore() { onConfirmed(invalidatesAnnounced.get()); }
  void onInvalidateSent(bool wantsAck) {
    invalidatesSent.add(1);
    if (wantsAck)
      invalidatesAsked.set(invalidatesSent.get());
  }
  /// Whether what was sent is not going to be confirmed unless this node asks.
  bool mustAsk() const { return invalidatesAsked.get() < invalidatesSent.get(); }
  /// The peer has processed so many, by what it says or by a barrier.
  void onConfirmed(Value invalidates) {
    if (!isConfirmed(invalidates))
      invalidatesConfirmed.set(invalidates);
  }
  bool isConfirmed(Value invalidates) const { return invalidatesConfirmed.get() >= invalidates; }

  void expect(Value puts, Value invalidates) {
    putsExpected = puts;
    invalidatesExpected = invalidates;
  }
  /// The peer answers a Put.
  void onPutAck(Value puts) {
    if (putsSaid.get() < puts)
      putsSaid.set(puts);
    acksReceived.add(1); // last: who sees it sees the rest
  }
  /// What the peer had sent here when it answered last is processed.
  bool hasAllSaid() const { return putsProcessed.get() >= putsSaid.get(); }
  /// What the peer had sent here when it reported last is processed.
  bool hasAllPuts() const { return putsProcessed.get() >= putsExpected; }
  bool hasAllInvalidates() const { return invalidatesProcessed.get() >= invalidatesExpected; }
};

/// What a node to which something is handed over, a lock say, must have processed of the node that
/// hands it over. That need not wait then until this node has confirmed it.
///
/// Who gets it knows what was sent to its own node, and nothing of what is under way to others, as
/// the giver waits until they have confirmed. What its node has caused itself by applying the
/// giver's Puts, invalidations at third nodes, is waited for by its own releases, and by whoever it
/// hands over to: they need all that the node has in flight (trap 6).
template <class Value> struct Handover {
  Value puts = 0, invalidates = 0;

  /// At the receiver, of the peer that hands over.
  template <class Counter> bool isProcessed(const PeerCounts<Counter> &giver) const {
    return giver.putsProcessed.get() >= puts && giver.invalidatesProcessed.get() >= invalidates;
  }
};

/// What a release needs of one peer: everything that the node has in flight there, whoever of its
/// threads sent it (trap 6).
template <class Value> struct ReleaseNeed {
  Value acks = 0, confirmed = 0;
  Value puts = 0; ///< Sent: those of which the acks are.

  template <class Counter> static ReleaseNeed of(const PeerCounts<Counter> &peer) {
    return {peer.acksWanted.get(), peer.invalidatesSent.get(), peer.putsSent.get()};
  }
  /// To the peer, instead of waiting for it.
  Handover<Value> handover() const { return {puts, confirmed}; }
  template <class Counter> bool isMet(const PeerCounts<Counter> &peer) const {
    return peer.acksReceived.get() >= acks && peer.isConfirmed(confirmed);
  }
};

/// What a release does when its flush is sent: has askPuts(node) and askInvalidates(node) ask those
/// peers that nobody has asked yet, and calls need(node, ReleaseNeed) for each that it must wait
/// for.
///
/// A node of which follows(node) is true gets a message after the release, behind its Invalidates,
/// and its threads go on when they have it: so nobody waits for these Invalidates, unless they are
/// asked for by an answer. Who goes on earlier than another such node may hand on what it knows: of
/// the other's threads some may be outside of what the message starts, so their acquires ask until
/// it has come (askAllPeers).
template <class Peers, class Follows, class AskPuts, class AskInvalidates, class Visit>
void askWhatReleaseNeeds(const Peers &peers, Follows follows, AskPuts askPuts,
                         AskInvalidates askInvalidates, Visit need) {
  for (std::size_t n = 0; n < peers.size(); ++n) {
    if (peers[n].mustAskForPuts())
      askPuts(n);
    auto wanted = ReleaseNeed<decltype(peers[n].acksWanted.get())>::of(peers[n]);
    if (follows(n))
      wanted.confirmed = 0;
    if (wanted.isMet(peers[n]))
      continue;
    need(n, wanted);
    if (wanted.confirmed != 0 && peers[n].mustAsk())
      askInvalidates(n);
  }
}

/// What a release needs of its peers of which nobody has been asked yet: calls need(node,
/// ReleaseNeed). The next answer to a Put covers all before it, whoever asks for it.
template <class Peers, class Visit> void listReleaseNeeds(const Peers &peers, Visit need) {
  for (std::size_t n = 0; n < peers.size(); ++n) {
    auto wanted = ReleaseNeed<decltype(peers[n].acksWanted.get())>::of(peers[n]);
    wanted.acks += peers[n].mustAskForPuts();
    if (!wanted.isMet(peers[n]))
      need(n, wanted);
  }
}
/// Has askPuts(node) and askInvalidates(node) ask peer `n` for what it has to confirm of such a
/// release, which `need` is from now on.
template <class Peer, class Need, class AskPuts, class AskInvalidates>
void askForNeed(std::size_t n, const Peer &peer, Need &need, AskPuts askPuts,
                AskInvalidates askInvalidates) {
  if (peer.mustAskForPuts())
    askPuts(n);
  need.acks = peer.acksWanted.get();
  if (!peer.isConfirmed(need.confirmed) && peer.mustAsk())
    askInvalidates(n);
}

/// What an acquire does while its node is in a barrier that others may have left, or waits for a
/// message behind a release that others may have got: what they know, whoever wrote it, is at its
/// home, but what it has made stale may still be readable here. Any answer of a node comes
/// after all Invalidates that it has sent before, so has ask(node) ask each for one, and calls
/// need(node, ReleaseNeed) for it. Puts it may come before, so it says how many there were: where
/// this node is the home, they may be what others know (PeerCounts::hasAllSaid).
template <class Peers, class Ask, class Visit>
void askAllPeers(const Peers &peers, std::size_t self, Ask ask, Visit need) {
  for (std::size_t n = 0; n < peers.size(); ++n)
    if (n != self) {
      ask(n);
      need(n, ReleaseNeed<decltype(peers[n].acksWanted.get())>{peers[n].acksWanted.get()});
    }
}

/// Lists in answer.needs, as pairs of a node and a number, the Invalidates that are to be confirmed
/// before the answer to a Put or an atomic operation may leave: all that were sent before it,
/// whatever caused them (trap 7).
template <class Peers, class Answer> void listAnswerNeeds(const Peers &peers, Answer &answer) {
  for (std::size_t n = 0; n < peers.size(); ++n)
    if (const auto sent = peers[n].invalidatesSent.get(); !peers[n].isConfirmed(sent))
      answer.needs.emplace_back(static_cast<NodeId>(n), sent);
}
/// Sends the answers that wait for nothing any more; first in, first out.
template <class Answers, class Peers, class Send>
void sendConfirmedAnswers(Answers &answers, const Peers &peers, Send send) {
  while (!answers.empty()) {
    for (const auto &[node, invalidates] : answers.front().needs)
      if (!peers[node].isConfirmed(invalidates))
        return;
    send(answers.front());
    answers.pop_front();
  }
}

} // namespace ompdsm
