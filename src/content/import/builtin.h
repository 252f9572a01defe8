/*
 * Portolan's own content pack: the files of data/, embedded at build time by embed.cmake and
 * sorted by path.
 */
#pragma once

#include <stddef.h>

struct builtin_file {
    const char *path; /* path of the file below the folder data */
    const unsigned char *data;
    size_t size;
};

extern const struct builtin_file builtin_files[];
extern const size_t builtin_file_count;
