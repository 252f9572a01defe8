/* Reads an overmap's file: terrain, cities, radios, monster groups, and the points of
 * specials. */
#include "core/array.h"
#include "core/error.h"
#include "exchange/save_json.h"
#include "model/predecessors.h"
#include "json/json_value.h"
#include "json/position.h"

#include <stdarg.h>
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

/* Writes the JSON Pointer to a value. */
static size_t put_pointer(char out[SAVE_POINTER_SIZE], const save_value *at)
{
    const size_t length = at->in ? put_pointer(out, at->in) : 0;
    char number[24] = "";
    if (!at->key)
        snprintf(number, sizeof number, "%zu", at->index);
    const int more = at->in ? snprintf(out + length, SAVE_POINTER_SIZE - length, "/%s",
                                       at->key ? at->key : number)
                            : 0;
    return more >= 0 && length + (size_t)more < SAVE_POINTER_SIZE ? length + (size_t)more
                                                                  : length;
}

static save_lack *new_lack(save_lacks *l, char *key)
{
    if (!ARRAY_ROOM(l->items, l->room, l->count + 1))
        return NULL;
    if (strmap_put(&l->numbers, key, (uint32_t)l->count) != 0)
        return NULL;
    save_lack *item = &l->items[l->count++];
    *item = (save_lack){.key = key};
    return item;
}

/* Counts an id that the content lacks, `count` more times; `at` is where it stands this
 * time. */
static ptl_status save_lacks_add(const save_json *j, ptl_save_unknown kind, const char *id,
                                 uint64_t count, const save_value *at)
{
    save_lacks *l = j->lacks;
    const size_t size = strlen(id) + 2;
    char *key = malloc(size); /* the first letter keeps kinds apart */
    if (!key)
        return error_nomem(j->err);
    key[0] = (char)('a' + (int)kind);
    memcpy(key + 1, id, size - 1);
    const uint32_t number = strmap_get(&l->numbers, key);
    save_lack *item = number == STRMAP_NONE ? new_lack(l, key) : &l->items[number];
    if (!item || number != STRMAP_NONE)
        free(key);
    if (!item)
        return error_nomem(j->err);
    if (number == STRMAP_NONE) {
        item->kind = kind;
        put_pointer(item->pointer, at);
    }
    item->count += count;
    return PTL_OK;
}

static ptl_status read_run(const save_json *j, const save_value *run, int z_index,
                           ptl_oter *oter, size_t *count)
{
    const save_value terrain = save_element(run, 0);
    const char *id = json_string_value(terrain.json);
    const json_t *length = json_array_get(run->json, 1);
    if (json_array_size(run->json) != 2 || !id || !json_is_integer(length))
        return save_json_fail(j, run, "a run is [terrain id, count]");
    json_int_t n = json_integer_value(length);
    if (n < 1 || n > PTL_LEVEL_CELLS)
        return save_json_fail(j, run, "a run's count must be 1 to %d", PTL_LEVEL_CELLS);
    *count = (size_t)n;
    *oter = find_oter(j, id, *count);
    if (*oter != CAT_NONE)
        return PTL_OK;
    *oter = j->reader->defaults[z_index];
    j->out->counts.unknown_terrains += *count;
    return save_lacks_add(j, PTL_UNKNOWN_TERRAIN, id, *count, &terrain);
}

/* Reads one level: runs that must fill it exactly. */
static ptl_status read_layer(const save_json *j, const save_value *layer, int z_index)
{
    ptl_oter *cells = level_cells(&j->out->chunk->levels[z_index]);
    size_t at = 0, count = 0;
    if (!cells)
        return error_nomem(j->err);
    if (!json_is_array(layer->json))
        return save_json_fail(j, layer, "a layer is an array of runs");
    for (size_t number = 0; number < json_array_size(layer->json); number++) {
        const save_value run = save_element(layer, number);
        ptl_oter oter = 0;
        TRY(read_run(j, &run, z_index, &oter, &count));
        if (count > PTL_LEVEL_CELLS - at)
            return save_json_fail(j, &run, "the layer's runs have more than %d cells",
                                  PTL_LEVEL_CELLS);
        for (size_t i = 0; i < count; i++)
            cells[at++] = oter;
    }
    if (at != PTL_LEVEL_CELLS)
        return save_json_fail(j, layer, "the layer's runs have %zu cells, not %d", at,
                              PTL_LEVEL_CELLS);
    level_compact(&j->out->chunk->levels[z_index]);
    return PTL_OK;
}

