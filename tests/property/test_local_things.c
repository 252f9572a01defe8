/*
 * What lies and stands on the maps that DDA 0.F made (../shared/reference/dda-0F-maps) against
 * what mapgen/run makes of the same terrains: of each item, monster, vehicle, furniture and
 * terrain that is expected often enough, the ratio. Every eighth map; all of them with
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

enum { PART = 8, RUNS = 16, EXPECTED = 50, SORTS = 5 };
/* By their columns maps are of two halves; the third is both together. */
enum { HALVES = 2, BOTH = HALVES, PARTS };

typedef enum thing_sort { ITEMS, MONSTERS, VEHICLES, FURNITURE, TERRAIN } thing_sort;

static const char *const sort_names[SORTS] = {"items", "monsters", "vehicles", "furniture",
                                              "terrain"};

/* Those that do not meet the interval, by name; schema/mapgen.md, "Truth", says why. With all
 * maps none may be missing here, and none may be here that meets it. */
static const char *const exceptions[] = {
    /* What explosions and crashed vehicles of map extras leave. */
    "2x4", "scrap", "rebar", "brick", "rock", "ash", "nail", "splinter", "cable", "cu_pipe",
    "sheet_metal", "pipe_fittings", "f_rubble_rock",
    /* Of 24 maps of laboratories, most of two places. */
    "lung", "kidney", "sweetbread", "brain", "liver",
    /* Zombies that have become others by day 60. */
    "mon_zombie_child", "mon_zombie_rot", "mon_zombie_cop", "mon_zombie_swat",
    /* Of 20 cellars. */
    "mon_skittering_plague", "mon_large_cockroach"};
enum { EXCEPTIONS = sizeof exceptions / sizeof exceptions[0] };

/* Of one id: sums over maps of what the game has, of what is expected, and of the square of the
 * difference, which is the variance of the difference's sum if the mean is the same. */
typedef struct tally {
    double found, expected, squares;
} tally;

typedef struct things {
    truth_content content;
    game_maps maps;
    tally *tallies[PARTS][SORTS]; /* owned; by id */
    double *here[SORTS];          /* owned; of one map: found less expected */
    double *made[SORTS];          /* owned; of one map: expected */
    uint32_t *touched[SORTS];     /* owned; ids of one map */
    size_t touched_count[SORTS];
    size_t ids;
    const game_map *map;
    int half; /* of the map */
    uint64_t compared;
    bool excused[EXCEPTIONS]; /* it did not meet the interval */
    size_t looked_at;         /* all that are often enough */
    size_t unnamed;           /* of these, those that did not, and are no exceptions */
} things;

static void note(things *t, thing_sort sort, uint32_t id, double found, double expected)
{
    if (id == ID_NONE || id >= t->ids)
        return;
    if (t->here[sort][id] == 0 && t->made[sort][id] == 0)
        t->touched[sort][t->touched_count[sort]++] = id;
    t->here[sort][id] += found - expected;
    t->made[sort][id] += expected;
    t->tallies[t->half][sort][id].found += found;
    t->tallies[t->half][sort][id].expected += expected;
    ck_assert(t->touched_count[sort] < t->ids);
}

static void end_map(things *t)
{
    for (int sort = 0; sort < SORTS; sort++) {
        for (size_t i = 0; i < t->touched_count[sort]; i++) {
            const uint32_t id = t->touched[sort][i];
            t->tallies[t->half][sort][id].squares += t->here[sort][id] * t->here[sort][id];
            t->here[sort][id] = t->made[sort][id] = 0;
        }
        t->touched_count[sort] = 0;
    }
}

/* ---- one map ---- */

