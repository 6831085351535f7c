// Digest.h: numbers that stand for contents in a trace: what arrives can be compared with what was
// sent, though the trace does not have the bytes.
#pragma once
#include "protocol/core/StepJournal.h"
#include "protocol/engine/Twin.h"

namespace ompdsm {

/// Of the packed bytes of `mask` in the line at `line`.
ContentsDigest digestOfLine(Address line, LineMask mask, const std::byte *packed);
/// Of all lines of a block.
ContentsDigest digestOfBlock(Address begin, const std::byte *contents, std::size_t bytes);

} // namespace ompdsm
