/* The contract's operations on the content of a transient store: see held.h. An import fills a
 * content of its own (store->held.next), which takes the place of the present one at its end.
 */
#include "store/sqlite/held/held.h"

#include "core/error.h"
#include "store/catalogue/catalogue_rows.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/held/held_rows.h"

#include <stdlib.h>
#include <string.h>

/* Columns of CONTENT_FILES, CONTENT_OBJECTS and CONTENT_NAMES. */
enum { FILE_CONTENT, FILE_PACK, FILE_PATH, FILE_SIZE, FILE_TEXTS };
enum { OBJECT_FILE, OBJECT_TYPE, OBJECT_START, OBJECT_SIZE, OBJECT_LINE };
enum { NAME_NAME, NAME_OBJECT, NAME_KEY };

/* ---- importing ---- */

typedef struct part {
    ptl_store *store; /* borrowed */
    content_part which;
} part;

ptl_status held_part_open(void **out, ptl_store *store, content_part which, ptl_error *err)
{
    part *p = malloc(sizeof *p);
    if (!p)
        return error_nomem(err);
    *p = (part){store, which};
    *out = p;
    return PTL_OK;
}

void held_part_close(void *payload)
{
    free(payload);
}

ptl_status held_part_add(int64_t *number, void *payload, const content_value *values, int count,
                         ptl_error *err)
{
    enum { ROUNDS = 1024 };
    const part *p = payload;
    held_content *h = p->store->held.next;
    if (!held_add(h, p->which, values, count))
        return error_nomem(err);
    *number = (int64_t)h->parts[p->which].count;
    return *number % ROUNDS == 0 && sqlite_stopped(p->store)
               ? error_set(err, PTL_ERR_CANCELLED, "stopped")
               : PTL_OK;
}

ptl_status held_clear(ptl_store *store, int64_t content_id, ptl_error *err)
{
    held_free(store->held.next);
    store->held.next = held_new(content_id);
    return store->held.next ? PTL_OK : error_nomem(err);
}

ptl_status held_keep(ptl_store *store, ptl_error *err)
{
    uint64_t users = 0;
    TRY(stmt_count(&users, store,
                   "SELECT (SELECT count(*) FROM world) + (SELECT count(*) FROM sweep)", NULL,
                   0, err));
    return users == 0 ? PTL_OK
                      : error_set(err, PTL_ERR_UNSUPPORTED,
                                  "a transient store keeps no earlier content, but has worlds "
                                  "or sweeps of it: use another store");
}

ptl_status held_seal(ptl_store *store, ptl_error *err)
{
    if (!held_finish(store->held.next))
        return error_nomem(err);
    held_free(store->held.present);
    store->held.present = store->held.next;
    store->held.next = NULL;
    return PTL_OK;
}

ptl_status held_check(ptl_store *store, content_problem_fn *found, void *payload,
                      ptl_error *err)
{
    (void)store, (void)found, (void)payload, (void)err;
    return PTL_OK;
}

void held_close(ptl_store *store)
{
    held_free(store->held.present);
    held_free(store->held.next);
    sqlite_close(store);
}

/* ---- reading ---- */

/* Finds the present content. *out is NULL if there is none, or if the import that made it was
 * rolled back after all. */
static ptl_status find_present(held_content **out, ptl_store *store, ptl_error *err)
{
    int64_t id = 0;
    *out = NULL;
    TRY(sqlite_content_current(&id, store, err));
    if (store->held.present && store->held.present->id == id)
        *out = store->held.present;
    return PTL_OK;
}

static ptl_status count_rows(size_t *out, void *payload, content_part which, ptl_error *err)
{
    (void)err;
    *out = ((const held_content *)payload)->parts[which].count;
    return PTL_OK;
}

static ptl_status visit_rows(void *payload, const content_query *query,
                             content_row_visit *visit, void *to, ptl_error *err)
{
    return held_visit(payload, query, visit, to, err);
}

