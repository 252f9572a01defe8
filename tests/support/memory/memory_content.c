/* Contents in memory: rows as an import writes them, those of before beside them. */
#include "codec/compress.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "os/clock.h"
#include "support/memory/memory_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void memory_content_free(row *r)
{
    free(r);
}

void memory_line_free(row *r)
{
    memory_line *l = (memory_line *)r;
    for (int i = 0; i < l->count; i++)
        free((void *)(uintptr_t)l->values[i].data);
    free(l);
}

/* ---- rows ---- */

static bool copy_value(content_value *to, const content_value *from)
{
    *to = *from;
    if (from->type != PTL_VALUE_TEXT && from->type != PTL_VALUE_BLOB)
        return true;
    const size_t size = from->type == PTL_VALUE_TEXT ? strlen(from->data) + 1 : from->size;
    void *data = malloc(size + 1);
    if (data && size > 0)
        memcpy(data, from->data, size);
    to->data = data;
    return data != NULL;
}

static memory_line *make_line(content_part part, const content_value *values, int count)
{
    memory_line *l = calloc(1, sizeof *l + (size_t)count * sizeof l->values[0]);
    if (!l)
        return NULL;
    l->part = part;
    for (int i = 0; i < count; i++) {
        l->count = i + 1;
        if (!copy_value(&l->values[i], &values[i])) {
            memory_line_free(&l->head);
            return NULL;
        }
    }
    return l;
}

memory_line *memory_line_copy(const memory_line *from, int64_t content)
{
    memory_line *l = make_line(from->part, from->values, from->count);
    if (l) {
        l->head.id = from->head.id;
        l->head.world_id = content;
    }
    return l;
}

int memory_column(content_part part, const char *name, size_t length)
{
    const char *at = content_forms[part].columns;
    for (int i = 0; *at; i++) {
        const size_t size = strcspn(at, ",");
        if (size == length && strncmp(at, name, size) == 0)
            return i;
        at += size;
        at += strspn(at, ", ");
    }
    return -1;
}

static ptl_status add_line(memory *m, memory_line *l, ptl_error *err)
{
    if (l && table_add(&m->tables[LINES], &l->head))
        return PTL_OK;
    if (l)
        memory_line_free(&l->head);
    return error_nomem(err);
}

/* ---- contents ---- */

const memory_content *memory_present(const memory *m)
{
    const table *t = &m->tables[CONTENTS];
    for (size_t i = 0; i < t->count; i++)
        if (((const memory_content *)t->rows[i])->current)
            return (const memory_content *)t->rows[i];
    return NULL;
}

static int64_t present_id(const memory *m)
{
    const memory_content *c = memory_present(m);
    return m->cat ? m->cat->content_id : c ? c->head.id : 0;
}

/* In the place of what has its id. */
static ptl_status put_content(memory *m, const memory_content *values, ptl_error *err)
{
    const row *before = table_find(&m->tables[CONTENTS], values->head.id);
    memory_content *c = calloc(1, sizeof *c);
    if (!c)
        return error_nomem(err);
    *c = *values;
    c->head.holders = 0;
    if (!table_add(&m->tables[CONTENTS], &c->head)) {
        free(c);
        return error_nomem(err);
    }
    if (before)
        table_remove(&m->tables[CONTENTS], before);
    return PTL_OK;
}

ptl_status memory_copy_contents(memory *to, const memory *from, ptl_error *err)
{
    ptl_status status = PTL_OK;
    to->next_id = from->next_id;
    for (size_t i = 0; i < from->tables[CONTENTS].count && status == PTL_OK; i++) {
        status = put_content(to, (const memory_content *)from->tables[CONTENTS].rows[i], err);
    }
    for (size_t i = 0; i < from->tables[LINES].count && status == PTL_OK; i++) {
        const memory_line *l = (const memory_line *)from->tables[LINES].rows[i];
        status = add_line(to, memory_line_copy(l, l->head.world_id), err);
    }
    return status;
}

