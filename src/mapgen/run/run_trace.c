/*
 * Tells what changes one tile while a map is made. After each step the tile is compared with
 * what was on it before: so a piece is told only if it changed something, and a chunk only by
 * the pieces in it that did.
 */
#include "core/array.h"
#include "mapgen/run/run_impl.h"

#include <stdlib.h>

/* Returns where the traced tile lies on the map at present. t->x, t->y are its place after all
 * rotations, and the map is still to be rotated by t->turns. */
static void tile_now(const mapgen_trace *t, int *x, int *y)
{
    *x = t->x;
    *y = t->y;
    for (int i = 0; i < (t->turns & 3); i++) {
        const int before = *x;
        *x = *y;
        *y = LOCAL_SIDE - 1 - before;
    }
}

static void tell(mapgen_trace *t, mapgen_step *step, mapgen_traced what, uint32_t id)
{
    step->what = what;
    step->id = id;
    t->on_step(t->payload, step);
}

static bool is_on(const local_entity *e, int x, int y)
{
    return x >= e->x && x <= e->x2 && y >= e->y && y <= e->y2;
}

/* Calls the trace's on_step for each thing on the tile whose count has grown, and for each new
 * thing: these come last in the map's list. It is not called for things that were removed from
 * the map. */
static void look_at_things(const run *r, mapgen_trace *t, mapgen_step *step, int x, int y)
{
    const local_map *map = r->own;
    for (size_t i = 0; i < t->grown_count; i++) {
        step->thing = map->entities[t->grown[i]].kind;
        tell(t, step, MAPGEN_TRACED_THING, map->entities[t->grown[i]].id);
    }
    for (size_t i = t->things; i < map->count; i++) {
        if (!is_on(&map->entities[i], x, y))
            continue;
        step->thing = map->entities[i].kind;
        tell(t, step, MAPGEN_TRACED_THING, map->entities[i].id);
    }
    t->things = map->count;
    t->grown_count = 0;
}

/* If the trace is about the present map, and this thing was on the map already at the trace's
 * last step, returns the trace; else NULL. */
static mapgen_trace *trace_of(const run *r, size_t number)
{
    mapgen_trace *t = r->request->trace;
    return t && !r->other && r->map == r->own && number < t->things ? t : NULL;
}

void run_trace_removed(run *r, size_t number)
{
    mapgen_trace *t = trace_of(r, number);
    size_t kept = 0;
    if (!t)
        return;
    t->things--;
    for (size_t i = 0; i < t->grown_count; i++) {
        if (t->grown[i] != number)
            t->grown[kept++] = t->grown[i] - (t->grown[i] > number);
    }
    t->grown_count = kept;
}

void run_trace_grown(run *r, size_t number)
{
    mapgen_trace *t = trace_of(r, number);
    int x, y;
    if (!t)
        return;
    tile_now(t, &x, &y);
    bool has = !is_on(&r->own->entities[number], x, y);
    for (size_t i = 0; i < t->grown_count && !has; i++)
        has = t->grown[i] == number;
    if (!has && ARRAY_ROOM(t->grown, t->grown_room, t->grown_count + 1))
        t->grown[t->grown_count++] = number;
    else if (!has)
        r->own->failed = true;
}

void mapgen_trace_dispose(mapgen_trace *trace)
{
    free(trace->grown);
}

static void look(const run *r, mapgen_step *step)
{
    mapgen_trace *t = r->request->trace;
    const local_map *map = r->own;
    int x, y;
    tile_now(t, &x, &y);
    const size_t cell = (size_t)(y * LOCAL_SIDE + x);
    const uint32_t now[] = {map->terrain[cell], map->furniture[cell], map->trap[cell]};
    step->chance = t->chance;
    for (int i = 0; i < MAPGEN_TRACED_THING; i++) {
        if (t->now[i] != now[i])
            tell(t, step, (mapgen_traced)i, now[i]);
        t->now[i] = now[i];
    }
    look_at_things(r, t, step, x, y);
    t->chance = 1;
}

/* Returns a description of the part of the frame's entry that was put on the map just now; `by`
 * says which part that was. */
static mapgen_step step_of(const run_frame *f, run_by by)
{
    /* A mapgen_palette begins with its unit, so a pointer to that unit is also one to the
     * palette. */
    const bool own = !by.unit || by.unit == &f->entry->unit;
    mapgen_step step = {.entry = f->entry,
                        .palette = own ? NULL : (const mapgen_palette *)(const void *)by.unit,
                        .key = f->key,
                        .symbol = by.symbol,
                        .member = by.member,
                        .place = by.place,
                        .way = f->way};
    for (const run_frame *o = f->outer; o; o = o->outer)
        step.depth++;
    return step;
}

void run_trace_end(const run_frame *f, run_by by)
{
    if (!f->run->request->trace || f->run->other)
        return;
    mapgen_step step = step_of(f, by);
    look(f->run, &step);
}

void run_trace_piece(const run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                     uint32_t symbol)
{
    if (!f->run->request->trace || f->run->other)
        return;
    mapgen_step step = step_of(f, (run_by){unit, mapgen_kind_name(p->kind), symbol, p->place});
    step.spread = symbol == ID_NONE && (p->x.low != p->x.high || p->y.low != p->y.high);
    look(f->run, &step);
}

void run_trace_cut(const run_frame *f)
{
    const mapgen_trace *t = f->run->request->trace;
    if (!t->on_cut || f->run->other)
        return;
    const mapgen_step step = step_of(
        f->outer, (run_by){f->by, mapgen_kind_name(MAPGEN_NESTED), ID_NONE, f->by_place});
    t->on_cut(t->payload, &step, f->key);
}

void run_trace_code(run *r, mapgen_doer doer)
{
    mapgen_step step = {.doer = doer, .way = 1};
    if (!r->request->trace || r->other)
        return;
    r->request->trace->chance = 1;
    look(r, &step);
}
