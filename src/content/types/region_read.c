/*
 * Reads region_settings and region_overlay: one object becomes a patch. Both types have the
 * same members; numbers and lists that an object does not mention stay as they are. Regions of
 * older games have blocks of settings. Those of newer games refer by id to parts, which are
 * objects of types of their own; a part is read in place of its block. A step of generation
 * whose part is missing or null does not exist (schema/generation.md 6).
 */
#include "content/import/field.h"
#include "content/import/source.h"
#include "content/types/region.h"

#include <assert.h>
#include <string.h>

enum { FLOODPLAIN_MAX = 15, WEIGHT_MAX = 1000000000, CELLS = 32400, DEFAULT_OTERS = 21 };

static const char river[] = "overmap_river_settings", lake[] = "overmap_lake_settings",
                  ravine[] = "overmap_ravine_settings", forest[] = "overmap_forest_settings",
                  trail[] = "forest_trail_settings", ocean[] = "overmap_ocean_settings",
                  features[] = "overmap_feature_flag_settings";

const region_bin region_feature_lists[REGION_FEATURE_LISTS] = {
    {features, "blacklist", "clear_blacklist", 0},
    {features, "whitelist", "clear_whitelist", 0},
};

/* The blocks of a region's settings. A block stands in the region's JSON under its name
 * `block`, or under its other name `alias`. If `part` is not NULL, the value under the alias
 * may also be an id: it names an object of the type `part`, which has the same settings as the
 * block. */
static const struct {
    const char *block, *alias, *part;
    bool expected; /* a remark says so if the default region lacks this block */
} blocks[] = {
    {features, "feature_flag_settings", NULL, false},
    {river, "rivers", "region_settings_river", false},
    {lake, "lakes", "region_settings_lake", true},
    {ravine, "ravines", "region_settings_ravine", false},
    {forest, "forests", "region_settings_forest", true},
    {trail, "forest_trails", "region_settings_forest_trail", true},
    {"city", "cities", "region_settings_city", true},
    {ocean, "ocean", "region_settings_ocean", false},
    {highway_block, "highways", "region_settings_highway", false},
    {"overmap_connection_settings", "connections", NULL, false},
    {"forest_mapgen_settings", "forest_composition", "region_settings_forest_mapgen", false},
    {"region_terrain_and_furniture", "terrain_furniture", "region_settings_terrain_furniture",
     false},
    {"weather", "weather", "weather_generator", false},
    {"map_extras", "map_extras", "region_settings_map_extras", false},
};
enum {
    BLOCKS_READ = 8, /* only the first 8 blocks of settings have members that are read here */
    BLOCKS_COUNTED = 9, /* unknown members are counted only in the first 9 blocks of settings */
    BLOCKS = sizeof blocks / sizeof *blocks
};

/* Keys of a region's object that name neither numbers nor blocks of settings. The first
 * PART_KEYS of them are also keys of the objects that hold parts of a region's settings; the
 * first UNKEPT_KEYS are not kept in region.rest. */
static const char *const own_keys[] = {
    "type",          "id",           "abstract",      "copy-from",
    "regions",       "default_oter", "isolated_city", "default_groundcover",
    "field_coverage"};
enum { PART_KEYS = 4, UNKEPT_KEYS = 6, OWN_KEYS = sizeof own_keys / sizeof *own_keys };

/* Has this member of a region's block a column or table of its own in the database? (Other
 * members are stored together, as JSON.) */
static bool region_has_column(const char *block, const char *key)
{
    for (size_t i = 0; i < REGION_NUMBERS; i++)
        if (strcmp(region_fields[i].block, block) == 0 &&
            strcmp(region_fields[i].key, key) == 0)
            return true;
    if (strcmp(block, "overmap_river_settings") == 0 && strcmp(key, "river_scale") == 0)
        return true;
    for (size_t i = 0; i < REGION_BINS + REGION_FEATURE_LISTS; i++) {
        const region_bin *bin =
            i < REGION_BINS ? &region_bins[i] : &region_feature_lists[i - REGION_BINS];
        if (strcmp(bin->block, block) == 0 &&
            (strcmp(bin->key, key) == 0 || strcmp(bin->clear, key) == 0))
            return true;
    }
    return json_is_comment(key);
}

