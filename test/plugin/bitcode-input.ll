; With -fpass-plugin= clang instruments bitcode, too.
; RUN: %clang -O1 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
; CHECK: call preserve_mostcc void @__ompdsm_read_miss
target triple = "x86_64-pc-linux-gnu"
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