/* Does the memory have rows of this content beside the present one's? */
static bool has_past(const memory *m, int64_t content)
{
    const table *t = &m->tables[LINES];
    bool has = false;
    for (size_t i = 0; i < t->count && content != 0 && !has; i++)
        has = t->rows[i]->world_id == content;
    return has;
}

static bool is_needed(const memory *m, int64_t content)
{
    bool needed = false;
    for (size_t i = 0; i < m->tables[WORLDS].count; i++)
        needed =
            needed ||
            ((const memory_world *)m->tables[WORLDS].rows[i])->values.content_id == content;
    for (size_t i = 0; i < m->tables[CHUNKS].count; i++)
        needed = needed ||
                 ((const memory_chunk *)m->tables[CHUNKS].rows[i])->info.content_id == content;
    for (size_t i = 0; i < m->tables[SWEEPS].count; i++)
        needed =
            needed ||
            ((const memory_sweep *)m->tables[SWEEPS].rows[i])->values.settings.content_id ==
                content;
    return needed;
}

/* ---- importing ---- */

typedef struct part {
    ptl_store *store;
    content_part which;
} part;

static ptl_status open_part(void **out, ptl_store *store, content_part which, ptl_error *err)
{
    part *p = malloc(sizeof *p);
    if (!p)
        return error_nomem(err);
    *p = (part){store, which};
    *out = p;
    return PTL_OK;
}

static bool same_value(const content_value *a, const content_value *b)
{
    if (a->type != b->type)
        return false;
    return a->type == PTL_VALUE_TEXT ? strcmp(a->data, b->data) == 0
                                     : a->integer == b->integer && a->size == b->size;
}

/* A row of texts and numbers that is there already. */
static bool has_line(const memory *m, content_part which, const content_value *values,
                     int count)
{
    const table *t = &m->tables[LINES];
    for (size_t i = 0; i < t->count; i++) {
        const memory_line *l = (const memory_line *)t->rows[i];
        bool same = l->part == which && l->head.world_id == 0 && l->count == count;
        for (int k = 0; k < count && same; k++)
            same = same_value(&l->values[k], &values[k]);
        if (same)
            return true;
    }
    return false;
}

/* Columns that the import leaves out at the end are NULL, too. */
static ptl_status add_row(int64_t *number, void *payload, const content_value *values,
                          int count, ptl_error *err)
{
    const part *p = payload;
    content_value all[CONTENT_COLUMNS_MAX] = {{0}};
    memory *m = p->store->memory;
    int columns = 1;
    ptl_status status = memory_check_writes(p->store, err);
    if (status != PTL_OK)
        return status;
    for (const char *c = content_forms[p->which].columns; *c; c++)
        columns += *c == ',';
    memcpy(all, values, (size_t)count * sizeof *values);
    if (content_forms[p->which].again && has_line(m, p->which, all, columns))
        return PTL_OK;
    memory_line *l = make_line(p->which, all, columns);
    if (l)
        *number = l->head.id = m->next_id++;
    return add_line(m, l, err);
}

static bool is_cleared(const memory_line *l, int64_t content_id)
{
    return l->head.world_id == 0 &&
           (l->part != CONTENT_PACKS || value_int(l->values, 0) == content_id);
}

static ptl_status clear_rows(ptl_store *store, int64_t content_id, ptl_error *err)
{
    table *t = &store->memory->tables[LINES];
    ptl_status status = memory_check_writes(store, err);
    for (size_t i = t->count; i-- > 0 && status == PTL_OK;)
        if (is_cleared((const memory_line *)t->rows[i], content_id))
            table_remove_at(t, i);
    return status;
}

