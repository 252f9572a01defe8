/*
 * The maps that DDA 0.F made (../shared/reference/dda-0F-maps) against what our compiled mapgen
 * may put on each of their tiles (support/truth/possible.h). Every eighth map; all of them with
 * PORTOLAN_TRUTH=all. PORTOLAN_TRUTH_SHOW=1 prints what was not possible, the commonest first.
 * schema/mapgen.md, "Truth", has the rules for what is left out, and the figures of all maps.
 */
#include "mapgen/run/run.h"
#include "support/content_catalogue.h"
#include "support/truth/game_maps.h"
#include "support/truth/possible.h"
#include "support/truth/truth_content.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 8, SLOTS = 1 << 14, MISSES = 1 << 15, TURNS = 4 };

/* What is compared: the same in the four runs. */
typedef enum truth_run { PLAIN, TURNED, WRONG_ENTRY, DROPPED_KEY, RUNS } truth_run;

static const char *const run_names[RUNS] = {"as compiled", "rotation plus one", "a wrong entry",
                                            "a palette's key dropped"};

typedef struct score {
    uint64_t maps, cells, fitting, terrain_fitting, excluded;
    /* Terrains that the drawing's cells may have; and without the one special whose ground has
     * 48 alternatives a tile. */
    uint64_t allowed, counted, allowed_usual, counted_usual;
} score;

/* What did not fit, and how often. */
typedef struct miss {
    uint32_t oter, drawn, found;
    bool furniture;
    uint32_t count;
} miss;

typedef struct cached {
    const mapgen_candidate *candidate;
    possible_map map;
} cached;

typedef struct truth {
    truth_content content;
    possible_content possible;
    id_sets *sets;
    game_maps maps;
    cached **slots; /* owned; by candidate */
    miss *misses;   /* owned; NULL: they are not gathered */
    uint32_t *keys; /* owned; of maps with entries, each key once */
    size_t key_count;
    score scores[RUNS];
    uint64_t no_entry, unknown, over_predecessor;
    uint32_t air, dirt, paper, null_terrain;
    bool strict; /* no cell is left out */
} truth;

static uint32_t id_of(truth *t, const char *text)
{
    return id_pool_put(t->content.pool, text, strlen(text));
}

/* ---- which entries ---- */

static const char *shape_of(uint8_t line)
{
    static const char *const shapes[16] = {"_end",    "_end",      "_end",      "_curved",
                                           "_end",    "_straight", "_curved",   "_tee",
                                           "_end",    "_curved",   "_straight", "_tee",
                                           "_curved", "_tee",      "_tee",      "_four_way"};
    return shapes[line & 15];
}

/* The oter's key in the library, and how it is turned; ID_NONE: it is unknown. */
static uint32_t key_of(truth *t, uint32_t oter, int *turns)
{
    const catalogue *cat = t->content.cat;
    const ptl_oter number = catalogue_oter(cat, id_pool_text(t->content.pool, oter));
    char key[256];
    if (number >= cat->oter_count)
        return ID_NONE;
    const cat_oter *o = &cat->oters[number];
    snprintf(key, sizeof key, "%s%s", cat->terrains[o->terrain].id,
             o->line ? shape_of(o->line) : "");
    *turns = o->rotation;
    return id_pool_put(t->content.pool, key, strlen(key));
}

static const mapgen_candidate *first_of(const truth *t, uint32_t key)
{
    const mapgen_candidate *c =
        mapgen_library_first(t->content.library, MAPGEN_OM_TERRAIN, key);
    while (c && !c->entry->json)
        c = mapgen_library_next(c);
    return c;
}

