/*
 * Phases of mutable specials: rules with the pieces that they place, and the shared numbers
 * that scale the rules, sorted by name. A phase without rules has no rows and is left out:
 * growth would only pass through it.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <stdlib.h>

enum { MEAN_MAX = 1000000, SHARED_MAX = INT16_MAX };

/* The numbers by which the tables identify a rule. */
typedef struct rule_key {
    int64_t phase, position;
    uint16_t special;
} rule_key;

typedef struct phase_tables {
    ptl_amount *shared;
    const char **shared_names;
    cat_phase *phases;
    cat_rule *rules;
    rule_key *keys; /* keys of the rules */
    cat_rule_piece *pieces;
    size_t phase_count, rule_count;
    size_t next; /* the pieces of all rules before this one have been read */
} phase_tables;

/* ---- amounts ---- */

/* The columns that describe an amount. */
typedef struct amount_row {
    const char *kind;
    content_number low, high, trials, least, most;
    content_mean mean;
} amount_row;

static bool within(content_number number, int64_t hi)
{
    return number.given && number.value >= 0 && number.value <= hi;
}

/* Reads a bound of an amount that is drawn at random; NULL becomes `none`. */
static bool read_bound(content_number number, int32_t none, int32_t *out)
{
    *out = number.given ? (int32_t)number.value : none;
    return !number.given || within(number, INT32_MAX);
}

static ptl_status read_amount(loader *l, const char *id, const amount_row *s, ptl_amount *out)
{
    enum { KINDS = 6 };
    static const char *const kinds[KINDS] = {"unlimited", "fixed",  "range",
                                             "poisson",   "chance", "binomial"};
    const int kind = loader_name(kinds, KINDS, s->kind);
    const bool binomial = kind == PTL_AMOUNT_BINOMIAL;
    bool good = true;
    *out = (ptl_amount){.kind = (ptl_amount_kind)kind};
    if (kind == KINDS)
        return loader_corrupt(l, "wrong kind of amount of", id);
    if (kind == PTL_AMOUNT_FIXED || kind == PTL_AMOUNT_RANGE) {
        const content_number high = kind == PTL_AMOUNT_FIXED ? s->low : s->high;
        out->low = (int32_t)(s->low.value < high.value ? s->low.value : high.value);
        out->high = (int32_t)(s->low.value < high.value ? high.value : s->low.value);
        good = within(s->low, INT32_MAX) && within(high, INT32_MAX);
    } else if (kind != PTL_AMOUNT_UNLIMITED) {
        out->mean = s->mean.value;
        good = s->mean.given && s->mean.value >= 0 && s->mean.value <= MEAN_MAX;
    }
    if (binomial || kind == PTL_AMOUNT_POISSON) {
        good = read_bound(s->least, 0, &out->low) && good;
        good = read_bound(s->most, INT32_MAX, &out->high) && good;
        out->bounded = out->low > 0 || out->high < INT32_MAX;
    }
    if (binomial) {
        out->trials = (int32_t)s->trials.value;
        good = within(s->trials, CAT_TRIALS_MAX) && good;
    }
    return good ? PTL_OK : loader_out_of_range(l, id);
}

static ptl_status read_shared(loader *l, const void *values)
{
    const special_shared_row *s = values;
    phase_tables *t = l->payload;
    TRY(loader_layout(l, s->special));
    cat_mutable *m = l->layouts[l->owner];
    if (m->shared_count == SHARED_MAX)
        return loader_corrupt(l, "too many shared numbers of", s->special);
    const size_t at = l->row;
    if (m->shared_count++ == 0)
        m->shared = &t->shared[at];
    TRY(loader_id(l, &t->shared_names[at], s->name,
                  m->shared_count > 1 ? t->shared_names[at - 1] : NULL));
    TRY(read_amount(
        l, s->special,
        &(amount_row){s->kind, s->low, s->high, s->trials, s->least, s->most, s->mean},
        &t->shared[at]));
    if (t->shared[at].kind == PTL_AMOUNT_UNLIMITED)
        return loader_corrupt(l, "unlimited shared number of", s->special);
    return PTL_OK;
}

/* ---- rules ---- */

static ptl_status read_height(loader *l, const special_phase_rule_row *s, ptl_height *z)
{
    enum { KINDS = 5 };
    static const char *const kinds[KINDS] = {"any", "range", "top", "bottom", "offset"};
    const int kind = loader_name(kinds, KINDS, s->z_kind);
    const bool offset = kind == PTL_HEIGHT_OFFSET;
    z->kind = (ptl_height_kind)kind;
    z->has_top = offset && s->z_top.given;
    z->has_bottom = offset && s->z_bottom.given;
    if (kind == KINDS || (offset && !z->has_top && !z->has_bottom))
        return loader_corrupt(l, "wrong z of a rule of", s->special);
    if (kind == PTL_HEIGHT_RANGE && !(s->z_low.given && s->z_high.given))
        return loader_out_of_range(l, s->special);
    if (kind == PTL_HEIGHT_RANGE) {
        z->low = (int32_t)s->z_low.value;
        z->high = (int32_t)s->z_high.value;
    }
    if (z->has_top)
        z->top = (int32_t)s->z_top.value;
    if (z->has_bottom)
        z->bottom = (int32_t)s->z_bottom.value;
    return PTL_OK;
}

