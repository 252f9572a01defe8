#include "unit/gen/connect/connect_fixture.h"

#include "gen/pipeline.h"
#include "support/land_catalogue.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

board board_new(uint64_t seed, const catalogue *cat)
{
    board b = {.cat = cat ? cat : town_catalogue()};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = "dry";
    ck_assert_int_eq(gen_config_new(&b.config, b.cat, &options, NULL), PTL_OK);
    b.g = generator_new(b.config);
    ck_assert_ptr_nonnull(b.g);
    b.chunk = chunk_new((ptl_chunk_pos){3, -2});
    ck_assert_ptr_nonnull(b.chunk);
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&b.chunk->levels[i], b.config->defaults[i]);
    b.g->chunk = b.chunk;
    b.g->ground = cells_at(b.g, 0);
    b.g->running = pipeline_step(&overmap_pipeline, 0);
    return b;
}

void board_dispose(board *b)
{
    b->g->chunk = NULL;
    generator_free(b->g);
    gen_config_free(b->config);
    ptl_chunk_free(b->chunk);
}

ptl_oter oter_of(const board *b, const char *id)
{
    ptl_oter oter = catalogue_oter(b->cat, id);
    ck_assert_msg(oter != CAT_NONE, "no oter %s", id);
    return oter;
}

size_t connection_of(const board *b, const char *id)
{
    uint16_t index = catalogue_connection(b->cat, id);
    ck_assert_msg(index != CAT_NONE, "no connection %s", id);
    return index;
}

ptl_oter *cell(board *b, int32_t z, int32_t x, int32_t y)
{
    ptl_oter *cells = cells_at(b->g, z);
    ck_assert_ptr_nonnull(cells);
    ck_assert(inside(x, y));
    return &cells[y * SIZE + x];
}

void set(board *b, int32_t x, int32_t y, const char *id)
{
    *cell(b, 0, x, y) = oter_of(b, id);
}

const char *get(board *b, int32_t z, int32_t x, int32_t y)
{
    return b->cat->oters[*cell(b, z, x, y)].id;
}

void board_fill(board *b, const char *id)
{
    ptl_oter oter = oter_of(b, id);
    for (int32_t i = 0; i < CELLS; i++)
        b->g->ground[i] = oter;
}

void board_random_land(board *b, rng *r, int32_t size)
{
    static const char *const kinds[] = {"field",        "forest",       "forest_thick",
                                        "forest_water", "river_center", "lake_surface",
                                        "house_north",  "field"};
    board_fill(b, "lake_surface");
    for (int32_t i = 0; i < CELLS; i++)
        if (i % SIZE < size && i / SIZE < size)
            b->g->ground[i] = oter_of(b, "field");
    for (int32_t n = size * size / 40; n-- > 0;) {
        ptl_oter oter = oter_of(b, kinds[rng_below(r, 8)]);
        int32_t x0 = rng_range(r, 0, size - 1), y0 = rng_range(r, 0, size - 1);
        int32_t w = rng_range(r, 1, 9), h = rng_range(r, 1, 9);
        for (int32_t y = y0; y < y0 + h && y < size; y++)
            for (int32_t x = x0; x < x0 + w && x < size; x++)
                b->g->ground[y * SIZE + x] = oter;
    }
}

bool random_end(board *b, rng *r, size_t connection, int32_t size, connect_end *out)
{
    for (int n = 0; n < 200; n++) {
        int32_t x = rng_range(r, 1, size - 2), y = rng_range(r, 1, size - 2);
        *out = (connect_end){(int16_t)x, (int16_t)y, CONNECT_ANY, false};
        if (connect_turns(b->g, connection, b->g->ground[y * SIZE + x]))
            return true;
    }
    return false;
}

/* ---- the rules, from the catalogue ---- */
static const cat_terrain *type_at(const board *b, ptl_oter oter)
{
    return &b->cat->terrains[b->cat->oters[oter].terrain];
}

static bool share_connection(const board *b, uint16_t s, uint16_t t)
{
    for (size_t i = 0; i < b->cat->connection_count; i++)
        if (cat_terrain_in(b->cat->connections[i].terrains, s) &&
            cat_terrain_in(b->cat->connections[i].terrains, t))
            return true;
    return false;
}

