// Functions of the C library that programs use now and then, in memory that another node has just
// written and has had before: they see that, and the other node sees what they write. With and
// without _FORTIFY_SOURCE, and without what homes send unasked.
// RUN: %cc -O0 %s -o %t0 -lm && %run -n 2 %t0 %t0.file | %check %s
// RUN: env OMPDSM_PUSH=0 %run -n 2 %t0 %t0.file | %check %s
// RUN: %cc -O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64 %s -o %t2 -lm && %run -n 2 %t2 %t2.file | %check %s
// RUN: env OMPDSM_PUSH=0 %run -n 2 %t2 %t2.file | %check %s
// Wide characters and the like are not looked after, which the program says at its start.
// RUN: %cc -O2 -DUNWATCHED %s -o %t3 -lm && %run -n 2 %t3 %t3.file 2>&1 | %check --check-prefix=NAMED %s
// NAMED: warning: the program hands pointers to functions that were not compiled with ompdsm: mbstowcs in libc.so.6 (called at {{.*}}), sem_init in libc.so.6
// CHECK: ok
#define _GNU_SOURCE
#include "expect.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <omp.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { Cases = 48, Page = 4096, Numbers = 500 };
struct Link {
  struct Link *next, *previous;
};
// A page for what each case reads, and one for what it writes.
_Alignas(4096) static char in[Cases][Page], out[Cases][Page];
static long results[Cases];
static char *allocated[Cases];

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int compareWith(const void *a, const void *b, void *sign) {
  return *(const int *)sign * compare(a, b);
}
static void text(int number, const char *value) { strcpy(in[number], value); }
static long touchAll(void) {
  long sum = 0;
  for (int i = 0; i < Cases; i++)
    for (int k = 0; k < Page; k += 64)
      sum += ((volatile char *)in[i])[k] + ((volatile char *)out[i])[k];
  return sum;
}

/// By the first node.
static void fill(const char *path) {
  memset(out, 'o', sizeof out);
  for (int i = 0; i < Cases; i++)
    for (int k = 0; k < Numbers; k++)
      ((int *)in[i])[k] = (k * 379 + i) % Numbers;
  text(1, "12345xyz");
  text(2, "%d-%s");
  text(3, "some text");
  text(4, "^a(b+)c$");
  text(5, "abbbc");
  text(6, "*.txt");
  text(7, "192.168.3.77");
  text(8, path);
  text(9, "beta=17,alpha");
  text(10, "alpha");
  text(11, "beta");
  text(12, "word one two");
  ((time_t *)in[13])[0] = 86400 * 365;
  ((off_t *)in[14])[0] = 3;
  ((cpu_set_t *)out[15])[0] = (cpu_set_t){{0}};
}

/// By the second.
static void use(int length) {
  char *end;
  int sign = -1;
  qsort_r(in[20], Numbers, sizeof(int), compareWith, &sign);
  results[21] = strtoimax(in[1], &end, 10) + *end;
  results[22] = asprintf(&allocated[22], in[2], 42, in[3]);
  int ends[2];
  EXPECT(!pipe(ends));
  dprintf(ends[1], in[2], 7, in[3]);
  results[23] = read(ends[0], out[23], 100);
  close(ends[0]), close(ends[1]);
  regex_t *pattern = (regex_t *)out[24];
  regmatch_t *matches = (regmatch_t *)(out[24] + 1024);
  EXPECT(!regcomp(pattern, in[4], REG_EXTENDED));
  EXPECT(!regexec(pattern, in[5], 2, matches, 0));
  regfree(pattern);
  results[25] = fnmatch(in[6], "foo.txt", 0) * 10 + fnmatch("*c", in[5], 0);
  results[26] = inet_pton(AF_INET, in[7], out[26]);
  results[27] = inet_aton(in[7], (struct in_addr *)out[27]);
  EXPECT(inet_ntop(AF_INET, out[27], out[28], 100) == out[28]);

  FILE *file = fopen(in[8], "r");
  EXPECT(fread_unlocked(out[29], 1, (size_t)length, file) == 5);
  EXPECT(fgets_unlocked(out[29] + 100, 50, file) == out[29] + 100);
  EXPECT(!fgetpos(file, (fpos_t *)(out[29] + 512)));
  EXPECT(fgets(out[29] + 200, length + 10, file) == out[29] + 200);
  fclose(file);
  const int fd = open(in[8], O_RDONLY);
  struct iovec *vectors = (struct iovec *)(out[30] + 2048);
  vectors[0] = (struct iovec){out[30], 4}, vectors[1] = (struct iovec){out[30] + 100, 5};
  EXPECT(preadv(fd, vectors, 2, 1) == 9);
  results[31] = read(fd, out[31], (size_t)length) + pread(fd, out[31] + 100, (size_t)length, 2);
  EXPECT(!fstatat(AT_FDCWD, in[8], (struct stat *)out[32], 0));
  EXPECT(!statfs(in[8], (struct statfs *)out[33]));
  file = tmpfile();
  fputs_unlocked(in[12], file), fwrite_unlocked(in[3], 1, 4, file), fflush(file);
  results[34] = sendfile(fileno(file), fd, (off_t *)in[14], 2);
  rewind(file);
  EXPECT(fread(out[34], 1, (size_t)length + 13, file) == 18);
  fclose(file), close(fd);
  int sockets[2];
  EXPECT(!socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets));
  EXPECT(sendto(sockets[0], in[3], 9, 0, NULL, 0) == 9);
  EXPECT(recvfrom(sockets[1], out[35], (size_t)length + 50, 0, NULL, NULL) == 9);
  close(sockets[0]), close(sockets[1]);

  char *const names[] = {in[10], in[11], NULL}, *at = in[9], *value = NULL;
  results[36] = getsubopt(&at, names, &value) * 100 + atoi(value);
  strcpy(stpncpy(stpcpy(out[37], in[3]), in[12], (size_t)length), "!");
  memfrob(in[38], 100);
  gcvt(2.5, 5, out[39]);
  size_t *count = (size_t *)(out[40] + 8);
  *count = Numbers;
  int key = 77, *found = lfind(&key, in[40], count, sizeof key, compare);
  results[40] = found - (int *)in[40];
  key = -5;
  lsearch(&key, in[40], count, sizeof key, compare);
  struct Link *first = (struct Link *)in[41], *second = (struct Link *)(in[41] + 256);
  insque(first, NULL), insque(second, first);
  results[42] = (long)(char *)rawmemchr(in[12], 'w') - (long)in[12];
  strcpy(out[42], ctime((time_t *)in[13]));
  EXPECT(!sched_getaffinity(0, sizeof(cpu_set_t), (cpu_set_t *)out[15]));
  strfromd(out[43], 50, "%.3f", 2.125);
  EXPECT(getcwd(out[44], (size_t)length + 1000) == out[44]);
  EXPECT(readlink("/proc/self/cwd", out[45], (size_t)length + 1000) > 0);
}

