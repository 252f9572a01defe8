/*
 * Tells what changes one tile while a map is made. After each step the tile is compared with
 * what was on it before: so a piece is told only if it changed something, and a chunk only by
 * the pieces in it that did.
 */
#include "mapgen/run/run_impl.h"

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

/* Calls the trace's on_step for each thing on the tile that was added to the map's list since
 * the last step. Things that were removed from the map are not told. */
static void look_at_things(const run *r, mapgen_trace *t, mapgen_step *step, int x, int y)
{
    const local_map *map = r->own;
    for (size_t i = t->things; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        if (x < e->x || x > e->x2 || y < e->y || y > e->y2)
            continue;
        step->thing = e->kind;
        tell(t, step, MAPGEN_TRACED_THING, e->id);
    }
    t->things = map->count;
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

/* Returns a description of what was drawn last of the frame's entry; `by` says which part of
 * the entry that was. */
static mapgen_step step_of(const run_frame *f, run_by by)
{
    /* The unit is the first member of its palette. */
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
