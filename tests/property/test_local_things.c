/*
 * What lies and stands on the maps that DDA 0.F and 0.I made (../shared/reference/dda-0F-maps,
 * dda-0I-maps) against what mapgen/run makes of the same terrains: of each item, monster,
 * vehicle, furniture and terrain that is expected often enough, the ratio. Every eighth map of
 * 0.F, every second of 0.I; all of them with
 * PORTOLAN_TRUTH=all. PORTOLAN_TRUTH_SHOW=1 prints each. schema/mapgen.md, "Truth", has the
 * rules and the figures.
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

enum { RUNS = 16, EXPECTED = 50, SORTS = 5 };
/* By their columns maps are of two halves; the third is both together. */
enum { HALVES = 2, BOTH = HALVES, PARTS };

typedef enum thing_sort { ITEMS, MONSTERS, VEHICLES, FURNITURE, TERRAIN } thing_sort;

static const char *const sort_names[SORTS] = {"items", "monsters", "vehicles", "furniture",
                                              "terrain"};

/* Those that do not meet the interval, by name; schema/mapgen.md, "Truth", says why. With all
 * maps none may be missing here, and none may be here that meets it. */
static const char *const exceptions_0F[] = {
    /* What explosions and crashed vehicles of map extras leave. */
    "2x4", "scrap", "rebar", "brick", "rock", "ash", "nail", "splinter", "cable", "cu_pipe",
    "sheet_metal", "pipe_fittings",
    /* Of 24 maps of laboratories, most of two places. */
    "lung", "kidney", "sweetbread", "brain", "liver",
    /* Zombies that have become others by day 60. */
    "mon_zombie_child", "mon_zombie_rot", "mon_zombie_cop", "mon_zombie_swat",
    /* Of 20 cellars. */
    "mon_skittering_plague", "mon_large_cockroach", NULL};
static const char *const exceptions_0I[] = {
    /* What broken walls and furniture leave. */
    "2x4", "nail",
    /* Of the extras mx_grass and mx_grass2, on 4 maps of fields. */
    "t_grass_long", NULL};

/* A game, with one in how many of its maps is compared when not all are. */
static const struct {
    const truth_game *game;
    const char *const *exceptions;
    size_t part;
} games[] = {{&truth_0F, exceptions_0F, 8}, {&truth_0I, exceptions_0I, 2}};
enum { GAMES = sizeof games / sizeof games[0], EXCEPTIONS_MAX = 64 };

/* The block of OMTs of a map, which holds a whole building. */
enum { BLOCK = 12 };

static int64_t block_of(const game_map *m)
{
    enum { FAR = 1 << 20 };
    return (m->x + FAR) / BLOCK * FAR + (m->y + FAR) / BLOCK;
}

static int half_of(const game_map *m)
{
    return (int)(hash_add((uint64_t)block_of(m), 0) % HALVES);
}

/* Of one id: sums over clusters of maps of what the game has, of what is expected, of the
 * square of the difference, which is the variance of the difference's sum if the mean is the
 * same, and of the variance of what is made, which it is as well. */
typedef struct tally {
    double found, expected, squares, variance;
} tally;

/* Of one id in a cluster: what the game has, and what each of the makings has. */
typedef struct in_cluster {
    bool touched;
    float found, made[RUNS];
} in_cluster;

typedef struct things {
    truth_content content;
    game_maps maps;
    tally *tallies[PARTS][SORTS]; /* owned; by id */
    in_cluster *here[SORTS];      /* owned; by id */
    uint32_t *touched[SORTS];     /* owned; ids of the cluster */
    size_t touched_count[SORTS];
    size_t ids;
    const game_map *map;
    int half; /* of the map */
    uint64_t compared;
    uint64_t burnt;
    uint32_t burnt_floor, sidewalk;
    const char *const *exceptions;
    bool excused[EXCEPTIONS_MAX]; /* it did not meet the interval */
    size_t looked_at;             /* all that are often enough */
    size_t unnamed;               /* of these, those that did not, and are no exceptions */
} things;

