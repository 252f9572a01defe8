/* Compiles pieces of mapgen: things, such as item groups or signs, that an entry puts on tiles.
 * A table says which JSON members each kind of pieces has and how they are read. Conditions of
 * nested chunks are compiled here, too. */
#include "core/utf8.h"
#include "mapgen/compile/compile_impl.h"

/* How a member is read. */
typedef enum reading {
    READ_VALUE, /* a value: an id, or alternatives. member_rule.more says what kind of things
                   its ids name */
    /* A value as for READ_VALUE, but an element of a list without a weight has the weight
     * 100. */
    READ_CHUNKS,
    READ_TEXT,   /* a string, of which the number in the id_pool is kept */
    READ_JSON,   /* the member's JSON is kept as it stands */
    READ_RANGE,  /* a range of numbers; the piece also gets the flag in member_rule.more */
    READ_FLAG,   /* true or false; if it is true, the piece gets the flag in member_rule.more */
    READ_NUMBER, /* a whole number; member_rule.more (a mapgen_number) says what its limits are
                  */
    READ_DENSITY, /* a density of monsters, which may be a fraction */
    READ_FACINGS, /* degrees, or a list of degrees of which one is chosen at random */
    READ_IDS,     /* an id or a list of ids, which become the piece's choices */
    READ_PIECE,   /* another piece, of the kind in member_rule.more */
    READ_NOTHING, /* the member is not needed for making maps, or is read together with another
                     one */
    READ_UNDONE   /* Portolan knows the member, but does nothing for it */
} reading;

typedef struct member_rule {
    mapgen_kind kind;
    const char *name;
    reading how;
    size_t at; /* offset of the member of mapgen_piece that the JSON member sets */
    int more;
} member_rule;

#define AT(member) offsetof(mapgen_piece, member)

/* The JSON members of pieces, kind by kind. A piece may be written as a string instead of an
 * object. Then the string is the value of the first member in the rows of the piece's kind. */
