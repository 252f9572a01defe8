#include "mapgen/compile/tiles.h"

#include "core/array.h"
#include "mapgen/compile/by_id.h"
#include "mapgen/compile/text_id.h"

enum { TERRAIN, FURNITURE, SORTS, CHAIN_MAX = 32 };

/* The bits of mapgen_tile.flags that content sets by a flag of the same name in the object's
 * list of flags. */
enum {
    BY_NAME = MAPGEN_TILE_WALL | MAPGEN_TILE_PLACE_ITEM | MAPGEN_TILE_PLANT | MAPGEN_TILE_FLAT |
              MAPGEN_TILE_DEEP | MAPGEN_TILE_WATER | MAPGEN_TILE_LEAKS
};

/* Bits of mapgen_tile.own: members that an object states itself. It has the other members from
 * the object that it was copied from. */
enum { OWN_FLAGS = 1, OWN_ROOF = 2, OWN_BASH = 4, OWN_MOVE = 8, OWN_HEIGHT = 16 };

/* An object that was copied from another one. A list of these is in the order in which the
 * objects were added. */
typedef struct tile_heir {
    int sort;
    uint32_t id;
} tile_heir;

struct mapgen_tiles {
    id_pool *pool;
    /* Owned; for terrain and for furniture: mapgen_tile structs, found by an id. */
    by_id tiles[SORTS];
    uint32_t *names; /* owned: the flags of all objects; those of one object lie together */
    uint32_t name_count;
    size_t name_room;
    bool keeps_bash;
    mapgen_bash *bashes; /* owned; the numbers of its elements begin at 1 */
    size_t bash_count, bash_room;
    tile_heir *heirs; /* owned */
    size_t heir_count, heir_room;
    bytes text; /* scratch: a string after its escapes were decoded */
};

mapgen_tiles *mapgen_tiles_new(id_pool *pool)
{
    mapgen_tiles *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->pool = pool;
    bytes_init(&t->text);
    return t;
}

void mapgen_tiles_free(mapgen_tiles *tiles)
{
    if (!tiles)
        return;
    for (int i = 0; i < SORTS; i++)
        by_id_dispose(&tiles->tiles[i]);
    free(tiles->names);
    free(tiles->bashes);
    free(tiles->heirs);
    bytes_dispose(&tiles->text);
    free(tiles);
}

static uint32_t text_id(mapgen_tiles *t, json_view v)
{
    return mapgen_text_id(t->pool, v, &t->text);
}

/* Returns the mapgen_tile of a terrain or furniture (`sort`) by its id. It is made if there is
 * none. NULL when memory is out. The pointer lasts until the next mapgen_tile is made. */
static mapgen_tile *tile_of(mapgen_tiles *t, int sort, uint32_t id)
{
    return by_id_make(&t->tiles[sort], id, sizeof(mapgen_tile));
}

static mapgen_tile *find_tile(const mapgen_tiles *t, int sort, uint32_t id)
{
    return by_id_find(&t->tiles[sort], id, sizeof(mapgen_tile));
}

/* Sets or clears the flags that a list names. */
static void read_flags(mapgen_tile *tile, json_view list, bool set)
{
    static const struct {
        const char *name;
        uint16_t flag;
    } names[] = {{"WALL", MAPGEN_TILE_WALL},       {"PLACE_ITEM", MAPGEN_TILE_PLACE_ITEM},
                 {"PLANT", MAPGEN_TILE_PLANT},     {"FLAT", MAPGEN_TILE_FLAT},
                 {"DEEP_WATER", MAPGEN_TILE_DEEP}, {"SHALLOW_WATER", MAPGEN_TILE_WATER},
                 {"SWIMMABLE", MAPGEN_TILE_WATER}, {"TREE", MAPGEN_TILE_LEAKS},
                 {"YOUNG", MAPGEN_TILE_LEAKS},     {"SHRUB", MAPGEN_TILE_LEAKS},
                 {"PERMEABLE", MAPGEN_TILE_LEAKS}};
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (json_view_is(w.value, names[i].name))
                tile->flags = (uint16_t)(set ? tile->flags | names[i].flag
                                             : tile->flags & ~names[i].flag);
}