/* A row of a part, by the number that another row gives; NULL: there is no such row. */
static const content_value *row_of(const held_content *h, content_part which, int64_t number)
{
    const held_part *p = &h->parts[which];
    return number >= 1 && (uint64_t)number <= p->count ? held_row(p, (size_t)number - 1) : NULL;
}

static ptl_status lost_row(ptl_error *err)
{
    return error_set(err, PTL_ERR_INTERNAL, "a kept object's row is not there");
}

static ptl_status visit_kept(void *payload, const kept_query *query, kept_object_visit *visit,
                             void *to, ptl_error *err)
{
    held_content *h = payload;
    size_t count;
    const content_value *const *names = held_named(&count, h, query->name);
    ptl_status status = names ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const content_value *o = row_of(h, CONTENT_OBJECTS, value_int(names[i], NAME_OBJECT));
        const content_value *f = o ? row_of(h, CONTENT_FILES, value_int(o, OBJECT_FILE)) : NULL;
        if (!f)
            return lost_row(err);
        if (strcmp(value_text(names[i], NAME_KEY), query->key) != 0 ||
            strcmp(value_text(o, OBJECT_TYPE), query->type) != 0)
            continue;
        const kept_object object = {.file = value_int(o, OBJECT_FILE),
                                    .path = value_text(f, FILE_PATH),
                                    .size = value_int(f, FILE_SIZE),
                                    .is_plain = true,
                                    .texts = f[FILE_TEXTS].data,
                                    .texts_size = f[FILE_TEXTS].size,
                                    .start = value_int(o, OBJECT_START),
                                    .length = value_int(o, OBJECT_SIZE)};
        status = visit(to, &object, err);
    }
    return status;
}

static ptl_status load(catalogue **out, ptl_store *store, ptl_error *err)
{
    held_content *h;
    row_source source = {.count = count_rows, .visit = visit_rows, .kept = visit_kept};
    *out = NULL;
    TRY(find_present(&h, store, err));
    if (!h)
        return error_set(err, PTL_ERR_CONTENT, "the store has no content yet: import some");
    if (h->spare) {
        *out = h->spare;
        h->spare = NULL;
        return PTL_OK;
    }
    source.payload = h;
    source.content_id = h->id;
    TRY(sqlite_content_digest(source.digest, store, h->id, err));
    return catalogue_from_rows(out, &source, err);
}

/* All chunks of the store were made with the present content (held_keep), so its catalogue has
 * all oters of theirs. */
static ptl_status load_for(catalogue **out, ptl_store *store, int64_t content_id, bool current,
                           ptl_error *err)
{
    (void)content_id, (void)current;
    return load(out, store, err);
}

/* A new world is opened next, and needs a catalogue. */
static void unload(ptl_store *store, catalogue *cat)
{
    held_content *h = store->held.present;
    if (h && h->id == cat->content_id && !h->spare)
        h->spare = cat;
    else
        catalogue_free(cat);
}

static ptl_status check_loaded(ptl_store *store, ptl_error *err)
{
    return held_check(store, NULL, NULL, err);
}

static ptl_status row_visit(ptl_store *store, int64_t content_id, const content_query *query,
                            content_row_visit *visit, void *payload, ptl_error *err)
{
    held_content *h;
    TRY(find_present(&h, store, err));
    return h && (content_id == 0 || content_id == h->id)
               ? held_visit(h, query, visit, payload, err)
               : PTL_OK;
}

/* What a visit of packs, kept objects or definitions needs besides the rows. */
typedef struct visiting {
    pack_visit *pack;
    definition_visit *definition;
    ptl_content_kind kind;
    void *payload;
} visiting;

static ptl_status give_pack(void *payload, const content_value *values, ptl_error *err)
{
    const visiting *v = payload;
    const pack_row pack = {.id = value_text(values, 0),
                           .own = value_text(values, 1)[0] == '\0',
                           .directory = value_text(values, 1)};
    return v->pack(v->payload, &pack, err);
}