/* Counts those members of a region's object that Portolan does not know. */
static void count_unknown(import *im, const source_object *obj)
{
    const char *key;
    json_t *value;
    json_object_foreach(obj->json, key, value)
    {
        bool known = region_has_column("", key);
        for (size_t i = 0; i < BLOCKS && !known; i++)
            known = strcmp(blocks[i].block, key) == 0 || strcmp(blocks[i].alias, key) == 0;
        for (size_t i = 0; i < OWN_KEYS && !known; i++)
            known = strcmp(own_keys[i], key) == 0;
        if (!known)
            import_count_unknown_key(im, obj, key);
    }
}

void region_warn_default(import *im, const source_object *obj)
{
    static const char text[] = "the default region has no '%s': the games' defaults are used";
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].expected && !json_object_get(obj->json, blocks[i].block) &&
            !json_object_get(obj->json, blocks[i].alias))
            import_warning(im, obj, NULL, "", RG101, text, blocks[i].block);
    if (!json_object_get(obj->json, "default_oter"))
        import_warning(im, obj, NULL, "", RG101, text, "default_oter");
}

/* State of reading a region's object into a region_patch, which then has the settings that this
 * object states. */
typedef struct reading {
    import *im;
    /* The objects that hold parts of regions' settings; NULL: `obj` is an overlay, which can't
     * refer to such objects. */
    const region_parts *parts;
    const source_object *obj;
    region_patch *to;
} reading;

/* Returns a block of settings in a region's object, or the object to which the region refers by
 * id in place of the block. The field's value is NULL if there is neither. */
static field find_block(const reading *r, const char *block)
{
    const field object = field_of(r->im, r->obj, NULL);
    if (block[0] == '\0')
        return object;
    const field found = field_key(object, block);
    if (found.value && !json_is_string(found.value))
        return found;
    for (size_t i = 0; i < BLOCKS; i++) {
        if (strcmp(blocks[i].block, block) != 0)
            continue;
        const field alias = field_key(object, blocks[i].alias);
        if (!json_is_string(alias.value) || !blocks[i].part)
            return alias;
        const source_object *part =
            r->parts ? merged_find(&r->parts->types[i], json_string_value(alias.value)) : NULL;
        return part ? field_of(r->im, part, NULL)
                    : (field){.im = r->im, .obj = r->obj, .in = ""};
    }
    return found;
}

static void set_number(region_patch *p, region_number n, double value)
{
    p->numbers[n] = value;
    p->present[n] = true;
}

/* Reads one number from a list of four numbers, which are for the north, east, south and west
 * side. */
static void read_side(region_patch *p, field list, region_number n)
{
    const region_field *f = &region_fields[n];
    if (!list.value)
        return;
    if (json_array_size(list.value) != 4) {
        if (f->element == 1)
            field_error(list, CT101,
                        "'%s' must be a list of 4 numbers: north, east, south, west", f->key);
        return;
    }
    const field side = field_at(list, (size_t)f->element - 1);
    const bool real = f->place == REGION_REAL;
    const double number = json_number_value(side.value);
    if ((real ? json_is_number(side.value) : json_is_integer(side.value)) && number >= f->lo &&
        number <= f->hi)
        set_number(p, n, number);
    else
        field_error(side, CT101, "must be a%s number, %g..%g", real ? "" : " whole", f->lo,
                    f->hi);
}

/* Reads a real number. The games use infinity for a threshold of noise that is never reached,
 * so a threshold that is too great is cut. */