static in_cluster *here(things *t, thing_sort sort, uint32_t id)
{
    static in_cluster unknown;
    if (id == ID_NONE || id >= t->ids)
        return &unknown;
    in_cluster *c = &t->here[sort][id];
    if (!c->touched)
        t->touched[sort][t->touched_count[sort]++] = id;
    c->touched = true;
    ck_assert(t->touched_count[sort] < t->ids);
    return c;
}

static void note_of(tally *y, const in_cluster *c)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < RUNS; i++) {
        sum += c->made[i];
        squares += (double)c->made[i] * c->made[i];
    }
    const double mean = sum / RUNS, off = c->found - mean;
    y->found += c->found;
    y->expected += mean;
    y->squares += off * off;
    y->variance += (squares - sum * mean) / (RUNS - 1);
}

/* Ends a cluster of maps. What a building is made of is drawn once for all of its maps, so the
 * maps of a block are a cluster for terrain and furniture; for things each map is one. */
static void end_cluster(things *t, thing_sort first, thing_sort last)
{
    for (int sort = (int)first; sort <= (int)last; sort++) {
        for (size_t i = 0; i < t->touched_count[sort]; i++) {
            const uint32_t id = t->touched[sort][i];
            note_of(&t->tallies[t->half][sort][id], &t->here[sort][id]);
            t->here[sort][id] = (in_cluster){0};
        }
        t->touched_count[sort] = 0;
    }
}

/* ---- one map ---- */

static size_t count_of(const game_map *m, uint32_t terrain)
{
    size_t count = 0;
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        count += m->terrain[i] == terrain;
    return count;
}

/* The OMT at a distance from the one that is made; id "": the reference does not have it. */
static ground_omt seen_at(const things *t, int dx, int dy, int dz)
{
    const cat_oter *o = truth_content_oter(
        &t->content, game_maps_oter(&t->maps, t->map->x + dx, t->map->y + dy, t->map->z + dz));
    return o ? (ground_omt){.id = o->id, .type = t->content.cat->terrains[o->terrain].id}
             : (ground_omt){.id = "", .type = ""};
}

