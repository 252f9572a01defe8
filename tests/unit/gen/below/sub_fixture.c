#include "unit/gen/below/sub_fixture.h"

#include "gen/seams/dead_ends.h"
#include "support/land_catalogue.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id;
    int count;
} ADDED[] = {
    {"acid_anthill", 1},
    {"anthill", 1},
    {"ants", 16},
    {"ants_food", 1},
    {"ants_larvae", 1},
    {"ants_larvae_acid", 1},
    {"ants_queen", 1},
    {"ants_queen_acid", 1},
    {"cave", 1},
    {"cave_rat", 1},
    {"central_lab", 1},
    {"central_lab_core", 1},
    {"central_lab_finale", 1},
    {"central_lab_stairs", 1},
    {"central_lab_train_depot", 1},
    {"cellar_hidden_lab_stairs", 4},
    {"ice_lab", 1},
    {"ice_lab_core", 1},
    {"ice_lab_finale", 1},
    {"ice_lab_stairs", 1},
    {"lab", 1},
    {"lab_core", 1},
    {"lab_escape_cells", 1},
    {"lab_escape_entrance", 1},
    {"lab_finale", 1},
    {"lab_stairs", 1},
    {"lab_train_depot", 1},
    {"microlab_sub_connector", 4},
    {"mine", 1},
    {"mine_down", 1},
    {"mine_entrance", 1},
    {"mine_finale", 1},
    {"mine_shaft", 1},
    {"sewage_treatment", 1},
    {"sewer_connector", 4},
    {"sewer_sub_station", 1},
    {"silo", 1},
    {"silo_finale", 1},
    {"slimepit", 1},
    {"slimepit_down", 1},
    {"spiral", 1},
    {"spiral_hub", 1},
    {"sub_station", 4},
    {"underground_sub_station", 1},
};
enum { ADDED_COUNT = sizeof ADDED / sizeof ADDED[0], TERRAINS = 128, OTERS = 512, REGIONS = 8 };

static const char *const LINES[16] = {
    "isolated", "end_south", "end_west", "ne",  "end_north", "ns",  "es",  "nes",
    "end_east", "wn",        "ew",       "new", "sw",        "nsw", "esw", "nesw"};
static const char *const SIDES[4] = {"north", "east", "south", "west"};

static catalogue cat;
static cat_terrain terrains[TERRAINS];
static cat_oter oters[OTERS];
static char ids[OTERS][40];
static cat_region regions[REGIONS]; /* without bins */
static cat_special special;
static cat_mutable layout;
static cat_piece piece;

static void add(const char *id, int count)
{
    const uint16_t t = (uint16_t)cat.terrain_count++;
    ck_assert_uint_lt(cat.terrain_count, TERRAINS);
    terrains[t] = (cat_terrain){.id = id,
                                .name = id,
                                .color = "",
                                .flags = count == 16 ? CAT_FLAG_LINEAR : 0,
                                .first = (ptl_oter)cat.oter_count,
                                .count = (uint16_t)count};
    for (int i = 0; i < count; i++) {
        const size_t n = cat.oter_count++;
        ck_assert_uint_lt(n, OTERS);
        const char *suffix = count == 16 ? LINES[i] : count == 4 ? SIDES[i] : "";
        snprintf(ids[n], sizeof ids[n], "%s%s%s", id, *suffix ? "_" : "", suffix);
        oters[n] = (cat_oter){.id = ids[n],
                              .terrain = t,
                              .line = (uint8_t)(count == 16 ? i : 0),
                              .rotation = (uint8_t)(count == 4 ? i : 0)};
    }
}

const catalogue *sub_catalogue(const char *grown)
{
    const catalogue *town = town_catalogue();
    cat = *town;
    memcpy(terrains, town->terrains, town->terrain_count * sizeof *terrains);
    memcpy(oters, town->oters, town->oter_count * sizeof *oters);
    cat.terrains = terrains;
    cat.oters = oters;
    for (size_t i = 0; i < ADDED_COUNT; i++)
        add(ADDED[i].id, ADDED[i].count);
    if (!grown)
        return &cat;
    for (int r = 0; r < 4; r++)
        piece.oters[r] = catalogue_oter_or_first(&cat, grown);
    layout = (cat_mutable){.pieces = &piece, .piece_count = 1};
    special = (cat_special){.id = "grown", .layout = &layout};
    cat.specials = &special;
    cat.special_count = 1;
    ck_assert_uint_le(cat.region_count, REGIONS);
    for (size_t i = 0; i < cat.region_count; i++) {
        regions[i] = town->regions[i];
        regions[i].city.houses.count = regions[i].city.shops.count = 0;
        regions[i].city.parks.count = regions[i].city.finales.count = 0;
        regions[i].trails.trailheads.count = 0;
    }
    cat.regions = regions;
    return &cat;
}

board sub_board(uint64_t seed)
{
    return board_new(seed, sub_catalogue(NULL));
}

