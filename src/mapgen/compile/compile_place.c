/* Compiles coordinates and the member `set`: points, lines and squares of one terrain,
 * furniture, trap or radiation. */
#include "mapgen/compile/compile_impl.h"
#include "mapgen/compile/numbers.h"

/* ---- coordinates ---- */

/* Cuts a range on one axis to the block of 24 tiles that its first number lies in. */
static bool cut(mapgen_compiler *c, json_view at, const char *axis, int32_t size,
                mapgen_range *range)
{
    const json_view v = json_view_get(at, axis);
    /* The first number as it is written, as the range may be reversed. */
    json_walk w = json_walk_of(v);
    int64_t first = range->low;
    (void)json_view_integer(json_walk_next(&w) ? w.value : v, &first);

    if (first < 0 || first >= size) {
        remark(c, 202, v.document ? v : at,
               "'%s' begins outside of the drawing, which has %d tiles there: left out", axis,
               (int)size);
        return false;
    }
    const int32_t block = (int32_t)first / MAPGEN_SIDE * MAPGEN_SIDE;
    const int32_t last = block + MAPGEN_SIDE - 1;
    if (range->low < block || range->high > last)
        remark(c, 203, v, "'%s' crosses the border of a map's 24 tiles: cut there", axis);
    range->low = range->low < block ? block : range->low;
    range->high = range->high > last ? last : range->high;
    return true;
}

bool compile_place(mapgen_compiler *c, json_view at, mapgen_piece *p)
{
    return cut(c, at, "x", c->width, &p->x) && cut(c, at, "y", c->height, &p->y);
}

void compile_height(mapgen_compiler *c, json_view v, mapgen_piece *p)
{
    if (!compile_range(c, v, &p->z) || (p->z.low == 0 && p->z.high == 0))
        return;
    p->flags |= MAPGEN_AT_HEIGHT;
}

/* ---- set ---- */

static const struct {
    const char *name;
    mapgen_reference what;
    bool undone;
} subjects[MAPGEN_SUBJECTS] = {
    [MAPGEN_SET_TERRAIN] = {"terrain", MAPGEN_REF_TERRAIN, false},
    [MAPGEN_SET_FURNITURE] = {"furniture", MAPGEN_REF_FURNITURE, false},
    [MAPGEN_SET_TRAP] = {"trap", MAPGEN_REF_TRAP, false},
    [MAPGEN_SET_RADIATION] = {"radiation", MAPGEN_REF_NONE, false},
    [MAPGEN_SET_BASH] = {"bash", MAPGEN_REF_NONE, false},
    [MAPGEN_SET_TRAP_REMOVE] = {"trap_remove", MAPGEN_REF_TRAP, false},
    [MAPGEN_SET_ITEM_REMOVE] = {"item_remove", MAPGEN_REF_NONE, false},
    [MAPGEN_SET_FIELD_REMOVE] = {"field_remove", MAPGEN_REF_NONE, false},
    [MAPGEN_SET_CREATURE_REMOVE] = {"creature_remove", MAPGEN_REF_NONE, false},
    [MAPGEN_SET_BURN] = {"burn", MAPGEN_REF_NONE, true},
    [MAPGEN_SET_VARIABLE] = {"variable", MAPGEN_REF_NONE, false}};

/* What the members of an operation have told so far. */
typedef struct set_seen {
    int shapes, subject;
    uint32_t ranges; /* which of set_ranges, as bits */
    json_view id;
} set_seen;

enum { SEEN_X, SEEN_Y, SEEN_X2, SEEN_Y2, SEEN_AMOUNT, SEEN_REPEAT, SEEN_CHANCE, SET_RANGES };
static const struct {
    const char *name;
    size_t at;
} set_ranges[SET_RANGES] = {[SEEN_X] = {"x", offsetof(mapgen_piece, x)},
                            [SEEN_Y] = {"y", offsetof(mapgen_piece, y)},
                            [SEEN_X2] = {"x2", offsetof(mapgen_piece, x2)},
                            [SEEN_Y2] = {"y2", offsetof(mapgen_piece, y2)},
                            [SEEN_AMOUNT] = {"amount", offsetof(mapgen_piece, amount)},
                            [SEEN_REPEAT] = {"repeat", offsetof(mapgen_piece, repeat)},
                            [SEEN_CHANCE] = {"chance", offsetof(mapgen_piece, chance)}};

static void read_set_member(mapgen_compiler *c, mapgen_piece *p, const json_walk *w,
                            set_seen *seen)
{
    int range = 0;
    while (range < SET_RANGES && !key_is(w, set_ranges[range].name))
        range++;
    const bool point = key_is(w, "point") || key_is(w, "set"), line = key_is(w, "line");
    if (point || line || key_is(w, "square")) {
        p->shape = point ? MAPGEN_POINT : line ? MAPGEN_LINE : MAPGEN_SQUARE;
        seen->shapes++;
        int i = 0;
        while (i < MAPGEN_SUBJECTS && !json_view_is(w->value, subjects[i].name))
            i++;
        seen->subject = i;
    } else if (range < SET_RANGES) {
        if (compile_range(c, w->value, (void *)((char *)p + set_ranges[range].at)) ||
            range == SEEN_AMOUNT)
            seen->ranges |= 1u << range;
    } else if (key_is(w, "id")) {
        seen->id = w->value;
    } else if (key_is(w, "z")) {
        compile_height(c, w->value, p);
    } else if (!key_is(w, "name")) {
        remark(c, 5, w->key, "unknown member '%s'", key_text(c, w));
    }
}

