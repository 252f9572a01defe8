#include "store/sqlite/index/unpacked.h"

#include "codec/chunk_codec.h"
#include "core/error.h"
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the tables: first the packs, by pack_kind, then those that are not packs. */
enum { TERRAIN_PART = PACK_COUNTED, TABLES, SPECIAL_PART = TABLES };
_Static_assert(PTL_INDEX_PIECE_JOIN == 1 << PACK_JOINS &&
                   PTL_INDEX_TERRAIN_COUNT == 1 << TERRAIN_PART &&
                   PTL_INDEX_SPECIAL_PLACEMENT == 1 << SPECIAL_PART,
               "a part's bit follows from its number");

/* ---- definitions ---- */

static const char CHUNK_TABLE[] = "CREATE TABLE unpacked_chunk (chunk_id INTEGER PRIMARY KEY, "
                                  "checksum INTEGER NOT NULL, tables INTEGER NOT NULL)";
static const char TERRAIN_TABLE[] =
    "CREATE TABLE unpacked_terrain_count (chunk_id INTEGER NOT NULL, z INTEGER NOT NULL, "
    "oter INTEGER NOT NULL, omts INTEGER NOT NULL, PRIMARY KEY (chunk_id, z, oter)) "
    "WITHOUT ROWID";
static const char TERRAIN_INDEX[] =
    "CREATE INDEX unpacked_terrain_count_oter ON unpacked_terrain_count (oter, z)";
static const char SPECIAL_INDEX[] =
    "CREATE INDEX unpacked_special_placement ON special_placement (special)";

const char *ptl_index_part_name(int number)
{
    if (number < 0 || number >= PTL_INDEX_PARTS)
        return NULL;
    if (number < PACK_COUNTED)
        return pack_form_of((pack_kind)number)->table;
    return number == TERRAIN_PART ? "terrain_count" : "special_placement";
}

/* Returns the statement that makes a part's table, or with `index` its index. It lies in b or
 * is a constant. NULL if the part has none, or if memory is out (b->failed). */
static const char *definition(bytes *b, int part, bool index)
{
    bytes_clear(b);
    if (part == SPECIAL_PART)
        return index ? SPECIAL_INDEX : NULL;
    if (part == TERRAIN_PART)
        return index ? TERRAIN_INDEX : TERRAIN_TABLE;
    const pack_form *form = pack_form_of((pack_kind)part);
    /* In every form the first cell is the entry's id. */
    const char *name = form->cells[0].name;
    if (index)
        bytes_printf(b, "CREATE INDEX unpacked_%s_%s ON unpacked_%s (%s)", form->table, name,
                     form->table, name);
    else {
        /* Appends the pack's columns, after chunk_id and number. Names are stored as numbers of
         * table `name`. */
        bytes_printf(
            b, "CREATE TABLE unpacked_%s (chunk_id INTEGER NOT NULL, number INTEGER NOT NULL",
            form->table);
        for (size_t i = 0; i < pack_form_cells(form); i++)
            bytes_printf(b, ", %s INTEGER%s", form->cells[i].name,
                         form->cells[i].kind == CELL_OR_NULL ? "" : " NOT NULL");
        bytes_put_text(b, ", PRIMARY KEY (chunk_id, number)) WITHOUT ROWID");
    }
    return bytes_text(b);
}

/* Returns the name in "CREATE TABLE name (" or "CREATE INDEX name ON", and its size. Both
 * texts have the same number of characters before the name. */
static const char *name_in(const char *text, size_t *size)
{
    const char *name = text + sizeof "CREATE TABLE " - 1;
    *size = strcspn(name, " ");
    return name;
}

/* Looks for the table or index. *there is set if the file has it with exactly this text. */
static ptl_status look_for(bool *there, ptl_store *store, const char *text, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    size_t size;
    const char *name = name_in(text, &size);
    char *copy = strndup(name, size);
    *there = false;
    if (!copy)
        return error_nomem(err);
    ptl_status status =
        stmt_prepare(&s, store, "SELECT sql FROM sqlite_schema WHERE name = ?", err);
    if (status == PTL_OK)
        stmt_bind_text(s, 1, copy);
    THEN(status, stmt_step(s, &row, err));
    *there = status == PTL_OK && row;
    if (*there && strcmp(stmt_text(s, 0), text) != 0)
        status = error_set(err, PTL_ERR_FORMAT,
                           "%s is not as this version makes it; portolan index --drop removes "
                           "it, and then it can be made anew",
                           copy);
    stmt_free(s);
    free(copy);
    return status;
}

