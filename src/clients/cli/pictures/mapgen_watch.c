/* mapgen --watch: draws the sheet again whenever a file of the content was saved. */
#include "clients/cli/pictures/mapgen.h"
#include "clients/watch/files.h"
#include "core/error.h"
#include "os/clock.h"

enum { TICK_MS = 20 };
/* Folders are scanned at least every LOOK_SECONDS, for changes that the system does not report.
 * Work begins QUIET_SECONDS after the last change, as editors save in several steps. */
static const double LOOK_SECONDS = 2, QUIET_SECONDS = 0.1;

typedef struct watching {
    mapgen_job *job;
    scan_roots roots; /* owned */
    notify *notes;    /* owned; NULL: the system reports no changes */
    scan seen;        /* owned */
    double end; /* clock time at which the watch ends; below 0: it does not end by itself */
} watching;

static int take_roots(watching *w)
{
    const args *a = w->job->s->args;
    const char *const *folders = (const char *const *)a->operands;
    if (!scan_roots_take(&w->roots, folders, a->operand_count, args_value(a, "game")))
        return args_no_memory(a);
    return w->roots.count > 0 ? EXIT_DONE
                              : usage_error(a, "--watch needs folders of content, or --game");
}

static bool is_over(const watching *w)
{
    return stop_wanted() || (w->end >= 0 && clock_seconds() >= w->end);
}

static void on_file(void *payload, const char *path)
{
    const char **first = payload;
    *first = *first ? *first : path;
}

/* Waits until files were saved and no file has changed for a moment. Returns false if the watch
 * ends. */
static bool wait_for_save(watching *w)
{
    double next = clock_seconds() + LOOK_SECONDS, changed = -1;
    scan now = {.memory = NULL};
    const char *first = NULL;
    size_t count = 0;
    while (!is_over(w) && (changed < 0 || clock_seconds() < changed + QUIET_SECONDS)) {
        clock_sleep(TICK_MS);
        if (!(w->notes && notify_changed(w->notes)) && clock_seconds() < next)
            continue;
        scan_dispose(&now);
        first = NULL;
        count = scan_make(&now, w->roots.paths, w->roots.count, w->notes)
                    ? scan_differences(&w->seen, &now, on_file, &first)
                    : 0;
        next = clock_seconds() + LOOK_SECONDS;
        changed = count > 0 ? clock_seconds() : -1;
    }
    const bool saved = changed >= 0 && !is_over(w);
    if (saved && !args_has(w->job->s->args, "quiet"))
        tell("portolan mapgen: saved: %s%s\n", first, count > 1 ? " and others" : "");
    if (saved) {
        scan_dispose(&w->seen);
        w->seen = now;
    } else {
        scan_dispose(&now);
    }
    return saved;
}

int mapgen_watch(mapgen_job *job, int (*draw)(mapgen_job *job))
{
    watching w = {.job = job, .end = -1, .notes = notify_new()};
    double seconds = -1;
    int code = args_double(job->s->args, "seconds", 0, 1e9, &seconds);
    if (code == EXIT_DONE)
        code = take_roots(&w);
    w.end = seconds >= 0 ? clock_seconds() + seconds : -1;
    if (code == EXIT_DONE && !scan_make(&w.seen, w.roots.paths, w.roots.count, w.notes))
        code = args_no_memory(job->s->args);
    while (code != EXIT_USAGE && w.seen.memory) {
        const double begun = clock_seconds();
        /* If the drawing fails because of a mistake in the content, the watch goes on, because
         * the author may correct it. */
        code = draw(job);
        if (code == EXIT_DONE && !args_has(job->s->args, "quiet"))
            tell(
                "portolan mapgen: drawn in %.2f s; waiting for the next save, Ctrl-C ends it\n",
                clock_seconds() - begun);
        if (code == EXIT_USAGE || !out_flush() || !wait_for_save(&w))
            break;
    }
    scan_dispose(&w.seen);
    notify_free(w.notes);
    scan_roots_dispose(&w.roots);
    return code;
}
