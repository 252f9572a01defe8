/*
 * Checks of mapgen for which maps are made (ptl_mapgen_fault_list). A few maps are made of
 * each entry, without riots and map extras. If there is something wrong on a map, the line of
 * the content that has put it there is found. What comes by chance counts as a fault only if
 * it is on each of the maps, because a single odd map is no mistake. But a thing inside a wall
 * always counts.
 */
#include "core/array.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "mapgen/compile/text_id.h"
#include "model/remark_codes.h"
#include "world/local/kept_object.h"
#include "world/local/local_mapgen.h"
#include "world/local/local_ways.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAPS_USUAL = 3, MAPS_MAX = 400, CELLS = LOCAL_CELLS };
/* Bytes of a character that a message shows, and of a list of them. */
enum { SYMBOL_MAX = 8, SHOWN = 200 };

/* An id under which the content registers entries of mapgen: that of a terrain, an update or a
 * nested chunk. */
typedef struct checked_key {
    mapgen_role role;
    uint32_t key;
} checked_key;

/* A thing that lies in a wall. */
typedef struct walled {
    local_kind kind;
    uint32_t id, terrain;
    int cell;
} walled;

typedef struct checking {
    ptl_world *world;
    const ptl_mapgen_check_options *options;
    bool (*on_fault)(void *payload, const ptl_diagnostic *fault);
    void *payload;
    bool on;           /* the caller's on_fault has not returned false yet */
    id_pool *said;     /* owned; remarks that were reported already, and keys that were found */
    checked_key *keys; /* owned */
    size_t key_count, key_room;
    uint64_t done, total;
    json_reader *reader; /* owned */
    bytes text;
    /* Owned; what the id that is being checked stands for, ready for making its maps. */
    ptl_mapgen *m;
    const mapgen_entry *entry;
    uint32_t key;
    uint8_t tiles[CELLS]; /* for each tile of the last map that was checked: what a person can
                             do on it (TILE_WALK ...) */
    walled *walled;       /* owned; the things inside walls on the last map that was checked */
    size_t walled_count, walled_room;
} checking;

/* ---- telling ---- */

/* Adds a text to c->said, the remarks that were reported already and the keys that were found
 * already. Returns false if it was there before. */
static bool is_new(checking *c, const char *text)
{
    const uint32_t before = id_pool_count(c->said);
    (void)id_pool_put(c->said, text, strlen(text));
    return id_pool_count(c->said) > before;
}

