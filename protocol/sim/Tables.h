// Tables.h: the protocol's tables as text.
#pragma once
#include <string>

namespace ompdsm::sim {

/// Both tables in Markdown: a row for each event, a column for each state.
std::string tablesAsMarkdown();

} // namespace ompdsm::sim
