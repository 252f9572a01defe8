/* Reading chunks and edges in memory: one by one, by their places, and as a digest. */
#include "codec/digest_world.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "model/chunk.h"
#include "support/memory/memory_impl.h"
#include "support/tiles_digest.h"

#include <stdlib.h>
#include <string.h>

static ptl_status chunk_find(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err)
{
    bool own;
    *found = false;
    ptl_status status = memory_enter(store, &own, err);
    const memory_chunk *c =
        status == PTL_OK ? memory_find_chunk(store->memory, world_id, pos) : NULL;
    if (c)
        *out = c->info;
    *found = c != NULL;
    memory_leave(store, own);
    return status;
}

/* Number -> oter of cat, CAT_NONE where it has none; new. */
static ptl_status map_names(ptl_oter **out, const memory *m, const catalogue *cat,
                            ptl_error *err)
{
    *out = malloc((m->name_count + 1) * sizeof **out);
    if (!*out)
        return error_nomem(err);
    (*out)[0] = CAT_NONE;
    for (size_t i = 0; i < m->name_count; i++)
        (*out)[i + 1] = catalogue_any_oter(cat, m->names[i]);
    return PTL_OK;
}

static ptl_status unknown(const memory *m, uint32_t number, ptl_error *err)
{
    return error_set(err, PTL_ERR_MISMATCH, "the content has no terrain '%s'",
                     m->names[number - 1]);
}

static ptl_status decode(ptl_oter *cells, ptl_store *store, const bytes *blob,
                         const ptl_oter *map, ptl_error *err)
{
    const memory *m = store->memory;
    const level_runs *runs;
    ptl_status status = level_parse_palette(&runs, store->codec, blob->data, blob->size,
                                            m->name_count + 1, err);
    for (size_t i = 0; status == PTL_OK && i < runs->palette_count; i++)
        if (map[runs->palette[i]] == CAT_NONE)
            status = unknown(m, runs->palette[i], err);
    return status == PTL_OK ? level_expand(cells, store->codec, map, err) : status;
}

/* Those of the mask. */
static ptl_status decode_levels(ptl_chunk *chunk, ptl_store *store, const memory_chunk *c,
                                uint32_t levels, const ptl_oter *map, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (int i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        level *l = &chunk->levels[i];
        if (!(levels >> i & 1))
            continue;
        if (c->info.level_mask >> i & 1) {
            status = level_cells(l) ? decode(l->cells, store, &c->levels[i], map, err)
                                    : error_nomem(err);
            level_compact(l);
        } else if (map[c->fill[i]] == CAT_NONE) {
            status = unknown(store->memory, c->fill[i], err);
        } else {
            level_fill(l, map[c->fill[i]]);
        }
    }
    return status;
}

/* The turn is the caller's. */
static ptl_status read_found(ptl_chunk **out, ptl_store *store, const memory_chunk *c,
                             const catalogue *cat, ptl_error *err)
{
    ptl_oter *map = NULL;
    ptl_chunk *chunk = chunk_new(c->info.pos);
    ptl_status status = chunk && chunk_take_cells(chunk, c->info.level_mask)
                            ? map_names(&map, store->memory, cat, err)
                            : error_nomem(err);
    if (status == PTL_OK)
        status = decode_levels(chunk, store, c, UINT32_MAX, map, err);
    free(map);
    if (status == PTL_OK)
        *out = chunk;
    else
        ptl_chunk_free(chunk);
    return status;
}

static ptl_status read_chunk(ptl_chunk **out, ptl_store *store, int64_t world_id,
                             ptl_chunk_pos pos, const catalogue *cat, chunk_info *info,
                             ptl_error *err)
{
    bool own;
    *out = NULL;
    ptl_status status = memory_enter(store, &own, err);
    const memory_chunk *c =
        status == PTL_OK ? memory_find_chunk(store->memory, world_id, pos) : NULL;
    if (c && info)
        *info = c->info;
    if (c)
        status = read_found(out, store, c, cat, err);
    memory_leave(store, own);
    return status;
}

