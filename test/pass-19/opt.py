"""usage: opt.py OPT ARGUMENT...: LLVM 19's opt for tests in the notation of LLVM 22.

What is only written differently is translated, in the module that is read and in what is printed. A
test that needs more than that says which version it requires.
"""
import re
import subprocess
import sys

# Masked loads and their like had the alignment as an argument of their own.
ALIGNED_POINTER = re.compile(
    r"(@llvm\.masked\.(?:load|store|gather|scatter)\S*\(.*?)(ptr|<\d+ x ptr>) align (\d+) (%\w+),")


def to_19(module):
    return ALIGNED_POINTER.sub(r"\1\2 \4, i32 \3,", module).replace("captures(none)", "nocapture")


def from_19(printed):
    return printed.replace("nocapture", "captures(none)")


def is_module(index):
    return sys.argv[index].endswith(".ll") and sys.argv[index - 1] != "-o"


command, module = sys.argv[1:], None
for index in range(2, len(sys.argv)):
    if is_module(index):
        command[index - 1] = "-"
        with open(sys.argv[index]) as file:
            module = to_19(file.read()).encode()
done = subprocess.run(command, input=module, stdout=subprocess.PIPE)
# Bitcode is no text; what is not ASCII passes as it is.
sys.stdout.buffer.write(from_19(done.stdout.decode("latin-1")).encode("latin-1"))
sys.exit(done.returncode)
