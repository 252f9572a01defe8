/* The parser of relations, by recursive descent; relation_grammar has the grammar. */
#include "analysis/search/relation_impl.h"
#include "core/error.h"

#include <stdlib.h>

const char relation_grammar[] =
    "  relation = thing [ any ]\n"
    "  any      = all { \"or\" all }\n"
    "  all      = tests { ( \"and\" | \"but\" | \",\" ) tests }\n"
    "  tests    = test { test }\n"
    "  test     = \"within\" N \"of\" object\n"
    "           | \"beside\" object\n"
    "           | counted ( \"within\" N [ \"of it\" ] | \"beside it\" | \"anywhere\" )\n"
    "           | \"at z\" number\n"
    "           | \"not\" test\n"
    "           | \"(\" any \")\"\n"
    "  counted  = \"no\" object | number object | \"with\" [ \"no\" | number ] object\n"
    "  object   = thing [ tests ] | \"(\" thing [ any ] \")\"\n"
    "  thing    = ID | \"special\" ID | \"building\" ID | \"terrain\" ID\n"
    "           | \"road\" | \"river\" | \"lake\" | \"city\" [ \"size\" number ]\n"
    "  number   = [ \">=\" | \"<=\" | \">\" | \"<\" | \"=\" ] N\n"
    "           | ( \"at least\" | \"at most\" | \"exactly\" ) N\n"
    "           | N ( \"or more\" | \"or less\" )\n";

typedef struct parser {
    rel_text t;
    relation *r;
    int32_t depth;
    int32_t counting; /* depth of counted things whose distance has not come yet */
    bool no_memory;
} parser;

static const rel_condition *parse_any(parser *p);
static const rel_condition *parse_tests(parser *p);
static rel_thing *parse_object(parser *p);

static bool is(const parser *p, const char *word)
{
    return rel_text_is(&p->t, word);
}

static bool is_one_of(const parser *p, const rel_token *token, const char *const *words)
{
    for (; *words; words++)
        if (rel_token_is(&p->t, token, *words))
            return true;
    return false;
}

static bool skip(parser *p, const char *word)
{
    return is(p, word) && rel_text_next(&p->t);
}

/* Skips two words, which have been checked. */
static bool skip_two(parser *p)
{
    const bool good = rel_text_next(&p->t);
    return good && rel_text_next(&p->t);
}

static bool skip_any(parser *p, const char *const *words)
{
    return is_one_of(p, &p->t.token, words) && rel_text_next(&p->t);
}

static bool expect(parser *p, const char *word, const char *what)
{
    return is(p, word) ? rel_text_next(&p->t) : rel_text_expected(&p->t, what);
}

static void skip_articles(parser *p)
{
    static const char *const articles[] = {"a", "an", "the", "any", NULL};
    while (skip_any(p, articles))
        ;
}

static const rel_condition *condition(parser *p, rel_condition value)
{
    rel_condition *c = arena_alloc(p->r->memory, sizeof *c);
    if (c)
        *c = value;
    p->no_memory = p->no_memory || !c;
    return c;
}

static const rel_condition *combined(parser *p, rel_test test, const rel_condition *left,
                                     const rel_condition *right)
{
    if (!left || !right)
        return NULL;
    return condition(p, (rel_condition){.test = test, .left = left, .right = right});
}

/* ---- numbers ---- */

static bool parse_whole(parser *p, int64_t lo, int64_t hi, int32_t *out, const char *what)
{
    const rel_token k = p->t.token;
    if (k.kind != REL_NUMBER)
        return rel_text_expected(&p->t, what);
    if (k.number < lo || k.number > hi)
        return rel_text_fault(&p->t, k.column, "%lld is not in %lld..%lld", (long long)k.number,
                              (long long)lo, (long long)hi);
    *out = (int32_t)k.number;
    return rel_text_next(&p->t);
}

/* Reads "or more" and the like after a number; any other `or` is left to the conditions. */
static bool parse_or_more(parser *p, int32_t lo, int32_t hi, int32_t *min, int32_t *max)
{
    static const char *const more[] = {"more", "larger", "bigger", "higher", "above", NULL};
    static const char *const less[] = {"less", "fewer", "smaller", "lower", "below", NULL};
    const rel_token next = rel_text_peek(&p->t);
    if (!is(p, "or"))
        return true;
    if (is_one_of(p, &next, more))
        *max = hi;
    else if (is_one_of(p, &next, less))
        *min = lo;
    else
        return true;
    return skip_two(p);
}

