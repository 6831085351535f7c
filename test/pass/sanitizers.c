// Sanitizers that need the address space themselves are refused, each with one message.
// RUN: not %clang -fopenmp -O1 -fsanitize=address -fplugin=%plugin -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ADDRESS %s
// RUN: not %clang -fopenmp -O0 -fsanitize=thread -fplugin=%plugin -c %s -o %t.o 2>&1 | FileCheck --check-prefix=THREAD %s
// RUN: %clang -fopenmp -O1 -fsanitize=undefined -fplugin=%plugin -c %s -o %t.o
// ADDRESS: error: ompdsm does not go together with -fsanitize=address: look for such mistakes in a build without the plugin
// ADDRESS-NOT: error:
// THREAD: error: ompdsm does not go together with -fsanitize=thread
int value;
void set(int *p) { *p = value; }
void change(void) { value++; }
