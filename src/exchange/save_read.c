/* Reads an overmap's file: terrain, cities, radios, and points of specials. */
#include "core/array.h"
#include "exchange/save_json.h"
#include "model/predecessors.h"
#include "json/json_value.h"
#include "json/position.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- values ---- */

static ptl_status fail_at(const save_json *j, size_t offset, const char *message)
{
    position_cursor at = position_begin(j->text);
    position_go(&at, offset);
    return error_set(j->err, PTL_ERR_CONTENT, "%s:%d:%d: %s", j->reader->path, at.line,
                     at.column, message);
}

ptl_status save_json_fail(const save_json *j, json_view at, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return j->buffer.failed ? error_nomem(j->err)
                            : fail_at(j, j->start + json_view_offset(at), message);
}

/* Moves past the line "# version N", which may be missing: the games' readers do not need it.
 */
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
    /* strtol does not read beyond the text, because it stops at the line break `end`. */
    const long version = strtol(text + 10, NULL, 10);
    if (version < SAVE_VERSION_OLDEST)
        return error_set(
            j->err, PTL_ERR_CONTENT,
            "%s:1:1: save version %ld is not read, since it is no JSON; those from "
            "%d on are",
            j->reader->path, version, SAVE_VERSION_OLDEST);
    j->version = version < INT_MAX ? (int)version : INT_MAX;
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
    if (!json_reader_whole(j->parsed, text + j->start, size - j->start, NULL)) {
        const json_fault *fault = json_reader_fault(j->parsed);
        return fault->kind == JSON_NO_MEMORY
                   ? error_nomem(j->err)
                   : fail_at(j, (size_t)(fault->at - text), fault->reason);
    }
    j->document = json_reader_document(j->parsed);
    j->root = json_view_of(&j->document);
    /* Numbers that no program can hold are refused, also in members that are not read. */
    for (size_t i = 0; i < j->document.count; i++) {
        const json_view v = {&j->document, i};
        const char *at = j->document.text + j->document.entries[i].start;
        int64_t whole;
        double real;
        if (*at != '-' && (*at < '0' || *at > '9'))
            continue;
        const bool is_real = json_scalar_is_real(at, at + j->document.entries[i].span);
        if (!(is_real ? json_view_real(v, &j->buffer, &real) : json_view_integer(v, &whole)))
            return save_json_fail(j, v, "%s",
                                  is_real      ? "real number overflow"
                                  : *at == '-' ? "too big negative integer"
                                               : "too big integer");
    }
    return json_view_kind(j->root) == VIEW_OBJECT
               ? PTL_OK
               : save_json_fail(j, j->root, "an overmap is one JSON object");
}

void save_json_dispose(save_json *j)
{
    for (size_t i = 0; i < j->lack_count; i++)
        free(j->lacks[i].key);
    free(j->lacks);
    strmap_dispose(&j->lack_numbers);
    bytes_dispose(&j->buffer);
    json_reader_free(j->parsed);
}

static bool is_array(json_view v)
{
    return json_view_kind(v) == VIEW_ARRAY;
}

ptl_status save_json_array(const save_json *j, const char *key, json_view *out)
{
    *out = json_view_get(j->root, key);
    return !out->document || is_array(*out)
               ? PTL_OK
               : save_json_fail(j, *out, "%s must be an array", key);
}

ptl_status save_json_each(save_json *j, const char *key,
                          ptl_status (*read)(save_json *j, json_view element))
{
    json_view list;
    TRY(save_json_array(j, key, &list));
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        TRY(read(j, w.value));
    return PTL_OK;
}

size_t save_json_parts(json_view *out, size_t most, json_view array)
{
    size_t count = 0;
    for (size_t i = 0; i < most; i++)
        out[i] = JSON_VIEW_NONE;
    if (!is_array(array))
        return 0;
    for (json_walk w = json_walk_of(array); json_walk_next(&w); count++)
        if (count < most)
            out[count] = w.value;
    return count;
}

const char *save_json_string(save_json *j, json_view value)
{
    size_t length;
    const char *text = json_view_text(value, &j->buffer, &length);
    if (!text)
        return NULL;
    if (text != (const char *)j->buffer.data) {
        bytes_clear(&j->buffer);
        bytes_put(&j->buffer, text, length);
    }
    return bytes_text(&j->buffer);
}

