#include "store/sqlite/rows/dictionary.h"

#include "core/array.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct dictionary {
    name_table oters, names;
    /* Digest of the catalogue that was used last. The catalogue's address would not identify
     * it, because it may be freed before this store. */
    char cat_digest[65];
    size_t cat_count;
    size_t connected; /* all oters of the file with a number below this one have been looked up
                         in the catalogue */
    uint32_t *number_of; /* maps an oter of the catalogue to the file's number; 0: none */
    ptl_oter *oter_of;   /* maps the file's number of an oter to an oter of the catalogue */
    size_t oter_of_room;
};

static void name_table_dispose(name_table *t)
{
    strmap_dispose(&t->numbers);
    arena_free(t->arena);
    free(t->names);
    bytes_dispose(&t->sum);
    memset(t, 0, sizeof *t);
}

void dictionary_forget(ptl_store *store)
{
    struct dictionary *d = store->dictionary;
    if (!d)
        return;
    name_table_dispose(&d->oters);
    name_table_dispose(&d->names);
    free(d->number_of);
    free(d->oter_of);
    free(d);
    store->dictionary = NULL;
    store->forget = NULL;
}

/* Makes an empty cache; false if memory is out. Dispose of it in either case. */
static bool name_table_init(name_table *t, row_table_id table, stmt_id read)
{
    *t = (name_table){
        .id = table, .table = row_table_of(table), .read = read, .size = 1, .written = 1};
    strmap_init(&t->numbers);
    t->arena = arena_new();
    return t->arena != NULL;
}

static ptl_status make_dictionary(ptl_store *store, ptl_error *err)
{
    if (store->dictionary)
        return PTL_OK;
    struct dictionary *d = calloc(1, sizeof *d);
    if (!d)
        return error_nomem(err);
    store->dictionary = d;
    store->forget = dictionary_forget;
    bool oters = name_table_init(&d->oters, TABLE_OTER, STMT_OTER_READ);
    bool names = name_table_init(&d->names, TABLE_NAME, STMT_NAME_READ);
    if (oters && names)
        return PTL_OK;
    dictionary_forget(store);
    return error_nomem(err);
}

/*
 * Adds a name that the cache lacks; its number is the former t->size. The caller has begun a
 * write transaction and refreshed the cache in it. name_table_write writes the rows later.
 * After an error the cache must not be used again.
 */
static ptl_status name_table_add(name_table *t, const char *name, ptl_error *err)
{
    char *copy = arena_strdup(t->arena, name);
    if (!copy || !ARRAY_ROOM(t->names, t->capacity, t->size + 1) ||
        strmap_put(&t->numbers, copy, (uint32_t)t->size) != 0)
        return error_nomem(err);
    t->names[0] = NULL; /* no name has the number 0 */
    t->names[t->size++] = copy;
    return PTL_OK;
}

/* Makes the values of a dictionary's row, with its checksum. It serves both dictionaries, since
 * the tables oter and name have the same columns. */
static ptl_status make_row(row_value out[NAME_COLUMN_COUNT], name_table *t, int64_t number,
                           const char *name, ptl_error *err)
{
    static_assert((int)OTER_COLUMN_NAME == (int)NAME_COLUMN_NAME &&
                      (int)OTER_COLUMN_CHECKSUM == (int)NAME_COLUMN_CHECKSUM &&
                      (int)OTER_COLUMN_COUNT == (int)NAME_COLUMN_COUNT,
                  "one form of row");
    out[NAME_COLUMN_ID] = row_int(number);
    out[NAME_COLUMN_NAME] = row_text(name);
    return row_seal(out, t->table, &t->sum, err);
}

/* Reads those rows of the dictionary that are in the file but not yet in the cache. After an
 * error the cache must not be used again. */
static ptl_status name_table_refresh(name_table *t, ptl_store *store, ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_begin(&s, store, t->read, STMT_VALUES((int64_t)t->size), err);
    while (stmt_row(s, &status, err)) {
        const int64_t number = stmt_int(s, NAME_COLUMN_ID);
        const char *name = stmt_text(s, NAME_COLUMN_NAME);
        row_value row[NAME_COLUMN_COUNT];
        status = make_row(row, t, number, name, err);
        if (status == PTL_OK &&
            (row[NAME_COLUMN_CHECKSUM].integer != stmt_int(s, NAME_COLUMN_CHECKSUM) ||
             strmap_get(&t->numbers, name) != STRMAP_NONE))
            status = error_set(err, PTL_ERR_CORRUPT, "%s dictionary: row %lld is damaged",
                               t->table->name, (long long)number);
        if (status == PTL_OK && number != (int64_t)t->size)
            status = error_set(err, PTL_ERR_CORRUPT, "%s dictionary: number %zu is missing",
                               t->table->name, t->size);
        THEN(status, name_table_add(t, name, err));
    }
    stmt_reset(s);
    t->written = t->size;
    return status;
}

