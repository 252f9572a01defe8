/* Rows of tables omt_map, omt_spill and surge: local maps, their spills (how high the sea must
 * stand to reach each tile), and local tides. */
#include "store/sqlite/maps/map_rows.h"
#include "codec/spills/spill_codec.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"

#include <stdlib.h>
#include <string.h>

/* Runs a statement that finds the map at a place; it gives at most one row. */
static ptl_status find_at(stmt **out, bool *found, ptl_store *store, stmt_id id,
                          int64_t world_id, ptl_omt at, ptl_error *err)
{
    return stmt_find(out, found, store, id, STMT_VALUES(world_id, at.x, at.y, at.z), err);
}

/* ---- reading local maps ---- */

/* Gets the id text of the row's oter, borrowed from the dictionary. */
static ptl_status oter_of(const char **out, ptl_store *store, const stmt *s, ptl_error *err)
{
    const int64_t number = stmt_int(s, MAP_COLUMN_OTER);
    const bool possible = number > 0 && number <= UINT32_MAX;
    *out = possible ? dictionary_name(store, (uint32_t)number) : NULL;
    if (possible && !*out)
        TRY(dictionary_refresh(store, err));
    if (possible && !*out)
        *out = dictionary_name(store, (uint32_t)number);
    if (!*out)
        return error_set(err, PTL_ERR_CORRUPT, "local map: there is no oter %lld",
                         (long long)number);
    return PTL_OK;
}

static ptl_status take_info(map_info *out, const stmt *s, ptl_error *err)
{
    const int64_t z = stmt_int(s, MAP_COLUMN_Z),
                  version = stmt_int(s, MAP_COLUMN_GENERATOR_VERSION);
    *out = (map_info){.at = {stmt_int(s, MAP_COLUMN_X), stmt_int(s, MAP_COLUMN_Y), (int32_t)z},
                      .revision = stmt_int(s, MAP_COLUMN_REVISION),
                      .turn = stmt_int(s, MAP_COLUMN_TURN),
                      .content_id = stmt_int(s, MAP_COLUMN_CONTENT_ID),
                      .generator_version = (int32_t)version,
                      .edited = stmt_int(s, MAP_COLUMN_EDITED) != 0,
                      .fallback = stmt_int(s, MAP_COLUMN_FALLBACK) != 0};
    if (z < PTL_Z_MIN || z > PTL_Z_MAX || version < INT32_MIN || version > INT32_MAX)
        return error_set(err, PTL_ERR_CORRUPT, "local map: a value out of range");
    return PTL_OK;
}

ptl_status map_row_parse(stored_map *out, ptl_store *store, const stmt *s, ptl_error *err)
{
    local_blobs blobs;
    memset(out, 0, sizeof *out);
    out->pool = id_pool_new();
    TRY(out->pool ? names_refresh(store, err) : error_nomem(err));
    TRY(take_info(&out->info, s, err));
    const char *oter;
    TRY(oter_of(&oter, store, s, err));
    out->info.oter = id_pool_text(out->pool, id_pool_put(out->pool, oter, strlen(oter)));
    TRY(id_pool_failed(out->pool) ? error_nomem(err) : PTL_OK);
    blobs.tiles = stmt_blob(s, MAP_COLUMN_TILES, &blobs.tiles_size);
    blobs.things = stmt_blob(s, MAP_COLUMN_THINGS, &blobs.things_size);
    blobs.texts = stmt_blob(s, MAP_COLUMN_TEXTS, &blobs.texts_size);
    const pack_reader reader = {.codec = store->scratch->codec,
                                .table = &store->scratch->pack,
                                .limit = names_size(store),
                                .name = names_text,
                                .names = store};
    return local_decode(&out->map, out->pool, &reader, &blobs, err);
}

static ptl_status sqlite_map_read(stored_map *out, bool *found, ptl_store *store,
                                  int64_t world_id, ptl_omt at, ptl_error *err)
{
    bool own = false;
    stmt *s;
    *found = false;
    TRY(sqlite_begin_lookups(store, &own, err));
    ptl_status status = find_at(&s, found, store, STMT_MAP_READ, world_id, at, err);
    if (*found)
        status = row_verify(s, TABLE_MAP, err);
    if (*found && status == PTL_OK) {
        status = map_row_parse(out, store, s, err);
        if (status != PTL_OK)
            error_prefix(err, status, "map %lld,%lld,%d", (long long)at.x, (long long)at.y,
                         (int)at.z);
    }
    stmt_reset(s);
    sqlite_end_snapshot(store, own);
    if (status != PTL_OK || !*found)
        stored_map_dispose(out);
    return status;
}

