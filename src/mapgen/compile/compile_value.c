/* Compiles values, which stand where ids are expected, as well as ranges of numbers and
 * parameters. */
#include "core/hash.h"
#include "core/utf8.h"
#include "mapgen/compile/compile_impl.h"

static const char *const reference_names[MAPGEN_REFERENCES] = {
    "",        "terrain",     "furniture",     "trap",          "field",
    "item",    "item group",  "monster",       "monster group", "vehicle",
    "npc",     "snippet",     "nested mapgen", "palette",       "ter_furn_transform",
    "faction", "sort of zone"};

void check_reference(mapgen_compiler *c, json_view at, uint32_t id, mapgen_reference what)
{
    const mapgen_marks *marks = c->context.marks;
    if (!marks || what == MAPGEN_REF_NONE || mapgen_marks_have(marks, id, what))
        return;
    const char *text = id_pool_text(c->context.pool, id);
    /* Is this an id that every game's program knows without a definition? */
    static const char *const all[] = {"null",    "t_null",   "f_null",    "tr_null",
                                      "fd_null", "mon_null", "GROUP_NULL"};
    bool found = false;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && !found; i++)
        found = strcmp(text, all[i]) == 0;
    if (!found)
        remark(c, MG301, at, "unknown %s '%.*s'%s", reference_names[what], UTF8_CUT(text, 80),
               c->context.suggest ? c->context.suggest(c->context.payload, text, what) : "");
}

static uint32_t add_value(mapgen_compiler *c, mapgen_value made)
{
    return GROWING_PUT(c, &c->values, made);
}

/* Adds a value to the unit, with its choices, which the caller has gathered in the array `own`;
 * frees that array. The choices of one value must lie together, and values inside of it have
 * choices, too. So its choices are appended only when all of them are compiled. */
static uint32_t add_choices(mapgen_compiler *c, mapgen_value made, growing *own)
{
    const mapgen_choice *list = own->items;
    made.first = c->choices.count;
    made.count = own->count;
    for (uint32_t i = 0; i < own->count; i++)
        GROWING_PUT(c, &c->choices, list[i]);
    growing_free(own);
    return add_value(c, made);
}

uint32_t compile_literal(mapgen_compiler *c, json_view v, uint32_t id, mapgen_reference what)
{
    check_reference(c, v, id, what);
    return add_value(c, (mapgen_value){.kind = MAPGEN_LITERAL, .id = id});
}

/* Reads the weight that follows a value in a JSON list; returns `weight` if there is none. */
static int64_t read_weight(mapgen_compiler *c, json_view pair, int32_t weight)
{
    json_walk w = json_walk_of(pair);
    int64_t number = weight;
    json_walk_next(&w);
    if (!json_walk_next(&w))
        return weight;
    /* Newer contents have weights that are formulas and change with time; Portolan does not
     * compute them. */
    if (json_view_kind(w.value) == VIEW_OBJECT) {
        remark_undone(c, w.value, "weight");
        return weight;
    }
    if ((!json_view_integer(w.value, &number) || number > INT32_MAX)) {
        remark(c, MG004, w.value, "a weight must be a whole number, not %s",
               json_view_kind_name(w.value));
        return 0;
    }
    return number;
}

uint32_t compile_choices(mapgen_compiler *c, json_view v, mapgen_reference what, int32_t weight)
{
    if (json_view_kind(v) != VIEW_ARRAY)
        return compile_value(c, v, what);
    growing own = {NULL, 0, 0};
    uint64_t sum = 0;
    for (json_walk w = json_walk_of(v); json_walk_next(&w);) {
        const bool pair = json_view_kind(w.value) == VIEW_ARRAY;
        if (json_view_kind(w.value) == VIEW_NUMBER) {
            remark(c, MG011, w.value, "a number among the alternatives is passed over");
            continue;
        }
        const int64_t n = pair ? read_weight(c, w.value, weight) : weight;
        const uint32_t value =
            compile_value(c, pair ? mapgen_first_of(w.value) : w.value, what);
        if (value == 0 || n <= 0)
            continue;
        sum += (uint64_t)n;
        if (sum > UINT32_MAX)
            remark(c, MG004, w.value, "the weights are more than 4294967295 together");
        GROWING_PUT(c, &own, (mapgen_choice){value, (uint32_t)sum});
    }
    return add_choices(c, (mapgen_value){.kind = MAPGEN_CHOICE}, &own);
}

