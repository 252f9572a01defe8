/*
 * What lies and stands on the maps that DDA 0.F made (../shared/reference/dda-0F-maps) against
 * what mapgen/run makes of the same terrains: of each item, monster, vehicle, furniture and
 * terrain that is expected often enough, the ratio. Every eighth map; all of them with
 * PORTOLAN_TRUTH=all. PORTOLAN_TRUTH_SHOW=1 prints each. schema/mapgen.md, "Truth", has the
 * rules and the figures.
 */
#include "mapgen/run/run.h"
#include "support/content_catalogue.h"
#include "support/truth/game_maps.h"
#include "support/truth/truth_content.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 8, RUNS = 16, EXPECTED = 50, SORTS = 5, SIDE = 7 };

typedef enum thing_sort { ITEMS, MONSTERS, VEHICLES, FURNITURE, TERRAIN } thing_sort;

static const char *const sort_names[SORTS] = {"items", "monsters", "vehicles", "furniture",
                                              "terrain"};

/* Of one id: sums over maps of what the game has, of what is expected, and of the square of the
 * difference, which is the variance of the difference's sum if the mean is the same. */
typedef struct tally {
    double found, expected, squares;
} tally;

typedef struct things {
    truth_content content;
    game_maps maps;
    tally *tallies[SORTS];    /* owned; by id */
    double *here[SORTS];      /* owned; of one map: found less expected */
    double *made[SORTS];      /* owned; of one map: expected */
    uint32_t *touched[SORTS]; /* owned; ids of one map */
    size_t touched_count[SORTS];
    size_t ids;
    const game_map *map;
    uint64_t compared;
} things;

static void note(things *t, thing_sort sort, uint32_t id, double found, double expected)
{
    if (id == ID_NONE || id >= t->ids)
        return;
    if (t->here[sort][id] == 0 && t->made[sort][id] == 0)
        t->touched[sort][t->touched_count[sort]++] = id;
    t->here[sort][id] += found - expected;
    t->made[sort][id] += expected;
    t->tallies[sort][id].found += found;
    t->tallies[sort][id].expected += expected;
    ck_assert(t->touched_count[sort] < t->ids);
}

static void end_map(things *t)
{
    for (int sort = 0; sort < SORTS; sort++) {
        for (size_t i = 0; i < t->touched_count[sort]; i++) {
            const uint32_t id = t->touched[sort][i];
            t->tallies[sort][id].squares += t->here[sort][id] * t->here[sort][id];
            t->here[sort][id] = t->made[sort][id] = 0;
        }
        t->touched_count[sort] = 0;
    }
}

/* ---- one map ---- */

static const char *shape_of(uint8_t line)
{
    static const char *const shapes[16] = {"_end",    "_end",      "_end",      "_curved",
                                           "_end",    "_straight", "_curved",   "_tee",
                                           "_end",    "_curved",   "_straight", "_tee",
                                           "_curved", "_tee",      "_tee",      "_four_way"};
    return shapes[line & 15];
}

static const cat_oter *oter_of(const things *t, const game_map *m)
{
    const catalogue *cat = t->content.cat;
    const ptl_oter number = catalogue_oter(cat, id_pool_text(t->content.pool, m->oter));
    return number < cat->oter_count ? &cat->oters[number] : NULL;
}

