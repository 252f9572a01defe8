/* Notes, marks and facts in memory. */
#include "core/error.h"
#include "support/memory/memory_impl.h"

#include <stdlib.h>
#include <string.h>

void memory_saved_free(row *r)
{
    free(((memory_saved *)r)->values);
    free(r);
}

static ptl_status put_saved(ptl_store *store, int64_t world_id, const saved_row *from,
                            ptl_error *err)
{
    table *t = &store->memory->tables[SAVED];
    const ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    memory_saved *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->head.id = store->memory->next_id++;
    s->head.world_id = world_id;
    s->values = saved_row_copy(from);
    if (!s->values || !table_add(t, &s->head)) {
        memory_saved_free(&s->head);
        return error_nomem(err);
    }
    for (size_t i = 0; i + 1 < t->count; i++) {
        const memory_saved *old = (const memory_saved *)t->rows[i];
        if (old->head.world_id == world_id && saved_row_compare(old->values, from) == 0) {
            table_remove_at(t, i);
            break;
        }
    }
    return PTL_OK;
}

static bool is_wanted(const saved_row *r, const saved_which *which)
{
    const char *owner = r->type == SAVED_FACT ? r->space : r->viewer;
    if (which->key)
        return saved_row_compare(r, which->key) == 0;
    return r->type == which->type && (!which->owner || strcmp(owner, which->owner) == 0) &&
           r->x >= which->x0 && r->x <= which->x1 && r->y >= which->y0 && r->y <= which->y1;
}

static int by_key(const void *pa, const void *pb)
{
    return saved_row_compare(*(const saved_row *const *)pa, *(const saved_row *const *)pb);
}

static ptl_status visit_saved(ptl_store *store, int64_t world_id, const saved_which *which,
                              saved_visit *visit, void *payload, ptl_error *err)
{
    const table *t = &store->memory->tables[SAVED];
    size_t count = 0;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const saved_row **list = malloc((t->count + 1) * sizeof *list);
    if (!list)
        status = error_nomem(err);
    for (size_t i = 0; list && i < t->count; i++) {
        const memory_saved *s = (const memory_saved *)t->rows[i];
        if (s->head.world_id == world_id && is_wanted(s->values, which))
            list[count++] = s->values;
    }
    if (count > 1)
        qsort(list, count, sizeof *list, by_key);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = visit(payload, list[i], err);
    free(list);
    memory_leave(store, own);
    return status;
}

static ptl_status last_revision(int64_t *out, ptl_store *store, int64_t world_id,
                                ptl_error *err)
{
    const table *t = &store->memory->tables[SAVED];
    bool own;
    *out = 1;
    const ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    for (size_t i = 0; i < t->count; i++) {
        const memory_saved *s = (const memory_saved *)t->rows[i];
        if (s->head.world_id == world_id && s->values->revision > *out)
            *out = s->values->revision;
    }
    memory_leave(store, own);
    return status;
}

const saved_operations memory_saved_operations = {
    .put = put_saved, .visit = visit_saved, .revision = last_revision};