static const member_rule members[] = {
    {MAPGEN_TERRAIN, "ter", READ_VALUE, AT(what), MAPGEN_REF_TERRAIN},
    {MAPGEN_FURNITURE, "furn", READ_VALUE, AT(what), MAPGEN_REF_FURNITURE},
    {MAPGEN_FIELD, "field", READ_VALUE, AT(what), MAPGEN_REF_FIELD},
    {MAPGEN_FIELD, "intensity", READ_RANGE, AT(amount), MAPGEN_HAS_AMOUNT},
    {MAPGEN_FIELD, "density", READ_RANGE, AT(amount), MAPGEN_HAS_AMOUNT},
    {MAPGEN_FIELD, "age", READ_NUMBER, AT(age), MAPGEN_NUMBER_AGE},
    {MAPGEN_FIELD, "remove", READ_UNDONE, 0, 0},
    {MAPGEN_FIELD, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_NPC, "class", READ_VALUE, AT(what), MAPGEN_REF_NPC},
    {MAPGEN_NPC, "target", READ_FLAG, 0, MAPGEN_TARGET},
    {MAPGEN_NPC, "add_trait", READ_UNDONE, 0, 0},
    {MAPGEN_NPC, "unique_id", READ_TEXT, AT(text), 0},
    {MAPGEN_SIGN, "signage", READ_TEXT, AT(text), 0},
    {MAPGEN_SIGN, "snippet", READ_VALUE, AT(what), MAPGEN_REF_SNIPPET},
    {MAPGEN_SIGN, "furniture", READ_VALUE, AT(with), MAPGEN_REF_FURNITURE},
    {MAPGEN_VENDING, "item_group", READ_VALUE, AT(what), MAPGEN_REF_ITEM_GROUP},
    {MAPGEN_VENDING, "reinforced", READ_FLAG, 0, MAPGEN_REINFORCED},
    {MAPGEN_VENDING, "lootable", READ_NOTHING, 0, 0},
    {MAPGEN_VENDING, "powered", READ_NOTHING, 0, 0},
    {MAPGEN_VENDING, "networked", READ_NOTHING, 0, 0},
    {MAPGEN_TOILET, "amount", READ_RANGE, AT(amount), MAPGEN_HAS_AMOUNT},
    {MAPGEN_GASPUMP, "amount", READ_RANGE, AT(amount), MAPGEN_HAS_AMOUNT},
    {MAPGEN_GASPUMP, "fuel", READ_TEXT, AT(text), 0},
    {MAPGEN_ITEMS, "item", READ_VALUE, AT(what), MAPGEN_REF_ITEM_GROUP},
    {MAPGEN_ITEMS, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_ITEMS, "ammo", READ_NUMBER, AT(ammo), MAPGEN_NUMBER_AMMO},
    {MAPGEN_ITEMS, "magazine", READ_NUMBER, AT(magazine), MAPGEN_NUMBER_MAGAZINE},
    {MAPGEN_ITEMS, "faction", READ_NOTHING, 0, 0},
    {MAPGEN_ITEMS, "variant", READ_JSON, AT(variant), 0},
    {MAPGEN_ITEMS, "charges", READ_RANGE, AT(charges), MAPGEN_HAS_CHARGES},
    {MAPGEN_ITEMS, "damage", READ_RANGE, AT(damage), 0},
    {MAPGEN_MONSTERS, "monster", READ_VALUE, AT(what), MAPGEN_REF_MONSTER_GROUP},
    {MAPGEN_MONSTERS, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_MONSTERS, "density", READ_DENSITY, 0, 0},
    {MAPGEN_VEHICLE, "vehicle", READ_VALUE, AT(what), MAPGEN_REF_VEHICLE},
    {MAPGEN_VEHICLE, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_VEHICLE, "rotation", READ_FACINGS, 0, 0},
    {MAPGEN_VEHICLE, "fuel", READ_NUMBER, AT(fuel), MAPGEN_NUMBER_FUEL},
    {MAPGEN_VEHICLE, "status", READ_NUMBER, AT(status), MAPGEN_NUMBER_STATUS},
    {MAPGEN_VEHICLE, "faction", READ_NOTHING, 0, 0},
    {MAPGEN_VEHICLE, "place_beyond_bounds", READ_UNDONE, 0, 0},
    {MAPGEN_ITEM, "item", READ_VALUE, AT(what), MAPGEN_REF_ITEM},
    {MAPGEN_ITEM, "amount", READ_RANGE, AT(amount), MAPGEN_HAS_AMOUNT},
    {MAPGEN_ITEM, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_ITEM, "custom-flags", READ_JSON, AT(own_flags), 0},
    {MAPGEN_ITEM, "faction", READ_NOTHING, 0, 0},
    {MAPGEN_ITEM, "variant", READ_JSON, AT(variant), 0},
    {MAPGEN_ITEM, "charges", READ_RANGE, AT(charges), MAPGEN_HAS_CHARGES},
    {MAPGEN_ITEM, "damage", READ_RANGE, AT(damage), 0},
    {MAPGEN_TRAP, "trap", READ_VALUE, AT(what), MAPGEN_REF_TRAP},
    {MAPGEN_TRAP, "remove", READ_UNDONE, 0, 0},
    {MAPGEN_MONSTER, "monster", READ_VALUE, AT(what), MAPGEN_REF_MONSTER},
    {MAPGEN_MONSTER, "group", READ_VALUE, AT(with), MAPGEN_REF_MONSTER_GROUP},
    {MAPGEN_MONSTER, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_MONSTER, "pack_size", READ_RANGE, AT(amount), MAPGEN_HAS_AMOUNT},
    {MAPGEN_MONSTER, "name", READ_TEXT, AT(text), 0},
    {MAPGEN_MONSTER, "friendly", READ_FLAG, 0, MAPGEN_FRIENDLY},
    {MAPGEN_MONSTER, "one_or_none", READ_FLAG, 0, MAPGEN_ONE_OR_NONE},
    {MAPGEN_MONSTER, "target", READ_FLAG, 0, MAPGEN_TARGET},
    {MAPGEN_MONSTER, "spawn_data", READ_JSON, AT(spawn_data), 0},
    {MAPGEN_MONSTER, "random_name", READ_UNDONE, 0, 0},
    {MAPGEN_MONSTER, "use_pack_size", READ_NOTHING, 0, 0},
    {MAPGEN_COMPUTER, "name", READ_TEXT, AT(text), 0},
    {MAPGEN_COMPUTER, "security", READ_NUMBER, AT(security), MAPGEN_NUMBER_SECURITY},
    {MAPGEN_COMPUTER, "target", READ_FLAG, 0, MAPGEN_TARGET},
    {MAPGEN_COMPUTER, "options", READ_NOTHING, 0, 0},
    {MAPGEN_COMPUTER, "failures", READ_NOTHING, 0, 0},
    {MAPGEN_COMPUTER, "access_denied", READ_NOTHING, 0, 0},
    {MAPGEN_COMPUTER, "eocs", READ_NOTHING, 0, 0},
    {MAPGEN_COMPUTER, "chat_topics", READ_NOTHING, 0, 0},
    {MAPGEN_SEALED_ITEM, "furniture", READ_VALUE, AT(with), MAPGEN_REF_FURNITURE},
    {MAPGEN_SEALED_ITEM, "item", READ_PIECE, AT(item), MAPGEN_ITEM},
    {MAPGEN_SEALED_ITEM, "items", READ_PIECE, AT(items), MAPGEN_ITEMS},
    {MAPGEN_SEALED_ITEM, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_NESTED, "chunks", READ_CHUNKS, AT(what), MAPGEN_REF_NESTED},
    {MAPGEN_NESTED, "else_chunks", READ_CHUNKS, AT(with), MAPGEN_REF_NESTED},
    /* These members are the conditions of a nested chunk; compile_conditions reads them. */
    {MAPGEN_NESTED, "neighbors", READ_NOTHING, 0, 0},
    {MAPGEN_NESTED, "flags", READ_NOTHING, 0, 0},
    {MAPGEN_NESTED, "flags_any", READ_NOTHING, 0, 0},
    {MAPGEN_NESTED, "joins", READ_NOTHING, 0, 0},
    {MAPGEN_NESTED, "predecessors", READ_NOTHING, 0, 0},
    {MAPGEN_NESTED, "check_z", READ_NOTHING, 0, 0},
    {MAPGEN_NESTED, "connections", READ_NOTHING, 0, 0},
    {MAPGEN_LIQUID, "liquid", READ_VALUE, AT(what), MAPGEN_REF_ITEM},
    {MAPGEN_LIQUID, "amount", READ_RANGE, AT(amount), MAPGEN_HAS_AMOUNT},
    {MAPGEN_LIQUID, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_GRAFFITI, "text", READ_TEXT, AT(text), 0},
    {MAPGEN_GRAFFITI, "snippet", READ_VALUE, AT(what), MAPGEN_REF_SNIPPET},
    {MAPGEN_ZONE, "type", READ_VALUE, AT(what), MAPGEN_REF_ZONE},
    {MAPGEN_ZONE, "faction", READ_VALUE, AT(with), MAPGEN_REF_FACTION},
    {MAPGEN_ZONE, "name", READ_TEXT, AT(text), 0},
    {MAPGEN_ZONE, "filter", READ_NOTHING, 0, 0},
    {MAPGEN_TRANSFORM, "transform", READ_VALUE, AT(what), MAPGEN_REF_TRANSFORM},
    {MAPGEN_LOOT, "group", READ_VALUE, AT(what), MAPGEN_REF_ITEM_GROUP},
    {MAPGEN_LOOT, "item", READ_VALUE, AT(with), MAPGEN_REF_ITEM},
    {MAPGEN_LOOT, "chance", READ_RANGE, AT(chance), 0},
    {MAPGEN_LOOT, "ammo", READ_NUMBER, AT(ammo), MAPGEN_NUMBER_AMMO},
    {MAPGEN_LOOT, "magazine", READ_NUMBER, AT(magazine), MAPGEN_NUMBER_MAGAZINE},
    {MAPGEN_LOOT, "variant", READ_JSON, AT(variant), 0},
    {MAPGEN_LOOT, "faction", READ_NOTHING, 0, 0},
    {MAPGEN_RUBBLE, "rubble_type", READ_VALUE, AT(what), MAPGEN_REF_FURNITURE},
    {MAPGEN_RUBBLE, "floor_type", READ_VALUE, AT(with), MAPGEN_REF_TERRAIN},
    {MAPGEN_RUBBLE, "items", READ_FLAG, 0, MAPGEN_WITH_ITEMS},
    {MAPGEN_RUBBLE, "overwrite", READ_FLAG, 0, MAPGEN_OVERWRITE},
    {MAPGEN_TRANSLATE, "from", READ_VALUE, AT(what), MAPGEN_REF_TERRAIN},
    {MAPGEN_TRANSLATE, "to", READ_VALUE, AT(with), MAPGEN_REF_TERRAIN},
    {MAPGEN_OWNER, "id", READ_VALUE, AT(what), MAPGEN_REF_FACTION},
    {MAPGEN_CORPSE, "group", READ_VALUE, AT(what), MAPGEN_REF_MONSTER_GROUP},
    {MAPGEN_CORPSE, "age", READ_NUMBER, AT(age), MAPGEN_NUMBER_AGE},
    {MAPGEN_REMOVE_VEHICLES, "vehicles", READ_IDS, 0, MAPGEN_REF_VEHICLE},
    {MAPGEN_REMOVE_NPCS, "class", READ_IDS, 0, 0},
    {MAPGEN_REMOVE_NPCS, "unique_id", READ_TEXT, AT(text), 0},
    {MAPGEN_VARIABLE, "name", READ_TEXT, AT(text), 0},
    {MAPGEN_KINDS, "", READ_NOTHING, 0, 0}};

