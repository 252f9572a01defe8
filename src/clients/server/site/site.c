#include "clients/server/answer.h"
#include "clients/server/reply.h"
#include "clients/server/site/site_impl.h"
#include "core/array.h"
#include "core/emit.h"
#include "core/error.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { PACK_LEVEL = 9 };

ptl_status site_advance(site *s, ptl_error *err)
{
    ptl_progress *p = &s->progress;
    p->done++;
    p->seconds = clock_seconds() - s->started;
    p->rate = p->seconds > 0 ? (double)p->done / p->seconds : 0;
    if (s->options->on_progress && !s->options->on_progress(s->options->payload, p))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; no site was written");
    return PTL_OK;
}

void site_damaged(site *s, ptl_omt at, const char *what)
{
    s->report.damaged++;
    if (s->options->on_damaged)
        s->options->on_damaged(s->options->payload, s->now->name, at, what);
}

/* ---- chunks ---- */

static bool take_chunk(void *payload, ptl_chunk_pos pos)
{
    site *s = payload;
    site_world *w = s->now;
    if (!ARRAY_ROOM(w->chunks, w->room, w->count + 1)) {
        s->failed = true;
        return false;
    }
    w->chunks[w->count++] = pos;
    return true;
}

static int compare(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

/*
 * Orders chunks by squares of 16 x 16 row by row, within these by squares of 4 x 4, and within
 * these row by row. Coordinates reach to 2^22 in both directions, so after adding `from` they
 * are not negative, and division rounds down.
 */
static int by_square(const void *a, const void *b)
{
    const ptl_chunk_pos *p = a, *q = b;
    static const int shifts[] = {4, 2, 0};
    for (size_t i = 0; i < 3; i++) {
        const int32_t from = 1 << 23, n = 1 << shifts[i];
        const int rows = compare((p->y + from) / n, (q->y + from) / n);
        const int columns = compare((p->x + from) / n, (q->x + from) / n);
        if (rows != 0)
            return rows;
        if (columns != 0)
            return columns;
    }
    return 0;
}

static ptl_status list_chunks(site *s, ptl_error *err)
{
    const ptl_chunk_list_options which = answer_chunks_within(s->within);
    site_world *w = s->now;
    const ptl_status status =
        ptl_chunk_list(reader_store(s->from), w->name, &which, take_chunk, s, err);
    if (s->failed) {
        error_clear(err);
        return error_nomem(err);
    }
    if (status != PTL_OK)
        return status;
    if (w->count > 1)
        qsort(w->chunks, w->count, sizeof *w->chunks, by_square);
    w->west = w->north = INT32_MAX;
    w->east = w->south = INT32_MIN;
    for (size_t i = 0; i < w->count; i++) {
        const ptl_chunk_pos c = w->chunks[i];
        w->west = c.x < w->west ? c.x : w->west;
        w->north = c.y < w->north ? c.y : w->north;
        w->east = c.x > w->east ? c.x : w->east;
        w->south = c.y > w->south ? c.y : w->south;
    }
    /* The smallest zoom at which the map's tiles, counted from the middle, include all chunks.
     */
    const int64_t sides[4] = {-(int64_t)w->west, w->east + INT64_C(1), -(int64_t)w->north,
                              w->south + INT64_C(1)};
    w->zoom = SITE_ZOOM_MIN;
    for (size_t i = 0; i < 4; i++)
        while ((INT64_C(1) << (w->zoom - 1)) < sides[i])
            w->zoom++;
    s->report.chunks += w->count;
    return PTL_OK;
}

/* ---- worlds ---- */

static bool take_world(void *payload, const ptl_world_info *world)
{
    site *s = payload;
    if (s->options->world && strcmp(world->name, s->options->world) != 0)
        return true;
    site_world *larger = realloc(s->worlds, (s->world_count + 1) * sizeof *larger);
    s->failed = !larger;
    if (!larger)
        return false;
    s->worlds = larger;
    site_world *w = &s->worlds[s->world_count++];
    *w = (site_world){.count = 0};
    snprintf(w->name, sizeof w->name, "%s", world->name);
    return true;
}

static ptl_status begin_world(site *s, size_t number, ptl_error *err)
{
    s->now = &s->worlds[number];
    return reader_world(&s->world, s->from, s->now->name, err);
}

/* Lists the chunks of each world, and drops worlds that have none. */
static ptl_status list_worlds(site *s, ptl_error *err)
{
    const site_options *o = s->options;
    size_t kept = 0;
    ptl_status status = ptl_world_list(reader_store(s->from), take_world, s, err);
    if (s->failed) {
        error_clear(err);
        return error_nomem(err);
    }
    for (size_t i = 0; i < s->world_count && status == PTL_OK; i++) {
        s->now = &s->worlds[i];
        status = list_chunks(s, err);
        if (s->now->count == 0)
            continue;
        const site_world found = *s->now;
        *s->now = (site_world){.count = 0};
        s->worlds[kept] = found;
        if (kept > 0)
            snprintf(s->worlds[kept].prefix, sizeof found.prefix, "w%zu-", kept);
        kept++;
    }
    s->report.worlds = kept;
    if (status != PTL_OK)
        return status;
    s->world_count = kept;
    if (kept > 0)
        return PTL_OK;
    return error_set(err, PTL_ERR_NOT_FOUND, "%s%s%s has no saved chunks%s",
                     o->world ? "world '" : "the file", o->world ? o->world : "",
                     o->world ? "'" : "", o->has_rect ? " there" : "");
}

/* ---- data that a world has in one file ---- */

ptl_status site_packed(site *s, const char *prefix, const char *name, bytes *plain,
                       ptl_error *err)
{
    bytes packed = {.size = 0};
    char full[SITE_NAME];
    ptl_status status = PTL_OK;
    if (plain->failed || !gzip_put(&packed, plain->data, plain->size, PACK_LEVEL))
        status = error_nomem(err);
    snprintf(full, sizeof full, "data/%s%s.packed", prefix, name);
    THEN(status, site_file(s, full, packed.data, packed.size, err));
    bytes_dispose(&packed);
    bytes_dispose(plain);
    return status;
}

/* Writes the answer that the server would give to a page, packed, into a file. */
static ptl_status put_answer(site *s, const char *prefix, const char *name,
                             answer_function *answer, const asked *q, ptl_error *err)
{
    reply body;
    reply_init(&body);
    const ptl_status status = answer(q, &body, err);
    if (status == PTL_OK)
        return site_packed(s, prefix, name, &body.body, err);
    bytes_dispose(&body.body);
    return status;
}

static bool on_overview(void *payload, ptl_chunk_pos pos,
                        const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    site *s = payload;
    if (!cells && answer_is_within(s->within, pos))
        site_damaged(
            s, (ptl_omt){(int64_t)pos.x * PTL_CHUNK_SIZE, (int64_t)pos.y * PTL_CHUNK_SIZE, 0},
            "a chunk as seen from far away");
    return true;
}

/* Writes the list of worlds in the form of /data/worlds. It has only the worlds that are in
 * the site. */
static ptl_status put_worlds(site *s, ptl_error *err)
{
    const char **names = calloc(s->world_count + 1, sizeof *names);
    if (!names)
        return error_nomem(err);
    for (size_t i = 0; i < s->world_count; i++)
        names[i] = s->worlds[i].name;
    const target values = {.count = 0};
    const asked q = {.values = &values, .from = s->from, .names = names};
    const ptl_status status = put_answer(s, "", "worlds", answer_worlds, &q, err);
    free(names);
    return status;
}

/* Places of all specials with one id: x and y as differences from the previous special's, then
 * z. Differences are short numbers. */
typedef struct standing {
    bytes text;
    emitter j; /* writes into text */
    int64_t x, y;
} standing;

typedef struct standings {
    const ptl_chunk_pos *within; /* NULL: all chunks */
    const ptl_catalogue *catalogue;
    standing *list; /* owned; by number of the special in the content */
} standings;

static bool on_special(void *payload, const ptl_special_place *special)
{
    const standings *all = payload;
    size_t number;
    if (!answer_is_within(all->within, special->chunk))
        return true;
    if (ptl_catalogue_find(&number, all->catalogue, PTL_CONTENT_SPECIAL, special->id) != PTL_OK)
        /* The content no longer has this special, so the page could say nothing about it. */
        return true;
    standing *s = &all->list[number];
    s->j.out = &s->text;
    emit_put(&s->j, "%jd, %jd, %d", special->x - s->x, special->y - s->y, special->z);
    s->x = special->x;
    s->y = special->y;
    return true;
}

static ptl_status put_specials(site *s, ptl_error *err)
{
    standings all = {.within = s->within, .catalogue = ptl_world_catalogue(s->world)};
    const size_t count = ptl_catalogue_count(all.catalogue, PTL_CONTENT_SPECIAL);
    all.list = calloc(count > 0 ? count : 1, sizeof *all.list);
    if (!all.list)
        return error_nomem(err);
    bytes text = {.size = 0};
    ptl_status status = ptl_special_list(reader_store(s->from), s->now->name, NULL, on_special,
                                         (void *)&all, err);
    emitter j = {&text, false};
    emit_put(&j, "{");
    for (size_t i = 0; i < count; i++) {
        const standing *p = &all.list[i];
        ptl_special special = PTL_SPECIAL_INIT;
        text.failed = text.failed || p->text.failed;
        if (p->text.size == 0)
            continue;
        (void)ptl_catalogue_special(&special, all.catalogue, i);
        emit_key(&j, special.id);
        emit_put(&j, "[");
        emit_values(&j, &p->text);
        emit_put(&j, "]");
    }
    emit_put(&j, "}");
    THEN(status, site_packed(s, s->now->prefix, "specials", &text, err));
    bytes_dispose(&text);
    for (size_t i = 0; i < count; i++)
        bytes_dispose(&all.list[i].text);
    free(all.list);
    return status;
}

/* Writes for each fixed special which OMTs it covers, relative to its origin and with north
 * up. */
static ptl_status put_footprints(site *s, ptl_error *err)
{
    const ptl_catalogue *c = ptl_world_catalogue(s->world);
    bytes text = {.size = 0};
    emitter j = {&text, false};
    emit_put(&j, "{");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_SPECIAL); i++) {
        ptl_special special = PTL_SPECIAL_INIT;
        (void)ptl_catalogue_special(&special, c, i);
        if (special.kind != PTL_SPECIAL_FIXED)
            continue;
        emit_key(&j, special.id);
        emit_put(&j, "[");
        for (size_t k = 0; k < special.omt_count; k++) {
            ptl_special_omt t = PTL_SPECIAL_OMT_INIT;
            (void)ptl_catalogue_special_omt(&t, c, i, k);
            emit_put(&j, "[%d, %d, %d]", t.x, t.y, t.z);
        }
        emit_put(&j, "]");
    }
    emit_put(&j, "}");
    return site_packed(s, s->now->prefix, "footprints", &text, err);
}