static ptl_status find_content(content_standing *out, ptl_store *store, const char *hex,
                               ptl_error *err)
{
    const table *t = &store->memory->tables[CONTENTS];
    bool own;
    *out = (content_standing){0};
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_content *c = (const memory_content *)t->rows[i];
        if (strcmp(c->digest, hex) == 0) {
            out->id = c->head.id;
            out->current = c->current;
        }
    }
    memory_leave(store, own);
    return status;
}

static ptl_status put_current(ptl_store *store, content_row *r, ptl_error *err)
{
    memory *m = store->memory;
    ptl_status status = memory_check_writes(store, err);
    if (status == PTL_OK && m->cat)
        status = error_set(err, PTL_ERR_UNSUPPORTED, "the content is the test's catalogue");
    const memory_content *before = status == PTL_OK ? memory_present(m) : NULL;
    if (before) {
        memory_content past = *before;
        past.current = false;
        status = put_content(m, &past, err);
    }
    if (status != PTL_OK)
        return status;
    r->id = r->id ? r->id : m->next_id++;
    memory_content now = {.head = {.id = r->id}, .current = true, .lenient = r->lenient};
    memcpy(now.digest, r->digest, strlen(r->digest) + 1);
    clock_now(now.imported_at);
    return put_content(m, &now, err);
}

/* Definitions alone: what is kept as text is the present content's. */
static ptl_status keep_present(ptl_store *store, ptl_error *err)
{
    memory *m = store->memory;
    const int64_t content = present_id(m);
    const size_t count = m->tables[LINES].count;
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK || content == 0 || !is_needed(m, content))
        return status;
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const memory_line *l = (const memory_line *)m->tables[LINES].rows[i];
        if (l->head.world_id == 0 && l->part >= CONTENT_TERRAINS)
            status = add_line(m, memory_line_copy(l, content), err);
    }
    return status;
}

/* Nothing in memory is damaged; what nobody needs any more goes. */
static ptl_status seal(ptl_store *store, ptl_error *err)
{
    memory *m = store->memory;
    table *t = &m->tables[LINES];
    ptl_status status = memory_check_writes(store, err);
    for (size_t i = t->count; i-- > 0 && status == PTL_OK;) {
        const int64_t content = t->rows[i]->world_id;
        if (content != 0 && (content == present_id(m) || !is_needed(m, content)))
            table_remove_at(t, i);
    }
    return status;
}

static ptl_status check_content(ptl_store *store, content_problem_fn *found, void *payload,
                                ptl_error *err)
{
    (void)store;
    (void)found;
    (void)payload;
    (void)err;
    return PTL_OK;
}

static ptl_status count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                              ptl_error *err)
{
    const table *t = &store->memory->tables[CHUNKS];
    bool own;
    *out = 0;
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_chunk *c = (const memory_chunk *)t->rows[i];
        *out += !c->info.imported && c->info.content_id != content_id;
    }
    memory_leave(store, own);
    return status;
}

const import_operations memory_import_operations = {.part_open = open_part,
                                                    .part_close = free,
                                                    .part_add = add_row,
                                                    .clear = clear_rows,
                                                    .find = find_content,
                                                    .put = put_current,
                                                    .keep = keep_present,
                                                    .seal = seal,
                                                    .check = check_content,
                                                    .count_stale = count_stale};

/* ---- reading ---- */

static ptl_status load(catalogue **out, ptl_store *store, ptl_error *err)
{
    bool own;
    *out = NULL;
    ptl_status status = memory_enter(store, &own, err);
    if (status == PTL_OK)
        status = memory_catalogue(out, store, 0, false, err);
    memory_leave(store, own);
    return status;
}

static ptl_status load_for(catalogue **out, ptl_store *store, int64_t content_id, bool current,
                           ptl_error *err)
{
    bool own;
    *out = NULL;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const bool past = !current && has_past(store->memory, content_id);
    status = memory_catalogue(out, store, past ? content_id : 0, true, err);
    memory_leave(store, own);
    return status;
}

static ptl_status check_loaded(ptl_store *store, ptl_error *err)
{
    return check_content(store, NULL, NULL, err);
}

