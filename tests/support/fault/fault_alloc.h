/*
 * Makes memory run out in a test: the Nth allocation fails, alone or with all later ones. The
 * test program defines malloc and its kin itself, so that SQLite, Jansson, zstd, libsodium,
 * libpng and the C library itself meet the fault too. Under a sanitizer, which owns malloc, the
 * linker hands over the calls of our own objects only (unit/faults.cmake).
 */
#ifndef TESTS_FAULT_ALLOC_H
#define TESTS_FAULT_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From here on allocations are counted, in all threads. nth from 1; 0: none fails. */
void fault_alloc_arm(uint64_t nth, bool all_later);
/* Ends that; returns how many there were, and in *failed how many of them failed. */
uint64_t fault_alloc_disarm(uint64_t *failed);

/* From now on (until it is off) the ways of calls that lead to allocations are noted while it
 * is armed. */
void fault_alloc_trace(bool on);
/* Of each way the first allocation and the last one, ascending; *out is the caller's to free.
 */
size_t fault_alloc_paths(uint64_t **out);

/* Blocks that are allocated now, by anyone in the process; always 0 under a sanitizer, which
 * looks for leaks itself. */
int64_t fault_alloc_live(void);

/* Are the libraries' allocations counted, too? */
bool fault_alloc_sees_libraries(void);

/* Where the first allocation of the last run failed: addresses for addr2line, on stderr. */
void fault_alloc_print_place(void);

#endif
