/*
 * Specials of both kinds and city buildings, with the bare terrains of the bins made up as
 * specials of one tile among them: what they have in common. Their tiles, pieces, phases and
 * links are read by the files that are named after these.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "core/hash.h"
#include "json/json_value.h"

#include <string.h>

typedef struct special_tables {
    size_t special_room, fake_room;
    size_t next_fake;            /* those before it are among the specials */
    ptl_terrain_set fake_ground; /* where bare terrains may be put */
    uint16_t owner;              /* special of the row before */
    ptl_terrain_set *open;       /* the set that is being gathered */
} special_tables;

/* ---- rotating ---- */

static void rotate_oter(const catalogue *cat, ptl_oter oter, ptl_oter out[4])
{
    const cat_terrain *t = &cat->terrains[cat->oters[oter].terrain];
    unsigned variant = (unsigned)(oter - t->first);
    for (unsigned d = 0; d < 4; d++) {
        unsigned rotated = 0;
        if (t->count == 4)
            rotated = (variant + d) % 4;
        else if (t->count == 16)
            rotated = (variant << d | variant >> (4 - d)) & 15;
        out[d] = (ptl_oter)(t->first + rotated);
    }
}

ptl_status loader_oters(loader *l, ptl_oter out[4], const char *id)
{
    ptl_oter oter = catalogue_oter(l->cat, id);
    if (oter == CAT_NONE)
        return loader_corrupt(l, "unknown terrain of a special", id);
    rotate_oter(l->cat, oter, out);
    return PTL_OK;
}

/* ---- bare terrains ---- */

static ptl_status count_fake(loader *l, const void *values, void *payload)
{
    const region_building_row *s = values;
    size_t *count = payload;
    (void)l;
    *count += strcmp(s->kind, "terrain") == 0;
    return PTL_OK;
}

static ptl_status read_fake(loader *l, const void *values, void *payload)
{
    const region_building_row *s = values;
    special_tables *t = payload;
    static const char prefix[] = "FakeSpecial_";
    const char *id = s->id;
    const bool wanted =
        strcmp(s->kind, "terrain") == 0 && s->weight > 0 && loader_uses_bin(s->bin);
    if (!wanted ||
        (l->fake_count > 0 && strcmp(l->fakes[l->fake_count - 1].terrain_id, id) == 0))
        return PTL_OK;
    if (l->fake_count == t->fake_room)
        return loader_corrupt(l, "more bare terrains than counted:", id);
    fake_special *f = &l->fakes[l->fake_count];
    ptl_status status =
        loader_id(l, &f->terrain_id, id, l->fake_count > 0 ? f[-1].terrain_id : NULL);
    if (status != PTL_OK)
        return status;
    l->fake_count++;
    f->terrain = catalogue_terrain(l->cat, id);
    f->special = CAT_NONE;
    if (f->terrain == CAT_NONE)
        return loader_corrupt(l, "unknown terrain in a bin", id);
    size_t length = strlen(id);
    char *made = arena_alloc(l->arena, sizeof prefix + length);
    if (!made)
        return error_nomem(l->err);
    memcpy(made, prefix, sizeof prefix - 1);
    memcpy(made + sizeof prefix - 1, id, length + 1);
    f->id = made;
    return PTL_OK;
}