ptl_status unpacked_present(uint32_t *parts, bool *chunks, ptl_store *store, ptl_error *err)
{
    bytes text;
    *parts = 0;
    bytes_init(&text);
    ptl_status status = look_for(chunks, store, CHUNK_TABLE, err);
    for (int part = 0; part < PTL_INDEX_PARTS && status == PTL_OK; part++) {
        bool there = false;
        const char *sql = definition(&text, part, part == SPECIAL_PART);
        status = sql ? look_for(&there, store, sql, err) : error_nomem(err);
        if (there)
            *parts |= UINT32_C(1) << part;
    }
    bytes_dispose(&text);
    return status;
}

/* Creates the table or index unless it exists. */
static ptl_status create_one(ptl_store *store, const char *text, ptl_error *err)
{
    bool there = false;
    ptl_status status = look_for(&there, store, text, err);
    return status == PTL_OK && !there ? sqlite_exec(store, text, err) : status;
}

ptl_status unpacked_create(ptl_store *store, uint32_t parts, ptl_error *err)
{
    bytes text;
    bytes_init(&text);
    ptl_status status = parts & UNPACKED_TABLES ? create_one(store, CHUNK_TABLE, err) : PTL_OK;
    for (int part = 0; part < TABLES && status == PTL_OK; part++) {
        if (!(parts >> part & 1))
            continue;
        const char *sql = definition(&text, part, false);
        status = sql ? create_one(store, sql, err) : error_nomem(err);
        THEN(status, unpacked_view_create(store, part, err));
    }
    if (status == PTL_OK && parts & UNPACKED_TABLES)
        status = unpacked_view_create(store, UNPACKED_VIEW_STATE, err);
    bytes_dispose(&text);
    return status;
}

ptl_status unpacked_add_index(ptl_store *store, int part, ptl_error *err)
{
    bytes text;
    bytes_init(&text);
    const char *sql = definition(&text, part, true);
    ptl_status status = sql ? create_one(store, sql, err) : error_nomem(err);
    bytes_dispose(&text);
    return status;
}

/* Drops a table or index; dropping a table drops its index, too. */
static ptl_status drop(ptl_store *store, const char *text, bool index, ptl_error *err)
{
    bytes sql;
    size_t size;
    const char *name = name_in(text, &size);
    bytes_init(&sql);
    bytes_printf(&sql, "DROP %s IF EXISTS %.*s", index ? "INDEX" : "TABLE", (int)size, name);
    const char *drop_text = bytes_text(&sql);
    ptl_status status = drop_text ? sqlite_exec(store, drop_text, err) : error_nomem(err);
    bytes_dispose(&sql);
    return status;
}

ptl_status unpacked_remove(ptl_store *store, uint32_t parts, bool chunks, ptl_error *err)
{
    bytes text;
    bytes_init(&text);
    ptl_status status = PTL_OK;
    if (chunks)
        status = unpacked_view_drop(store, UNPACKED_VIEW_STATE, err);
    if (status == PTL_OK && chunks)
        status = drop(store, CHUNK_TABLE, false, err);
    for (int part = 0; part < PTL_INDEX_PARTS && status == PTL_OK; part++) {
        if (!(parts >> part & 1))
            continue;
        const bool index = part == SPECIAL_PART;
        const char *sql = definition(&text, part, index);
        status = index ? PTL_OK : unpacked_view_drop(store, part, err);
        if (status == PTL_OK)
            status = sql ? drop(store, sql, index, err) : error_nomem(err);
    }
    bytes_dispose(&text);
    return status;
}

