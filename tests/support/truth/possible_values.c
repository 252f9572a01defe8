/* What the values and palettes of compiled mapgen may come to, for the test of truth
 * (possible.h). */
#include "support/truth/possible_impl.h"

#include "core/hash.h"

/* ---- values ---- */

typedef struct gathering {
    engine *e;
    uint32_t set;
} gathering;

static void gather(void *payload, uint32_t id)
{
    gathering *g = payload;
    g->set = id_sets_union(g->e->sets, g->set, id_sets_one(g->e->sets, id));
}

/* The ids that a value may come to, those of a parameter in all layers that define it. */
static void visit_value(engine *e, const mapgen_layers *layers, const mapgen_unit *unit,
                        uint32_t value, int depth, gathering *g)
{
    enum { VALUES_MAX = 24 };
    const mapgen_value *v = &unit->values[value];
    uint32_t picked = v->id;
    if (value == 0 || depth >= VALUES_MAX)
        return;
    const bool known = (v->kind == MAPGEN_PARAM || v->kind == MAPGEN_SWITCH) &&
                       picks_find(&e->picks, v->id, &picked);
    if (v->kind == MAPGEN_LITERAL || (v->kind == MAPGEN_PARAM && known)) {
        gather(g, picked);
        return;
    }
    bool only = false; /* the case of a parameter that is known */
    for (uint32_t i = 0; v->kind == MAPGEN_SWITCH && known && i < v->count; i++)
        only = only || unit->choices[v->first + i].key == picked;
    for (uint32_t i = 0; v->kind != MAPGEN_PARAM && i < v->count; i++)
        if (!only || unit->choices[v->first + i].key == picked)
            visit_value(e, layers, unit, unit->choices[v->first + i].value, depth + 1, g);
    if (v->kind != MAPGEN_PARAM)
        return;
    for (uint32_t i = 0; i < layers->count && !e->picks.no_parameters; i++) {
        const mapgen_unit *in = layers->units[i];
        for (uint32_t k = 0; k < in->parameter_count; k++)
            if (in->parameters[k].name == v->id)
                visit_value(e, layers, in, in->parameters[k].value, depth + 1, g);
    }
    visit_value(e, layers, unit, v->fallback, depth + 1, g);
}

uint32_t possible_values_of(engine *e, const mapgen_layers *layers, const mapgen_unit *unit,
                            uint32_t value)
{
    gathering g = {e, 0};
    visit_value(e, layers, unit, value, 0, &g);
    return g.set;
}

uint32_t possible_values(frame *f, const mapgen_unit *unit, uint32_t value)
{
    return possible_values_of(f->e, &f->layers, unit, value);
}

/* ---- layers ---- */

/* What a unit's palette is picked by: a parameter, or the place of a choice. */
static uint32_t palette_name(const mapgen_unit *unit, uint32_t k)
{
    const mapgen_value *v = &unit->values[unit->palettes[k]];
    const uint32_t choice = UINT32_C(1) << 31;
    return v->kind == MAPGEN_PARAM
               ? v->id
               : choice | (uint32_t)(hash_add(hash_add(0, (uintptr_t)unit), k) >> 33);
}

static uint32_t palettes_of(engine *e, const mapgen_layers *layers, const mapgen_unit *unit,
                            uint32_t k)
{
    uint32_t picked;
    return picks_find(&e->picks, palette_name(unit, k), &picked)
               ? id_sets_one(e->sets, picked)
               : possible_values_of(e, layers, unit, unit->palettes[k]);
}

/* Puts a palette before the unit at `at`; false: it is there, or there is none. */
static bool insert_palette(engine *e, mapgen_layers *out, uint32_t at, uint32_t id)
{
    const mapgen_palette *palette = mapgen_library_palette(e->content->library, id);
    bool there = !palette || out->count == MAPGEN_LAYERS_MAX;
    for (uint32_t i = 0; i < out->count && !there; i++)
        there = out->units[i] == &palette->unit;
    if (there)
        return false;
    for (uint32_t i = out->count++; i > at; i--)
        out->units[i] = out->units[i - 1];
    out->units[at] = &palette->unit;
    return true;
}

