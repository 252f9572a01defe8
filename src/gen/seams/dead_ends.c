/*
 * Checks the arms of linear OMTs. An arm is a side to which a road, rail or tunnel leads: does
 * the OMT beyond that side answer it? Edges and rivers are checked in dead_ends_border.c.
 *
 * Footprints of buildings and specials: a bitmap has the cells that a chunk's placements cover,
 * and a sorted list has the OMTs that their definitions give to these cells, by which a
 * building's own arms are recognised. A mutable special covers the cells of its pieces. The
 * cells that a BLOB spread to are recognised by their OMTs.
 */
#include "gen/seams/dead_ends_impl.h"

#include "core/array.h"
#include "model/bridge_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CROSSINGS_IN_A_ROW = 8 };

/* An arm that is being checked: the side `direction` of the OMT at (x, y, z). */
typedef struct arm {
    int32_t x, y, z;
    int direction;
    uint16_t terrain;
    ptl_oter oter;
    dead_end_counts *counts;
    const char *kind;
} arm;

typedef enum answer {
    ANSWER_NONE,
    ANSWER_LINE,
    ANSWER_PARALLEL,
    ANSWER_BUILDING,
    ANSWER_UNBOUND,
    ANSWER_UNKNOWN /* the arm leads to a chunk that does not exist */
} answer;

/* Is there a connection that both terrains belong to? */
static bool share(const catalogue *cat, uint16_t a, uint16_t b)
{
    for (size_t i = 0; i < cat->connection_count; i++)
        if (cat_terrain_in(cat->connections[i].terrains, a) &&
            cat_terrain_in(cat->connections[i].terrains, b))
            return true;
    return false;
}

/* Returns the first connection that the terrain belongs to; connection_count if there is
 * none. */
static size_t connection_of(const catalogue *cat, uint16_t terrain)
{
    size_t i = 0;
    while (i < cat->connection_count && !cat_terrain_in(cat->connections[i].terrains, terrain))
        i++;
    return i;
}

static bool share_terrain(const catalogue *cat, size_t a, size_t b)
{
    const size_t words = (cat->terrain_count + 63) / 64;
    for (size_t i = 0; i < words; i++)
        if (cat->connections[a].terrains[i] & cat->connections[b].terrains[i])
            return true;
    return false;
}

/* Joins the groups of the connections a and b into one, under the lower of the two groups'
 * numbers. */
static void merge(dead_ends *d, size_t a, size_t b)
{
    const uint16_t first = d->group[a] < d->group[b] ? d->group[a] : d->group[b];
    const uint16_t second = d->group[a] < d->group[b] ? d->group[b] : d->group[a];
    for (size_t i = 0; i < d->cat->connection_count; i++)
        if (d->group[i] == second)
            d->group[i] = first;
}

static const char BETWEEN[] = " + ";

/* Returns the ids of all connections of a group (connections that share terrain), with " + "
 * between them; NULL when memory is out. */
static char *common_name(const dead_ends *d, size_t group)
{
    const catalogue *cat = d->cat;
    size_t room = 1, length = 0;
    for (size_t i = group; i < cat->connection_count; i++)
        if (d->group[i] == group)
            room += strlen(cat->connections[i].id) + sizeof BETWEEN;
    char *name = arena_bytes(d->memory, room);
    for (size_t i = group; name && i < cat->connection_count; i++)
        if (d->group[i] == group)
            length += (size_t)snprintf(name + length, room - length, "%s%s",
                                       i > group ? BETWEEN : "", cat->connections[i].id);
    return name;
}

/*
 * Puts connections that share terrain into one group, whose arms are counted together, because
 * an OMT does not say which connection drew it. A group is named by the ids of all of its
 * connections. Fills group and names; false when memory is out.
 */
static bool find_groups(dead_ends *d)
{
    const size_t count = d->cat->connection_count;
    d->group = arena_calloc(d->memory, count + 1, sizeof *d->group);
    d->names = arena_calloc(d->memory, count + 1, sizeof *d->names);
    if (!d->group || !d->names)
        return false;
    for (size_t i = 0; i <= count; i++)
        d->group[i] = (uint16_t)i;
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (d->group[i] != d->group[k] && share_terrain(d->cat, i, k))
                merge(d, i, k);
    for (size_t i = 0; i < count; i++) {
        const size_t group = d->group[i];
        if (group != i && !d->names[group] && !(d->names[group] = common_name(d, group)))
            return false;
    }
    return true;
}

