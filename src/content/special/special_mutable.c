/*
 * Mutable specials (schema/generation.md 9): joins, pieces with their sides, checks before
 * growth starts, random numbers that several rules share, and phases, which are lists of rules.
 * Each rule places one piece, or a rigid group of pieces ("chunk" in the content).
 */
#include "content/special/special.h"

#include <inttypes.h>
#include <string.h>

const char *const special_side_names[SPECIAL_SIDES + 1] = {"north", "east",  "south", "west",
                                                           "above", "below", NULL};
const char *const special_join_type_names[] = {"mandatory", "optional", "available", "reject",
                                               NULL};

const special_join *special_join_find(const special *sp, const char *id)
{
    for (size_t i = 0; i < sp->join_count; i++)
        if (strcmp(sp->joins[i].id, id) == 0)
            return &sp->joins[i];
    return NULL;
}

static const char *suggest_join(field f, const char *id)
{
    return SUGGEST_ID(f.im, id, f.sp->joins, f.sp->join_count);
}

static const special_join *field_join(field f)
{
    const char *id = NULL;
    if (!field_string(f, &id))
        return NULL;
    const special_join *join = special_join_find(f.sp, id);
    if (!join)
        field_error(f, MU101, "the special has no join '%s'%s", id, suggest_join(f, id));
    return join;
}

/* Returns the piece of the special that a value names; NULL if there is none, which is
 * reported. */
static const special_piece *field_piece(field f)
{
    const char *id = NULL;
    if (!field_string(f, &id))
        return NULL;
    for (size_t i = 0; i < f.sp->piece_count; i++)
        if (strcmp(f.sp->pieces[i].id, id) == 0)
            return &f.sp->pieces[i];
    field_error(f, MU101, "the special has no overmap '%s'%s", id,
                SUGGEST_ID(f.im, id, f.sp->pieces, f.sp->piece_count));
    return NULL;
}

/* ---- joins ---- */

static bool read_join(field f, special_join *join)
{
    field id = f;
    if (json_is_string(f.value)) {
        join->id = json_string_value(f.value);
    } else {
        if (!field_object(f))
            return false;
        id = field_key(f, "id");
        if (!field_required(id, "id") || !field_string(id, &join->id))
            return false;
        field_string(field_key(f, "opposite"), &join->opposite);
        field_locations(field_key(f, "into_locations"), &join->into);
    }
    if (special_join_find(f.sp, join->id))
        return field_error(id, MU102, "join '%s' is defined twice", join->id);
    if (!join->opposite)
        join->opposite = join->id;
    return true;
}

/* Checks that the opposite of this join exists, and that this join is the opposite of that one.
 */
static void check_opposite(field f, const special_join *join)
{
    const special_join *other = special_join_find(f.sp, join->opposite);
    if (!other)
        field_error(f, MU102, "the opposite '%s' of join '%s' is not defined%s", join->opposite,
                    join->id, suggest_join(f, join->opposite));
    else if (strcmp(other->opposite, join->id) != 0)
        field_error(f, MU102,
                    "join '%s' names '%s' as its opposite, but the opposite of '%s' is '%s'",
                    join->id, other->id, other->id, other->opposite);
}

/* ---- pieces ---- */

static void read_alternatives(field f, special_side *side)
{
    if (!field_array(f))
        return;
    size_t count = json_array_size(f.value);
    if (count > SPECIAL_LIST_MAX) {
        field_error(f, CT111, "a list of %zu entries: at most %d are allowed", count,
                    SPECIAL_LIST_MAX);
        return;
    }
    side->alternatives.items = import_alloc(f.im, count, sizeof *side->alternatives.items);
    for (size_t i = 0; side->alternatives.items && i < count; i++) {
        const special_join *join = field_join(field_at(f, i));
        if (join && !special_list_has(&side->alternatives, join->id))
            side->alternatives.items[side->alternatives.count++] = join->id;
    }
}

