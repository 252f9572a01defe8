/*
 * Phases of mutable specials: rules with the pieces that they place, and the shared numbers
 * that scale them. Shared numbers are in order of their names; a phase without rules has no
 * rows and is left out, since growth only passes through it.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { MEAN_MAX = 1000000, SHARED_MAX = INT16_MAX };

/* As the tables number a rule. */
typedef struct rule_key {
    int64_t phase, position;
    uint16_t special;
} rule_key;

typedef struct phase_tables {
    ptl_amount *shared;
    const char **shared_names;
    cat_phase *phases;
    cat_rule *rules;
    rule_key *keys; /* of the rules */
    cat_rule_piece *pieces;
    size_t shared_count, shared_room, phase_count, rule_count, rule_room, piece_count,
        piece_room;
    size_t next;    /* rules before this one have pieces */
    uint16_t owner; /* special of the row before */
} phase_tables;

static int find_name(const char *const *names, int count, const char *name)
{
    int at = 0;
    while (at < count && strcmp(names[at], name) != 0)
        at++;
    return at;
}

/* ---- amounts ---- */

static double read_mean(number_row *row, int column)
{
    double mean = value_real(row->s, column);
    if (row_has(row, column) && mean >= 0 && mean <= MEAN_MAX)
        return mean;
    row_number(row, column, 1, 0); /* no number is in that range */
    return 0;
}

/* A bound of what is drawn; NULL is none. */
static int32_t read_bound(number_row *row, int column, int32_t none)
{
    return row_has(row, column) ? row_number(row, column, 0, INT32_MAX) : none;
}

/* The columns are kind, low, high, mean, and from `more` on trials, least, most. */
static void read_amount(number_row *row, int column, int more, ptl_amount *out)
{
    enum { KINDS = 6 };
    static const char *const kinds[KINDS] = {"unlimited", "fixed",  "range",
                                             "poisson",   "chance", "binomial"};
    int kind = find_name(kinds, KINDS, value_text(row->s, column));
    *out = (ptl_amount){.kind = (ptl_amount_kind)kind};
    if (kind == PTL_AMOUNT_FIXED || kind == PTL_AMOUNT_RANGE) {
        int32_t a = row_number(row, column + 1, 0, INT32_MAX);
        int32_t b = kind == PTL_AMOUNT_FIXED ? a : row_number(row, column + 2, 0, INT32_MAX);
        out->low = a < b ? a : b;
        out->high = a < b ? b : a;
    } else if (kind == PTL_AMOUNT_CHANCE) {
        out->mean = read_mean(row, column + 3);
    } else if (kind == PTL_AMOUNT_POISSON || kind == PTL_AMOUNT_BINOMIAL) {
        out->mean = read_mean(row, column + 3);
        out->low = read_bound(row, more + 1, 0);
        out->high = read_bound(row, more + 2, INT32_MAX);
        out->bounded = out->low > 0 || out->high < INT32_MAX;
        if (kind == PTL_AMOUNT_BINOMIAL)
            out->trials = row_number(row, more, 0, CAT_TRIALS_MAX);
    } else if (kind == KINDS && row->status == PTL_OK) {
        row->status = loader_corrupt(row->l, "wrong kind of amount of", value_text(row->s, 0));
    }
}

static ptl_status read_shared(loader *l, const content_value *s, void *payload)
{
    phase_tables *t = payload;
    ptl_status status = loader_layout(l, &t->owner, value_text(s, 0));
    if (status != PTL_OK)
        return status;
    cat_mutable *m = l->layouts[t->owner];
    if (t->shared_count == t->shared_room || m->shared_count == SHARED_MAX)
        return loader_corrupt(l, "too many shared numbers of", value_text(s, 0));
    size_t at = t->shared_count++;
    if (m->shared_count++ == 0)
        m->shared = &t->shared[at];
    status = loader_id(l, &t->shared_names[at], value_text(s, 1),
                       m->shared_count > 1 ? t->shared_names[at - 1] : NULL);
    if (status != PTL_OK)
        return status;
    number_row row = {l, s, PTL_OK};
    read_amount(&row, 2, 6, &t->shared[at]);
    if (row.status == PTL_OK && t->shared[at].kind == PTL_AMOUNT_UNLIMITED)
        return loader_corrupt(l, "unlimited shared number of", value_text(s, 0));
    return row.status;
}

