/*
 * The ground of the sea, including what was built on it (schema/shoals.md, "What stands on the
 * sea"). Heights follow from the seed, except at tiles whose terrain comes from a structure, a
 * road or a game. There they follow from the OMT's map: the stored one, or else the one that
 * would be made.
 */
#include "world/local/local.h"

#include <assert.h>

enum {
    SQUARE = AROUND_SIDE,
    MIDDLE = COAST_WINDOW_MAX / 2,
    OMTS = COAST_WINDOW_MAX * COAST_WINDOW_MAX
};
_Static_assert((int)SQUARE == (int)COAST_SQUARE_MAX, "what is looked at is what moves corners");
_Static_assert((int)SQUARE == (int)COAST_WINDOW_MAX + 2,
               "of works the eight neighbours are seen");

/* The terrain of a map that was made but is not stored. It depends only on the OMT, its
 * neighbours and the chunk, so it is kept for later use. */
typedef struct local_made {
    bool known;
    int64_t x, y;
    /* Hash of everything that the ground of this map depends on: oters, the chunk's record,
     * edited maps. */
    uint64_t of;
    uint32_t terrain[LOCAL_CELLS];
} local_made;

/* The heights of an OMT's ground, with those of buildings and other things of its local map.
 * They were computed during a series of writes (world_local_anew). */
typedef struct local_built {
    uint64_t writing; /* the series of writes during which the heights were computed, by its
                         number; 0: no heights were computed yet */
    int64_t x, y;
    int16_t heights[LOCAL_CELLS];
} local_built;

/* Sides of the two square tables `made` and `built` in local_works. The index of an OMT in a
 * table consists of the low bits of its x and y. */
enum { MADE_SIDE = 8, BUILT_SIDE = 16 };
/* Results of the last computations, kept because they are often needed again: the ground of one
 * OMT, the terrain of maps that were made, and the heights of OMTs. */
typedef struct local_works {
    bool known;
    int64_t x, y;
    /* Hash of everything that `ground` depends on: oters, the chunk's record, edited maps. */
    uint64_t of;
    coast_ground ground;
    local_made made[MADE_SIDE * MADE_SIDE];
    uint64_t writing; /* number of the present series of writes of maps (world_local_anew) */
    local_built built[BUILT_SIDE * BUILT_SIDE];
} local_works;

/* State of computing the ground of an OMT. */
typedef struct finding {
    const local_maker *maker;
    local_around around;
    /* Hash of the record (local_record_key) that `around` had. The record itself may be freed
     * when other records are read. */
    uint64_t record;
    ptl_omt at;
    coast_square square;
    coast_window window;
    bool edited[OMTS]; /* for each OMT in `around`, except the outermost ones: whether a game
                          has edited the OMT's map */
    /* Hash of everything that the ground depends on, to notice that a ground computed earlier
     * is still right (local_works.of). */
    uint64_t of;
} finding;

static uint32_t flags_of(const local_maker *maker, ptl_oter oter)
{
    const catalogue *cat = maker->world->cat;
    return oter < cat->oter_count ? cat->oters[oter].flags : 0;
}

/* ---- which OMTs are coast ---- */

/* Is an OMT sea, shore, island, or a bridge or road over the sea? `cell` is its index in
 * f->around.cells, a square of OMTs. The OMT must not lie at the border of that square, because
 * its neighbours are examined. */
static bool is_coast(const finding *f, int cell)
{
    static const int beside[] = {-SQUARE - 1, -SQUARE,    -SQUARE + 1, -1,
                                 1,           SQUARE - 1, SQUARE,      SQUARE + 1};
    const ptl_oter *oters = f->around.cells;
    const uint32_t flags = flags_of(f->maker, oters[cell]);
    bool sea = (flags & CAT_FLAGS_OCEAN) != 0;
    if (!(flags & WORLD_WAYS) || f->square.planned[cell].kind == COAST_LAND)
        return sea;
    /* The plan may have a sea that is too small to be put on the map. A road across such a
     * place is on land. */
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
        sea = sea || flags_of(f->maker, oters[cell + beside[i]]) & CAT_FLAGS_OCEAN;
    return sea;
}

