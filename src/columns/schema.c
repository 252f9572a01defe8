/*
 * Schemas. As with arrays (batch.c), a consumer may move a child out of its parent, so each
 * schema owns its name and metadata.
 */
#include "columns/schema.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

/* What a schema owns. The members from pointers on are of the schema of a batch, or of a
 * dictionary. */
typedef struct owned_schema {
    char *name, *metadata;
    struct ArrowSchema **pointers; /* addresses of the children */
    struct ArrowSchema children[];
} owned_schema;

static void release_schema(struct ArrowSchema *schema)
{
    owned_schema *o = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (o->children[i].release)
            o->children[i].release(&o->children[i]);
    if (schema->dictionary) {
        if (schema->dictionary->release)
            schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free(o->name);
    free(o->metadata);
    free(o->pointers);
    free(o);
    schema->release = NULL;
}

static void put_int32(bytes *b, size_t v)
{
    bytes_put(b, &(int32_t){(int32_t)v}, sizeof(int32_t));
}

/* Sets *out to metadata in the interface's form: the number of entries, and for each its key
 * and its text, with their lengths in front; numbers are as the machine has them. NULL: no
 * entry. */
static bool make_metadata(char **out, const schema_note *notes, size_t count)
{
    bytes b;
    size_t used = 0;
    *out = NULL;
    for (size_t i = 0; i < count; i++)
        used += notes[i].text != NULL;
    if (used == 0)
        return true;
    bytes_init(&b);
    put_int32(&b, used);
    for (size_t i = 0; i < count; i++) {
        if (!notes[i].text)
            continue;
        put_int32(&b, strlen(notes[i].key));
        bytes_put(&b, notes[i].key, strlen(notes[i].key));
        put_int32(&b, strlen(notes[i].text));
        bytes_put(&b, notes[i].text, strlen(notes[i].text));
    }
    *out = b.failed ? NULL : malloc(b.size);
    if (*out)
        memcpy(*out, b.data, b.size);
    bytes_dispose(&b);
    return *out != NULL;
}

static bool make(struct ArrowSchema *out, const char *format, const char *name, size_t children,
                 const schema_note *notes, size_t note_count)
{
    *out = (struct ArrowSchema){0};
    owned_schema *o = calloc(1, sizeof *o + children * sizeof o->children[0]);
    if (!o)
        return false;
    out->format = format;
    out->release = release_schema;
    out->private_data = o;
    o->pointers = calloc(children + 1, sizeof(struct ArrowSchema *));
    o->name = malloc(strlen(name) + 1);
    if (o->pointers && o->name && make_metadata(&o->metadata, notes, note_count)) {
        memcpy(o->name, name, strlen(name) + 1);
        for (size_t i = 0; i < children; i++)
            o->pointers[i] = &o->children[i];
        out->name = o->name;
        out->metadata = o->metadata;
        out->children = o->pointers;
        out->n_children = (int64_t)children;
        return true;
    }
    release_schema(out);
    return false;
}

static const char *format_of(column_type type)
{
    static const char *const formats[] = {
        [COLUMN_OPEN] = "u",   [COLUMN_INT8] = "c",  [COLUMN_INT16] = "s",
        [COLUMN_INT32] = "i",  [COLUMN_INT64] = "l", [COLUMN_UINT64] = "L",
        [COLUMN_DOUBLE] = "g", [COLUMN_TEXT] = "u",  [COLUMN_BLOB] = "z",
        [COLUMN_OTER] = "S",
    };
    return formats[type];
}

static bool make_column(struct ArrowSchema *out, const column_spec *spec, column_type type)
{
    const schema_note notes[] = {{"meaning", spec->meaning}, {"unit", spec->unit}};
    if (!make(out, format_of(type), spec->name, 0, notes, sizeof notes / sizeof notes[0]))
        return false;
    out->flags = spec->nullable ? ARROW_FLAG_NULLABLE : 0;
    if (type != COLUMN_OTER)
        return true;
    out->dictionary = calloc(1, sizeof *out->dictionary);
    return out->dictionary && make(out->dictionary, "u", "", 0, NULL, 0);
}

bool schema_make(struct ArrowSchema *out, const column_spec *specs, const column_data *columns,
                 size_t count, const schema_note *notes, size_t note_count)
{
    bool done = make(out, "+s", "", count, notes, note_count);
    for (size_t i = 0; i < count && done; i++)
        done = make_column(out->children[i], &specs[i], columns[i].type);
    if (!done && out->release)
        release_schema(out);
    return done;
}