static ptl_status read_level(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                             int64_t world_id, ptl_chunk_pos pos, int32_t z,
                             const catalogue *cat, ptl_error *err)
{
    const int index = z - PTL_Z_MIN;
    ptl_oter *map = NULL;
    bool own;
    *found = false;
    ptl_status status = memory_enter(store, &own, err);
    const memory_chunk *c =
        status == PTL_OK ? memory_find_chunk(store->memory, world_id, pos) : NULL;
    if (c)
        status = map_names(&map, store->memory, cat, err);
    if (c && status == PTL_OK && c->info.level_mask >> index & 1)
        status = decode(cells, store, &c->levels[index], map, err);
    else if (c && status == PTL_OK && map[c->fill[index]] == CAT_NONE)
        status = unknown(store->memory, c->fill[index], err);
    else if (c && status == PTL_OK)
        for (int i = 0; i < PTL_LEVEL_CELLS; i++)
            cells[i] = map[c->fill[index]];
    *found = c && status == PTL_OK;
    free(map);
    memory_leave(store, own);
    return status;
}

/* ---- features ---- */

static ptl_status parse_pack(feature_set *set, ptl_store *store, pack_kind kind,
                             const bytes *blob, ptl_error *err)
{
    const memory *m = store->memory;
    pack_table *t = &set->tables[kind];
    if (blob->size == 0)
        return PTL_OK;
    if (kind == PACK_JOINS)
        t->pieces = &set->tables[PACK_PIECES];
    ptl_status status =
        pack_parse(t, store->codec, kind, blob->data, blob->size, m->name_count + 1, err);
    if (status != PTL_OK)
        return status;
    free(set->names[kind]);
    set->names[kind] = calloc(t->name_count + 1, sizeof *set->names[kind]);
    if (!set->names[kind])
        return error_nomem(err);
    for (size_t i = 0; i < t->name_count; i++)
        set->names[kind][i] = m->names[t->numbers[i] - 1];
    return PTL_OK;
}

/* rows and specials are lent: let go of them by close_set. */
static ptl_status open_set(feature_set *set, ptl_store *store, const memory_chunk *c,
                           ptl_error *err)
{
    ptl_status status = PTL_OK;
    *set = (feature_set){.rows = c->features, .specials = c->specials};
    for (int i = 0; i < PACK_KINDS && status == PTL_OK; i++)
        status = parse_pack(set, store, (pack_kind)i, &c->packs[i], err);
    return status == PTL_OK ? feature_set_check(set, err) : status;
}

static void close_set(feature_set *set)
{
    memset(&set->rows, 0, sizeof set->rows);
    memset(&set->specials, 0, sizeof set->specials);
    feature_set_dispose(set);
}

static ptl_status read_some_features(gen_features *out, bool *found, ptl_store *store,
                                     int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                     bool all, ptl_error *err)
{
    bool own;
    feature_set set;
    *found = false;
    features_reset(out);
    ptl_status status = memory_enter(store, &own, err);
    const memory_chunk *c =
        status == PTL_OK ? memory_find_chunk(store->memory, world_id, pos) : NULL;
    if (c) {
        status = open_set(&set, store, c, err);
        if (status == PTL_OK)
            status = feature_set_resolve(out, &set, cat, all, err);
        close_set(&set);
    }
    *found = c && status == PTL_OK;
    memory_leave(store, own);
    return status;
}

static ptl_status read_features(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                ptl_error *err)
{
    return read_some_features(out, found, store, world_id, pos, cat, false, err);
}

static ptl_status read_all_features(gen_features *out, bool *found, ptl_store *store,
                                    int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                    ptl_error *err)
{
    return read_some_features(out, found, store, world_id, pos, cat, true, err);
}

/* ---- edges ---- */

static ptl_status take_border(edge *out, const memory_edge *from, const catalogue *cat,
                              ptl_error *err)
{
    for (int side = 0; side < 2; side++) {
        if (!from->has_border[side])
            continue;
        ptl_oter *cells = out->border[side] = malloc(PTL_CHUNK_SIZE * sizeof *cells);
        if (!cells)
            return error_nomem(err);
        for (int i = 0; i < PTL_CHUNK_SIZE; i++) {
            cells[i] = catalogue_any_oter(cat, from->border[side][i]);
            if (cells[i] == CAT_NONE)
                return error_set(err, PTL_ERR_MISMATCH, "the content has no terrain '%s'",
                                 from->border[side][i]);
        }
    }
    return PTL_OK;
}