static void read_real(region_patch *p, field member, region_number n)
{
    const region_field *f = &region_fields[n];
    double real = 0;
    if (!field_number(member, &real))
        return;
    if (real > f->hi && strncmp(f->key, "noise_threshold_", 16) == 0)
        real = f->hi;
    if (real >= f->lo && real <= f->hi)
        set_number(p, n, real);
    else
        field_error(member, CT103, "'%s' must be %g..%g, not %g", f->key, f->lo, f->hi, real);
}

static void read_number(const reading *r, region_number n)
{
    const region_field *f = &region_fields[n];
    field block = find_block(r, f->block);
    if (n == REGION_RIVER_SCALE && !json_object_get(block.value, f->key))
        block = find_block(r, river);
    if (!json_is_object(block.value) || f->key[0] == '\0')
        return;
    const field member = field_key(block, f->key);
    int64_t whole;
    bool on;
    if (f->element > 0) {
        read_side(r->to, member, n);
    } else if (region_is_switch(f)) {
        if (field_bool(member, &on))
            set_number(r->to, n, on);
    } else if (f->place == REGION_REAL) {
        read_real(r->to, member, n);
    } else if (n >= REGION_OCEAN_START_NORTH && n <= REGION_OCEAN_START_WEST &&
               json_is_null(member.value)) {
        set_number(r->to, n, REGION_OCEAN_NEVER);
    } else {
        const bool size = n == REGION_LAKE_SIZE_MIN || n == REGION_OCEAN_SIZE_MIN;
        const int64_t lo = size ? 0 : (int64_t)f->lo; /* a size of 0 is read as 1 */
        if (field_int(member, lo, (int64_t)f->hi, &whole))
            set_number(r->to, n, (double)whole < f->lo ? f->lo : (double)whole);
    }
}

/* Limits the width of floodplains to 15 cells: the step of generation that makes swamps looks
 * no further for a river. */
static void limit_floodplain(const reading *r)
{
    region_patch *p = r->to;
    for (uint32_t n = REGION_FLOODPLAIN_MIN; n <= REGION_FLOODPLAIN_MAX; n++) {
        const char *key = region_fields[n].key;
        if (!p->present[n] || p->numbers[n] <= FLOODPLAIN_MAX)
            continue;
        field_warning(field_key(find_block(r, forest), key), CT114,
                      "'%s' is %.0f; %d, the most that is possible, is used", key,
                      p->numbers[n], FLOODPLAIN_MAX);
        p->numbers[n] = FLOODPLAIN_MAX;
    }
}

/* Adds an id with its weight to a weighted list (1 if `weight` is NULL). `at` is the place of
 * the element in the text, for messages. */
static void add_entry(region_list *out, field at, const char *id, const json_t *weight)
{
    const json_int_t number = weight ? json_integer_value(weight) : 1;
    if ((!weight || json_is_integer(weight)) && number >= 0 && number <= WEIGHT_MAX)
        out->items[out->count++] = (region_entry){id, number, at.obj, field_pointer(at), NULL};
    else
        field_error(at, CT101, "the weight of '%s' must be a whole number, 0..%d", id,
                    WEIGHT_MAX);
}

/* Reads [[id, weight], ...] or [id, ...]. If an id comes twice, its weights are added. */
static void read_weight_list(region_list *out, field list)
{
    strmap seen;
    strmap_init(&seen);
    for (size_t i = 0; i < json_array_size(list.value) && !import_stopped(list.im); i++) {
        const field entry = field_at(list, i);
        const bool pair = json_is_array(entry.value) && json_array_size(entry.value) == 2;
        const char *id = json_string_value(pair ? json_array_get(entry.value, 0) : entry.value);
        if (!id) {
            field_error(entry, CT101, "must be an id, or [id, weight]");
            continue;
        }
        const uint32_t before = strmap_get(&seen, id);
        const size_t count = out->count;
        add_entry(out, entry, id, pair ? json_array_get(entry.value, 1) : NULL);
        if (out->count > count && before != STRMAP_NONE) {
            out->items[before].weight += out->items[count].weight;
            out->count = count;
        } else if (out->count > count && strmap_put(&seen, id, (uint32_t)count) != 0) {
            import_no_memory(list.im);
        }
    }
    strmap_dispose(&seen);
}

