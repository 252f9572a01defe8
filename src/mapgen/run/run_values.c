/* Chooses values, parameters and palettes at random. */
#include "core/array.h"
#include "mapgen/run/run_impl.h"

enum { VALUES_DEPTH_MAX = 64 };

int32_t run_range(run *r, mapgen_range range)
{
    return range.low == range.high ? range.low : rng_range(&r->random, range.low, range.high);
}

bool run_percent(run *r, int32_t percent)
{
    enum { ALL = 100 };
    const bool holds =
        percent >= ALL || (percent > 0 && (int32_t)rng_below(&r->random, ALL) < percent);
    if (percent > 0 && percent < ALL)
        run_trace_chance(r, (holds ? percent : ALL - percent) / (double)ALL);
    return holds;
}

bool run_chance(run *r, const mapgen_piece *p)
{
    const int32_t chance = run_range(r, p->chance);
    if (!(p->flags & MAPGEN_ONE_IN))
        return run_percent(r, chance);
    run_trace_chance(r, chance > 1 ? 1.0 / chance : 1);
    return rng_one_in(&r->random, chance);
}

/* ---- values ---- */

static uint32_t draw(run_frame *f, rng *random, const mapgen_unit *unit, uint32_t value,
                     int depth);

/* Finds which of the palettes and entries in `layers` defines a parameter, by the games' rules.
 */

static run_definition last_of(const mapgen_layers *layers, uint32_t name)
{
    run_definition d = {NULL, NULL};
    for (uint32_t i = layers->count; i-- > 0 && !d.parameter;)
        d = (run_definition){mapgen_parameter_of(layers->units[i], name), layers->units[i]};
    return d;
}

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

/* Finds the definition of a parameter in the entries of a chunk, unless the parameter's scope
 * is that chunk alone. The chunks that those entries place are added to `c`. */
