; Inline assembly that may access memory is reported; a compiler barrier is not.
; RUN: %opt -passes=ompdsm -disable-output %s 2>&1 | FileCheck %s

; CHECK: in function clobber void (): ompdsm: inline assembly that may access memory is not instrumented
; CHECK: in function operand i32 (ptr): ompdsm: inline assembly that may access memory is not instrumented
; CHECK-NOT: assembly
define void @clobber() {
  call void asm sideeffect "movl $$0, (%rax)", "~{memory}"()
  ret void
}
define i32 @operand(ptr %p) {
  %v = call i32 asm "movl $1, $0", "=r,*m"(ptr elementtype(i32) %p)
  ret i32 %v
}
define void @barrier() {
  call void asm sideeffect "", "~{memory}"()
  ret void
}
define i32 @registers(i32 %a) {
  %v = call i32 asm "bswap $0", "=r,0"(i32 %a)
  ret i32 %v
}