dead_ends *dead_ends_new(const catalogue *cat)
{
    dead_ends *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->cat = cat;
    d->memory = arena_new();
    if (!d->memory) {
        free(d);
        return NULL;
    }
    const size_t terrains = catalogue_all_terrains(cat);
    d->companion_of = arena_calloc(d->memory, terrains + 1, sizeof *d->companion_of);
    d->counts = arena_calloc(d->memory, cat->connection_count + 1, sizeof *d->counts);
    bool ok = d->companion_of && d->counts && find_groups(d);
    for (int i = 0; i < 5; i++) {
        d->covered[i] = arena_calloc(d->memory, WORDS, sizeof **d->covered);
        ok = ok && d->covered[i];
    }
    if (!ok) {
        dead_ends_free(d);
        return NULL;
    }
    /* When a bridge is raised, its OMTs become other terrains. Map each of these terrains to
     * its bridge. */
    for (size_t t = 0; t < terrains; t++)
        d->companion_of[t] = CAT_NONE;
    for (size_t t = 0; t < cat->terrain_count; t++) {
        const uint16_t bridge = (uint16_t)t;
        if (!is_rotatable(cat, bridge) || connection_of(cat, bridge) == cat->connection_count)
            continue;
        for (int p = 0; p < BRIDGE_PARTS; p++) {
            const uint16_t part = bridge_part_of(cat, bridge, (bridge_part)p);
            if (part != CAT_NONE)
                d->companion_of[part] = bridge;
        }
    }
    for (size_t i = 0; i < cat->terrain_count && !d->has_highways; i++)
        d->has_highways = cat->terrains[i].flags & CAT_FLAG_HIGHWAY;
    d->stops[0] = catalogue_terrain(cat, "underground_sub_station");
    d->stops[1] = catalogue_terrain(cat, "lab_train_depot");
    d->stops[2] = catalogue_terrain(cat, "central_lab_train_depot");
    return d;
}

void dead_ends_free(dead_ends *d)
{
    if (!d)
        return;
    free(d->stated);
    arena_free(d->memory);
    free(d);
}

const dead_end_counts *dead_ends_counts(const dead_ends *d, size_t connection)
{
    return dead_ends_tally(d, connection);
}

const dead_end_river_counts *dead_ends_rivers(const dead_ends *d)
{
    return &d->rivers;
}

uint64_t dead_ends_problems(const dead_ends *d)
{
    uint64_t sum = d->rivers.problems;
    for (size_t i = 0; i <= d->cat->connection_count; i++)
        sum += d->counts[i].dead + d->counts[i].loose + d->counts[i].missing;
    return sum;
}

/* Returns what the OMT at which the arm points has towards the arm: an arm back, a bridge that
 * lies along it, a building, or nothing that fits. If that OMT is a level crossing of another
 * line, find_answer looks behind it. */
static answer answer_of(const dead_ends *d, const arm *a, ptl_oter oter, bool building)
{
    const cat_oter *o = &d->cat->oters[oter];
    bool same = o->terrain == a->terrain || share(d->cat, o->terrain, a->terrain);
    uint16_t bridge = d->companion_of[o->terrain];
    bool part = bridge != CAT_NONE && a->z == 0 && share(d->cat, bridge, a->terrain);
    bool along = (o->rotation & 1) == (a->direction & 1);
    if (same && is_linear(d->cat, o->terrain) && o->line >> opposite(a->direction) & 1)
        return ANSWER_LINE;
    if ((same || part) && is_rotatable(d->cat, o->terrain) && along)
        return ANSWER_PARALLEL;
    if (same && d->cat->terrains[o->terrain].count == 1)
        return ANSWER_PARALLEL;
    /* Below the ground, an arm may lead to a station (a terrain in d->stops), at which trains
     * arrive from any side. Stations are not placed by specials, so `building` is not set for
     * them. */
    if (building || (a->z < 0 && (o->terrain == d->stops[0] || o->terrain == d->stops[1] ||
                                  o->terrain == d->stops[2])))
        return ANSWER_BUILDING;
    bool bound = connection_of(d->cat, a->terrain) < d->cat->connection_count;
    return bound || same ? ANSWER_NONE : ANSWER_UNBOUND;
}

