/*
 * The damage of riots and fires on the maps that DDA 0.I made
 * (../shared/reference/dda-0I-maps), beside ours of the same terrains: how many are burnt down,
 * what is left of those, and what is broken, dusty and bloody on the others. Controls: our maps
 * without damage, and damaged twice.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "support/truth/game_maps.h"
#include "support/truth/truth_content.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 8 }; /* so many of our maps for each of the game's */

/* What is counted of a map. */
typedef enum sort { BLOOD, DUST, SPLINTERS, BROKEN, SORTS } sort;
static const char *const sort_names[SORTS] = {"blood", "dust", "splinters", "doors, windows"};

/* What remains of doors and windows. Houses get some of them without riots, from their content:
 * a palette that is drawn for a whole house breaks doors and windows by transforms. */
static const char *const broken[] = {"t_window_frame", "t_window_empty", "t_door_b",
                                     "t_door_frame", "t_skylight_frame"};
enum { BROKEN_IDS = sizeof broken / sizeof broken[0] };

typedef struct counted {
    double of[SORTS];
    bool burnt;
    double left[3], others; /* tiles of burnt floor, burnt wall and dirt, and of the rest */
} counted;

typedef struct riots {
    truth_content content;
    game_maps maps;
    uint32_t fields[3], broken[BROKEN_IDS], left[3];
    uint32_t building, road;
} riots;

static uint32_t id_of(const riots *t, const char *text)
{
    return id_pool_put(t->content.pool, text, strlen(text));
}

static bool begin(riots *t)
{
    static const char *const fields[3] = {"fd_blood", "fd_dust", "fd_splinters"};
    static const char *const left[3] = {"t_floor_burnt", "t_wall_burnt", "t_dirt"};
    *t = (riots){0};
    if (!truth_load(&t->content, &t->maps, &truth_0I))
        return false;
    for (int i = 0; i < 3; i++) {
        t->fields[i] = id_of(t, fields[i]);
        t->left[i] = id_of(t, left[i]);
    }
    for (int i = 0; i < BROKEN_IDS; i++)
        t->broken[i] = id_of(t, broken[i]);
    t->building = id_of(t, MAPGEN_RIOT_DAMAGE);
    t->road = id_of(t, MAPGEN_RIOT_DAMAGE_ROAD);
    return true;
}

static void end(riots *t)
{
    game_maps_free(&t->maps);
    truth_content_free(&t->content);
}

static bool flagged(const riots *t, const cat_oter *o)
{
    return o && (t->content.cat->terrains[o->terrain].flags & CAT_FLAG_RIOTS);
}

/* ---- counting ---- */

static bool tile_has(const riots *t, uint32_t terrain, const char *flag)
{
    return mapgen_tile_has(t->content.tiles, false, terrain, id_of(t, flag));
}

static void count_terrain(counted *out, const riots *t, const uint32_t *terrain)
{
    for (int i = 0; i < LOCAL_CELLS; i++) {
        int kind = 0;
        while (kind < 3 && terrain[i] != t->left[kind])
            kind++;
        out->burnt = out->burnt || kind == 0;
        *(kind < 3 ? &out->left[kind] : &out->others) += 1;
        for (int k = 0; k < BROKEN_IDS; k++)
            out->of[BROKEN] += terrain[i] == t->broken[k];
    }
}

/* Do fires leave the terrain and all that is on it alone? */
static bool is_spared(const riots *t, uint32_t id)
{
    return tile_has(t, id, "GOES_UP") || tile_has(t, id, "GOES_DOWN") ||
           tile_has(t, id, "NATURAL_UNDERGROUND");
}

/* The rule of fires holds of every tile of a burnt map, whoever made it. */
static void check_burnt(const riots *t, const uint32_t *terrain, const uint32_t *furniture,
                        int z)
{
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const uint32_t id = terrain[i];
        const bool spared = is_spared(t, id);
        ck_assert(spared || furniture[i] == ID_NONE);
        if (spared || id == t->left[0] || id == t->left[1])
            continue;
        const bool burns =
            tile_has(t, id, "WALL") || tile_has(t, id, "INDOORS") || tile_has(t, id, "DOOR");
        ck_assert_msg(!burns && (z != 0 || id == t->left[2]), "%s is left",
                      id_pool_text(t->content.pool, id));
    }
}