static const possible_map *possible_of(truth *t, const mapgen_candidate *c, bool drop)
{
    static possible_map dropped;
    size_t at = ((uintptr_t)c / sizeof *c) % SLOTS;
    if (drop) {
        const uint32_t symbol = possible_palette_symbol(&t->possible, c);
        possible_make(&dropped, &t->possible, t->sets, c, symbol);
        return symbol == ID_NONE ? NULL : &dropped;
    }
    for (; t->slots[at]; at = (at + 1) % SLOTS)
        if (t->slots[at]->candidate == c)
            return &t->slots[at]->map;
    t->slots[at] = calloc(1, sizeof **t->slots);
    ck_assert_ptr_nonnull(t->slots[at]);
    t->slots[at]->candidate = c;
    possible_make(&t->slots[at]->map, &t->possible, t->sets, c, ID_NONE);
    return &t->slots[at]->map;
}

/* ---- one map against one possibility ---- */

typedef struct fit {
    const possible_map *possible;
    int turns;
    uint32_t fitting, terrain, excluded;
} fit;

/* The cell of the drawing that a clockwise turn has put on a cell of the map. */
static size_t drawn_cell(size_t cell, int turns)
{
    int x = (int)(cell % LOCAL_SIDE), y = (int)(cell / LOCAL_SIDE);
    for (int i = 0; i < (turns & 3); i++) {
        const int before = x;
        x = y;
        y = LOCAL_SIDE - 1 - before;
    }
    return (size_t)(y * LOCAL_SIDE + x);
}

/* Air over a terrain with a roof is that roof. */
static bool is_roof(const truth *t, const game_map *below, size_t cell, uint32_t terrain)
{
    return below && mapgen_terrain_tile(t->content.tiles, below->terrain[cell]).roof == terrain;
}

static bool terrain_fits(const truth *t, const game_map *m, const game_map *below,
                         const possible_map *p, size_t cell, size_t drawn)
{
    const uint32_t id = m->terrain[cell], set = p->terrain[drawn];
    return id_sets_has(t->sets, set, id) ||
           (id_sets_has(t->sets, set, t->air) && is_roof(t, below, cell, id));
}

/* Is the terrain what bashing leaves of one of the set? Explosions and crashed vehicles of map
 * extras, which the maps do not mark, have been there. */
static bool is_smashed(const truth *t, uint32_t set, uint32_t terrain)
{
    enum { BLOWS = 3 };
    size_t count;
    const uint32_t *items = id_sets_items(t->sets, set, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t id = items[i];
        for (int blow = 0; blow < BLOWS; blow++) {
            const mapgen_tile tile = mapgen_terrain_tile(t->content.tiles, id);
            if (!(tile.flags & MAPGEN_TILE_BASHED))
                break;
            id = tile.bashed == t->null_terrain || tile.bashed == ID_NONE ? t->dirt
                                                                          : tile.bashed;
            if (id == terrain)
                return true;
        }
    }
    return false;
}

/* The rules for cells that are left out (schema/mapgen.md, "Truth"). */
static bool is_excluded(const truth *t, const game_map *m, uint32_t set, size_t cell)
{
    return !t->strict && (m->terrain[cell] == t->paper || is_smashed(t, set, m->terrain[cell]));
}

static fit fit_of(const truth *t, const game_map *m, const possible_map *p, int turns)
{
    const game_map *below = game_maps_at(&t->maps, m->x, m->y, m->z - 1);
    fit f = {p, turns, 0, 0, 0};
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        const size_t drawn = drawn_cell(i, turns);
        const bool terrain = terrain_fits(t, m, below, p, i, drawn);
        f.terrain += terrain;
        f.fitting += terrain && id_sets_has(t->sets, p->furniture[drawn], m->furniture[i]);
        f.excluded += !terrain && is_excluded(t, m, p->terrain[drawn], i);
    }
    return f;
}

