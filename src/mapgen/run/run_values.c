/* Draws values, parameters and palettes. */
#include "mapgen/run/run_impl.h"

enum { VALUES_DEPTH_MAX = 64 };

int32_t run_range(run *r, mapgen_range range)
{
    return range.low == range.high ? range.low : rng_range(&r->random, range.low, range.high);
}

bool run_percent(run *r, int32_t percent)
{
    enum { ALL = 100 };
    return percent >= ALL || (percent > 0 && (int32_t)rng_below(&r->random, ALL) < percent);
}

bool run_chance(run *r, const mapgen_piece *p)
{
    const int32_t chance = run_range(r, p->chance);
    return p->flags & MAPGEN_ONE_IN ? rng_one_in(&r->random, chance) : run_percent(r, chance);
}

/* ---- values ---- */

static uint32_t draw(run_frame *f, rng *random, const mapgen_unit *unit, uint32_t value,
                     int depth);

/* Draws a parameter from a stream that is keyed by its scope and name, so that it is the same
 * whenever it is asked for. */
static uint32_t parameter(run_frame *f, uint32_t name, int depth)
{
    const run_definition d = run_find_parameter(&f, name);
    if (!d.parameter || !run_spend(f->run))
        return ID_NONE;
    const mapgen_request *q = f->run->request;
    const uint64_t keys[] = {[MAPGEN_OMT] = q->key,
                             [MAPGEN_NEST] = f->nest_key,
                             [MAPGEN_STACK] = q->stack_key,
                             [MAPGEN_SPECIAL] = q->special_key};
    rng own = rng_from_key(
        hash_add(keys[d.parameter->scope], hash_string(id_pool_text(q->pool, name))));
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

/* Returns a hash of what a value says. Equal values have the same one, whatever their unit. */
static uint64_t hash_value(const id_pool *pool, const mapgen_unit *unit, uint32_t value)
{
    const mapgen_value *v = &unit->values[value];
    uint64_t hash = hash_add(hash_string("value"), (uint64_t)v->kind);
    if (value == 0)
        return 0;
    if (v->kind != MAPGEN_CHOICE)
        hash = hash_add(hash, hash_string(id_pool_text(pool, v->id)));
    for (uint32_t i = 0; i < v->count; i++) {
        const mapgen_choice *c = &unit->choices[v->first + i];
        const uint64_t key =
            v->kind == MAPGEN_SWITCH ? hash_string(id_pool_text(pool, c->key)) : c->key;
        hash = hash_add(hash_add(hash, key), hash_value(pool, unit, c->value));
    }
    return hash_add(hash, hash_value(pool, unit, v->fallback));
}

static bool is_open(const run_frame *f, const mapgen_unit *unit)
{
    bool open = false;
    for (uint32_t i = 0; i < f->open.count; i++)
        open = open || f->open.units[i] == unit;
    return open;
}

/* Adds the palettes of a unit. A palette that includes itself, directly or through others, is
 * ignored there. */
static void add_palettes(run_frame *f, const mapgen_unit *unit)
{
    for (uint32_t i = 0; i < unit->palette_count && !f->run->own->cut; i++) {
        if (!run_touch(f->run, 1)) /* palettes may include each other many times */
            return;
        /* A choice among palettes is drawn once for a whole special or building, like a
         * parameter without a name (schema/mapgen.md), so that all its maps get the same
         * palette. */
        const uint32_t value = unit->palettes[i];
        const mapgen_request *q = f->run->request;
        const mapgen_value *v = &unit->values[value];
        uint32_t id = v->id;
        if (v->kind != MAPGEN_LITERAL) {
            rng own = rng_from_key(hash_add(q->special_key, hash_value(q->pool, unit, value)));
            id = draw(f, &own, unit, value, 0);
        }
        const mapgen_palette *palette = mapgen_library_palette(q->library, id);
        if (!palette || is_open(f, &palette->unit))
            continue;
        /* One place is kept for the entry itself. */
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