static counted count_game(const riots *t, const game_map *m)
{
    counted out = {.burnt = false};
    count_terrain(&out, t, m->terrain);
    for (size_t i = 0; i < m->thing_count; i++) {
        const game_thing *g = &t->maps.things[m->first + i];
        for (int k = 0; g->kind == GAME_FIELD && k < 3; k++)
            out.of[k] += g->id == t->fields[k];
    }
    if (out.burnt) {
        check_burnt(t, m->terrain, m->furniture, m->z);
        for (size_t i = 0; i < m->thing_count; i++)
            ck_assert(t->maps.things[m->first + i].kind != GAME_ITEM);
    }
    return out;
}

static counted count_ours(const riots *t, const local_map *map, int z, int damaged)
{
    counted out = {.burnt = false};
    count_terrain(&out, t, map->terrain);
    for (size_t i = 0; i < map->count; i++)
        for (int k = 0; map->entities[i].kind == LOCAL_FIELD && k < 3; k++)
            out.of[k] += map->entities[i].id == t->fields[k];
    if (out.burnt && damaged == 1) {
        check_burnt(t, map->terrain, map->furniture, z);
        for (size_t i = 0; i < map->count; i++) {
            const local_entity *e = &map->entities[i];
            const uint32_t id = map->terrain[e->y * LOCAL_SIDE + e->x];
            ck_assert(e->kind != LOCAL_ITEM || is_spared(t, id));
        }
    }
    return out;
}

/* ---- our maps ---- */

/* Makes our map of the terrain of a game's map and damages it so many times; false: the terrain
 * has no entry. */
static bool make(local_map *map, riots *t, const game_map *m, const cat_oter *o, uint64_t seed,
                 int damaged)
{
    const ground_omt nowhere = {.id = "", .type = ""};
    ground_site site = {.settings = &t->content.settings, .pool = t->content.pool};
    site.above = site.below = nowhere;
    site.key = seed;
    for (int i = 0; i < GROUND_AROUND; i++)
        site.around[i] = nowhere;
    const mapgen_request request = {
        .library = t->content.library,
        .pool = t->content.pool,
        .terrain =
            truth_content_key(&t->content, t->content.cat->terrains[o->terrain].id, o->line),
        .turns = o->rotation,
        .z = m->z,
        .key = seed,
        .stack_key = seed,
        .special_key = seed,
        .groups = t->content.groups,
        .tiles = t->content.tiles,
        .site = &site};
    const mapgen_outcome outcome = mapgen_run(map, &request);
    if (outcome != MAPGEN_MADE)
        return false;
    const uint32_t generator = flagged(t, o) ? t->building : t->road;
    for (int i = 0; i < damaged; i++)
        ck_assert_int_eq(mapgen_process_map(map, &request, &generator, 1), MAPGEN_MADE);
    return true;
}

/* ---- ratios ---- */

/* Sums over the game's maps, and ours beside them. */
typedef struct sums {
    double game[SORTS], ours[SORTS], square[SORTS];
    size_t maps, burnt, our_maps, our_burnt;
    double left[2][3]; /* on burnt maps of the ground: the game's, and ours */
    size_t grounds;
} sums;

static void compare(sums *s, riots *t, const game_map *m, const cat_oter *o, int damaged)
{
    const counted theirs = count_game(t, m);
    counted ours = {.burnt = false};
    int whole = 0;
    for (int i = 0; i < TIMES; i++) {
        local_map map;
        local_map_init(&map);
        const uint64_t seed =
            hash_add(hash_add((uint64_t)m->x, (uint64_t)m->y), (uint64_t)(m->z * TIMES + i));
        if (!make(&map, t, m, o, seed, damaged)) {
            local_map_dispose(&map);
            return;
        }
        const counted one = count_ours(t, &map, m->z, damaged);
        s->our_maps++;
        s->our_burnt += one.burnt;
        whole += !one.burnt;
        for (int k = 0; k < SORTS && !one.burnt; k++)
            ours.of[k] += one.of[k];
        for (int k = 0; k < 3 && one.burnt && theirs.burnt && m->z == 0; k++)
            s->left[1][k] += one.left[k];
        local_map_dispose(&map);
    }
    s->maps++;
    s->burnt += theirs.burnt;
    for (int k = 0; k < 3 && theirs.burnt && m->z == 0; k++)
        s->left[0][k] += theirs.left[k];
    s->grounds += theirs.burnt && m->z == 0;
    for (int k = 0; k < SORTS && !theirs.burnt && whole > 0; k++) {
        const double mean = ours.of[k] / whole, d = theirs.of[k] - mean;
        s->game[k] += theirs.of[k];
        s->ours[k] += mean;
        s->square[k] += d * d;
    }
}

