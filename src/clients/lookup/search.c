#include "clients/lookup/search.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- places by name ---- */

/* State of a search. Cities and specials are found in the lists of the file. For terrains all
 * saved chunks are read once, and for buildings and radio stations once more. Only the nearest
 * places are kept, sorted by distance. */

typedef struct search {
    const search_options *options;
    ptl_world *world;
    search_result *out;
    bool *takes;  /* owned; for each oter: whether its terrain matches the search */
    bool is_over; /* the caller's go_on has returned false: chunks are no longer searched but
                     only counted */
    ptl_oter level[PTL_LEVEL_CELLS];
    ptl_status status;
    ptl_error *err;
} search;

/* Counts a place, and inserts it into the sorted hits if it is one of the SEARCH_HITS nearest
 * places. */
static void keep(search_hits *h, const search *s, const char *what, int64_t x, int64_t y,
                 int32_t z)
{
    const ptl_omt from = s->options->from;
    const double distance = hypot((double)(x - from.x), (double)(y - from.y));
    size_t at = h->held;
    h->count++;
    if (at == SEARCH_HITS && distance >= h->list[at - 1].distance)
        return;
    if (at == SEARCH_HITS)
        at--;
    else
        h->held++;
    for (; at > 0 && h->list[at - 1].distance > distance; at--)
        h->list[at] = h->list[at - 1];
    h->list[at] = (search_hit){.x = x, .y = y, .z = z, .distance = distance};
    const size_t size = strlen(what);
    memcpy(h->list[at].what, what, size < SEARCH_NAME ? size : SEARCH_NAME - 1);
}

static bool on_city(void *payload, const ptl_city_place *city)
{
    search *s = payload;
    if (wish_takes(&s->options->wanted, city->name, ""))
        keep(&s->out->cities, s, city->name, city->x, city->y, 0);
    return true;
}

static bool on_special(void *payload, const ptl_special_place *special)
{
    search *s = payload;
    if (wish_takes(&s->options->wanted, special->id, ""))
        keep(&s->out->specials, s, special->id, special->x, special->y, special->z);
    return true;
}

/* Asks the caller's go_on, after `done` chunks, whether the search is to go on. Once go_on has
 * returned false, it is not asked any more until terrains or buildings are searched anew. */
static bool goes_on(search *s, uint64_t done)
{
    const search_options *o = s->options;
    s->is_over = s->is_over || (o->go_on && !o->go_on(o->payload, done));
    return !s->is_over;
}

/* Searches the terrains of one saved chunk. Once the caller's go_on has ended the pass, chunks
 * are still counted, so that the result can tell how many there are. */
static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    search *s = payload;
    s->out->chunks++;
    if (!goes_on(s, s->out->looked))
        return true;
    s->status = ptl_level_load(s->level, s->world, pos, s->options->from.z, s->err);
    if (s->status != PTL_OK)
        return false;
    s->out->looked++;
    /* Counts the OMTs of wanted terrains on the level. Only the nearest of them becomes a hit:
     * otherwise one forest would fill the list. */
    const ptl_catalogue *c = ptl_world_catalogue(s->world);
    const ptl_omt from = s->options->from;
    const int64_t x0 = (int64_t)pos.x * PTL_CHUNK_SIZE, y0 = (int64_t)pos.y * PTL_CHUNK_SIZE;
    double best = INFINITY;
    ptl_terrain t = PTL_TERRAIN_INIT;
    ptl_oter last = PTL_OTER_NONE, oter = PTL_OTER_NONE;
    size_t where = 0;
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        if (!s->takes[s->level[i]])
            continue;
        if (s->level[i] != last)
            (void)ptl_catalogue_oter(&t, c, last = s->level[i]);
        s->out->tiles[t.type_number]++;
        s->out->terrains.count++;
        const double distance = hypot((double)(x0 + (int64_t)(i % PTL_CHUNK_SIZE) - from.x),
                                      (double)(y0 + (int64_t)(i / PTL_CHUNK_SIZE) - from.y));
        if (distance < best) {
            best = distance;
            where = i;
            oter = last;
        }
    }
    if (best == INFINITY)
        return true;
    (void)ptl_catalogue_oter(&t, c, oter);
    s->out->terrains.count--; /* the OMT was counted above, and keep() will count it again */
    keep(&s->out->terrains, s, t.type, x0 + (int64_t)(where % PTL_CHUNK_SIZE),
         y0 + (int64_t)(where / PTL_CHUNK_SIZE), from.z);
    return true;
}