static void neighbour(mapgen_omt *out, void *payload, int direction)
{
    static const int steps[MAPGEN_DIRECTIONS][3] = {
        {0, -1, 0}, {1, -1, 0}, {1, 0, 0},   {1, 1, 0}, {0, 1, 0},
        {-1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const things *t = payload;
    const int *s = steps[direction];
    const game_map *m =
        game_maps_at(&t->maps, t->map->x + s[0], t->map->y + s[1], t->map->z + s[2]);
    const cat_oter *o = m ? oter_of(t, m) : NULL;
    *out = (mapgen_omt){.seen = {.id = "", .type = ""}};
    if (o)
        out->seen = (ground_omt){.id = o->id, .type = t->content.cat->terrains[o->terrain].id};
}

/* The OMTs around that the reference has stand for those that it lacks. */
static uint32_t density_of(const things *t, const game_map *m)
{
    double sum = 0, known = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const game_map *n = game_maps_at(&t->maps, m->x + i % SIDE - SIDE / 2,
                                         m->y + i / SIDE - SIDE / 2, m->z);
        const cat_oter *o = n ? oter_of(t, n) : NULL;
        known += o != NULL;
        sum += o ? t->content.cat->terrains[o->terrain].mondensity : 0;
    }
    return sum > 0 ? (uint32_t)(1000 * sum * SIDE * SIDE / known) : 0;
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
    const cat_oter *o = oter_of(t, m);
    char text[256];
    ck_assert_ptr_nonnull(o);
    snprintf(text, sizeof text, "%s%s", t->content.cat->terrains[o->terrain].id,
             o->line ? shape_of(o->line) : "");
    const uint32_t key = id_pool_put(t->content.pool, text, strlen(text));
    const uint32_t density = density_of(t, m);
    bool made = true;
    t->map = m;
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

/* The share of a sort that meets the interval, what is expected taken `times`; it is printed
 * with those that do not if `told`. */
static double verdict(things *t, thing_sort sort, ratio *list, double times, bool told)
{
    size_t count = 0, good = 0;
    for (uint32_t id = 1; id < t->ids; id++) {
        const tally *y = &t->tallies[sort][id];
        const double expected = times * y->expected;
        if (expected < EXPECTED)
            continue;
        const double off = 1.96 * sqrt(y->squares);
        const ratio r = {sort,
                         id,
                         y->found,
                         expected,
                         (y->found - off) / expected,
                         (y->found + off) / expected};
        good += meets(&r);
        list[count++] = r;
    }
    if (!told)
        return count ? (double)good / (double)count : 1;
    qsort(list, count, sizeof *list, by_expected);
    printf("  %s: %zu of %zu that are expected %d times or more meet 0.8 to 1.25\n",
           sort_names[sort], good, count, EXPECTED);
    for (size_t i = 0; i < count; i++)
        if (getenv("PORTOLAN_TRUTH_SHOW") || !meets(&list[i]))
            printf("    %s: %.0f found, %.1f expected: %.2f, [%.2f, %.2f]\n",
                   id_pool_text(t->content.pool, list[i].id), list[i].found, list[i].expected,
                   list[i].found / list[i].expected, list[i].low, list[i].high);
    fflush(stdout);
    return count ? (double)good / (double)count : 1;
}

static bool things_begin(things *t)
{
    enum { MORE = 100000 }; /* ids that are put in while maps are made */
    if (!content_present(CONTENT_GAME))
        return false;
    truth_content_load(&t->content, CONTENT_GAME);
    if (!game_maps_read(&t->maps, t->content.pool)) {
        truth_content_free(&t->content);
        return false;
    }
    t->ids = id_pool_count(t->content.pool) + MORE;
    for (int i = 0; i < SORTS; i++) {
        t->tallies[i] = calloc(t->ids, sizeof *t->tallies[i]);
        t->here[i] = calloc(t->ids, sizeof *t->here[i]);
        t->made[i] = calloc(t->ids, sizeof *t->made[i]);
        t->touched[i] = calloc(t->ids, sizeof *t->touched[i]);
        ck_assert(t->tallies[i] && t->here[i] && t->made[i] && t->touched[i]);
    }
    return true;
}

static void things_free(things *t)
{
    for (int i = 0; i < SORTS; i++) {
        free(t->tallies[i]);
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

START_TEST(there_is_as_much_as_in_the_game)
{
    /* The least share of each sort that must meet the interval (schema/mapgen.md, "Truth",
     * names those that do not). */
    static const double least[SORTS] = {0.94, 0.75, 1, 0.98, 1};
    static things t;
    double share[SORTS];
    if (!things_begin(&t))
        return;
    for (size_t i = 0; i < t.maps.count; i += part())
        compare(&t, &t.maps.items[i], i);
    printf("  %llu maps, each made %d times\n", (unsigned long long)t.compared, RUNS);
    ratio *list = calloc(t.ids, sizeof *list);
    ck_assert_ptr_nonnull(list);
    for (int i = 0; i < SORTS; i++)
        share[i] = verdict(&t, (thing_sort)i, list, 1, true);
    const double half = verdict(&t, ITEMS, list, 0.5, false),
                 twice = verdict(&t, ITEMS, list, 2, false);
    printf("  controls: of half the items expected %.3f meet it, of twice %.3f\n", half, twice);
    free(list);
    ck_assert(t.compared > 0);
    ck_assert_msg(half < 0.6 && twice < 0.6, "the interval tells nothing");
    for (int i = 0; i < SORTS; i++)
        ck_assert_msg(share[i] >= least[i], "%s: %.3f", sort_names[i], share[i]);
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
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