ptl_oter dead_ends_oter(const dead_ends *d, int32_t x, int32_t y, int32_t z, bool *building)
{
    /* Find the index in d->views of the chunk that has the cell at (x, y): the checked chunk,
     * or its neighbour in one of the four directions. Turn x and y into coordinates inside that
     * chunk. */
    int view = y < 0 ? 0 : x >= SIDE ? 1 : y >= SIDE ? 2 : x < 0 ? 3 : HERE;
    if (view != HERE) {
        x -= step_x(view) * SIDE;
        y -= step_y(view) * SIDE;
    }

    if (building)
        *building = false;
    if (!d->views[view].chunk)
        return CAT_NONE;
    int32_t cell = (z - PTL_Z_MIN) * CELLS + y * SIDE + x;
    if (building)
        *building = d->covered[view][cell / 64] >> (cell % 64) & 1;
    ptl_oter oter = ptl_chunk_oter(d->views[view].chunk, x, y, z);
    return oter < catalogue_all_oters(d->cat) ? oter : CAT_NONE;
}

/* Finds how the arm is answered. If the OMT at which the arm points is a level crossing of
 * another line, the OMT behind it must answer. */
static answer find_answer(const dead_ends *d, const arm *a, bool *crossed)
{
    int32_t x = a->x, y = a->y;
    *crossed = false;
    for (int i = 0; i <= CROSSINGS_IN_A_ROW; i++) {
        bool building;
        x += step_x(a->direction);
        y += step_y(a->direction);
        ptl_oter oter = dead_ends_oter(d, x, y, a->z, &building);
        if (oter == CAT_NONE)
            return ANSWER_UNKNOWN;
        answer found = answer_of(d, a, oter, building);
        /* Go on to the OMT behind this one only if this one is a level crossing: a rotated OMT
         * of another line, at right angles to the arm. */
        const cat_oter *o = &d->cat->oters[oter];
        if (found != ANSWER_NONE || !is_rotatable(d->cat, o->terrain) ||
            (o->rotation & 1) == (a->direction & 1) ||
            connection_of(d->cat, o->terrain) == d->cat->connection_count)
            return found;
        *crossed = true;
    }
    return ANSWER_NONE;
}

static bool on_border(int32_t x, int32_t y, int direction)
{
    int32_t nx = x + step_x(direction), ny = y + step_y(direction);
    return nx < 0 || nx >= SIDE || ny < 0 || ny >= SIDE;
}

void dead_ends_report(const dead_ends *d, const dead_end_problem *problem)
{
    if (d->on_problem)
        d->on_problem(d->payload, problem);
}

/* Reports an arm as a problem, without counting it, which the caller has to do. */
static void report_arm(const dead_ends *d, const arm *a, const char *what)
{
    const dead_end_problem problem = {.kind = a->kind,
                                      .what = what,
                                      .oter = d->cat->oters[a->oter].id,
                                      .x = a->x,
                                      .y = a->y,
                                      .z = a->z,
                                      .direction = a->direction};
    dead_ends_report(d, &problem);
}

/* Returns whether the arm leads out of the chunk without a crossing: the edge there is known,
 * but records none for the arm. */
static bool border_is_wrong(const dead_ends *d, const arm *a)
{
    const edge *e = d->edges[a->direction];
    bool bound = connection_of(d->cat, a->terrain) < d->cat->connection_count;
    int32_t position = a->direction & 1 ? a->y : a->x;
    return e && bound && !dead_ends_edge_has(d, e, position, a->z, a->terrain);
}

static void count_dead(const dead_ends *d, const arm *a, const char *what)
{
    a->counts->dead++;
    report_arm(d, a, what);
}

/* Returns whether a special or building covers the cell and, by its definition, has an OMT with
 * an arm in this direction there. */
static bool is_stated(const dead_ends *d, int32_t x, int32_t y, int32_t z, int direction)
{
    int32_t cell = (z - PTL_Z_MIN) * CELLS + y * SIDE + x;
    if (!(d->covered[HERE][cell / 64] >> (cell % 64) & 1))
        return false;
    size_t low = 0, high = d->stated_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->stated[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < d->stated_count && d->stated[low].cell == cell; low++) {
        ptl_oter oter = d->stated[low].oter;
        if (oter < catalogue_all_oters(d->cat) && d->cat->oters[oter].line >> direction & 1)
            return true;
    }
    return false;
}