/* Appends the flags in a JSON list to `names`, the list of all objects' flags, and counts them
 * in *count. False when memory is out. */
static bool keep_names(mapgen_tiles *t, uint16_t *count, json_view list)
{
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        if (!ARRAY_ROOM(t->names, t->name_room, (size_t)t->name_count + 1))
            return false;
        const uint32_t id = text_id(t, w.value);
        if (id == ID_NONE || *count == UINT16_MAX)
            continue;
        t->names[t->name_count++] = id;
        ++*count;
    }
    return true;
}

/* Reads the id and the intensity of a field that a blow leaves. */
static uint32_t read_field(mapgen_tiles *t, json_view field, int32_t *intensity)
{
    enum { MOST = 100 };
    json_walk w = json_walk_of(field);
    const uint32_t id = json_walk_next(&w) ? text_id(t, w.value) : ID_NONE;
    *intensity = json_walk_next(&w) ? mapgen_whole(w.value, 1, 1, MOST) : 1;
    return id;
}

/* Returns the items that remain of a broken thing. A list of entries is written as a group that
 * gives all of them, so that it can be drawn from like any group. */
static uint32_t read_drops(mapgen_tiles *t, json_view items)
{
    if (json_view_kind(items) != VIEW_ARRAY)
        return json_view_kind(items) == VIEW_OBJECT ? mapgen_json_id(t->pool, items)
                                                    : text_id(t, items);
    const char *list = id_pool_text(t->pool, mapgen_json_id(t->pool, items));
    bytes group;
    bytes_init(&group);
    bytes_printf(&group, "{\"subtype\":\"collection\",\"entries\":%s}", list);
    uint32_t id = ID_NONE;
    if (group.failed)
        id_pool_fail(t->pool);
    else
        id = id_pool_put(t->pool, (const char *)group.data, group.size);
    bytes_dispose(&group);
    return id;
}

/* Keeps what an object says about bashing. False when memory is out. */
static bool keep_bash(mapgen_tiles *t, mapgen_tile *tile, json_view bash)
{
    enum { MOST = 1000000 };
    static const struct {
        const char *member;
        size_t offset;
    } numbers[] = {{"str_min", offsetof(mapgen_bash, least)},
                   {"str_max", offsetof(mapgen_bash, most)},
                   {"str_min_blocked", offsetof(mapgen_bash, least_blocked)},
                   {"str_max_blocked", offsetof(mapgen_bash, most_blocked)}};
    mapgen_bash b = {.below = json_view_kind(json_view_get(bash, "bash_below")) == VIEW_TRUE};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const int32_t number =
            mapgen_whole(json_view_get(bash, numbers[i].member), -1, -1, MOST);
        memcpy((char *)&b + numbers[i].offset, &number, sizeof number);
    }
    b.items = read_drops(t, json_view_get(bash, "items"));
    b.hit = read_field(t, json_view_get(bash, "hit_field"), &b.hit_strength);
    b.broken = read_field(t, json_view_get(bash, "destroyed_field"), &b.broken_strength);
    if (!ARRAY_ROOM(t->bashes, t->bash_room, t->bash_count + 2))
        return false;
    t->bashes[++t->bash_count] = b;
    tile->bash = (uint32_t)t->bash_count;
    return true;
}

/* Reads a stated height. A number that can't be a height is ignored. */
static void read_height(mapgen_tile *tile, json_view stated)
{
    int64_t height = 0;
    if (!json_view_integer(stated, &height) || height < -MAPGEN_STATED_MAX ||
        height > MAPGEN_STATED_MAX)
        return;
    tile->own |= OWN_HEIGHT;
    tile->flags |= MAPGEN_TILE_HEIGHT;
    tile->height = (int16_t)height;
}