/// By the first again.
static void check(void) {
  for (int k = 0; k < Numbers; k++)
    EXPECT(((int *)in[20])[k] == Numbers - 1 - k);
  EXPECT(results[21] == 12345 + 'x');
  EXPECT(results[22] == 12 && !strcmp(allocated[22], "42-some text"));
  EXPECT(results[23] == 11 && !memcmp(out[23], "7-some text", 11));
  const regmatch_t *matches = (regmatch_t *)(out[24] + 1024);
  EXPECT(matches[0].rm_eo == 5 && matches[1].rm_so == 1 && matches[1].rm_eo == 4);
  EXPECT(results[25] == 0);
  EXPECT(results[26] == 1 && !memcmp(out[26], "\300\250\003M", 4));
  EXPECT(results[27] && !memcmp(out[27], "\300\250\003M", 4) && !strcmp(out[28], "192.168.3.77"));
  EXPECT(!memcmp(out[29], "hello", 5) && !strcmp(out[29] + 100, " file\n"));
  EXPECT(!strcmp(out[29] + 200, "second line\n") && memcmp(out[29] + 512, "oooooooo", 8));
  EXPECT(!memcmp(out[30], "ello", 4) && !memcmp(out[30] + 100, " file", 5));
  EXPECT(results[31] == 10 && !memcmp(out[31], "hello", 5) && !memcmp(out[31] + 100, "llo f", 5));
  EXPECT(((struct stat *)out[32])->st_size == 23 && ((struct statfs *)out[33])->f_bsize > 0);
  EXPECT(results[34] == 2 && !memcmp(out[34], "word one twosomelo", 18));
  EXPECT(((off_t *)in[14])[0] == 5);
  EXPECT(!memcmp(out[35], "some text", 9));
  EXPECT(results[36] == 117);
  EXPECT(!strcmp(out[37], "some textword !"));
  for (int k = 0; k < 25; k++)
    EXPECT((((int *)in[38])[k] ^ 0x2a2a2a2a) == (k * 379 + 38) % Numbers);
  EXPECT(!strcmp(out[39], "2.5"));
  EXPECT(((int *)in[40])[results[40]] == 77 && ((int *)in[40])[Numbers] == -5);
  EXPECT(*(size_t *)(out[40] + 8) == Numbers + 1);
  const struct Link *first = (struct Link *)in[41], *second = (struct Link *)(in[41] + 256);
  EXPECT(first->next == second && second->previous == first && !second->next);
  EXPECT(results[42] == 0 && !memcmp(out[42], "Fri Jan  1", 10));
  EXPECT(CPU_COUNT((cpu_set_t *)out[15]) > 0);
  EXPECT(!strcmp(out[43], "2.125"));
  EXPECT(out[44][0] == '/' && !memcmp(out[44], out[45], strlen(out[44])));
}

int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "w");
  fputs("hello file\nsecond line\n", file);
  fclose(file);
#ifdef UNWATCHED
  sem_t semaphore;
  mbstowcs((wchar_t *)out[0], in[0], 5);
  sem_init(&semaphore, 0, 1);
#endif
#pragma omp parallel num_threads(2)
  for (int round = 0; round < 3; round++) {
    touchAll();
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      fill(argv[1]);
#pragma omp barrier
    if (omp_get_thread_num() == 1)
      use(argc + 3);
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      check();
  }
  unlink(argv[1]);
  puts("ok");
  return 0;
}
