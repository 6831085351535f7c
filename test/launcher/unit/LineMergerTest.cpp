// LineMergerTest.cpp: lines stay whole, bytes stay what they are, memory stays bounded, nobody
// waits for ever. Time is a number here.
#include "libompdsm/tools/run/LineMerger.h"
#include <gtest/gtest.h>

using namespace ompdsm::run;

namespace {

class Merger : public testing::Test {
protected:
  static std::span<const std::byte> bytes(std::string_view text) {
    return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
  }
  void say(unsigned stream, std::string_view text) { merger.append(stream, bytes(text), now); }
  /// Takes the output, all of it, until nothing more comes.
  std::string take() {
    std::string text;
    while (!merger.output().empty()) {
      const auto out = merger.output();
      text.append(reinterpret_cast<const char *>(out.data()), out.size());
      merger.consume(out.size(), now);
    }
    return text;
  }
  void pass(std::chrono::milliseconds time) {
    now += time;
    merger.tick(now);
  }

  LineMerger merger;
  const unsigned a = merger.addStream(false);
  const unsigned b = merger.addStream(false);
  TimePoint now{};
};

TEST_F(Merger, LinesOfTwoStreamsDoNotMix) {
  say(a, "one ");
  say(b, "two ");
  say(a, "is one\nand ");
  say(b, "is two\n");
  EXPECT_EQ(take(), "one is one\ntwo is two\n");
  say(a, "more\n");
  EXPECT_EQ(take(), "and more\n");
}

TEST_F(Merger, APartialLineGoesOutAtTheEndOfItsStreamUnchanged) {
  say(a, "no newline");
  EXPECT_EQ(take(), "");
  merger.end(a, now);
  EXPECT_EQ(take(), "no newline");
  EXPECT_FALSE(merger.isFinished());
  merger.end(b, now);
  EXPECT_TRUE(merger.isFinished());
}

TEST_F(Merger, ALineAfterAnUnfinishedLastOneStartsOnItsOwn) {
  say(a, "last");
  merger.end(a, now);
  say(b, "line\n");
  merger.end(b, now);
  EXPECT_EQ(take(), "last\nline\n");
}

TEST_F(Merger, BinaryBytesPass) {
  std::string all;
  for (int i = 0; i < 256; ++i)
    all += static_cast<char>(i);
  say(a, all);
  merger.end(a, now);
  EXPECT_EQ(take(), all);
}

TEST_F(Merger, ALongLineGoesInPiecesAndOthersWaitForItsEnd) {
  const std::string piece(kLineLimit, 'x');
  say(a, piece);
  EXPECT_EQ(take(), piece);
  say(b, "other\n");
  EXPECT_EQ(take(), "");
  say(a, "rest\n");
  EXPECT_EQ(take(), "rest\nother\n");
}

TEST_F(Merger, ASilentLongLineIsBrokenForTheOthers) {
  const std::string piece(kLineLimit, 'x');
  say(a, piece);
  say(b, "other\n");
  EXPECT_EQ(take(), piece);
  EXPECT_TRUE(merger.waits());
  pass(kIdle / 2);
  EXPECT_EQ(take(), "");
  pass(kIdle);
  EXPECT_EQ(take(), "\nother\n");
}

TEST_F(Merger, ALongLineAloneIsNeverBroken) {
  const std::string piece(kLineLimit, 'x');
  say(a, piece);
  pass(10 * kIdle);
  say(a, "y\n");
  EXPECT_EQ(take(), piece + "y\n");
}

TEST_F(Merger, MemoryIsBoundedWhenNobodyTakesTheOutput) {
  const std::string line = std::string(1023, 'x') + "\n";
  std::size_t accepted = 0;
  while (merger.room(a) >= line.size()) {
    say(a, line);
    accepted += line.size();
    ASSERT_LE(accepted, kOutputLimit + 2 * kLineLimit);
  }
  EXPECT_GE(accepted, kOutputLimit);
  EXPECT_EQ(merger.room(b), 0u);
  EXPECT_EQ(take().size(), accepted);
  EXPECT_EQ(merger.room(b), kLineLimit);
}

TEST_F(Merger, WhatWaitedForAFullOutputFollows) {
  const std::string line = std::string(1023, 'x') + "\n";
  say(b, "half ");
  while (merger.room(a) >= line.size())
    say(a, line);
  merger.end(a, now);
  merger.end(b, now);
  const std::string text = take();
  EXPECT_TRUE(text.ends_with("half "));
  EXPECT_TRUE(merger.isFinished());
}

TEST_F(Merger, AMessageOfTheLauncherIsALineOfItsOwn) {
  merger.insertLine("first");
  say(a, "partial");
  merger.end(a, now);
  merger.insertLine("second");
  EXPECT_EQ(take(), "first\npartial\nsecond\n");
}

TEST_F(Merger, ATagPrecedesEachLineAndNothingElse) {
  const unsigned tagged = merger.addStream(false, "[7] ");
  say(tagged, "one\n\nthree\nlast");
  EXPECT_EQ(take(), "[7] one\n[7] \n[7] three\n");
  say(tagged, " line");
  say(b, "plain\n");
  EXPECT_EQ(take(), "plain\n");
  merger.end(tagged, now);
  EXPECT_EQ(take(), "[7] last line");
}

TEST_F(Merger, ALongTaggedLineHasOneTagUnlessItIsBroken) {
  const unsigned tagged = merger.addStream(false, "[7] ");
  const std::string piece(kLineLimit, 'x');
  say(tagged, piece);
  say(tagged, piece);
  EXPECT_EQ(take(), "[7] " + piece + piece);
  say(b, "other\n");
  pass(2 * kIdle);
  EXPECT_EQ(take(), "\nother\n");
  say(tagged, "rest\n");
  EXPECT_EQ(take(), "[7] rest\n");
}

TEST_F(Merger, TagsDoNotUnboundTheOutput) {
  const unsigned tagged = merger.addStream(false, "[7] ");
  const std::string lines(1024, '\n');
  while (merger.room(tagged) >= lines.size())
    say(tagged, lines);
  EXPECT_LE(merger.output().size(), kOutputLimit + 5 * kLineLimit);
  EXPECT_EQ(merger.room(tagged), 0u);
}

TEST_F(Merger, APromptIsShownWhenIdleAndOnlyThatOfAPromptingStream) {
  const unsigned prompting = merger.addStream(true);
  say(prompting, "how many? ");
  say(a, "thinking");
  EXPECT_EQ(take(), "");
  EXPECT_TRUE(merger.waits());
  pass(kIdle);
  EXPECT_EQ(take(), "how many? ");
  say(prompting, "so many\n");
  EXPECT_EQ(take(), "so many\n");
}

TEST_F(Merger, SmallConsumptionsLoseNothing) {
  std::string all;
  for (int i = 0; i < 3000; ++i)
    all += "line " + std::to_string(i) + "\n";
  std::string seen;
  std::size_t given = 0;
  while (seen.size() < all.size()) {
    const std::size_t count = std::min({all.size() - given, merger.room(a), std::size_t(777)});
    say(a, std::string_view(all).substr(given, count));
    given += count;
    const auto out = merger.output().first(std::min<std::size_t>(merger.output().size(), 501));
    seen.append(reinterpret_cast<const char *>(out.data()), out.size());
    merger.consume(out.size(), now);
    if (given == all.size() && merger.output().empty())
      break;
  }
  EXPECT_EQ(seen, all);
}

} // namespace
