/*
 * What coverage knows of definitions beside the catalogue: in which pack, file and line each
 * stands; which of them need not come, by the user's or the game's list; and which terrains,
 * specials and buildings matter to the caller.
 */
#include "analysis/coverage/coverage_impl.h"
#include "core/array.h"
#include "os/file.h"
#include "store/content_store.h"
#include "json/reader.h"
#include "json/view.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- packs, files and lines ---- */

/* Returns a copy of the text in the coverage's memory. A text that is equal to the one before
 * it gets the same copy. */
static const char *keep(ptl_coverage *c, const char *text)
{
    const bool same = c->last_text && strcmp(c->last_text, text) == 0;
    if (!same)
        c->last_text = arena_strdup(c->memory, text);
    return c->last_text;
}

static ptl_status on_pack(void *payload, const pack_row *pack, ptl_error *err)
{
    ptl_coverage *c = payload;
    if (!ARRAY_ROOM(c->packs, c->pack_room, c->pack_count + 1))
        return error_nomem(err);
    coverage_pack *p = &c->packs[c->pack_count++];
    *p = (coverage_pack){arena_strdup(c->memory, pack->id),
                         arena_strdup(c->memory, pack->directory)};
    return p->id && p->directory ? PTL_OK : error_nomem(err);
}

const char *coverage_pack_name(const ptl_coverage *c, int64_t number)
{
    return number >= 0 && (uint64_t)number < c->pack_count ? c->packs[number].id : "";
}

ptl_status coverage_place_read(coverage_place *out, ptl_coverage *c, const content_value *row,
                               ptl_error *err)
{
    *out = (coverage_place){coverage_pack_name(c, value_int(row, 0)),
                            keep(c, value_text(row, 1)), (int32_t)value_int(row, 2)};
    return out->file ? PTL_OK : error_nomem(err);
}

static ptl_status on_terrain(void *payload, const content_value *row, ptl_error *err)
{
    ptl_coverage *c = payload;
    const uint16_t at = catalogue_terrain(c->cat, value_text(row, 3));
    return at == CAT_NONE ? PTL_OK : coverage_place_read(&c->terrain_places[at], c, row, err);
}

static ptl_status on_special(void *payload, const content_value *row, ptl_error *err)
{
    ptl_coverage *c = payload;
    const uint16_t at = catalogue_special(c->cat, value_text(row, 3));
    return at == CAT_NONE ? PTL_OK : coverage_place_read(&c->special_places[at], c, row, err);
}

/* Remembers the pack of a file with kept objects, so that the pack can be found by the file's
 * name. */
static ptl_status on_file(void *payload, const content_value *row, ptl_error *err)
{
    ptl_coverage *c = payload;
    if (!ARRAY_ROOM(c->file_list, c->file_room, c->file_count + 1))
        return error_nomem(err);
    coverage_file *f = &c->file_list[c->file_count];
    *f = (coverage_file){arena_strdup(c->memory, value_text(row, 1)),
                         coverage_pack_name(c, value_int(row, 0))};
    return f->path && strmap_put(&c->files, f->path, (uint32_t)c->file_count++) == 0
               ? PTL_OK
               : error_nomem(err);
}

ptl_status coverage_places_read(ptl_coverage *c, ptl_store *store, ptl_error *err)
{
    static const content_query terrains = {CONTENT_TERRAINS, "pack, file, line, id", "id"},
                               specials = {CONTENT_SPECIALS, "pack, file, line, id", "id"},
                               files = {CONTENT_FILES, "pack, path", "pack, path"};
    const content_operations *content = ops(store)->content;
    static const coverage_place none = {"", "", 0};
    c->terrain_places =
        arena_calloc(c->memory, c->cat->terrain_count + 1, sizeof *c->terrain_places);
    c->special_places =
        arena_calloc(c->memory, c->cat->special_count + 1, sizeof *c->special_places);
    if (!c->terrain_places || !c->special_places)
        return error_nomem(err);
    for (size_t i = 0; i < c->cat->terrain_count; i++)
        c->terrain_places[i] = none;
    for (size_t i = 0; i < c->cat->special_count; i++)
        c->special_places[i] = none;
    TRY(content->pack_visit(store, c->cat->content_id, on_pack, c, err));
    TRY(content->row_visit(store, 0, &terrains, on_terrain, c, err));
    TRY(content->row_visit(store, 0, &specials, on_special, c, err));
    return content->row_visit(store, 0, &files, on_file, c, err);
}

/* ---- what matters ---- */

bool coverage_wants(const ptl_coverage *c, ptl_coverage_kind kind, const char *id,
                    const char *pack)
{
    return !c->options.wanted || c->options.wanted(c->options.payload, kind, id, pack);
}