static ground_omt omt_in(const things *t, int direction)
{
    static const int steps[MAPGEN_DIRECTIONS][3] = {
        {0, -1, 0}, {1, -1, 0}, {1, 0, 0},   {1, 1, 0}, {0, 1, 0},
        {-1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const int *s = steps[direction];
    return seen_at(t, s[0], s[1], s[2]);
}

static void neighbour(mapgen_omt *out, void *payload, int direction)
{
    *out = (mapgen_omt){.seen = omt_in(payload, direction)};
}

/* Has the terrain in a direction the flag? Where it is not known, a sidewalk on the map itself
 * says that one is beside it. */
static bool has_flag(void *payload, int direction, const char *flag)
{
    enum { SOME = 40 };
    const things *t = payload;
    const ground_omt seen = omt_in(t, direction);
    const cat_oter *o =
        seen.id[0] ? truth_content_oter(&t->content,
                                        id_pool_put(t->content.pool, seen.id, strlen(seen.id)))
                   : NULL;
    if (!o)
        return strcmp(flag, "SIDEWALK") == 0 && count_of(t->map, t->sidewalk) > SOME;
    const cat_terrain *terrain = &t->content.cat->terrains[o->terrain];
    for (uint16_t i = 0; i < terrain->flag_count; i++)
        if (strcmp(terrain->flag_names[i], flag) == 0)
            return true;
    return false;
}

/* What stood there until the last terrain was drawn. */
static bool before(mapgen_omt *out, void *payload, size_t number)
{
    const things *t = payload;
    const cat_oter *o =
        t->map->before != ID_NONE ? truth_content_oter(&t->content, t->map->before) : NULL;
    if (!o || number > 0)
        return false;
    const char *type = t->content.cat->terrains[o->terrain].id;
    *out = (mapgen_omt){.key = truth_content_key(&t->content, type, o->line),
                        .turns = o->rotation,
                        .seen = {.id = o->id, .type = type}};
    return true;
}

static void note_made(things *t, const local_map *map, int run)
{
    static const int sorts[LOCAL_KINDS] = {[LOCAL_ITEM] = ITEMS + 1,
                                           [LOCAL_MONSTER] = MONSTERS + 1,
                                           [LOCAL_VEHICLE] = VEHICLES + 1};
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        const float count = e->kind == LOCAL_VEHICLE ? 1 : (float)e->count;
        if (sorts[e->kind])
            here(t, (thing_sort)(sorts[e->kind] - 1), e->id)->made[run] += count;
    }
    for (int i = 0; i < LOCAL_CELLS; i++) {
        here(t, FURNITURE, map->furniture[i])->made[run]++;
        here(t, TERRAIN, map->terrain[i])->made[run]++;
    }
}

static void note_found(things *t, const game_map *m)
{
    for (size_t i = 0; i < m->thing_count; i++) {
        const game_thing *g = &t->maps.things[m->first + i];
        if (g->kind != GAME_FIELD)
            here(t, (thing_sort)g->kind, g->id)->found += (float)g->count;
    }
    for (int i = 0; i < LOCAL_CELLS; i++) {
        here(t, FURNITURE, m->furniture[i])->found++;
        here(t, TERRAIN, m->terrain[i])->found++;
    }
}

static bool make(things *t, uint32_t key, const cat_oter *o, size_t number, int run,
                 uint32_t density)
{
    ground_site site = {.settings = &t->content.settings, .pool = t->content.pool};
    const char *type = t->content.cat->terrains[o->terrain].id;
    const uint64_t seed = hash_add(number, (uint64_t)run);
    const uint64_t building = hash_add((uint64_t)block_of(t->map), (uint64_t)run);
    local_map map;
    site.above = site.below = (ground_omt){.id = "", .type = ""};
    site.key = seed;
    for (int i = 0; i < GROUND_AROUND; i++)
        site.around[i] = i == GROUND_MIDDLE ? (ground_omt){.id = o->id, .type = type}
                                            : seen_at(t, i % 3 - 1, i / 3 - 1, 0);
    const mapgen_request request = {.library = t->content.library,
                                    .pool = t->content.pool,
                                    .terrain = key,
                                    .turns = o->rotation,
                                    .z = t->map->z,
                                    .key = seed,
                                    .stack_key = seed,
                                    .special_key = building,
                                    .neighbour = neighbour,
                                    .has_flag = has_flag,
                                    .before = before,
                                    .payload = t,
                                    .groups = t->content.groups,
                                    .density = density,
                                    .time = {8, 8, 0},
                                    .tiles = t->content.tiles,
                                    .site = &site};
    local_map_init(&map);
    const bool made = mapgen_run(&map, &request) == MAPGEN_MADE;
    ck_assert(!map.cut && !map.failed);
    if (made)
        note_made(t, &map, run);
    local_map_dispose(&map);
    return made;
}

static void compare(things *t, const game_map *m, size_t number)
{
    const cat_oter *o = truth_content_oter(&t->content, m->oter);
    ck_assert_ptr_nonnull(o);
    if (count_of(m, t->burnt_floor) > 0) { /* a fire has left none of what lay there */
        t->burnt++;
        return;
    }
    const uint32_t key =
        truth_content_key(&t->content, t->content.cat->terrains[o->terrain].id, o->line);
    const uint32_t density = truth_content_density(&t->content, &t->maps, m);
    bool made = true;
    t->map = m;
    t->half = half_of(m);
    for (int i = 0; i < RUNS && made; i++)
        made = make(t, key, o, number, i, density);
    if (made)
        note_found(t, m);
    t->compared += made;
    end_cluster(t, ITEMS, VEHICLES);
}

/* A map by its number, with its block. */
typedef struct in_block {
    int64_t block;
    size_t number;
} in_block;

static int by_block(const void *a, const void *b)
{
    const in_block *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Compares one of so many maps, block by block. */
static void compare_all(things *t, size_t part)
{
    in_block *order = calloc(t->maps.count, sizeof *order);
    size_t count = 0;
    ck_assert_ptr_nonnull(order);
    for (size_t i = 0; i < t->maps.count; i += part)
        order[count++] = (in_block){block_of(&t->maps.items[i]), i};
    qsort(order, count, sizeof *order, by_block);
    for (size_t i = 0; i < count; i++) {
        compare(t, &t->maps.items[order[i].number], order[i].number);
        if (i + 1 == count || order[i + 1].block != order[i].block)
            end_cluster(t, FURNITURE, TERRAIN);
    }
    free(order);
}

/* ---- the verdict ---- */

typedef struct ratio {
    thing_sort sort;
    uint32_t id;
    double found, expected, low, high;
} ratio;

static bool meets(const ratio *r)
{
    return r->high >= 0.8 && r->low <= 1.25;
}

static int by_expected(const void *a, const void *b)
{
    const ratio *x = a, *y = b;
    if (meets(x) != meets(y))
        return meets(x) ? 1 : -1;
    return (x->expected < y->expected) - (x->expected > y->expected);
}

/* The exception of the name; EXCEPTIONS_MAX: it is none. */
static size_t exception_of(const things *t, uint32_t id)
{
    for (size_t i = 0; t->exceptions[i]; i++)
        if (strcmp(t->exceptions[i], id_pool_text(t->content.pool, id)) == 0)
            return i;
    return EXCEPTIONS_MAX;
}

static ratio ratio_of(const things *t, int part, thing_sort sort, uint32_t id, double times)
{
    const tally *y = &t->tallies[part][sort][id];
    const double expected = times * y->expected;
    const double off = 1.96 * sqrt(y->squares > y->variance ? y->squares : y->variance);
    return (ratio){
        sort, id, y->found, expected, (y->found - off) / expected, (y->found + off) / expected};
}

static void show_ratio(const things *t, const ratio *r)
{
    printf("    %s%s: %.0f found, %.1f expected: %.2f, [%.2f, %.2f]\n",
           id_pool_text(t->content.pool, r->id),
           !meets(r) && exception_of(t, r->id) == EXCEPTIONS_MAX ? " (NOT NAMED)" : "",
           r->found, r->expected, r->found / r->expected, r->low, r->high);
}

typedef struct sort_count {
    size_t count, good;
} sort_count;

/* How many of a sort in a part of the maps are expected often, and meet the interval, what is
 * expected taken `times`, without the exceptions if it is so wanted. */
static sort_count count_sort(const things *t, int part, thing_sort sort, double times,
                             bool named)
{
    sort_count out = {0, 0};
    for (uint32_t id = 1; id < t->ids; id++) {
        const ratio r = ratio_of(t, part, sort, id, times);
        if (r.expected < EXPECTED || (!named && exception_of(t, id) < EXCEPTIONS_MAX))
            continue;
        out.good += meets(&r);
        out.count++;
    }
    return out;
}

/* Looks at each of a sort, and prints those that do not meet the interval. */
static void check_sort(things *t, thing_sort sort, ratio *list)
{
    size_t count = 0, good = 0;
    for (uint32_t id = 1; id < t->ids; id++) {
        const ratio r = ratio_of(t, BOTH, sort, id, 1);
        if (r.expected < EXPECTED)
            continue;
        const size_t exception = exception_of(t, id);
        good += meets(&r);
        if (!meets(&r) && exception < EXCEPTIONS_MAX)
            t->excused[exception] = true;
        t->unnamed += !meets(&r) && exception == EXCEPTIONS_MAX;
        list[count++] = r;
        t->looked_at++;
    }
    qsort(list, count, sizeof *list, by_expected);
    printf("  %s: %zu of %zu that are expected %d times or more meet 0.8 to 1.25\n",
           sort_names[sort], good, count, EXPECTED);
    for (size_t i = 0; i < count; i++)
        if (getenv("PORTOLAN_TRUTH_SHOW") || !meets(&list[i]))
            show_ratio(t, &list[i]);
    fflush(stdout);
}

static void sum_halves(things *t)
{
    for (int sort = 0; sort < SORTS; sort++)
        for (size_t id = 0; id < t->ids; id++)
            for (int half = 0; half < HALVES; half++) {
                const tally *y = &t->tallies[half][sort][id];
                tally *sum = &t->tallies[BOTH][sort][id];
                sum->found += y->found;
                sum->expected += y->expected;
                sum->squares += y->squares;
                sum->variance += y->variance;
            }
}

static bool things_begin(things *t, int game)
{
    enum { MORE = 100000 }; /* ids that are put in while maps are made */
    *t = (things){.exceptions = games[game].exceptions};
    if (!truth_load(&t->content, &t->maps, games[game].game))
        return false;
    printf("%s\n", games[game].game->name);
    t->sidewalk = id_pool_put(t->content.pool, "t_sidewalk", strlen("t_sidewalk"));
    t->burnt_floor = id_pool_put(t->content.pool, "t_floor_burnt", strlen("t_floor_burnt"));
    t->ids = id_pool_count(t->content.pool) + MORE;
    for (int i = 0; i < SORTS; i++) {
        for (int k = 0; k < PARTS; k++) {
            t->tallies[k][i] = calloc(t->ids, sizeof *t->tallies[k][i]);
            ck_assert_ptr_nonnull(t->tallies[k][i]);
        }
        t->here[i] = calloc(t->ids, sizeof *t->here[i]);
        t->touched[i] = calloc(t->ids, sizeof *t->touched[i]);
        ck_assert(t->here[i] && t->touched[i]);
    }
    return true;
}

static void things_free(things *t)
{
    for (int i = 0; i < SORTS; i++) {
        for (int k = 0; k < PARTS; k++)
            free(t->tallies[k][i]);
        free(t->here[i]);
        free(t->touched[i]);
    }
    game_maps_free(&t->maps);
    truth_content_free(&t->content);
}

static size_t part_of(int game)
{
    const char *wanted = getenv("PORTOLAN_TRUTH");
    return wanted && strcmp(wanted, "all") == 0 ? 1 : games[game].part;
}

/* Of some of the maps, one in so many may miss it by chance. */
enum { CHANCE = 50 };

START_TEST(there_is_as_much_as_in_the_game)
{
    static things t;
    const size_t part = part_of(_i);
    if (!things_begin(&t, _i))
        return;
    compare_all(&t, part);
    sum_halves(&t);
    printf("  %llu maps, each made %d times; %llu burnt ones left out\n",
           (unsigned long long)t.compared, RUNS, (unsigned long long)t.burnt);
    ratio *list = calloc(t.ids, sizeof *list);
    ck_assert_ptr_nonnull(list);
    for (int i = 0; i < SORTS; i++)
        check_sort(&t, (thing_sort)i, list);
    free(list);
    for (int i = 0; i < SORTS; i++)
        for (int half = 0; half < HALVES; half++) {
            const sort_count c = count_sort(&t, half, (thing_sort)i, 1, false);
            printf("  %s of half %d of the columns, without exceptions: %zu of %zu\n",
                   sort_names[i], half + 1, c.good, c.count);
            fflush(stdout);
            ck_assert(c.count - c.good <= 1 + c.count / CHANCE || part > 1);
        }
    const sort_count half = count_sort(&t, BOTH, ITEMS, 0.5, true),
                     twice = count_sort(&t, BOTH, ITEMS, 2, true);
    printf("  controls: of half the items expected %zu of %zu meet it, of twice %zu of %zu\n",
           half.good, half.count, twice.good, twice.count);
    ck_assert(t.compared > 0);
    ck_assert_msg(2 * half.good < half.count && 2 * twice.good < twice.count,
                  "the interval tells nothing");
    /* Of some of the maps one in fifty may miss it by chance. */
    ck_assert_msg(t.unnamed <= (part == 1 ? 0 : t.looked_at / 50),
                  "%zu do not meet it, and are no exceptions", t.unnamed);
    for (size_t i = 0; t.exceptions[i] && part == 1; i++)
        ck_assert_msg(t.excused[i], "%s meets it: it is no exception", t.exceptions[i]);
    things_free(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local things");
    TCase *c = tcase_create("maps of the game");
    tcase_add_loop_test(c, there_is_as_much_as_in_the_game, 0, GAMES);
    tcase_set_timeout(c, 300);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