/* ---- which OMTs have something built on them ---- */

/* f->around.cells is a square of SQUARE x SQUARE OMTs. f->edited has the same OMTs without
 * those at the square's border. Returns the index in f->around.cells of the OMT that has the
 * index `omt` in f->edited. */
static int in_square(int omt)
{
    return (omt / COAST_WINDOW_MAX + 1) * SQUARE + omt % COAST_WINDOW_MAX + 1;
}

static ptl_omt place_of(const finding *f, int omt)
{
    return (ptl_omt){f->at.x + omt % COAST_WINDOW_MAX - MIDDLE,
                     f->at.y + omt / COAST_WINDOW_MAX - MIDDLE, 0};
}

static ptl_status on_edited(void *payload, const map_info *map, ptl_error *err)
{
    finding *f = payload;
    (void)err;
    const int64_t x = map->at.x - f->at.x + MIDDLE, y = map->at.y - f->at.y + MIDDLE;
    if (map->at.z != 0 || !map->edited)
        return PTL_OK;
    const int64_t omt = y * COAST_WINDOW_MAX + x;
    f->edited[omt] = true;
    f->of = hash_add(hash_add(f->of, (uint64_t)omt), (uint64_t)map->revision);
    return PTL_OK;
}

static ptl_status find_edited(finding *f, ptl_error *err)
{
    const map_area area = {f->at.x - MIDDLE, f->at.x + MIDDLE, f->at.y - MIDDLE,
                           f->at.y + MIDDLE, .after = 1};
    const ptl_world *world = f->maker->world;
    return ops(world->store)->map->visit(world->store, world->row.id, &area, on_edited, f, err);
}

/* Returns whether the content may have put something on an OMT with this oter, besides the
 * ground that the coast makes. */
static bool is_built(const catalogue *cat, ptl_oter oter)
{
    const cat_terrain *t = &cat->terrains[cat->oters[oter].terrain];
    return !t->shoals || (t->extras && t->extras[0]);
}

/* ---- the heights of what is built ---- */

/* Gives the terrain of an OMT's map, as numbers of the mapgen's pool of texts. It is taken from
 * the stored map, or else from the map that would be made. */
static ptl_status read_terrain(uint32_t terrain[LOCAL_CELLS], const finding *f, int omt,
                               ptl_error *err)
{
    const ptl_world *world = f->maker->world;
    const ptl_omt at = place_of(f, omt);
    id_pool *pool = f->maker->mapgen->pool;
    stored_map stored = {.pool = NULL};
    bool found = false;
    ptl_status status =
        ops(world->store)->map->read(&stored, &found, world->store, world->row.id, at, err);
    if (status == PTL_OK && found) {
        world_local_move_cells(terrain, pool, stored.map.terrain, stored.pool);
        stored_map_dispose(&stored);
    } else if (status == PTL_OK) {
        uint64_t of = f->record;
        for (int i = 0; i < 9; i++)
            of = hash_add(of,
                          f->around.cells[(in_square(omt)) + (i / 3 - 1) * SQUARE + i % 3 - 1]);
        local_made *made =
            &f->maker->mapgen->works
                 ->made[(at.y & (MADE_SIDE - 1)) * MADE_SIDE + (at.x & (MADE_SIDE - 1))];
        if (!made->known || made->x != at.x || made->y != at.y || made->of != of) {
            map_info info;
            local_maker first = *f->maker; /* the terrain is taken from the map as it would be
                                              made for turn 0 */
            local_map *map = world_local_new();
            first.turn = 0;
            first.opposite = false;
            status = map ? world_local_run(map, &info, &first, at, err) : error_nomem(err);
            if (map)
                memcpy(made->terrain, map->terrain, sizeof made->terrain);
            world_local_free(map);
            made->known = status == PTL_OK && !id_pool_failed(pool);
            made->x = at.x;
            made->y = at.y;
            made->of = of;
        }
        memcpy(terrain, made->terrain, sizeof made->terrain);
    }
    return status == PTL_OK && id_pool_failed(pool) ? error_nomem(err) : status;
}

