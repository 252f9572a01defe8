#include "codec/local/local_codec.h"

#include "codec/number_list.h"
#include "core/error.h"
#include "model/local_map.h"

#include <stdlib.h>
#include <string.h>

void encoded_local_dispose(encoded_local *e)
{
    encoded_pack_dispose(&e->tiles);
    encoded_pack_dispose(&e->things);
    bytes_dispose(&e->texts);
}

/* ---- encoding ---- */

/* A list of ids, which are numbers of an id_pool. It gives each id an index, in the order in
 * which the ids are first used. */
typedef struct index_list {
    const id_pool *pool;
    uint32_t *slots; /* owned: a hash table of the ids, with the index of each in the list, plus
                        1; 0: free */
    unsigned bits;   /* binary logarithm of the size of the hash table */
    uint32_t *ids;   /* owned; for each element of the list its number in the id_pool */
    const char **texts; /* owned, until they are moved into an encoded_pack */
    size_t count;
} index_list;

/* Makes room for a list of at most `most` different numbers of the id_pool. If the pool has
 * fewer numbers, room for these is enough. */
static ptl_status index_list_init(index_list *l, const id_pool *pool, size_t most,
                                  ptl_error *err)
{
    l->pool = pool;
    l->count = 0;
    most = most < id_pool_count(pool) ? most : id_pool_count(pool);
    for (l->bits = 1; (size_t)1 << l->bits < 2 * most;)
        l->bits++;
    l->slots = calloc((size_t)1 << l->bits, sizeof *l->slots);
    l->ids = malloc((most + 1) * sizeof *l->ids);
    l->texts = malloc((most + 1) * sizeof *l->texts);
    return l->slots && l->ids && l->texts ? PTL_OK : error_nomem(err);
}

static void index_list_dispose(index_list *l)
{
    free(l->slots);
    free(l->ids);
    free(l->texts);
}

/* Returns the index of a number in the list. A number that is not in the list is added. -1 for
 * ID_NONE. */
static int32_t index_in(index_list *l, uint32_t id)
{
    if (id == ID_NONE)
        return -1;
    const size_t mask = ((size_t)1 << l->bits) - 1;
    size_t at = (id * UINT32_C(2654435761)) >> (32 - l->bits);
    while (l->slots[at] > 0 && l->ids[l->slots[at] - 1] != id)
        at = (at + 1) & mask;
    if (l->slots[at] == 0) {
        l->ids[l->count] = id;
        l->texts[l->count++] = id_pool_text(l->pool, id);
        l->slots[at] = (uint32_t)l->count;
    }
    return (int32_t)l->slots[at] - 1;
}

/* Refuses a thing if one of its numbers is out of range. Decoding would refuse such a thing,
 * too. */
static ptl_status check_thing(const local_thing *t, ptl_error *err)
{
    const int32_t numbers[LOCAL_THING_NUMBERS] = {t->x,     t->y,       t->x2,    t->y2,
                                                  t->count, t->charges, t->status};
    const local_number fault = local_range_fault(numbers);
    if (fault == LOCAL_NUMBERS)
        return PTL_OK;
    const local_range *range = local_range_of(fault);
    return error_set(err, PTL_ERR_LIMIT,
                     "a local map's %s has the %s %d, and from %d to %d can be stored",
                     local_kind_name((local_kind)t->kind), range->name, (int)numbers[fault],
                     (int)range->least, (int)range->most);
}

/* Encodes the map's things. The list of their names moves into *out. */
static ptl_status encode_things(encoded_pack *out, const local_map *map, index_list *texts,
                                ptl_error *err)
{
    index_list names = {.pool = NULL};
    local_thing *list = malloc(map->count * sizeof *list);
    ptl_status status =
        list ? index_list_init(&names, texts->pool, 2 * map->count, err) : error_nomem(err);
    for (size_t i = 0; i < map->count && status == PTL_OK; i++) {
        const local_entity *e = &map->entities[i];
        list[i] = (local_thing){.kind = (uint32_t)e->kind,
                                .x = e->x,
                                .y = e->y,
                                .x2 = e->x2,
                                .y2 = e->y2,
                                .count = e->count,
                                .charges = e->charges,
                                .status = e->status};
        list[i].id = index_in(&names, e->id);
        list[i].with = index_in(&names, e->with);
        list[i].text = index_in(texts, e->text);
        list[i].own = index_in(texts, e->own);
        status = check_thing(&list[i], err);
    }
    if (status == PTL_OK) {
        out->names = names.texts;
        out->name_count = names.count;
        out->count = map->count;
        out->version = PACK_VERSION_LOCAL;
        out->local = true;
        names.texts = NULL;
        status = local_things_put(&out->body, list, map->count, names.count, err);
    }
    index_list_dispose(&names);
    free(list);
    return status;
}