static bool add_alias(mapgen_tiles *t, int sort, json_view alias, uint32_t id)
{
    mapgen_tile *tile = tile_of(t, sort, text_id(t, alias));
    if (tile && !(tile->flags & MAPGEN_TILE_KNOWN))
        tile->present = id;
    return tile != NULL;
}

static bool add_heir(mapgen_tiles *t, int sort, uint32_t id)
{
    if (!ARRAY_ROOM(t->heirs, t->heir_room, t->heir_count + 1))
        return false;
    t->heirs[t->heir_count++] = (tile_heir){sort, id};
    return true;
}

/* Reads an object of terrain or furniture. It replaces an earlier object of the same id. */
static bool add_object(mapgen_tiles *t, int sort, json_view object)
{
    const uint32_t id = text_id(t, mapgen_object_name(object));
    mapgen_tile *tile = tile_of(t, sort, id);
    if (!tile || id == ID_NONE)
        return tile != NULL;
    *tile = (mapgen_tile){.flags = MAPGEN_TILE_KNOWN};
    tile->origin = tile->parent = text_id(t, json_view_get(object, "copy-from"));
    tile->names = t->name_count;
    const json_view flags = json_view_get(object, "flags");
    const json_view roof = json_view_get(object, "roof");
    if (flags.document)
        tile->own |= OWN_FLAGS;
    read_flags(tile, flags, true);
    if (roof.document)
        tile->own |= OWN_ROOF;
    tile->roof = text_id(t, roof);
    const json_view bash = json_view_get(object, "bash");
    if (bash.document) {
        tile->own |= OWN_BASH;
        tile->flags |= MAPGEN_TILE_BASHED;
        tile->bashed =
            text_id(t, json_view_get(bash, sort == TERRAIN ? "ter_set" : "furn_set"));
    }
    if (bash.document && t->keeps_bash && !keep_bash(t, tile, bash))
        return false;
    int64_t cost = 0;
    if (json_view_integer(
            json_view_get(object, sort == TERRAIN ? "move_cost" : "move_cost_mod"), &cost)) {
        tile->own |= OWN_MOVE;
        if (sort == TERRAIN ? cost == 0 : cost < 0)
            tile->flags |= MAPGEN_TILE_IMPASSABLE;
    }
    read_height(tile, json_view_get(object, "coast_height"));
    static const char *const opens[] = {"open",          "lockpick_result", "oxytorch",
                                        "boltcut",       "hacksaw",         "prying",
                                        "examine_action"};
    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++)
        if (json_view_get(object, opens[i]).document)
            tile->flags |= MAPGEN_TILE_OPENS;
    const json_view more = json_view_get(json_view_get(object, "extend"), "flags");
    read_flags(tile, more, true);
    const json_view alias = json_view_get(object, "alias");
    const json_view fewer = json_view_get(json_view_get(object, "delete"), "flags");
    bool good = keep_names(t, &tile->name_count, flags) &&
                keep_names(t, &tile->name_count, more) &&
                keep_names(t, &tile->gone_count, fewer) &&
                (tile->parent == ID_NONE || add_heir(t, sort, id));
    for (json_walk w = mapgen_walk_each(alias); good && json_walk_next(&w);)
        good = add_alias(t, sort, w.value, id);
    return good;
}

bool mapgen_tiles_add(mapgen_tiles *tiles, json_view object)
{
    const json_view type = json_view_get(object, "type");
    if (json_view_is(type, "terrain"))
        return add_object(tiles, TERRAIN, object);
    if (json_view_is(type, "furniture"))
        return add_object(tiles, FURNITURE, object);
    if (json_view_is(type, "ter_furn_migration")) {
        const struct {
            const char *from, *to;
            int sort;
        } sorts[] = {{"from_ter", "to_ter", TERRAIN}, {"from_furn", "to_furn", FURNITURE}};
        bool good = true;
        for (size_t i = 0; i < sizeof sorts / sizeof sorts[0] && good; i++) {
            const uint32_t to = text_id(tiles, json_view_get(object, sorts[i].to));
            const json_view from = json_view_get(object, sorts[i].from);
            if (from.document && to != ID_NONE)
                good = add_alias(tiles, sorts[i].sort, from, to);
        }
        return good;
    }
    return true;
}