static void read_side(field f, special_side *side)
{
    if (!f.value)
        return;
    field id = f;
    if (json_is_object(f.value)) {
        field type = field_key(f, "type"), alternatives = field_key(f, "alternatives");
        int chosen = PTL_JOIN_MANDATORY;
        id = field_key(f, "id");
        if (field_choice(type, "type of join", special_join_type_names, &chosen))
            side->type = (ptl_join_type)chosen;
        read_alternatives(alternatives, side);
        if (!field_required(id, "id"))
            return;
    }
    const special_join *join = field_join(id);
    side->join = join ? join->id : NULL;
}

static void read_piece(field f, special_piece *piece)
{
    if (!field_object(f))
        return;
    field oter = field_key(f, "overmap"), locations = field_key(f, "locations");
    field connections = field_key(f, "connections");
    if (field_required(oter, "overmap"))
        piece->oter = field_oter(oter);
    field_locations(locations, &piece->locations);
    for (int side = 0; side < SPECIAL_SIDES; side++)
        read_side(field_key(f, special_side_names[side]), &piece->sides[side]);
    /* Reads the connections of a piece: {side: {"connection": id}}. Their flag "existing" has
     * no effect. */
    const char *key;
    json_t *value;
    if (field_object(connections)) {
        json_object_foreach(connections.value, key, value)
        {
            field entry = field_key(connections, key);
            int side = 0;
            if (json_is_comment(key))
                continue;
            if (!field_choose(entry, "side", key, special_side_names, &side) ||
                !field_object(entry))
                continue;
            field id = field_key(entry, "connection"), existing = field_key(entry, "existing");
            if (field_required(id, "connection"))
                piece->connections[side] = field_connection(id);
            if (existing.value)
                field_warning(existing, SP106,
                              "'existing' has no meaning in a mutable special");
        }
    }
    warn_no_locations(f, locations, "overmap");
}

/* Reads "overmaps", which for a mutable special is an object of pieces by their ids. */
static void read_pieces(import *im, special *sp)
{
    const char *key;
    json_t *value;
    field f = special_field(im, sp, "overmaps");
    if (!field_required(f, "overmaps"))
        return;
    if (json_is_array(f.value)) {
        field_expected(f, "an object, since the special is mutable");
        return;
    }
    if (!field_object(f))
        return;
    size_t count = json_object_size(f.value);
    if (count > SPECIAL_LIST_MAX) {
        field_error(f, CT111, "%zu overmaps: at most %d are allowed", count, SPECIAL_LIST_MAX);
        return;
    }
    sp->pieces = import_alloc(im, count, sizeof *sp->pieces);
    if (!sp->pieces)
        return;
    json_object_foreach(f.value, key, value)
    {
        if (json_is_comment(key))
            continue;
        special_piece *piece = &sp->pieces[sp->piece_count];
        piece->id = key;
        read_piece(field_key(f, key), piece);
        sp->piece_count++;
    }
}

/* ---- amounts ---- */

static bool read_mean(field f, ptl_amount_kind kind, special_amount *out)
{
    double mean = json_number_value(f.value);
    if (!json_is_number(f.value))
        return field_expected(f, "a number");
    if (!(mean >= 0 && mean <= 1e6))
        return field_error(f, CT103, "%g is not between 0 and 1,000,000", mean);
    out->kind = kind;
    out->mean = mean;
    return true;
}

/* Reads [trials, probability]. */
static bool read_binomial(field f, special_amount *out)
{
    field trials = field_at(f, 0), chance = field_at(f, 1);
    if (!json_is_array(f.value) || json_array_size(f.value) != 2)
        return field_expected(f, "[trials, probability]");
    if (!field_int(trials, 0, AMOUNT_TRIALS_MAX, &out->trials) ||
        !read_mean(chance, PTL_AMOUNT_BINOMIAL, out))
        return false;
    if (out->mean > 1)
        return field_error(chance, CT103, "%g is no probability: 0 to 1", out->mean);
    return true;
}

/* Reads the bounds of a random number, [least, most]. A bound of -1 means that there is
 * none. A `most` below `least` means that there is no upper bound. */
static bool read_bounds(field f, special_amount *out)
{
    int64_t pair[2];
    if (!f.value)
        return true;
    if (!field_pair(f, -1, INT32_MAX, pair))
        return false;
    out->least = pair[0];
    out->most = pair[1] < pair[0] ? -1 : pair[1];
    return true;
}

