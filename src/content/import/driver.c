/*
 * ptl_import: reads, loads, checks, and then either reports what is wrong or replaces the
 * file's content in one transaction.
 */
#include "content/import/source.h"
#include "core/error.h"
#include "os/clock.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/content/content_past.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

/* ---- stopping ---- */

static bool asks(void *payload)
{
    const import *im = payload;
    const ptl_import_options *o = im->options;
    return (o->should_stop && o->should_stop(o->payload)) ||
           (im->store && store_stopped(im->store));
}

stop_hook import_asks(import *im)
{
    return (stop_hook){asks, im};
}

bool import_stopped(import *im)
{
    enum { ROUNDS = 64 };
    const stop_hook hook = import_asks(im);
    ptl_status *status = &im->source->status;
    if (*status == PTL_OK && im->questions++ % ROUNDS == 0 && stop_asked(&hook))
        *status = PTL_ERR_CANCELLED;
    return *status == PTL_ERR_CANCELLED;
}

/* ---- writing ---- */

/* *id of the content with this digest, 0 if the file never had it; *current if it has it now.
 */
static ptl_status find_content(ptl_store *store, const char *hex, int64_t *id, bool *current,
                               ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *id = 0;
    *current = false;
    ptl_status status =
        stmt_prepare(&s, store, "SELECT id, is_current FROM content WHERE digest = ?1", err);
    if (status != PTL_OK)
        return status;
    stmt_bind_text(s, 1, hex);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && row) {
        *id = stmt_int(s, 0);
        *current = stmt_int(s, 1) != 0;
    }
    stmt_free(s);
    return status;
}

/* Makes the content's row, or takes the former one again: chunks may refer to it. */
static ptl_status write_content_row(import *im, ptl_store *store, int64_t *id)
{
    static const char insert[] =
        "INSERT INTO content (id, digest, is_current, imported_at, portolan_version, lenient,"
        " file_count, object_count, byte_count)"
        " VALUES (?1, ?2, 1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?3, ?4, ?5, ?6, ?7)"
        " ON CONFLICT (id) DO UPDATE SET is_current = 1, imported_at = excluded.imported_at,"
        " portolan_version = excluded.portolan_version, lenient = excluded.lenient,"
        " file_count = excluded.file_count, object_count = excluded.object_count,"
        " byte_count = excluded.byte_count";
    const ptl_import_report *report = im->report;
    ptl_status status =
        store_exec(store, "UPDATE content SET is_current = 0 WHERE is_current = 1", im->err);
    stmt *s = NULL;
    if (status == PTL_OK)
        status = stmt_prepare(&s, store, insert, im->err);
    if (status != PTL_OK)
        return status;
    if (*id != 0)
        stmt_bind_int(s, 1, *id);
    else
        stmt_bind_null(s, 1);
    stmt_bind_text(s, 2, report->digest);
    stmt_bind_text(s, 3, ptl_version());
    stmt_bind_int(s, 4, im->options->lenient);
    stmt_bind_int(s, 5, (int64_t)report->files);
    stmt_bind_int(s, 6, (int64_t)report->objects);
    stmt_bind_int(s, 7, (int64_t)report->bytes);
    status = stmt_run(s, im->err);
    if (status == PTL_OK && *id == 0)
        *id = store_last_rowid(store);
    stmt_free(s);
    return status;
}

static void note_damage(void *payload, const char *table, const char *message)
{
    (void)table;
    (void)message;
    *(bool *)payload = true;
}

/* Content that the file has already (*same) is left alone, unless its tables are damaged. */
static ptl_status find_unchanged(import *im, ptl_store *store, int64_t *id, bool *same)
{
    bool damaged = false;
    ptl_status status = find_content(store, im->report->digest, id, same, im->err);
    if (status == PTL_OK && *same)
        status = content_checksum_check(store, note_damage, &damaged, im->err);
    im->report->unchanged = *same && !damaged;
    return status;
}

static ptl_status count_stale(import *im, ptl_store *store, int64_t id)
{
    int64_t count = 0;
    ptl_status status =
        stmt_ask(&count, store,
                 "SELECT count(*) FROM chunk WHERE origin = 'generated' AND content_id <> ?1",
                 &id, 1, im->err);
    im->report->stale_chunks = (uint64_t)count;
    return status;
}

