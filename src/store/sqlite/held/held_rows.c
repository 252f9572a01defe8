#include "store/sqlite/held/held_rows.h"

#include "core/array.h"
#include "core/error.h"
#include "os/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ORDER_MAX = 5, ROW_NUMBER = -2 };

/* ---- columns ---- */

/* Returns the index of a column of a part, whose name is the first `length` bytes; ROW_NUMBER
 * for the number that a row has without a column of its own; -1: there is no such column. */
static int column_of(content_part part, const char *name, size_t length)
{
    const char *at = content_forms[part].columns;
    for (int i = 0; *at; i++) {
        const size_t size = strcspn(at, ",");
        if (size == length && strncmp(at, name, size) == 0)
            return i;
        at += size;
        at += strspn(at, ", ");
    }
    return length == 2 && strncmp(name, "id", length) == 0 ? ROW_NUMBER : -1;
}

/* Finds columns by their names, and returns how many there are; -1: there is no such column, or
 * no room for all. */
static int find_columns(int *out, int room, content_part part, const char *names)
{
    int count = 0;
    while (*names && count < room) {
        const size_t length = strcspn(names, ",");
        out[count] = column_of(part, names, length);
        if (out[count++] == -1)
            return -1;
        names += length;
        names += strspn(names, ", ");
    }
    return *names ? -1 : count;
}

static int count_columns(content_part part)
{
    int count = 1;
    for (const char *c = content_forms[part].columns; *c; c++)
        count += *c == ',';
    return count;
}

/* ---- adding ---- */

held_content *held_new(int64_t id)
{
    static const arena_blocks large = {MEMORY_LARGE, memory_large};
    held_content *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->id = id;
    h->memory = arena_new_of(&large);
    for (int i = 0; i < CONTENT_PARTS; i++)
        h->parts[i].columns = count_columns((content_part)i);
    if (h->memory)
        return h;
    free(h);
    return NULL;
}

void held_free(held_content *h)
{
    if (!h)
        return;
    for (int i = 0; i < CONTENT_PARTS; i++)
        free(h->parts[i].values);
    free((void *)h->names);
    catalogue_free(h->spare);
    arena_free(h->memory);
    free(h);
}

static bool keep_value(held_content *h, content_value *to, const content_value *from)
{
    *to = *from;
    if (from->type == PTL_VALUE_TEXT)
        to->data = arena_strdup(h->memory, from->data);
    else if (from->type == PTL_VALUE_BLOB)
        to->data = arena_strndup(h->memory, from->data, from->size);
    else
        return true;
    return to->data != NULL;
}

bool held_add(held_content *h, content_part which, const content_value *values, int count)
{
    static const content_value null = {.type = PTL_VALUE_NULL};
    held_part *p = &h->parts[which];
    const size_t columns = (size_t)p->columns, start = p->count * columns;
    if (!ARRAY_ROOM(p->values, p->room, start + columns))
        return false;
    for (size_t i = 0; i < columns; i++)
        if (!keep_value(h, &p->values[start + i], i < (size_t)count ? &values[i] : &null))
            return false;
    p->count++;
    return true;
}

/* ---- sorting ---- */

/* Sorts as SQLite does: nothing before numbers, and numbers before texts. */
static int compare_values(const content_value *a, const content_value *b)
{
    if (a->type == PTL_VALUE_TEXT && b->type == PTL_VALUE_TEXT)
        return strcmp(a->data, b->data);
    if (a->type == PTL_VALUE_INTEGER && b->type == PTL_VALUE_INTEGER)
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (a->type == PTL_VALUE_REAL && b->type == PTL_VALUE_REAL)
        return (a->real > b->real) - (a->real < b->real);
    return ((int)a->type > (int)b->type) - ((int)a->type < (int)b->type);
}

typedef struct sort_key {
    const content_value *row;
    const int *order; /* columns; -1 ends them */
} sort_key;

/* Rows lie in one array, so their addresses have the order in which they were added. */
static int compare_rows(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;
    for (const int *c = a->order; *c != -1; c++) {
        const int order = *c == ROW_NUMBER ? 0 : compare_values(&a->row[*c], &b->row[*c]);
        if (order)
            return order;
    }
    return (a->row > b->row) - (a->row < b->row);
}

/* Sorts the keys, unless they are sorted already, as most rows are. */
static void sort(sort_key *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_rows(&keys[i - 1], &keys[i]) > 0) {
            qsort(keys, count, sizeof *keys, compare_rows);
            return;
        }
}