static const struct {
    const char *mapped, *placed; /* names of the JSON members that hold pieces of this kind: for
                                    characters, and with coordinates; NULL: there is no such
                                    member */
    int order;                   /* a number by which kinds are sorted: pieces with coordinates
                                    are put down in this order of kinds */
    /* A piece that is an object must state the main member of its kind, which is the kind's
     * first row in the table `members`. */
    bool needed;
    int32_t chance; /* the chance of a piece that states none; 0: pieces of the kind
                       have no chance */
    uint32_t flags;
} kinds[MAPGEN_KINDS] = {
    [MAPGEN_TERRAIN] = {"terrain", "place_terrain", 14, true, 0, 0},
    [MAPGEN_FURNITURE] = {"furniture", "place_furniture", 13, true, 0, 0},
    [MAPGEN_FIELD] = {"fields", "place_fields", 1, true, 100, 0},
    [MAPGEN_NPC] = {"npcs", "place_npcs", 2, true, 0, 0},
    [MAPGEN_SIGN] = {"signs", "place_signs", 3, false, 0, 0},
    [MAPGEN_VENDING] = {"vendingmachines", "place_vendingmachines", 4, false, 0, 0},
    [MAPGEN_TOILET] = {"toilets", "place_toilets", 5, false, 0, 0},
    [MAPGEN_GASPUMP] = {"gaspumps", "place_gaspumps", 7, false, 0, 0},
    /* The defaults in the next rows were found by looking at maps of DDA 0.F. */
    [MAPGEN_ITEMS] = {"items", "place_items", 8, true, 1, 0},
    [MAPGEN_MONSTERS] = {"monsters", "place_monsters", 10, true, 1, MAPGEN_ONE_IN},
    [MAPGEN_VEHICLE] = {"vehicles", "place_vehicles", 11, true, 1, 0},
    [MAPGEN_ITEM] = {"item", "place_item", 0, true, 100, 0},
    [MAPGEN_TRAP] = {"traps", "place_traps", 12, true, 0, 0},
    [MAPGEN_MONSTER] = {"monster", "place_monster", 15, false, 100, 0},
    [MAPGEN_COMPUTER] = {"computers", "place_computers", 16, false, 0, 0},
    [MAPGEN_SEALED_ITEM] = {"sealed_item", "place_sealed_item", 17, false, 100, 0},
    [MAPGEN_NESTED] = {"nested", "place_nested", 18, false, 0, 0},
    [MAPGEN_LIQUID] = {"liquids", "place_liquids", 6, true, 1, MAPGEN_ONE_IN},
    [MAPGEN_GRAFFITI] = {"graffiti", "place_graffiti", 19, false, 0, 0},
    [MAPGEN_ZONE] = {"zones", "place_zones", 21, true, 0, 0},
    [MAPGEN_TRANSFORM] = {"ter_furn_transforms", "place_ter_furn_transforms", 22, true, 0, 0},
    [MAPGEN_LOOT] = {"loot", "place_loot", 9, false, 100, 0},
    [MAPGEN_RUBBLE] = {"rubble", "place_rubble", 23, false, 0, 0},
    [MAPGEN_TRANSLATE] = {NULL, "translate_ter", 20, true, 0, 0},
    [MAPGEN_OWNER] = {NULL, "faction_owner", 24, true, 0, 0},
    [MAPGEN_CORPSE] = {"corpses", "place_corpses", 8, true, 0, 0},
    [MAPGEN_REMOVE_ALL] = {"remove_all", "place_remove_all", -1, false, 0, 0},
    [MAPGEN_REMOVE_VEHICLES] = {"remove_vehicles", "remove_vehicles", 0, false, 0, 0},
    [MAPGEN_REMOVE_NPCS] = {"remove_npcs", "remove_npcs", 0, false, 0, 0},
    [MAPGEN_VARIABLE] = {"variables", "place_variables", 25, false, 0, 0},
};