/* Returns whether a random choice among `choices` can have this id as its result. One of the
 * choices may be a pseudo id, which stands for a list of further choices. */
static bool can_be(const ground_settings *s, const ground_weights *choices, uint32_t id,
                   int depth)
{
    enum { DEPTH_MAX = 4 };
    bool found = false;
    for (uint32_t i = 0; i < choices->count && !found && depth < DEPTH_MAX; i++) {
        const ground_weights *pseudo = ground_pseudo_of(s, choices->items[i].id);
        found = choices->items[i].id == id || (pseudo && can_be(s, pseudo, id, depth + 1));
    }
    return found;
}

bool world_local_soil(const world_mapgen *m, const char *terrain)
{
    const uint32_t id = id_pool_put(m->pool, terrain, strlen(terrain));
    return strcmp(terrain, "t_grass") == 0 || can_be(&m->settings, &m->settings.cover, id, 0);
}

enum { NOT_STATED = INT16_MIN };

/* Returns what a tile on which the content has put this terrain is at the mean sea level: deep,
 * shallow, dry or rock. *stated becomes the height that the content states for
 * the terrain; if it states none, *stated does not change. */
static coast_feature feature_of(int16_t *stated, const mapgen_tiles *tiles, uint32_t id)
{
    const mapgen_tile tile = mapgen_terrain_tile(tiles, mapgen_terrain_now(tiles, id));
    const uint32_t flags = tile.flags;
    if (flags & MAPGEN_TILE_HEIGHT) {
        *stated = tile.height;
        return coast_stands(tile.height, 0, false);
    }
    if (flags & MAPGEN_TILE_DEEP)
        return COAST_DEEP;
    if (flags & MAPGEN_TILE_WATER)
        return COAST_SHALLOW;
    return flags & MAPGEN_TILE_IMPASSABLE && !(flags & MAPGEN_TILE_LEAKS) ? COAST_ROCK
                                                                          : COAST_DRY;
}

/* Returns the element of the table `built` that may have the heights of this OMT. */
static local_built *built_at(const world_mapgen *m, ptl_omt at)
{
    return &m->works->built[(at.y & (BUILT_SIDE - 1)) * BUILT_SIDE + (at.x & (BUILT_SIDE - 1))];
}

/* Computes the heights of an OMT, including those of what is built on it, and puts them into
 * f->window, which has the heights of several OMTs. A tile is built on if it has another
 * terrain than the code of the coast would give it. */
static ptl_status find_works(finding *f, int omt, int32_t column, int32_t row, ptl_error *err)
{
    static const char *const names[] = {"t_swater_dp", "t_swater_sh", "t_sand", "t_rock",
                                        "t_mangrove",  "t_shrub",     "t_grass"};
    /* Indices in `names`. The names before MANGROVE have the same index as a coast_feature,
     * which says what their terrain is: deep or shallow water, dry land or rock. */
    enum { MANGROVE = 4, SHRUB, GRASS, NAMES };
    const world_mapgen *m = f->maker->mapgen;
    uint32_t ids[NAMES];
    uint32_t terrain[LOCAL_CELLS];
    int16_t heights[LOCAL_CELLS], stated[LOCAL_CELLS];
    uint8_t features[LOCAL_CELLS];
    bool own[LOCAL_CELLS];
    for (size_t i = 0; i < NAMES; i++)
        ids[i] = id_pool_put(m->pool, names[i], strlen(names[i]));
    TRY(read_terrain(terrain, f, omt, err));
    coast_window_get(heights, &f->window, column, row);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const coast_feature made = coast_feature_of(heights[i], COAST_SPILL_NEVER, 0, false);
        const uint32_t id = terrain[i];
        const bool plant = id == ids[MANGROVE] || id == ids[SHRUB];
        const bool natural =
            id == ids[made] || (plant && (made == COAST_SHALLOW || made == COAST_DRY)) ||
            (made == COAST_DRY &&
             (id == ids[GRASS] || can_be(&m->settings, &m->settings.cover, id, 0)));
        own[i] = !natural;
        stated[i] = NOT_STATED;
        features[i] = (uint8_t)(own[i] ? feature_of(&stated[i], m->tiles, id) : made);
    }
    coast_works(heights, features, own);
    for (int i = 0; i < LOCAL_CELLS; i++)
        heights[i] = stated[i] == NOT_STATED ? heights[i] : stated[i];
    coast_window_put(&f->window, column, row, heights);
    if (f->maker->anew) {
        const ptl_omt at = place_of(f, omt);
        local_built *b = built_at(m, at);
        *b = (local_built){.writing = m->works->writing, .x = at.x, .y = at.y};
        memcpy(b->heights, heights, sizeof b->heights);
    }
    return PTL_OK;
}