ptl_status coverage_wishes(ptl_coverage *c, ptl_error *err)
{
    c->terrain_matters =
        arena_calloc(c->memory, c->cat->terrain_count + 1, sizeof *c->terrain_matters);
    c->special_matters =
        arena_calloc(c->memory, c->cat->special_count + 1, sizeof *c->special_matters);
    if (!c->terrain_matters || !c->special_matters)
        return error_nomem(err);
    for (size_t i = 0; i < c->cat->terrain_count; i++)
        c->terrain_matters[i] = coverage_wants(c, PTL_COVERAGE_TERRAIN, c->cat->terrains[i].id,
                                               c->terrain_places[i].pack);
    for (size_t i = 0; i < c->cat->special_count; i++) {
        const cat_special *s = &c->cat->specials[i];
        c->special_matters[i] =
            !coverage_is_terrain(s) &&
            coverage_wants(c, coverage_kind_of(s), s->id, c->special_places[i].pack);
    }
    return PTL_OK;
}

/* ---- what need not come ---- */

/* Adds the texts of a JSON list to the list of ids that need not come: if no overmap has such a
 * definition, this is not a problem. Returns false when memory is out. */
static bool add_texts(ptl_coverage *c, json_view list)
{
    bytes buffer;
    bool good = true;
    bytes_init(&buffer);
    for (json_walk w = json_walk_of(list); good && json_walk_next(&w);) {
        size_t length;
        const char *text = json_view_text(w.value, &buffer, &length);
        if (!text)
            continue;
        const char *id = arena_strndup(c->memory, text, length);
        good = id && strmap_put(&c->allowed, id, 1) == 0;
        c->allowed_count++;
    }
    good = good && !buffer.failed;
    bytes_dispose(&buffer);
    return good;
}

/* Reads a JSON list of ids, or the lists in a game's objects of test data. */
static ptl_status read_list(ptl_coverage *c, json_reader *reader, const char *path,
                            const char *text, size_t size, ptl_error *err)
{
    if (!json_reader_whole(reader, text, size, NULL))
        return error_set(err, PTL_ERR_ARGUMENT, "%s: this is no JSON", path);
    const json_document document = json_reader_document(reader);
    const json_view list = json_view_of(&document);
    bool good = json_view_kind(list) != VIEW_ARRAY || add_texts(c, list);
    for (json_walk w = json_walk_of(list); good && json_walk_next(&w);)
        good = add_texts(c, json_view_get(w.value, "overmap_terrain_coverage_whitelist"));
    if (!good)
        return error_nomem(err);
    return c->allowed_count > 0
               ? PTL_OK
               : error_set(err, PTL_ERR_ARGUMENT,
                           "%s: this is no list of ids: a JSON array of texts is needed, or a "
                           "game's object with overmap_terrain_coverage_whitelist",
                           path);
}

static ptl_status read_file(ptl_coverage *c, const char *path, ptl_error *err)
{
    enum { BYTES_MAX = 1 << 24 };
    size_t size = 0;
    char *text = file_read_small(path, BYTES_MAX, &size);
    if (!text)
        return error_set(err, PTL_ERR_IO, "%s: can't be read, or has more than %d bytes", path,
                         BYTES_MAX);
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ptl_status status = reader ? read_list(c, reader, path, text, size, err) : error_nomem(err);
    json_reader_free(reader);
    free(text);
    return status;
}

/* Finds the games' own list of definitions that need not come: a file of their mod TEST_DATA,
 * which lies in the folder of mods below or beside a pack. */
ptl_status coverage_allowed_read(ptl_coverage *c, ptl_error *err)
{
    static const char *const below[] = {"mods/", "../mods/", "../", "data/mods/",
                                        "../../mods/"};
    static const char name[] =
        "TEST_DATA/overmap_terrain_coverage_test/overmap_terrain_coverage_whitelist.json";
    enum { PATH_SIZE = 4096 };
    char path[PATH_SIZE];
    if (c->options.whitelist)
        return read_file(c, c->options.whitelist, err);
    for (size_t i = 0; i < c->pack_count; i++)
        for (size_t k = 0; k < sizeof below / sizeof *below; k++) {
            const char *directory = c->packs[i].directory;
            file_facts facts;
            const int size = snprintf(path, sizeof path, "%s/%s%s", directory, below[k], name);
            if (*directory && size > 0 && size < PATH_SIZE && file_look(&facts, path) &&
                facts.kind == FILE_REGULAR)
                return read_file(c, path, err);
        }
    return PTL_OK;
}
