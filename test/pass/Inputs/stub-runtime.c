/* stub-runtime.c: stands for libompdsm where a test shows that checks are made, and made in time. Not
 * instrumented, one thread.
 *
 * A protected line whose state says that a read would miss holds garbage; its bytes are in a copy. A
 * slow path puts them in place. So an access without a check reads garbage, or leaves its traces in a
 * line that nobody was allowed to write. */
#define _GNU_SOURCE
#include "stub-runtime.h"
#include "ompdsm/abi.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COLD __attribute__((preserve_most))
enum { GARBAGE = 0xa5, BOTH = OMPDSM_READ_MISSES | OMPDSM_WRITE_MISSES };

/* All stay on the stack. */
void *__ompdsm_local_begin(void *local, int64_t bytes) { return (void)bytes, local; }
void __ompdsm_local_end(void *local, void *place) { (void)local, (void)place; }
void __ompdsm_locals_end(void *above) { (void)above; }

/* Now and then, so that atomic operations go both ways: that of a call ends permissions. */
_Thread_local unsigned char __ompdsm_release_owed __attribute__((tls_model("initial-exec")));

static unsigned char *region, *copy;
static size_t regionBytes, objectBytes, misses;

static void fail(const char *what, const void *where) {
  fprintf(stderr, "stub runtime: %s, at byte %td of the region\n", what,
          (const unsigned char *)where - region);
  _exit(1);
}

static unsigned char *stateOf(const void *p) {
  return (unsigned char *)(((uintptr_t)p >> OMPDSM_LINE_SHIFT) + OMPDSM_STATE_TABLE);
}

/* And the byte of its group, which joins those of all of the group's lines. */
static void setState(const void *p, unsigned char state) {
  const int clears = *stateOf(p) & ~state;
  *stateOf(p) = state;
  const uintptr_t group = (uintptr_t)p >> OMPDSM_GROUP_SHIFT;
  unsigned char *joined = (unsigned char *)(group + OMPDSM_GROUP_TABLE);
  *joined |= state;
  if (!clears)
    return;
  *joined = 0;
  for (uintptr_t line = group << OMPDSM_GROUP_SHIFT; line < (group + 1) << OMPDSM_GROUP_SHIFT; line += OMPDSM_LINE_BYTES)
    *joined |= *stateOf((void *)line);
}

