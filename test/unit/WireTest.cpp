// WireTest.cpp: messages survive the way over the wire, and malformed ones are refused.
#include "protocol/engine/BlockMessages.h"
#include "protocol/engine/Messenger.h"
#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace ompdsm::test {
namespace {

std::vector<std::byte> joined(std::span<const fabric::Bytes> parts) {
  std::vector<std::byte> bytes;
  for (const fabric::Bytes part : parts)
    bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

std::vector<std::byte> line(unsigned seed) {
  std::vector<std::byte> bytes(kLineBytes);
  for (std::size_t i = 0; i < kLineBytes; ++i)
    bytes[i] = std::byte(seed * 13 + i);
  return bytes;
}

TEST(Wire, AdjacentRunsAreJoinedAndReadBack) {
  RunCollector runs;
  runs.add(0x1000, 256);
  runs.add(0x1100, 256);
  runs.add(0x1000, 64);
  runs.add(0x5000, 128);
  EXPECT_EQ(runs.count(), 3u);
  EXPECT_EQ(runs.totalBytes(), 704u);
  WireWriter writer;
  runs.writeTo(writer);
  EXPECT_EQ(writer.size(), 3 * kWireRunBytes);
  WireReader reader(writer.bytes());
  const WireRun expected[] = {{0x1000, 512}, {0x1000, 64}, {0x5000, 128}};
  for (const WireRun &wanted : expected) {
    WireRun run;
    ASSERT_TRUE(readRun(reader, run));
    EXPECT_EQ(run.begin, wanted.begin);
    EXPECT_EQ(run.bytes, wanted.bytes);
  }
  EXPECT_TRUE(reader.atEnd());
}

TEST(Wire, ARunNeverGrowsBeyondItsField) {
  RunCollector runs;
  for (unsigned i = 0; i < 5; ++i)
    runs.add(Address(i) << 30, std::size_t(1) << 30);
  EXPECT_EQ(runs.count(), 5u);
}

TEST(Wire, MalformedRunsAreRefused) {
  const WireRun malformed[] = {{0x1001, 64}, {0x1000, 0}, {0x1000, 65}, {~std::uint64_t(63), 128}};
  for (const WireRun &wrong : malformed) {
    WireWriter writer;
    writer.put(wrong.begin);
    writer.put(wrong.bytes);
    WireReader reader(writer.bytes());
    WireRun run{1, 2};
    EXPECT_FALSE(readRun(reader, run));
    EXPECT_EQ(run.begin, 1u) << "outputs are set only on success";
  }
  WireWriter whole;
  whole.put(std::uint64_t(0x1000));
  whole.put(std::uint32_t(64));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    WireReader reader(whole.bytes().first(size));
    WireRun run;
    EXPECT_FALSE(readRun(reader, run));
  }
}

TEST(Wire, MalformedPacketsAreRefused) {
  const MessageHeader malformed[] = {{1, 1, 0, 4}, {1, 0, 0, 5}, {1, 0, 0, ~0u}};
  for (const MessageHeader &wrong : malformed) {
    WireWriter writer;
    writer.put(wrong);
    writer.put(std::uint32_t(7));
    fabric::Bytes packet = writer.bytes(), body;
    MessageHeader header{9, 0, 0, 0};
    EXPECT_FALSE(takeMessage(packet, header, body));
    EXPECT_EQ(packet.size(), writer.size()) << "nothing changes but on success";
    EXPECT_EQ(header.kind, 9);
  }
  WireWriter whole;
  whole.put(MessageHeader{3, 0, 0, 4});
  whole.put(std::uint32_t(7));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    fabric::Bytes packet = whole.bytes().first(size), body;
    MessageHeader header;
    EXPECT_FALSE(takeMessage(packet, header, body)) << size;
  }
  fabric::Bytes packet = whole.bytes(), body;
  MessageHeader header;
  EXPECT_TRUE(takeMessage(packet, header, body));
  EXPECT_EQ(header.kind, 3);
  EXPECT_EQ(body.size(), 4u);
  EXPECT_TRUE(packet.empty());
}

TEST(Wire, ReadersNeverPassTheEnd) {
  const std::byte bytes[5] = {};
  WireReader reader(bytes);
  std::uint64_t wide = 7;
  EXPECT_FALSE(reader.get(wide));
  EXPECT_EQ(wide, 7u);
  fabric::Bytes part;
  EXPECT_FALSE(reader.getBytes(part, 6));
  EXPECT_TRUE(reader.getBytes(part, 5));
  EXPECT_TRUE(reader.atEnd());
  EXPECT_FALSE(reader.getBytes(part, ~std::size_t(0)));
}

