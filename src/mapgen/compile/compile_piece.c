/* Pieces: what each kind's members are, and how they are read. */
#include "mapgen/compile/compile_impl.h"
#include "mapgen/compile/numbers.h"

#include <stddef.h>
#include <string.h>

/* How a member is read. */
typedef enum reading {
    READ_WHAT,    /* the value that the kind is about; an id, or a list of alternatives */
    READ_WITH,    /* the second one */
    READ_CHUNKS,  /* `what`, of a list with weights of 100 */
    READ_ELSE,    /* `with`, likewise */
    READ_TEXT,    /* a string */
    READ_AMOUNT,  /* a range */
    READ_CHANCE,  /* a range */
    READ_FLAG,    /* true or false: the flag `more` */
    READ_NUMBER,  /* a number; `more` is its place, `which` says what it may be */
    READ_DENSITY, /* a fraction */
    READ_FACINGS, /* degrees: a number or a list, one of which is drawn */
    READ_IDS,     /* an id, or a list of them: the choices */
    READ_ITEM,    /* a piece inside */
    READ_ITEMS,
    READ_CONDITION, /* of a nested chunk: read together */
    READ_JSON,      /* kept as it stands, with the piece: `text` */
    READ_DATA,      /* likewise: `data` */
    READ_CHARGES,   /* a range, of items */
    READ_DAMAGE,    /* likewise */
    READ_NOTHING,   /* needs nothing of a map's maker */
    READ_UNDONE     /* recognised and not carried out */
} reading;

typedef struct member_rule {
    const char *name;
    reading how;
    int more;            /* a reference, a flag, a number's place */
    mapgen_number which; /* of READ_NUMBER alone */
} member_rule;

enum { MEMBERS_MAX = 14 };

typedef struct kind_rule {
    const char *mapped, *placed; /* the members of an object; NULL: there is none */
    int order;                   /* among pieces by coordinates */
    member_rule members[MEMBERS_MAX];
    /* What the chance is where none is given, and the most it may be (0: any). */
    int32_t chance, chance_max;
    uint32_t flags;
    bool needed; /* `what` is */
} kind_rule;

#define WHAT(name, reference)                                                                  \
    {                                                                                          \
        name, READ_WHAT, MAPGEN_REF_##reference, MAPGEN_NUMBER_AGE                             \
    }
#define WITH(name, reference)                                                                  \
    {                                                                                          \
        name, READ_WITH, MAPGEN_REF_##reference, MAPGEN_NUMBER_AGE                             \
    }
#define CHANCE                                                                                 \
    {                                                                                          \
        "chance", READ_CHANCE, 0, MAPGEN_NUMBER_AGE                                            \
    }
#define AMOUNT(name)                                                                           \
    {                                                                                          \
        name, READ_AMOUNT, 0, MAPGEN_NUMBER_AGE                                                \
    }
#define NUMBER(name, place, which)                                                             \
    {                                                                                          \
        name, READ_NUMBER, place, MAPGEN_NUMBER_##which                                        \
    }
#define FLAG(name, flag)                                                                       \
    {                                                                                          \
        name, READ_FLAG, flag, MAPGEN_NUMBER_AGE                                               \
    }
#define OTHER(name, how)                                                                       \
    {                                                                                          \
        name, how, 0, MAPGEN_NUMBER_AGE                                                        \
    }