/* Reads {"id": weight, ...}, [[id, weight], ...] or [id, ...]. */
static void read_weights(region_list *out, field list)
{
    if (!list.value)
        return;
    if (!json_is_object(list.value) && !json_is_array(list.value)) {
        field_error(list, CT101, "must be an object or a list of ids and weights");
        return;
    }
    const size_t count = json_array_size(list.value) + json_object_size(list.value);
    out->items = import_alloc(list.im, count + 1, sizeof *out->items);
    if (!out->items)
        return;
    read_weight_list(out, list);
    const char *key;
    json_t *value;
    json_object_foreach(list.value, key, value)
    {
        if (!json_is_comment(key))
            add_entry(out, field_key(list, key), key, value);
    }
}

/* Reads a group of map extras, {"chance": n, "extras": ...}. A group that is an object of its
 * own (map_extra_collection, `collection`) may lack the chance. */
static void read_extra_group(region_extras *out, field group, const char *name, bool overlay,
                             bool collection)
{
    out->name = name;
    if (!json_is_object(group.value)) {
        field_error(group, CT101, "must be an object with 'chance' and 'extras'");
        return;
    }
    const field chance = field_key(group, "chance"), extras = field_key(group, "extras");
    out->chance = 1;
    if (!overlay && !collection)
        field_required(chance, "chance");
    out->has_chance = field_int(chance, 0, INT32_MAX, &out->chance) || collection;
    field_bool(field_key(group, "clear_extras"), &out->clear);
    if (!overlay)
        field_required(extras, "extras");
    read_weights(&out->entries, extras);
}

/* Reads the collections of map extras whose ids are listed in an object that holds part of a
 * region's settings. */
static void read_collections(region_patch *p, const region_parts *parts, field list)
{
    string_list names;
    if (!string_list_read(&names, list, false))
        return;
    string_list_make_set(&names);
    p->extras = import_alloc(list.im, names.count + 1, sizeof *p->extras);
    for (size_t i = 0; p->extras && i < names.count; i++) {
        const source_object *found = merged_find(&parts->collections, names.items[i]);
        if (found)
            read_extra_group(&p->extras[p->extras_count++], field_of(list.im, found, NULL),
                             names.items[i], false, true);
        else
            field_unresolved(list, CT104, "no such map_extra_collection '%s'%s", names.items[i],
                             merged_suggest(list.im, &parts->collections, names.items[i]));
    }
}

static void read_extras(const reading *r)
{
    region_patch *p = r->to;
    const field groups = find_block(r, "map_extras");
    if (!groups.value || json_is_null(groups.value))
        return;
    if (!json_is_object(groups.value)) {
        field_error(groups, CT101, "'map_extras' must be an object");
        return;
    }
    if (groups.obj != r->obj) {
        read_collections(p, r->parts, field_key(groups, "extras"));
        return;
    }
    p->extras = import_alloc(r->im, json_object_size(groups.value) + 1, sizeof *p->extras);
    if (!p->extras)
        return;
    const char *name;
    json_t *group;
    json_object_foreach(groups.value, name, group)
    {
        if (!json_is_comment(name))
            read_extra_group(&p->extras[p->extras_count++], field_key(groups, name), name,
                             !r->parts, false);
    }
}

/* Reads default_oter: the id of a terrain, or, in newer games, a list for the 21 levels, from
 * z = 10 down. */
