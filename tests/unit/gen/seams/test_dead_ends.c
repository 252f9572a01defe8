/*
 * The check of dead ends, on chunks made by hand: each way in which an arm may be answered,
 * each way in which it may not, and random networks in which whatever is broken must be found.
 */
#include "core/hash.h"
#include "gen/seams/dead_ends.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE, N = 1, E = 2, S = 4, W = 8 };

/* A chunk in the middle, its four neighbours and edges. */
typedef struct scene {
    catalogue cat; /* the town's, with specials of our own */
    cat_special specials[2];
    cat_omt omts[2];
    ptl_chunk *chunks[5]; /* N, E, S, W, the middle */
    gen_features features[5];
    bool foreign[5];
    edge edges[4];
    crossing crossings[4][8];
    bool has_edges;
    dead_ends *check;
    int problems, loose; /* loose ends are counted apart */
    char last[160];
} scene;

enum { MIDDLE = 4 };

static ptl_chunk *blank(const catalogue *cat)
{
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
    ck_assert_ptr_nonnull(chunk);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        level_fill(chunk_level(chunk, z), catalogue_oter(cat, z > 0   ? "open_air"
                                                              : z < 0 ? "empty_rock"
                                                                      : "field"));
    return chunk;
}

static void scene_open(scene *s)
{
    memset(s, 0, sizeof *s);
    s->cat = *town_catalogue();
    /* 0: a house; 1: a building that states a road through it, from north to south. */
    for (int r = 0; r < 4; r++) {
        s->omts[0].oters[r] = catalogue_oter(&s->cat, "house_north");
        s->omts[1].oters[r] = catalogue_oter(&s->cat, r & 1 ? "road_ew" : "road_ns");
    }
    for (int i = 0; i < 2; i++)
        s->specials[i] = (cat_special){.id = "x", .omts = &s->omts[i], .omt_count = 1};
    s->cat.specials = s->specials;
    s->cat.special_count = 2;
    s->chunks[MIDDLE] = blank(&s->cat);
    s->check = dead_ends_new(&s->cat);
    ck_assert_ptr_nonnull(s->check);
    for (int d = 0; d < 4; d++)
        s->edges[d].crossings = s->crossings[d];
    s->has_edges = true;
}

static void scene_close(scene *s)
{
    for (int i = 0; i < 5; i++) {
        ptl_chunk_free(s->chunks[i]);
        features_dispose(&s->features[i]);
    }
    dead_ends_free(s->check);
}

static void put(scene *s, int chunk, int32_t x, int32_t y, int32_t z, const char *id)
{
    ptl_oter oter = catalogue_oter(&s->cat, id);
    ck_assert_msg(oter != CAT_NONE, "%s", id);
    ptl_oter *cells = level_cells(chunk_level(s->chunks[chunk], z));
    ck_assert_ptr_nonnull(cells);
    cells[y * SIDE + x] = oter;
}

static void line(scene *s, int chunk, int32_t x, int32_t y, int32_t z, const char *type,
                 int arms)
{
    const cat_terrain *t = &s->cat.terrains[catalogue_terrain(&s->cat, type)];
    ck_assert_uint_eq(t->count, 16);
    put(s, chunk, x, y, z, s->cat.oters[t->first + arms].id);
}

static void place(scene *s, int chunk, int32_t x, int32_t y, uint16_t special, int rotation)
{
    gen_placement *p = features_add_placement(&s->features[chunk]);
    ck_assert_ptr_nonnull(p);
    p->special = special;
    p->x = (int16_t)x;
    p->y = (int16_t)y;
    p->rotation = (uint8_t)rotation;
    const cat_omt *omt = &s->omts[special];
    put(s, chunk, x, y, 0, s->cat.oters[omt->oters[rotation]].id);
}

static void neighbour(scene *s, int direction)
{
    s->chunks[direction] = blank(&s->cat);
}

static void cross(scene *s, int direction, const char *kind, int32_t position, int32_t z)
{
    edge *e = &s->edges[direction];
    s->crossings[direction][e->count++] =
        (crossing){.kind = kind, .position = (int16_t)position, .z = (int8_t)z};
}