ptl_status unpacked_drop_indexes(ptl_store *store, uint32_t parts, ptl_error *err)
{
    bytes text;
    bytes_init(&text);
    ptl_status status = PTL_OK;
    for (int part = 0; part < TABLES && status == PTL_OK; part++) {
        if (!(parts >> part & 1))
            continue;
        const char *sql = definition(&text, part, true);
        status = sql ? drop(store, sql, true, err) : error_nomem(err);
    }
    bytes_dispose(&text);
    return status;
}

/* ---- rows ---- */

enum { ROW_CELLS = 2 + PACK_CELLS_MAX };

typedef struct unpacked_row {
    int64_t cells[ROW_CELLS]; /* the first one is the chunk's id */
    uint32_t nulls;           /* a bit for each cell */
    int count;
} unpacked_row;

/* Sum over a chunk's rows in a table. It adds up hashes of the rows, so their order does not
 * matter, and a damaged row changes it. */
typedef struct row_sum {
    uint64_t rows, sum;
} row_sum;

struct unpacked_writer {
    ptl_store *store;
    stmt *erase[TABLES], *insert[TABLES], *select[TABLES], *packs, *levels;
    bool sums; /* rows are summed up and not written */
    row_sum sum[TABLES];
    feature_set set;
    uint32_t counts[PTL_LEVEL_CELLS];
};

unpacked_writer *unpacked_writer_new(ptl_store *store)
{
    unpacked_writer *w = calloc(1, sizeof *w);
    if (w)
        w->store = store;
    return w;
}

void unpacked_writer_free(unpacked_writer *w)
{
    if (!w)
        return;
    for (int i = 0; i < TABLES; i++) {
        stmt_free(w->erase[i]);
        stmt_free(w->insert[i]);
        stmt_free(w->select[i]);
    }
    stmt_free(w->packs);
    stmt_free(w->levels);
    feature_set_dispose(&w->set);
    free(w);
}

/* Prepares the statement that deletes from or inserts into a table, unless that was done
 * before. */
static ptl_status prepare(stmt **out, unpacked_writer *w, int part, bool insert, ptl_error *err)
{
    if (*out)
        return PTL_OK;
    const size_t cells =
        part < PACK_COUNTED ? pack_form_cells(pack_form_of((pack_kind)part)) : 2;
    bytes sql;
    bytes_init(&sql);
    if (insert) {
        bytes_printf(&sql, "INSERT INTO unpacked_%s VALUES (?, ?", ptl_index_part_name(part));
        for (size_t i = 0; i < cells; i++)
            bytes_put_text(&sql, ", ?");
        bytes_put_text(&sql, ")");
    } else {
        bytes_printf(&sql, "DELETE FROM unpacked_%s WHERE chunk_id = ?",
                     ptl_index_part_name(part));
    }
    const char *text = bytes_text(&sql);
    ptl_status status = text ? stmt_prepare(out, w->store, text, err) : error_nomem(err);
    bytes_dispose(&sql);
    return status;
}

ptl_status unpacked_erase(unpacked_writer *w, uint32_t parts, int64_t chunk_id, ptl_error *err)
{
    for (int part = 0; part < TABLES; part++) {
        if (!(parts >> part & 1))
            continue;
        TRY(prepare(&w->erase[part], w, part, false, err));
        stmt_bind_int(w->erase[part], 1, chunk_id);
        TRY(stmt_run(w->erase[part], err));
    }
    return PTL_OK;
}

static void add_to_sum(row_sum *sum, const unpacked_row *row)
{
    uint64_t hash = row->nulls;
    for (int i = 0; i < row->count; i++)
        hash = hash_add(hash, (uint64_t)row->cells[i]);
    sum->rows++;
    sum->sum += hash;
}

static ptl_status put_row(unpacked_writer *w, int part, const unpacked_row *row, ptl_error *err)
{
    if (w->sums) {
        add_to_sum(&w->sum[part], row);
        return PTL_OK;
    }
    TRY(prepare(&w->insert[part], w, part, true, err));
    for (int i = 0; i < row->count; i++)
        if (row->nulls >> i & 1)
            stmt_bind_null(w->insert[part], 1 + i);
        else
            stmt_bind_int(w->insert[part], 1 + i, row->cells[i]);
    return stmt_run(w->insert[part], err);
}