static const kind_rule rules[MAPGEN_KINDS] = {
    [MAPGEN_TERRAIN] = {"terrain", "place_terrain", 14, {WHAT("ter", TERRAIN)}, .needed = true},
    [MAPGEN_FURNITURE] =
        {"furniture", "place_furniture", 13, {WHAT("furn", FURNITURE)}, .needed = true},
    [MAPGEN_FIELD] = {"fields",
                      "place_fields",
                      1,
                      {WHAT("field", FIELD), AMOUNT("intensity"), AMOUNT("density"),
                       NUMBER("age", 0, AGE), OTHER("remove", READ_UNDONE), CHANCE},
                      100,
                      100,
                      .needed = true},
    [MAPGEN_NPC] = {"npcs",
                    "place_npcs",
                    2,
                    {WHAT("class", NPC), FLAG("target", MAPGEN_TARGET),
                     OTHER("add_trait", READ_UNDONE), OTHER("unique_id", READ_TEXT)},
                    .needed = true},
    [MAPGEN_SIGN] = {"signs",
                     "place_signs",
                     3,
                     {OTHER("signage", READ_TEXT), WHAT("snippet", SNIPPET),
                      WITH("furniture", FURNITURE)},
                     .needed = false},
    [MAPGEN_VENDING] = {"vendingmachines",
                        "place_vendingmachines",
                        4,
                        {WHAT("item_group", ITEM_GROUP), FLAG("reinforced", MAPGEN_REINFORCED),
                         OTHER("lootable", READ_NOTHING), OTHER("powered", READ_NOTHING),
                         OTHER("networked", READ_NOTHING)},
                        .needed = false},
    [MAPGEN_TOILET] = {"toilets", "place_toilets", 5, {AMOUNT("amount")}, .needed = false},
    [MAPGEN_GASPUMP] = {"gaspumps",
                        "place_gaspumps",
                        7,
                        {AMOUNT("amount"), OTHER("fuel", READ_TEXT)},
                        .needed = false},
    [MAPGEN_ITEMS] = {"items",
                      "place_items",
                      8,
                      {WHAT("item", ITEM_GROUP), CHANCE, NUMBER("ammo", 0, AMMO),
                       NUMBER("magazine", 1, MAGAZINE), OTHER("faction", READ_NOTHING),
                       OTHER("variant", READ_DATA), OTHER("charges", READ_CHARGES),
                       OTHER("damage", READ_DAMAGE)},
                      1, /* as the maps of DDA 0.F show */
                      100,
                      .needed = true},
    [MAPGEN_MONSTERS] = {"monsters",
                         "place_monsters",
                         10,
                         {WHAT("monster", MONSTER_GROUP), CHANCE,
                          OTHER("density", READ_DENSITY)},
                         1,
                         0,
                         MAPGEN_ONE_IN,
                         true},
    [MAPGEN_VEHICLE] = {"vehicles",
                        "place_vehicles",
                        11,
                        {WHAT("vehicle", VEHICLE), CHANCE, OTHER("rotation", READ_FACINGS),
                         NUMBER("fuel", 0, FUEL), NUMBER("status", 1, STATUS),
                         OTHER("faction", READ_NOTHING),
                         OTHER("place_beyond_bounds", READ_UNDONE)},
                        1,
                        100,
                        .needed = true},
    [MAPGEN_ITEM] = {"item",
                     "place_item",
                     0,
                     {WHAT("item", ITEM), AMOUNT("amount"), CHANCE,
                      OTHER("custom-flags", READ_JSON), OTHER("faction", READ_NOTHING),
                      OTHER("variant", READ_DATA), OTHER("charges", READ_CHARGES),
                      OTHER("damage", READ_DAMAGE)},
                     100,
                     100,
                     .needed = true},
    [MAPGEN_TRAP] = {"traps",
                     "place_traps",
                     12,
                     {WHAT("trap", TRAP), OTHER("remove", READ_UNDONE)},
                     .needed = true},
    [MAPGEN_MONSTER] = {"monster",
                        "place_monster",
                        15,
                        {WHAT("monster", MONSTER), WITH("group", MONSTER_GROUP), CHANCE,
                         AMOUNT("pack_size"), OTHER("name", READ_TEXT),
                         FLAG("friendly", MAPGEN_FRIENDLY),
                         FLAG("one_or_none", MAPGEN_ONE_OR_NONE), FLAG("target", MAPGEN_TARGET),
                         OTHER("spawn_data", READ_DATA), OTHER("random_name", READ_UNDONE),
                         OTHER("use_pack_size", READ_NOTHING)},
                        100,
                        100,
                        .needed = false},
    [MAPGEN_COMPUTER] = {"computers",
                         "place_computers",
                         16,
                         {OTHER("name", READ_TEXT), NUMBER("security", 0, SECURITY),
                          FLAG("target", MAPGEN_TARGET), OTHER("options", READ_NOTHING),
                          OTHER("failures", READ_NOTHING), OTHER("access_denied", READ_NOTHING),
                          OTHER("eocs", READ_NOTHING), OTHER("chat_topics", READ_NOTHING)},
                         .needed = false},
    [MAPGEN_SEALED_ITEM] = {"sealed_item",
                            "place_sealed_item",
                            17,
                            {WITH("furniture", FURNITURE), OTHER("item", READ_ITEM),
                             OTHER("items", READ_ITEMS), CHANCE},
                            100,
                            100,
                            .needed = false},
    [MAPGEN_NESTED] = {"nested",
                       "place_nested",
                       18,
                       {OTHER("chunks", READ_CHUNKS), OTHER("else_chunks", READ_ELSE),
                        OTHER("neighbors", READ_CONDITION), OTHER("flags", READ_CONDITION),
                        OTHER("flags_any", READ_CONDITION), OTHER("joins", READ_CONDITION),
                        OTHER("predecessors", READ_CONDITION), OTHER("check_z", READ_CONDITION),
                        OTHER("connections", READ_CONDITION)},
                       .needed = false},
    [MAPGEN_LIQUID] = {"liquids",
                       "place_liquids",
                       6,
                       {WHAT("liquid", ITEM), AMOUNT("amount"), CHANCE},
                       1,
                       0,
                       MAPGEN_ONE_IN,
                       true},
    [MAPGEN_GRAFFITI] = {"graffiti",
                         "place_graffiti",
                         19,
                         {OTHER("text", READ_TEXT), WHAT("snippet", SNIPPET)},
                         .needed = false},
    [MAPGEN_ZONE] = {"zones",
                     "place_zones",
                     21,
                     {WHAT("type", NONE), WITH("faction", NONE), OTHER("name", READ_TEXT),
                      OTHER("filter", READ_NOTHING)},
                     .needed = true},
    [MAPGEN_TRANSFORM] = {"ter_furn_transforms",
                          "place_ter_furn_transforms",
                          22,
                          {WHAT("transform", TRANSFORM)},
                          .needed = true},
    [MAPGEN_LOOT] = {"loot",
                     "place_loot",
                     9,
                     {WHAT("group", ITEM_GROUP), WITH("item", ITEM), CHANCE,
                      NUMBER("ammo", 0, AMMO), NUMBER("magazine", 1, MAGAZINE),
                      OTHER("variant", READ_DATA), OTHER("faction", READ_NOTHING)},
                     100,
                     100,
                     .needed = false},
    [MAPGEN_RUBBLE] = {"rubble",
                       "place_rubble",
                       23,
                       {WHAT("rubble_type", FURNITURE), WITH("floor_type", TERRAIN),
                        FLAG("items", MAPGEN_WITH_ITEMS), FLAG("overwrite", MAPGEN_OVERWRITE)},
                       .needed = false},
    [MAPGEN_TRANSLATE] = {NULL,
                          "translate_ter",
                          20,
                          {WHAT("from", TERRAIN), WITH("to", TERRAIN)},
                          .needed = true},
    [MAPGEN_OWNER] = {NULL, "faction_owner", 24, {WHAT("id", NONE)}, .needed = true},
    [MAPGEN_CORPSE] = {"corpses",
                       "place_corpses",
                       8,
                       {WHAT("group", MONSTER_GROUP), NUMBER("age", 0, AGE)},
                       .needed = true},
    [MAPGEN_REMOVE_ALL] = {"remove_all", "place_remove_all", -1, {{0}}, .needed = false},
    [MAPGEN_REMOVE_VEHICLES] = {"remove_vehicles",
                                "remove_vehicles",
                                0,
                                {OTHER("vehicles", READ_IDS)},
                                .needed = false},
    [MAPGEN_REMOVE_NPCS] = {"remove_npcs",
                            "remove_npcs",
                            0,
                            {OTHER("class", READ_IDS), OTHER("unique_id", READ_TEXT)},
                            .needed = false},
    [MAPGEN_VARIABLE] =
        {"variables", "place_variables", 25, {OTHER("name", READ_TEXT)}, .needed = false},
};

