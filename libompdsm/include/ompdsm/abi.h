/* abi.h: the seam between code that the compiler pass instruments and libompdsm. Changing anything
 * here is a new OMPDSM_ABI_VERSION: objects of another version are refused at start. */
#ifndef OMPDSM_ABI_H
#define OMPDSM_ABI_H

#define OMPDSM_ABI_VERSION 18

/* The unit of access state: one state byte for each 64-byte line of the user address space, at
 * (address >> OMPDSM_LINE_SHIFT) + OMPDSM_STATE_TABLE. The offset fits in a signed 32-bit
 * displacement. Bit 0: a read must miss; bit 1: a write must miss; bit 2: another node is the home,
 * in whose memory atomic operations happen; higher bits are the runtime's. */
#define OMPDSM_LINE_SHIFT 6
#define OMPDSM_LINE_BYTES 64
#define OMPDSM_STATE_TABLE 0x7fff8000ULL
#define OMPDSM_STATE_TABLE_BYTES (1ULL << 41)
/* Checks look first at a byte for each group of lines, at (address >> OMPDSM_GROUP_SHIFT) +
 * OMPDSM_GROUP_TABLE, which has the miss bits that any of its lines has, or more. These bytes are at
 * the same time state bytes of addresses below OMPDSM_LEAST_SHARED, where shared memory is that of
 * small executables only. Their first page, the attention flag's, is spared. */
#define OMPDSM_GROUP_SHIFT 11
#define OMPDSM_GROUP_TABLE (OMPDSM_STATE_TABLE + 4096)
#define OMPDSM_LEAST_SHARED 0x40040000000ULL
/* A state byte of the first 64 KiB, where no program has memory, is the attention flag: not 0 while
 * another node waits for this one, which a computing thread may then serve (__ompdsm_attend). That of
 * the null pointer is always 0. */
#define OMPDSM_ATTENTION (OMPDSM_STATE_TABLE + 512)
/* Where group bytes of addresses from 32 KiB would be, which no program has either: a 32-bit number that
 * changes when a miss has been served, of whichever thread of this node. A loop that runs with checks sees
 * there whether asking again (LoopCopies) may have another answer. */
#define OMPDSM_MISSES_SERVED (OMPDSM_GROUP_TABLE + 16)
#define OMPDSM_READ_MISSES 1
#define OMPDSM_WRITE_MISSES 2
#define OMPDSM_REMOTE 4
/* A variable of each thread (initial-exec), one byte, not 0 while the thread's next atomic operation
 * must release first, also a relaxed one. */
#define OMPDSM_RELEASE_OWED "__ompdsm_release_owed"

/* Sections of shared globals and statics. Objects of more than OMPDSM_SMALL_OBJECT_BYTES go to the
 * large ones, which have a larger block and whose pages may change home. */
#define OMPDSM_SECTION_DATA "ompdsm_data"
#define OMPDSM_SECTION_BSS "ompdsm_bss"
#define OMPDSM_SECTION_LARGE_DATA "ompdsm_large_data"
#define OMPDSM_SECTION_LARGE_BSS "ompdsm_large_bss"
#define OMPDSM_SMALL_OBJECT_BYTES (16 * 1024)

/* Functions that instrumented code of an image hands addresses to and that its own module does not
 * define: entries of four words, the addresses of the function (0 if absent), of its name, and of the
 * place of a call ("file:line", or the file), and a number that is 0 in the file: the runtime makes it
 * 1 at start if the function has no checks. Then __ompdsm_lend is called before it is. */
#define OMPDSM_SECTION_CALLEES "ompdsm_callees"

/* Shared globals and statics of an image: entries of three words, its address, its bytes, and the
 * address of its name, in any order. Of one that is in no entry neither extent nor name is known. */
#define OMPDSM_SECTION_VARIABLES "ompdsm_variables"

/* Name and type of the ELF note that libompdsm-image.o puts into every linked image. Its
 * description: 32-bit ABI version, 32-bit zero, then for each of the six sections above, in that
 * order, two 64-bit offsets, of the section's begin and of its end, each relative to the address of
 * the offset itself; both zero for an absent section. */
#define OMPDSM_NOTE_NAME "ompdsm"
#define OMPDSM_NOTE_TYPE 1

/* The sixteen bytes in front of the code of each instrumented function that other modules can call,
 * or whose address is taken, as that of an outlined parallel region. */
#define OMPDSM_CODE_MARK {0x9c6ad3b1e5f0472dULL, 0x51f7c80ea2b3964dULL}
/* Set in the second word of a parallel region whose threads never wait for one another, and that uses
 * no thread-local variable: one thread can execute the parts of several, one after the other. */
#define OMPDSM_CODE_MARK_FOLDABLE (1ULL << 63)

/* Operations of __ompdsm_atomic_rmw. The values of the first sixteen are their own enumeration, not
 * LLVM's, so that a new LLVM changes the pass only. */
#ifndef __ASSEMBLER__ /* The image object's source includes this file. */
enum ompdsm_atomic_op {
  OMPDSM_ATOMIC_XCHG = 0, OMPDSM_ATOMIC_ADD = 1, OMPDSM_ATOMIC_SUB = 2, OMPDSM_ATOMIC_AND = 3,
  OMPDSM_ATOMIC_NAND = 4, OMPDSM_ATOMIC_OR = 5, OMPDSM_ATOMIC_XOR = 6, OMPDSM_ATOMIC_MAX = 7,
  OMPDSM_ATOMIC_MIN = 8, OMPDSM_ATOMIC_UMAX = 9, OMPDSM_ATOMIC_UMIN = 10, OMPDSM_ATOMIC_FADD = 11,
  OMPDSM_ATOMIC_FSUB = 12, OMPDSM_ATOMIC_FMAX = 13, OMPDSM_ATOMIC_FMIN = 14,
  OMPDSM_ATOMIC_UINC_WRAP = 15, OMPDSM_ATOMIC_UDEC_WRAP = 16, OMPDSM_ATOMIC_USUB_COND = 17,
  OMPDSM_ATOMIC_USUB_SAT = 18,
  OMPDSM_ATOMIC_APPLY = 19 /* The function that __ompdsm_atomic_apply gets. */
};
/* What a hint says of [p, p + bytes); it never changes a result. */
enum ompdsm_hint {
  OMPDSM_HINT_BROADCAST = 0,       /* All nodes will read it. */
  OMPDSM_HINT_DISTRIBUTE_BLOCK = 1 /* Threads work on contiguous parts, in their order. */
};
#endif

/* The functions that instrumented code calls are listed in abi.def. */

#endif
