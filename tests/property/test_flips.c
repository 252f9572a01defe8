/*
 * No bit goes unseen. Bits of a world file are turned over, one at a time: by SQL in every
 * column of every table, which verify must report; and in the bytes of the file, where verify
 * reports it, or the file is refused, or no value has changed. PORTOLAN_SOAK_FLIPS=all turns
 * every bit of the rows that are looked at, and many more of the file.
 */
#include "codec/spills/spill_codec.h"
#include "core/digest.h"
#include "core/hash.h"
#include "model/region_fields.h"
#include "portolan/repair.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/schema/schema_check.h"
#include "store/sqlite/verify/verify.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/summary_maker.h"
#include "support/test_folder.h"
#include "support/world_file.h"
#include "world/world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 48, ROWS_OF_TABLE = 3 };

static char base[WORLD_PATH_SIZE]; /* made once; each test works on a copy */
static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_error err;

/* How many bits of a value, at most: 0 if this is no soak, UINT64_MAX for "all". */
static uint64_t soak(void)
{
    const char *flips = getenv("PORTOLAN_SOAK_FLIPS");
    if (!flips)
        return 0;
    return strcmp(flips, "all") == 0 ? UINT64_MAX : strtoull(flips, NULL, 10);
}

static bool quick(void)
{
    return test_part() > 1;
}

