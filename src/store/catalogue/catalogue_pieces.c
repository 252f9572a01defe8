/*
 * Loads connections, and the joins, pieces and phases of mutable specials (schema/generation.md
 * 9). Joins keep the order in which the content lists them, since that is their priority.
 * References by name become indices.
 */
#include "core/error.h"
#include "store/catalogue/catalogue_load.h"

#include <stdlib.h>
#include <string.h>

/* The catalogue's arrays of joins and pieces while they are filled. The joins of all specials
 * are in one array, in which joins of the same special are neighbours. In the other arrays the
 * pieces of a special, and the alternative joins of a side, are neighbours. */
typedef struct piece_tables {
    cat_join *joins;
    join_name *names; /* id and index of each join, sorted by special and id */
    cat_piece *pieces;
    uint16_t *alternatives;
    cat_side *side; /* the side of a piece whose alternative joins are being gathered */
} piece_tables;

static const char *const side_names[PTL_SIDES] = {"north", "east",  "south",
                                                  "west",  "above", "below"};

/* ---- joins of mutable specials ---- */

/* Returns the index of a join in the special l->owner; CAT_NONE if it has no join of that
 * id. */
static uint16_t loader_find_join(const loader *l, const char *id)
{
    const join_name *names = l->joins[l->owner];
    uint16_t at = catalogue_find_id(names, l->layouts[l->owner]->join_count, sizeof *names, id);
    return at == CAT_NONE ? CAT_NONE : names[at].number;
}

static ptl_status read_join(loader *l, const void *values)
{
    const special_join_row *s = values;
    piece_tables *t = l->payload;
    TRY(loader_layout(l, s->special));
    cat_mutable *m = l->layouts[l->owner];
    if (m->join_count == CATALOGUE_PARTS_MAX)
        return loader_corrupt(l, "too many joins of special", s->special);
    cat_join *join = &t->joins[l->row];
    if (m->join_count == 0) {
        m->joins = join;
        l->joins[l->owner] = &t->names[l->row];
    }
    join->id = loader_keep(l, s->join);
    join->into = l->grounds[l->owner];
    t->names[l->row] = (join_name){join->id, (uint16_t)m->join_count++};
    return PTL_OK;
}

static int compare_names(const void *a, const void *b)
{
    const join_name *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    return order != 0 ? order : x->number - y->number;
}

static ptl_status sort_names(loader *l, piece_tables *t)
{
    for (size_t i = 0; i < l->cat->special_count; i++) {
        const cat_mutable *m = l->layouts[i];
        if (!m || m->join_count < 2)
            continue;
        join_name *names = t->names + (m->joins - t->joins);
        qsort(names, m->join_count, sizeof *names, compare_names);
        for (size_t k = 1; k < m->join_count; k++)
            if (strcmp(names[k - 1].id, names[k].id) == 0)
                return loader_corrupt(l, "a join is there twice in special", l->specials[i].id);
    }
    return PTL_OK;
}

/* Sets, for each join, the index of the join that it must meet (its opposite). The table of
 * joins is read a second time for this, when all joins are known. */
static ptl_status read_opposite(loader *l, const void *values)
{
    const special_join_row *s = values;
    piece_tables *t = l->payload;
    TRY(loader_layout(l, s->special));
    t->joins[l->row].opposite = loader_find_join(l, s->opposite);
    if (t->joins[l->row].opposite == CAT_NONE)
        return loader_corrupt(l, "unknown opposite join", s->opposite);
    return PTL_OK;
}

static ptl_status read_into(loader *l, const void *values)
{
    const special_join_location_row *s = values;
    piece_tables *t = l->payload;
    TRY(loader_layout(l, s->special));
    uint16_t join = loader_find_join(l, s->join);
    if (join == CAT_NONE)
        return loader_corrupt(l, "locations of unknown join", s->join);
    size_t first = (size_t)(l->layouts[l->owner]->joins - t->joins);
    t->joins[first + join].own = true;
    return loader_gather(l, &t->joins[first + join].into, s->location);
}

/* ---- pieces of mutable specials ---- */

