/* Makes maps of mapgen without a world around them (portolan/mapgen.h). Finds what an id stands
 * for, puts it into a scene (a few OMTs instead of a world), makes the maps of the scene, and
 * tells which part of mapgen has put what on a tile. */
#include "world/local/local_mapgen.h"
#include "core/array.h"
#include "core/sized.h"
#include "core/suggest.h"
#include "core/utf8.h"
#include "mapgen/compile/text_id.h"
#include "world/local/local_maps.h"

#include <limits.h>

const char *ptl_mapgen_kind_name(ptl_mapgen_kind kind)
{
    static const char *const names[PTL_MAPGEN_KINDS] = {"any", "terrain", "special", "update",
                                                        "nested"};
    return kind >= 0 && (int)kind < PTL_MAPGEN_KINDS ? names[kind] : "";
}

ptl_mapgen_kind ptl_mapgen_kind_of(const ptl_mapgen *m)
{
    return m->kind;
}

ptl_local_area ptl_mapgen_area(const ptl_mapgen *m)
{
    return m->area;
}

int32_t ptl_mapgen_entry_number(const ptl_mapgen *m)
{
    return (int32_t)m->drawn;
}

void ptl_mapgen_free(ptl_mapgen *m)
{
    if (!m)
        return;
    free(m->scene.omts);
    free(m->omts);
    free(m->given);
    world_local_free(m->made);
    free(m);
}

/* ---- what the id names ---- */

static const catalogue *cat_of(const ptl_mapgen *m)
{
    return m->world->cat;
}

static const seen_oter *seen_of(const ptl_mapgen *m, ptl_oter oter)
{
    return world_seen_oter(m->world->mapgen, cat_of(m), oter);
}

static bool put_omt(ptl_mapgen *m, ptl_omt at, ptl_oter oter)
{
    if (!ARRAY_ROOM(m->omts, m->omt_room, m->omt_count + 1) ||
        !world_scene_put(&m->scene, at, oter))
        return false;
    m->omts[m->omt_count++] = (scene_omt){at, oter};
    return true;
}

/* Returns the oter of the terrain that has the wanted rotation. If none has it, returns the
 * first oter of the terrain. */
static ptl_oter turned(const ptl_mapgen *m, const cat_terrain *t, int turns)
{
    for (uint16_t i = 0; i < t->count; i++)
        if (seen_of(m, (ptl_oter)(t->first + i))->turns == turns)
            return (ptl_oter)(t->first + i);
    return (ptl_oter)t->first;
}

/* Returns an oter whose maps have entries of this key. If several oters have them, prefers the
 * one that is rotated by `turns`. */
static ptl_oter oter_of_key(const ptl_mapgen *m, const char *key, int turns)
{
    const uint32_t id = mapgen_word_id(m->world->mapgen->pool, key);
    ptl_oter found = PTL_OTER_NONE;
    for (size_t i = 0; i < cat_of(m)->oter_count; i++) {
        const seen_oter *seen = seen_of(m, (ptl_oter)i);
        if (seen->key == id && (found == PTL_OTER_NONE || seen->turns == turns))
            found = (ptl_oter)i;
        if (found != PTL_OTER_NONE && seen_of(m, found)->turns == turns)
            break;
    }
    return found;
}

/* Each of the next functions sets *found if the id names something of its kind. */

static ptl_status find_terrain(ptl_mapgen *m, const char *id, bool *found, ptl_error *err)
{
    const catalogue *cat = cat_of(m);
    const int turns = m->options.turns < 0 ? 0 : m->options.turns;
    const uint16_t terrain = catalogue_terrain(cat, id);
    ptl_oter oter = catalogue_oter(cat, id);
    if (oter < cat->oter_count && m->options.turns >= 0)
        oter = turned(m, &cat->terrains[cat->oters[oter].terrain], turns);
    if (oter >= cat->oter_count && terrain != CAT_NONE)
        oter = turned(m, &cat->terrains[terrain], turns);
    if (oter >= cat->oter_count)
        oter = oter_of_key(m, id, turns);
    *found = oter < cat->oter_count;
    if (!*found || put_omt(m, (ptl_omt){0, 0, m->options.z}, oter))
        return PTL_OK;
    return error_nomem(err);
}