/* ---- rules ---- */

enum {
    RULE_PHASE = 1,
    RULE_POSITION,
    RULE_NAME,
    RULE_WEIGHT,
    RULE_MAX, /* four columns */
    RULE_SCALE = RULE_MAX + 4,
    RULE_JOIN,
    RULE_Z_KIND,
    RULE_Z_LOW,
    RULE_Z_HIGH,
    RULE_Z_TOP,
    RULE_Z_BOTTOM,
    RULE_OM_X,
    RULE_OM_Y,
    RULE_ROTATE,
    RULE_MAX_MORE /* three columns */
};

static const content_query all_rules = {
    CONTENT_SPECIAL_PHASE_RULE,
    "special, phase, position, name, weight, max_kind, max_low, max_high, max_mean,"
    " scale, join, z_kind, z_low, z_high, z_top, z_bottom, om_x, om_y, rotate,"
    " max_trials, max_least, max_most",
    "special, phase, position"};

static void read_height(number_row *row, ptl_height *z)
{
    enum { KINDS = 5, Z = CATALOGUE_HEIGHT_MAX };
    static const char *const kinds[KINDS] = {"any", "range", "top", "bottom", "offset"};
    int kind = find_name(kinds, KINDS, value_text(row->s, RULE_Z_KIND));
    z->kind = (ptl_height_kind)kind;
    if (kind == PTL_HEIGHT_RANGE) {
        z->low = row_number(row, RULE_Z_LOW, INT32_MIN, INT32_MAX);
        z->high = row_number(row, RULE_Z_HIGH, INT32_MIN, INT32_MAX);
    }
    z->has_top = kind == PTL_HEIGHT_OFFSET && row_has(row, RULE_Z_TOP);
    z->has_bottom = kind == PTL_HEIGHT_OFFSET && row_has(row, RULE_Z_BOTTOM);
    if (z->has_top)
        z->top = row_number(row, RULE_Z_TOP, -Z, Z);
    if (z->has_bottom)
        z->bottom = row_number(row, RULE_Z_BOTTOM, -Z, Z);
    bool wrong = kind == KINDS || (kind == PTL_HEIGHT_OFFSET && !z->has_top && !z->has_bottom);
    if (wrong && row->status == PTL_OK)
        row->status = loader_corrupt(row->l, "wrong z of a rule of", value_text(row->s, 0));
}

/* What a rule refers to by name. */
static ptl_status read_names(loader *l, const phase_tables *t, const content_value *s,
                             cat_rule *rule)
{
    const cat_mutable *m = l->layouts[t->owner];
    rule->scale = rule->join = -1;
    if (!value_is_null(s, RULE_SCALE)) {
        const char *const *names = t->shared_names;
        if (m->shared_count > 0)
            names += m->shared - t->shared;
        uint16_t at =
            catalogue_find_id(names, m->shared_count, sizeof *names, value_text(s, RULE_SCALE));
        if (at == CAT_NONE)
            return loader_corrupt(l, "unknown shared number", value_text(s, RULE_SCALE));
        rule->scale = (int16_t)at;
    }
    if (!value_is_null(s, RULE_JOIN)) {
        uint16_t at = loader_find_join(l, t->owner, value_text(s, RULE_JOIN));
        if (at == CAT_NONE)
            return loader_corrupt(l, "unknown join of a rule", value_text(s, RULE_JOIN));
        rule->join = (int16_t)at;
    }
    rule->name = loader_keep(l, value_text(s, RULE_NAME));
    return rule->name ? PTL_OK : error_nomem(l->err);
}