static void on_problem(void *payload, const dead_end_problem *p)
{
    scene *s = payload;
    if (strstr(p->what, "leads nowhere")) {
        s->loose++;
        return;
    }
    s->problems++;
    snprintf(s->last, sizeof s->last, "%s %d,%d,%d %d %s: %s", p->kind, p->x, p->y, p->z,
             p->direction, p->oter, p->what);
}

/* Checks the middle anew; returns the number of problems. */
static int check(scene *s)
{
    dead_end_view views[5];
    const edge *edges[4];
    for (int i = 0; i < 5; i++)
        views[i] = (dead_end_view){
            .chunk = s->chunks[i], .features = &s->features[i], .foreign = s->foreign[i]};
    for (int d = 0; d < 4; d++)
        edges[d] = s->has_edges ? &s->edges[d] : NULL;
    uint64_t before = dead_ends_problems(s->check);
    s->problems = s->loose = 0;
    ck_assert(dead_ends_check(s->check, &views[MIDDLE], views, edges, on_problem, s));
    ck_assert_uint_eq(dead_ends_problems(s->check) - before,
                      (uint64_t)(s->problems + s->loose));
    return s->problems;
}

static const dead_end_counts *counts(const scene *s, const char *connection)
{
    size_t index = s->cat.connection_count;
    if (connection)
        index = catalogue_connection(&s->cat, connection);
    const dead_end_counts *c = dead_ends_counts(s->check, index);
    ck_assert_uint_eq(c->arms, c->line + c->parallel + c->crossed + c->building + c->border +
                                   c->own + c->foreign + c->unbound + c->dead);
    return c;
}

/* ---- inside a chunk ---- */

START_TEST(nothing_is_no_problem)
{
    scene s;
    scene_open(&s);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "local_road")->arms, 0);
    scene_close(&s);
}
END_TEST

/* One road OMT at 50,50 with an arm in direction d, and what lies there. */
typedef struct answer_case {
    const char *id[4]; /* what lies in that direction, for d = N, E, S, W */
    int z, problems;
    const char *counter;
} answer_case;

#define SAME(id)                                                                               \
    {                                                                                          \
        id, id, id, id                                                                         \
    }
static const answer_case ANSWERS[] = {
    {{"road_end_north", "road_end_east", "road_end_south", "road_end_west"}, 0, 0, "line"},
    {{"road_ns", "road_ew", "road_ns", "road_ew"}, 0, 0, "line and one more"},
    {SAME("field"), 0, 1, NULL},
    {{"road_ew", "road_ns", "road_ew", "road_ns"}, 0, 1, "two more"},
    {{"bridge_north", "bridge_east", "bridge_south", "bridge_west"}, 0, 0, "parallel"},
    {{"bridge_south", "bridge_west", "bridge_north", "bridge_east"}, 0, 0, "parallel"},
    {{"bridge_east", "bridge_north", "bridge_west", "bridge_south"}, 0, 1, NULL},
    {{"bridgehead_ground_north", "bridgehead_ground_east", "bridgehead_ground_south",
      "bridgehead_ground_west"},
     0,
     0,
     "parallel"},
    {{"bridgehead_ground_east", "bridgehead_ground_south", "bridgehead_ground_west",
      "bridgehead_ground_north"},
     0,
     1,
     NULL},
    {SAME("road_nesw_manhole"), 0, 0, "parallel"},
    {SAME("house_north"), 0, 1, NULL}, /* of no placement */
    {{"railroad_bridge_north", "railroad_bridge_east", "railroad_bridge_south",
      "railroad_bridge_west"},
     0,
     1,
     NULL},
    {{"bridgehead_ground_north", "bridgehead_ground_east", "bridgehead_ground_south",
      "bridgehead_ground_west"},
     -1,
     1,
     NULL}, /* only on the ground */
};