/* Does the interval of the ratio of ours, times a factor, to the game's meet 0.8 to 1.25? */
static bool meets(const sums *s, sort k, double factor, double *low, double *high)
{
    const double half = 1.96 * sqrt(s->square[k]);
    *low = (factor * s->ours[k] - half) / s->game[k];
    *high = (factor * s->ours[k] + half) / s->game[k];
    return s->game[k] > 0 && *low <= 1.25 && *high >= 0.8;
}

/* Wilson's interval of 95 % of a share. */
static void wilson(double *low, double *high, double part, double whole)
{
    const double z2 = 1.96 * 1.96, p = part / whole;
    const double middle = p + z2 / (2 * whole);
    const double half = 1.96 * sqrt(p * (1 - p) / whole + z2 / (4 * whole * whole));
    *low = (middle - half) / (1 + z2 / whole);
    *high = (middle + half) / (1 + z2 / whole);
}

static sums all_of(riots *t, bool roads, int damaged)
{
    sums s = {.maps = 0};
    for (size_t i = 0; i < t->maps.count; i++) {
        const game_map *m = &t->maps.items[i];
        const cat_oter *o = truth_content_oter(&t->content, m->oter);
        const bool road =
            o && (t->content.cat->terrains[o->terrain].flags & CAT_FLAG_ROAD) && m->z == 0;
        bool beside = false;
        for (int k = 0; road && k < 9; k++) {
            const game_map *n =
                game_maps_at(&t->maps, m->x + k % 3 - 1, m->y + k / 3 - 1, m->z);
            beside = beside || (n && flagged(t, truth_content_oter(&t->content, n->oter)));
        }
        if (roads ? beside : flagged(t, o))
            compare(&s, t, m, o, damaged);
    }
    return s;
}

static int show(const char *name, const sums *s, double factor, int count)
{
    int good = 0;
    printf("%s: %zu of the game's maps, %zu of ours; burnt %zu and %zu\n", name, s->maps,
           s->our_maps, s->burnt, s->our_burnt);
    for (int k = 0; k < count; k++) {
        double low, high;
        const bool met = meets(s, (sort)k, factor, &low, &high);
        good += met;
        printf("  %s: game %.0f, ours %.1f, ratio %.2f to %.2f%s\n", sort_names[k], s->game[k],
               s->ours[k], low, high, met ? "" : " (fails)");
    }
    return good;
}

START_TEST(buildings_are_as_damaged_as_the_game_s)
{
    static riots t;
    if (!begin(&t))
        return;
    const sums s = all_of(&t, false, 1);
    ck_assert_int_eq(show("buildings", &s, 1, SORTS), SORTS);
    double low, high, sum[2] = {0, 0};
    wilson(&low, &high, (double)s.burnt, (double)s.maps);
    const double share = (double)s.our_burnt / (double)s.our_maps;
    printf("  burnt: %.3f of ours, the game's interval %.3f to %.3f\n", share, low, high);
    ck_assert(s.burnt > 0 && share >= low && share <= high);
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++)
            sum[side] += s.left[side][k];
    ck_assert(s.grounds > 0 && sum[0] > 0 && sum[1] > 0);
    for (int k = 0; k < 3; k++) {
        const double game = s.left[0][k] / sum[0], ours = s.left[1][k] / sum[1];
        printf("  left: %.3f of the game's tiles, %.3f of ours\n", game, ours);
        ck_assert(fabs(game - ours) < 0.1);
    }
    const sums none = all_of(&t, false, 0);
    ck_assert_int_eq(show("control: no damage", &none, 1, SORTS), 0);
    ck_assert_uint_eq(none.our_burnt, 0);
    ck_assert_int_eq(show("control: twice the damage", &s, 2, SORTS), 0);
    end(&t);
}
END_TEST

START_TEST(streets_are_as_bloody_as_the_game_s)
{
    static riots t;
    if (!begin(&t))
        return;
    const sums s = all_of(&t, true, 1), none = all_of(&t, true, 0);
    ck_assert_uint_gt(s.maps, 0);
    ck_assert_int_eq(show("streets", &s, 1, 1), 1);
    ck_assert_uint_eq(s.burnt + s.our_burnt, 0);
    ck_assert_int_eq(show("control: no damage", &none, 1, 1), 0);
    end(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local riots");
    TCase *c = tcase_create("beside the game");
    tcase_add_test(c, buildings_are_as_damaged_as_the_game_s);
    tcase_add_test(c, streets_are_as_bloody_as_the_game_s);
    tcase_set_timeout(c, 120);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
