"""Compiles programs with the plugin, to LLVM's code, and has LLVM verify it.

    verify_code.py CLANG OPT PLUGIN FILE...

The compiler itself does not verify what passes do, and mostly gets by with what is wrong.
"""
import subprocess
import sys

clang, opt, plugin, *files = sys.argv[1:]
for file in files:
    language = ["-x", "c++", "-std=c++20"] if file.endswith(".cpp") else []
    code = subprocess.run([clang, "-O3", "-fopenmp", "-march=haswell", "-w", f"-fpass-plugin={plugin}", *language, file, "-S",
                           "-emit-llvm", "-o", "-"], capture_output=True, timeout=100)
    if code.returncode:
        sys.exit(f"{file} does not compile: {code.stderr.decode()[-2000:]}")
    verified = subprocess.run([opt, "-passes=verify", "-disable-output"], input=code.stdout, capture_output=True, timeout=100)
    if verified.returncode:
        sys.exit(f"{file}: {verified.stderr.decode()[:2000]}")
print(f"{len(files)} programs are valid")
