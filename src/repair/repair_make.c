/*
 * Making a chunk again in the place of damaged rows. A chunk is a pure function of what its row
 * and its edges say, so what comes out is right if the stored checksum or digests come out.
 */
#include "core/error.h"
#include "repair/repair_impl.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/rows.h"

#include <stdio.h>
#include <string.h>

bool repair_is_soft(ptl_status status, const ptl_error *err)
{
    enum { CONSTRAINT = 19 }; /* SQLITE_CONSTRAINT: another row is in the way */
    if (status == PTL_ERR_INTERNAL && (err->backend_code & 0xff) == CONSTRAINT)
        return true;
    return status == PTL_ERR_CORRUPT || status == PTL_ERR_MISMATCH ||
           status == PTL_ERR_CONTENT || status == PTL_ERR_NOT_FOUND ||
           status == PTL_ERR_NEWER || status == PTL_ERR_EXISTS || status == PTL_ERR_ARGUMENT;
}

/* What concerns one chunk becomes a reason; other failures stay. */
static ptl_status soften(ptl_status status, char *why, ptl_error *err)
{
    if (status == PTL_OK || !repair_is_soft(status, err))
        return status;
    snprintf(why, PTL_ERROR_MESSAGE_SIZE, "%s", err->message);
    error_clear(err);
    return PTL_OK;
}

/* ---- worlds ---- */

void repair_world_close(world_repair *w)
{
    ptl_world_close(w->world);
    w->world = NULL;
    w->world_id = 0;
}

static ptl_status open_named(world_repair *w, int64_t id, ptl_error *err)
{
    static const ptl_world_open_options options = {.accept_content = true};
    stmt *s = NULL;
    bool row = false;
    ptl_status status =
        stmt_prepare(&s, w->r.store, "SELECT name FROM world WHERE id = ?", err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, id);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "its world has no row");
    if (status == PTL_OK)
        status = ptl_world_open(&w->world, w->r.store, stmt_text(s, 0), &options, err);
    stmt_free(s);
    if (status == PTL_OK && w->world->row.id != id)
        status = error_set(err, PTL_ERR_CORRUPT, "its world can't be told from another");
    return status == PTL_OK ? world_prepare(w->world, err) : status;
}

ptl_status repair_world_open(world_repair *w, int64_t world_id, bool *ready, char *why,
                             ptl_error *err)
{
    *ready = true;
    if (w->world && w->world_id == world_id)
        return PTL_OK;
    repair_world_close(w);
    ptl_status status = open_named(w, world_id, err);
    if (status == PTL_OK) {
        w->world_id = world_id;
        return PTL_OK;
    }
    *ready = false;
    repair_world_close(w);
    return soften(status, why, err);
}

static bool is_text(const repair_value *v, const char *text)
{
    return v->type == ROW_TEXT && v->size == strlen(text) &&
           memcmp(v->data, text, v->size) == 0;
}

ptl_status repair_can_make(world_repair *w, const repair_row *chunk, bool *can, char *why,
                           ptl_error *err)
{
    *can = false;
    if (!is_text(&chunk->values[CHUNK_COLUMN_ORIGIN], "generated")) {
        snprintf(why, PTL_ERROR_MESSAGE_SIZE, "it was imported from a game's save");
        return PTL_OK;
    }
    ptl_status status = repair_world_open(w, repair_int(chunk, 1), can, why, err);
    if (status != PTL_OK || !*can)
        return status;
    int64_t version = repair_int(chunk, 6);
    *can = false;
    if (version != PTL_GENERATOR_VERSION)
        snprintf(why, PTL_ERROR_MESSAGE_SIZE, "generator version %lld made it, this is %d",
                 (long long)version, PTL_GENERATOR_VERSION);
    else if (repair_int(chunk, 7) != w->world->cat->content_id)
        snprintf(why, PTL_ERROR_MESSAGE_SIZE, REPAIR_OTHER_CONTENT);
    else
        *can = true;
    return PTL_OK;
}

/* ---- making ---- */

/* 0: this version has no such step. */
static size_t steps_of(const char *last_step)
{
    if (!last_step[0])
        return pipeline_step_count(&overmap_pipeline);
    for (size_t i = 0; i < pipeline_step_count(&overmap_pipeline); i++)
        if (strcmp(pipeline_step(&overmap_pipeline, i)->name, last_step) == 0)
            return i + 1;
    return 0;
}

static ptl_status make(made_chunk *made, world_repair *w, const repair_place *place,
                       ptl_error *err)
{
    ptl_world *world = w->world;
    chunk_maker maker = {.config = world->config,
                         .gen = world->gen,
                         .codec = world->codec,
                         .step_count = steps_of(place->last_step)};
    if (maker.step_count == 0)
        return error_set(err, PTL_ERR_MISMATCH, "there is no generation step '%s'",
                         place->last_step);
    ptl_status status = world_edges(world, place->pos, made->edges, err);
    return status == PTL_OK ? world_make_chunk(made, NULL, &maker, place->pos, err) : status;
}