/* The best of a key's entries and of the turns that each may have of its own. */
static fit best_fit(truth *t, const game_map *m, uint32_t key, int turns, bool drop)
{
    fit best = {NULL, 0, 0, 0, 0};
    for (const mapgen_candidate *c = first_of(t, key); c; c = mapgen_library_next(c)) {
        const possible_map *p = c->entry->json ? possible_of(t, c, drop) : NULL;
        const mapgen_range own = c->entry->rotation;
        bool tried[TURNS] = {false};
        for (int32_t r = own.low; p && r <= own.high && r < own.low + TURNS; r++) {
            const int all = ((r % TURNS) + TURNS + (c->entry->unrotated ? 0 : turns)) % TURNS;
            if (tried[all])
                continue;
            tried[all] = true;
            const fit f = fit_of(t, m, p, all);
            if (!best.possible || f.fitting > best.fitting)
                best = f;
        }
    }
    return best;
}

/* ---- what did not fit ---- */

static void note_miss(truth *t, uint32_t oter, uint32_t drawn, uint32_t found, bool furniture)
{
    uint64_t key = hash_add(oter, drawn);
    size_t at = hash_add(hash_add(key, found), furniture) % MISSES;
    for (size_t i = 0; i < MISSES; i++, at = (at + 1) % MISSES) {
        miss *m = &t->misses[at];
        if (m->count == 0)
            *m = (miss){oter, drawn, found, furniture, 0};
        if (m->oter == oter && m->drawn == drawn && m->found == found &&
            m->furniture == furniture) {
            m->count++;
            return;
        }
    }
}

static void note_misses(truth *t, const game_map *m, const fit *f)
{
    const game_map *below = game_maps_at(&t->maps, m->x, m->y, m->z - 1);
    for (size_t i = 0; i < LOCAL_CELLS && t->misses; i++) {
        const size_t drawn = drawn_cell(i, f->turns);
        if (!terrain_fits(t, m, below, f->possible, i, drawn) &&
            !is_excluded(t, m, f->possible->terrain[drawn], i))
            note_miss(t, m->oter, f->possible->terrain[drawn], m->terrain[i], false);
        else if (terrain_fits(t, m, below, f->possible, i, drawn) &&
                 !id_sets_has(t->sets, f->possible->furniture[drawn], m->furniture[i]))
            note_miss(t, m->oter, f->possible->furniture[drawn], m->furniture[i], true);
    }
}

static int by_count(const void *a, const void *b)
{
    const miss *x = a, *y = b;
    return (x->count < y->count) - (x->count > y->count);
}

static void show_misses(truth *t)
{
    enum { SHOWN = 150 };
    if (!t->misses)
        return;
    qsort(t->misses, MISSES, sizeof *t->misses, by_count);
    for (size_t i = 0; i < SHOWN && t->misses[i].count; i++) {
        const miss *m = &t->misses[i];
        size_t count;
        const uint32_t *items = id_sets_items(t->sets, m->drawn, &count);
        printf("  %5u %s: %s is none of", m->count, id_pool_text(t->content.pool, m->oter),
               m->found ? id_pool_text(t->content.pool, m->found) : "nothing");
        for (size_t k = 0; k < count && k < 6; k++)
            printf(" %s", items[k] ? id_pool_text(t->content.pool, items[k]) : "nothing");
        printf("%s\n", count > 6 ? " ..." : "");
    }
}

/* ---- all ---- */

/* The ids of the special whose ground has 48 alternatives a tile. */
static const char many[] = "refctr_";

static void count_fit(truth *t, truth_run run, const game_map *m, const fit *f)
{
    score *s = &t->scores[run];
    s->maps++;
    s->cells += LOCAL_CELLS - f->excluded;
    s->excluded += f->excluded;
    const bool usual =
        strncmp(id_pool_text(t->content.pool, m->oter), many, sizeof many - 1) != 0;
    s->fitting += f->fitting;
    s->terrain_fitting += f->terrain;
    for (size_t i = 0; i < LOCAL_CELLS && run == PLAIN; i++) {
        size_t count;
        id_sets_items(t->sets, f->possible->terrain[i], &count);
        s->allowed += count;
        s->counted++;
        s->allowed_usual += usual ? count : 0;
        s->counted_usual += usual;
    }
    if (run == PLAIN)
        note_misses(t, m, f);
}

