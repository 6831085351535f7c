// HoistingRemarks.h: what -Rpass=ompdsm and -Rpass-missed=ompdsm print of the checks of loops.
#pragma once
namespace llvm {
class Instruction;
class Loop;
class OptimizationRemarkEmitter;
} // namespace llvm
namespace ompdsm {
struct Section;

class HoistingRemarks {
public:
  explicit HoistingRemarks(llvm::OptimizationRemarkEmitter &emitter) : emitter_(emitter) {}

  /// The check is one of `section` now.
  void sayHoisted(const llvm::Instruction &access, const Section &section);
  /// There is a copy of `loop` without it.
  void sayOfObject(const llvm::Instruction &access, const llvm::Loop &loop);
  /// Nothing, if the access is in a loop that has a copy without checks.
  void sayLeft(const llvm::Instruction &access, const llvm::Loop *innermost, const char *reason);

private:
  llvm::OptimizationRemarkEmitter &emitter_;
};

} // namespace ompdsm