static ptl_status find_special(ptl_mapgen *m, const char *id, bool *found, ptl_error *err)
{
    const catalogue *cat = cat_of(m);
    const uint16_t number = catalogue_special(cat, id);
    const int turns = m->options.turns < 0 ? 0 : m->options.turns;
    *found = number != CAT_NONE;
    if (!*found)
        return PTL_OK;
    const cat_special *s = &cat->specials[number];
    if (s->omt_count == 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         s->layout ? "'%.*s' is a mutable special, which has no fixed OMTs: "
                                     "name one of its terrains"
                                   : "the special '%.*s' has no OMTs: a mod has switched it "
                                     "off",
                         UTF8_CUT(id, 100));
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *o = &s->omts[i];
        ptl_omt at = {o->x, o->y, o->z + m->options.z};
        for (int n = 0; n < turns; n++)
            at = (ptl_omt){-at.y, at.x, at.z};
        if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
            return error_set(err, PTL_ERR_ARGUMENT, "an OMT of '%.*s' would lie on level %d",
                             UTF8_CUT(id, 100), (int)at.z);
        if (!put_omt(m, at, o->oters[turns]))
            return error_nomem(err);
    }
    return PTL_OK;
}

static ptl_status find_drawing(ptl_mapgen *m, const char *id, bool *found, mapgen_role role,
                               ptl_error *err)
{
    const catalogue *cat = cat_of(m);
    m->key = mapgen_word_id(m->world->mapgen->pool, id);
    *found = mapgen_library_first(m->world->mapgen->library, role, m->key) != NULL;
    /* An update or a chunk has no terrain of its own, so it gets an OMT with the terrain
     * `field`. */
    const ptl_oter field = catalogue_oter_or_first(cat, "field");
    TRY(world_mapgen_fault(m->world->mapgen, err));
    if (!*found || put_omt(m, (ptl_omt){0, 0, m->options.z}, field != CAT_NONE ? field : 0))
        return PTL_OK;
    return error_nomem(err);
}

static ptl_status find_update(ptl_mapgen *m, const char *id, bool *found, ptl_error *err)
{
    return find_drawing(m, id, found, MAPGEN_UPDATE, err);
}

static ptl_status find_nested(ptl_mapgen *m, const char *id, bool *found, ptl_error *err)
{
    return find_drawing(m, id, found, MAPGEN_CHUNK, err);
}

static ptl_status no_id(const ptl_mapgen *m, ptl_error *err)
{
    const catalogue *cat = cat_of(m);
    const ptl_mapgen_kind kind = m->options.kind;
    const bool any = kind == PTL_MAPGEN_ANY;
    suggestion near;
    suggest_begin(&near, m->options.id);
    for (size_t i = 0; i < cat->terrain_count && (any || kind == PTL_MAPGEN_TERRAIN); i++)
        suggest_offer(&near, cat->terrains[i].id);
    for (size_t i = 0; i < cat->special_count && (any || kind == PTL_MAPGEN_SPECIAL); i++)
        suggest_offer(&near, cat->specials[i].id);
    return error_set(err, PTL_ERR_NOT_FOUND, "the content has no %s '%.*s'%s%.*s%s",
                     any ? "overmap terrain, special, update or nested chunk"
                         : ptl_mapgen_kind_name(kind),
                     UTF8_CUT(m->options.id, 100), near.best ? "; did you mean '" : "",
                     UTF8_CUT(near.best ? near.best : "", 100), near.best ? "'?" : "");
}

