#include "store/sqlite/index/unpacked.h"

#include "core/error.h"
#include "store/sqlite/rows/feature_rows.h"

#include <stdlib.h>
#include <string.h>

enum { TERRAIN_VIEW = PACK_COUNTED };
_Static_assert(PTL_INDEX_TERRAIN_COUNT == 1 << TERRAIN_VIEW, "tables and views have one order");
_Static_assert(UNPACKED_VIEW_STATE == TERRAIN_VIEW + 1, "one view more than tables");

#define CHUNK_OF "SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, "
#define WORLD_OF "JOIN world w ON w.id = c.world_id"

static const char TERRAIN_TEXT[] =
    "CREATE VIEW v_terrain_count AS " CHUNK_OF "u.z, o.name AS oter, t.terrain, u.omts "
    "FROM unpacked_terrain_count u JOIN chunk c ON c.id = u.chunk_id " WORLD_OF
    " JOIN oter o ON o.id = u.oter LEFT JOIN concrete_terrain t ON t.id = o.name";
static const char STATE_TEXT[] =
    "CREATE VIEW v_unpacked AS " CHUNK_OF
    "CASE WHEN u.chunk_id IS NULL THEN 'missing' WHEN u.checksum <> c.checksum THEN 'changed' "
    "ELSE 'indexed' END AS state, c.id AS chunk_id FROM chunk c " WORLD_OF
    " LEFT JOIN unpacked_chunk u ON u.chunk_id = c.id";

/* Returns the name, such as "v_building"; it is borrowed. */
static const char *unpacked_view_name(int view)
{
    static const char *const names[UNPACKED_VIEWS] = {
        [PACK_PLACEMENTS] = "v_building",    [PACK_GROUPS] = "v_monster_group",
        [PACK_ATTEMPTS] = "v_attempt",       [PACK_PIECES] = "v_piece",
        [PACK_JOINS] = "v_piece_join",       [TERRAIN_VIEW] = "v_terrain_count",
        [UNPACKED_VIEW_STATE] = "v_unpacked"};
    return names[view];
}

/* Returns the statement that creates the view, which lies in b; NULL when memory is out. */
static const char *unpacked_view_text(bytes *b, int view)
{
    bytes_clear(b);
    if (view == TERRAIN_VIEW || view == UNPACKED_VIEW_STATE)
        bytes_put_text(b, view == TERRAIN_VIEW ? TERRAIN_TEXT : STATE_TEXT);
    else {
        /* Appends the same columns as the pack's virtual table has, with names as texts. */
        const pack_form *form = pack_form_of((pack_kind)view);
        /* In every form the first cell is the entry's id. */
        const char *named = form->cells[0].name;
        bytes_printf(b, "CREATE VIEW v_%s AS " CHUNK_OF "u.number, n.name AS %s", form->table,
                     named);
        for (size_t i = 1; i < pack_form_cells(form); i++)
            bytes_printf(b, ", u.%s", form->cells[i].name);
        bytes_printf(b,
                     " FROM unpacked_%s u JOIN chunk c ON c.id = u.chunk_id " WORLD_OF
                     " JOIN name n ON n.id = u.%s",
                     form->table, named);
    }
    return bytes_text(b);
}

/* Looks up what has that name in the file, except indexes. *sql is new; NULL if there is
 * nothing. */
static ptl_status look_up(char **sql, bool *is_view, ptl_store *store, const char *name,
                          ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *sql = NULL;
    ptl_status status =
        stmt_prepare(&s, store,
                     "SELECT type = 'view', sql FROM sqlite_schema "
                     "WHERE type IN ('view', 'table') AND name = ? COLLATE NOCASE",
                     err);
    if (status == PTL_OK)
        stmt_bind_text(s, 1, name);
    THEN(status, stmt_step(s, &row, err));
    if (status == PTL_OK && row) {
        *is_view = stmt_int(s, 0) != 0;
        *sql = strdup(stmt_text(s, 1));
        status = *sql ? stmt_had_memory(s, err) : error_nomem(err);
    }
    stmt_free(s);
    return status;
}

ptl_status unpacked_view_create(ptl_store *store, int view, ptl_error *err)
{
    bytes text;
    char *there = NULL;
    bool is_view = false;
    bytes_init(&text);
    const char *sql = unpacked_view_text(&text, view);
    const char *name = unpacked_view_name(view);
    ptl_status status = sql ? look_up(&there, &is_view, store, name, err) : error_nomem(err);
    if (status == PTL_OK && there && !(is_view && strcmp(there, sql) == 0))
        status = error_set(err, PTL_ERR_EXISTS,
                           "the index wants a view %s, and the file has a table of that name: "
                           "rename it",
                           name);
    if (status == PTL_OK && !there)
        status = sqlite_exec(store, sql, err);
    free(there);
    bytes_dispose(&text);
    return status;
}

ptl_status unpacked_view_drop(ptl_store *store, int view, ptl_error *err)
{
    bytes text;
    char *there = NULL;
    bool is_view = false;
    const char *name = unpacked_view_name(view);
    ptl_status status = look_up(&there, &is_view, store, name, err);
    bytes_init(&text);
    if (status == PTL_OK && there && is_view) {
        bytes_printf(&text, "DROP VIEW %s", name);
        const char *sql = bytes_text(&text);
        status = sql ? sqlite_exec(store, sql, err) : error_nomem(err);
    }
    bytes_dispose(&text);
    free(there);
    return status;
}

ptl_status unpacked_view_known(bool *known, const char *name, const char *sql, ptl_error *err)
{
    *known = false;
    for (int view = 0; view < UNPACKED_VIEWS; view++) {
        bytes text;
        if (strcmp(unpacked_view_name(view), name) != 0)
            continue;
        bytes_init(&text);
        const char *ours = unpacked_view_text(&text, view);
        *known = ours && strcmp(ours, sql) == 0;
        const bool failed = !ours;
        bytes_dispose(&text);
        return failed ? error_nomem(err) : PTL_OK;
    }
    return PTL_OK;
}
