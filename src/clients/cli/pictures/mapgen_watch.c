/* mapgen --watch: draws the sheet again whenever a file of the content was saved. Only files
 * that were saved are read again. */
#include "clients/cli/pictures/mapgen.h"
#include "clients/watch/files.h"
#include "core/error.h"
#include "os/clock.h"

enum { TICK_MS = 10 };
/* Folders are scanned at least every LOOK_SECONDS, for changes that the system does not report.
 * Work begins QUIET_SECONDS after the last change, as editors save in several steps, and at the
 * latest MOST_SECONDS after the first. */
static const double LOOK_SECONDS = 2, QUIET_SECONDS = 0.05, MOST_SECONDS = 2;

typedef struct watching {
    mapgen_job *job;
    scan_roots roots; /* owned */
    notify *notes;    /* owned; NULL: the system reports no changes */
    scan drawn;       /* owned; the files as they were when the last drawing began */
    scan seen;        /* owned; as the last scan found them */
    pace pace;
    double next;  /* time of the next scan if the system reports no change */
    double end;   /* clock time at which the watch ends; below 0: it does not end by itself */
    bool was_cut; /* whether the message about too many files was shown */
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

/* Scans the files, and notes whether some were saved since the last scan. */
static int look(watching *w)
{
    scan now;
    const bool good = scan_make(&now, w->roots.paths, w->roots.count, w->notes);
    w->next = clock_seconds() + LOOK_SECONDS;
    if (good && scan_differences(&w->seen, &now, NULL, NULL) > 0)
        pace_changed(&w->pace, clock_seconds());
    scan_dispose(&w->seen);
    w->seen = now;
    if (!good)
        return args_no_memory(w->job->s->args);
    if (now.is_cut && !w->was_cut)
        tell("portolan mapgen: there are more than %d files: that others are saved is not "
             "noticed; name fewer folders\n",
             (int)SCAN_FILES_MAX);
    w->was_cut = now.is_cut;
    return EXIT_DONE;
}

/* Begins a drawing of the files as the last scan found them. */
static void begin_drawing(watching *w)
{
    scan_dispose(&w->drawn);
    w->drawn = w->seen;
    w->seen = (scan){.memory = NULL};
}

/* Ends a drawing. Files that were saved since it began are left to the next one. */
static int end_drawing(watching *w)
{
    scan now;
    pace_ended(&w->pace, true);
    const bool good = scan_make(&now, w->roots.paths, w->roots.count, w->notes);
    if (good && scan_differences(&w->drawn, &now, NULL, NULL) > 0)
        pace_changed(&w->pace, clock_seconds());
    w->seen = now;
    return good ? EXIT_DONE : args_no_memory(w->job->s->args);
}

/* Says which files were saved since the last drawing; false: they are as they were. */
static bool tell_saved(const watching *w)
{
    const char *first = NULL;
    const size_t count = scan_differences(&w->drawn, &w->seen, on_file, &first);
    if (count > 0 && !args_has(w->job->s->args, "quiet"))
        tell("portolan mapgen: saved: %s%s\n", first, count > 1 ? " and others" : "");
    return count > 0;
}

/* Waits until files were saved, and all is quiet. *saved is false if the watch ends. */
static int wait_for_save(watching *w, bool *saved)
{
    int code = EXIT_DONE;
    *saved = false;
    while (code == EXIT_DONE && !*saved && !is_over(w)) {
        clock_sleep(TICK_MS);
        if ((w->notes && notify_changed(w->notes)) || clock_seconds() >= w->next)
            code = look(w);
        if (code != EXIT_DONE || pace_ask(&w->pace, clock_seconds()) != PACE_BEGIN)
            continue;
        *saved = tell_saved(w);
        if (!*saved)
            pace_ended(&w->pace, true);
    }
    return code;
}

/* Draws, and draws again after each save. Returns the exit code of the last drawing. */
static int draw_again(watching *w, int (*draw)(mapgen_job *job))
{
    int code;
    bool saved = true;
    do {
        begin_drawing(w);
        const double begun = clock_seconds();
        /* What is wrong now may be mended by the next save. */
        code = draw(w->job);
        if (code == EXIT_DONE && !args_has(w->job->s->args, "quiet"))
            tell(
                "portolan mapgen: drawn in %.2f s; waiting for the next save, Ctrl-C ends it\n",
                clock_seconds() - begun);
        if (code == EXIT_USAGE || !out_flush())
            return code;
        int watched = end_drawing(w);
        if (watched == EXIT_DONE)
            watched = wait_for_save(w, &saved);
        if (watched != EXIT_DONE)
            return watched;
    } while (saved);
    return code;
}

int mapgen_watch(mapgen_job *job, int (*draw)(mapgen_job *job))
{
    watching w = {.job = job,
                  .end = -1,
                  .notes = notify_new(),
                  .pace = {.quiet = QUIET_SECONDS, .most = MOST_SECONDS}};
    double seconds = -1;
    int code = args_double(job->s->args, "seconds", 0, 1e9, &seconds);
    if (code == EXIT_DONE)
        code = take_roots(&w);
    if (code == EXIT_DONE && ptl_sources_new(&job->content.sources, NULL) != PTL_OK)
        code = args_no_memory(job->s->args);
    w.end = seconds >= 0 ? clock_seconds() + seconds : -1;
    if (code == EXIT_DONE)
        code = look(&w);
    w.pace.is_pending = false; /* the first drawing need not wait */
    if (code == EXIT_DONE)
        code = draw_again(&w, draw);
    ptl_sources_free(job->content.sources);
    job->content.sources = NULL;
    scan_dispose(&w.drawn);
    scan_dispose(&w.seen);
    notify_free(w.notes);
    scan_roots_dispose(&w.roots);
    return code;
}
