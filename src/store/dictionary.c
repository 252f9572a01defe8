/*
 * The dictionary only ever grows, so the cache is read once and then extended by what is new.
 * Numbers run from 1 without gaps: the next one is the cache's size, under the write lock.
 */
#include "store/dictionary.h"

#include "content/catalogue.h"
#include "core/arena.h"
#include "core/error.h"
#include "store/kept.h"
#include "store/rowsum.h"
#include "store/store_impl.h"

#include <stdlib.h>
#include <string.h>

struct dictionary {
    arena *arena;       /* the names */
    strmap numbers;     /* name -> number */
    const char **names; /* by number; index 0 unused */
    size_t size, capacity;
    /* The catalogue used last. Known by digest, not by address: it may be freed before us. */
    char cat_digest[65];
    size_t cat_count;
    size_t connected;    /* names below this number have been looked up in the catalogue */
    uint32_t *number_of; /* catalogue oter -> number, 0 unknown */
    ptl_oter *oter_of;   /* number -> catalogue oter; same capacity as names */
    bytes sum;
};

void dictionary_forget(ptl_store *store)
{
    struct dictionary *d = store->dictionary;
    if (!d)
        return;
    strmap_dispose(&d->numbers);
    arena_free(d->arena);
    free(d->names);
    free(d->number_of);
    free(d->oter_of);
    bytes_dispose(&d->sum);
    free(d);
    store->dictionary = NULL;
}

static ptl_status make_dictionary(ptl_store *store, ptl_error *err)
{
    if (store->dictionary)
        return PTL_OK;
    struct dictionary *d = calloc(1, sizeof *d);
    if (!d)
        return error_nomem(err);
    store->dictionary = d;
    strmap_init(&d->numbers);
    bytes_init(&d->sum);
    d->size = 1;
    d->arena = arena_new();
    return d->arena ? PTL_OK : error_nomem(err);
}

static bool grow(struct dictionary *d)
{
    if (d->size < d->capacity)
        return true;
    size_t capacity = d->capacity ? d->capacity * 2 : 256;
    const char **names = realloc(d->names, capacity * sizeof *names);
    if (names)
        d->names = names;
    ptl_oter *oter_of = realloc(d->oter_of, capacity * sizeof *oter_of);
    if (oter_of)
        d->oter_of = oter_of;
    if (!names || !oter_of)
        return false;
    if (d->capacity == 0) {
        d->names[0] = NULL;
        d->oter_of[0] = CAT_NONE;
    }
    d->capacity = capacity;
    return true;
}

/* Appends a name to the cache as the next number. */
static ptl_status remember(struct dictionary *d, const char *name, ptl_error *err)
{
    char *copy = arena_strdup(d->arena, name);
    if (!copy || !grow(d) || strmap_put(&d->numbers, copy, (uint32_t)d->size) != 0)
        return error_nomem(err);
    d->names[d->size] = copy;
    d->oter_of[d->size] = CAT_NONE;
    d->size++;
    return PTL_OK;
}

static ptl_status name_checksum(struct dictionary *d, int64_t number, const char *name,
                                int64_t *out, ptl_error *err)
{
    rowsum_begin(&d->sum, "oter");
    rowsum_int(&d->sum, number);
    rowsum_text(&d->sum, name);
    return rowsum_end(&d->sum, out, err);
}

static ptl_status remember_row(struct dictionary *d, const stmt *s, ptl_error *err)
{
    int64_t number = stmt_int(s, 0), sum = 0;
    const char *name = stmt_text(s, 1);
    ptl_status status = name_checksum(d, number, name, &sum, err);
    if (status != PTL_OK)
        return status;
    if (sum != stmt_int(s, 2) || strmap_get(&d->numbers, name) != STRMAP_NONE)
        return error_set(err, PTL_ERR_CORRUPT, "oter dictionary: row %lld is damaged",
                         (long long)number);
    if (number != (int64_t)d->size)
        return error_set(err, PTL_ERR_CORRUPT, "oter dictionary: number %zu is missing",
                         d->size);
    return remember(d, name, err);
}