static void read_default_oter(const reading *r)
{
    region_patch *p = r->to;
    field oter = field_key(field_of(r->im, r->obj, NULL), "default_oter");
    if (!oter.value)
        return;
    if (json_is_array(oter.value) && json_array_size(oter.value) == DEFAULT_OTERS) {
        const char **levels = import_alloc(r->im, DEFAULT_OTERS, sizeof *levels);
        for (size_t i = 0; levels && i < DEFAULT_OTERS; i++) {
            const char *id = json_string_value(json_array_get(oter.value, i));
            if (!id) {
                field_error(field_at(oter, i), CT101, "must be the id of a terrain");
                return;
            }
            levels[DEFAULT_OTERS - 1 - i] = id;
        }
        p->levels = levels;
        oter = field_at(oter, DEFAULT_OTERS / 2);
    }
    p->default_oter_pointer = field_pointer(oter);
    p->default_oter = json_string_value(oter.value);
    if (!p->default_oter)
        field_error(oter, CT101, "'default_oter' must be a terrain id, or a list of %d",
                    DEFAULT_OTERS);
}

bool region_has_parts(const source_object *obj)
{
    bool found = false;
    for (size_t i = 0; i < BLOCKS; i++)
        found = found ||
                (blocks[i].part && json_is_string(json_object_get(obj->json, blocks[i].alias)));
    return found;
}

/* Switches features off as region_switches says. A member of the region does that if its value
 * is null. It also does that if it is missing and the region refers by id to objects that hold
 * parts of its settings. */
static void read_switches(region_patch *p, const source_object *obj)
{
    const bool parts = region_has_parts(obj);
    for (size_t i = 0; i < REGION_SWITCHES; i++) {
        const region_switch *s = &region_switches[i];
        const json_t *value = s->key ? json_object_get(obj->json, s->key) : NULL;
        if (!s->key || (!json_is_null(value) && !(parts && !value)))
            continue;
        for (uint32_t n = s->first; n <= s->last; n++)
            set_number(p, (region_number)n, s->off);
    }
    /* Notes whether the region has oceans, and whether it has highways. It has either of them
     * if it states the block of settings for it, or refers by id to an object in place of that
     * block. If it does neither, what is inherited stays. 0.I has settings of highways but
     * makes none, so only regions with references have highways. */
    const region_number present[] = {REGION_OCEANS, REGION_HIGHWAYS};
    const char *const keys[][2] = {{ocean, "ocean"}, {highway_block, "highways"}};
    for (size_t i = 0; i < (parts ? 2 : 1); i++) {
        const json_t *value = json_object_get(obj->json, keys[i][0]);
        value = value ? value : json_object_get(obj->json, keys[i][1]);
        if (value)
            set_number(p, present[i], !json_is_null(value));
    }
    if (parts)
        set_number(p, REGION_PARTS, 1);
}

/* If the region states the games' defaults of both city size and spacing, they are dropped, so
 * that the world's settings apply. DDA's newer regions state these defaults, which were options
 * of worlds before and which users still want to set. Other values are kept. */
static void leave_to_world(region_patch *p, const source_object *obj)
{
    enum { SIZE = 8, SPACING = 4 };
    if (!region_has_parts(obj) || p->numbers[REGION_CITY_SIZE] != SIZE ||
        p->numbers[REGION_CITY_SPACING] != SPACING)
        return;
    set_number(p, REGION_CITY_SIZE, -1);
    set_number(p, REGION_CITY_SPACING, -1);
}

/* Checks a region's settings: each id must name an object that exists, and each block must be a
 * JSON object. */
static void check_blocks(const reading *r)
{
    for (size_t i = 0; i < BLOCKS_READ; i++) {
        const field block = find_block(r, blocks[i].block);
        if (block.value && !json_is_object(block.value) && !json_is_null(block.value))
            field_error(block, CT101, "'%s' must be an object", block.key);
    }
    for (size_t i = 0; r->parts && i < BLOCKS; i++) {
        const field named = field_key(field_of(r->im, r->obj, NULL), blocks[i].alias);
        const char *id = blocks[i].part ? json_string_value(named.value) : NULL;
        if (id && !merged_find(&r->parts->types[i], id))
            field_unresolved(named, CT104, "no such %s '%s'%s", blocks[i].part, id,
                             merged_suggest(r->im, &r->parts->types[i], id));
    }
}

