/*
 * A first program with the library: opens (or makes) a world file, imports the content that is
 * built into Portolan, adds a world, and looks around in it as a roguelike would: chunk by
 * chunk, as the player walks.
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

int main(int argc, char **argv)
{
    ptl_store *store = NULL;
    ptl_world *world = NULL;
    ptl_error err = {PTL_OK, 0, ""};
    ptl_open_options open = PTL_OPEN_OPTIONS_INIT;
    ptl_import_options import = {.builtin = true};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    int code = EXIT_FAILURE;
    if (argc < 2) {
        fprintf(stderr, "usage: example FILE [SEED]\n");
        return 2;
    }
    settings.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    open.mode = PTL_OPEN_CREATE;

    if (ptl_store_open(&store, argv[1], &open, &err) != PTL_OK)
        return fail(argv[1], &err);
    /* Importing the same content again changes nothing, so a game may do it at every start. */
    if (ptl_import(store, &import, NULL, &err) != PTL_OK) {
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
out:
    ptl_world_close(world); /* before its store; NULL is fine */
    ptl_store_close(store);
    return code;
}
