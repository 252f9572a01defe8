/* The memory's rows of a content for its catalogue (store/catalogue/catalogue_rows.h). */
#include "core/error.h"
#include "store/catalogue/catalogue_rows.h"
#include "support/memory/memory_impl.h"

#include <stdlib.h>
#include <string.h>

typedef struct line_source {
    const memory *memory;
    int64_t content;           /* whose rows: 0: the present one's */
    const memory_line **oters; /* those that chunks may have, by number; owned */
    const char **ids;          /* of names that are oters of levels, by number; owned */
    size_t size;
    int64_t found; /* the content in which an oter was found last */
} line_source;

static const memory_line *line_at(const line_source *s, size_t i)
{
    return (const memory_line *)s->memory->tables[LINES].rows[i];
}

static bool is_of(const memory_line *l, int64_t content, content_part part)
{
    return l->part == part && l->head.world_id == content;
}

/* ---- rows ---- */

enum { ORDER_MAX = 5 };

typedef struct sorted_line {
    const memory_line *line;
    const int *order; /* columns; -1 ends them */
} sorted_line;

static int compare_values(const content_value *a, const content_value *b)
{
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    if (a->type == PTL_VALUE_TEXT)
        return strcmp(a->data, b->data);
    return (a->integer > b->integer) - (a->integer < b->integer);
}

static int compare_lines(const void *pa, const void *pb)
{
    const sorted_line *a = pa, *b = pb;
    int order = 0;
    for (const int *c = a->order; *c >= 0 && order == 0; c++)
        order = compare_values(&a->line->values[*c], &b->line->values[*c]);
    return order
               ? order
               : (a->line->head.id > b->line->head.id) - (a->line->head.id < b->line->head.id);
}

/* How many there are; -1: one is not of this part, or there is no room for all. */
static int find_columns(int *out, int room, content_part part, const char *names)
{
    int count = 0;
    while (*names && count < room) {
        const size_t length = strcspn(names, ",");
        out[count] = memory_column(part, names, length);
        if (out[count++] < 0)
            return -1;
        names += length;
        names += strspn(names, ", ");
    }
    return *names ? -1 : count;
}

static ptl_status give_lines(const sorted_line *list, size_t count, const int *columns,
                             int column_count, content_row_visit *visit, void *to,
                             ptl_error *err)
{
    content_value values[CONTENT_COLUMNS_MAX] = {0};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        for (int k = 0; k < column_count; k++)
            values[k] = list[i].line->values[columns[k]];
        status = visit(to, values, err);
    }
    return status;
}

static ptl_status visit_lines(void *payload, const content_query *q, content_row_visit *visit,
                              void *to, ptl_error *err)
{
    const line_source *s = payload;
    int columns[CONTENT_COLUMNS_MAX], order[ORDER_MAX + 1];
    size_t count = 0;
    const int column_count = find_columns(columns, CONTENT_COLUMNS_MAX, q->part, q->columns);
    const int keys = find_columns(order, ORDER_MAX, q->part, q->order);
    if (column_count < 0 || keys < 0)
        return error_set(err, PTL_ERR_INTERNAL, "no such columns: %s; %s", q->columns,
                         q->order);
    order[keys] = -1;
    sorted_line *list = malloc((s->memory->tables[LINES].count + 1) * sizeof *list);
    if (!list)
        return error_nomem(err);
    for (size_t i = 0; i < s->memory->tables[LINES].count; i++)
        if (is_of(line_at(s, i), s->content, q->part))
            list[count++] = (sorted_line){line_at(s, i), order};
    if (count > 1)
        qsort(list, count, sizeof *list, compare_lines);
    ptl_status status = give_lines(list, count, columns, column_count, visit, to, err);
    free(list);
    return status;
}

ptl_status memory_row_visit(ptl_store *store, int64_t content_id, const content_query *query,
                            content_row_visit *visit, void *payload, ptl_error *err)
{
    line_source s = {.memory = store->memory, .content = content_id};
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status == PTL_OK)
        status = visit_lines(&s, query, visit, payload, err);
    memory_leave(store, own);
    return status;
}