static void exec(const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static stmt *prepare(const char *sql)
{
    stmt *s = NULL;
    ck_assert_msg(stmt_prepare(&s, store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
    return s;
}

static bool step(stmt *s)
{
    bool row = false;
    ck_assert_msg(stmt_step(s, &row, &err) == PTL_OK, "%s", err.message);
    return row;
}

static ptl_status open_store(ptl_open_mode mode)
{
    const ptl_open_options options = {.size = sizeof options, .mode = mode};
    return ptl_store_open(&store, path, &options, &err);
}

static void close_store(void)
{
    ptl_store_close(store);
    store = NULL;
}

/* ---- the file ---- */

/* Sets the checksum of a row right: over the columns of all rows that the statements give. */
static void set_checksum(const char *table, const char *const *selects, const char *update)
{
    bytes b;
    int64_t sum = 0;
    bytes_init(&b);
    rowsum_begin(&b, table);
    for (; *selects; selects++) {
        stmt *s = prepare(*selects);
        while (step(s))
            rowsum_columns(&b, s, 0, sqlite3_column_count(s->handle));
        stmt_free(s);
    }
    ck_assert_int_eq(rowsum_end(&b, &sum, &err), PTL_OK);
    stmt *s = prepare(update);
    stmt_bind_int(s, 1, sum);
    ck_assert_int_eq(stmt_run(s, &err), PTL_OK);
    stmt_free(s);
    bytes_dispose(&b);
}

/* What a generated world has none of: a row set aside, contents of before, a foreign edge. */
static void add_rare_rows(void)
{
    static const char *const aside[] = {
        "SELECT id, found, source_table, source_key, world, x, y, reason, data FROM set_aside",
        NULL};
    static const char *const foreign[] = {
        "SELECT id, world_id, x, y, side, origin, generator_version, content_id, run_id, cells "
        "FROM edge WHERE id = 2",
        "SELECT z, kind, position, width, direction FROM crossing WHERE edge_id = 2 "
        "ORDER BY z, kind, position",
        NULL};
    exec(
        "INSERT INTO set_aside VALUES (1, '2026-01-01T00:00:00Z', 'pack', '8', 'w', 0, 0, 'no "
        "way', x'0102', 0); UPDATE edge SET origin = 'foreign', cells = x'0101b401' WHERE id = "
        "2");
    ck_assert_int_eq(sqlite_content_keep(store, &err), PTL_OK);
    set_checksum("set_aside", aside, "UPDATE set_aside SET checksum = ?");
    set_checksum("edge", foreign, "UPDATE edge SET checksum = ? WHERE id = 2");
}

static uint64_t problems_of(unsigned parts)
{
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_status status = verify_parts(store, parts, NULL, NULL, &counts, &err);
    ck_assert_msg(status == PTL_OK || status == PTL_ERR_CORRUPT, "%s", err.message);
    return status == PTL_OK ? counts.problems : 1;
}

/* A local map with something of a game's own. */
static void add_map(ptl_world *world)
{
    ptl_local_map *map = NULL;
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    e.kind = "item";
    e.id = "rock";
    e.own = "{\"mine\": true}";
    ck_assert_msg(ptl_local_get(&map, world, (ptl_omt){90, 90, 0}, NULL, &err) == PTL_OK &&
                      ptl_local_entity_add(map, &e) == PTL_OK &&
                      ptl_local_put(world, &map, 1, &err) == PTL_OK,
                  "%s", err.message);
    ptl_local_free(map);
}

/* Spills of that map, and a local tide: of a world that has no sea to be seen. */
static void add_sea(ptl_world *world)
{
    static local_spills spills; /* no water comes there */
    const surge_row s = {2170, -2160, 60, 1260};
    bytes blob = {0};
    for (int i = 0; i < LOCAL_CELLS; i++)
        spills.heights[i] = (int16_t)(i % 30 + i / 24);
    for (int i = 0; i < (SPILL_STEPS + 1) * LOCAL_CELLS; i++)
        spills.within[i / LOCAL_CELLS][i % LOCAL_CELLS] = SPILL_NEVER;
    const ptl_omt at = {90, 90, 0};
    ck_assert_msg(spills_encode(&blob, &spills, &err) == PTL_OK &&
                      ops(store)->transaction->begin(store, &err) == PTL_OK &&
                      ops(store)->map->spill_put(store, world->row.id, at, &blob, &err) ==
                          PTL_OK &&
                      ops(store)->map->surge_insert(store, world->row.id, &s, &err) == PTL_OK &&
                      ops(store)->transaction->commit(store, &err) == PTL_OK,
                  "%s", err.message);
    bytes_dispose(&blob);
}

static void make_base(void)
{
    world_file_path(base);
    memcpy(path, base, sizeof path);
    store = world_file_open(path, "w", 20);
    ptl_world *world = world_file_world(store, "w");
    const ptl_chunk_pos at[] = {{0, 0}, {1, 0}};
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    options.positions = at;
    options.position_count = 2;
    ck_assert_msg(ptl_generate(NULL, world, &options, &err) == PTL_OK, "%s", err.message);
    add_map(world);
    add_sea(world);
    world_file_edit(world);
    ptl_world_close(world);
    add_rare_rows();
    (void)sweep_make(store, "s", 1, 2, 6);
    ck_assert_uint_eq(problems_of(VERIFY_ALL), 0);
    close_store();
}

static void remove_base(void)
{
    world_file_remove(base);
}

static void copy_base(void)
{
    static char block[1 << 16];
    world_file_path(path);
    FILE *in = fopen(base, "rb"), *out = fopen(path, "wb");
    ck_assert(in && out);
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
        ck_assert_uint_eq(fwrite(block, 1, n, out), n);
    fclose(in);
    ck_assert_int_eq(fclose(out), 0);
}

static void remove_copy(void)
{
    close_store();
    world_file_remove(path);
}

/* ---- flips of values ---- */

typedef struct table_shape {
    char name[64];
    char columns[COLUMNS_MAX][64];
    int keys[COLUMNS_MAX]; /* columns of the primary key */
    int count, key_count;
    unsigned parts; /* of verify, that look at it */
} table_shape;

static void describe(table_shape *t, const char *name)
{
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, "%s", name);
    stmt *s = prepare("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid");
    stmt_bind_text(s, 1, name);
    while (step(s)) {
        ck_assert_int_lt(t->count, COLUMNS_MAX);
        snprintf(t->columns[t->count], sizeof t->columns[0], "%s", stmt_text(s, 0));
        if (stmt_int(s, 1) > 0)
            t->keys[t->key_count++] = t->count;
        t->count++;
    }
    stmt_free(s);
    ck_assert_int_gt(t->key_count, 0);
}

static unsigned parts_of(const char *name)
{
    static const char lone[] = " oter name world run event set_aside sweep sweep_chunk omt_map "
                               "surge omt_spill chunk_edit placed_special note mark fact ";
    static const struct {
        const char *name;
        unsigned parts;
    } parts[] = {{"content_past", VERIFY_CONTENT},
                 {"chunk", VERIFY_CHUNKS},
                 {"level", VERIFY_CHUNKS},
                 {"overview", VERIFY_CHUNKS},
                 {"city", VERIFY_CHUNKS},
                 {"radio", VERIFY_CHUNKS},
                 {"pack", VERIFY_CHUNKS},
                 {"special_placement", VERIFY_CHUNKS},
                 {"edge", VERIFY_EDGES},
                 {"crossing", VERIFY_EDGES},
                 {"content_checksum", VERIFY_CONTENT}};
    char word[80];
    snprintf(word, sizeof word, " %.60s ", name);
    if (strstr(lone, word))
        return VERIFY_TABLES;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].name, name) == 0)
            return parts[i].parts;
    for (const content_table *t = content_tables; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return VERIFY_CONTENT;
    return 0;
}

