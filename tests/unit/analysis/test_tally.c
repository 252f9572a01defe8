/* Tallies against naive statistics of the same summaries, in any order. */
#include "analysis/measure/tally.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/summary_maker.h"
#include "unit/analysis/analysis_fixture.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OVERMAPS = 60 };

static ptl_error err;
static summary sums[OVERMAPS];
static size_t count;

static void make(uint64_t seed, size_t overmaps)
{
    count = overmaps;
    for (size_t i = 0; i < count; i++)
        summary_make(&sums[i], (ptl_chunk_pos){(int32_t)i, 0}, seed * 1000 + i,
                     (uint32_t)(i % 5) * 6);
}

static void tear_down(void)
{
    for (size_t i = 0; i < count; i++)
        summary_dispose(&sums[i]);
    count = 0;
}

/* Of all of them, in the order of a shuffle. finish_at: finished there once too early. */
static void add_all(ptl_tally *t, uint64_t shuffle, size_t finish_at)
{
    static const char *const ids[] = {"special_7", "special_9"};
    size_t order[OVERMAPS] = {0};
    dice d = {shuffle};
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; shuffle && i > 1; i--) {
        const size_t k = (size_t)dice_below(&d, (int32_t)i), last = order[i - 1];
        order[i - 1] = order[k];
        order[k] = last;
    }
    ck_assert(tally_init(t));
    ck_assert_int_eq(tally_ripleys(t, ids, 2, &err), PTL_OK);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(tally_add(t, &sums[order[i]], &err), PTL_OK);
        if (i == finish_at)
            ck_assert_int_eq(tally_finish(t, &err), PTL_OK);
    }
    ck_assert_int_eq(tally_finish(t, &err), PTL_OK);
}

START_TEST(any_order)
{
    for (int seed = 1; seed <= test_seeds(6); seed++) {
        make((uint64_t)seed, OVERMAPS);
        ptl_tally a = {0}, b = {0}, c = {0};
        add_all(&a, 0, SIZE_MAX);
        add_all(&b, (uint64_t)seed, SIZE_MAX);
        add_all(&c, (uint64_t)seed + 99, (size_t)seed * 7 % OVERMAPS);
        char *texts[] = {tally_text(&a), tally_text(&b), tally_text(&c)};
        ck_assert(strlen(texts[0]) > 1000);
        ck_assert(strcmp(texts[0], texts[1]) == 0);
        ck_assert(strcmp(texts[0], texts[2]) == 0);
        for (int i = 0; i < 3; i++)
            free(texts[i]);
        tally_dispose(&a);
        tally_dispose(&b);
        tally_dispose(&c);
        tear_down();
    }
}
END_TEST

static uint64_t at(const ptl_hist *h, int64_t value)
{
    return value < 0 ? h->none : (size_t)value < h->size ? h->counts[value] : 0;
}

/* ---- specials ---- */

/* A special's numbers, counted one by one. */
static void check_special(const ptl_tally *t, const char *id)
{
    const ptl_tally_special *s = ptl_tally_find(t, id);
    ck_assert_ptr_nonnull(s);
    uint64_t asked = 0, placed = 0, others = 0, with = 0, short_of = 0, ground = 0, growth = 0;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        double here = 0;
        for (size_t k = 0; k < sums[i].special_count; k++) {
            const summary_special *e = &sums[i].specials[k];
            if (strcmp(e->id, id) != 0)
                continue;
            asked += (uint64_t)e->asked;
            placed += (uint64_t)e->placed;
            others += (uint64_t)e->others;
            with += e->asked > 0;
            here = e->placed + e->others;
            const bool is_short = e->placed < e->asked;
            short_of += is_short;
            ground += is_short && e->ground == 0;
            growth += is_short && e->ground && e->linked && e->city && e->room && e->failed;
        }
        sum += here;
        squares += here * here;
    }
    const double n = (double)count;
    ck_assert_uint_eq(s->asked, asked);
    ck_assert_uint_eq(s->placed, placed);
    ck_assert_uint_eq(s->others, others);
    ck_assert_uint_eq(s->asked_overmaps, with);
    ck_assert_uint_eq(s->short_overmaps, short_of);
    ck_assert_uint_eq(s->failures.ground, ground);
    ck_assert_uint_eq(s->failures.growth, growth);
    ck_assert_uint_eq(s->failures.ground + s->failures.linked + s->failures.city +
                          s->failures.room + s->failures.growth + s->failures.other,
                      short_of);
    ck_assert_uint_eq(ptl_hist_total(&s->per_overmap), count);
    ck_assert_uint_eq(ptl_hist_total(&s->asked_per_overmap), count);
    ck_assert(fabs(ptl_hist_mean(&s->per_overmap) - sum / n) < 1e-9);
    ck_assert(fabs(ptl_hist_variance(&s->per_overmap) - (squares - sum * sum / n) / (n - 1)) <
              1e-6 * (1 + squares));
}