/* Decides how an arm is answered and counts it. */
static void check_arm(const dead_ends *d, const arm *a)
{
    bool crossed, border = on_border(a->x, a->y, a->direction);
    const dead_end_view *other = border ? &d->views[a->direction] : &d->views[HERE];
    a->counts->arms++;
    if (d->views[HERE].foreign && (!border || other->foreign || !other->chunk)) {
        a->counts->foreign++;
    } else if (is_stated(d, a->x, a->y, a->z, a->direction)) {
        a->counts->own++;
    } else if (border && border_is_wrong(d, a)) {
        count_dead(d, a, "leaves the chunk where the edge has no crossing");
    } else {
        answer found = find_answer(d, a, &crossed);
        dead_end_counts *c = a->counts;
        if (found == ANSWER_NONE)
            count_dead(d, a, "a dead end");
        else if (found == ANSWER_UNKNOWN && !d->edges[a->direction])
            count_dead(d, a, "leaves the chunk where no edge is known");
        else if (found == ANSWER_UNKNOWN)
            c->border++;
        else if (found == ANSWER_UNBOUND)
            c->unbound++;
        else if (crossed)
            c->crossed++;
        else if (found == ANSWER_LINE)
            c->line++;
        else if (found == ANSWER_PARALLEL)
            c->parallel++;
        else
            c->building++;
    }
}

/* Checks an OMT that does not merge with its neighbours but is rotated, such as one of a
 * bridge: the line must go on at both of its ends. An OMT on the border is not checked towards
 * the inside, because a lone OMT (a stub) stands there where no path was found to an exit of
 * the chunk. */
static void check_piece(const dead_ends *d, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    const cat_oter *o = &d->cat->oters[oter];
    uint16_t whole = d->companion_of[o->terrain];
    uint16_t terrain = whole != CAT_NONE && z == 0 ? whole : o->terrain;
    size_t connection = connection_of(d->cat, terrain);
    bool building, crossed;
    if (connection == d->cat->connection_count || d->views[HERE].foreign)
        return;
    dead_ends_oter(d, x, y, z, &building);
    arm a = {.x = x, .y = y, .z = z, .terrain = terrain, .oter = oter};
    a.counts = dead_ends_tally(d, connection);
    a.kind = dead_ends_kind(d, connection);
    for (a.direction = o->rotation & 1; a.direction < 4 && !building; a.direction += 2) {
        a.counts->ends++;
        bool stub = on_border(x, y, opposite(a.direction));
        if (stub || find_answer(d, &a, &crossed) != ANSWER_NONE)
            continue;
        a.counts->loose++;
        report_arm(d, &a, "a piece that leads nowhere");
    }
}

/* Checks all arms of linear OMTs, and all rotated OMTs, of a level. */
static void check_level(const dead_ends *d, int32_t z)
{
    const level *l = &d->views[HERE].chunk->levels[z - PTL_Z_MIN];
    for (int32_t i = 0; i < CELLS; i++) {
        ptl_oter oter = level_oter(l, i);
        if (oter < catalogue_all_oters(d->cat) && d->cat->oters[oter].line) {
            const int32_t x = i % SIDE, y = i / SIDE;
            const cat_oter *o = &d->cat->oters[oter];
            size_t connection = connection_of(d->cat, o->terrain);
            arm a = {.x = x, .y = y, .z = z, .terrain = o->terrain, .oter = oter};
            a.counts = dead_ends_tally(d, connection);
            a.kind = connection < d->cat->connection_count ? dead_ends_kind(d, connection)
                                                           : d->cat->terrains[o->terrain].id;
            for (a.direction = 0; a.direction < 4; a.direction++)
                if (o->line >> a.direction & 1)
                    check_arm(d, &a);
        } else if (oter < catalogue_all_oters(d->cat) &&
                   is_rotatable(d->cat, d->cat->oters[oter].terrain))
            check_piece(d, i % SIDE, i / SIDE, z, oter);
    }
}

/* Arguments of functions that note which cells a placement covers: the check, and the index in
 * its member `views` of the chunk that has the placement. */
typedef struct footprint {
    dead_ends *d;
    int view;
} footprint;

static bool cover_cell(const footprint *f, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    if (x < 0 || x >= SIDE || y < 0 || y >= SIDE || z < PTL_Z_MIN || z > PTL_Z_MAX)
        return true;
    const int32_t cell = (z - PTL_Z_MIN) * CELLS + y * SIDE + x;
    f->d->covered[f->view][cell / 64] |= UINT64_C(1) << (cell % 64);
    if (f->view != HERE)
        return true;
    if (!ARRAY_ROOM(f->d->stated, f->d->stated_room, f->d->stated_count + 1))
        return false;
    f->d->stated[f->d->stated_count++] = (stated){cell, oter};
    return true;
}

