#include "mapgen/compile/library.h"

#include "core/array.h"
#include "core/hash.h"
#include "mapgen/compile/by_id.h"

#include <stdlib.h>

enum { ROLES = 3 };

/* The palette and the entries that are registered under one id. */
typedef struct library_slot {
    const mapgen_palette *palette;
    mapgen_candidate *first[ROLES], *last[ROLES]; /* in the arena */
    bool palette_asked, entries_asked;            /* the library's source was already asked for
                                                     the palette, or for the entries, of this id */
    uint32_t uniform, ground;
    /* The set of levels on which maps of this id put something, together with the bit `known`;
     * 0: not computed. */
    uint64_t levels;
    uint64_t seen; /* during a search: the levels for which this chunk was already looked at */
} library_slot;

/* A chunk that a search for levels has still to look at, with the levels on which the chunk may
 * stand. */
typedef struct pending {
    uint32_t id;
    uint64_t levels;
} pending;

struct mapgen_library {
    by_id slots;   /* owned; library_slot structs, found by an id */
    arena *memory; /* owned; memory of the mapgen_candidates */
    mapgen_source source;
    bool failed;
    pending *stack; /* owned */
    size_t stack_count, stack_room;
    uint32_t *touched; /* owned: the chunks whose `seen` is not 0 */
    size_t touched_count, touched_room;
};

mapgen_library *mapgen_library_new(void)
{
    mapgen_library *library = calloc(1, sizeof *library);
    if (!library)
        return NULL;
    library->memory = arena_new();
    if (library->memory)
        return library;
    free(library);
    return NULL;
}

void mapgen_library_free(mapgen_library *library)
{
    if (!library)
        return;
    arena_free(library->memory);
    by_id_dispose(&library->slots);
    free(library->stack);
    free(library->touched);
    free(library);
}

void mapgen_library_set_source(mapgen_library *library, const mapgen_source *source)
{
    library->source = *source;
}

bool mapgen_library_failed(const mapgen_library *library)
{
    return library->failed;
}

static library_slot *slot_of(mapgen_library *library, uint32_t id)
{
    return by_id_make(&library->slots, id, sizeof(library_slot));
}

static const library_slot *find_slot(const mapgen_library *library, uint32_t id)
{
    return by_id_find(&library->slots, id, sizeof(library_slot));
}

bool mapgen_library_add_palette(mapgen_library *library, const mapgen_palette *palette)
{
    library_slot *slot = slot_of(library, palette->id);
    if (slot)
        slot->palette = palette;
    return slot != NULL;
}

static bool add_candidate(mapgen_library *library, const mapgen_entry *entry,
                          const mapgen_key *key)
{
    library_slot *slot = slot_of(library, key->id);
    mapgen_candidate *candidate = arena_alloc(library->memory, sizeof *candidate);
    if (!slot || !candidate)
        return false;
    *candidate = (mapgen_candidate){entry, key->row, key->column, NULL};
    if (slot->last[entry->role])
        slot->last[entry->role]->next = candidate;
    else
        slot->first[entry->role] = candidate;
    slot->last[entry->role] = candidate;
    return true;
}

bool mapgen_library_add_entry(mapgen_library *library, const mapgen_entry *entry)
{
    return mapgen_library_add_entry_of(library, entry, ID_NONE);
}

bool mapgen_library_add_entry_of(mapgen_library *library, const mapgen_entry *entry,
                                 uint32_t key)
{
    bool good = true;
    for (uint32_t i = 0; i < entry->key_count && good && entry->weight > 0; i++)
        if (key == ID_NONE || entry->keys[i].id == key)
            good = add_candidate(library, entry, &entry->keys[i]);
    return good;
}

bool mapgen_library_set_uniform(mapgen_library *library, uint32_t key, uint32_t terrain)
{
    library_slot *slot = slot_of(library, key);
    if (slot)
        slot->uniform = terrain;
    return slot != NULL;
}

uint32_t mapgen_library_uniform(const mapgen_library *library, uint32_t key)
{
    const library_slot *slot = find_slot(library, key);
    return slot ? slot->uniform : ID_NONE;
}

bool mapgen_library_set_ground(mapgen_library *library, uint32_t key, uint32_t type)
{
    library_slot *slot = slot_of(library, key);
    if (slot)
        slot->ground = type;
    return slot != NULL;
}

uint32_t mapgen_library_ground(const mapgen_library *library, uint32_t key)
{
    const library_slot *slot = find_slot(library, key);
    return slot && slot->ground != ID_NONE ? slot->ground : key;
}

