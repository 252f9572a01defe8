#include "support/truth/truth_content.h"

#include "store/store.h"
#include "support/content_catalogue.h"
#include "support/test_folder.h"
#include "support/world_file.h"
#include "json/reader.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loading {
    truth_content *out;
    json_reader *reader;
} loading;

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    loading *l = payload;
    (void)err;
    ck_assert(json_reader_whole(l->reader, row->text, row->size, NULL));
    const json_document document = json_reader_document(l->reader);
    const json_view v = json_view_of(&document);
    const json_view type = json_view_get(v, "type");
    if (json_view_is(type, "mapgen")) {
        const mapgen_entry *e = mapgen_compile_entry(l->out->compiler, v);
        ck_assert(!e || mapgen_library_add_entry(l->out->library, e));
    } else if (json_view_is(type, "palette")) {
        const mapgen_palette *p = mapgen_compile_palette(l->out->compiler, v);
        ck_assert(p && mapgen_library_add_palette(l->out->library, p));
    } else {
        ck_assert(mapgen_tiles_add(l->out->tiles, v));
        ck_assert(mapgen_groups_add(l->out->groups, v));
    }
    return PTL_OK;
}

static void load_settings(loading *l)
{
    const cat_region *r = catalogue_region(l->out->cat, "default");
    ck_assert_ptr_nonnull(r);
    for (size_t i = 0; i < r->block_count; i++) {
        const cat_block *b = &r->blocks[i];
        ck_assert(json_reader_whole(l->reader, b->json, strlen(b->json), NULL));
        const json_document document = json_reader_document(l->reader);
        ck_assert(ground_settings_read(&l->out->settings, l->out->pool, l->out->memory, b->name,
                                       json_view_of(&document)));
    }
}

static void load_from(loading *l, ptl_store *store)
{
    static const char *const types[] = {
        "palette",           "mapgen",          "terrain",
        "furniture",         "item_group",      "monstergroup",
        "snippet",           "vehicle_group",   "vehicle_spawn",
        "vehicle_placement", "ammunition_type", "ter_furn_transform"};
    truth_content *out = l->out;
    ptl_error err = {0};
    out->pool = id_pool_new();
    out->memory = arena_new();
    out->library = mapgen_library_new();
    out->tiles = mapgen_tiles_new(out->pool);
    out->groups = mapgen_groups_new(out->pool);
    mapgen_tiles_keep_bash(out->tiles);
    l->reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert(out->library && out->tiles && out->groups && l->reader);
    ck_assert(ops(store)->content->load(&out->cat, store, &err) == PTL_OK);
    const cat_region *region = catalogue_region(out->cat, "default");
    const mapgen_context context = {
        .pool = out->pool, .memory = out->memory, .items_always = region && region->levelled};
    out->compiler = mapgen_compiler_new(&context);
    ck_assert_ptr_nonnull(out->compiler);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        ck_assert(store_kept_visit(store, types[i], on_object, l, &err) == PTL_OK);
    for (size_t i = 0; mapgen_item_types[i]; i++)
        ck_assert(store_kept_visit(store, mapgen_item_types[i], on_object, l, &err) == PTL_OK);
    mapgen_tiles_finish(out->tiles);
    load_settings(l);
    json_reader_free(l->reader);
}

bool truth_content_load(truth_content *out, const truth_game *game)
{
    char path[WORLD_PATH_SIZE], folder[1024];
    const char *directory = game ? game->directory : NULL;
    const bool packed = game && !directory;
    if (packed ? !content_game(folder, sizeof folder, game->today)
               : directory && !content_present(directory))
        return false;
    ptl_error err = {0};
    ptl_store *store = NULL;
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    const ptl_import_options import = {.size = sizeof import,
                                       .directories = &directory,
                                       .builtin = game == NULL,
                                       .game = packed ? folder : NULL,
                                       .directory_count = directory != NULL};
    *out = (truth_content){0};
    world_file_path(path);
    ck_assert_msg(ptl_store_open(&store, path, &open, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    loading l = {.out = out};
    load_from(&l, store);
    ptl_store_close(store);
    world_file_remove(path);
    if (packed)
        test_folder_remove(folder);
    return true;
}

bool truth_load(truth_content *out, game_maps *maps, const truth_game *game)
{
    if (!truth_content_load(out, game))
        return false;
    if (game_maps_read(maps, out->pool, game))
        return true;
    truth_content_free(out);
    return false;
}

void truth_content_free(truth_content *content)
{
    mapgen_compiler_free(content->compiler);
    mapgen_library_free(content->library);
    mapgen_tiles_free(content->tiles);
    mapgen_groups_free(content->groups);
    arena_free(content->memory);
    id_pool_free(content->pool);
    catalogue_free(content->cat);
}

const cat_oter *truth_content_oter(const truth_content *content, uint32_t id)
{
    const catalogue *cat = content->cat;
    const ptl_oter number = catalogue_oter(cat, id_pool_text(content->pool, id));
    return number < cat->oter_count ? &cat->oters[number] : NULL;
}

uint32_t truth_content_key(const truth_content *content, const char *terrain, uint8_t line)
{
    static const char *const shapes[16] = {"",        "_end",      "_end",      "_curved",
                                           "_end",    "_straight", "_curved",   "_tee",
                                           "_end",    "_curved",   "_straight", "_tee",
                                           "_curved", "_tee",      "_tee",      "_four_way"};
    char key[256];
    snprintf(key, sizeof key, "%s%s", terrain, shapes[line & 15]);
    return id_pool_put(content->pool, key, strlen(key));
}

uint32_t truth_content_density(const truth_content *content, const game_maps *maps,
                               const game_map *map)
{
    enum { SIDE = 7 };
    double sum = 0, known = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const game_map *n = game_maps_at(maps, map->x + i % SIDE - SIDE / 2,
                                         map->y + i / SIDE - SIDE / 2, map->z);
        const cat_oter *o = n ? truth_content_oter(content, n->oter) : NULL;
        known += o != NULL;
        sum += o ? content->cat->terrains[o->terrain].mondensity : 0;
    }
    return sum > 0 ? (uint32_t)(1000 * sum * SIDE * SIDE / known) : 0;
}
