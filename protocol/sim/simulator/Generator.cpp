// Generator.cpp: a program is a number of phases between barriers. In each, every area is cut anew
// into sections, at any byte, and each section is used in one way that is free of races: pieces
// with one writer each, only readers, cells that go from thread to thread by flags or under locks,
// atomic bytes. Sections share blocks, so that different bytes of a block are used in all ways at
// once. Operations are written in one order that can run, so that no program waits for itself.
#include "protocol/sim/simulator/Generator.h"
#include "protocol/sim/simulator/ProgramWriter.h"
#include <algorithm>
#include <utility>

namespace ompdsm::simulator {

namespace {

using sim::Dice;

/// How much there is to share: one block or two, some, or more than the threads touch.
enum class Style { Tiny, Hot, Wide };
/// A way to use a section between two barriers.
enum class Use { Pieces, ReadOnly, Chain, Locked, Atomic };

struct Cell {
  Range range;
  unsigned holder = 0;    ///< Chain: who may use it.
  std::uint32_t lock = 0; ///< Locked.
  bool isGarbage = false; ///< Left by uninstrumented code: stored to before it is read.
};
struct Section {
  Range range;
  Use use = Use::Pieces;
  std::vector<Cell> cells;
};

class Writer {
public:
  Writer(std::uint64_t seed, const Wishes &wishes)
      : dice_(seed), expecting_(~seed - 1), out_(scenario_.program, dice_) {
    scenario_.seed = seed;
    program().name = "seed " + std::to_string(seed);
    chooseNodes(wishes);
    chooseTiming(wishes);
    chooseThreads();
    chooseAreas();
  }

  Scenario write() {
    out_.begin();
    const auto threads = unsigned(program().threads.size());
    const unsigned phases = threads > 100 ? 1 + dice_.below(2) : 2 + dice_.below(4);
    for (unsigned phase = 0; phase < phases; ++phase) {
      cutAreas();
      const unsigned actions = threads > 100 ? threads : threads * (1 + dice_.below(9));
      for (unsigned i = 0; i < actions; ++i) {
        unsigned thread = dice_.below(threads);
        while (hasOutsiders_ && !isOutsider(thread) && dice_.oneIn(2))
          thread = dice_.below(threads);
        act(thread);
      }
      for (Section &section : sections_)
        if (section.use == Use::Chain)
          clean(section.cells[0]);
      for (unsigned t = 0; t < threads; ++t)
        if (!isOutsider(t))
          out_.synchronise(t, {Operation::Barrier, 0, expectedBehind()});
    }
    for (unsigned t = 0; t < threads; ++t)
      out_.synchronise(t, {Operation::Release});
    return std::move(scenario_);
  }

private:
  Program &program() { return scenario_.program; }
  bool isOutsider(unsigned thread) { return program().threads[thread].isOutsider; }

  void chooseNodes(const Wishes &wishes) {
    const unsigned kind = dice_.below(100);
    unsigned nodes = kind < 70   ? 2 + dice_.below(4)
                     : kind < 90 ? 6 + dice_.below(11)
                     : kind < 99 ? 17 + dice_.below(48)
                                 : 65 + dice_.below(192);
    if (wishes.nodes)
      nodes = *wishes.nodes;
    program().nodes = nodes;
  }