static bool crosses(const board *b, ptl_oter line, ptl_oter over)
{
    for (size_t i = 0; i < b->cat->connection_count; i++)
        for (size_t k = 0; k < b->cat->connections[i].subtype_count; k++) {
            const cat_subtype *s = &b->cat->connections[i].subtypes[k];
            if (s->terrain == b->cat->oters[over].terrain &&
                cat_terrain_in(s->allows, b->cat->oters[line].terrain))
                return true;
        }
    return false;
}

static bool answered(const board *b, ptl_oter line, int d, ptl_oter n)
{
    const cat_oter *o = &b->cat->oters[n];
    const cat_terrain *t = type_at(b, n);
    bool parallel = t->count == 4 && (o->rotation - d) % 2 == 0;
    if (strcmp(t->id, "bridgehead_ground") == 0)
        return parallel;
    if (share_connection(b, b->cat->oters[line].terrain, o->terrain))
        return t->count == 16 ? o->line >> (d ^ 2) & 1 : t->count == 4 ? parallel : true;
    return t->count == 4 && !parallel && crosses(b, line, n);
}

int check_arms(board *b, int32_t z)
{
    const ptl_oter *cells = cells_at(b->g, z);
    int outward = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        const cat_oter *o = &b->cat->oters[cells[i]];
        if (type_at(b, cells[i])->count != 16)
            continue;
        for (int d = 0; d < 4; d++) {
            int32_t x = i % SIZE + step_x(d), y = i / SIZE + step_y(d);
            if (!(o->line >> d & 1))
                continue;
            if (!inside(x, y)) {
                outward++;
                continue;
            }
            ptl_oter n = cells[y * SIZE + x];
            ck_assert_msg(answered(b, cells[i], d, n), "%s at %d,%d,%d: arm %d to %s", o->id,
                          i % SIZE, i / SIZE, z, d, b->cat->oters[n].id);
        }
    }
    return outward;
}

/* ---- trying everything ---- */
typedef struct way {
    int32_t cost; /* 0: none */
    int enter;    /* directions */
    bool rigid, counts;
} way;

static int line_axis(const cat_oter *o, int count)
{
    return count == 4 ? (o->rotation % 2 ? 10 : 5) : 15;
}

/* For catalogues without weights. */
static way way_of(const board *b, size_t connection, ptl_oter oter)
{
    const cat_connection *c = &b->cat->connections[connection];
    const cat_oter *o = &b->cat->oters[oter];
    const cat_terrain *t = type_at(b, oter);
    const bool has = cat_terrain_in(c->terrains, o->terrain);
    const cat_subtype *s = NULL;
    for (size_t i = 0; i < c->subtype_count; i++)
        if (c->subtypes[i].in_place && c->subtypes[i].terrain == o->terrain)
            s = &c->subtypes[i];
    for (size_t i = 0; !s && i < c->subtype_count; i++)
        if (cat_terrain_in(c->subtypes[i].allows, o->terrain))
            s = &c->subtypes[i];
    if (!has && strcmp(t->id, "railroad_level_crossing") == 0 &&
        strcmp(c->id, "local_road") == 0)
        return (way){1, 15 ^ line_axis(o, 4), true, false};
    if (!s)
        return (way){0};
    const int32_t part = s->shape == PTL_TERRAIN_LINE ? 1 : s->orthogonal ? 5 : 13;
    const int32_t more = s->basic_cost / part;
    way w = {has ? 1 : 5 + more, 15, s->shape != PTL_TERRAIN_LINE || s->perpendicular,
             s->orthogonal && s->shape == PTL_TERRAIN_LINE};
    if (has && s->shape == PTL_TERRAIN_ROTATABLE)
        w.enter = line_axis(o, t->count);
    if (!has && w.rigid && t->count == 16 && o->line)
        w.enter = o->line == 5 ? 10 : o->line == 10 ? 5 : 0;
    return w;
}

enum { STATES = 5 * CELLS };

/* What a search from one cell may do. */
typedef struct region {
    int32_t from;
    int against;           /* a direction in which it does not set out; -1: none */
    const int32_t *closed; /* cells */
    size_t closed_count;
} region;