/* Writes what the page needs first: levels, the zoom at which a tile is one chunk, and the
 * bounds of the chunks. */
static ptl_status put_site(site *s, ptl_error *err)
{
    bytes text = {.size = 0};
    emitter j = {&text, false};
    const site_world *w = s->now;
    emit_put(&j, "{zoom:%d, levels:[%d, %d], chunks:%zu, bounds:[%d, %d, %d, %d]", w->zoom,
             s->options->z_first, s->options->z_last, w->count, w->west, w->north, w->east,
             w->south);
    /* The number of local maps, and the levels that have some. */
    emit_put(&j, "maps:%ju, map_levels:[", w->map_count - w->maps_damaged);
    for (size_t i = 0; i < w->map_count; i++)
        if (i == 0 || w->maps[i].z != w->maps[i - 1].z)
            emit_int(&j, w->maps[i].z);
    emit_put(&j, "]}");
    return site_packed(s, w->prefix, "site", &text, err);
}

/* ---- the whole site ---- */

/* The page comes last, so that an interrupted site has no index.html. */
static ptl_status write_site(site *s, ptl_error *err)
{
    static const struct {
        const char *name;
        answer_function *answer;
    } files[] = {{"chunks", answer_chunks},    {"palette", answer_palette},
                 {"cities", answer_cities},    {"kinds", answer_kinds},
                 {"states", answer_states},    {"events", answer_events},
                 {"overview", answer_overview}};
    /* Lists all worlds, their chunks and their local maps, and sets the total of the progress.
     */
    const uint64_t levels = (uint64_t)(s->options->z_last - s->options->z_first + 1);
    ptl_status status = list_worlds(s, err);
    for (size_t i = 0; i < s->world_count && status == PTL_OK; i++) {
        status = begin_world(s, i, err);
        THEN(status, site_maps_list(s, err));
        s->progress.total += s->now->count * (2 * levels + 1) + s->now->map_count;
    }
    TRY(status);
    TRY(site_begin(s, err));
    TRY(put_worlds(s, err));
    const asked looks = {.from = s->from};
    if (s->report.maps > 0)
        TRY(put_answer(s, "", "looks", answer_looks, &looks, err));
    for (size_t i = 0; i < s->world_count; i++) {
        TRY(begin_world(s, i, err));
        const site_options *o = s->options;
        const site_world *w = s->now;
        const asked q = {
            .from = s->from, .text = w->name, .world = s->world, .within = s->within};
        for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
            TRY(put_answer(s, w->prefix, files[k].name, files[k].answer, &q, err));
        TRY(ptl_overview_list(s->world, on_overview, s, err));
        TRY(put_specials(s, err));
        TRY(put_footprints(s, err));
        TRY(site_tiles_write(s, SITE_FEATURES, 0, err));
        for (size_t k = 0; k < w->map_count; k++)
            if (k == 0 || w->maps[k].z != w->maps[k - 1].z)
                TRY(site_tiles_write(s, SITE_LOCAL_MAPS, w->maps[k].z, err));
        TRY(put_site(s, err));
        for (int32_t z = o->z_first; z <= o->z_last; z++)
            TRY(site_tiles_write(s, SITE_TERRAINS, z, err));
    }
    return site_page(s, err);
}

ptl_status site_write(const site_options *options, site_report *report, ptl_error *err)
{
    readers *all;
    site s = {.options = options,
              .within = options->has_rect ? options->within : NULL,
              .started = clock_seconds(),
              .progress = {.size = sizeof(ptl_progress)}};
    const readers_options reading = {.path = options->path,
                                     .should_stop = options->should_stop};
    TRY(readers_new(&all, &reading, err));
    ptl_status status = reader_take(&s.from, all, READ_DATA, -1, err);
    if (status == PTL_OK) {
        status = write_site(&s, err);
        reader_give(s.from, status);
    }
    new_file_close(&s.file);
    if (status != PTL_OK)
        site_undo(&s);
    *report = s.report;
    for (size_t i = 0; i < s.world_count; i++) {
        free(s.worlds[i].chunks);
        free(s.worlds[i].maps);
    }
    free(s.worlds);
    bytes_dispose(&s.held);
    bytes_dispose(&s.page);
    bytes_dispose(&s.written);
    readers_free(all);
    return status;
}
