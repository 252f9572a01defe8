#include "mapgen/ground/settings.h"

#include <stdlib.h>
#include <string.h>

/* The state of reading one block (JSON object) of a region's settings. */
typedef struct reading {
    ground_settings *out;
    id_pool *pool;
    arena *memory;
    bytes text;
    bool failed;
    ground_biome *biomes; /* the list of biomes in `out`, which is still being read */
} reading;

static uint32_t id_of(reading *r, json_view v)
{
    size_t length = 0;
    const char *text = json_view_text(v, &r->text, &length);
    return text ? id_pool_put(r->pool, text, length) : ID_NONE;
}

static double real_of(reading *r, json_view v, double otherwise)
{
    double value = otherwise;
    return json_view_real(v, &r->text, &value) ? value : otherwise;
}

static int32_t whole_of(json_view v, int32_t otherwise)
{
    enum { LIMIT = 1000000 };
    int64_t value = 0;
    if (!json_view_integer(v, &value))
        return otherwise;
    return (int32_t)(value < -LIMIT ? -LIMIT : value > LIMIT ? LIMIT : value);
}

static void *room_for(reading *r, size_t count, size_t size)
{
    void *items = arena_calloc(r->memory, count + 1, size);
    r->failed = r->failed || !items;
    return items;
}

/* Builds the table that makes choosing from a weighted list faster (ground_weights.guide).
 * Returns NULL for a list of fewer than two items, or when memory is out. */
static const uint32_t *guide_of(reading *r, const ground_choice *items, uint32_t count)
{
    uint32_t *guide = count > 1 ? room_for(r, GROUND_GUIDE, sizeof *guide) : NULL;
    uint32_t first = 0;
    for (uint64_t part = 0; guide && part <= GROUND_GUIDE; part++) {
        while (first + 1 < count &&
               items[first].end <= part << (GROUND_DRAWN_BITS - GROUND_GUIDE_BITS))
            first++;
        guide[part] = part < GROUND_GUIDE ? first : count - 1;
    }
    return guide;
}

/* Reads {"id": weight} or [["id", weight]]. Weights that are not above 0 are left out. */
static ground_weights weights_of(reading *r, json_view v)
{
    const bool object = json_view_kind(v) == VIEW_OBJECT;
    ground_choice *items = room_for(r, json_view_count(v), sizeof *items);
    uint32_t count = 0;
    double sum = 0;
    for (json_walk w = json_walk_of(v); items && json_walk_next(&w);) {
        json_walk pair = json_walk_of(w.value);
        json_view id = w.key, weight = w.value;
        if (!object) {
            id = json_walk_next(&pair) ? pair.value : JSON_VIEW_NONE;
            weight = json_walk_next(&pair) ? pair.value : JSON_VIEW_NONE;
        }
        const double value = real_of(r, weight, 0);
        const uint32_t number = id_of(r, id);
        if (!(value > 0) || number == ID_NONE)
            continue;
        sum += value;
        const bool furniture = strncmp(id_pool_text(r->pool, number), "f_", 2) == 0;
        items[count++] = (ground_choice){number, furniture, sum, 0};
    }
    for (uint32_t i = 0; items && i < count; i++) {
        /* Finds where the random numbers of an item end. A random number n stands for the value
         * n * 2^-53 times the sum of weights, calculated with doubles, and belongs to the first
         * item whose running sum is above that value. The end is searched here once, so that
         * draws need only compare integers. */
        ground_choice *item = &items[i];
        uint64_t below = 0, above = UINT64_C(1) << GROUND_DRAWN_BITS;
        while (below < above) {
            const uint64_t middle = below + (above - below) / 2;
            if ((double)middle * 0x1p-53 * sum >= item->upto)
                above = middle;
            else
                below = middle + 1;
        }
        item->end = below;
    }
    const uint32_t *guide = items ? guide_of(r, items, count) : NULL;
    return (ground_weights){items, count > 1 && !guide ? 0 : count, guide};
}

/* ---- parts of settings that are objects of their own ---- */

typedef enum part_sort { PART_PSEUDO, PART_BIOME, PART_COMPONENT } part_sort;