START_TEST(answers)
{
    const answer_case *c = &ANSWERS[_i];
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    for (int d = 0; d < 4; d++) {
        scene s;
        scene_open(&s);
        line(&s, MIDDLE, 50, 50, c->z, "road", 1 << d);
        put(&s, MIDDLE, 50 + dx[d], 50 + dy[d], c->z, c->id[d]);
        int found = check(&s);
        const dead_end_counts *n = counts(&s, "local_road");
        int more = !c->counter                                    ? 0
                   : strcmp(c->counter, "line and one more") == 0 ? 1
                   : strcmp(c->counter, "two more") == 0          ? 2
                                                                  : 0;
        ck_assert_msg(found == c->problems + more, "%s: %d problems: %s", c->id[d], found,
                      s.last);
        if (c->counter && strncmp(c->counter, "line", 4) == 0)
            ck_assert_uint_ge(n->line, 1);
        if (c->counter && strcmp(c->counter, "parallel") == 0)
            ck_assert_uint_eq(n->parallel, 1);
        scene_close(&s);
    }
}
END_TEST

START_TEST(problems_say_where)
{
    scene s;
    scene_open(&s);
    line(&s, MIDDLE, 7, 9, -2, "subway", W);
    ck_assert_int_eq(check(&s), 1);
    ck_assert_str_eq(s.last, "subway_tunnel 7,9,-2 3 subway_end_east: a dead end");
    scene_close(&s);
}
END_TEST

START_TEST(buildings_answer_and_own_their_lines)
{
    scene s;
    scene_open(&s);
    line(&s, MIDDLE, 50, 50, 0, "road", E);
    place(&s, MIDDLE, 51, 50, 0, 0);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "local_road")->building, 1);
    /* Its own arms lead wherever they lead. */
    place(&s, MIDDLE, 80, 80, 1, 0);
    place(&s, MIDDLE, 90, 80, 1, 1);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "local_road")->own, 4);
    /* An arm that was added to it later is no longer its own affair. */
    put(&s, MIDDLE, 80, 80, 0, "road_nes");
    ck_assert_int_eq(check(&s), 1);
    put(&s, MIDDLE, 81, 80, 0, "road_end_east");
    ck_assert_int_eq(check(&s), 0);
    /* Placements of a neighbour don't count here. */
    s.features[1] = s.features[MIDDLE];
    memset(&s.features[MIDDLE], 0, sizeof s.features[MIDDLE]);
    ck_assert_int_gt(check(&s), 0);
    scene_close(&s);
}
END_TEST

START_TEST(level_crossings_are_looked_through)
{
    scene s;
    scene_open(&s);
    line(&s, MIDDLE, 50, 50, 0, "road", E);
    put(&s, MIDDLE, 51, 50, 0, "railroad_level_crossing_north");
    put(&s, MIDDLE, 52, 50, 0, "railroad_level_crossing_south");
    line(&s, MIDDLE, 53, 50, 0, "road", W);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "local_road")->crossed, 2);
    put(&s, MIDDLE, 52, 50, 0, "railroad_level_crossing_east");
    ck_assert_int_eq(check(&s), 2); /* not across the track */
    put(&s, MIDDLE, 52, 50, 0, "railroad_level_crossing_south");
    line(&s, MIDDLE, 53, 50, 0, "road", E);
    ck_assert_int_eq(check(&s), 2); /* the road does not go on */
    /* For the track itself a level crossing is a piece of it. */
    line(&s, MIDDLE, 51, 49, 0, "railroad", S);
    line(&s, MIDDLE, 53, 50, 0, "road", W);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "local_railroad")->parallel, 1);
    scene_close(&s);
}
END_TEST

START_TEST(pieces_lead_on_at_both_ends)
{
    scene s;
    scene_open(&s);
    put(&s, MIDDLE, 50, 50, 0, "bridge_east");
    put(&s, MIDDLE, 51, 50, 0, "bridge_west");
    ck_assert_int_eq(check(&s) + s.loose, 2);
    line(&s, MIDDLE, 49, 50, 0, "road", E);
    ck_assert_int_eq(check(&s) + s.loose, 1);
    put(&s, MIDDLE, 52, 50, 0, "bridgehead_ground_west"); /* part of it, and loose itself */
    ck_assert_int_eq(check(&s) + s.loose, 1);
    line(&s, MIDDLE, 53, 50, 0, "road", W);
    ck_assert_int_eq(check(&s) + s.loose, 0);
    line(&s, MIDDLE, 53, 50, 0, "railroad", W); /* of another connection, and dead itself */
    ck_assert_int_eq(check(&s), 1);
    ck_assert_int_eq(s.loose, 1);
    line(&s, MIDDLE, 53, 50, 0, "road", W);
    /* A stub at an exit; and at z = 1 the parts of a bridge lead nowhere in particular. */
    put(&s, MIDDLE, 0, 90, 0, "bridge_east");
    cross(&s, 3, "local_road", 90, 0);
    put(&s, MIDDLE, 70, 70, 1, "bridgehead_ramp_west");
    ck_assert_int_eq(check(&s) + s.loose, 0);
    neighbour(&s, 3);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_int_eq(s.loose, 1);
    line(&s, 3, SIDE - 1, 90, 0, "road", E);
    ck_assert_int_eq(check(&s) + s.loose, 0);
    scene_close(&s);
}
END_TEST