/* Land and swamp, as far as content has these locations. */
static ptl_terrain_set find_fake_ground(loader *l)
{
    static const char *const names[] = {"land", "swamp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < l->cat->location_count; k++)
            if (strcmp(l->locations[k].id, names[i]) == 0 &&
                loader_add_location(l, names[i]) != PTL_OK)
                return NULL;
    return loader_close_set(l, CAT_NONE);
}

static ptl_status make_fake(loader *l, const special_tables *t, fake_special *f)
{
    cat_tile *tile = arena_alloc(l->arena, sizeof *tile);
    if (!tile)
        return error_nomem(l->err);
    rotate_oter(l->cat, l->terrains[f->terrain].first, tile->oters);
    tile->allows = t->fake_ground;
    f->special = (uint16_t)l->cat->special_count;
    l->made_up[f->special] = true;
    l->specials[l->cat->special_count++] = (cat_special){.id = f->id,
                                                         .key = hash_string(f->id),
                                                         .building = true,
                                                         .rotate = true,
                                                         .tiles = tile,
                                                         .tile_count = 1,
                                                         .city_distance = {0, PTL_UNBOUNDED},
                                                         .city_sizes = {0, PTL_UNBOUNDED}};
    return PTL_OK;
}

/* Those whose ids come before the given one; all for NULL. Content that defines such an id
 * itself means that one. */
static ptl_status make_fakes_before(loader *l, special_tables *t, const char *id)
{
    ptl_status status = PTL_OK;
    for (; t->next_fake < l->fake_count && status == PTL_OK; t->next_fake++) {
        fake_special *f = &l->fakes[t->next_fake];
        int order = id ? strcmp(f->id, id) : -1;
        if (order > 0)
            break;
        if (order < 0)
            status = make_fake(l, t, f);
        else
            f->special = (uint16_t)l->cat->special_count;
    }
    return status;
}

uint16_t loader_find_fake(const loader *l, const char *terrain_id)
{
    size_t low = 0, high = l->fake_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(l->fakes[middle].terrain_id, terrain_id);
        if (order == 0)
            return l->fakes[middle].special;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CAT_NONE;
}

/* ---- whose a row is ---- */

ptl_status loader_find_special(loader *l, uint16_t *out, const char *id)
{
    *out = catalogue_special(l->cat, id);
    return *out == CAT_NONE ? loader_corrupt(l, "no such special", id) : PTL_OK;
}

ptl_status loader_owner(loader *l, uint16_t *owner, const char *id)
{
    uint16_t last = *owner;
    if (last != CAT_NONE && strcmp(l->specials[last].id, id) == 0)
        return PTL_OK;
    ptl_status status = loader_find_special(l, owner, id);
    if (status == PTL_OK && l->made_up[*owner])
        status = loader_corrupt(l, "rows of a special that is none:", id);
    if (status == PTL_OK && last != CAT_NONE && *owner < last)
        status = loader_corrupt(l, "rows out of order of special", id);
    return status;
}

ptl_status loader_layout(loader *l, uint16_t *owner, const char *id)
{
    ptl_status status = loader_owner(l, owner, id);
    if (status == PTL_OK && !l->layouts[*owner])
        status = loader_corrupt(l, "parts of a special that is not mutable:", id);
    return status;
}

/* ---- specials ---- */

static ptl_range range_of(int64_t min, content_number max)
{
    return (ptl_range){.min = (int32_t)min,
                       .max = max.given ? (int32_t)max.value : PTL_UNBOUNDED};
}

/* Either way round, as the content gives them. */
static void read_ends(content_number a, content_number b, int32_t *min, int32_t *max)
{
    *min = (int32_t)(a.value < b.value ? a.value : b.value);
    *max = (int32_t)(a.value < b.value ? b.value : a.value);
}

/* The import has judged the condition; files of before it did say nothing of that, and their
 * worlds have none of what has one. An effect that is named by its id was never judged. */
static ptl_status read_condition(loader *l, const overmap_special_row *s, cat_special *special)
{
    const char *text = s->eoc ? s->eoc : "";
    json_fault fault = {0};
    if (text[0] != '{')
        return PTL_OK;
    json_reader *json = json_reader_new((stop_hook){NULL, NULL});
    json_t *effect = json ? json_value_read(json, text, strlen(text), &fault) : NULL;
    json_reader_free(json);
    if (!effect)
        return !json || fault.kind == JSON_NO_MEMORY
                   ? error_nomem(l->err)
                   : loader_corrupt(l, "an effect_on_condition that is no JSON of", s->id);
    const json_t *holds = json_object_get(effect, "holds");
    special->conditional =
        json_object_get(effect, "condition") && !json_is_true(holds) && !json_is_null(holds);
    json_decref(effect);
    return PTL_OK;
}

static ptl_status read_numbers(loader *l, const overmap_special_row *s, cat_special *special)
{
    special->rotate = s->rotate;
    special->priority = (int32_t)s->priority;
    special->occurrences_min = (int32_t)s->occurrences_min;
    special->occurrences_max = (int32_t)s->occurrences_max;
    special->city_distance = range_of(s->city_distance_min, s->city_distance_max);
    special->city_sizes = range_of(s->city_sizes_min, s->city_sizes_max);
    if (special->city_distance.max < special->city_distance.min ||
        special->city_sizes.max < special->city_sizes.min)
        return loader_out_of_range(l, s->id);
    if (!s->spawn_group)
        return PTL_OK;
    if (!s->spawn_population_min.given || !s->spawn_population_max.given ||
        !s->spawn_radius_min.given || !s->spawn_radius_max.given)
        return loader_out_of_range(l, s->id);
    cat_spawns *spawns = &special->spawns;
    read_ends(s->spawn_population_min, s->spawn_population_max, &spawns->population_min,
              &spawns->population_max);
    read_ends(s->spawn_radius_min, s->spawn_radius_max, &spawns->radius_min,
              &spawns->radius_max);
    spawns->group = loader_keep(l, s->spawn_group);
    return spawns->group ? PTL_OK : error_nomem(l->err);
}

static ptl_status read_kind(loader *l, const overmap_special_row *s, size_t at)
{
    const char *id = s->id, *kind = s->kind;
    const char *subtype = s->subtype;
    bool grows = strcmp(subtype, "mutable") == 0;
    l->specials[at].building = strcmp(kind, "city_building") == 0;
    if ((!l->specials[at].building && strcmp(kind, "special") != 0) ||
        (!grows && strcmp(subtype, "fixed") != 0))
        return loader_corrupt(l, "wrong kind of special", id);
    if (grows == !s->root)
        return loader_corrupt(l, "only a mutable special has a root, unlike", id);
    if (!grows)
        return PTL_OK;
    l->roots[at] = loader_keep(l, s->root);
    l->layouts[at] = arena_alloc(l->arena, sizeof *l->layouts[at]);
    l->specials[at].layout = l->layouts[at];
    l->layout_count++;
    return l->roots[at] && l->layouts[at] ? PTL_OK : error_nomem(l->err);
}

static ptl_status read_special(loader *l, const void *values, void *payload)
{
    const overmap_special_row *s = values;
    special_tables *t = payload;
    const char *id = s->id;
    ptl_status status = make_fakes_before(l, t, id);
    if (status != PTL_OK)
        return status;
    size_t at = l->cat->special_count;
    if (at == t->special_room + l->fake_count)
        return loader_corrupt(l, "more specials than counted:", id);
    cat_special *special = &l->specials[l->cat->special_count++];
    status = loader_id(l, &special->id, id, at > 0 ? special[-1].id : NULL);
    if (status != PTL_OK)
        return status;
    special->key = hash_string(special->id);
    status = read_kind(l, s, at);
    if (status == PTL_OK)
        status = read_condition(l, s, special);
    return status == PTL_OK ? read_numbers(l, s, special) : status;
}

static const struct {
    const char *name;
    uint32_t flag;
} flags[] = {{"UNIQUE", PTL_SPECIAL_UNIQUE},
             {"OVERMAP_UNIQUE", PTL_SPECIAL_UNIQUE},
             {"GLOBALLY_UNIQUE", PTL_SPECIAL_GLOBALLY_UNIQUE},
             {"LAKE", PTL_SPECIAL_LAKE},
             {"RIVER", PTL_SPECIAL_RIVER},
             {"OCEAN", PTL_SPECIAL_OCEAN},
             {"BLOB", PTL_SPECIAL_BLOB},
             {"ENDGAME", PTL_SPECIAL_ENDGAME},
             {"SAFE_AT_WORLDGEN", PTL_SPECIAL_SAFE},
             {"CITY_UNIQUE", PTL_SPECIAL_CITY_UNIQUE}};

static ptl_status read_flag(loader *l, const void *values, void *payload)
{
    const special_flag_row *s = values;
    special_tables *t = payload;
    ptl_status status = loader_owner(l, &t->owner, s->special);
    if (status != PTL_OK)
        return status;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(s->flag, flags[i].name) == 0)
            l->specials[t->owner].flags |= flags[i].flag;
    return PTL_OK;
}