struct ground_part {
    part_sort sort;
    uint32_t id;
    /* For a pseudo id, the list of terrain and the list of furniture that it stands for. A list
     * whose id is ID_NONE is not there. */
    ground_pseudo terrain, furniture;
    ground_component component;
    ground_biome biome; /* the biome that the object defines; its terrains and components are in
                           the members below */
    const uint32_t *terrains, *components; /* the ids of the biome's terrains and components */
    uint32_t terrain_count, component_count;
    /* The part that was added before this one: a linked list of all parts. */
    const ground_part *next;
};

/* Returns the object of a kind (pseudo id, biome or component) that has this id, or NULL if
 * there is none. */
static const ground_part *part_of(const ground_settings *s, part_sort sort, uint32_t id)
{
    const ground_part *p = s->parts;
    while (p && (p->sort != sort || p->id != id))
        p = p->next;
    return p;
}

static const uint32_t *ids_of(reading *r, json_view list, uint32_t *count)
{
    uint32_t *ids = room_for(r, json_view_count(list), sizeof *ids);
    *count = 0;
    for (json_walk w = json_walk_of(list); ids && json_walk_next(&w);)
        ids[(*count)++] = id_of(r, w.value);
    return ids;
}

/* Reads the pseudo ids of a region (ids that stand for lists of ids). The JSON object `block`
 * states them itself, or lists the ids of other objects of the content that state them. */
static void read_pseudo(reading *r, json_view block)
{
    const json_view listed = json_view_get(block, "ter_furn");
    const json_view own[] = {json_view_get(block, "terrain"),
                             json_view_get(block, "furniture")};
    ground_pseudo *items = room_for(
        r, 2 * json_view_count(listed) + json_view_count(own[0]) + json_view_count(own[1]),
        sizeof *items);
    uint32_t used = 0;
    for (json_walk w = json_walk_of(listed); items && json_walk_next(&w);) {
        const ground_part *p = part_of(r->out, PART_PSEUDO, id_of(r, w.value));
        if (p && p->terrain.id != ID_NONE)
            items[used++] = p->terrain;
        if (p && p->furniture.id != ID_NONE)
            items[used++] = p->furniture;
    }
    for (size_t i = 0; items && i < 2 && !listed.document; i++)
        for (json_walk w = json_walk_of(own[i]); json_walk_next(&w);)
            items[used++] = (ground_pseudo){id_of(r, w.key), weights_of(r, w.value)};
    r->out->pseudo = items;
    r->out->pseudo_count = used < UINT16_MAX ? used : UINT16_MAX;
    /* Builds a table from ids to pseudo ids, which stand for lists of ids. If an id comes
     * twice, the first one counts. */
    const ground_settings *s = r->out;
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->pseudo_count; i++)
        most = s->pseudo[i].id > most ? s->pseudo[i].id : most;
    uint16_t *places = room_for(r, most, sizeof *places);
    for (uint32_t i = s->pseudo_count; i-- > 0 && places;)
        places[s->pseudo[i].id] = (uint16_t)(i + 1);
    r->out->places = places;
    r->out->place_count = places ? most + 1 : 0;
}

static void read_field(reading *r, json_view block)
{
    ground_field *f = &r->out->field;
    f->stated = true;
    f->percent = real_of(r, json_view_get(block, "percent_coverage"), 0);
    f->boosted_percent = real_of(r, json_view_get(block, "boosted_percent_coverage"), 0);
    f->boost_chance = real_of(r, json_view_get(block, "boost_chance"), 0);
    f->boosted_other_percent = real_of(r, json_view_get(block, "boosted_other_percent"), 0);
    f->plain = id_of(r, json_view_get(block, "default_ter"));
    f->other = weights_of(r, json_view_get(block, "other"));
    f->boosted_other = weights_of(r, json_view_get(block, "boosted_other"));
    f->other_percent = f->other.count ? f->other.items[f->other.count - 1].upto : 0;
}