  void chooseTiming(const Wishes &wishes) {
    const auto &networks = namedNetworks();
    scenario_.network = networks[dice_.below(unsigned(networks.size()))];
    if (wishes.network)
      scenario_.network = *wishes.network;
    constexpr unsigned kDelays[] = {0, 1, 10, 100};
    scenario_.mostDelay = kDelays[dice_.below(4)] * scenario_.network.latency;
    constexpr Time kPauses[] = {0, kMicrosecond, 30 * kMicrosecond};
    scenario_.mostPause = kPauses[dice_.below(3)];
    if (dice_.oneIn(2)) // much else happens meanwhile
      scenario_.detour =
          50 * scenario_.network.latency + 10 * scenario_.mostDelay + 40 * scenario_.mostPause;
    scenario_.splitFlushes = dice_.below(4);
    constexpr unsigned kLimits[] = {0, 0, 0, 1, 256, 2 * kPageBytes};
    scenario_.cacheLimit = kLimits[dice_.below(6)];
    scenario_.pushOneIn = dice_.below(3);
    scenario_.awayOneIn = sim::Dice(~scenario_.seed).below(3); // programs stay as they were
    scenario_.treesOfFew = sim::Dice(~scenario_.seed + 1).oneIn(2);
    scenario_.slowness.assign(program().nodes, 1);
    if (dice_.oneIn(4))
      for (unsigned i = 0; i < 1 + program().nodes / 8; ++i)
        scenario_.slowness[dice_.below(program().nodes)] = 2 + dice_.below(60);
  }

  void chooseThreads() {
    const unsigned most = program().nodes > 64 ? 1 : 3;
    hasOutsiders_ = dice_.oneIn(4);
    for (unsigned n = 0; n < program().nodes; ++n) {
      const unsigned count = 1 + dice_.below(most);
      for (unsigned i = 0; i < count; ++i)
        program().threads.push_back({NodeId(n), false, {}});
      if (hasOutsiders_ && n < 8 && !dice_.oneIn(4))
        program().threads.push_back({NodeId(n), true, {}});
    }
  }

  void chooseAreas() {
    const unsigned nodes = program().nodes;
    Space space(nodes);
    const auto style = Style(dice_.below(3));
    const unsigned count = style == Style::Wide ? 1 + dice_.below(3) : 1;
    for (unsigned i = 0; i <= count; ++i) {
      Area area;
      area.blockShift = 6 + dice_.below(4) + (dice_.oneIn(8) ? 4 : 0);
      area.home = NodeId(dice_.below(nodes));
      const unsigned kind = dice_.below(10);
      area.untracked = kind < 3;
      area.foreign = kind == 2;
      area.spread = kind >= 7;
      area.migratable = kind >= 5;
      const auto threads = unsigned(program().threads.size());
      const unsigned most = style == Style::Tiny  ? 48
                            : style == Style::Hot ? 128
                                                  : threads * (dice_.oneIn(3) ? 2048 : 128);
      space.add(area, std::min(1u << 16, 16 + dice_.below(most)));
    }
    Area flags; // bytes that are only told and watched
    flags.home = NodeId(dice_.below(nodes));
    flags.spread = true;
    space.add(flags, 1 << 14);
    space.finish();
    nextFlag_ = space.areas().back().range.begin;
    program().space = std::move(space);
    // Outsiders know no barriers: what they use is locked for ever.
    guarded_.range = program().space.areas().front().range;
    makeLocked(guarded_);
  }

  void makeLocked(Section &section) {
    section.use = Use::Locked;
    const unsigned cells =
        dice_.oneIn(3) ? 1 : 1 + dice_.below(std::min(section.range.bytes(), 4u));
    std::uint32_t at = section.range.begin;
    for (unsigned i = 0; i < cells && at < section.range.end; ++i) {
      const std::uint32_t end =
          i + 1 == cells ? section.range.end : at + 1 + dice_.below(section.range.end - at);
      section.cells.push_back({{at, end}, 0, locks_++});
      at = end;
    }
  }

  void makePieces(Section &section) {
    section.use = Use::Pieces;
    constexpr unsigned kBytes[] = {1, 4, 8, 24, 64, 100, 512, 2048};
    const std::uint32_t bytes = kBytes[dice_.below(8)];
    const auto threads = unsigned(program().threads.size());
    // Dealt in turn, or in runs as static schedules do.
    const std::uint32_t pieces = (section.range.bytes() + bytes - 1) / bytes;
    const std::uint32_t run = dice_.oneIn(2) ? 1 : (pieces + threads - 1) / threads;
    const unsigned shift = dice_.below(threads);
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const std::uint32_t begin = section.range.begin + i * bytes;
      section.cells.push_back(
          {{begin, std::min(begin + bytes, section.range.end)}, (i / run + shift) % threads});
    }
  }

