/* The ids that values may have, with their probabilities; parameters; palettes. The rules are
 * those of run/run_values.c. */
#include "core/hash.h"
#include "mapgen/odds/scene.h"

enum { VALUES_DEPTH_MAX = 64, ALL = 100 };

void shares_add(odds *o, shares *list, uint32_t id, double part)
{
    for (size_t i = 0; i < list->count && list->count <= 32; i++)
        if (list->items[i].id == id) {
            list->items[i].share += part;
            return;
        }
    o->failed = o->failed || !ARRAY_ROOM(list->items, list->room, list->count + 1);
    if (!o->failed)
        list->items[list->count++] = (share){id, part};
}

void shares_free(shares *list)
{
    free(list->items);
    *list = (shares){NULL, 0, 0};
}

double scene_chance(const mapgen_piece *p)
{
    const int64_t low = p->chance.low, high = p->chance.high;
    const double count = (double)(high - low) + 1;
    double sum = 0;
    if (p->flags & MAPGEN_ONE_IN) {
        /* The number N is drawn from low to high. This loop computes the mean of the chance
         * 1/N. From low + EXACT on, the numbers 1/N are so small that a logarithm stands for
         * their sum. */
        enum { EXACT = 1 << 20 };
        for (int64_t n = low; n <= high && n < low + EXACT; n++)
            sum += n <= 1 ? 1 : 1 / (double)n;
        if (high >= low + EXACT)
            sum += log((double)high / (double)(low + EXACT));
        return sum / count;
    }
    for (int64_t n = low > 0 ? low : 0; n <= high && n < ALL; n++)
        sum += (double)n / ALL;
    if (high >= ALL)
        sum += (double)(high - (low > ALL ? low : ALL)) + 1;
    return sum / count;
}

/* ---- parameters ---- */

/* A parameter and the unit that defines it. */
typedef struct definition {
    const mapgen_parameter *parameter;
    const mapgen_unit *unit;
} definition;

static definition last_of(const mapgen_layers *layers, uint32_t name)
{
    definition d = {NULL, NULL};
    for (uint32_t i = layers->count; i-- > 0 && !d.parameter;)
        d = (definition){mapgen_parameter_of(layers->units[i], name), layers->units[i]};
    return d;
}

/* The chunks that pieces may put on a map, in the order in which the search has found them. */
typedef struct found_chunks {
    uint32_t *ids; /* owned */
    size_t count, room;
    by_id seen; /* for each chunk's id (a uint32_t): was the chunk found already? */
    bool failed;
} found_chunks;

static void add_chunk(void *payload, uint32_t id)
{
    found_chunks *c = payload;
    uint32_t *seen = by_id_make(&c->seen, id, sizeof *seen);
    if (seen && *seen)
        return;
    c->failed = c->failed || !seen || !ARRAY_ROOM(c->ids, c->room, c->count + 1);
    if (!c->failed) {
        *seen = 1;
        c->ids[c->count++] = id;
    }
}

/*
 * Looks for the definition of a parameter in the chunks that the drawing's pieces may place,
 * and in the chunks that those place.
 */
static definition in_chunks(scene_frame *f, uint32_t name)
{
    mapgen_library *library = f->m->o->source.library;
    definition d = {NULL, NULL};
    found_chunks c = {NULL, 0, 0, {NULL, 0, NULL, 0, 0}, false};
    (void)mapgen_layers_chunks(&f->possible, add_chunk, &c);
    for (size_t i = 0; i < c.count && !d.parameter; i++) {
        const mapgen_candidate *next = mapgen_library_first(library, MAPGEN_CHUNK, c.ids[i]);
        for (; next && !d.parameter; next = next->next) {
            mapgen_layers layers;
            mapgen_layers_possible(&layers, library, &next->entry->unit);
            if (!odds_go(f->m->o, layers.count))
                break;
            d = last_of(&layers, name);
            if (d.parameter && d.parameter->scope == MAPGEN_NEST)
                d = (definition){NULL, NULL};
            (void)mapgen_layers_chunks(&layers, add_chunk, &c);
        }
    }
    f->m->o->failed = f->m->o->failed || c.failed;
    free(c.ids);
    by_id_dispose(&c.seen);
    return d;
}