/* ---- kinds ---- */

mapgen_kind kind_of_member(const json_walk *w)
{
    int kind = 0;
    while (kind < MAPGEN_KINDS && !(kinds[kind].mapped && key_is(w, kinds[kind].mapped)))
        kind++;
    return key_is(w, "field") ? MAPGEN_FIELD : (mapgen_kind)kind;
}

mapgen_kind kind_of_placed(const json_walk *w)
{
    int kind = 0;
    while (kind < MAPGEN_KINDS && !(kinds[kind].placed && key_is(w, kinds[kind].placed)))
        kind++;
    if (kind == MAPGEN_KINDS && key_is(w, "remove_all"))
        return MAPGEN_REMOVE_ALL;
    return (mapgen_kind)kind;
}

const char *mapgen_kind_name(mapgen_kind kind)
{
    return kind >= MAPGEN_SET   ? "set"
           : kinds[kind].mapped ? kinds[kind].mapped
                                : kinds[kind].placed;
}

int kind_place_order(mapgen_kind kind)
{
    return kinds[kind].order;
}

/* Returns the first row about a kind in the table of members; if there is none, the table's
 * last row. */
static const member_rule *members_of(mapgen_kind kind)
{
    const member_rule *m = members;
    while (m->kind != kind && m->kind != MAPGEN_KINDS)
        m++;
    return m;
}