static ptl_status find_id(ptl_mapgen *m, ptl_error *err)
{
    static ptl_status (*const finds[PTL_MAPGEN_KINDS])(
        ptl_mapgen *, const char *, bool *, ptl_error *) = {NULL, find_terrain, find_special,
                                                            find_update, find_nested};
    const ptl_mapgen_options *o = &m->options;
    bool found = false;
    for (int kind = 1; kind < PTL_MAPGEN_KINDS && !found; kind++) {
        if (o->kind != PTL_MAPGEN_ANY && (int)o->kind != kind)
            continue;
        m->kind = (ptl_mapgen_kind)kind;
        TRY(finds[kind](m, o->id, &found, err));
    }
    if (!found)
        return no_id(m, err);
    m->area =
        (ptl_local_area){INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, PTL_Z_MAX, PTL_Z_MIN};
    for (size_t i = 0; i < m->omt_count; i++) {
        const ptl_omt at = m->omts[i].at;
        ptl_local_area *a = &m->area;
        *a = (ptl_local_area){at.x < a->x0 ? at.x : a->x0, at.y < a->y0 ? at.y : a->y0,
                              at.x > a->x1 ? at.x : a->x1, at.y > a->y1 ? at.y : a->y1,
                              at.z < a->z0 ? at.z : a->z0, at.z > a->z1 ? at.z : a->z1};
    }
    return PTL_OK;
}

/* ---- what is given ---- */

/* Splits a text at its first '='. Returns false if it has none, or begins with it. */
static bool split(const char *text, size_t *size, const char **value)
{
    *size = strcspn(text, "=");
    *value = text + *size + 1;
    return *size > 0 && text[*size] == '=';
}

static ptl_status read_parameters(ptl_mapgen *m, const ptl_mapgen_options *o, ptl_error *err)
{
    id_pool *pool = m->world->mapgen->pool;
    m->given = calloc(o->parameter_count + 1, sizeof *m->given);
    if (!m->given)
        return error_nomem(err);
    for (size_t i = 0; i < o->parameter_count; i++) {
        size_t size;
        const char *value;
        if (!split(o->parameters[i], &size, &value))
            return error_set(err, PTL_ERR_ARGUMENT, "'%.*s' is not NAME=VALUE",
                             UTF8_CUT(o->parameters[i], 100));
        m->given[i] = (mapgen_given){.name = id_pool_put(pool, o->parameters[i], size),
                                     .value = id_pool_put(pool, value, strlen(value))};
    }
    m->scene.given = m->given;
    m->scene.given_count = o->parameter_count;
    return PTL_OK;
}

ptl_status ptl_mapgen_parameters_check(const ptl_mapgen *m, ptl_error *err)
{
    const id_pool *pool = m->world->mapgen->pool;
    error_clear(err);
    for (size_t i = 0; i < m->scene.given_count; i++) {
        const mapgen_given *g = &m->given[i];
        if (!g->used)
            return error_set(err, PTL_ERR_NOT_FOUND,
                             "nothing on these maps asks for a parameter '%.*s'",
                             UTF8_CUT(id_pool_text(pool, g->name), 100));
        if (!g->listed)
            return error_set(err, PTL_ERR_NOT_FOUND,
                             "the parameter '%.*s' can't have the value '%.*s': the "
                             "content does not list it",
                             UTF8_CUT(id_pool_text(pool, g->name), 100),
                             UTF8_CUT(id_pool_text(pool, g->value), 100));
    }
    return PTL_OK;
}

/* Puts an oter into the scene beside each OMT that has a map: in the direction dx, dy, dz from
 * it. */
static bool put_neighbour(ptl_mapgen *m, int dx, int dy, int dz, ptl_oter oter)
{
    bool good = true;
    for (size_t i = 0; i < m->omt_count && good; i++) {
        const ptl_omt from = m->omts[i].at;
        const ptl_omt at = {from.x + dx, from.y + dy, from.z + dz};
        if (world_scene_oter(&m->scene, at) == PTL_OTER_NONE)
            good = world_scene_put(&m->scene, at, oter);
    }
    return good;
}

