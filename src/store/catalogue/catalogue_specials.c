/*
 * Loads specials (fixed and mutable) and city buildings, their OMTs, and the connections and
 * specials that they bring with them. If a bin (a region's weighted list of buildings) names a
 * terrain in place of a special, a special of one OMT is made for the terrain and put among the
 * others, which are sorted by id.
 */
#include "core/error.h"
#include "core/hash.h"
#include "store/catalogue/catalogue_load.h"
#include "json/json_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct special_tables {
    /* Index in l->fakes of the next terrain for which a special is to be made. */
    size_t next_fake;
    ptl_terrain_set fake_ground; /* for specials that are made for a terrain which a bin names:
                                    the terrains on which they may stand */
} special_tables;

/* ---- rotating oters ---- */

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

/* ---- specials for bare terrains ---- */

/* Lists the terrains that bins name in place of specials. The rows are sorted by the id that
 * the bin names. */
static ptl_status read_fake(loader *l, const void *values)
{
    const region_building_row *s = values;
    static const char prefix[] = "FakeSpecial_";
    fake_special *f = &l->fakes[l->fake_count];
    char *made;
    if (strcmp(s->kind, "terrain") != 0 || s->weight <= 0 ||
        loader_region_bin(s->bin) == REGION_BINS ||
        (l->fake_count > 0 && strcmp(f[-1].terrain_id, s->id) == 0))
        return PTL_OK;
    TRY(loader_id(l, &f->terrain_id, s->id, l->fake_count > 0 ? f[-1].terrain_id : NULL));
    l->fake_count++;
    f->terrain = catalogue_terrain(l->cat, s->id);
    f->special = CAT_NONE;
    if (f->terrain == CAT_NONE)
        return loader_corrupt(l, "unknown terrain in a bin", s->id);
    TRY(loader_room(l, &made, sizeof prefix + strlen(s->id), 1));
    (void)sprintf(made, "%s%s", prefix, s->id);
    f->id = made;
    return PTL_OK;
}

/* Returns the union of the locations "land" and "swamp", or of one of them if the content lacks
 * the other. */
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

/* A bin may name a terrain in place of a special. Then a special of one OMT is made for the
 * terrain, with an id of its own (fake_special.id), unless the content has a special with that
 * id. One call makes the specials whose ids sort before `id` (NULL: all that are left). */
static ptl_status make_fakes_before(loader *l, special_tables *t, const char *id)
{
    for (; t->next_fake < l->fake_count; t->next_fake++) {
        fake_special *f = &l->fakes[t->next_fake];
        int order = id ? strcmp(f->id, id) : -1;
        if (order > 0)
            break;
        if (order < 0) {
            /* Makes the special of one OMT: a building that may be rotated and stand at any
             * distance from any city. */
            cat_omt *omt;
            TRY(LOADER_ROOM(l, omt, 0));
            rotate_oter(l->cat, l->terrains[f->terrain].first, omt->oters);
            omt->allows = t->fake_ground;
            f->special = (uint16_t)l->cat->special_count;
            l->made_up[f->special] = true;
            l->specials[l->cat->special_count++] =
                (cat_special){.id = f->id,
                              .key = hash_string(f->id),
                              .building = true,
                              .rotate = true,
                              .omts = omt,
                              .omt_count = 1,
                              .city_distance = {0, PTL_UNBOUNDED},
                              .city_sizes = {0, PTL_UNBOUNDED}};
        } else
            f->special = (uint16_t)l->cat->special_count;
    }
    return PTL_OK;
}

/* ---- finding the special of a row ---- */

ptl_status loader_find_special(loader *l, uint16_t *out, const char *id)
{
    *out = catalogue_special(l->cat, id);
    return *out == CAT_NONE ? loader_corrupt(l, "no such special", id) : PTL_OK;
}

ptl_status loader_owner(loader *l, const char *id)
{
    const uint16_t last = l->owner;
    if (last != CAT_NONE && strcmp(l->specials[last].id, id) == 0)
        return PTL_OK;
    TRY(loader_find_special(l, &l->owner, id));
    if (l->made_up[l->owner])
        return loader_corrupt(l, "rows of a special that is none:", id);
    if (last != CAT_NONE && l->owner < last)
        return loader_corrupt(l, "rows out of order of special", id);
    return PTL_OK;
}