  void makeChain(Section &section) {
    section.use = Use::Chain;
    section.cells.push_back({section.range, dice_.below(unsigned(program().threads.size()))});
    while (isOutsider(section.cells[0].holder))
      section.cells[0].holder = dice_.below(unsigned(program().threads.size()));
  }

  void cutAreas() {
    sections_ = {guarded_};
    const auto &areas = program().space.areas();
    for (std::size_t a = 1; a + 1 < areas.size(); ++a) {
      std::uint32_t at = areas[a].range.begin;
      while (at < areas[a].range.end) {
        Section section;
        const std::uint32_t rest = areas[a].range.end - at;
        section.range = {
            at, dice_.oneIn(4) ? areas[a].range.end
                               : at + 1 + dice_.below(dice_.oneIn(2) ? rest : std::min(rest, 16u))};
        at = section.range.end;
        switch (dice_.below(8)) {
        case 0:
          makeLocked(section);
          break;
        case 1:
          section.use = Use::Atomic;
          break;
        case 2:
          makeChain(section);
          break;
        case 3:
        case 4:
          section.use = Use::ReadOnly;
          break;
        default:
          makePieces(section);
          break;
        }
        sections_.push_back(std::move(section));
      }
    }
  }

  /// The part of a range that the program may touch, from its first byte on: none of the bytes that
  /// only uninstrumented code does.
  std::optional<Range> ofProgram(Range range) {
    const Area &area = areaOf(range.begin);
    while (range.begin < range.end && area.isRaw(range.begin))
      ++range.begin;
    std::uint32_t end = range.begin;
    while (end < range.end && !area.isRaw(end))
      ++end;
    if (end == range.begin)
      return {};
    return Range{range.begin, end};
  }
  const Area &areaOf(std::uint32_t byte) {
    const Space &space = program().space;
    return space.areaOf(space.blockAt(byte));
  }

  /// Loads and stores of a thread in what is its own for now.
  void use(unsigned thread, Range all) {
    for (unsigned i = 0; i < 1 + dice_.below(3); ++i) {
      const Range part = out_.partOf(all);
      const Area &area = areaOf(part.begin);
      const bool isAtHome = program().threads[thread].node == area.home;
      if (area.untracked && isAtHome && dice_.oneIn(2))
        useRaw(thread, part);
      const std::optional<Range> range = ofProgram(part);
      if (!range)
        continue;
      const std::uint8_t value = out_.value();
      if (area.untracked && isAtHome && dice_.oneIn(3))
        out_.add(thread, {Operation::RawStore, value, *range}); // overwritten next
      else if (dice_.oneIn(3)) {
        out_.load(thread, *range);
        continue;
      }
      if (dice_.oneIn(3))
        out_.overwrite(thread, *range, value);
      else
        out_.store(thread, *range, value);
    }
  }

  /// Code without checks, at the home: on bytes of its own, or in foreign areas on any.
  void useRaw(unsigned thread, Range range) {
    const Area &area = areaOf(range.begin);
    if (!area.foreign) {
      while (range.begin < range.end && !area.isRaw(range.begin))
        ++range.begin;
      range.end = std::min(range.end, range.begin + 1);
    }
    if (range.begin < range.end)
      out_.add(thread, {dice_.oneIn(3) && !area.foreign ? Operation::RawLoad : Operation::RawStore,
                        out_.value(), range});
  }

  /// What a thread's node asks for with its arrival at a barrier; mostly nothing.
  Range expectedBehind() {
    const Section &section = sections_[expecting_.below(unsigned(sections_.size()))];
    if (!expecting_.oneIn(3) || areaOf(section.range.begin).untracked)
      return {};
    const std::uint32_t begin = section.range.begin + expecting_.below(section.range.bytes());
    return {begin, begin + 1 + expecting_.below(section.range.end - begin)};
  }