static ptl_status sqlite_map_visit(ptl_store *store, int64_t world_id, const map_area *which,
                                   map_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_begin(
        &s, store, STMT_MAPS,
        STMT_VALUES(world_id, which->x0, which->x1, which->y0, which->y1, which->after), err);
    while (stmt_row(s, &status, err)) {
        map_info info;
        status = row_verify(s, TABLE_MAP, err);
        THEN(status, take_info(&info, s, err));
        THEN(status, oter_of(&info.oter, store, s, err));
        THEN(status, visit(payload, &info, err));
    }
    stmt_reset(s);
    return status;
}

/* ---- spills ---- */

static ptl_status sqlite_spill_read(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                                    ptl_omt at, ptl_error *err)
{
    stmt *s;
    size_t size;
    bytes_clear(out);
    ptl_status status = find_at(&s, found, store, STMT_SPILL_READ, world_id, at, err);
    if (*found)
        status = row_verify(s, TABLE_SPILL, err);
    if (status == PTL_OK && *found) {
        const void *blob = stmt_blob(s, SPILL_COLUMN_SPILLS, &size);
        bytes_put(out, blob, size);
        status = out->failed ? error_nomem(err) : PTL_OK;
    }
    if (status == PTL_ERR_CORRUPT)
        error_prefix(err, status, "spills of map %lld,%lld,%d", (long long)at.x,
                     (long long)at.y, (int)at.z);
    stmt_reset(s);
    return status;
}

ptl_status spill_row_check(ptl_store *store, const stmt *s, ptl_error *err)
{
    (void)store;
    size_t size;
    const void *blob = stmt_blob(s, SPILL_COLUMN_SPILLS, &size);
    local_spills *spills = malloc(sizeof *spills);
    if (!spills)
        return error_nomem(err);
    const ptl_status status = spills_decode(spills, blob, size, err);
    free(spills);
    return status;
}

/* Finds id and revision of the map at a place; both are 0 if there is none. */
static ptl_status find_map(int64_t *id, int64_t *revision, ptl_store *store, int64_t world_id,
                           ptl_omt at, ptl_error *err)
{
    stmt *s;
    bool row;
    ptl_status status = find_at(&s, &row, store, STMT_MAP_FIND, world_id, at, err);
    *id = row ? stmt_int(s, 0) : 0;
    *revision = row ? stmt_int(s, 1) : 0;
    stmt_reset(s);
    return status;
}

static ptl_status sqlite_spill_put(ptl_store *store, int64_t world_id, ptl_omt at,
                                   const bytes *spills, ptl_error *err)
{
    int64_t id, revision;
    TRY(find_map(&id, &revision, store, world_id, at, err));
    if (id == 0)
        return error_set(err, PTL_ERR_NOT_FOUND, "no local map at %lld,%lld,%d is stored",
                         (long long)at.x, (long long)at.y, (int)at.z);
    TRY(stmt_run_with(store, STMT_SPILL_DELETE, STMT_VALUES(id), err));
    if (spills->size == 0)
        return PTL_OK;
    row_value v[SPILL_COLUMN_COUNT] = {[SPILL_COLUMN_ID] = row_int(id),
                                       [SPILL_COLUMN_SPILLS] =
                                           row_blob(spills->data, spills->size)};
    return row_put(store, TABLE_SPILL, v, err);
}

/* Runs a statement that deletes, among maps whose column `edited` is at most the area's. */
static ptl_status drop(ptl_store *store, stmt_id which, int64_t world_id, const map_area *area,
                       ptl_error *err)
{
    return stmt_run_with(
        store, which,
        STMT_VALUES(world_id, area->x0, area->x1, area->y0, area->y1, (int64_t)area->edited),
        err);
}

static ptl_status sqlite_spill_drop(ptl_store *store, int64_t world_id, const map_area *which,
                                    ptl_error *err)
{
    return stmt_run_with(store, STMT_SPILLS_DROP,
                         STMT_VALUES(world_id, which->x0, which->x1, which->y0, which->y1),
                         err);
}

