// Attention.h: threads that compute serve other nodes where these would have to wake the service
// thread for it, which takes longer than the service and takes a core from whoever computes there.
//
// Compiled code looks at a flag in loops and recursive functions (the pass, AttentionPolls.h). The
// nodes of this host set it in the transport's memory, which is mapped where the flag is; a node
// that nobody shares a host with never sees it set. Sources: polling at loop back-edges as in
// Shasta (Scales, Gharachorloo and Thekkath, ASPLOS 1996).
#pragma once
#include "fabric/Status.h"
#include "fabric/Transport.h"

namespace ompdsm {

/// Maps the transport's attention page where compiled code looks. Once, before the program's
/// threads run.
Status showAttention(const fabric::Transport &transport);
/// What compiled code looks at, and what it then calls: for entries of the runtime that loops
/// call as often.
bool isAttentionWanted();
void attend();

} // namespace ompdsm