static void check_places(const ptl_tally *t, const char *id)
{
    const ptl_tally_special *s = ptl_tally_find(t, id);
    uint64_t seen = 0, around = 0, none[3] = {0}, five[3] = {0}, voted = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sums[i].place_count; k++) {
            const summary_place *p = &sums[i].places[k];
            if (strcmp(p->id, id) != 0)
                continue;
            const int16_t d[] = {p->city, p->road, p->same};
            for (int j = 0; j < 3; j++) {
                none[j] += d[j] < 0;
                five[j] += d[j] == 5;
            }
            seen++;
            around += p->around[0] != '\0';
        }
    if (seen == 0)
        return;
    const ptl_hist *h[] = {&s->city, &s->road, &s->same};
    for (int j = 0; j < 3; j++) {
        ck_assert_uint_eq(at(h[j], -1), none[j]);
        ck_assert_uint_eq(at(h[j], 5), five[j]);
        ck_assert_uint_eq(ptl_hist_total(h[j]) + none[j], seen);
    }
    ck_assert_uint_eq(ptl_hist_total(&s->level), seen);
    ck_assert_uint_eq(ptl_hist_total(&s->rotation), seen);
    for (size_t i = 0; i < s->around_count; i++) {
        voted += s->around[i].count;
        ck_assert(i == 0 || s->around[i - 1].count >= s->around[i].count);
    }
    ck_assert_uint_eq(voted, around);
}

START_TEST(specials)
{
    for (int seed = 1; seed <= test_seeds(4); seed++) {
        make((uint64_t)seed, OVERMAPS);
        ptl_tally t = {0};
        add_all(&t, 0, SIZE_MAX);
        ck_assert_uint_eq(t.overmaps, OVERMAPS);
        ck_assert_uint_gt(t.special_count, 3);
        for (size_t i = 0; i < t.special_count; i++) {
            ck_assert(i == 0 || strcmp(t.specials[i - 1]->id, t.specials[i]->id) < 0);
            ck_assert_ptr_eq(ptl_tally_find(&t, t.specials[i]->id), t.specials[i]);
            check_special(&t, t.specials[i]->id);
            check_places(&t, t.specials[i]->id);
        }
        ck_assert_ptr_null(ptl_tally_find(&t, "no such special"));
        tally_dispose(&t);
        tear_down();
    }
}
END_TEST

/* ---- blocks and classes ---- */

static void check_lots(const uint64_t found[PTL_TALLY_LOTS],
                       const uint64_t wanted[PTL_TALLY_LOTS])
{
    ck_assert(memcmp(found, wanted, PTL_TALLY_LOTS * sizeof *wanted) == 0);
}

/* Terrains, lines, cities and buildings by the lots of the overmaps that have them. */
START_TEST(lots_of_lists)
{
    ptl_tally t = {0};
    make(4, OVERMAPS);
    add_all(&t, 0, SIZE_MAX);
    uint64_t cities[PTL_TALLY_LOTS] = {0}, buildings[PTL_TALLY_LOTS] = {0};
    ck_assert(t.terrain_count > 0 && t.line_count > 0);
    for (size_t k = 0; k < t.terrain_count + t.line_count; k++) {
        const bool is_line = k >= t.terrain_count;
        const char *id = is_line ? t.lines[k - t.terrain_count]->id : t.terrains[k]->id;
        uint64_t lots[PTL_TALLY_LOTS] = {0};
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; !is_line && j < sums[i].terrain_count; j++)
                if (strcmp(sums[i].terrains[j].id, id) == 0)
                    lots[i / 4] += (uint64_t)sums[i].terrains[j].cells;
            for (size_t j = 0; is_line && j < sums[i].line_count; j++)
                if (strcmp(sums[i].lines[j].id, id) == 0)
                    lots[i / 4] += (uint64_t)sums[i].lines[j].cells;
        }
        check_lots(is_line ? t.lines[k - t.terrain_count]->lots : t.terrains[k]->lots, lots);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sums[i].city_count; j++) {
            cities[i / 4]++;
            buildings[i / 4] += (uint64_t)sums[i].cities[j].buildings;
        }
    check_lots(t.city_lots, cities);
    check_lots(t.building_lots, buildings);
    tally_dispose(&t);
    tear_down();
}
END_TEST

