#include "clients/watch/locals.h"

#include "core/error.h"
#include "portolan/catalogue.h"
#include "portolan/local_area.h"

#include <stdlib.h>

/* AROUND: how far, in OMTs, a local map depends on the OMTs around it. */
enum { SIDE = PTL_LOCAL_SIDE, AROUND = 3 };

/* The OMTs of one terrain whose local maps can be compared in both worlds. */
typedef struct terrain {
    ptl_omt places[LOCALS_OF_TERRAIN];
    size_t count;
    /* How many elements of `places`, from the first on, are compared. It is less than `count`
     * if options.most does not allow so many. */
    size_t used;
    bool is_concerned;
} terrain;

typedef struct locals {
    const locals_options *options;
    locals_report *report;
    ptl_world *before, *now;
    terrain *terrains; /* owned; indexed by the terrain's number in the catalogue of `now` */
    size_t count;
    /* Owned; both have an element for each oter of the world `now`. `old` has the oter's number
     * in the world `before`, and `type` has the number of its terrain. */
    uint32_t *old, *type; /* owned */
    size_t oters;
    ptl_oter *cells[2];    /* owned; one level of each world */
    ptl_local_area *areas; /* owned; the OMTs whose local maps are made */
    size_t area_count;
} locals;

/* ---- choosing places ---- */

/* Finds for each oter of `now` its number in `before`, because the two contents may number
 * oters differently. */
static ptl_status read_catalogues(locals *l, ptl_error *err)
{
    const ptl_catalogue *then = ptl_world_catalogue(l->before),
                        *now = ptl_world_catalogue(l->now);
    l->oters = ptl_catalogue_count(now, PTL_CONTENT_OTER);
    l->count = ptl_catalogue_count(now, PTL_CONTENT_TERRAIN);
    l->terrains = calloc(l->count + 1, sizeof *l->terrains);
    l->old = calloc(l->oters + 1, sizeof *l->old);
    l->type = calloc(l->oters + 1, sizeof *l->type);
    l->cells[0] = calloc(PTL_LEVEL_CELLS, sizeof *l->cells[0]);
    l->cells[1] = calloc(PTL_LEVEL_CELLS, sizeof *l->cells[1]);
    if (!l->terrains || !l->old || !l->type || !l->cells[0] || !l->cells[1])
        return error_nomem(err);
    for (size_t i = 0; i < l->count; i++) {
        ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
        (void)ptl_catalogue_terrain(&t, now, i);
        l->terrains[i].is_concerned = concerned_has(l->options->concerned, t.id);
    }
    for (size_t i = 0; i < l->oters; i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        size_t number;
        (void)ptl_catalogue_oter(&t, now, i);
        l->type[i] = (uint32_t)t.type_number;
        (void)ptl_catalogue_find(&number, then, PTL_CONTENT_OTER, t.id);
        l->old[i] = (uint32_t)number;
    }
    return PTL_OK;
}

/* Asks the caller whether to go on; returns PTL_ERR_CANCELLED if not. */
static ptl_status ask(const locals *l, ptl_error *err)
{
    const locals_options *o = l->options;
    const bool goes_on = !o->on_progress || o->on_progress(o->payload, 0, 0);
    return goes_on ? PTL_OK : error_set(err, PTL_ERR_CANCELLED, "stopped");
}

/*
 * Chooses places in one level of a chunk. It chooses none if one of the two worlds lacks the
 * chunk.
 */
static ptl_status choose_of_chunk(locals *l, ptl_chunk_pos pos, int32_t z, ptl_error *err)
{
    ptl_world *const worlds[2] = {l->before, l->now};
    for (size_t i = 0; i < 2; i++) {
        ptl_error own = {.status = PTL_OK};
        const ptl_status status = ptl_level_load(l->cells[i], worlds[i], pos, z, &own);
        if (status == PTL_ERR_NOT_FOUND)
            return PTL_OK;
        if (status != PTL_OK)
            return error_copy(err, &own);
    }
    /* Chooses OMTs that have the same oter in both worlds, up to LOCALS_OF_TERRAIN of each
     * terrain. */
    const locals_options *o = l->options;
    const int32_t end = PTL_CHUNK_SIZE - AROUND;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const int32_t x = i % PTL_CHUNK_SIZE, y = i / PTL_CHUNK_SIZE;
        /* The map of an OMT near the border of the rectangle depends on chunks outside of the
         * rectangle, which are not generated. */
        const bool is_outer = (pos.x == o->from.x && x < AROUND) ||
                              (pos.y == o->from.y && y < AROUND) ||
                              (pos.x == o->to.x && x >= end) || (pos.y == o->to.y && y >= end);
        const ptl_oter then = l->cells[0][i], now = l->cells[1][i];
        terrain *t = now < l->oters ? &l->terrains[l->type[now]] : NULL;
        if (!t || t->count == LOCALS_OF_TERRAIN || l->old[now] != then || is_outer)
            continue;
        t->places[t->count++] = (ptl_omt){(int64_t)pos.x * PTL_CHUNK_SIZE + x,
                                          (int64_t)pos.y * PTL_CHUNK_SIZE + y, z};
    }
    return PTL_OK;
}