/* ---- members ---- */

/* Reads a number. One that is out of its limits is reported, and the nearest allowed one is
 * taken. */
static void read_number(mapgen_compiler *c, int32_t *out, json_view v, mapgen_number which)
{
    const mapgen_number_rule *rule = mapgen_number_of(which);
    int64_t number = 0;
    if (!json_view_integer(v, &number) || number < INT32_MIN || number > INT32_MAX) {
        remark(c, MG004, v, "expected a whole number, found %s", json_view_kind_name(v));
        return;
    }
    *out = mapgen_number_cut(which, number);
    if (*out != number && rule->most == INT32_MAX && number < rule->least)
        remark(c, MG205, v, "'%s' must be at least %d: that is taken", rule->name,
               (int)rule->least);
    else if (*out != number)
        remark(c, MG205, v, "'%s' must be %d to %d: %d is taken", rule->name, (int)rule->least,
               (int)rule->most, (int)*out);
}

/* Reads a density of monsters. It is kept in hundred thousandths, so that all calculations with
 * it are done in whole numbers. */
static void read_density(mapgen_compiler *c, mapgen_piece *p, json_view v)
{
    const double unit = 100000.0;
    const double most = mapgen_number_of(MAPGEN_NUMBER_DENSITY)->most / unit;
    double number = 0;
    if (!json_view_real(v, &c->text, &number))
        remark(c, MG004, v, "'density' must be a number, not %s", json_view_kind_name(v));
    else if (number < 0)
        remark(c, MG205, v, "'density' is below 0");
    else if (number > most)
        remark(c, MG205, v, "'density' must be 0 to %d: that is taken", (int)most);
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
        remark(c, MG004, v, "expected true or false, found %s", json_view_kind_name(v));
}