TEST(BlockMessages, ChangesOfLinesAreReadBackAsTheyWere) {
  const LineMask masks[] = {1, kWholeLine, 0x8000000000000001u, 0xff00, LineMask(1) << 63};
  PutWriter writer;
  EXPECT_TRUE(writer.empty());
  // Two lines in a row, then a gap, then the rest.
  const Address lines[] = {0x1000, 0x1040, 0x2000, 0x2040, 0x1040};
  for (unsigned i = 0; i < 5; ++i)
    writer.addLine(lines[i], masks[i], line(i).data());
  EXPECT_FALSE(writer.empty());
  for (int round = 0; round < 2; ++round) { // finish() may be called again
    const auto body = joined(writer.finish(RequestHead{77, 1}));
    WireReader reader(body);
    RequestHead head;
    ASSERT_TRUE(reader.get(head));
    EXPECT_EQ(head.epoch, 77u);
    EXPECT_EQ(head.wantsAck, 1u);
    PutLines read;
    ASSERT_TRUE(readPutLines(reader, read));
    ASSERT_EQ(read.size(), 5u);
    for (unsigned i = 0; i < 5; ++i) {
      EXPECT_EQ(read[i].line, lines[i]);
      EXPECT_EQ(read[i].mask, masks[i]);
      std::vector<std::byte> packed(kLineBytes);
      std::size_t count = packMasked(packed.data(), line(i).data(), masks[i]);
      EXPECT_EQ(std::memcmp(read[i].packed, packed.data(), count), 0);
    }
  }
  writer.clear();
  EXPECT_TRUE(writer.empty());
  writer.addLine(0x1080, 1, line(1).data()); // continues the cleared run's address, not the run
  const auto body = joined(writer.finish(RequestHead{}));
  WireReader reader(body);
  RequestHead head;
  PutLines read;
  ASSERT_TRUE(reader.get(head) && readPutLines(reader, read));
  EXPECT_EQ(read.size(), 1u);
}

TEST(BlockMessages, BlocksOverwrittenWholeAreReadBackAsRuns) {
  PutWriter writer;
  std::vector<std::byte> block(256), zeros(512);
  for (std::size_t at = 0; at < block.size(); at += kLineBytes)
    std::memcpy(block.data() + at, line(unsigned(at)).data(), kLineBytes);
  writer.addLine(0x0fc0, 1, line(9).data());
  writer.addWhole(0x1000, block, WholeBlock::Overwritten);
  writer.addWhole(0x1100, block, WholeBlock::Away);
  writer.addWhole(0x1200, zeros, WholeBlock::Away);
  writer.addWhole(0x1400, zeros, WholeBlock::Refreshed);
  writer.addLine(0x1600, 2, line(9).data());
  const auto body = joined(writer.finish(RequestHead{}));
  EXPECT_LT(body.size(), 2 * block.size() + 170u);
  WireReader reader(body);
  RequestHead head;
  PutLines read;
  ASSERT_TRUE(reader.get(head) && readPutLines(reader, read));
  struct Run {
    Address begin;
    std::uint32_t lines;
    bool whole;
    WholeBlock why;
    bool zeros;
  };
  const Run wanted[] = {{0x0fc0, 1, false, {}, false},
                        {0x1000, 4, true, WholeBlock::Overwritten, false},
                        {0x1100, 4, true, WholeBlock::Away, false},
                        {0x1200, 8, true, WholeBlock::Away, true},
                        {0x1400, 8, true, WholeBlock::Refreshed, true},
                        {0x1600, 1, false, {}, false}};
  ASSERT_EQ(read.size(), std::size(wanted));
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].line, wanted[i].begin);
    EXPECT_EQ(read[i].lines, wanted[i].lines);
    EXPECT_EQ(read[i].whole, wanted[i].whole);
    EXPECT_TRUE(!read[i].whole || read[i].why == wanted[i].why);
    EXPECT_EQ(read[i].packed == nullptr, wanted[i].zeros);
    if (read[i].whole && read[i].packed) {
      EXPECT_EQ(read[i].mask, kWholeLine);
      EXPECT_EQ(std::memcmp(read[i].packed, block.data(), block.size()), 0);
    }
  }
}

