#include "world/lists/tile_looks.h"

#include "core/utf8.h"
#include "mapgen/compile/by_id.h"
#include "mapgen/compile/text_id.h"
#include "model/symbol.h"
#include "portolan/lists.h"
#include "world/lists/listing.h"
#include "world/local/kept_object.h"

enum { CHAIN_MAX = 32 };

/* Bits of draft.own: which members an object of the content states itself. Members that it does
 * not state are taken from the object that it is copied from. */
enum {
    OWN_NAME = 1,
    OWN_COLOR = 2,
    OWN_SYMBOL = 4,
    OWN_FLAGS = 8,
    OWN_GROUP = 16,
    OWN_LIKE = 32
};

static const char *const types[LOCAL_LAYERS] = {"terrain", "furniture", "trap", "field_type"};

/* How an object looks by its own definition. Members that it does not state come later from the
 * object that it is copied from. A text is stored as its number in the pool of texts. */
typedef struct draft {
    uint32_t name, color, group, like, parent;
    uint32_t symbol;
    uint32_t flags; /* bits of tile_flag */
    uint8_t line, own;
    bool is_abstract, wall, of_walls;
} draft;

struct tile_looks {
    id_pool *pool;              /* owned */
    by_id drafts[LOCAL_LAYERS]; /* owned; for each layer of a map (terrain, furniture and so
                                   on): the drafts of its ids */
    bytes text;                 /* memory for a string whose escapes are being decoded */
    bytes name;                 /* scratch memory for the name of a background colour */
};

void tile_looks_free(tile_looks *looks)
{
    if (!looks)
        return;
    for (int i = 0; i < LOCAL_LAYERS; i++)
        by_id_dispose(&looks->drafts[i]);
    bytes_dispose(&looks->text);
    bytes_dispose(&looks->name);
    id_pool_free(looks->pool);
    free(looks);
}

/* Returns what was read about the look of an id in one layer of the map (terrain, furniture and
 * so on), or NULL if nothing was read. */
static draft *find_draft(const tile_looks *l, local_layer sort, uint32_t id)
{
    return by_id_find(&l->drafts[sort], id, sizeof(draft));
}

/* ---- reading the members of an object ---- */

/* A value that differs by season is a list with an element for each season; returns its first
 * element. Returns any other value unchanged. */
static json_view first_of(json_view v)
{
    json_walk w = json_walk_of(v);
    return json_view_kind(v) == VIEW_ARRAY && json_walk_next(&w) ? w.value : v;
}

/* Returns the number that a name has in the pool of texts; ID_NONE if there is no name. In JSON
 * a name is a text, or an object that has the singular form as `str` or `str_sp`. */
static uint32_t name_of(tile_looks *l, json_view name)
{
    static const char *const keys[] = {"str", "str_sp"};
    uint32_t id = mapgen_text_id(l->pool, name, &l->text);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && id == ID_NONE; i++)
        id = mapgen_text_id(l->pool, json_view_get(name, keys[i]), &l->text);
    return id;
}

static uint32_t color_of(tile_looks *l, json_view object)
{
    size_t length = 0;
    const uint32_t color =
        mapgen_text_id(l->pool, first_of(json_view_get(object, "color")), &l->text);
    const char *behind =
        json_view_text(first_of(json_view_get(object, "bgcolor")), &l->text, &length);
    if (color != ID_NONE || !behind)
        return color;
    bytes_clear(&l->name);
    bytes_put_text(&l->name, "i_");
    bytes_put(&l->name, behind, length);
    return id_pool_put(l->pool, (const char *)l->name.data, l->name.size);
}

/* Reads a symbol of the form LINE_XOXO, with a letter for each side, clockwise from the north:
 * X means that there is an arm, O that there is none. False if the text is not of this form. */
static bool read_arms(uint8_t *arms, const char *text, size_t length)
{
    static const char prefix[] = "LINE_";
    enum { PREFIX = sizeof prefix - 1, SIDES = 4 };
    *arms = 0;
    if (length != PREFIX + SIDES || memcmp(text, prefix, PREFIX) != 0)
        return false;
    for (int i = 0; i < SIDES; i++)
        if (text[PREFIX + i] == 'X')
            *arms = (uint8_t)(*arms | 1u << i);
    return true;
}

static void read_symbol(tile_looks *l, draft *d, json_view symbol)
{
    size_t length = 0;
    const char *text = json_view_text(first_of(symbol), &l->text, &length);
    if (!text || length == 0)
        return;
    d->own |= OWN_SYMBOL;
    d->symbol = 0;
    if (!read_arms(&d->line, text, length))
        (void)utf8_decode(text, length, &d->symbol);
    if (d->symbol == UTF8_BAD)
        d->symbol = 0;
}

