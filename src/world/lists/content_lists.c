/* Lists the contents of a file, the packs of the present one, and what that defines. */
#include "gen/plan/plan.h"
#include "portolan/lists.h"
#include "store/content_store.h"
#include "world/lists/listing.h"

#include <string.h>

/* Reads rows of one part of the content, or contents, into a list. */
typedef struct reading {
    ptl_store *store;
    const content_query *query;
    content_row_visit *keep; /* its payload is this struct */
    int64_t current;         /* id of the present content; 0: the file has none */
    listing list;
    const char *default_region; /* borrowed from the list's texts */
} reading;

static ptl_status read_rows(void *payload, ptl_error *err)
{
    reading *r = payload;
    TRY(store_content_current(&r->current, r->store, err));
    return r->current == 0 ? PTL_OK
                           : store_content_row_visit(r->store, r->query, r->keep, r, err);
}

/* Copies a text value of a row into the list's own texts. */
static ptl_status keep_text(reading *r, const char **out, const content_value *row, int column,
                            ptl_error *err)
{
    *out = value_text(row, column);
    return listing_keep(&r->list, out, err);
}

/* ---- contents ---- */

static ptl_status keep_content(void *payload, const content_row *row, ptl_error *err)
{
    reading *r = payload;
    ptl_content_info c = {.size = sizeof c,
                          .digest = row->digest,
                          .imported_at = row->imported_at,
                          .lenient = row->lenient,
                          .is_current = row->current,
                          .game = "",
                          .version = "",
                          .placement = PTL_PLACEMENT_QUOTA};
    if (row->current)
        r->current = row->id;
    return listing_put(&r->list, &c, (const char **const[]){&c.digest, &c.imported_at, NULL},
                       err);
}

static ptl_status keep_game(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < r->list.count && status == PTL_OK; i++) {
        ptl_content_info *c = listing_at(&r->list, i);
        if (!c->is_current || value_int(row, 0) != r->current)
            continue;
        status = keep_text(r, &c->game, row, 1, err);
        THEN(status, keep_text(r, &c->version, row, 2, err));
        if (strcmp(value_text(row, 3), "sectors") == 0)
            c->placement = PTL_PLACEMENT_SECTORS;
    }
    return status;
}

static ptl_status read_contents(void *payload, ptl_error *err)
{
    static const content_query games = {CONTENT_GAMES, "content_id, game, version, placement",
                                        "content_id"};
    reading *r = payload;
    TRY(store_content_visit(r->store, keep_content, r, err));
    return store_content_row_visit(r->store, &games, keep_game, r, err);
}

ptl_status ptl_content_list(ptl_store *store,
                            bool (*on_content)(void *payload, const ptl_content_info *content),
                            void *payload, ptl_error *err)
{
    reading r = {.list = LISTING(ptl_content_info, read_contents, NULL), .store = store};
    LISTING_RETURN(&r.list, ptl_content_info, store, &r, on_content, payload, err);
}

/* ---- what it was imported from ---- */

static ptl_status keep_pack(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_pack_info p = {.size = sizeof p,
                       .id = value_text(row, 1),
                       .name = value_text(row, 2),
                       .directory = value_text(row, 3),
                       .files = value_int(row, 4),
                       .objects = value_int(row, 5)};
    return value_int(row, 0) != r->current
               ? PTL_OK
               : listing_put(&r->list, &p,
                             (const char **const[]){&p.id, &p.name, &p.directory, NULL}, err);
}

ptl_status ptl_pack_list(ptl_store *store,
                         bool (*on_pack)(void *payload, const ptl_pack_info *pack),
                         void *payload, ptl_error *err)
{
    static const content_query query = {
        CONTENT_PACKS, "content_id, id, name, directory, file_count, object_count", "position"};
    reading r = {.list = LISTING(ptl_pack_info, read_rows, NULL),
                 .store = store,
                 .query = &query,
                 .keep = keep_pack};
    LISTING_RETURN(&r.list, ptl_pack_info, store, &r, on_pack, payload, err);
}

static ptl_status keep_remark(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_remark m = {.size = sizeof m,
                    .kind = value_text(row, 1),
                    .file = value_text(row, 2),
                    .line = value_int(row, 3),
                    .column = value_int(row, 4),
                    .type = value_text(row, 5),
                    .id = value_text(row, 6),
                    .message = value_text(row, 7)};
    const char **const texts[] = {&m.kind, &m.file, &m.type, &m.id, &m.message, NULL};
    return value_int(row, 0) != r->current ? PTL_OK : listing_put(&r->list, &m, texts, err);
}

ptl_status ptl_remark_list(ptl_store *store,
                           bool (*on_remark)(void *payload, const ptl_remark *remark),
                           void *payload, ptl_error *err)
{
    static const content_query query = {
        CONTENT_ISSUES, "content_id, kind, file, line, column, object_type, object_id, message",
        ""};
    reading r = {.list = LISTING(ptl_remark, read_rows, NULL),
                 .store = store,
                 .query = &query,
                 .keep = keep_remark};
    LISTING_RETURN(&r.list, ptl_remark, store, &r, on_remark, payload, err);
}

static ptl_status keep_key(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_unknown_key k = {.size = sizeof k,
                         .type = value_text(row, 1),
                         .key = value_text(row, 2),
                         .objects = value_int(row, 3),
                         .file = value_text(row, 4),
                         .line = value_int(row, 5)};
    return value_int(row, 0) != r->current
               ? PTL_OK
               : listing_put(&r->list, &k,
                             (const char **const[]){&k.type, &k.key, &k.file, NULL}, err);
}