TEST(BlockMessages, WhatStaysIsNotCopied) {
  std::vector<std::byte> memory(4096, std::byte{3}), other(1024, std::byte{5});
  const fabric::Bytes blocks = memory;
  PutWriter copies, refers, few;
  DataWriter data;
  for (const Contents taken : {Contents::MayChange, Contents::Stay}) {
    PutWriter &writer = taken == Contents::Stay ? refers : copies;
    writer.addLine(0x0fc0, 3, other.data());
    for (std::size_t at = 0; at < memory.size(); at += 1024)
      writer.addWhole(0x1000 + at, blocks.subspan(at, 1024), WholeBlock::Overwritten, taken);
    writer.addWhole(0x9000, other, WholeBlock::Overwritten, taken);
    writer.addLine(0x9400, 1, other.data());
  }
  const auto parts = refers.finish(RequestHead{7, 1});
  ASSERT_EQ(parts.size(), 5u) << "adjacent blocks are one part";
  EXPECT_EQ(parts[1].data(), memory.data());
  EXPECT_EQ(parts[1].size(), memory.size());
  EXPECT_EQ(parts[3].data(), other.data());
  EXPECT_EQ(joined(parts), joined(copies.finish(RequestHead{7, 1})));
  EXPECT_EQ(refers.size(), copies.size());
  EXPECT_EQ(copies.finish(RequestHead{}).size(), 1u);
  EXPECT_FALSE(refers.isSame(copies)) << "it may not stay for as long";
  EXPECT_TRUE(refers.isSame(refers));
  memory[100] = std::byte{4}; // as nobody may do
  EXPECT_NE(joined(refers.finish(RequestHead{7, 1})), joined(copies.finish(RequestHead{7, 1})));
  refers.clear();
  EXPECT_EQ(refers.finish(RequestHead{}).size(), 1u);
  few.addWhole(0x1000, blocks.first(64), WholeBlock::Overwritten, Contents::Stay);
  EXPECT_EQ(few.finish(RequestHead{}).size(), 1u) << "little is copied";
  data.addBlock(0x1000, blocks.first(2048), Contents::Stay);
  EXPECT_EQ(data.parts().size(), 2u);
  EXPECT_EQ(data.parts().back().data(), memory.data());
}

TEST(BlockMessages, AFullMessageOfChangesFitsTheFabric) {
  PutWriter writer;
  for (Address at = 0; writer.hasRoom(Messenger::kMaxBodyBytes); at += 128) // the longest encoding
    writer.addLine(at, kWholeLine, line(1).data());
  const auto body = joined(writer.finish(RequestHead{}));
  EXPECT_EQ(body.size(), writer.size());
  EXPECT_LE(body.size(), Messenger::kMaxBodyBytes);
  EXPECT_GT(body.size(), Messenger::kMaxBodyBytes - 200);
}

TEST(BlockMessages, WhatLinesWillTakeIsKnownBefore) {
  const auto contents = line(1);
  std::vector<std::byte> block;
  for (int i = 0; i < 8; ++i)
    block.insert(block.end(), contents.begin(), contents.end());
  const std::vector<LineMask> cases[] = {{kWholeLine, kWholeLine, kWholeLine, kWholeLine,
                                          kWholeLine, kWholeLine, kWholeLine, kWholeLine},
                                         {0, 0, 0, 0, 0, 0, 0, 0},
                                         {0, 1, 0, 3, 7, 0, 0, 1},
                                         {5, 0, 0, 0, 0, 0, kWholeLine, 9}};
  for (const auto &masks : cases) {
    PutWriter writer;
    const std::size_t before = joined(writer.finish(RequestHead{})).size();
    writer.addLines(0x1000, masks, block.data());
    const auto body = joined(writer.finish(RequestHead{}));
    EXPECT_EQ(body.size() - before, PutWriter::bytesOf(masks));
    WireReader reader(body);
    RequestHead head;
    PutLines lines;
    ASSERT_TRUE(reader.get(head) && readPutLines(reader, lines));
    PutWriter forwarded;
    (void)forwarded.finish(RequestHead{});
    for (const PutLine &put : lines)
      forwarded.addPacked(put.line, put.mask, put.packed);
    EXPECT_LE(joined(forwarded.finish(RequestHead{})).size() - before, PutWriter::bytesOf(lines));
  }
}

