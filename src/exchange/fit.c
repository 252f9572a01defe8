#include "exchange/fit.h"
#include "exchange/into_impl.h"

#include "core/array.h"
#include "core/error.h"
#include "os/file.h"
#include "world/entries.h"
#include "world/world.h"
#include "json/json_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MODS_SIZE_MAX = 1 << 20, PACKS_MAX = 10000 };

/* ---- which content overmaps use ---- */

ptl_status save_usage_init(save_usage *u, const catalogue *cat, ptl_error *err)
{
    *u = (save_usage){.cat = cat};
    u->terrains = calloc(cat->terrain_count + 1, 1);
    u->specials = calloc(cat->special_count + 1, 1);
    return u->terrains && u->specials ? PTL_OK : error_nomem(err);
}

void save_usage_dispose(save_usage *u)
{
    free(u->terrains);
    free(u->specials);
    *u = (save_usage){.cat = NULL};
}

static void add_oter(save_usage *u, ptl_oter oter)
{
    if (oter < u->cat->oter_count)
        u->terrains[u->cat->oters[oter].terrain] = 1;
}

void save_usage_add(save_usage *u, const ptl_chunk *chunk, const gen_features *features)
{
    for (int z = 0; z < PTL_LEVELS; z++) {
        const level *l = &chunk->levels[z];
        if (!l->cells)
            add_oter(u, l->fill);
        for (int i = 0; l->cells && i < PTL_LEVEL_CELLS; i++)
            add_oter(u, l->cells[i]);
    }
    for (size_t i = 0; i < features->placement_count; i++)
        if (features->placements[i].special < u->cat->special_count)
            u->specials[features->placements[i].special] = 1;
}

/* ---- the save's mods ---- */

ptl_status save_fit_new(ptl_save_fit **out, ptl_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? PTL_OK : error_nomem(err);
}

void ptl_save_fit_free(ptl_save_fit *fit)
{
    if (!fit)
        return;
    for (size_t i = 0; i < fit->mod_count; i++)
        free(fit->mods[i]);
    for (size_t i = 0; i < fit->pack_count; i++)
        free(fit->packs[i].id);
    for (size_t i = 0; i < fit->lacking_count; i++)
        free(fit->lacking[i].id);
    free(fit->mods);
    free(fit->data);
    free(fit->packs);
    free(fit->lacking);
    free(fit);
}

static ptl_status keep_mods(ptl_save_fit *fit, const json_t *list, const char *where,
                            ptl_error *err)
{
    const size_t count = json_array_size(list);
    if (!json_is_array(list))
        return error_set(err, PTL_ERR_ARGUMENT, "%s/mods.json is no list of mods", where);
    fit->mods = calloc(count + 1, sizeof *fit->mods);
    if (!fit->mods)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        const char *id = json_string_value(json_array_get(list, i));
        if (!id)
            return error_set(err, PTL_ERR_ARGUMENT, "%s/mods.json is no list of mods", where);
        fit->mods[i] = strdup(id);
        if (!fit->mods[i])
            return error_nomem(err);
        fit->mod_count++;
    }
    return PTL_OK;
}

ptl_status save_fit_mods(ptl_save_fit *fit, int folder, const char *where, ptl_error *err)
{
    size_t size = 0;
    char *text = into_read(folder, "mods.json", MODS_SIZE_MAX, &size);
    if (!text && (errno == EINVAL || errno == EFBIG))
        return error_set(err, PTL_ERR_ARGUMENT, "%s/mods.json is no list of mods", where);
    if (!text && errno != ENOMEM)
        return error_system(err, PTL_ERR_IO, errno, "%s/mods.json", where);
    json_reader *reader = text ? json_reader_new((stop_hook){NULL, NULL}) : NULL;
    json_fault fault = {.kind = JSON_NO_MEMORY};
    json_t *list = reader ? json_value_read(reader, text, size, &fault) : NULL;
    const ptl_status status = !list && fault.kind == JSON_NO_MEMORY
                                  ? error_nomem(err)
                                  : keep_mods(fit, list, where, err);
    json_decref(list);
    json_reader_free(reader);
    free(text);
    return status;
}

/* ---- packs ---- */

static bool lists(const ptl_save_fit *fit, const char *id)
{
    for (size_t i = 0; i < fit->mod_count; i++)
        if (strcmp(fit->mods[i], id) == 0)
            return true;
    return false;
}

static ptl_status add_pack(void *payload, const pack_row *row, ptl_error *err)
{
    ptl_save_fit *fit = payload;
    fit_pack *grown = realloc(fit->packs, (fit->pack_count + 1) * sizeof *grown);
    if (!grown)
        return error_nomem(err);
    fit->packs = grown;
    bool of_game = false;
    /*
     * Decides whether a pack is the game's own, and remembers the game's folder. The first pack
     * is taken for the game's. If its directory is "core", the directories "json" and "names"
     * beside it belong to the game, too.
     */
    bool *out = &of_game;
    static const char core[] = "/core";
    const size_t size = strlen(row->directory), tail = sizeof core - 1;
    *out = !row->own && fit->pack_count == 0;
    if (*out && size > tail && strcmp(row->directory + size - tail, core) == 0) {
        fit->data = strdup(row->directory);
        if (!fit->data)
            return error_nomem(err);
        fit->data[size - tail + 1] = '\0';
    }
    const size_t data = fit->data ? strlen(fit->data) : 0;
    if (data > 0 && strncmp(row->directory, fit->data, data) == 0)
        *out = *out || strcmp(row->directory + data, "json") == 0 ||
               strncmp(row->directory + data, "names/", 6) == 0 ||
               strcmp(row->directory + data, "names") == 0;
    fit_pack *p = &fit->packs[fit->pack_count];
    *p = (fit_pack){.id = strdup(row->id), .own = row->own, .game = of_game};
    if (!p->id)
        return error_nomem(err);
    p->listed = lists(fit, p->id);
    p->lacking = !p->listed && !p->game;
    fit->pack_count++;
    return fit->pack_count <= PACKS_MAX
               ? PTL_OK
               : error_set(err, PTL_ERR_LIMIT, "more than %d packs", PACKS_MAX);
}