static ptl_status count_lines(size_t *out, void *payload, content_part part, ptl_error *err)
{
    const line_source *s = payload;
    (void)err;
    *out = 0;
    for (size_t i = 0; i < s->memory->tables[LINES].count; i++)
        *out += is_of(line_at(s, i), s->content, part);
    return PTL_OK;
}

static const memory_line *find_number(const line_source *s, content_part part, int64_t number)
{
    for (size_t i = 0; i < s->memory->tables[LINES].count; i++)
        if (is_of(line_at(s, i), s->content, part) && line_at(s, i)->head.id == number)
            return line_at(s, i);
    return NULL;
}

static ptl_status give_kept(const line_source *s, const memory_line *object,
                            kept_object_visit *visit, void *to, ptl_error *err)
{
    const memory_line *file =
        find_number(s, CONTENT_FILES, value_int(object->values, 0)); /* of content_fields.h */
    if (!file)
        return error_set(err, PTL_ERR_CORRUPT, "an object of no file");
    const kept_object o = {.file = file->head.id,
                           .path = value_text(file->values, 2),
                           .size = value_int(file->values, 3),
                           .texts = file->values[4].data,
                           .texts_size = file->values[4].size,
                           .start = value_int(object->values, 2),
                           .length = value_int(object->values, 3)};
    return visit(to, &o, err);
}

static ptl_status visit_kept(void *payload, const kept_query *q, kept_object_visit *visit,
                             void *to, ptl_error *err)
{
    const line_source *s = payload;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < s->memory->tables[LINES].count && status == PTL_OK; i++) {
        const memory_line *name = line_at(s, i);
        if (!is_of(name, s->content, CONTENT_NAMES) ||
            strcmp(value_text(name->values, 0), q->name) != 0 ||
            strcmp(value_text(name->values, 2), q->key) != 0)
            continue;
        const memory_line *o = find_number(s, CONTENT_OBJECTS, value_int(name->values, 1));
        if (o && strcmp(value_text(o->values, 1), q->type) == 0)
            status = give_kept(s, o, visit, to, err);
    }
    return status;
}

/* ---- oters beside them ---- */

/* Of another content, the last imported first; NULL where this one has it, too, and for a name
 * that is of something else. */
static const memory_line *find_oter(const line_source *s, const char *id)
{
    const memory_line *best = NULL;
    for (size_t i = 0; i < s->memory->tables[LINES].count; i++) {
        const memory_line *l = line_at(s, i);
        if (l->part != CONTENT_OTERS || strcmp(value_text(l->values, 0), id) != 0)
            continue;
        if (l->head.world_id == s->content)
            return NULL;
        if (!best || (best->head.world_id != 0 &&
                      (l->head.world_id == 0 || l->head.world_id > best->head.world_id)))
            best = l;
    }
    return best;
}

static bool has_others(const line_source *s)
{
    bool has = false;
    for (size_t i = 0; i < s->memory->tables[LINES].count && !has; i++)
        has =
            line_at(s, i)->part == CONTENT_OTERS && line_at(s, i)->head.world_id != s->content;
    return has;
}

static ptl_status begin_past(size_t *size, void *payload, ptl_error *err)
{
    line_source *s = payload;
    const memory *m = s->memory;
    s->ids = calloc(m->name_count + 1, sizeof *s->ids);
    s->oters = calloc(m->name_count + 1, sizeof *s->oters);
    if (!s->ids || !s->oters)
        return error_nomem(err);
    s->size = 1;
    for (size_t i = 0; i < m->name_count && has_others(s); i++) {
        const memory_line *oter = find_oter(s, m->names[i]);
        if (!oter)
            continue;
        s->oters[s->size] = oter;
        s->ids[s->size++] = m->names[i];
    }
    *size = s->size;
    return PTL_OK;
}