static ptl_status read_edge(edge *out, bool *found, ptl_store *store, int64_t world_id,
                            int32_t x, int32_t y, edge_side side, const catalogue *cat,
                            ptl_error *err)
{
    bool own;
    *found = false;
    *out = (edge){.x = x, .y = y, .side = side};
    ptl_status status = memory_enter(store, &own, err);
    const memory_edge *e =
        status == PTL_OK ? memory_find_edge(store->memory, world_id, out) : NULL;
    if (e) {
        out->origin = e->values.origin;
        out->crossings = malloc((e->values.count + 1) * sizeof *out->crossings);
        status = out->crossings ? PTL_OK : error_nomem(err);
    }
    if (e && status == PTL_OK) {
        out->count = e->values.count;
        memcpy(out->crossings, e->values.crossings, out->count * sizeof *out->crossings);
        status = cat ? take_border(out, e, cat, err) : PTL_OK;
    }
    *found = e && status == PTL_OK;
    if (status != PTL_OK)
        edge_dispose(out);
    memory_leave(store, own);
    return status;
}

/* ---- places ---- */

static bool is_chosen(const memory_chunk *c, int64_t world_id, const chunk_filter *f)
{
    const chunk_info *i = &c->info;
    return c->head.world_id == world_id && i->pos.x >= f->x0 && i->pos.x <= f->x1 &&
           i->pos.y >= f->y0 && i->pos.y <= f->y1 && !(f->generated && i->imported) &&
           (!f->stale || i->content_id != f->content_id ||
            i->generator_version < f->generator_version);
}

static int by_place(const void *pa, const void *pb)
{
    const ptl_chunk_pos *a = pa, *b = pb;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->y < b->y ? -1 : a->y > b->y;
}

static ptl_status list_chunks(ptl_chunk_pos **out, size_t *count, ptl_store *store,
                              int64_t world_id, const chunk_filter *which, ptl_error *err)
{
    bool own;
    const table *t = &store->memory->tables[CHUNKS];
    *out = NULL;
    *count = 0;
    ptl_status status = memory_enter(store, &own, err);
    if (status == PTL_OK && t->count > 0 && !(*out = malloc(t->count * sizeof **out)))
        status = error_nomem(err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_chunk *c = (const memory_chunk *)t->rows[i];
        if (is_chosen(c, world_id, which))
            (*out)[(*count)++] = c->info.pos;
    }
    memory_leave(store, own);
    if (*count > 0)
        qsort(*out, *count, sizeof **out, by_place);
    return status;
}

static ptl_status count_chunks(uint64_t *out, ptl_store *store, int64_t world_id,
                               const chunk_filter *which, ptl_error *err)
{
    ptl_chunk_pos *list;
    size_t count;
    ptl_status status = list_chunks(&list, &count, store, world_id, which, err);
    *out = count;
    free(list);
    return status;
}

static ptl_status next_chunk(ptl_chunk_pos *pos, bool *found, ptl_store *store,
                             int64_t world_id, const chunk_filter *which, ptl_error *err)
{
    ptl_chunk_pos *list;
    size_t count;
    const ptl_chunk_pos last = *pos;
    ptl_status status = list_chunks(&list, &count, store, world_id, which, err);
    *found = false;
    for (size_t i = 0; i < count && !*found; i++)
        if (by_place(&list[i], &last) > 0) {
            *pos = list[i];
            *found = true;
        }
    free(list);
    return status;
}

/* ---- one after another ---- */

static ptl_status visit_next(ptl_chunk_pos *pos, ptl_store *store, int64_t world_id,
                             stored_chunk_visit *visit, void *payload, ptl_error *err)
{
    const chunk_filter all = CHUNK_FILTER_ALL;
    bool own, found = false;
    ptl_status status = memory_enter(store, &own, err);
    if (status == PTL_OK)
        status = next_chunk(pos, &found, store, world_id, &all, err);
    if (status == PTL_OK && found) {
        const memory_chunk *c = memory_find_chunk(store->memory, world_id, *pos);
        status = visit(payload, &(stored_chunk){store, c->info, c}, err);
    }
    memory_leave(store, own);
    return status;
}

static ptl_status stored_features_read(feature_set *out, const stored_chunk *chunk,
                                       ptl_error *err)
{
    const memory_chunk *c = chunk->row;
    const feature_set rows = {.rows = c->features};
    features_reset(&out->rows);
    out->specials.count = 0;
    ptl_status status =
        feature_set_resolve(&out->rows, &rows, NULL, true, err); /* cities and radios alone */
    for (size_t i = 0; i < c->specials.count && status == PTL_OK; i++) {
        special_row *s = special_rows_add(&out->specials);
        if (!s)
            return error_nomem(err);
        *s = c->specials.list[i];
    }
    for (int i = 0; i < PACK_KINDS && status == PTL_OK; i++) {
        out->tables[i].count = out->tables[i].name_count = 0;
        status = parse_pack(out, chunk->store, (pack_kind)i, &c->packs[i], err);
    }
    return status == PTL_OK ? feature_set_check(out, err) : status;
}

