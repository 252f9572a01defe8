/*
 * The examples of the overmap documents (../shared/reference/documents) import as they stand,
 * over a pack of ours that defines what they name. One document fences its examples, the others
 * are plain text that lost its indentation: an example is a balanced block that starts at the
 * beginning of a line and holds an object whose "type" is one of ours.
 */
#include "support/suite.h"
#include "unit/gen/specials/special_fixture.h"

#include "model/catalogue.h"
#include "store/store.h"

static special_fixture fixture;

static const char *const documents[] = {"overmap-generation-bn.txt",
                                        "overmap-generation-bn-korean.txt",
                                        "overmap-generation-dda.md"};
enum { DOCUMENTS = 3, EXAMPLES = 10 };

static void setup(void)
{
    fixture_open(&fixture);
}

static void teardown(void)
{
    fixture_close(&fixture);
}

/* ---- finding the examples ---- */

/* Past the end of the block that starts at `at`, or NULL if it never closes. */
static const char *block_end(const char *at)
{
    int depth = 0;
    bool quoted = false;
    for (; *at; at++) {
        if (quoted) {
            if (*at == '\\' && at[1])
                at++;
            else
                quoted = *at != '"';
        } else if (*at == '"') {
            quoted = true;
        } else if (*at == '[' || *at == '{') {
            depth++;
        } else if ((*at == ']' || *at == '}') && --depth == 0) {
            return at + 1;
        }
    }
    return NULL;
}

static bool is_example(const char *start, const char *end)
{
    static const char *const types[] = {"\"type\": \"overmap_", "\"type\": \"city_building\""};
    for (size_t i = 0; i < 2; i++) {
        const char *found = strstr(start, types[i]);
        if (found && found < end)
            return true;
    }
    return false;
}

/* The next example at or after `at`: start and end; false at the end of the text. Objects that
 * follow each other with commas between them are one example. */
static bool next_example(const char *at, const char **start, const char **end)
{
    for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *close = *at == '[' || *at == '{' ? block_end(at) : NULL;
        if (!close || !is_example(at, close))
            continue;
        *start = at;
        while (close && close[0] == ',' && close[1] == '\n' && close[2] == '{') {
            *end = close;
            close = block_end(close + 2);
        }
        *end = close ? close : *end;
        return true;
    }
    return false;
}

/* ---- the documents ---- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(text);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    ck_assert_uint_lt(size, (1 << 20) - 1);
    fclose(file);
    return text;
}

/* NULL if ../shared is not there, which is only said, except where CI must have it. */
static char *read_document(int index)
{
    const char *shared = getenv("PORTOLAN_SHARED"), *source = getenv("PORTOLAN_SOURCE_DIR");
    const char *ci = getenv("CI");
    char folder[1024], path[1200];
    struct stat info;
    if (shared)
        snprintf(folder, sizeof folder, "%s", shared);
    else
        snprintf(folder, sizeof folder, "%s/../shared", source ? source : ".");
    snprintf(path, sizeof path, "%s/reference/documents/%s", folder, documents[index]);
    char *text = read_file(path);
    if (text)
        return text;
    bool needed = ci && strcmp(ci, "true") == 0 && stat(folder, &info) == 0;
    ck_assert_msg(!needed, "%s is missing", path);
    printf("SKIPPED: %s is not there\n", path);
    fflush(stdout);
    return NULL;
}

static void write_example(const char *start, const char *end)
{
    bytes text;
    bytes_init(&text);
    /* On lines of their own, so that a remark's line is easy to find. */
    bytes_put_text(&text, *start == '{' ? "[\n" : "");
    bytes_put(&text, start, (size_t)(end - start));
    bytes_put_text(&text, *start == '{' ? "\n]\n" : "\n");
    ck_assert(!text.failed);
    fixture_write(&fixture, (const char *)text.data, text.size);
    bytes_dispose(&text);
}

