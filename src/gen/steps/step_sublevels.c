/*
 * Draws below the ground what terrains and specials need there, as DDA 0.F does (generation.md
 * 10). Reads: the whole chunk as it is, and the connections that specials have on levels other
 * than the ground (g->deep_links). Writes: cells of these levels that still have their level's
 * default, and monster groups of ants and spirals.
 *
 * Levels are made downwards. On each, the order is: what lies right below a cell, slime pits,
 * sewers, ant hills, laboratories, subways, mines. Everything that grows has random numbers
 * that depend on the cell where it begins. Other chunks are not read: walks end at the border
 * ring.
 */
#include "gen/below/sublevels.h"
#include "gen/steps/steps.h"

#include <string.h>

/* ---- cells that need something ---- */
_Static_assert(SUB_NONE == 0, "kinds that ask for nothing add up to it");

/* A trigger is a cell whose terrain needs something on its own level or on the level below.
 * Lists the triggers of level z: with `own`, cells that need something on level z itself, else
 * those that need something on the level below. Groups of cells that all have one terrain which
 * needs nothing are skipped. */
static void scan(const sub_level *l, int32_t z, bool own)
{
    const level *from = chunk_level(l->g->chunk, z);
    lanes fills = lanes_all(l->g->config->defaults[z - PTL_Z_MIN]);
    const uint8_t *kinds = l->content->kinds;
    if (!from->cells || (kinds[from->cells[0]] == SUB_NONE && level_is_even(from->cells)))
        return;
    for (int32_t i = 0; (i = sub_next_group(from->cells, i, fills)) < CELLS; i += LANES) {
        unsigned any = 0;
        for (int32_t k = i; k < i + LANES; k++)
            any |= kinds[from->cells[k]];
        if (any == SUB_NONE) {
            fills = lanes_all(from->cells[i]);
            continue;
        }
        for (int32_t c = i; c < i + LANES; c++) {
            const uint8_t kind = kinds[from->cells[c]];
            if (kind != SUB_NONE && (kind >= SUB_CONNECTOR) == own)
                l->s->triggers[l->s->trigger_count++] = (sub_trigger){(uint16_t)c, kind};
        }
    }
}

/* Adds the cells of the platforms of subway stations to the points that the subway is to
 * link. The platforms are put on the map when the whole subway is linked; until then the
 * subway stops at their cells, and passes through the cells north and south of them. A
 * station is dropped from the list if there is no room for its platform. */
static void ask_for_platforms(const sub_level *l)
{
    const uint16_t subway = l->content->lines[SUB_SUBWAYS];
    struct sublevels *s = l->s;
    size_t kept = 0;
    for (size_t i = 0; i < s->station_count; i++) {
        const int32_t x = s->stations[i] % SIZE, y = s->stations[i] / SIZE;
        if (l->content->platform == CAT_NONE || !sub_default(l, x, y))
            continue;
        s->stations[kept++] = s->stations[i];
        if (subway == CAT_NONE || !connect_turns(l->g, subway, l->cells[y * SIZE + x]))
            continue;
        const bool north = sub_default(l, x, y - 1), south = sub_default(l, x, y + 1);
        sub_add_point(l, SUB_SUBWAYS,
                      (sub_point){.x = (int16_t)x,
                                  .y = (int16_t)(y + south),
                                  .arm = CONNECT_ANY,
                                  .through = (int8_t)(south + north),
                                  .before = south});
    }
    s->station_count = kept;
}

static ptl_oter cave_below(const sub_level *l, int32_t x, int32_t y)
{
    rng r = sub_stream(l, "sublevels/cave", x, y);
    return rng_one_in(&r, 3) ? l->content->cave_rat : l->content->cave;
}

/* Returns the oter that is put right below a cell whose terrain asks for something of this kind
 * (sub_kind); CAT_NONE: nothing is put there. It is put only on a cell that has its level's
 * default oter. For a thing that grows, such as a mine, it is the thing's first cell. */