static ptl_status put_entry(unpacked_writer *w, pack_kind kind, const chunk_info *info,
                            size_t entry, ptl_error *err)
{
    const pack_form *form = pack_form_of(kind);
    const pack_table *t = &w->set.tables[kind];
    unpacked_row row = {.cells = {info->id, (int64_t)entry}, .count = 2};
    for (int i = 0; form->cells[i].name; i++, row.count++) {
        int64_t v = 0;
        if (!pack_cell_value(&v, &form->cells[i], t, entry, info->pos))
            row.nulls |= UINT32_C(1) << row.count;
        else
            row.cells[row.count] = form->cells[i].kind == CELL_NAME ? t->numbers[v] : v;
    }
    return put_row(w, (int)kind, &row, err);
}

static ptl_status write_pack(unpacked_writer *w, int64_t id, const chunk_info *info,
                             uint64_t *rows, ptl_error *err)
{
    size_t size;
    const pack_kind kind = (pack_kind)(id % PACK_IDS);
    const void *blob = stmt_blob(w->packs, PACK_COLUMN_DATA, &size);
    TRY(feature_pack_read(&w->set, w->store, id, stmt_int(w->packs, PACK_COLUMN_CHECKSUM), blob,
                          size, err));
    for (size_t i = 0; i < w->set.tables[kind].count; i++, ++*rows)
        TRY(put_entry(w, kind, info, i, err));
    return PTL_OK;
}

static ptl_status write_packs(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                              uint64_t *rows, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (!w->packs)
        TRY(stmt_prepare(&w->packs, w->store,
                         "SELECT " PACK_COLUMNS " FROM pack "
                         "WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 4 ORDER BY id",
                         err));
    stmt_bind_int(w->packs, 1, info->id);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(w->packs, &row, err);
        const int64_t id = row ? stmt_int(w->packs, PACK_COLUMN_ID) : 0;
        if (status == PTL_OK && row && parts >> id % PACK_IDS & 1)
            status = write_pack(w, id, info, rows, err);
    }
    stmt_reset(w->packs);
    return status;
}

static ptl_status put_count(unpacked_writer *w, const chunk_info *info, int z, uint32_t number,
                            uint32_t omts, ptl_error *err)
{
    const unpacked_row row = {.cells = {info->id, z, number, omts}, .count = 4};
    return put_row(w, TERRAIN_PART, &row, err);
}

static ptl_status write_level(unpacked_writer *w, const chunk_info *info, int z, uint64_t *rows,
                              ptl_error *err)
{
    const level_runs *runs = NULL;
    size_t size;
    const void *omts = stmt_blob(w->levels, LEVEL_COLUMN_OMTS, &size);
    TRY(level_row_runs(&runs, w->store, stmt_int(w->levels, LEVEL_COLUMN_ID),
                       stmt_int(w->levels, LEVEL_COLUMN_CHECKSUM), omts, size, err));
    level_count(w->counts, runs, LEVEL_RECT_ALL);
    for (size_t i = 0; i < runs->palette_count; i++, ++*rows)
        TRY(put_count(w, info, z, runs->palette[i], w->counts[i], err));
    return PTL_OK;
}

/* Writes the rows of levels that have no row in the file: the chunk's fill gives their single
 * oter. */
static ptl_status write_fill(unpacked_writer *w, const chunk_info *info, const stmt *chunk_row,
                             uint64_t *rows, ptl_error *err)
{
    uint32_t fill[PTL_LEVELS];
    size_t size;
    const void *blob = stmt_blob(chunk_row, CHUNK_COLUMN_FILL, &size);
    ptl_status status = fill_parse(fill, blob, size, dictionary_size(w->store), err);
    for (int i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        if (info->level_mask >> i & 1)
            continue;
        status = put_count(w, info, i + PTL_Z_MIN, fill[i], PTL_LEVEL_CELLS, err);
        ++*rows;
    }
    return status;
}

/* Writes how many cells of each oter the chunk's levels have. The rows of levels must be
 * exactly those of the level mask. */
