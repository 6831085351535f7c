// A forked child ends without ending the job, keeps what its node had, and is told when it needs
// another node's memory.
// RUN: %cc %s -o %t
// RUN: %run -n 2 %t > %t.out 2>&1
// RUN: %check %s < %t.out
// CHECK: a child of node 0 (fork) used memory of another node
// CHECK: parent goes on
#include "expect.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
static int own = 5, *remote;
static int childStatus(int pid) {
  int status = 0;
  EXPECT(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
  return WEXITSTATUS(status);
}
int main(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    remote = malloc(sizeof *remote);
    *remote = 6;
  }
  int pid = fork();
  if (pid == 0)
    exit(own == 5 ? 11 : 12);
  EXPECT(childStatus(pid) == 11);
  pid = fork();
  if (pid == 0)
    exit(*remote);
  EXPECT(childStatus(pid) == 1);
  EXPECT(system("exit 4") >> 8 == 4);
  EXPECT(*remote == 6);
#pragma omp parallel num_threads(2)
  *(omp_get_thread_num() == 1 ? remote : &own) += 1;
  EXPECT(*remote == 7 && own == 6);
  puts("parent goes on");
  return 0;
}
