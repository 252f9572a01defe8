/*
 * Reading a game's save file: the text as it stands, or unpacked from a .zzip file, with the
 * small content's catalogue; then its specials are told apart and its borders read. What was
 * read can be encoded and written as a save again.
 */
#include "fuzz/fuzz_base.h"

#include "codec/zzip.h"
#include "exchange/exchange.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static ptl_store *store;
static ptl_world *world;

static void close_world(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
}

static void set_up(void)
{
    const fuzz_base *base = fuzz_base_get();
    ptl_error err = {0};
    fuzz_expect(ptl_store_open(&store, base->path, NULL, &err), &err, "the file opens");
    fuzz_expect(ptl_world_open(&world, store, "w", NULL, &err), &err, "the world opens");
    fuzz_expect(world_prepare(world, &err), &err, "the world is ready");
    atexit(close_world);
}

static void encode(const save_overmap *o, ptl_chunk_pos pos)
{
    encoded_chunk chunk;
    encoded_features features;
    ptl_error err = {0};
    ptl_status status =
        chunk_encode(&chunk, world->codec, o->chunk, world->config->defaults, world->cat, &err);
    fuzz_expect(status, &err, "tiles that were read can be encoded");
    encoded_chunk_dispose(&chunk);
    status = features_encode(&features, world->codec, pos, &o->features, world->cat, &err);
    /* More placements than a chunk may have are refused there. */
    fuzz_check(status == PTL_OK || status == PTL_ERR_LIMIT || status == PTL_ERR_CONTENT,
               "features that were read can be encoded", err.message);
    encoded_features_dispose(&features);
}

static void use(save_overmap *o, ptl_chunk_pos pos)
{
    static const int downhill[2] = {1, -1};
    save_border borders[4];
    ptl_error err = {0};
    memset(borders, 0, sizeof borders);
    const ptl_status placed = save_place(o, world->cat, &err);
    fuzz_expect(placed == PTL_ERR_LIMIT ? PTL_OK : placed, &err, "placements are found");
    memset(&err, 0, sizeof err);
    fuzz_expect(save_split(o, world->cat, &err), &err, "specials are told apart");
    ptl_status status = save_borders(borders, o->chunk, world->cat, downhill, &err);
    fuzz_expect(status, &err, "borders are read");
    for (int d = 0; d < 4; d++) {
        edge e = {.x = 0};
        err.status = PTL_OK;
        status = save_edge(&e, &borders[d], d % 2 ? &borders[3 - d] : NULL, &err);
        fuzz_check(status == PTL_OK || status == PTL_ERR_LIMIT, "borders become edges",
                   err.message);
        edge_dispose(&e);
    }
    save_borders_dispose(borders);
    encode(o, pos);
}

/* As a .zzip file begins: such an input is unpacked first, without a dictionary. */
static bool is_packed(const uint8_t *data, size_t size)
{
    static const uint8_t first[] = {0x5f, 0x2a, 0x4d, 0x18};
    return size >= sizeof first && memcmp(data, first, sizeof first) == 0;
}

static bool unpack(bytes *out, const uint8_t *data, size_t size)
{
    enum { MOST = 1 << 20 };
    ptl_error err = {0};
    zzip *z = zzip_new(NULL, 0);
    fuzz_check(z != NULL, "memory", NULL);
    const ptl_status status = zzip_read(z, out, data, size, "o.2.-1", MOST, &err);
    fuzz_check(status == PTL_OK || status == PTL_ERR_CORRUPT || status == PTL_ERR_LIMIT ||
                   status == PTL_ERR_NOT_FOUND,
               "a bad file is the file's fault", err.message);
    fuzz_check(out->size <= MOST, "no more is taken than was asked for", NULL);
    zzip_free(z);
    return status == PTL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ptl_chunk_pos pos = {2, -1};
    save_overmap o;
    ptl_error err = {0};
    if (!store)
        set_up();
    bytes packed;
    bytes_init(&packed);
    if (is_packed(data, size)) {
        if (!unpack(&packed, data, size)) {
            bytes_dispose(&packed);
            return 0;
        }
        data = packed.data;
        size = packed.size;
    }
    char *text = malloc(size + 1);
    fuzz_check(text != NULL, "memory", NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    save_reader reader = {.cat = world->cat,
                          .defaults = world->config->defaults,
                          .lenient = size > 0 && data[size - 1] == ' ',
                          .path = "o.2.-1"};
    ptl_status status = save_read(&o, &reader, pos, text, size, &err);
    if (status == PTL_OK)
        use(&o, pos);
    else
        fuzz_check(status == PTL_ERR_CONTENT || status == PTL_ERR_LIMIT ||
                       status == PTL_ERR_NEWER,
                   "a bad save is the content's fault", err.message);
    save_overmap_dispose(&o);
    free(text);
    bytes_dispose(&packed);
    return 0;
}
