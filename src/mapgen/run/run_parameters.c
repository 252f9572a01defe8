/* Finds the unit that defines a parameter, by the games' rules. */
#include "core/array.h"
#include "mapgen/run/run_impl.h"

static run_definition last_of(const mapgen_layers *layers, uint32_t name)
{
    run_definition d = {NULL, NULL};
    for (uint32_t i = layers->count; i-- > 0 && !d.parameter;)
        d = (run_definition){mapgen_parameter_of(layers->units[i], name), layers->units[i]};
    return d;
}

/* ---- in chunks ---- */

/* The chunks that may be put on a map, in the order in which they were found. */
typedef struct chunks {
    uint32_t *ids; /* owned */
    size_t count, room;
    bool failed;
} chunks;

static void add_chunk(void *payload, uint32_t id)
{
    chunks *c = payload;
    for (size_t i = 0; i < c->count; i++)
        if (c->ids[i] == id)
            return;
    c->failed = c->failed || !ARRAY_ROOM(c->ids, c->room, c->count + 1);
    if (!c->failed)
        c->ids[c->count++] = id;
}

/* Finds a definition in the entries of a chunk, unless its scope is the chunk alone. The
 * chunks that those entries place are added to `c`. */
static run_definition in_chunk(run *r, chunks *c, uint32_t chunk, uint32_t name)
{
    run_definition d = {NULL, NULL};
    mapgen_library *library = r->request->library;
    const mapgen_candidate *next = mapgen_library_first(library, MAPGEN_CHUNK, chunk);
    for (; next && !d.parameter; next = mapgen_library_next(next)) {
        mapgen_layers layers;
        mapgen_layers_possible(&layers, library, &next->entry->unit);
        /* Counts each palette that is looked at as a piece. */
        bool left = true;
        for (uint32_t i = 0; i < layers.count && left; i++)
            left = run_spend(r);
        if (!left)
            return d;
        d = last_of(&layers, name);
        if (d.parameter && d.parameter->scope == MAPGEN_NEST)
            d = (run_definition){NULL, NULL};
        (void)mapgen_layers_chunks(&layers, add_chunk, c);
    }
    return d;
}

/* Finds a definition in the chunks of the frame's entry, and in chunks inside these. */
static run_definition in_chunks(run_frame *f, uint32_t name)
{
    enum { SOUGHT = sizeof f->run->sought / sizeof f->run->sought[0] };
    run *r = f->run;
    for (size_t i = 0; i < SOUGHT; i++)
        if (r->sought[i].entry == f->entry && r->sought[i].name == name)
            return r->sought[i].found;
    run_definition d = {NULL, NULL};
    chunks c = {NULL, 0, 0, false};
    (void)mapgen_layers_chunks(&f->possible, add_chunk, &c);
    for (size_t i = 0; i < c.count && !d.parameter && !r->own->cut; i++)
        d = in_chunk(r, &c, c.ids[i], name);
    r->own->failed = r->own->failed || c.failed;
    free(c.ids);
    r->sought[r->next_sought++ % SOUGHT] = (run_sought){f->entry, name, d};
    return d;
}

/* ---- in a frame, and around it ---- */

/* Looks for a definition in a frame: in the entry itself, then in palettes that are being
 * drawn, that were drawn, that might be drawn, and last in chunks. */
static run_definition in_frame(run_frame *f, uint32_t name)
{
    const mapgen_unit *own = &f->entry->unit;
    run_definition d = {mapgen_parameter_of(own, name), own};
    for (uint32_t i = 0; i < f->open.count && !d.parameter; i++)
        d = (run_definition){mapgen_parameter_of(f->open.units[i], name), f->open.units[i]};
    if (!d.parameter)
        d = last_of(&f->layers, name);
    if (!d.parameter && f->possible.count == 0)
        mapgen_layers_possible(&f->possible, f->run->request->library, own);
    if (!d.parameter)
        d = last_of(&f->possible, name);
    return d.parameter ? d : in_chunks(f, name);
}

run_definition run_find_parameter(run_frame **frame, uint32_t name)
{
    run_definition d = in_frame(*frame, name);
    while (!d.parameter && (*frame)->outer) {
        *frame = (*frame)->outer;
        d = in_frame(*frame, name);
    }
    return d;
}