/* ---- ids ---- */

static ptl_status add_id(ptl_save_fit *fit, ptl_content_kind kind, const char *id, int64_t pack,
                         ptl_error *err)
{
    if (pack < 0 || (size_t)pack >= fit->pack_count || !fit->packs[pack].lacking)
        return PTL_OK;
    if (!ARRAY_ROOM(fit->lacking, fit->room, fit->lacking_count + 1))
        return error_nomem(err);
    fit_id *entry = &fit->lacking[fit->lacking_count];
    *entry = (fit_id){kind, strdup(id), (size_t)pack};
    if (!entry->id)
        return error_nomem(err);
    fit->lacking_count++;
    fit->packs[pack].lacked++;
    return PTL_OK;
}

/* What on_definition needs while the content's definitions are visited. */
typedef struct id_search {
    ptl_save_fit *fit;
    const ptl_world *world;
    const save_usage *usage;
} id_search;

/* Counts a definition if some overmap uses it, and notes it if its pack is lacking. */
static ptl_status on_definition(void *payload, const definition_row *row, ptl_error *err)
{
    const id_search *s = payload;
    const catalogue *cat = s->world->cat;
    const char *own = s->world->row.region;
    bool used = false;
    if (row->kind == PTL_CONTENT_TERRAIN) {
        const uint16_t terrain = catalogue_terrain(cat, row->id);
        used = terrain != CAT_NONE && s->usage->terrains[terrain];
        s->fit->terrains += used;
    } else if (row->kind == PTL_CONTENT_SPECIAL) {
        const uint16_t special = catalogue_special(cat, row->id);
        used = special != CAT_NONE && s->usage->specials[special];
        s->fit->specials += used;
    } else if (row->kind == PTL_CONTENT_REGION) {
        const cat_region *region = gen_region(cat, own);
        used = strcmp(region ? region->id : own, row->id) == 0;
    }
    return used ? add_id(s->fit, row->kind, row->id, row->pack, err) : PTL_OK;
}

/* Orders by pack, then by kind (regions, specials, terrains), then by id. */
static int by_pack(const void *a, const void *b)
{
    const fit_id *x = a, *y = b;
    if (x->pack != y->pack)
        return x->pack < y->pack ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind > y->kind ? -1 : 1;
    return strcmp(x->id, y->id);
}

ptl_status save_fit_find(ptl_save_fit *fit, ptl_world *world, const save_usage *usage,
                         ptl_error *err)
{
    const int64_t content = world->cat->content_id;
    id_search search = {fit, world, usage};
    ptl_status status = store_pack_visit(world->store, content, add_pack, fit, err);
    THEN(status, store_definition_visit(world->store, content, on_definition, &search, err));
    if (status == PTL_OK && fit->lacking_count > 1)
        qsort(fit->lacking, fit->lacking_count, sizeof *fit->lacking, by_pack);
    return status;
}

/* ---- what clients see ---- */

ptl_status ptl_save_fit_describe(ptl_save_fit_info *out, const ptl_save_fit *fit)
{
    const ptl_save_fit_info local = {.terrains = fit->terrains,
                                     .specials = fit->specials,
                                     .pack_count = fit->pack_count,
                                     .lacking_count = fit->lacking_count,
                                     .mod_count = fit->mods ? (int64_t)fit->mod_count : -1};
    return ENTRY_GIVE(ptl_save_fit_info, out, &local);
}

const char *ptl_save_fit_mod(const ptl_save_fit *fit, size_t number)
{
    return number < fit->mod_count ? fit->mods[number] : NULL;
}

ptl_status ptl_save_fit_pack(ptl_save_pack *out, const ptl_save_fit *fit, size_t number)
{
    if (number >= fit->pack_count)
        return ENTRY_NONE(ptl_save_pack, out, .id = "");
    const fit_pack *p = &fit->packs[number];
    const ptl_save_pack local = {
        .own = p->own, .listed = p->listed, .id = p->id, .lacked = p->lacked, .game = p->game};
    return ENTRY_GIVE(ptl_save_pack, out, &local);
}

ptl_status ptl_save_fit_lacking(ptl_save_id *out, const ptl_save_fit *fit, size_t number)
{
    if (number >= fit->lacking_count)
        return ENTRY_NONE(ptl_save_id, out, .id = "");
    const fit_id *l = &fit->lacking[number];
    const ptl_save_id local = {.kind = l->kind, .id = l->id, .pack = l->pack};
    return ENTRY_GIVE(ptl_save_id, out, &local);
}