static definition in_frame(scene_frame *f, uint32_t name)
{
    const mapgen_unit *own = &f->entry->unit;
    definition d = {mapgen_parameter_of(own, name), own};
    for (uint32_t i = 0; i < f->open.count && !d.parameter; i++)
        d = (definition){mapgen_parameter_of(f->open.units[i], name), f->open.units[i]};
    if (!d.parameter)
        d = last_of(&f->layers, name);
    if (!d.parameter && f->possible.count == 0)
        mapgen_layers_possible(&f->possible, f->m->o->source.library, own);
    if (!d.parameter)
        d = last_of(&f->possible, name);
    return d.parameter ? d : in_chunks(f, name);
}

static void add_values(shares *out, scene_frame *f, const mapgen_unit *unit, uint32_t value,
                       double part, int depth);

/* Returns the parameter's value if it is decided already, or if only one value (of `value`,
 * which `unit` defines) is possible. Otherwise returns ID_NONE and sets m->asked, so that the
 * computation is begun anew for each possible value. */
static uint32_t decide(scene_frame *f, scene_parameter wanted, const mapgen_unit *unit,
                       uint32_t value, int depth)
{
    scene *m = f->m;
    for (int i = 0; i < m->parameter_count; i++) {
        const scene_parameter *p = &m->parameters[i];
        if (p->name == wanted.name && p->frame == wanted.frame &&
            (p->scope != wanted.scope || p->defined != wanted.defined))
            /* Two parameters of the same name get their values from the same random numbers:
             * they are not independent. */
            m->o->doubts |= ODDS_PARAMETERS;
        if (p->name == wanted.name && p->scope == wanted.scope && p->frame == wanted.frame &&
            p->defined == wanted.defined)
            return p->id;
    }
    shares values = {NULL, 0, 0};
    add_values(&values, f, unit, value, 1, depth);
    if (scene_halted(m)) {
        shares_free(&values);
        return ID_NONE;
    }
    if (values.count == 1) {
        const uint32_t id = values.items[0].id;
        shares_free(&values);
        return id;
    }
    if (m->parameter_count == SCENE_PARAMETERS_MAX)
        m->o->doubts |= ODDS_PARAMETERS;
    shares_free(&m->values);
    m->values = values;
    m->wanted = wanted;
    m->asked = m->parameter_count < SCENE_PARAMETERS_MAX;
    return ID_NONE;
}

static uint32_t parameter(scene_frame *f, uint32_t name, int depth)
{
    definition d = in_frame(f, name);
    while (!d.parameter && f->outer) {
        f = f->outer;
        d = in_frame(f, name);
    }
    if (!d.parameter || scene_halted(f->m))
        return ID_NONE;
    const bool own = d.parameter->scope == MAPGEN_NEST && f->nested;
    const mapgen_scope scope =
        d.parameter->scope == MAPGEN_NEST && !own ? MAPGEN_OMT : d.parameter->scope;
    const scene_parameter wanted = {name, scope, own ? f : NULL, d.parameter, ID_NONE};
    if (own && f->repeated)
        f->m->o->doubts |= ODDS_PARAMETERS;
    return decide(f, wanted, d.unit, d.parameter->value, depth);
}

/* ---- values ---- */

static void add_switch(shares *out, scene_frame *f, const mapgen_unit *unit,
                       const mapgen_value *v, double part, int depth)
{
    shares keys = {NULL, 0, 0};
    const uint32_t key = parameter(f, v->id, depth);
    if (scene_halted(f->m))
        return;
    if (key != ID_NONE)
        shares_add(f->m->o, &keys, key, 1);
    else
        add_values(&keys, f, unit, v->fallback, 1, depth);
    for (size_t k = 0; k < keys.count && odds_go(f->m->o, v->count + 1); k++) {
        uint32_t i = 0;
        while (i < v->count && unit->choices[v->first + i].key != keys.items[k].id)
            i++;
        if (i < v->count)
            add_values(out, f, unit, unit->choices[v->first + i].value,
                       part * keys.items[k].share, depth);
        else
            shares_add(f->m->o, out, ID_NONE, part * keys.items[k].share);
    }
    shares_free(&keys);
}

