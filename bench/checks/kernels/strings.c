// strings.c: text is made, cut into words, folded to lower case, counted in a trie and searched for
// a pattern: accesses to bytes, one after the other, under conditions.
//
// Search by Horspool's algorithm (Practical fast searching in strings, 1980). Lines are dealt to
// threads; each has a trie.
#include <ctype.h>
#include <omp.h>

#include "kernel.h"

enum { Letters = 26, LineLength = 80, TrieRoom = 40000 };

static const char *const syllables[] = {"ba", "Ko", "lin", "mu", "Ra", "sto", "vi", "zen"};

struct Trie {
  int used;
  struct {
    int child[Letters], count;
  } node[TrieRoom];
};

// Line i has words of one to three syllables, blanks and full stops, and ends with 0.
static void makeLine(char *line, int i) {
  size_t used = 0;
  for (uint64_t word = 0;; word++) {
    uint64_t random = mix((uint64_t)i * 64 + word);
    char text[16] = "";
    for (int s = 0; s <= (int)(random % 3); s++)
      strcat(text, syllables[(random >> (8 + 8 * s)) % 8]);
    const size_t length = strlen(text);
    if (used + length + 2 >= LineLength)
      break;
    memcpy(line + used, text, length);
    used += length;
    if (random >> 61 == 0)
      line[used++] = '.';
    line[used++] = ' ';
  }
  line[used] = '\0';
}

static void addWord(struct Trie *trie, const char *word, int length) {
  int node = 0;
  for (int i = 0; i < length; i++) {
    int *child = &trie->node[node].child[word[i] - 'a'];
    if (!*child) {
      if (trie->used == TrieRoom) {
        fprintf(stderr, "more than %d nodes in the trie\n", TrieRoom);
        exit(1);
      }
      *child = trie->used++;
    }
    node = *child;
  }
  trie->node[node].count++;
}

/// Counts the words of a line; returns how many.
static int cutLine(struct Trie *trie, const char *line) {
  char word[LineLength];
  int length = 0, words = 0;
  for (const char *c = line;; c++) {
    if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')) {
      word[length++] = (char)(*c | 32);
    } else if (length) {
      addWord(trie, word, length);
      words++;
      length = 0;
    }
    if (!*c)
      return words;
  }
}

static int search(const char *text, int length, const char *pattern, int patternLength,
                  const int *shift) {
  int found = 0;
  for (int at = 0; at + patternLength <= length;) {
    int i = patternLength - 1;
    while (i >= 0 && text[at + i] == pattern[i])
      i--;
    found += i < 0;
    at += shift[(unsigned char)text[at + patternLength - 1]];
  }
  return found;
}

/// An order of words does not matter to the sum.
static uint64_t hashTrie(const struct Trie *trie, int node, uint64_t prefix) {
  uint64_t sum = (uint64_t)trie->node[node].count * mix(prefix);
  for (int c = 0; c < Letters; c++)
    if (trie->node[node].child[c])
      sum += hashTrie(trie, trie->node[node].child[c], mix(prefix + (uint64_t)c + 1));
  return sum;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), lines = small ? 500 : 60000, rounds = small ? 1 : 20;
  char *text = allocate((size_t)lines, LineLength);
  struct Trie *tries = calloc((size_t)omp_get_max_threads(), sizeof *tries);
  const char pattern[] = "lin sto";
  int shift[256];
  for (int c = 0; c < 256; c++)
    shift[c] = (int)sizeof pattern - 1;
  for (int i = 0; i + 2 < (int)sizeof pattern; i++)
    shift[(unsigned char)pattern[i]] = (int)sizeof pattern - 2 - i;
  long words = 0, found = 0, simple = 0;
#pragma omp parallel reduction(+ : words, found, simple)
  {
    struct Trie *trie = &tries[omp_get_thread_num()];
    trie->used = 1;
#pragma omp for schedule(static)
    for (int i = 0; i < lines; i++)
      makeLine(text + (size_t)i * LineLength, i);
    for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(static)
      for (int i = 0; i < lines; i++) {
        const char *line = text + (size_t)i * LineLength;
        words += cutLine(trie, line);
        found += search(line, (int)strlen(line), pattern, (int)sizeof pattern - 1, shift);
      }
    }
#pragma omp for schedule(static)
    for (int i = 0; i < lines; i++)
      for (const char *c = text + (size_t)i * LineLength; (c = strstr(c, pattern)); c++)
        simple += rounds;
  }
  uint64_t answer = 0;
  for (int t = 0; t < omp_get_max_threads(); t++)
    answer += hashTrie(&tries[t], 0, 1);
  return conclude(answer ^ mix((uint64_t)words), found == simple && words > lines && found > 0);
}
