#include "protocol/sim/simulator/Program.h"

namespace ompdsm::simulator {

std::string toString(const Operation &operation) {
  constexpr const char *kNames[] = {
      "CheckRead", "CheckWrite", "CheckOverwrite", "Prefetch",    "Load",    "Store", "RawLoad",
      "RawStore",  "AtomicAdd",  "AtomicLoad",     "ProposeHome", "Release", "Post",  "Await",
      "Tell",      "Watch",      "Lock",           "Unlock",      "Barrier"};
  std::string text = kNames[operation.kind];
  if (operation.range.bytes() == 1)
    text += " of byte " + std::to_string(operation.range.begin);
  else if (operation.range.bytes())
    text += " of bytes " + std::to_string(operation.range.begin) + " to " +
            std::to_string(operation.range.end - 1);
  switch (operation.kind) {
  case Operation::Store:
  case Operation::RawStore:
  case Operation::AtomicAdd:
    return text + ", value " + std::to_string(operation.value);
  case Operation::ProposeHome:
  case Operation::Post:
  case Operation::Await:
  case Operation::Lock:
  case Operation::Unlock:
    return text + " " + std::to_string(operation.name);
  default:
    return text;
  }
}

} // namespace ompdsm::simulator