/* One value as it is stored; text and blob are the bytes. */
typedef struct value {
    int type;
    bytes data; /* of a number: its 8 bytes */
} value;

static void take_value(value *out, const stmt *s, int column)
{
    out->type = sqlite3_column_type(s->handle, column);
    bytes_clear(&out->data);
    if (out->type == SQLITE_INTEGER) {
        bytes_put_u64(&out->data, (uint64_t)stmt_int(s, column));
    } else if (out->type == SQLITE_FLOAT) {
        double real = stmt_double(s, column);
        bytes_put(&out->data, &real, sizeof real);
    } else if (out->type != SQLITE_NULL) {
        const void *data = sqlite3_column_blob(s->handle, column);
        bytes_put(&out->data, data, (size_t)sqlite3_column_bytes(s->handle, column));
    }
}

static void bind_value(stmt *s, int index, const value *v)
{
    uint64_t bits = 0;
    double real;
    if (v->type == SQLITE_INTEGER || v->type == SQLITE_FLOAT)
        memcpy(&bits, v->data.data, sizeof bits);
    if (v->type == SQLITE_INTEGER) {
        stmt_bind_int(s, index, (int64_t)bits);
    } else if (v->type == SQLITE_FLOAT) {
        memcpy(&real, &bits, sizeof real);
        stmt_bind_double(s, index, real);
    } else if (v->type == SQLITE_TEXT) {
        sqlite3_bind_text(s->handle, index, (const char *)v->data.data, (int)v->data.size,
                          SQLITE_STATIC);
    } else if (v->type == SQLITE_BLOB) {
        stmt_bind_blob(s, index, v->data.data, v->data.size);
    }
}

typedef struct flipping {
    table_shape table;
    value values[COLUMNS_MAX]; /* of the row at hand */
    uint64_t rows, flips, refused, unseen;
    uint64_t most; /* bits of a value that are turned */
    rng random;
    char first[160]; /* the first that was not seen */
} flipping;

/* "UPDATE t SET c = ?1 WHERE key IS ?2 AND ..." */
static stmt *prepare_update(const table_shape *t, int column)
{
    char sql[1000];
    int used = snprintf(sql, sizeof sql, "UPDATE \"%s\" SET \"%s\" = ?1 WHERE ", t->name,
                        t->columns[column]);
    for (int i = 0; i < t->key_count; i++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, "%s\"%s\" IS ?%d",
                         i ? " AND " : "", t->columns[t->keys[i]], i + 2);
    return prepare(sql);
}

