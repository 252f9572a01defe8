/* Reads areas of local maps from the command line, and has their maps made. */
#include "clients/cli/session/local_options.h"

void local_areas_dispose(local_areas *areas)
{
    free(areas->list);
    *areas = (local_areas){NULL, 0};
}

int local_areas_from_args(local_areas *out, const args *a, const chunk_list *chunks)
{
    static const int64_t limit = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    const char *text = args_value(a, "levels");
    int64_t levels[2] = {0, 0};
    if (text && !parse_ints(text, 2, PTL_Z_MIN, PTL_Z_MAX, levels)) {
        if (!parse_ints(text, 1, PTL_Z_MIN, PTL_Z_MAX, levels))
            return usage_error(a, "--levels '%s' is not Z or Z0,Z1 in %d..%d", text, PTL_Z_MIN,
                               PTL_Z_MAX);
        levels[1] = levels[0];
    }
    if (levels[0] > levels[1])
        return usage_error(a, "--levels '%s' is empty: the lower one comes first", text);
    const int32_t z[2] = {(int32_t)levels[0], (int32_t)levels[1]};

    out->list = calloc(chunks->count + a->given_count + 1, sizeof *out->list);
    if (!out->list) {
        tell("portolan %s: memory is out\n", a->command->name);
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < chunks->count; i++) {
        const ptl_chunk_pos pos = chunks->positions[i];
        const int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
        out->list[out->count++] =
            (ptl_local_area){x, y, x + PTL_CHUNK_SIZE - 1, y + PTL_CHUNK_SIZE - 1, z[0], z[1]};
    }
    for (size_t at = 0; (text = args_next(a, "omt", &at)) != NULL;) {
        int64_t r[4];
        NEED(rect_from_text(a, "omt", text, limit, r));
        out->list[out->count++] = (ptl_local_area){r[0], r[1], r[2], r[3], z[0], z[1]};
    }
    return EXIT_DONE;
}

/* ---- making them ---- */

/* Progress of chunks first, then of local maps. */
typedef struct shown {
    progress maps; /* must be first: show_maps passes on a pointer to it */
    progress *chunks;
} shown;

static bool show_chunks(void *payload, const ptl_progress *now)
{
    return progress_show(((shown *)payload)->chunks, now);
}

static bool show_maps(void *payload, const ptl_progress *now)
{
    progress_end(((shown *)payload)->chunks);
    return progress_show(payload, now);
}

int local_areas_store(session *s, const local_areas *areas, int32_t jobs,
                      ptl_local_generate_report *report)
{
    shown both = {.chunks = &s->shown};
    const ptl_local_generate_options o = {.size = sizeof o,
                                          .areas = areas->list,
                                          .area_count = areas->count,
                                          .jobs = jobs,
                                          .keep = args_has(s->args, "keep"),
                                          .on_progress = show_maps,
                                          .on_chunks = show_chunks,
                                          .payload = &both};
    progress_init(&both.maps, s->shown.quiet);
    progress_begin(&both.maps, "local maps");
    const ptl_status status = ptl_local_generate(report, s->world, &o, &s->err);
    progress_end(&both.maps);
    progress_end(&s->shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted() && report->total > 0)
        return stop_tell_how(
            "%ju of %ju local maps are stored. The same command again goes on from there.",
            report->done + report->skipped, report->total);
    return session_done(s, status);
}

int local_options_alone(const args *a)
{
    static const char *const names[] = {"omt", "levels", "keep"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (args_has(a, names[i]) && !args_has(a, "local"))
            return usage_error(a, "--%s is for local maps: say --local, too", names[i]);
    return EXIT_DONE;
}
