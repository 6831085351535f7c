#include "protocol/sim/Tables.h"
#include "protocol/core/Classify.h"
#include "protocol/core/Print.h"

namespace ompdsm::sim {

namespace {

std::string cellAsMarkdown(BlockState state, const Transition &cell) {
  if (!cell.possible)
    return "–";
  std::string text = cell.next == state ? "" : "**" + std::string(nameOf(cell.next)) + "**";
  std::string separator = text.empty() ? "" : "<br>";
  for (Action action : cell.actions)
    if (action != Action::None) {
      text += separator + nameOf(action);
      separator = "<br>";
    }
  return text.empty() ? "·" : text;
}

template <std::size_t S, std::size_t E>
std::string tableAsMarkdown(const char *corner, const BlockState (&states)[S],
                            const Event (&events)[E]) {
  std::string text = std::string("| ") + corner + " |", rule = "|---|";
  for (BlockState state : states) {
    text += std::string(" ") + nameOf(state) + " |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (Event event : events) {
    text += std::string("| ") + nameOf(event) + " |";
    for (BlockState state : states)
      text += " " + cellAsMarkdown(state, lookUp(state, event)) + " |";
    text += "\n";
  }
  return text;
}

} // namespace

std::string tablesAsMarkdown() {
  return tableAsMarkdown("at a cacher", kCacheStates, kCacheEvents) + "\n" +
         tableAsMarkdown("at the home", kHomeStates, kHomeEvents);
}

} // namespace ompdsm::sim
