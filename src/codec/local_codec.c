#include "codec/local_codec.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void encoded_local_dispose(encoded_local *e)
{
    encoded_pack_dispose(&e->tiles);
    encoded_pack_dispose(&e->things);
    bytes_dispose(&e->texts);
}

/* ---- encoding ---- */

/* Numbers of a pool become indices, in the order of their first use. */
typedef struct index_list {
    const id_pool *pool;
    uint32_t *index_of; /* owned: of each number the index + 1; 0: it is new. NULL: few are
                         * looked for one by one */
    uint32_t *ids;      /* owned */
    const char **texts; /* owned, unless a pack took it */
    size_t count;
} index_list;

/* Room for `most` different ones. A pool has thousands of numbers: a table of them all is for
 * many. */
static ptl_status index_list_init(index_list *l, const id_pool *pool, size_t most,
                                  ptl_error *err)
{
    enum { FEW = 64 };
    l->pool = pool;
    l->count = 0;
    l->index_of = most > FEW ? calloc(id_pool_count(pool), sizeof *l->index_of) : NULL;
    l->ids = malloc((most + 1) * sizeof *l->ids);
    l->texts = malloc((most + 1) * sizeof *l->texts);
    return (l->index_of || most <= FEW) && l->ids && l->texts ? PTL_OK : error_nomem(err);
}

static void index_list_dispose(index_list *l)
{
    free(l->index_of);
    free(l->ids);
    free(l->texts);
}

/* Gives -1 for ID_NONE. */
static int32_t index_in(index_list *l, uint32_t id)
{
    size_t i = 0;
    if (id == ID_NONE)
        return -1;
    if (l->index_of)
        i = l->index_of[id] ? l->index_of[id] - 1 : l->count;
    else
        while (i < l->count && l->ids[i] != id)
            i++;
    if (i == l->count) {
        l->ids[l->count] = id;
        l->texts[l->count++] = id_pool_text(l->pool, id);
        if (l->index_of)
            l->index_of[id] = (uint32_t)l->count;
    }
    return (int32_t)i;
}

/* The pack takes the list's texts over as its names. */
static ptl_status finish_pack(encoded_pack *out, codec *c, pack_kind kind, pack_table *t,
                              index_list *names, ptl_error *err)
{
    out->names = names->texts;
    out->name_count = names->count;
    out->count = t->count;
    names->texts = NULL;
    return pack_body_encode(out, c, kind, t, err);
}

static void put_thing(pack_table *t, size_t i, const local_entity *e, index_list *texts)
{
    t->columns[LOCAL_THING_KIND][i] = (int32_t)e->kind;
    t->columns[LOCAL_THING_X][i] = e->x;
    t->columns[LOCAL_THING_X2][i] = e->x2;
    t->columns[LOCAL_THING_Y][i] = e->y;
    t->columns[LOCAL_THING_Y2][i] = e->y2;
    t->columns[LOCAL_THING_COUNT][i] = e->count;
    t->columns[LOCAL_THING_CHARGES][i] = e->charges;
    t->columns[LOCAL_THING_STATUS][i] = e->status;
    t->columns[LOCAL_THING_TEXT][i] = index_in(texts, e->text);
    t->columns[LOCAL_THING_OWN][i] = index_in(texts, e->own);
}

static ptl_status encode_things(encoded_pack *out, codec *c, const local_map *map,
                                index_list *texts, ptl_error *err)
{
    pack_table *t = &codec_tables(c)[0];
    index_list names = {.pool = NULL};
    ptl_status status = index_list_init(&names, texts->pool, 2 * map->count, err);
    if (status == PTL_OK)
        status = pack_table_resize(t, PACK_LOCAL_THINGS, map->count, err);
    if (status == PTL_OK) {
        for (size_t i = 0; i < map->count; i++)
            t->columns[LOCAL_THING_ID][i] = index_in(&names, map->entities[i].id);
        for (size_t i = 0; i < map->count; i++)
            t->columns[LOCAL_THING_WITH][i] = index_in(&names, map->entities[i].with);
        for (size_t i = 0; i < map->count; i++)
            put_thing(t, i, &map->entities[i], texts);
        status = finish_pack(out, c, PACK_LOCAL_THINGS, t, &names, err);
    }
    index_list_dispose(&names);
    return status;
}