struct local_encoder {
    codec *codec;
    id_pool *pool;
    local_tiles_work *tiles; /* owned */
};

local_encoder *local_encoder_new(codec *c, id_pool *pool)
{
    local_encoder *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->codec = c;
    e->pool = pool;
    e->tiles = local_tiles_work_new(pool);
    if (e->tiles)
        return e;
    free(e);
    return NULL;
}

void local_encoder_free(local_encoder *e)
{
    if (e)
        local_tiles_work_free(e->tiles);
    free(e);
}

ptl_status local_encoder_put(encoded_local *out, local_encoder *e, const local_map *map,
                             ptl_error *err)
{
    index_list texts = {.pool = NULL};
    ptl_status status = local_tiles_encode(&out->tiles, e->tiles, map, err);
    if (status != PTL_OK || map->count == 0)
        return status;
    status = index_list_init(&texts, e->pool, 2 * map->count, err);
    THEN(status, encode_things(&out->things, map, &texts, err));
    if (status == PTL_OK && texts.count > 0) {
        bytes stream = {0};
        bytes_put_varint(&stream, texts.count);
        for (size_t i = 0; i < texts.count; i++)
            bytes_put_varint(&stream, strlen(texts.texts[i]));
        for (size_t i = 0; i < texts.count; i++)
            bytes_put(&stream, texts.texts[i], strlen(texts.texts[i]));
        status = stream.failed ? error_nomem(err) : PTL_OK;
        if (status == PTL_OK && stream.size > LOCAL_TEXTS_MAX)
            status =
                error_set(err, PTL_ERR_LIMIT,
                          "a local map has %zu bytes of texts, more than the %d that are kept",
                          stream.size, (int)LOCAL_TEXTS_MAX);
        THEN(status, codec_put_stream(&out->texts, e->codec, stream.data, stream.size, err));
        bytes_dispose(&stream);
    }
    index_list_dispose(&texts);
    return status;
}

ptl_status local_encode(encoded_local *out, codec *c, const local_map *map, id_pool *pool,
                        ptl_error *err)
{
    local_encoder *e = local_encoder_new(c, pool);
    const ptl_status status = e ? local_encoder_put(out, e, map, err) : error_nomem(err);
    local_encoder_free(e);
    return status;
}

/* ---- what blobs begin with ---- */

const char *local_header_take(local_header *h, uint32_t *numbers, size_t most, size_t limit,
                              const void *blob, size_t size)
{
    byte_reader r = byte_reader_over(blob, size);
    h->version = byte_reader_u8(&r);
    const uint64_t count = byte_reader_varint(&r);
    const bool palette = h->version == PACK_VERSION_PALETTE;
    const uint64_t number = palette ? byte_reader_varint(&r) : 0;
    const uint64_t names = byte_reader_varint(&r);
    if (r.failed || h->version < PACK_VERSION_LOCAL || h->version > PACK_VERSION_PALETTE)
        return "a version that is not known";
    if (count < 1 || count > LOCAL_ENTITIES_MAX || names > most)
        return "counts that can't be";
    if (palette && (number < 1 || number >= limit))
        return "a palette that the file does not have";
    h->palette = (uint32_t)number;
    h->count = (size_t)count;
    h->name_count = (size_t)names;
    h->end = (const uint8_t *)blob + size;
    h->coded = h->end - byte_reader_left(&r);
    if (names == 0)
        return NULL;
    return names >= NEAR_LEAST
               ? near_list_take(numbers, h->name_count, limit, &h->coded, h->end)
               : number_list_take(numbers, h->name_count, limit, &h->coded, h->end);
}

/* ---- decoding ---- */

static ptl_status corrupt(const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "local map: %s", what);
}

