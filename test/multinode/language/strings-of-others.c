// strcpy, strcat, strncpy, strncat, stpcpy, strtok_r, strstr, strchr, strrchr, strspn, strcspn,
// strdup, strndup, strtol, strtod, strlen, strcasecmp on strings of other threads.
#include "../report.h"
#include <omp.h>
#include <string.h>
#include <strings.h>
enum { N = 80 };
static char *s[N], *d[N];
static char c[N][90], cat[N][200], list[N][100], st[N][60];
int main(void) {
#pragma omp parallel
  {
    for (int round = 0; round < 2; round++) {
#pragma omp for schedule(static, 1)
      for (int i = 0; i < N; i++) {
        char t[80];
        snprintf(t, 80, "%d: The String Number %d.%d ;tail %d", round, i, i % 10, i);
        s[i] = strdup(t);
        strcpy(cat[i], "first");
        sprintf(list[i], "a%d,b%d;;c%d", i, i, i);
      }
#pragma omp for schedule(static, 3)
      for (int i = 0; i < N; i++) {
        const int j = (i + 1) % N;
        char t[80];
        snprintf(t, 80, "%d: The String Number %d.%d ;tail %d", round, j, j % 10, j);
        expectInteger("strcmp", i, 0, strcmp(t, s[j]));
        expectInteger("strlen", i, strlen(t), strlen(s[j]));
        strcpy(c[i], s[j]);
        strcat(cat[i], s[j]);
        strncat(cat[i], s[j], 3);
        d[i] = strndup(s[j], 10);
        expectInteger("stpncpy", i, 1, *stpcpy(st[i], s[j]) == 0);
        strncpy(st[i], "12", 20);
        expectInteger("strstr", i, 3, strstr(s[j], "The") - s[j]);
        expectInteger("strchr", i, 1, strchr(s[j], ':') - s[j]);
        expectInteger("strrchr", i, strlen(t), strrchr(s[j], 0) - s[j]);
        expectInteger("strspn", i, 1, strspn(s[j], "0123456789"));
        expectInteger("strcspn", i, strchr(t, ';') - t, strcspn(s[j], ";"));
        expectInteger("casecmp", i, 0, strcasecmp(t, s[j]));
        expectInteger("ncasecmp", i, 0, strncasecmp(s[j] + 3, "THE STRING", 10));
        expectInteger("strncmp", i, 0, strncmp(s[j], t, 30));
        char *e;
        expectInteger("strtol", i, round, strtol(s[j], &e, 10));
        expectInteger("end", i, 1, e - s[j]);
        expectReal("strtod", i, strtod(strchr(t, 'N') + 7, NULL), strtod(s[j] + 21, &e));
        expectInteger("atoi", i, j, atoi(s[j] + 21));
        expectInteger("strtoul", i, j, strtoul(s[j] + 21, &e, 0) * (j % 8 != 9));
        char *save, *w = strtok_r(list[i], ",;", &save);
        expectInteger("tok a", i, 'a', w[0]);
        w = strtok_r(NULL, ",;", &save);
        expectInteger("tok b", i, 'b', w[0]);
        w = strtok_r(NULL, ",;", &save);
        expectInteger("tok c", i, 'c', w[0]);
        expectInteger("tok n", i, i, atoi(w + 1));
        expectInteger("tok end", i, 1, strtok_r(NULL, ",;", &save) == NULL);
      }
#pragma omp for schedule(static, 7)
      for (int i = 0; i < N; i++) {
        const int j = (i + 1) % N;
        char t[80];
        snprintf(t, 80, "%d: The String Number %d.%d ;tail %d", round, j, j % 10, j);
        expectInteger("copy", i, 0, strcmp(t, c[i]));
        expectInteger("cat", i, strlen(t) + 5 + 3, strlen(cat[i]));
        expectInteger("cat", i, 0, memcmp(cat[i] + 5, t, strlen(t)));
        expectInteger("dup", i, 10, strlen(d[i]));
        expectInteger("strncpy", i, 0, strcmp(st[i], "12"));
        expectInteger("strncpy zeros", i, 0, st[i][19]);
        expectInteger("after", i, t[20], st[i][20]);
        expectInteger("list", i, 0, list[i][i < 10 ? 2 : 3]);
        free(d[i]);
      }
#pragma omp for schedule(static, 5)
      for (int i = 0; i < N; i++)
        free(s[i]);
    }
  }
  return finish();
}
