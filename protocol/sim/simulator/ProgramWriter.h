// ProgramWriter.h: writes the operations of threads, with the checks that they need: most before
// the access, some long before, as compiled code does that hoists them out of loops.
#pragma once
#include "protocol/sim/Dice.h"
#include "protocol/sim/simulator/Program.h"

namespace ompdsm::simulator {

class ProgramWriter {
public:
  ProgramWriter(Program &program, sim::Dice &dice) : program_(program), dice_(dice) {}

  /// After all areas and threads are there.
  void begin() {
    held_.resize(program_.threads.size());
    hasFewValues_ = dice_.oneIn(2);
  }

  void add(unsigned thread, Operation operation) {
    program_.threads[thread].operations.push_back(operation);
  }
  /// One that ends permissions.
  void synchronise(unsigned thread, Operation operation) {
    add(thread, operation);
    held_[thread].clear();
  }
  void load(unsigned thread, Range range) {
    need(thread, range, /*write=*/false);
    add(thread, {Operation::Load, 0, range});
  }
  void store(unsigned thread, Range range, std::uint8_t value) {
    need(thread, range, /*write=*/true);
    add(thread, {Operation::Store, value, range});
  }
  /// All of it, whatever was there.
  void overwrite(unsigned thread, Range range, std::uint8_t value) {
    add(thread, {Operation::CheckOverwrite, 0, range});
    held_[thread].push_back({range, true});
    add(thread, {Operation::Store, value, range});
  }
  /// A part of a range, of at least one byte.
  Range partOf(Range range) {
    const std::uint32_t begin = range.begin + dice_.below(range.bytes());
    return {begin, begin + 1 + dice_.below(range.end - begin)};
  }
  /// Often one that is there already.
  std::uint8_t value() {
    return std::uint8_t(dice_.below(hasFewValues_ || dice_.oneIn(2) ? 2 : 256));
  }
  /// What was stored by `earlier` until now happens before what `later` does next: by a flag.
  void order(unsigned earlier, unsigned later) {
    const auto flag = std::uint32_t(program_.flagReaders.size());
    program_.flagReaders.push_back({program_.threads[later].node});
    synchronise(earlier, {Operation::Post, 0, {}, flag});
    synchronise(later, {Operation::Await, 0, {}, flag});
  }

private:
  struct Held {
    Range range;
    bool write;
  };
  void need(unsigned thread, Range range, bool write) {
    bool isHeld = false;
    for (const Held &held : held_[thread])
      isHeld |= held.range.covers(range) && (held.write || !write);
    if (isHeld && !dice_.oneIn(4))
      return;
    if (dice_.oneIn(3))
      range = widened(range);
    add(thread, {write ? Operation::CheckWrite : Operation::CheckRead, 0, range});
    held_[thread].push_back({range, write});
  }
  /// A check of more than what is accessed next.
  Range widened(Range range) {
    const Range area =
        program_.space.areas()[program_.space.block(program_.space.blockAt(range.begin)).area]
            .range;
    const std::uint32_t before = dice_.below(200), after = dice_.below(200);
    return {range.begin - std::min(before, range.begin - area.begin),
            range.end + std::min(after, area.end - range.end)};
  }

  Program &program_;
  sim::Dice &dice_;
  bool hasFewValues_ = false;
  std::vector<std::vector<Held>> held_; ///< By thread, in its current interval.
};

} // namespace ompdsm::simulator
