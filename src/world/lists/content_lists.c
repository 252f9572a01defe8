/* Lists how the present content differs from an earlier one: which definitions were added,
 * removed or changed. Two definitions are equal if the rows of the file that describe them are
 * equal. Also lists what a file's contents are and what they define. */
#include "core/hash.h"
#include "gen/plan/plan.h"
#include "portolan/lists.h"
#include "world/lists/listing.h"

/* For each kind of definition, which parts of the content (sections of its data) have the rows
 * that describe it: the parts from `first` to `last`. In all of these rows the first column is
 * the definition's id. Parts that a catalogue does not need are left out, because the file does
 * not have them for earlier contents. */
static const struct change_kind {
    const char *kind;
    content_part first, last;
} kinds[] = {{"connection", CONTENT_CONNECTIONS, CONTENT_SUBTYPE_LOCATIONS},
             {"location", CONTENT_LOCATIONS, CONTENT_LOCATION_TERRAINS},
             {"region", CONTENT_REGIONS, CONTENT_REGION_FLAGS},
             {"special", CONTENT_SPECIALS, CONTENT_SPECIAL_PHASE_RULE_PIECE},
             {"terrain", CONTENT_TERRAINS, CONTENT_TERRAIN_FLAGS}};
enum { KINDS = sizeof kinds / sizeof *kinds, COLUMNS_SIZE = 1200 };

/* A definition in one content. `sum` is the sum of the hashes of the rows that describe it,
 * so the order of these rows does not matter. */
typedef struct definition {
    const char *kind, *id;
    uint64_t sum;
} definition;

typedef struct change_reading {
    ptl_store *store;
    listing now, before, changes;
    listing *to;
    const char *kind; /* kind of the definitions that are read at present */
    content_part part;
    int columns;        /* number of columns in the rows of `part` */
    const char *digest; /* digest of the earlier of the two contents that are compared */
} change_reading;

/* Lists the columns that are compared. Pack, file and line of a definition are left out: a
 * definition that was only moved has not changed. */
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
    definition d = {.kind = r->kind, .id = value_text(row, 0)};
    uint64_t sum = hash_string(content_forms[r->part].table);
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
    for (size_t i = 0; i < KINDS; i++)
        for (r->part = kinds[i].first; r->part <= kinds[i].last && status == PTL_OK;
             r->part++) {
            const content_form *form = &content_forms[r->part];
            r->kind = kinds[i].kind;
            r->columns = find_columns(columns, form->columns);
            const content_query query = {r->part, columns, ""};
            if (form->checked)
                status = ops(r->store)->content->row_visit(r->store, content, &query, on_row, r,
                                                           err);
        }
    /* A definition can have several items, one for each part of the content. After sorting by
     * id they are consecutive. They are merged into one item, whose `sum` is the sum over all
     * of them. */
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

/* ---- earlier contents ---- */

typedef struct former {
    int64_t id;
    const char *digest, *imported_at;
} former;

static ptl_status keep_former(void *payload, const content_row *row, ptl_error *err)
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

/* ---- differences between two contents ---- */

static ptl_status compare(change_reading *r, ptl_error *err)
{
    size_t i = 0, k = 0;
    for (;;) {
        const definition *a = i < r->before.count ? listing_at(&r->before, i) : NULL;
        const definition *b = k < r->now.count ? listing_at(&r->now, k) : NULL;
        if (!a && !b)
            return PTL_OK;
        const int order = !a ? 1 : !b ? -1 : by_id(a, b);
        const char *change = order < 0 ? "removed" : order > 0 ? "added" : "changed";
        const definition *d = order > 0 ? b : a;
        const ptl_content_change c = {sizeof c, d->kind, d->id, change, r->digest};
        if (order != 0 || a->sum != b->sum)
            TRY(listing_add(&r->changes, &c, err));
        i += order <= 0;
        k += order >= 0;
    }
}

