// BootstrapProtocolTest.cpp: frames survive the wire, bad ones are refused before they cost memory,
// and a proof is worth nothing outside its own exchange.
#include "fabric/BootstrapProtocol.h"
#include <gtest/gtest.h>

using namespace ompdsm::fabric::bootstrap;

namespace {

constexpr TypeSet kAll = 0xffff;

Bytes asBytes(const std::string &text) {
  return Bytes(reinterpret_cast<const std::byte *>(text.data()), text.size());
}

std::array<std::byte, kHeaderBytes> header(std::uint8_t type, std::uint32_t length) {
  std::array<std::byte, kHeaderBytes> bytes;
  encodeHeader(static_cast<MessageType>(type), length, bytes);
  return bytes;
}

FrameDecoder::Result judgeHeader(TypeSet accepted, std::uint8_t type, std::uint32_t length) {
  FrameDecoder decoder(accepted);
  decoder.append(header(type, length));
  Frame frame;
  return decoder.next(frame);
}

TEST(BootstrapProtocol, EveryMessageComesOutAsItWentIn) {
  std::vector<std::byte> wire;
  Challenge challenge;
  challenge.nonce.fill(7);
  Hello hello;
  hello.node = 258;
  hello.pid = 0x01020304;
  hello.nonce.fill(8);
  hello.proof.fill(9);
  Welcome welcome;
  welcome.proof.fill(10);
  appendChallenge(wire, challenge);
  appendHello(wire, hello);
  appendWelcome(wire, welcome);
  appendGather(wire, asBytes("blob"));
  appendGatherPart(wire, {3, asBytes("")});
  appendText(wire, MessageType::Failure, "why");
  appendText(wire, MessageType::End, "because");
  appendDone(wire);
  FrameDecoder decoder(kAll);
  std::vector<MessageType> types;
  for (const std::byte byte : wire) {
    decoder.append(Bytes(&byte, 1));
    Frame frame;
    if (decoder.next(frame) != FrameDecoder::Result::Frame)
      continue;
    types.push_back(frame.type);
    if (frame.type == MessageType::Challenge) {
      EXPECT_EQ(decodeChallenge(frame).nonce, challenge.nonce);
      EXPECT_EQ(decodeChallenge(frame).version, kProtocolVersion);
    } else if (frame.type == MessageType::Hello) {
      EXPECT_EQ(decodeHello(frame).node, 258);
      EXPECT_EQ(decodeHello(frame).pid, 0x01020304u);
      EXPECT_EQ(decodeHello(frame).nonce, hello.nonce);
      EXPECT_EQ(decodeHello(frame).proof, hello.proof);
    } else if (frame.type == MessageType::Welcome) {
      EXPECT_EQ(decodeWelcome(frame).proof, welcome.proof);
    } else if (frame.type == MessageType::Gather) {
      EXPECT_EQ(frame.payload.size(), 4u);
    } else if (frame.type == MessageType::GatherPart) {
      EXPECT_EQ(decodeGatherPart(frame).node, 3);
      EXPECT_TRUE(decodeGatherPart(frame).blob.empty());
    } else if (frame.type == MessageType::Failure) {
      EXPECT_EQ(decodeText(frame), "why");
    } else if (frame.type == MessageType::End) {
      EXPECT_EQ(decodeText(frame), "because");
    }
  }
  EXPECT_EQ(types.size(), 8u);
  EXPECT_EQ(decoder.pendingBytes(), 0u);
}

TEST(BootstrapProtocol, AHeaderIsJudgedBeforeItsPayloadComes) {
  using enum FrameDecoder::Result;
  EXPECT_EQ(judgeHeader(kAll, 4, kMaxBlobBytes), NeedBytes);
  EXPECT_EQ(judgeHeader(kAll, 4, kMaxBlobBytes + 1), Malformed);
  EXPECT_EQ(judgeHeader(kAll, 4, 0xffffffff), Malformed);
  EXPECT_EQ(judgeHeader(kAll, 5, 1), Malformed) << "a part has a node";
  EXPECT_EQ(judgeHeader(kAll, 6, kMaxTextBytes + 1), Malformed);
  EXPECT_EQ(judgeHeader(kAll, 7, 1), Malformed);
  EXPECT_EQ(judgeHeader(kAll, 2, 71), Malformed);
  EXPECT_EQ(judgeHeader(kAll, 2, 72), NeedBytes);
  EXPECT_EQ(judgeHeader(kAll, 0, 0), Malformed);
  EXPECT_EQ(judgeHeader(kAll, 9, 0), Malformed);
}

TEST(BootstrapProtocol, ATypeThatIsNotAcceptedIsMalformed) {
  using enum FrameDecoder::Result;
  EXPECT_EQ(judgeHeader(typeBit(MessageType::Hello), 4, 100), Malformed);
  EXPECT_EQ(judgeHeader(typeBit(MessageType::Hello), 2, 72), NeedBytes);
}

TEST(BootstrapProtocol, MalformedStays) {
  FrameDecoder decoder(kAll);
  decoder.append(header(200, 0));
  Frame frame;
  EXPECT_EQ(decoder.next(frame), FrameDecoder::Result::Malformed);
  EXPECT_EQ(decoder.next(frame), FrameDecoder::Result::Malformed);
}

TEST(BootstrapProtocol, LongTextIsCut) {
  std::vector<std::byte> wire;
  appendText(wire, MessageType::End, std::string(5000, 'x'));
  EXPECT_EQ(wire.size(), kHeaderBytes + kMaxTextBytes);
}

TEST(BootstrapProtocol, AProofBelongsToOneSecretOneSideAndOneExchange) {
  Secret secret{}, other{};
  other[0] = 1;
  Exchange exchange;
  exchange.node = 2;
  exchange.pid = 99;
  const Proof proof = proveNode(secret, exchange);
  EXPECT_TRUE(sameProof(proof, proveNode(secret, exchange)));
  EXPECT_FALSE(sameProof(proof, proveNode(other, exchange)));
  EXPECT_FALSE(sameProof(proof, proveLauncher(secret, exchange)));
  for (int field = 0; field < 4; ++field) {
    Exchange changed = exchange;
    switch (field) {
    case 0:
      changed.node = 3;
      break;
    case 1:
      changed.pid = 98;
      break;
    case 2:
      changed.launcherNonce[31] = 1;
      break;
    case 3:
      changed.nodeNonce[31] = 1;
      break;
    }
    EXPECT_FALSE(sameProof(proof, proveNode(secret, changed))) << "field " << field;
  }
}

TEST(BootstrapProtocol, ASecretIsExactly64HexadecimalDigits) {
  Secret secret;
  ASSERT_TRUE(fillRandom(secret));
  const std::string text = printSecret(secret);
  EXPECT_EQ(text.size(), 64u);
  EXPECT_EQ(parseSecret(text), secret);
  EXPECT_FALSE(parseSecret(text.substr(1)));
  EXPECT_FALSE(parseSecret(text + "0"));
  EXPECT_FALSE(parseSecret(std::string(64, 'g')));
  EXPECT_FALSE(parseSecret(""));
}

TEST(BootstrapProtocol, AnAddressIsFourNumbersAndAPort) {
  const auto address = parseAddress("127.0.0.1:34567");
  ASSERT_TRUE(address);
  EXPECT_EQ(printAddress(*address), "127.0.0.1:34567");
  for (const char *wrong : {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
                            "localhost:1", "127.0.0.1:1x", "127.0.0.1:-1", "::1:1"})
    EXPECT_FALSE(parseAddress(wrong)) << wrong;
}

} // namespace