static size_t class_of(const summary *s, int kind)
{
    int32_t most = 0;
    bool lake = false;
    for (size_t i = 0; i < s->water_count; i++)
        lake |= s->waters[i].kind == SUMMARY_LAKE;
    for (size_t i = 0; i < s->city_count; i++)
        most = s->cities[i].size > most ? s->cities[i].size : most;
    return kind == 0   ? (lake ? PTL_OVERMAP_LAKE : PTL_OVERMAP_NO_LAKE)
           : most == 0 ? PTL_OVERMAP_NO_CITY
                       : PTL_OVERMAP_CITY_1 + (size_t)(most > 16 ? 4 : (most - 1) / 4);
}

/* Overmaps lie in a row here: four after each other are a block. */
START_TEST(blocks_and_classes)
{
    ptl_tally t = {0};
    make(3, OVERMAPS);
    add_all(&t, 0, SIZE_MAX);
    uint64_t lots[PTL_OVERMAP_CLASSES + 1][PTL_TALLY_LOTS] = {{0}};
    for (size_t i = 0; i < count; i++)
        for (int kind = 0; kind < 3; kind++)
            lots[kind < 2 ? class_of(&sums[i], kind) : PTL_OVERMAP_CLASSES][i / 4]++;
    ck_assert(memcmp(lots, t.class_lots, sizeof t.class_lots) == 0);
    ck_assert(memcmp(lots[PTL_OVERMAP_CLASSES], t.lots, sizeof t.lots) == 0);
    for (size_t k = 0; k < t.special_count; k++) {
        const ptl_tally_special *s = t.specials[k];
        uint64_t all[PTL_TALLY_LOTS] = {0}, with[PTL_TALLY_LOTS] = {0},
                 classes[PTL_OVERMAP_CLASSES] = {0}, totals[PTL_OVERMAP_CLASSES] = {0};
        for (size_t i = 0; i < count; i++)
            for (size_t e = 0; e < sums[i].special_count; e++) {
                const summary_special *p = &sums[i].specials[e];
                if (strcmp(p->id, s->id) != 0)
                    continue;
                all[i / 4] += (uint64_t)(p->placed + p->others);
                with[i / 4] += p->placed + p->others > 0;
                for (int kind = 0; kind < 2; kind++)
                    classes[class_of(&sums[i], kind)] += (uint64_t)(p->placed + p->others);
            }
        ck_assert(memcmp(all, s->lots, sizeof all) == 0);
        ck_assert(memcmp(with, s->lots_with, sizeof with) == 0);
        for (size_t c = 0; c < PTL_OVERMAP_CLASSES; c++) {
            const ptl_tally_class *of = &s->classes[c];
            for (size_t i = 0; i < PTL_TALLY_LOTS; i++)
                totals[c] += lots[c][i];
            ck_assert_uint_eq(ptl_hist_total(&of->per_overmap), totals[c]);
            ck_assert(fabs(ptl_hist_mean(&of->per_overmap) * (double)totals[c] -
                           (double)classes[c]) < 1e-9);
        }
    }
    tally_dispose(&t);
}
END_TEST

/* ---- Ripley's K ---- */

typedef struct pattern {
    summary sum;
    summary_place places[12];
    uint8_t land[PTL_LEVEL_CELLS];
} pattern;

/* Points at random west of `east`, which is land; those of odd numbers lie beside the one
 * before in a cluster. */