/* ---- writing local maps ---- */

static ptl_status sqlite_map_revision(int64_t *out, ptl_store *store, int64_t world_id,
                                      ptl_omt at, ptl_error *err)
{
    int64_t id;
    return find_map(&id, out, store, world_id, at, err);
}

/* Gets the number that the file's dictionary has for an oter. Maps are made only for oters of
 * stored chunks, so the dictionary has them all. */
static ptl_status number_oter(int64_t *out, ptl_store *store, const char *oter, ptl_error *err)
{
    *out = dictionary_number(store, oter);
    if (*out == 0)
        TRY(dictionary_refresh(store, err));
    if (*out == 0)
        *out = dictionary_number(store, oter);
    if (*out == 0)
        return error_set(err, PTL_ERR_MISMATCH, "no chunk has the terrain %s", oter);
    return PTL_OK;
}

/* A row of table omt_map that is to be written, and the memory of its blobs. */
typedef struct new_map {
    row_value v[MAP_COLUMN_COUNT];
    bytes tiles, things; /* owned */
    size_t size;         /* bytes that the row takes in a leaf page of SQLite's table */
} new_map;

static void new_map_dispose(new_map *m)
{
    bytes_dispose(&m->tiles);
    bytes_dispose(&m->things);
}

/* Sets the values of all columns except id and checksum. `is` is the revision of the map that
 * is stored there, 0 if there is none. */
static ptl_status make_row(new_map *out, ptl_store *store, int64_t world_id, const map_write *w,
                           int64_t is, ptl_error *err)
{
    const map_info *info = &w->info;
    row_value *v = out->v;
    int64_t oter = 0;
    ptl_status status = number_oter(&oter, store, info->oter, err);
    THEN(status, names_put_pack(&out->tiles, store, &w->encoded->tiles, err));
    THEN(status, names_put_pack(&out->things, store, &w->encoded->things, err));
    v[MAP_COLUMN_WORLD_ID] = row_int(world_id);
    v[MAP_COLUMN_X] = row_int(info->at.x);
    v[MAP_COLUMN_Y] = row_int(info->at.y);
    v[MAP_COLUMN_Z] = row_int(info->at.z);
    v[MAP_COLUMN_REVISION] = row_int(is + 1);
    v[MAP_COLUMN_TURN] = row_int(info->turn);
    v[MAP_COLUMN_EDITED] = row_int(info->edited);
    v[MAP_COLUMN_FALLBACK] = row_int(info->fallback);
    v[MAP_COLUMN_OTER] = row_int(oter);
    v[MAP_COLUMN_GENERATOR_VERSION] = row_int(info->generator_version);
    v[MAP_COLUMN_CONTENT_ID] = row_int(info->content_id);
    v[MAP_COLUMN_TILES] = row_blob(out->tiles.data, out->tiles.size);
    v[MAP_COLUMN_THINGS] = row_blob(out->things.data, out->things.size);
    v[MAP_COLUMN_TEXTS] = row_blob(w->encoded->texts.data, w->encoded->texts.size);
    return status;
}

static ptl_status insert_row(ptl_store *store, new_map *m, int64_t id, ptl_error *err)
{
    m->v[MAP_COLUMN_ID] = row_int(id);
    return row_put(store, TABLE_MAP, m->v, err);
}

/* ---- writing many new maps at once ---- */

/*
 * SQLite fills a leaf page with rows until the next row does not fit; that row begins the next
 * leaf. If maps came in the order in which they are made, each leaf would have an unused rest
 * of half a row, which is 16 bytes for each map. So the largest row that fits is always written
 * next (measured.md, "Local maps").
 */

enum {
    LEAF_HEADER = 8,
    ROWS_BEFORE = 64 /* number of rows that are read to estimate how full the last leaf is */
};

static void append(leaf_fill *f, size_t size)
{
    const size_t left = size <= f->left ? f->left : f->usable - LEAF_HEADER;
    f->left = left - (size < left ? size : left);
}

/* Makes sure that f tells how full the last leaf page of table omt_map is; `first` is the id
 * that the next row will get. */