/* ---- kinds ---- */

mapgen_kind kind_of_member(const json_walk *w)
{
    int kind = 0;
    while (kind < MAPGEN_KINDS && !(rules[kind].mapped && key_is(w, rules[kind].mapped)))
        kind++;
    return key_is(w, "field") ? MAPGEN_FIELD : (mapgen_kind)kind;
}

mapgen_kind kind_of_placed(const json_walk *w)
{
    int kind = 0;
    while (kind < MAPGEN_KINDS && !(rules[kind].placed && key_is(w, rules[kind].placed)))
        kind++;
    if (kind == MAPGEN_KINDS && key_is(w, "remove_all"))
        return MAPGEN_REMOVE_ALL;
    return (mapgen_kind)kind;
}

int kind_place_order(mapgen_kind kind)
{
    return rules[kind].order;
}

/* ---- members ---- */

/* Tells of a number that may not be, and returns the nearest one that may. */
static int32_t cut_number(mapgen_compiler *c, mapgen_number which, json_view at, int64_t number)
{
    const mapgen_number_rule *rule = mapgen_number_of(which);
    const int32_t cut = mapgen_number_cut(which, number);
    if (cut != number && rule->most == INT32_MAX && number < rule->least)
        remark(c, 205, at, "'%s' must be at least %d: that is taken", rule->name,
               (int)rule->least);
    else if (cut != number)
        remark(c, 205, at, "'%s' must be %d to %d: %d is taken", rule->name, (int)rule->least,
               (int)rule->most, (int)cut);
    return cut;
}

