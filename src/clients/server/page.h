/* The files of the page that the server shows, embedded at build time
 * (clients/cli/embed_text.cmake). */
#pragma once

typedef struct page_file {
    const char *name; /* e.g. "index.html" */
    const char *text;
} page_file;

/* All files of the page. The array ends with an element whose name is NULL. */
extern const page_file page_files[];