  void act(unsigned thread) {
    Section &section = isOutsider(thread) || (hasOutsiders_ && dice_.oneIn(3))
                           ? sections_[0]
                           : sections_[dice_.below(unsigned(sections_.size()))];
    switch (section.use) {
    case Use::Pieces:
      return actInPieces(thread, section);
    case Use::ReadOnly:
      if (const auto range = ofProgram(out_.partOf(section.range))) {
        if (dice_.oneIn(6))
          out_.add(thread, {Operation::Prefetch, 0, *range});
        out_.load(thread, *range);
      }
      return;
    case Use::Chain:
      return actInChain(thread, section.cells[0]);
    case Use::Locked: {
      const Cell &cell = section.cells[dice_.below(unsigned(section.cells.size()))];
      out_.synchronise(thread, {Operation::Lock, 0, {}, cell.lock});
      use(thread, cell.range);
      out_.synchronise(thread, {Operation::Unlock, 0, {}, cell.lock});
      return;
    }
    case Use::Atomic:
      if (const auto range = ofProgram(out_.partOf(section.range)))
        out_.add(thread, {dice_.oneIn(3) ? Operation::AtomicLoad : Operation::AtomicAdd,
                          std::uint8_t(dice_.below(3)),
                          {range->begin, range->begin + 1}});
      return;
    }
  }

  void actInPieces(unsigned thread, const Section &section) {
    if (dice_.oneIn(8))
      return out_.synchronise(thread, {Operation::Release});
    if (dice_.oneIn(16))
      return out_.add(thread,
                      {Operation::ProposeHome, 0, section.range, dice_.below(program().nodes)});
    // The first piece of the thread after one chosen by chance.
    const std::size_t count = section.cells.size(), first = dice_.below(unsigned(count));
    for (std::size_t i = 0; i < count; ++i)
      if (const Cell &cell = section.cells[(first + i) % count]; cell.holder == thread)
        return use(thread, cell.range);
  }

  /// As a stack frame that was left: what uninstrumented code leaves in it is nobody's, and nobody
  /// is told.
  void spoil(Cell &cell) {
    const Area &area = areaOf(cell.range.begin);
    if (!area.untracked || area.foreign || program().threads[cell.holder].node != area.home)
      return;
    out_.add(cell.holder, {Operation::RawStore, out_.value(), cell.range});
    cell.isGarbage = true;
  }
  void clean(Cell &cell) {
    if (!std::exchange(cell.isGarbage, false))
      return;
    Range rest = cell.range;
    for (auto range = ofProgram(rest); range; range = ofProgram(rest)) {
      out_.store(cell.holder, *range, out_.value());
      rest.begin = range->end;
    }
  }

  /// The holder uses the cell and passes it on.
  void actInChain(unsigned thread, Cell &cell) {
    clean(cell);
    use(cell.holder, cell.range);
    if (dice_.oneIn(2))
      spoil(cell);
    if (isOutsider(thread) || thread == cell.holder)
      return;
    const std::uint32_t end = program().space.areas().back().range.end;
    if (dice_.oneIn(2) && nextFlag_ < end) {
      const Range flag{nextFlag_, nextFlag_ + 1};
      nextFlag_ += 1 + dice_.below(80);
      out_.synchronise(cell.holder, {Operation::Tell, 0, flag});
      out_.synchronise(thread, {Operation::Watch, 0, flag});
    } else
      out_.order(cell.holder, thread);
    cell.holder = thread;
    clean(cell);
    use(thread, cell.range);
  }

  Dice dice_, expecting_; // programs stay as they were
  Scenario scenario_;
  ProgramWriter out_;
  Section guarded_;
  std::vector<Section> sections_;
  bool hasOutsiders_ = false;
  std::uint32_t locks_ = 0, nextFlag_ = 0;
};

} // namespace

Scenario generatedScenario(std::uint64_t seed, const Wishes &wishes) {
  return Writer(seed, wishes).write();
}

} // namespace ompdsm::simulator