/* Reads an amount: a number, [a, b], {"poisson": mean}, {"binomial": [trials, p]} or
 * {"chance": p}. */
static bool field_amount(field f, special_amount *out)
{
    int64_t pair[2];
    special_amount a = {.least = -1, .most = -1};
    if (!f.value)
        return false;
    if (json_is_integer(f.value) || json_is_array(f.value)) {
        const bool one = json_is_integer(f.value);
        if (one ? !field_int(f, 0, INT32_MAX, &pair[0]) : !field_pair(f, 0, INT32_MAX, pair))
            return false;
        a.kind = one ? PTL_AMOUNT_FIXED : PTL_AMOUNT_RANGE;
        a.low = pair[0];
        a.high = one ? pair[0] : pair[1];
        if (a.high < a.low)
            field_warning(f, CT113,
                          "[%" PRId64 ", %" PRId64 "] is reversed: a number from %" PRId64
                          " to %" PRId64 " is drawn",
                          a.low, a.high, a.high, a.low);
        *out = a;
        return true;
    }
    field poisson = field_key(f, "poisson"), chance = field_key(f, "chance");
    field binomial = field_key(f, "binomial"), bounds = field_key(f, "bounds");
    const int given =
        (poisson.value != NULL) + (chance.value != NULL) + (binomial.value != NULL);
    if (!json_is_object(f.value) || given != 1)
        return field_expected(
            f, "an integer, [min, max], {\"poisson\": mean}, {\"binomial\": [trials, "
               "probability]} or {\"chance\": probability}");
    bool good = poisson.value  ? read_mean(poisson, PTL_AMOUNT_POISSON, &a)
                : chance.value ? read_mean(chance, PTL_AMOUNT_CHANCE, &a)
                               : read_binomial(binomial, &a);
    if (bounds.value && chance.value) {
        field_error(bounds, CT101, "a chance has no bounds");
        good = false;
    }
    good = good && read_bounds(bounds, &a);
    if (good)
        *out = a;
    return good;
}

static void read_shared(import *im, special *sp)
{
    const char *key;
    json_t *value;
    field f = special_field(im, sp, "shared");
    if (!field_object(f))
        return;
    sp->shared = import_alloc(im, json_object_size(f.value), sizeof *sp->shared);
    if (!sp->shared)
        return;
    json_object_foreach(f.value, key, value)
    {
        if (json_is_comment(key))
            continue;
        special_shared *shared = &sp->shared[sp->shared_count];
        shared->id = key;
        if (field_amount(field_key(f, key), &shared->amount))
            sp->shared_count++;
    }
}

/* ---- checks before growth starts ---- */

static void read_area_check(field f, special *sp)
{
    if (!field_object(f))
        return;
    field type = field_key(f, "type"), from = field_key(f, "from"), to = field_key(f, "to");
    special_check check = {.from = {0}};
    bool ok = field_required(type, "type") && field_locations(type, &check.locations);
    ok = field_required(from, "from") && field_point(from, check.from) && ok;
    ok = field_required(to, "to") && field_point(to, check.to) && ok;
    if (!ok)
        return;
    for (int i = 0; i < 3; i++) {
        int32_t a = check.from[i], b = check.to[i];
        check.from[i] = a < b ? a : b;
        check.to[i] = a < b ? b : a;
    }
    sp->checks[sp->check_count++] = check;
}

