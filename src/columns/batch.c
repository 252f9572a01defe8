/*
 * Batches: ArrowArrays that own the memory of the columns that they were made from. By the
 * rules of the interface a consumer may move a child out of its parent: it copies the child's
 * struct, and sets the `release` of the original to NULL. So each array has memory of its own,
 * and releases only those children that have a `release` still.
 */
#include "columns/batch.h"

#include <stdlib.h>
#include <string.h>

/* What the array of a column owns. */
typedef struct owned_column {
    const void *buffers[3];
    void *memory[3];
    struct ArrowArray dictionary;
} owned_column;

/* What the array of a batch owns; `pointers` has the addresses of the children. */
typedef struct owned_batch {
    const void *buffers[1];
    struct ArrowArray **pointers;
    struct ArrowArray children[];
} owned_batch;

static void release(struct ArrowArray *array)
{
    if (array && array->release)
        array->release(array);
}

static void release_column(struct ArrowArray *array)
{
    owned_column *o = array->private_data;
    release(array->dictionary);
    for (size_t i = 0; i < sizeof o->memory / sizeof o->memory[0]; i++)
        free(o->memory[i]);
    free(o);
    array->release = NULL;
}

static void release_batch(struct ArrowArray *array)
{
    owned_batch *o = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++)
        release(&o->children[i]);
    free(o->pointers);
    free(o);
    array->release = NULL;
}

static owned_column *own_column(struct ArrowArray *out, int64_t rows, int64_t buffers)
{
    owned_column *o = calloc(1, sizeof *o);
    if (o)
        *out = (struct ArrowArray){.length = rows,
                                   .n_buffers = buffers,
                                   .buffers = o->buffers,
                                   .release = release_column,
                                   .private_data = o};
    return o;
}

/* Moves a block into buffer `number` of the array. */
static void take(owned_column *o, size_t number, column_block *b)
{
    o->buffers[number] = b->at;
    o->memory[number] = b->memory;
    *b = (column_block){0};
}

static bool copy(column_block *out, const column_block *from)
{
    void *at = column_block_extend(out, from->size);
    if (at && from->size > 0)
        memcpy(at, from->at, from->size);
    return at != NULL;
}

/* A dictionary without texts has one offset, too: a 0. */
static bool copy_offsets(column_block *out, const column_block *from)
{
    if (from->size > 0)
        return copy(out, from);
    void *at = column_block_extend(out, sizeof(int32_t));
    if (at)
        memset(at, 0, sizeof(int32_t));
    return at != NULL;
}

static bool make_dictionary(struct ArrowArray *out, const column_dictionary *d)
{
    column_block offsets = {0}, texts = {0};
    owned_column *o = NULL;
    if (copy_offsets(&offsets, &d->offsets) && copy(&texts, &d->texts))
        o = own_column(out, (int64_t)d->count, 3);
    if (o) {
        take(o, 1, &offsets);
        take(o, 2, &texts);
    }
    free(offsets.memory);
    free(texts.memory);
    return o != NULL;
}

static bool make_column(struct ArrowArray *out, column_data *c,
                        const column_dictionary *dictionary)
{
    const bool texts = c->type == COLUMN_TEXT || c->type == COLUMN_BLOB;
    owned_column *o = own_column(out, (int64_t)c->rows, texts ? 3 : 2);
    if (!o)
        return false;
    if (c->type == COLUMN_OTER) {
        if (!make_dictionary(&o->dictionary, dictionary))
            return false;
        out->dictionary = &o->dictionary;
    }
    out->null_count = (int64_t)c->nulls;
    take(o, 0, &c->present);
    take(o, 1, &c->values);
    take(o, 2, &c->texts);
    c->rows = c->nulls = 0;
    return true;
}

bool batch_make(struct ArrowArray *out, column_data *columns, size_t count,
                const column_dictionary *dictionary)
{
    *out = (struct ArrowArray){0};
    owned_batch *o = calloc(1, sizeof *o + count * sizeof o->children[0]);
    if (!o)
        return false;
    const int64_t rows = (int64_t)columns[0].rows;
    *out = (struct ArrowArray){.length = rows,
                               .n_buffers = 1,
                               .n_children = (int64_t)count,
                               .buffers = o->buffers,
                               .release = release_batch,
                               .private_data = o};
    o->pointers = calloc(count, sizeof *o->pointers);
    bool done = o->pointers != NULL;
    for (size_t i = 0; i < count && done; i++) {
        o->pointers[i] = &o->children[i];
        done = make_column(&o->children[i], &columns[i], dictionary);
    }
    out->children = o->pointers;
    if (!done)
        release_batch(out);
    return done;
}
