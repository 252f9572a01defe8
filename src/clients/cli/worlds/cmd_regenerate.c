/* portolan regenerate: makes saved chunks again, with the present content and generator. */
#include "clients/cli/session/session.h"

enum { SHOWN_MAX = 20 };

static const option_spec options[] = {
    OPTION_WORLD,
    {"stale", NULL, "the chunks made with other content or an older generator", 0},
    OPTIONS_CHUNKS,
    OPTION_JOBS,
    OPTION_WAIT,
    OPTION_QUIET,
    OPTIONS_END,
};

typedef struct listener {
    progress shown; /* must be first: progress_show gets a pointer to the struct */
    uint64_t kept, maps, edits;
} listener;

/* Prints which chunks stay as they are, and why. It prints only the first SHOWN_MAX of them and
 * counts the rest. */
static void on_kept(void *payload, ptl_chunk_pos pos, const char *reason)
{
    listener *l = payload;
    if (l->kept++ < SHOWN_MAX && !l->shown.quiet) {
        progress_end(&l->shown);
        tell("portolan regenerate: chunk %d,%d stays as it is: %s\n", pos.x, pos.y, reason);
    }
}

static void on_local(void *payload, ptl_omt at, const char *was, const char *now)
{
    listener *l = payload;
    if (l->maps++ < SHOWN_MAX && !l->shown.quiet) {
        progress_end(&l->shown);
        tell("portolan regenerate: the edited local map at %jd,%jd,%d stays as it is: it was "
             "made for %s, and %s is there now\n",
             at.x, at.y, (int)at.z, was, now);
    }
}

static void on_edit(void *payload, int64_t number, ptl_omt at, const char *was, const char *now)
{
    listener *l = payload;
    if (l->edits++ < SHOWN_MAX && !l->shown.quiet) {
        progress_end(&l->shown);
        tell("portolan regenerate: edit %jd stays in force at %jd,%jd,%d: it has replaced %s, "
             "and %s is below it now\n",
             number, at.x, at.y, (int)at.z, was, now);
    }
}

/* Says how many more there were than the first SHOWN_MAX, which were printed. */
static void tell_more(const listener *l, uint64_t count, const char *what)
{
    if (count > SHOWN_MAX && !l->shown.quiet)
        tell("portolan regenerate: and %ju more%s\n", count - SHOWN_MAX, what);
}

static void print_summary(const ptl_regenerate_report *r, const char *world)
{
    out_say("%ju chunks made anew and saved in %.2f s", r->done, r->seconds);
    if (r->done > 0 && r->seconds > 0)
        out_say(" (%.1f/s)", (double)r->done / r->seconds);
    out_say("; %ju of them differ from before\n", r->changed);
    if (r->kept > 0)
        out_say("%ju chunks stay as they are\n", r->kept);
    if (r->dropped_maps > 0)
        out_say(
            "%ju local maps that no game has edited are dropped: the next visit makes them\n",
            r->dropped_maps);
    if (r->events > 0)
        out_say("events, as every world has (a special found no room, a road no way): %ju; "
                "view v_event lists them\n",
                r->events);
    if (r->moved)
        out_say("no chunk is stale: world '%s' goes on with the present content\n", world);
    else if (r->stale > 0)
        out_say("%ju chunks of world '%s' are stale still\n", r->stale, world);
}

static int run(session *s)
{
    const args *a = s->args;
    static const ptl_chunk_pos none;
    listener heard = {.kept = 0};
    ptl_regenerate_report r = PTL_REGENERATE_REPORT_INIT;
    ptl_regenerate_options o = {.size = sizeof o,
                                .stale = args_has(a, "stale"),
                                .jobs = 1,
                                .on_progress = progress_show,
                                .on_kept = on_kept,
                                .on_local = on_local,
                                .on_edit = on_edit,
                                .payload = &heard};
    NEED(args_int32(a, "jobs", 1, 64, &o.jobs));
    NEED(chunks_from_args(&s->chunks, a));
    const bool listed = s->chunks.count > 0 || args_has(a, "list");
    if (!listed && !o.stale)
        return usage_error(a, "say which chunks: --stale, --rect, --chunk, --radius or --list");
    if (listed)
        o.positions = s->chunks.count > 0 ? s->chunks.positions : &none;
    o.position_count = s->chunks.count;
    NEED(session_open_world(s, PTL_OPEN_WRITE, NULL));
    progress_init(&heard.shown, s->shown.quiet);
    const ptl_status status = ptl_regenerate(&r, s->world, &o, &s->err);
    progress_end(&heard.shown);
    tell_more(&heard, heard.kept, "");
    tell_more(&heard, heard.maps, " local maps");
    tell_more(&heard, heard.edits, " OMTs of edits");
    if (status == PTL_ERR_CANCELLED && stop_wanted() && r.total > 0)
        return stop_tell_how("%ju of %ju chunks are made anew. %s", r.done, r.total,
                             o.stale ? "The same command again goes on from there."
                                     : "With --stale it goes on where it stopped.");
    NEED(session_done(s, status));
    if (!s->shown.quiet)
        print_summary(&r, ptl_world_name(s->world));
    return EXIT_DONE;
}

const command regenerate_command = {
    .name = "regenerate",
    .group = GROUP_MAKE,
    .operands = "FILE",
    .summary = "Make saved chunks anew with the present content.",
    .details =
        "Chunks are stale if they were made with other content than the file holds now, or by "
        "an older generator; 'portolan status FILE --stale' lists them. They are made anew "
        "within their edges, which never change, so that they fit their neighbours. Once none "
        "is left, generate goes on with the present content. --stale with --rect, --chunk, "
        "--radius or --list means those of the given chunks that are stale. Imported chunks "
        "stay as they are.\n",
    .examples = "  portolan regenerate w.db --stale      # what was made with other content\n"
                "  portolan regenerate w.db --chunk 0,0\n",
    .options = options,
    .run = run,
    .stopped = "what was committed stays: with --stale it goes on from there",
};