static ptl_status read_all(void *payload, ptl_error *err)
{
    change_reading *r = payload;
    /* Compares the present content with an earlier content. The earlier content is the last
     * imported one among those whose definitions the file still has. */
    listing all;
    ptl_status status = listing_begin(&all, sizeof(former), err);
    THEN(status, ops(r->store)->content->visit(r->store, keep_former, &all, err));
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

/* ---- terrains that the content lacks ---- */

typedef struct lacking_reading {
    ptl_store *store;
    listing list; /* the ids that the content lacks; its items are of type const char * */
} lacking_reading;

static ptl_status read_lacking(void *payload, ptl_error *err)
{
    lacking_reading *r = payload;
    catalogue *cat = NULL;
    int64_t current = 0;
    ptl_status status = ops(r->store)->content->current(&current, r->store, err);
    if (status == PTL_OK && current != 0)
        status = ops(r->store)->content->load_for(&cat, r->store, current, true, err);
    const size_t count = cat ? ptl_catalogue_count(cat, PTL_CONTENT_OTER) : 0;
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        status = ptl_catalogue_oter(&t, cat, i);
        if (status == PTL_OK && t.past != 0)
            status = listing_put(&r->list, &t.id, (const char **const[]){&t.id, NULL}, err);
    }
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

/* Lists the contents of a file, and the packs and definitions of the present content. */

enum { MEMBERS_MAX = 8 };

/* Describes a list that is made from the rows that one part of the present content has in the
 * file: each row becomes an item. */
typedef struct row_list {
    /* The query that reads the rows. The first column that it returns is content_id. The
     * further columns are the values of an item, in the order of `members`. */
    content_query query;
    size_t size; /* size of the struct of an item, in bytes; each item's first member has the
                    same number */
    struct {
        size_t offset; /* offset of a member in the item; 0 ends the list of members */
        bool text;     /* set if the member is a text; otherwise it is an int64_t */
    } members[MEMBERS_MAX];
} row_list;

#define ROW_TEXT(type, member)                                                                 \
    {                                                                                          \
        offsetof(type, member), true                                                           \
    }
#define ROW_NUMBER(type, member)                                                               \
    {                                                                                          \
        offsetof(type, member), false                                                          \
    }

/* State of reading rows into a list. The rows come from one part of the present content, or
 * from the table that lists the file's contents. */
typedef struct reading {
    ptl_store *store;
    const row_list *rows;
    int64_t current; /* id of the content that the file has at present; 0: it has none */
    listing list;
    const char *default_region; /* name of the region that worlds get by default; its text
                                   belongs to `list` */
} reading;

static ptl_status keep_row(void *payload, const content_value *row, ptl_error *err)
{
    reading *r = payload;
    union {
        size_t size; /* each struct below begins with its size */
        ptl_pack_info pack;
        ptl_remark remark;
        ptl_unknown_key key;
    } item;
    if (value_int(row, 0) != r->current)
        return PTL_OK;
    memset(&item, 0, sizeof item);
    item.size = r->rows->size;
    for (int i = 0; i < MEMBERS_MAX && r->rows->members[i].offset != 0; i++) {
        void *member = (char *)&item + r->rows->members[i].offset;
        const char *text = value_text(row, i + 1);
        const int64_t number = value_int(row, i + 1);
        if (!r->rows->members[i].text) {
            memcpy(member, &number, sizeof number);
            continue;
        }
        TRY(listing_keep(&r->list, &text, err));
        memcpy(member, &text, sizeof text);
    }
    return listing_add(&r->list, &item, err);
}

static ptl_status read_rows(void *payload, ptl_error *err)
{
    reading *r = payload;
    TRY(ops(r->store)->content->current(&r->current, r->store, err));
    return r->current == 0 ? PTL_OK
                           : ops(r->store)->content->row_visit(r->store, 0, &r->rows->query,
                                                               keep_row, r, err);
}

/* Copies a text value of a row into the list's own texts. */
static ptl_status keep_text(reading *r, const char **out, const content_value *row, int column,
                            ptl_error *err)
{
    *out = value_text(row, column);
    return listing_keep(&r->list, out, err);
}

/* ---- contents of the file ---- */

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
    TRY(ops(r->store)->content->visit(r->store, keep_content, r, err));
    return ops(r->store)->content->row_visit(r->store, 0, &games, keep_game, r, err);
}