ptl_status loader_layout(loader *l, const char *id)
{
    TRY(loader_owner(l, id));
    if (!l->layouts[l->owner])
        return loader_corrupt(l, "parts of a special that is not mutable:", id);
    return PTL_OK;
}

/* ---- specials ---- */

static ptl_range range_of(int64_t min, content_number max)
{
    return (ptl_range){.min = (int32_t)min,
                       .max = max.given ? (int32_t)max.value : PTL_UNBOUNDED};
}

/* Gets the two ends of a range of numbers, which the content may give in either order. */
static void read_ends(content_number a, content_number b, int32_t *min, int32_t *max)
{
    *min = (int32_t)(a.value < b.value ? a.value : b.value);
    *max = (int32_t)(a.value < b.value ? b.value : a.value);
}

static ptl_status read_kind(loader *l, const overmap_special_row *s, size_t at)
{
    const bool grows = strcmp(s->subtype, "mutable") == 0;
    l->specials[at].building = strcmp(s->kind, "city_building") == 0;
    if ((!l->specials[at].building && strcmp(s->kind, "special") != 0) ||
        (!grows && strcmp(s->subtype, "fixed") != 0))
        return loader_corrupt(l, "wrong kind of special", s->id);
    if (grows == !s->root)
        return loader_corrupt(l, "only a mutable special has a root, unlike", s->id);
    if (!grows)
        return PTL_OK;
    l->roots[at] = loader_keep(l, s->root);
    TRY(LOADER_ROOM(l, l->layouts[at], 0));
    l->specials[at].layout = l->layouts[at];
    l->layout_count++;
    return PTL_OK;
}

static ptl_status read_special(loader *l, const void *values)
{
    const overmap_special_row *s = values;
    TRY(make_fakes_before(l, l->payload, s->id));
    const size_t at = l->cat->special_count++;
    cat_special *special = &l->specials[at];
    TRY(loader_id(l, &special->id, s->id, at > 0 ? special[-1].id : NULL));
    special->key = hash_string(special->id);
    TRY(read_kind(l, s, at));
    /*
     * Finds out whether the special may be placed: if it has a condition, this must hold. The
     * import has evaluated the condition and stored the result in the JSON member "holds".
     * Contents of older imports lack this member; no special with a condition was placed in
     * their worlds. A condition that is given only by the id of an effect was never evaluated.
     */
    if (s->eoc && s->eoc[0] == '{') {
        json_t *effect;
        TRY(loader_json(l, &effect, s->eoc, "an effect_on_condition that is no JSON of",
                        s->id));
        const json_t *holds = json_object_get(effect, "holds");
        special->conditional = json_object_get(effect, "condition") && !json_is_true(holds) &&
                               !json_is_null(holds);
        json_decref(effect);
    }
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
    return PTL_OK;
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

static ptl_status read_flag(loader *l, const void *values)
{
    const special_flag_row *s = values;
    TRY(loader_owner(l, s->special));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(s->flag, flags[i].name) == 0)
            l->specials[l->owner].flags |= flags[i].flag;
    return PTL_OK;
}

static ptl_status read_ground(loader *l, const void *values)
{
    const special_location_row *s = values;
    TRY(loader_owner(l, s->special));
    return loader_gather(l, &l->grounds[l->owner], s->location);
}

/* ---- loading all specials ---- */

ptl_status load_specials(loader *l)
{
    special_tables t = {0, find_fake_ground(l)};
    TRY(LOADER_ROOM_OF(l, l->fakes, CONTENT_REGION_BUILDINGS));
    TRY(loader_rows(l, CONTENT_REGION_BUILDINGS, "id", read_fake, NULL));
    void *const arrays[] = {&l->grounds, &l->layouts, &l->roots, &l->joins};
    size_t room;
    TRY(loader_count(l, CONTENT_SPECIALS, &room));
    room += l->fake_count;
    if (room > CATALOGUE_INDEX_MAX)
        return error_set(l->err, PTL_ERR_LIMIT,
                         "the content has more than %d specials, which is the limit",
                         CATALOGUE_INDEX_MAX);
    TRY(LOADER_ROOM(l, l->specials, room));
    l->cat->specials = l->specials;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        TRY(loader_room(l, arrays[i], room, sizeof(void *)));
    TRY(LOADER_ROOM(l, l->made_up, room));
    TRY(loader_rows(l, CONTENT_SPECIALS, NULL, read_special, &t));
    TRY(make_fakes_before(l, &t, NULL));
    TRY(loader_rows(l, CONTENT_SPECIAL_FLAG, NULL, read_flag, NULL));
    ptl_terrain_set nothing = loader_close_set(l, CAT_NONE);
    for (size_t i = 0; i < l->cat->special_count; i++)
        l->grounds[i] = nothing;
    return loader_rows(l, CONTENT_SPECIAL_LOCATION, NULL, read_ground, NULL);
}