START_TEST(test_each_example)
{
    char *text = read_document(_i);
    const char *at = text, *start, *end;
    int count = 0;
    uint64_t specials = 0, mutables = 0, buildings = 0;
    while (text && next_example(at, &start, &end)) {
        write_example(start, end);
        fixture_import_file(&fixture, false);
        ck_assert_msg(fixture.status == PTL_OK, "%s, example %d:\n%.*s\n%s%s", documents[_i],
                      count, (int)(end - start), start, fixture_remarks(&fixture),
                      fixture.error.message);
        ck_assert_str_eq(fixture_remarks(&fixture), "");
        specials += fixture.report.specials;
        mutables += fixture.report.mutable_specials;
        buildings += fixture.report.city_buildings;
        fixture_close_store(&fixture);
        count++;
        at = end;
    }
    if (text) {
        ck_assert_int_eq(count, EXAMPLES);
        ck_assert_uint_eq(specials, 2);
        ck_assert_uint_eq(mutables, 1);
        ck_assert_uint_eq(buildings, 1);
    }
    free(text);
}
END_TEST

static void check_tables(int document)
{
    fixture_expect_rows(&fixture,
                        "SELECT id, kind, subtype, city_distance_min, city_distance_max,"
                        " city_sizes_min, city_sizes_max, occurrences_min, occurrences_max,"
                        " root FROM overmap_special ORDER BY id",
                        10,
                        "anthill|special|mutable|25|-|0|20|0|1|surface;"
                        "campground|special|fixed|10|-|3|12|0|5|-;"
                        "zoo|city_building|fixed|0|-|0|-|0|0|-");
    fixture_expect_rows(
        &fixture, "SELECT count(*), sum(x), sum(y) FROM special_omt WHERE special = 'zoo'", 3,
        "9|9|9");
    fixture_expect_rows(&fixture,
                        "SELECT x, y, connection, guessed, direction FROM special_connection",
                        5, "1|-1|local_road|0|0");
    fixture_expect_rows(
        &fixture, "SELECT count(*), count(DISTINCT piece) FROM special_piece_side", 2, "21|10");
    fixture_expect_rows(&fixture,
                        "SELECT phase, count(*) FROM special_phase_rule GROUP BY phase", 2,
                        "0|1;1|3;2|1;3|2;4|5");
    if (document == 2) /* the oldest one: no areas, no shared numbers */
        return;
    fixture_expect_rows(
        &fixture,
        "SELECT x0, y0, z0, x1, y1, z1 FROM special_check ORDER BY position DESC"
        " LIMIT 1",
        6, "-1|-1|-2|1|1|-2");
    fixture_expect_rows(&fixture, "SELECT name, kind, low, high, mean FROM special_shared", 5,
                        "size|range|1|3|-");
    fixture_expect_rows(&fixture,
                        "SELECT max_kind, max_low, max_mean, scale FROM special_phase_rule"
                        " WHERE phase = 1 ORDER BY position",
                        4, "fixed|10|-|size;poisson|-|2.5|size;fixed|5|-|size");
}

/* One letter for each side of a piece: its join's first, or '.'. */
static void side_letters(const cat_mutable *m, const cat_piece *p, char out[PTL_SIDES + 1])
{
    for (int side = 0; side < PTL_SIDES; side++) {
        int16_t join = p->sides[side].join;
        out[side] = join < 0 ? '.' : m->joins[join].id[0];
        ck_assert(p->sides[side].type == PTL_JOIN_MANDATORY);
        ck_assert(p->sides[side].alternative_count == 0);
        ck_assert(p->connections[side] == CAT_NONE);
    }
    out[PTL_SIDES] = '\0';
}

static void check_ant_pieces(const catalogue *cat, const cat_mutable *m)
{
    /* Sides N, E, S, W, above, below. */
    static const char *const pieces[][3] = {
        {"below_entrance", "ants_nesw", "tttts."}, {"corner", "ants_ne", "tt...."},
        {"crossroads", "ants_nesw", "tttt.."},     {"dead_end", "ants_end_south", "t....."},
        {"food", "ants_food", "t....."},           {"larvae", "ants_larvae", "t....."},
        {"queen", "ants_queen", "t....."},         {"straight_tunnel", "ants_ns", "t.t..."},
        {"surface", "anthill", ".....s"},          {"tee", "ants_nes", "ttt..."}};
    uint16_t land = catalogue_terrain(cat, "field"),
             rock = catalogue_terrain(cat, "empty_rock");
    ck_assert(land != CAT_NONE && rock != CAT_NONE);
    ck_assert_uint_eq(m->piece_count, sizeof pieces / sizeof *pieces);
    for (size_t i = 0; i < m->piece_count; i++) {
        const cat_piece *p = &m->pieces[i];
        char letters[PTL_SIDES + 1];
        side_letters(m, p, letters);
        ck_assert_str_eq(p->id, pieces[i][0]);
        ck_assert_str_eq(cat->oters[p->oters[0]].id, pieces[i][1]);
        ck_assert_str_eq(letters, pieces[i][2]);
        ck_assert_int_eq(cat_terrain_in(p->allows, land), i == m->root);
        ck_assert_int_eq(cat_terrain_in(p->allows, rock), i != m->root);
    }
    ck_assert_str_eq(m->pieces[m->root].id, "surface");
}