static void read_flags(tile_looks *l, draft *d, json_view list)
{
    static const char *const walls[] = {"WALL", "CONNECT_TO_WALL"};
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        size_t length = 0;
        const char *flag = json_view_text(w.value, &l->text, &length);
        d->flags |= flag ? tile_flag(flag, length) : 0;
        if (json_view_is(w.value, "AUTO_WALL_SYMBOL"))
            d->wall = d->of_walls = true;
        for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++)
            if (json_view_is(w.value, walls[i]))
                d->of_walls = true;
    }
}

/* Reads members that say what other objects say by flags. */
static void read_members(draft *d, json_view object)
{
    static const char *const members[][2] = {{"roof", "INDOORS"},
                                             {"digging_results", "DIGGABLE"}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (json_view_get(object, members[i][0]).document)
            d->flags |= tile_flag(members[i][1], strlen(members[i][1]));
}

/* Sets *member to the text and returns true if the object states the text, that is, if `text`
 * is not ID_NONE. Otherwise returns false. */
static bool take(uint32_t *member, uint32_t text)
{
    if (text != ID_NONE)
        *member = text;
    return text != ID_NONE;
}

/* Reads one object of the content. It replaces an earlier object of the same id. But if it
 * names its own id as the one that it is copied from, it only changes the earlier object. */
static bool add_object(tile_looks *l, int sort, json_view object)
{
    const json_view name = json_view_get(object, "id"),
                    abstract = json_view_get(object, "abstract");
    const uint32_t id = mapgen_text_id(l->pool, name.document ? name : abstract, &l->text);
    const uint32_t parent =
        mapgen_text_id(l->pool, json_view_get(object, "copy-from"), &l->text);
    draft *d = id != ID_NONE ? by_id_make(&l->drafts[sort], id, sizeof *d) : NULL;
    if (!d)
        return id == ID_NONE;
    if (parent != id)
        *d = (draft){.parent = parent};
    d->is_abstract = !name.document;
    const json_view part = sort == LOCAL_LAYER_FIELD
                               ? first_of(json_view_get(object, "intensity_levels"))
                               : object,
                    flags = json_view_get(object, "flags");
    json_view group = json_view_get(object, "connect_groups");
    if (!group.document)
        group = json_view_get(object, "connects_to");
    d->own |= take(&d->name, name_of(l, json_view_get(part, "name"))) ? OWN_NAME : 0;
    d->own |= take(&d->color, color_of(l, part)) ? OWN_COLOR : 0;
    d->own |=
        take(&d->like, mapgen_text_id(l->pool, json_view_get(object, "looks_like"), &l->text))
            ? OWN_LIKE
            : 0;
    if (group.document) {
        d->own |= OWN_GROUP;
        d->group = mapgen_text_id(l->pool, first_of(group), &l->text);
    }
    if (flags.document) {
        d->own |= OWN_FLAGS;
        d->wall = d->of_walls = false;
        d->flags = 0;
    }
    read_symbol(l, d, json_view_get(part, sort == LOCAL_LAYER_FIELD ? "sym" : "symbol"));
    read_flags(l, d, flags);
    read_flags(l, d, json_view_get(json_view_get(object, "extend"), "flags"));
    read_members(d, object);
    return true;
}

static void inherit(tile_looks *l, local_layer sort, uint32_t id, int depth)
{
    draft *d = find_draft(l, sort, id);
    const draft *parent = d ? find_draft(l, sort, d->parent) : NULL;
    if (!parent || depth == CHAIN_MAX)
        return;
    const uint32_t from = d->parent;
    d->parent = ID_NONE;
    inherit(l, sort, from, depth + 1);
    const draft of = *parent;
    if (!(d->own & OWN_NAME))
        d->name = of.name;
    if (!(d->own & OWN_COLOR))
        d->color = of.color;
    if (!(d->own & OWN_GROUP))
        d->group = of.group;
    /* In the games what is copied looks like the original, if neither says otherwise. */
    if (!(d->own & OWN_LIKE))
        d->like = of.like != ID_NONE ? of.like : from;
    if (!(d->own & OWN_SYMBOL)) {
        d->symbol = of.symbol;
        d->line = of.line;
    }
    if (!(d->own & OWN_FLAGS)) {
        d->wall = d->wall || of.wall;
        d->of_walls = d->of_walls || of.of_walls;
        d->flags |= of.flags;
    }
}

/* ---- reading all objects ---- */

typedef struct reading {
    tile_looks *looks;
    json_reader *reader;
    int sort;
} reading;

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    reading *r = payload;
    json_document document;
    TRY(kept_object(&document, r->reader, row, err));
    return add_object(r->looks, r->sort, json_view_of(&document)) ? PTL_OK : error_nomem(err);
}