static run_definition in_chunk(run *r, chunks *c, uint32_t chunk, uint32_t name)
{
    run_definition d = {NULL, NULL};
    mapgen_library *library = r->request->library;
    const mapgen_candidate *next = mapgen_library_first(library, MAPGEN_CHUNK, chunk);
    for (; next && !d.parameter; next = next->next) {
        mapgen_layers layers;
        mapgen_layers_possible(&layers, library, &next->entry->unit);
        /* Each palette that is searched takes as much of the map's budget as a piece does. */
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

/* Finds the definition of a parameter in the chunks that the entry which is being drawn may
 * place, and in chunks inside of these. */
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

/* Looks for the definition of a parameter that the frame's entry uses: in the entry itself,
 * then in its palettes (first those that are just being chosen, then those already chosen, then
 * those that might be chosen), and last in the chunks that it may place. */
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

static void note_known(void *payload, uint32_t id)
{
    mapgen_given *given = payload;
    given->listed = given->listed || given->value == id;
}

/* Returns the value that the caller gives to a parameter, and notes whether the content lists
 * it. */
static uint32_t given_value(run_frame *f, mapgen_given *given, run_definition d)
{
    given->used = true;
    if (!given->listed)
        f->run->own->failed =
            !mapgen_value_visit(&f->possible, d.unit, d.parameter->value, note_known, given) ||
            f->run->own->failed;
    return given->value;
}

/* Chooses a parameter's value by a random stream whose key is made of the parameter's scope
 * and name, so that the parameter has the same value whenever it is asked for. If several
 * palettes or chunks define the parameter, in_frame decides which definition counts. If a
 * chunk finds no definition, the search goes on in the entry or chunk that places it. */
static uint32_t parameter(run_frame *f, uint32_t name, int depth)
{
    run_definition d = in_frame(f, name);
    while (!d.parameter && f->outer) {
        f = f->outer;
        d = in_frame(f, name);
    }
    if (!d.parameter || !run_spend(f->run))
        return ID_NONE;
    for (size_t i = 0; i < f->run->request->given_count; i++)
        if (f->run->request->given[i].name == name)
            return given_value(f, &f->run->request->given[i], d);
    const mapgen_request *q = f->run->request;
    const uint64_t keys[] = {[MAPGEN_OMT] = q->key,
                             [MAPGEN_NEST] = f->nest_key,
                             [MAPGEN_STACK] = q->stack_key,
                             [MAPGEN_SPECIAL] = q->special_key};
    rng own = rng_from_key(hash_add(keys[d.parameter->scope], d.parameter->hash));
    return draw(f, &own, d.unit, d.parameter->value, depth);
}

static uint32_t draw_switch(run_frame *f, rng *random, const mapgen_unit *unit,
                            const mapgen_value *v, int depth)
{
    uint32_t key = parameter(f, v->id, depth);
    if (key == ID_NONE)
        key = draw(f, random, unit, v->fallback, depth);
    for (uint32_t i = 0; i < v->count && run_touch(f->run, 1); i++)
        if (unit->choices[v->first + i].key == key)
            return draw(f, random, unit, unit->choices[v->first + i].value, depth);
    return ID_NONE;
}

static uint32_t draw(run_frame *f, rng *random, const mapgen_unit *unit, uint32_t value,
                     int depth)
{
    const mapgen_value *v = &unit->values[value];
    if (value == 0 || depth > VALUES_DEPTH_MAX || !run_touch(f->run, 1))
        return ID_NONE;
    switch (v->kind) {
    case MAPGEN_LITERAL:
        return v->id;
    case MAPGEN_CHOICE:
        if (v->count == 0)
            return ID_NONE;
        const mapgen_choice *list = &unit->choices[v->first];
        const uint32_t wanted = 1 + rng_below(random, list[v->count - 1].key);
        uint32_t low = 0, high = v->count - 1;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (list[middle].key < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        run_trace_chance(f->run, (list[low].key - (low > 0 ? list[low - 1].key : 0)) /
                                     (double)list[v->count - 1].key);
        return draw(f, random, unit, list[low].value, depth + 1);
    case MAPGEN_SWITCH:
        return draw_switch(f, random, unit, v, depth + 1);
    case MAPGEN_PARAM:
        break;
    }
    const uint32_t id = parameter(f, v->id, depth + 1);
    return id != ID_NONE ? id : draw(f, random, unit, v->fallback, depth + 1);
}

uint32_t run_value(run_frame *f, const mapgen_unit *unit, uint32_t value)
{
    const mapgen_value *v = &unit->values[value];
    return v->kind == MAPGEN_LITERAL ? v->id : draw(f, &f->run->random, unit, value, 0);
}

/* ---- palettes ---- */

static bool is_open(const run_frame *f, const mapgen_unit *unit)
{
    bool open = false;
    for (uint32_t i = 0; i < f->open.count; i++)
        open = open || f->open.units[i] == unit;
    return open;
}

/* Adds palettes to the list of palettes of the entry that is being put on the map: those that a
 * palette or entry (`unit`) includes, some of them chosen at random. If a palette includes
 * itself, directly or through others, that inclusion is ignored. */
static void add_palettes(run_frame *f, const mapgen_unit *unit)
{
    for (uint32_t i = 0; i < unit->palette_count && !f->run->own->cut; i++) {
        /* Each palette counts as work, because palettes may include each other many times. */
        if (!run_touch(f->run, 1))
            return;
        /* A choice among palettes is made once, at random, for a whole special or building,
         * like a parameter without a name (schema/mapgen.md), so that all its maps get the
         * same palette. */
        const uint32_t value = unit->palettes[i];
        const mapgen_request *q = f->run->request;
        const mapgen_value *v = &unit->values[value];
        uint32_t id = v->id;
        if (v->kind != MAPGEN_LITERAL) {
            rng own =
                rng_from_key(hash_add(q->special_key, mapgen_value_hash(q->pool, unit, value)));
            id = draw(f, &own, unit, value, 0);
        }
        const mapgen_palette *palette = mapgen_library_palette(q->library, id);
        if (!palette || is_open(f, &palette->unit))
            continue;
        /* The list of palettes must still have room for the entry itself, which comes last. */
        if (f->open.count + f->layers.count >= MAPGEN_LAYERS_MAX - 1) {
            f->run->own->cut = true;
            return;
        }
        f->open.units[f->open.count++] = &palette->unit;
        add_palettes(f, &palette->unit);
        f->open.count--;
        f->layers.units[f->layers.count++] = &palette->unit;
    }
}

void run_layers(run_frame *f)
{
    f->layers.count = 0;
    add_palettes(f, &f->entry->unit);
    f->layers.units[f->layers.count++] = &f->entry->unit;
}