static void say(checking *c, remark_code code, const char *file, int64_t line,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

static void say(checking *c, remark_code code, const char *file, int64_t line,
                const char *format, ...)
{
    enum { MESSAGE = 400 };
    char message[MESSAGE];
    const char *name = remark_code_name(code);
    const char *id = id_pool_text(c->world->mapgen->pool, c->key);
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    /* If a line of the content is wrong for several ids, it is reported only once, for the
     * first of them. */
    bytes_clear(&c->text);
    bytes_printf(&c->text, "%s %s:%lld", name, file, (long long)line);
    const char *all = bytes_text(&c->text);
    if (!c->on || (c->options->wanted && !c->options->wanted(c->options->payload, file)) ||
        (all && !is_new(c, all)))
        return;
    const ptl_diagnostic d = {.size = sizeof d,
                              .severity = remark_code_severity(code),
                              .file = file,
                              .line = (int)line,
                              .id = id,
                              .message = message,
                              .code = name,
                              .pack = ""};
    c->on = c->on_fault(c->payload, &d);
}

static const char *text_of(const checking *c, uint32_t id)
{
    return id_pool_text(c->world->mapgen->pool, id);
}

/* ---- where something comes from ---- */

/* Which thing is searched on a tile, and the last step that put it there. */
typedef struct caught {
    checking *c;
    mapgen_traced what;
    local_kind thing;
    uint32_t id;
    bool any, by_code;
    mapgen_step step;
} caught;

static void on_step(void *payload, const mapgen_step *step)
{
    caught *k = payload;
    if (step->what != k->what)
        return;
    if (k->what == MAPGEN_TRACED_THING && (step->thing != k->thing || step->id != k->id))
        return;
    k->any = true;
    k->by_code = !step->entry;
    k->step = *step;
}

static void on_cut(void *payload, const mapgen_step *step, uint32_t chunk)
{
    checking *c = ((caught *)payload)->c;
    const char *file = "";
    int64_t line = 0;
    if (world_mapgen_line(&file, &line, c->world, step, NULL) == PTL_OK)
        say(c, MG501, file, line, "a part of the chunk '%.*s' lies outside of the map",
            UTF8_CUT(text_of(c, chunk), 100));
}

/* Makes the map of an OMT again, to find the step that put something on a tile. *file is "" if
 * code did it, or if no step was found. */
static ptl_status catch_step(caught *out, checking *c, ptl_omt at, uint64_t seed, int cell,
                             const char **file, int64_t *line, ptl_error *err)
{
    map_info info;
    mapgen_trace trace = {.x = cell % LOCAL_SIDE,
                          .y = cell / LOCAL_SIDE,
                          .on_step = on_step,
                          .payload = out,
                          .chance = 1};
    *file = "";
    *line = 0;
    out->c = c;
    c->m->scene.trace = &trace;
    const ptl_status status = world_mapgen_make(c->m, &info, at, seed, err);
    c->m->scene.trace = NULL;
    mapgen_trace_dispose(&trace);
    if (status != PTL_OK || !out->any || out->by_code)
        return status;
    return world_mapgen_line(file, line, c->world, &out->step, err);
}

static void look(checking *c)
{
    local_ways(c->tiles, c->world->mapgen, c->m->made);
}

/* ---- entries ---- */

/* Reports things on the last map that lie in a wall, where nobody can reach them. */
static ptl_status check_things(checking *c, ptl_omt at, uint64_t seed, ptl_error *err)
{
    enum { KINDS = 1 << LOCAL_ITEM | 1 << LOCAL_ITEM_GROUP | 1 << LOCAL_MONSTER };
    const local_map *map = c->m->made;
    int last = -1;
    c->walled_count = 0;
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        const int cell = e->y * LOCAL_SIDE + e->x;
        if (!(KINDS >> e->kind & 1) || !(c->tiles[cell] & TILE_WALL) || cell == last ||
            e->x != e->x2 || e->y != e->y2 || map->furniture[cell] != ID_NONE)
            continue;
        last = cell;
        if (!ARRAY_ROOM(c->walled, c->walled_room, c->walled_count + 1))
            return error_nomem(err);
        c->walled[c->walled_count++] = (walled){e->kind, e->id, map->terrain[cell], cell};
    }
    for (size_t i = 0; i < c->walled_count && c->on; i++) {
        const walled *w = &c->walled[i];
        caught k = {.what = MAPGEN_TRACED_THING, .thing = w->kind, .id = w->id};
        const char *file;
        int64_t line;
        TRY(catch_step(&k, c, at, seed, w->cell, &file, &line, err));
        /* A mapgen piece with a monster group puts monsters only where there is room, so the
         * content is not wrong. */
        if (file[0] && !k.step.spread && strcmp(k.step.member, "monsters") != 0)
            say(c, MG502, file, line, "%s '%.*s' lies in '%.*s'",
                w->kind == LOCAL_MONSTER ? "the monster" : "the item",
                UTF8_CUT(text_of(c, w->id), 100), UTF8_CUT(text_of(c, w->terrain), 100));
    }
    return PTL_OK;
}

/* Checks the first map of an entry, and reports what is wrong with the places of its doors and
 * rooms. */
static ptl_status say_places(checking *c, ptl_omt at, uint64_t seed, bool doors, bool rooms,
                             ptl_error *err)
{
    int size = 0;
    map_info info;
    TRY(world_mapgen_make(c->m, &info, at, seed, err));
    look(c);
    const int room = rooms ? local_ways_shut_room(c->tiles, &size) : -1;
    const int door = doors ? local_ways_shut_door(c->tiles) : -1;
    const char *file;
    int64_t line;
    if (room >= 0)
        say(c, MG504, text_of(c, c->entry->path), c->entry->line,
            "a room of %d tiles, one of them at %d,%d, can't be reached", size,
            room % LOCAL_SIDE, room / LOCAL_SIDE);
    if (door < 0)
        return PTL_OK;
    const uint32_t terrain = c->m->made->terrain[door];
    caught k = {.what = MAPGEN_TRACED_TERRAIN};
    TRY(catch_step(&k, c, at, seed, door, &file, &line, err));
    if (file[0])
        say(c, MG503, file, line, "'%.*s' at %d,%d leads nowhere",
            UTF8_CUT(text_of(c, terrain), 100), door % LOCAL_SIDE, door / LOCAL_SIDE);
    return PTL_OK;
}