ptl_status tile_looks_new(tile_looks **out, ptl_store *store, ptl_error *err)
{
    tile_looks *l = calloc(1, sizeof *l);
    reading r = {.looks = l,
                 .reader = json_reader_new(ops(store)->transaction->stop_hook(store))};
    *out = NULL;
    if (l)
        l->pool = id_pool_new();
    ptl_status status = l && l->pool && r.reader ? PTL_OK : error_nomem(err);
    for (r.sort = 0; r.sort < LOCAL_LAYERS && status == PTL_OK; r.sort++)
        status = store_kept_visit(store, types[r.sort], on_object, &r, err);
    if (status == PTL_OK && (l->text.failed || l->name.failed || id_pool_failed(l->pool)))
        status = error_nomem(err);
    for (local_layer sort = 0; sort < LOCAL_LAYERS && status == PTL_OK; sort++)
        for (size_t id = 0; id < l->drafts[sort].reach; id++)
            inherit(l, sort, (uint32_t)id, 0);
    json_reader_free(r.reader);
    if (status == PTL_OK)
        *out = l;
    else
        tile_looks_free(l);
    return status;
}

bool tile_looks_find(tile_look *out, tile_looks *l, local_layer sort, const char *id)
{
    static const char walls[] = "WALL";
    const uint32_t number = id_pool_put(l->pool, id, strlen(id));
    *out = (tile_look){.name = "", .color = "", .like = ""};
    const draft *d = find_draft(l, sort, number);
    if (!d)
        return false;
    const uint32_t of_walls =
        d->of_walls ? id_pool_put(l->pool, walls, sizeof walls - 1) : ID_NONE;
    *out = (tile_look){.name = id_pool_text(l->pool, d->name),
                       .color = id_pool_text(l->pool, d->color),
                       .symbol = d->symbol,
                       .line = d->line,
                       .wall = d->wall,
                       .group = d->group != ID_NONE ? d->group : of_walls,
                       .like = id_pool_text(l->pool, d->like)};
    const tile_words words = {sort, d->flags, id, out->color, d->of_walls};
    out->class = tile_class_of(&words);
    return true;
}

/* ---- the looks as a list ---- */

typedef struct look_reading {
    ptl_store *store;
    listing list;
} look_reading;

/* Lists the looks of all ids, except fields and abstract objects. */
static ptl_status read_looks(void *payload, ptl_error *err)
{
    look_reading *r = payload;
    tile_looks *l;
    TRY(tile_looks_new(&l, r->store, err));
    ptl_status status = PTL_OK;
    for (local_layer sort = 0; sort < LOCAL_LAYER_FIELD; sort++)
        for (uint32_t id = 0; id < l->drafts[sort].reach && status == PTL_OK; id++) {
            const draft *d = find_draft(l, sort, id);
            tile_look found;
            if (!d || d->is_abstract)
                continue;
            (void)tile_looks_find(&found, l, sort, id_pool_text(l->pool, id));
            ptl_local_look look = {.size = sizeof look,
                                   .kind = types[sort],
                                   .id = id_pool_text(l->pool, id),
                                   .name = found.name,
                                   .color = found.color,
                                   .symbol =
                                       found.line ? symbol_line(found.line) : found.symbol,
                                   .tile_class = found.class};
            const char **const texts[] = {&look.id, &look.name, &look.color, NULL};
            status = listing_put(&r->list, &look, texts, err);
        }
    tile_looks_free(l);
    return status;
}

static int by_kind(const void *pa, const void *pb)
{
    const ptl_local_look *a = pa, *b = pb;
    const int order = strcmp(a->kind, b->kind);
    return order ? order : strcmp(a->id, b->id);
}

ptl_status ptl_local_look_list(ptl_store *store,
                               bool (*on_look)(void *payload, const ptl_local_look *look),
                               void *payload, ptl_error *err)
{
    look_reading r = {.store = store, .list = LISTING(ptl_local_look, read_looks, by_kind)};
    LISTING_RETURN(&r.list, ptl_local_look, store, &r, on_look, payload, err);
}