static void draw_pattern(pattern *p, dice *d, int32_t east, bool clusters)
{
    memset(p, 0, sizeof *p);
    p->sum = (summary){.places = p->places,
                       .place_count = 12,
                       .parts = PTL_COUNT_ALL,
                       .land = east < PTL_CHUNK_SIZE ? p->land : NULL};
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
        p->land[i] = i % PTL_CHUNK_SIZE < east;
    for (size_t i = 0; i < 12; i++) {
        summary_place *q = &p->places[i];
        *q = (summary_place){.id = "x",
                             .around = "",
                             .x = (int16_t)dice_below(d, east),
                             .y = (int16_t)dice_below(d, PTL_CHUNK_SIZE)};
        if (clusters && i % 2 == 1)
            q->x = q[-1].x, q->y = (int16_t)((q[-1].y + 7) % PTL_CHUNK_SIZE);
    }
}

/* Adds what each pair counts in K, with its share of the ground. */
static void count_pairs(double k[PTL_RIPLEY_RADII], const pattern *p)
{
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            const double x = abs(p->places[i].x - p->places[j].x),
                         y = abs(p->places[i].y - p->places[j].y);
            for (int step = 0; step < PTL_RIPLEY_RADII; step++)
                if (i != j && hypot(x, y) <= 5 * (step + 1))
                    k[step] += 32400.0 * 32400 / (180 - x) / (180 - y) / (12 * 11);
        }
}

/* Cells whose centres are no farther than this: what K comes to at random on all cells. */
static double cells_within(int radius)
{
    int n = 0;
    for (int x = -radius; x <= radius; x++)
        for (int y = -radius; y <= radius; y++)
            n += x * x + y * y <= radius * radius;
    return n;
}

/* As many places as its work is meant for are counted, one more is an error that names them. */
START_TEST(ripley_of_very_many)
{
    enum { MOST = 1000 };
    static const char *const id = "x";
    summary_place *places = calloc(MOST + 1, sizeof *places);
    ck_assert_ptr_nonnull(places);
    for (int i = 0; i <= MOST; i++)
        places[i] = (summary_place){.id = "x",
                                    .around = "",
                                    .x = (int16_t)(i % PTL_CHUNK_SIZE),
                                    .y = (int16_t)(i / PTL_CHUNK_SIZE)};
    summary s = {.pos = {3, -4}, .places = places, .place_count = MOST, .parts = PTL_COUNT_ALL};
    ptl_tally t = {0};
    ck_assert(tally_init(&t));
    ck_assert_int_eq(tally_ripleys(&t, &id, 1, &err), PTL_OK);
    ck_assert_int_eq(tally_add(&t, &s, &err), PTL_OK);
    ck_assert_uint_eq(t.ripleys[0]->pairs, (uint64_t)MOST * (MOST - 1) / 2);
    s.place_count++;
    ck_assert_int_eq(tally_add(&t, &s, &err), PTL_ERR_LIMIT);
    ck_assert_str_eq(err.message, "clustering: overmap 3,-4 has 1001 of 'x', more than 1000");
    tally_dispose(&t);
    free(places);
}
END_TEST

/* K is that of the pairs one by one; the patterns at random have as much as they must on all
 * cells, and more on a strip of land; clusters are seen, and points at random are not. */
