/*
 * Relations: what is said of wrong ones, which texts mean the same, and random relations over
 * random overmaps against a plain evaluation that compares every cell with every cell.
 */
#include "analysis/search/relation.h"
#include "core/hash.h"
#include "support/content_catalogue.h"
#include "support/suite.h"
#include "unit/analysis/relation_scene.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static catalogue *cat;

static void setup(void)
{
    cat = content_catalogue(NULL, false);
}

static void teardown(void)
{
    catalogue_free(cat);
}

/* ---- texts ---- */

typedef struct mistake {
    const char *text;
    size_t column;
    const char *message; /* a part of it */
} mistake;

static const mistake mistakes[] = {
    {"", 0, "expected a thing; the text ends here"},
    {"anthil within 3 of city", 0, "did you mean anthill?"},
    {"anthillery", 0, "did you mean anthill?"},
    {"no_such_thing_at_all", 0, "the content has no special"},
    {"xyz*", 0, "the content has no special 'xyz*'"},
    {"anthill within 10 of citty", 21, "the content has no special 'citty'"},
    {"anthill within city", 15, "expected a distance in OMTs, found 'city'"},
    {"anthill within -1 of city", 15, "-1 is not in 0..1000000"},
    {"anthill within 10 city", 18, "expected 'of' and a thing, found 'city'"},
    {"anthill within 10 of", 20, "expected a thing; the text ends here"},
    {"anthill within 10 of city and", 29, "expected a condition"},
    {"anthill within 10 of city near lake", 26, "expected 'and', 'or', another condition"},
    {"anthill no city", 15, "expected 'within N of it', 'beside it' or 'anywhere'"},
    {"anthill no city within 5 of", 27, "expected a thing; the text ends here"},
    {"anthill no city within 5 of lake", 32, "expected 'within N of it'"},
    {"anthill at least two city within 5", 17, "expected a number, found 'two'"},
    {"anthill at z 11", 13, "11 is not in -10..10"},
    {"anthill at 5", 11, "expected 'least' or 'most', found '5'"},
    {"anthill (beside lake", 20, "expected ')'; the text ends here"},
    {"anthill beside 'lake", 15, "the quotation mark is not closed"},
    {"anthill beside cottage", 15, "it is a city building; write building cottage"},
    {"anthill beside forest_water", 15, "it is a terrain; write terrain forest_water"},
    {"terrain forest_watr", 8, "did you mean forest_water?"},
    {"building cotage", 9, "did you mean cottage?"},
    {"building", 8, "expected the id of a building; the text ends here"},
    {"city size >= large", 13, "expected a number, found 'large'"},
    {"city size 8 or lake", 12, "expected a condition"},
    {"city city", 5, "expected a condition"},
    {"anthill,", 8, "expected a condition"},
    {"anthill \xc3\xa9", 8, "expected a condition"},
};

START_TEST(wrong_texts)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const mistake *m = &mistakes[i];
        relation *r;
        ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
        ptl_error err = {0};
        const ptl_status status = relation_parse(&r, m->text, cat, &fault, &err);
        ck_assert_msg(status == PTL_ERR_ARGUMENT && !r, "'%s' was taken", m->text);
        ck_assert_msg(fault.column == m->column && strstr(fault.message, m->message) != NULL,
                      "'%s': column %zu: %s", m->text, fault.column, fault.message);
    }
}
END_TEST

START_TEST(deep_and_long_texts)
{
    enum { MANY = 20000 };
    char *text = malloc(MANY * 8 + 100);
    relation *r;
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
    static const char *const parts[] = {
        "(", "not ", "within 1 of (city ", "no (city ", "within 1 of city ", "at z 0 "};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t at = (size_t)sprintf(text, "city ");
        while (at + strlen(parts[i]) < MANY * 8)
            at += (size_t)sprintf(text + at, "%s", parts[i]);
        const ptl_status status = relation_parse(&r, text, cat, &fault, NULL);
        ck_assert_int_eq(status, i == 5 ? PTL_OK : PTL_ERR_ARGUMENT);
        relation_free(r);
    }
    free(text);
}
END_TEST