/* A special with a blob has spread its OMTs over some cells around them. So the cells near such
 * an OMT that hold the same oter are covered as if they belonged to the special. */
static bool cover_blob(const footprint *f, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    enum { RADIUS = 2 };
    const ptl_chunk *chunk = f->d->views[f->view].chunk;
    for (int32_t ny = y - RADIUS; ny <= y + RADIUS; ny++)
        for (int32_t nx = x - RADIUS; nx <= x + RADIUS; nx++) {
            const bool inside = nx >= 0 && nx < SIDE && ny >= 0 && ny < SIDE &&
                                z >= PTL_Z_MIN && z <= PTL_Z_MAX;
            if (inside && ptl_chunk_oter(chunk, nx, ny, z) == oter &&
                !cover_cell(f, nx, ny, z, oter))
                return false;
        }
    return true;
}

/* Notes the cells that a fixed special covers. False when memory is out. */
static bool cover_placement(const footprint *f, const gen_placement *p)
{
    if (p->special >= f->d->cat->special_count)
        return true;
    const cat_special *special = &f->d->cat->specials[p->special];
    const bool blob = special->flags & PTL_SPECIAL_BLOB;
    for (size_t i = 0; i < special->omt_count; i++) {
        const cat_omt *omt = &special->omts[i];
        const ptl_oter oter = omt->oters[p->rotation & 3];
        const int32_t z = p->z + omt->z;
        int32_t x, y;
        feature_rotate(omt->x, omt->y, p->rotation & 3, &x, &y);
        x += p->x;
        y += p->y;
        if (!cover_cell(f, x, y, z, oter) || (blob && !cover_blob(f, x, y, z, oter)))
            return false;
    }
    return true;
}

/* Compares for sorting by cell, then by oter, so that only equal elements compare equal. */
static int compare_stated(const void *a, const void *b)
{
    const stated *l = a, *r = b;
    return ORDER_BY(l->cell, r->cell, l->oter, r->oter);
}

/* Notes in d->covered which cells of a chunk its placements cover. The chunk is the checked one
 * or one of its four neighbours; `view` is its index in d->views. For the checked chunk (HERE)
 * also fills d->stated with the OMTs that definitions give to these cells. False when memory is
 * out. */
static bool cover(dead_ends *d, int view)
{
    const bool there = d->views[view].chunk && d->views[view].features;
    const gen_features *features = d->views[view].features;
    const footprint f = {d, view};
    memset(d->covered[view], 0, WORDS * sizeof **d->covered);
    for (size_t i = 0; there && i < features->placement_count; i++)
        if (!cover_placement(&f, &features->placements[i]))
            return false;
    for (size_t i = 0; there && i < features->piece_count; i++) {
        const gen_piece *piece = &features->pieces[i];
        if (piece->placement < 0 || (size_t)piece->placement >= features->placement_count)
            continue;
        const uint16_t index = features->placements[piece->placement].special;
        const cat_mutable *layout =
            index < d->cat->special_count ? d->cat->specials[index].layout : NULL;
        if (layout && piece->piece < layout->piece_count &&
            !cover_cell(&f, piece->x, piece->y, piece->z,
                        layout->pieces[piece->piece].oters[piece->rotation & 3]))
            return false;
    }
    if (view == HERE && d->stated_count > 1)
        qsort(d->stated, d->stated_count, sizeof *d->stated, compare_stated);
    return true;
}

bool dead_ends_check(dead_ends *d, const dead_end_view *view, const dead_end_view neighbours[4],
                     const edge *const edges[4], dead_end_callback on_problem, void *payload)
{
    d->stated_count = 0;
    d->edges = edges;
    d->on_problem = on_problem;
    d->payload = payload;
    d->views[HERE] = *view;
    memcpy(d->views, neighbours, 4 * sizeof *neighbours);
    for (int i = 0; i < 5; i++)
        if (!cover(d, i))
            return false;
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        check_level(d, z);
    dead_ends_borders(d);
    return true;
}

size_t dead_ends_group(const dead_ends *d, size_t connection)
{
    return d->group[connection];
}

const char *dead_ends_kind(const dead_ends *d, size_t connection)
{
    const char *common = d->names[d->group[connection]];
    if (connection == d->cat->connection_count)
        return "";
    return common ? common : d->cat->connections[connection].id;
}
