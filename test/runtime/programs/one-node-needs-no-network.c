// Without a launcher the program is one node: no sockets, no threads but its own, private memory, and no network library,
// whose loading takes longer than many a program runs.
// RUN: %cc %s -o %t
// RUN: env OMP_NUM_THREADS=1 %t
#include "expect.h"
#include <dirent.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  DIR *list = opendir("/proc/self/fd");
  for (struct dirent *entry; (entry = readdir(list));) {
    char path[300], target[300] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
    if (readlink(path, target, sizeof target - 1) > 0)
      EXPECT(strncmp(target, "socket:", 7) != 0);
  }
  closedir(list);
  int threads = 0;
  list = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(list));)
    threads += entry->d_name[0] != '.';
  closedir(list);
  EXPECT(threads == 1);
  FILE *maps = fopen("/proc/self/maps", "r");
  for (char line[4000]; maps && fgets(line, sizeof line, maps);)
    EXPECT(!strstr(line, "libfabric"));
  EXPECT(maps && fclose(maps) == 0);
  int local;
  void *p = malloc(10);
  EXPECT(!isShared(&local) && !isShared(p));
  free(p);
  return 0;
}
