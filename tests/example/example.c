/*
 * A first program with the library: opens (or makes) a world file, imports the content that is
 * built into Portolan, adds a world, and looks around in it as a roguelike would: chunk by
 * chunk, and then tile by tile, as the player walks over a border.
 *
 *     example FILE [SEED]
 *
 * Build it against an installed Portolan:  cc example.c $(pkg-config --cflags --libs portolan)
 */
#include <portolan/portolan.h>

#include <stdio.h>
#include <stdlib.h>

/* Every call that can fail fills the caller's ptl_error; here all of them end the program. */
static int fail(const char *what, const ptl_error *err)
{
    fprintf(stderr, "%s: %s (%s)\n", what, err->message, ptl_status_name(err->status));
    return EXIT_FAILURE;
}

/* The rows of terrain around the player's place, printed as ids. */
static void look_around(const ptl_world *world, const ptl_chunk *chunk, int32_t x, int32_t y)
{
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            ptl_oter oter = ptl_chunk_oter(chunk, x + dx, y + dy, 0);
            printf("%-24s", ptl_world_oter_name(world, oter));
        }
        printf("\n");
    }
}

/* Walks east over a chunk's border: the second chunk continues what the first one began. */
static int walk(ptl_world *world, ptl_error *err)
{
    for (int32_t x = 0; x <= 1; x++) {
        ptl_chunk *chunk = NULL;
        ptl_chunk_pos pos = {x, 0};
        /* Loads the chunk if it is saved; else generates it and saves it, durably. */
        if (ptl_chunk_get(&chunk, world, pos, err) != PTL_OK)
            return fail("chunk", err);
        printf("chunk %d,%d around its middle:\n", pos.x, pos.y);
        look_around(world, chunk, PTL_CHUNK_SIZE / 2, PTL_CHUNK_SIZE / 2);
        ptl_chunk_free(chunk);
    }
    return EXIT_SUCCESS;
}

/* The symbol of a terrain as UTF-8, which is what a terminal shows. */
static void put_symbol(uint32_t code)
{
    if (code < 0x80)
        printf("%c", code < 0x20 ? ' ' : (int)code);
    else if (code < 0x800)
        printf("%c%c", (int)(0xc0 | code >> 6), (int)(0x80 | (code & 63)));
    else if (code < 0x10000)
        printf("%c%c%c", (int)(0xe0 | code >> 12), (int)(0x80 | (code >> 6 & 63)),
               (int)(0x80 | (code & 63)));
    else
        printf("?");
}

/* What the player sees: a rectangle of tiles around them, from however many chunks. */
static ptl_status show_view(ptl_world *world, ptl_cache *cache, ptl_omt at, ptl_error *err)
{
    ptl_oter cells[5 * 15];
    ptl_area_options options = PTL_AREA_OPTIONS_INIT;
    const ptl_area view = {at.x - 7, at.y - 2, at.z, 15, 5};
    options.cache = cache;
    options.generate = true;
    ptl_status status = ptl_area_get(cells, NULL, world, &view, &options, err);
    for (int i = 0; status == PTL_OK && i < 5 * 15; i++) {
        ptl_terrain terrain = PTL_TERRAIN_INIT;
        ptl_catalogue_oter(&terrain, ptl_world_catalogue(world), cells[i]);
        put_symbol(terrain.symbol);
        printf("%s", i % 15 == 14 ? "\n" : "");
    }
    return status;
}

/*
 * A walker, tile by tile: the cache holds what was seen, and prefetch makes the chunks around
 * when a new one is entered, so that no step over a border waits for them.
 */
static int stroll(ptl_world *world, ptl_error *err)
{
    ptl_cache *cache = NULL;
    ptl_omt at = {2 * PTL_CHUNK_SIZE - 3, 90, 0};
    ptl_status status = ptl_cache_new(&cache, world, NULL, err);
    for (int step = 0; step < 6 && status == PTL_OK; step++, at.x++) {
        ptl_oter oter = PTL_OTER_NONE;
        ptl_terrain terrain = PTL_TERRAIN_INIT;
        if (step == 0 || at.x % PTL_CHUNK_SIZE == 0)
            status = ptl_cache_prefetch(NULL, cache, ptl_omt_chunk(at), NULL, err);
        if (status == PTL_OK)
            status = ptl_cache_oter_get(&oter, cache, at, err);
        if (status == PTL_OK) {
            ptl_catalogue_oter(&terrain, ptl_world_catalogue(world), oter);
            printf("at %lld,%lld: %s%s\n", (long long)at.x, (long long)at.y, terrain.name,
                   ptl_terrain_has_flag(&terrain, "RIVER") ? " (wet)" : "");
        }
    }
    if (status == PTL_OK)
        status = show_view(world, cache, at, err);
    ptl_cache_free(cache); /* before its world; NULL is fine */
    return status == PTL_OK ? EXIT_SUCCESS : fail("walk", err);
}

int main(int argc, char **argv)
{
    ptl_store *store = NULL;
    ptl_world *world = NULL;
    ptl_error err = {0};
    ptl_open_options open = PTL_OPEN_OPTIONS_INIT;
    ptl_import_options import = PTL_IMPORT_OPTIONS_INIT;
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    int code = EXIT_FAILURE;
    if (argc < 2) {
        fprintf(stderr, "usage: example FILE [SEED]\n");
        return 2;
    }
    settings.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    open.mode = PTL_OPEN_CREATE;
    import.builtin = true;

    if (ptl_store_open(&store, argv[1], &open, &err) != PTL_OK)
        return fail(argv[1], &err);
    /* Importing the same content again changes nothing, so a game may do it at every start. */
    if (ptl_import(NULL, store, &import, &err) != PTL_OK) {
        fail("import", &err);
        goto out;
    }
    /* A world that is there already is fine: this is the second start. */
    ptl_status status = ptl_world_create(store, "example", &settings, &err);
    if (status != PTL_OK && status != PTL_ERR_EXISTS) {
        fail("new world", &err);
        goto out;
    }
    if (ptl_world_open(&world, store, "example", NULL, &err) != PTL_OK) {
        fail("open world", &err);
        goto out;
    }
    code = walk(world, &err);
    if (code == EXIT_SUCCESS)
        code = stroll(world, &err);
out:
    ptl_world_close(world); /* before its store; NULL is fine */
    ptl_store_close(store);
    return code;
}