typedef struct ant_rule {
    size_t phase;
    const char *piece;
    int32_t weight;
    ptl_amount_kind kind;
    int32_t max, max_of_oldest;
    int16_t scale;
} ant_rule;

static void check_ant_rule(const cat_mutable *m, const cat_rule *r, const ant_rule *e, bool old)
{
    ck_assert_str_eq(m->pieces[r->pieces[0].piece].id, e->piece);
    ck_assert(r->piece_count == 1 && r->pieces[0].rotation == 0);
    ck_assert(r->pieces[0].x == 0 && r->pieces[0].y == 0 && r->pieces[0].z == 0);
    ck_assert_int_eq(r->weight, e->weight);
    ck_assert_int_eq(r->max.kind,
                     old && e->kind == PTL_AMOUNT_POISSON ? PTL_AMOUNT_FIXED : e->kind);
    ck_assert_int_eq(r->max.low, old ? e->max_of_oldest : e->max);
    ck_assert_int_eq(r->scale, old ? -1 : e->scale);
    ck_assert(r->join == -1 && r->z.kind == PTL_HEIGHT_ANY && !r->has_overmap && r->rotate);
    if (r->max.kind == PTL_AMOUNT_POISSON)
        ck_assert_double_eq(r->max.mean, 2.5);
}

static void check_ant_phases(const cat_mutable *m, bool old)
{
    static const ant_rule rules[] = {
        {0, "below_entrance", -1, PTL_AMOUNT_FIXED, 1, 1, -1},
        {1, "straight_tunnel", -1, PTL_AMOUNT_FIXED, 10, 20, 0},
        {1, "corner", -1, PTL_AMOUNT_POISSON, 0, 5, 0},
        {1, "tee", -1, PTL_AMOUNT_FIXED, 5, 10, 0},
        {2, "queen", -1, PTL_AMOUNT_FIXED, 1, 1, -1},
        {3, "food", -1, PTL_AMOUNT_FIXED, 5, 5, -1},
        {3, "larvae", -1, PTL_AMOUNT_FIXED, 5, 5, -1},
        {4, "dead_end", 2000, PTL_AMOUNT_UNLIMITED, 0, 0, -1},
        {4, "straight_tunnel", 100, PTL_AMOUNT_UNLIMITED, 0, 0, -1},
        {4, "corner", 100, PTL_AMOUNT_UNLIMITED, 0, 0, -1},
        {4, "tee", 10, PTL_AMOUNT_UNLIMITED, 0, 0, -1},
        {4, "crossroads", 1, PTL_AMOUNT_UNLIMITED, 0, 0, -1}};
    size_t count = 0;
    ck_assert_uint_eq(m->phase_count, 5);
    for (size_t i = 0; i < m->phase_count; i++)
        for (size_t k = 0; k < m->phases[i].rule_count; k++, count++) {
            ck_assert_uint_lt(count, sizeof rules / sizeof *rules);
            ck_assert_uint_eq(rules[count].phase, i);
            check_ant_rule(m, &m->phases[i].rules[k], &rules[count], old);
        }
    ck_assert_uint_eq(count, sizeof rules / sizeof *rules);
    ck_assert_uint_eq(m->shared_count, old ? 0 : 1);
    if (!old)
        ck_assert(m->shared[0].kind == PTL_AMOUNT_RANGE && m->shared[0].low == 1 &&
                  m->shared[0].high == 3);
}

