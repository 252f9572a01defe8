/* Lists how the present content differs from an earlier one: which definitions were added,
 * removed or changed. Two definitions are equal if the rows of the file that describe them
 * are. */
#include "core/hash.h"
#include "portolan/catalogue.h"
#include "portolan/lists.h"
#include "store/content_store.h"
#include "world/lists/listing.h"

#include <string.h>

/* One part of the content's rows, and the kind of definition that it belongs to. The parts of
 * a kind follow each other. The first one has a row for each definition; in all of them the
 * first column is the definition's id. */
typedef struct change_part {
    const char *kind;
    content_part part;
} change_part;

static const change_part parts[] = {
    {"connection", CONTENT_CONNECTIONS},
    {"connection", CONTENT_SUBTYPES},
    {"connection", CONTENT_SUBTYPE_LOCATIONS},
    {"location", CONTENT_LOCATIONS},
    {"location", CONTENT_LOCATION_TERRAINS},
    {"region", CONTENT_REGIONS},
    {"region", CONTENT_REGION_NUMBERS},
    {"region", CONTENT_REGION_LEVELS},
    {"region", CONTENT_REGION_BLOCKS},
    {"region", CONTENT_REGION_BUILDINGS},
    {"region", CONTENT_REGION_FLAGS},
    {"special", CONTENT_SPECIALS},
    {"special", CONTENT_SPECIAL_FLAG},
    {"special", CONTENT_SPECIAL_LOCATION},
    {"special", CONTENT_SPECIAL_CONNECTION},
    {"special", CONTENT_SPECIAL_NESTED},
    {"special", CONTENT_SPECIAL_OMT},
    {"special", CONTENT_SPECIAL_OMT_LOCATION},
    {"special", CONTENT_SPECIAL_JOIN},
    {"special", CONTENT_SPECIAL_JOIN_LOCATION},
    {"special", CONTENT_SPECIAL_PIECE},
    {"special", CONTENT_SPECIAL_PIECE_LOCATION},
    {"special", CONTENT_SPECIAL_PIECE_SIDE},
    {"special", CONTENT_SPECIAL_PIECE_ALTERNATIVE},
    {"special", CONTENT_SPECIAL_PIECE_CONNECTION},
    {"special", CONTENT_SPECIAL_CHECK},
    {"special", CONTENT_SPECIAL_CHECK_LOCATION},
    {"special", CONTENT_SPECIAL_SHARED},
    {"special", CONTENT_SPECIAL_PHASE_RULE},
    {"special", CONTENT_SPECIAL_PHASE_RULE_PIECE},
    {"terrain", CONTENT_TERRAINS},
    {"terrain", CONTENT_TERRAIN_FLAGS},
};
enum { PARTS = sizeof parts / sizeof *parts, COLUMNS_SIZE = 1200 };

/* One definition of one content. sum adds up the hashes of its rows, so their order does not
 * matter. */
typedef struct definition {
    const char *kind, *id;
    uint64_t sum;
} definition;

typedef struct change_reading {
    ptl_store *store;
    listing now, before, changes;
    listing *to;
    const change_part *part;
    int columns;        /* number of columns that the rows of `part` are read with */
    const char *digest; /* of the earlier content */
} change_reading;

/* Lists the columns that are compared. Pack, file and line of a definition are left out: a
 * definition that only moved has not changed. */
static int find_columns(char out[COLUMNS_SIZE], const char *all)
{
    int count = 0;
    size_t size = 0;
    for (size_t length; *all; all += length + strspn(all + length, ", ")) {
        length = strcspn(all, ",");
        if (strncmp(all, "pack", length) == 0 || strncmp(all, "file", length) == 0 ||
            strncmp(all, "line", length) == 0)
            continue;
        memcpy(out + size, ", ", 2 * (count > 0));
        size += 2 * (size_t)(count > 0);
        memcpy(out + size, all, length);
        size += length;
        count++;
    }
    out[size] = '\0';
    return count;
}

static uint64_t hash_value(uint64_t key, const content_value *v)
{
    uint64_t bits = 0;
    switch (v->type) {
    case PTL_VALUE_INTEGER:
        return hash_add(key, (uint64_t)v->integer);
    case PTL_VALUE_REAL:
        memcpy(&bits, &v->real, sizeof bits);
        return hash_add(key, bits);
    case PTL_VALUE_TEXT:
        return hash_add(key, hash_string(v->data));
    case PTL_VALUE_BLOB:
        return hash_add(key, hash_bytes(v->data, v->size));
    default:
        return hash_add(key, 0);
    }
}

static ptl_status on_row(void *payload, const content_value *row, ptl_error *err)
{
    change_reading *r = payload;
    definition d = {.kind = r->part->kind, .id = value_text(row, 0)};
    uint64_t sum = hash_string(content_forms[r->part->part].table);
    for (int i = 1; i < r->columns; i++)
        sum = hash_value(hash_add(sum, row[i].type), &row[i]);
    d.sum = sum;
    return listing_put(r->to, &d, (const char **const[]){&d.id, NULL}, err);
}

static int by_id(const void *pa, const void *pb)
{
    const definition *a = pa, *b = pb;
    const int order = strcmp(a->kind, b->kind);
    return order ? order : strcmp(a->id, b->id);
}

