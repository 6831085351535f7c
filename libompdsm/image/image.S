/* image.S: becomes libompdsm-image.o, which the linker script libompdsm.so adds to every executable
 * and shared library that is linked with -lompdsm.
 *
 * It does three things for the image. Its ELF note (ompdsm/abi.h) tells the runtime where the shared
 * sections of the image and its lists of callees and of variables lie. Its pads make each of these sections begin at a page (the alignment of
 * the pad becomes that of the whole section) and end with a page (the pad comes last, because
 * -lompdsm follows the user's objects), so that no data of anybody else lies in a shared line or
 * page. The runtime refuses an image in which a shared section does not end at a page. And slow paths
 * of checks are called by way of it.
 *
 * All of it is one group, so that an image has it once: who asks the compiler what it links (libtool)
 * names -lompdsm again. */

#include "ompdsm/abi.h"

#define PAGE 4096

/* The flag R (retain) keeps the pads under --gc-sections. */
        .section ompdsm_data,"awRG",@progbits,ompdsm_image,comdat
        .balign PAGE
        .zero   PAGE

        .section ompdsm_bss,"awRG",@nobits,ompdsm_image,comdat
        .balign PAGE
        .zero   PAGE

        .section ompdsm_large_data,"awRG",@progbits,ompdsm_image,comdat
        .balign PAGE
        .zero   PAGE

        .section ompdsm_large_bss,"awRG",@nobits,ompdsm_image,comdat
        .balign PAGE
        .zero   PAGE

/* Entries that name nothing: these sections exist in every image. */
        .section ompdsm_callees,"awRG",@progbits,ompdsm_image,comdat
        .balign PAGE                    /* what comes before it may not end with a pad (LTO by lld) */
        .zero   32

        .section ompdsm_variables,"awRG",@progbits,ompdsm_image,comdat
        .balign 8
        .zero   24

/* Hidden: each image has its own, and the distances below are constants of the link. */
        .hidden __start_ompdsm_data
        .hidden __stop_ompdsm_data
        .hidden __start_ompdsm_bss
        .hidden __stop_ompdsm_bss
        .hidden __start_ompdsm_large_data
        .hidden __stop_ompdsm_large_data
        .hidden __start_ompdsm_large_bss
        .hidden __stop_ompdsm_large_bss
        .hidden __start_ompdsm_callees
        .hidden __stop_ompdsm_callees
        .hidden __start_ompdsm_variables
        .hidden __stop_ompdsm_variables

        .section .note.ompdsm,"aRG",@note,ompdsm_image,comdat
        .balign 4
        .long   2f - 1f                 /* length of the name */
        .long   4f - 3f                 /* length of the description */
        .long   OMPDSM_NOTE_TYPE
1:      .asciz  OMPDSM_NOTE_NAME
2:      .balign 4
3:      .long   OMPDSM_ABI_VERSION
        .long   0
        .quad   __start_ompdsm_data - .
        .quad   __stop_ompdsm_data - .
        .quad   __start_ompdsm_bss - .
        .quad   __stop_ompdsm_bss - .
        .quad   __start_ompdsm_large_data - .
        .quad   __stop_ompdsm_large_data - .
        .quad   __start_ompdsm_large_bss - .
        .quad   __stop_ompdsm_large_bss - .
        .quad   __start_ompdsm_callees - .
        .quad   __stop_ompdsm_callees - .
        .quad   __start_ompdsm_variables - .
        .quad   __stop_ompdsm_variables - .
4:
/* A call of the runtime itself would go by the procedure linkage table, whose first use does not keep
 * all registers, as preserve_most promises, or by an address that the compiler keeps in a register
 * through each loop with a check. The entry of the global offset table is there from the start. */
        .section .text.ompdsm_image,"axG",@progbits,ompdsm_image,comdat
        .globl  __ompdsm_read_miss
        .hidden __ompdsm_read_miss
        .type   __ompdsm_read_miss, @function
__ompdsm_read_miss:
        .cfi_startproc
        jmp     *__ompdsm_read_missed@GOTPCREL(%rip)
        .cfi_endproc
        .size   __ompdsm_read_miss, . - __ompdsm_read_miss

        .globl  __ompdsm_write_miss
        .hidden __ompdsm_write_miss
        .type   __ompdsm_write_miss, @function
__ompdsm_write_miss:
        .cfi_startproc
        jmp     *__ompdsm_write_missed@GOTPCREL(%rip)
        .cfi_endproc
        .size   __ompdsm_write_miss, . - __ompdsm_write_miss

        .globl  __ompdsm_attend
        .hidden __ompdsm_attend
        .type   __ompdsm_attend, @function
__ompdsm_attend:
        .cfi_startproc
        jmp     *__ompdsm_attended@GOTPCREL(%rip)
        .cfi_endproc
        .size   __ompdsm_attend, . - __ompdsm_attend

        .section .note.GNU-stack,"",@progbits