/* SQLite keeps some values as others: NaN as NULL, -0.0 as 0. Has the table another value now?
 */
static bool changed(flipping *f, int column, const value *turned)
{
    double before, after;
    if (f->values[column].type != SQLITE_FLOAT)
        return true;
    memcpy(&before, f->values[column].data.data, sizeof before);
    memcpy(&after, turned->data.data, sizeof after);
    return before < after || before > after || after != after;
}

static void try_flip(flipping *f, stmt *update, int column, value *turned, uint64_t bit)
{
    turned->data.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    exec("SAVEPOINT flip");
    bind_value(update, 1, turned);
    for (int i = 0; i < f->table.key_count; i++)
        bind_value(update, i + 2, &f->values[f->table.keys[i]]);
    ptl_error refused = {0};
    bool done = stmt_run(update, &refused) == PTL_OK;
    stmt_reset(update);
    if (!done) {
        f->refused++; /* a key that is there already, or NULL */
    } else if (changed(f, column, turned)) {
        f->flips++;
        if (problems_of(f->table.parts) == 0 && f->unseen++ == 0)
            snprintf(f->first, sizeof f->first, "%s.%s bit %u of %zu", f->table.name,
                     f->table.columns[column], (unsigned)bit, turned->data.size * 8);
    }
    exec("ROLLBACK TO flip; RELEASE flip");
    turned->data.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
}

static void flip_value(flipping *f, int column)
{
    value turned = {.type = f->values[column].type};
    if (f->values[column].data.size == 0)
        return;
    stmt *update = prepare_update(&f->table, column);
    bytes_put(&turned.data, f->values[column].data.data, f->values[column].data.size);
    const uint64_t bits = turned.data.size * 8;
    /* Some bits, anywhere. */
    const uint64_t count = bits < f->most ? bits : f->most;
    for (uint64_t n = 0; n < count; n++)
        try_flip(f, update, column, &turned, count == bits ? n : rng_below(&f->random, bits));
    stmt_free(update);
    bytes_dispose(&turned.data);
}

/* A few rows, spread over the table. */
static void flip_table(flipping *f, const char *name)
{
    char sql[200];
    describe(&f->table, name);
    f->table.parts = parts_of(name);
    ck_assert_msg(f->table.parts != 0, "table %s is checked by no part of verify", name);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM \"%.63s\"", name);
    stmt *s = prepare(sql);
    ck_assert(step(s));
    int64_t rows = stmt_int(s, 0), most = soak() ? ROWS_OF_TABLE : 1,
            count = rows < most ? rows : most;
    stmt_free(s);
    snprintf(sql, sizeof sql, "SELECT * FROM \"%.63s\" LIMIT 1 OFFSET ?", name);
    ck_assert_msg(rows > 0, "table %s has no row to turn bits of", name);
    for (int64_t i = 0; i < count; i++) {
        s = prepare(sql);
        stmt_bind_int(s, 1, rows * i / count);
        ck_assert(step(s));
        for (int c = 0; c < f->table.count; c++)
            take_value(&f->values[c], s, c);
        stmt_free(s);
        f->rows++;
        for (int c = 0; c < f->table.count; c++)
            if (test_takes((int)f->rows + c))
                flip_value(f, c);
    }
}

static void flip_all_tables(flipping *f)
{
    static char names[100][64];
    int count = 0;
    stmt *s = prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE "
                      "'sqlite%' ORDER BY name");
    while (step(s)) {
        ck_assert_int_lt(count, 100);
        snprintf(names[count++], 64, "%s", stmt_text(s, 0));
    }
    stmt_free(s);
    for (int i = 0; i < count; i++)
        flip_table(f, names[i]);
    for (int c = 0; c < COLUMNS_MAX; c++)
        bytes_dispose(&f->values[c].data);
}