/* Reads a number of degrees, an id, or a list of several. The piece keeps them as its choices,
 * of which one is taken at random. */
static void read_choices(mapgen_compiler *c, mapgen_piece *p, json_view v, bool degrees,
                         mapgen_reference what)
{
    p->first = c->choices.count;
    for (json_walk w = mapgen_walk_each(v); json_walk_next(&w); p->count++) {
        int64_t turn = 0;
        const uint32_t id = degrees ? ID_NONE : pool_text(c, w.value);
        if (degrees && !json_view_integer(w.value, &turn))
            remark(c, MG004, w.value, "'rotation' must be whole degrees, or a list of them");
        if (!degrees && id != ID_NONE)
            check_reference(c, w.value, id, what);
        const mapgen_choice choice = {.value =
                                          degrees ? (uint32_t)((turn % 360 + 360) % 360) : id};
        GROWING_PUT(c, &c->choices, choice);
    }
}

static void read_member(mapgen_compiler *c, mapgen_piece *p, const member_rule *rule,
                        json_view v)
{
    void *const out = (char *)p + rule->at;
    switch (rule->how) {
    case READ_VALUE:
        *(uint32_t *)out = compile_value(c, v, (mapgen_reference)rule->more);
        break;
    case READ_CHUNKS:
        *(uint32_t *)out = compile_choices(c, v, (mapgen_reference)rule->more, 100);
        break;
    case READ_TEXT:
        *(uint32_t *)out = pool_text(c, v);
        break;
    case READ_JSON:
        *(uint32_t *)out = mapgen_json_id(c->context.pool, v);
        break;
    case READ_RANGE:
        if (compile_range(c, v, out))
            p->flags |= (uint32_t)rule->more;
        break;
    case READ_FLAG:
        read_flag(c, p, v, rule->more);
        break;
    case READ_NUMBER:
        read_number(c, out, v, (mapgen_number)rule->more);
        break;
    case READ_DENSITY:
        read_density(c, p, v);
        break;
    case READ_FACINGS:
    case READ_IDS:
        read_choices(c, p, v, rule->how == READ_FACINGS, (mapgen_reference)rule->more);
        break;
    case READ_PIECE:
        *(uint32_t *)out = compile_piece(c, (mapgen_kind)rule->more, v, false);
        break;
    case READ_UNDONE:
        remark_undone(c, v, rule->name);
        break;
    case READ_NOTHING:
        break;
    }
}

static void read_members(mapgen_compiler *c, mapgen_piece *p, json_view v, bool placed)
{
    const member_rule *first = members_of(p->kind);
    bool has_x = false, has_y = false;
    for (json_walk w = json_walk_of(v); json_walk_next(&w);) {
        const member_rule *member = first;
        while (member->kind == p->kind && !key_is(&w, member->name))
            member++;
        has_x = has_x || key_is(&w, "x");
        has_y = has_y || key_is(&w, "y");
        if (member->kind == p->kind)
            read_member(c, p, member, w.value);
        else if (key_is(&w, "repeat"))
            compile_range(c, w.value, &p->repeat);
        else if (placed && key_is(&w, "x"))
            compile_range(c, w.value, &p->x);
        else if (placed && key_is(&w, "y"))
            compile_range(c, w.value, &p->y);
        else if (placed && key_is(&w, "z"))
            compile_height(c, w.value, p);
        else
            remark(c, MG005, w.key, "unknown member '%s'", key_text(c, &w));
    }
    if (placed && !(has_x && has_y))
        remark(c, MG201, v, "'%s' is missing", has_x ? "y" : "x");
}

/* ---- checks of whole pieces ---- */