/*
 * Connections and specials that a special brings with it. Loading makes sure that nesting has
 * no cycle, and that a special and all specials nested in it are not too many. So the code that
 * places specials may recurse.
 */

/* Most specials nested in a special, at all depths, not counting the special itself. */
enum { NESTED_MAX = 1000 };

typedef struct link_tables {
    cat_link *links;
    cat_nested *nested;
    size_t link_count;
} link_tables;

/* ---- connections of specials ---- */

/* Reads a connection of a special. Two kinds are left out: a connection without subtypes can't
 * be drawn; and a mutable special may name a connection that must exist already and is not
 * drawn. */
static ptl_status read_link(loader *l, const void *values)
{
    const special_connection_row *s = values;
    link_tables *t = l->payload;
    uint16_t connection = CAT_NONE;
    TRY(loader_owner(l, s->special));
    TRY(loader_find_connection(l, &connection, s->connection));
    if (connection == CAT_NONE || (s->existing && l->layouts[l->owner]))
        return PTL_OK;
    cat_special *special = &l->specials[l->owner];
    cat_link *link = &t->links[t->link_count++];
    if (special->link_count++ == 0)
        special->links = link;
    link->existing = s->existing;
    link->connection = connection;
    link->x = (int16_t)s->x;
    link->y = (int16_t)s->y;
    link->z = (int8_t)s->z;
    link->direction = (int8_t)(s->direction.given ? s->direction.value : -1);
    uint16_t terrain = CAT_NONE;
    if (s->terrain) {
        terrain = catalogue_terrain(l->cat, s->terrain);
        if (terrain == CAT_NONE)
            return loader_corrupt(l, "unknown terrain of a connection's point", s->terrain);
    }
    link->carries = loader_carries(l, link->connection, terrain);
    return PTL_OK;
}

/* ---- nested specials ---- */

static ptl_status read_nested(loader *l, const void *values)
{
    const special_nested_row *s = values;
    link_tables *t = l->payload;
    TRY(loader_owner(l, s->special));
    cat_special *special = &l->specials[l->owner];
    cat_nested *nested = &t->nested[l->row];
    if (special->nested_count++ == 0)
        special->nested = nested;
    nested->x = (int16_t)s->x;
    nested->y = (int16_t)s->y;
    nested->z = (int8_t)s->z;
    return loader_find_special(l, &nested->special, s->nested);
}

/* A special on the path of the depth-first search through nested specials. The path begins with
 * the outermost special. */
typedef struct nested_step {
    uint16_t special;
    size_t next; /* index of the nested special to be visited next */
} nested_step;

enum { SIZE_UNKNOWN = 0, SIZE_OPEN = UINT16_MAX };

/* For the special `first` and each special i nested in it, sets sizes[i] to the number of
 * specials that i consists of: itself and all that are nested in it, at all depths. This is a
 * depth-first search with `path` as its stack. */