/* Divides the options.most maps among the terrains. In each round every terrain that a saved
 * file names gets one map, as long as it has places left. When these have none left, all other
 * terrains get maps in the same way. */
static ptl_status share_out(locals *l, ptl_error *err)
{
    l->areas = calloc(l->options->most + 1, sizeof *l->areas);
    if (!l->areas)
        return error_nomem(err);
    for (size_t round = 0; round < 2 * LOCALS_OF_TERRAIN; round++)
        for (size_t i = 0; i < l->count && l->area_count < l->options->most; i++) {
            terrain *t = &l->terrains[i];
            if (t->is_concerned != (round < LOCALS_OF_TERRAIN) || t->used >= t->count)
                continue;
            const ptl_omt at = t->places[t->used++];
            l->areas[l->area_count++] = (ptl_local_area){at.x, at.y, at.x, at.y, at.z, at.z};
        }
    for (size_t i = 0; i < l->count; i++) {
        const terrain *t = &l->terrains[i];
        l->report->terrains += t->count > 0;
        l->report->concerned += t->count > 0 && t->is_concerned;
        l->report->unseen += t->count > 0 && t->used == 0;
    }
    return PTL_OK;
}

/* ---- making the maps ---- */

typedef struct making {
    const locals_options *options;
    /* `before`: how many maps of the earlier world were made; it stays 0 until all of them are.
     * `total`: how many maps are to be made in both worlds. */
    uint64_t before, total;
} making;

static bool on_progress(void *payload, const ptl_progress *p)
{
    const making *m = payload;
    return !m->options->on_progress ||
           m->options->on_progress(m->options->payload, m->before + p->done + p->skipped,
                                   m->total);
}

/* ---- comparing the maps ---- */

static bool is_same_thing(const ptl_local_entity *a, const ptl_local_entity *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->id, b->id) == 0 &&
           strcmp(a->with, b->with) == 0 && strcmp(a->text, b->text) == 0 && a->x == b->x &&
           a->y == b->y && a->x2 == b->x2 && a->y2 == b->y2 && a->count == b->count &&
           a->charges == b->charges && a->status == b->status;
}

/* Compares the local maps that the two worlds have of one OMT. If they differ, writes the OMT's
 * place and the numbers of differences as JSON. */
static ptl_status compare(locals *l, emitter *places, ptl_omt at, uint64_t *changed,
                          ptl_error *err)
{
    ptl_local_map *a = NULL, *b = NULL;
    ptl_status status = ptl_local_load(&a, l->before, at, err);
    THEN(status, ptl_local_load(&b, l->now, at, err));
    if (status == PTL_OK) {
        int tiles = 0;
        for (int32_t y = 0; y < SIDE; y++)
            for (int32_t x = 0; x < SIDE; x++)
                tiles +=
                    strcmp(ptl_local_terrain(a, x, y), ptl_local_terrain(b, x, y)) != 0 ||
                    strcmp(ptl_local_furniture(a, x, y), ptl_local_furniture(b, x, y)) != 0 ||
                    strcmp(ptl_local_trap(a, x, y), ptl_local_trap(b, x, y)) != 0 ||
                    ptl_local_radiation(a, x, y) != ptl_local_radiation(b, x, y);
        /* Both maps list the things on them (items, monsters and so on) in the same order.
         * Counts the positions at which the two lists differ. */
        const size_t n = ptl_local_entity_count(a), m = ptl_local_entity_count(b);
        uint64_t things = 0;
        for (size_t i = 0; i < n || i < m; i++) {
            ptl_local_entity c = PTL_LOCAL_ENTITY_INIT, d = PTL_LOCAL_ENTITY_INIT;
            things += ptl_local_entity_at(&c, a, i) != PTL_OK ||
                      ptl_local_entity_at(&d, b, i) != PTL_OK || !is_same_thing(&c, &d);
        }
        l->report->compared++;
        if (tiles > 0 || things > 0) {
            (*changed)++;
            emit_put(places, "[%jd, %jd, %d, %d, %ju]", at.x, at.y, at.z, tiles, things);
        }
    }
    ptl_local_free(a);
    ptl_local_free(b);
    return status;
}