static ptl_oter oter_below(const sub_level *l, int kind, int32_t x, int32_t y)
{
    const sub_content *r = l->content;
    switch (kind) {
    case SUB_STATION:
        return l->z == -1 ? r->hall : CAT_NONE;
    case SUB_ANTHILL:
    case SUB_ACID_ANTHILL:
        return r->ants;
    case SUB_HIDDEN_STAIRS:
        return r->labs[0].lab;
    case SUB_LAB_CORE:
    case SUB_ICE_LAB_CORE:
    case SUB_CENTRAL_LAB_CORE:
        return r->labs[kind - SUB_LAB_CORE].lab;
    case SUB_LAB_STAIRS:
    case SUB_ICE_LAB_STAIRS:
    case SUB_CENTRAL_LAB_STAIRS:
        return r->labs[kind - SUB_LAB_STAIRS].lab;
    case SUB_MINE_ENTRANCE:
        return r->mine_shaft;
    case SUB_MINE_SHAFT:
        return r->mine;
    case SUB_MINE_FINALE:
        return r->spiral_hub;
    case SUB_SILO: {
        rng random = sub_stream(l, "sublevels/silo", x, y);
        const int32_t first = rng_range(&random, 2, 7), second = rng_range(&random, 2, 7);
        return first < -l->z || second < -l->z ? r->silo_finale : r->silo;
    }
    case SUB_CAVE:
        return l->z == -1 ? cave_below(l, x, y) : CAT_NONE;
    case SUB_CAVE_RAT:
        return l->z == -2 ? r->cave_rat : CAT_NONE;
    default:
        return CAT_NONE;
    }
}

/* Before anything grows on the level: fills the cell of a trigger, which is a cell whose
 * terrain on the level above needs something below it. If the cell is taken already, the
 * trigger becomes SUB_NONE, which needs nothing. */
static void begin_trigger(const sub_level *l, sub_trigger *t)
{
    const int32_t x = t->cell % SIZE, y = t->cell / SIZE;
    if (t->kind >= SUB_CONNECTOR) {
        /* The connector of a special (its OMT at which sewers or subways meet it) becomes an
         * end of a line. It looks away from the special, which should stand behind it. Some
         * content rotates a connector so that no OMT of the special is behind it. Then the end
         * has no arm towards the special. */
        const int line = t->kind == SUB_SEWER_CONNECTOR ? SUB_SEWERS : SUB_SUBWAYS;
        const int rotation = l->g->config->cat->oters[l->cells[t->cell]].rotation;
        if (inside_ring(x, y)) {
            const int back = opposite(rotation);
            const int32_t bx = x + step_x(back), by = y + step_y(back);
            /* The connector's arm leads back to the special, if the cell behind the connector
             * belongs to the special. That cell does not if it is plain rock or, in regions of
             * DDA since 0.I (cat_region.levelled), water of a lake. */
            const gen_config *config = l->g->config;
            const bool arm =
                inside_ring(bx, by) && !sub_default(l, bx, by) &&
                !(config->region->levelled &&
                  config->cat->oters[l->cells[by * SIZE + bx]].flags & CAT_FLAGS_WATER);
            cell_set(l->g, l->cells, l->z, t->cell, config->defaults[l->z - PTL_Z_MIN]);
            sub_add_point(l, line,
                          (sub_point){(int16_t)x, (int16_t)y,
                                      (int8_t)(arm ? back : CONNECT_ANY), 0, false});
        }
        return;
    }
    if (t->kind == SUB_MANHOLE) {
        if (connect_turns(l->g, l->content->lines[SUB_SEWERS], l->cells[t->cell]))
            sub_add_point(l, SUB_SEWERS,
                          (sub_point){(int16_t)x, (int16_t)y, CONNECT_ANY, 0, false});
        else
            add_event(l->g, "blocked", x, y, l->z, "no sewer can be below this manhole");
        return;
    }
    if (!sub_free(l, x, y)) {
        t->kind = SUB_NONE;
        return;
    }
    const ptl_oter below = oter_below(l, t->kind, x, y);
    if (below != CAT_NONE)
        sub_put(l, x, y, below);
}

/* ---- what grows ---- */
typedef void (*grower)(const sub_level *l, int32_t x, int32_t y, int kind);

static void grow_slime(const sub_level *l, int32_t x, int32_t y, int kind)
{
    (void)kind;
    sub_slime(l, x, y);
}

static void grow_mine(const sub_level *l, int32_t x, int32_t y, int kind)
{
    if (kind == 0)
        sub_mine(l, x, y);
    else
        sub_spiral(l, x, y);
}

static void grow_other_lab(const sub_level *l, int32_t x, int32_t y, int kind)
{
    sub_lab_grow(l, x, y, kind + 1);
}

/* Calls `grow` for each listed trigger (a cell whose terrain needs something on this level) of
 * the kinds from `first` to `last`. True if there were any. */