static void read_checks(import *im, special *sp)
{
    field points = special_field(im, sp, "check_for_locations");
    field areas = special_field(im, sp, "check_for_locations_area");
    /* Makes room for all areas whose terrain the special checks before growth starts. An
     * element of `check_for_locations_area` may itself be a list of areas. */
    size_t room = json_array_size(points.value);
    for (size_t i = 0; i < json_array_size(areas.value); i++)
        room += json_array_size(json_array_get(areas.value, i)) + 1;
    sp->checks = import_alloc(im, room, sizeof *sp->checks);
    if (!sp->checks)
        return;
    if (field_array(points))
        for (size_t i = 0; i < json_array_size(points.value) && !import_stopped(im); i++) {
            field entry = field_at(points, i);
            if (!json_is_array(entry.value) || json_array_size(entry.value) != 2) {
                field_error(entry, CT101, "expected [[x, y, z], [locations]]");
            } else {
                special_check check = {.from = {0}};
                bool placed = field_point(field_at(entry, 0), check.from);
                if (field_locations(field_at(entry, 1), &check.locations) && placed) {
                    memcpy(check.to, check.from, sizeof check.to);
                    sp->checks[sp->check_count++] = check;
                }
            }
        }
    if (!field_array(areas))
        return;
    for (size_t i = 0; i < json_array_size(areas.value) && !import_stopped(im); i++) {
        /* In the games' documentation the areas, which are objects, stand in one more array
         * than in the games' content; both forms are accepted. */
        field entry = field_at(areas, i);
        if (!json_is_array(entry.value)) {
            read_area_check(entry, sp);
            continue;
        }
        for (size_t j = 0; j < json_array_size(entry.value); j++)
            read_area_check(field_at(entry, j), sp);
    }
}

static void add_piece(special_rule *rule, const special_piece *piece, const int32_t pos[3],
                      int rotation)
{
    special_rule_piece *p = &rule->pieces[rule->piece_count++];
    p->piece = piece;
    memcpy(p->pos, pos, sizeof p->pos);
    p->rotation = rotation;
}

/* For each side, in the order of special_side_names, what a step towards it adds to x, y and z.
 */