static ptl_status refresh(ptl_store *store, bool names, ptl_error *err)
{
    TRY(make_dictionary(store, err));
    struct dictionary *d = store->dictionary;
    ptl_status status = name_table_refresh(names ? &d->names : &d->oters, store, err);
    if (status != PTL_OK)
        dictionary_forget(store); /* a cache that was read only in part must not be used */
    return status;
}

ptl_status dictionary_refresh(ptl_store *store, ptl_error *err)
{
    return refresh(store, false, err);
}

/* Makes room in oter_of for all numbers of the dictionary. Numbers that it lacked before are
 * mapped to CAT_NONE. */
static ptl_status reserve_oters(struct dictionary *d, ptl_error *err)
{
    if (d->oter_of_room >= d->oters.size)
        return PTL_OK;
    size_t room = 2 * d->oters.size;
    ptl_oter *oter_of = realloc(d->oter_of, room * sizeof *oter_of);
    if (!oter_of)
        return error_nomem(err);
    for (size_t i = d->oter_of_room; i < room; i++)
        oter_of[i] = CAT_NONE;
    d->oter_of = oter_of;
    d->oter_of_room = room;
    return PTL_OK;
}

/* Finds the catalogue's oter for each number of the file: only for new numbers, or for all of
 * them if another catalogue was used before. */
static ptl_status connect_catalogue(struct dictionary *d, const catalogue *cat, ptl_error *err)
{
    TRY(reserve_oters(d, err));
    if (!d->number_of || d->cat_count != catalogue_all_oters(cat) ||
        strcmp(d->cat_digest, cat->digest) != 0) {
        uint32_t *numbers = calloc(catalogue_all_oters(cat) + 1, sizeof *numbers);
        if (!numbers)
            return error_nomem(err);
        free(d->number_of);
        d->number_of = numbers;
        d->cat_count = catalogue_all_oters(cat);
        memcpy(d->cat_digest, cat->digest, sizeof d->cat_digest);
        for (size_t i = 0; i < d->oter_of_room; i++)
            d->oter_of[i] = CAT_NONE;
        d->connected = 0;
    }
    if (d->connected == d->oters.size)
        return PTL_OK;
    d->connected = d->oters.size;
    uint32_t next = 1;
    for (size_t i = 0; i < catalogue_all_oters(cat) && d->oters.size > 1; i++) {
        /* Mostly the file numbers oters in the catalogue's order, so the number after that of
         * the previous oter is tried first. */
        const name_table *oters = &d->oters;
        const char *id = cat->oters[i].id;
        const bool is_next =
            next > 0 && next < oters->size && strcmp(oters->names[next], id) == 0;
        const uint32_t number = is_next ? next : strmap_get(&oters->numbers, id);
        if (number == STRMAP_NONE)
            continue;
        next = number + 1;
        d->number_of[i] = number;
        d->oter_of[number] = (ptl_oter)i;
    }
    return PTL_OK;
}

static ptl_status refresh_for(ptl_store *store, const catalogue *cat, ptl_error *err)
{
    TRY(dictionary_refresh(store, err));
    return connect_catalogue(store->dictionary, cat, err);
}

static ptl_status add_oter(struct dictionary *d, const catalogue *cat, ptl_oter oter,
                           ptl_error *err)
{
    size_t number = d->oters.size;
    TRY(name_table_add(&d->oters, cat->oters[oter].id, err));
    TRY(reserve_oters(d, err));
    d->number_of[oter] = (uint32_t)number;
    d->oter_of[number] = oter;
    d->connected = d->oters.size;
    return PTL_OK;
}

/* Writes the rows of all names that were added to the cache. */
static ptl_status name_table_write(name_table *t, ptl_store *store, ptl_error *err)
{
    row_inserter in = {store, t->id, .left = t->size - t->written};
    for (; t->written < t->size; t->written++) {
        row_value row[NAME_COLUMN_COUNT];
        TRY(make_row(row, t, (int64_t)t->written, t->names[t->written], err));
        TRY(row_insert_next(&in, row, err));
    }
    return PTL_OK;
}