START_TEST(ripley)
{
    enum { MAPS = 80 };
    static const char *const id = "x";
    const int32_t east = _i % 2 ? 60 : PTL_CHUNK_SIZE;
    const bool clusters = _i >= 2;
    double k[PTL_RIPLEY_RADII] = {0};
    dice d = {20 + (uint64_t)_i};
    ptl_tally t = {0};
    static pattern p;
    ck_assert(tally_init(&t));
    ck_assert_int_eq(tally_ripleys(&t, &id, 1, &err), PTL_OK);
    for (int i = 0; i < MAPS; i++) {
        draw_pattern(&p, &d, east, clusters);
        count_pairs(k, &p);
        ck_assert_int_eq(tally_add(&t, &p.sum, &err), PTL_OK);
    }
    const ptl_tally_ripley *r = t.ripleys[0];
    int outside = 0;
    ck_assert(t.ripley_count == 1 && r->pairs == MAPS * 12 * 11 / 2);
    ck_assert(r->on_land == (east < PTL_CHUNK_SIZE));
    for (size_t step = 0; step < PTL_RIPLEY_RADII; step++) {
        const ptl_ripley found = ptl_ripley_at(r, step, 0.99);
        const double cells = cells_within(found.radius);
        ck_assert_int_eq(found.radius, 5 * (int32_t)(step + 1));
        ck_assert_double_eq_tol(found.k / (k[step] / MAPS), 1, 1e-5);
        if (r->on_land)
            ck_assert_double_gt(found.random, 1.8 * cells);
        else
            ck_assert_double_eq_tol(found.random / cells, 1, 0.08);
        ck_assert(found.low < found.random && found.random < found.high);
        ck_assert(ptl_ripley_at(r, step, 0.5).high < found.high);
        ck_assert_double_eq(ptl_ripley_at(r, step, 0.9999).high, found.high);
        outside += found.k > found.high || found.k < found.low;
        ck_assert(!clusters || found.radius < 10 || found.k > found.high);
    }
    ck_assert(clusters || outside == 0);
    tally_dispose(&t);
}
END_TEST

/* ---- the other lists ---- */

static void check_terrain(const ptl_tally_terrain *t)
{
    uint64_t cells = 0, overmaps = 0, ground = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t here = 0;
        for (size_t k = 0; k < sums[i].terrain_count; k++)
            if (strcmp(sums[i].terrains[k].id, t->id) == 0) {
                here += (uint64_t)sums[i].terrains[k].cells;
                ground += sums[i].terrains[k].z == 0 ? (uint64_t)sums[i].terrains[k].cells : 0;
            }
        cells += here;
        overmaps += here > 0;
        squares += (double)(here * here);
    }
    ck_assert_uint_eq(t->cells, cells);
    ck_assert_uint_eq(t->overmaps, overmaps);
    ck_assert_uint_eq(t->cells_at[-PTL_Z_MIN], ground);
    ck_assert(t->square_sum == squares);
}

static void check_building(const ptl_tally_building *b)
{
    uint64_t all = 0, overmaps = 0, distance = 0, sixes = 0;
    int32_t least = INT32_MAX, most = 0;
    for (size_t i = 0; i < count; i++) {
        bool here = false;
        for (size_t k = 0; k < sums[i].building_count; k++) {
            const summary_building *e = &sums[i].buildings[k];
            if (strcmp(e->id, b->id) != 0)
                continue;
            here = true;
            all += (uint64_t)e->count;
            sixes += e->size == 6 ? (uint64_t)e->count : 0;
            distance += (uint64_t)e->distance_sum;
            least = e->distance_min < least ? e->distance_min : least;
            most = e->distance_max > most ? e->distance_max : most;
        }
        overmaps += here;
    }
    ck_assert(b->count == all && b->overmaps == overmaps && b->distance_sum == distance &&
              b->by_size[6] == sixes && b->distance_min == least && b->distance_max == most);
}

static void check_sums(const ptl_tally *t)
{
    uint64_t cities = 0, buildings = 0, lakes = 0, land = 0, lakes_found = 0, sized = 0;
    for (size_t i = 0; i < count; i++) {
        cities += sums[i].city_count;
        for (size_t k = 0; k < sums[i].city_count; k++)
            buildings += (uint64_t)sums[i].cities[k].buildings;
        for (size_t k = 0; k < sums[i].water_count; k++)
            lakes +=
                sums[i].waters[k].kind == SUMMARY_LAKE ? (uint64_t)sums[i].waters[k].cells : 0;
        for (size_t d = 0; d < SUMMARY_FAR + 2; d++)
            land += (uint64_t)sums[i].baseline.city[d];
    }
    for (size_t v = 0; v < t->lake_cells.size; v++)
        lakes_found += v * t->lake_cells.counts[v];
    for (size_t i = 0; i < 17; i++) {
        sized += t->cities[i].cities;
        buildings -= t->cities[i].buildings;
        ck_assert_uint_eq(ptl_hist_total(&t->cities[i].buildings_per_city),
                          t->cities[i].cities);
    }
    ck_assert_uint_eq(sized, cities);
    ck_assert_uint_eq(buildings, 0);
    ck_assert_uint_eq(lakes_found, lakes);
    ck_assert_uint_eq(ptl_hist_total(&t->baseline_city) + t->baseline_city.none, land);
    ck_assert_uint_eq(ptl_hist_total(&t->baseline_road) + t->baseline_road.none, land);
    ck_assert_uint_eq(ptl_hist_total(&t->cities_per_overmap), count);
    ck_assert_uint_eq(ptl_hist_total(&t->lake_share), count);
    ck_assert_uint_eq(ptl_hist_total(&t->river_share), count);
}