const int32_t special_side_steps[SPECIAL_SIDES][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                                      {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};

/* Returns whether two sides of neighbouring pieces in a rule's group can meet: one of the joins
 * that a side may use must be the opposite of a join that the other side may use. */
static bool sides_fit(const special *sp, const special_side *a, const special_side *b)
{
    const special_join *join = a->join ? special_join_find(sp, a->join) : NULL;
    if (!b->join || !join)
        return !join;
    if (strcmp(b->join, join->opposite) == 0 ||
        special_list_has(&b->alternatives, join->opposite))
        return true;
    for (size_t i = 0; i < a->alternatives.count; i++) {
        const special_join *other = special_join_find(sp, a->alternatives.items[i]);
        if (other && strcmp(other->opposite, b->join) == 0)
            return true;
    }
    return false;
}

static void read_chunk_piece(field f, special_rule *rule, strmap *points)
{
    if (!field_object(f))
        return;
    field id = field_key(f, "overmap"), pos = field_key(f, "pos"), rot = field_key(f, "rot");
    int32_t at[3] = {0, 0, 0};
    int rotation = 0;
    const special_piece *piece = field_required(id, "overmap") ? field_piece(id) : NULL;
    bool placed = !pos.value || field_point(pos, at);
    if (field_choice(rot, "direction", special_side_names, &rotation) && rotation > 3) {
        field_error(rot, CT101, "expected north, east, south or west");
        rotation = 0;
    }
    if (!placed)
        return;
    if (special_points_put(points, f.im, at, rule->piece_count) != SIZE_MAX) {
        field_error(pos, SP107, "position [%d, %d, %d] is there twice", (int)at[0], (int)at[1],
                    (int)at[2]);
        return;
    }
    add_piece(rule, piece, at, rotation);
}

static void read_chunk(field f, special_rule *rule)
{
    strmap points;
    if (!field_array(f))
        return;
    size_t count = json_array_size(f.value);
    if (count == 0) {
        field_error(f, MU109, "the chunk is empty");
        return;
    }
    rule->pieces = import_alloc(f.im, count, sizeof *rule->pieces);
    if (!rule->pieces)
        return;
    strmap_init(&points);
    for (size_t i = 0; i < count && !import_stopped(f.im); i++)
        read_chunk_piece(field_at(f, i), rule, &points);
    /* Checks each mandatory join between two pieces of a rule's group: the side of the
     * neighbouring piece must have the opposite of this join. */
    for (size_t i = 0; i < rule->piece_count; i++) {
        const special_rule_piece *p = &rule->pieces[i];
        for (int side = 0; p->piece && side < SPECIAL_SIDES; side++) {
            const special_side *own = &p->piece->sides[side];
            int rotated = special_rotate_side(side, p->rotation);
            int32_t at[3];
            for (int k = 0; k < 3; k++)
                at[k] = p->pos[k] + special_side_steps[rotated][k];
            size_t j = special_points_get(&points, at);
            if (!own->join || own->type != PTL_JOIN_MANDATORY || j == SIZE_MAX ||
                !rule->pieces[j].piece)
                continue;
            const special_rule_piece *q = &rule->pieces[j];
            int facing = special_rotate_side(special_facing_side(rotated), -q->rotation);
            if (!sides_fit(f.sp, own, &q->piece->sides[facing]))
                field_error(f, MU109,
                            "the %s side of '%s' needs join '%s' from its neighbour '%s', "
                            "whose %s side does not offer it",
                            special_side_names[side], p->piece->id, own->join, q->piece->id,
                            special_side_names[facing]);
        }
    }
    strmap_dispose(&points);
}

static void read_rule_pieces(field f, special_rule *rule)
{
    static const int32_t origin[3] = {0, 0, 0};
    field overmap = field_key(f, "overmap"), chunk = field_key(f, "chunk");
    if ((!overmap.value) == (!chunk.value)) {
        field_error(f, MU109,
                    overmap.value ? "a rule can't have both 'overmap' and 'chunk'"
                                  : "a rule needs 'overmap' or 'chunk'");
        return;
    }
    if (chunk.value) {
        read_chunk(chunk, rule);
        return;
    }
    const special_piece *piece = field_piece(overmap);
    rule->pieces = import_alloc(f.im, 1, sizeof *rule->pieces);
    if (rule->pieces)
        add_piece(rule, piece, origin, 0);
}

static bool read_offset(field f, int64_t *out, bool *has)
{
    *has = field_int(f, -SPECIAL_HEIGHT_MAX, SPECIAL_HEIGHT_MAX, out);
    return *has || !f.value;
}

/* Reads a height: an integer, [a, b], "top", "bottom", or {"top": offset, "bottom":
 * offset}. */
static void read_height(field f, special_height *out)
{
    int64_t pair[2];
    const char *text = "";
    if (!f.value)
        return;
    if (json_is_integer(f.value)) {
        if (field_int(f, PTL_Z_MIN, PTL_Z_MAX, &pair[0]))
            *out = (special_height){.kind = PTL_HEIGHT_RANGE, .low = pair[0], .high = pair[0]};
        return;
    }
    if (json_is_array(f.value)) {
        if (!field_pair(f, INT32_MIN, INT32_MAX, pair))
            return;
        *out = (special_height){.kind = PTL_HEIGHT_RANGE, .low = pair[0], .high = pair[1]};
        if (pair[0] > pair[1])
            field_warning(f, MU103, "no level lies in [%lld, %lld]: the rule is never used",
                          (long long)pair[0], (long long)pair[1]);
        return;
    }
    if (json_is_string(f.value))
        text = json_string_value(f.value);
    if (strcmp(text, "top") == 0 || strcmp(text, "bottom") == 0) {
        out->kind = text[0] == 't' ? PTL_HEIGHT_TOP : PTL_HEIGHT_BOTTOM;
        return;
    }
    field top = field_key(f, "top"), bottom = field_key(f, "bottom");
    if (!top.value && !bottom.value) {
        field_expected(f, "an integer, [min, max], \"top\", \"bottom\" or an object with "
                          "\"top\" or \"bottom\"");
        return;
    }
    special_height h = {.kind = PTL_HEIGHT_OFFSET};
    bool ok = read_offset(top, &h.top, &h.has_top);
    if (read_offset(bottom, &h.bottom, &h.has_bottom) && ok)
        *out = h;
}

/* Reads the open join that the rule must close when it is placed. The rule can only be used if
 * one of its pieces has this join. */
static void read_rule_join(field f, special_rule *rule)
{
    const special_join *join = field_join(f);
    if (!join)
        return;
    rule->join = join->id;
    for (size_t i = 0; i < rule->piece_count; i++)
        for (int side = 0; rule->pieces[i].piece && side < SPECIAL_SIDES; side++) {
            const char *used = rule->pieces[i].piece->sides[side].join;
            if (used && strcmp(used, join->id) == 0)
                return;
        }
    field_warning(f, MU103, "none of the rule's pieces has join '%s': the rule is never used",
                  join->id);
}

static void read_rule(field f, special_rule *rule)
{
    *rule = (special_rule){.weight = -1, .rotate = -1};
    if (!field_object(f))
        return;
    field name = field_key(f, "name"), max = field_key(f, "max");
    field weight = field_key(f, "weight"), scale = field_key(f, "scale");
    field join = field_key(f, "join"), z = field_key(f, "z");
    field om_pos = field_key(f, "om_pos"), rotate = field_key(f, "rotate");
    bool rotates = false;
    read_rule_pieces(f, rule);
    field_string(name, &rule->name);
    field_amount(max, &rule->max);
    field_int(weight, 0, INT32_MAX, &rule->weight);
    if (!max.value && !weight.value)
        field_warning(f, MU108, "a rule with neither 'max' nor 'weight' is unlimited");
    const char *id = NULL;
    if (field_string(scale, &id)) {
        for (size_t i = 0; i < scale.sp->shared_count && !rule->scale; i++)
            if (strcmp(scale.sp->shared[i].id, id) == 0)
                rule->scale = scale.sp->shared[i].id;
        if (!rule->scale)
            field_error(scale, MU101, "'shared' has no '%s'%s", id,
                        SUGGEST_ID(scale.im, id, scale.sp->shared, scale.sp->shared_count));
    }
    read_rule_join(join, rule);
    read_height(z, &rule->height);
    rule->has_overmap_pos =
        field_pair(om_pos, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, rule->overmap_pos);
    if (field_bool(rotate, &rotates))
        rule->rotate = rotates;
}

/* Reads phases. Pieces, joins and shared numbers must be read before. */
static void special_read_phases(import *im, special *sp)
{
    field f = special_field(im, sp, "phases");
    if (!field_required(f, "phases") || !field_array(f))
        return;
    size_t count = json_array_size(f.value);
    sp->phases = import_alloc(im, count, sizeof *sp->phases);
    for (size_t i = 0; sp->phases && i < count; i++) {
        const field list = field_at(f, i);
        special_phase *phase = &sp->phases[sp->phase_count++];
        if (!field_array(list))
            continue;
        const size_t rules = json_array_size(list.value);
        phase->rules = import_alloc(im, rules, sizeof *phase->rules);
        for (size_t k = 0; phase->rules && k < rules; k++)
            read_rule(field_at(list, k), &phase->rules[phase->count++]);
    }
}

void special_read_mutable(import *im, special *sp)
{
    field f = special_field(im, sp, "joins");
    if (field_required(f, "joins") && field_array(f)) {
        size_t count = json_array_size(f.value);
        if (count > SPECIAL_LIST_MAX) {
            field_error(f, CT111, "%zu joins: at most %d are allowed", count, SPECIAL_LIST_MAX);
        } else {
            sp->joins = import_alloc(im, count, sizeof *sp->joins);
            for (size_t i = 0; sp->joins && i < count; i++) {
                field entry = field_at(f, i);
                special_join join = {.index = i};
                if (read_join(entry, &join))
                    sp->joins[sp->join_count++] = join;
            }
            for (size_t i = 0; sp->joins && i < sp->join_count; i++) {
                field entry = field_at(f, sp->joins[i].index);
                check_opposite(
                    (json_is_object(entry.value) ? field_key(entry, "opposite") : entry),
                    &sp->joins[i]);
            }
        }
    }
    read_pieces(im, sp);
    const field root = special_field(im, sp, "root");
    if (field_required(root, "root"))
        sp->root = field_piece(root);
    read_shared(im, sp);
    read_checks(im, sp);
    special_read_phases(im, sp);
}

const char *const special_amount_names[] = {"unlimited", "fixed",  "range",
                                            "poisson",   "chance", "binomial"};
const char *const special_height_names[] = {"any", "range", "top", "bottom", "offset"};

int special_rotate_side(int side, int rotation)
{
    return side < 4 ? (side + rotation + 4) % 4 : side;
}

int special_facing_side(int side)
{
    return side < 4 ? (side + 2) % 4 : 9 - side;
}
