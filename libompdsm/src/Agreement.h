// Agreement.h: at start, all nodes make sure that they are the same program, loaded at the same
// addresses, with the same options; else a pointer would mean different things on different nodes.
#pragma once
#include "libompdsm/src/Images.h"
#include "libompdsm/src/Options.h"
#include <span>
#include <string>
#include <vector>

namespace ompdsm {

/// What must be equal on all nodes, one fact per line: "<subject> <value>".
std::string describeNode(const Options &options, const std::vector<LoadedImage> &images,
                         const std::string &segment);

/// Compares the descriptions by node. An error names the first difference, its node, and a remedy.
Status compareDescriptions(const std::vector<std::string> &byNode);

} // namespace ompdsm