/* A line that no connection has: the town catalogue without its trails. */
START_TEST(lines_of_no_connection)
{
    scene s;
    scene_open(&s);
    uint16_t trail = catalogue_connection(&s.cat, "forest_trail");
    ck_assert_uint_eq(trail, 0);
    s.cat.connections++;
    s.cat.connection_count--;
    line(&s, MIDDLE, 50, 50, 0, "forest_trail", N | E);
    line(&s, MIDDLE, 51, 50, 0, "forest_trail", W);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, NULL)->line, 2);
    ck_assert_uint_eq(counts(&s, NULL)->unbound, 1);
    line(&s, MIDDLE, 51, 50, 0, "forest_trail", S);
    ck_assert_int_eq(check(&s), 1);
    scene_close(&s);
}
END_TEST

/* A road that leaves in direction d at position 60 along that border. */
static void leave(scene *s, int chunk, int d, const char *type, int32_t z)
{
    int32_t x = d & 1 ? (d == 1 ? SIDE - 1 : 0) : 60, y = d & 1 ? 60 : (d == 2 ? SIDE - 1 : 0);
    int32_t back = d ^ 2;
    line(s, chunk, x, y, z, type, 1 << d | 1 << back);
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    line(s, chunk, x - dx[d], y - dy[d], z, type, 1 << d);
}

/* Content with more connections that draw roads, and one that shares a terrain with rails: an
 * OMT does not say which of them drew it, so each group is counted once, under all of its
 * names. */
START_TEST(connections_that_share_terrain)
{
    static const struct {
        const char *id, *like;
        bool last;
    } more[] = {{"a_highway", "local_road", false},
                {"a_tram", "local_railroad", false},
                {"z_street", "local_road", true}};
    cat_connection list[32];
    scene s;
    scene_open(&s);
    const size_t count = s.cat.connection_count;
    ck_assert_uint_le(count + 3, sizeof list / sizeof list[0]);
    for (size_t i = 0; i < 3; i++) {
        cat_connection *c = &list[more[i].last ? count + 2 : i];
        *c = s.cat.connections[catalogue_connection(&s.cat, more[i].like)];
        c->id = more[i].id;
    }
    memcpy(list + 2, s.cat.connections, count * sizeof *list);
    s.cat.connections = list;
    s.cat.connection_count = count + 3;
    dead_ends_free(s.check);
    s.check = dead_ends_new(&s.cat);
    line(&s, MIDDLE, 50, 50, 0, "road", E);
    line(&s, MIDDLE, 51, 50, 0, "road", W);
    line(&s, MIDDLE, 60, 60, 0, "railroad", E);
    line(&s, MIDDLE, 70, 70, 0, "sewer", E);
    leave(&s, MIDDLE, 1, "road", 0);
    cross(&s, 1, "z_street", 60, 0);
    ck_assert_int_eq(check(&s), 2);
    size_t groups = 0, arms = 0;
    for (size_t i = 0; i <= s.cat.connection_count; i++) {
        const dead_end_counts *c = dead_ends_counts(s.check, i);
        groups += dead_ends_group(s.check, i) == i;
        arms += dead_ends_group(s.check, i) == i ? c->arms : 0;
    }
    ck_assert_uint_eq(groups, s.cat.connection_count + 1 - 3);
    ck_assert_uint_eq(arms, 2 + 1 + 1 + 3);
    for (int i = 0; i < 2; i++) {
        const size_t road = catalogue_connection(&s.cat, i ? "z_street" : "local_road");
        ck_assert_str_eq(dead_ends_kind(s.check, road), "a_highway + local_road + z_street");
        ck_assert_uint_eq(dead_ends_counts(s.check, road)->arms, 5);
        ck_assert_uint_eq(dead_ends_counts(s.check, road)->crossings, 1);
    }
    ck_assert_str_eq(dead_ends_kind(s.check, catalogue_connection(&s.cat, "local_railroad")),
                     "a_tram + local_railroad");
    ck_assert_str_eq(dead_ends_kind(s.check, catalogue_connection(&s.cat, "sewer_tunnel")),
                     "sewer_tunnel");
    ck_assert_str_eq(dead_ends_kind(s.check, s.cat.connection_count), "");
    scene_close(&s);
}
END_TEST