/* Returns what the library knows under an id, its library_slot. When the id is asked for the
 * first time, the library's source reads what the content has under it. NULL: the content has
 * nothing there. */
static const library_slot *ask(mapgen_library *library, mapgen_sort sort, uint32_t id)
{
    if (id == ID_NONE)
        return NULL;
    if (!library->source.load)
        return find_slot(library, id);
    library_slot *slot = slot_of(library, id);
    library->failed = library->failed || !slot;
    if (!slot)
        return NULL;
    bool *asked = sort == MAPGEN_SORT_PALETTE ? &slot->palette_asked : &slot->entries_asked;
    if (*asked)
        return slot;
    *asked = true;
    library->source.load(library->source.payload, sort, id);
    return find_slot(library, id);
}

const mapgen_palette *mapgen_library_palette(mapgen_library *library, uint32_t id)
{
    const library_slot *slot = ask(library, MAPGEN_SORT_PALETTE, id);
    return slot ? slot->palette : NULL;
}

const mapgen_candidate *mapgen_library_first(mapgen_library *library, mapgen_role role,
                                             uint32_t key)
{
    const library_slot *slot = ask(library, MAPGEN_SORT_ENTRIES, key);
    return slot ? slot->first[role] : NULL;
}

const mapgen_meaning *mapgen_meaning_of(const mapgen_unit *unit, uint32_t symbol)
{
    /* A binary search whose steps have no branch that a processor could guess wrong. */
    const mapgen_meaning *first = unit->meanings;
    uint32_t count = unit->meaning_count;
    for (; count > 1; count -= count / 2)
        first += first[count / 2].symbol <= symbol ? count / 2 : 0;
    return count == 1 && first->symbol == symbol ? first : NULL;
}

/* ---- the ids that a value may have ---- */

typedef struct value_walk {
    const mapgen_layers *layers;
    mapgen_visit *visit;
    void *payload;
    int depth;
    /* Owned; the parameters that the walk has come to already. It may come to a parameter
     * again, as the default of another one. */
    uint32_t *seen;
    size_t seen_count, seen_room;
    bool failed; /* memory was out */
} value_walk;

/* Is this the first time that the walk comes to the parameter? Only then are the ids that the
 * parameter may have passed to the callback. */
static bool is_new(value_walk *w, uint32_t name)
{
    for (size_t i = 0; i < w->seen_count; i++)
        if (w->seen[i] == name)
            return false;
    w->failed = w->failed || !ARRAY_ROOM(w->seen, w->seen_room, w->seen_count + 1);
    if (!w->failed)
        w->seen[w->seen_count++] = name;
    return !w->failed;
}

static void walk(value_walk *w, const mapgen_unit *unit, uint32_t value)
{
    enum { DEPTH_MAX = 64 };
    const mapgen_value *v = &unit->values[value];
    if (value == 0 || w->depth >= DEPTH_MAX)
        return;
    w->depth++;
    if (v->kind == MAPGEN_LITERAL)
        w->visit(w->payload, v->id);
    /* A parameter may be defined in several palettes, entries and chunks (w->layers); all
     * values of all its definitions are possible. */
    const bool parameter = v->kind == MAPGEN_PARAM && is_new(w, v->id);
    for (uint32_t i = 0; parameter && i < w->layers->count; i++) {
        const mapgen_unit *in = w->layers->units[i];
        for (uint32_t k = 0; k < in->parameter_count; k++)
            if (in->parameters[k].name == v->id)
                walk(w, in, in->parameters[k].value);
    }
    if (v->kind == MAPGEN_CHOICE || v->kind == MAPGEN_SWITCH)
        for (uint32_t i = 0; i < v->count; i++)
            walk(w, unit, unit->choices[v->first + i].value);
    if (v->kind == MAPGEN_PARAM)
        walk(w, unit, v->fallback);
    w->depth--;
}

bool mapgen_value_visit(const mapgen_layers *layers, const mapgen_unit *unit, uint32_t value,
                        mapgen_visit *visit, void *payload)
{
    value_walk w = {.layers = layers, .visit = visit, .payload = payload};
    walk(&w, unit, value);
    free(w.seen);
    return !w.failed;
}

uint64_t mapgen_value_hash(const id_pool *pool, const mapgen_unit *unit, uint32_t value)
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
        hash = hash_add(hash_add(hash, key), mapgen_value_hash(pool, unit, c->value));
    }
    return hash_add(hash, mapgen_value_hash(pool, unit, v->fallback));
}

