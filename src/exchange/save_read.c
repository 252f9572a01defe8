/* Reads an overmap's file: terrain, cities, radios, monster groups, and the points of
 * specials. */
#include "core/error.h"
#include "exchange/save_json.h"
#include "model/predecessors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- layers ---- */

/* Returns the oter that an id was migrated to, or CAT_NONE. A migration takes precedence over
 * the content's own terrain of that id, unless it leads to an unknown id. */
static ptl_oter migrated_oter(const catalogue *cat, const char *id)
{
    const char *now = catalogue_oter_now(cat, id);
    return strcmp(now, id) == 0 ? CAT_NONE : catalogue_oter_or_first(cat, now);
}

static ptl_oter oter_now(const save_json *j, const char *id)
{
    const ptl_oter oter = migrated_oter(j->reader->cat, id);
    return oter == CAT_NONE ? catalogue_oter(j->reader->cat, id) : oter;
}

static ptl_oter find_oter(const save_json *j, const char *id, size_t count)
{
    if (migrated_oter(j->reader->cat, id) != CAT_NONE)
        j->out->counts.migrated_terrains += count;
    return oter_now(j, id);
}

static ptl_status read_run(const save_json *j, json_t *run, int z_index, size_t number,
                           ptl_oter *oter, size_t *count)
{
    char pointer[SAVE_POINTER_SIZE];
    snprintf(pointer, sizeof pointer, "/layers/%d/%zu", z_index, number);
    const char *id = json_string_value(json_array_get(run, 0));
    json_t *length = json_array_get(run, 1);
    if (json_array_size(run) != 2 || !id || !json_is_integer(length))
        return save_json_fail(j, pointer, "a run is [terrain id, count]");
    json_int_t n = json_integer_value(length);
    if (n < 1 || n > PTL_LEVEL_CELLS)
        return save_json_fail(j, pointer, "a run's count must be 1 to %d", PTL_LEVEL_CELLS);
    *count = (size_t)n;
    *oter = find_oter(j, id, *count);
    if (*oter != CAT_NONE)
        return PTL_OK;
    *oter = j->reader->defaults[z_index];
    j->out->counts.unknown_terrains += *count;
    snprintf(pointer, sizeof pointer, "/layers/%d/%zu/0", z_index, number);
    return save_lacks_add(j, PTL_UNKNOWN_TERRAIN, id, *count, pointer);
}

/* Reads one level: runs that must fill it exactly. */
static ptl_status read_layer(const save_json *j, json_t *layer, int z_index)
{
    char pointer[SAVE_POINTER_SIZE];
    ptl_oter *cells = level_cells(&j->out->chunk->levels[z_index]);
    size_t at = 0, number, count = 0;
    json_t *run;
    snprintf(pointer, sizeof pointer, "/layers/%d", z_index);
    if (!cells)
        return error_nomem(j->err);
    if (!json_is_array(layer))
        return save_json_fail(j, pointer, "a layer is an array of runs");
    json_array_foreach(layer, number, run)
    {
        ptl_oter oter = 0;
        TRY(read_run(j, run, z_index, number, &oter, &count));
        if (count > PTL_LEVEL_CELLS - at) {
            snprintf(pointer, sizeof pointer, "/layers/%d/%zu", z_index, number);
            return save_json_fail(j, pointer, "the layer's runs have more than %d cells",
                                  PTL_LEVEL_CELLS);
        }
        for (size_t i = 0; i < count; i++)
            cells[at++] = oter;
    }
    if (at != PTL_LEVEL_CELLS)
        return save_json_fail(j, pointer, "the layer's runs have %zu cells, not %d", at,
                              PTL_LEVEL_CELLS);
    level_compact(&j->out->chunk->levels[z_index]);
    return PTL_OK;
}

static ptl_status read_layers(const save_json *j)
{
    json_t *layers;
    ptl_status status = save_json_array(j, "layers", &layers);
    if (status == PTL_OK && !layers)
        return save_json_fail(j, "", "there are no layers");
    if (status == PTL_OK && json_array_size(layers) != PTL_LEVELS)
        return save_json_fail(j, "/layers", "there are %zu layers, not %d",
                              json_array_size(layers), PTL_LEVELS);
    for (int i = 0; i < PTL_LEVELS && status == PTL_OK; i++)
        status = read_layer(j, json_array_get(layers, (size_t)i), i);
    return status == PTL_OK && !j->reader->lenient ? save_lacks_fail(j) : status;
}