static ptl_status read_content(change_reading *r, listing *to, int64_t content, ptl_error *err)
{
    char columns[COLUMNS_SIZE];
    ptl_status status = PTL_OK;
    r->to = to;
    for (r->part = parts; r->part < parts + PARTS && status == PTL_OK; r->part++) {
        r->columns = find_columns(columns, content_forms[r->part->part].columns);
        const content_query query = {r->part->part, columns, ""};
        status = store_content_row_visit_of(r->store, content, &query, on_row, r, err);
    }
    /* All rows of a definition stand next to each other now: their sums are added up. */
    size_t kept = 0;
    listing_sort(to, by_id);
    for (size_t i = 0; i < to->count; i++) {
        definition *d = listing_at(to, i), *last = kept > 0 ? listing_at(to, kept - 1) : NULL;
        if (last && by_id(last, d) == 0)
            last->sum += d->sum;
        else
            *(definition *)listing_at(to, kept++) = *d;
    }
    to->count = kept;
    return status;
}

/* ---- the earlier contents ---- */

typedef struct former {
    int64_t id;
    const char *digest, *imported_at;
} former;

static ptl_status on_content(void *payload, const content_row *row, ptl_error *err)
{
    listing *l = payload;
    former f = {row->id, row->digest, row->imported_at};
    if (row->current)
        return PTL_OK;
    return listing_put(l, &f, (const char **const[]){&f.digest, &f.imported_at, NULL}, err);
}

static int last_first(const void *pa, const void *pb)
{
    const former *a = pa, *b = pb;
    const int order = strcmp(b->imported_at, a->imported_at);
    return order ? order : (a->id < b->id) - (a->id > b->id);
}

/* ---- what differs ---- */

static ptl_status compare(change_reading *r, ptl_error *err)
{
    size_t i = 0, k = 0;
    while (i < r->before.count || k < r->now.count) {
        const definition *a = i < r->before.count ? listing_at(&r->before, i) : NULL;
        const definition *b = k < r->now.count ? listing_at(&r->now, k) : NULL;
        const int order = a && b ? by_id(a, b) : a ? -1 : 1;
        const char *change = order < 0 ? "removed" : order > 0 ? "added" : "changed";
        const definition *d = order > 0 ? b : a;
        const ptl_content_change c = {sizeof c, d->kind, d->id, change, r->digest};
        if (order != 0 || a->sum != b->sum)
            TRY(listing_add(&r->changes, &c, err));
        i += order <= 0;
        k += order >= 0;
    }
    return PTL_OK;
}

static ptl_status read_all(void *payload, ptl_error *err)
{
    change_reading *r = payload;
    /* Compares with the last imported content whose definitions the file still has. */
    listing all;
    ptl_status status = listing_begin(&all, sizeof(former), err);
    THEN(status, store_content_visit(r->store, on_content, &all, err));
    listing_sort(&all, last_first);
    for (size_t i = 0; i < all.count && status == PTL_OK && r->before.count == 0; i++) {
        const former *f = listing_at(&all, i);
        status = read_content(r, &r->before, f->id, err);
        r->digest = f->digest;
    }
    if (status == PTL_OK && r->before.count > 0)
        status = listing_keep(&r->changes, &r->digest, err);
    listing_end(&all);
    TRY(status);
    if (r->before.count > 0)
        TRY(read_content(r, &r->now, 0, err));
    return r->before.count > 0 ? compare(r, err) : PTL_OK;
}

ptl_status ptl_content_change_list(ptl_store *store,
                                   bool (*on_change)(void *payload,
                                                     const ptl_content_change *change),
                                   void *payload, ptl_error *err)
{
    change_reading r = {.store = store};
    error_clear(err);
    ptl_status status = listing_begin(&r.now, sizeof(definition), err);
    THEN(status, listing_begin(&r.before, sizeof(definition), err));
    THEN(status, listing_begin(&r.changes, sizeof(ptl_content_change), err));
    THEN(status, listing_snapshot(store, read_all, &r, err));
    LISTING_GIVE(status, &r.changes, ptl_content_change, on_change, payload, err);
    listing_end(&r.now);
    listing_end(&r.before);
    return status;
}

/* ---- what the content lacks ---- */

typedef struct lacking_reading {
    ptl_store *store;
    listing list; /* of const char * */
} lacking_reading;

static ptl_status add_lacking(lacking_reading *r, const catalogue *cat, ptl_error *err)
{
    for (size_t i = 0; i < ptl_catalogue_count(cat, PTL_CONTENT_OTER); i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        TRY(ptl_catalogue_oter(&t, cat, i));
        if (t.past != 0)
            TRY(listing_put(&r->list, &t.id, (const char **const[]){&t.id, NULL}, err));
    }
    return PTL_OK;
}

static ptl_status read_lacking(void *payload, ptl_error *err)
{
    lacking_reading *r = payload;
    catalogue *cat = NULL;
    int64_t current = 0;
    ptl_status status = store_content_current(&current, r->store, err);
    if (status == PTL_OK && current != 0)
        status = store_catalogue_load_for(&cat, r->store, current, true, err);
    if (status == PTL_OK && cat)
        status = add_lacking(r, cat, err);
    catalogue_free(cat);
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

ptl_status ptl_lacking_terrain_list(ptl_store *store,
                                    bool (*on_terrain)(void *payload, const char *id),
                                    void *payload, ptl_error *err)
{
    lacking_reading r = {.list = LISTING(const char *, read_lacking, by_text), .store = store};
    ptl_status status = listing_fill(&r.list, store, &r, err);
    for (size_t i = 0; status == PTL_OK && i < r.list.count; i++)
        if (!on_terrain(payload, *(const char **)listing_at(&r.list, i)))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    listing_end(&r.list);
    return status;
}
