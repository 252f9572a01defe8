/*
 * Specials that a save places (portolan/save.h). The chunk as it is shown goes to the code that
 * generation places specials with (gen/specials/place_late.h); the cells that differ afterwards
 * become the cells of an edit, and the new placements its rows of placed specials.
 */
#include "core/array.h"
#include "core/sized.h"
#include "core/suggest.h"
#include "core/utf8.h"
#include "gen/specials/place_late.h"
#include "model/chunk.h"
#include "world/edits.h"
#include "world/save/save_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE };

/* A chunk on which a special was placed. */
typedef struct placed {
    ptl_chunk *chunk; /* owned: with the special */
    gen_features features;
    size_t first;     /* index of the first new placement in features.placements */
    ptl_oter *before; /* owned: what all cells of the chunk showed, in the order of their
                       * places */
} placed;

static void placed_dispose(placed *p)
{
    ptl_chunk_free(p->chunk);
    features_dispose(&p->features);
    free(p->before);
}

/* ---- refusing ---- */

/* Appends to a text, as far as it has room. */
static void __attribute__((format(printf, 3, 4)))
put(char *out, size_t room, const char *format, ...)
{
    const size_t used = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + used, room - used, format, args);
    va_end(args);
}

static void put_range(char *out, size_t room, const char *before, ptl_range range)
{
    if (range.max < PTL_UNBOUNDED)
        put(out, room, "%s %d to %d", before, range.min, range.max);
    else if (range.min > 0)
        put(out, room, "%s %d or more", before, range.min);
}

/* Puts into words why the origin fails a test. */
static void put_reason(char *out, size_t room, const cat_special *s, const ptl_why_place *why)
{
    const bool links = why->passed == PTL_WHY_LINKED;
    if (why->passed == PTL_WHY_CITY) {
        if (why->has_city)
            put(out, room, "its nearest city is %d OMTs away and has the size %d",
                why->city_distance, why->city_size);
        else
            put(out, room, "no city is near");
        put_range(out, room, "; it needs a distance of", s->city_distance);
        put_range(out, room, "; it needs a size of", s->city_sizes);
        return;
    }
    if (why->cells == 0) {
        put(out, room, "it can stand nowhere in this world");
        return;
    }
    put(out, room, "%d of %d %s%s %s not as it needs; at %d,%d,%d from its origin ", why->wrong,
        why->cells, links ? "point" : "cell", why->cells == 1 ? "" : "s",
        why->wrong == 1 ? "is" : "are", why->x, why->y, why->z);
    if (why->outside)
        put(out, room, "the chunk ends");
    else if (why->taken)
        put(out, room, "another special stands, on '%.60s'", why->ground);
    else
        put(out, room, "lies '%.60s'", why->ground);
    if (!why->outside && !why->taken && why->want_count > 0)
        put(out, room, ", and it needs %.120s%s", why->wants,
            why->want_count > 3 ? " or others" : "");
}

static ptl_status refuse(const ptl_world *world, const save_special *s, late_result result,
                         const ptl_why_place *why, ptl_error *err)
{
    const cat_special *special = &world->cat->specials[s->special];
    char text[PTL_ERROR_MESSAGE_SIZE] = "";
    if (result == LATE_NO_WAY)
        put(text, sizeof text, "there is no way for its connections");
    else if (result == LATE_NO_GROWTH)
        put(text, sizeof text, "none of its growths there could be closed");
    else
        put_reason(text, sizeof text, special, why);
    if (why->has_nearest)
        put(text, sizeof text, "; the nearest origin at which it can stand is %lld,%lld",
            (long long)why->nearest_x, (long long)why->nearest_y);
    return error_set(err, PTL_ERR_EXISTS, "special '%.*s' can't be placed at %lld,%lld: %s",
                     UTF8_CUT(special->id, 80), (long long)s->chunk.x * SIDE + s->x,
                     (long long)s->chunk.y * SIDE + s->y, text);
}

/* ---- placing in memory ---- */

static ptl_status read_chunk(placed *out, const ptl_world *world, ptl_chunk_pos pos,
                             ptl_error *err)
{
    const store_operations *o = ops(world->store);
    bool own, found = false;
    TRY(o->transaction->begin_lookups(world->store, &own, err));
    ptl_status status = world_chunk_read(&out->chunk, world, pos, world->cat, NULL, err);
    THEN(status, world_features_read(&out->features, &found, world, pos, world->cat, err));
    o->transaction->end_snapshot(world->store, own);
    if (status == PTL_OK && !out->chunk)
        return save_not_saved(world, pos, err);
    return status;
}

/* Places the special on the chunk as it is shown; nothing is written. The caller disposes of
 * *out, also after an error. */