static bool grow_all(const sub_level *l, sub_kind first, sub_kind last, grower grow)
{
    bool any = false;
    for (size_t i = 0; i < l->s->trigger_count && !l->g->failed; i++) {
        const sub_trigger *t = &l->s->triggers[i];
        if (t->kind < first || t->kind > last)
            continue;
        grow(l, t->cell % SIZE, t->cell / SIZE, (int)t->kind - (int)first);
        any = true;
    }
    return any;
}

static int32_t draw_train_odds(const sub_level *l)
{
    bool central = false;
    for (size_t i = 0; i < l->s->trigger_count; i++)
        central = central || l->s->triggers[i].kind == SUB_CENTRAL_LAB_CORE;
    rng r = sub_stream(l, "sublevels/trains", 0, 0);
    if (l->z == -2)
        return rng_one_in(&r, 3) ? 2 : 0;
    return l->z == -4 && central ? 1 : 0;
}

/* Makes one level, in the order that the head of the file states. */
static void run_level(sub_level *l)
{
    struct sublevels *s = l->s;
    for (size_t i = 0; l->z == -1 && i < s->trigger_count; i++)
        if (s->triggers[i].kind == SUB_STATION)
            s->stations[s->station_count++] = s->triggers[i].cell;
    l->train_odds = draw_train_odds(l);
    for (size_t i = 0; i < s->trigger_count; i++)
        begin_trigger(l, &s->triggers[i]);
    if (l->z == -2)
        ask_for_platforms(l);
    grow_all(l, SUB_SLIME, SUB_SLIME, grow_slime);
    sub_link_points(l, SUB_SEWERS);
    if (grow_all(l, SUB_ANTHILL, SUB_ACID_ANTHILL, sub_ants))
        sub_ants_finish(l);
    /* Stairs that lead down from the ground begin a lab. Stairs on deeper levels begin none:
     * they are parts of a lab that was begun above. */
    grow_all(l, SUB_LAB_CORE, SUB_LAB_CORE, sub_lab_grow);
    grow_all(l, SUB_HIDDEN_STAIRS, SUB_HIDDEN_STAIRS, sub_lab_grow);
    if (l->z == -1)
        grow_all(l, SUB_LAB_STAIRS, SUB_ICE_LAB_STAIRS, sub_lab_grow);
    grow_all(l, SUB_ICE_LAB_CORE, SUB_CENTRAL_LAB_CORE, grow_other_lab);
    sub_link_points(l, SUB_SUBWAYS);
    sub_link_others(l);
    for (size_t i = 0; l->z == -2 && i < s->station_count; i++)
        sub_put(l, s->stations[i] % SIZE, s->stations[i] / SIZE, l->content->platform);
    grow_all(l, SUB_MINE_SHAFT, SUB_MINE_FINALE, grow_mine);
}

static bool has_links(const generator *g, int32_t z)
{
    for (size_t i = 0; i < g->deep_link_count; i++)
        if (g->deep_links[i].z == z)
            return true;
    return false;
}

static void run(generator *g)
{
    struct sublevels *s = g->sublevels;
    sub_level l = {.g = g, .content = g->config->sub_content, .s = s};
    if (s->marked)
        memset(s->marks, 0, sizeof s->marks);
    s->marked = false;
    s->station_count = 0;
    for (l.z = PTL_Z_MAX; l.z >= PTL_Z_MIN && !g->failed; l.z--) {
        s->points[SUB_SEWERS].count = s->points[SUB_SUBWAYS].count = 0;
        s->trigger_count = 0;
        if (l.z < 0) {
            /* A cell marked as written on this level is marked as SUB_ABOVE for the next
             * level. */
            for (int32_t i = 0; s->marked && i < CELLS; i++)
                s->marks[i] = (uint8_t)(s->marks[i] << 1 & SUB_ABOVE);
            scan(&l, l.z + 1, false);
            scan(&l, l.z, true);
        }
        const bool asked = s->trigger_count > 0 || (l.z == -2 && s->station_count > 0);
        if (l.z == 0 || (!asked && !has_links(g, l.z)))
            continue;
        l.cells = cells_at(g, l.z);
        if (l.cells)
            run_level(&l);
    }
}

const gen_step step_sublevels = {
    .info = {"sublevels", 0, false},
    .run = run,
    .needs = {&connector_part, &sublevels_part},
};