/* Inside the transaction. */
static ptl_status replace_content(import *im, ptl_store *store)
{
    int64_t id = 0;
    bool same = false;
    ptl_status status = find_unchanged(im, store, &id, &same);
    if (status == PTL_OK && im->report->unchanged)
        return count_stale(im, store, id);
    if (status != PTL_OK)
        return status;
    if (!same) /* what worlds were made with stays readable */
        status = content_past_keep(store, im->err);
    if (status == PTL_OK)
        status = write_content_row(im, store, &id);
    if (status == PTL_OK)
        status = kept_write(im, store, id);
    for (size_t i = 0; content_modules[i] && status == PTL_OK; i++)
        status = content_modules[i]->write(im, store, id);
    if (status == PTL_OK)
        status = content_checksum_write(store, im->err);
    if (status == PTL_OK)
        status = content_past_prune(store, im->err);
    if (status == PTL_OK)
        status = count_stale(im, store, id);
    return status;
}

static ptl_status write_all(import *im, ptl_store *store)
{
    ptl_status status = store_begin(store, im->err);
    if (status != PTL_OK)
        return status;
    status = replace_content(im, store);
    if (status == PTL_OK && !im->report->unchanged)
        status = store_commit(store, im->err);
    if (status != PTL_OK || im->report->unchanged)
        store_rollback(store);
    return status;
}

/* ---- the passes ---- */

static ptl_status content_status(import *im)
{
    if (im->report->errors == 0)
        return PTL_OK;
    const import_source *source = im->source;
    const unsigned long long errors = im->report->errors;
    const char *plural = errors == 1 ? "" : "s";
    for (size_t i = 0; i < source->diagnostic_count; i++) {
        const diagnostic *d = &source->diagnostics[i];
        if (d->severity == PTL_ERROR)
            return error_set(im->err, PTL_ERR_CONTENT,
                             "%llu error%s in the content; the first: %s:%d:%d: %s%s%s", errors,
                             plural, d->path, d->line, d->column, d->id, d->id[0] ? ": " : "",
                             d->message);
    }
    return error_set(im->err, PTL_ERR_CONTENT, "%llu error%s in the content", errors, plural);
}

static ptl_status run_modules(import *im)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; content_modules[i] && status == PTL_OK && !import_stopped(im); i++)
        status = content_modules[i]->load(im);
    for (size_t i = 0; content_modules[i] && status == PTL_OK && !import_stopped(im); i++)
        status = content_modules[i]->check(im);
    return status == PTL_OK ? source_status(im) : status;
}

static ptl_status run(import *im, ptl_store *store)
{
    im->arena = arena_new();
    if (!im->arena)
        return error_nomem(im->err);
    ptl_status status = source_init(im);
    if (status == PTL_OK)
        status = source_load(im);
    if (status == PTL_OK)
        status = run_modules(im);
    if (im->source && im->source->status != PTL_ERR_CANCELLED) {
        /* Also after a failure: what was found so far may explain it. */
        diagnostics_finish(im);
        diagnostics_emit(im);
    }
    if (status == PTL_OK)
        status = source_status(im);
    if (status == PTL_OK)
        status = content_status(im);
    if (status == PTL_OK && !im->options->check)
        status = write_all(im, store);
    source_dispose(im);
    arena_free(im->arena);
    return status;
}

ptl_status ptl_import(ptl_store *store, const ptl_import_options *options,
                      ptl_import_report *report, ptl_error *err)
{
    ptl_import_report own_report;
    ptl_error own_error;
    struct import im = {.options = options,
                        .store = options && options->check ? NULL : store,
                        .report = report ? report : &own_report,
                        .err = err ? err : &own_error};
    error_clear(im.err);
    if (!options || (!store && !options->check))
        return error_set(im.err, PTL_ERR_ARGUMENT, "no %s given",
                         options ? "store" : "options");
    if (options->directory_count == 0 && !options->builtin)
        return error_set(im.err, PTL_ERR_ARGUMENT, "no content directory given");
    memset(im.report, 0, sizeof *im.report);
    double start = clock_seconds();
    im.has_world = store && file_id_of_path(&im.world, ptl_store_path(store));
    ptl_status status = run(&im, store);
    im.report->seconds = clock_seconds() - start;
    return status;
}
