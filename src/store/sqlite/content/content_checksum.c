/*
 * The checksum of a table: BLAKE2b over its name and all values of all rows, each as in the
 * checksum of a row (row_values.h), in the order of the primary key. Rows pass through a
 * buffer, so that memory does not grow with the content.
 */
#include "store/sqlite/content/content_checksum.h"

#include "core/digest.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_values.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 15 };

const content_table content_tables[] = {
    {"content", "SELECT * FROM content ORDER BY id", true},
    {"content_pack", "SELECT * FROM content_pack ORDER BY content_id, position", false},
    {"content_issue", "SELECT * FROM content_issue ORDER BY id", false},
    {"content_type_count", "SELECT * FROM content_type_count ORDER BY content_id, type", false},
    {"content_unknown", "SELECT * FROM content_unknown ORDER BY content_id, type, key", false},
    {"kept_file", "SELECT * FROM kept_file ORDER BY id", false},
    {"kept_object", "SELECT * FROM kept_object ORDER BY id", false},
    {"kept_name", "SELECT * FROM kept_name ORDER BY name, object_id, key", false},
    {"overmap_terrain", "SELECT * FROM overmap_terrain ORDER BY id", true},
    {"overmap_terrain_flag", "SELECT * FROM overmap_terrain_flag ORDER BY terrain, flag", true},
    {"overmap_terrain_mapgen",
     "SELECT * FROM overmap_terrain_mapgen ORDER BY terrain, list, position", false},
    {"concrete_terrain", "SELECT * FROM concrete_terrain ORDER BY id", true},
    {"overmap_location", "SELECT * FROM overmap_location ORDER BY id", true},
    {"overmap_location_terrain",
     "SELECT * FROM overmap_location_terrain ORDER BY location, terrain", true},
    {"overmap_location_flag", "SELECT * FROM overmap_location_flag ORDER BY location, flag",
     false},
    {"overmap_connection", "SELECT * FROM overmap_connection ORDER BY id", true},
    {"overmap_connection_subtype",
     "SELECT * FROM overmap_connection_subtype ORDER BY connection, position", true},
    {"overmap_connection_location",
     "SELECT * FROM overmap_connection_location ORDER BY connection, position, location", true},
    {"region_settings", "SELECT * FROM region_settings ORDER BY id", true},
    {"region_number", "SELECT * FROM region_number ORDER BY region, name", true},
    {"external_option", "SELECT * FROM external_option ORDER BY name", true},
    {"dimension", "SELECT * FROM dimension ORDER BY id", true},
    {"content_game", "SELECT * FROM content_game ORDER BY content_id", true},
    {"content_schema", "SELECT * FROM content_schema ORDER BY content_id", false},
    {"oter_migration", "SELECT * FROM oter_migration ORDER BY old_id", true},
    {"special_migration", "SELECT * FROM special_migration ORDER BY old_id", true},
    {"oter_vision", "SELECT * FROM oter_vision ORDER BY id", false},
    {"monstergroup", "SELECT * FROM monstergroup ORDER BY id", true},
    {"fixed_city", "SELECT * FROM fixed_city ORDER BY id", true},
    {"region_level", "SELECT * FROM region_level ORDER BY region, z", true},
    {"region_block", "SELECT * FROM region_block ORDER BY region, block", true},
    {"region_building", "SELECT * FROM region_building ORDER BY region, bin, id", true},
    {"region_extra_group", "SELECT * FROM region_extra_group ORDER BY region, name", false},
    {"region_extra", "SELECT * FROM region_extra ORDER BY region, name, map_extra", false},
    {"region_feature_flag", "SELECT * FROM region_feature_flag ORDER BY region, list, flag",
     true},
    {"map_extra", "SELECT * FROM map_extra ORDER BY id", false},
    {"overmap_land_use_code", "SELECT * FROM overmap_land_use_code ORDER BY id", false},
    {"rotatable_symbol", "SELECT * FROM rotatable_symbol ORDER BY tuple, position", false},
    {"overmap_special", "SELECT * FROM overmap_special ORDER BY id", true},
    {"special_flag", "SELECT * FROM special_flag ORDER BY special, flag", true},
    {"special_location", "SELECT * FROM special_location ORDER BY special, position", true},
    {"special_connection", "SELECT * FROM special_connection ORDER BY special, position", true},
    {"special_nested", "SELECT * FROM special_nested ORDER BY special, position", true},
    {"special_tile", "SELECT * FROM special_tile ORDER BY special, position", true},
    {"special_tile_location",
     "SELECT * FROM special_tile_location ORDER BY special, tile, position", true},
    {"special_tile_flag", "SELECT * FROM special_tile_flag ORDER BY special, tile, flag",
     false},
    {"special_join", "SELECT * FROM special_join ORDER BY special, position", true},
    {"special_join_location",
     "SELECT * FROM special_join_location ORDER BY special, \"join\", position", true},
    {"special_piece", "SELECT * FROM special_piece ORDER BY special, piece", true},
    {"special_piece_location",
     "SELECT * FROM special_piece_location ORDER BY special, piece, position", true},
    {"special_piece_side", "SELECT * FROM special_piece_side ORDER BY special, piece, side",
     true},
    {"special_piece_alternative",
     "SELECT * FROM special_piece_alternative ORDER BY special, piece, side, position", true},
    {"special_piece_connection",
     "SELECT * FROM special_piece_connection ORDER BY special, piece, side", true},
    {"special_check", "SELECT * FROM special_check ORDER BY special, position", true},
    {"special_check_location",
     "SELECT * FROM special_check_location ORDER BY special, \"check\", position", true},
    {"special_shared", "SELECT * FROM special_shared ORDER BY special, name", true},
    {"special_phase_rule", "SELECT * FROM special_phase_rule ORDER BY special, phase, position",
     true},
    {"special_phase_rule_piece",
     "SELECT * FROM special_phase_rule_piece ORDER BY special, phase, rule, position", true},
    {NULL, NULL, false}};