/* Searches the buildings and the radio stations of one saved chunk. */
static bool on_inside(void *payload, ptl_chunk_pos pos)
{
    search *s = payload;
    ptl_features *f = NULL;
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    if (!goes_on(s, s->out->entered))
        return true;
    s->status = ptl_features_load(&f, s->world, pos, s->err);
    if (s->status != PTL_OK)
        return false;
    (void)ptl_features_describe(&info, f);
    s->out->entered++;
    const wish *wanted = &s->options->wanted;
    const int64_t x0 = (int64_t)info.pos.x * PTL_CHUNK_SIZE,
                  y0 = (int64_t)info.pos.y * PTL_CHUNK_SIZE;
    for (size_t i = 0; i < info.buildings; i++) {
        ptl_building b = PTL_BUILDING_INIT;
        (void)ptl_features_building(&b, f, i);
        if (wish_takes(wanted, b.id, ""))
            keep(&s->out->buildings, s, b.id, x0 + b.x, y0 + b.y, b.z);
    }
    for (size_t i = 0; i < info.radios; i++) {
        ptl_radio r = PTL_RADIO_INIT;
        (void)ptl_features_radio(&r, f, i);
        if (wish_takes(wanted, r.message, r.weather ? "weather radio" : "radio"))
            keep(&s->out->radios, s, r.weather ? "weather radio" : r.message, x0 + r.x / 2,
                 y0 + r.y / 2, 0);
    }
    ptl_features_free(f);
    return true;
}

/* Calls on() with each saved chunk of the world. If on() has set s->status to an error and
 * ended the listing, that error is returned; the listing itself only reports that it was
 * cancelled. */
static ptl_status each_chunk(search *s, ptl_store *store, bool (*on)(void *, ptl_chunk_pos))
{
    s->is_over = false;
    const ptl_status status =
        ptl_chunk_list(store, ptl_world_name(s->world), NULL, on, s, s->err);
    return s->status != PTL_OK ? s->status : status;
}

ptl_status search_world(search_result **out, ptl_store *store, ptl_world *world,
                        const search_options *options, ptl_error *err)
{
    const char *name = ptl_world_name(world);
    search *s = calloc(1, sizeof *s);
    *out = calloc(1, sizeof **out);
    if (!s || !*out) {
        free(s);
        return error_nomem(err);
    }
    s->options = options;
    s->world = world;
    s->out = *out;
    s->err = err;
    ptl_status status = ptl_city_list(store, name, NULL, on_city, s, err);
    THEN(status, ptl_special_each(store, name, on_special, s, err));
    /* Marks the oters whose terrain matches the search. */
    const ptl_catalogue *c = ptl_world_catalogue(world);
    bool any = false;
    s->takes = calloc(PTL_OTER_NONE + 1, sizeof *s->takes);
    s->out->tiles =
        calloc(ptl_catalogue_count(c, PTL_CONTENT_TERRAIN) + 1, sizeof *s->out->tiles);
    for (size_t i = 0; s->takes && i < ptl_catalogue_count(c, PTL_CONTENT_OTER); i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        (void)ptl_catalogue_oter(&t, c, i);
        s->takes[i] = wish_takes(&options->wanted, t.type, t.name);
        any |= s->takes[i];
    }
    THEN(status, !s->takes || !s->out->tiles ? error_nomem(err) : PTL_OK);
    if (status == PTL_OK && any)
        status = each_chunk(s, store, on_chunk);
    if (status == PTL_OK && options->inside)
        status = each_chunk(s, store, on_inside);
    free(s->takes);
    free(s);
    return status;
}

