/*
 * Reads names for completion out of a world file. The user waits at the prompt, so reading
 * ends after SECONDS_MAX. Completion changes nothing: a file that would first need a rollback
 * or a migration gives no names.
 */
#include "clients/cli/help.h"

#include "core/arena.h"
#include "core/array.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "os/clock.h"
#include "portolan/lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MS = 100, NAMES_MAX = 2000 };
static const double SECONDS_MAX = 0.5;

typedef struct named_city {
    const char *name; /* in the listener's arena */
    int32_t radius;
} named_city;

typedef struct listener {
    value_sink sink;
    void *payload;
    ptl_store *store;
    int count;       /* names offered so far */
    double end;      /* clock time at which reading ends */
    arena *memory;   /* owned; has the names below */
    strmap mutables; /* ids of mutable specials */
    named_city *cities;
    size_t city_count, city_room;
} listener;

static bool too_late(void *payload)
{
    return clock_seconds() > ((const listener *)payload)->end;
}

/* A name with characters that are unsafe to print can't be typed either, so it is not
 * offered. */
static bool is_plain(const char *text)
{
    const size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        if (visible_unsafe(c))
            return false;
    }
    return true;
}

static bool offer(listener *l, const char *name, const char *what)
{
    if (!is_plain(name) || !is_plain(what))
        return true;
    return l->count++ < NAMES_MAX && l->sink(l->payload, name, what);
}

static bool on_world(void *payload, const ptl_world_info *world)
{
    char what[64];
    snprintf(what, sizeof what, "world, seed %" PRIu64, world->options->seed);
    return offer(payload, world->name, what);
}

static bool on_sweep(void *payload, const ptl_sweep_info *sweep)
{
    return offer(payload, sweep->name, "sweep");
}

static bool on_special(void *payload, const ptl_special_name *special)
{
    if (special->kind == PTL_SPECIAL_BUILDING)
        return true;
    return offer(payload, special->id,
                 special->kind == PTL_SPECIAL_MUTABLE ? "mutable special" : "fixed special");
}

static bool on_region(void *payload, const ptl_region_name *region)
{
    const bool own = strcmp(region->kind, "region_settings") == 0;
    return !region->region || offer(payload, region->name, own ? "region" : region->kind);
}

/* ---- what stands in any world ---- */

static bool on_city(void *payload, const ptl_city_place *city)
{
    listener *l = payload;
    if (!ARRAY_ROOM(l->cities, l->city_room, l->city_count + 1))
        return false;
    const char *name = arena_strdup(l->memory, city->name);
    if (name && name[0])
        l->cities[l->city_count++] = (named_city){name, city->radius};
    return name != NULL;
}

static bool cities_of_world(void *payload, const ptl_world_info *world)
{
    listener *l = payload;
    return ptl_city_list(l->store, world->name, NULL, on_city, l, NULL) == PTL_OK;
}

/* Sorts by name. Of cities with the same name the largest comes first, which is the one
 * that is offered. */
static int by_city(const void *pa, const void *pb)
{
    const named_city *a = pa, *b = pb;
    const int order = strcmp(a->name, b->name);
    return order ? order : (a->radius < b->radius) - (a->radius > b->radius);
}

static bool keep_mutable(void *payload, const ptl_special_name *special)
{
    listener *l = payload;
    if (special->kind != PTL_SPECIAL_MUTABLE)
        return true;
    const char *id = arena_strdup(l->memory, special->id);
    return id && strmap_put(&l->mutables, id, 1) == 0;
}

static bool on_placement(void *payload, const ptl_special_place *s)
{
    listener *l = payload;
    char place[64];
    if (strmap_get(&l->mutables, s->id) == STRMAP_NONE)
        return true;
    snprintf(place, sizeof place, "%d,%d:%d", (int)s->chunk.x, (int)s->chunk.y, (int)s->number);
    return offer(l, place, s->id);
}

static bool placements_of_world(void *payload, const ptl_world_info *world)
{
    listener *l = payload;
    return ptl_special_list(l->store, world->name, NULL, on_placement, l, NULL) == PTL_OK;
}

void complete_from_file(const char *path, value_kind which, value_sink sink, void *payload)
{
    listener l = {.sink = sink, .payload = payload, .memory = arena_new()};
    const ptl_open_options open = {.size = sizeof open,
                                   .mode = PTL_OPEN_READ,
                                   .busy_timeout_ms = BUSY_MS,
                                   .should_stop = too_late,
                                   .payload = &l};
    strmap_init(&l.mutables);
    l.end = clock_seconds() + SECONDS_MAX;
    if (l.memory && ptl_store_is_ready(path) &&
        ptl_store_open(&l.store, path, &open, NULL) == PTL_OK) {
        /* Errors are ignored: what can't be read in time is just not offered. */
        if (which == VALUE_WORLDS)
            (void)ptl_world_list(l.store, on_world, &l, NULL);
        else if (which == VALUE_SWEEPS)
            (void)ptl_sweep_list(l.store, on_sweep, &l, NULL);
        else if (which == VALUE_SPECIALS)
            (void)ptl_special_name_list(l.store, on_special, &l, NULL);
        else if (which == VALUE_REGIONS)
            (void)ptl_region_name_list(l.store, on_region, &l, NULL);
        else if (which == VALUE_PLACEMENTS &&
                 ptl_special_name_list(l.store, keep_mutable, &l, NULL) == PTL_OK)
            (void)ptl_world_list(l.store, placements_of_world, &l, NULL);
        const bool cities = which == VALUE_CITIES &&
                            ptl_world_list(l.store, cities_of_world, &l, NULL) == PTL_OK;
        if (cities && l.city_count > 1)
            qsort(l.cities, l.city_count, sizeof *l.cities, by_city);
        bool more = cities;
        for (size_t i = 0; more && i < l.city_count; i++) {
            const named_city *c = &l.cities[i];
            char what[64];
            snprintf(what, sizeof what, "city of size %d", (int)c->radius);
            more = (i > 0 && strcmp(c->name, c[-1].name) == 0) || offer(&l, c->name, what);
        }
        ptl_store_close(l.store);
    }
    strmap_dispose(&l.mutables);
    arena_free(l.memory);
    free(l.cities);
}
