/* The parser of relations, by recursive descent; ptl_search_grammar gives the grammar. */
#include "analysis/search/relation_impl.h"
#include "core/error.h"
#include "core/suggest.h"
#include "core/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char grammar[] =
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

const char *ptl_search_grammar(void)
{
    return grammar;
}

typedef enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_QUOTED,
    TOKEN_NUMBER,
    TOKEN_SIGN /* one of the signs ( ) , < <= = >= > */
} token_kind;

typedef struct rel_token {
    token_kind kind;
    /* Place and length, in the relation's text, of what the token stands for. Quotation marks
     * are left out. */
    size_t column, length;
    int64_t number;
} rel_token;

typedef struct parser {
    const char *text;
    size_t at;       /* position behind the next token */
    rel_token token; /* the next token */
    ptl_search_fault *fault;
    relation *r;
    int32_t depth;
    /* How many phrases such as "no THING" or "3 THINGS" have begun and not ended (they may be
     * nested). Words such as "within N" behind the THING then belong to the phrase: they say
     * how near the counted things must be. */
    int32_t counting;
    bool no_memory;
} parser;

/* ---- the text: words, numbers and signs ---- */

/* Reports a fault in the relation, unless one was reported before. Always returns false. */
__attribute__((format(printf, 3, 4))) static bool fault(parser *p, size_t column,
                                                        const char *format, ...)
{
    va_list list;
    if (p->fault->message[0])
        return false;
    va_start(list, format);
    p->fault->column = column;
    vsnprintf(p->fault->message, sizeof p->fault->message, format, list);
    va_end(list);
    return false;
}

/* Reads a whole number of at most 12 digits. */
static bool read_number(const char *text, size_t length, int64_t *out)
{
    const size_t sign = text[0] == '-';
    if (length == sign || length > sign + 12 ||
        strspn(text + sign, "0123456789") < length - sign)
        return false;
    *out = strtoll(text, NULL, 10);
    return true;
}

/* Reads the next token into p->token. On an error it reports a fault and returns false. */
static bool next(parser *p)
{
    p->at += strspn(p->text + p->at, " \t\n\r");
    const size_t start = p->at;
    const char c = p->text[start];
    if (c == '\0') {
        p->token = (rel_token){TOKEN_END, start, 0, 0};
        return true;
    }
    if (c == '"' || c == '\'') {
        const char *end = strchr(p->text + start + 1, p->text[start]);
        if (!end)
            return fault(p, start, "the quotation mark is not closed");
        p->token = (rel_token){TOKEN_QUOTED, start + 1, (size_t)(end - p->text) - start - 1, 0};
        p->at = (size_t)(end - p->text) + 1;
        return true;
    }
    size_t length = 1;
    token_kind kind = TOKEN_SIGN;
    if (strchr("<>=(),", c)) {
        length += (c == '<' || c == '>') && p->text[start + 1] == '=';
    } else {
        kind = TOKEN_WORD;
        length = strcspn(p->text + start, " \t\n\r(),<>='\"");
    }
    p->token = (rel_token){kind, start, length, 0};
    p->at = start + length;
    if (kind == TOKEN_WORD && read_number(p->text + start, length, &p->token.number))
        p->token.kind = TOKEN_NUMBER;
    return true;
}

static bool token_is(const parser *p, const rel_token *token, const char *word)
{
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_SIGN) &&
           strlen(word) == token->length &&
           strncasecmp(p->text + token->column, word, token->length) == 0;
}

/* Is the next token equal to `word`, which is a word (in any case) or a sign? */
static bool is(const parser *p, const char *word)
{
    return token_is(p, &p->token, word);
}

/* Returns the token after the next one. If that can't be read, its kind is TOKEN_END. */
static rel_token peek(const parser *p)
{
    ptl_search_fault ignored = PTL_SEARCH_FAULT_INIT;
    parser copy = *p;
    copy.fault = &ignored;
    if (!next(&copy))
        copy.token.kind = TOKEN_END;
    return copy.token;
}

/* Reports "expected WHAT", with the token that is there instead. Always returns false. */
static bool expected(parser *p, const char *what)
{
    const rel_token *k = &p->token;
    if (k->kind == TOKEN_END)
        return fault(p, k->column, "expected %s; the text ends here", what);
    return fault(p, k->column, "expected %s, found '%.*s'", what,
                 k->length > 60 ? (int)utf8_cut(p->text + k->column, 60) : (int)k->length,
                 p->text + k->column);
}

/* ---- names ---- */

enum { NAME_MAX_BYTES = 200 };

/* Reports an unknown name. The message also says that a building or a terrain has this name, or
 * which known names are similar. */
