#include "codec/chunk_codec.h"
#include "core/error.h"
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Numbers of the tables of `portolan index`. First come the tables into which packs are
 * unpacked (a pack is a blob with all features of one kind of a chunk); their numbers are
 * values of pack_kind. Then come the other tables. CHUNK_PART is unpacked_chunk, which lists
 * the indexed chunks; users do not name it.
 */
enum { TERRAIN_PART = PACK_COUNTED, TABLES, SPECIAL_PART = TABLES, CHUNK_PART };
_Static_assert(PTL_INDEX_PIECE_JOIN == 1 << PACK_JOINS &&
                   PTL_INDEX_TERRAIN_COUNT == 1 << TERRAIN_PART &&
                   PTL_INDEX_SPECIAL_PLACEMENT == 1 << SPECIAL_PART &&
                   PTL_INDEX_PARTS == (int)CHUNK_PART,
               "a part's bit follows from its number");

/* ---- definitions of the tables, their indexes and views ---- */

typedef enum made_kind { MADE_TABLE, MADE_INDEX, MADE_VIEW } made_kind;

/* A table, an index of SQLite's or a view that `portolan index` makes in the file. */
typedef struct made {
    made_kind kind;
    char name[64];
    char sql[800]; /* the CREATE statement, as sqlite_schema holds it */
} made;

static const char *const kind_words[] = {
    [MADE_TABLE] = "TABLE", [MADE_INDEX] = "INDEX", [MADE_VIEW] = "VIEW"};

#define CHUNK_OF "SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, "
#define WORLD_OF "JOIN world w ON w.id = c.world_id"

/* For each table that is not made from packs (blobs of features): the statements that create
 * the table, its index and its view; NULL if it has no index or no view. */
static const char *const fixed_sql[][3] = {
    [TERRAIN_PART] =
        {[MADE_TABLE] = ("CREATE TABLE unpacked_terrain_count (chunk_id INTEGER NOT NULL, "
                         "z INTEGER NOT NULL, oter INTEGER NOT NULL, omts INTEGER NOT NULL, "
                         "PRIMARY KEY (chunk_id, z, oter)) WITHOUT ROWID"),
         [MADE_INDEX] = ("CREATE INDEX unpacked_terrain_count_oter ON unpacked_terrain_count "
                         "(oter, z)"),
         [MADE_VIEW] = ("CREATE VIEW v_terrain_count AS " CHUNK_OF
                        "u.z, o.name AS oter, t.terrain, u.omts FROM unpacked_terrain_count u "
                        "JOIN chunk c ON c.id = u.chunk_id " WORLD_OF
                        " JOIN oter o ON o.id = u.oter LEFT JOIN concrete_terrain t "
                        "ON t.id = o.name")},
    [SPECIAL_PART] =
        {[MADE_INDEX] =
             "CREATE INDEX unpacked_special_placement ON special_placement (special)"},
    [CHUNK_PART] = {
        [MADE_TABLE] = ("CREATE TABLE unpacked_chunk (chunk_id INTEGER PRIMARY KEY, "
                        "checksum INTEGER NOT NULL, tables INTEGER NOT NULL)"),
        [MADE_VIEW] = ("CREATE VIEW v_unpacked AS " CHUNK_OF
                       "CASE WHEN u.chunk_id IS NULL THEN 'missing' "
                       "WHEN u.checksum <> c.checksum THEN 'changed' "
                       "ELSE 'indexed' END AS state, c.id AS chunk_id FROM chunk c " WORLD_OF
                       " LEFT JOIN unpacked_chunk u ON u.chunk_id = c.id")}};

const char *ptl_index_part_name(int number)
{
    if (number < 0 || number >= PTL_INDEX_PARTS)
        return NULL;
    if (number < PACK_COUNTED)
        return pack_form_of((pack_kind)number)->table;
    return number == TERRAIN_PART ? "terrain_count" : "special_placement";
}

/* Writes the statement that creates the table, index or view for one kind of pack (a blob of
 * features). The view has the same columns as the pack's virtual table. Where the view shows a
 * name, the table itself has a number, under which the table `name` has that name. */
