/* stub-runtime.h: what a test may ask of the stub runtime. */
#ifndef STUB_RUNTIME_H
#define STUB_RUNTIME_H
#include <stddef.h>

/* Takes the bytes away: until a slow path asks for a line, it holds garbage, and what is written to it
 * is noticed. Begin and end are lines' borders. One region at a time, made of objects of one size. */
void stubProtect(void *begin, size_t bytes, size_t bytesOfObject);
/* Takes all permissions away again, as a synchronisation point may. Every runtime function except the
 * slow paths does the same. */
void stubSynchronise(void);
/* Gives all bytes back. Ends the program with a message if any was accessed without permission. */
void stubFinish(void);
/* How often the program has seen that another node waits, which one always does. */
size_t stubAttentions(void);
/* Slow paths since stubProtect. */
size_t stubMisses(void);

#endif