/* Another key, that of another map. */
static uint32_t wrong_key(const truth *t, uint32_t key, size_t number)
{
    const size_t step = 17;
    for (size_t i = 0; i < t->key_count; i++) {
        const uint32_t other = t->keys[(number * step + i) % t->key_count];
        if (other != key)
            return other;
    }
    return key;
}

static void check_map(truth *t, const game_map *m, size_t number)
{
    int turns = 0;
    const uint32_t key = key_of(t, m->oter, &turns);
    if (key == ID_NONE) {
        t->unknown++;
        return;
    }
    if (!first_of(t, key)) {
        t->no_entry++;
        return;
    }
    const fit plain = best_fit(t, m, key, turns, false);
    if (!plain.possible ||
        plain.possible->predecessor) { /* what is under it is none of the entry's */
        t->over_predecessor++;
        t->scores[PLAIN].excluded += LOCAL_CELLS;
        return;
    }
    count_fit(t, PLAIN, m, &plain);
    const fit turned = best_fit(t, m, key, turns + 1, false);
    count_fit(t, TURNED, m, &turned);
    const fit wrong = best_fit(t, m, wrong_key(t, key, number), turns, false);
    count_fit(t, WRONG_ENTRY, m, &wrong);
    const fit dropped = best_fit(t, m, key, turns, true);
    if (dropped.possible)
        count_fit(t, DROPPED_KEY, m, &dropped);
}