static ptl_status stored_event_visit(const stored_chunk *chunk, event_visit *visit,
                                     void *payload, ptl_error *err)
{
    const memory_chunk *c = chunk->row;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < c->event_count && status == PTL_OK; i++)
        status = visit(payload, &c->events[i], err);
    return status;
}

static ptl_status stored_levels_read(ptl_chunk *out, const stored_chunk *chunk, uint32_t levels,
                                     const catalogue *cat, ptl_error *err)
{
    ptl_oter *map = NULL;
    out->pos = chunk->info.pos;
    ptl_status status = map_names(&map, chunk->store->memory, cat, err);
    if (status == PTL_OK)
        status = decode_levels(out, chunk->store, chunk->row, levels, map, err);
    free(map);
    return status;
}

static void add_to_totals(chunk_totals *t, const chunk_info *i, int64_t content_id,
                          int32_t generator_version)
{
    const bool first = t->chunks++ == 0, other = i->content_id != content_id;
    t->imported += i->imported;
    t->unfinished += i->last_step[0] != '\0';
    t->whole += !i->imported && !i->last_step[0];
    t->foreign += !i->imported && other;
    t->stale += !i->imported && (other || i->generator_version < generator_version);
    t->west = first || i->pos.x < t->west ? i->pos.x : t->west;
    t->north = first || i->pos.y < t->north ? i->pos.y : t->north;
    t->east = first || i->pos.x > t->east ? i->pos.x : t->east;
    t->south = first || i->pos.y > t->south ? i->pos.y : t->south;
}

static ptl_status total_chunks(chunk_totals *out, ptl_store *store, int64_t world_id,
                               int64_t content_id, int32_t generator_version, ptl_error *err)
{
    bool own;
    const table *t = &store->memory->tables[CHUNKS];
    *out = (chunk_totals){.chunks = 0};
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_chunk *c = (const memory_chunk *)t->rows[i];
        if (c->head.world_id == world_id)
            add_to_totals(out, &c->info, content_id, generator_version);
    }
    memory_leave(store, own);
    return status;
}

static ptl_status count_edges(uint64_t *out, ptl_store *store, int64_t world_id, ptl_error *err)
{
    bool own;
    const table *t = &store->memory->tables[EDGES];
    *out = 0;
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++)
        *out += t->rows[i]->world_id == world_id;
    memory_leave(store, own);
    return status;
}

static ptl_status visit_places(ptl_store *store, int64_t world_id, const char *special,
                               place_visit *visit, void *payload, ptl_error *err)
{
    bool own;
    const table *t = &store->memory->tables[CHUNKS];
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_chunk *c = (const memory_chunk *)t->rows[i];
        const size_t count = c->head.world_id == world_id ? c->specials.count : 0;
        for (size_t k = 0; status == PTL_OK && k < count; k++) {
            const special_row *s = &c->specials.list[k];
            const gen_placement *p = &s->placement;
            const place_row place = {s->id, c->info.pos, (int32_t)k, p->x, p->y, p->z};
            if (!special || strcmp(special, s->id) == 0)
                status = visit(payload, &place, err);
        }
    }
    memory_leave(store, own);
    return status;
}

static ptl_status visit_overviews(ptl_store *store, int64_t world_id, const catalogue *cat,
                                  overview_visit *visit, void *payload, ptl_error *err)
{
    bool own;
    ptl_oter *map = NULL, cells[PTL_OVERVIEW_CELLS];
    const table *t = &store->memory->tables[CHUNKS];
    ptl_status status = memory_enter(store, &own, err);
    if (status == PTL_OK)
        status = map_names(&map, store->memory, cat, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_chunk *c = (const memory_chunk *)t->rows[i];
        if (c->head.world_id != world_id)
            continue;
        for (size_t k = 0; status == PTL_OK && k < PTL_OVERVIEW_CELLS; k++) {
            cells[k] = map[c->overview[k]];
            if (cells[k] == CAT_NONE)
                status = unknown(store->memory, c->overview[k], err);
        }
        if (status == PTL_OK)
            status = visit(payload, c->info.pos, cells, err);
    }
    free(map);
    memory_leave(store, own);
    return status;
}