static void check_ids(import *im, const char *type)
{
    const source_type *objects = import_objects(im, type);
    for (size_t i = 0; i < objects->count && !import_stopped(im); i++) {
        object_ids ids;
        object_ids_read(&ids, im, objects->objects[i], CONTENT_ID_MAX);
        if (ids.count > 1)
            import_error(im, objects->objects[i], NULL, "/id", CT109, "%s needs one 'id'",
                         type);
    }
}

/* Members of a region's blocks of settings, as {block, member}, that have no columns in the
 * database but are read when local maps are made. */
static const char *const map_keys[][2] = {
    {"forest_trail_settings", "trail_center_variance"},
    {"forest_trail_settings", "trail_width_offset_min"},
    {"forest_trail_settings", "trail_width_offset_max"},
    {"forest_trail_settings", "trail_terrain"},
    {"forest_mapgen_settings", "biomes"},
    {"region_terrain_and_furniture", "ter_furn"},
    {"map_extras", "extras"},
};

/* Counts the unread members of the JSON object `in`, which is a block of a region, or a
 * separate object that the region refers to instead of the block. Comments and keys of
 * inheritance are not counted. Some members that the games read are counted, since Portolan has
 * no use for them. The block weather is skipped: it is kept as it is, and nothing reads it. */
static void region_count_unread(import *im, const source_object *obj, const char *block,
                                field in)
{
    static const char *const own[] = {"id",       "type",   "copy-from",
                                      "abstract", "extend", "delete"};
    const bool highways = strcmp(block, highway_block) == 0;
    const char *key;
    json_t *value;
    if (strcmp(block, "weather") == 0)
        return;
    json_object_foreach(in.value, key, value)
    {
        bool read = region_has_column(block, key) ||
                    (highways && strcmp(key, "straightness_chance") == 0);
        for (size_t i = 0; i < HIGHWAY_PARTS && highways && !read; i++)
            read = strcmp(highway_parts[i].key, key) == 0;
        for (size_t i = 0; i < sizeof own / sizeof *own && !read; i++)
            read = strcmp(own[i], key) == 0;
        for (size_t i = 0; i < sizeof map_keys / sizeof *map_keys && !read; i++)
            read = strcmp(map_keys[i][0], block) == 0 && strcmp(map_keys[i][1], key) == 0;
        if (!read)
            import_count_unknown_key(im, obj,
                                     in.key ? import_printf(im, "%s.%s", in.key, key) : key);
    }
}

void region_parts_load(region_parts *out, import *im)
{
    import_merged(&out->collections, im, "map_extra_collection");
    static_assert((int)BLOCKS <= (int)REGION_PARTS_MAX, "a list for each type of part");
    check_ids(im, "map_extra_collection");
    for (size_t i = 0; i < BLOCKS; i++) {
        if (!blocks[i].part)
            continue;
        import_merged(&out->types[i], im, blocks[i].part);
        check_ids(im, blocks[i].part);
        for (size_t k = 0; k < out->types[i].count; k++)
            region_count_unread(im, out->types[i].objects[k], blocks[i].block,
                                field_of(im, out->types[i].objects[k], NULL));
    }
}

