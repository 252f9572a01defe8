/*
 * The maps that DDA 0.F made (../shared/reference/dda-0F-maps) against what our compiled mapgen
 * may put on each of their tiles (support/truth/possible.h). Every eighth map; all of them with
 * PORTOLAN_TRUTH=all. PORTOLAN_TRUTH_SHOW=1 prints what was not possible, the commonest first.
 * schema/mapgen.md, "Truth", has the rules for what is left out, and the figures of all maps.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "support/truth/alternatives.h"
#include "support/truth/game_maps.h"
#include "support/truth/possible.h"
#include "support/truth/truth_content.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const truth_game *const games[] = {&truth_0F, &truth_0I};
enum { GAMES = 2 };

enum { PART = 8, SLOTS = 1 << 14, MISSES = 1 << 15, TURNS = 4 };

/* What is compared. UNION: all that any choice may give, however seldom. The others: what one
 * choice gives, and not seldom (COVERAGE). */
typedef enum truth_run {
    UNION,
    PLAIN,
    TURNED,
    WRONG_ENTRY,
    DROPPED_KEY,
    DROPPED_PARAMETERS,
    RUNS
} truth_run;

static const char *const run_names[RUNS] = {"whatever may be",         "as compiled",
                                            "rotation plus one",       "a wrong entry",
                                            "a palette's key dropped", "parameters dropped"};
/* A control fails if so few cells of it are possible, in percent. */
static const double most_possible[RUNS] = {
    [UNION] = 100,      [PLAIN] = 100,      [TURNED] = 70,
    [WRONG_ENTRY] = 25, [DROPPED_KEY] = 80, [DROPPED_PARAMETERS] = 90};

/* Of what a tile is drawn from, the fewest that come on so many tiles are what is allowed. */
static const double COVERAGE = 0.99;

typedef struct score {
    uint64_t maps, cells, fitting, terrain_fitting, excluded;
    uint64_t allowed, counted;         /* terrains that the cells which are drawn may have */
    uint64_t allowed_all, counted_all; /* likewise, of all cells */
} score;

/* By their columns maps are of two halves: what holds of all has to hold of each. */
enum { HALVES = 2 };

/* What did not fit, and how often. */
typedef struct miss {
    uint32_t oter, drawn, found;
    bool furniture;
    uint32_t count;
} miss;

typedef struct cached {
    const mapgen_candidate *candidate;
    uint32_t before;
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
    score scores[HALVES][RUNS];
    share_lists *lists;         /* owned */
    alternatives *alternatives; /* owned */
    uint64_t no_entry, unknown, over_predecessor, burnt;
    uint32_t air, dirt, paper, null_terrain, burnt_floor, field, long_grass;
    bool strict; /* no cell is left out */
} truth;

static uint32_t id_of(truth *t, const char *text)
{
    return id_pool_put(t->content.pool, text, strlen(text));
}

/* ---- which entries ---- */

/* The oter's key in the library, and how it is turned; ID_NONE: it is unknown. */
static uint32_t key_of(truth *t, uint32_t oter, int *turns)
{
    const cat_oter *o = truth_content_oter(&t->content, oter);
    if (!o)
        return ID_NONE;
    /* A line is drawn in one direction: an end to the south, a straight one from north to
     * south, a curve from east to south, a tee to all sides but north. */
    static const int of_lines[16] = {0, 2, 3, 3, 0, 0, 0, 3, 1, 2, 3, 2, 1, 1, 0, 0};
    *turns = o->line ? of_lines[o->line & 15] : o->rotation;
    return truth_content_key(&t->content, t->content.cat->terrains[o->terrain].id, o->line);
}

static const mapgen_candidate *first_of(const truth *t, uint32_t key)
{
    const mapgen_candidate *c =
        mapgen_library_first(t->content.library, MAPGEN_OM_TERRAIN, key);
    while (c && !c->entry->json)
        c = c->next;
    return c;
}

static const possible_map *possible_of(truth *t, const mapgen_candidate *c, uint32_t before,
                                       truth_run run)
{
    static possible_map dropped;
    possible_options all = {.dropped = ID_NONE, .coverage = 1, .before = before};
    size_t at = ((uintptr_t)c / sizeof *c + before) % SLOTS;
    if (run == DROPPED_KEY || run == DROPPED_PARAMETERS) {
        all.no_parameters = run == DROPPED_PARAMETERS;
        all.dropped = all.no_parameters ? ID_NONE : possible_palette_symbol(&t->possible, c);
        possible_make(&dropped, &t->possible, t->sets, c, &all);
        const bool other = all.no_parameters ? possible_has_parameters(&t->possible, t->sets, c)
                                             : all.dropped != ID_NONE;
        return other ? &dropped : NULL;
    }
    for (; t->slots[at]; at = (at + 1) % SLOTS)
        if (t->slots[at]->candidate == c && t->slots[at]->before == before)
            return &t->slots[at]->map;
    t->slots[at] = calloc(1, sizeof **t->slots);
    ck_assert_ptr_nonnull(t->slots[at]);
    t->slots[at]->candidate = c;
    t->slots[at]->before = before;
    possible_make(&t->slots[at]->map, &t->possible, t->sets, c, &all);
    return &t->slots[at]->map;
}