void sub_set(board *b, int32_t z, int32_t x, int32_t y, const char *id)
{
    *cell(b, z, x, y) = oter_of(b, id);
}

bool sub_is(board *b, int32_t z, int32_t x, int32_t y, const char *id)
{
    const ptl_oter o = ptl_chunk_oter(b->chunk, x, y, z);
    return strcmp(b->cat->oters[o].id, id) == 0 ||
           strcmp(b->cat->terrains[b->cat->oters[o].terrain].id, id) == 0;
}

int32_t sub_count(board *b, int32_t z, const char *type)
{
    const uint16_t t = catalogue_terrain(b->cat, type);
    const level *l = chunk_level(b->chunk, z);
    int32_t count = 0;
    ck_assert_msg(t != CAT_NONE, "%s", type);
    for (int32_t i = 0; i < CELLS; i++)
        count += b->cat->oters[l->cells ? l->cells[i] : l->fill].terrain == t;
    return count;
}

int32_t sub_used(board *b, int32_t z)
{
    const level *l = chunk_level(b->chunk, z);
    int32_t count = 0;
    for (int32_t i = 0; i < CELLS && l->cells; i++)
        count += l->cells[i] != b->config->defaults[z - PTL_Z_MIN];
    return count;
}

int sub_events(const board *b, const char *kind)
{
    int count = 0;
    for (size_t i = 0; i < b->g->event_count; i++)
        count += strcmp(b->g->events[i].kind, kind) == 0;
    return count;
}

void sub_ask(board *b, const char *connection, int32_t x, int32_t y, int32_t z, int heading)
{
    generator *g = b->g;
    if (g->deep_link_count == g->deep_link_room) {
        g->deep_link_room = g->deep_link_room ? 2 * g->deep_link_room : 16;
        g->deep_links = realloc(g->deep_links, g->deep_link_room * sizeof *g->deep_links);
        ck_assert_ptr_nonnull(g->deep_links);
    }
    g->deep_links[g->deep_link_count++] =
        (deep_link){.connection = (uint16_t)connection_of(b, connection),
                    .z = (int8_t)z,
                    .end = {(int16_t)x, (int16_t)y, (int8_t)heading, heading != CONNECT_ANY}};
}

static bool part_of(board *b, uint16_t connection, int32_t z, int32_t x, int32_t y)
{
    if (!inside(x, y))
        return false;
    const ptl_oter o = ptl_chunk_oter(b->chunk, x, y, z);
    return connect_has(b->g, connection, o) || sub_is(b, z, x, y, "underground_sub_station") ||
           sub_is(b, z, x, y, "lab_train_depot") ||
           sub_is(b, z, x, y, "central_lab_train_depot");
}

static int arms_at(board *b, int32_t z, int32_t x, int32_t y)
{
    const cat_oter *o = &b->cat->oters[ptl_chunk_oter(b->chunk, x, y, z)];
    return b->cat->terrains[o->terrain].count == 16 ? o->line : 15;
}

int32_t sub_parts(board *b, const char *connection, int32_t z)
{
    static bool seen[CELLS];
    static int32_t queue[CELLS];
    const uint16_t c = (uint16_t)connection_of(b, connection);
    int32_t parts = 0;
    memset(seen, 0, sizeof seen);
    for (int32_t start = 0; start < CELLS; start++) {
        if (seen[start] || !part_of(b, c, z, start % SIZE, start / SIZE))
            continue;
        int32_t head = 0, tail = 0;
        parts++;
        seen[start] = true;
        for (queue[tail++] = start; head < tail; head++)
            for (int d = 0; d < 4; d++) {
                const int32_t x = queue[head] % SIZE, y = queue[head] / SIZE;
                const int32_t nx = x + step_x(d), ny = y + step_y(d);
                if (!part_of(b, c, z, nx, ny) || seen[ny * SIZE + nx] ||
                    !(arms_at(b, z, x, y) >> d & 1) ||
                    !(arms_at(b, z, nx, ny) >> opposite(d) & 1))
                    continue;
                seen[ny * SIZE + nx] = true;
                queue[tail++] = ny * SIZE + nx;
            }
    }
    return parts;
}

static void print_problem(void *payload, const dead_end_problem *p)
{
    int *left = payload;
    if ((*left)-- > 0)
        printf("%s: %s at %d,%d,%d arm %d\n", p->what, p->oter, p->x, p->y, p->z, p->direction);
}

uint64_t sub_dead_ends(board *b)
{
    dead_ends *d = dead_ends_new(b->cat);
    ck_assert_ptr_nonnull(d);
    const dead_end_view view = {.chunk = b->chunk, .features = &b->g->features};
    const dead_end_view others[4] = {{0}};
    const edge *const edges[4] = {NULL, NULL, NULL, NULL};
    int left = 3;
    ck_assert(dead_ends_check(d, &view, others, edges, print_problem, &left));
    const uint64_t count = dead_ends_problems(d);
    dead_ends_free(d);
    return count;
}
