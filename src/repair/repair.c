/*
 * ptl_repair: its order. What others rest on comes first: SQLite's structure, dictionaries,
 * worlds and runs, edges, then chunks, which are made again from all of these.
 */
#include "core/error.h"
#include "core/sized.h"
#include "os/clock.h"
#include "repair/repair_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Damaged dictionaries make every chunk look damaged: nothing must be concluded from them. */
static ptl_status check_dictionaries(world_repair *w, bool *sound, ptl_error *err)
{
    ptl_status status = repair_dictionaries_read(&w->r, err);
    *sound = status == PTL_OK;
    if (status != PTL_ERR_CORRUPT)
        return status;
    status = repair_note(&w->r, PTL_REPAIR_UNREPAIRED, "dictionary",
                         "%s; without it no chunk can be checked: bring back a backup",
                         err->message);
    error_clear(err);
    return status;
}

/* What is damaged still, by name. */
static ptl_status name_edges(world_repair *w, ptl_error *err)
{
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_status status = repair_edges_damaged(&w->r, &ids, &count, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        repair_rows rows = {0};
        char where[REPAIR_WHERE_SIZE];
        status = repair_edge_read(&rows, &w->r, ids[i], err);
        if (status == PTL_OK && rows.count > 0) {
            repair_edge_where(where, &w->r, rows.list);
            status = repair_note(&w->r, PTL_REPAIR_UNREPAIRED, where,
                                 "damaged, and nothing says what it was");
        }
        repair_rows_dispose(&rows);
    }
    free(ids);
    return status;
}

static ptl_status repair_parts(world_repair *w, ptl_error *err)
{
    bool sound = false;
    TRY(repair_tables(&w->r, err));
    TRY(repair_content(&w->r, err));
    TRY(repair_edge_bits(&w->r, err));
    TRY(repair_indexes(&w->r, err));
    TRY(repair_names(w, err));
    TRY(check_dictionaries(w, &sound, err));
    if (!sound)
        return PTL_OK;
    TRY(repair_put_back(&w->r, REPAIR_OTHER_CONTENT, err));
    TRY(repair_planned_edges(w, err));
    TRY(repair_missing_edges(w, false, err));
    TRY(repair_chunks(w, err));
    TRY(repair_odd_rows(&w->r, err));
    TRY(repair_orphans(w, err));
    TRY(repair_missing_edges(w, true, err));
    TRY(repair_stray_crossings(&w->r, err));
    TRY(repair_overviews(&w->r, err));
    TRY(repair_lone_rows(&w->r, err));
    TRY(repair_spills(w, err));
    TRY(repair_runs(&w->r, err));
    TRY(repair_index(&w->r, err));
    TRY(name_edges(w, err));
    TRY(repair_name_rest(&w->r, err));
    TRY(repair_indexes(&w->r, err));
    return repair_name_found(&w->r, err);
}

static ptl_status repair_all(world_repair *w, ptl_error *err)
{
    ptl_status status = store_begin(w->r.store, err);
    if (status != PTL_OK)
        return status;
    w->r.batch_started = clock_seconds();
    status = repair_file(&w->r, err);
    if (status == PTL_OK)
        status = repair_parts(w, err);
    repair_world_close(w);
    if (status == PTL_OK)
        status = repair_breathe(&w->r, true, err);
    store_rollback(w->r.store); /* the last, empty batch; of a dry run, all of it */
    return status;
}

static ptl_status repair_store(ptl_store *store, const ptl_repair_options *options,
                               ptl_repair_report *report, ptl_error *e)
{
    world_repair w = {.r = {.store = store,
                            .options = options,
                            .clock = clock_seconds,
                            .started = clock_seconds()}};
    clock_now(w.r.found);
    ptl_status status = repair_guards(&w.r, false, e);
    if (status == PTL_OK)
        status = repair_all(&w, e);
    if (status == PTL_ERR_NOMEM && e->status == PTL_OK)
        error_nomem(e); /* it was missing for what is to be told */
    ptl_status after = repair_guards(&w.r, true, status == PTL_OK ? e : NULL);
    w.r.report.seconds = clock_seconds() - w.r.started;
    bytes_dispose(&w.r.items);
    bytes_dispose(&w.r.scratch);
    *report = w.r.report;
    return status == PTL_OK ? after : status;
}

ptl_status ptl_repair(ptl_store *store, const ptl_repair_options *options,
                      ptl_repair_report *report, ptl_error *err)
{
    ptl_repair_options o = PTL_REPAIR_OPTIONS_INIT;
    ptl_repair_report r = PTL_REPAIR_REPORT_INIT;
    ptl_error local;
    ptl_error *e = err ? err : &local;
    error_clear(e);
    ptl_status status = SIZED_TAKE(ptl_repair_options, &o, options, e);
    if (status == PTL_OK)
        status = SIZED_CHECK(ptl_repair_report, report, e);
    if (status == PTL_OK)
        status = store_file_expect(store, e);
    if (status == PTL_OK) {
        status = repair_store(store, &o, &r, e);
        SIZED_FILL(ptl_repair_report, report, &r);
    }
    return status;
}
