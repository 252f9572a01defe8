/*
 * Makes the library's own calls for files fail in a test: those by which content and saves are
 * read and written, and the lock of the writer (SQLite's files: fault_io.h). The linker hands
 * over the calls of our objects (--wrap), with and without sanitizers.
 */
#ifndef TESTS_FAULT_FILES_H
#define TESTS_FAULT_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* nth from 1; 0: none fails. code: the errno that a failing call sets. */
void fault_files_arm(uint64_t nth, bool all_later, int code);
uint64_t fault_files_disarm(uint64_t *failed);
/* The call that failed last, e.g. "unlinkat"; "" since it was armed, if none did. */
const char *fault_files_failed(void);

#endif