ptl_status world_local_anew(local_maker *maker, ptl_error *err)
{
    world_mapgen *m = maker->mapgen;
    if (!m->works)
        m->works = calloc(1, sizeof *m->works);
    if (!m->works)
        return error_nomem(err);
    m->works->writing++;
    maker->anew = true;
    return PTL_OK;
}

void world_local_changed(world_mapgen *m, ptl_omt at)
{
    if (m->works)
        built_at(m, at)->writing = 0;
}

/* ---- computing the ground ---- */

/* Copies the middle of a larger square; the copy is a square with `side` OMTs on each side. */
static void cut_square(coast_square *out, const coast_square *square, int32_t side)
{
    const int32_t off = (square->side - side) / 2;
    out->side = side;
    for (int32_t i = 0; i < side * side; i++) {
        const int32_t from = (i / side + off) * square->side + i % side + off;
        out->planned[i] = square->planned[from];
        out->wet[i] = square->wet[from];
    }
}

/* Fills f->window with the heights of a square of OMTs, without its outermost OMTs. The heights
 * of an OMT on which something is built are taken from its local map. Heights that were
 * computed earlier in the same series of writes are used again. */
static ptl_status fill_window(finding *f, const coast_square *square, ptl_error *err)
{
    const world_mapgen *m = f->maker->mapgen;
    const int32_t off = (COAST_WINDOW_MAX + 2 - square->side) / 2;
    coast_window_of(&f->window, &m->shoals.coast, f->at.x, f->at.y, square);
    for (int32_t i = 0; i < f->window.side * f->window.side; i++) {
        const int32_t column = i % f->window.side, row = i / f->window.side;
        const int32_t omt = (row + off) * COAST_WINDOW_MAX + column + off;
        const int cell = in_square(omt);
        const ptl_omt at = place_of(f, omt);
        const local_built *b = built_at(m, at);
        /* Only for coast whose map was edited or may have something built on it, the heights
         * are read from the map. */
        if (!is_coast(f, cell) ||
            !(f->edited[omt] || is_built(f->maker->world->cat, f->around.cells[cell])))
            continue;
        if (f->maker->anew && b->writing == m->works->writing && b->x == at.x && b->y == at.y)
            coast_window_put(&f->window, column, row, b->heights);
        else
            TRY(find_works(f, omt, column, row, err));
    }
    return PTL_OK;
}

/* Computes the ground from the nearest OMTs first, which are mostly enough. If they don't show
 * whether a body of water is open sea (coast_window_close), all OMTs of f->square are used. */
static ptl_status find_ground(coast_ground *out, finding *f, const uint8_t *raise,
                              ptl_error *err)
{
    coast_square near;
    cut_square(&near, &f->square, SQUARE - 2);
    TRY(fill_window(f, &near, err));
    if (!coast_window_close(&f->window)) {
        TRY(fill_window(f, &f->square, err));
        (void)coast_window_close(&f->window);
    }
    coast_flood(out, &f->window, raise);
    return PTL_OK;
}