static ptl_status read_neighbour(ptl_mapgen *m, const char *text, ptl_error *err)
{
    static const struct {
        const char *name;
        int8_t x, y, z;
    } directions[] = {{"north", 0, -1, 0}, {"north_east", 1, -1, 0},
                      {"east", 1, 0, 0},   {"south_east", 1, 1, 0},
                      {"south", 0, 1, 0},  {"south_west", -1, 1, 0},
                      {"west", -1, 0, 0},  {"north_west", -1, -1, 0},
                      {"above", 0, 0, 1},  {"below", 0, 0, -1}};
    enum { AROUND = 8, ALL = sizeof directions / sizeof directions[0] };
    size_t size;
    const char *id;
    if (!split(text, &size, &id))
        return error_set(err, PTL_ERR_ARGUMENT, "'%.*s' is not DIRECTION=OTER",
                         UTF8_CUT(text, 100));
    const ptl_oter oter = catalogue_oter_or_first(cat_of(m), id);
    if (oter >= cat_of(m)->oter_count)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no overmap terrain '%.*s'",
                         UTF8_CUT(id, 100));
    const bool around = size == strlen("around") && strncmp(text, "around", size) == 0;
    bool any = false, good = true;
    if (size == strlen("before") && strncmp(text, "before", size) == 0) {
        m->scene.before = oter;
        return PTL_OK;
    }
    for (size_t i = 0; i < ALL; i++) {
        const bool named =
            strlen(directions[i].name) == size && strncmp(directions[i].name, text, size) == 0;
        if (!named && !(around && i < AROUND))
            continue;
        any = true;
        good =
            good && put_neighbour(m, directions[i].x, directions[i].y, directions[i].z, oter);
    }
    if (!any)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "'%.*s' is no direction: north, north_east and so on, above, below, "
                         "around or before",
                         (int)(size < INT_MAX ? size : INT_MAX), text);
    return good ? PTL_OK : error_nomem(err);
}

static ptl_status check_options(const ptl_mapgen_options *o, ptl_error *err)
{
    if (!o->id || !o->id[0])
        return error_set(err, PTL_ERR_ARGUMENT, "an id must be given");
    if ((int)o->kind < 0 || (int)o->kind >= PTL_MAPGEN_KINDS)
        return error_set(err, PTL_ERR_ARGUMENT, "there is no such kind of mapgen");
    if (o->turns < -1 || o->turns > 3)
        return error_set(err, PTL_ERR_ARGUMENT, "a rotation is 0 to 3 quarter turns");
    if (o->z < PTL_Z_MIN || o->z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "level %d lies outside of %d..%d", (int)o->z,
                         PTL_Z_MIN, PTL_Z_MAX);
    if (o->entry < 0 || o->turn < 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "an entry's number, and the turn, are not "
                         "below 0");
    return PTL_OK;
}

/* Returns the first entry from which the map of this OMT can be drawn. */
static const mapgen_candidate *first_entry(const ptl_mapgen *m, const scene_omt *omt)
{
    const mapgen_role role = m->kind == PTL_MAPGEN_UPDATE   ? MAPGEN_UPDATE
                             : m->kind == PTL_MAPGEN_NESTED ? MAPGEN_CHUNK
                                                            : MAPGEN_OM_TERRAIN;
    const uint32_t key = role == MAPGEN_OM_TERRAIN ? seen_of(m, omt->oter)->key : m->key;
    return mapgen_library_first(m->world->mapgen->library, role, key);
}

static ptl_status check_entry(ptl_mapgen *m, ptl_error *err)
{
    int32_t count = 0;
    if (m->options.entry > 0 && m->kind == PTL_MAPGEN_SPECIAL)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "each OMT of a special has entries of its own: name its terrain");
    for (const mapgen_candidate *c = first_entry(m, &m->omts[0]); c; c = c->next)
        count++;
    if (m->options.entry > count)
        return error_set(err, PTL_ERR_NOT_FOUND, "'%.*s' has %d entr%s, and none %d",
                         UTF8_CUT(m->options.id, 100), (int)count, count == 1 ? "y" : "ies",
                         (int)m->options.entry);
    return world_mapgen_fault(m->world->mapgen, err);
}