/* Adds to `out` the ids that a value may have. The probability of each is multiplied by `part`,
 * which is that of the value itself. */
static void add_values(shares *out, scene_frame *f, const mapgen_unit *unit, uint32_t value,
                       double part, int depth)
{
    odds *o = f->m->o;
    const mapgen_value *v = &unit->values[value];
    if (value == 0 || depth > VALUES_DEPTH_MAX) {
        shares_add(o, out, ID_NONE, part);
        return;
    }
    if (!odds_go(o, 1) || scene_halted(f->m))
        return;
    if (v->kind == MAPGEN_LITERAL || (v->kind == MAPGEN_CHOICE && v->count == 0)) {
        shares_add(o, out, v->kind == MAPGEN_LITERAL ? v->id : ID_NONE, part);
    } else if (v->kind == MAPGEN_CHOICE) {
        const mapgen_choice *list = &unit->choices[v->first];
        const double sum = list[v->count - 1].key;
        for (uint32_t i = 0; i < v->count && !scene_halted(f->m); i++)
            add_values(out, f, unit, list[i].value,
                       part * (list[i].key - (i > 0 ? list[i - 1].key : 0)) / sum, depth + 1);
    } else if (v->kind == MAPGEN_SWITCH) {
        add_switch(out, f, unit, v, part, depth + 1);
    } else {
        const uint32_t id = parameter(f, v->id, depth + 1);
        if (scene_halted(f->m))
            return;
        if (id != ID_NONE)
            shares_add(o, out, id, part);
        else
            add_values(out, f, unit, v->fallback, part, depth + 1);
    }
}

void scene_values(shares *out, scene_frame *f, const mapgen_unit *unit, uint32_t value)
{
    add_values(out, f, unit, value, 1, 0);
}

/* ---- walls ---- */

typedef struct wall_search {
    const mapgen_tiles *tiles;
    bool found;
} wall_search;

static void look_for_wall(void *payload, uint32_t id)
{
    wall_search *w = payload;
    const uint16_t flags =
        mapgen_terrain_tile(w->tiles, mapgen_terrain_now(w->tiles, id)).flags;
    w->found = w->found || ((flags & MAPGEN_TILE_WALL) && !(flags & MAPGEN_TILE_PLACE_ITEM));
}

/* May a value be a wall? `layers` define its parameters. */
static bool may_be_wall(scene *m, const mapgen_layers *layers, const mapgen_unit *unit,
                        uint32_t value)
{
    wall_search w = {m->o->source.tiles, false};
    m->o->failed = !mapgen_value_visit(layers, unit, value, look_for_wall, &w) || m->o->failed;
    return w.found;
}

bool scene_is_wall(const scene_frame *f, const mapgen_unit *unit, uint32_t value)
{
    /* If no palette of this drawing defines the parameter, the drawing that places this one may
     * define it. */
    const mapgen_value_kind kind = unit->values[value].kind;
    return may_be_wall(f->m, &f->layers, unit, value) ||
           ((kind == MAPGEN_PARAM || kind == MAPGEN_SWITCH) && f->outer &&
            scene_is_wall(f->outer, unit, value));
}

/* ---- palettes ---- */

bool scene_is_idle(mapgen_kind kind)
{
    static const uint64_t idle =
        1u << MAPGEN_FURNITURE | 1u << MAPGEN_FIELD | 1u << MAPGEN_NPC | 1u << MAPGEN_SIGN |
        1u << MAPGEN_TRAP | 1u << MAPGEN_COMPUTER | 1u << MAPGEN_GRAFFITI | 1u << MAPGEN_ZONE |
        1u << MAPGEN_TRANSFORM | 1u << MAPGEN_RUBBLE | 1u << MAPGEN_TRANSLATE |
        1u << MAPGEN_OWNER | 1u << MAPGEN_CORPSE | 1u << MAPGEN_REMOVE_NPCS |
        1u << MAPGEN_VARIABLE;
    return idle >> kind & 1;
}