static void inherit(mapgen_tiles *t, int sort, uint32_t id, int depth)
{
    mapgen_tile *tile = find_tile(t, sort, id);
    const uint32_t parent = tile->parent;
    const mapgen_tile *of = find_tile(t, sort, parent);
    if (parent == ID_NONE || !of || depth == CHAIN_MAX)
        return;
    tile->parent = ID_NONE;
    /* The call of inherit() makes no new mapgen_tile, so the pointers `tile` and `of` stay
     * valid. */
    inherit(t, sort, parent, depth + 1);
    uint16_t copied = MAPGEN_TILE_OPENS;
    if (!(tile->own & OWN_FLAGS))
        copied |= BY_NAME;
    if (!(tile->own & OWN_MOVE))
        copied |= MAPGEN_TILE_IMPASSABLE;
    if (!(tile->own & OWN_BASH)) {
        copied |= MAPGEN_TILE_BASHED;
        tile->bashed = of->bashed;
        tile->bash = of->bash;
    }
    if (!(tile->own & OWN_HEIGHT)) {
        copied |= MAPGEN_TILE_HEIGHT;
        tile->height = of->height;
    }
    if (!(tile->own & OWN_ROOF))
        tile->roof = of->roof;
    tile->flags = (uint16_t)(tile->flags | (of->flags & copied));
}

void mapgen_tiles_finish(mapgen_tiles *tiles)
{
    for (size_t i = 0; i < tiles->heir_count; i++)
        inherit(tiles, tiles->heirs[i].sort, tiles->heirs[i].id, 0);
}

static mapgen_tile get(const mapgen_tiles *t, int sort, uint32_t id)
{
    const mapgen_tile *tile = t ? find_tile(t, sort, id) : NULL;
    return tile ? *tile : (mapgen_tile){0};
}

mapgen_tile mapgen_terrain_tile(const mapgen_tiles *tiles, uint32_t id)
{
    return get(tiles, TERRAIN, id);
}

mapgen_tile mapgen_furniture_tile(const mapgen_tiles *tiles, uint32_t id)
{
    return get(tiles, FURNITURE, id);
}

bool mapgen_tile_has(const mapgen_tiles *tiles, bool furniture, uint32_t id, uint32_t flag)
{
    for (int depth = 0; depth < CHAIN_MAX && id != ID_NONE; depth++) {
        const mapgen_tile tile = get(tiles, furniture ? FURNITURE : TERRAIN, id);
        for (uint32_t i = 0; i < (uint32_t)tile.name_count + tile.gone_count; i++)
            if (tiles->names[tile.names + i] == flag)
                return i < tile.name_count;
        id = tile.own & OWN_FLAGS ? ID_NONE : tile.origin;
    }
    return false;
}

void mapgen_tiles_keep_bash(mapgen_tiles *tiles)
{
    tiles->keeps_bash = true;
}

mapgen_bash mapgen_tile_bash(const mapgen_tiles *tiles, mapgen_tile tile)
{
    return tile.bash ? tiles->bashes[tile.bash] : (mapgen_bash){.most = -1};
}

static uint32_t now(const mapgen_tiles *t, int sort, uint32_t id)
{
    for (int i = 0; i < CHAIN_MAX; i++) {
        const mapgen_tile tile = get(t, sort, id);
        if (tile.present == ID_NONE)
            break;
        id = tile.present;
    }
    return id;
}

uint32_t mapgen_terrain_now(const mapgen_tiles *tiles, uint32_t id)
{
    return now(tiles, TERRAIN, id);
}

uint32_t mapgen_furniture_now(const mapgen_tiles *tiles, uint32_t id)
{
    return now(tiles, FURNITURE, id);
}