static int by_sequence(const void *a, const void *b)
{
    const ground_component *x = a, *y = b;
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* Returns the bound below which random numbers are within a chance of one in `chance`, as
 * rng_one_in decides it. */
static uint64_t end_of(int32_t chance)
{
    enum { HALF = 32 };
    const uint64_t all = UINT64_C(1) << HALF, n = chance > 1 ? (uint64_t)chance : 1;
    return n == 1 ? UINT64_MAX : (all + n - 1) / n << HALF;
}

static ground_component component_of(reading *r, json_view json)
{
    const int32_t chance = whole_of(json_view_get(json, "chance"), 0);
    return (ground_component){whole_of(json_view_get(json, "sequence"), 0), chance,
                              end_of(chance), weights_of(r, json_view_get(json, "types"))};
}

/* Adds a component, such as trees, to a forest's biome; leaves it out if its chance is 0. */
static void add_component(ground_biome *b, ground_component *components, ground_component c)
{
    if (c.chance > 0)
        components[b->component_count++] = c;
}

static void read_biome(reading *r, ground_biome *b, json_view json)
{
    const json_view parts = json_view_get(json, "components");
    const json_view dressings = json_view_get(json, "terrain_furniture");
    ground_component *components = room_for(r, json_view_count(parts), sizeof *components);
    ground_dressing *furniture = room_for(r, json_view_count(dressings), sizeof *furniture);
    if (r->failed)
        return;
    /* The list names components that are objects of their own; otherwise the components stand
     * in it. */
    const bool named = json_view_kind(parts) == VIEW_ARRAY;
    const int32_t dense = whole_of(json_view_get(json, "sparseness_adjacency_factor"), 0);
    b->sparseness = dense < 0 ? 0 : dense > GROUND_SPARSE_MAX ? GROUND_SPARSE_MAX : dense;
    b->item_group = id_of(r, json_view_get(json, "item_group"));
    b->item_chance = whole_of(json_view_get(json, "item_group_chance"), 0);
    b->item_times = whole_of(json_view_get(json, "item_spawn_iterations"), 0);
    b->cover = weights_of(r, json_view_get(json, "groundcover"));
    for (json_walk w = json_walk_of(parts); !named && json_walk_next(&w);)
        add_component(b, components, component_of(r, w.value));
    qsort(components, b->component_count, sizeof *components, by_sequence);
    for (json_walk w = json_walk_of(dressings); json_walk_next(&w);) {
        const int32_t chance = whole_of(json_view_get(w.value, "chance"), 0);
        const ground_dressing d =
            (ground_dressing){id_of(r, w.key), chance, end_of(chance),
                              weights_of(r, json_view_get(w.value, "furniture"))};
        if (d.chance > 0)
            furniture[b->dressing_count++] = d;
    }
    b->components = components;
    b->dressings = furniture;
}

/* Adds a biome for each of `count` terrains. */
static void add_biomes(reading *r, ground_biome biome, const uint32_t *terrains, uint32_t count)
{
    ground_settings *s = r->out;
    for (uint32_t i = 0; i < count; i++) {
        biome.terrain = terrains[i];
        r->biomes[s->biome_count++] = biome;
    }
    s->densest = biome.sparseness > s->densest ? biome.sparseness : s->densest;
}

/* Adds a biome that is an object of its own, together with the components that it names. */
static void add_part_biome(reading *r, const ground_part *p)
{
    ground_biome biome = p->biome;
    ground_component *components = room_for(r, p->component_count, sizeof *components);
    if (!components)
        return;
    for (uint32_t i = 0; i < p->component_count; i++) {
        const ground_part *k = part_of(r->out, PART_COMPONENT, p->components[i]);
        if (k)
            add_component(&biome, components, k->component);
    }
    qsort(components, biome.component_count, sizeof *components, by_sequence);
    biome.components = components;
    add_biomes(r, biome, p->terrains, p->terrain_count);
}

/* Reads biomes. A biome's terrain is named by its key, or, from DDA 0.I on, by the list of
 * terrains in it. The JSON object `block` states the biomes itself, or lists the ids of other
 * objects of the content that state them. */
static void read_biomes(reading *r, json_view block)
{
    const json_view listed = json_view_get(block, "biomes");
    const bool named = json_view_kind(listed) == VIEW_ARRAY;
    size_t count = 0;
    for (json_walk w = json_walk_of(named ? listed : block); json_walk_next(&w);) {
        const ground_part *p = named ? part_of(r->out, PART_BIOME, id_of(r, w.value)) : NULL;
        count += p ? p->terrain_count : 1 + json_view_count(json_view_get(w.value, "terrains"));
    }
    r->biomes = room_for(r, count, sizeof *r->biomes);
    r->out->biomes = r->biomes;
    r->out->biome_count = 0;
    r->out->densest = 0;
    r->out->blended = named;
    for (json_walk w = json_walk_of(named ? listed : block); r->biomes && json_walk_next(&w);) {
        const ground_part *p = named ? part_of(r->out, PART_BIOME, id_of(r, w.value)) : NULL;
        ground_biome biome = {0};
        uint32_t listing = 0;
        if (p)
            add_part_biome(r, p);
        if (named || json_view_kind(w.value) != VIEW_OBJECT)
            continue;
        const uint32_t key = id_of(r, w.key);
        read_biome(r, &biome, w.value);
        const uint32_t *terrains = ids_of(r, json_view_get(w.value, "terrains"), &listing);
        r->out->blended = r->out->blended || listing > 0;
        add_biomes(r, biome, listing ? terrains : &key, listing ? listing : 1);
    }
}

static void read_trail(reading *r, json_view block)
{
    ground_trail *t = &r->out->trail;
    t->variance = whole_of(json_view_get(block, "trail_center_variance"), 0);
    t->width_min = whole_of(json_view_get(block, "trail_width_offset_min"), 1);
    t->width_max = whole_of(json_view_get(block, "trail_width_offset_max"), 3);
    t->terrain = weights_of(r, json_view_get(block, "trail_terrain"));
}

static void read_cover(reading *r, json_view block)
{
    r->out->cover = weights_of(r, block);
}

/* Ends the reading of one JSON object of a region's settings; false: memory was out. */
static bool end_of_reading(reading *r)
{
    const bool good = !r->failed && !r->text.failed && !id_pool_failed(r->pool);
    bytes_dispose(&r->text);
    return good;
}

bool ground_settings_add_part(ground_settings *out, id_pool *pool, arena *memory,
                              json_view object)
{
    static const char *const types[] = {"region_terrain_furniture", "forest_biome_mapgen",
                                        "forest_biome_component"};
    reading r = {.out = out, .pool = pool, .memory = memory};
    bytes_init(&r.text);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (!json_view_is(json_view_get(object, "type"), types[i]))
            continue;
        ground_part *p = room_for(&r, 1, sizeof *p);
        if (!p)
            break;
        p->sort = (part_sort)i;
        p->id = id_of(&r, json_view_get(object, "id"));
        if (p->sort == PART_PSEUDO) {
            p->terrain =
                (ground_pseudo){id_of(&r, json_view_get(object, "ter_id")),
                                weights_of(&r, json_view_get(object, "replace_with_terrain"))};
            p->furniture = (ground_pseudo){
                id_of(&r, json_view_get(object, "furn_id")),
                weights_of(&r, json_view_get(object, "replace_with_furniture"))};
        } else if (p->sort == PART_COMPONENT) {
            p->component = component_of(&r, object);
        } else {
            read_biome(&r, &p->biome, object);
            p->terrains = ids_of(&r, json_view_get(object, "terrains"), &p->terrain_count);
            p->components =
                ids_of(&r, json_view_get(object, "components"), &p->component_count);
        }
        p->next = out->parts;
        out->parts = p;
    }
    return end_of_reading(&r);
}

bool ground_settings_read(ground_settings *out, id_pool *pool, arena *memory, const char *block,
                          json_view json)
{
    static const struct {
        const char *block;
        void (*read)(reading *r, json_view json);
    } blocks[] = {{"default_groundcover", read_cover},
                  {"field_coverage", read_field},
                  {"forest_mapgen_settings", read_biomes},
                  {"forest_trail_settings", read_trail},
                  {"region_terrain_and_furniture", read_pseudo}};
    reading r = {.out = out, .pool = pool, .memory = memory};
    bytes_init(&r.text);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (strcmp(block, blocks[i].block) == 0)
            blocks[i].read(&r, json);
    return end_of_reading(&r);
}
