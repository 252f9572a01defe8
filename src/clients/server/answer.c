#include "clients/server/answer.h"

#include "clients/lookup/search.h"
#include "clients/lookup/why_json.h"
#include "clients/lookup/why_words.h"
#include "clients/watch/differ.h"
#include "core/error.h"
#include "os/clock.h"

#include <math.h>
#include <stdlib.h>

/* The table of all paths under /data/. A row has the path, the function that answers it, and
 * how it uses the world file. Then follow the numbers that a request must have, the name of a
 * text that it must have (NULL: none), and whether browsers may keep the answer. */
static const answer_path paths[] = {
    {"/data/worlds", answer_worlds, READ_DATA, 0, NULL, true},
    {"/data/chunks", answer_chunks, READ_DATA, 0, "world", true},
    {"/data/omts", answer_omts, READ_DATA, ASKS_CHUNK | ASKS_Z | ASKS_WORLD, NULL, true},
    {"/data/palette", answer_palette, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/features", answer_features, READ_DATA, ASKS_CHUNK | ASKS_WORLD, NULL, true},
    {"/data/cities", answer_cities, READ_DATA, 0, "world", true},
    {"/data/omt", answer_omt, READ_DATA, ASKS_OMT | ASKS_WORLD, NULL, true},
    {"/data/why", answer_why, READ_DATA, ASKS_CHUNK | ASKS_WORLD, "special", false},
    {"/data/specials", answer_specials, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/names", answer_names, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/heat", answer_heat, READ_DATA, ASKS_WORLD, "q", true},
    {"/data/kinds", answer_kinds, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/gathered", answer_gathered, READ_DATA, ASKS_CORNERS | ASKS_Z | ASKS_WORLD, "what",
     true},
    {"/data/states", answer_states, READ_DATA, 0, "world", true},
    {"/data/stats", answer_stats, READ_DATA, ASKS_CORNERS | ASKS_Z | ASKS_WORLD, NULL, true},
    {"/data/search", answer_search, READ_DATA, ASKS_OMT | ASKS_WORLD, "q", false},
    {"/data/differences", answer_differences, READ_DATA, ASKS_CORNERS | ASKS_WORLD, "beside",
     true},
    {"/data/watch", answer_watch, READ_NOTHING, 0, NULL, true},
    {"/data/colours", answer_colours, READ_DATA, ASKS_CHUNK | ASKS_Z | ASKS_WORLD, "style",
     true},
    {"/data/overview", answer_overview, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/local", answer_local, READ_MAPS, ASKS_OMT | ASKS_WORLD, NULL, true},
    {"/data/locals", answer_locals, READ_MAPS, ASKS_OMT | ASKS_WORLD, NULL, true},
    {"/data/picture", answer_picture, READ_MAPS, ASKS_OMT | ASKS_WORLD, NULL, false},
    {"/data/tiles", answer_tiles, READ_MAPS, ASKS_OMT | ASKS_WORLD, "style", true},
    {"/data/looks", answer_looks, READ_DATA, 0, NULL, true},
    {"/data/explored", answer_explored, READ_DATA, 0, "world", true},
    {"/data/seen", answer_seen, READ_DATA, ASKS_CHUNK | ASKS_Z, "world", true},
    {"/data/edits", answer_edits, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/edit", answer_edit, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/notes", answer_notes, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/sql", answer_sql, READ_QUERY, 0, "q", false},
    {"/data/generate", answer_generate, READ_TO_WRITE, ASKS_CHUNK | ASKS_WORLD, NULL, false},
    {"/data/make-local", answer_make_local, READ_TO_WRITE, ASKS_OMT | ASKS_WORLD, NULL, false},
    {"/data/set", answer_set, READ_TO_WRITE, ASKS_Z | ASKS_WORLD, "oter", false},
    {"/data/place", answer_place, READ_TO_WRITE, ASKS_OMT | ASKS_WORLD, "special", false},
    {"/data/undo", answer_undo, READ_TO_WRITE, ASKS_WORLD, NULL, false},
    {"/data/set-note", answer_set_note, READ_TO_WRITE, ASKS_OMT | ASKS_WORLD, NULL, false},
};

const answer_path *answer_find(const char *path)
{
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (strcmp(paths[i].path, path) == 0)
            return &paths[i];
    return NULL;
}

ptl_status asked_int(const asked *q, const char *name, int64_t lo, int64_t hi, int64_t *out,
                     ptl_error *err)
{
    if (!target_int(q->values, name, lo, hi, out))
        return error_set(err, PTL_ERR_ARGUMENT, "%s must be a whole number in %jd..%jd", name,
                         lo, hi);
    return PTL_OK;
}

/* Reads the request's numbers that are called names[0] to names[count - 1] into out. Each must
 * be a whole number within lo..hi. */
static ptl_status read_numbers(const asked *q, const char *const *names, size_t count,
                               int64_t lo, int64_t hi, int64_t *out, ptl_error *err)
{
    for (size_t i = 0; i < count; i++)
        TRY(asked_int(q, names[i], lo, hi, &out[i], err));
    return PTL_OK;
}

ptl_status asked_read(asked *q, const answer_path *path, ptl_error *err)
{
    static const char *const places[] = {"x", "y"};
    static const char *const sides[] = {"west", "north", "east", "south"};
    const int64_t chunks = PTL_CHUNK_COORD_MAX, omts = chunks * PTL_CHUNK_SIZE;
    int64_t at[4] = {0}, z = 0;
    q->text = path->text ? target_text(q->values, path->text) : NULL;
    if (path->text && (!q->text || !*q->text))
        return error_set(err, PTL_ERR_ARGUMENT, "%s is missing", path->text);
    if (path->asks & ASKS_CHUNK)
        TRY(read_numbers(q, places, 2, -chunks, chunks, at, err));
    q->chunk = (ptl_chunk_pos){(int32_t)at[0], (int32_t)at[1]};
    if (path->asks & ASKS_OMT)
        TRY(read_numbers(q, places, 2, -omts, omts + PTL_CHUNK_SIZE - 1, at, err));
    if (path->asks & ASKS_CORNERS)
        TRY(read_numbers(q, sides, 4, -chunks, chunks, at, err));
    q->corners[0] = (ptl_chunk_pos){(int32_t)at[0], (int32_t)at[1]};
    q->corners[1] = (ptl_chunk_pos){(int32_t)at[2], (int32_t)at[3]};
    if (path->asks & (ASKS_Z | ASKS_OMT))
        TRY(asked_int(q, "z", PTL_Z_MIN, PTL_Z_MAX, &z, err));
    q->z = (int32_t)z;
    q->omt = (ptl_omt){at[0], at[1], q->z};
    if (path->asks & ASKS_WORLD)
        return reader_world(&q->world, q->from, target_text(q->values, "world"), err);
    return PTL_OK;
}

/* Answers to the requests by which a page lets the server make and store overmaps and local
 * maps. */

/* The most chunks that one request may make. The limit is low, so that the page can show
 * progress and can stop between two requests. JOBS: threads that make them, since someone
 * waits. */
enum { CHUNKS_MAX = 16, JOBS = 2 };

ptl_status answer_generate(const asked *q, reply *out, ptl_error *err)
{
    ptl_chunk_pos list[CHUNKS_MAX];
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    /* The request names a rectangle; its chunks are put into `list`. */
    const ptl_chunk_pos from = q->chunk;
    int64_t width = 1, height = 1;
    if (target_text(q->values, "width"))
        TRY(asked_int(q, "width", 1, CHUNKS_MAX, &width, err));
    if (target_text(q->values, "height"))
        TRY(asked_int(q, "height", 1, CHUNKS_MAX / width, &height, err));
    if (from.x > PTL_CHUNK_COORD_MAX - (width - 1) ||
        from.y > PTL_CHUNK_COORD_MAX - (height - 1))
        return error_set(err, PTL_ERR_ARGUMENT, "chunks end at %d", (int)PTL_CHUNK_COORD_MAX);
    o.positions = list;
    o.position_count = (size_t)(width * height);
    o.jobs = JOBS;
    for (size_t i = 0; i < o.position_count; i++)
        list[i] = (ptl_chunk_pos){from.x + (int32_t)(i % (size_t)width),
                                  from.y + (int32_t)(i / (size_t)width)};
    const ptl_status status = ptl_generate(&report, q->world, &o, err);

    if (status == PTL_OK)
        emit_put(&out->j, "{done:%ju, skipped:%ju, total:%ju}", report.done, report.skipped,
                 report.total);
    return status;
}

ptl_status answer_make_local(const asked *q, reply *out, ptl_error *err)
{
    ptl_local_map *map = NULL;
    ptl_status status = ptl_local_get(&map, q->world, q->omt, NULL, err);
    THEN(status, answer_put_local(&out->body, map) ? PTL_OK : error_nomem(err));
    ptl_local_free(map);
    return status;
}

/* The answers about `serve --watch`, which shows content while its author edits it. Also the
 * answer that compares two worlds of a file. */

/* The most overmaps that one request may compare. */
enum { WATCHED_CHUNKS_MAX = 4096 };

ptl_status answer_watch(const asked *q, reply *out, ptl_error *err)
{
    (void)err;
    if (q->watched)
        watch_put(q->watched->watch, &out->body);
    else
        emit_null(&out->j);
    return PTL_OK;
}

ptl_status answer_differences(const asked *q, reply *out, ptl_error *err)
{
    const ptl_chunk_pos first = q->corners[0], last = q->corners[1];
    ptl_world *beside = NULL;
    differ_report report;
    if (first.x > last.x || first.y > last.y ||
        (int64_t)(last.x - first.x + 1) * (last.y - first.y + 1) > WATCHED_CHUNKS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "from 1 to %d overmaps are compared at a time",
                         (int)WATCHED_CHUNKS_MAX);
    ptl_status status = ptl_world_open(&beside, reader_store(q->from), q->text, NULL, err);
    emit_put(&out->j, "{");
    THEN(status, differ_put(&out->j, &report, beside, q->world, first, last, err));
    emit_put(&out->j, "}");
    ptl_world_close(beside);
    return status;
}

/* Answers a search by name over a whole world. clients/lookup/search.h does the search. */

/* After so many seconds the search no longer counts terrains and no longer looks for buildings
 * and radios. The answer says how many chunks were looked at. */
static const double COUNT_SECONDS = 5;

static bool in_time(void *payload, uint64_t looked)
{
    const double *end = payload;
    return looked == 0 || clock_seconds() <= *end;
}

static void put_hits(emitter *j, const char *key, const search_hits *h)
{
    emit_key(j, key);
    emit_put(j, "{count:%ju, nearest:[", h->count);
    for (size_t i = 0; i < h->held; i++) {
        emit_put(j, "[%s, %jd, %jd, %d", h->list[i].what, h->list[i].x, h->list[i].y,
                 h->list[i].z);
        emit_int(j, llround(h->list[i].distance));
        emit_put(j, "]");
    }
    emit_put(j, "]}");
}

ptl_status answer_search(const asked *q, reply *out, ptl_error *err)
{
    search_result *s = NULL;
    double end = clock_seconds() + COUNT_SECONDS;
    search_options o = {.go_on = in_time, .payload = &end, .inside = true, .from = q->omt};
    if (!wish_parse(&o.wanted, q->text))
        return error_set(err, PTL_ERR_ARGUMENT, "q must be one to 16 words, 199 bytes in all");
    const ptl_status status = search_world(&s, reader_store(q->from), q->world, &o, err);
    if (status == PTL_OK) {
        emit_put(&out->j, "{");
        put_hits(&out->j, "cities", &s->cities);
        put_hits(&out->j, "specials", &s->specials);
        put_hits(&out->j, "buildings", &s->buildings);
        put_hits(&out->j, "radios", &s->radios);
        put_hits(&out->j, "terrains", &s->terrains);
        /* Writes the terrains whose names match the search, each with the number of its OMTs on
         * the level. */
        const ptl_catalogue *c = ptl_world_catalogue(q->world);
        emit_put(&out->j, "types:[");
        for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_TERRAIN); i++) {
            ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
            (void)ptl_catalogue_terrain(&t, c, i);
            if (wish_takes(&o.wanted, t.id, t.name))
                emit_put(&out->j, "[%s, %ju]", t.id, s->tiles[i]);
        }
        emit_put(&out->j, "], chunks:%ju, looked:%ju, entered:%ju}", s->chunks, s->looked,
                 s->entered);
    }
    search_free(s);
    return status;
}

/* Answers why a special is, or is not, in a chunk, and at which origins in that chunk it could
 * stand. Also lists all specials that a page may ask about. */

/* Writes the sentences in which the command `why` answers, as a list of lines. */
static bool put_sentences(emitter *j, const asked *q, const ptl_why *why,
                          const ptl_why_place *place)
{
    bytes text = {.size = 0};
    size_t number;
    ptl_special s = PTL_SPECIAL_INIT;
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    const ptl_catalogue *c = ptl_world_catalogue(q->world);
    (void)ptl_world_settings(&settings, q->world, NULL);
    (void)ptl_catalogue_find(&number, c, PTL_CONTENT_SPECIAL, q->text);
    if (ptl_catalogue_special(&s, c, number) == PTL_OK) {
        if (place)
            why_place(&text, &s, q->omt, why, place);
        why_words(&text, &s, settings.placement, ptl_omt_chunk(q->omt), why);
    }
    emit_put(j, "words:[");
    const char *line = bytes_text(&text);
    for (const char *end; line && (end = strchr(line, '\n')) != NULL; line = end + 1)
        emit_string(j, line, (size_t)(end - line));
    emit_put(j, "]");
    const bool good = line != NULL;
    bytes_dispose(&text);
    return good;
}

/* Answers where a save could place the special: at the OMT, else at the nearest origin. That is
 * found on the world as it is shown; `why` looks at it as it was generated. */
static ptl_status put_placing(emitter *j, const asked *q, ptl_error *err)
{
    ptl_save *save = NULL;
    ptl_why_place where = PTL_WHY_PLACE_INIT;
    TRY(ptl_save_begin(&save, q->world, NULL, err));
    const ptl_status status =
        ptl_save_special_add(&where, save, q->text, q->omt, PTL_ROTATION_ANY, err);
    ptl_save_abort(save);
    if (status == PTL_OK)
        emit_put(j, "placing:[%jd, %jd]", q->omt.x, q->omt.y);
    else if (status == PTL_ERR_EXISTS && where.has_nearest)
        emit_put(j, "placing:[%jd, %jd]", where.nearest_x, where.nearest_y);
    else if (status != PTL_ERR_EXISTS && status != PTL_ERR_NOT_FOUND &&
             status != PTL_ERR_ARGUMENT && status != PTL_ERR_MISMATCH)
        return status;
    error_clear(err);
    return PTL_OK;
}

/* The request names a chunk by x and y, and may name an OMT of it by omt_x and omt_y. With
 * `placing` the answer says where the special could be placed. */
ptl_status answer_why(const asked *q, reply *out, ptl_error *err)
{
    ptl_why why = PTL_WHY_INIT;
    ptl_why_place place = PTL_WHY_PLACE_INIT;
    asked own = *q;
    const int64_t first[2] = {(int64_t)q->chunk.x * PTL_CHUNK_SIZE,
                              (int64_t)q->chunk.y * PTL_CHUNK_SIZE};
    const bool at = target_text(q->values, "omt_x") != NULL;
    own.omt = (ptl_omt){first[0], first[1], 0};
    if (at) {
        TRY(asked_int(q, "omt_x", first[0], first[0] + PTL_CHUNK_SIZE - 1, &own.omt.x, err));
        TRY(asked_int(q, "omt_y", first[1], first[1] + PTL_CHUNK_SIZE - 1, &own.omt.y, err));
    }
    uint8_t *passed = malloc(PTL_LEVEL_CELLS);
    ptl_status status =
        passed ? ptl_why_place_get(&place, &why, passed, q->world, q->text, own.omt, err)
               : error_nomem(err);
    if (status == PTL_OK)
        emit_put(&out->j, "{");
    if (status == PTL_OK && at && target_text(q->values, "placing"))
        status = put_placing(&out->j, &own, err);
    if (status == PTL_OK) {
        why_put(&out->j, &why, why.verdict == PTL_VERDICT_NOT_HOME);
        if (at)
            why_put_place(&out->j, own.omt, &place);
        if (!put_sentences(&out->j, &own, &why, at ? &place : NULL))
            out->body.failed = true;
        /* Writes for each origin in the chunk, row by row, how many tests of placement it
         * passes. A run of equal numbers is written as that number and the length of the run.
         */
        emit_put(&out->j, "passed:[");
        for (size_t i = 0, from = 0; i < PTL_LEVEL_CELLS; i++)
            if (i + 1 == PTL_LEVEL_CELLS || passed[i + 1] != passed[i]) {
                emit_put(&out->j, "%d, %ju", passed[i], i + 1 - from);
                from = i + 1;
            }
        emit_put(&out->j, "]}");
    }
    free(passed);
    return status;
}

ptl_status answer_specials(const asked *q, reply *out, ptl_error *err)
{
    (void)err;
    const ptl_catalogue *c = ptl_world_catalogue(q->world);
    emit_put(&out->j, "[");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_SPECIAL); i++) {
        ptl_special s = PTL_SPECIAL_INIT;
        if (ptl_catalogue_special(&s, c, i) == PTL_OK && s.kind != PTL_SPECIAL_BUILDING)
            emit_text(&out->j, s.id);
    }
    emit_put(&out->j, "]");
    return PTL_OK;
}

