/* A file that appears under its name only when it is complete. */
#ifndef CLI_PICTURE_FILE_H
#define CLI_PICTURE_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct picture_file {
    const char *path; /* borrowed; "-" is standard output */
    char *temporary;  /* owned; beside path, so that renaming is atomic; NULL for devices */
    int fd;
    int error; /* errno of the first failure, 0 if none */
} picture_file;

bool picture_file_open(picture_file *f, const char *path);
/* A ptl_sink; false also once a signal asks to stop. */
bool picture_file_write(void *payload, const void *data, size_t size);
/* keep: syncs and renames; else, and where that fails, the temporary file is removed. */
bool picture_file_close(picture_file *f, bool keep);

#endif