/* Gives the ground of the OMT. If it is the same as in the last call, it is not computed again.
 * But if `raise` states raised water, or in a series of writes, it is computed each time. */
static ptl_status recall_ground(coast_ground *out, finding *f, const uint8_t *raise,
                                ptl_error *err)
{
    local_works *works = f->maker->mapgen->works;
    f->of = f->record;
    for (int i = 0; i < AROUND_CELLS; i++)
        f->of = hash_add(f->of, f->around.cells[i]);
    TRY(find_edited(f, err));
    if (raise || f->maker->anew)
        return find_ground(out, f, raise, err);
    if (!works->known || works->x != f->at.x || works->y != f->at.y || works->of != f->of) {
        works->known = false;
        TRY(find_ground(&works->ground, f, NULL, err));
        works->known = true;
        works->x = f->at.x;
        works->y = f->at.y;
        works->of = f->of;
    }
    *out = works->ground;
    return PTL_OK;
}

/* Makes the state for computing the ground of an OMT; the caller must free *out, also after an
 * error. *any and `around` have the same meaning as for world_local_ground. */
static ptl_status finding_new(finding **out, bool *any, const local_maker *maker, ptl_omt at,
                              const local_around *around, ptl_error *err)
{
    world_mapgen *m = maker->mapgen;
    *any = false;
    *out = NULL;
    if (m->shoals.type_count == 0)
        return PTL_OK;
    finding *f = *out = calloc(1, sizeof *f);
    if (f && !m->works)
        m->works = calloc(1, sizeof *m->works);
    if (!f || !m->works)
        return error_nomem(err);
    if (around)
        f->around = *around;
    else
        TRY(maker->look(&f->around, maker->payload, at, err));
    f->maker = maker;
    f->record = local_record_key(f->around.record);
    f->at = at;
    const coast *c = &m->shoals.coast;
    f->square.side = SQUARE;
    c->plan(c->payload, (coast_rect){at.x - AROUND_REACH, at.y - AROUND_REACH, SQUARE, SQUARE},
            f->square.planned);
    for (int i = 0; i < AROUND_CELLS; i++) {
        const uint32_t flags = flags_of(maker, f->around.cells[i]);
        f->square.wet[i] = ground_shoals_wet(flags & CAT_FLAGS_WATER, flags & WORLD_WAYS,
                                             f->square.planned[i]);
    }
    *any = is_coast(f, AROUND_MIDDLE);
    return PTL_OK;
}

ptl_status world_local_ground(coast_ground *out, bool *any, const local_maker *maker,
                              ptl_omt at, const local_around *around, const uint8_t *raise,
                              ptl_error *err)
{
    finding *f;
    ptl_status status = finding_new(&f, any, maker, at, around, err);
    if (status == PTL_OK && *any)
        status = recall_ground(out, f, raise, err);
    free(f);
    return status;
}

ptl_status world_local_heights_anew(int16_t heights[LOCAL_CELLS], bool *any,
                                    const local_maker *maker, ptl_omt at, ptl_error *err)
{
    enum {
        ALONE = 3
    }; /* side of a square of OMTs that consists of one OMT and those around it
        */
    coast_square square;
    finding *f;
    ptl_status status = finding_new(&f, any, maker, at, NULL, err);
    if (status == PTL_OK && *any)
        status = find_edited(f, err);
    if (status == PTL_OK && *any) {
        cut_square(&square, &f->square, ALONE);
        status = fill_window(f, &square, err);
        coast_window_get(heights, &f->window, 0, 0);
    }
    free(f);
    return status;
}

ptl_status world_local_built(bool *out, const local_maker *maker, ptl_omt at, ptl_error *err)
{
    local_around around;
    const catalogue *cat = maker->world->cat;
    const ptl_status status = maker->look(&around, maker->payload, at, err);
    const ptl_oter oter = status == PTL_OK ? around.cells[AROUND_MIDDLE] : CAT_NONE;
    *out = oter < cat->oter_count && is_built(cat, oter);
    return status;
}