static ptl_status held_pack_visit(ptl_store *store, int64_t content_id, pack_visit *visit,
                                  void *payload, ptl_error *err)
{
    static const content_query query = {CONTENT_PACKS, "id, directory", "position"};
    visiting v = {.pack = visit, .payload = payload};
    return row_visit(store, content_id, &query, give_pack, &v, err);
}

static ptl_status give_definition(void *payload, const content_value *values, ptl_error *err)
{
    const visiting *v = payload;
    const definition_row row = {v->kind, value_text(values, 0), value_int(values, 1)};
    return v->definition(v->payload, &row, err);
}

static ptl_status held_definition_visit(ptl_store *store, int64_t content_id,
                                        definition_visit *visit, void *payload, ptl_error *err)
{
    static const struct {
        ptl_content_kind kind;
        content_part part;
    } parts[] = {{PTL_CONTENT_TERRAIN, CONTENT_TERRAINS},
                 {PTL_CONTENT_SPECIAL, CONTENT_SPECIALS},
                 {PTL_CONTENT_REGION, CONTENT_REGIONS}};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == PTL_OK; i++) {
        const content_query query = {parts[i].part, "id, pack", "id"};
        visiting v = {.definition = visit, .kind = parts[i].kind, .payload = payload};
        status = row_visit(store, content_id, &query, give_definition, &v, err);
    }
    return status;
}

/* ---- kept objects ---- */

static ptl_status give_kept(const held_content *h, int64_t number, const char *const *types,
                            kept_text_visit *visit, void *payload, ptl_error *err)
{
    const content_value *o = row_of(h, CONTENT_OBJECTS, number);
    const content_value *f = o ? row_of(h, CONTENT_FILES, value_int(o, OBJECT_FILE)) : NULL;
    if (!f)
        return lost_row(err);
    if (!content_past_lists(value_text(o, OBJECT_TYPE), types))
        return PTL_OK;
    const kept_row row = {.number = number,
                          .type = value_text(o, OBJECT_TYPE),
                          .path = value_text(f, FILE_PATH),
                          .line = value_int(o, OBJECT_LINE),
                          .text = (const char *)f[FILE_TEXTS].data + value_int(o, OBJECT_START),
                          .size = (size_t)value_int(o, OBJECT_SIZE)};
    return visit(payload, &row, err);
}

static ptl_status held_kept_visit(ptl_store *store, const kept_text_query *query,
                                  kept_text_visit *visit, void *payload, ptl_error *err)
{
    held_content *h;
    size_t count = 0;
    TRY(find_present(&h, store, err));
    if (!h)
        return PTL_OK;
    const content_value *const *names = NULL;
    if (query->name && !(names = held_named(&count, h, query->name)))
        return error_nomem(err);
    ptl_status status = PTL_OK;
    const size_t all = query->name ? count : h->parts[CONTENT_OBJECTS].count;
    for (size_t i = 0; i < all && status == PTL_OK; i++) {
        const int64_t number = names ? value_int(names[i], NAME_OBJECT) : (int64_t)i + 1;
        /* An object may have the same name under several keys. */
        if (names && i > 0 && number == value_int(names[i - 1], NAME_OBJECT))
            continue;
        status = give_kept(h, number, query->types, visit, payload, err);
    }
    return status;
}

const content_operations held_contents = {.load = load,
                                          .load_for = load_for,
                                          .unload = unload,
                                          .check_loaded = check_loaded,
                                          .current = sqlite_content_current,
                                          .digest = sqlite_content_digest,
                                          .pack_visit = held_pack_visit,
                                          .kept_stay = true,
                                          .kept_visit = held_kept_visit,
                                          .definition_visit = held_definition_visit,
                                          .visit = sqlite_content_visit,
                                          .row_visit = row_visit};