/* ---- cities and radios ---- */

/* The place is given by "x" and "y" or, since version 36, by "pos". */
static ptl_status read_city_place(const save_json *j, json_t *value, const char *pointer,
                                  int64_t *x, int64_t *y)
{
    int64_t cells[2] = {0, PTL_CHUNK_SIZE - 1}, *to[2] = {x, y};
    const json_t *pos = json_object_get(value, "pos");
    if (!pos) {
        TRY(save_json_int(j, value, pointer, "x", cells, -1, x));
        return save_json_int(j, value, pointer, "y", cells, -1, y);
    }
    for (size_t i = 0; i < 2; i++) {
        const json_t *number = json_array_get(pos, i);
        *to[i] = json_integer_value(number);
        if (json_array_size(pos) != 2 || !json_is_integer(number) || *to[i] < cells[0] ||
            *to[i] > cells[1]) {
            char at[SAVE_POINTER_SIZE];
            snprintf(at, sizeof at, "%.150s/pos", pointer);
            TRY(save_json_fail(j, at, "pos must be [x, y], whole numbers from 0 to %d",
                               PTL_CHUNK_SIZE - 1));
        }
    }
    return PTL_OK;
}

static ptl_status read_city(const save_json *j, json_t *value, const char *pointer)
{
    const char *name;
    int64_t x, y, size, sizes[2] = {1, INT16_MAX};
    TRY(save_json_text(j, value, pointer, "name", NULL, &name));
    TRY(read_city_place(j, value, pointer, &x, &y));
    TRY(save_json_int(j, value, pointer, "size", sizes, -1, &size));
    gen_city *city = features_add_city(&j->out->features);
    const char *kept = features_text(&j->out->features, name);
    if (!city || !kept)
        return error_nomem(j->err);
    *city = (gen_city){.name = kept,
                       .x = (int16_t)x,
                       .y = (int16_t)y,
                       .size = (int16_t)size,
                       .planned_x = (int16_t)x,
                       .planned_y = (int16_t)y};
    return PTL_OK;
}

static ptl_status read_radio(const save_json *j, json_t *value, const char *pointer)
{
    const char *type, *message;
    int64_t x, y, strength, frequency;
    int64_t cells[2] = {0, SUBMAPS - 1}, any16[2] = {0, INT16_MAX}, any32[2] = {0, INT32_MAX};
    TRY(save_json_int(j, value, pointer, "x", cells, -1, &x));
    TRY(save_json_int(j, value, pointer, "y", cells, -1, &y));
    TRY(save_json_int(j, value, pointer, "strength", any16, -1, &strength));
    TRY(save_json_int(j, value, pointer, "frequency", any32, 0, &frequency));
    TRY(save_json_text(j, value, pointer, "type", NULL, &type));
    TRY(save_json_text(j, value, pointer, "message", "", &message));
    bool weather = strcmp(type, "weather") == 0;
    if (!weather && strcmp(type, "broadcast") != 0)
        return save_json_fail(j, pointer, "a radio's type is 'broadcast' or 'weather'");
    gen_radio *radio = features_add_radio(&j->out->features);
    const char *kept = features_text(&j->out->features, message);
    if (!radio || !kept)
        return error_nomem(j->err);
    *radio = (gen_radio){.x = (int16_t)x,
                         .y = (int16_t)y,
                         .strength = (int16_t)strength,
                         .weather = weather,
                         .message = kept,
                         .frequency = (int32_t)frequency};
    return PTL_OK;
}

typedef ptl_status (*read_element)(const save_json *j, json_t *value, const char *pointer);

/* Reads each element of a list that is a member of the root. */
static ptl_status read_each(const save_json *j, const char *key, read_element read)
{
    char pointer[SAVE_POINTER_SIZE];
    json_t *list, *value;
    size_t i;
    ptl_status status = save_json_array(j, key, &list);
    if (status != PTL_OK || !list)
        return status;
    json_array_foreach(list, i, value)
    {
        snprintf(pointer, sizeof pointer, "/%s/%zu", key, i);
        TRY(read(j, value, pointer));
    }
    return PTL_OK;
}