static ptl_status encode_texts(bytes *out, codec *c, const index_list *texts, ptl_error *err)
{
    bytes stream = {0};
    bytes_put_varint(&stream, texts->count);
    for (size_t i = 0; i < texts->count; i++)
        bytes_put_varint(&stream, strlen(texts->texts[i]));
    for (size_t i = 0; i < texts->count; i++)
        bytes_put(&stream, texts->texts[i], strlen(texts->texts[i]));
    ptl_status status = stream.failed ? error_nomem(err) : PTL_OK;
    if (status == PTL_OK && stream.size > LOCAL_TEXTS_MAX)
        status = error_set(err, PTL_ERR_LIMIT,
                           "a local map has %zu bytes of texts, more than the %d that are kept",
                           stream.size, (int)LOCAL_TEXTS_MAX);
    if (status == PTL_OK)
        status = codec_put_stream(out, c, stream.data, stream.size, err);
    bytes_dispose(&stream);
    return status;
}

ptl_status local_encode(encoded_local *out, codec *c, const local_map *map, const id_pool *pool,
                        ptl_error *err)
{
    index_list texts = {.pool = NULL};
    ptl_status status = local_tiles_encode(&out->tiles, map, pool, err);
    if (status != PTL_OK || map->count == 0)
        return status;
    status = index_list_init(&texts, pool, 2 * map->count, err);
    if (status == PTL_OK)
        status = encode_things(&out->things, c, map, &texts, err);
    if (status == PTL_OK && texts.count > 0)
        status = encode_texts(&out->texts, c, &texts, err);
    index_list_dispose(&texts);
    return status;
}

/* ---- decoding ---- */

static ptl_status corrupt(const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "local map: %s", what);
}

/* The numbers in the pool of the names of what was parsed; *out is new. */
static ptl_status take_names(uint32_t **out, id_pool *pool, const pack_reader *r,
                             ptl_error *err)
{
    const pack_table *t = r->table;
    uint32_t *ids = malloc((t->name_count + 1) * sizeof *ids);
    *out = ids;
    if (!ids)
        return error_nomem(err);
    for (size_t i = 0; i < t->name_count; i++) {
        const char *name = r->name(r->names, t->numbers[i]);
        if (!name || !name[0])
            return corrupt("a name that is not there", err);
        ids[i] = id_pool_put(pool, name, strlen(name));
    }
    return id_pool_failed(pool) ? error_nomem(err) : PTL_OK;
}

static uint32_t id_of(const uint32_t *ids, int32_t index)
{
    return index < 0 ? ID_NONE : ids[index];
}

/* The numbers in the pool of a map's texts. */
typedef struct text_ids {
    uint32_t *ids; /* owned */
    size_t count;
} text_ids;

static ptl_status split_texts(text_ids *out, id_pool *pool, const bytes *stream, ptl_error *err)
{
    byte_reader sizes = byte_reader_over(stream->data, stream->size);
    const uint64_t count = byte_reader_varint(&sizes);
    if (sizes.failed || count == 0 || count > byte_reader_left(&sizes))
        return corrupt("a bad number of texts", err);
    byte_reader texts = sizes;
    out->ids = malloc((size_t)count * sizeof *out->ids);
    if (!out->ids)
        return error_nomem(err);
    for (uint64_t i = 0; i < count; i++)
        (void)byte_reader_varint(&texts);
    for (; out->count < count; out->count++) {
        const uint64_t size = byte_reader_varint(&sizes);
        if (texts.failed || size == 0 || size > byte_reader_left(&texts))
            return corrupt("a text is cut off", err);
        const char *text = (const char *)byte_reader_take(&texts, (size_t)size);
        if (memchr(text, '\0', (size_t)size))
            return corrupt("a text with a NUL", err);
        out->ids[out->count] = id_pool_put(pool, text, (size_t)size);
    }
    if (byte_reader_left(&texts) > 0)
        return corrupt("bytes after the texts", err);
    return id_pool_failed(pool) ? error_nomem(err) : PTL_OK;
}