static ptl_status place(placed *out, ptl_why_place *why, ptl_world *world,
                        const save_special *s, ptl_error *err)
{
    late_order order = {s->special, s->x, s->y, s->rotation};
    *out = (placed){.chunk = NULL};
    TRY(world_prepare_again(world, &s->chunk, err));
    TRY(read_chunk(out, world, s->chunk, err));
    out->before = malloc(PTL_LEVELS * PTL_LEVEL_CELLS * sizeof *out->before);
    if (!out->before)
        return error_nomem(err);
    for (int32_t i = 0; i < PTL_LEVELS; i++)
        ptl_chunk_level(out->before + (size_t)i * PTL_LEVEL_CELLS, out->chunk, i + PTL_Z_MIN);
    out->first = out->features.placement_count;
    const late_result result = place_late(why, &out->features, world->gen, out->chunk, &order);
    if (place_late_failed(world->gen))
        return generator_why(world->gen, err);
    return result == LATE_PLACED ? PTL_OK : refuse(world, s, result, why, err);
}

/* ---- asking for it ---- */

static ptl_status find_special(uint16_t *out, const catalogue *cat, const char *id,
                               ptl_error *err)
{
    *out = id ? catalogue_special(cat, id) : CAT_NONE;
    if (*out == CAT_NONE) {
        suggestion near;
        suggest_begin(&near, id ? id : "");
        for (size_t i = 0; i < cat->special_count; i++)
            suggest_offer(&near, cat->specials[i].id);
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no special '%.*s'%s%s%s",
                         UTF8_CUT(id ? id : "", 200), near.best ? "; did you mean '" : "",
                         near.best ? near.best : "", near.best ? "'?" : "");
    }
    const cat_special *s = &cat->specials[*out];
    if (s->building)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "'%.*s' is a building of cities, which stands beside a street that "
                         "they plan; it can't be placed alone",
                         UTF8_CUT(s->id, 200));
    if (s->omt_count == 0 && !s->layout)
        return error_set(err, PTL_ERR_ARGUMENT, "special '%.*s' has no OMTs",
                         UTF8_CUT(s->id, 200));
    return PTL_OK;
}

static ptl_status check_rotation(const cat_special *s, int32_t rotation, ptl_error *err)
{
    if (rotation < PTL_ROTATION_ANY || rotation > 3)
        return error_set(err, PTL_ERR_ARGUMENT, "rotation %d; rotations are 0 to 3",
                         (int)rotation);
    if (rotation > 0 && !s->rotate)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "special '%.*s' always stands in rotation 0, not in %d",
                         UTF8_CUT(s->id, 200), (int)rotation);
    return PTL_OK;
}

static ptl_status take_special(save_special *out, const ptl_world *world, const char *id,
                               ptl_omt at, int32_t rotation, ptl_error *err)
{
    TRY(world_derive_check(world, err));
    TRY(save_check_omt(at, err));
    if (at.z != 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a special is placed by its origin on level 0, not on level %d",
                         (int)at.z);
    TRY(find_special(&out->special, world->cat, id, err));
    TRY(check_rotation(&world->cat->specials[out->special], rotation, err));
    out->chunk = ptl_omt_chunk(at);
    out->x = (int32_t)(at.x - (int64_t)out->chunk.x * SIDE);
    out->y = (int32_t)(at.y - (int64_t)out->chunk.y * SIDE);
    out->rotation = rotation;
    return PTL_OK;
}

ptl_status ptl_save_special_add(ptl_why_place *why, ptl_save *save, const char *special,
                                ptl_omt at, int32_t rotation, ptl_error *err)
{
    ptl_why_place found = PTL_WHY_PLACE_INIT;
    save_special s = {.special = CAT_NONE};
    placed p;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_why_place, why, err));
    TRY(take_special(&s, save->world, special, at, rotation, err));
    TRY(save_check_size(save, sizeof *save->parts, err));
    ptl_status status = place(&p, &found, save->world, &s, err);
    placed_dispose(&p);
    if (status == PTL_OK && !save_add_part(save, 0, &s))
        status = error_nomem(err);
    if (status == PTL_OK || status == PTL_ERR_EXISTS)
        SIZED_FILL(ptl_why_place, why, &found);
    return status;
}

/* ---- storing it ---- */

/* Puts the cells that differ from before into w->cells. */
static ptl_status find_cells(save_writing *w, size_t *count, const placed *p, ptl_error *err)
{
    *count = 0;
    for (int32_t place = 0; place < PTL_LEVELS * PTL_LEVEL_CELLS; place++) {
        const ptl_oter after =
            level_oter(&p->chunk->levels[place / PTL_LEVEL_CELLS], place % PTL_LEVEL_CELLS);
        if (after == p->before[place])
            continue;
        if (!ARRAY_ROOM(w->cells, w->room, *count + 1))
            return error_nomem(err);
        w->cells[(*count)++] = (edit_cell){place, p->before[place], after};
    }
    return PTL_OK;
}