static uint32_t compile_fallback(mapgen_compiler *c, json_view v, mapgen_reference what)
{
    const json_view fallback = json_view_get(v, "fallback");
    return fallback.document ? compile_value(c, fallback, what) : 0;
}

/* Compiles a value of the form {"switch": {"param", "fallback"}, "cases": {text: value}}. */
static uint32_t compile_switch(mapgen_compiler *c, json_view v, mapgen_reference what)
{
    const json_view on = json_view_get(v, "switch"), cases = json_view_get(v, "cases");
    const json_view param = json_view_get(on, "param");
    if (json_view_kind(param) != VIEW_TEXT || json_view_kind(cases) != VIEW_OBJECT) {
        remark(c, MG004, v, "a switch needs {\"param\": name} and an object 'cases'");
        return 0;
    }
    growing own = {NULL, 0, 0};
    for (json_walk w = json_walk_of(cases); json_walk_next(&w);) {
        const uint32_t key = pool_text(c, w.key);
        const uint32_t value = compile_value(c, w.value, what);
        if (value)
            GROWING_PUT(c, &own, (mapgen_choice){value, key});
    }
    const mapgen_value made = {.kind = MAPGEN_SWITCH,
                               .id = pool_text(c, param),
                               .fallback = compile_fallback(c, on, MAPGEN_REF_NONE),
                               .place = (uint32_t)json_view_offset(param)};
    return add_choices(c, made, &own);
}

uint32_t compile_value(mapgen_compiler *c, json_view v, mapgen_reference what)
{
    const view_kind kind = json_view_kind(v);
    if (kind == VIEW_TEXT)
        return compile_literal(c, v, pool_text(c, v), what);
    if (kind == VIEW_ARRAY)
        return compile_choices(c, v, what, 1);
    if (kind != VIEW_OBJECT) {
        remark(c, MG004, v, "expected an id, found %s", json_view_kind_name(v));
        return 0;
    }
    const json_view param = json_view_get(v, "param");
    if (json_view_kind(param) == VIEW_TEXT)
        return add_value(c, (mapgen_value){.kind = MAPGEN_PARAM,
                                           .id = pool_text(c, param),
                                           .fallback = compile_fallback(c, v, what),
                                           .place = (uint32_t)json_view_offset(param),
                                           .expects = what});
    if (json_view_get(v, "switch").document)
        return compile_switch(c, v, what);
    const json_view distribution = json_view_get(v, "distribution");
    const bool inline_group = what == MAPGEN_REF_ITEM_GROUP &&
                              json_view_kind(mapgen_first_of(distribution)) == VIEW_OBJECT;
    if (distribution.document && !inline_group)
        return compile_choices(c, distribution, what, 1);
    /* An id may stand in an object, for example {"ter": id}. A group may also be defined in
     * place of its id. */
    static const char *const members[MAPGEN_REFERENCES] = {
        [MAPGEN_REF_TERRAIN] = "ter", [MAPGEN_REF_FURNITURE] = "furn",
        [MAPGEN_REF_TRAP] = "trap",   [MAPGEN_REF_FIELD] = "field",
        [MAPGEN_REF_ITEM] = "item",   [MAPGEN_REF_MONSTER] = "monster"};
    const json_view inner = members[what] ? json_view_get(v, members[what]) : JSON_VIEW_NONE;
    if (inner.document && json_view_kind(inner) != VIEW_OBJECT)
        return compile_value(c, inner, what);
    if (what == MAPGEN_REF_ITEM_GROUP || what == MAPGEN_REF_MONSTER_GROUP)
        return add_value(c, (mapgen_value){.kind = MAPGEN_LITERAL,
                                           .id = mapgen_json_id(c->context.pool, v)});
    if (json_view_get(v, "palette").document) {
        remark_undone(c, v, "palette");
        return 0;
    }
    remark(c, MG004, v, "expected an id, found an object that is none of the known values");
    return 0;
}

/* ---- parameters ---- */