static void neighbour(mapgen_omt *out, void *payload, int direction)
{
    static const int steps[MAPGEN_DIRECTIONS][3] = {
        {0, -1, 0}, {1, -1, 0}, {1, 0, 0},   {1, 1, 0}, {0, 1, 0},
        {-1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const things *t = payload;
    const int *s = steps[direction];
    const game_map *m =
        game_maps_at(&t->maps, t->map->x + s[0], t->map->y + s[1], t->map->z + s[2]);
    const cat_oter *o = m ? truth_content_oter(&t->content, m->oter) : NULL;
    *out = (mapgen_omt){.seen = {.id = "", .type = ""}};
    if (o)
        out->seen = (ground_omt){.id = o->id, .type = t->content.cat->terrains[o->terrain].id};
}

static void note_made(things *t, const local_map *map)
{
    static const int sorts[LOCAL_KINDS] = {[LOCAL_ITEM] = ITEMS + 1,
                                           [LOCAL_MONSTER] = MONSTERS + 1,
                                           [LOCAL_VEHICLE] = VEHICLES + 1};
    const double one = 1.0 / RUNS;
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        if (sorts[e->kind])
            note(t, (thing_sort)(sorts[e->kind] - 1), e->id, 0,
                 e->kind == LOCAL_VEHICLE ? one : one * e->count);
    }
    for (int i = 0; i < LOCAL_CELLS; i++) {
        note(t, FURNITURE, map->furniture[i], 0, one);
        note(t, TERRAIN, map->terrain[i], 0, one);
    }
}

static void note_found(things *t, const game_map *m)
{
    for (size_t i = 0; i < m->thing_count; i++) {
        const game_thing *g = &t->maps.things[m->first + i];
        note(t, (thing_sort)g->kind, g->id, g->count, 0);
    }
    for (int i = 0; i < LOCAL_CELLS; i++) {
        note(t, FURNITURE, m->furniture[i], 1, 0);
        note(t, TERRAIN, m->terrain[i], 1, 0);
    }
}

static bool make(things *t, uint32_t key, const cat_oter *o, uint64_t seed, uint32_t density)
{
    const ground_omt nowhere = {.id = "", .type = ""};
    ground_site site = {.settings = &t->content.settings, .pool = t->content.pool};
    local_map map;
    site.above = site.below = nowhere;
    site.key = seed;
    for (int i = 0; i < GROUND_AROUND; i++)
        site.around[i] = nowhere;
    const mapgen_request request = {.library = t->content.library,
                                    .pool = t->content.pool,
                                    .terrain = key,
                                    .turns = o->rotation,
                                    .z = t->map->z,
                                    .key = seed,
                                    .stack_key = seed,
                                    .special_key = seed,
                                    .neighbour = neighbour,
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
        note_made(t, &map);
    local_map_dispose(&map);
    return made;
}

static void compare(things *t, const game_map *m, size_t number)
{
    const cat_oter *o = truth_content_oter(&t->content, m->oter);
    ck_assert_ptr_nonnull(o);
    const uint32_t key =
        truth_content_key(&t->content, t->content.cat->terrains[o->terrain].id, o->line);
    const uint32_t density = truth_content_density(&t->content, &t->maps, m);
    bool made = true;
    t->map = m;
    t->half = (int)(hash_add((uint64_t)m->x, (uint64_t)m->y) % HALVES);
    for (uint64_t i = 0; i < RUNS && made; i++)
        made = make(t, key, o, hash_add(number, i), density);
    if (made)
        note_found(t, m);
    t->compared += made;
    end_map(t);
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

/* The exception of the name; EXCEPTIONS: it is none. */
static size_t exception_of(const things *t, uint32_t id)
{
    size_t i = 0;
    while (i < EXCEPTIONS && strcmp(exceptions[i], id_pool_text(t->content.pool, id)) != 0)
        i++;
    return i;
}

static ratio ratio_of(const things *t, int part, thing_sort sort, uint32_t id, double times)
{
    const tally *y = &t->tallies[part][sort][id];
    const double expected = times * y->expected, off = 1.96 * sqrt(y->squares);
    return (ratio){
        sort, id, y->found, expected, (y->found - off) / expected, (y->found + off) / expected};
}

static void show_ratio(const things *t, const ratio *r)
{
    printf("    %s%s: %.0f found, %.1f expected: %.2f, [%.2f, %.2f]\n",
           id_pool_text(t->content.pool, r->id),
           !meets(r) && exception_of(t, r->id) == EXCEPTIONS ? " (NOT NAMED)" : "", r->found,
           r->expected, r->found / r->expected, r->low, r->high);
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
        if (r.expected < EXPECTED || (!named && exception_of(t, id) < EXCEPTIONS))
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
        if (!meets(&r) && exception < EXCEPTIONS)
            t->excused[exception] = true;
        t->unnamed += !meets(&r) && exception == EXCEPTIONS;
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
            }
}

static bool things_begin(things *t)
{
    enum { MORE = 100000 }; /* ids that are put in while maps are made */
    if (!truth_load(&t->content, &t->maps, &truth_0F))
        return false;
    t->ids = id_pool_count(t->content.pool) + MORE;
    for (int i = 0; i < SORTS; i++) {
        for (int k = 0; k < PARTS; k++) {
            t->tallies[k][i] = calloc(t->ids, sizeof *t->tallies[k][i]);
            ck_assert_ptr_nonnull(t->tallies[k][i]);
        }
        t->here[i] = calloc(t->ids, sizeof *t->here[i]);
        t->made[i] = calloc(t->ids, sizeof *t->made[i]);
        t->touched[i] = calloc(t->ids, sizeof *t->touched[i]);
        ck_assert(t->here[i] && t->made[i] && t->touched[i]);
    }
    return true;
}

static void things_free(things *t)
{
    for (int i = 0; i < SORTS; i++) {
        for (int k = 0; k < PARTS; k++)
            free(t->tallies[k][i]);
        free(t->here[i]);
        free(t->made[i]);
        free(t->touched[i]);
    }
    game_maps_free(&t->maps);
    truth_content_free(&t->content);
}

static size_t part(void)
{
    const char *wanted = getenv("PORTOLAN_TRUTH");
    return wanted && strcmp(wanted, "all") == 0 ? 1 : PART;
}

/* Of some of the maps, one in so many may miss it by chance. */
enum { CHANCE = 50 };

START_TEST(there_is_as_much_as_in_the_game)
{
    static things t;
    if (!things_begin(&t))
        return;
    for (size_t i = 0; i < t.maps.count; i += part())
        compare(&t, &t.maps.items[i], i);
    sum_halves(&t);
    printf("  %llu maps, each made %d times\n", (unsigned long long)t.compared, RUNS);
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
            ck_assert(c.count - c.good <= 1 + c.count / CHANCE || part() > 1);
        }
    const sort_count half = count_sort(&t, BOTH, ITEMS, 0.5, true),
                     twice = count_sort(&t, BOTH, ITEMS, 2, true);
    printf("  controls: of half the items expected %zu of %zu meet it, of twice %zu of %zu\n",
           half.good, half.count, twice.good, twice.count);
    ck_assert(t.compared > 0);
    ck_assert_msg(2 * half.good < half.count && 2 * twice.good < twice.count,
                  "the interval tells nothing");
    /* Of some of the maps one in fifty may miss it by chance. */
    ck_assert_msg(t.unnamed <= (part() == 1 ? 0 : t.looked_at / 50),
                  "%zu do not meet it, and are no exceptions", t.unnamed);
    for (size_t i = 0; i < EXCEPTIONS && part() == 1; i++)
        ck_assert_msg(t.excused[i], "%s meets it: it is no exception", exceptions[i]);
    things_free(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local things");
    TCase *c = tcase_create("maps of the game");
    tcase_add_test(c, there_is_as_much_as_in_the_game);
    tcase_set_timeout(c, 300);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