/* The pieces and joins of a placement, with ids of the catalogue. */
static ptl_status take_parts(placed_parts *out, const gen_features *f, size_t number,
                             const cat_mutable *m, ptl_error *err)
{
    out->list = malloc((f->piece_count + f->join_count + 1) * sizeof *out->list);
    if (!out->list)
        return error_nomem(err);
    for (size_t i = 0; m && i < f->piece_count; i++) {
        const gen_piece *p = &f->pieces[i];
        if (p->placement == (int32_t)number)
            out->list[out->piece_count++] =
                (placed_part){m->pieces[p->piece].id, p->x, p->y, p->z, p->rotation};
    }
    for (size_t i = 0; m && i < f->join_count; i++) {
        const gen_join *j = &f->joins[i];
        if (j->placement == (int32_t)number)
            out->list[out->piece_count + out->join_count++] =
                (placed_part){m->joins[j->join].id, j->x, j->y, j->z, j->side};
    }
    return PTL_OK;
}

static ptl_status write_placement(save_writing *w, ptl_chunk_pos chunk, const placed *p,
                                  size_t number, ptl_error *err)
{
    const ptl_world *world = w->save->world;
    const gen_placement *from = &p->features.placements[number];
    const cat_special *s = &world->cat->specials[from->special];
    placed_row row = {.chunk = chunk,
                      .number = w->number,
                      .part = (int32_t)(number - p->first),
                      .special = s->id,
                      .x = from->x,
                      .y = from->y,
                      .z = from->z,
                      .rotation = from->rotation,
                      .omts = from->omts};
    ptl_status status = take_parts(&row.parts, &p->features, number, s->layout, err);
    THEN(status, placed_row_check(&row, PTL_ERR_INTERNAL, err));
    THEN(status, ops(world->store)->edit->placed_write(world->store, world->row.id, &row, err));
    placed_parts_dispose(&row.parts);
    w->report->specials += status == PTL_OK;
    return status;
}

/* The cells of new placements that show what they showed before: they are no part of the edit,
 * but their local maps depend on the placement. */
typedef struct same_cells {
    save_writing *w;
    const placed *from;
    size_t count;
    bool failed; /* memory was out */
} same_cells;

static void add_same(void *payload, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    same_cells *same = payload;
    save_writing *w = same->w;
    const int32_t place = (z - PTL_Z_MIN) * PTL_LEVEL_CELLS + y * SIDE + x;
    if (same->from->before[place] != oter)
        return;
    if (!ARRAY_ROOM(w->cells, w->room, same->count + 1)) {
        same->failed = true;
        return;
    }
    w->cells[same->count++] = (edit_cell){place, oter, oter};
}

static int by_place(const void *pa, const void *pb)
{
    const edit_cell *a = pa, *b = pb;
    return ORDER_BY(a->place, b->place);
}

static ptl_status drop_same(save_writing *w, ptl_chunk_pos chunk, const placed *p,
                            ptl_error *err)
{
    same_cells same = {.w = w, .from = p};
    for (size_t i = p->first; i < p->features.placement_count; i++)
        place_cells_visit(w->save->world->cat, &p->features, i, add_same, &same);
    if (same.failed)
        return error_nomem(err);
    if (same.count == 0)
        return PTL_OK;
    qsort(w->cells, same.count, sizeof *w->cells, by_place);
    const edit_row row = {.chunk = chunk, .cells = w->cells, .count = same.count};
    return save_drop_maps(w, &row, err);
}

ptl_status save_write_special(save_writing *w, const save_special *s, ptl_error *err)
{
    const ptl_world *world = w->save->world;
    ptl_why_place why = PTL_WHY_PLACE_INIT;
    size_t count = 0;
    placed p;
    ptl_status status = place(&p, &why, w->save->world, s, err);
    THEN(status, find_cells(w, &count, &p, err));
    if (status == PTL_OK && count == 0)
        status = error_set(err, PTL_ERR_EXISTS,
                           "special '%.*s' would change no OMT: all are there already",
                           UTF8_CUT(world->cat->specials[s->special].id, 200));
    THEN(status, save_write_row(w, s->chunk, count, err));
    for (size_t i = p.first; status == PTL_OK && i < p.features.placement_count; i++)
        status = write_placement(w, s->chunk, &p, i, err);
    THEN(status, drop_same(w, s->chunk, &p, err));
    placed_dispose(&p);
    return status;
}
