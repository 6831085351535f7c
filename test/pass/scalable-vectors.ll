; Vectors of scalable size are an error, never silently left out.
; RUN: not %opt -passes=ompdsm -disable-output %s 2>&1 | FileCheck %s

; CHECK: error: {{.*}}in function load <vscale x 2 x double> (ptr): ompdsm: vectors of scalable size are not supported
define <vscale x 2 x double> @load(ptr %p) {
  %v = load <vscale x 2 x double>, ptr %p
  ret <vscale x 2 x double> %v
}