static ptl_status write_counts(unpacked_writer *w, const chunk_info *info,
                               const stmt *chunk_row, uint64_t *rows, ptl_error *err)
{
    uint32_t found = 0;
    ptl_status status = PTL_OK;
    TRY(dictionary_refresh(w->store, err));
    if (!w->levels)
        TRY(stmt_prepare(&w->levels, w->store,
                         "SELECT " LEVEL_COLUMNS " FROM level "
                         "WHERE id BETWEEN ?1 * 32 AND ?1 * 32 + 20 ORDER BY id",
                         err));
    stmt_bind_int(w->levels, 1, info->id);
    while (stmt_row(w->levels, &status, err)) {
        const int index = (int)(stmt_int(w->levels, LEVEL_COLUMN_ID) % 32);
        found |= UINT32_C(1) << index;
        status = write_level(w, info, index + PTL_Z_MIN, rows, err);
    }
    stmt_reset(w->levels);
    if (status == PTL_OK && found != info->level_mask)
        status = error_set(err, PTL_ERR_CORRUPT, "level_mask and the rows of levels differ");
    return status == PTL_OK ? write_fill(w, info, chunk_row, rows, err) : status;
}

static ptl_status put_rows(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                           const stmt *chunk_row, uint64_t *rows, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (parts & ((1u << PACK_COUNTED) - 1))
        status = write_packs(w, parts, info, rows, err);
    if (status == PTL_OK && parts & PTL_INDEX_TERRAIN_COUNT)
        status = write_counts(w, info, chunk_row, rows, err);
    if (status != PTL_OK)
        return error_prefix(err, status, "chunk %d,%d", info->pos.x, info->pos.y);
    return PTL_OK;
}

ptl_status unpacked_write(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                          const stmt *chunk_row, uint64_t *rows, ptl_error *err)
{
    TRY(unpacked_erase(w, parts, info->id, err));
    return put_rows(w, parts, info, chunk_row, rows, err);
}

/* ---- comparing ---- */

/* Takes the current row; false if a value is not an integer. */
static bool take_row(unpacked_row *out, const stmt *s)
{
    const int count = sqlite3_column_count(s->handle);
    *out = (unpacked_row){.count = count < ROW_CELLS ? count : ROW_CELLS};
    for (int i = 0; i < out->count; i++) {
        const int type = sqlite3_column_type(s->handle, i);
        if (type != SQLITE_INTEGER && type != SQLITE_NULL)
            return false;
        out->cells[i] = stmt_int(s, i);
        out->nulls |= (uint32_t)(type == SQLITE_NULL) << i;
    }
    return true;
}

/* Does the file's table have the same rows of the chunk as were summed up? */
static ptl_status has_rows(bool *same, unpacked_writer *w, int part, int64_t chunk_id,
                           ptl_error *err)
{
    char sql[96];
    stmt **s = &w->select[part];
    row_sum stored = {0, 0};
    ptl_status status = PTL_OK;
    *same = true;
    snprintf(sql, sizeof sql, "SELECT * FROM main.unpacked_%s WHERE chunk_id = ?",
             ptl_index_part_name(part));
    if (!*s)
        TRY(stmt_prepare(s, w->store, sql, err));
    stmt_bind_int(*s, 1, chunk_id);
    while (stmt_row(*s, &status, err)) {
        unpacked_row row;
        *same = *same && take_row(&row, *s);
        if (*same)
            add_to_sum(&stored, &row);
    }
    stmt_reset(*s);
    *same = *same && stored.rows == w->sum[part].rows && stored.sum == w->sum[part].sum;
    return status;
}

ptl_status unpacked_compare(uint32_t *wrong, unpacked_writer *w, uint32_t parts,
                            const chunk_info *info, const stmt *chunk_row, ptl_error *err)
{
    uint64_t rows = 0;
    *wrong = 0;
    memset(w->sum, 0, sizeof w->sum);
    w->sums = true;
    ptl_status status = put_rows(w, parts, info, chunk_row, &rows, err);
    w->sums = false;
    for (int part = 0; part < TABLES && status == PTL_OK; part++) {
        bool same = true;
        if (parts >> part & 1)
            status = has_rows(&same, w, part, info->id, err);
        *wrong |= (uint32_t)!same << part;
    }
    return status;
}
