; Attributes that checks make false go from functions, parameters, calls and callers; true ones stay.
; RUN: %opt -passes=ompdsm -S %s | FileCheck %s

; CHECK: define double @sum(ptr noundef %a, ptr readnone %unused) #[[CHECKED:[0-9]+]]
define double @sum(ptr noundef readonly captures(none) %a, ptr readnone captures(none) %unused) norecurse nounwind nosync nofree willreturn memory(argmem: read) {
  %v = load double, ptr %a
  ret double %v
}
; CHECK: define double @caller(ptr %a) #[[CALLER:[0-9]+]]
; CHECK-NEXT: call double @sum(ptr %a, ptr null){{$}}
define double @caller(ptr readonly captures(none) %a) nounwind memory(argmem: read) {
  %v = call double @sum(ptr readonly captures(none) %a, ptr null) nosync willreturn memory(argmem: read)
  ret double %v
}
; CHECK: define double @indirect(ptr %f, ptr %a)
; CHECK-NEXT: call double %f(ptr %a){{$}}
define double @indirect(ptr %f, ptr %a) {
  %v = call double %f(ptr readonly %a) memory(read)
  ret double %v
}
; CHECK: define i32 @unchecked(i32 %a) #[[UNCHECKED:[0-9]+]]
define i32 @unchecked(i32 %a) nosync nofree willreturn memory(none) {
  ret i32 %a
}
; CHECK: attributes #[[CHECKED]] = { norecurse nounwind "ompdsm-instrumented" }
; CHECK: attributes #[[CALLER]] = { nounwind "ompdsm-instrumented" }
; CHECK: attributes #[[UNCHECKED]] = { nofree nosync willreturn memory(none) "ompdsm-instrumented" }
