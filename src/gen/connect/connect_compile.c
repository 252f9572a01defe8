/*
 * Compiles the catalogue's connections. For each connection and oter it finds a class, which
 * says what would be drawn on an OMT with this oter, and how a path may pass it. The subtype
 * that is drawn on such an OMT is chosen by four rules, of which the first that applies
 * decides. (1) A subtype without locations is taken if the OMT has its terrain already. (2) A
 * rotated or fixed OMT of the connection keeps its subtype. (3) If subtypes that may lie on the
 * OMT's terrain have weights, one of these is chosen at random by weight. (4) Otherwise the
 * first subtype of the list that may lie on the OMT's terrain is taken.
 */
#include "gen/connect/connect_impl.h"

#include <stdio.h>
#include <string.h>

/*
 * Finds which rotated OMTs of connections are bridges on two levels. The terrains that such a
 * bridge is made of are found by their ids, as in the games:
 * - "<id>_road" lies on the upper level;
 * - "<id>head_ground" and "<id>head_ramp" are the two levels of an end;
 * - "<id>_under", if the content has it, replaces the water below.
 * A bridge for which the content lacks any of the first three is flat and has no bridge_kind.
 */

/* Returns the first oter of the terrain whose id is the bridge's id plus `suffix`; CAT_NONE if
 * the content has no such terrain with four oters. */
static ptl_oter piece(const catalogue *cat, const cat_terrain *bridge, const char *suffix)
{
    char id[256];
    const int length = snprintf(id, sizeof id, "%s%s", bridge->id, suffix);
    if (length < 0 || (size_t)length >= sizeof id)
        return CAT_NONE;
    const uint16_t terrain = catalogue_terrain(cat, id);
    if (terrain == CAT_NONE || cat->terrains[terrain].count != 4)
        return CAT_NONE;
    return cat->terrains[terrain].first;
}

static ptl_oter first_of(ptl_oter a, ptl_oter b)
{
    return a != CAT_NONE ? a : b;
}

/* Describes the bridge that a subtype draws. False if the subtype draws no bridge, or a flat
 * one. */
static bool describe(bridge_kind *out, const gen_connections *all, size_t connection,
                     const cat_subtype *s)
{
    const catalogue *cat = all->cat;
    const cat_terrain *type = &cat->terrains[s->terrain];
    if (s->shape != PTL_TERRAIN_ROTATABLE ||
        (!(type->flags & CAT_FLAG_BRIDGE) && strcmp(type->id, "bridge") != 0 &&
         strcmp(type->id, "railroad_bridge") != 0))
        return false;
    *out = (bridge_kind){.connection = connection, .terrain = s->terrain, .flat = CAT_NONE};
    out->under = first_of(piece(cat, type, "_under"), piece(cat, type, "_center_under"));
    out->deck = first_of(piece(cat, type, "_road"), piece(cat, type, "_overpass"));
    out->foot = piece(cat, type, "head_ground");
    out->ramp = piece(cat, type, "head_ramp");
    const compiled_connection *c = &all->list[connection];
    const cat_subtype *line = &c->connection->subtypes[c->default_subtype];
    if (line->shape == PTL_TERRAIN_LINE)
        out->flat = cat->terrains[line->terrain].first;
    return out->deck != CAT_NONE && out->foot != CAT_NONE && out->ramp != CAT_NONE;
}

static bool known(const gen_connections *all, uint16_t terrain)
{
    for (size_t i = 0; i < all->bridge_count; i++)
        if (all->bridges[i].terrain == terrain)
            return true;
    return false;
}

/* Finds the bridges that the compiled connections draw. False when memory is out. */
static bool compile_bridges(arena *memory, gen_connections *all)
{
    size_t room = 1;
    for (size_t i = 0; i < all->count; i++)
        room += all->list[i].connection->subtype_count;
    all->bridges = arena_calloc(memory, room, sizeof *all->bridges);
    if (!all->bridges)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const cat_connection *c = all->list[i].connection;
        for (size_t k = 0; k < c->subtype_count; k++)
            if (!known(all, c->subtypes[k].terrain) &&
                describe(&all->bridges[all->bridge_count], all, i, &c->subtypes[k]))
                all->bridge_count++;
    }
    return true;
}