static void read_number(mapgen_compiler *c, mapgen_piece *p, json_view v,
                        const member_rule *rule)
{
    int64_t number = 0;
    if (!json_view_integer(v, &number) || number < INT32_MIN || number > INT32_MAX)
        remark(c, 4, v, "expected a whole number, found %s", json_view_kind_name(v));
    else
        p->number[rule->more] = cut_number(c, rule->which, v, number);
}

/* Densities are kept in hundred thousandths: what is drawn of them needs no fractions. */
static void read_density(mapgen_compiler *c, mapgen_piece *p, json_view v)
{
    const double unit = 100000.0;
    const double most = mapgen_number_of(MAPGEN_NUMBER_DENSITY)->most / unit;
    double number = 0;
    if (!json_view_real(v, &c->text, &number))
        remark(c, 4, v, "'density' must be a number, not %s", json_view_kind_name(v));
    else if (number < 0)
        remark(c, 205, v, "'density' is below 0");
    else if (number > most)
        remark(c, 205, v, "'density' must be 0 to %d: that is taken", (int)most);
    number = number < 0 ? 0 : number > most ? (int)most : number;
    p->density = (uint32_t)(number * unit + 0.5);
    p->flags |= MAPGEN_HAS_DENSITY;
}

static void read_flag(mapgen_compiler *c, mapgen_piece *p, json_view v, int flag)
{
    const view_kind kind = json_view_kind(v);
    if (kind == VIEW_TRUE)
        p->flags |= (uint32_t)flag;
    else if (kind == VIEW_FALSE)
        p->flags &= ~(uint32_t)flag;
    else
        remark(c, 4, v, "expected true or false, found %s", json_view_kind_name(v));
}

static void read_facings(mapgen_compiler *c, mapgen_piece *p, json_view v)
{
    const bool list = json_view_kind(v) == VIEW_ARRAY;
    json_walk w = json_walk_of(v);
    w.value = list ? w.value : v;
    p->first = c->choices.count;
    for (bool more = list ? json_walk_next(&w) : true; more;
         more = list && json_walk_next(&w)) {
        int64_t degrees = 0;
        if (!json_view_integer(w.value, &degrees))
            remark(c, 4, w.value, "'rotation' must be whole degrees, or a list of them");
        mapgen_choice *choice = GROWING_ADD(c, &c->choices, mapgen_choice);
        if (!choice)
            return;
        choice->value = (uint32_t)((degrees % 360 + 360) % 360);
        p->count++;
    }
}

static void read_ids(mapgen_compiler *c, mapgen_piece *p, json_view v)
{
    const bool list = json_view_kind(v) == VIEW_ARRAY;
    json_walk w = json_walk_of(v);
    w.value = list ? w.value : v;
    p->first = c->choices.count;
    for (bool more = list ? json_walk_next(&w) : true; more;
         more = list && json_walk_next(&w)) {
        const uint32_t id = pool_text(c, w.value);
        if (id == ID_NONE)
            remark(c, 4, w.value, "expected a string, found %s", json_view_kind_name(w.value));
        mapgen_choice *choice = GROWING_ADD(c, &c->choices, mapgen_choice);
        if (!choice)
            return;
        choice->value = id;
        p->count++;
    }
}

