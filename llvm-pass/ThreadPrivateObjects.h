// ThreadPrivateObjects.h: stack objects that functions of the module pass to each other, by
// pointers in arguments and in other such objects, and that yet only their own thread can reach.
//
// A function that gets a structure of its caller's stack (a state of a search, a closure) knows of
// its pointer only that it is an argument. Here the objects are followed from where they are
// defined through all functions of the module whose callers are known, with the pointers that are
// stored in them, field by field. It is a points-to analysis by inclusion (Andersen, Program
// Analysis and Specialization for the C Programming Language, 1994) of just these objects, without
// flow; what leaves the module, is computed with as an integer, or is stored where it is not
// followed, escapes.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
namespace llvm {
class Function;
class Value;
} // namespace llvm
namespace ompdsm {

class ThreadPrivateObjects {
public:
  /// Nothing is.
  ThreadPrivateObjects() = default;
  /// Of these functions, before any check is in them. Nothing may be deleted from them afterwards.
  explicit ThreadPrivateObjects(llvm::ArrayRef<llvm::Function *> functions);

  /// Whether the pointer can only point into such objects.
  bool holds(const llvm::Value &pointer) const { return pointers_.contains(&pointer); }

private:
  llvm::DenseSet<const llvm::Value *> pointers_;
};

} // namespace ompdsm