/* Reads a number of the grammar as a range inside lo .. hi. */
static bool parse_number(parser *p, int32_t lo, int32_t hi, int32_t *min, int32_t *max)
{
    enum { EQUAL, LEAST, MOST, OVER, UNDER } how = EQUAL;
    bool said = true;
    int32_t n = 0;
    if (skip(p, ">="))
        how = LEAST;
    else if (skip(p, "<="))
        how = MOST;
    else if (skip(p, ">"))
        how = OVER;
    else if (skip(p, "<"))
        how = UNDER;
    else if (!skip(p, "at"))
        said = skip(p, "=") || skip(p, "exactly");
    else if (is(p, "least") || is(p, "most"))
        how = skip(p, "least") ? LEAST : rel_text_next(&p->t) ? MOST : UNDER;
    else
        return rel_text_expected(&p->t, "'least' or 'most'");
    if (!parse_whole(p, lo, hi, &n, "a number"))
        return false;
    *min = how == MOST || how == UNDER ? lo : how == OVER ? n + 1 : n;
    *max = how == LEAST || how == OVER ? hi : how == UNDER ? n - 1 : n;
    return said || parse_or_more(p, lo, hi, min, max);
}

/* ---- things ---- */

static rel_thing *new_thing(parser *p, rel_kind kind)
{
    if (p->r->thing_count == REL_THINGS_MAX) {
        rel_text_fault(&p->t, p->t.token.column, "more than %d things", REL_THINGS_MAX);
        return NULL;
    }
    rel_thing *thing = arena_alloc(p->r->memory, sizeof *thing);
    p->no_memory = p->no_memory || !thing;
    if (!thing)
        return NULL;
    *thing = (rel_thing){
        .kind = kind, .index = p->r->thing_count, .size_min = 0, .size_max = INT16_MAX};
    p->r->things[p->r->thing_count++] = thing;
    return thing;
}

static bool parse_size(parser *p, rel_thing *city)
{
    const rel_token next = rel_text_peek(&p->t);
    if (is(p, "of") && rel_token_is(&p->t, &next, "size") && !rel_text_next(&p->t))
        return false;
    if (!is(p, "size"))
        return true;
    return rel_text_next(&p->t) &&
           parse_number(p, 0, INT16_MAX, &city->size_min, &city->size_max);
}

typedef struct kind_word {
    const char *word, *plural;
    rel_kind kind;
    uint32_t flags; /* of the terrains that the kind is made of */
} kind_word;

static const kind_word kind_words[] = {
    {"city", "cities", REL_CITY, 0},
    {"road", "roads", REL_ROAD, CAT_FLAG_ROAD},
    {"river", "rivers", REL_RIVER, CAT_FLAG_RIVER},
    {"lake", "lakes", REL_LAKE, REL_LAKE_FLAGS},
    {"special", "specials", REL_SPECIAL, 0},
    {"building", "buildings", REL_BUILDING, 0},
    {"terrain", "terrains", REL_TERRAIN, 0},
};

/* Returns the kind that the next word names; NULL if the word is an id. */
static const kind_word *find_kind(const parser *p)
{
    for (size_t i = 0; i < sizeof kind_words / sizeof kind_words[0]; i++)
        if (is(p, kind_words[i].word) || is(p, kind_words[i].plural))
            return &kind_words[i];
    return NULL;
}

static bool parse_id(parser *p, rel_thing *thing)
{
    static const char *const reserved[] = {"within", "of",   "it", "beside", "and",
                                           "or",     "with", "no", "not",    NULL};
    const rel_token k = p->t.token;
    if (k.kind == REL_END || k.kind == REL_SIGN || is_one_of(p, &k, reserved))
        return rel_text_expected(&p->t, thing->kind == REL_TERRAIN    ? "the id of a terrain"
                                        : thing->kind == REL_BUILDING ? "the id of a building"
                                                                      : "a thing");
    return rel_find_ids(&thing->ids, p->r, &p->t, &k, thing->kind, &p->no_memory) &&
           rel_text_next(&p->t);
}

static rel_thing *parse_thing(parser *p)
{
    skip_articles(p);
    const kind_word *word = find_kind(p);
    rel_thing *thing = new_thing(p, word ? word->kind : REL_SPECIAL);
    if (!thing || (word && !rel_text_next(&p->t)))
        return NULL;
    if (thing->kind == REL_CITY)
        return parse_size(p, thing) ? thing : NULL;
    if (word && word->flags) {
        thing->ids = rel_find_flags(p->r, word->flags);
        p->no_memory = p->no_memory || !thing->ids;
        return thing->ids ? thing : NULL;
    }
    return parse_id(p, thing) ? thing : NULL;
}