/* The unit and the palettes that it may use, each behind those that it includes. */
void possible_layers(engine *e, mapgen_layers *out, const mapgen_unit *unit)
{
    out->count = 1;
    out->cut = false;
    out->units[0] = unit;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t at = 0; at < out->count; at++)
            for (uint32_t k = 0; k < out->units[at]->palette_count; k++) {
                size_t count;
                const uint32_t set = palettes_of(e, out, out->units[at], k);
                id_sets_items(e->sets, set, &count);
                for (size_t i = 0; i < count; i++)
                    if (insert_palette(e, out, at, id_sets_items(e->sets, set, &count)[i])) {
                        at++;
                        more = true;
                    }
            }
    }
}

static bool is_open(engine *e, uint32_t name, uint32_t ids)
{
    size_t count;
    uint32_t picked;
    id_sets_items(e->sets, ids, &count);
    return count > 1 && e->picks.count < PICKS_MAX && !picks_find(&e->picks, name, &picked);
}

/* Finds a palette that is not picked yet. */
bool possible_open_palette(engine *e, const mapgen_layers *layers, open_draw *out)
{
    for (uint32_t i = 0; i < layers->count; i++)
        for (uint32_t k = 0; k < layers->units[i]->palette_count; k++) {
            *out = (open_draw){palette_name(layers->units[i], k),
                               palettes_of(e, layers, layers->units[i], k)};
            if (is_open(e, out->name, out->ids))
                return true;
        }
    return false;
}

/* Finds a parameter that is not picked yet. */
bool possible_open_parameter(engine *e, const mapgen_layers *layers, open_draw *out)
{
    for (uint32_t i = layers->count; i-- > 0;) {
        const mapgen_unit *unit = layers->units[i];
        for (uint32_t k = 0; k < unit->parameter_count && !e->picks.no_parameters; k++) {
            *out = (open_draw){unit->parameters[k].name,
                               possible_values_of(e, layers, unit, unit->parameters[k].value)};
            if (is_open(e, out->name, out->ids))
                return true;
        }
    }
    return false;
}

void possible_pick(engine *e, const open_draw *d, size_t i)
{
    size_t count;
    const uint32_t id = id_sets_items(e->sets, d->ids, &count)[i];
    e->picks.items[e->picks.count].name = d->name;
    e->picks.items[e->picks.count++].id = id;
}

/* Terrains of a value: all, or those that count. */
uint32_t possible_terrains(frame *f, const mapgen_unit *unit, uint32_t value)
{
    const possible_content *c = f->e->content;
    const shares_source from = {c->settings, c->tiles, &f->layers, false, &f->e->picks};
    id_shares shares;
    if (f->e->options.coverage >= 1)
        return possible_values(f, unit, value);
    shares_of_value(&shares, &from, unit, value);
    return shares_set(&shares, f->e->sets, f->e->options.coverage);
}

/* The set with what a pseudo id stands for, and present ids for those of before. */
uint32_t possible_real(engine *e, uint32_t set, bool furniture, int depth)
{
    const possible_content *c = e->content;
    size_t count;
    uint32_t out = 0;
    const uint32_t *items = id_sets_items(e->sets, set, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = furniture ? mapgen_furniture_now(c->tiles, items[i])
                                      : mapgen_terrain_now(c->tiles, items[i]);
        const ground_weights *w = depth < 8 ? ground_pseudo_of(c->settings, id) : NULL;
        uint32_t more = w ? 0 : id_sets_one(e->sets, id);
        for (uint32_t k = 0; w && k < w->count; k++)
            more = id_sets_union(e->sets, more, id_sets_one(e->sets, w->items[k].id));
        if (w)
            more = possible_real(e, more, furniture, depth + 1);
        out = id_sets_union(e->sets, out, more);
        items = id_sets_items(e->sets, set, &count);
    }
    return out;
}