ptl_status ptl_mapgen_new(ptl_mapgen **out, ptl_world *world, const ptl_mapgen_options *options,
                          ptl_error *err)
{
    ptl_mapgen_options o = PTL_MAPGEN_OPTIONS_INIT;
    error_clear(err);
    *out = NULL;
    TRY(SIZED_TAKE(ptl_mapgen_options, &o, options, err));
    TRY(check_options(&o, err));
    TRY(world_local_load(world, false, err));
    ptl_mapgen *m = calloc(1, sizeof *m);
    if (!m)
        return error_nomem(err);
    m->world = world;
    m->options = o;
    m->scene.before = PTL_OTER_NONE;
    m->scene.extras = o.extras;
    m->scene.turns = o.turns < 0 ? 0 : o.turns;
    m->made = world_local_new();
    ptl_status status = m->made ? find_id(m, err) : error_nomem(err);
    THEN(status, read_parameters(m, &o, err));
    for (size_t i = 0; i < o.neighbour_count && status == PTL_OK; i++)
        status = read_neighbour(m, o.neighbours[i], err);
    THEN(status, check_entry(m, err));
    m->options.id = NULL;
    m->options.parameters = m->options.neighbours = NULL;
    if (status == PTL_OK)
        *out = m;
    else
        ptl_mapgen_free(m);
    return status;
}

/* ---- making maps ---- */

static const scene_omt *omt_at(const ptl_mapgen *m, ptl_omt at)
{
    for (size_t i = 0; i < m->omt_count; i++) {
        const ptl_omt here = m->omts[i].at;
        if (here.x == at.x && here.y == at.y && here.z == at.z)
            return &m->omts[i];
    }
    return NULL;
}

/* Makes the map that is there before an update or chunk is drawn on it. */
static ptl_status make_base(ptl_mapgen *m, map_info *info, local_maker *maker, ptl_omt at,
                            ptl_error *err)
{
    local_scene ground = m->scene;
    id_pool *pool = m->world->mapgen->pool;
    ground.entry = 0;
    ground.drawn = NULL;
    ground.before = PTL_OTER_NONE;
    maker->scene = maker->payload = &ground;
    if (m->scene.before != PTL_OTER_NONE) {
        (void)world_scene_put(&ground, at, m->scene.before);
        const ptl_status status = world_local_run(m->made, info, maker, at, err);
        (void)world_scene_put(&ground, at, m->omts[0].oter);
        maker->scene = maker->payload = &m->scene;
        return status;
    }
    maker->scene = maker->payload = &m->scene;
    *info = (map_info){.at = at,
                       .oter = cat_of(m)->oters[m->omts[0].oter].id,
                       .content_id = m->world->row.content_id,
                       .turn = m->options.turn,
                       .generator_version = PTL_GENERATOR_VERSION};
    mapgen_fill_fallback(m->made, pool, at.z);
    if (m->scene.trace)
        m->scene.trace->now[MAPGEN_TRACED_TERRAIN] = m->made->terrain[0];
    return PTL_OK;
}