/* ---- tests ---- */

/* Do the next words tell how near a thing that is being counted must be? Then they are no
 * test on the thing before them: "no lab within 40" counts labs, but "no lab within 40 of a
 * road within 60 of it" has a test on the lab first. */
static bool ends_count(const parser *p)
{
    ptl_search_fault ignored = PTL_SEARCH_FAULT_INIT;
    rel_text t = p->t;
    t.fault = &ignored;
    if (p->counting == 0)
        return false;
    if (rel_text_is(&t, "anywhere"))
        return true;
    const bool within = rel_text_is(&t, "within");
    if (!within && !rel_text_is(&t, "beside"))
        return false;
    if (!rel_text_next(&t) || (within && !rel_text_next(&t)))
        return false;
    if (within && !rel_text_is(&t, "of"))
        return true;
    return (!within || rel_text_next(&t)) && rel_text_is(&t, "it");
}

static bool begins_test(const parser *p)
{
    static const char *const words[] = {
        "within", "beside", "no", "without", "with", "at", "not", "exactly",
        "(",      ">=",     "<=", ">",       "<",    "=",  NULL};
    return (is_one_of(p, &p->t.token, words) || p->t.token.kind == REL_NUMBER) &&
           !ends_count(p);
}

/* Reads how near the counted things must be. */
static bool parse_reach(parser *p, rel_condition *c)
{
    if (skip(p, "anywhere")) {
        c->distance = REL_ANYWHERE;
        return true;
    }
    if (skip(p, "beside")) {
        c->distance = REL_BESIDE;
        return expect(p, "it", "'it'");
    }
    if (!expect(p, "within", "'within N of it', 'beside it' or 'anywhere'") ||
        !parse_whole(p, 0, REL_DISTANCE_MAX, &c->distance, "a distance in OMTs"))
        return false;
    return !skip(p, "of") || expect(p, "it", "'it'");
}

static const rel_condition *parse_count(parser *p)
{
    rel_condition c = {.test = REL_NEAR, .min = 1, .max = REL_COUNT_MAX};
    if (skip(p, "no") || skip(p, "without"))
        c.min = c.max = 0;
    else if (begins_test(p) && !parse_number(p, 0, REL_COUNT_MAX, &c.min, &c.max))
        return NULL;
    p->counting++;
    c.thing = parse_object(p);
    p->counting--;
    return c.thing && parse_reach(p, &c) ? condition(p, c) : NULL;
}

static const rel_condition *parse_near(parser *p, bool beside)
{
    rel_condition c = {
        .test = REL_NEAR, .min = 1, .max = REL_COUNT_MAX, .distance = REL_BESIDE};
    if (!beside && (!parse_whole(p, 0, REL_DISTANCE_MAX, &c.distance, "a distance in OMTs") ||
                    !expect(p, "of", "'of' and a thing")))
        return NULL;
    c.thing = parse_object(p);
    return c.thing ? condition(p, c) : NULL;
}

static const rel_condition *parse_group(parser *p)
{
    const int32_t counting = p->counting;
    p->counting = 0;
    const rel_condition *c = parse_any(p);
    p->counting = counting;
    return c && expect(p, ")", "')'") ? c : NULL;
}

static const rel_condition *parse_level(parser *p)
{
    rel_condition c = {.test = REL_LEVEL};
    return parse_number(p, PTL_Z_MIN, PTL_Z_MAX, &c.min, &c.max) ? condition(p, c) : NULL;
}

static const rel_condition *parse_not(parser *p);

static const rel_condition *parse_test(parser *p)
{
    const rel_token next = rel_text_peek(&p->t);
    const bool height = rel_token_is(&p->t, &next, "z") || rel_token_is(&p->t, &next, "level");
    if (skip(p, "with"))
        return is(p, "(") && skip(p, "(") ? parse_group(p) : parse_count(p);
    if (skip(p, "within"))
        return parse_near(p, false);
    if (skip(p, "beside"))
        return parse_near(p, true);
    if (skip(p, "not"))
        return parse_not(p);
    if (skip(p, "("))
        return parse_group(p);
    if (is(p, "at") && height)
        return skip_two(p) ? parse_level(p) : NULL;
    if (begins_test(p))
        return parse_count(p);
    rel_text_expected(&p->t, "a condition (within, beside, no, at least N, at z, not)");
    return NULL;
}

static const rel_condition *parse_not(parser *p)
{
    if (++p->depth > REL_DEPTH_MAX) {
        rel_text_fault(&p->t, p->t.token.column, "nested too deeply");
        return NULL;
    }
    const rel_condition *c = parse_test(p);
    p->depth--;
    return c ? condition(p, (rel_condition){.test = REL_NOT, .left = c}) : NULL;
}

