/* What a file says about its contents: their digests, their packs, and the ids that they
 * define. */
#include "core/error.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/prepared.h"

#include <string.h>

ptl_status sqlite_content_current(int64_t *id, ptl_store *store, ptl_error *err)
{
    return stmt_ask(id, store, "SELECT id FROM main.content WHERE is_current = 1", NULL, 0,
                    err);
}

ptl_status sqlite_content_digest(char out[65], ptl_store *store, int64_t content_id,
                                 ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    out[0] = '\0';
    TRY(stmt_prepare(&s, store, "SELECT digest FROM main.content WHERE id = ?", err));
    stmt_bind_int(s, 1, content_id);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row && strlen(stmt_text(s, 0)) == 64)
        memcpy(out, stmt_text(s, 0), 65);
    stmt_free(s);
    return status;
}

ptl_status sqlite_content_visit(ptl_store *store, content_visit *visit, void *payload,
                                ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, store,
        "SELECT id, digest, lenient, imported_at, is_current FROM main.content ORDER BY id",
        err);
    while (stmt_row(s, &status, err)) {
        const content_row content = {.id = stmt_int(s, 0),
                                     .digest = stmt_text(s, 1),
                                     .lenient = stmt_int(s, 2) != 0,
                                     .imported_at = stmt_text(s, 3),
                                     .current = stmt_int(s, 4) != 0};
        status = visit(payload, &content, err);
    }
    stmt_free(s);
    return status;
}

ptl_status sqlite_pack_visit(ptl_store *store, int64_t content_id, pack_visit *visit,
                             void *payload, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store,
                                     "SELECT id, directory FROM content_pack "
                                     "WHERE content_id = ? ORDER BY position",
                                     err);
    if (status == PTL_OK)
        stmt_bind_int(s, 1, content_id);
    while (stmt_row(s, &status, err)) {
        const pack_row pack = {.id = stmt_text(s, 0),
                               .own = stmt_text(s, 1)[0] == '\0',
                               .directory = stmt_text(s, 1)};
        status = visit(payload, &pack, err);
    }
    stmt_free(s);
    return status;
}

/* ---- definitions ---- */

static const char *const definition_tables[] = {"overmap_terrain", "overmap_special",
                                                "region_settings", NULL};

static const struct {
    ptl_content_kind kind;
    const char *sql;
} definition_queries[] = {{PTL_CONTENT_TERRAIN, "SELECT id, pack FROM overmap_terrain"},
                          {PTL_CONTENT_SPECIAL, "SELECT id, pack FROM overmap_special"},
                          {PTL_CONTENT_REGION, "SELECT id, pack FROM region_settings"}};

ptl_status sqlite_definition_visit(ptl_store *store, int64_t content_id,
                                   definition_visit *visit, void *payload, ptl_error *err)
{
    ptl_store *past = NULL; /* set if another content is the file's present one */
    int64_t current = 0;
    ptl_status status = sqlite_content_current(&current, store, err);
    if (status == PTL_OK && content_id != current)
        status = content_past_open(&past, store, content_id, definition_tables, err);
    const size_t kinds = sizeof definition_queries / sizeof *definition_queries;
    for (size_t i = 0; i < kinds && status == PTL_OK; i++) {
        stmt *s = NULL;
        status = stmt_prepare(&s, past ? past : store, definition_queries[i].sql, err);
        while (stmt_row(s, &status, err)) {
            const definition_row definition = {definition_queries[i].kind, stmt_text(s, 0),
                                               stmt_int(s, 1)};
            status = visit(payload, &definition, err);
        }
        stmt_free(s);
    }
    ptl_store_close(past);
    return status;
}