static ptl_status know_fill(leaf_fill *f, ptl_store *store, int64_t first, ptl_error *err)
{
    int64_t page = 0;
    if (f->usable > 0 && f->last_id == first - 1)
        return PTL_OK;
    ptl_status status = sqlite_pragma_int(store, "PRAGMA main.page_size", &page, err);
    f->usable = (size_t)page;
    TRY(status);
    /* SQLite does not tell how full the last leaf page is, so this is estimated from the sizes
     * of the table's last ROWS_BEFORE rows: they are put into pages as if the first of them
     * began a page. Even if it did not, the pages soon begin at the same rows as in the file,
     * so that the estimate is right. */
    const row_table *t = row_table_of(TABLE_MAP);
    row_value v[MAP_COLUMN_COUNT];
    size_t sizes[ROWS_BEFORE], count = 0;
    stmt *s = NULL;
    TRY(stmt_begin(&s, store, STMT_MAPS_LAST, STMT_VALUES(ROWS_BEFORE), err));
    while (stmt_row(s, &status, err))
        if (count < ROWS_BEFORE) {
            row_take(v, t, s);
            sizes[count++] = row_leaf_size(t, v, f->usable);
        }
    stmt_reset(s);
    f->left = f->usable - LEAF_HEADER;
    while (count > 0)
        append(f, sizes[--count]);
    return status;
}

static int by_size(const void *pa, const void *pb)
{
    const new_map *a = *(new_map *const *)pa, *b = *(new_map *const *)pb;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    /* Rows of equal size keep the order in which they stand in the array. */
    return (a > b) - (a < b);
}

/* Inserts rows in the order that fills leaf pages best: the next row is always the largest one
 * that still fits into the leaf. */
static ptl_status insert_rows(ptl_store *store, new_map **rows, size_t count, ptl_error *err)
{
    leaf_fill *f = &store->scratch->maps;
    int64_t id = 0;
    ptl_status status = row_new_id(&id, store, TABLE_MAP, err);
    THEN(status, know_fill(f, store, id, err));
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const row_table *t = row_table_of(TABLE_MAP);
        /* The row's checksum is not known yet. Count 8 bytes for it in the row's size, as
         * many as a checksum takes at most. */
        rows[i]->v[MAP_COLUMN_ID] = row_int(id);
        rows[i]->v[MAP_COLUMN_CHECKSUM] = row_int(INT64_MAX);
        rows[i]->size = row_leaf_size(t, rows[i]->v, f->usable);
    }
    if (status == PTL_OK)
        qsort(rows, count, sizeof(new_map *), by_size);
    for (; count > 0 && status == PTL_OK; count--, id++) {
        size_t next = 0;
        while (next < count && rows[next]->size > f->left)
            next++;
        next = next < count ? next : 0;
        status = insert_row(store, rows[next], id, err);
        append(f, rows[next]->size);
        f->last_id = id;
        memmove(&rows[next], &rows[next + 1], (count - next - 1) * sizeof(new_map *));
    }
    return status;
}

/* Writes maps at places that must have no map yet. */
static ptl_status put_new(ptl_store *store, int64_t world_id, const map_write *maps,
                          size_t count, ptl_error *err)
{
    new_map *list = calloc(count, sizeof *list), **rows = calloc(count, sizeof *rows);
    ptl_status status = list && rows ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        int64_t id, revision;
        status = find_map(&id, &revision, store, world_id, maps[i].info.at, err);
        if (status == PTL_OK && revision != 0)
            status = map_conflict(&maps[i].info, revision, err);
    }
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = make_row(&list[i], store, world_id, &maps[i], 0, err);
        rows[i] = &list[i];
    }
    THEN(status, insert_rows(store, rows, count, err));
    for (size_t i = 0; list && i < count; i++)
        new_map_dispose(&list[i]);
    free(rows);
    free(list);
    return status;
}

static ptl_status sqlite_map_put(ptl_store *store, int64_t world_id, const map_write *maps,
                                 size_t count, ptl_error *err)
{
    size_t fresh = 0; /* how many maps at the beginning of the list are new */
    while (fresh < count && maps[fresh].info.revision == 0)
        fresh++;
    if (count > 1 && fresh == count)
        return put_new(store, world_id, maps, count, err);
    for (size_t i = 0; i < count; i++) {
        /* Writes one map. If there is an earlier map, its row is deleted and its id used again,
         * so that its spills, whose row has the same id, remain. */
        const map_write *w = &maps[i];
        const map_info *info = &w->info;
        new_map m = {.size = 0};
        int64_t id, revision;
        ptl_status status = find_map(&id, &revision, store, world_id, info->at, err);
        if (status == PTL_OK && revision != info->revision)
            status = map_conflict(info, revision, err);
        if (status == PTL_OK)
            status = id ? stmt_run_with(store, STMT_MAP_DELETE, STMT_VALUES(id), err)
                        : row_new_id(&id, store, TABLE_MAP, err);
        THEN(status, make_row(&m, store, world_id, w, revision, err));
        THEN(status, insert_row(store, &m, id, err));
        new_map_dispose(&m);
        TRY(status);
    }
    return PTL_OK;
}