/* What a catalogue is made of has to be true of a region: levels are all of 21. */
static void fill_region_tables(void)
{
    char sql[300];
    exec("WITH RECURSIVE level (z) AS (SELECT -10 UNION ALL SELECT z + 1 FROM level WHERE z < "
         "10)"
         " INSERT INTO region_level SELECT r.id, level.z, r.default_oter FROM level,"
         " (SELECT min(id) AS id, default_oter FROM region_settings) r");
    snprintf(
        sql, sizeof sql,
        "INSERT OR IGNORE INTO region_number SELECT min(id), '%s', %f FROM region_settings",
        region_fields[REGION_NUMBER_COLUMNS].name,
        region_fields[REGION_NUMBER_COLUMNS].initial);
    exec(sql);
}

/* The embedded content leaves some tables empty: a made-up row in each of these. */
static void fill_content_tables(void)
{
    fill_region_tables();
    for (const content_table *t = content_tables; t->name; t++) {
        char sql[9000];
        table_shape shape;
        describe(&shape, t->name);
        int used = snprintf(sql, sizeof sql, "INSERT INTO %s SELECT ", t->name);
        for (int c = 0; c < shape.count; c++)
            used += snprintf(sql + used, sizeof sql - (size_t)used,
                             "%s(SELECT CASE WHEN type = "
                             "'TEXT' THEN 'abc' WHEN type = 'REAL' THEN 1.5 ELSE 9 END FROM "
                             "pragma_table_info('%s') WHERE cid = %d)",
                             c ? ", " : "", t->name, c);
        snprintf(sql + used, sizeof sql - (size_t)used, " WHERE NOT EXISTS (SELECT 1 FROM %s)",
                 t->name);
        exec(sql);
    }
    ck_assert_int_eq(content_checksum_write(store, &err), PTL_OK);
}

START_TEST(test_values)
{
    flipping f = {.most = soak() ? soak() : quick() ? 1 : 2, .random = rng_from_key(7)};
    ck_assert_msg(open_store(PTL_OPEN_WRITE) == PTL_OK, "%s", err.message);
    exec("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; BEGIN");
    fill_content_tables();
    ck_assert_uint_eq(problems_of(VERIFY_ALL & ~(unsigned)VERIFY_FILE), 0);
    flip_all_tables(&f);
    if (soak())
        printf("%llu flips in %llu rows, %llu refused by SQLite, %llu unseen\n",
               (unsigned long long)f.flips, (unsigned long long)f.rows,
               (unsigned long long)f.refused, (unsigned long long)f.unseen);
    ck_assert_msg(f.unseen == 0, "%llu of %llu unseen, first %s", (unsigned long long)f.unseen,
                  (unsigned long long)f.flips, f.first);
    ck_assert_uint_gt(f.flips * (uint64_t)test_share(), 300);
}
END_TEST

/* ---- flips of the file's bytes ---- */