/* Any text gives a relation or a fault inside of it. */
START_TEST(random_texts)
{
    static const char *const words[] = {
        "anthill", "city", "within", "beside", "no",   "at",   "least", "z",  "(",       ")",
        "and",     "or",   "not",    ",",      "10",   "-2",   "of",    "it", "size",    ">=",
        "lake",    "a",    "more",   "with",   "'h*'", "h?a*", "road",  "<",  "exactly", "\""};
    size_t bad = 0, good = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        char text[200] = "";
        rng draw = rng_from_key(seed);
        const uint32_t count = 1 + rng_below(&draw, 12);
        for (uint32_t i = 0; i < count; i++) {
            strcat(text, words[i == 0 ? rng_below(&draw, 2)
                                      : rng_below(&draw, sizeof words / sizeof words[0])]);
            strcat(text, " ");
        }
        relation *r;
        ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
        const ptl_status status = relation_parse(&r, text, cat, &fault, NULL);
        good += status == PTL_OK;
        bad += status == PTL_OK ? r == NULL
                                : status != PTL_ERR_ARGUMENT || r || !fault.message[0] ||
                                      fault.column > strlen(text);
        relation_free(r);
    }
    ck_assert_uint_eq(bad, 0);
    ck_assert_uint_gt(good, 200);
}
END_TEST

/* ---- random relations, and what they mean ---- */

enum { NODES_MAX = 64 };

typedef struct node {
    char what; /* & | ! z n */
    int left, right;
    int thing, distance, min, max; /* n; distance -1: beside, -2: anywhere; z: min..max */
} node;

typedef struct thing {
    int kind, size_min, size_max, condition; /* condition -1: none */
    bool known, out[INSTANCES_MAX];
} thing;

typedef struct model {
    node nodes[NODES_MAX];
    thing things[NODES_MAX];
    int node_count, thing_count;
} model;

static int random_condition(model *m, rng *draw, int depth);

static int random_thing(model *m, rng *draw, int depth)
{
    const int i = m->thing_count++;
    thing *t = &m->things[i];
    t->kind = (int)rng_below(draw, KINDS);
    t->size_min = 0;
    t->size_max = 1000;
    t->known = false;
    if (t->kind == CITY && rng_below(draw, 2))
        t->size_min = 1 + (int)rng_below(draw, 5);
    t->condition = -1;
    if (depth > 0 && (i == 0 || rng_below(draw, 3) == 0))
        t->condition = random_condition(m, draw, depth - 1);
    return i;
}

static int random_condition(model *m, rng *draw, int depth)
{
    const int i = m->node_count++;
    const uint32_t pick = rng_below(draw, depth > 0 ? 8 : 3);
    node n = {.what = 'n', .left = -1, .right = -1, .min = 1, .max = 1000000000};
    if (pick >= 6 || pick == 5) {
        n.what = pick == 5 ? '!' : pick == 6 ? '&' : '|';
        n.left = random_condition(m, draw, depth - 1);
        n.right = pick == 5 ? -1 : random_condition(m, draw, depth - 1);
    } else if (pick == 0 && rng_below(draw, 3) == 0) {
        n.what = 'z';
        n.min = -2;
        n.max = -(int)rng_below(draw, 3);
    } else {
        const uint32_t how = rng_below(draw, 4);
        n.distance = how == 0 ? -1 : (int)rng_below(draw, how == 1 ? 3 : 14);
        if (rng_below(draw, 12) == 0)
            n.distance = -2;
        if (rng_below(draw, 2)) {
            n.min = (int)rng_below(draw, 4);
            n.max = rng_below(draw, 2) ? n.min : 1000000000;
        } else if (rng_below(draw, 3) == 0) {
            n.min = n.max = 0;
        }
        n.thing = random_thing(m, draw, depth);
    }
    m->nodes[i] = n;
    return i;
}