/* Makes several maps of an entry and reports what is wrong on them. */
static ptl_status check_maps(checking *c, ptl_error *err)
{
    const ptl_omt at = c->m->omts[0].at;
    const int32_t maps = c->options->maps > 0 ? c->options->maps : MAPS_USUAL;
    bool doors = true, rooms = true;
    for (int32_t i = 0; i < maps && c->on; i++) {
        map_info info;
        int size;
        caught none = {.c = c, .what = MAPGEN_TRACED_THING, .thing = LOCAL_REMARK};
        mapgen_trace trace = {
            .on_step = on_step, .on_cut = on_cut, .payload = &none, .chance = 1};
        const uint64_t seed = c->options->seed + (uint64_t)i;
        c->m->scene.trace = &trace;
        const ptl_status status = world_mapgen_make(c->m, &info, at, seed, err);
        c->m->scene.trace = NULL;
        mapgen_trace_dispose(&trace);
        if (status == PTL_ERR_CONTENT) { /* the map can't be made; other checks report that */
            error_clear(err);
            return PTL_OK;
        }
        TRY(status);
        look(c);
        /* The map was made without neighbours. If chunks (drawings) that it uses have
         * conditions about neighbours, it may lack ways that the game's map has; then shut
         * doors and rooms are not reported. */
        doors = doors && !trace.conditional;
        rooms = rooms && !trace.conditional;
        doors = doors && local_ways_shut_door(c->tiles) >= 0;
        rooms = rooms && local_ways_shut_room(c->tiles, &size) >= 0;
        TRY(check_things(c, at, seed, err));
    }
    return doors || rooms ? say_places(c, at, c->options->seed, doors, rooms, err) : PTL_OK;
}

/* Reports the characters that the entry explains, although no row of its drawing has them. */
static ptl_status check_symbols(checking *c, ptl_error *err)
{
    const mapgen_entry *e = c->entry;
    mapgen_step step = {.entry = e, .key = c->key};
    bytes list = {.size = 0};
    int count = 0;
    for (uint32_t i = 0; e->cells && i < e->unit.meaning_count; i++) {
        const mapgen_meaning *m = &e->unit.meanings[i];
        bool used = false;
        for (uint32_t k = 0; k < e->symbol_count && !used; k++)
            used = e->symbols[k] == m->symbol;
        if (used)
            continue;
        const uint32_t place = m->terrain     ? m->terrain_place
                               : m->furniture ? m->furniture_place
                                              : e->unit.pieces[m->pieces].place;
        step.place = count == 0 || place < step.place ? place : step.place;
        bytes_printf(&list, "%s'%.*s'", list.size ? ", " : "",
                     UTF8_CUT(text_of(c, m->symbol), SYMBOL_MAX));
        count++;
    }
    const char *file, *text = bytes_text(&list);
    int64_t line;
    ptl_status status = text ? PTL_OK : error_nomem(err);
    if (count > 0)
        THEN(status, world_mapgen_line(&file, &line, c->world, &step, err));
    if (count > 0 && status == PTL_OK)
        say(c, MG506, file, line, "%d character%s explained, and not in the rows: %.*s%s",
            count, count == 1 ? " is" : "s are", UTF8_CUT(text, SHOWN),
            list.size > SHOWN ? ", ..." : "");
    bytes_dispose(&list);
    return status;
}

static ptl_status open_id(checking *c, const char *id, ptl_mapgen_kind kind, ptl_error *err)
{
    ptl_mapgen_options o = PTL_MAPGEN_OPTIONS_INIT;
    o.id = id;
    o.kind = kind;
    o.turns = 0;
    o.extras = false;
    o.riot_damage = PTL_RIOT_DAMAGE_OFF;
    ptl_mapgen_free(c->m);
    return ptl_mapgen_new(&c->m, c->world, &o, err);
}

static bool is_wanted(const checking *c, const mapgen_entry *e)
{
    const ptl_mapgen_check_options *o = c->options;
    return e->path != ID_NONE && (!o->wanted || o->wanted(o->payload, text_of(c, e->path)));
}

