/* What the import tests share: a scratch folder, and an import whose diagnostics are text. */
#ifndef CONTENT_FIXTURE_H
#define CONTENT_FIXTURE_H

#include "core/bytes.h"
#include "portolan/import.h"

#include <check.h>

/* A new empty folder below /tmp; remove_scratch removes it with all that is in it. */
void make_scratch(char out[64]);
void remove_scratch(const char *folder);
/* Writes folder/name; folders in name are made. */
void put_file(const char *folder, const char *name, const char *text);
void put_bytes(const char *folder, const char *name, const void *data, size_t size);
/* The whole file with a NUL behind it, to be freed; NULL if it can't be read. */
char *get_file(const char *path);

/* One import: set options, call run_import, look at the rest. */
typedef struct import_run {
    ptl_import_options options;
    ptl_import_report report;
    ptl_error err;
    ptl_status status;
    bool codes;  /* the lines have the codes of all diagnostics, not of those on mapgen alone */
    bytes lines; /* "severity: file:line:column: id: [code: ]message\n" for each diagnostic */
} import_run;

void run_import(import_run *run, ptl_store *store);
/* Imports (or with store NULL checks) one directory; dispose run->lines. */
void import_one(import_run *run, ptl_store *store, const char *directory);
void import_list(import_run *run, ptl_store *store, size_t count,
                 const char *const *directories);
void import_run_dispose(import_run *run);

/* $PORTOLAN_SOURCE_DIR/below, to be freed. */
char *source_path(const char *below);

Suite *cases_suite(void);
Suite *files_suite(void);
Suite *store_suite(void);
Suite *real_suite(void);
Suite *sources_suite(void);

#endif