static void print_condition(const model *m, int i, char *out);

static void print_thing(const model *m, int i, char *out)
{
    const thing *t = &m->things[i];
    strcat(out, scene_kinds[t->kind]);
    if (t->size_min > 0)
        sprintf(out + strlen(out), " size >= %d", t->size_min);
    if (t->condition >= 0) {
        strcat(out, " ");
        print_condition(m, t->condition, out);
    }
}

static void print_near(const model *m, const node *n, char *out)
{
    const bool many = n->max >= 1000000000;
    if (n->max == 0)
        strcat(out, "no (");
    else if (n->min == 1 && many && n->distance != -2)
        sprintf(out + strlen(out), n->distance < 0 ? "beside (" : "within %d of (",
                n->distance);
    else
        sprintf(out + strlen(out), many ? "at least %d (" : "exactly %d (", n->min);
    print_thing(m, n->thing, out);
    strcat(out, ")");
    if (n->max != 0 && n->min == 1 && many && n->distance != -2)
        return;
    if (n->distance == -2)
        strcat(out, " anywhere");
    else if (n->distance == -1)
        strcat(out, " beside it");
    else
        sprintf(out + strlen(out), " within %d of it", n->distance);
}

static void print_condition(const model *m, int i, char *out)
{
    const node *n = &m->nodes[i];
    if (n->what == 'z') {
        sprintf(out + strlen(out), "(at z >= %d and at z <= %d)", n->min, n->max);
    } else if (n->what == 'n') {
        print_near(m, n, out);
    } else if (n->what == '!') {
        strcat(out, "not (");
        print_condition(m, n->left, out);
        strcat(out, ")");
    } else {
        strcat(out, "(");
        print_condition(m, n->left, out);
        strcat(out, n->what == '&' ? " and " : " or ");
        print_condition(m, n->right, out);
        strcat(out, ")");
    }
}

static bool cells_near(const cell *a, const cell *b, int32_t reach, bool beside)
{
    const int64_t dx = a->x - b->x, dy = a->y - b->y;
    return dx * dx + dy * dy <= (int64_t)reach * reach && (!beside || a->z == b->z);
}

static bool near(const scene *s, const instance *a, const instance *b, int distance)
{
    const bool beside = distance == -1;
    const int32_t reach = (beside ? 1 : distance) + a->radius + b->radius;
    const cell at_a = {a->x, a->y, a->z}, at_b = {b->x, b->y, b->z};
    const bool all_a = beside || a->area, all_b = beside || b->area;
    const cell *from = all_a ? s->cells + a->first : &at_a;
    const cell *to = all_b ? s->cells + b->first : &at_b;
    for (size_t i = 0; i < (all_a ? a->count : 1); i++)
        for (size_t j = 0; j < (all_b ? b->count : 1); j++)
            if (cells_near(&from[i], &to[j], reach, beside))
                return true;
    return false;
}

static bool of_thing(const thing *t, const instance *n)
{
    return n->kind == t->kind &&
           (t->kind != CITY || (n->radius >= t->size_min && n->radius <= t->size_max));
}

static void know(model *m, const scene *s, int i);

static bool means(model *m, const scene *s, int i, size_t at)
{
    const node *n = &m->nodes[i];
    const instance *a = &s->list[at];
    if (n->what == '&')
        return means(m, s, n->left, at) && means(m, s, n->right, at);
    if (n->what == '|')
        return means(m, s, n->left, at) || means(m, s, n->right, at);
    if (n->what == '!')
        return !means(m, s, n->left, at);
    if (n->what == 'z')
        return a->z >= n->min && a->z <= n->max;
    know(m, s, n->thing);
    const thing *t = &m->things[n->thing];
    int count = 0;
    for (size_t j = 0; j < s->count; j++)
        count += j != at && !t->out[j] &&
                 (n->distance == -2 || near(s, a, &s->list[j], n->distance));
    return count >= n->min && count <= n->max;
}