static const char *past_name(void *payload, uint32_t number)
{
    return ((const line_source *)payload)->ids[number];
}

static uint32_t past_number(void *payload, const char *id)
{
    const line_source *s = payload;
    for (size_t i = 1; i < s->size; i++)
        if (strcmp(s->ids[i], id) == 0)
            return (uint32_t)i;
    return 0;
}

static const memory_line *find_terrain(const line_source *s, int64_t content, const char *id)
{
    for (size_t i = 0; i < s->memory->tables[LINES].count; i++)
        if (is_of(line_at(s, i), content, CONTENT_TERRAINS) &&
            strcmp(value_text(line_at(s, i)->values, 0), id) == 0)
            return line_at(s, i);
    return NULL;
}

/* Columns of oters: id, terrain, variant, line, rotation, symbol; of terrains: id, kind, name,
 * symbol, color. */
static ptl_status find_past(past_oter *out, bool *found, void *payload, const char *id,
                            ptl_error *err)
{
    line_source *s = payload;
    const memory_line *o = s->oters[past_number(s, id)];
    const memory_line *t =
        o ? find_terrain(s, o->head.world_id, value_text(o->values, 1)) : NULL;
    (void)err;
    *found = t != NULL;
    if (!t)
        return PTL_OK;
    s->found = o->head.world_id;
    *out = (past_oter){.id = value_text(o->values, 0),
                       .terrain = value_text(o->values, 1),
                       .name = value_text(t->values, 2),
                       .color = value_text(t->values, 4),
                       .kind = value_int(t->values, 1),
                       .rotation = value_int(o->values, 4),
                       .line = value_int(o->values, 3),
                       .symbol = value_int(o->values, 5),
                       .terrain_symbol = value_int(t->values, 3)};
    return PTL_OK;
}

typedef struct flag_way {
    const char *terrain;
    past_flag_fn *found;
    void *to;
} flag_way;

static ptl_status give_flag(void *payload, const content_value *values, ptl_error *err)
{
    const flag_way *way = payload;
    (void)err;
    if (strcmp(value_text(values, 0), way->terrain) == 0)
        way->found(way->to, value_text(values, 1));
    return PTL_OK;
}

static ptl_status past_flags(void *payload, const char *terrain, past_flag_fn *found, void *to,
                             ptl_error *err)
{
    const line_source *s = payload;
    line_source other = {.memory = s->memory, .content = s->found};
    flag_way way = {terrain, found, to};
    const content_query q = {CONTENT_TERRAIN_FLAGS, "terrain, flag", "terrain, flag"};
    return visit_lines(&other, &q, give_flag, &way, err);
}

static const past_source past = {begin_past, past_name, past_number, find_past, past_flags};

/* ---- a catalogue ---- */

/* What it points to stays the test's. */
static ptl_status copy_catalogue(catalogue **out, const catalogue *cat, ptl_error *err)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return error_nomem(err);
    **out = *cat;
    (*out)->memory = NULL;
    return PTL_OK;
}

ptl_status memory_catalogue(catalogue **out, ptl_store *store, int64_t content, bool beside,
                            ptl_error *err)
{
    const memory *m = store->memory;
    const memory_content *present = memory_present(m);
    line_source s = {.memory = m, .content = content};
    row_source source = {.count = count_lines,
                         .visit = visit_lines,
                         .kept = visit_kept,
                         .past = beside ? &past : NULL,
                         .payload = &s};
    *out = NULL;
    if (m->cat)
        return copy_catalogue(out, m->cat, err);
    const memory_content *c =
        content ? (const memory_content *)table_find(&m->tables[CONTENTS], content) : present;
    if (!c)
        return error_set(err, PTL_ERR_CONTENT,
                         "the store has no content yet: import some first");
    source.content_id = c->head.id;
    memcpy(source.digest, c->digest, sizeof source.digest);
    ptl_status status = catalogue_from_rows(out, &source, err);
    free(s.ids);
    free(s.oters);
    return status;
}