void connect_bridges_visit(const gen_config *config, size_t connection, gen_oter_visit *visit,
                           void *payload)
{
    const gen_connections *all = config->connections;
    const cat_connection *c = &config->cat->connections[connection];
    for (size_t i = 0; i < all->bridge_count; i++) {
        const bridge_kind *b = &all->bridges[i];
        const ptl_oter made[] = {b->under, b->deck, b->foot, b->ramp, b->flat};
        for (size_t k = 0; k < sizeof made / sizeof *made; k++)
            if (made[k] != CAT_NONE && cat_terrain_in(c->terrains, b->terrain))
                visit(payload, made[k]);
    }
}

static const cat_terrain *type_of(const catalogue *cat, ptl_oter oter)
{
    return &cat->terrains[cat->oters[oter].terrain];
}

static int own_axis(const catalogue *cat, ptl_oter oter)
{
    return type_of(cat, oter)->count == 4 ? axis_of(cat->oters[oter].rotation) : 15;
}

static uint32_t step_of(int32_t cost, uint32_t enter, bool rigid, bool turns)
{
    if (!enter)
        return 0;
    return (uint32_t)cost | enter << STEP_ENTER_SHIFT | (rigid ? STEP_RIGID : 0u) |
           (turns ? STEP_TURN_COUNTS : 0u);
}

static int32_t new_cost(const gen_connections *all, const cat_subtype *s)
{
    int32_t cost = s->basic_cost < 0 ? 0 : s->basic_cost;
    if (s->shape != PTL_TERRAIN_LINE && !all->exact)
        cost /= s->orthogonal ? BRIDGE_PART_ORTHOGONAL : BRIDGE_PART;
    return CONNECT_NEW + (cost > CAT_COST_MAX ? CAT_COST_MAX : cost);
}

/* Returns the class of an oter (how a path may pass it, and which arms it has for the
 * connection) if this subtype is drawn on it. */
static oter_class connect_classify(const gen_connections *all, const compiled_connection *c,
                                   ptl_oter oter, int subtype)
{
    const catalogue *cat = all->cat;
    const cat_subtype *s = &c->connection->subtypes[subtype];
    oter_class out = {.subtype = (int8_t)subtype, .shape = s->shape};
    out.has = cat_terrain_in(c->connection->terrains, cat->oters[oter].terrain);
    bool linear = s->shape == PTL_TERRAIN_LINE;
    bool rigid = !linear || s->perpendicular;
    uint32_t enter = 15;
    if (out.has) {
        out.answers = (uint8_t)(type_of(cat, oter)->count == 16 ? cat->oters[oter].line
                                                                : own_axis(cat, oter));
        if (s->shape == PTL_TERRAIN_ROTATABLE)
            enter = (uint32_t)own_axis(cat, oter);
    } else if (s->perpendicular || s->shape == PTL_TERRAIN_ROTATABLE) {
        /* The connection may cross a straight line of another connection at a right angle. It
         * may cross an OMT without arms in any direction. */
        const int line = type_of(cat, oter)->count == 16 ? cat->oters[oter].line : 0;
        enter = line == 0 ? 15 : line == 5 ? 10 : line == 10 ? 5 : 0;
    }
    out.step = step_of(out.has ? 1 : new_cost(all, s), enter, rigid, s->orthogonal && linear);
    out.end = s->shape == PTL_TERRAIN_FIXED || (linear && !rigid);
    return out;
}

/* Returns the class of an oter on which nothing is drawn: an OMT with it stays as it is. A path
 * may pass it in the directions of the bits `arms`. */
static oter_class kept(int arms, bool has)
{
    return (oter_class){.step = step_of(1, (uint32_t)arms, true, false),
                        .subtype = DRAW_KEEP,
                        .shape = PTL_TERRAIN_ROTATABLE,
                        .answers = (uint8_t)arms,
                        .has = has};
}

static bool is_companion(const catalogue *cat, const cat_connection *c, const cat_terrain *type)
{
    static const char *const suffixes[] = {"_under", "_center_under", "head_ground"};
    for (size_t i = 0; i < c->subtype_count; i++) {
        const char *bridge = cat->terrains[c->subtypes[i].terrain].id;
        const size_t length = strlen(bridge);
        if (c->subtypes[i].shape != PTL_TERRAIN_ROTATABLE ||
            strncmp(type->id, bridge, length) != 0)
            continue;
        for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; k++)
            if (strcmp(type->id + length, suffixes[k]) == 0)
                return type->count == 4;
    }
    return false;
}