/* Runs SQL that the user typed: read-only, and within limits of rows, bytes and time. */

enum { ROWS_MAX = 10000, BYTES_MAX = 16 << 20 };

static const double SECONDS_MAX = 60;

static void put_value(emitter *j, const ptl_value *v)
{
    if (v->type == PTL_VALUE_INTEGER)
        emit_int(j, v->integer);
    else if (v->type == PTL_VALUE_REAL)
        emit_real(j, v->real);
    else if (v->type == PTL_VALUE_TEXT)
        emit_string(j, v->text, v->size);
    else if (v->type == PTL_VALUE_BLOB && v->size > 0) {
        /* Writes a blob as a text of hexadecimal digits. */
        static const char digits[] = "0123456789abcdef";
        bytes hex = {.size = 0};
        if (bytes_reserve(&hex, 2 * v->size + 1))
            for (size_t i = 0; i < v->size; i++) {
                bytes_put_u8(&hex, (uint8_t)digits[(uint8_t)v->text[i] >> 4]);
                bytes_put_u8(&hex, (uint8_t)digits[(uint8_t)v->text[i] & 15]);
            }
        j->out->failed |= hex.failed;
        emit_string(j, hex.failed ? "" : (const char *)hex.data, hex.failed ? 0 : hex.size);
        bytes_dispose(&hex);
    } else if (v->type == PTL_VALUE_BLOB)
        emit_text(j, "");
    else
        emit_null(j);
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    emitter *j = payload;
    (void)names;
    emit_put(j, "[");
    for (size_t i = 0; i < columns; i++)
        put_value(j, &values[i]);
    emit_put(j, "]");
    return !j->out->failed;
}

static void on_name(void *payload, const char *name)
{
    emit_text(payload, name);
}

ptl_status answer_sql(const asked *q, reply *out, ptl_error *err)
{
    ptl_query_options options = PTL_QUERY_OPTIONS_INIT;
    options.row_limit = ROWS_MAX;
    options.byte_limit = BYTES_MAX;
    options.time_limit = SECONDS_MAX;
    options.on_row = on_row;
    options.payload = &out->j;
    if (!q->may_query)
        return error_set(err, PTL_ERR_ARGUMENT, "SQL is asked on this machine alone");
    emit_put(&out->j, "{columns:[");
    ptl_status status =
        ptl_query_column_list(reader_store(q->from), q->text, on_name, &out->j, err);
    emit_put(&out->j, "], rows:[");
    THEN(status, ptl_query(reader_store(q->from), q->text, &options, err));
    emit_put(&out->j, "], cut:"); /* the limit that ended the rows early, or null */
    emit_text(&out->j, status == PTL_ERR_LIMIT ? err->message : NULL);
    emit_put(&out->j, "}");
    return status == PTL_ERR_LIMIT ? PTL_OK : status;
}
