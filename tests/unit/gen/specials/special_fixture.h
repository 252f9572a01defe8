/*
 * What the tests of specials share: a folder for made-up content, an import of it over the
 * pack in tests/content/documents, and questions to the tables. Everything is static: the two
 * test programs that use it have one source file each.
 */
#ifndef SPECIAL_FIXTURE_H
#define SPECIAL_FIXTURE_H

#include "core/bytes.h"
#include "portolan/portolan.h"
#include "store/sqlite/connection/stmt.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct special_fixture {
    char folder[64]; /* of the database and of the content, removed at the end */
    char base[1024]; /* tests/content/documents */
    char database[96], content[96];
    const char *later; /* a third pack; NULL: none */
    ptl_store *store;  /* open after an import that succeeded */
    ptl_import_report report;
    ptl_error error;
    ptl_status status;
    bytes remarks; /* "error: line:column: id: message\n", of the made-up content alone */
} special_fixture;

static inline void fixture_open(special_fixture *f)
{
    const char *source = getenv("PORTOLAN_SOURCE_DIR");
    memset(f, 0, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "/tmp/portolan-special-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(f->folder));
    snprintf(f->base, sizeof f->base, "%s/tests/content/documents", source ? source : ".");
    snprintf(f->database, sizeof f->database, "%s/test.db", f->folder);
    snprintf(f->content, sizeof f->content, "%s/content.json", f->folder);
    bytes_init(&f->remarks);
}

static inline void fixture_close_store(special_fixture *f)
{
    ptl_store_close(f->store);
    f->store = NULL;
    unlink(f->database);
}

static inline void fixture_close(special_fixture *f)
{
    char path[128];
    static const char *const extra[] = {"-wal", "-shm", "-journal"};
    fixture_close_store(f);
    for (size_t i = 0; i < sizeof extra / sizeof extra[0]; i++) {
        snprintf(path, sizeof path, "%s%s", f->database, extra[i]);
        unlink(path);
    }
    unlink(f->content);
    rmdir(f->folder);
    bytes_dispose(&f->remarks);
}

static inline void fixture_remark(void *payload, const ptl_diagnostic *d)
{
    special_fixture *f = payload;
    const char *name = strrchr(d->file, '/');
    const char *kind = d->severity == PTL_ERROR  ? "error"
                       : d->severity == PTL_NOTE ? "note"
                                                 : "warning";
    if (name && strcmp(name, "/content.json") == 0)
        bytes_printf(&f->remarks, "%s: %d:%d: %s: %s\n", kind, d->line, d->column, d->id,
                     d->message);
    else
        bytes_printf(&f->remarks, "%s: %s:%d:%d: %s: %s\n", kind, d->file, d->line, d->column,
                     d->id, d->message);
}

/* Writes the content as it is. */
static inline void fixture_write(special_fixture *f, const char *text, size_t size)
{
    FILE *file = fopen(f->content, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

/* Imports base and content into a fresh database, or over the one that is open. */
static inline void fixture_import_file(special_fixture *f, bool lenient)
{
    const char *directories[] = {f->base, f->content, f->later};
    ptl_import_options options = {.size = sizeof options,
                                  .directories = directories,
                                  .directory_count = f->later ? 3 : 2,
                                  .lenient = lenient,
                                  .on_diagnostic = fixture_remark,
                                  .payload = f};
    ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    bytes_clear(&f->remarks);
    if (!f->store)
        ck_assert_msg(ptl_store_open(&f->store, f->database, &open, &f->error) == PTL_OK, "%s",
                      f->error.message);
    f->report = (ptl_import_report)PTL_IMPORT_REPORT_INIT;
    f->status = ptl_import(&f->report, f->store, &options, &f->error);
}

/* Content with ' for ", which would have to be escaped here. */
static inline void fixture_import(special_fixture *f, const char *content, bool lenient)
{
    size_t size = strlen(content);
    char *text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i <= size; i++)
        text[i] = content[i] == '\'' ? '"' : content[i];
    fixture_write(f, text, size);
    free(text);
    fixture_import_file(f, lenient);
}

static inline const char *fixture_remarks(special_fixture *f)
{
    const char *text = bytes_text(&f->remarks);
    return text ? text : "";
}

static inline void fixture_expect_ok(special_fixture *f, const char *remarks)
{
    ck_assert_msg(f->status == PTL_OK, "%s\n%s", f->error.message, fixture_remarks(f));
    ck_assert_str_eq(fixture_remarks(f), remarks);
}

/* The rows of a query: columns joined by '|', rows by ';'; NULL is "-". */
static inline void fixture_expect_rows(special_fixture *f, const char *sql, int columns,
                                       const char *expected)
{
    stmt *s = NULL;
    bytes out;
    bool row = false;
    bytes_init(&out);
    ck_assert_msg(stmt_prepare(&s, f->store, sql, &f->error) == PTL_OK, "%s", f->error.message);
    while (stmt_step(s, &row, &f->error) == PTL_OK && row) {
        if (out.size > 0)
            bytes_put_text(&out, ";");
        for (int i = 0; i < columns; i++)
            bytes_printf(&out, "%s%s", i ? "|" : "",
                         stmt_is_null(s, i) ? "-" : stmt_text(s, i));
    }
    stmt_free(s);
    const char *text = bytes_text(&out);
    ck_assert_str_eq(text ? text : "", expected);
    bytes_dispose(&out);
}

/* A special with room for what a test adds: joins and pieces that fit it. */
#define MUTABLE(extra, phases)                                                                 \
    "[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"             \
    "'locations':['land'],'joins':['j','k'],'root':'r',\n"                                     \
    "'overmaps':{'r':{'overmap':'field','north':'j'},'p':{'overmap':'forest','south':'j',"     \
    "'east':{'id':'k','type':'available'}}},\n" extra "'phases':[" phases "]}]"

#endif