static int by_objects(const void *pa, const void *pb)
{
    const ptl_unknown_key *a = pa, *b = pb;
    if (a->objects != b->objects)
        return a->objects > b->objects ? -1 : 1;
    const int order = strcmp(a->type, b->type);
    return order ? order : strcmp(a->key, b->key);
}

ptl_status ptl_unknown_key_list(ptl_store *store,
                                bool (*on_key)(void *payload, const ptl_unknown_key *key),
                                void *payload, ptl_error *err)
{
    static const content_query query = {CONTENT_UNKNOWN,
                                        "content_id, type, key, objects, file, line", ""};
    reading r = {.list = LISTING(ptl_unknown_key, read_rows, by_objects),
                 .store = store,
                 .query = &query,
                 .keep = keep_key};
    LISTING_RETURN(&r.list, ptl_unknown_key, store, &r, on_key, payload, err);
}

/* ---- what it defines ---- */

static ptl_status keep_region(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_region_name n = {.size = sizeof n, .kind = "region_settings"};
    TRY(keep_text(r, &n.name, row, 0, err));
    n.region = n.name;
    n.has_rivers = value_real(row, 1) > 0;
    return listing_add(&r->list, &n, err);
}

static ptl_region_name *find_region(const listing *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        ptl_region_name *n = listing_at(list, i);
        if (strcmp(n->name, name) == 0)
            return n;
    }
    return NULL;
}

static ptl_status keep_number(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_region_name *n = find_region(&r->list, value_text(row, 0));
    const double frequency = value_real(row, 2);
    (void)err;
    if (!n || !n->has_rivers || strcmp(value_text(row, 1), "river_frequency") != 0 ||
        !(frequency > 0))
        return PTL_OK;
    n->river_frequency = frequency;
    n->river_crossings = plan_river_crossings(frequency) / 1e6;
    return PTL_OK;
}

/* A dimension whose id is also the id of a region has that region. */
static ptl_status keep_dimension(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_region_name n = {.size = sizeof n};
    if (find_region(&r->list, value_text(row, 0)))
        return PTL_OK;
    TRY(keep_text(r, &n.name, row, 0, err));
    TRY(keep_text(r, &n.kind, row, 1, err));
    if (!value_is_null(row, 2))
        TRY(keep_text(r, &n.region, row, 2, err));
    const ptl_region_name *own = n.region ? find_region(&r->list, n.region) : NULL;
    if (own) {
        n.has_rivers = own->has_rivers;
        n.river_frequency = own->river_frequency;
        n.river_crossings = own->river_crossings;
    }
    return listing_add(&r->list, &n, err);
}

static ptl_status keep_default(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    const ptl_region_name *n = find_region(&r->list, value_text(row, 1));
    (void)err;
    if (n && strcmp(value_text(row, 0), "DEFAULT_REGION") == 0)
        r->default_region = n->name;
    return PTL_OK;
}

static int by_region(const void *pa, const void *pb)
{
    const ptl_region_name *a = pa, *b = pb;
    return strcmp(a->name, b->name);
}

static ptl_status read_regions(void *payload, ptl_error *err)
{
    static const content_query regions = {CONTENT_REGIONS, "id, river_scale", "id"},
                               numbers = {CONTENT_REGION_NUMBERS, "region, name, value", ""},
                               options = {CONTENT_OPTIONS, "name, value", "name"},
                               dimensions = {CONTENT_DIMENSIONS, "id, kind, region", "id"};
    reading *r = payload;
    r->default_region = "default";
    TRY(store_content_row_visit(r->store, &regions, keep_region, r, err));
    TRY(store_content_row_visit(r->store, &numbers, keep_number, r, err));
    TRY(store_content_row_visit(r->store, &options, keep_default, r, err));
    TRY(store_content_row_visit(r->store, &dimensions, keep_dimension, r, err));
    ptl_region_name *n = find_region(&r->list, r->default_region);
    if (n)
        n->is_default = true;
    return PTL_OK;
}

ptl_status ptl_region_name_list(ptl_store *store,
                                bool (*on_region)(void *payload, const ptl_region_name *region),
                                void *payload, ptl_error *err)
{
    reading r = {.list = LISTING(ptl_region_name, read_regions, by_region), .store = store};
    LISTING_RETURN(&r.list, ptl_region_name, store, &r, on_region, payload, err);
}

static ptl_status keep_special(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    ptl_special_name n = {.size = sizeof n, .kind = PTL_SPECIAL_FIXED};
    if (strcmp(value_text(row, 2), "mutable") == 0)
        n.kind = PTL_SPECIAL_MUTABLE;
    if (strcmp(value_text(row, 1), "special") != 0)
        n.kind = PTL_SPECIAL_BUILDING;
    TRY(keep_text(r, &n.id, row, 0, err));
    return listing_add(&r->list, &n, err);
}

ptl_status ptl_special_name_list(ptl_store *store,
                                 bool (*on_special)(void *payload,
                                                    const ptl_special_name *special),
                                 void *payload, ptl_error *err)
{
    static const content_query query = {CONTENT_SPECIALS, "id, kind, subtype", "id"};
    reading r = {.list = LISTING(ptl_special_name, read_rows, NULL),
                 .store = store,
                 .query = &query,
                 .keep = keep_special};
    LISTING_RETURN(&r.list, ptl_special_name, store, &r, on_special, payload, err);
}