/* ---- borders ---- */

START_TEST(borders_without_a_neighbour)
{
    scene s;
    scene_open(&s);
    leave(&s, MIDDLE, _i, "road", 0);
    ck_assert_int_eq(check(&s), 1);
    ck_assert_ptr_nonnull(strstr(s.last, "no crossing"));
    cross(&s, _i, "local_road", 60, 0);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "local_road")->border, 1);
    ck_assert_uint_eq(counts(&s, "local_road")->crossings, 1);
    s.crossings[_i][0].z = 1; /* an arm without, and a crossing without */
    ck_assert_int_eq(check(&s), 2);
    s.crossings[_i][0] = (crossing){.kind = "local_railroad", .position = 60};
    ck_assert_int_eq(check(&s), 2);
    s.crossings[_i][0] = (crossing){.kind = "hyperloop", .position = 60}; /* unknown */
    ck_assert_int_eq(check(&s), 1);
    s.has_edges = false;
    ck_assert_int_eq(check(&s), 1);
    scene_close(&s);
}
END_TEST

START_TEST(borders_with_a_neighbour)
{
    scene s;
    scene_open(&s);
    neighbour(&s, _i);
    leave(&s, MIDDLE, _i, "subway", -2);
    cross(&s, _i, "subway_tunnel", 60, -2);
    ck_assert_int_eq(check(&s), 1); /* rock there */
    ck_assert_ptr_nonnull(strstr(s.last, "a dead end"));
    leave(&s, _i, _i ^ 2, "subway", -2);
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "subway_tunnel")->dead, 1);
    ck_assert_uint_eq(counts(&s, "subway_tunnel")->missing, 0);
    /* Only the neighbour has a tunnel: its own check finds that, and the crossing finds us. */
    ptl_chunk_free(s.chunks[MIDDLE]);
    s.chunks[MIDDLE] = blank(&s.cat);
    ck_assert_int_eq(check(&s), 1);
    ck_assert_ptr_nonnull(strstr(s.last, "no arm"));
    scene_close(&s);
}
END_TEST

START_TEST(stubs_of_bridges_answer_crossings)
{
    scene s;
    scene_open(&s);
    cross(&s, 2, "local_road", 77, 0);
    put(&s, MIDDLE, 77, SIDE - 1, 0, "bridge_east");
    ck_assert_int_eq(check(&s), 1);
    put(&s, MIDDLE, 77, SIDE - 1, 0, "bridge_north");
    ck_assert_int_eq(check(&s), 0);
    scene_close(&s);
}
END_TEST

START_TEST(foreign_chunks_are_counted_apart)
{
    scene s;
    scene_open(&s);
    neighbour(&s, 1);
    s.foreign[MIDDLE] = s.foreign[1] = true;
    leave(&s, MIDDLE, 1, "road", 0);
    line(&s, MIDDLE, 20, 20, 0, "road", N); /* what the game made of it */
    ck_assert_int_eq(check(&s), 0);
    ck_assert_uint_eq(counts(&s, "local_road")->foreign, 4);
    s.foreign[1] = false; /* towards ours the foreign road must go on */
    cross(&s, 1, "local_road", 60, 0);
    ck_assert_int_eq(check(&s), 1);
    leave(&s, 1, 3, "road", 0);
    ck_assert_int_eq(check(&s), 0);
    scene_close(&s);
}
END_TEST