static ptl_status measure(loader *l, uint16_t first, uint16_t *sizes, nested_step *path)
{
    size_t depth = 1;
    path[0] = (nested_step){first, 0};
    sizes[first] = SIZE_OPEN;
    while (depth > 0) {
        nested_step *top = &path[depth - 1];
        const cat_special *special = &l->specials[top->special];
        if (top->next < special->nested_count) {
            uint16_t inner = special->nested[top->next++].special;
            if (sizes[inner] == SIZE_OPEN)
                return loader_corrupt(l, "nesting goes in a circle through",
                                      l->specials[inner].id);
            if (sizes[inner] == SIZE_UNKNOWN) {
                sizes[inner] = SIZE_OPEN;
                path[depth++] = (nested_step){inner, 0};
            }
            continue;
        }
        uint32_t size = 1;
        for (size_t i = 0; i < special->nested_count && size <= NESTED_MAX + 1; i++)
            size += sizes[special->nested[i].special];
        if (size > NESTED_MAX + 1)
            return error_set(l->err, PTL_ERR_LIMIT,
                             "more than %d specials are nested in special '%s'", NESTED_MAX,
                             special->id);
        sizes[top->special] = (uint16_t)size;
        depth--;
    }
    return PTL_OK;
}

ptl_status load_links(loader *l)
{
    link_tables t = {0};
    TRY(LOADER_ROOM_OF(l, t.links, CONTENT_SPECIAL_CONNECTION));
    TRY(LOADER_ROOM_OF(l, t.nested, CONTENT_SPECIAL_NESTED));
    TRY(loader_rows(l, CONTENT_SPECIAL_CONNECTION, NULL, read_link, &t));
    TRY(loader_rows(l, CONTENT_SPECIAL_NESTED, NULL, read_nested, &t));
    size_t count = l->cat->special_count;
    uint16_t *sizes = calloc(count + 1, sizeof *sizes);
    nested_step *path = calloc(count + 1, sizeof *path);
    ptl_status status = sizes && path ? PTL_OK : error_nomem(l->err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        if (l->specials[i].nested_count > 0 && sizes[i] == SIZE_UNKNOWN)
            status = measure(l, (uint16_t)i, sizes, path);
    free(sizes);
    free(path);
    return status;
}

/* Reads an OMT of a fixed special or city building: its oter for each rotation of the special,
 * and the set of terrains on which it may be placed. */

static ptl_status read_omt(loader *l, const void *values)
{
    const special_omt_row *s = values;
    cat_omt *omts = l->payload, *omt = &omts[l->row];
    const char *id = s->special;
    TRY(loader_owner(l, id));
    if (l->layouts[l->owner])
        return loader_corrupt(l, "OMT of mutable special", id);
    cat_special *owner = &l->specials[l->owner];
    if (s->position != (int64_t)owner->omt_count)
        return loader_corrupt(l, "an OMT is missing of special", id);
    omt->x = (int16_t)s->x;
    omt->y = (int16_t)s->y;
    omt->z = (int8_t)s->z;
    omt->allows = l->grounds[l->owner];
    if (owner->omt_count++ == 0)
        owner->omts = omt;
    /* Extends the special's bounds so that they include the OMT. */
    bool first = owner->omt_count == 1;
    owner->x0 = first || omt->x < owner->x0 ? omt->x : owner->x0;
    owner->x1 = first || omt->x > owner->x1 ? omt->x : owner->x1;
    owner->y0 = first || omt->y < owner->y0 ? omt->y : owner->y0;
    owner->y1 = first || omt->y > owner->y1 ? omt->y : owner->y1;
    owner->z0 = first || omt->z < owner->z0 ? omt->z : owner->z0;
    owner->z1 = first || omt->z > owner->z1 ? omt->z : owner->z1;
    return loader_oters(l, omt->oters, s->oter);
}

static ptl_status read_location(loader *l, const void *values)
{
    const special_omt_location_row *s = values;
    cat_omt *omts = l->payload;
    TRY(loader_owner(l, s->special));
    const cat_special *owner = &l->specials[l->owner];
    if (s->omt < 0 || s->omt >= (int64_t)owner->omt_count)
        return loader_corrupt(l, "locations of no OMT of special", s->special);
    cat_omt *omt = &omts[(owner->omts - omts) + s->omt];
    omt->own = true;
    return loader_gather(l, &omt->allows, s->location);
}

ptl_status load_omts(loader *l)
{
    cat_omt *omts;
    TRY(LOADER_ROOM_OF(l, omts, CONTENT_SPECIAL_OMT));
    TRY(loader_rows(l, CONTENT_SPECIAL_OMT, NULL, read_omt, omts));
    return loader_rows(l, CONTENT_SPECIAL_OMT_LOCATION, NULL, read_location, omts);
}