static ptl_status fill_rule(loader *l, const phase_tables *t, const content_value *s,
                            cat_rule *rule)
{
    number_row row = {l, s, PTL_OK};
    rule->weight =
        row_has(&row, RULE_WEIGHT) ? row_number(&row, RULE_WEIGHT, 0, INT32_MAX) : -1;
    read_amount(&row, RULE_MAX, RULE_MAX_MORE, &rule->max);
    read_height(&row, &rule->z);
    rule->rotate = row_has(&row, RULE_ROTATE) ? value_int(s, RULE_ROTATE) != 0
                                              : l->specials[t->owner].rotate;
    rule->has_overmap = row_has(&row, RULE_OM_X);
    if (rule->has_overmap) {
        rule->overmap_x =
            row_number(&row, RULE_OM_X, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX);
        rule->overmap_y =
            row_number(&row, RULE_OM_Y, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX);
    }
    return row.status == PTL_OK ? read_names(l, t, s, rule) : row.status;
}

static ptl_status read_rule(loader *l, const content_value *s, void *payload)
{
    phase_tables *t = payload;
    ptl_status status = loader_layout(l, &t->owner, value_text(s, 0));
    if (status != PTL_OK)
        return status;
    if (t->rule_count == t->rule_room)
        return loader_corrupt(l, "more rules than counted of", value_text(s, 0));
    cat_mutable *m = l->layouts[t->owner];
    size_t at = t->rule_count++;
    t->keys[at] = (rule_key){value_int(s, RULE_PHASE), value_int(s, RULE_POSITION), t->owner};
    if (m->phase_count == 0)
        m->phases = &t->phases[t->phase_count];
    if (m->phase_count == 0 || t->keys[at - 1].phase != t->keys[at].phase) {
        t->phases[t->phase_count++].rules = &t->rules[at];
        m->phase_count++;
    }
    t->phases[t->phase_count - 1].rule_count++;
    return fill_rule(l, t, s, &t->rules[at]);
}

/* ---- the pieces of rules ---- */

/* The rule of a row: that of the row before or the next. Both tables are in the same order, and
 * every rule has pieces. */
static cat_rule *rule_of_row(phase_tables *t, const content_value *s)
{
    int64_t phase = value_int(s, 1), position = value_int(s, 2);
    for (int step = 0; step < 2; step++) {
        const rule_key *key = t->next > 0 ? &t->keys[t->next - 1] : NULL;
        if (key && key->special == t->owner && key->phase == phase && key->position == position)
            return &t->rules[t->next - 1];
        if (step == 0 && t->next++ == t->rule_count)
            return NULL;
    }
    return NULL;
}

static ptl_status read_rule_piece(loader *l, const content_value *s, void *payload)
{
    enum { XY = CATALOGUE_COORDINATE_MAX, Z = CATALOGUE_HEIGHT_MAX };
    phase_tables *t = payload;
    ptl_status status = loader_layout(l, &t->owner, value_text(s, 0));
    if (status != PTL_OK)
        return status;
    cat_rule *rule = rule_of_row(t, s);
    if (!rule || t->piece_count == t->piece_room)
        return loader_corrupt(l, "a rule without pieces, or pieces of no rule, of",
                              value_text(s, 0));
    cat_rule_piece *piece = &t->pieces[t->piece_count++];
    if (rule->piece_count++ == 0)
        rule->pieces = piece;
    piece->piece = loader_find_piece(l, t->owner, value_text(s, 3));
    if (piece->piece == CAT_NONE)
        return loader_corrupt(l, "unknown piece of a rule", value_text(s, 3));
    number_row row = {l, s, PTL_OK};
    piece->x = (int16_t)row_number(&row, 4, -XY, XY);
    piece->y = (int16_t)row_number(&row, 5, -XY, XY);
    piece->z = (int8_t)row_number(&row, 6, -Z, Z);
    piece->rotation = (uint8_t)row_number(&row, 7, 0, 3);
    return row.status;
}