ptl_status world_mapgen_make(ptl_mapgen *m, map_info *info, ptl_omt at, uint64_t seed,
                             ptl_error *err)
{
    const ptl_riot_damage riots = m->options.riot_damage;
    const bool drawn = m->kind == PTL_MAPGEN_UPDATE || m->kind == PTL_MAPGEN_NESTED;
    local_maker maker = {.world = m->world,
                         .mapgen = m->world->mapgen,
                         .look = world_scene_look,
                         .payload = &m->scene,
                         .turn = m->options.turn,
                         .opposite = riots != PTL_RIOT_DAMAGE_OF_CONTENT &&
                                     riots != m->world->row.riot_damage,
                         .scene = &m->scene};
    local_map_dispose(m->made);
    local_map_init(m->made);
    m->scene.seed = seed;
    m->scene.focus = at;
    m->scene.entry = (uint32_t)m->options.entry;
    m->scene.drawn = &m->drawn;
    m->drawn = 0;
    if (!drawn) {
        TRY(world_local_run(m->made, info, &maker, at, err));
    } else {
        TRY(make_base(m, info, &maker, at, err));
        TRY(world_local_draw(m->made, &maker, at,
                             m->kind == PTL_MAPGEN_UPDATE ? MAPGEN_UPDATE : MAPGEN_CHUNK,
                             m->key, err));
    }
    return m->made->failed || id_pool_failed(m->world->mapgen->pool) ? error_nomem(err)
                                                                     : PTL_OK;
}

ptl_status ptl_mapgen_get(ptl_local_map **out, ptl_mapgen *m, ptl_omt at, uint64_t seed,
                          ptl_error *err)
{
    map_info info;
    error_clear(err);
    *out = NULL;
    if (!omt_at(m, at))
        return PTL_OK;
    TRY(world_mapgen_make(m, &info, at, seed, err));
    return world_local_own(out, m->world, m->made, &info, err);
}

/* ---- entries ---- */

/* Returns whether an OMT before the one with this number has the same entries of mapgen. */
static bool is_listed(const ptl_mapgen *m, size_t number)
{
    const uint32_t key = seen_of(m, m->omts[number].oter)->key;
    for (size_t i = 0; i < number; i++)
        if (seen_of(m, m->omts[i].oter)->key == key)
            return true;
    return false;
}

ptl_status ptl_mapgen_entry_list(ptl_mapgen *m,
                                 bool (*on_entry)(void *payload, const ptl_mapgen_entry *entry),
                                 void *payload, ptl_error *err)
{
    const id_pool *pool = m->world->mapgen->pool;
    const bool terrain = m->kind == PTL_MAPGEN_TERRAIN || m->kind == PTL_MAPGEN_SPECIAL;
    error_clear(err);
    for (size_t i = 0; i < m->omt_count; i++) {
        const scene_omt *omt = &m->omts[i];
        const uint32_t key = terrain ? seen_of(m, omt->oter)->key : m->key;
        double sum = 0;
        ptl_mapgen_entry row = {.size = sizeof row, .at = omt->at};
        if (is_listed(m, i))
            continue;
        for (const mapgen_candidate *c = first_entry(m, omt); c; c = c->next)
            sum += mapgen_weight(c->entry);
        for (const mapgen_candidate *c = first_entry(m, omt); c; c = c->next) {
            row.key = id_pool_text(pool, key);
            row.number++;
            row.weight = c->entry->weight;
            row.share = sum > 0 ? mapgen_weight(c->entry) / sum : 0;
            row.file = id_pool_text(pool, c->entry->path);
            row.line = c->entry->line;
            row.unfinished = c->entry->unfinished;
            if (!on_entry(payload, &row))
                return error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
        }
    }
    return world_mapgen_fault(m->world->mapgen, err);
}

/* ---- where a tile comes from ---- */

/* A search for the place of a JSON object in the content. A step of mapgen states the object's
 * file and line. */
typedef struct place_search {
    const char *path;
    int64_t line;
    uint32_t offset;
    int64_t found; /* line of the searched place in the file; 0: not found yet */
} place_search;

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    place_search *s = payload;
    (void)err;
    if (s->found || row->line != s->line || strcmp(row->path, s->path) != 0)
        return PTL_OK;
    s->found = row->line;
    for (size_t i = 0; i < s->offset && i < row->size; i++)
        s->found += row->text[i] == '\n';
    return PTL_OK;
}