void search_free(search_result *result)
{
    if (result)
        free(result->tiles);
    free(result);
}

/* ---- the special or building on an OMT ---- */

/* Finds the special or building that covers an OMT. Fixed specials and buildings store only
 * their origin and rotation, so their OMTs come from the content; mutable specials store each
 * piece. */

/* Where a fixed special or a building stands: its origin and rotation. Which OMTs it covers is
 * found from its definition in the content. */
typedef struct footing {
    const char *id;
    int32_t x, y, z, rotation;
} footing;

/* Returns whether the special with the id f->id covers the OMT. The offset of the OMT from the
 * special's origin is rotated back into the special's own orientation. (A rotation by 1 turns
 * north to the east.) */
static bool covers(const spot *p, const footing *f)
{
    ptl_special s = PTL_SPECIAL_INIT;
    size_t number;
    const int32_t dx = p->x - f->x, dy = p->y - f->y, dz = p->z - f->z;
    const int32_t x = f->rotation == 0   ? dx
                      : f->rotation == 1 ? dy
                      : f->rotation == 2 ? -dx
                                         : -dy;
    const int32_t y = f->rotation == 0   ? dy
                      : f->rotation == 1 ? -dx
                      : f->rotation == 2 ? -dy
                                         : dx;
    if (ptl_catalogue_find(&number, p->catalogue, PTL_CONTENT_SPECIAL, f->id) != PTL_OK ||
        ptl_catalogue_special(&s, p->catalogue, number) != PTL_OK || x < s.x0 || x > s.x1 ||
        y < s.y0 || y > s.y1 || dz < s.z0 || dz > s.z1)
        return false;
    for (size_t i = 0; i < s.omt_count; i++) {
        ptl_special_omt t = PTL_SPECIAL_OMT_INIT;
        (void)ptl_catalogue_special_omt(&t, p->catalogue, number, i);
        if (t.x == x && t.y == y && t.z == dz)
            return true;
    }
    return false;
}

bool spot_special(const spot *p, size_t *number, ptl_placed_special *out,
                  ptl_placed_piece *piece)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, p->features);
    for (*number = 0; *number < info.specials; ++*number) {
        *out = (ptl_placed_special)PTL_PLACED_SPECIAL_INIT;
        *piece = (ptl_placed_piece)PTL_PLACED_PIECE_INIT;
        piece->id = "";
        (void)ptl_features_special(out, p->features, *number);
        const footing f = {out->id, out->x, out->y, out->z, out->rotation};
        if (out->piece_count == 0 && covers(p, &f))
            return true;
        /* Finds the piece of a mutable special that covers the OMT. */
        for (size_t i = 0; i < out->piece_count; i++) {
            *piece = (ptl_placed_piece)PTL_PLACED_PIECE_INIT;
            (void)ptl_features_piece(piece, p->features, out->first_piece + i);
            if (piece->x == p->x && piece->y == p->y && piece->z == p->z)
                return true;
        }
    }
    return false;
}

bool spot_building(const spot *p, ptl_building *out)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, p->features);
    for (size_t i = 0; i < info.buildings; i++) {
        *out = (ptl_building)PTL_BUILDING_INIT;
        (void)ptl_features_building(out, p->features, i);
        const footing f = {out->id, out->x, out->y, out->z, out->rotation};
        if (covers(p, &f))
            return true;
    }
    return false;
}

bool spot_city(const spot *p, ptl_city *out, double *distance)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, p->features);
    *distance = INFINITY;
    for (size_t i = 0; i < info.cities; i++) {
        ptl_city c = PTL_CITY_INIT;
        (void)ptl_features_city(&c, p->features, i);
        const double d = hypot(c.x - p->x, c.y - p->y);
        if (d < *distance) {
            *distance = d;
            *out = c;
        }
    }
    return *distance < INFINITY;
}
