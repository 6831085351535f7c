// PacketFuzzer.cpp: whatever bytes arrive as a packet, the decoder stays inside of it, and comes to
// an end.
#include "protocol/engine/Packet.h"
#include <cstdlib>

using namespace ompdsm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  fabric::Bytes packet(reinterpret_cast<const std::byte *>(data), size);
  unsigned sum = 0;
  while (!packet.empty()) {
    const fabric::Bytes before = packet;
    MessageHeader header;
    fabric::Bytes body;
    if (!takeMessage(packet, header, body)) {
      if (packet.data() != before.data() || packet.size() != before.size())
        std::abort();
      return 0;
    }
    if (before.size() - packet.size() != sizeof(MessageHeader) + body.size() ||
        body.data() + body.size() != packet.data())
      std::abort();
    for (std::byte one : body)
      sum += unsigned(one);
    const fabric::Bytes whole = body;
    MulticastHead head;
    std::vector<MulticastReceiver> receivers;
    if (!takeReceivers(body, head, receivers)) {
      if (body.data() != whole.data() || body.size() != whole.size())
        std::abort();
    } else if (receivers.empty() || whole.size() - body.size() !=
                                        sizeof(head) + receivers.size() * sizeof(receivers[0])) {
      std::abort();
    }
    body = whole;
    PiggybackHead piggyback;
    if (takePiggyback(body, piggyback) != (whole.size() >= sizeof(piggyback)) ||
        body.data() + body.size() != packet.data())
      std::abort();
  }
  volatile unsigned sink = sum; // so that the bodies are read
  (void)sink;
  return 0;
}