bool mapgen_chunks_visit(const mapgen_layers *layers, const mapgen_unit *unit,
                         const mapgen_piece *piece, mapgen_visit *visit, void *payload)
{
    if (piece->kind != MAPGEN_NESTED)
        return true;
    const bool what = mapgen_value_visit(layers, unit, piece->what, visit, payload);
    return mapgen_value_visit(layers, unit, piece->with, visit, payload) && what;
}

bool mapgen_layers_chunks(const mapgen_layers *layers, mapgen_visit *visit, void *payload)
{
    bool good = true;
    for (uint32_t i = 0; i < layers->count; i++) {
        const mapgen_unit *unit = layers->units[i];
        for (uint32_t p = 1; p < unit->piece_count; p++)
            good = mapgen_chunks_visit(layers, unit, &unit->pieces[p], visit, payload) && good;
    }
    return good;
}

const mapgen_parameter *mapgen_parameter_of(const mapgen_unit *unit, uint32_t name)
{
    for (uint32_t i = 0; i < unit->parameter_count; i++)
        if (unit->parameters[i].name == name)
            return &unit->parameters[i];
    return NULL;
}

/* ---- layers ---- */

typedef struct gathering {
    mapgen_layers *layers;
    mapgen_library *library;
    uint32_t at; /* index in `layers` of the unit (palette, chunk or entry) whose palettes are
                    being added */
} gathering;

/* Adds a palette to the list `layers`, unless it is there. It is put directly before the unit
 * (entry, chunk or palette) that uses it, but after the palettes that this unit names earlier.
 */
static void add_palette(void *payload, uint32_t id)
{
    gathering *g = payload;
    mapgen_layers *layers = g->layers;
    const mapgen_palette *palette = mapgen_library_palette(g->library, id);
    if (!palette)
        return;
    for (uint32_t i = 0; i < layers->count; i++)
        if (layers->units[i] == &palette->unit)
            return;
    layers->cut = layers->cut || layers->count == MAPGEN_LAYERS_MAX;
    if (layers->cut)
        return;
    for (uint32_t i = layers->count++; i > g->at; i--)
        layers->units[i] = layers->units[i - 1];
    layers->units[g->at++] = &palette->unit;
}

/* Adds the palettes that each unit (entry, chunk or palette) may use, until no new palette is
 * found. Several passes are needed, as a palette may be chosen by a parameter that a later unit
 * defines. */
void mapgen_layers_possible(mapgen_layers *out, mapgen_library *library,
                            const mapgen_unit *unit)
{
    gathering g = {out, library, 0};
    out->count = 1;
    out->cut = false;
    out->units[0] = unit;
    for (uint32_t before = 0; before < out->count && !out->cut;) {
        before = out->count;
        for (g.at = 0; g.at < out->count; g.at++) {
            const mapgen_unit *u = out->units[g.at];
            for (uint32_t k = 0; k < u->palette_count; k++)
                out->cut =
                    !mapgen_value_visit(out, u, u->palettes[k], add_palette, &g) || out->cut;
        }
    }
}

/*
 * Finds out on which levels a terrain's map puts something: pieces and nested chunks with a `z`
 * lie on the map of another level at the same place. The answers are upper bounds, as the
 * random choices may give less.
 */

enum { ZERO = MAPGEN_HEIGHT_MAX, HEIGHTS = 2 * MAPGEN_HEIGHT_MAX + 1 };
/* In a set of levels, the bit ZERO + n stands for the level that lies n above the map. This
 * further bit says that the set was computed. */
static const uint64_t known = UINT64_C(1) << 63;

/* What is needed while the chunks that a mapgen entry names are looked for. */
typedef struct looking {
    mapgen_library *library;
    uint64_t levels; /* the levels on which the chunks that the entry names may stand */
} looking;

/* Puts a chunk on the stack of chunks to look at, with the levels on which it may stand
 * (looking.levels). Levels for which the chunk was already looked at are left out. */
static void on_chunk(void *payload, uint32_t id)
{
    const looking *l = payload;
    mapgen_library *h = l->library;
    const bool some = mapgen_library_first(h, MAPGEN_CHUNK, id) != NULL;
    library_slot *slot = some && !h->failed ? slot_of(h, id) : NULL;
    if (!slot || !(l->levels & ~slot->seen))
        return;
    if (!ARRAY_ROOM(h->stack, h->stack_room, h->stack_count + 1) ||
        !ARRAY_ROOM(h->touched, h->touched_room, h->touched_count + 1)) {
        h->failed = true;
        return;
    }
    if (!slot->seen)
        h->touched[h->touched_count++] = id;
    h->stack[h->stack_count++] = (pending){id, l->levels & ~slot->seen};
    slot->seen |= l->levels;
}