static void describe_pack(char *sql, size_t room, made_kind kind, const pack_form *form)
{
    /* In every pack_form the first column is the feature's name, for example a building's id.
     */
    const char *table = form->table, *first = form->cells[0].name;
    const size_t cells = pack_form_cells(form);
    if (kind == MADE_INDEX) {
        snprintf(sql, room, "CREATE INDEX unpacked_%s_%s ON unpacked_%s (%s)", table, first,
                 table, first);
        return;
    }
    const bool view = kind == MADE_VIEW;
    size_t size =
        (size_t)(view ? snprintf(sql, room,
                                 "CREATE VIEW v_%s AS " CHUNK_OF "u.number, n.name AS %s",
                                 table, first)
                      : snprintf(sql, room,
                                 "CREATE TABLE unpacked_%s (chunk_id INTEGER NOT NULL, "
                                 "number INTEGER NOT NULL",
                                 table));
    for (size_t i = view; i < cells; i++) {
        const pack_cell *c = &form->cells[i];
        const char *type = view                      ? ""
                           : c->kind == CELL_OR_NULL ? " INTEGER"
                                                     : " INTEGER NOT NULL";
        size += (size_t)snprintf(sql + size, room - size, ", %s%s%s", view ? "u." : "", c->name,
                                 type);
    }
    if (view)
        snprintf(sql + size, room - size,
                 " FROM unpacked_%s u JOIN chunk c ON c.id = u.chunk_id " WORLD_OF
                 " JOIN name n ON n.id = u.%s",
                 table, first);
    else
        snprintf(sql + size, room - size, ", PRIMARY KEY (chunk_id, number)) WITHOUT ROWID");
}

/* Describes the table with this number (`part`), its index or its view; false if there is none
 * of this kind. */
static bool describe(made *out, int part, made_kind kind)
{
    const char *fixed = part < PACK_COUNTED ? NULL : fixed_sql[part][kind];
    if (part < PACK_COUNTED)
        describe_pack(out->sql, sizeof out->sql, kind, pack_form_of((pack_kind)part));
    else if (fixed)
        snprintf(out->sql, sizeof out->sql, "%s", fixed);
    else
        return false;
    out->kind = kind;
    const char *name = out->sql + strlen("CREATE ") + strlen(kind_words[kind]) + 1;
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(name, " "), name);
    return true;
}

/* Compares the file with this version of Portolan, for the name of a table, index or view. The
 * file has nothing under that name (IS_ABSENT), exactly what this version makes (IS_OURS),
 * something of the same kind with another SQL text (IS_CHANGED), or something of another kind
 * (IS_OTHER). */
typedef enum standing { IS_ABSENT, IS_OURS, IS_CHANGED, IS_OTHER } standing;

static ptl_status look_for(standing *out, ptl_store *store, const made *m, ptl_error *err)
{
    stmt *s;
    ptl_status status =
        stmt_prepare(&s, store,
                     "SELECT upper(type) = ?1, sql FROM sqlite_schema WHERE name = ?2 "
                     "COLLATE NOCASE AND (type <> 'index' OR ?1 = 'INDEX')",
                     err);
    stmt_bind_text(s, 1, kind_words[m->kind]);
    stmt_bind_text(s, 2, m->name);
    *out = IS_ABSENT;
    if (stmt_row(s, &status, err)) {
        const bool same = strcmp(stmt_text(s, 1), m->sql) == 0;
        *out = !stmt_int(s, 0) ? IS_OTHER : same ? IS_OURS : IS_CHANGED;
        status = stmt_had_memory(s, err);
    }
    stmt_free(s);
    return status;
}

/* Returns an error about something in the file that has the name of a table, index or view of
 * `portolan index`, but that this version would not make. */
static ptl_status refuse_other(const made *m, ptl_error *err)
{
    if (m->kind == MADE_VIEW)
        return error_set(err, PTL_ERR_EXISTS,
                         "the index wants a view %s, and the file has a table of that name: "
                         "rename it",
                         m->name);
    return error_set(err, PTL_ERR_FORMAT,
                     "%s is not as this version makes it; portolan index --drop removes it, "
                     "and then it can be made anew",
                     m->name);
}

/* Creates the table with this number (`part`), its index or its view, unless it exists. */
static ptl_status create(ptl_store *store, int part, made_kind kind, ptl_error *err)
{
    made m;
    standing there;
    if (!describe(&m, part, kind))
        return PTL_OK;
    TRY(look_for(&there, store, &m, err));
    return there == IS_ABSENT ? sqlite_exec(store, m.sql, err)
           : there == IS_OURS ? PTL_OK
                              : refuse_other(&m, err);
}