static bool lies_over(const catalogue *cat, const cat_subtype *s, const cat_connection *c)
{
    for (size_t i = 0; i < c->subtype_count; i++) {
        uint16_t own = c->subtypes[i].terrain;
        if (cat->terrains[own].count == 16 && cat_terrain_in(s->allows, own))
            return true;
    }
    return false;
}

/* Does the terrain belong to a connection other than c? Sets *over if that other connection
 * draws this terrain over lines of c. */
static bool is_foreign(const catalogue *cat, const cat_connection *c, uint16_t terrain,
                       bool *over)
{
    bool foreign = false;
    for (size_t k = 0; k < cat->connection_count; k++) {
        const cat_connection *other = &cat->connections[k];
        if (other == c || !cat_terrain_in(other->terrains, terrain))
            continue;
        foreign = true;
        for (size_t i = 0; i < other->subtype_count; i++)
            if (other->subtypes[i].terrain == terrain &&
                other->subtypes[i].shape == PTL_TERRAIN_ROTATABLE &&
                lies_over(cat, &other->subtypes[i], c))
                *over = true;
    }
    return foreign;
}

/* Returns the number, from 1, of the connection's weighted choice between exactly these
 * subtypes; it is added if it is new. 0 if the connection has too many choices. */
static uint8_t choice_number(compiled_connection *c, uint32_t subtypes)
{
    for (size_t i = 0; i < c->choice_count; i++)
        if (c->choices[i].subtypes == subtypes)
            return (uint8_t)(i + 1);
    if (c->choice_count == CHOICES_MAX)
        return 0;
    c->choices[c->choice_count++].subtypes = subtypes;
    return (uint8_t)c->choice_count;
}

/* Returns the index of the subtype that is drawn on a terrain, or DRAW_NONE. If the subtype is
 * drawn by weight, *choice becomes the number of the weighted choice, else 0. */
static int pick(compiled_connection *c, const catalogue *cat, uint16_t terrain, uint8_t *choice)
{
    int in_place = DRAW_NONE, own = DRAW_NONE, own_weighted = DRAW_NONE;
    int first = DRAW_NONE, first_linear = DRAW_NONE;
    uint32_t weighted = 0;
    for (int i = (int)c->connection->subtype_count; i-- > 0;) {
        const cat_subtype *s = &c->connection->subtypes[i];
        if (!cat_terrain_in(s->allows, terrain))
            continue;
        first = i;
        if (s->shape == PTL_TERRAIN_LINE)
            first_linear = i;
        if (s->terrain == terrain) {
            own = i;
            in_place = s->in_place ? i : in_place;
            own_weighted = s->weight > 0 ? i : own_weighted;
        }
        if (s->weight > 0)
            weighted |= UINT32_C(1) << i;
    }
    const bool linear = cat->terrains[terrain].count == 16;
    const bool has = cat_terrain_in(c->connection->terrains, terrain);
    *choice = 0;
    if (in_place != DRAW_NONE)
        return in_place;
    if (has && !linear && own != DRAW_NONE)
        return own;
    if (own_weighted != DRAW_NONE)
        return own_weighted;
    if (weighted && !has)
        *choice = choice_number(c, weighted);
    /* Where the cell has a linear OMT of the connection already, a linear subtype is drawn, if
     * one allows this ground. */
    return has && linear && first_linear != DRAW_NONE ? first_linear : first;
}

/* Sets the classes of a terrain's oters. Two kinds of terrains are never replaced: those that
 * other connections draw over lines of this one, and all terrains of a bridge but the one that
 * this connection draws. Any other terrain of another connection is replaced only if it is
 * linear. */
static void classify_terrain(compiled_connection *c, const gen_connections *all, uint16_t index)
{
    const catalogue *cat = all->cat;
    const cat_terrain *type = &cat->terrains[index];
    bool over = false, companion = false, foreign = false;
    if (!cat_terrain_in(c->connection->terrains, index)) {
        companion = is_companion(cat, c->connection, type);
        foreign = is_foreign(cat, c->connection, index, &over);
    }
    uint8_t choice;
    int subtype = pick(c, cat, index, &choice);
    for (uint16_t i = 0; i < type->count; i++) {
        const ptl_oter oter = (ptl_oter)(type->first + i);
        oter_class *out = &c->classes[oter];
        if (companion)
            *out = kept(own_axis(cat, oter), true);
        else if (over)
            *out = kept(15 ^ own_axis(cat, oter), false);
        else if (subtype != DRAW_NONE && !(foreign && type->count != 16))
            *out = connect_classify(all, c, oter, subtype);
        else
            *out = (oter_class){.subtype = DRAW_NONE};
        out->choice = out->subtype >= 0 ? choice : 0;
        if ((out->step & STEP_COST) == 1 && out->has && out->end)
            out->step |= STEP_GOAL;
    }
}