/* ---- monster groups ---- */

static ptl_status add_groups(const save_json *j, const gen_group *model, json_t *places,
                             const char *pointer)
{
    gen_features *f = &j->out->features;
    json_t *value;
    size_t i;
    json_array_foreach(places, i, value)
    {
        char at[SAVE_POINTER_SIZE];
        save_spot p;
        snprintf(at, sizeof at, "%.150s/1/%zu", pointer, i);
        TRY(save_json_place(j, value, at, &p));
        /* Some lie beyond the border; save_strays.c finds where they belong. */
        if (p.x < 0 || p.x >= SUBMAPS || p.y < 0 || p.y >= SUBMAPS || p.z < PTL_Z_MIN ||
            p.z > PTL_Z_MAX || f->group_count >= SAVE_GROUPS_MAX) {
            j->out->counts.groups_left_out++;
            continue;
        }
        gen_group *group = features_add_group(f);
        if (!group)
            return error_nomem(j->err);
        *group = *model;
        group->x = (int16_t)p.x;
        group->y = (int16_t)p.y;
        group->z = (int8_t)p.z;
    }
    return PTL_OK;
}

static ptl_status read_groups(const save_json *j, json_t *value, const char *pointer)
{
    json_t *group = json_array_get(value, 0), *places = json_array_get(value, 1);
    char at[SAVE_POINTER_SIZE];
    const char *type;
    int64_t population, radius, many[2] = {0, INT32_MAX}, radii[2] = {0, SUBMAPS};
    if (json_array_size(value) != 2 || !json_is_object(group) || !json_is_array(places))
        return save_json_fail(j, pointer, "monster groups are [group, [places]]");
    snprintf(at, sizeof at, "%.150s/0", pointer);
    TRY(save_json_text(j, group, at, "type", NULL, &type));
    TRY(save_json_int(j, group, at, "population", many, 1, &population));
    TRY(save_json_int(j, group, at, "radius", radii, 1, &radius));
    const char *kept = features_text(&j->out->features, type);
    if (!kept)
        return error_nomem(j->err);
    const gen_group model = {.type = kept,
                             .radius = (int16_t)radius,
                             .population = (int32_t)population,
                             .horde = json_is_true(json_object_get(group, "horde")),
                             .diffuse = json_is_true(json_object_get(group, "diffuse"))};
    return add_groups(j, &model, places, pointer);
}

/* ---- specials ---- */

static int by_cell(const void *pa, const void *pb)
{
    const int32_t *a = pa, *b = pb;
    return *a < *b ? -1 : *a > *b;
}

/* Appends the points of one placement of the file to those of its special. */
static ptl_status add_points(const save_json *j, save_points *to, json_t *points,
                             const char *pointer)
{
    size_t i, extra = json_array_size(points);
    json_t *value;
    int32_t *grown = realloc(to->cells, (to->count + extra + 1) * sizeof *grown);
    if (!grown)
        return error_nomem(j->err);
    to->cells = grown;
    json_array_foreach(points, i, value)
    {
        char at[SAVE_POINTER_SIZE];
        save_spot p;
        snprintf(at, sizeof at, "%.150s/points/%zu/p", pointer, i);
        TRY(save_json_place(j, json_object_get(value, "p"), at, &p));
        const int32_t cell = save_cell_of(p);
        if (cell < 0)
            return save_json_fail(j, at, "the point lies outside the overmap");
        to->cells[to->count++] = cell;
    }
    return PTL_OK;
}

static void sort_points(save_points *p)
{
    size_t kept = 0;
    if (p->count > 1)
        qsort(p->cells, p->count, sizeof *p->cells, by_cell);
    for (size_t i = 0; i < p->count; i++)
        if (i == 0 || p->cells[i] != p->cells[i - 1])
            p->cells[kept++] = p->cells[i];
    p->count = kept;
}

/* Deals with an id that the content does not define. True: the game has dropped this special,
 * so its points go and its terrain stays. */