/* Drops the table with this number (`part`), its index or its view, also if its SQL text
 * differs from this version's. Something of another kind under that name belongs to a user and
 * stays. */
static ptl_status drop(ptl_store *store, int part, made_kind kind, ptl_error *err)
{
    made m;
    standing there;
    char sql[100];
    if (!describe(&m, part, kind))
        return PTL_OK;
    TRY(look_for(&there, store, &m, err));
    snprintf(sql, sizeof sql, "DROP %s %s", kind_words[kind], m.name);
    return there == IS_OURS || there == IS_CHANGED ? sqlite_exec(store, sql, err) : PTL_OK;
}

ptl_status unpacked_present(uint32_t *parts, bool *chunks, ptl_store *store, ptl_error *err)
{
    *parts = 0;
    *chunks = false;
    for (int part = 0; part <= CHUNK_PART; part++) {
        made m;
        standing there;
        describe(&m, part, part == SPECIAL_PART ? MADE_INDEX : MADE_TABLE);
        TRY(look_for(&there, store, &m, err));
        if (there > IS_OURS)
            return refuse_other(&m, err);
        *parts |= (uint32_t)(there == IS_OURS && part < CHUNK_PART) << part;
        *chunks = there == IS_OURS; /* overwritten for each table; the last one is
                                     * unpacked_chunk, so its result is the one that stays */
    }
    return PTL_OK;
}

ptl_status unpacked_create(ptl_store *store, uint32_t parts, ptl_error *err)
{
    if (!(parts & UNPACKED_TABLES))
        return PTL_OK;
    TRY(create(store, CHUNK_PART, MADE_TABLE, err));
    for (int part = 0; part < TABLES; part++)
        if (parts >> part & 1) {
            TRY(create(store, part, MADE_TABLE, err));
            TRY(create(store, part, MADE_VIEW, err));
        }
    return create(store, CHUNK_PART, MADE_VIEW, err);
}

ptl_status unpacked_add_index(ptl_store *store, int part, ptl_error *err)
{
    return create(store, part, MADE_INDEX, err);
}

/* Dropping a table drops its index, too. special_placement is no table of `portolan index`, so
 * only SQLite's index on it is dropped. */
ptl_status unpacked_remove(ptl_store *store, uint32_t parts, bool chunks, ptl_error *err)
{
    parts |= (uint32_t)chunks << CHUNK_PART;
    for (int part = CHUNK_PART; part >= 0; part--)
        if (parts >> part & 1) {
            TRY(drop(store, part, MADE_VIEW, err));
            TRY(drop(store, part, part == SPECIAL_PART ? MADE_INDEX : MADE_TABLE, err));
        }
    return PTL_OK;
}

ptl_status unpacked_drop_indexes(ptl_store *store, uint32_t parts, ptl_error *err)
{
    for (int part = 0; part < TABLES; part++)
        if (parts >> part & 1)
            TRY(drop(store, part, MADE_INDEX, err));
    return PTL_OK;
}

bool unpacked_view_known(const char *name, const char *sql)
{
    made m;
    for (int part = 0; part <= CHUNK_PART; part++)
        if (describe(&m, part, MADE_VIEW) && strcmp(m.name, name) == 0)
            return strcmp(m.sql, sql) == 0;
    return false;
}

/* ---- writing rows ---- */

enum { ROW_CELLS = 2 + PACK_CELLS_MAX };

typedef struct unpacked_row {
    int64_t cells[ROW_CELLS]; /* the row's values; the first two are the chunk's id, and the
                                 number of the feature or level */
    uint32_t nulls;           /* has a bit for each value of the row that is NULL */
    int count;
} unpacked_row;

/* Sum over a chunk's rows in a table. It adds up hashes of the rows, so it does not depend on
 * the order of the rows, but changes if a row is damaged. */
typedef struct row_sum {
    uint64_t rows, sum;
} row_sum;

