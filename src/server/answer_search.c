/*
 * Search over all of a world: cities, specials, and terrains of one level. Everything is
 * counted; of the places the nearest are told.
 */
#include "server/answer.h"
#include "server/emit.h"
#include "server/wish.h"

#include "core/error.h"
#include "os/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HITS_MAX = 100, HIT_NAME = 104 };

/* Counting terrains takes no longer: what was not looked at then is told. */
static const double COUNT_SECONDS = 5;

typedef struct hit {
    char what[HIT_NAME];
    int64_t x, y;
    int32_t z;
    double distance;
} hit;

/* The nearest places of one kind. */
typedef struct hits {
    hit list[HITS_MAX]; /* the nearest first */
    size_t held;
    uint64_t count; /* of all */
} hits;

typedef struct search {
    ptl_store *store;
    ptl_world *world;
    const char *name; /* of the world */
    wish wanted;
    ptl_omt from;
    hits cities, specials, terrains;
    uint64_t chunks, looked; /* at terrains */
    uint64_t *tiles;         /* owned; of each terrain */
    bool *takes;             /* owned; of each oter: its terrain is wanted */
    double end;
    ptl_oter level[PTL_LEVEL_CELLS];
    ptl_status status;
    ptl_error *err;
} search;

/* ---- places ---- */

/* Puts a place among the nearest, if it is one. */
static void keep(hits *h, const search *s, const char *what, int64_t x, int64_t y, int32_t z)
{
    const double distance = hypot((double)(x - s->from.x), (double)(y - s->from.y));
    size_t at = h->held;
    h->count++;
    if (at == HITS_MAX && distance >= h->list[at - 1].distance)
        return;
    if (at == HITS_MAX)
        at--;
    else
        h->held++;
    for (; at > 0 && h->list[at - 1].distance > distance; at--)
        h->list[at] = h->list[at - 1];
    h->list[at] = (hit){.x = x, .y = y, .z = z, .distance = distance};
    const size_t size = strlen(what);
    memcpy(h->list[at].what, what, size < HIT_NAME ? size : HIT_NAME - 1);
}

static bool on_city(void *payload, const ptl_city_place *city)
{
    search *s = payload;
    if (wish_takes(&s->wanted, city->name, ""))
        keep(&s->cities, s, city->name, city->x, city->y, 0);
    return true;
}

static bool on_special(void *payload, const ptl_special_place *special)
{
    search *s = payload;
    if (wish_takes(&s->wanted, special->id, ""))
        keep(&s->specials, s, special->id, special->x, special->y, special->z);
    return true;
}

/* ---- terrains ---- */

/* Which oters are of terrains that are wanted. False when memory is out; *any: there are some.
 */
static bool choose_oters(search *s, bool *any)
{
    const ptl_catalogue *c = ptl_world_catalogue(s->world);
    const size_t count = ptl_catalogue_count(c, PTL_CONTENT_OTER);
    s->takes = calloc(PTL_OTER_NONE + 1, sizeof *s->takes);
    s->tiles = calloc(ptl_catalogue_count(c, PTL_CONTENT_TERRAIN) + 1, sizeof *s->tiles);
    *any = false;
    for (size_t i = 0; s->takes && i < count; i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        (void)ptl_catalogue_oter(c, i, &t);
        s->takes[i] = wish_takes(&s->wanted, t.type, t.name);
        *any |= s->takes[i];
    }
    return s->takes && s->tiles;
}

/* Counts a chunk's level; of its places the nearest is one of the hits. */
static void count_level(search *s, ptl_chunk_pos pos)
{
    const ptl_catalogue *c = ptl_world_catalogue(s->world);
    const int64_t x0 = (int64_t)pos.x * PTL_CHUNK_SIZE, y0 = (int64_t)pos.y * PTL_CHUNK_SIZE;
    double best = INFINITY;
    ptl_terrain t = PTL_TERRAIN_INIT;
    ptl_oter last = PTL_OTER_NONE, oter = PTL_OTER_NONE;
    size_t where = 0;
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        if (!s->takes[s->level[i]])
            continue;
        if (s->level[i] != last)
            (void)ptl_catalogue_oter(c, last = s->level[i], &t);
        s->tiles[t.type_number]++;
        s->terrains.count++;
        const double distance = hypot((double)(x0 + (int64_t)(i % PTL_CHUNK_SIZE) - s->from.x),
                                      (double)(y0 + (int64_t)(i / PTL_CHUNK_SIZE) - s->from.y));
        if (distance < best) {
            best = distance;
            where = i;
            oter = last;
        }
    }
    if (best == INFINITY)
        return;
    (void)ptl_catalogue_oter(c, oter, &t);
    s->terrains.count--; /* keep counts it */
    keep(&s->terrains, s, t.type, x0 + (int64_t)(where % PTL_CHUNK_SIZE),
         y0 + (int64_t)(where / PTL_CHUNK_SIZE), s->from.z);
}