ptl_status dictionary_numbers(ptl_store *store, const catalogue *cat, const ptl_oter *oters,
                              size_t count, uint32_t *numbers, ptl_error *err)
{
    ptl_status status = make_dictionary(store, err);
    THEN(status, connect_catalogue(store->dictionary, cat, err));
    bool fresh = false;
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        /* The catalogue has this oter only because another content had it, so it must not be
         * placed. */
        if (oters[i] >= cat->oter_count) {
            status = error_set(err, PTL_ERR_INTERNAL, "oter %u is not in the catalogue",
                               (unsigned)oters[i]);
            break;
        }
        if (store->dictionary->number_of[oters[i]] == 0 && !fresh) {
            status = refresh_for(store, cat, err);
            fresh = true;
        }
        /* name_table_write will write the row of an added oter. */
        if (status == PTL_OK && store->dictionary->number_of[oters[i]] == 0)
            status = add_oter(store->dictionary, cat, oters[i], err);
        if (status == PTL_OK)
            numbers[i] = store->dictionary->number_of[oters[i]];
    }
    THEN(status, name_table_write(&store->dictionary->oters, store, err));
    if (status != PTL_OK)
        dictionary_forget(store); /* the cache may have names whose rows were not written */
    return status;
}

ptl_status dictionary_map(ptl_store *store, const catalogue *cat, const ptl_oter **map,
                          size_t *count, ptl_error *err)
{
    TRY(refresh_for(store, cat, err));
    *map = store->dictionary->oter_of;
    *count = store->dictionary->oters.size;
    return PTL_OK;
}

static const char *text_of(const name_table *t, uint32_t number)
{
    return number > 0 && number < t->size ? t->names[number] : NULL;
}

const char *dictionary_name(const void *store, uint32_t number)
{
    const ptl_store *s = store;
    return s->dictionary ? text_of(&s->dictionary->oters, number) : NULL;
}

uint32_t dictionary_number(const ptl_store *store, const char *name)
{
    if (!store->dictionary)
        return 0;
    const uint32_t number = strmap_get(&store->dictionary->oters.numbers, name);
    return number == STRMAP_NONE ? 0 : number;
}

ptl_status dictionary_unknown(const ptl_store *store, uint32_t number, ptl_error *err)
{
    const char *name = dictionary_name(store, number);
    return error_set(err, PTL_ERR_MISMATCH, "the content has no overmap terrain '%s'",
                     name ? name : "?");
}

size_t dictionary_size(const ptl_store *store)
{
    return store->dictionary ? store->dictionary->oters.size : 1;
}

/* ---- table name: numbers for ids and texts that are not oters ---- */

ptl_status names_refresh(ptl_store *store, ptl_error *err)
{
    return refresh(store, true, err);
}

ptl_status names_numbers(ptl_store *store, const char *const *names, size_t count,
                         uint32_t *numbers, ptl_error *err)
{
    ptl_status status = make_dictionary(store, err);
    bool fresh = false;
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        if (i > 0 && names[i] == names[i - 1]) {
            numbers[i] = numbers[i - 1];
            continue;
        }
        numbers[i] = strmap_get(&store->dictionary->names.numbers, names[i]);
        if (numbers[i] != STRMAP_NONE)
            continue;
        if (!fresh) {
            status = names_refresh(store, err);
            fresh = true;
            if (status == PTL_OK)
                numbers[i] = strmap_get(&store->dictionary->names.numbers, names[i]);
        }
        if (status != PTL_OK || numbers[i] != STRMAP_NONE)
            continue;
        numbers[i] = (uint32_t)store->dictionary->names.size;
        status = name_table_add(&store->dictionary->names, names[i], err);
    }

    THEN(status, name_table_write(&store->dictionary->names, store, err));
    if (status != PTL_OK)
        dictionary_forget(store); /* the cache may have names whose rows were not written */
    return status;
}

ptl_status names_put_pack(bytes *out, ptl_store *store, const encoded_pack *pack,
                          ptl_error *err)
{
    if (pack->count == 0)
        return PTL_OK;
    uint32_t *numbers = malloc((pack->name_count + 1) * sizeof *numbers);
    if (!numbers)
        return error_nomem(err);
    ptl_status status = PTL_OK;
    if (pack->name_count > 0)
        status = names_numbers(store, pack->names, pack->name_count, numbers, err);
    if (status == PTL_OK)
        pack_blob_build(out, pack, numbers);
    free(numbers);
    return status == PTL_OK && out->failed ? error_nomem(err) : status;
}

const char *names_text(const void *store, uint32_t number)
{
    const ptl_store *s = store;
    return s->dictionary ? text_of(&s->dictionary->names, number) : NULL;
}

size_t names_size(const ptl_store *store)
{
    return store->dictionary ? store->dictionary->names.size : 1;
}