static void read_member(mapgen_compiler *c, mapgen_piece *p, const member_rule *rule,
                        json_view v)
{
    switch (rule->how) {
    case READ_WHAT:
        p->what = compile_value(c, v, (mapgen_reference)rule->more);
        break;
    case READ_WITH:
        p->with = compile_value(c, v, (mapgen_reference)rule->more);
        break;
    case READ_CHUNKS:
        p->what = compile_choices(c, v, MAPGEN_REF_NESTED, 100);
        break;
    case READ_ELSE:
        p->with = compile_choices(c, v, MAPGEN_REF_NESTED, 100);
        break;
    case READ_TEXT:
        p->text = pool_text(c, v);
        break;
    case READ_AMOUNT:
        if (compile_range(c, v, &p->amount))
            p->flags |= MAPGEN_HAS_AMOUNT;
        break;
    case READ_CHANCE:
        compile_range(c, v, &p->chance);
        break;
    case READ_FLAG:
        read_flag(c, p, v, rule->more);
        break;
    case READ_NUMBER:
        read_number(c, p, v, rule);
        break;
    case READ_DENSITY:
        read_density(c, p, v);
        break;
    case READ_FACINGS:
        read_facings(c, p, v);
        break;
    case READ_IDS:
        read_ids(c, p, v);
        break;
    case READ_ITEM:
        p->item = compile_piece(c, MAPGEN_ITEM, v, false);
        break;
    case READ_ITEMS:
        p->items = compile_piece(c, MAPGEN_ITEMS, v, false);
        break;
    case READ_JSON:
        p->text = pool_json(c, v);
        break;
    case READ_CHARGES:
        if (compile_range(c, v, &p->x2))
            p->flags |= MAPGEN_HAS_CHARGES;
        break;
    case READ_DAMAGE:
        compile_range(c, v, &p->y2);
        break;
    case READ_DATA:
        p->data = pool_json(c, v);
        break;
    case READ_UNDONE:
        remark_undone(c, v, rule->name);
        break;
    case READ_CONDITION:
    case READ_NOTHING:
        break;
    }
}

/* Members that all kinds have. */
static bool read_common(mapgen_compiler *c, mapgen_piece *p, const json_walk *w, bool placed)
{
    if (key_is(w, "repeat")) {
        compile_range(c, w->value, &p->repeat);
    } else if (placed && key_is(w, "x")) {
        compile_range(c, w->value, &p->x);
    } else if (placed && key_is(w, "y")) {
        compile_range(c, w->value, &p->y);
    } else if (placed && key_is(w, "z")) {
        compile_height(c, w->value, p);
    } else {
        return false;
    }
    return true;
}

static void read_members(mapgen_compiler *c, mapgen_piece *p, json_view v, bool placed)
{
    const kind_rule *rule = &rules[p->kind];
    bool has_x = false, has_y = false;
    for (json_walk w = json_walk_of(v); json_walk_next(&w);) {
        const member_rule *member = NULL;
        for (int i = 0; i < MEMBERS_MAX && rule->members[i].name && !member; i++)
            if (key_is(&w, rule->members[i].name))
                member = &rule->members[i];

        has_x = has_x || key_is(&w, "x");
        has_y = has_y || key_is(&w, "y");
        if (member)
            read_member(c, p, member, w.value);
        else if (!read_common(c, p, &w, placed))
            remark(c, 5, w.key, "unknown member '%s'", key_text(c, &w));
    }
    if (placed && !(has_x && has_y))
        remark(c, 201, v, "'%s' is missing", has_x ? "y" : "x");
}

/* ---- what holds of a whole piece ---- */

static void check_numbers(mapgen_compiler *c, mapgen_piece *p, json_view v)
{
    const kind_rule *rule = &rules[p->kind];
    const bool one_in = p->flags & MAPGEN_ONE_IN;
    if (rule->chance > 0 && (p->chance.low < 1 || (!one_in && p->chance.high > 100)))
        remark(c, 205, v,
               one_in ? "'chance' is one in N: at least 1"
                      : "'chance' must be 1 to 100 percent");
    if (p->repeat.low < 0)
        remark(c, 205, v, "'repeat' is below 0");
    if (p->kind == MAPGEN_FIELD) {
        /* A field has at least the first intensity; its type says which is its last, so that
         * end stays as it is told. */
        if (p->amount.low < 1 || p->amount.high > 3)
            remark(c, 205, v, "the intensity of a field must be 1 to 3");
        p->amount.low = p->amount.low < 1 ? 1 : p->amount.low;
        p->amount.high = p->amount.high < 1 ? 1 : p->amount.high;
    }
}

