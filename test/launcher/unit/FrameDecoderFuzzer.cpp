// FrameDecoderFuzzer.cpp: arbitrary bytes, cut arbitrarily, never make the decoder keep too much,
// read outside its buffer, or depend on how the bytes were cut.
#include "fabric/BootstrapProtocol.h"
#include <cstdlib>

using namespace ompdsm::fabric::bootstrap;

namespace {

/// What a decoder made of the bytes, as one string to compare.
std::string decode(Bytes bytes, std::size_t step) {
  FrameDecoder decoder(0xffff);
  std::string seen;
  while (!bytes.empty()) {
    const std::size_t count = std::min(step, bytes.size());
    decoder.append(bytes.first(count));
    bytes = bytes.subspan(count);
    Frame frame;
    for (;;) {
      const FrameDecoder::Result result = decoder.next(frame);
      if (result == FrameDecoder::Result::Malformed)
        return seen + "malformed";
      if (result == FrameDecoder::Result::NeedBytes)
        break;
      seen +=
          std::to_string(unsigned(frame.type)) + ":" + std::to_string(frame.payload.size()) + ";";
      switch (frame.type) {
      case MessageType::Challenge:
        seen += std::to_string(decodeChallenge(frame).version);
        break;
      case MessageType::Hello:
        seen += std::to_string(decodeHello(frame).node);
        break;
      case MessageType::Welcome:
        seen += std::to_string(decodeWelcome(frame).proof[31]);
        break;
      case MessageType::GatherPart:
        seen += std::to_string(decodeGatherPart(frame).blob.size());
        break;
      case MessageType::Failure:
      case MessageType::End:
        seen += decodeText(frame);
        break;
      case MessageType::Done:
#ifdef OMPDSM_FUZZER_CANARY
        std::abort(); // The fault that this build must find, to show that the fuzzer finds any.
#endif
      case MessageType::Gather:
        break;
      }
    }
    if (decoder.pendingBytes() > kHeaderBytes + 2 + kMaxBlobBytes)
      std::abort();
  }
  return seen;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const Bytes bytes(reinterpret_cast<const std::byte *>(data), size);
  if (decode(bytes, size) != decode(bytes, 1) || decode(bytes, 7) != decode(bytes, 64))
    std::abort();
  return 0;
}