/* Returns whether any figure depends on the choice of this palette, or of a palette that it may
 * include. */
static bool unit_matters(scene *m, const mapgen_unit *unit)
{
    mapgen_layers layers;
    bool matters = false;
    mapgen_layers_possible(&layers, m->o->source.library, unit);
    for (uint32_t i = 0; i < layers.count && !matters; i++) {
        const mapgen_unit *u = layers.units[i];
        matters = u->parameter_count > 0;
        for (uint32_t k = 1; k < u->piece_count && !matters; k++)
            matters = !scene_is_idle(u->pieces[k].kind);
        for (uint32_t k = 0; k < u->meaning_count && !matters; k++)
            matters = u->meanings[k].terrain_list &&
                      may_be_wall(m, &layers, u, u->meanings[k].terrain);
        (void)odds_go(m->o, u->piece_count + u->meaning_count);
    }
    return matters || layers.cut;
}

typedef struct palette_search {
    scene *m;
    bool matters;
} palette_search;

static void on_palette(void *payload, uint32_t id)
{
    palette_search *search = payload;
    scene *m = search->m;
    const mapgen_palette *palette = mapgen_library_palette(m->o->source.library, id);
    uint32_t *known = palette ? by_id_make(&m->matters, id, sizeof *known) : NULL;
    if (known && *known == 0) {
        const uint32_t matters = unit_matters(m, &palette->unit) ? 2 : 1;
        known = by_id_make(&m->matters, id, sizeof *known);
        if (known)
            *known = matters;
    }
    m->o->failed = m->o->failed || (palette && !known);
    search->matters = search->matters || (known && *known == 2);
}

/* Returns whether the choice of a palette from this list has an influence on any figure. */
static bool list_matters(scene_frame *f, const mapgen_unit *unit, uint32_t value)
{
    palette_search search = {f->m, false};
    if (f->possible.count == 0)
        mapgen_layers_possible(&f->possible, f->m->o->source.library, &f->entry->unit);
    return !mapgen_value_visit(&f->possible, unit, value, on_palette, &search) ||
           search.matters;
}

/* Returns the palette that is chosen from a list of palettes. ID_NONE: no figure depends on the
 * choice, or the palette is not chosen yet. */
static uint32_t palette_of(scene_frame *f, const mapgen_unit *unit, uint32_t value)
{
    if (unit->values[value].kind == MAPGEN_LITERAL)
        return unit->values[value].id;
    if (!list_matters(f, unit, value))
        return ID_NONE;
    const scene_parameter wanted = {mapgen_value_hash(f->m->o->source.pool, unit, value),
                                    MAPGEN_SPECIAL, NULL, NULL, ID_NONE};
    return decide(f, wanted, unit, value, 0);
}

static void add_palettes(scene_frame *f, const mapgen_unit *unit)
{
    scene *m = f->m;
    for (uint32_t i = 0; i < unit->palette_count && odds_go(m->o, 1); i++) {
        const uint32_t id = palette_of(f, unit, unit->palettes[i]);
        const mapgen_palette *palette = mapgen_library_palette(m->o->source.library, id);
        bool open = scene_halted(m) || !palette;
        for (uint32_t k = 0; k < f->open.count && !open; k++)
            open = f->open.units[k] == &palette->unit;
        if (scene_halted(m))
            return;
        if (open)
            continue;
        if (f->open.count + f->layers.count >= MAPGEN_LAYERS_MAX - 1) {
            m->o->doubts |= ODDS_LARGE;
            return;
        }
        f->open.units[f->open.count++] = &palette->unit;
        add_palettes(f, &palette->unit);
        f->open.count--;
        f->layers.units[f->layers.count++] = &palette->unit;
    }
}

void scene_layers(scene_frame *f)
{
    f->layers.count = f->open.count = 0;
    add_palettes(f, &f->entry->unit);
    f->layers.units[f->layers.count++] = &f->entry->unit;
}