static const rel_condition *parse_tests(parser *p)
{
    const rel_condition *all = parse_test(p);
    while (all && begins_test(p))
        all = combined(p, REL_AND, all, parse_test(p));
    return all;
}

/* Skips a comma, `and`, `but`, or a comma with one of these; but not a comma before `or`. */
static bool skip_and(parser *p)
{
    static const char *const ands[] = {"and", "but", NULL};
    const rel_token next = rel_text_peek(&p->t);
    if (is(p, ",") && rel_token_is(&p->t, &next, "or"))
        return false;
    const bool comma = skip(p, ",");
    return skip_any(p, ands) || comma;
}

static bool skip_or(parser *p)
{
    const rel_token next = rel_text_peek(&p->t);
    if (is(p, ",") && rel_token_is(&p->t, &next, "or"))
        rel_text_next(&p->t);
    return skip(p, "or");
}

static const rel_condition *parse_all(parser *p)
{
    const rel_condition *all = parse_tests(p);
    while (all && skip_and(p))
        all = combined(p, REL_AND, all, parse_tests(p));
    return all;
}

static const rel_condition *parse_any(parser *p)
{
    const rel_condition *any = NULL;
    if (++p->depth > REL_DEPTH_MAX)
        rel_text_fault(&p->t, p->t.token.column, "nested too deeply");
    else
        any = parse_all(p);
    while (any && skip_or(p))
        any = combined(p, REL_OR, any, parse_all(p));
    p->depth--;
    return any;
}

/* ---- the whole ---- */

/* Reads a thing and its conditions, up to ")" or the end. */
static rel_thing *parse_whole_thing(parser *p, const char *end)
{
    rel_thing *thing = parse_thing(p);
    if (!thing || (*end ? is(p, end) : p->t.token.kind == REL_END))
        return thing;
    skip_and(p);
    if (!begins_test(p)) {
        rel_text_expected(&p->t, "a condition (within, beside, no, at least N, at z, not)");
        return NULL;
    }
    thing->condition = parse_any(p);
    return thing->condition ? thing : NULL;
}

static rel_thing *parse_in_parentheses(parser *p)
{
    const int32_t counting = p->counting;
    p->counting = 0;
    rel_thing *thing = parse_whole_thing(p, ")");
    p->counting = counting;
    return thing && expect(p, ")", "')'") ? thing : NULL;
}

static rel_thing *parse_object(parser *p)
{
    if (++p->depth > REL_DEPTH_MAX) {
        rel_text_fault(&p->t, p->t.token.column, "nested too deeply");
        return NULL;
    }
    skip_articles(p);
    rel_thing *thing = skip(p, "(") ? parse_in_parentheses(p) : parse_thing(p);
    if (thing && !thing->condition && begins_test(p)) {
        thing->condition = parse_tests(p);
        thing = thing->condition ? thing : NULL;
    }
    p->depth--;
    return thing;
}

static bool mentions_beside(const rel_condition *c)
{
    if (!c)
        return false;
    if (c->test == REL_NEAR)
        return c->distance == REL_BESIDE || mentions_beside(c->thing->condition);
    return mentions_beside(c->left) || mentions_beside(c->right);
}

void relation_free(relation *r)
{
    if (r)
        arena_free(r->memory);
    free(r);
}

ptl_status relation_parse(relation **out, const char *text, const catalogue *cat,
                          ptl_search_fault *fault, ptl_error *err)
{
    parser p = {.r = calloc(1, sizeof *p.r)};
    *out = NULL;
    *fault = (ptl_search_fault)PTL_SEARCH_FAULT_INIT;
    if (p.r)
        p.r->memory = arena_new();
    if (!p.r || !p.r->memory) {
        relation_free(p.r);
        return error_nomem(err);
    }
    p.r->cat = cat;
    rel_thing *subject = NULL;
    if (rel_text_begin(&p.t, text, fault))
        subject = parse_whole_thing(&p, "");
    if (subject && p.t.token.kind != REL_END) {
        rel_text_expected(&p.t, "'and', 'or', another condition or the end");
        subject = NULL;
    }
    if (!subject) {
        relation_free(p.r);
        return p.no_memory ? error_nomem(err)
                           : error_set(err, PTL_ERR_ARGUMENT, "%s", fault->message);
    }
    p.r->bodies = mentions_beside(subject->condition);
    *out = p.r;
    return PTL_OK;
}