static ptl_status find_present(int64_t *id, ptl_store *store, ptl_error *err)
{
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status == PTL_OK && present_id(store->memory) != 0)
        *id = present_id(store->memory);
    memory_leave(store, own);
    return status;
}

static ptl_status find_digest(char out[65], ptl_store *store, int64_t content_id,
                              ptl_error *err)
{
    const memory *m = store->memory;
    bool own;
    out[0] = '\0';
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_content *c =
        (const memory_content *)table_find(&m->tables[CONTENTS], content_id);
    if (c)
        memcpy(out, c->digest, sizeof c->digest);
    else if (m->cat && content_id == m->cat->content_id)
        memcpy(out, m->cat->digest, sizeof m->cat->digest);
    memory_leave(store, own);
    return status;
}

static int by_position(const void *pa, const void *pb)
{
    const memory_line *const *a = pa, *const *b = pb;
    const int64_t x = value_int((*a)->values, 1), y = value_int((*b)->values, 1);
    return (x > y) - (x < y);
}

static ptl_status visit_packs(ptl_store *store, int64_t content_id, pack_visit *visit,
                              void *payload, ptl_error *err)
{
    const table *t = &store->memory->tables[LINES];
    size_t count = 0;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    const memory_line **list = malloc((t->count + 1) * sizeof *list);
    if (!list && status == PTL_OK)
        status = error_nomem(err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_line *l = (const memory_line *)t->rows[i];
        if (l->part == CONTENT_PACKS && value_int(l->values, 0) == content_id)
            list[count++] = l;
    }
    if (count > 1)
        qsort(list, count, sizeof *list, by_position);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const content_value *v = list[i]->values;
        const pack_row p = {.id = value_text(v, 2),
                            .own = value_text(v, 4)[0] == '\0',
                            .directory = value_text(v, 4)};
        status = visit(payload, &p, err);
    }
    free(list);
    memory_leave(store, own);
    return status;
}

/* The row of a part with that number; NULL: there is none. */
static const memory_line *line_of(const table *t, content_part of, int64_t number)
{
    const memory_line *found = NULL;
    for (size_t i = 0; i < t->count && !found; i++) {
        const memory_line *l = (const memory_line *)t->rows[i];
        found = l->part == of && l->head.id == number ? l : NULL;
    }
    return found;
}

static ptl_status give_kept(compressor *c, const memory_line *file, const memory_line *object,
                            kept_text_visit *visit, void *payload, ptl_error *err)
{
    bytes texts;
    bytes_init(&texts);
    const content_value *f = file->values, *o = object->values;
    assert(f && o);
    ptl_status status =
        decompressor_run(c, &texts, f[4].data, f[4].size, (size_t)value_int(f, 3), err);
    const char *all = bytes_text(&texts);
    if (status == PTL_OK && !all)
        status = error_nomem(err);
    if (status == PTL_OK) {
        const kept_row kept = {.number = object->head.id,
                               .type = value_text(o, 1),
                               .path = value_text(f, 2),
                               .line = value_int(o, 4),
                               .text = all + value_int(o, 2),
                               .size = (size_t)value_int(o, 3)};
        status = visit(payload, &kept, err);
    }
    bytes_dispose(&texts);
    return status;
}

static bool is_named(const table *t, const memory_line *object, const char *name)
{
    bool found = name == NULL;
    for (size_t i = 0; i < t->count && !found; i++) {
        const memory_line *l = (const memory_line *)t->rows[i];
        found = l->part == CONTENT_NAMES && l->head.world_id == 0 &&
                value_int(l->values, 1) == object->head.id &&
                strcmp(value_text(l->values, 0), name) == 0;
    }
    return found;
}

static bool is_asked_for(const table *t, const memory_line *l, const kept_text_query *query)
{
    bool found = false;
    if (l->part != CONTENT_OBJECTS || l->head.world_id != 0)
        return false;
    for (size_t i = 0; query->types[i] && !found; i++)
        found = strcmp(value_text(l->values, 1), query->types[i]) == 0;
    return found && is_named(t, l, query->name);
}

