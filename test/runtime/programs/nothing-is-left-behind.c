// After a job, nothing of its nodes is in /dev/shm, whether it ended in order or with an error.
// RUN: %cc %s -o %t
// RUN: rm -f %t.pids && %run -n 3 %t %t.pids 0
// RUN: ! %run -n 3 %t %t.pids 1 2>%t.errors
// RUN: test $(wc -l < %t.pids) = 6
// RUN: for pid in $(cat %t.pids); do if ls /dev/shm | grep "\(^\|_\)$pid[:_]"; then exit 1; fi; done
#include "expect.h"
#include <fcntl.h>
#include <omp.h>
#include <unistd.h>
int main(int argc, char **argv) {
  EXPECT(argc == 3);
#pragma omp parallel num_threads(3)
  {
    char line[20];
    const int length = snprintf(line, sizeof line, "%d\n", getpid());
    const int fd = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
    EXPECT(write(fd, line, length) == length);
    close(fd);
#pragma omp barrier
    if (argv[2][0] == '1' && omp_get_thread_num() == 2)
      EXPECT(!"asked to fail");
  }
  return 0;
}