static ptl_status read_piece(loader *l, const void *values)
{
    const special_piece_row *s = values;
    piece_tables *t = l->payload;
    TRY(loader_layout(l, s->special));
    cat_mutable *m = l->layouts[l->owner];
    if (m->piece_count == CATALOGUE_PARTS_MAX)
        return loader_corrupt(l, "too many pieces of special", s->special);
    cat_piece *piece = &t->pieces[l->row];
    if (m->piece_count++ == 0)
        m->pieces = piece;
    piece->allows = l->grounds[l->owner];
    for (int side = 0; side < PTL_SIDES; side++) {
        piece->sides[side].join = -1;
        piece->connections[side] = CAT_NONE;
    }
    const char *previous = m->piece_count > 1 ? piece[-1].id : NULL;
    TRY(loader_id(l, &piece->id, s->piece, previous));
    return loader_oters(l, piece->oters, s->oter);
}

/* Finds the piece of a mutable special to which a row of the content refers by these two
 * ids. */
static ptl_status row_piece(loader *l, piece_tables *t, const char *special, const char *id,
                            cat_piece **out)
{
    TRY(loader_layout(l, special));
    uint16_t piece = loader_find_piece(l, l->owner, id);
    if (piece == CAT_NONE)
        return loader_corrupt(l, "unknown piece", id);
    *out = &t->pieces[(size_t)(l->layouts[l->owner]->pieces - t->pieces) + piece];
    return PTL_OK;
}

/* Finds the index of a side by its name. */
static ptl_status row_side(loader *l, const char *name, int *side)
{
    *side = loader_name(side_names, PTL_SIDES, name);
    return *side < PTL_SIDES ? PTL_OK : loader_corrupt(l, "unknown side of a piece", name);
}

static ptl_status read_piece_location(loader *l, const void *values)
{
    const special_piece_location_row *s = values;
    piece_tables *t = l->payload;
    cat_piece *piece = NULL;
    TRY(row_piece(l, t, s->special, s->piece, &piece));
    return loader_gather(l, &piece->allows, s->location);
}

/* Finds the index of a join of the special l->owner by its id. */
static ptl_status row_join(loader *l, const char *id, uint16_t *out)
{
    *out = loader_find_join(l, id);
    return *out == CAT_NONE ? loader_corrupt(l, "unknown join", id) : PTL_OK;
}

static ptl_status read_side(loader *l, const void *values)
{
    const special_piece_side_row *s = values;
    static const char *const types[] = {"mandatory", "optional", "available", "reject"};
    piece_tables *t = l->payload;
    cat_piece *piece = NULL;
    int side = 0;
    uint16_t join = 0;
    TRY(row_piece(l, t, s->special, s->piece, &piece));
    TRY(row_side(l, s->side, &side));
    TRY(row_join(l, s->join, &join));
    const int type = loader_name(types, PTL_JOIN_REJECT + 1, s->type);
    if (type > PTL_JOIN_REJECT)
        return loader_corrupt(l, "wrong type of join", s->type);
    piece->sides[side].join = (int16_t)join;
    piece->sides[side].type = (uint8_t)type;
    return PTL_OK;
}

static ptl_status read_alternative(loader *l, const void *values)
{
    const special_piece_alternative_row *s = values;
    piece_tables *t = l->payload;
    cat_piece *piece = NULL;
    int number = 0;
    uint16_t join = 0;
    TRY(row_piece(l, t, s->special, s->piece, &piece));
    TRY(row_side(l, s->side, &number));
    TRY(row_join(l, s->join, &join));
    cat_side *side = &piece->sides[number];
    if (t->side != side && side->alternative_count == 0)
        side->alternatives = &t->alternatives[l->row];
    else if (t->side != side)
        return loader_corrupt(l, "alternatives out of order of piece", piece->id);
    if (side->join < 0 || side->alternative_count == CATALOGUE_PARTS_MAX)
        return loader_corrupt(l, "wrong alternatives of piece", piece->id);
    t->side = side;
    t->alternatives[l->row] = join;
    side->alternative_count++;
    return PTL_OK;
}