struct unpacked_writer {
    ptl_store *store;
    stmt *erase[TABLES], *insert[TABLES], *select[TABLES], *packs, *levels;
    /* Borrowed: the chunk whose rows are written, and the statement that stands on the chunk's
     * row and gives CHUNK_COLUMNS. */
    const chunk_info *info;
    const stmt *chunk_row;
    uint64_t *rows; /* borrowed: number of the rows that were written or, with `sums`, added to
                     * `sum` */
    bool sums;      /* if true, rows are only added to `sum`, not written */
    row_sum sum[TABLES];
    feature_set set;
    uint32_t counts[PTL_LEVEL_CELLS];
};

unpacked_writer *unpacked_writer_new(ptl_store *store, uint64_t *rows)
{
    unpacked_writer *w = calloc(1, sizeof *w);
    if (w) {
        w->store = store;
        w->rows = rows;
    }
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

/* Prepares, unless it exists, a statement for the rows of a chunk in a part's table, and binds
 * the chunk's id. `what` is "SELECT *" or "DELETE". */
static ptl_status prepare_for_chunk(stmt **out, unpacked_writer *w, const char *what, int part,
                                    int64_t chunk_id, ptl_error *err)
{
    char sql[96];
    snprintf(sql, sizeof sql, "%s FROM main.unpacked_%s WHERE chunk_id = ?", what,
             ptl_index_part_name(part));
    if (!*out)
        TRY(stmt_prepare(out, w->store, sql, err));
    stmt_bind_int(*out, 1, chunk_id);
    return PTL_OK;
}

ptl_status unpacked_erase(unpacked_writer *w, uint32_t parts, int64_t chunk_id, ptl_error *err)
{
    for (int part = 0; part < TABLES; part++)
        if (parts >> part & 1) {
            TRY(prepare_for_chunk(&w->erase[part], w, "DELETE", part, chunk_id, err));
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
    stmt **s = &w->insert[part];
    ++*w->rows;
    if (w->sums) {
        add_to_sum(&w->sum[part], row);
        return PTL_OK;
    }
    if (!*s) {
        char table[64];
        snprintf(table, sizeof table, "unpacked_%s", ptl_index_part_name(part));
        TRY(stmt_prepare_insert(s, w->store, table, row->count, err));
    }
    for (int i = 0; i < row->count; i++)
        if (!(row->nulls >> i & 1))
            stmt_bind_int(*s, 1 + i, row->cells[i]);
    return stmt_run(*s, err);
}

static ptl_status put_entry(unpacked_writer *w, pack_kind kind, size_t entry, ptl_error *err)
{
    const pack_form *form = pack_form_of(kind);
    const pack_table *t = &w->set.tables[kind];
    unpacked_row row = {.cells = {w->info->id, (int64_t)entry}, .count = 2};
    for (int i = 0; i < PACK_CELLS_MAX && form->cells[i].name; i++, row.count++) {
        int64_t v = 0;
        if (!pack_cell_value(&v, &form->cells[i], t, entry, w->info->pos))
            row.nulls |= UINT32_C(1) << row.count;
        else
            row.cells[row.count] = form->cells[i].kind == CELL_NAME ? t->numbers[v] : v;
    }
    return put_row(w, (int)kind, &row, err);
}

static ptl_status write_packs(unpacked_writer *w, uint32_t parts, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (!w->packs)
        TRY(stmt_prepare(&w->packs, w->store,
                         "SELECT " PACK_COLUMNS " FROM pack "
                         "WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 4 ORDER BY id",
                         err));
    stmt_bind_int(w->packs, 1, w->info->id);
    while (stmt_row(w->packs, &status, err)) {
        size_t size;
        const int64_t id = stmt_int(w->packs, PACK_COLUMN_ID);
        const pack_kind kind = (pack_kind)(id % PACK_IDS);
        const void *blob = stmt_blob(w->packs, PACK_COLUMN_DATA, &size);
        if (!(parts >> kind & 1))
            continue;
        status = feature_pack_read(&w->set, w->store, id,
                                   stmt_int(w->packs, PACK_COLUMN_CHECKSUM), blob, size, err);
        for (size_t i = 0; status == PTL_OK && i < w->set.tables[kind].count; i++)
            status = put_entry(w, kind, i, err);
    }
    stmt_reset(w->packs);
    return status;
}

static ptl_status put_count(unpacked_writer *w, int z, uint32_t number, uint32_t omts,
                            ptl_error *err)
{
    const unpacked_row row = {.cells = {w->info->id, z, number, omts}, .count = 4};
    return put_row(w, TERRAIN_PART, &row, err);
}

static ptl_status write_level(unpacked_writer *w, int z, ptl_error *err)
{
    const level_runs *runs = NULL;
    size_t size;
    const void *omts = stmt_blob(w->levels, LEVEL_COLUMN_OMTS, &size);
    TRY(level_row_runs(&runs, w->store, stmt_int(w->levels, LEVEL_COLUMN_ID),
                       stmt_int(w->levels, LEVEL_COLUMN_CHECKSUM), omts, size, err));
    level_count(w->counts, runs, LEVEL_RECT_ALL);
    for (size_t i = 0; i < runs->palette_count; i++)
        TRY(put_count(w, z, runs->palette[i], w->counts[i], err));
    return PTL_OK;
}

/* Writes, for each level of the chunk, how many OMTs each oter has. The rows in table level
 * must be exactly those of the level mask. A level without a row has a single oter, which the
 * chunk's column `fill` gives. */
static ptl_status write_counts(unpacked_writer *w, ptl_error *err)
{
    uint32_t found = 0, fill[PTL_LEVELS];
    size_t size;
    ptl_status status = PTL_OK;
    TRY(dictionary_refresh(w->store, err));
    if (!w->levels)
        TRY(stmt_prepare(&w->levels, w->store,
                         "SELECT " LEVEL_COLUMNS " FROM level "
                         "WHERE id BETWEEN ?1 * 32 AND ?1 * 32 + 20 ORDER BY id",
                         err));
    stmt_bind_int(w->levels, 1, w->info->id);
    while (stmt_row(w->levels, &status, err)) {
        const int index = (int)(stmt_int(w->levels, LEVEL_COLUMN_ID) % 32);
        found |= UINT32_C(1) << index;
        status = write_level(w, index + PTL_Z_MIN, err);
    }
    stmt_reset(w->levels);
    if (status == PTL_OK && found != w->info->level_mask)
        status = error_set(err, PTL_ERR_CORRUPT, "level_mask and the rows of levels differ");
    const void *blob = stmt_blob(w->chunk_row, CHUNK_COLUMN_FILL, &size);
    THEN(status, fill_parse(fill, blob, size, dictionary_size(w->store), err));
    for (int i = 0; i < PTL_LEVELS && status == PTL_OK; i++)
        if (!(w->info->level_mask >> i & 1))
            status = put_count(w, i + PTL_Z_MIN, fill[i], PTL_LEVEL_CELLS, err);
    return status;
}

static ptl_status put_rows(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                           const stmt *chunk_row, ptl_error *err)
{
    ptl_status status = PTL_OK;
    w->info = info;
    w->chunk_row = chunk_row;
    if (parts & ((1u << PACK_COUNTED) - 1))
        status = write_packs(w, parts, err);
    if (status == PTL_OK && parts & PTL_INDEX_TERRAIN_COUNT)
        status = write_counts(w, err);
    if (status != PTL_OK)
        return error_prefix(err, status, "chunk %d,%d", info->pos.x, info->pos.y);
    return PTL_OK;
}

ptl_status unpacked_write(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                          const stmt *chunk_row, ptl_error *err)
{
    TRY(unpacked_erase(w, parts, info->id, err));
    return put_rows(w, parts, info, chunk_row, err);
}

/* ---- comparing rows ---- */

/* Reads the current row of a table; false if a value is not an integer. */
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

/* Adds up the chunk's rows in a table, and compares the sum with w->sum, the sum of the rows
 * that the chunk should have there. */
static ptl_status has_rows(bool *same, unpacked_writer *w, int part, int64_t chunk_id,
                           ptl_error *err)
{
    stmt **s = &w->select[part];
    row_sum stored = {0, 0};
    *same = true;
    ptl_status status = prepare_for_chunk(s, w, "SELECT *", part, chunk_id, err);
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
    *wrong = 0;
    memset(w->sum, 0, sizeof w->sum);
    w->sums = true;
    ptl_status status = put_rows(w, parts, info, chunk_row, err);
    w->sums = false;
    for (int part = 0; part < TABLES && status == PTL_OK; part++) {
        bool same = true;
        if (parts >> part & 1)
            status = has_rows(&same, w, part, info->id, err);
        *wrong |= (uint32_t)!same << part;
    }
    return status;
}
