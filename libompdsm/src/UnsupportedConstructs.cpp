// UnsupportedConstructs.cpp: stubs that forward to libomp or refuse, for functions of any type.
//
// A stub knows nothing of its function's parameters: it keeps all argument registers and the stack
// as they are and jumps to the real function, which then returns to the caller.
#include "libompdsm/src/UnsupportedConstructs.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/ThreadContext.h"
#include <array>
#include <atomic>

namespace ompdsm {

const UnsupportedConstruct kUnsupportedConstructs[] = {
#define OMPDSM_UNSUPPORTED(function, construct, hasLocation) {#function, construct, hasLocation},
#include "libompdsm/src/UnsupportedConstructs.def"
#undef OMPDSM_UNSUPPORTED
};
const std::size_t kUnsupportedConstructCount = std::size(kUnsupportedConstructs);

namespace {
enum ConstructIndex : unsigned {
#define OMPDSM_UNSUPPORTED(function, construct, hasLocation) Index_##function,
#include "libompdsm/src/UnsupportedConstructs.def"
#undef OMPDSM_UNSUPPORTED
  ConstructCount
};

// Addresses of the real functions, found on first use; a constant of the process like LibompShim.
constinit std::array<std::atomic<void *>, ConstructCount> realFunctions{};
} // namespace

/// What a stub jumps to. Does not return where the construct is refused.
extern "C" __attribute__((used, visibility("hidden"))) void *
ompdsmResolveConstruct(unsigned index, const Ident *location) {
  const UnsupportedConstruct &construct = kUnsupportedConstructs[index];
  RegionFrame *frame = spreadFrame();
  if (frame && frame->region->spansNodes())
    fatal("%s at %s is not supported on more than one node yet (%s); run with -n 1",
          construct.construct,
          construct.hasLocation ? sourceLine(location).c_str() : "an unknown place",
          construct.function);
  void *real = realFunctions[index].load(std::memory_order_relaxed);
  if (!real) {
    real = nextDefinition(construct.function);
    realFunctions[index].store(real, std::memory_order_relaxed);
  }
  return real;
}

} // namespace ompdsm

// Saves every register that may carry an argument (System V AMD64 ABI, section 3.2.3), asks,
// restores them, and leaves by a jump, so that stack arguments and the return address are where
// they were.
asm(R"(
  .text
  .hidden ompdsmForwardOrRefuse
  .type ompdsmForwardOrRefuse, @function
ompdsmForwardOrRefuse:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %rax
  pushq %r10
  subq $128, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movq %rdi, %rsi
  movl %r11d, %edi
  call ompdsmResolveConstruct
  movq %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  addq $128, %rsp
  popq %r10
  popq %rax
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rbp
  .cfi_def_cfa %rsp, 8
  jmpq *%r11
  .cfi_endproc
  .size ompdsmForwardOrRefuse, . - ompdsmForwardOrRefuse
)");

#define OMPDSM_UNSUPPORTED(function, construct, hasLocation)                                       \
  extern "C" __attribute__((naked, visibility("default"))) void function() {                       \
    asm volatile("movl %0, %%r11d\n\tjmp ompdsmForwardOrRefuse" ::"i"(ompdsm::Index_##function));  \
  }
#include "libompdsm/src/UnsupportedConstructs.def"
