// ArgumentCopies.h: copies of objects that calls get by value.
#pragma once
namespace llvm {
class MemTransferInst;
}
namespace ompdsm {

/// Whether the copy is made for calls that get it by value. LLVM passes the original then, if that
/// does not change meanwhile, and drops the copy; it does not see that of loads and stores, and
/// reading what they have just stored in parts stalls.
bool isForArgument(const llvm::MemTransferInst &copy);

} // namespace ompdsm