static bool migrate_special(const save_json *j, save_points *to, const char *id)
{
    const char *now = catalogue_special_now(j->reader->cat, id);
    if (!now) {
        j->out->counts.specials_gone += to->count;
        to->count = 0;
        return true;
    }
    to->special = catalogue_special(j->reader->cat, now);
    if (to->special != CAT_NONE)
        j->out->counts.migrated_points += to->count;
    return false;
}

/* The list was allocated for all specials of the file, so that pointers into it stay valid. */
static ptl_status read_special(const save_json *j, json_t *value, const char *pointer)
{
    save_overmap *o = j->out;
    save_points *to = &o->specials[o->special_count];
    json_t *list = json_object_get(value, "placements"), *placement;
    const char *id;
    size_t i;
    ptl_status status = save_json_text(j, value, pointer, "special", NULL, &id);
    if (status == PTL_OK && !json_is_array(list))
        status = save_json_fail(j, pointer, "placements must be an array");
    if (status != PTL_OK)
        return status;
    o->special_count++;
    json_array_foreach(list, i, placement)
    {
        char at[SAVE_POINTER_SIZE];
        snprintf(at, sizeof at, "%.150s/placements/%zu", pointer, i);
        json_t *points = json_object_get(placement, "points");
        if (!json_is_array(points))
            return save_json_fail(j, at, "points must be an array");
        TRY(add_points(j, to, points, at));
    }
    to->special = catalogue_special(j->reader->cat, id);
    sort_points(to);
    if (to->special == CAT_NONE && migrate_special(j, to, id))
        return PTL_OK;
    if (to->special == CAT_NONE) {
        char at[SAVE_POINTER_SIZE];
        snprintf(at, sizeof at, "%.150s/special", pointer);
        status = save_lacks_add(j, PTL_UNKNOWN_SPECIAL, id, to->count, at);
        o->counts.points_left_out += to->count;
        to->count = 0;
    }
    return status;
}

static ptl_status read_specials(const save_json *j)
{
    json_t *list;
    TRY(save_json_array(j, "overmap_special_placements", &list));
    if (!list)
        return PTL_OK;
    j->out->specials = calloc(json_array_size(list) + 1, sizeof *j->out->specials);
    if (!j->out->specials)
        return error_nomem(j->err);
    return read_each(j, "overmap_special_placements", read_special);
}

/* ---- predecessors: the terrain that OMTs had before ---- */

static ptl_status add_chain(const save_json *j, predecessor_log *log, save_spot p, json_t *ids,
                            const char *pointer)
{
    const int32_t cell = p.y * PTL_CHUNK_SIZE + p.x;
    json_t *value;
    size_t i;
    json_array_foreach(ids, i, value)
    {
        const char *id = json_string_value(value);
        const ptl_oter oter = id ? oter_now(j, id) : CAT_NONE;
        char at[SAVE_POINTER_SIZE];
        snprintf(at, sizeof at, "%.150s/1/%zu", pointer, i);
        if (!id)
            return save_json_fail(j, at, "what a tile was before is a terrain id");
        if (oter == CAT_NONE && !j->reader->lenient)
            return save_json_fail(j, at, "the content has no terrain %s", id);
        ptl_status status = PTL_OK;
        if (oter != CAT_NONE && !predecessors_append(log, p.z, cell, oter))
            return error_nomem(j->err);
        if (oter == CAT_NONE)
            status = save_lacks_add(j, PTL_UNKNOWN_TERRAIN, id, 1, at);
        if (status != PTL_OK)
            return status;
        j->out->counts.details_left_out += oter == CAT_NONE;
    }
    return PTL_OK;
}

/* Reads the earlier terrains of one OMT. The games also keep them where the present terrain no
 * longer needs them; these are left out. */