void repair_place_of(repair_place *out, const repair_chunk *c)
{
    const repair_row *row = &c->row.list[0];
    const repair_value *step = &row->values[8];
    memset(out, 0, sizeof *out);
    out->id = c->id;
    out->run_id = repair_int(row, 9);
    out->pos = (ptl_chunk_pos){(int32_t)repair_int(row, 2), (int32_t)repair_int(row, 3)};
    if (step->type == ROW_TEXT && step->size < sizeof out->last_step)
        memcpy(out->last_step, step->data, step->size);
}

ptl_status repair_make_only(world_repair *w, const repair_chunk *c, made_chunk *out, bool *done,
                            ptl_error *err)
{
    char why[PTL_ERROR_MESSAGE_SIZE];
    repair_place place;
    memset(out, 0, sizeof *out);
    ptl_status status = repair_can_make(w, &c->row.list[0], done, why, err);
    if (status != PTL_OK || !*done)
        return status;
    repair_place_of(&place, c);
    status = make(out, w, &place, err);
    *done = status == PTL_OK;
    return soften(status, why, err);
}

static ptl_status put(world_repair *w, made_chunk *made, const repair_place *place,
                      ptl_error *err)
{
    chunk_write write = {.encoded = made->encoded,
                         .generator_version = PTL_GENERATOR_VERSION,
                         .content_id = w->world->cat->content_id,
                         .last_step = place->last_step,
                         .features = &made->features,
                         .events = made->events,
                         .event_count = made->event_count};
    for (int i = 0; i < 4; i++)
        write.edges[i] = &made->edges[i];
    return chunk_row_put(w->r.store, w->world_id, place->run_id, place->id, &write,
                         w->world->cat, err);
}

/* Inside a part that is undone if there is no proof. */
static ptl_status put_and_prove(world_repair *w, made_chunk *made, const repair_place *place,
                                const repair_chunk *before, repair_proof *proof, bool *proved,
                                ptl_error *err)
{
    repair_chunk after = {0};
    ptl_status status = put(w, made, place, err);
    if (status == PTL_OK)
        status = repair_chunk_read(&after, w->r.store, place->id, err);
    if (status == PTL_OK)
        *proved = after.row.count == 1 && proof(before, &after);
    repair_chunk_dispose(&after);
    return status;
}

ptl_status repair_make(world_repair *w, const repair_place *place, const repair_chunk *before,
                       repair_proof *proof, bool *proved, char *why, ptl_error *err)
{
    made_chunk made = {0};
    *proved = false;
    ptl_status status = make(&made, w, place, err);
    if (status != PTL_OK) {
        made_chunk_dispose(&made);
        return soften(status, why, err);
    }
    status = repair_try_begin(&w->r, err);
    if (status == PTL_OK) {
        status = put_and_prove(w, &made, place, before, proof, proved, err);
        status = soften(status, why, err);
        *proved = *proved && status == PTL_OK;
        ptl_status ended = repair_try_end(&w->r, *proved, status == PTL_OK ? err : NULL);
        status = status == PTL_OK ? ended : status;
    }
    made_chunk_dispose(&made);
    return status;
}

/* ---- proofs ---- */

bool repair_same_row(const repair_chunk *before, const repair_chunk *made)
{
    const repair_value *a = before->row.list[0].values, *b = made->row.list[0].values;
    if (repair_value_equal(&a[CHUNK_COLUMN_CHECKSUM], &b[CHUNK_COLUMN_CHECKSUM]))
        return true;
    return repair_value_equal(&a[CHUNK_COLUMN_TILE_DIGEST], &b[CHUNK_COLUMN_TILE_DIGEST]) &&
           repair_value_equal(&a[CHUNK_COLUMN_FEATURE_DIGEST], &b[CHUNK_COLUMN_FEATURE_DIGEST]);
}

/* Is a row of level or pack what its own checksum says? */
static bool is_sound(repair_row *row, bytes *scratch)
{
    repair_rows one = {.list = row, .count = 1};
    const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
    bool good = false;
    return repair_unit_good(&unit, scratch, &good, NULL) == PTL_OK && good;
}

/* How many sound rows come out again that no other chunk would have: the row's checksum covers
 * its id, so one is proof. Others that do not were damaged and given a checksum that agrees. */
static size_t count_equal(const repair_rows *before, const repair_rows *made,
                          row_table_id table, bytes *scratch)
{
    enum { DISTINCT_SIZE = 64 };
    size_t count = 0;
    for (size_t i = 0; i < before->count; i++) {
        repair_row *row = &before->list[i];
        if (row->table != table || row->values[2].size < DISTINCT_SIZE ||
            !is_sound(row, scratch))
            continue;
        for (size_t k = 0; k < made->count; k++)
            count += made->list[k].table == table &&
                     repair_value_equal(&made->list[k].values[0], &row->values[0]) &&
                     repair_value_equal(&made->list[k].values[1], &row->values[1]);
    }
    return count;
}

bool repair_same_leftovers(const repair_chunk *before, const repair_chunk *made)
{
    bytes scratch;
    bytes_init(&scratch);
    size_t equal = count_equal(&before->levels, &made->levels, TABLE_LEVEL, &scratch) +
                   count_equal(&before->features, &made->features, TABLE_PACK, &scratch);
    bytes_dispose(&scratch);
    return equal > 0;
}
