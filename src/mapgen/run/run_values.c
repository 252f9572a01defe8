/* Values, as they are drawn. */
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

static uint32_t draw_choice(run_frame *f, rng *random, const mapgen_unit *unit,
                            const mapgen_value *v, int depth)
{
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
    return draw(f, random, unit, list[low].value, depth);
}

/* A parameter is drawn from a stream of its own, which its scope and name are the key of: it is
 * the same whenever it is asked for. */
static uint32_t parameter(run_frame *f, uint32_t name, int depth)
{
    const mapgen_request *q = f->run->request;
    const uint64_t keys[] = {[MAPGEN_OMT] = q->key,
                             [MAPGEN_NEST] = f->nest_key,
                             [MAPGEN_STACK] = q->stack_key,
                             [MAPGEN_SPECIAL] = q->special_key};
    for (uint32_t i = f->layers.count; i-- > 0;) {
        const mapgen_unit *unit = f->layers.units[i];
        (void)run_touch(f->run, unit->parameter_count);
        for (uint32_t k = 0; k < unit->parameter_count; k++) {
            const mapgen_parameter *p = &unit->parameters[k];
            if (p->name != name)
                continue;
            rng own = rng_from_key(
                hash_add(keys[p->scope], hash_string(id_pool_text(q->pool, name))));
            return draw(f, &own, unit, p->value, depth);
        }
    }
    return ID_NONE;
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
        return draw_choice(f, random, unit, v, depth + 1);
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

/* Which palettes a frame has is drawn from a stream of its own, so that all that is drawn later
 * is the same whatever palettes are added. */
static void add_palettes(run_frame *f, rng *random, const mapgen_unit *unit, int depth)
{
    enum { PALETTES_DEPTH_MAX = 16 };
    for (uint32_t i = 0; i < unit->palette_count && depth < PALETTES_DEPTH_MAX; i++) {
        if (!run_touch(f->run, 1)) /* palettes may name each other again and again */
            return;
        const uint32_t id = draw(f, random, unit, unit->palettes[i], 0);
        const mapgen_palette *palette = mapgen_library_palette(f->run->request->library, id);
        if (!palette)
            continue;
        add_palettes(f, random, &palette->unit, depth + 1);
        if (f->layers.count < MAPGEN_LAYERS_MAX - 1)
            f->layers.units[f->layers.count++] = &palette->unit;
        else
            f->run->own->cut = true;
    }
}

void run_layers(run_frame *f)
{
    rng random = rng_from_key(hash_add(f->nest_key, hash_string("palettes")));
    const mapgen_unit *own = &f->entry->unit;
    /* The entry's own parameters are known to its palettes. */
    f->layers = (mapgen_layers){.units = {own}, .count = 1};
    add_palettes(f, &random, own, 0);
    for (uint32_t i = 0; i + 1 < f->layers.count; i++)
        f->layers.units[i] = f->layers.units[i + 1];
    f->layers.units[f->layers.count - 1] = own;
}