static ptl_status take_texts(text_ids *out, id_pool *pool, codec *c, const local_blobs *blobs,
                             ptl_error *err)
{
    byte_reader r = byte_reader_over(blobs->texts, blobs->texts_size);
    bytes stream = {0};
    if (blobs->texts_size == 0)
        return PTL_OK;
    ptl_status status = codec_take_stream(&stream, c, &r, LOCAL_TEXTS_MAX, err);
    if (status == PTL_OK && byte_reader_left(&r) > 0)
        status = corrupt("bytes after the stream of texts", err);
    if (status == PTL_OK)
        status = split_texts(out, pool, &stream, err);
    bytes_dispose(&stream);
    return status;
}

static const char *take_thing(local_map *out, const pack_table *t, size_t i,
                              const uint32_t *ids, const text_ids *texts)
{
    const int32_t text = t->columns[LOCAL_THING_TEXT][i], own = t->columns[LOCAL_THING_OWN][i];
    const local_entity e = {.kind = (local_kind)t->columns[LOCAL_THING_KIND][i],
                            .x = (uint8_t)t->columns[LOCAL_THING_X][i],
                            .y = (uint8_t)t->columns[LOCAL_THING_Y][i],
                            .x2 = (uint8_t)t->columns[LOCAL_THING_X2][i],
                            .y2 = (uint8_t)t->columns[LOCAL_THING_Y2][i],
                            .id = id_of(ids, t->columns[LOCAL_THING_ID][i]),
                            .with = id_of(ids, t->columns[LOCAL_THING_WITH][i]),
                            .text = ID_NONE,
                            .count = t->columns[LOCAL_THING_COUNT][i],
                            .charges = t->columns[LOCAL_THING_CHARGES][i],
                            .status = t->columns[LOCAL_THING_STATUS][i]};
    if (e.x2 < e.x || e.y2 < e.y)
        return "a rectangle with its corners the wrong way round";
    if (text >= (int32_t)texts->count || own >= (int32_t)texts->count)
        return "a text that is not there";
    local_map_add(out, &e);
    if (out->failed || out->cut)
        return NULL;
    out->entities[out->count - 1].text = id_of(texts->ids, text);
    out->entities[out->count - 1].own = id_of(texts->ids, own);
    return NULL;
}

static ptl_status fill_things(local_map *out, const pack_table *t, const uint32_t *ids,
                              const text_ids *texts, ptl_error *err)
{
    for (size_t i = 0; i < t->count; i++) {
        const char *problem = take_thing(out, t, i, ids, texts);
        if (problem)
            return corrupt(problem, err);
    }
    if (out->cut)
        return corrupt("more things than a map has", err);
    return out->failed ? error_nomem(err) : PTL_OK;
}

ptl_status local_decode(local_map *out, id_pool *pool, const pack_reader *r,
                        const local_blobs *blobs, ptl_error *err)
{
    text_ids texts = {NULL, 0};
    uint32_t *ids = NULL;
    ptl_status status = local_tiles_decode(out, pool, r, blobs->tiles, blobs->tiles_size, err);
    if (status != PTL_OK || blobs->things_size == 0)
        return status == PTL_OK && blobs->texts_size > 0 ? corrupt("texts of nothing", err)
                                                         : status;
    status = take_texts(&texts, pool, r->codec, blobs, err);
    if (status == PTL_OK)
        status = pack_parse(r->table, r->codec, PACK_LOCAL_THINGS, blobs->things,
                            blobs->things_size, r->limit, err);
    if (status == PTL_OK)
        status = take_names(&ids, pool, r, err);
    if (status == PTL_OK)
        status = fill_things(out, r->table, ids, &texts, err);
    free(ids);
    free(texts.ids);
    return status;
}