static ptl_status fail_at(const save_json *j, size_t offset, const char *message)
{
    position_cursor at = position_begin(j->text);
    position_go(&at, offset);
    return error_set(j->err, PTL_ERR_CONTENT, "%s:%d:%d: %s", j->reader->path, at.line,
                     at.column, message);
}

static ptl_status fail_there(const save_json *j, const char *pointer, const char *message)
{
    const json_document document = json_reader_document(j->parsed);
    return fail_at(j, j->start + position_find(&document, pointer), message);
}

/* Lists terrains as "a (3), b (1)": the first few in the file's order, then how many more
 * there are. */
static void list_terrains(char *out, size_t size, const save_lacks *l)
{
    enum { NAMED = 8 };
    size_t at = 0, named = 0, terrains = 0;
    out[0] = '\0';
    for (size_t i = 0; i < l->count; i++) {
        const save_lack *item = &l->items[i];
        if (item->kind != PTL_UNKNOWN_TERRAIN || terrains++ >= NAMED)
            continue;
        const int n = snprintf(out + at, size - at, "%s%s (%llu)", named ? ", " : "",
                               item->key + 1, (unsigned long long)item->count);
        if (n < 0 || (size_t)n >= size - at)
            break;
        at += (size_t)n;
        named++;
    }
    if (terrains > named && size - at > 32)
        snprintf(out + at, size - at, " and %zu more", terrains - named);
}

/* PTL_ERR_CONTENT if terrains are lacking, at the place of the first one. */
static ptl_status save_lacks_fail(const save_json *j)
{
    const save_lacks *l = j->lacks;
    char list[400], message[PTL_ERROR_MESSAGE_SIZE];
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].kind == PTL_UNKNOWN_TERRAIN) {
            list_terrains(list, sizeof list, l);
            snprintf(message, sizeof message, "the content has no terrain %s", list);
            return fail_there(j, l->items[i].pointer, message);
        }
    return PTL_OK;
}

static ptl_status read_layers(const save_json *j)
{
    save_value layers;
    TRY(save_json_array(j, "layers", &layers));
    if (!layers.json)
        return save_json_fail(j, &j->root, "there are no layers");
    if (json_array_size(layers.json) != PTL_LEVELS)
        return save_json_fail(j, &layers, "there are %zu layers, not %d",
                              json_array_size(layers.json), PTL_LEVELS);
    for (int i = 0; i < PTL_LEVELS; i++) {
        const save_value layer = save_element(&layers, (size_t)i);
        TRY(read_layer(j, &layer, i));
    }
    return j->reader->lenient ? PTL_OK : save_lacks_fail(j);
}

/* ---- cities and radios ---- */

/* Reads a member, a whole number within limits. If it is absent, *out is fallback; a fallback
 * outside of limits makes that an error. */
static ptl_status save_json_int(const save_json *j, const save_value *in, const char *key,
                                int64_t limits[2], int64_t fallback, int64_t *out)
{
    const save_value member = save_member(in, key);
    *out = member.json ? json_integer_value(member.json) : fallback;
    if ((!member.json || json_is_integer(member.json)) && *out >= limits[0] &&
        *out <= limits[1])
        return PTL_OK;
    return save_json_fail(j, &member, "%s must be a whole number from %lld to %lld", key,
                          (long long)limits[0], (long long)limits[1]);
}

