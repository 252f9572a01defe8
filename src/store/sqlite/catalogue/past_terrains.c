#include "store/sqlite/catalogue/content_past.h"

#include "core/error.h"
#include "portolan/store.h"
#include "store/sqlite/catalogue/catalogue_open.h"

#include <stdlib.h>

typedef struct past_content {
    int64_t content_id;
    bool opened;
    /* Owned; NULL: the content is the file's present one, or can't be read. */
    ptl_store *memory;
    stmt *shape, *flags, *lists[2];
} past_content;

struct past_terrains {
    ptl_store *store; /* borrowed; the store that has the content */
    past_content *sources;
    size_t count;
    past_content *last; /* the content in which an oter was found */
    int64_t present;
};

static const char *const tables[] = {
    "overmap_terrain",    "overmap_terrain_flag",       "concrete_terrain",
    "overmap_connection", "overmap_connection_subtype", NULL};
static const char shape_sql[] =
    "SELECT k.id, k.terrain, t.name, t.color, t.kind, k.rotation, k.line, k.symbol, t.symbol "
    "FROM main.concrete_terrain k CROSS JOIN main.overmap_terrain t ON t.id = k.terrain "
    "WHERE k.id = ?";
static const char flags_sql[] =
    "SELECT flag FROM main.overmap_terrain_flag WHERE terrain = ? ORDER BY flag";
static const char *const list_sql[] = {
    [PAST_OTERS] =
        "SELECT id FROM main.concrete_terrain WHERE id >= ?1 AND id < ?1 || char(1114111) "
        "AND terrain = ?1 AND (?2 < 0 OR variant = ?2)",
    [PAST_LINES] = "SELECT terrain FROM main.overmap_connection_subtype WHERE connection = ?1 "
                   "AND ?2 < 0"};

static void add_source(past_terrains *p, int64_t content_id, int64_t skip)
{
    bool known = content_id == skip || content_id == 0;
    for (size_t i = 0; i < p->count && !known; i++)
        known = p->sources[i].content_id == content_id;
    if (!known)
        p->sources[p->count++].content_id = content_id;
}

ptl_status past_terrains_new(past_terrains **out, ptl_store *store, int64_t first, int64_t skip,
                             ptl_error *err)
{
    int64_t *ids = NULL;
    size_t count = 0;
    past_terrains *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return error_nomem(err);
    p->store = store;
    ptl_status status = sqlite_content_current(&p->present, store, err);
    THEN(status, content_past_list(&ids, &count, store, err));
    if (status == PTL_OK) {
        p->sources = calloc(count + 1, sizeof *p->sources);
        status = p->sources ? PTL_OK : error_nomem(err);
    }
    if (status == PTL_OK) {
        add_source(p, first, skip);
        for (size_t i = 0; i < count; i++)
            add_source(p, ids[i], skip);
    }
    free(ids);
    if (status == PTL_OK)
        *out = p;
    else
        past_terrains_free(p);
    return status;
}

void past_terrains_free(past_terrains *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->count; i++) {
        stmt_free(p->sources[i].shape);
        stmt_free(p->sources[i].flags);
        for (int list = 0; list < 2; list++)
            stmt_free(p->sources[i].lists[list]);
        ptl_store_close(p->sources[i].memory);
    }
    free(p->sources);
    free(p);
}

/* Opens a content. One that can't be read is treated as missing; verify reports what is wrong
 * with it. */
static ptl_status open_source(past_content *s, const past_terrains *p, ptl_error *err)
{
    if (s->opened)
        return PTL_OK;
    ptl_store *from = p->store;
    ptl_status status = PTL_OK;
    if (s->content_id != p->present) {
        status = content_past_open(&s->memory, p->store, s->content_id, tables, err);
        from = s->memory;
    }
    s->opened = status == PTL_OK;
    if (status != PTL_OK || !from)
        return status;
    status = stmt_prepare(&s->shape, from, shape_sql, err);
    THEN(status, stmt_prepare(&s->flags, from, flags_sql, err));
    for (int list = 0; list < 2 && status == PTL_OK; list++)
        status = stmt_prepare(&s->lists[list], from, list_sql[list], err);
    return status;
}

ptl_status past_terrains_find(past_oter *out, bool *found, past_terrains *p, const char *id,
                              ptl_error *err)
{
    *found = false;
    for (size_t i = 0; i < p->count; i++) {
        past_content *s = &p->sources[i];
        TRY(open_source(s, p, err));
        if (!s->shape)
            continue;
        stmt_reset(s->shape);
        stmt_bind_text(s->shape, 1, id);
        TRY(stmt_step(s->shape, found, err));
        if (*found) {
            p->last = s;
            *out = (past_oter){.id = stmt_text(s->shape, 0),
                               .terrain = stmt_text(s->shape, 1),
                               .name = stmt_text(s->shape, 2),
                               .color = stmt_text(s->shape, 3),
                               .kind = stmt_int(s->shape, 4),
                               .rotation = stmt_int(s->shape, 5),
                               .line = stmt_int(s->shape, 6),
                               .symbol = stmt_int(s->shape, 7),
                               .terrain_symbol = stmt_int(s->shape, 8)};
            return stmt_had_memory(s->shape, err);
        }
    }
    return PTL_OK;
}

ptl_status past_terrains_flags(past_terrains *p, const char *terrain, past_flag_fn *found,
                               void *payload, ptl_error *err)
{
    stmt *s = p->last ? p->last->flags : NULL;
    ptl_status status = PTL_OK;
    if (!s)
        return PTL_OK;
    stmt_bind_text(s, 1, terrain);
    while (stmt_row(s, &status, err))
        found(payload, stmt_text(s, 0));
    stmt_reset(s);
    return status;
}

ptl_status past_terrains_list(past_terrains *p, past_list list, const char *id, int variant,
                              past_id_fn *found, void *payload, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < p->count && status == PTL_OK; i++) {
        status = open_source(&p->sources[i], p, err);
        stmt *s = p->sources[i].lists[list];
        if (status != PTL_OK || !s)
            continue;
        stmt_bind_text(s, 1, id);
        stmt_bind_int(s, 2, variant);
        while (stmt_row(s, &status, err))
            status = found(payload, stmt_text(s, 0), err);
        stmt_reset(s);
    }
    return status;
}