static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    search *s = payload;
    s->chunks++;
    if (clock_seconds() > s->end)
        return true;
    s->status = ptl_level_load(s->world, pos, s->from.z, s->level, s->err);
    if (s->status != PTL_OK)
        return false;
    s->looked++;
    count_level(s, pos);
    return true;
}

static ptl_status search_terrains(search *s)
{
    bool any;
    if (!choose_oters(s, &any))
        return error_nomem(s->err);
    if (!any)
        return PTL_OK;
    s->end = clock_seconds() + COUNT_SECONDS;
    const ptl_status status = ptl_chunk_list(s->store, s->name, NULL, on_chunk, s, s->err);
    return s->status != PTL_OK ? s->status : status;
}

/* ---- the answer ---- */

static void put_hits(emitter *j, const char *key, const hits *h)
{
    emit_key(j, key);
    emit_open(j, '{');
    emit_key_uint(j, "count", h->count);
    emit_key(j, "nearest");
    emit_open(j, '[');
    for (size_t i = 0; i < h->held; i++) {
        emit_open(j, '[');
        emit_text(j, h->list[i].what);
        emit_int(j, h->list[i].x);
        emit_int(j, h->list[i].y);
        emit_int(j, h->list[i].z);
        emit_int(j, llround(h->list[i].distance));
        emit_close(j, ']');
    }
    emit_close(j, ']');
    emit_close(j, '}');
}

/* Puts the terrains that match, each with how many tiles it has on the level. */
static void put_terrains(emitter *j, const search *s)
{
    const ptl_catalogue *c = ptl_world_catalogue(s->world);
    emit_key(j, "types");
    emit_open(j, '[');
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_TERRAIN); i++) {
        ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
        (void)ptl_catalogue_terrain(c, i, &t);
        if (!wish_takes(&s->wanted, t.id, t.name))
            continue;
        emit_open(j, '[');
        emit_text(j, t.id);
        emit_uint(j, s->tiles[i]);
        emit_close(j, ']');
    }
    emit_close(j, ']');
}

static ptl_status find_all(search *s)
{
    s->name = ptl_world_name(s->world);
    ptl_status status = ptl_city_list(s->store, s->name, NULL, on_city, s, s->err);
    if (status == PTL_OK)
        status = ptl_special_list(s->store, s->name, NULL, on_special, s, s->err);
    return status == PTL_OK ? search_terrains(s) : status;
}

static void put_search(emitter *j, const search *s)
{
    emit_open(j, '{');
    put_hits(j, "cities", &s->cities);
    put_hits(j, "specials", &s->specials);
    put_hits(j, "terrains", &s->terrains);
    put_terrains(j, s);
    emit_key_uint(j, "chunks", s->chunks);
    emit_key_uint(j, "looked", s->looked);
    emit_close(j, '}');
}

ptl_status answer_search(const asked *q, reply *out, ptl_error *err)
{
    const char *text;
    search *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->err = err;
    s->store = reader_store(q->from);
    ptl_status status = asked_text(q, "q", &text, err);
    if (status == PTL_OK)
        status = asked_omt(q, &s->from, err);
    if (status == PTL_OK && !wish_parse(&s->wanted, text))
        status =
            error_set(err, PTL_ERR_ARGUMENT, "q must be one to 16 words, 199 bytes in all");
    if (status == PTL_OK)
        status = asked_world(q, &s->world, err);
    if (status == PTL_OK)
        status = find_all(s);
    if (status == PTL_OK) {
        emitter j = {&out->body, false};
        put_search(&j, s);
    }
    free(s->tiles);
    free(s->takes);
    free(s);
    return status;
}
