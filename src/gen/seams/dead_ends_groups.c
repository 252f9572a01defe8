/*
 * Connections that share terrain are counted as one: a tile does not say which of them drew it.
 * A group goes by the ids of all of its connections.
 */
#include "gen/seams/dead_ends_impl.h"

#include <stdlib.h>
#include <string.h>

static const char BETWEEN[] = " + ";

static bool share_terrain(const catalogue *cat, size_t a, size_t b)
{
    const size_t words = (cat->terrain_count + 63) / 64;
    for (size_t i = 0; i < words; i++)
        if (cat->connections[a].terrains[i] & cat->connections[b].terrains[i])
            return true;
    return false;
}

/* Both groups become the one that begins first. */
static void merge(dead_ends *d, size_t a, size_t b)
{
    const uint16_t first = d->group[a] < d->group[b] ? d->group[a] : d->group[b];
    const uint16_t second = d->group[a] < d->group[b] ? d->group[b] : d->group[a];
    for (size_t i = 0; i < d->cat->connection_count; i++)
        if (d->group[i] == second)
            d->group[i] = first;
}

/* Returns the ids of the group's connections, with " + " between them; new, NULL when memory is
 * out. */
static char *common_name(const dead_ends *d, size_t group)
{
    const catalogue *cat = d->cat;
    size_t room = 1;
    for (size_t i = group; i < cat->connection_count; i++)
        if (d->group[i] == group)
            room += strlen(cat->connections[i].id) + sizeof BETWEEN;
    char *name = malloc(room), *at = name;
    for (size_t i = group; name && i < cat->connection_count; i++) {
        if (d->group[i] != group)
            continue;
        const char *parts[2] = {i > group ? BETWEEN : "", cat->connections[i].id};
        for (int k = 0; k < 2; k++) {
            const size_t length = strlen(parts[k]);
            memcpy(at, parts[k], length + 1);
            at += length;
        }
    }
    return name;
}

bool dead_ends_find_groups(dead_ends *d)
{
    const size_t count = d->cat->connection_count;
    d->group = malloc((count + 1) * sizeof *d->group);
    d->names = calloc(count + 1, sizeof *d->names);
    d->name_count = count;
    if (!d->group || !d->names)
        return false;
    for (size_t i = 0; i <= count; i++)
        d->group[i] = (uint16_t)i;
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (d->group[i] != d->group[k] && share_terrain(d->cat, i, k))
                merge(d, i, k);
    for (size_t i = 0; i < count; i++) {
        const size_t group = d->group[i];
        if (group != i && !d->names[group] && !(d->names[group] = common_name(d, group)))
            return false;
    }
    return true;
}

void dead_ends_free_groups(dead_ends *d)
{
    for (size_t i = 0; d->names && i < d->name_count; i++)
        free(d->names[i]);
    free(d->names);
    free(d->group);
}

size_t dead_ends_group(const dead_ends *d, size_t connection)
{
    return d->group[connection];
}

const char *dead_ends_kind(const dead_ends *d, size_t connection)
{
    const char *common = d->names[d->group[connection]];
    if (connection == d->cat->connection_count)
        return "";
    return common ? common : d->cat->connections[connection].id;
}