void compile_parameters(mapgen_compiler *c, json_view v)
{
    static const struct {
        const char *name;
        mapgen_reference what;
    } types[] = {{"palette_id", MAPGEN_REF_PALETTE},
                 {"ter_str_id", MAPGEN_REF_TERRAIN},
                 {"furn_str_id", MAPGEN_REF_FURNITURE},
                 {"mongroup_id", MAPGEN_REF_MONSTER_GROUP},
                 {"nested_mapgen_id", MAPGEN_REF_NESTED}};
    for (json_walk w = json_walk_of(v); json_walk_next(&w);) {
        const uint32_t name = pool_text(c, w.key);
        const json_view type = json_view_get(w.value, "type");
        const json_view drawn = json_view_get(w.value, "default");
        mapgen_reference what = MAPGEN_REF_NONE;
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            if (json_view_is(type, types[i].name))
                what = types[i].what;
        static const char *const names[] = {"omt", "nest", "omt_stack", "overmap_special"};
        const json_view scope = json_view_get(w.value, "scope");
        const int found = mapgen_word_of(scope, names, 4);
        if (found == 4 && scope.document)
            remark(c, MG004, scope, "'scope' must be omt, nest, omt_stack or overmap_special");
        /* A default value that is a bool or a number is used as a text. */
        const view_kind kind = json_view_kind(drawn);
        const uint32_t value =
            kind == VIEW_TEXT || kind == VIEW_ARRAY || kind == VIEW_OBJECT
                ? compile_value(c, drawn, what)
                : add_value(c, (mapgen_value){.kind = MAPGEN_LITERAL,
                                              .id = mapgen_json_id(c->context.pool, drawn)});
        GROWING_PUT(c, &c->parameters,
                    (mapgen_parameter){name, found < 4 ? (mapgen_scope)found : MAPGEN_SPECIAL,
                                       value, pool_text(c, type),
                                       (uint32_t)json_view_offset(w.key),
                                       hash_string(id_pool_text(c->context.pool, name))});
    }
}

/* ---- ranges ---- */

bool compile_range(mapgen_compiler *c, json_view v, mapgen_range *out)
{
    int64_t numbers[2] = {0, 0};
    size_t count = 0;
    bool good = true;
    if (json_view_kind(v) == VIEW_ARRAY) {
        for (json_walk w = json_walk_of(v); json_walk_next(&w) && good; count++)
            good = count < 2 && json_view_integer(w.value, &numbers[count]);
    } else {
        good = json_view_integer(v, &numbers[0]);
        count = 1;
    }
    if (!good || count == 0 || numbers[0] != (int32_t)numbers[0] ||
        numbers[1] != (int32_t)numbers[1]) {
        remark(c, MG201, v, "expected a whole number or [lowest, highest]");
        return false;
    }
    if (count == 1)
        numbers[1] = numbers[0];
    if (numbers[0] > numbers[1])
        remark(c, MG204, v, "the range is reversed: both numbers count, in their order");
    const bool order = numbers[0] <= numbers[1];
    *out = (mapgen_range){(int32_t)numbers[!order], (int32_t)numbers[order]};
    return true;
}

/*
 * Limits of the numbers that content gives to things on a map (compile.h). All allowed numbers
 * fit into a local map (model/local_map.h).
 */

enum { ALL = 100 };

static const mapgen_number_rule rules[MAPGEN_NUMBERS] = {
    [MAPGEN_NUMBER_AGE] = {"age", 0, INT32_MAX},
    [MAPGEN_NUMBER_FUEL] = {"fuel", -1, ALL},
    [MAPGEN_NUMBER_STATUS] = {"status", -1, 1},
    [MAPGEN_NUMBER_SECURITY] = {"security", 0, INT32_MAX},
    [MAPGEN_NUMBER_AMMO] = {"ammo", 0, ALL},
    [MAPGEN_NUMBER_MAGAZINE] = {"magazine", 0, ALL},
    [MAPGEN_NUMBER_RADIATION] = {"amount", 0, ALL},
    [MAPGEN_NUMBER_DENSITY] = {"density", 0, INT32_MAX}};

const mapgen_number_rule *mapgen_number_of(mapgen_number number)
{
    return &rules[number];
}

int32_t mapgen_number_cut(mapgen_number number, int64_t value)
{
    const mapgen_number_rule *r = &rules[number];
    return value < r->least ? r->least : value > r->most ? r->most : (int32_t)value;
}

/* ---- coordinates ---- */

/* Compiles the coordinates of the things that mapgen puts on tiles, and the member `set`, which
 * draws points, lines and squares of one terrain, furniture, trap or radiation. */

/* Cuts a range of coordinates, on one axis, to the OMT in which its first number lies: in a
 * grid of OMTs each OMT has 24 tiles on the axis. */