TEST(BlockMessages, BlocksOfZerosMakeRunsWithoutContents) {
  DataWriter writer;
  std::vector<std::byte> zeros(1024), last(1024);
  last.back() = std::byte{1};
  for (Address begin : {0x1000, 0x1400})
    writer.addBlock(begin, zeros);
  writer.addBlock(0x1800, last);
  writer.addBlock(0x1c00, zeros);
  const auto body = joined(writer.parts());
  EXPECT_LT(body.size(), 1024u + 100);
  WireReader reader(body);
  const WireRun expected[] = {{0x1000, 2048}, {0x1800, 1024}, {0x1c00, 1024}};
  for (const WireRun &wanted : expected) {
    DataRun run;
    ASSERT_TRUE(readDataRun(reader, run));
    EXPECT_EQ(run.begin, wanted.begin);
    EXPECT_EQ(run.bytes, wanted.bytes);
    EXPECT_EQ(run.contents != nullptr, wanted.begin == 0x1800);
  }
  EXPECT_TRUE(reader.atEnd());
}

TEST(BlockMessages, DataWithPartOfItsContentsIsRefused) {
  for (std::uint32_t count : {64u, 192u, ~0u}) {
    WireWriter writer;
    writer.put(std::uint64_t(0x1000));
    writer.put(std::uint32_t(128));
    writer.put(count);
    writer.putBytes(std::vector<std::byte>(128).data(), 128);
    WireReader reader(writer.bytes());
    DataRun run;
    EXPECT_FALSE(readDataRun(reader, run));
    EXPECT_EQ(run.bytes, 0u);
  }
}

TEST(BlockMessages, ATruncatedPutIsRefused) {
  PutWriter writer;
  for (unsigned i = 0; i < 4; ++i)
    writer.addLine(0x1000 + i * 64 * (i % 2 + 1), LineMask(0xf0f) << i, line(i).data());
  const auto body = joined(writer.finish(RequestHead{}));
  const fabric::Bytes whole = fabric::Bytes(body).subspan(sizeof(RequestHead));
  std::size_t complete = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    WireReader reader(whole.first(size));
    PutLines lines;
    complete += readPutLines(reader, lines);
    for (const PutLine &put : lines)
      EXPECT_LE(put.packed + std::popcount(put.mask), whole.data() + size);
  }
  EXPECT_LE(complete, 1u + 4u) << "only where a run ends";
  EXPECT_GE(complete, 2u);
}

TEST(BlockMessages, MalformedPutsAreRefused) {
  struct Case {
    std::uint64_t line;
    std::uint32_t count;
  };
  for (Case wrong :
       {Case{0x1001, 1}, Case{0x1000, 0}, Case{0x1000, 0xffffffff}, Case{~std::uint64_t(63), 2}}) {
    WireWriter writer;
    writer.put(wrong.line);
    writer.put(wrong.count);
    writer.put(PutForm::Masked);
    for (int i = 0; i < 4; ++i)
      writer.put(LineMask(0));
    WireReader reader(writer.bytes());
    PutLines lines;
    EXPECT_FALSE(readPutLines(reader, lines));
  }
}

TEST(BlockMessages, ContentsOfBlocksAreReadBackAsRuns) {
  DataWriter writer;
  auto add = [&](Address begin, std::size_t bytes, unsigned value) {
    writer.addBlock(begin, std::vector<std::byte>(bytes, std::byte(value)));
  };
  add(0x1000, 256, 1);
  add(0x1100, 64, 2);
  add(0x3000, 128, 3);
  const auto body = joined(writer.parts());
  WireReader reader(body);
  const WireRun expected[] = {{0x1000, 320}, {0x3000, 128}};
  for (const WireRun &wanted : expected) {
    DataRun run;
    ASSERT_TRUE(readDataRun(reader, run));
    EXPECT_EQ(run.begin, wanted.begin);
    ASSERT_EQ(run.bytes, wanted.bytes);
    ASSERT_TRUE(run.contents);
    EXPECT_EQ(run.contents[0], wanted.begin == 0x1000 ? std::byte{1} : std::byte{3});
    EXPECT_EQ(run.contents[run.bytes - 1], wanted.begin == 0x1000 ? std::byte{2} : std::byte{3});
  }
  EXPECT_TRUE(reader.atEnd());
  writer.clear();
  EXPECT_TRUE(writer.empty());
  EXPECT_TRUE(writer.hasRoom(64 * 1024, Messenger::kMaxBodyBytes)) << "the largest block fits";
}

} // namespace
} // namespace ompdsm::test