static ptl_status read_ground(loader *l, const void *values, void *payload)
{
    const special_location_row *s = values;
    special_tables *t = payload;
    ptl_status status = loader_owner(l, &t->owner, s->special);
    return status == PTL_OK ? loader_gather(l, &t->open, &l->grounds[t->owner], s->location)
                            : status;
}

static ptl_status load_grounds(loader *l, special_tables *t)
{
    ptl_terrain_set nothing = loader_close_set(l, CAT_NONE);
    if (!nothing)
        return error_nomem(l->err);
    for (size_t i = 0; i < l->cat->special_count; i++)
        l->grounds[i] = nothing;
    t->owner = CAT_NONE;
    ptl_status status = loader_rows(l, CONTENT_SPECIAL_LOCATION, NULL, read_ground, t);
    return status == PTL_OK ? loader_gathered(l, &t->open) : status;
}

/* ---- all ---- */

static ptl_status make_room(loader *l, special_tables *t)
{
    ptl_status status = loader_count(l, CONTENT_SPECIALS, &t->special_room);
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_REGION_BUILDINGS, "", count_fake, &t->fake_room);
    if (status != PTL_OK)
        return status;
    size_t room = t->special_room + t->fake_room;
    if (room > CATALOGUE_INDEX_MAX)
        return error_set(l->err, PTL_ERR_LIMIT,
                         "the content has more than %d specials, which is the limit",
                         CATALOGUE_INDEX_MAX);
    l->fakes = arena_calloc(l->arena, t->fake_room + 1, sizeof *l->fakes);
    t->fake_ground = find_fake_ground(l);
    l->specials = arena_calloc(l->arena, room + 1, sizeof *l->specials);
    l->grounds = arena_calloc(l->arena, room + 1, sizeof *l->grounds);
    l->layouts = arena_calloc(l->arena, room + 1, sizeof *l->layouts);
    l->roots = arena_calloc(l->arena, room + 1, sizeof *l->roots);
    l->joins = arena_calloc(l->arena, room + 1, sizeof *l->joins);
    l->made_up = arena_calloc(l->arena, room + 1, sizeof *l->made_up);
    bool made = l->fakes && t->fake_ground && l->specials && l->grounds && l->layouts &&
                l->roots && l->joins && l->made_up;
    return made ? PTL_OK : error_nomem(l->err);
}

ptl_status load_specials(loader *l)
{
    special_tables t = {.owner = CAT_NONE};
    ptl_status status = make_room(l, &t);
    l->cat->specials = l->specials;
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_REGION_BUILDINGS, "id", read_fake, &t);
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_SPECIALS, NULL, read_special, &t);
    if (status == PTL_OK)
        status = make_fakes_before(l, &t, NULL);
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_SPECIAL_FLAG, NULL, read_flag, &t);
    return status == PTL_OK ? load_grounds(l, &t) : status;
}