static int compare_places(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Do no two pieces of a rule lie on one place? places is scratch. */
static bool places_differ(const cat_rule *rule, int32_t *places)
{
    enum { XY = CATALOGUE_COORDINATE_MAX, Z = CATALOGUE_HEIGHT_MAX };
    for (size_t i = 0; i < rule->piece_count; i++) {
        const cat_rule_piece *p = &rule->pieces[i];
        places[i] = ((p->z + Z) * (2 * XY + 1) + p->y + XY) * (2 * XY + 1) + p->x + XY;
    }
    if (rule->piece_count > 1)
        qsort(places, rule->piece_count, sizeof *places, compare_places);
    for (size_t i = 1; i < rule->piece_count; i++)
        if (places[i - 1] == places[i])
            return false;
    return true;
}

static ptl_status check_places(loader *l, const phase_tables *t)
{
    if (t->next != t->rule_count)
        return loader_corrupt(l, "a rule without pieces of",
                              l->specials[t->keys[t->next].special].id);
    int32_t *places = calloc(t->piece_count + 1, sizeof *places);
    if (!places)
        return error_nomem(l->err);
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < t->rule_count && status == PTL_OK; i++)
        if (!places_differ(&t->rules[i], places))
            status = loader_corrupt(l, "two pieces of a rule on one place in",
                                    l->specials[t->keys[i].special].id);
    free(places);
    return status;
}

/* ---- all ---- */

static ptl_status make_room(loader *l, phase_tables *t)
{
    ptl_status status = loader_count(l, CONTENT_SPECIAL_SHARED, &t->shared_room);
    if (status == PTL_OK)
        status = loader_count(l, CONTENT_SPECIAL_PHASE_RULE, &t->rule_room);
    if (status == PTL_OK)
        status = loader_count(l, CONTENT_SPECIAL_PHASE_RULE_PIECE, &t->piece_room);
    if (status != PTL_OK)
        return status;
    t->shared = arena_calloc(l->arena, t->shared_room + 1, sizeof *t->shared);
    t->shared_names = arena_calloc(l->arena, t->shared_room + 1, sizeof *t->shared_names);
    t->phases = arena_calloc(l->arena, t->rule_room + 1, sizeof *t->phases);
    t->rules = arena_calloc(l->arena, t->rule_room + 1, sizeof *t->rules);
    t->keys = arena_calloc(l->arena, t->rule_room + 1, sizeof *t->keys);
    t->pieces = arena_calloc(l->arena, t->piece_room + 1, sizeof *t->pieces);
    bool made = t->shared && t->shared_names && t->phases && t->rules && t->keys && t->pieces;
    return made ? PTL_OK : error_nomem(l->err);
}

ptl_status load_phases(loader *l)
{
    phase_tables t = {.owner = CAT_NONE};
    ptl_status status = l->layout_count > 0 ? make_room(l, &t) : PTL_OK;
    if (l->layout_count == 0 || status != PTL_OK)
        return status;
    status = loader_rows(
        l,
        &(content_query){CONTENT_SPECIAL_SHARED,
                         "special, name, kind, low, high, mean, trials, least, most",
                         "special, name"},
        read_shared, &t);
    t.owner = CAT_NONE;
    if (status == PTL_OK)
        status = loader_rows(l, &all_rules, read_rule, &t);
    t.owner = CAT_NONE;
    if (status == PTL_OK)
        status = loader_rows(l,
                             &(content_query){CONTENT_SPECIAL_PHASE_RULE_PIECE,
                                              "special, phase, rule, piece, x, y, z, rotation",
                                              "special, phase, rule, position"},
                             read_rule_piece, &t);
    return status == PTL_OK ? check_places(l, &t) : status;
}