static void know(model *m, const scene *s, int i)
{
    thing *t = &m->things[i];
    if (t->known)
        return;
    t->known = true;
    for (size_t j = 0; j < s->count; j++)
        t->out[j] =
            !of_thing(t, &s->list[j]) || (t->condition >= 0 && !means(m, s, t->condition, j));
}

static int compare_instances(const void *left, const void *right)
{
    const instance *a = *(const instance *const *)left, *b = *(const instance *const *)right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->z < b->z ? -1 : a->z > b->z;
}

/* Do the matches agree? *found is their number. */
static bool agrees(finder *f, scene *s, model *m, size_t *found)
{
    static const instance *wanted[INSTANCES_MAX];
    const relation_match *got;
    size_t count = 0;
    for (int i = 0; i < 4; i++)
        if (finder_add(f, s->chunks[i], &s->features[i], NULL) != PTL_OK)
            return false;
    if (finder_find(f, &got, found, NULL) != PTL_OK)
        return false;
    know(m, s, 0);
    for (size_t j = 0; j < s->count; j++)
        if (!m->things[0].out[j])
            wanted[count++] = &s->list[j];
    qsort(wanted, count, sizeof *wanted, compare_instances);
    bool same = count == *found;
    for (size_t i = 0; i < count && same; i++)
        same = got[i].x == wanted[i]->x && got[i].y == wanted[i]->y && got[i].z == wanted[i]->z;
    return same;
}

/* PORTOLAN_SOAK_SEEDS raises the count. */
static uint64_t how_many(uint64_t usual)
{
    const char *text = getenv("PORTOLAN_SOAK_SEEDS");
    if (text)
        return strtoull(text, NULL, 10);
    return getenv("PORTOLAN_QUICK") ? usual / 5 : usual;
}

START_TEST(random_relations)
{
    static model m;
    size_t wrong = 0, some = 0, most = 0;
    char first[9000] = "", text[9000];
    const uint64_t count = how_many(600);
    scene *s = NULL;
    for (uint64_t seed = 0; seed < count; seed++) {
        rng draw = rng_from_key(hash_add(seed, 77));
        relation *r;
        ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
        size_t found = 0;
        if (seed % 10 == 0) {
            if (s)
                scene_free(s);
            s = scene_new(cat, seed);
        }
        m.node_count = m.thing_count = 0;
        random_thing(&m, &draw, 3);
        text[0] = '\0';
        print_thing(&m, 0, text);
        const bool good = relation_parse(&r, text, cat, &fault, NULL) == PTL_OK;
        finder *f = good ? finder_new(r) : NULL;
        if (!f || !agrees(f, s, &m, &found)) {
            wrong++;
            if (!first[0])
                snprintf(first, sizeof first, "seed %d, %s: %.3000s", (int)seed,
                         good ? "otherwise" : fault.message, text);
        }
        some += found > 0;
        most += found > 20;
        finder_free(f);
        relation_free(r);
    }
    scene_free(s);
    ck_assert_msg(wrong == 0, "%zu wrong: %s", wrong, first);
    if (count >= 50) /* of a few one can't tell */
        ck_assert_msg(some > count / 5 && some < count && most > count / 50,
                      "%zu of %d found something, %zu much", some, (int)count, most);
}
END_TEST

/* ---- the same in other words ---- */

typedef struct pair {
    const char *a, *b;
} pair;