static bool fault_unknown(parser *p, const rel_token *token, const catalogue *cat,
                          const char *name, rel_kind kind)
{
    static const char *const kinds[] = {
        [REL_SPECIAL] = "special", [REL_BUILDING] = "building", [REL_TERRAIN] = "terrain"};
    suggestion near;
    if (kind != REL_BUILDING && rel_mark_specials(NULL, cat, name, true, true) > 0)
        return fault(p, token->column,
                     "no special '%s': it is a city building; write building %s", name, name);
    if (kind != REL_TERRAIN && rel_mark_oters(NULL, cat, name, true) > 0)
        return fault(p, token->column, "no %s '%s': it is a terrain; write terrain %s",
                     kinds[kind], name, name);
    suggest_begin(&near, name);
    for (size_t i = 0; kind == REL_TERRAIN && i < catalogue_all_terrains(cat); i++)
        suggest_offer(&near, cat->terrains[i].id);
    for (size_t i = 0; kind != REL_TERRAIN && i < cat->special_count; i++)
        if (cat->specials[i].building == (kind == REL_BUILDING))
            suggest_offer(&near, cat->specials[i].id);
    const char *mark = near.best && strchr(near.best, ' ') ? "\"" : "";
    if (near.best)
        return fault(p, token->column, "the content has no %s '%s'; did you mean %s%s%s?",
                     kinds[kind], name, mark, near.best, mark);
    return fault(p, token->column, "the content has no %s '%s'", kinds[kind], name);
}

/* ---- skipping words ---- */

static const rel_condition *parse_any(parser *p);
static const rel_condition *parse_tests(parser *p);
static rel_thing *parse_object(parser *p);

static bool is_one_of(const parser *p, const rel_token *token, const char *const *words)
{
    for (; *words; words++)
        if (token_is(p, token, *words))
            return true;
    return false;
}

static bool skip(parser *p, const char *word)
{
    return is(p, word) && next(p);
}

/* Skips two words, which the caller has looked at already. */
static bool skip_two(parser *p)
{
    const bool good = next(p);
    return good && next(p);
}

static bool skip_any(parser *p, const char *const *words)
{
    return is_one_of(p, &p->token, words) && next(p);
}

static bool expect(parser *p, const char *word, const char *what)
{
    return is(p, word) ? next(p) : expected(p, what);
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
    const rel_token k = p->token;
    if (k.kind != TOKEN_NUMBER)
        return expected(p, what);
    if (k.number < lo || k.number > hi)
        return fault(p, k.column, "%lld is not in %lld..%lld", (long long)k.number,
                     (long long)lo, (long long)hi);
    *out = (int32_t)k.number;
    return next(p);
}

/* Reads "or more" and similar words after a number. Any other `or` is left for the
 * conditions. */
static bool parse_or_more(parser *p, int32_t lo, int32_t hi, int32_t *min, int32_t *max)
{
    static const char *const more[] = {"more", "larger", "bigger", "higher", "above", NULL};
    static const char *const less[] = {"less", "fewer", "smaller", "lower", "below", NULL};
    const rel_token after = peek(p);
    if (!is(p, "or"))
        return true;
    if (is_one_of(p, &after, more))
        *max = hi;
    else if (is_one_of(p, &after, less))
        *min = lo;
    else
        return true;
    return skip_two(p);
}

/* Reads a number, with an optional comparison, as a range of values within lo .. hi. */
static bool parse_number(parser *p, int32_t lo, int32_t hi, int32_t *min, int32_t *max)
{
    enum { LEAST, MOST, OVER, UNDER, EQUAL };
    static const char *const signs[] = {">=", "<=", ">", "<"};
    int how = LEAST;
    bool said = true;
    int32_t n = 0;
    while (how < EQUAL && !skip(p, signs[how]))
        how++;
    if (how == EQUAL && !skip(p, "at"))
        said = skip(p, "=") || skip(p, "exactly");
    else if (how == EQUAL) {
        how = skip(p, "least") ? LEAST : MOST;
        if (how == MOST && !skip(p, "most"))
            return expected(p, "'least' or 'most'");
    }
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
        fault(p, p->token.column, "more than %d things", REL_THINGS_MAX);
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
    const rel_token after = peek(p);
    if (is(p, "of") && token_is(p, &after, "size") && !next(p))
        return false;
    if (!is(p, "size"))
        return true;
    return next(p) && parse_number(p, 0, INT16_MAX, &city->size_min, &city->size_max);
}

typedef struct kind_word {
    const char *word, *plural;
    rel_kind kind;
    uint32_t flags; /* CAT_FLAG_* of the terrains that the word stands for */
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

static bool parse_id(parser *p, rel_thing *thing)
{
    static const char *const reserved[] = {"within", "of",   "it", "beside", "and",
                                           "or",     "with", "no", "not",    NULL};
    const rel_token k = p->token;
    if (k.kind == TOKEN_END || k.kind == TOKEN_SIGN || is_one_of(p, &k, reserved))
        return expected(p, thing->kind == REL_TERRAIN    ? "the id of a terrain"
                           : thing->kind == REL_BUILDING ? "the id of a building"
                                                         : "a thing");
    if (k.length > NAME_MAX_BYTES || k.length == 0)
        return fault(p, k.column, "an id has 1 to %d bytes", NAME_MAX_BYTES);
    /* Finds the specials, or for terrains the oters, whose ids match the text of the token. */
    char name[NAME_MAX_BYTES + 1];
    const catalogue *cat = p->r->cat;
    const bool terrain = thing->kind == REL_TERRAIN, quoted = k.kind == TOKEN_QUOTED;
    const size_t count = terrain ? catalogue_all_oters(cat) : cat->special_count;
    uint64_t *bits = arena_calloc(p->r->memory, count / 64 + 1, sizeof *bits);
    p->no_memory = p->no_memory || !bits;
    if (!bits)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)k.length, p->text + k.column);
    thing->ids = bits;
    const size_t found =
        terrain ? rel_mark_oters(bits, cat, name, quoted)
                : rel_mark_specials(bits, cat, name, quoted, thing->kind == REL_BUILDING);
    return found > 0 ? next(p) : fault_unknown(p, &k, cat, name, thing->kind);
}