/* Writes the rows of all terrains, in two passes: first the terrains that a saved file names,
 * then all others. */
static ptl_status put_rows(locals *l, emitter *j, ptl_error *err)
{
    ptl_status status = PTL_OK;
    emit_put(j, "rows:[");
    for (size_t i = 0; i < 2 * l->count && status == PTL_OK; i++) {
        const size_t number = i < l->count ? i : i - l->count;
        const terrain *t = &l->terrains[number];
        if (t->is_concerned != (i < l->count))
            continue;
        uint64_t changed = 0;
        bytes text = {.size = 0};
        emitter places = {&text, false};
        status = ask(l, err);
        for (size_t k = 0; k < t->used && status == PTL_OK; k++)
            status = compare(l, &places, t->places[k], &changed, err);
        THEN(status, text.failed ? error_nomem(err) : PTL_OK);
        l->report->changed += changed;
        if (changed > 0 && l->report->changed_terrains++ < LOCALS_LISTED_TERRAINS &&
            status == PTL_OK) {
            ptl_terrain_type type = PTL_TERRAIN_TYPE_INIT;
            (void)ptl_catalogue_terrain(&type, ptl_world_catalogue(l->now), number);
            emit_put(j, "{id:%s, concerned:%i, compared:%zu, changed:%ju, places:[", type.id,
                     t->is_concerned, t->used, changed);
            emit_values(j, &text);
            emit_put(j, "]}");
        }
        bytes_dispose(&text);
    }
    emit_put(j,
             "], terrains:%ju, compared:%ju, concerned:%ju, unseen:%ju, changed:%ju, "
             "changed_terrains:%ju",
             l->report->terrains, l->report->compared, l->report->concerned, l->report->unseen,
             l->report->changed, l->report->changed_terrains);
    return status;
}

ptl_status locals_put(emitter *j, locals_report *out, ptl_world *before, ptl_world *now,
                      const locals_options *options, ptl_error *err)
{
    locals l = {.options = options, .report = out, .before = before, .now = now};
    *out = (locals_report){.terrains = 0};
    emit_put(j, "{");
    ptl_status status = read_catalogues(&l, err);
    /* Levels come in the order 0, 1, -1, 2, -2, ..., so that the ground comes first. */
    const ptl_chunk_pos from = options->from, to = options->to;
    for (int32_t i = 0; i < PTL_LEVELS && status == PTL_OK; i++)
        for (int32_t y = from.y; y <= to.y && status == PTL_OK; y++)
            for (int32_t x = from.x; x <= to.x && status == PTL_OK; x++) {
                status = ask(&l, err);
                THEN(status, choose_of_chunk(&l, (ptl_chunk_pos){x, y},
                                             i % 2 ? (i + 1) / 2 : -i / 2, err));
            }
    THEN(status, share_out(&l, err));
    /* Makes the local maps of the OMTs that were chosen, first in the earlier world, then in
     * the new one. */
    ptl_world *const worlds[2] = {before, now};
    making m = {options, 0, 2 * l.area_count};
    ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
    o.areas = l.areas;
    o.area_count = l.area_count;
    o.jobs = options->jobs;
    o.on_progress = on_progress;
    o.payload = &m;
    for (size_t i = 0; i < 2 && status == PTL_OK && l.area_count > 0; i++) {
        m.before = i * l.area_count;
        status = ptl_local_generate(NULL, worlds[i], &o, err);
    }
    THEN(status, put_rows(&l, j, err));
    emit_put(j, "}");
    free(l.terrains);
    free(l.old);
    free(l.type);
    free(l.cells[0]);
    free(l.cells[1]);
    free(l.areas);
    return status;
}
