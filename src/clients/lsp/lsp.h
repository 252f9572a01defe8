/*
 * A language server for content (LSP 3.17, JSON-RPC over standard input and output): it
 * tells an editor what to show while somebody writes content. One thread does all. Between
 * parts of a check it asks whether the editor has sent something, and then breaks the check
 * off.
 */
#pragma once

#include "portolan/import.h"

#include <stdbool.h>

typedef struct lsp_options {
    ptl_import_options
        import;       /* what to read: `builtin`, `game`, `mods`, `save`, directories */
    const char *pack; /* remarks on other packs are not told; NULL: all are */
    int pause;        /* milliseconds without a change after which texts are checked */
    bool (*should_stop)(void *payload);
} lsp_options;

typedef enum lsp_end {
    LSP_ENDED,     /* the editor has sent `exit` */
    LSP_LEFT,      /* the input ended although the editor did not send `exit` */
    LSP_STOPPED,   /* should_stop returned true */
    LSP_BAD_INPUT, /* the input is no LSP: error->message says why */
    LSP_NO_MEMORY
} lsp_end;

/* Serves one editor. */
lsp_end lsp_run(const lsp_options *options, ptl_error *error);