START_TEST(lists)
{
    for (int seed = 1; seed <= test_seeds(4); seed++) {
        make((uint64_t)seed, OVERMAPS);
        ptl_tally t = {0};
        add_all(&t, 0, SIZE_MAX);
        uint64_t cells = 0, told = 0;
        for (size_t i = 0; i < t.terrain_count; i++) {
            check_terrain(t.terrains[i]);
            cells += t.terrains[i]->cells;
        }
        for (size_t i = 0; i < count; i++)
            told += sums[i].terrain_count ? PTL_LEVELS * PTL_LEVEL_CELLS : 0;
        ck_assert_uint_eq(cells, told);
        for (size_t i = 0; i < t.building_count; i++)
            check_building(t.buildings[i]);
        for (size_t i = 0; i < t.line_count; i++)
            ck_assert_uint_eq(ptl_hist_total(&t.lines[i]->cells), count);
        check_sums(&t);
        tally_dispose(&t);
        tear_down();
    }
}
END_TEST

/* Parts that not all overmaps had are not among the tally's. */
START_TEST(parts)
{
    ptl_tally t = {0};
    make(5, 3);
    ck_assert(tally_init(&t));
    for (size_t i = 0; i < 3; i++) {
        if (i == 1)
            sums[i].parts = PTL_COUNT_SPECIALS;
        ck_assert_int_eq(tally_add(&t, &sums[i], &err), PTL_OK);
    }
    ck_assert_uint_eq(t.parts, PTL_COUNT_SPECIALS);
    tally_dispose(&t);
    /* An empty one is fine, too. */
    ck_assert(tally_init(&t));
    ck_assert_int_eq(tally_finish(&t, &err), PTL_OK);
    ck_assert_ptr_null(ptl_tally_find(&t, "anything"));
    tally_dispose(&t);
    ck_assert_ptr_null(ptl_tally_find(&t, "anything"));
}
END_TEST

START_TEST(histograms)
{
    uint64_t counts[] = {2, 0, 3, 1, 0, 0, 0, 0};
    const ptl_hist h = {counts, 8, 4}, none = {NULL, 0, 7};
    ck_assert_uint_eq(ptl_hist_total(&h), 6);
    ck_assert(fabs(ptl_hist_mean(&h) - 1.5) < 1e-12);
    ck_assert(fabs(ptl_hist_variance(&h) - 1.5) < 1e-12);
    ck_assert_int_eq(ptl_hist_quantile(&h, 0), 0);
    ck_assert_int_eq(ptl_hist_quantile(&h, 1.0 / 3), 0);
    ck_assert_int_eq(ptl_hist_quantile(&h, 0.5), 2);
    ck_assert_int_eq(ptl_hist_quantile(&h, 0.9), 3);
    ck_assert_int_eq(ptl_hist_quantile(&h, 1), 3);
    ck_assert_uint_eq(ptl_hist_total(&none), 0);
    ck_assert(ptl_hist_mean(&none) == 0 && ptl_hist_variance(&none) == 0);
    ck_assert_int_eq(ptl_hist_quantile(&none, 0.5), -1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tally");
    TCase *tc = tcase_create("tally");
    tcase_add_checked_fixture(tc, NULL, tear_down);
    tcase_add_test(tc, any_order);
    tcase_add_test(tc, specials);
    tcase_add_test(tc, blocks_and_classes);
    tcase_add_test(tc, lots_of_lists);
    tcase_add_loop_test(tc, ripley, 0, 4);
    tcase_add_test(tc, ripley_of_very_many);
    tcase_add_test(tc, lists);
    tcase_add_test(tc, parts);
    tcase_add_test(tc, histograms);
    suite_add_tcase(s, tc);
    return suite_run(s);
}