/* All values of all tables; false if they can't be read. */
static bool dump(digest *out)
{
    static const char *const own[] = {
        "SELECT * FROM oter ORDER BY id",
        "SELECT * FROM name ORDER BY id",
        "SELECT * FROM world ORDER BY id",
        "SELECT * FROM run ORDER BY id",
        "SELECT * FROM chunk ORDER BY id",
        "SELECT * FROM level ORDER BY id",
        "SELECT * FROM city ORDER BY chunk_id, number",
        "SELECT * FROM radio ORDER BY chunk_id, number",
        "SELECT * FROM special_placement ORDER BY id",
        "SELECT * FROM pack ORDER BY id",
        "SELECT * FROM edge ORDER BY id",
        "SELECT * FROM crossing ORDER BY edge_id, z, kind, position",
        "SELECT * FROM event ORDER BY chunk_id, number",
        "SELECT * FROM set_aside ORDER BY id",
        "SELECT * FROM sweep ORDER BY id",
        "SELECT * FROM sweep_chunk ORDER BY id",
        "SELECT * FROM content_past ORDER BY id",
        "SELECT * FROM omt_map ORDER BY id",
        "SELECT * FROM overview ORDER BY id",
        "SELECT * FROM surge ORDER BY id",
        "SELECT * FROM omt_spill ORDER BY id",
        "SELECT * FROM chunk_edit ORDER BY id",
        "SELECT * FROM placed_special ORDER BY id",
        "SELECT * FROM note ORDER BY id",
        "SELECT * FROM mark ORDER BY id",
        "SELECT * FROM fact ORDER BY id",
        "SELECT * FROM content_checksum ORDER BY name",
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2"};
    digest_state state;
    bytes b;
    bool good = true;
    bytes_init(&b);
    digest_init(&state);
    const size_t own_count = sizeof own / sizeof own[0];
    for (size_t i = 0; good && (i < own_count || content_tables[i - own_count].name); i++) {
        stmt *s = NULL;
        bool row = true;
        good = (i < own_count ? stmt_prepare(&s, store, own[i], &err)
                              : content_table_prepare(&s, store, &content_tables[i - own_count],
                                                      &err)) == PTL_OK;
        while (good && row) {
            good = stmt_step(s, &row, &err) == PTL_OK;
            if (good && row)
                rowsum_columns(&b, s, 0, sqlite3_column_count(s->handle));
        }
        stmt_free(s);
        digest_update(&state, b.data, b.size);
        bytes_clear(&b);
    }
    digest_final(&state, out);
    bytes_dispose(&b);
    return good;
}

static void flip_file(long at, int bit)
{
    FILE *file = fopen(path, "r+b");
    ck_assert(file && fseek(file, at, SEEK_SET) == 0);
    int c = fgetc(file);
    ck_assert(c != EOF && fseek(file, at, SEEK_SET) == 0);
    fputc(c ^ 1 << bit, file);
    ck_assert_int_eq(fclose(file), 0);
}

static long file_size(void)
{
    FILE *file = fopen(path, "rb");
    ck_assert(file && fseek(file, 0, SEEK_END) == 0);
    long size = ftell(file);
    fclose(file);
    return size;
}

/* ---- flips in what the schema says of whose an object is ---- */

static ptl_status count_stray(void *payload, const schema_stray *stray, ptl_error *error)
{
    int *count = payload;
    (void)error;
    ck_assert_str_ne(stray->said, stray->owner);
    ++*count;
    return PTL_OK;
}

static int strays(void)
{
    int count = 0;
    ck_assert_int_eq(schema_owner_walk(store, false, count_stray, &count, &err), PTL_OK);
    return count;
}

/* False if there is no such row. */
static bool flip_owner(int64_t row, rng *r)
{
    stmt *read = prepare("SELECT tbl_name FROM sqlite_schema WHERE rowid = ?");
    stmt *write = prepare("UPDATE sqlite_schema SET tbl_name = ? WHERE rowid = ?");
    char text[100];
    bool found;
    stmt_bind_int(read, 1, row);
    ck_assert_int_eq(stmt_step(read, &found, &err), PTL_OK);
    const int size = snprintf(text, sizeof text, "%s", found ? stmt_text(read, 0) : "-");
    stmt_free(read);
    text[rng_below(r, (uint32_t)size)] ^= (char)(1 << rng_below(r, 8));
    stmt_bind_text(write, 1, text);
    stmt_bind_int(write, 2, row);
    ck_assert_msg(stmt_run(write, &err) == PTL_OK, "%s", err.message);
    stmt_free(write);
    return found;
}

/* Nothing that reads looks at it: verify does, and repair puts it right. */
START_TEST(test_owners)
{
    digest whole, seen;
    rng r = rng_from_key(13);
    int64_t objects = 0;
    int flipped = 0;
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    ck_assert_msg(open_store(PTL_OPEN_WRITE) == PTL_OK, "%s", err.message);
    ck_assert(dump(&whole));
    ck_assert_int_eq(
        sqlite_pragma_int(store, "SELECT max(rowid) FROM sqlite_schema", &objects, &err),
        PTL_OK);
    ck_assert_int_eq(schema_writable(store, true, &err), PTL_OK);
    for (int64_t row = 1; row <= objects; row++) {
        ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
        const bool there = flip_owner(row, &r);
        ck_assert_msg(strays() == there, "row %lld", (long long)row);
        ops(store)->transaction->rollback(store);
        ck_assert_int_eq(strays(), 0);
        flipped += there;
    }
    ck_assert_int_gt(flipped, 80);
    exec("UPDATE sqlite_schema SET tbl_name = 'rotatqble_symbol' WHERE name = "
         "'sqlite_autoindex_rotatable_symbol_2'; UPDATE sqlite_schema SET tbl_name = 'Chunk' "
         "WHERE name = 'chunk'; UPDATE sqlite_schema SET tbl_name = 'v_World' WHERE name = "
         "'v_world'; UPDATE sqlite_schema SET tbl_name = 'ruN' WHERE type = 'index' AND sql IS "
         "NOT NULL AND tbl_name = 'run'");
    ck_assert_int_eq(schema_writable(store, false, &err), PTL_OK);
    const int wrong = strays();
    ck_assert_int_ge(wrong, 3);
    close_store();
    ck_assert_msg(open_store(PTL_OPEN_WRITE) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(problems_of(VERIFY_ALL), (unsigned)wrong);
    ck_assert_msg(ptl_repair(&report, store, NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(report.recomputed, (unsigned)wrong);
    ck_assert_uint_eq(problems_of(VERIFY_ALL), 0);
    ck_assert(dump(&seen) && memcmp(&seen, &whole, sizeof seen) == 0);
}
END_TEST

typedef enum outcome { REFUSED, REPORTED, HARMLESS, UNSEEN } outcome;

static outcome look(const digest *whole)
{
    digest seen;
    ptl_status status = open_store(PTL_OPEN_READ);
    if (status != PTL_OK)
        return REFUSED;
    outcome o = REPORTED;
    if (problems_of(VERIFY_ALL) == 0)
        o = dump(&seen) && memcmp(&seen, whole, sizeof seen) == 0 ? HARMLESS : UNSEEN;
    close_store();
    return o;
}

START_TEST(test_file)
{
    digest whole;
    rng r = rng_from_key(11);
    uint64_t counts[4] = {0};
    ck_assert_msg(open_store(PTL_OPEN_READ) == PTL_OK, "%s", err.message);
    ck_assert(dump(&whole));
    close_store();
    const long size = file_size();
    const int flips = soak() ? (soak() == UINT64_MAX ? 20000 : 3000) : quick() ? 20 : 100;
    for (int i = 0; i < flips; i++) {
        /* The first page, with the header and the schema's root, gets a tenth. */
        long at = (long)rng_below(&r, i % 10 == 0 ? 2048 : (uint32_t)size);
        int bit = (int)rng_below(&r, 8);
        flip_file(at, bit);
        outcome o = look(&whole);
        counts[o]++;
        ck_assert_msg(o != UNSEEN, "byte %ld of %ld, bit %d, is not seen", at, size, bit);
        flip_file(at, bit);
    }
    ck_assert_int_eq(look(&whole), HARMLESS);
    if (soak())
        printf("%d flips of the file: %llu refused, %llu reported, %llu change no value\n",
               flips, (unsigned long long)counts[REFUSED], (unsigned long long)counts[REPORTED],
               (unsigned long long)counts[HARMLESS]);
    ck_assert_uint_gt(counts[REPORTED], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flips");
    TCase *tc = tcase_create("flips");
    tcase_add_unchecked_fixture(tc, make_base, remove_base);
    tcase_add_checked_fixture(tc, copy_base, remove_copy);
    tcase_set_timeout(tc, soak() ? 7200 : 60);
    tcase_add_test(tc, test_values);
    tcase_add_test(tc, test_owners);
    tcase_add_test(tc, test_file);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