/* Has the operation all members that its shape and subject need? What is missing is
 * reported. */
static bool check_set(mapgen_compiler *c, json_view v, const mapgen_piece *p,
                      const set_seen *seen)
{
    const bool far = p->shape != MAPGEN_POINT;
    const uint32_t needed = far ? 1u << SEEN_X | 1u << SEEN_Y | 1u << SEEN_X2 | 1u << SEEN_Y2
                                : 1u << SEEN_X | 1u << SEEN_Y;
    if (seen->shapes != 1)
        remark(c, 208, v, "exactly one of 'point', 'line' and 'square' is needed");
    else if (seen->subject == MAPGEN_SUBJECTS)
        remark(c, 208, v, "the subject of 'set' is unknown");
    else if ((seen->ranges & needed) != needed)
        remark(c, 208, v,
               far ? "'x', 'y', 'x2' and 'y2' are needed" : "'x' and 'y' are needed");
    else if (seen->subject <= MAPGEN_SET_TRAP && !seen->id.document)
        remark(c, 208, v, "'id' is missing");
    else if (seen->subject == MAPGEN_SET_RADIATION && !(seen->ranges >> SEEN_AMOUNT & 1))
        remark(c, 208, v, "'amount' is missing");
    else
        return true;
    return false;
}

/* Cuts a coordinate to at most a block's side outside of the block. */
static int32_t near_block(int32_t at, int32_t first, int32_t last)
{
    return at < first - MAPGEN_SIDE  ? first - MAPGEN_SIDE
           : at > last + MAPGEN_SIDE ? last + MAPGEN_SIDE
                                     : at;
}

/* Places an operation of `set`. Its tiles outside of the block of its first end are not
 * drawn. */
static bool place_set(mapgen_compiler *c, json_view v, mapgen_piece *p)
{
    if (!compile_place(c, v, p))
        return false;
    const int32_t blocks[2] = {p->x.low / MAPGEN_SIDE * MAPGEN_SIDE,
                               p->y.low / MAPGEN_SIDE * MAPGEN_SIDE};
    mapgen_range *const ends[2] = {&p->x2, &p->y2};
    bool crosses = false;
    for (int i = 0; i < 2 && p->shape != MAPGEN_POINT; i++) {
        const int32_t first = blocks[i], last = first + MAPGEN_SIDE - 1;
        crosses = crosses || ends[i]->low < first || ends[i]->high > last;
        /* A line keeps its slope, so its far end may stay outside of the block. An end that
         * is further away than one side is cut to that: far outside is as good as near. */
        ends[i]->low = near_block(ends[i]->low, first, last);
        ends[i]->high = near_block(ends[i]->high, first, last);
    }
    if (crosses)
        remark(c, 203, v,
               "a line or square of 'set' crosses the border of a map's 24 tiles: "
               "what is outside is not drawn");
    return true;
}

uint32_t compile_set(mapgen_compiler *c, json_view v)
{
    mapgen_piece p = {
        .kind = MAPGEN_SET, .flags = MAPGEN_ONE_IN, .repeat = {1, 1}, .chance = {1, 1}};
    set_seen seen = {.subject = MAPGEN_SUBJECTS, .id = JSON_VIEW_NONE};
    for (json_walk w = json_walk_of(v); json_walk_next(&w);)
        read_set_member(c, &p, &w, &seen);
    if (!check_set(c, v, &p, &seen))
        return 0;
    p.subject = (mapgen_subject)seen.subject;
    if (subjects[seen.subject].undone) {
        remark_undone(c, v, subjects[seen.subject].name);
        return 0;
    }
    if (p.repeat.low < 0 || p.chance.low < 1)
        remark(c, 205, v, "'repeat' must be at least 0, 'chance' at least 1");
    if (p.subject == MAPGEN_SET_RADIATION) {
        const mapgen_range told = p.amount;
        p.amount.low = mapgen_number_cut(MAPGEN_NUMBER_RADIATION, told.low);
        p.amount.high = mapgen_number_cut(MAPGEN_NUMBER_RADIATION, told.high);
        if (p.amount.low != told.low || p.amount.high != told.high)
            remark(c, 205, v, "'amount' of radiation must be 0 to 100");
    }
    if (seen.id.document && p.subject != MAPGEN_SET_RADIATION && p.subject != MAPGEN_SET_BASH)
        p.what = compile_value(c, seen.id, subjects[seen.subject].what);
    if (!place_set(c, v, &p))
        return 0;
    mapgen_piece *made = GROWING_ADD(c, &c->pieces, mapgen_piece);
    if (!made)
        return 0;
    *made = p;
    return c->pieces.count - 1;
}
