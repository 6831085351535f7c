// EventReader.h: reads the lines that core/EventFormat.h makes. Whatever it is given, it answers
// with a record that is whole, or says what is wrong with the line.
#pragma once
#include "protocol/core/EventRecord.h"
#include <string>
#include <string_view>

namespace ompdsm::sim {

bool isHeadLine(std::string_view line);
/// False with what is wrong in `problem`; then the record is not to be used.
[[nodiscard]] bool readHead(std::string_view line, EventHead &head, std::string &problem);
[[nodiscard]] bool readRecord(std::string_view line, unsigned nodes, EventRecord &record,
                              std::string &problem);

} // namespace ompdsm::sim