static ptl_status read_piece_connection(loader *l, const void *values)
{
    const special_piece_connection_row *s = values;
    piece_tables *t = l->payload;
    cat_piece *piece = NULL;
    int side = 0;
    TRY(row_piece(l, t, s->special, s->piece, &piece));
    TRY(row_side(l, s->side, &side));
    return loader_find_connection(l, &piece->connections[side], s->connection);
}

ptl_status load_pieces(loader *l)
{
    static const struct {
        content_part part;
        row_reader read;
    } steps[] = {{CONTENT_SPECIAL_PIECE, read_piece},
                 {CONTENT_SPECIAL_PIECE_LOCATION, read_piece_location},
                 {CONTENT_SPECIAL_PIECE_SIDE, read_side},
                 {CONTENT_SPECIAL_PIECE_ALTERNATIVE, read_alternative},
                 {CONTENT_SPECIAL_PIECE_CONNECTION, read_piece_connection}};
    piece_tables t = {0};
    if (l->layout_count == 0)
        return PTL_OK;
    TRY(LOADER_ROOM_OF(l, t.joins, CONTENT_SPECIAL_JOIN));
    TRY(LOADER_ROOM_OF(l, t.names, CONTENT_SPECIAL_JOIN));
    TRY(LOADER_ROOM_OF(l, t.pieces, CONTENT_SPECIAL_PIECE));
    TRY(LOADER_ROOM_OF(l, t.alternatives, CONTENT_SPECIAL_PIECE_ALTERNATIVE));
    TRY(loader_rows(l, CONTENT_SPECIAL_JOIN, NULL, read_join, &t));
    TRY(sort_names(l, &t));
    TRY(loader_rows(l, CONTENT_SPECIAL_JOIN, NULL, read_opposite, &t));
    for (size_t i = 0; i < l->cat->special_count; i++) {
        const cat_mutable *m = l->layouts[i];
        for (size_t k = 0; m && k < m->join_count; k++)
            if (m->joins[m->joins[k].opposite].opposite != k)
                return loader_corrupt(l, "its opposite does not name join", m->joins[k].id);
    }
    TRY(loader_rows(l, CONTENT_SPECIAL_JOIN_LOCATION, NULL, read_into, &t));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        TRY(loader_rows(l, steps[i].part, NULL, steps[i].read, &t));
    for (size_t i = 0; i < l->cat->special_count; i++) {
        if (!l->layouts[i])
            continue;
        l->layouts[i]->root = loader_find_piece(l, (uint16_t)i, l->roots[i]);
        if (l->layouts[i]->root == CAT_NONE)
            return loader_corrupt(l, "no root in special", l->specials[i].id);
    }
    return PTL_OK;
}

/*
 * ---- connections ----
 *
 * Connections and their subtypes. A connection without any subtype is left out, since nothing
 * can be drawn with it. Such connections exist because a lenient import drops subtypes whose
 * terrain or locations are missing.
 */

/* The catalogue's arrays of connections and subtypes while they are filled. All subtypes are in
 * one array, in which the subtypes of one connection are neighbours. */
typedef struct connection_tables {
    cat_connection *connections;
    uint64_t *terrains; /* for each connection, the set of its terrains */
    cat_subtype *subtypes;
    int64_t *positions; /* for each subtype, the number by which rows of locations refer to it:
                         * its column `position` */
    uint16_t *owners;   /* for each subtype, the index of its connection */
    size_t connection_count, subtype_count;
    size_t next; /* index of the first subtype whose locations have not all been read */
} connection_tables;

static ptl_status read_connection(loader *l, const void *values)
{
    const overmap_connection_row *s = values;
    connection_tables *t = l->payload;
    cat_connection *c = &t->connections[t->connection_count++];
    TRY(loader_id(l, &c->id, s->id, l->row > 0 ? c[-1].id : NULL));
    c->p2p = strcmp(s->layout, "p2p") == 0;
    if (!c->p2p && strcmp(s->layout, "city") != 0)
        return loader_corrupt(l, "wrong layout of connection", c->id);
    c->default_terrain = CAT_NONE;
    if (s->default_terrain) {
        c->default_terrain = catalogue_terrain(l->cat, s->default_terrain);
        if (c->default_terrain == CAT_NONE)
            return loader_corrupt(l, "unknown default terrain of connection", c->id);
    }
    return PTL_OK;
}