static_assert(sizeof content_tables / sizeof *content_tables <= 64, "a bit for each");

/* What is known of a table's rows. */
typedef struct table_sum {
    int64_t rows, checksum;
} table_sum;

static int64_t first_bytes(const digest *d)
{
    uint64_t value = 0;
    int64_t result;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | d->bytes[i];
    memcpy(&result, &value, sizeof result);
    return result;
}

static ptl_status flush(digest_state *state, bytes *b, ptl_error *err)
{
    if (b->failed)
        return error_nomem(err);
    digest_update(state, b->data, b->size);
    bytes_clear(b);
    return PTL_OK;
}

static ptl_status sum_rows(table_sum *out, digest_state *state, bytes *b, stmt *s,
                           ptl_error *err)
{
    const int columns = sqlite3_column_count(s->handle);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        rowsum_columns(b, s, 0, columns);
        out->rows++;
        if (b->size >= BUFFER_SIZE)
            status = flush(state, b, err);
    }
    return status == PTL_OK ? flush(state, b, err) : status;
}

static ptl_status sum_table(table_sum *out, ptl_store *store, const content_table *table,
                            bytes *b, ptl_error *err)
{
    stmt *s = NULL;
    digest_state state;
    digest d;
    *out = (table_sum){0, 0};
    TRY(stmt_prepare(&s, store, table->sql, err));
    digest_init(&state);
    rowsum_begin(b, table->name);
    ptl_status status = sum_rows(out, &state, b, s, err);
    digest_final(&state, &d);
    out->checksum = first_bytes(&d);
    stmt_free(s);
    return status;
}

/* ---- writing ---- */