/* ---- one map against one possibility ---- */

typedef struct fit {
    const mapgen_candidate *candidate;
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

/* Does the terrain come from a map extra, which the maps do not mark: tall grass on a field? */
static bool is_of_extra(const truth *t, const game_map *m, size_t cell)
{
    return m->oter == t->field && m->terrain[cell] == t->long_grass;
}

/* The rules for cells that are left out (schema/mapgen.md, "Truth"). */
static bool is_excluded(const truth *t, const game_map *m, uint32_t set, size_t cell)
{
    return !t->strict && (m->terrain[cell] == t->paper || is_of_extra(t, m, cell) ||
                          is_smashed(t, set, m->terrain[cell]));
}

static fit fit_of(const truth *t, const game_map *m, const mapgen_candidate *c,
                  const possible_map *p, int turns)
{
    const game_map *below = game_maps_at(&t->maps, m->x, m->y, m->z - 1);
    fit f = {c, p, turns, 0, 0, 0};
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
static fit best_fit(truth *t, const game_map *m, uint32_t key, int turns, truth_run run)
{
    fit best = {NULL, NULL, 0, 0, 0, 0};
    for (const mapgen_candidate *c = first_of(t, key); c; c = c->next) {
        const possible_map *p = c->entry->json ? possible_of(t, c, m->before, run) : NULL;
        const mapgen_range own = c->entry->rotation;
        bool tried[TURNS] = {false};
        for (int32_t r = own.low; p && r <= own.high && r < own.low + TURNS; r++) {
            const int all = ((r % TURNS) + TURNS + (c->entry->unrotated ? 0 : turns)) % TURNS;
            if (tried[all])
                continue;
            tried[all] = true;
            const fit f = fit_of(t, m, c, p, all);
            if (!best.possible || f.fitting > best.fitting)
                best = f;
        }
    }
    return best;
}

/* The best fit again, under the one choice of chunks and their places that is likest to the
 * map, and without what comes seldom. It is a choice that can be made: where a better one is
 * not found, less is possible. */
static fit chosen_fit(truth *t, const game_map *m, const fit *best, truth_run run)
{
    static possible_map chosen;
    static possible_seen seen;
    const game_map *below = game_maps_at(&t->maps, m->x, m->y, m->z - 1);
    if (!best->possible)
        return *best;
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        const size_t drawn = drawn_cell(i, best->turns);
        seen.terrain[drawn] = m->terrain[i];
        seen.furniture[drawn] = m->furniture[i];
        seen.roofed[drawn] = is_roof(t, below, i, m->terrain[i]);
    }
    const possible_options options = {
        .dropped = run == DROPPED_KEY ? possible_palette_symbol(&t->possible, best->candidate)
                                      : ID_NONE,
        .no_parameters = run == DROPPED_PARAMETERS,
        .coverage = COVERAGE,
        .before = m->before,
        .seen = &seen,
        .lists = t->lists};
    possible_make(&chosen, &t->possible, t->sets, best->candidate, &options);
    return fit_of(t, m, best->candidate, &chosen, best->turns);
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

/* What each tile of lists has. */
static void note_alternatives(truth *t, const game_map *m, const fit *f)
{
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        const size_t drawn = drawn_cell(i, f->turns);
        const uint32_t terrain = f->possible->terrain_list[drawn],
                       furniture = f->possible->furniture_list[drawn];
        if (terrain)
            alternatives_note(t->alternatives, terrain, m->terrain[i]);
        if (furniture)
            alternatives_note(t->alternatives, furniture, m->furniture[i]);
    }
    alternatives_end_map(t->alternatives);
}

static void count_fit(truth *t, truth_run run, const game_map *m, const fit *f)
{
    score *s = &t->scores[hash_add((uint64_t)m->x, (uint64_t)m->y) % HALVES][run];
    s->maps++;
    s->cells += LOCAL_CELLS - f->excluded;
    s->excluded += f->excluded;
    s->fitting += f->fitting;
    s->terrain_fitting += f->terrain;
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        size_t count;
        id_sets_items(t->sets, f->possible->terrain[i], &count);
        s->allowed_all += count;
        s->counted_all++;
        if (f->possible->ground[i])
            continue;
        s->allowed += count;
        s->counted++;
    }
    if (run == PLAIN) {
        note_misses(t, m, f);
        note_alternatives(t, m, f);
    }
}