/* For an oter whose subtype is chosen at random by weight: returns the number that says how a
 * path may enter a cell with the oter (see STEP_COST) if the first of the possible subtypes is
 * chosen. Sets *differ if this number is another one for some other subtype. */
static uint32_t drawn_step(const compiled_connection *c, const gen_connections *all,
                           ptl_oter oter, bool *differ)
{
    const uint32_t subtypes = c->choices[c->classes[oter].choice - 1].subtypes;
    uint32_t step = 0;
    bool first = true;
    for (int i = 0; i < CAT_SUBTYPES_MAX; i++) {
        if (!(subtypes >> i & 1))
            continue;
        const uint32_t other = connect_classify(all, c, oter, i).step;
        *differ = *differ || (!first && other != step);
        step = first ? other : step;
        first = false;
    }
    return step;
}

/* Fills the table `looks`. Each oter has a class, which says what is drawn on the oter and how
 * a path may pass it. The table has only those bits of the classes that are looked up for all
 * cells of a level, since it then takes less of the processor's cache. Ground whose subtype is
 * chosen at random by weight does not belong to the connection and has no arms for it,
 * whichever subtype is chosen. */
static void fill_looks(compiled_connection *c, const gen_connections *all)
{
    for (size_t i = 0; i < all->cat->oter_count; i++) {
        const oter_class *class = &c->classes[i];
        const bool matters = class->choice && c->choices[class->choice - 1].matters;
        bool differ = false;
        const uint32_t step =
            class->choice ? drawn_step(c, all, (ptl_oter)i, &differ) : class->step;
        const bool omt = (step & STEP_COST) == 1;
        c->looks[i] = step | (class->has ? LOOK_HAS : 0u) | (matters ? LOOK_CHOICE : 0u) |
                      (omt ? LOOK_OMT : 0u) |
                      (class->has && all->lines[i] & LINE_IS ? LOOK_LINE : 0u) |
                      (uint32_t) class->answers << LOOK_ANSWERS_SHIFT;
    }
}

/* Compiles one connection: its costs, whether its turns count, and the classes of all oters.
 * False when memory is out. */
static bool compile_one(arena *memory, compiled_connection *c, const gen_connections *all,
                        size_t index)
{
    const catalogue *cat = all->cat;
    const cat_connection *connection = &cat->connections[index];
    c->connection = connection;
    c->key = hash_string(connection->id);
    c->cheapest = CONNECT_NEW + CAT_COST_MAX;
    c->all_turns_count = true;
    int linear = DRAW_NONE;
    for (size_t i = 0; i < connection->subtype_count; i++) {
        const cat_subtype *s = &connection->subtypes[i];
        if (new_cost(all, s) < c->cheapest)
            c->cheapest = new_cost(all, s);
        if (new_cost(all, s) > c->dearest)
            c->dearest = new_cost(all, s);
        if (s->shape == PTL_TERRAIN_LINE && s->orthogonal)
            c->turns_count = true;
        if (s->shape == PTL_TERRAIN_LINE && !s->orthogonal)
            c->all_turns_count = false;
        if (s->shape == PTL_TERRAIN_LINE && linear == DRAW_NONE)
            linear = (int)i;
    }
    c->all_turns_count = c->all_turns_count && c->turns_count;
    c->wanders = !c->all_turns_count && !all->exact;
    c->default_subtype = linear == DRAW_NONE ? 0 : (uint8_t)linear;
    c->classes = arena_calloc(memory, cat->oter_count, sizeof *c->classes);
    c->looks = arena_calloc(memory, cat->oter_count, sizeof *c->looks);
    if (!c->classes || !c->looks)
        return false;
    for (size_t t = 0; t < cat->terrain_count; t++)
        classify_terrain(c, all, (uint16_t)t);
    for (size_t i = 0; i < all->cat->oter_count; i++)
        if (c->classes[i].choice)
            drawn_step(c, all, (ptl_oter)i, &c->choices[c->classes[i].choice - 1].matters);
    fill_looks(c, all);
    return true;
}

