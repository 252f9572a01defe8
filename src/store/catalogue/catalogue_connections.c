/*
 * Connections and their subtypes. A connection without any subtype is left out, since nothing
 * can be drawn with it. This happens because a lenient import drops subtypes whose terrain or
 * locations are missing.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <string.h>

/* The tables under construction. All subtypes stand in one array; those of one connection are
 * neighbours. */
typedef struct connection_tables {
    cat_connection *connections;
    uint64_t *terrains; /* for each connection, its terrains as a set */
    cat_subtype *subtypes;
    int64_t *positions; /* numbers of the subtypes in the table */
    uint16_t *owners;   /* for each subtype, its connection */
    size_t connection_count, subtype_count;
    size_t next; /* the locations of all subtypes before this one have been read */
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
    /* Rows are sorted, so their connection is the previous row's or a later one. */
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

/* Ends the gathering of a subtype's locations. Without any, the subtype may be drawn only
 * where its own terrain already is. */
static void close_subtype(loader *l, connection_tables *t)
{
    cat_subtype *subtype = &t->subtypes[t->next++];
    subtype->in_place = l->list.count == 0;
    subtype->allows = loader_close_set(l, subtype->terrain);
}

/* Reads a location of a subtype. Both tables are in the same order; a subtype without
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
    /* Moves the connections into the catalogue, leaving out those without subtypes, and fills
     * in what belongs to each. */
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