/* Counts how the map fits the best of a key's entries. */
static void count_chosen(truth *t, truth_run run, const game_map *m, uint32_t key, int turns)
{
    const fit best = best_fit(t, m, key, turns, run);
    if (!best.possible)
        return;
    const fit chosen = chosen_fit(t, m, &best, run);
    count_fit(t, run, m, &chosen);
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

/* Has a fire gone through the map? All that it leaves are burnt floors and walls, and dirt. */
static bool is_burnt(const truth *t, const game_map *m)
{
    size_t count = 0;
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        count += m->terrain[i] == t->burnt_floor;
    return count > 0;
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
    if (is_burnt(t, m)) {
        t->burnt++;
        return;
    }
    const fit all = best_fit(t, m, key, turns, UNION);
    if (!all.possible ||
        all.possible->predecessor) { /* what is under it is none of the entry's */
        t->over_predecessor++;
        t->scores[0][PLAIN].excluded += LOCAL_CELLS;
        return;
    }
    count_fit(t, UNION, m, &all);
    count_chosen(t, PLAIN, m, key, turns);
    count_chosen(t, TURNED, m, key, turns + 1);
    count_chosen(t, WRONG_ENTRY, m, wrong_key(t, key, number), turns);
    count_chosen(t, DROPPED_KEY, m, key, turns);
    count_chosen(t, DROPPED_PARAMETERS, m, key, turns);
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

static void print_score(const char *name, const score *s)
{
    printf("  %-24s %5llu maps, %7llu cells: %.3f %% possible (terrain alone %.3f %%), "
           "excluded %.3f %%, allowed terrains a cell that is drawn %.3f, of all %.3f\n",
           name, (unsigned long long)s->maps, (unsigned long long)s->cells,
           share(s->fitting, s->cells), share(s->terrain_fitting, s->cells),
           share(s->excluded, s->cells + s->excluded), mean(s->allowed, s->counted),
           mean(s->allowed_all, s->counted_all));
}

static score sum_of(const score *a, const score *b)
{
    return (score){a->maps + b->maps,
                   a->cells + b->cells,
                   a->fitting + b->fitting,
                   a->terrain_fitting + b->terrain_fitting,
                   a->excluded + b->excluded,
                   a->allowed + b->allowed,
                   a->counted + b->counted,
                   a->allowed_all + b->allowed_all,
                   a->counted_all + b->counted_all};
}

static void print_scores(const truth *t)
{
    for (int i = 0; i < RUNS; i++) {
        const score both = sum_of(&t->scores[0][i], &t->scores[1][i]);
        print_score(run_names[i], &both);
    }
    for (int half = 0; half < HALVES; half++)
        print_score(half ? "  the other half" : "  one half of columns",
                    &t->scores[half][PLAIN]);
    printf("  %llu maps burnt down, %llu over an unknown predecessor; without an entry %llu "
           "maps, of an "
           "unknown terrain %llu\n",
           (unsigned long long)t->burnt, (unsigned long long)t->over_predecessor,
           (unsigned long long)t->no_entry, (unsigned long long)t->unknown);
}

typedef struct ratios {
    const truth *t;
    size_t count, good;
    size_t wrong; /* control: so many would meet it if twice as many were expected */
} ratios;

static void look_at_ratio(void *payload, const alternative *one)
{
    ratios *r = payload;
    const id_pool *pool = r->t->content.pool;
    const bool meets = one->high >= 0.8 && one->low <= 1.25;
    r->count++;
    r->good += meets;
    r->wrong += one->high / 2 >= 0.8 && one->low / 2 <= 1.25;
    if (meets)
        return;
    printf("    %s: %.0f found, %.1f expected: %.2f, [%.2f, %.2f], of",
           one->id ? id_pool_text(pool, one->id) : "nothing", one->found, one->expected,
           one->found / one->expected, one->low, one->high);
    const id_shares *list = share_lists_at(r->t->lists, one->list);
    for (size_t i = 0; i < list->count && i < 6; i++)
        printf(" %s", list->items[i].id ? id_pool_text(pool, list->items[i].id) : "nothing");
    printf("%s\n", list->count > 6 ? " ..." : "");
}

/* Each alternative that is expected often comes as often as its list says. */
static void check_alternatives(const truth *t)
{
    enum { EXPECTED = 50 };
    ratios r = {t, 0, 0, 0};
    alternatives_each(t->alternatives, EXPECTED, look_at_ratio, &r);
    printf("  alternatives: %zu of %zu that are expected %d times or more meet 0.8 to 1.25; "
           "%zu would if twice as many were expected\n",
           r.good, r.count, EXPECTED, r.wrong);
    ck_assert(r.count > 0 && r.wrong < r.count / 2);
    ck_assert_msg(r.good == r.count, "%zu alternatives come too often or seldom",
                  r.count - r.good);
}

/* What the game's maps have to say of compiled mapgen, of one half of them. plain: the content
 * has no parameters; then the limits hold for cells where the ground shows, too. */
static void check_scores(const score *s, bool plain)
{
    ck_assert(s[PLAIN].maps > 0);
    ck_assert_msg(share(s[PLAIN].fitting, s[PLAIN].cells) >= 99.8, "too little is possible");
    ck_assert_msg(mean(s[PLAIN].allowed, s[PLAIN].counted) <= 2.5, "too much is allowed");
    ck_assert(!plain || mean(s[PLAIN].allowed_all, s[PLAIN].counted_all) <= 2.5);
    ck_assert(!plain || share(s[PLAIN].excluded, s[PLAIN].cells + s[PLAIN].excluded) <= 1);
    for (int i = 0; i < RUNS; i++)
        ck_assert_msg((s[i].maps > 0 || (i == DROPPED_PARAMETERS && plain)) &&
                          share(s[i].fitting, s[i].cells) <= most_possible[i],
                      "%s is as possible", run_names[i]);
}

static void truth_free(truth *t)
{
    for (size_t i = 0; i < SLOTS; i++)
        free(t->slots[i]);
    free(t->slots);
    free(t->misses);
    free(t->keys);
    alternatives_free(t->alternatives);
    share_lists_free(t->lists);
    id_sets_free(t->sets);
    game_maps_free(&t->maps);
    truth_content_free(&t->content);
}

/* Reads all; false: something is not there. */
static bool truth_begin(truth *t, const truth_game *game)
{
    *t = (truth){0};
    if (!truth_load(&t->content, &t->maps, game))
        return false;
    printf("%s\n", game->name);
    t->possible = (possible_content){t->content.library, t->content.pool, t->content.tiles,
                                     &t->content.settings};
    t->sets = id_sets_new();
    t->lists = share_lists_new();
    t->alternatives = alternatives_new(t->lists);
    t->slots = calloc(SLOTS, sizeof *t->slots);
    t->misses = getenv("PORTOLAN_TRUTH_SHOW") ? calloc(MISSES, sizeof *t->misses) : NULL;
    ck_assert_ptr_nonnull(t->slots);
    t->air = id_of(t, "t_open_air");
    t->dirt = id_of(t, "t_dirt");
    t->field = id_of(t, "field");
    t->long_grass = id_of(t, "t_grass_long");
    t->burnt_floor = id_of(t, "t_floor_burnt");
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
    if (!truth_begin(&t, games[_i]))
        return;
    for (size_t i = 0; i < t.maps.count; i += part())
        check_map(&t, &t.maps.items[i], i);
    print_scores(&t);
    show_misses(&t);
    ck_assert(t.unknown == 0);
    const score both = sum_of(&t.scores[0][PLAIN], &t.scores[1][PLAIN]);
    ck_assert(share(both.excluded, both.cells + both.excluded) <= 1);
    for (int half = 0; half < HALVES; half++)
        check_scores(t.scores[half], games[_i] == &truth_0F);
    check_alternatives(&t);
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
    const fit f = best_fit(t, &made, key, 0, UNION);
    ck_assert_ptr_nonnull(f.possible);
    if (f.possible->predecessor || f.possible->truncated)
        return;
    score *s = &t->scores[0][UNION];
    s->maps++;
    s->cells += LOCAL_CELLS;
    s->fitting += f.fitting;
    note_misses(t, &made, &f);
}

START_TEST(what_is_made_is_possible)
{
    static truth t;
    if (!truth_begin(&t, games[_i]))
        return;
    t.strict = true;
    for (size_t i = 0; i < t.key_count; i += part())
        check_run(&t, t.keys[i], 1000 + i);
    const score *s = &t.scores[0][UNION];
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
    tcase_add_loop_test(c, the_maps_of_the_game_are_possible, 0, GAMES);
    tcase_add_loop_test(c, what_is_made_is_possible, 0, GAMES);
    tcase_set_timeout(c, 120);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