/* Finds what a rule refers to by name. */
static ptl_status read_names(loader *l, const phase_tables *t, const special_phase_rule_row *s,
                             cat_rule *rule)
{
    const cat_mutable *m = l->layouts[l->owner];
    rule->scale = rule->join = -1;
    if (s->scale) {
        const char *const *names = t->shared_names;
        if (m->shared_count > 0)
            names += m->shared - t->shared;
        uint16_t at = catalogue_find_id(names, m->shared_count, sizeof *names, s->scale);
        if (at == CAT_NONE)
            return loader_corrupt(l, "unknown shared number", s->scale);
        rule->scale = (int16_t)at;
    }
    if (s->join) {
        uint16_t at = loader_find_join(l, s->join);
        if (at == CAT_NONE)
            return loader_corrupt(l, "unknown join of a rule", s->join);
        rule->join = (int16_t)at;
    }
    rule->name = loader_keep(l, s->name);
    return PTL_OK;
}

static ptl_status read_rule(loader *l, const void *values)
{
    const special_phase_rule_row *s = values;
    phase_tables *t = l->payload;
    TRY(loader_layout(l, s->special));
    cat_mutable *m = l->layouts[l->owner];
    const size_t at = t->rule_count++;
    t->keys[at] = (rule_key){s->phase, s->position, l->owner};
    if (m->phase_count == 0)
        m->phases = &t->phases[t->phase_count];
    if (m->phase_count == 0 || t->keys[at - 1].phase != t->keys[at].phase) {
        t->phases[t->phase_count++].rules = &t->rules[at];
        m->phase_count++;
    }
    t->phases[t->phase_count - 1].rule_count++;
    cat_rule *rule = &t->rules[at];
    const amount_row max = {.kind = s->max_kind,
                            .low = s->max_low,
                            .high = s->max_high,
                            .mean = s->max_mean,
                            .trials = s->max_trials,
                            .least = s->max_least,
                            .most = s->max_most};
    rule->weight = s->weight.given ? (int32_t)s->weight.value : -1;
    rule->rotate = s->rotate.given ? s->rotate.value != 0 : l->specials[l->owner].rotate;
    rule->has_overmap = s->om_x.given;
    rule->overmap_x = (int32_t)s->om_x.value;
    rule->overmap_y = (int32_t)s->om_y.value;
    if (s->om_x.given != s->om_y.given)
        return loader_out_of_range(l, s->special);
    TRY(read_amount(l, s->special, &max, &rule->max));
    TRY(read_height(l, s, &rule->z));
    return read_names(l, t, s, rule);
}

/* ---- the pieces of rules ---- */

/* Returns the rule of a row: the previous row's rule or the next one. Both tables are in the
 * same order, and every rule has pieces. */
static cat_rule *rule_of_row(const loader *l, phase_tables *t,
                             const special_phase_rule_piece_row *s)
{
    for (int step = 0; step < 2; step++) {
        const rule_key *key = t->next > 0 ? &t->keys[t->next - 1] : NULL;
        if (key && key->special == l->owner && key->phase == s->phase &&
            key->position == s->rule)
            return &t->rules[t->next - 1];
        if (step == 0 && t->next++ == t->rule_count)
            return NULL;
    }
    return NULL;
}

static ptl_status read_rule_piece(loader *l, const void *values)
{
    const special_phase_rule_piece_row *s = values;
    phase_tables *t = l->payload;
    TRY(loader_layout(l, s->special));
    cat_rule *rule = rule_of_row(l, t, s);
    if (!rule)
        return loader_corrupt(l, "a rule without pieces, or pieces of no rule, of", s->special);
    cat_rule_piece *piece = &t->pieces[l->row];
    if (rule->piece_count++ == 0)
        rule->pieces = piece;
    piece->piece = loader_find_piece(l, l->owner, s->piece);
    if (piece->piece == CAT_NONE)
        return loader_corrupt(l, "unknown piece of a rule", s->piece);
    piece->x = (int16_t)s->x;
    piece->y = (int16_t)s->y;
    piece->z = (int8_t)s->z;
    piece->rotation = (uint8_t)s->rotation;
    return PTL_OK;
}

static int compare_places(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Do all pieces of a rule lie on different places? `places` is scratch. */
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

/* ---- all parts together ---- */

ptl_status load_phases(loader *l)
{
    phase_tables t = {0};
    if (l->layout_count == 0)
        return PTL_OK;
    TRY(LOADER_ROOM_OF(l, t.shared, CONTENT_SPECIAL_SHARED));
    TRY(LOADER_ROOM_OF(l, t.shared_names, CONTENT_SPECIAL_SHARED));
    TRY(LOADER_ROOM_OF(l, t.phases, CONTENT_SPECIAL_PHASE_RULE));
    TRY(LOADER_ROOM_OF(l, t.rules, CONTENT_SPECIAL_PHASE_RULE));
    TRY(LOADER_ROOM_OF(l, t.keys, CONTENT_SPECIAL_PHASE_RULE));
    TRY(LOADER_ROOM_OF(l, t.pieces, CONTENT_SPECIAL_PHASE_RULE_PIECE));
    TRY(loader_rows(l, CONTENT_SPECIAL_SHARED, NULL, read_shared, &t));
    TRY(loader_rows(l, CONTENT_SPECIAL_PHASE_RULE, NULL, read_rule, &t));
    TRY(loader_rows(l, CONTENT_SPECIAL_PHASE_RULE_PIECE, NULL, read_rule_piece, &t));
    /* Checks all rules after the last piece was read: each must have pieces, all at different
     * places. */
    if (t.next != t.rule_count)
        return loader_corrupt(l, "a rule without pieces of",
                              l->specials[t.keys[t.next].special].id);
    int32_t *places = calloc(l->row + 1, sizeof *places);
    if (!places)
        return error_nomem(l->err);
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < t.rule_count && status == PTL_OK; i++)
        if (!places_differ(&t.rules[i], places))
            status = loader_corrupt(l, "two pieces of a rule on one place in",
                                    l->specials[t.keys[i].special].id);
    free(places);
    return status;
}