static ptl_status check_key(checking *c, const checked_key *k, ptl_error *err)
{
    const mapgen_candidate *one =
        mapgen_library_first(c->world->mapgen->library, k->role, k->key);
    bool any = false;
    c->key = k->key;
    TRY(world_mapgen_fault(c->world->mapgen, err));
    for (const mapgen_candidate *each = one; each && !any; each = each->next)
        any = is_wanted(c, each->entry);
    if (!any)
        return PTL_OK;
    if (k->role == MAPGEN_OM_TERRAIN) {
        const ptl_status status = open_id(c, text_of(c, k->key), PTL_MAPGEN_TERRAIN, err);
        if (status == PTL_ERR_NOT_FOUND) { /* MG303 */
            error_clear(err);
            return PTL_OK;
        }
        TRY(status);
    }
    for (int32_t number = 1; one && c->on; one = one->next, number++) {
        c->entry = one->entry;
        if (!is_wanted(c, c->entry) || !c->entry->json)
            continue;
        TRY(check_symbols(c, err));
        if (k->role != MAPGEN_OM_TERRAIN)
            continue;
        c->m->options.entry = number;
        TRY(check_maps(c, err));
    }
    return PTL_OK;
}

/* ---- specials: stairs ---- */

static ptl_status say_stairs(checking *c, ptl_omt at, uint8_t way, int cell, ptl_error *err)
{
    caught k = {.what = MAPGEN_TRACED_TERRAIN};
    const char *file;
    int64_t line;
    TRY(catch_step(&k, c, at, c->options->seed, cell, &file, &line, err));
    if (file[0])
        say(c, MG505, file, line,
            "stairs '%.*s' of '%.*s' at %d,%d lead %s, where no stairs lead back",
            UTF8_CUT(text_of(c, k.step.id), 60), UTF8_CUT(text_of(c, k.step.key), 60),
            cell % LOCAL_SIDE, cell / LOCAL_SIDE, way == TILE_UP ? "up" : "down");
    return PTL_OK;
}

/* Compares the map of an OMT with the map of the OMT above it. */
static ptl_status check_stairs(checking *c, ptl_omt at, ptl_error *err)
{
    const ptl_omt up = {at.x, at.y, at.z + 1};
    uint8_t here[CELLS];
    map_info info;
    TRY(world_mapgen_make(c->m, &info, at, c->options->seed, err));
    look(c);
    memcpy(here, c->tiles, sizeof here);
    const bool bare = info.fallback;
    TRY(world_mapgen_make(c->m, &info, up, c->options->seed, err));
    look(c);
    if (bare || info.fallback)
        return PTL_OK;
    uint8_t there[CELLS];
    memcpy(there, c->tiles, sizeof there);
    const int lost_up = local_ways_lost_stair(here, there, TILE_UP, TILE_DOWN);
    const int lost_down = local_ways_lost_stair(there, here, TILE_DOWN, TILE_UP);
    if (lost_up >= 0)
        TRY(say_stairs(c, at, TILE_UP, lost_up, err));
    if (lost_down >= 0)
        TRY(say_stairs(c, up, TILE_DOWN, lost_down, err));
    return PTL_OK;
}

static ptl_status check_special(checking *c, const cat_special *s, ptl_error *err)
{
    if (s->omt_count == 0 || s->z0 == s->z1)
        return PTL_OK;
    c->key = mapgen_word_id(c->world->mapgen->pool, s->id);
    TRY(open_id(c, s->id, PTL_MAPGEN_SPECIAL, err));
    for (size_t i = 0; i < c->m->omt_count && c->on; i++) {
        const ptl_omt at = c->m->omts[i].at;
        ptl_status status = PTL_OK;
        if (world_scene_oter(&c->m->scene, (ptl_omt){at.x, at.y, at.z + 1}) != PTL_OTER_NONE)
            status = check_stairs(c, at, err);
        if (status == PTL_ERR_CONTENT) {
            error_clear(err);
            status = PTL_OK;
        }
        TRY(status);
    }
    return PTL_OK;
}

/* ---- which ids ---- */

/* Returns whether a text matches a pattern, in which `*` stands for any number of characters.
 */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *back = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            back = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++back;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

/* Adds to c->keys the ids that a JSON value has and that are to be checked. The value is an id,
 * a list of ids, or a list of lists. `role` says what the ids name, for example an update. */
static bool add_keys(checking *c, mapgen_role role, json_view v, bool *any)
{
    if (json_view_kind(v) == VIEW_ARRAY) {
        bool good = true;
        for (json_walk w = json_walk_of(v); json_walk_next(&w) && good;)
            good = add_keys(c, role, w.value, any);
        return good;
    }
    const uint32_t key = mapgen_text_id(c->world->mapgen->pool, v, &c->text);
    char name[32];
    if (key == ID_NONE || !matches(c->options->id, text_of(c, key)))
        return true;
    *any = true;
    c->key = key;
    snprintf(name, sizeof name, "%d %u", (int)role, (unsigned)key);
    if (!is_new(c, name))
        return true;
    if (!ARRAY_ROOM(c->keys, c->key_room, c->key_count + 1))
        return false;
    c->keys[c->key_count++] = (checked_key){role, key};
    return true;
}