static ptl_status read_subtype(loader *l, const void *values)
{
    const overmap_connection_subtype_row *s = values;
    connection_tables *t = l->payload;
    const char *id = s->connection;
    const size_t at = l->row;
    /* The rows of subtypes are sorted by connection, so this row's connection is that of the
     * previous row, or a later one. */
    size_t owner = at > 0 ? t->owners[at - 1] : 0;
    while (owner < t->connection_count && strcmp(t->connections[owner].id, id) != 0)
        owner++;
    if (owner == t->connection_count)
        return loader_corrupt(l, "subtype of unknown connection", id);
    cat_connection *c = &t->connections[owner];
    cat_subtype *subtype = &t->subtypes[t->subtype_count++];
    subtype->terrain = catalogue_terrain(l->cat, s->terrain);
    if (subtype->terrain == CAT_NONE)
        return loader_corrupt(l, "unknown terrain of a connection", s->terrain);
    const uint16_t oters = l->terrains[subtype->terrain].count;
    subtype->shape = oters == 16  ? PTL_TERRAIN_LINE
                     : oters == 4 ? PTL_TERRAIN_ROTATABLE
                                  : PTL_TERRAIN_FIXED;
    int64_t cost = s->basic_cost, weight = s->weight;
    if (cost < 0 || cost > CAT_COST_MAX || weight < 0 || weight > INT32_MAX / CAT_SUBTYPES_MAX)
        return loader_corrupt(l, "wrong cost or weight of connection", id);
    if (c->subtype_count == CAT_SUBTYPES_MAX)
        return loader_corrupt(l, "too many subtypes of connection", id);
    if (c->subtype_count++ == 0)
        c->subtypes = subtype;
    t->owners[at] = (uint16_t)owner;
    t->positions[at] = s->position;
    subtype->basic_cost = (int32_t)cost;
    subtype->weight = (int32_t)weight;
    subtype->orthogonal = s->orthogonal;
    subtype->perpendicular = strstr(s->flags.json, "\"PERPENDICULAR_CROSSING\"") != NULL;
    return PTL_OK;
}

/* Ends the reading of a subtype, the one with the index t->next: makes the set of terrains on
 * which it may be drawn. A subtype without locations may be drawn only where its own terrain is
 * already. */
static void close_subtype(loader *l, connection_tables *t)
{
    cat_subtype *subtype = &t->subtypes[t->next++];
    subtype->in_place = l->list.count == 0;
    subtype->allows = loader_close_set(l, subtype->terrain);
}

/* Adds a location to its subtype. Rows are in the order of the subtypes; a subtype without
 * locations has no row here. */
static ptl_status read_location(loader *l, const void *values)
{
    const overmap_connection_location_row *s = values;
    connection_tables *t = l->payload;
    while (t->next < t->subtype_count &&
           (t->positions[t->next] != s->position ||
            strcmp(t->connections[t->owners[t->next]].id, s->connection) != 0))
        close_subtype(l, t);
    if (t->next == t->subtype_count)
        return loader_corrupt(l, "location of no subtype of connection", s->connection);
    return loader_add_location(l, s->location);
}

ptl_status loader_find_connection(loader *l, uint16_t *out, const char *id)
{
    *out = catalogue_connection(l->cat, id);
    if (*out == CAT_NONE &&
        catalogue_find_id(l->unusable, l->unusable_count, sizeof *l->unusable, id) == CAT_NONE)
        return loader_corrupt(l, "no such connection", id);
    return PTL_OK;
}