/* Returns the set of levels on which a piece may lie if its entry stands on any of `levels`.
 * Levels are given by their distance from the map that is asked about; those more than
 * MAPGEN_HEIGHT_MAX levels away do not fit into a set and are left out. */
static uint64_t levels_of(const mapgen_piece *p, uint64_t levels)
{
    uint64_t all = 0;
    if (!(p->flags & MAPGEN_AT_HEIGHT))
        return levels;
    const uint64_t set = (UINT64_C(1) << HEIGHTS) - 1;
    const int32_t low = p->z.low <= -HEIGHTS ? 1 - HEIGHTS : p->z.low;
    const int32_t high = p->z.high >= HEIGHTS ? HEIGHTS - 1 : p->z.high;
    for (int32_t up = low; up <= high; up++)
        all |= up >= 0 ? levels << up & set : levels >> -up;
    return all;
}

/* Looks at an entry that may stand on `levels`: returns the levels on which its pieces may lie,
 * and puts its chunks on the stack of chunks to look at. It returns all levels if the entry has
 * too many palettes to follow them all. */
static uint64_t look_at(mapgen_library *library, const mapgen_entry *e, uint64_t levels)
{
    mapgen_layers layers;
    uint64_t mask = 0;
    mapgen_layers_possible(&layers, library, &e->unit);
    for (uint32_t i = 0; i < layers.count; i++) {
        const mapgen_unit *unit = layers.units[i];
        for (uint32_t k = 1; k < unit->piece_count; k++) {
            const mapgen_piece *p = &unit->pieces[k];
            looking l = {library, levels_of(p, levels)};
            mask |= p->flags & MAPGEN_AT_HEIGHT ? l.levels : 0;
            layers.cut = !mapgen_chunks_visit(&layers, unit, p, on_chunk, &l) || layers.cut;
        }
    }
    return layers.cut ? ~known : mask;
}

/* Returns the levels on which the entries of a key may put something. The chunks that they
 * place are searched, too. Chunks still to be searched are kept on a stack, since content may
 * nest them deeply. */
static uint64_t find_out(mapgen_library *h, mapgen_role role, uint32_t key)
{
    const mapgen_candidate *c = mapgen_library_first(h, role, key);
    uint64_t mask = 0;
    h->stack_count = 0;
    if (role == MAPGEN_OM_TERRAIN && mapgen_library_uniform(h, key) != ID_NONE)
        return 0;
    for (; c; c = c->next)
        mask |= look_at(h, c->entry, UINT64_C(1) << ZERO);
    while (h->stack_count > 0) {
        const pending next = h->stack[--h->stack_count];
        for (c = mapgen_library_first(h, MAPGEN_CHUNK, next.id); c; c = c->next)
            mask |= look_at(h, c->entry, next.levels);
    }
    for (; h->touched_count > 0; h->touched_count--)
        slot_of(h, h->touched[h->touched_count - 1])->seen = 0;
    return mask;
}

/* Returns the set of levels on which maps that are made by the entries of a terrain's key may
 * put something; all levels when memory is out. */
static uint64_t mask_of(mapgen_library *library, uint32_t key)
{
    const library_slot *before = find_slot(library, key);
    if (before && before->levels)
        return before->levels;
    const uint64_t mask = find_out(library, MAPGEN_OM_TERRAIN, key);
    library_slot *slot = library->failed ? NULL : slot_of(library, key);
    library->failed = library->failed || !slot;
    if (!slot)
        return UINT64_MAX;
    return slot->levels = mask | known;
}

bool mapgen_heights_reach(mapgen_library *library, uint32_t key, int up)
{
    if (up < -MAPGEN_HEIGHT_MAX || up > MAPGEN_HEIGHT_MAX)
        return false;
    return mask_of(library, key) >> (ZERO + up) & 1;
}

bool mapgen_heights_reach_any(mapgen_library *library, uint32_t key)
{
    return (mask_of(library, key) & ~known & ~(UINT64_C(1) << ZERO)) != 0;
}

uint64_t mapgen_heights_of_update(mapgen_library *library, uint32_t update)
{
    const uint64_t mask = find_out(library, MAPGEN_UPDATE, update);
    return library->failed ? ~known : mask;
}