gen_connections *connect_compile(arena *memory, const catalogue *cat, bool exact)
{
    gen_connections *all = arena_alloc(memory, sizeof *all);
    if (!all)
        return NULL;
    all->cat = cat;
    all->exact = exact;
    all->list = arena_calloc(memory, cat->connection_count, sizeof *all->list);
    all->lines = arena_calloc(memory, cat->oter_count, sizeof *all->lines);
    for (size_t i = 0; all->lines && i < cat->oter_count; i++)
        if (cat->terrains[cat->oters[i].terrain].count == 16)
            all->lines[i] = (uint8_t)(LINE_IS | (cat->oters[i].line & LINE_ARMS));
    bool ok = all->list && all->lines;
    for (; ok && all->count < cat->connection_count; all->count++)
        ok = compile_one(memory, &all->list[all->count], all, all->count);
    return ok && compile_bridges(memory, all) ? all : NULL;
}

/* The next functions ask about an oter outside of any path. A subtype that is chosen at random
 * for each path is not known here. In its place they use the first subtype that allows the
 * ground. */

bool connect_has(const generator *g, size_t connection, ptl_oter ground)
{
    return compiled(g, connection)->classes[ground].has;
}

bool connect_allows(const generator *g, size_t connection, ptl_oter ground)
{
    return compiled(g, connection)->classes[ground].step != 0;
}

bool connect_turns(const generator *g, size_t connection, ptl_oter ground)
{
    const oter_class *c = &compiled(g, connection)->classes[ground];
    const cat_connection *conn = compiled(g, connection)->connection;
    uint32_t subtypes =
        c->choice ? compiled(g, connection)->choices[c->choice - 1].subtypes : 0;
    for (size_t i = 0; subtypes != 0 && i < conn->subtype_count; i++)
        if (subtypes >> i & 1 &&
            (conn->subtypes[i].shape != PTL_TERRAIN_LINE || conn->subtypes[i].perpendicular))
            return false;
    return c->step && c->shape == PTL_TERRAIN_LINE && !(c->step & STEP_RIGID);
}

void connect_choose(generator *g, size_t connection, int32_t z, int32_t from, int32_t to)
{
    const compiled_connection *c = compiled(g, connection);
    uint64_t key = hash_add(hash_add(g->config->seed, hash_string("connect")), c->key);
    key = hash_add(hash_add(key, (uint32_t)g->chunk->pos.x), (uint32_t)g->chunk->pos.y);
    key = hash_add(key, (uint32_t)z);
    g->connector->wander = key;
    if (c->choice_count == 0)
        return;
    key = hash_add(key, (uint64_t)from << 32 | (uint32_t)to);
    for (size_t i = 0; i < c->choice_count; i++) {
        const cat_subtype *s = c->connection->subtypes;
        uint64_t total = 0, sum = 0;
        for (size_t k = 0; k < c->connection->subtype_count; k++)
            if (c->choices[i].subtypes >> k & 1)
                total += (uint64_t)s[k].weight;
        if (total == 0)
            continue; /* can't happen, as a weighted choice has only subtypes with weights above
                         0 */
        rng r = rng_from_key(hash_add(key, c->choices[i].subtypes));
        const uint64_t at = rng_next(&r) % total;
        for (size_t k = 0; k < c->connection->subtype_count; k++) {
            if (c->choices[i].subtypes >> k & 1)
                sum += (uint64_t)s[k].weight;
            if (sum > at) {
                g->connector->choice[i] = (int8_t)k;
                break;
            }
        }
    }
}

oter_class connect_class_chosen(const generator *g, size_t connection, ptl_oter oter)
{
    const compiled_connection *c = compiled(g, connection);
    const uint8_t choice = c->classes[oter].choice;
    const int subtype = g->connector->choice[choice - 1];
    oter_class chosen = connect_classify(g->config->connections, c, oter, subtype);
    chosen.choice = choice;
    return chosen;
}

bool connect_answered(const gen_connections *all, ptl_oter line, int direction,
                      ptl_oter neighbour)
{
    const catalogue *cat = all->cat;
    for (size_t k = 0; k < all->count; k++) {
        const compiled_connection *c = &all->list[k];
        if (cat_terrain_in(c->connection->terrains, cat->oters[line].terrain) &&
            c->classes[neighbour].answers >> opposite(direction) & 1)
            return true;
    }
    return false;
}