static void check_anthill(const catalogue *cat, bool old)
{
    uint16_t at = catalogue_special(cat, "anthill");
    ck_assert_uint_ne(at, CAT_NONE);
    const cat_special *s = &cat->specials[at];
    const cat_mutable *m = s->layout;
    uint16_t rock = catalogue_terrain(cat, "empty_rock");
    ck_assert(m && s->omt_count == 0 && !s->building && s->rotate && s->flags == 0);
    ck_assert(s->occurrences_min == 0 && s->occurrences_max == 1 && s->priority == 0);
    ck_assert(s->city_distance.min == 25 && s->city_distance.max == PTL_UNBOUNDED);
    ck_assert(s->city_sizes.min == 0 && s->city_sizes.max == 20);
    ck_assert(!s->spawns.group && s->link_count == 0 && s->nested_count == 0);
    /* The order gives the priority; each is its own opposite and leads into rock. */
    ck_assert_uint_eq(m->join_count, 2);
    ck_assert_str_eq(m->joins[0].id, "surface_to_tunnel");
    for (uint16_t i = 0; i < 2; i++)
        ck_assert(m->joins[i].opposite == i && cat_terrain_in(m->joins[i].into, rock));
    check_ant_pieces(cat, m);
    check_ant_phases(m, old);
    ck_assert_uint_eq(s->check_count, old ? 6 : 7);
    for (size_t i = 0; i < s->check_count; i++) {
        const cat_check *c = &s->checks[i];
        ck_assert(c->z0 == (i == 0 ? 0 : i < 6 ? -1 : -2) && c->z1 == c->z0);
        ck_assert(c->x1 - c->x0 == (i < 6 ? 0 : 2) && c->y1 - c->y0 == (i < 6 ? 0 : 2));
        ck_assert_int_eq(cat_terrain_in(c->allows, rock), i > 0);
    }
}

/* What generation sees of them. */
static void check_catalogue(bool old)
{
    catalogue *cat = NULL;
    ck_assert_msg(ops(fixture.store)->content->load(&cat, fixture.store, &fixture.error) ==
                      PTL_OK,
                  "%s", fixture.error.message);
    uint16_t zoo = catalogue_special(cat, "zoo"), camp = catalogue_special(cat, "campground");
    ck_assert(zoo != CAT_NONE && camp != CAT_NONE);
    check_anthill(cat, old);
    ck_assert(cat->specials[zoo].building && !cat->specials[camp].building);
    ck_assert_uint_eq(cat->specials[zoo].omt_count, 9);
    ck_assert_int_eq(cat->specials[zoo].x1 - cat->specials[zoo].x0, 2);
    ck_assert_int_eq(cat->specials[zoo].y1 - cat->specials[zoo].y0, 2);
    for (size_t i = 0; i < 9; i++) {
        const ptl_oter *oters = cat->specials[zoo].omts[i].oters;
        for (int turn = 0; turn < 4; turn++)
            ck_assert_int_eq(cat->oters[oters[turn]].rotation,
                             (cat->oters[oters[0]].rotation + turn) % 4);
    }
    uint16_t road = catalogue_connection(cat, "local_road");
    ck_assert_uint_ne(road, CAT_NONE);
    ck_assert_uint_ge(cat->connections[road].subtype_count, 1);
    catalogue_free(cat);
}

/* All of a document's examples in one file: what they say is in the tables. */
START_TEST(test_tables)
{
    char *text = read_document(_i);
    const char *at = text, *start, *end;
    bytes all;
    bytes_init(&all);
    bytes_put_text(&all, "[\n");
    while (text && next_example(at, &start, &end)) {
        bool list = *start == '[';
        bytes_put_text(&all, all.size > 2 ? ",\n" : "");
        bytes_put(&all, start + list, (size_t)(end - start) - 2 * list);
        at = end;
    }
    bytes_put_text(&all, "\n]\n");
    ck_assert(!all.failed);
    if (text) {
        fixture_write(&fixture, (const char *)all.data, all.size);
        fixture_import_file(&fixture, false);
        ck_assert_msg(fixture.status == PTL_OK, "%s%s", fixture_remarks(&fixture),
                      fixture.error.message);
        check_tables(_i);
        check_catalogue(_i == 2);
    }
    bytes_dispose(&all);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("documents");
    TCase *examples = tcase_create("examples");
    tcase_add_checked_fixture(examples, setup, teardown);
    tcase_add_loop_test(examples, test_each_example, 0, DOCUMENTS);
    tcase_add_loop_test(examples, test_tables, 0, DOCUMENTS);
    suite_add_tcase(suite, examples);
    return suite_run(suite);
}