/* Returns a new list of the part's rows in an order; NULL when memory is out. `order` must live
 * as long as the list. */
static sort_key *sorted(const held_part *p, const int *order)
{
    sort_key *keys = malloc((p->count + 1) * sizeof *keys);
    for (size_t i = 0; i < p->count && keys; i++)
        keys[i] = (sort_key){held_row(p, i), order};
    if (keys)
        sort(keys, p->count);
    return keys;
}

static bool is_same(const content_value *a, const content_value *b, int columns)
{
    for (int i = 0; i < columns; i++)
        if (compare_values(&a[i], &b[i]) != 0)
            return false;
    return true;
}

/* Removes equal rows of a part, whose rows are in the order of its key afterwards. */
static bool remove_doubles(held_part *p, content_part which)
{
    int order[ORDER_MAX + 1];
    const int keys = find_columns(order, ORDER_MAX, which, content_forms[which].key);
    const size_t columns = (size_t)p->columns;
    content_value *values = malloc((p->count * columns + 1) * sizeof *values);
    sort_key *list = NULL;
    size_t count = 0;
    if (values && keys >= 0) {
        order[keys] = -1;
        list = sorted(p, order);
    }
    for (size_t i = 0; list && i < p->count; i++)
        if (i == 0 || !is_same(list[i].row, list[i - 1].row, p->columns))
            memcpy(values + count++ * columns, list[i].row, columns * sizeof *values);
    if (!list) {
        free(values);
        return false;
    }
    free(list);
    free(p->values);
    p->values = values;
    p->room = p->count * columns + 1;
    p->count = count;
    return true;
}

bool held_finish(held_content *h)
{
    bool good = true;
    for (int i = 0; i < CONTENT_PARTS && good; i++)
        if (content_forms[i].again && i != CONTENT_NAMES && h->parts[i].count > 0)
            good = remove_doubles(&h->parts[i], (content_part)i);
    return good;
}

/* ---- reading ---- */

static ptl_status give(const sort_key *list, const held_part *p, const int *columns, int width,
                       content_row_visit *visit, void *to, ptl_error *err)
{
    content_value values[CONTENT_COLUMNS_MAX];
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < p->count && status == PTL_OK; i++) {
        const content_value *row = list[i].row;
        for (int k = 0; k < width; k++)
            values[k] = columns[k] != ROW_NUMBER
                            ? row[columns[k]]
                            : (content_value){.type = PTL_VALUE_INTEGER,
                                              .integer = (row - p->values) / p->columns + 1};
        status = visit(to, values, err);
    }
    return status;
}

ptl_status held_visit(const held_content *h, const content_query *query,
                      content_row_visit *visit, void *to, ptl_error *err)
{
    int columns[CONTENT_COLUMNS_MAX], order[ORDER_MAX + 1];
    const held_part *p = &h->parts[query->part];
    const int width = find_columns(columns, CONTENT_COLUMNS_MAX, query->part, query->columns);
    const int keys = find_columns(order, ORDER_MAX, query->part, query->order);
    if (width < 0 || keys < 0)
        return error_set(err, PTL_ERR_INTERNAL, "no such columns: %s; %s", query->columns,
                         query->order);
    order[keys] = -1;
    sort_key *list = sorted(p, order);
    if (!list)
        return error_nomem(err);
    const ptl_status status = give(list, p, columns, width, visit, to, err);
    free(list);
    return status;
}

static bool index_names(held_content *h)
{
    static const int order[] = {0, 1, 2, -1}; /* name, object_id, key */
    const held_part *p = &h->parts[CONTENT_NAMES];
    sort_key *list = sorted(p, order);
    h->names = list ? malloc((p->count + 1) * sizeof *h->names) : NULL;
    for (size_t i = 0; i < p->count && h->names; i++)
        h->names[i] = list[i].row;
    free(list);
    return h->names != NULL;
}

const content_value *const *held_named(size_t *count, held_content *h, const char *name)
{
    size_t low = 0, high = h->parts[CONTENT_NAMES].count;
    *count = 0;
    if (!h->names && !index_names(h))
        return NULL;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(value_text(h->names[middle], 0), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + *count < h->parts[CONTENT_NAMES].count &&
           strcmp(value_text(h->names[low + *count], 0), name) == 0)
        ++*count;
    return h->names + low;
}
