// EngineWalks.h: the blocks of a run of memory, those of it that are not here, and those of the
// changes that a message has, one by one. The end of EngineImpl.h.
#pragma once
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

template <class Visit>
void Engine::Impl::forEachBlock(Address begin, std::size_t bytes, Visit &&visit) {
  for (Address at = begin, end = begin + bytes; at < end;) {
    const Area *area = sizes.find(at);
    OMPDSM_CHECK(area);
    BlockRef block = blockAt(*area, at);
    visit(block);
    at = block.begin + block.bytes;
  }
}

template <class Visit> void Engine::Impl::forEachAsked(WireReader &reader, Visit &&visit) {
  while (!reader.atEnd()) {
    WireRun run;
    OMPDSM_CHECK(readRun(reader, run));
    forEachBlock(run.begin, run.bytes, [&](const BlockRef &block) {
      OMPDSM_CHECK(homes.homeOf(*block.area, block.begin) == self);
      visit(block);
    });
  }
}

template <class Visit>
void Engine::Impl::forEachChanged(std::span<const PutLine> lines, Visit &&visit) {
  for (std::size_t first = 0; first < lines.size();) {
    if (lines[first].whole) {
      forEachWhole(lines[first++], visit);
      continue;
    }
    const Area *area = sizes.find(lines[first].line);
    OMPDSM_CHECK(area);
    const BlockRef block = blockAt(*area, lines[first].line);
    std::size_t last = first + 1;
    while (last < lines.size() && lines[last].line > block.begin &&
           lines[last].line < block.begin + block.bytes && !lines[last].whole)
      ++last;
    visit(block, lines.subspan(first, last - first));
    first = last;
  }
}

template <class Visit> void Engine::Impl::forEachWhole(PutLine run, Visit &&visit) {
  const Address end = run.line + run.bytes();
  forEachBlock(run.line, run.bytes(), [&](const BlockRef &block) {
    OMPDSM_CHECK(block.begin == run.line && block.begin + block.bytes <= end);
    run.lines = static_cast<std::uint32_t>(block.bytes / kLineBytes);
    visit(block, std::span<const PutLine>(&run, 1));
    run.line += block.bytes;
    if (run.packed)
      run.packed += block.bytes;
  });
}

template <class Take>
std::optional<StridePrediction::Asked> Engine::Impl::collectRun(AddressRun run, PieceCost &cost,
                                                                Take &&take) {
  const Area *area = sizes.find(run.begin);
  if (!area || area->foreign || area->untracked)
    return std::nullopt;
  std::optional<StridePrediction::Asked> taken;
  const auto [begin, end] = withWholePages(*area, run.begin, std::min(run.end, area->end));
  for (Address next = begin; next < end;) {
    if (cost.isEnough() && !isInsideAbsentPage(next))
      break;
    const BlockRef block = blockAt(next);
    next = block.begin + block.bytes;
    ++cost.blocks;
    if (stateOf(block) != BlockState::Invalid)
      continue;
    take(block);
    cost.bytes += block.bytes;
    taken = {taken ? taken->first : block.begin, block.begin, next};
  }
  return taken;
}

} // namespace ompdsm