static ptl_status on_entry(void *payload, const kept_row *row, ptl_error *err)
{
    static const char *const members[] = {"om_terrain", "nested_mapgen_id", "update_mapgen_id"};
    static const mapgen_role roles[] = {MAPGEN_OM_TERRAIN, MAPGEN_CHUNK, MAPGEN_UPDATE};
    checking *c = payload;
    json_document document;
    int64_t weight = 1;
    bool any = false;
    TRY(kept_object(&document, c->reader, row, err));
    const json_view object = json_view_of(&document);
    for (int i = 0; i < 3; i++)
        if (!add_keys(c, roles[i], json_view_get(object, members[i]), &any))
            return error_nomem(err);
    const bool off = json_view_kind(json_view_get(object, "disabled")) == VIEW_TRUE;
    const bool none = json_view_integer(json_view_get(object, "weight"), &weight) && !weight;
    if (any && (off || none))
        say(c, MG507, row->path, row->line, "the entry is never drawn: %s",
            off ? "it is disabled" : "its weight is 0");
    return PTL_OK;
}

static bool is_special(const checking *c, const cat_special *s)
{
    const ptl_mapgen_check_options *o = c->options;
    return matches(o->id, s->id);
}

static ptl_status step_done(checking *c, ptl_error *err)
{
    const ptl_mapgen_check_options *o = c->options;
    const ptl_store *store = c->world->store;
    const stop_hook stop = ops(store)->transaction->stop_hook(store);
    c->done++;
    if (!c->on)
        return error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
    if (stop_asked(&stop) || (o->on_progress && !o->on_progress(o->payload, c->done, c->total)))
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    return id_pool_failed(c->said) ? error_nomem(err) : PTL_OK;
}

static ptl_status check_all(checking *c, ptl_error *err)
{
    static const char *const types[] = {"mapgen", NULL};
    const kept_text_query query = {types, NULL};
    ptl_store *store = c->world->store;
    const catalogue *cat = c->world->cat;
    TRY(ops(store)->content->kept_visit(store, &query, on_entry, c, err));
    c->total = c->key_count;
    for (size_t i = 0; i < cat->special_count; i++)
        c->total += is_special(c, &cat->specials[i]);
    if (c->total == 0)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "the content has no mapgen, and no special, of the id '%.*s'",
                         UTF8_CUT(c->options->id, 100));
    for (size_t i = 0; i < c->key_count; i++) {
        TRY(check_key(c, &c->keys[i], err));
        TRY(step_done(c, err));
    }
    for (size_t i = 0; i < cat->special_count; i++) {
        if (!is_special(c, &cat->specials[i]))
            continue;
        TRY(check_special(c, &cat->specials[i], err));
        TRY(step_done(c, err));
    }
    return PTL_OK;
}

ptl_status ptl_mapgen_fault_list(uint64_t *checked, ptl_world *world,
                                 const ptl_mapgen_check_options *options,
                                 bool (*on_fault)(void *payload, const ptl_diagnostic *fault),
                                 void *payload, ptl_error *err)
{
    ptl_mapgen_check_options o = PTL_MAPGEN_CHECK_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_mapgen_check_options, &o, options, err));
    if (!o.id || !o.id[0] || o.maps < 0 || o.maps > MAPS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "an id, and 1 to %d maps, must be given",
                         MAPS_MAX);
    TRY(world_local_load(world, false, err));
    checking *c = calloc(1, sizeof *c);
    if (!c)
        return error_nomem(err);
    *c = (checking){
        .world = world,
        .options = &o,
        .on_fault = on_fault,
        .payload = payload,
        .on = true,
        .said = id_pool_new(),
        .reader = json_reader_new(ops(world->store)->transaction->stop_hook(world->store))};
    bytes_init(&c->text);
    const ptl_status status = c->said && c->reader ? check_all(c, err) : error_nomem(err);
    if (checked)
        *checked = c->done;
    ptl_mapgen_free(c->m);
    json_reader_free(c->reader);
    id_pool_free(c->said);
    bytes_dispose(&c->text);
    free(c->keys);
    free(c->walled);
    free(c);
    return status;
}