static void check_numbers(mapgen_compiler *c, mapgen_piece *p, json_view v)
{
    const bool one_in = p->flags & MAPGEN_ONE_IN;
    if (kinds[p->kind].chance > 0 && (p->chance.low < 1 || (!one_in && p->chance.high > 100)))
        remark(c, MG205, v,
               one_in ? "'chance' is one in N: at least 1"
                      : "'chance' must be 1 to 100 percent");
    if (p->repeat.low < 0)
        remark(c, MG205, v, "'repeat' is below 0");
    if (p->kind == MAPGEN_FIELD) {
        /* A field, such as smoke, has an intensity of at least 1. The most that it can have
         * depends on the field's type. So an end of the range above 3 is reported, but kept. */
        if (p->amount.low < 1 || p->amount.high > 3)
            remark(c, MG205, v, "the intensity of a field must be 1 to 3");
        p->amount.low = p->amount.low < 1 ? 1 : p->amount.low;
        p->amount.high = p->amount.high < 1 ? 1 : p->amount.high;
    }
}

static void check_needs(mapgen_compiler *c, const mapgen_piece *p, json_view v)
{
    if (kinds[p->kind].needed && p->what == 0)
        remark(c, MG004, v, "'%s' is missing, or is no id", members_of(p->kind)->name);
    if ((p->kind == MAPGEN_SIGN || p->kind == MAPGEN_GRAFFITI) && p->what == 0 &&
        p->text == ID_NONE)
        remark(c, MG304, v, "neither a text nor a snippet");
    if (p->kind == MAPGEN_LOOT && (p->what != 0) == (p->with != 0))
        remark(c, MG305, v, "exactly one of 'group' and 'item' is needed");
    if (p->kind == MAPGEN_MONSTER && p->what == 0 && p->with == 0)
        remark(c, MG004, v, "neither a monster nor a group");
    if (p->kind == MAPGEN_SEALED_ITEM && (p->with == 0 || (p->item == 0 && p->items == 0)))
        remark(c, MG004, v, "'furniture' and an 'item' or 'items' are needed");
    if (p->kind == MAPGEN_NESTED && p->what == 0 && p->with == 0)
        remark(c, MG004, v, "no 'chunks'");
}

static mapgen_piece defaults_of(const mapgen_compiler *c, mapgen_kind kind)
{
    enum { ALWAYS = 100 };
    const int32_t chance = kinds[kind].chance;
    mapgen_piece p = {.kind = kind,
                      .flags = kinds[kind].flags,
                      .repeat = {1, 1},
                      .amount = {1, 1},
                      .chance = {chance, chance}};
    if (kind == MAPGEN_VEHICLE)
        p.fuel = p.status = -1;
    if (kind == MAPGEN_ITEM && c->item_one_in) {
        p.flags |= MAPGEN_ONE_IN;
        p.chance = (mapgen_range){1, 1};
    }
    if (kind == MAPGEN_ITEMS && c->context.items_always)
        p.chance = (mapgen_range){ALWAYS, ALWAYS};
    return p;
}

static const char *const directions[MAPGEN_DIRECTIONS] = {
    "north",      "north_east", "east",       "south_east", "south",
    "south_west", "west",       "north_west", "above",      "below"};

static void add_condition(mapgen_compiler *c, mapgen_piece *p, mapgen_condition made)
{
    GROWING_PUT(c, &c->conditions, made);
    p->count++;
}

static const char *const matches[] = {"CONTAINS", "EXACT", "TYPE", "SUBTYPE", "PREFIX"};

/* Adds the texts that a condition of a nested chunk names. The JSON is a text, an object with a
 * text and the way it is matched, or a list of these. */
static void add_texts(mapgen_compiler *c, mapgen_piece *p, json_view v, mapgen_condition like)
{
    if (json_view_kind(v) == VIEW_ARRAY) {
        for (json_walk w = json_walk_of(v); json_walk_next(&w);)
            if (json_view_kind(w.value) != VIEW_ARRAY)
                add_texts(c, p, w.value, like);
        return;
    }
    enum { MATCHES = sizeof matches / sizeof matches[0] };
    const bool object = json_view_kind(v) == VIEW_OBJECT;
    const json_view match = json_view_get(v, "om_terrain_match_type");
    const int found = mapgen_word_of(match, matches, MATCHES);
    if (found < MATCHES)
        like.match = (mapgen_match)found;
    else if (match.document)
        remark(c, MG004, match, "'om_terrain_match_type' is none of the known ones");
    const json_view text = object ? json_view_get(v, "om_terrain") : v;
    like.text = pool_text(c, text);
    like.place = (uint32_t)json_view_offset(v);
    if (like.text != ID_NONE)
        add_condition(c, p, like);
    else if (!text.document)
        remark(c, MG004, v, "'om_terrain' is missing");
}