typedef struct telling {
    ptl_mapgen *m;
    bool (*on_step)(void *payload, const ptl_mapgen_step *step);
    void *payload;
    ptl_status status;
    ptl_error err;
} telling;

ptl_status world_mapgen_line(const char **file, int64_t *line, const ptl_world *world,
                             const mapgen_step *step, ptl_error *err)
{
    const id_pool *pool = world->mapgen->pool;
    const mapgen_palette *p = step->palette;
    place_search s = {.path = id_pool_text(pool, p ? p->path : step->entry->path),
                      .line = p ? p->line : step->entry->line,
                      .offset = step->place};
    const char *types[] = {p ? "palette" : "mapgen", NULL};
    const kept_text_query query = {types, id_pool_text(pool, p ? p->id : step->key)};
    *file = s.path;
    *line = 0;
    if (!s.path[0])
        return PTL_OK;
    TRY(ops(world->store)->content->kept_visit(world->store, &query, on_object, &s, err));
    *line = s.found ? s.found : s.line;
    return PTL_OK;
}

static const char *role_name(const mapgen_entry *e)
{
    return e->role == MAPGEN_OM_TERRAIN ? "terrain"
           : e->role == MAPGEN_UPDATE   ? "update"
                                        : "chunk";
}

static void on_traced(void *payload, const mapgen_step *s)
{
    static const char *const layers[] = {"terrain", "furniture", "trap"};
    static const char *const doers[] = {"", "code", "region", "script", "extra", "riots"};
    telling *t = payload;
    const id_pool *pool = t->m->world->mapgen->pool;
    const mapgen_entry *e = s->entry;
    const mapgen_palette *p = s->palette;
    ptl_mapgen_step step = {.size = sizeof step,
                            .what = s->what == MAPGEN_TRACED_THING ? local_kind_name(s->thing)
                                                                   : layers[s->what],
                            .id = id_pool_text(pool, s->id),
                            .by = e ? role_name(e) : doers[s->doer],
                            .key = id_pool_text(pool, e ? s->key : ID_NONE),
                            .member = e ? s->member : "",
                            .symbol = id_pool_text(pool, s->symbol),
                            .palette = id_pool_text(pool, p ? p->id : ID_NONE),
                            .chance = s->chance,
                            .way = s->way,
                            .depth = s->depth,
                            .file = ""};
    if (t->status != PTL_OK)
        return;
    if (e)
        t->status = world_mapgen_line(&step.file, &step.line, t->m->world, s, &t->err);
    if (t->status == PTL_OK && !t->on_step(t->payload, &step))
        t->status = error_set(&t->err, PTL_ERR_CANCELLED, "the caller ended the list");
}

ptl_status ptl_mapgen_step_list(ptl_mapgen *m, ptl_omt at, uint64_t seed, int32_t x, int32_t y,
                                bool (*on_step)(void *payload, const ptl_mapgen_step *step),
                                void *payload, ptl_error *err)
{
    telling t = {.m = m, .on_step = on_step, .payload = payload};
    mapgen_trace trace = {.x = x, .y = y, .on_step = on_traced, .payload = &t, .chance = 1};
    map_info info;
    error_clear(err);
    if (x < 0 || x >= LOCAL_SIDE || y < 0 || y >= LOCAL_SIDE)
        return error_set(err, PTL_ERR_ARGUMENT, "tile %d,%d is not on a map: 0..%d", (int)x,
                         (int)y, LOCAL_SIDE - 1);
    if (!omt_at(m, at))
        return error_set(err, PTL_ERR_NOT_FOUND, "there is no map at %lld,%lld,%d",
                         (long long)at.x, (long long)at.y, (int)at.z);
    m->scene.trace = &trace;
    ptl_status status = world_mapgen_make(m, &info, at, seed, err);
    m->scene.trace = NULL;
    mapgen_trace_dispose(&trace);
    if (status == PTL_OK && t.status != PTL_OK) {
        if (err)
            *err = t.err;
        status = t.status;
    }
    return status;
}