ptl_status save_json_int(const save_json *j, json_view in, const char *key, int64_t low,
                         int64_t high, int64_t fallback, int64_t *out)
{
    const json_view member = json_view_get(in, key);
    *out = fallback;
    if ((!member.document || json_view_integer(member, out)) && *out >= low && *out <= high)
        return PTL_OK;
    return save_json_fail(j, member.document ? member : in,
                          "%s must be a whole number from %lld to %lld", key, (long long)low,
                          (long long)high);
}

ptl_status save_json_text(save_json *j, json_view in, const char *key, const char *fallback,
                          const char **out)
{
    const json_view member = json_view_get(in, key);
    const char *text = member.document ? save_json_string(j, member) : fallback;
    if (!text)
        return save_json_fail(j, member.document ? member : in, "%s must be a text", key);
    *out = features_text(&j->out->features, text);
    return *out ? PTL_OK : error_nomem(j->err);
}

ptl_status save_json_place(const save_json *j, json_view in, json_view at, save_spot *out)
{
    json_view parts[3];
    int32_t *const to[] = {&out->x, &out->y, &out->z};
    bool good = save_json_parts(parts, 3, at) == 3;
    for (size_t i = 0; i < 3 && good; i++) {
        int64_t n = 0;
        good = json_view_integer(parts[i], &n) && n >= INT32_MIN && n <= INT32_MAX;
        *to[i] = good ? (int32_t)n : 0;
    }
    return good ? PTL_OK
                : save_json_fail(j, at.document ? at : in,
                                 "a place is [x, y, z] in whole numbers");
}

/* ---- ids that the content lacks ---- */

ptl_status save_json_lack(save_json *j, ptl_game_save_unknown kind, const char *id,
                          uint64_t count, json_view at)
{
    const size_t size = strlen(id) + 2;
    /* The key is a letter for the kind of the id, followed by the id. */
    char *key = malloc(size);
    if (!key)
        return error_nomem(j->err);
    key[0] = (char)('a' + (int)kind);
    memcpy(key + 1, id, size - 1);
    const uint32_t number = strmap_get(&j->lack_numbers, key);
    if (number != STRMAP_NONE) {
        j->lacks[number].count += count;
        free(key);
        return PTL_OK;
    }
    if (!ARRAY_ROOM(j->lacks, j->lack_room, j->lack_count + 1) ||
        strmap_put(&j->lack_numbers, key, (uint32_t)j->lack_count) != 0) {
        free(key);
        return error_nomem(j->err);
    }
    j->lacks[j->lack_count++] = (save_lack){key, kind, count, j->start + json_view_offset(at)};
    return PTL_OK;
}

/* Fails with PTL_ERR_CONTENT if there are terrains that the content lacks. The error names the
 * place of the first one. The message lists the first few of these terrains in the order of the
 * file: "a (3), b (1) and 2 more". */
static ptl_status fail_for_terrains(const save_json *j)
{
    enum { NAMED = 8 };
    char list[400] = "", message[PTL_ERROR_MESSAGE_SIZE];
    size_t at = 0, named = 0, terrains = 0;
    const save_lack *first = NULL;
    for (size_t i = 0; i < j->lack_count; i++) {
        const save_lack *item = &j->lacks[i];
        if (item->kind != PTL_UNKNOWN_TERRAIN)
            continue;
        first = first ? first : item;
        if (terrains++ > named || named == NAMED)
            continue;
        const int n = snprintf(list + at, sizeof list - at, "%s%s (%llu)", named ? ", " : "",
                               item->key + 1, (unsigned long long)item->count);
        if (n < 0 || (size_t)n >= sizeof list - at)
            continue;
        at += (size_t)n;
        named++;
    }
    if (!first)
        return PTL_OK;
    if (terrains > named && sizeof list - at > 32)
        snprintf(list + at, sizeof list - at, " and %zu more", terrains - named);
    snprintf(message, sizeof message, "the content has no terrain %s", list);
    return fail_at(j, first->offset, message);
}