/* Compiles the conditions of a nested chunk: neighbours, flags, joins, connections,
 * predecessors, and the level. */
static void compile_conditions(mapgen_compiler *c, json_view v, mapgen_piece *p)
{
    static const struct {
        const char *name;
        mapgen_condition_kind kind;
    } conditions[] = {{"neighbors", MAPGEN_NEIGHBORS},
                      {"flags", MAPGEN_FLAGS},
                      {"flags_any", MAPGEN_FLAGS_ANY},
                      {"joins", MAPGEN_JOINS},
                      {"connections", MAPGEN_CONNECTIONS}};
    p->first = c->conditions.count;
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        for (json_walk w = json_walk_of(json_view_get(v, conditions[i].name));
             json_walk_next(&w);) {
            const int d = mapgen_word_of(w.key, directions, MAPGEN_DIRECTIONS);
            if (d == MAPGEN_DIRECTIONS)
                remark(c, MG004, w.key, "'%s' is no direction", key_text(c, &w));
            else
                add_texts(
                    c, p, w.value,
                    (mapgen_condition){.kind = conditions[i].kind, .direction = (uint8_t)d});
        }
    }
    const json_view before = json_view_get(v, "predecessors");
    if (before.document)
        add_texts(c, p, before, (mapgen_condition){.kind = MAPGEN_PREDECESSORS});
    const json_view inside = json_view_get(json_view_get(v, "neighbors"), "check_z");
    enum { LEVEL_ZERO = 64 };
    for (json_walk w = json_walk_of(inside.document ? inside : json_view_get(v, "check_z"));
         json_walk_next(&w);) {
        int64_t z = 0;
        if (!json_view_integer(w.value, &z) || z < -10 || z > 10)
            remark(c, MG004, w.value, "a level must be -10 to 10");
        else
            add_condition(
                c, p,
                (mapgen_condition){.kind = MAPGEN_LEVELS, .text = (uint32_t)(z + LEVEL_ZERO)});
    }
}

uint32_t compile_piece(mapgen_compiler *c, mapgen_kind kind, json_view v, bool placed)
{
    mapgen_piece p = defaults_of(c, kind);
    const bool wrong = c->wrong;
    c->wrong = false;
    /* If a piece is an object, its members are read one by one. An object has another
     * meaning only for a trap that a character stands for: there it is a value, such as a
     * switch. */
    if (json_view_kind(v) == VIEW_OBJECT && (placed || kind != MAPGEN_TRAP))
        read_members(c, &p, v, placed);
    else {
        /* In place of an object there may be a string, the id of what the piece puts down. For
         * a trap there may be any JSON value that stands for an id. */
        const member_rule *first = members_of(p.kind);
        if (first->kind == p.kind && first->how == READ_VALUE && first->at == AT(what) &&
            (json_view_kind(v) == VIEW_TEXT || p.kind == MAPGEN_TRAP))
            p.what = compile_value(c, v, (mapgen_reference)first->more);
        else
            remark(c, MG004, v, "expected an object, found %s", json_view_kind_name(v));
    }
    if (kind == MAPGEN_NESTED)
        compile_conditions(c, v, &p);
    if (kind == MAPGEN_COMPUTER)
        p.with = compile_literal(c, v, mapgen_json_id(c->context.pool, v), MAPGEN_REF_NONE);
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
            remark(c, MG306, v, "no pump has the fuel '%.*s'", UTF8_CUT(fuel, 40));
    }
    bool good = !c->wrong;
    c->wrong = c->wrong || wrong;
    if (good && placed)
        good = compile_place(c, v, &p);
    p.place = (uint32_t)json_view_offset(v);
    return good ? GROWING_PUT(c, &c->pieces, p) : 0;
}