ptl_status ptl_content_list(ptl_store *store,
                            bool (*on_content)(void *payload, const ptl_content_info *content),
                            void *payload, ptl_error *err)
{
    reading r = {.list = LISTING(ptl_content_info, read_contents, NULL), .store = store};
    LISTING_RETURN(&r.list, ptl_content_info, store, &r, on_content, payload, err);
}

/* ---- packs that the content was imported from ---- */

ptl_status ptl_pack_list(ptl_store *store,
                         bool (*on_pack)(void *payload, const ptl_pack_info *pack),
                         void *payload, ptl_error *err)
{
    static const row_list rows = {
        {CONTENT_PACKS, "content_id, id, name, directory, file_count, object_count",
         "position"},
        sizeof(ptl_pack_info),
        {ROW_TEXT(ptl_pack_info, id), ROW_TEXT(ptl_pack_info, name),
         ROW_TEXT(ptl_pack_info, directory), ROW_NUMBER(ptl_pack_info, files),
         ROW_NUMBER(ptl_pack_info, objects)}};
    reading r = {
        .list = LISTING(ptl_pack_info, read_rows, NULL), .store = store, .rows = &rows};
    LISTING_RETURN(&r.list, ptl_pack_info, store, &r, on_pack, payload, err);
}

ptl_status ptl_remark_list(ptl_store *store,
                           bool (*on_remark)(void *payload, const ptl_remark *remark),
                           void *payload, ptl_error *err)
{
    static const row_list rows = {
        {CONTENT_ISSUES,
         "content_id, kind, file, line, column, object_type, object_id, message", ""},
        sizeof(ptl_remark),
        {ROW_TEXT(ptl_remark, kind), ROW_TEXT(ptl_remark, file), ROW_NUMBER(ptl_remark, line),
         ROW_NUMBER(ptl_remark, column), ROW_TEXT(ptl_remark, type), ROW_TEXT(ptl_remark, id),
         ROW_TEXT(ptl_remark, message)}};
    reading r = {.list = LISTING(ptl_remark, read_rows, NULL), .store = store, .rows = &rows};
    LISTING_RETURN(&r.list, ptl_remark, store, &r, on_remark, payload, err);
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
    static const row_list rows = {
        {CONTENT_UNKNOWN, "content_id, type, key, objects, file, line", ""},
        sizeof(ptl_unknown_key),
        {ROW_TEXT(ptl_unknown_key, type), ROW_TEXT(ptl_unknown_key, key),
         ROW_NUMBER(ptl_unknown_key, objects), ROW_TEXT(ptl_unknown_key, file),
         ROW_NUMBER(ptl_unknown_key, line)}};
    reading r = {
        .list = LISTING(ptl_unknown_key, read_rows, by_objects), .store = store, .rows = &rows};
    LISTING_RETURN(&r.list, ptl_unknown_key, store, &r, on_key, payload, err);
}

/* ---- definitions of the content ---- */

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

/* Adds a dimension or world type of the content (another name for a region) to the list of
 * regions, unless a region of the same id is already in the list. */
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
    TRY(ops(r->store)->content->row_visit(r->store, 0, &regions, keep_region, r, err));
    TRY(ops(r->store)->content->row_visit(r->store, 0, &numbers, keep_number, r, err));
    TRY(ops(r->store)->content->row_visit(r->store, 0, &options, keep_default, r, err));
    TRY(ops(r->store)->content->row_visit(r->store, 0, &dimensions, keep_dimension, r, err));
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

static ptl_status read_specials(void *payload, ptl_error *err)
{
    static const content_query query = {CONTENT_SPECIALS, "id, kind, subtype", "id"};
    reading *r = payload;
    return ops(r->store)->content->row_visit(r->store, 0, &query, keep_special, r, err);
}

ptl_status ptl_special_name_list(ptl_store *store,
                                 bool (*on_special)(void *payload,
                                                    const ptl_special_name *special),
                                 void *payload, ptl_error *err)
{
    reading r = {.list = LISTING(ptl_special_name, read_specials, NULL), .store = store};
    LISTING_RETURN(&r.list, ptl_special_name, store, &r, on_special, payload, err);
}