static ptl_status visit_cities(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                               ptl_chunk_pos last, city_visit *visit, void *payload,
                               ptl_error *err)
{
    bool own;
    const chunk_filter which = {.x0 = first.x, .x1 = last.x, .y0 = first.y, .y1 = last.y};
    const table *t = &store->memory->tables[CHUNKS];
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_chunk *c = (const memory_chunk *)t->rows[i];
        for (size_t k = 0; status == PTL_OK && k < c->features.city_count; k++) {
            const gen_city *g = &c->features.cities[k];
            const city_row city = {g->name, c->info.pos, (int32_t)k, g->x, g->y, g->size};
            if (is_chosen(c, world_id, &which))
                status = visit(payload, &city, err);
        }
    }
    memory_leave(store, own);
    return status;
}

/* ---- digests ---- */

/* From what is kept, not from what the writer said. */
static ptl_status digest_chunk(digest_world *d, ptl_store *store, const memory_chunk *c,
                               const catalogue *cat, ptl_error *err)
{
    digest tiles, features;
    ptl_chunk *chunk = NULL;
    feature_set set;
    ptl_status status = read_found(&chunk, store, c, cat, err);
    if (status == PTL_OK)
        status = digest_of_tiles(&tiles, chunk, cat, err);
    ptl_chunk_free(chunk);
    if (status != PTL_OK)
        return status;
    status = open_set(&set, store, c, err);
    if (status == PTL_OK)
        status = feature_set_digest(&features, &set, c->info.pos, err);
    close_set(&set);
    if (status == PTL_OK)
        digest_world_chunk(d, c->info.pos, &tiles, &features);
    return status;
}

static int by_edge(const void *pa, const void *pb)
{
    const memory_edge *const *a = pa, *const *b = pb;
    const edge *p = &(*a)->values, *q = &(*b)->values;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (int)p->side - (int)q->side;
}

static ptl_status digest_edges(digest_world *d, const memory *m, int64_t world_id,
                               ptl_error *err)
{
    const table *t = &m->tables[EDGES];
    const memory_edge **list = malloc((t->count + 1) * sizeof *list);
    size_t count = 0;
    if (!list)
        return error_nomem(err);
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i]->world_id == world_id)
            list[count++] = (const memory_edge *)t->rows[i];
    if (count > 0)
        qsort(list, count, sizeof *list, by_edge);
    for (size_t i = 0; i < count; i++) {
        digest_world_edge(d, &list[i]->values);
        for (int side = 0; list[i]->values.origin == EDGE_FOREIGN && side < 2; side++)
            digest_world_side(d, list[i]->has_border[side] ? list[i]->border[side] : NULL);
    }
    free(list);
    return PTL_OK;
}

ptl_status memory_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                         ptl_error *err)
{
    const chunk_filter all = CHUNK_FILTER_ALL;
    ptl_chunk_pos *list = NULL;
    size_t count = 0;
    digest_world d;
    bool own;
    memset(out, 0, sizeof *out);
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    catalogue *cat = NULL;
    digest_world_begin(&d);
    status = memory_catalogue(&cat, store, 0, true, err);
    if (status == PTL_OK)
        status = list_chunks(&list, &count, store, world_id, &all, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = digest_chunk(&d, store, memory_find_chunk(store->memory, world_id, list[i]),
                              cat, err);
    free(list);
    catalogue_free(cat);
    if (status == PTL_OK)
        status = digest_edges(&d, store->memory, world_id, err);
    memory_leave(store, own);
    if (status == PTL_OK)
        digest_world_end(&d, out);
    return status;
}

const chunk_operations memory_chunk_operations = {.find = chunk_find,
                                                  .write = memory_write_chunk,
                                                  .read = read_chunk,
                                                  .features_read = read_features,
                                                  .features_read_all = read_all_features,
                                                  .delete = memory_delete_chunk,
                                                  .level_read = read_level,
                                                  .list = list_chunks,
                                                  .count = count_chunks,
                                                  .next = next_chunk,
                                                  .visit_next = visit_next,
                                                  .stored_features_read = stored_features_read,
                                                  .stored_event_visit = stored_event_visit,
                                                  .stored_levels_read = stored_levels_read,
                                                  .total = total_chunks,
                                                  .city_visit = visit_cities,
                                                  .place_visit = visit_places,
                                                  .overview_visit = visit_overviews,
                                                  .edge_find = read_edge,
                                                  .edge_count = count_edges};