/* The place is given by "x" and "y" or, since version 36, by "pos". */
static ptl_status read_city_place(const save_json *j, const save_value *city, int64_t *x,
                                  int64_t *y)
{
    int64_t cells[2] = {0, PTL_CHUNK_SIZE - 1}, *to[2] = {x, y};
    const save_value pos = save_member(city, "pos");
    if (!pos.json) {
        TRY(save_json_int(j, city, "x", cells, -1, x));
        return save_json_int(j, city, "y", cells, -1, y);
    }
    for (size_t i = 0; i < 2; i++) {
        const json_t *number = json_array_get(pos.json, i);
        *to[i] = json_integer_value(number);
        if (json_array_size(pos.json) != 2 || !json_is_integer(number) || *to[i] < cells[0] ||
            *to[i] > cells[1])
            return save_json_fail(j, &pos, "pos must be [x, y], whole numbers from 0 to %d",
                                  PTL_CHUNK_SIZE - 1);
    }
    return PTL_OK;
}

/* Reads a member, a text, which is borrowed from the JSON. If it is absent, *out is fallback;
 * NULL makes that an error. */
static ptl_status save_json_text(const save_json *j, const save_value *in, const char *key,
                                 const char *fallback, const char **out)
{
    const save_value member = save_member(in, key);
    *out = member.json ? json_string_value(member.json) : fallback;
    return *out ? PTL_OK : save_json_fail(j, &member, "%s must be a text", key);
}