static ptl_status read_chain(const save_json *j, predecessor_log *log, json_t *value,
                             const char *pointer)
{
    const catalogue *cat = j->reader->cat;
    json_t *ids = json_array_get(value, 1);
    save_spot p = {0, 0, 0};
    char at[SAVE_POINTER_SIZE];
    if (json_array_size(value) != 2 || !json_is_array(ids) ||
        json_array_size(ids) > PREDECESSORS_MAX)
        return save_json_fail(j, pointer,
                              "what a tile was before is [place, [ids]], %d of them at most",
                              (int)PREDECESSORS_MAX);
    snprintf(at, sizeof at, "%.150s/0", pointer);
    TRY(save_json_place(j, json_array_get(value, 0), at, &p));
    if (save_cell_of(p) < 0)
        return save_json_fail(j, at, "the point lies outside the overmap");
    const ptl_oter now = ptl_chunk_oter(j->out->chunk, p.x, p.y, p.z);
    if (cat->oters[now].flags & CAT_FLAG_PREDECESSOR)
        return add_chain(j, log, p, ids, pointer);
    j->out->counts.details_left_out += json_array_size(ids);
    return PTL_OK;
}

static ptl_status read_predecessors(const save_json *j)
{
    predecessor_log log = {.count = 0};
    json_t *list, *value;
    size_t i;
    ptl_status status = save_json_array(j, "predecessors", &list);
    if (status != PTL_OK || !list)
        return status;
    json_array_foreach(list, i, value)
    {
        char pointer[SAVE_POINTER_SIZE];
        snprintf(pointer, sizeof pointer, "/predecessors/%zu", i);
        status = read_chain(j, &log, value, pointer);
        if (status != PTL_OK)
            break;
    }
    if (status == PTL_OK &&
        !predecessors_finish(&j->out->features, &log, j->reader->cat, j->out->chunk))
        status = error_nomem(j->err);
    predecessors_dispose(&log);
    return status;
}

/* ---- the whole file ---- */

ptl_status save_read(save_overmap *out, const save_reader *reader, ptl_chunk_pos pos,
                     const char *text, size_t size, ptl_error *err)
{
    memset(out, 0, sizeof *out);
    save_lacks lacks;
    save_json j = {.reader = reader, .out = out, .lacks = &lacks, .err = err};
    save_lacks_init(&lacks);
    out->chunk = chunk_new(pos);
    ptl_status status = out->chunk ? save_json_load(&j, text, size) : error_nomem(err);
    THEN(status, read_layers(&j));
    THEN(status, read_each(&j, "cities", read_city));
    THEN(status, read_each(&j, "radios", read_radio));
    THEN(status, read_each(&j, "monster_groups", read_groups));
    THEN(status, read_specials(&j));
    THEN(status, save_numbers_read(&j));
    THEN(status, read_predecessors(&j));
    if (status == PTL_OK) {
        /* Notes an overmap's region that the content lacks. The games have one for each
         * overmap; a world here has one for all. */
        const char *id = json_string_value(json_object_get(j.root, "region_id"));
        if (id && !catalogue_region(j.reader->cat, id))
            status = save_lacks_add(&j, PTL_UNKNOWN_REGION, id, 1, "/region_id");
    }
    if (status == PTL_OK) {
        /* Counts what belongs to play, and what Portolan does not store. */
        static const char *const keys[] = {"tracked_vehicles", "scent_traces", "npcs", "camps"};
        static const char *const details[] = {"city_tiles", "rivers",
                                              "omt_stack_arguments_map"};
        uint64_t count = json_array_size(json_object_get(j.root, "monster_map")) / 2;
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
            count += json_array_size(json_object_get(j.root, keys[i]));
        j.out->counts.members_left_out = count;
        count = 0;
        for (size_t i = 0; i < sizeof details / sizeof details[0]; i++)
            count += json_array_size(json_object_get(j.root, details[i]));
        j.out->counts.details_left_out += count;
    }
    THEN(status, save_lacks_tell(&j));
    save_lacks_dispose(&lacks);
    save_json_dispose(&j);
    return status;
}

void save_overmap_dispose(save_overmap *o)
{
    ptl_chunk_free(o->chunk);
    features_dispose(&o->features);
    for (size_t i = 0; i < o->special_count; i++)
        free(o->specials[i].cells);
    free(o->specials);
    for (size_t i = 0; i < o->placed_count; i++) {
        free(o->placed[i].cells);
        free(o->placed[i].joins);
    }
    free(o->placed);
    memset(o, 0, sizeof *o);
}