/* The least cost to each state: cell * 5 + the direction of entry. new */
static int64_t *spread(board *b, size_t connection, const region *r)
{
    way *ways = malloc(CELLS * sizeof *ways);
    int64_t *cost = malloc(STATES * sizeof *cost);
    int32_t *queue = malloc(STATES * sizeof *queue);
    bool *queued = calloc(STATES, 1);
    ck_assert(ways && cost && queue && queued);
    for (int32_t i = 0; i < CELLS; i++)
        ways[i] = way_of(b, connection, b->g->ground[i]);
    for (size_t i = 0; i < r->closed_count; i++)
        ways[r->closed[i]].cost = 0;
    for (int32_t i = 0; i < STATES; i++)
        cost[i] = INT64_MAX;
    size_t head = 0, count = 1;
    queue[0] = r->from * 5 + 4;
    cost[queue[0]] = 0;
    while (count-- > 0) {
        int32_t s = queue[head++ % STATES], at = s / 5, came = s % 5;
        queued[s] = false;
        for (int d = 0; d < 4; d++) {
            int32_t x = at % SIZE + step_x(d), y = at / SIZE + step_y(d), n = y * SIZE + x;
            if (x < 1 || y < 1 || x > SIZE - 2 || y > SIZE - 2 || !ways[n].cost ||
                !(ways[n].enter >> d & 1) || (came == 4 && d == r->against))
                continue;
            bool turn = came < 4 && came != d;
            if (turn && (ways[at].rigid || came == (d ^ 2)))
                continue;
            int64_t sum = cost[s] + ways[n].cost * INT64_C(100000) + (turn && ways[at].counts);
            int32_t t = n * 5 + d;
            if (sum >= cost[t])
                continue;
            cost[t] = sum;
            if (!queued[t])
                queue[(head + count++) % STATES] = t;
            queued[t] = true;
        }
    }
    free(ways);
    free(queue);
    free(queued);
    return cost;
}

static best as_best(int64_t least)
{
    return least == INT64_MAX ? (best){-1, -1} : (best){least / 100000, least % 100000};
}

static int64_t least_at(const int64_t *cost, int32_t cell)
{
    int64_t least = INT64_MAX;
    for (int d = 0; d < 4; d++)
        least = cost[cell * 5 + d] < least ? cost[cell * 5 + d] : least;
    return least;
}

best brute_force(board *b, size_t connection, int32_t from, int32_t to)
{
    int64_t *cost = spread(b, connection, &(region){.from = from, .against = -1});
    const best found = as_best(least_at(cost, to));
    free(cost);
    return found;
}

best brute_force_nearest(board *b, size_t connection, int32_t from, int against,
                         const int32_t *closed, size_t closed_count)
{
    const cat_connection *c = &b->cat->connections[connection];
    const region r = {from, against, closed, closed_count};
    int64_t *cost = spread(b, connection, &r), least = INT64_MAX;
    for (int32_t i = 0; i < CELLS; i++) {
        const ptl_oter oter = b->g->ground[i];
        const way w = way_of(b, connection, oter);
        const bool end = type_at(b, oter)->count == 1 || !w.rigid;
        if (i != from && end && cat_terrain_in(c->terrains, b->cat->oters[oter].terrain) &&
            least_at(cost, i) < least)
            least = least_at(cost, i);
    }
    free(cost);
    return as_best(least);
}

best path_cost(board *b, size_t connection, const ptl_oter *cells)
{
    const connector *k = b->g->connector;
    best sum = {0, 0};
    for (size_t i = 0; i < k->path_count; i++) {
        const path_node *n = &k->path[i];
        const way w = way_of(b, connection, cells[n->y * SIZE + n->x]);
        const bool inner = i > 0 && i + 1 < k->path_count;
        ck_assert(w.cost > 0);
        if (i > 0) {
            const path_node *p = &k->path[i - 1];
            ck_assert_int_eq(p->x + step_x(p->direction), n->x);
            ck_assert_int_eq(p->y + step_y(p->direction), n->y);
            ck_assert(w.enter >> p->direction & 1);
            sum.cost += w.cost;
        }
        if (inner && k->path[i - 1].direction != n->direction) {
            ck_assert(!w.rigid);
            sum.turns += w.counts;
        }
    }
    return sum;
}