static void gather_keys(truth *t)
{
    t->keys = calloc(t->maps.count + 1, sizeof *t->keys);
    ck_assert_ptr_nonnull(t->keys);
    for (size_t i = 0; i < t->maps.count; i++) {
        int turns;
        const uint32_t key = key_of(t, t->maps.items[i].oter, &turns);
        if (key != ID_NONE && first_of(t, key))
            t->keys[t->key_count++] = key;
    }
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double mean(uint64_t sum, uint64_t count)
{
    return count ? (double)sum / (double)count : 0;
}

static void print_scores(const truth *t)
{
    for (int i = 0; i < RUNS; i++) {
        const score *s = &t->scores[i];
        printf("  %-24s %5llu maps, %7llu cells: %.3f %% possible (terrain alone %.3f %%)\n",
               run_names[i], (unsigned long long)s->maps, (unsigned long long)s->cells,
               share(s->fitting, s->cells), share(s->terrain_fitting, s->cells));
    }
    const score *p = &t->scores[PLAIN];
    printf("  excluded: %.3f %% of cells, %llu maps over an unknown predecessor among them; "
           "without an entry %llu maps, of an unknown terrain %llu\n",
           share(p->excluded, p->cells + p->excluded), (unsigned long long)t->over_predecessor,
           (unsigned long long)t->no_entry, (unsigned long long)t->unknown);
    printf("  allowed terrains a cell: %.3f, without %s* %.3f\n", mean(p->allowed, p->counted),
           many, mean(p->allowed_usual, p->counted_usual));
}

static void truth_free(truth *t)
{
    for (size_t i = 0; i < SLOTS; i++)
        free(t->slots[i]);
    free(t->slots);
    free(t->misses);
    free(t->keys);
    id_sets_free(t->sets);
    game_maps_free(&t->maps);
    truth_content_free(&t->content);
}

/* Reads all; false: something is not there. */
static bool truth_begin(truth *t)
{
    if (!content_present(CONTENT_GAME))
        return false;
    truth_content_load(&t->content, CONTENT_GAME);
    if (!game_maps_read(&t->maps, t->content.pool)) {
        truth_content_free(&t->content);
        return false;
    }
    t->possible = (possible_content){t->content.library, t->content.pool, t->content.tiles,
                                     &t->content.settings};
    t->sets = id_sets_new();
    t->slots = calloc(SLOTS, sizeof *t->slots);
    t->misses = getenv("PORTOLAN_TRUTH_SHOW") ? calloc(MISSES, sizeof *t->misses) : NULL;
    ck_assert_ptr_nonnull(t->slots);
    t->air = id_of(t, "t_open_air");
    t->dirt = id_of(t, "t_dirt");
    t->paper = id_of(t, "t_paper");
    t->null_terrain = id_of(t, "t_null");
    gather_keys(t);
    return true;
}

static size_t part(void)
{
    const char *wanted = getenv("PORTOLAN_TRUTH");
    return wanted && strcmp(wanted, "all") == 0 ? 1 : PART;
}

START_TEST(the_maps_of_the_game_are_possible)
{
    static truth t;
    if (!truth_begin(&t))
        return;
    for (size_t i = 0; i < t.maps.count; i += part())
        check_map(&t, &t.maps.items[i], i);
    print_scores(&t);
    show_misses(&t);
    const score *s = t.scores;
    ck_assert(s[PLAIN].maps > 0 && t.unknown == 0);
    ck_assert_msg(share(s[PLAIN].fitting, s[PLAIN].cells) >= 99.8, "too little is possible");
    ck_assert(share(s[PLAIN].excluded, s[PLAIN].cells + s[PLAIN].excluded) <= 1);
    ck_assert(mean(s[PLAIN].allowed_usual, s[PLAIN].counted_usual) <= 2.5);
    for (int i = TURNED; i < RUNS; i++)
        ck_assert_msg(share(s[i].fitting, s[i].cells) < 99, "%s is as possible", run_names[i]);
    truth_free(&t);
}
END_TEST

/* What mapgen/run makes of an entry is what the entry may have: no cell may fail. */
static void check_run(truth *t, uint32_t key, uint64_t seed)
{
    static game_map made;
    local_map map;
    local_map_init(&map);
    const ground_omt nowhere = {.id = "", .type = ""};
    ground_site site = {.settings = &t->content.settings, .pool = t->content.pool};
    site.above = site.below = nowhere;
    site.key = seed;
    for (int i = 0; i < GROUND_AROUND; i++)
        site.around[i] = nowhere;
    const mapgen_request request = {.library = t->content.library,
                                    .pool = t->content.pool,
                                    .terrain = key,
                                    .key = seed,
                                    .stack_key = seed,
                                    .special_key = seed,
                                    .tiles = t->content.tiles,
                                    .site = &site};
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
    memcpy(made.terrain, map.terrain, sizeof made.terrain);
    memcpy(made.furniture, map.furniture, sizeof made.furniture);
    made.oter = key;
    local_map_dispose(&map);
    const fit f = best_fit(t, &made, key, 0, false);
    ck_assert_ptr_nonnull(f.possible);
    if (f.possible->predecessor || f.possible->truncated)
        return;
    t->scores[PLAIN].maps++;
    t->scores[PLAIN].cells += LOCAL_CELLS;
    t->scores[PLAIN].fitting += f.fitting;
    note_misses(t, &made, &f);
}

START_TEST(what_is_made_is_possible)
{
    static truth t;
    if (!truth_begin(&t))
        return;
    t.strict = true;
    for (size_t i = 0; i < t.key_count; i += part())
        check_run(&t, t.keys[i], 1000 + i);
    const score *s = &t.scores[PLAIN];
    printf("  made by mapgen/run: %llu maps, %.4f %% of cells possible\n",
           (unsigned long long)s->maps, share(s->fitting, s->cells));
    show_misses(&t);
    ck_assert(s->maps > 0);
    ck_assert_uint_eq(s->fitting, s->cells);
    truth_free(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local truth");
    TCase *c = tcase_create("maps of the game");
    tcase_add_test(c, the_maps_of_the_game_are_possible);
    tcase_add_test(c, what_is_made_is_possible);
    tcase_set_timeout(c, 120);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