void region_patch_read(region_patch *out, import *im, const region_parts *parts,
                       const source_object *obj)
{
    const reading whole = {im, parts, obj, out}, *r = &whole;
    memset(out, 0, sizeof *out);
    check_blocks(r);
    read_default_oter(r);
    read_switches(out, obj);
    for (uint32_t n = 0; n < REGION_NUMBERS; n++)
        read_number(r, (region_number)n);
    leave_to_world(out, obj);
    /* DDA has rivers in a new form since 2025, with regions that refer to objects for their
     * settings. If the settings of such rivers do not state a frequency, it is the game's
     * default. */
    const double frequency = 1.5;
    if (parts && !out->present[REGION_RIVER_FREQUENCY] &&
        json_is_object(find_block(r, river).value))
        set_number(out, REGION_RIVER_FREQUENCY, frequency);
    /* In the older form of regions, in which the settings of oceans are a block of the region,
     * a distance of 0 at which the ocean begins on a side means that there is no ocean on that
     * side. */
    if (!json_is_string(json_object_get(obj->json, "ocean"))) {
        for (uint32_t n = REGION_OCEAN_START_NORTH; n <= REGION_OCEAN_START_WEST; n++)
            if (out->present[n] && out->numbers[n] == 0)
                out->numbers[n] = REGION_OCEAN_NEVER;
    }
    limit_floodplain(r);
    for (size_t i = 0; i < REGION_FEATURE_LISTS; i++) {
        const region_bin *list = &region_feature_lists[i];
        const field block = find_block(r, list->block);
        field_bool(field_key(block, list->clear), &out->clear_features[i]);
        string_list_read(&out->features[i], field_key(block, list->key), true);
    }
    count_unknown(im, obj);
    /* Blocks of settings behind the first BLOCKS_COUNTED may have any members, so theirs are
     * not counted. */
    for (size_t i = 0; i < BLOCKS_COUNTED; i++) {
        const field block = find_block(r, blocks[i].block);
        if (json_is_object(block.value) && block.obj == obj)
            region_count_unread(im, obj, blocks[i].block, block);
    }
    for (size_t i = 0; i < REGION_BINS; i++) {
        const region_bin *bin = &region_bins[i];
        const field block = find_block(r, bin->block);
        field_bool(field_key(block, bin->clear), &out->clear_bin[i]);
        read_weights(&out->bins[i], field_key(block, bin->key));
    }
    read_extras(r);
}

/* Replaces references to objects that hold parts of the settings by copies of these objects,
 * under the names of the blocks. False when memory is out. */
static bool put_parts(json_t *out, const region_parts *parts)
{
    bool good = true;
    for (size_t i = 0; i < BLOCKS && good; i++) {
        const json_t *named = json_object_get(out, blocks[i].alias);
        if (!blocks[i].part || !json_is_string(named))
            continue;
        const source_object *part = merged_find(&parts->types[i], json_string_value(named));
        json_t *copy = part ? json_deep_copy(part->json) : json_object();
        for (size_t k = 0; k < PART_KEYS; k++)
            json_object_del(copy, own_keys[k]);
        json_object_del(out, blocks[i].alias);
        good = copy && json_object_set_new(out, blocks[i].block, copy) == 0;
    }
    return good;
}

json_t *region_rest(import *im, const region_parts *parts, const source_object *obj)
{
    static const char *const unkept[] = {"river_scale", "map_extras", "feature_flag_settings"};
    json_t *out = json_deep_copy(obj->json);
    if (!source_own(im, out))
        return NULL;
    if (parts && !put_parts(out, parts))
        import_no_memory(im);
    for (size_t i = 0; i < UNKEPT_KEYS; i++)
        json_object_del(out, own_keys[i]);
    for (size_t i = 0; i < sizeof unkept / sizeof *unkept; i++)
        json_object_del(out, unkept[i]);
    const char *name, *key;
    json_t *block, *value;
    void *next, *next_key;
    json_object_foreach_safe(out, next, name, block)
    {
        json_object_foreach_safe(block, next_key, key, value)
        {
            if (region_has_column(name, key))
                json_object_del(block, key);
        }
        if (region_has_column("", name) ||
            (json_is_object(block) && json_object_size(block) == 0))
            json_object_del(out, name);
    }
    return out;
}
