/*
 * What the fuzz targets share. A target is one function, LLVMFuzzerTestOneInput, which may be
 * called any number of times in a process: by libFuzzer, by AFL++, or by replay.c, which runs
 * the stored corpora in the ordinary tests. A broken promise ends the process (fuzz_check);
 * damage to memory is the sanitizers' to find.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NOLINTNEXTLINE(readability-identifier-naming): the engines' name */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints what was promised and aborts. */
_Noreturn void fuzz_broken(const char *promise, const char *detail);

/* detail may be NULL. */
static inline void fuzz_check(bool holds, const char *promise, const char *detail)
{
    if (!holds)
        fuzz_broken(promise, detail);
}

/* The bytes of an input, taken from the front; behind the end are zeros. */
typedef struct fuzz_input {
    const uint8_t *at, *end;
} fuzz_input;

size_t fuzz_left(const fuzz_input *in);
uint8_t fuzz_u8(fuzz_input *in);
uint16_t fuzz_u16(fuzz_input *in);
uint64_t fuzz_u64(fuzz_input *in);
/* At most size bytes, *size becomes how many there were. Borrowed from the input. */
const uint8_t *fuzz_take(fuzz_input *in, size_t *size);

/* A folder of this process's own, in memory where that is possible; removed at exit. */
const char *fuzz_folder(void);

enum { FUZZ_PATH_SIZE = 320 };
/* "FOLDER/name". */
void fuzz_path(char out[FUZZ_PATH_SIZE], const char *name);
/* Makes or replaces a file. */
void fuzz_write_file(const char *path, const void *data, size_t size);
/* All of a file: new, or NULL if there is none. A NUL follows. */
uint8_t *fuzz_read_file(const char *path, size_t *size);

#endif