ptl_status dictionary_refresh(ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = make_dictionary(store, err);
    if (status == PTL_OK)
        status = kept_stmt(&s, store, KEPT_OTER_READ, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, (int64_t)store->dictionary->size);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = remember_row(store->dictionary, s, err);
    }
    stmt_reset(s);
    if (status != PTL_OK)
        dictionary_forget(store); /* never keep one that was read in part */
    return status;
}

/* Looks up the names that are new, or all of them after another catalogue was in use. */
static ptl_status connect_catalogue(struct dictionary *d, const catalogue *cat, ptl_error *err)
{
    if (d->number_of && d->cat_count == cat->oter_count &&
        strcmp(d->cat_digest, cat->digest) == 0) {
        if (d->connected == d->size)
            return PTL_OK;
    } else {
        uint32_t *numbers = calloc(cat->oter_count + 1, sizeof *numbers);
        if (!numbers)
            return error_nomem(err);
        free(d->number_of);
        d->number_of = numbers;
        d->cat_count = cat->oter_count;
        memcpy(d->cat_digest, cat->digest, sizeof d->cat_digest);
        for (size_t i = 0; i < d->size && d->oter_of; i++)
            d->oter_of[i] = CAT_NONE;
    }
    d->connected = d->size;
    for (size_t i = 0; i < cat->oter_count && d->size > 1 && d->oter_of; i++) {
        uint32_t number = strmap_get(&d->numbers, cat->oters[i].id);
        if (number == STRMAP_NONE)
            continue;
        d->number_of[i] = number;
        d->oter_of[number] = (ptl_oter)i;
    }
    return PTL_OK;
}

static ptl_status refresh_for(ptl_store *store, const catalogue *cat, ptl_error *err)
{
    ptl_status status = dictionary_refresh(store, err);
    if (status == PTL_OK)
        status = connect_catalogue(store->dictionary, cat, err);
    return status;
}

static ptl_status add_name(ptl_store *store, const catalogue *cat, ptl_oter oter,
                           ptl_error *err)
{
    struct dictionary *d = store->dictionary;
    stmt *s = NULL;
    int64_t sum = 0;
    uint32_t number = (uint32_t)d->size;
    const char *name = cat->oters[oter].id;
    ptl_status status = name_checksum(d, number, name, &sum, err);
    if (status == PTL_OK)
        status = kept_stmt(&s, store, KEPT_OTER_INSERT, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, number);
    stmt_bind_text(s, 2, name);
    stmt_bind_int(s, 3, sum);
    status = stmt_run(s, err);
    if (status == PTL_OK)
        status = remember(d, name, err);
    if (status == PTL_OK) {
        d->number_of[oter] = number;
        d->oter_of[number] = oter;
        d->connected = d->size;
    }
    return status;
}

ptl_status dictionary_numbers(ptl_store *store, const catalogue *cat, const ptl_oter *oters,
                              size_t count, uint32_t *numbers, ptl_error *err)
{
    ptl_status status = make_dictionary(store, err);
    if (status == PTL_OK)
        status = connect_catalogue(store->dictionary, cat, err);
    bool fresh = false;
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        if (oters[i] >= cat->oter_count)
            return error_set(err, PTL_ERR_INTERNAL, "oter %u is not in the catalogue",
                             (unsigned)oters[i]);
        if (store->dictionary->number_of[oters[i]] == 0 && !fresh) {
            status = refresh_for(store, cat, err);
            fresh = true;
        }
        if (status == PTL_OK && store->dictionary->number_of[oters[i]] == 0)
            status = add_name(store, cat, oters[i], err);
        if (status == PTL_OK)
            numbers[i] = store->dictionary->number_of[oters[i]];
    }
    return status;
}

ptl_status dictionary_map(ptl_store *store, const catalogue *cat, const ptl_oter **map,
                          size_t *count, ptl_error *err)
{
    ptl_status status = refresh_for(store, cat, err);
    if (status == PTL_OK) {
        *map = store->dictionary->oter_of;
        *count = store->dictionary->size;
    }
    return status;
}

const char *dictionary_name(const ptl_store *store, uint32_t number)
{
    const struct dictionary *d = store->dictionary;
    return d && number > 0 && number < d->size ? d->names[number] : NULL;
}

size_t dictionary_size(const ptl_store *store)
{
    return store->dictionary ? store->dictionary->size : 1;
}