__attribute__((constructor(101))) static void mapStates(void) {
  void *table = (void *)OMPDSM_STATE_TABLE;
  if (mmap(table, OMPDSM_STATE_TABLE_BYTES, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != table) {
    perror("stub runtime: the state table");
    _exit(1);
  }
}

static void takeLine(unsigned char *line) {
  if (*stateOf(line) == BOTH)
    return;
  if (!(*stateOf(line) & OMPDSM_READ_MISSES))
    memcpy(copy + (line - region), line, OMPDSM_LINE_BYTES);
  memset(line, GARBAGE, OMPDSM_LINE_BYTES);
  setState(line, BOTH);
}

/* What a line without permission holds is known. */
static void verifyLine(unsigned char *line) {
  const unsigned char state = *stateOf(line);
  unsigned char garbage[OMPDSM_LINE_BYTES];
  memset(garbage, GARBAGE, sizeof garbage);
  const unsigned char *expected = state & OMPDSM_READ_MISSES ? garbage : copy + (line - region);
  if (!(state & OMPDSM_WRITE_MISSES) || !memcmp(line, expected, OMPDSM_LINE_BYTES))
    return;
  while (*line == *expected)
    line++, expected++;
  fail("a write without a check", line);
}

static void grant(void *p, size_t bytes, int write) {
  __ompdsm_release_owed ^= 1;
  uintptr_t last = ((uintptr_t)p + bytes - 1) | (OMPDSM_LINE_BYTES - 1);
  for (uintptr_t at = (uintptr_t)p & -(uintptr_t)OMPDSM_LINE_BYTES; at < last; at += OMPDSM_LINE_BYTES) {
    unsigned char *line = (unsigned char *)at;
    if (line < region || line >= region + regionBytes)
      continue;
    verifyLine(line);
    if (*stateOf(line) & OMPDSM_READ_MISSES)
      memcpy(line, copy + (line - region), OMPDSM_LINE_BYTES);
    setState(line, *stateOf(line) & (write ? ~BOTH : ~OMPDSM_READ_MISSES));
  }
}

/* Loops with checks see it, and ask again. */
static void noteServed(void) { ++*(uint32_t *)OMPDSM_MISSES_SERVED; }

static void miss(void *p, size_t bytes, int write) {
  int bit = write ? OMPDSM_WRITE_MISSES : OMPDSM_READ_MISSES;
  if ((uintptr_t)p < OMPDSM_LINE_BYTES)
    fail("a slow path for nothing, as of an inactive lane", p);
  if (bytes < 1 || bytes > OMPDSM_LINE_BYTES)
    fail("a slow path for less than a byte or more than a line", p);
  if (!((*stateOf(p) | *stateOf((char *)p + bytes - 1)) & bit))
    fail("a slow path without need", p);
  misses++;
  noteServed();
  grant(p, bytes, write);
}

COLD void __ompdsm_read_miss(void *p, size_t bytes) { miss(p, bytes, 0); }
COLD void __ompdsm_write_miss(void *p, size_t bytes) { miss(p, bytes, 1); }
void __ompdsm_range_read(void *p, size_t bytes) {
  misses++;
  if (bytes)
    grant(p, bytes, 0);
}
void __ompdsm_range_write(void *p, size_t bytes) {
  misses++;
  if (bytes)
    grant(p, bytes, 1);
}

void __ompdsm_loop_read(void *p, size_t bytes) { __ompdsm_range_read(p, bytes); }
void __ompdsm_loop_write(void *p, size_t bytes) { __ompdsm_range_write(p, bytes); }

static void section(char *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1,
                    int write) {
  misses++;
  noteServed();
  for (size_t i = 0; i < rows1; i++)
    for (size_t k = 0; k < rows0; k++)
      grant(p + stride1 * (ptrdiff_t)i + stride0 * (ptrdiff_t)k, bytes, write);
}
void __ompdsm_section_read(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  section(p, bytes, stride0, rows0, stride1, rows1, 0);
}
void __ompdsm_section_write(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  section(p, bytes, stride0, rows0, stride1, rows1, 1);
}
/* Lines that will be overwritten whole, and are not valid, hold garbage until then. */
static void discard(unsigned char *p, size_t bytes) {
  unsigned char *line = (unsigned char *)(((uintptr_t)p + OMPDSM_LINE_BYTES - 1) & -(uintptr_t)OMPDSM_LINE_BYTES);
  for (; bytes && line + OMPDSM_LINE_BYTES <= p + bytes; line += OMPDSM_LINE_BYTES)
    if (line >= region && line < region + regionBytes && (*stateOf(line) & OMPDSM_READ_MISSES)) {
      verifyLine(line);
      setState(line, 0);
    }
}
void __ompdsm_section_overwrite(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  for (size_t i = 0; i < rows1; i++)
    for (size_t k = 0; k < rows0; k++)
      discard((unsigned char *)p + stride1 * (ptrdiff_t)i + stride0 * (ptrdiff_t)k, bytes);
  section(p, bytes, stride0, rows0, stride1, rows1, 1);
}
void __ompdsm_section_rewrite(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  section(p, bytes, stride0, rows0, stride1, rows1, 1);
}

/* Other nodes want something all the time, and take nothing away for that. */
__attribute__((constructor(102))) static void wantAttention(void) { *(char *)OMPDSM_ATTENTION = 1; }
static size_t attentions;
COLD void __ompdsm_attend(void) { attentions++; }
size_t stubAttentions(void) { return attentions; }

/* Noted sections have no permission before they are asked for. */
static struct Noted {
  void *p;
  size_t bytes, rows0, rows1;
  ptrdiff_t stride0, stride1;
  void (*grant)(void *, size_t, ptrdiff_t, size_t, ptrdiff_t, size_t);
} noted[64];
static unsigned notedCount;
static void note(struct Noted section) {
  if (notedCount == sizeof noted / sizeof *noted)
    fail("many sections are noted and never asked for", section.p);
  noted[notedCount++] = section;
}
void __ompdsm_loop_note_read(void *p, size_t bytes) {
  note((struct Noted){p, bytes, 1, 1, 0, 0, __ompdsm_section_read});
}
void __ompdsm_loop_note_write(void *p, size_t bytes) {
  note((struct Noted){p, bytes, 1, 1, 0, 0, __ompdsm_section_write});
}
void __ompdsm_section_note_read(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  note((struct Noted){p, bytes, rows0, rows1, stride0, stride1, __ompdsm_section_read});
}
void __ompdsm_section_note_write(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  note((struct Noted){p, bytes, rows0, rows1, stride0, stride1, __ompdsm_section_write});
}
void __ompdsm_section_note_overwrite(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  note((struct Noted){p, bytes, rows0, rows1, stride0, stride1, __ompdsm_section_overwrite});
}
void __ompdsm_section_note_rewrite(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1, size_t rows1) {
  note((struct Noted){p, bytes, rows0, rows1, stride0, stride1, __ompdsm_section_rewrite});
}
void __ompdsm_sections_ask(void) {
  for (unsigned i = 0; i < notedCount; i++) {
    const struct Noted n = noted[i];
    if (n.bytes)
      n.grant(n.p, n.bytes, n.stride0, n.rows0, n.stride1, n.rows1);
  }
  notedCount = 0;
}

/* Whether all lines have permission; of every second question, they get it first. */
static int isWhole(unsigned char *begin, size_t bytes, int write) {
  static unsigned questions;
  if (bytes && questions++ % 2)
    grant(begin, bytes, write);
  const uintptr_t first = (uintptr_t)begin & -(uintptr_t)OMPDSM_LINE_BYTES;
  for (uintptr_t at = first; at < (uintptr_t)begin + bytes; at += OMPDSM_LINE_BYTES)
    if (*stateOf((void *)at) & (write ? OMPDSM_WRITE_MISSES : OMPDSM_READ_MISSES))
      return 0;
  return 1;
}
/* As isWhole, and nothing is granted; nor looked at, if it is what sections are made of that are empty. */
static int isHullOpen(unsigned char *begin, size_t bytes, int write) {
#ifdef LYING_OF_HULLS
  return 1;
#endif
  if (bytes > regionBytes)
    return 0;
  const uintptr_t first = (uintptr_t)begin & -(uintptr_t)OMPDSM_LINE_BYTES;
  for (uintptr_t at = first; at < (uintptr_t)begin + bytes; at += OMPDSM_LINE_BYTES)
    if (at >= (uintptr_t)region && at < (uintptr_t)region + regionBytes &&
        *stateOf((void *)at) & (write ? OMPDSM_WRITE_MISSES : OMPDSM_READ_MISSES))
      return 0;
  return 1;
}
int __ompdsm_hull_readable(void *p, size_t bytes) { return isHullOpen(p, bytes, 0); }
int __ompdsm_hull_writable(void *p, size_t bytes) { return isHullOpen(p, bytes, 1); }

static int isObjectWhole(unsigned char *p, int write) {
#ifdef LYING
  return 1;
#endif
  if (p < region || p >= region + regionBytes)
    return 1;
  return isWhole(p - (size_t)(p - region) % objectBytes, objectBytes, write);
}
/* The longest part of the object with permission; with LYING or LYING_OF_RUNS all of it. */
static size_t runBytes;
uint64_t __ompdsm_readable_run(unsigned char *p) {
  if (p < region || p >= region + regionBytes) {
    runBytes = SIZE_MAX;
    return 0;
  }
  unsigned char *const object = p - (size_t)(p - region) % objectBytes;
  unsigned char *begin = object, *longest = object;
  runBytes = 0;
  for (unsigned char *at = object; at < object + objectBytes;) {
    unsigned char *const end = (unsigned char *)(((uintptr_t)at | (OMPDSM_LINE_BYTES - 1)) + 1);
#if !defined(LYING) && !defined(LYING_OF_RUNS)
    if (*stateOf(at) & OMPDSM_READ_MISSES)
      begin = end;
#endif
    at = end < object + objectBytes ? end : object + objectBytes;
    if (at > begin && (size_t)(at - begin) > runBytes) {
      runBytes = (size_t)(at - begin);
      longest = begin;
    }
  }
  return (uintptr_t)longest;
}
uint64_t __ompdsm_readable_run_bytes(void *p) {
  (void)p;
  return runBytes;
}
/* What of an object lies between two offsets; with LYING_OF_PARTS it is less. */
static int isPartWhole(unsigned char *p, int64_t begin, int64_t end, int write) {
#ifdef LYING
  return 1;
#endif
  if (p < region || p >= region + regionBytes)
    return 1;
  const int64_t at = (p - region) % (ptrdiff_t)objectBytes;
  begin = begin < -at ? -at : begin;
  end = end > (int64_t)objectBytes - at ? (int64_t)objectBytes - at : end;
#ifdef LYING_OF_PARTS
  end -= (end - begin) / 4;
#endif
  return begin < end && isWhole(p + begin, (size_t)(end - begin), write);
}
int __ompdsm_part_readable(void *p, int64_t begin, int64_t end) { return isPartWhole(p, begin, end, 0); }
int __ompdsm_part_writable(void *p, int64_t begin, int64_t end) { return isPartWhole(p, begin, end, 1); }

int __ompdsm_object_readable(void *p) { return isObjectWhole(p, 0); }
int __ompdsm_object_writable(void *p) { return isObjectWhole(p, 1); }
int __ompdsm_range_readable(void *p, size_t bytes) { return isWhole(p, bytes, 0); }
int __ompdsm_shared_readable(void *p, size_t bytes) { return isWhole(p, bytes, 0); }
int __ompdsm_range_writable(void *p, size_t bytes) { return isWhole(p, bytes, 1); }

void stubProtect(void *begin, size_t bytes, size_t bytesOfObject) {
  region = begin;
  regionBytes = bytes;
  objectBytes = bytesOfObject;
  copy = malloc(bytes);
  misses = 0;
  for (size_t i = 0; i < bytes; i += OMPDSM_LINE_BYTES)
    takeLine(region + i);
}

void stubSynchronise(void) {
  for (size_t i = 0; i < regionBytes; i += OMPDSM_LINE_BYTES) {
    verifyLine(region + i);
    takeLine(region + i);
  }
}

void stubFinish(void) {
  for (size_t i = 0; i < regionBytes; i += OMPDSM_LINE_BYTES) {
    verifyLine(region + i);
    grant(region + i, OMPDSM_LINE_BYTES, 1);
  }
  free(copy);
  regionBytes = 0;
}

size_t stubMisses(void) { return misses; }

/* Atomics: one thread, so plain accesses serve. */
static uint64_t word(void *p, int bytes) {
  uint64_t value = 0;
  grant(p, (size_t)bytes, 1);
  memcpy(&value, p, (size_t)bytes);
  return value;
}
uint64_t __ompdsm_atomic_load(void *p, int bytes, int order) {
  (void)order;
  uint64_t value = word(p, bytes);
  stubSynchronise();
  return value;
}
void __ompdsm_atomic_store(void *p, uint64_t value, int bytes, int order) {
  (void)order;
  word(p, bytes);
  memcpy(p, &value, (size_t)bytes);
  stubSynchronise();
}
uint64_t __ompdsm_atomic_rmw(void *p, uint64_t operand, int op, int bytes, int order) {
  (void)order;
  uint64_t old = word(p, bytes), value = old;
  double a, b;
  switch (op) {
  case OMPDSM_ATOMIC_XCHG:
    value = operand;
    break;
  case OMPDSM_ATOMIC_ADD:
    value = old + operand;
    break;
  case OMPDSM_ATOMIC_FADD:
    memcpy(&a, &old, sizeof a);
    memcpy(&b, &operand, sizeof b);
    a += b;
    memcpy(&value, &a, sizeof a);
    break;
  default:
    fail("an atomic operation that the stub does not have", p);
  }
  memcpy(p, &value, (size_t)bytes);
  stubSynchronise();
  return old;
}
void __ompdsm_atomic_update(void *p, uint64_t operand, int op, int bytes) {
  __ompdsm_atomic_rmw(p, operand, op, bytes, 0);
}
uint64_t __ompdsm_atomic_apply_old(void *p, uint64_t operand, uint64_t (*function)(uint64_t, uint64_t), int bytes) {
  uint64_t old = word(p, bytes), value = function(old, operand);
  memcpy(p, &value, (size_t)bytes);
  stubSynchronise();
  return old;
}
void __ompdsm_atomic_apply(void *p, uint64_t operand, uint64_t (*function)(uint64_t, uint64_t), int bytes) {
  __ompdsm_atomic_apply_old(p, operand, function, bytes);
}
uint64_t __ompdsm_atomic_cmpxchg(void *p, uint64_t expected, uint64_t desired, int bytes, int order) {
  (void)order;
  uint64_t old = word(p, bytes);
  if (old == expected)
    memcpy(p, &desired, (size_t)bytes);
  stubSynchronise();
  return old;
}
void __ompdsm_fence(int order) {
  (void)order;
  stubSynchronise();
}

void *__ompdsm_malloc(size_t bytes) { return malloc(bytes); }
void *__ompdsm_calloc(size_t count, size_t bytes) { return calloc(count, bytes); }