ptl_status content_checksum_write(ptl_store *store, ptl_error *err)
{
    static const char sql[] =
        "INSERT INTO content_checksum (name, row_count, checksum) VALUES (?, ?, ?)";
    stmt *insert = NULL;
    bytes b;
    bytes_init(&b);
    ptl_status status = sqlite_exec(store, "DELETE FROM content_checksum", err);
    if (status == PTL_OK)
        status = stmt_prepare(&insert, store, sql, err);
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        table_sum sum;
        status = sum_table(&sum, store, t, &b, err);
        if (status != PTL_OK)
            break;
        stmt_bind_text(insert, 1, t->name);
        stmt_bind_int(insert, 2, sum.rows);
        stmt_bind_int(insert, 3, sum.checksum);
        status = stmt_run(insert, err);
    }
    stmt_free(insert);
    bytes_dispose(&b);
    return status;
}

/* ---- checking ---- */

typedef struct checking {
    ptl_store *store;
    stmt *stored; /* finds a table's row */
    bytes b;
    content_problem_fn *found;
    void *payload;
} checking;

static ptl_status checking_begin(checking *c, ptl_store *store, ptl_error *err)
{
    static const char sql[] = "SELECT row_count, checksum FROM content_checksum WHERE name = ?";
    c->store = store;
    bytes_init(&c->b);
    return stmt_prepare(&c->stored, store, sql, err);
}

static void checking_end(checking *c)
{
    stmt_free(c->stored);
    bytes_dispose(&c->b);
}

/* What is wrong with the table goes to c->found. */
static ptl_status check_table(checking *c, const content_table *t, ptl_error *err)
{
    char message[96] = "";
    table_sum sum;
    bool row = false;
    TRY(sum_table(&sum, c->store, t, &c->b, err));
    stmt_bind_text(c->stored, 1, t->name);
    TRY(stmt_step(c->stored, &row, err));
    if (!row)
        snprintf(message, sizeof message, "it has no row in content_checksum");
    else if (stmt_int(c->stored, 0) != sum.rows)
        snprintf(message, sizeof message, "%lld rows, not %lld as its checksum says",
                 (long long)sum.rows, (long long)stmt_int(c->stored, 0));
    else if (stmt_int(c->stored, 1) != sum.checksum)
        snprintf(message, sizeof message, "checksum differs");
    stmt_reset(c->stored);
    if (message[0])
        c->found(c->payload, t->name, message);
    return PTL_OK;
}

static bool is_content_table(const char *name)
{
    for (const content_table *t = content_tables; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return true;
    return false;
}

static ptl_status check_names(checking *c, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, c->store, "SELECT name FROM content_checksum ORDER BY name", err);
    while (stmt_row(s, &status, err))
        if (!is_content_table(stmt_text(s, 0)))
            c->found(c->payload, stmt_text(s, 0), "a checksum of no table of the content");
    stmt_free(s);
    return status;
}

/* ---- checking all ---- */

ptl_status sqlite_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                                ptl_error *err)
{
    checking c = {.found = found, .payload = payload};
    ptl_status status = checking_begin(&c, store, err);
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        status = check_table(&c, t, err);
        if (status != PTL_ERR_CORRUPT)
            continue;
        /* This one can't be read: the others may be whole. */
        found(payload, t->name, err ? err->message : "can't be read");
        error_clear(err);
        status = PTL_OK;
    }
    if (status == PTL_OK)
        status = check_names(&c, err);
    checking_end(&c);
    return status;
}

static void first_problem(void *payload, const char *table, const char *message)
{
    error_set(payload, PTL_ERR_CORRUPT,
              "table %s: %s: the file is damaged; importing the content again replaces it",
              table, message);
}

ptl_status sqlite_content_check_loaded(ptl_store *store, ptl_error *err)
{
    ptl_error local;
    ptl_error *e = err ? err : &local;
    if (!err)
        error_clear(e);
    checking c = {.found = first_problem, .payload = e};
    ptl_status status = checking_begin(&c, store, e);
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        if (t->loaded)
            status = check_table(&c, t, e);
        if (status == PTL_OK)
            status = e->status;
    }
    checking_end(&c);
    return status;
}
