/* Where a command's result goes that the user named: a file that appears under its name only
 * when it is complete (os/new_file.h), or standard output. */
#ifndef CLI_SESSION_OUT_FILE_H
#define CLI_SESSION_OUT_FILE_H

#include "os/new_file.h"

enum { OUT_FILE_INPUTS = 2 };

typedef struct out_file {
    const char *path; /* borrowed */
    bool is_stdout;   /* it is "-", or /dev/stdout */
    new_file file;
    file_id inputs[OUT_FILE_INPUTS]; /* what the command reads: never replaced */
    size_t input_count;
    ptl_error err; /* the first that failed */
} out_file;

/* inputs are paths of files that the command reads, at most OUT_FILE_INPUTS. Leave f where it
 * is, and close it in any case. */
bool out_file_open(out_file *f, const char *path, const char *const *inputs, size_t count);
/* Serves as ptl_sink; false also once a signal asks to stop. */
bool out_file_write(void *payload, const void *data, size_t size);
/* keep: it is put under its name, unless something failed before. */
bool out_file_close(out_file *f, bool keep);
/* Prints what failed, for the command of that name; returns EXIT_FAILED. */
int out_file_failed(const out_file *f, const char *name);

#endif
