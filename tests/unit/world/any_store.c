#include "unit/world/any_store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ptl_error err;

static void open_file(place *p)
{
    const ptl_open_options o = {.size = sizeof o, .mode = PTL_OPEN_CREATE};
    world_file_path(p->path);
    OK(ptl_store_open(&p->store, p->path, &o, &err));
}

static void open_memory(place *p)
{
    p->memory = memory_new(NULL);
    ck_assert_ptr_nonnull(p->memory);
    p->store = memory_open(p->memory);
    ck_assert_ptr_nonnull(p->store);
}

static void open_transient(place *p)
{
    const ptl_open_options o = {.size = sizeof o, .mode = PTL_OPEN_TRANSIENT};
    OK(ptl_store_open(&p->store, NULL, &o, &err));
}

static void (*const backends[ALL_BACKENDS])(place *p) = {[FILE_BACKEND] = open_file,
                                                         [MEMORY_BACKEND] = open_memory,
                                                         [TRANSIENT_BACKEND] = open_transient};

void open_place(place *p, int backend)
{
    *p = (place){.memory = NULL};
    memset(&err, 0, sizeof err);
    backends[backend](p);
}

void close_place(place *p)
{
    ptl_store_close(p->store);
    if (p->memory)
        memory_free(p->memory);
    else if (p->path[0])
        world_file_remove(p->path);
}

void import_builtin(ptl_store *store)
{
    const ptl_import_options o = {.size = sizeof o, .builtin = true};
    OK(ptl_import(NULL, store, &o, &err));
}

ptl_status try_import(ptl_store *store, const char *text, bool lenient)
{
    char folder[] = "/tmp/portolan-lists-XXXXXX", path[64];
    const char *const directories[] = {folder};
    const ptl_import_options o = {.size = sizeof o,
                                  .builtin = true,
                                  .lenient = lenient,
                                  .directories = directories,
                                  .directory_count = 1};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lone.json", folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    const ptl_status status = ptl_import(NULL, store, &o, &err);
    remove(path);
    rmdir(folder);
    return status;
}

void import_text(ptl_store *store, const char *text, bool lenient)
{
    OK(try_import(store, text, lenient));
}

void import_more(ptl_store *store)
{
    import_text(store,
                "[{\"type\": \"overmap_terrain\", \"id\": \"solo\", \"name\": \"lone\", "
                "\"sym\": \".\", \"color\": \"green\"}]",
                false);
}

ptl_world *create(ptl_store *store, const char *name, uint64_t seed)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world;
    o.seed = seed;
    OK(ptl_world_create(store, name, &o, &err));
    OK(ptl_world_open(&world, store, name, NULL, &err));
    return world;
}

void generate(ptl_world *world, const ptl_chunk_pos *list, size_t count, const char *stop_after)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = count;
    o.stop_after = stop_after;
    OK(ptl_generate(NULL, world, &o, &err));
}

bool go_on(const notes *n)
{
    return n->most == 0 || n->count < n->most;
}