static ptl_status read_city(const save_json *j, const save_value *value)
{
    const char *name;
    int64_t x, y, size, sizes[2] = {1, INT16_MAX};
    TRY(save_json_text(j, value, "name", NULL, &name));
    TRY(read_city_place(j, value, &x, &y));
    TRY(save_json_int(j, value, "size", sizes, -1, &size));
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

static ptl_status read_radio(const save_json *j, const save_value *value)
{
    const char *type, *message;
    int64_t x, y, strength, frequency;
    int64_t cells[2] = {0, SUBMAPS - 1}, any16[2] = {0, INT16_MAX}, any32[2] = {0, INT32_MAX};
    TRY(save_json_int(j, value, "x", cells, -1, &x));
    TRY(save_json_int(j, value, "y", cells, -1, &y));
    TRY(save_json_int(j, value, "strength", any16, -1, &strength));
    TRY(save_json_int(j, value, "frequency", any32, 0, &frequency));
    TRY(save_json_text(j, value, "type", NULL, &type));
    TRY(save_json_text(j, value, "message", "", &message));
    bool weather = strcmp(type, "weather") == 0;
    if (!weather && strcmp(type, "broadcast") != 0)
        return save_json_fail(j, value, "a radio's type is 'broadcast' or 'weather'");
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

typedef ptl_status (*read_element)(const save_json *j, const save_value *value);

/* Reads each element of a list that is a member of the root. */
static ptl_status read_each(const save_json *j, const char *key, read_element read)
{
    save_value list;
    TRY(save_json_array(j, key, &list));
    for (size_t i = 0; i < json_array_size(list.json); i++) {
        const save_value value = save_element(&list, i);
        TRY(read(j, &value));
    }
    return PTL_OK;
}

/* ---- monster groups ---- */

static ptl_status add_groups(const save_json *j, const gen_group *model,
                             const save_value *places)
{
    gen_features *f = &j->out->features;
    for (size_t i = 0; i < json_array_size(places->json); i++) {
        const save_value at = save_element(places, i);
        save_spot p;
        TRY(save_json_place(j, &at, &p));
        /* Some lie beyond the border; import_save.c finds where they belong. */
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

static ptl_status read_groups(const save_json *j, const save_value *value)
{
    const save_value group = save_element(value, 0), places = save_element(value, 1);
    const char *type;
    int64_t population, radius, many[2] = {0, INT32_MAX}, radii[2] = {0, SUBMAPS};
    if (json_array_size(value->json) != 2 || !json_is_object(group.json) ||
        !json_is_array(places.json))
        return save_json_fail(j, value, "monster groups are [group, [places]]");
    TRY(save_json_text(j, &group, "type", NULL, &type));
    TRY(save_json_int(j, &group, "population", many, 1, &population));
    TRY(save_json_int(j, &group, "radius", radii, 1, &radius));
    const char *kept = features_text(&j->out->features, type);
    if (!kept)
        return error_nomem(j->err);
    const gen_group model = {.type = kept,
                             .radius = (int16_t)radius,
                             .population = (int32_t)population,
                             .horde = json_is_true(json_object_get(group.json, "horde")),
                             .diffuse = json_is_true(json_object_get(group.json, "diffuse"))};
    return add_groups(j, &model, &places);
}

/* ---- specials ---- */

/* Appends the points of one placement of the file to those of its special. */
static ptl_status add_points(const save_json *j, save_points *to, const save_value *points)
{
    const size_t extra = json_array_size(points->json);
    int32_t *grown = realloc(to->cells, (to->count + extra + 1) * sizeof *grown);
    if (!grown)
        return error_nomem(j->err);
    to->cells = grown;
    for (size_t i = 0; i < extra; i++) {
        const save_value point = save_element(points, i), at = save_member(&point, "p");
        save_spot p;
        TRY(save_json_place(j, &at, &p));
        const int32_t cell = save_cell_of(p);
        if (cell < 0)
            return save_json_fail(j, &at, "the point lies outside the overmap");
        to->cells[to->count++] = cell;
    }
    return PTL_OK;
}

static void sort_points(save_points *p)
{
    size_t kept = 0;
    if (p->count > 1)
        qsort(p->cells, p->count, sizeof *p->cells, save_cell_order);
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
static ptl_status read_special(const save_json *j, const save_value *value)
{
    save_overmap *o = j->out;
    save_points *to = &o->specials[o->special_count];
    const save_value list = save_member(value, "placements");
    const char *id;
    TRY(save_json_text(j, value, "special", NULL, &id));
    if (!json_is_array(list.json))
        return save_json_fail(j, value, "placements must be an array");
    o->special_count++;
    for (size_t i = 0; i < json_array_size(list.json); i++) {
        const save_value placement = save_element(&list, i);
        const save_value points = save_member(&placement, "points");
        if (!json_is_array(points.json))
            return save_json_fail(j, &placement, "points must be an array");
        TRY(add_points(j, to, &points));
    }
    to->special = catalogue_special(j->reader->cat, id);
    sort_points(to);
    if (to->special == CAT_NONE && migrate_special(j, to, id))
        return PTL_OK;
    if (to->special == CAT_NONE) {
        const save_value at = save_member(value, "special");
        TRY(save_lacks_add(j, PTL_UNKNOWN_SPECIAL, id, to->count, &at));
        o->counts.points_left_out += to->count;
        to->count = 0;
    }
    return PTL_OK;
}

static ptl_status read_specials(const save_json *j)
{
    save_value list;
    TRY(save_json_array(j, "overmap_special_placements", &list));
    if (!list.json)
        return PTL_OK;
    j->out->specials = calloc(json_array_size(list.json) + 1, sizeof *j->out->specials);
    if (!j->out->specials)
        return error_nomem(j->err);
    return read_each(j, "overmap_special_placements", read_special);
}

/* ---- predecessors: the terrain that OMTs had before ---- */

static ptl_status add_chain(const save_json *j, predecessor_log *log, save_spot p,
                            const save_value *ids)
{
    const int32_t cell = p.y * PTL_CHUNK_SIZE + p.x;
    for (size_t i = 0; i < json_array_size(ids->json); i++) {
        const save_value at = save_element(ids, i);
        const char *id = json_string_value(at.json);
        const ptl_oter oter = id ? oter_now(j, id) : CAT_NONE;
        if (!id)
            return save_json_fail(j, &at, "what an OMT was before is a terrain id");
        if (oter == CAT_NONE && !j->reader->lenient)
            return save_json_fail(j, &at, "the content has no terrain %s", id);
        if (oter == CAT_NONE)
            TRY(save_lacks_add(j, PTL_UNKNOWN_TERRAIN, id, 1, &at));
        else if (!predecessors_append(log, p.z, cell, oter))
            return error_nomem(j->err);
        j->out->counts.details_left_out += oter == CAT_NONE;
    }
    return PTL_OK;
}

/* Reads the earlier terrains of one OMT. The games also keep them where the present terrain no
 * longer needs them; these are left out. */
static ptl_status read_chain(const save_json *j, predecessor_log *log, const save_value *chain)
{
    const catalogue *cat = j->reader->cat;
    const save_value at = save_element(chain, 0), ids = save_element(chain, 1);
    save_spot p = {0, 0, 0};
    if (json_array_size(chain->json) != 2 || !json_is_array(ids.json) ||
        json_array_size(ids.json) > PREDECESSORS_MAX)
        return save_json_fail(j, chain,
                              "what an OMT was before is [place, [ids]], %d of them at most",
                              (int)PREDECESSORS_MAX);
    TRY(save_json_place(j, &at, &p));
    if (save_cell_of(p) < 0)
        return save_json_fail(j, &at, "the point lies outside the overmap");
    const ptl_oter now = ptl_chunk_oter(j->out->chunk, p.x, p.y, p.z);
    if (cat->oters[now].flags & CAT_FLAG_PREDECESSOR)
        return add_chain(j, log, p, &ids);
    j->out->counts.details_left_out += json_array_size(ids.json);
    return PTL_OK;
}

static ptl_status read_predecessors(const save_json *j)
{
    predecessor_log log = {.count = 0};
    save_value list;
    ptl_status status = save_json_array(j, "predecessors", &list);
    if (status != PTL_OK || !list.json)
        return status;
    for (size_t i = 0; i < json_array_size(list.json) && status == PTL_OK; i++) {
        const save_value chain = save_element(&list, i);
        status = read_chain(j, &log, &chain);
    }
    if (status == PTL_OK &&
        !predecessors_finish(&j->out->features, &log, j->reader->cat, j->out->chunk))
        status = error_nomem(j->err);
    predecessors_dispose(&log);
    return status;
}

/* ---- the whole file ---- */

/* In save_read.c: ids that the content lacks. */
static void save_lacks_init(save_lacks *l)
{
    memset(l, 0, sizeof *l);
    strmap_init(&l->numbers);
}

static void save_lacks_dispose(save_lacks *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i].key);
    free(l->items);
    strmap_dispose(&l->numbers);
}

/* Reports in the order of the text, in which the ids were found. */
static ptl_status save_lacks_tell(const save_json *j)
{
    const save_lacks *l = j->lacks;
    const save_reader *r = j->reader;
    const json_document document = json_reader_document(j->parsed);
    for (size_t i = 0; i < l->count; i++) {
        const save_lack *item = &l->items[i];
        bytes place = {.size = 0};
        if (r->on_unknown)
            r->on_unknown(r->payload, item->kind, item->key + 1, item->count);
        if (!r->on_lack)
            continue;
        position_cursor at = position_begin(j->text);
        position_go(&at, j->start + position_find(&document, item->pointer));
        bytes_printf(&place, "%s:%d:%d", r->path, at.line, at.column);
        const ptl_save_lack told = {.size = sizeof told,
                                    .kind = item->kind,
                                    .id = item->key + 1,
                                    .count = item->count,
                                    .place = bytes_text(&place)};
        if (told.place)
            r->on_lack(r->payload, &told);
        bytes_dispose(&place);
        if (!told.place)
            return error_nomem(j->err);
    }
    return PTL_OK;
}

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
        const save_value region = save_member(&j.root, "region_id");
        const char *id = json_string_value(region.json);
        if (id && !catalogue_region(j.reader->cat, id))
            status = save_lacks_add(&j, PTL_UNKNOWN_REGION, id, 1, &region);
    }
    if (status == PTL_OK) {
        /* Counts what belongs to play, and what Portolan does not store. */
        static const char *const keys[] = {"tracked_vehicles", "scent_traces", "npcs", "camps"};
        static const char *const details[] = {"city_tiles", "rivers",
                                              "omt_stack_arguments_map"};
        uint64_t count = json_array_size(json_object_get(j.root.json, "monster_map")) / 2;
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
            count += json_array_size(json_object_get(j.root.json, keys[i]));
        j.out->counts.members_left_out = count;
        count = 0;
        for (size_t i = 0; i < sizeof details / sizeof details[0]; i++)
            count += json_array_size(json_object_get(j.root.json, details[i]));
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

/* Single values of a save's JSON, the place in the file of a wrong one, and ids that the
 * content lacks. */

ptl_status save_json_fail(const save_json *j, const save_value *at, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE], pointer[SAVE_POINTER_SIZE] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    put_pointer(pointer, at);
    return fail_there(j, pointer, message);
}

/* Moves past the line "# version N". It may be missing, as for the games' own readers. */
static ptl_status skip_header(save_json *j, size_t size)
{
    const char *text = j->text;
    j->start = 0;
    if (size == 0 || text[0] != '#')
        return PTL_OK;
    const char *end = memchr(text, '\n', size);
    if (!end || strncmp(text, "# version ", 10) != 0)
        return error_set(j->err, PTL_ERR_CONTENT, "%s:1:1: the first line is not '# version N'",
                         j->reader->path);
    /* It ends at the line's end, which exists. */
    const long version = strtol(text + 10, NULL, 10);
    if (version < SAVE_VERSION_OLDEST)
        return error_set(
            j->err, PTL_ERR_CONTENT,
            "%s:1:1: save version %ld is not read, since it is no JSON; those from "
            "%d on are",
            j->reader->path, version, SAVE_VERSION_OLDEST);
    j->start = (size_t)(end - text) + 1;
    return PTL_OK;
}

ptl_status save_json_load(save_json *j, const char *text, size_t size)
{
    j->text = text;
    j->parsed = json_reader_new((stop_hook){NULL, NULL});
    if (!j->parsed)
        return error_nomem(j->err);
    TRY(skip_header(j, size));
    if (memchr(text, '\0', size))
        return error_set(j->err, PTL_ERR_CONTENT, "%s:1:1: it holds a zero byte",
                         j->reader->path);
    json_fault fault;
    j->root.json = json_value_read(j->parsed, text + j->start, size - j->start, &fault);
    if (!j->root.json && fault.kind == JSON_NO_MEMORY)
        return error_nomem(j->err);
    if (!j->root.json)
        return fail_at(j, (size_t)(fault.at - text), fault.reason);
    if (!json_is_object(j->root.json))
        return save_json_fail(j, &j->root, "an overmap is one JSON object");
    return PTL_OK;
}

void save_json_dispose(save_json *j)
{
    json_decref(j->root.json);
    json_reader_free(j->parsed);
}

ptl_status save_json_array(const save_json *j, const char *key, save_value *out)
{
    *out = save_member(&j->root, key);
    return !out->json || json_is_array(out->json)
               ? PTL_OK
               : save_json_fail(j, out, "%s must be an array", key);
}

ptl_status save_json_place(const save_json *j, const save_value *at, save_spot *out)
{
    bool good = json_array_size(at->json) == 3;
    int32_t *const to[] = {&out->x, &out->y, &out->z};
    for (size_t i = 0; i < 3 && good; i++) {
        json_t *number = json_array_get(at->json, i);
        json_int_t n = json_integer_value(number);
        good = json_is_integer(number) && n >= INT32_MIN && n <= INT32_MAX;
        *to[i] = good ? (int32_t)n : 0;
    }
    return good ? PTL_OK : save_json_fail(j, at, "a place is [x, y, z] in whole numbers");
}

/* Ids of a save that the content lacks. They are counted by kind and id, with the place of the
 * first occurrence, and reported once the file is read. */