static const pair same[] = {
    {"anthill within 10 of city size >= 3 beside lake and no h* within 4",
     "anthill (within 10 of (city size >= 3 (beside lake))) and (no (special h*) within 4 of "
     "it)"},
    {"an anthill within 10 of a city of size 3 or more beside a lake, with no h* within 4",
     "anthill (within 10 of (city size >= 3 (beside lake))) and (no (special h*) within 4 of "
     "it)"},
    {"anthill beside lake or beside river and within 3 of road",
     "anthill (beside lake) or ((beside river) and (within 3 of road))"},
    {"ANTHILL WITHIN 3 OF CITY", "anthill within 3 of city"},
    {"'hunting_stand' within 5 of road", "Hunting?Stand within 5 of the roads"},
    {"heather not beside road", "heather no road beside it"},
    {"heather with a road within 2, but without river within 3",
     "heather at least 1 road within 2 and not within 3 of river"},
    {"heather 2 or more roads within 4", "heather > 1 road within 4 of it"},
    {"heather 2 or fewer roads within 4", "heather < 3 road within 4"},
    {"heather with at most 2 roads within 4, or beside lake",
     "heather (<= 2 road within 4 of it or beside lake)"},
    {"heather exactly 2 road within 4", "heather = 2 road within 4 and 2 road within 4"},
    {"city size 3 or less", "city size < 4"},
    {"city no road within 3 of river within 5",
     "city no (road (within 3 of (river))) within 5"},
    {"city no lake with no road within 3 within 5",
     "city no (lake (not (within 3 of road))) within 5 of it"},
    {"terrain forest_water at z -2", "terrain forest_water at level <= -1"},
    {"lake no anthill anywhere", "lake not within 1000 of anthill"},
};

static size_t matches_of(const char *text, scene *s, relation_match *out, size_t room)
{
    relation *r;
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
    const relation_match *list;
    size_t count;
    ck_assert_msg(relation_parse(&r, text, cat, &fault, NULL) == PTL_OK, "%s: %s", text,
                  fault.message);
    finder *f = finder_new(r);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(finder_add(f, s->chunks[i], &s->features[i], NULL), PTL_OK);
    ck_assert_int_eq(finder_find(f, &list, &count, NULL), PTL_OK);
    ck_assert_uint_le(count, room);
    if (count > 0)
        memcpy(out, list, count * sizeof *out);
    finder_free(f);
    relation_free(r);
    return count;
}

START_TEST(same_meaning)
{
    static relation_match a[INSTANCES_MAX], b[INSTANCES_MAX];
    enum { PAIRS = sizeof same / sizeof same[0] };
    size_t found[PAIRS] = {0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        scene *s = scene_new(cat, 1000 + seed);
        for (size_t i = 0; i < PAIRS; i++) {
            const size_t count = matches_of(same[i].a, s, a, INSTANCES_MAX);
            const size_t other = matches_of(same[i].b, s, b, INSTANCES_MAX);
            ck_assert_msg(count == other, "%s: %zu, %zu", same[i].a, count, other);
            bool equal = true;
            for (size_t j = 0; j < count; j++)
                equal = equal && a[j].x == b[j].x && a[j].y == b[j].y && a[j].z == b[j].z;
            ck_assert_msg(equal, "%s", same[i].a);
            found[i] += count;
        }
        scene_free(s);
    }
    for (size_t i = 0; i < PAIRS; i++)
        ck_assert_msg(found[i] > 0, "%s: nothing found", same[i].a);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("relation");
    TCase *texts = tcase_create("texts"), *meaning = tcase_create("meaning");
    tcase_add_unchecked_fixture(texts, setup, teardown);
    tcase_add_test(texts, wrong_texts);
    tcase_add_test(texts, deep_and_long_texts);
    tcase_add_test(texts, random_texts);
    tcase_add_unchecked_fixture(meaning, setup, teardown);
    tcase_set_timeout(meaning, getenv("PORTOLAN_SOAK_SEEDS") ? 1000 : 4);
    tcase_add_test(meaning, random_relations);
    tcase_add_test(meaning, same_meaning);
    suite_add_tcase(suite, texts);
    suite_add_tcase(suite, meaning);
    return suite_run(suite);
}
