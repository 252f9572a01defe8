#include "clients/watch/watch_impl.h"
#include "core/error.h"
#include "os/clock.h"

#include <stdlib.h>

enum { TICK_MS = 20, PATIENCE = 3 };
/*
 * LOOK_SECONDS: folders are scanned at least this often, for changes that the system does not
 * report (network drives, folders that were removed and come back). AGAIN_SECONDS: the least
 * time between a scan and the next scan that a report of the system causes.
 */
static const double LOOK_SECONDS = 2, AGAIN_SECONDS = 0.1;
static const double QUIET_SECONDS = 0.25, MOST_SECONDS = 2;

/* ---- the working thread ---- */

/* Called by the working thread: takes the order to work on a save of the content, if there is
 * one, and carries it out without holding the lock. */
static void on_tick(void *payload)
{
    watch *w = payload;
    mutex_lock(w->lock);
    order o = w->order;
    w->order = (order){.is_due = false};
    mutex_unlock(w->lock);
    const bool is_whole = !o.is_due || watch_build(w, &o);
    bytes_dispose(&o.paths);
    if (!o.is_due)
        return;
    mutex_lock(w->lock);
    w->has_ended = true;
    w->was_whole = is_whole;
    mutex_unlock(w->lock);
}

/* ---- making and freeing a watch ---- */

ptl_status watch_new(watch **out, const watch_options *options, ptl_error *err)
{
    watch *w = calloc(1, sizeof *w);
    *out = NULL;
    if (!w)
        return error_nomem(err);
    w->options = *options;
    w->is_first = true;
    w->pace = (pace){.quiet = QUIET_SECONDS, .most = MOST_SECONDS, .patience = PATIENCE};
    w->lock = mutex_new();
    const bool has_told = told_init(&w->told);
    const ptl_import_options *im = options->import;
    const bool has_roots =
        scan_roots_take(&w->roots, im->directories, im->directory_count, im->game);
    ptl_status status = w->lock && has_told && has_roots ? PTL_OK : error_nomem(err);
    w->notes = notify_new();
    if (status == PTL_OK)
        w->worker = ticker_begin(TICK_MS, on_tick, w);
    if (status == PTL_OK && !w->worker)
        status = error_set(err, PTL_ERR_NOMEM, "there is no memory for a thread");
    if (status == PTL_OK)
        *out = w;
    else
        watch_free(w);
    return status;
}

void watch_free(watch *w)
{
    if (!w)
        return;
    atomic_store(&w->is_over, true);
    ticker_end(w->worker);
    watch_drop(w, &w->shown);
    watch_drop(w, &w->base);
    bytes_dispose(&w->order.paths);
    bytes_dispose(&w->paths);
    told_dispose(&w->told);
    notify_free(w->notes);
    scan_dispose(&w->seen);
    scan_dispose(&w->begun);
    scan_dispose(&w->done);
    mutex_free(w->lock);
    scan_roots_dispose(&w->roots);
    free(w);
}

/* ---- the thread that calls watch_look ---- */

static void on_file(void *payload, const char *path)
{
    order *o = payload;
    o->changed++;
    bytes_put(&o->paths, path, strlen(path) + 1);
}

/* Orders an import of the files as the last scan found them. Then it scans the folders again.
 * Files that have changed between the two scans are left to the next order. */
static void order_work(watch *w, double now)
{
    order o = {.is_due = true, .save = ++w->saves};
    scan_dispose(&w->begun);
    w->begun = w->seen;
    w->seen = (scan){.memory = NULL};
    if (w->done.memory)
        (void)scan_differences(&w->done, &w->begun, on_file, &o);
    atomic_store(&w->is_left_off, false);
    if (!scan_make(&w->seen, w->roots.paths, w->roots.count, w->notes) ||
        scan_differences(&w->begun, &w->seen, NULL, NULL) > 0)
        pace_changed(&w->pace, now);
    mutex_lock(w->lock);
    bytes_dispose(&w->order.paths);
    w->order = o;
    mutex_unlock(w->lock);
}

void watch_look(watch *w)
{
    const double now = clock_seconds();
    scan s;
    const bool has_notice = w->notes && now >= w->sooner && notify_changed(w->notes);
    if (has_notice || w->is_first || now >= w->next) {
        w->sooner = now + AGAIN_SECONDS;
        w->next = now + LOOK_SECONDS;
        if (!scan_make(&s, w->roots.paths, w->roots.count, w->notes)) {
            scan_dispose(&s); /* the scan has failed, for example because memory is out; a later
                                 scan may succeed */
        } else {
            if (w->is_first || scan_differences(&w->seen, &s, NULL, NULL) > 0)
                pace_changed(&w->pace, now);
            w->is_first = false;
            scan_dispose(&w->seen);
            w->seen = s;
        }
    }
    /* Records the end of the work. Files are compared with their state at the beginning of the
     * last work that was finished, so that changes from a save whose work was broken off are
     * still counted. */
    mutex_lock(w->lock);
    const bool has_ended = w->has_ended, is_whole = w->was_whole;
    w->has_ended = false;
    mutex_unlock(w->lock);
    if (has_ended)
        pace_ended(&w->pace, is_whole);
    if (has_ended && is_whole) {
        scan_dispose(&w->done);
        w->done = w->begun;
        w->begun = (scan){.memory = NULL};
    }

    const pace_order what = pace_ask(&w->pace, now);
    if (what == PACE_BEGIN)
        order_work(w, now);
    else if (what == PACE_LEAVE_OFF)
        atomic_store(&w->is_left_off, true);
}

/* ---- the state as JSON ---- */

void watch_put(watch *w, bytes *out)
{
    const watch_options *o = &w->options;
    emitter j = {out, false};
    emit_put(&j, "{");
    told_put(&w->told, &j);
    emit_put(&j, "rect:[%d, %d, %d, %d], seed:%ju}", o->from.x, o->from.y, o->to.x, o->to.y,
             o->settings->seed);
}