/* Calls the caller's functions for each id that the content lacks, in the file's order. */
static ptl_status tell_lacks(const save_json *j)
{
    const save_reader *r = j->reader;
    for (size_t i = 0; i < j->lack_count; i++) {
        const save_lack *item = &j->lacks[i];
        bytes place = {.size = 0};
        if (r->on_unknown)
            r->on_unknown(r->payload, item->kind, item->key + 1, item->count);
        if (!r->on_lack)
            continue;
        position_cursor at = position_begin(j->text);
        position_go(&at, item->offset);
        bytes_printf(&place, "%s:%d:%d", r->path, at.line, at.column);
        const ptl_game_save_lack told = {.size = sizeof told,
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

/* ---- layers ---- */

/* Returns the oter that an id stands for in this content; CAT_NONE: the content lacks it. If
 * the content has a migration from the id to an id that it knows, the oter of the new id is
 * returned, even if there is a terrain with the old id; *migrated is true then. */
static ptl_oter oter_now(bool *migrated, const catalogue *cat, const char *id)
{
    const char *now = catalogue_oter_now(cat, id);
    const ptl_oter oter = strcmp(now, id) == 0 ? CAT_NONE : catalogue_oter_or_first(cat, now);
    *migrated = oter != CAT_NONE;
    return *migrated ? oter : catalogue_oter(cat, id);
}

/* Reads the cells of one level from runs of equal cells, which must fill the level exactly. */
static ptl_status read_layer(save_json *j, json_view layer, int z_index)
{
    save_counts *counts = &j->out->counts;
    ptl_oter *cells = level_cells(&j->out->chunk->levels[z_index]);
    size_t at = 0;
    if (!cells)
        return error_nomem(j->err);
    if (!is_array(layer))
        return save_json_fail(j, layer, "a layer is an array of runs");
    for (json_walk w = json_walk_of(layer); json_walk_next(&w);) {
        json_view parts[2];
        int64_t count = 0;
        bool migrated;
        const size_t size = save_json_parts(parts, 2, w.value);
        const char *id = save_json_string(j, parts[0]);
        if (size != 2 || !id || !json_view_integer(parts[1], &count))
            return save_json_fail(j, w.value, "a run is [terrain id, count]");
        if (count < 1 || count > PTL_LEVEL_CELLS)
            return save_json_fail(j, w.value, "a run's count must be 1 to %d", PTL_LEVEL_CELLS);
        if ((size_t)count > PTL_LEVEL_CELLS - at)
            return save_json_fail(j, w.value, "the layer's runs have more than %d cells",
                                  PTL_LEVEL_CELLS);
        ptl_oter oter = oter_now(&migrated, j->reader->cat, id);
        if (migrated)
            counts->migrated_terrains += (uint64_t)count;
        if (oter == CAT_NONE) {
            TRY(save_json_lack(j, PTL_UNKNOWN_TERRAIN, id, (uint64_t)count, parts[0]));
            oter = j->reader->defaults[z_index];
            counts->unknown_terrains += (uint64_t)count;
        }
        for (const size_t end = at + (size_t)count; at < end; at++)
            cells[at] = oter;
    }
    if (at != PTL_LEVEL_CELLS)
        return save_json_fail(j, layer, "the layer's runs have %zu cells, not %d", at,
                              PTL_LEVEL_CELLS);
    level_compact(&j->out->chunk->levels[z_index]);
    return PTL_OK;
}

static ptl_status read_layers(save_json *j)
{
    json_view layers;
    TRY(save_json_array(j, "layers", &layers));
    const size_t count = json_view_count(layers);
    if (!layers.document)
        return save_json_fail(j, j->root, "there are no layers");
    if (count != PTL_LEVELS)
        return save_json_fail(j, layers, "there are %zu layers, not %d", count, PTL_LEVELS);
    for (json_walk w = json_walk_of(layers); json_walk_next(&w);)
        TRY(read_layer(j, w.value, (int)w.index));
    return j->reader->lenient ? PTL_OK : fail_for_terrains(j);
}

/* ---- cities and radios ---- */

static ptl_status read_city(save_json *j, json_view value)
{
    enum { LAST = PTL_CHUNK_SIZE - 1 };
    json_view parts[2];
    const char *name;
    int64_t x, y, size;
    TRY(save_json_text(j, value, "name", NULL, &name));
    /* The city's place is given by "x" and "y" or, since version 36, by "pos". */
    const json_view pos = json_view_get(value, "pos");
    if (!pos.document) {
        TRY(save_json_int(j, value, "x", 0, LAST, -1, &x));
        TRY(save_json_int(j, value, "y", 0, LAST, -1, &y));
    } else if (save_json_parts(parts, 2, pos) != 2 || !json_view_integer(parts[0], &x) ||
               !json_view_integer(parts[1], &y) || x < 0 || x > LAST || y < 0 || y > LAST) {
        return save_json_fail(j, pos, "pos must be [x, y], whole numbers from 0 to %d", LAST);
    }
    TRY(save_json_int(j, value, "size", 1, INT16_MAX, -1, &size));
    gen_city *city = features_add_city(&j->out->features);
    if (!city)
        return error_nomem(j->err);
    *city = (gen_city){.name = name,
                       .x = (int16_t)x,
                       .y = (int16_t)y,
                       .size = (int16_t)size,
                       .planned_x = (int16_t)x,
                       .planned_y = (int16_t)y};
    return PTL_OK;
}

static ptl_status read_radio(save_json *j, json_view value)
{
    const json_view kind = json_view_get(value, "type");
    const char *message;
    int64_t x, y, strength, frequency;
    TRY(save_json_int(j, value, "x", 0, SUBMAPS - 1, -1, &x));
    TRY(save_json_int(j, value, "y", 0, SUBMAPS - 1, -1, &y));
    TRY(save_json_int(j, value, "strength", 0, INT16_MAX, -1, &strength));
    TRY(save_json_int(j, value, "frequency", 0, INT32_MAX, 0, &frequency));
    const char *type = save_json_string(j, kind);
    if (!type)
        return save_json_fail(j, kind.document ? kind : value, "type must be a text");
    const bool weather = strcmp(type, "weather") == 0;
    const bool known = weather || strcmp(type, "broadcast") == 0;
    TRY(save_json_text(j, value, "message", "", &message));
    if (!known)
        return save_json_fail(j, value, "a radio's type is 'broadcast' or 'weather'");
    gen_radio *radio = features_add_radio(&j->out->features);
    if (!radio)
        return error_nomem(j->err);
    *radio = (gen_radio){.x = (int16_t)x,
                         .y = (int16_t)y,
                         .strength = (int16_t)strength,
                         .weather = weather,
                         .message = message,
                         .frequency = (int32_t)frequency};
    return PTL_OK;
}

/* ---- specials ---- */

/* Appends the OMTs that the file lists for one placement to the list for the placement's
 * special. */
static ptl_status add_points(const save_json *j, save_points *to, json_view points)
{
    int32_t *grown =
        realloc(to->cells, (to->count + json_view_count(points) + 1) * sizeof *grown);
    if (!grown)
        return error_nomem(j->err);
    to->cells = grown;
    for (json_walk w = json_walk_of(points); json_walk_next(&w);) {
        const json_view at = json_view_get(w.value, "p");
        save_spot p;
        TRY(save_json_place(j, w.value, at, &p));
        const int32_t cell = save_cell_of(p);
        if (cell < 0)
            return save_json_fail(j, at, "the point lies outside the overmap");
        to->cells[to->count++] = cell;
    }
    return PTL_OK;
}

/* Finds the special that an id stands for in this content. If the content says that the game
 * has removed the special, the list of the special's OMTs is left out, but the OMTs keep their
 * terrain. */
static ptl_status name_special(save_json *j, save_points *to, json_view at)
{
    const catalogue *cat = j->reader->cat;
    save_counts *counts = &j->out->counts;
    const char *id = save_json_string(j, at);
    if (!id)
        return error_nomem(j->err);
    to->special = catalogue_special(cat, id);
    if (to->special != CAT_NONE)
        return PTL_OK;
    const char *now = catalogue_special_now(cat, id);
    to->special = now ? catalogue_special(cat, now) : CAT_NONE;
    if (to->special != CAT_NONE) {
        counts->migrated_points += to->count;
        return PTL_OK;
    }
    *(now ? &counts->points_left_out : &counts->specials_gone) += to->count;
    if (now)
        TRY(save_json_lack(j, PTL_UNKNOWN_SPECIAL, id, to->count, at));
    to->count = 0;
    return PTL_OK;
}

/* Reads one special. The array o->specials has room for all specials of the file, so it never
 * moves in memory. */
static ptl_status read_special(save_json *j, json_view value)
{
    save_overmap *o = j->out;
    save_points *to = &o->specials[o->special_count];
    const json_view list = json_view_get(value, "placements");
    const json_view name = json_view_get(value, "special");
    if (json_view_kind(name) != VIEW_TEXT)
        return save_json_fail(j, name.document ? name : value, "special must be a text");
    if (!is_array(list))
        return save_json_fail(j, value, "placements must be an array");
    o->special_count++;
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        const json_view points = json_view_get(w.value, "points");
        if (!is_array(points))
            return save_json_fail(j, w.value, "points must be an array");
        TRY(add_points(j, to, points));
    }
    /* Sorts the special's cells, and keeps each of them once. */
    size_t kept = 0;
    if (to->count > 1)
        qsort(to->cells, to->count, sizeof *to->cells, save_cell_order);
    for (size_t i = 0; i < to->count; i++)
        if (i == 0 || to->cells[i] != to->cells[i - 1])
            to->cells[kept++] = to->cells[i];
    to->count = kept;
    return name_special(j, to, name);
}

/* ---- predecessors: the terrain that OMTs had before ---- */

static ptl_status add_predecessor(save_json *j, save_spot p, json_view at)
{
    bool migrated;
    const char *id = save_json_string(j, at);
    if (!id)
        return save_json_fail(j, at, "what an OMT was before is a terrain id");
    const ptl_oter oter = oter_now(&migrated, j->reader->cat, id);
    if (oter != CAT_NONE)
        return predecessors_append(j->more, p.z, p.y * PTL_CHUNK_SIZE + p.x, oter)
                   ? PTL_OK
                   : error_nomem(j->err);
    if (!j->reader->lenient)
        return save_json_fail(j, at, "the content has no terrain %s", id);
    j->out->counts.details_left_out++;
    return save_json_lack(j, PTL_UNKNOWN_TERRAIN, id, 1, at);
}

/* Reads the earlier terrains of one OMT. The games also keep earlier terrains for OMTs whose
 * present terrain does not need them; these are left out. */
static ptl_status read_chain(save_json *j, json_view chain)
{
    json_view parts[2];
    save_spot p = {0, 0, 0};
    const size_t size = save_json_parts(parts, 2, chain), count = json_view_count(parts[1]);
    if (size != 2 || !is_array(parts[1]) || count > PREDECESSORS_MAX)
        return save_json_fail(j, chain,
                              "what an OMT was before is [place, [ids]], %d of them at most",
                              (int)PREDECESSORS_MAX);
    TRY(save_json_place(j, chain, parts[0], &p));
    if (save_cell_of(p) < 0)
        return save_json_fail(j, parts[0], "the point lies outside the overmap");
    const ptl_oter now = ptl_chunk_oter(j->out->chunk, p.x, p.y, p.z);
    if (!(j->reader->cat->oters[now].flags & CAT_FLAG_PREDECESSOR)) {
        j->out->counts.details_left_out += count;
        return PTL_OK;
    }
    for (json_walk w = json_walk_of(parts[1]); json_walk_next(&w);)
        TRY(add_predecessor(j, p, w.value));
    return PTL_OK;
}

static ptl_status read_predecessors(save_json *j)
{
    predecessor_log log = {.count = 0};
    j->more = &log;
    ptl_status status = save_json_each(j, "predecessors", read_chain);
    if (status == PTL_OK && log.count > 0 &&
        !predecessors_finish(&j->out->features, &log, j->reader->cat, j->out->chunk))
        status = error_nomem(j->err);
    predecessors_dispose(&log);
    return status;
}

/* ---- the whole file ---- */

static ptl_status read_all(save_json *j)
{
    json_view specials;
    TRY(read_layers(j));
    TRY(save_json_each(j, "cities", read_city));
    TRY(save_json_each(j, "radios", read_radio));
    TRY(save_json_each(j, "monster_groups", save_groups_read));
    TRY(save_json_array(j, "overmap_special_placements", &specials));
    j->out->specials = calloc(json_view_count(specials) + 1, sizeof *j->out->specials);
    if (!j->out->specials)
        return error_nomem(j->err);
    TRY(save_json_each(j, "overmap_special_placements", read_special));
    TRY(save_numbers_read(j));
    TRY(read_predecessors(j));
    /* Notes the overmap's region if the content lacks it. In the games each overmap has a
     * region of its own; in Portolan all overmaps of a world have the same region. */
    const json_view region = json_view_get(j->root, "region_id");
    const char *id = save_json_string(j, region);
    if (id && !catalogue_region(j->reader->cat, id))
        TRY(save_json_lack(j, PTL_UNKNOWN_REGION, id, 1, region));
    TRY(save_rest_read(j));
    return tell_lacks(j);
}

ptl_status save_read(save_overmap *out, const save_reader *reader, ptl_chunk_pos pos,
                     const char *text, size_t size, ptl_error *err)
{
    save_json j = {.reader = reader, .out = out, .err = err};
    strmap_init(&j.lack_numbers);
    *out = (save_overmap){.pos = pos};
    if (!reader->strays)
        out->chunk = chunk_new(pos);
    ptl_status status =
        out->chunk || reader->strays ? save_json_load(&j, text, size) : error_nomem(err);
    THEN(status, reader->strays ? save_json_each(&j, "monster_groups", save_groups_read)
                                : read_all(&j));
    if (status == PTL_OK && j.buffer.failed)
        status = error_nomem(err);
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
