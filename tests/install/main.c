/*
 * A small user of the installed library: makes a world file, imports the embedded content,
 * generates a chunk, reads it back, and prints where the two versions meet.
 * Usage: main FILE (which must not exist yet).
 */
#include <portolan/portolan.h>

#include <stdio.h>
#include <string.h>

static int failed(const char *what, const ptl_error *err)
{
    fprintf(stderr, "%s: %s: %s\n", what, ptl_status_name(err->status), err->message);
    return 1;
}

static int make_world(ptl_store *store, ptl_error *err)
{
    ptl_import_options import = PTL_IMPORT_OPTIONS_INIT;
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    import.builtin = true;
    options.seed = 1;
    if (ptl_import(NULL, store, &import, err) != PTL_OK)
        return failed("import", err);
    if (ptl_world_create(store, "small", &options, err) != PTL_OK)
        return failed("create", err);
    return 0;
}

static bool count_bytes(void *payload, const void *data, size_t size)
{
    (void)data;
    *(size_t *)payload += size;
    return true;
}

/* A picture, or, of a library without them, the status that says so; a text always. */
static int draw(ptl_world *world, ptl_error *err)
{
    ptl_render_options options = PTL_RENDER_OPTIONS_INIT;
    size_t size = 0;
    options.x1 = options.y1 = 9;
    if (ptl_render_text_write(world, &options, false, count_bytes, &size, err) != PTL_OK)
        return failed("text", err);
    if (size < 110) {
        fprintf(stderr, "only %zu bytes of text\n", size);
        return 1;
    }
    size = 0;
    if (ptl_render_png_write(world, &options, count_bytes, &size, err) !=
        (EXPECTED_PICTURES ? PTL_OK : PTL_ERR_UNSUPPORTED))
        return failed("picture", err);
    if ((size > 0) != EXPECTED_PICTURES) {
        fprintf(stderr, "%zu bytes of a picture\n", size);
        return 1;
    }
    return 0;
}

static int compare_chunk(ptl_store *store, ptl_error *err)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_chunk_pos pos = {-1, 2};
    ptl_world *world = NULL;
    ptl_chunk *chunk = NULL;
    int result = 1;
    if (ptl_world_open(&world, store, NULL, NULL, err) != PTL_OK)
        return failed("open world", err);
    if (ptl_chunk_get(&chunk, world, pos, err) != PTL_OK) {
        failed("chunk", err);
    } else if (ptl_level_load(cells, world, pos, 0, err) != PTL_OK) {
        failed("level", err);
    } else {
        int differ = 0;
        for (int i = 0; i < PTL_LEVEL_CELLS; i++)
            differ +=
                cells[i] != ptl_chunk_oter(chunk, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, 0);
        printf("%s at 0,0,0 of chunk -1,2; %d cells differ after reading back\n",
               ptl_world_oter_name(world, cells[0]), differ);
        result = differ != 0;
    }
    ptl_chunk_free(chunk);
    if (result == 0)
        result = draw(world, err);
    ptl_world_close(world);
    return result;
}

int main(int argc, char **argv)
{
    ptl_error err = {0};
    ptl_store *store = NULL;
    ptl_open_options create = {.size = sizeof create, .mode = PTL_OPEN_CREATE};
    int result = 1;
    if (argc != 2 || strcmp(ptl_version(), EXPECTED_VERSION) != 0) {
        fprintf(stderr, "version %s, expected %s\n", ptl_version(), EXPECTED_VERSION);
        return 1;
    }
    if (ptl_store_open(&store, argv[1], NULL, &err) != PTL_ERR_NOT_FOUND) {
        fprintf(stderr, "a missing file was opened\n");
    } else if (ptl_store_open(&store, argv[1], &create, &err) != PTL_OK) {
        failed("open", &err);
    } else {
        result = make_world(store, &err) || compare_chunk(store, &err);
    }
    ptl_store_close(store);
    return result;
}