START_TEST(rivers_go_on)
{
    scene s;
    scene_open(&s);
    neighbour(&s, _i);
    for (int32_t i = 70; i < 74; i++) {
        bool vertical = _i & 1;
        int32_t end = _i == 1 || _i == 2 ? SIDE - 1 : 0;
        put(&s, MIDDLE, vertical ? end : i, vertical ? i : end, 0, "river_center");
    }
    cross(&s, _i, CROSSING_RIVER, 71, 0);
    s.crossings[_i][0].width = 1;
    ck_assert_int_eq(check(&s), 1);
    ck_assert_ptr_nonnull(strstr(s.last, "a river ends"));
    int32_t far = _i == 1 || _i == 2 ? 0 : SIDE - 1;
    put(&s, _i, _i & 1 ? far : 73, _i & 1 ? 73 : far, 0, "lake_shore");
    ck_assert_int_eq(check(&s), 0);
    s.crossings[_i][0].width = 2; /* 69 is no water */
    ck_assert_int_eq(check(&s), 1);
    ck_assert_ptr_nonnull(strstr(s.last, "not painted"));
    s.edges[_i].origin = EDGE_FOREIGN; /* whose widths are rounded up */
    ck_assert_int_eq(check(&s), 0);
    s.crossings[_i][0].position = 69;
    ck_assert_int_eq(check(&s), 1);
    ck_assert_uint_eq(dead_ends_rivers(s.check)->runs, 5);
    scene_close(&s);
}
END_TEST

/* A bridge along the border has its river under it, a bridge over the border has none. */
START_TEST(rivers_under_bridges_go_on)
{
    const bool vertical = _i & 1, last = _i == 1 || _i == 2;
    const int32_t end = last ? SIDE - 1 : 0, far = last ? 0 : SIDE - 1;
    scene s;
    scene_open(&s);
    neighbour(&s, _i);
    s.foreign[MIDDLE] = true; /* its roads are its own affair */
    put(&s, MIDDLE, vertical ? end : 70, vertical ? 70 : end, 0,
        vertical ? "bridge_east" : "bridge_north");
    ck_assert_int_eq(check(&s), 0);
    for (int32_t i = 69; i < 72; i++)
        put(&s, MIDDLE, vertical ? end : i, vertical ? i : end, 0,
            i == 70    ? vertical ? "bridge_south" : "bridge_west"
            : vertical ? "bridgehead_ground_north"
                       : "bridgehead_ground_east");
    ck_assert_int_eq(check(&s), 1);
    ck_assert_ptr_nonnull(strstr(s.last, "a river ends"));
    for (int32_t i = 70; i < 72; i++) { /* two feet alone stand in it, too */
        put(&s, MIDDLE, vertical ? end : 70, vertical ? 70 : end, 0,
            vertical ? "bridgehead_ground_south" : "bridgehead_ground_west");
        ck_assert_int_eq(check(&s), i == 70);
        put(&s, _i, vertical ? far : 70, vertical ? 70 : far, 0, "river_center");
    }
    scene_close(&s);
}
END_TEST

/* Beside a foreign chunk: a river at the corner cell alone belongs to no edge, one that goes on
 * from there is looked for beside it. */
START_TEST(rivers_at_foreign_corners)
{
    scene s;
    scene_open(&s);
    neighbour(&s, 1);
    s.foreign[1] = true;
    s.edges[1].origin = EDGE_FOREIGN;
    const int32_t corner = _i ? SIDE - 1 : 0, beside = _i ? SIDE - 2 : 1;
    cross(&s, 1, CROSSING_RIVER, corner, 0);
    ck_assert_int_eq(check(&s), 0);
    s.crossings[1][0].width = 1;
    ck_assert_int_eq(check(&s), 1);
    ck_assert_ptr_nonnull(strstr(s.last, "not painted"));
    put(&s, MIDDLE, SIDE - 1, beside, 0, "river_center");
    put(&s, 1, 0, beside, 0, "river_center");
    ck_assert_int_eq(check(&s), 0);
    scene_close(&s);
}
END_TEST

/* ---- random networks ---- */

