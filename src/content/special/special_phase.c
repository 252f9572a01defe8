/*
 * Phases of mutable specials: lists of rules. Each rule places one piece, or a rigid group of
 * pieces ("chunk" in the content).
 */
#include "content/special/special.h"

#include <string.h>

const char *const special_amount_names[] = {"unlimited", "fixed",  "range",
                                            "poisson",   "chance", "binomial"};
const char *const special_height_names[] = {"any", "range", "top", "bottom", "offset"};

/* The step towards each side, in the order of special_side_names. */
const int32_t special_side_steps[SPECIAL_SIDES][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                                      {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};

int special_rotate_side(int side, int rotation)
{
    return side < 4 ? (side + rotation + 4) % 4 : side;
}

int special_facing_side(int side)
{
    return side < 4 ? (side + 2) % 4 : 9 - side;
}

/* ---- the pieces of a rule ---- */

static void add_piece(special_rule *rule, const special_piece *piece, const int32_t pos[3],
                      int rotation)
{
    special_rule_piece *p = &rule->pieces[rule->piece_count++];
    p->piece = piece;
    memcpy(p->pos, pos, sizeof p->pos);
    p->rotation = rotation;
}

/* Can two sides inside a group meet? One of the joins that either may use must be the
 * other's opposite. */
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

static void read_chunk_piece(field f, special_rule *rule, special_points *points)
{
    if (!field_object(f))
        return;
    field id = field_key(f, "overmap"), pos = field_key(f, "pos"), rot = field_key(f, "rot");
    int32_t at[3] = {0, 0, 0};
    int rotation = 0;
    const special_piece *piece = field_required(id, "overmap") ? field_piece(id) : NULL;
    bool placed = !pos.value || field_point(pos, at);
    if (field_choice(rot, "direction", special_side_names, &rotation) && rotation > 3) {
        field_error(rot, "expected north, east, south or west");
        rotation = 0;
    }
    if (!placed)
        return;
    if (special_points_put(points, at, rule->piece_count) != SIZE_MAX) {
        field_error(pos, "position [%d, %d, %d] is there twice", (int)at[0], (int)at[1],
                    (int)at[2]);
        return;
    }
    add_piece(rule, piece, at, rotation);
}

static void read_chunk(field f, special_rule *rule)
{
    special_points points = {NULL, 0};
    if (!field_array(f))
        return;
    size_t count = json_array_size(f.value);
    if (count == 0) {
        field_error(f, "the chunk is empty");
        return;
    }
    rule->pieces = import_alloc(f.im, count, sizeof *rule->pieces);
    if (!rule->pieces || !special_points_init(&points, f.im, count))
        return;
    for (size_t i = 0; i < count && !import_stopped(f.im); i++)
        read_chunk_piece(field_at(f, i), rule, &points);
    /* Checks that each mandatory join between two pieces of a group is closed by the group
     * itself. */
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
                field_error(f,
                            "the %s side of '%s' needs join '%s' from its neighbour '%s', "
                            "whose %s side does not offer it",
                            special_side_names[side], p->piece->id, own->join, q->piece->id,
                            special_side_names[facing]);
        }
    }
}

static void read_pieces(field f, special_rule *rule)
{
    static const int32_t origin[3] = {0, 0, 0};
    field overmap = field_key(f, "overmap"), chunk = field_key(f, "chunk");
    if ((!overmap.value) == (!chunk.value)) {
        field_error(f, overmap.value ? "a rule can't have both 'overmap' and 'chunk'"
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

/* ---- where and how often ---- */

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
            field_warning(f, "no level lies in [%lld, %lld]: the rule is never used",
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

/* Reads the join that a rule must resolve; the rule can only be used if one of its pieces
 * has it. */
static void read_join(field f, special_rule *rule)
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
    field_warning(f, "none of the rule's pieces has join '%s': the rule is never used",
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
    read_pieces(f, rule);
    field_string(name, &rule->name);
    field_amount(max, &rule->max);
    field_int(weight, 0, INT32_MAX, &rule->weight);
    if (!max.value && !weight.value)
        field_warning(f, "a rule with neither 'max' nor 'weight' is unlimited");
    const char *id = NULL;
    if (field_string(scale, &id)) {
        for (size_t i = 0; i < scale.sp->shared_count && !rule->scale; i++)
            if (strcmp(scale.sp->shared[i].id, id) == 0)
                rule->scale = scale.sp->shared[i].id;
        if (!rule->scale)
            field_error(scale, "'shared' has no '%s'%s", id,
                        SUGGEST_ID(scale.im, id, scale.sp->shared, scale.sp->shared_count));
    }
    read_join(join, rule);
    read_height(z, &rule->height);
    rule->has_overmap_pos =
        field_pair(om_pos, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, rule->overmap_pos);
    if (field_bool(rotate, &rotates))
        rule->rotate = rotates;
}

void special_read_phases(import *im, special *sp)
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