static ptl_status sqlite_map_drop(uint64_t *dropped, ptl_store *store, int64_t world_id,
                                  const map_area *which, ptl_error *err)
{
    *dropped = 0;
    TRY(drop(store, STMT_SPILLS_DROP_UNEDITED, world_id, which, err));
    TRY(drop(store, STMT_MAPS_DROP, world_id, which, err));
    *dropped = (uint64_t)sqlite3_changes(store->db);
    return PTL_OK;
}

/* ---- local tides ---- */

ptl_status surge_row_parse(surge_row *out, const stmt *s, ptl_error *err)
{
    *out = (surge_row){.x = stmt_int(s, SURGE_COLUMN_X),
                       .y = stmt_int(s, SURGE_COLUMN_Y),
                       .begins = stmt_int(s, SURGE_COLUMN_BEGINS),
                       .ends = stmt_int(s, SURGE_COLUMN_ENDS)};
    if (out->begins < 0 || out->ends <= out->begins)
        return error_set(err, PTL_ERR_CORRUPT, "local tide: turns %lld to %lld",
                         (long long)out->begins, (long long)out->ends);
    return PTL_OK;
}

static ptl_status sqlite_surge_visit(ptl_store *store, int64_t world_id,
                                     const surge_area *which, surge_visit *visit, void *payload,
                                     ptl_error *err)
{
    stmt *s = NULL;
    bool own = false;
    TRY(sqlite_begin_lookups(store, &own, err));
    ptl_status status =
        stmt_begin(&s, store, STMT_SURGES, STMT_VALUES(world_id, which->x0, which->x1), err);
    while (stmt_row(s, &status, err)) {
        surge_row found;
        status = row_verify(s, TABLE_SURGE, err);
        THEN(status, surge_row_parse(&found, s, err));
        if (status == PTL_OK && surge_is_in(&found, which))
            status = visit(payload, &found, err);
    }
    stmt_reset(s);
    sqlite_end_snapshot(store, own);
    return status;
}

static ptl_status sqlite_surge_insert(ptl_store *store, int64_t world_id,
                                      const surge_row *surge, ptl_error *err)
{
    int64_t id;
    ptl_status status = row_new_id(&id, store, TABLE_SURGE, err);
    row_value v[SURGE_COLUMN_COUNT] = {[SURGE_COLUMN_ID] = row_int(id),
                                       [SURGE_COLUMN_WORLD_ID] = row_int(world_id),
                                       [SURGE_COLUMN_X] = row_int(surge->x),
                                       [SURGE_COLUMN_Y] = row_int(surge->y),
                                       [SURGE_COLUMN_BEGINS] = row_int(surge->begins),
                                       [SURGE_COLUMN_ENDS] = row_int(surge->ends)};
    THEN(status, row_put(store, TABLE_SURGE, v, err));
    return status;
}

static ptl_status sqlite_surge_remove(ptl_store *store, int64_t world_id,
                                      const surge_row *surge, ptl_error *err)
{
    return stmt_run_with(store, STMT_SURGE_DELETE,
                         STMT_VALUES(world_id, surge->x, surge->y, surge->begins), err);
}

const map_operations sqlite_maps = {.read = sqlite_map_read,
                                    .revision = sqlite_map_revision,
                                    .put = sqlite_map_put,
                                    .visit = sqlite_map_visit,
                                    .drop = sqlite_map_drop,
                                    .spill_read = sqlite_spill_read,
                                    .spill_put = sqlite_spill_put,
                                    .spill_drop = sqlite_spill_drop,
                                    .surge_insert = sqlite_surge_insert,
                                    .surge_remove = sqlite_surge_remove,
                                    .surge_visit = sqlite_surge_visit};