/* A random set of cells of one level, joined wherever two touch; border arms get crossings. */
static void random_network(scene *s, rng *r, uint8_t mask[SIDE * SIDE])
{
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    const cat_terrain *road = &s->cat.terrains[catalogue_terrain(&s->cat, "road")];
    ptl_oter *cells = level_cells(chunk_level(s->chunks[MIDDLE], 0));
    ck_assert_ptr_nonnull(cells);
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        mask[i] = rng_below(r, 3) == 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        int lines = 0;
        for (int d = 0; d < 4; d++) {
            int32_t x = i % SIDE + dx[d], y = i / SIDE + dy[d];
            if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
                lines |= mask[y * SIDE + x] << d;
        }
        if (mask[i])
            cells[i] = (ptl_oter)(road->first + lines);
    }
    for (int d = 0; d < 4; d++) {
        int32_t position = rng_range(r, 0, SIDE - 1);
        int32_t x = d & 1 ? (d == 1 ? SIDE - 1 : 0) : position;
        int32_t y = d & 1 ? position : (d == 2 ? SIDE - 1 : 0);
        if (!mask[y * SIDE + x])
            continue;
        ptl_oter *cell = &cells[y * SIDE + x];
        *cell = (ptl_oter)(road->first + ((*cell - road->first) | 1 << d));
        cross(s, d, "local_road", position, 0);
    }
}

static int bits(int value)
{
    int count = 0;
    for (; value; value &= value - 1)
        count++;
    return count;
}

START_TEST(what_is_broken_is_found)
{
    static uint8_t mask[SIDE * SIDE];
    scene s;
    rng r = rng_from_key(hash_add(77, (uint64_t)_i));
    scene_open(&s);
    random_network(&s, &r, mask);
    ck_assert_msg(check(&s) == 0, "%s", s.last);
    const cat_terrain *road = &s.cat.terrains[catalogue_terrain(&s.cat, "road")];
    ptl_oter *cells = s.chunks[MIDDLE]->levels[-PTL_Z_MIN].cells;
    for (int n = 0; n < 40; n++) {
        int32_t i = rng_range(&r, 1, SIDE - 2) * SIDE + rng_range(&r, 1, SIDE - 2);
        if (!mask[i])
            continue;
        ptl_oter before = cells[i];
        cells[i] = catalogue_oter(&s.cat, "field"); /* each of its neighbours misses it */
        ck_assert_int_eq(check(&s), bits(before - road->first));
        /* One arm more or less: it or its counterpart is alone. */
        cells[i] = (ptl_oter)(road->first + ((before - road->first) ^ 1 << rng_below(&r, 4)));
        ck_assert_int_eq(check(&s), 1);
        cells[i] = before;
    }
    ck_assert_int_eq(check(&s), 0);
    for (int d = 0; d < 4; d++) {
        if (!s.edges[d].count)
            continue;
        int16_t position = s.crossings[d][0].position;
        s.edges[d].count = 0;
        ck_assert_int_eq(check(&s), 1);
        s.edges[d].count = 1;
        s.crossings[d][0].position =
            (int16_t)(position < SIDE / 2 ? position + 1 : position - 1);
        ck_assert_int_eq(check(&s), 2);
        s.crossings[d][0].position = position;
    }
    ck_assert_int_eq(check(&s), 0);
    scene_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dead_ends");
    TCase *tcase = tcase_create("dead_ends");
    tcase_add_test(tcase, nothing_is_no_problem);
    tcase_add_loop_test(tcase, answers, 0, (int)(sizeof ANSWERS / sizeof ANSWERS[0]));
    tcase_add_test(tcase, problems_say_where);
    tcase_add_test(tcase, buildings_answer_and_own_their_lines);
    tcase_add_test(tcase, level_crossings_are_looked_through);
    tcase_add_test(tcase, pieces_lead_on_at_both_ends);
    tcase_add_test(tcase, lines_of_no_connection);
    tcase_add_test(tcase, connections_that_share_terrain);
    tcase_add_loop_test(tcase, borders_without_a_neighbour, 0, 4);
    tcase_add_loop_test(tcase, borders_with_a_neighbour, 0, 4);
    tcase_add_test(tcase, stubs_of_bridges_answer_crossings);
    tcase_add_test(tcase, foreign_chunks_are_counted_apart);
    tcase_add_loop_test(tcase, rivers_go_on, 0, 4);
    tcase_add_loop_test(tcase, rivers_under_bridges_go_on, 0, 4);
    tcase_add_loop_test(tcase, rivers_at_foreign_corners, 0, 2);
    tcase_add_loop_test(tcase, what_is_broken_is_found, 0, 5);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