/* Rows stand in the order in which they were added. */
static ptl_status visit_kept(ptl_store *store, const kept_text_query *query,
                             kept_text_visit *visit, void *payload, ptl_error *err)
{
    const table *t = &store->memory->tables[LINES];
    bool own;
    compressor *c = compressor_new();
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++) {
        const memory_line *l = (const memory_line *)t->rows[i];
        if (!is_asked_for(t, l, query))
            continue;
        const memory_line *file = line_of(t, CONTENT_FILES, value_int(l->values, 0));
        status = give_kept(c, file, l, visit, payload, err);
    }
    compressor_free(c);
    memory_leave(store, own);
    return status;
}

static int by_id(const void *pa, const void *pb)
{
    const memory_content *const *a = pa, *const *b = pb;
    return ((*a)->head.id > (*b)->head.id) - ((*a)->head.id < (*b)->head.id);
}

static ptl_status visit_contents(ptl_store *store, content_visit *visit, void *payload,
                                 ptl_error *err)
{
    const table *t = &store->memory->tables[CONTENTS];
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    const memory_content **list = malloc((t->count + 1) * sizeof *list);
    if (!list && status == PTL_OK)
        status = error_nomem(err);
    const size_t count = status == PTL_OK ? t->count : 0;
    for (size_t i = 0; i < count; i++)
        list[i] = (const memory_content *)t->rows[i];
    if (count > 1)
        qsort(list, count, sizeof *list, by_id);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const content_row r = {.id = list[i]->head.id,
                               .digest = list[i]->digest,
                               .lenient = list[i]->lenient,
                               .imported_at = list[i]->imported_at,
                               .current = list[i]->current};
        status = visit(payload, &r, err);
    }
    free(list);
    memory_leave(store, own);
    return status;
}

typedef struct defining_part {
    ptl_content_kind kind;
    content_part part;
} defining_part;

static const defining_part defining_parts[] = {{PTL_CONTENT_TERRAIN, CONTENT_TERRAINS},
                                               {PTL_CONTENT_SPECIAL, CONTENT_SPECIALS},
                                               {PTL_CONTENT_REGION, CONTENT_REGIONS}};

static ptl_status visit_part(const memory *m, const defining_part *p, int64_t content,
                             definition_visit *visit, void *payload, ptl_error *err)
{
    const int pack = memory_column(p->part, "pack", 4);
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < m->tables[LINES].count && status == PTL_OK; i++) {
        const memory_line *l = (const memory_line *)m->tables[LINES].rows[i];
        if (l->part != p->part || l->head.world_id != content)
            continue;
        const definition_row d = {p->kind, value_text(l->values, 0),
                                  value_int(l->values, pack)};
        status = visit(payload, &d, err);
    }
    return status;
}

static ptl_status visit_definitions(ptl_store *store, int64_t content_id,
                                    definition_visit *visit, void *payload, ptl_error *err)
{
    const memory *m = store->memory;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    const int64_t content = status == PTL_OK && has_past(m, content_id) ? content_id : 0;
    const size_t parts = sizeof defining_parts / sizeof *defining_parts;
    for (size_t i = 0; i < parts && status == PTL_OK; i++)
        status = visit_part(m, &defining_parts[i], content, visit, payload, err);
    memory_leave(store, own);
    return status;
}

const content_operations memory_content_operations = {.load = load,
                                                      .load_for = load_for,
                                                      .check_loaded = check_loaded,
                                                      .current = find_present,
                                                      .digest = find_digest,
                                                      .pack_visit = visit_packs,
                                                      .kept_visit = visit_kept,
                                                      .definition_visit = visit_definitions,
                                                      .visit = visit_contents,
                                                      .row_visit = memory_row_visit};