static bool cut(mapgen_compiler *c, json_view at, const char *axis, int32_t size,
                mapgen_range *range)
{
    const json_view v = json_view_get(at, axis);
    /* `first` is the number that content writes first. Content may write the higher number
     * first, but `range` has the lower one in `low`. */
    json_walk w = json_walk_of(v);
    int64_t first = range->low;
    (void)json_view_integer(json_walk_next(&w) ? w.value : v, &first);

    if (first < 0 || first >= size) {
        remark(c, MG202, v.document ? v : at,
               "'%s' begins outside of the drawing, which has %d tiles there: left out", axis,
               (int)size);
        return false;
    }
    const int32_t block = (int32_t)first / MAPGEN_SIDE * MAPGEN_SIDE;
    const int32_t last = block + MAPGEN_SIDE - 1;
    if (range->low < block || range->high > last)
        remark(c, MG203, v, "'%s' crosses the border of a map's 24 tiles: cut there", axis);
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

/* What was found so far in the members of an operation of `set`. */
typedef struct set_seen {
    int shapes, subject;
    /* The bit i is set if the operation has the member that row i of set_ranges names. */
    uint32_t ranges;
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
        remark(c, MG005, w->key, "unknown member '%s'", key_text(c, w));
    }
}

/* Returns whether an operation of the member `set` has all JSON members that its shape and
 * subject need. What is missing is reported. */
static bool check_set(mapgen_compiler *c, json_view v, const mapgen_piece *p,
                      const set_seen *seen)
{
    const bool far = p->shape != MAPGEN_POINT;
    const uint32_t needed = far ? 1u << SEEN_X | 1u << SEEN_Y | 1u << SEEN_X2 | 1u << SEEN_Y2
                                : 1u << SEEN_X | 1u << SEEN_Y;
    if (seen->shapes != 1)
        remark(c, MG208, v, "exactly one of 'point', 'line' and 'square' is needed");
    else if (seen->subject == MAPGEN_SUBJECTS)
        remark(c, MG208, v, "the subject of 'set' is unknown");
    else if ((seen->ranges & needed) != needed)
        remark(c, MG208, v,
               far ? "'x', 'y', 'x2' and 'y2' are needed" : "'x' and 'y' are needed");
    else if (seen->subject <= MAPGEN_SET_TRAP && !seen->id.document)
        remark(c, MG208, v, "'id' is missing");
    else if (seen->subject == MAPGEN_SET_RADIATION && !(seen->ranges >> SEEN_AMOUNT & 1))
        remark(c, MG208, v, "'amount' is missing");
    else
        return true;
    return false;
}

/* Limits a coordinate: it may lie outside of the OMT whose tiles go from `first` to `last`, but
 * by no more than the length of an OMT (24 tiles). */
static int32_t near_block(int32_t at, int32_t first, int32_t last)
{
    return at < first - MAPGEN_SIDE  ? first - MAPGEN_SIDE
           : at > last + MAPGEN_SIDE ? last + MAPGEN_SIDE
                                     : at;
}

/* Gives an operation of `set` its place. In an entry that is a grid of OMTs, the operation
 * is carried out only on the OMT (24 x 24 tiles) in which its first end lies. */
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
        /* A line keeps its slope, so its far end may stay outside of the OMT. An end that
         * lies more than 24 tiles (the length of an OMT) outside is moved to that distance;
         * only tiles in the OMT are changed anyway. */
        ends[i]->low = near_block(ends[i]->low, first, last);
        ends[i]->high = near_block(ends[i]->high, first, last);
    }
    if (crosses)
        remark(c, MG203, v,
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
        remark(c, MG205, v, "'repeat' must be at least 0, 'chance' at least 1");
    if (p.subject == MAPGEN_SET_RADIATION) {
        const mapgen_range told = p.amount;
        p.amount.low = mapgen_number_cut(MAPGEN_NUMBER_RADIATION, told.low);
        p.amount.high = mapgen_number_cut(MAPGEN_NUMBER_RADIATION, told.high);
        if (p.amount.low != told.low || p.amount.high != told.high)
            remark(c, MG205, v, "'amount' of radiation must be 0 to 100");
    }
    if (seen.id.document && p.subject != MAPGEN_SET_RADIATION && p.subject != MAPGEN_SET_BASH)
        p.what = compile_value(c, seen.id, subjects[seen.subject].what);
    if (!place_set(c, v, &p))
        return 0;
    p.place = (uint32_t)json_view_offset(v);
    return GROWING_PUT(c, &c->pieces, p);
}