ptl_status load_connections(loader *l)
{
    connection_tables t = {.connections = NULL};
    size_t count;
    TRY(loader_count(l, CONTENT_CONNECTIONS, &count));
    if (count > CATALOGUE_INDEX_MAX)
        return error_set(l->err, PTL_ERR_LIMIT, "the content has more than %d connections",
                         CATALOGUE_INDEX_MAX);
    TRY(LOADER_ROOM(l, t.connections, count));
    TRY(LOADER_ROOM(l, t.terrains, count * l->words));
    TRY(LOADER_ROOM_OF(l, t.subtypes, CONTENT_SUBTYPES));
    TRY(LOADER_ROOM_OF(l, t.positions, CONTENT_SUBTYPES));
    TRY(LOADER_ROOM_OF(l, t.owners, CONTENT_SUBTYPES));
    TRY(loader_rows(l, CONTENT_CONNECTIONS, NULL, read_connection, &t));
    TRY(loader_rows(l, CONTENT_SUBTYPES, NULL, read_subtype, &t));
    TRY(loader_rows(l, CONTENT_SUBTYPE_LOCATIONS, NULL, read_location, &t));
    while (t.next < t.subtype_count)
        close_subtype(l, &t);
    /* Copies the connections that have subtypes into the catalogue, with the set of their
     * terrains, and lists the ids of the other connections. */
    TRY(LOADER_ROOM(l, l->unusable, t.connection_count));
    for (size_t i = 0; i < t.connection_count; i++) {
        cat_connection *c = &t.connections[i];
        uint64_t *terrains = t.terrains + i * l->words;
        for (size_t k = 0; k < c->subtype_count; k++)
            loader_set_add(terrains, c->subtypes[k].terrain);
        c->terrains = terrains;
        if (c->subtype_count > 0)
            t.connections[l->cat->connection_count++] = *c;
        else
            l->unusable[l->unusable_count++] = c->id;
    }
    l->cat->connections = t.connections;
    return PTL_OK;
}

/*
 * ---- phases ----
 *
 * Phases of mutable specials. A phase consists of rules, which say what pieces it may place and
 * how many. The amounts of some rules are scaled by numbers that all rules of a special share;
 * these numbers are sorted by name. A phase without rules has no rows and is left out, since
 * growth would pass through it without effect.
 */

enum { MEAN_MAX = 1000000, SHARED_MAX = INT16_MAX };

/* The key of a rule (what a phase of a mutable special may place) in the tables: the special,
 * the phase, and the rule's position in the phase. */
typedef struct rule_key {
    int64_t phase, position;
    uint16_t special;
} rule_key;

typedef struct phase_tables {
    ptl_amount *shared;
    const char **shared_names;
    cat_phase *phases;
    cat_rule *rules;
    rule_key *keys; /* for each rule, the special, phase and position by which other tables
                       refer to it */
    cat_rule_piece *pieces;
    size_t phase_count, rule_count;
    size_t next; /* index of the first rule whose pieces have not been read yet */
} phase_tables;

/* ---- amounts: numbers that may be chosen at random ---- */

/* The columns that describe an amount, which is a number that may be chosen at random. Two
 * tables have these columns. */
typedef struct amount_row {
    const char *kind;
    content_number low, high, trials, least, most;
    content_mean mean;
} amount_row;

static bool within(content_number number, int64_t hi)
{
    return number.given && number.value >= 0 && number.value <= hi;
}

/* Reads a bound that an amount (a number that may be chosen at random) may have; NULL
 * becomes `none`. Returns false if the bound is out of range. */
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

/* ---- rules of phases ---- */

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

/* Finds what a rule of a phase refers to by name: a number that several rules of the special
 * share, and a join. */
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

/* ---- pieces of rules ---- */

/* Returns the rule (of a phase of a mutable special) to which a row with one of the rule's
 * pieces belongs. Rows are in the order of the rules, and every rule has rows; so this is the
 * rule of the previous row, or the rule after that. */
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

/* Returns true if a phase's rule places no two of its pieces at the same place. `places` has
 * room for the places of all pieces. */
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

/* ---- loading of all phases ---- */

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
    /* Every rule of a phase must have pieces, and must not place two of them at the same place.
     */
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