static rel_thing *parse_thing(parser *p)
{
    skip_articles(p);
    /* The row of the table kind_words that has the next word. NULL if no row has it: then the
     * word is an id. */
    const kind_word *word = NULL;
    for (size_t i = 0; i < sizeof kind_words / sizeof kind_words[0] && !word; i++)
        if (is(p, kind_words[i].word) || is(p, kind_words[i].plural))
            word = &kind_words[i];
    rel_thing *thing = new_thing(p, word ? word->kind : REL_SPECIAL);
    if (!thing || (word && !next(p)))
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

/* ---- conditions ---- */

/* Returns whether the next words say how near the counted things must be. Such words are not a
 * condition of the thing before them. In "no lab within 40" the words "within 40" say which
 * labs are counted. But in "no lab within 40 of a road within 60 of it" the lab has the
 * condition "within 40 of a road". */
static bool ends_count(const parser *p)
{
    ptl_search_fault ignored = PTL_SEARCH_FAULT_INIT;
    parser t = *p;
    t.fault = &ignored;
    if (p->counting == 0)
        return false;
    if (is(&t, "anywhere"))
        return true;
    const bool within = is(&t, "within");
    if (!within && !is(&t, "beside"))
        return false;
    if (!next(&t) || (within && !next(&t)))
        return false;
    if (within && !is(&t, "of"))
        return true;
    return (!within || next(&t)) && is(&t, "it");
}

static bool begins_test(const parser *p)
{
    static const char *const words[] = {
        "within", "beside", "no", "without", "with", "at", "not", "exactly",
        "(",      ">=",     "<=", ">",       "<",    "=",  NULL};
    return (is_one_of(p, &p->token, words) || p->token.kind == TOKEN_NUMBER) && !ends_count(p);
}

/* Reads how near things must be to be counted: "within N" or "anywhere". */
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
    const rel_token after = peek(p);
    const bool height = token_is(p, &after, "z") || token_is(p, &after, "level");
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
    expected(p, "a condition (within, beside, no, at least N, at z, not)");
    return NULL;
}

/* Enters one more level of nesting. Reports a fault and returns false if the nesting is too
 * deep. */
static bool deeper(parser *p)
{
    return ++p->depth <= REL_DEPTH_MAX || fault(p, p->token.column, "nested too deeply");
}

static const rel_condition *parse_not(parser *p)
{
    if (!deeper(p))
        return NULL;
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

/* Skips a comma, `and`, `but`, or a comma followed by one of these words; but not a comma
 * before `or`. */
static bool skip_and(parser *p)
{
    static const char *const ands[] = {"and", "but", NULL};
    const rel_token after = peek(p);
    if (is(p, ",") && token_is(p, &after, "or"))
        return false;
    const bool comma = skip(p, ",");
    return skip_any(p, ands) || comma;
}

static bool skip_or(parser *p)
{
    const rel_token after = peek(p);
    if (is(p, ",") && token_is(p, &after, "or"))
        next(p);
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
    const rel_condition *any = deeper(p) ? parse_all(p) : NULL;
    while (any && skip_or(p))
        any = combined(p, REL_OR, any, parse_all(p));
    p->depth--;
    return any;
}

/* ---- the whole relation ---- */

/* Reads a thing with its conditions, up to the text `end`, which is ")" or, for the end of the
 * relation, "". */
static rel_thing *parse_whole_thing(parser *p, const char *end)
{
    rel_thing *thing = parse_thing(p);
    if (!thing || (*end ? is(p, end) : p->token.kind == TOKEN_END))
        return thing;
    skip_and(p);
    if (!begins_test(p)) {
        expected(p, "a condition (within, beside, no, at least N, at z, not)");
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
    if (!deeper(p))
        return NULL;
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
    parser p = {.text = text, .fault = fault, .r = calloc(1, sizeof *p.r)};
    *out = NULL;
    *fault = (ptl_search_fault)PTL_SEARCH_FAULT_INIT;
    if (p.r)
        p.r->memory = arena_new();
    if (!p.r || !p.r->memory) {
        relation_free(p.r);
        return error_nomem(err);
    }
    p.r->cat = cat;
    rel_thing *subject = next(&p) ? parse_whole_thing(&p, "") : NULL;
    if (subject && p.token.kind != TOKEN_END) {
        expected(&p, "'and', 'or', another condition or the end");
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