static void check_needs(mapgen_compiler *c, const mapgen_piece *p, json_view v)
{
    const kind_rule *rule = &rules[p->kind];
    if (rule->needed && p->what == 0)
        remark(c, 4, v, "'%s' is missing, or is no id", rule->members[0].name);
    if ((p->kind == MAPGEN_SIGN || p->kind == MAPGEN_GRAFFITI) && p->what == 0 &&
        p->text == ID_NONE)
        remark(c, 304, v, "neither a text nor a snippet");
    if (p->kind == MAPGEN_LOOT && (p->what != 0) == (p->with != 0))
        remark(c, 305, v, "exactly one of 'group' and 'item' is needed");
    if (p->kind == MAPGEN_MONSTER && p->what == 0 && p->with == 0)
        remark(c, 4, v, "neither a monster nor a group");
    if (p->kind == MAPGEN_SEALED_ITEM && (p->with == 0 || (p->item == 0 && p->items == 0)))
        remark(c, 4, v, "'furniture' and an 'item' or 'items' are needed");
    if (p->kind == MAPGEN_NESTED && p->what == 0 && p->with == 0)
        remark(c, 4, v, "no 'chunks'");
}

static mapgen_piece defaults_of(const mapgen_compiler *c, mapgen_kind kind)
{
    const kind_rule *rule = &rules[kind];
    mapgen_piece p = {.kind = kind,
                      .flags = rule->flags,
                      .repeat = {1, 1},
                      .amount = {1, 1},
                      .chance = {rule->chance, rule->chance}};
    if (kind == MAPGEN_VEHICLE)
        p.number[0] = p.number[1] = -1;
    if (kind == MAPGEN_ITEM && c->item_one_in) {
        p.flags |= MAPGEN_ONE_IN;
        p.chance = (mapgen_range){1, 1};
    }
    return p;
}

/* A string is the id; of traps it is any value. */
static void read_short(mapgen_compiler *c, mapgen_piece *p, json_view v)
{
    const member_rule *first = &rules[p->kind].members[0];
    if (first->how == READ_WHAT && (json_view_kind(v) == VIEW_TEXT || p->kind == MAPGEN_TRAP))
        p->what = compile_value(c, v, (mapgen_reference)first->more);
    else
        remark(c, 4, v, "expected an object, found %s", json_view_kind_name(v));
}

uint32_t compile_piece(mapgen_compiler *c, mapgen_kind kind, json_view v, bool placed)
{
    mapgen_piece p = defaults_of(c, kind);
    const bool wrong = c->wrong;
    c->wrong = false;
    /* Of a character's traps an object may be a value, too. */
    if (json_view_kind(v) == VIEW_OBJECT && (placed || kind != MAPGEN_TRAP))
        read_members(c, &p, v, placed);
    else
        read_short(c, &p, v);
    if (kind == MAPGEN_NESTED)
        compile_conditions(c, v, &p);
    if (kind == MAPGEN_COMPUTER)
        p.with = compile_literal(c, v, pool_json(c, v), MAPGEN_REF_NONE);
    if (!c->wrong) {
        check_numbers(c, &p, v);
        check_needs(c, &p, v);
    }
    if (kind == MAPGEN_GASPUMP) {
        static const char *const fuels[] = {"gasoline", "diesel", "jp8", "avgas"};
        const char *fuel = id_pool_text(c->context.pool, p.text);
        bool known = *fuel == '\0';
        for (size_t i = 0; i < sizeof fuels / sizeof fuels[0]; i++)
            known = known || strcmp(fuel, fuels[i]) == 0;
        if (!known)
            remark(c, 306, v, "no pump has the fuel '%.40s'", fuel);
    }
    bool good = !c->wrong;
    c->wrong = c->wrong || wrong;
    if (good && placed)
        good = compile_place(c, v, &p);
    mapgen_piece *made = good ? GROWING_ADD(c, &c->pieces, mapgen_piece) : NULL;
    if (!made)
        return 0;
    *made = p;
    return c->pieces.count - 1;
}