/* Replaces the file's numbers of names by numbers of the id_pool. */
static ptl_status take_names(uint32_t *ids, id_pool *pool, const pack_reader *r, size_t count,
                             ptl_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = r->name(r->names, ids[i]);
        if (!name || !name[0])
            return corrupt("a name that is not there", err);
        ids[i] = id_pool_put(pool, name, strlen(name));
    }
    return id_pool_failed(pool) ? error_nomem(err) : PTL_OK;
}

static uint32_t id_of(const uint32_t *ids, int32_t index)
{
    return ids && index >= 0 ? ids[index] : ID_NONE;
}

/* The numbers that the id_pool gives to a map's texts. */
typedef struct text_ids {
    uint32_t *ids; /* owned */
    size_t count;
} text_ids;

/* Reads the texts that are in the stream, and puts them into the id_pool. The stream has first
 * the sizes of all texts and then the texts. So one reader goes through the sizes while another
 * goes through the texts. */
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

/* ---- things ---- */

/* Things as they were read, and the numbers of their names in the id_pool. */
typedef struct thing_list {
    local_thing *list; /* owned */
    uint32_t *ids;     /* owned */
    size_t count, name_count;
} thing_list;

static ptl_status take_coded(thing_list *out, const pack_reader *r, const local_blobs *blobs,
                             size_t texts, ptl_error *err)
{
    byte_reader counts = byte_reader_over(blobs->things, blobs->things_size);
    local_header h;
    (void)byte_reader_u8(&counts);
    const uint64_t count = byte_reader_varint(&counts);
    if (counts.failed || count > LOCAL_ENTITIES_MAX)
        return corrupt("more things than a map has", err);
    out->count = (size_t)count;
    out->list = calloc(out->count + 1, sizeof *out->list);
    out->ids = malloc((2 * out->count + 1) * sizeof *out->ids);
    if (!out->list || !out->ids)
        return error_nomem(err);
    const char *problem = local_header_take(&h, out->ids, 2 * (size_t)count, r->limit,
                                            blobs->things, blobs->things_size);
    if (problem)
        return corrupt(problem, err);
    if (h.version == PACK_VERSION_PALETTE)
        return corrupt("things by a palette", err);
    out->name_count = h.name_count;
    return local_things_take(out->list, h.count, h.name_count, texts, h.coded, h.end, err);
}

/* Adds the things, all of whose numbers and indices local_things_take has checked. */
static ptl_status fill_things(local_map *out, const thing_list *l, const text_ids *texts,
                              ptl_error *err)
{
    for (size_t i = 0; i < l->count; i++) {
        const local_thing *t = &l->list[i];
        const local_entity e = {.kind = (local_kind)t->kind,
                                .x = (uint8_t)t->x,
                                .y = (uint8_t)t->y,
                                .x2 = (uint8_t)t->x2,
                                .y2 = (uint8_t)t->y2,
                                .id = id_of(l->ids, t->id),
                                .with = id_of(l->ids, t->with),
                                .text = id_of(texts->ids, t->text),
                                .own = id_of(texts->ids, t->own),
                                .count = t->count,
                                .charges = t->charges,
                                .status = t->status};
        local_map_add(out, &e);
    }
    return out->failed ? error_nomem(err) : PTL_OK;
}

ptl_status local_decode(local_map *out, id_pool *pool, const pack_reader *r,
                        const local_blobs *blobs, ptl_error *err)
{
    TRY(local_tiles_decode(out, pool, r, blobs->tiles, blobs->tiles_size, err));
    if (blobs->things_size > 0) {
        text_ids texts = {NULL, 0};
        thing_list l = {.list = NULL};
        bytes stream = {0};
        byte_reader coded = byte_reader_over(blobs->texts, blobs->texts_size);
        ptl_status status = PTL_OK;
        if (blobs->texts_size > 0) {
            status = codec_take_stream(&stream, r->codec, &coded, LOCAL_TEXTS_MAX, err);
            if (status == PTL_OK && byte_reader_left(&coded) > 0)
                status = corrupt("bytes after the stream of texts", err);
            THEN(status, split_texts(&texts, pool, &stream, err));
            bytes_dispose(&stream);
        }
        THEN(status, take_coded(&l, r, blobs, texts.count, err));
        THEN(status, take_names(l.ids, pool, r, l.name_count, err));
        THEN(status, fill_things(out, &l, &texts, err));
        free(l.list);
        free(l.ids);
        free(texts.ids);
        return status;
    }
    return blobs->texts_size > 0 ? corrupt("texts of nothing", err) : PTL_OK;
}
