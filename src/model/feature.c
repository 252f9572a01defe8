#include "model/feature.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

gen_city *features_add_city(gen_features *f)
{
    if (!ARRAY_ROOM(f->cities, f->city_room, f->city_count + 1))
        return NULL;
    return memset(&f->cities[f->city_count++], 0, sizeof *f->cities);
}

gen_placement *features_add_placement(gen_features *f)
{
    if (!ARRAY_ROOM(f->placements, f->placement_room, f->placement_count + 1))
        return NULL;
    return memset(&f->placements[f->placement_count++], 0, sizeof *f->placements);
}

gen_piece *features_add_pieces(gen_features *f, size_t count)
{
    if (!ARRAY_ROOM(f->pieces, f->piece_room, f->piece_count + (count > 0 ? count : 1)))
        return NULL;
    f->piece_count += count;
    return f->pieces + f->piece_count - count;
}

gen_piece *features_add_piece(gen_features *f)
{
    gen_piece *entry = features_add_pieces(f, 1);
    return entry ? memset(entry, 0, sizeof *entry) : NULL;
}

gen_join *features_add_joins(gen_features *f, size_t count)
{
    if (!ARRAY_ROOM(f->joins, f->join_room, f->join_count + (count > 0 ? count : 1)))
        return NULL;
    f->join_count += count;
    return f->joins + f->join_count - count;
}

gen_join *features_add_join(gen_features *f)
{
    gen_join *entry = features_add_joins(f, 1);
    return entry ? memset(entry, 0, sizeof *entry) : NULL;
}

gen_attempt *features_add_attempt(gen_features *f)
{
    if (!ARRAY_ROOM(f->attempts, f->attempt_room, f->attempt_count + 1))
        return NULL;
    return memset(&f->attempts[f->attempt_count++], 0, sizeof *f->attempts);
}

gen_group *features_add_group(gen_features *f)
{
    if (!ARRAY_ROOM(f->groups, f->group_room, f->group_count + 1))
        return NULL;
    return memset(&f->groups[f->group_count++], 0, sizeof *f->groups);
}

gen_radio *features_add_radio(gen_features *f)
{
    if (!ARRAY_ROOM(f->radios, f->radio_room, f->radio_count + 1))
        return NULL;
    return memset(&f->radios[f->radio_count++], 0, sizeof *f->radios);
}

gen_predecessor *features_add_predecessor(gen_features *f)
{
    if (!ARRAY_ROOM(f->predecessors, f->predecessor_room, f->predecessor_count + 1))
        return NULL;
    return memset(&f->predecessors[f->predecessor_count++], 0, sizeof *f->predecessors);
}

const char *features_text(gen_features *f, const char *text)
{
    if (!ARRAY_ROOM(f->names, f->name_room, f->name_count + 1))
        return NULL;
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        f->names[f->name_count++] = memcpy(copy, text, size);
    return copy;
}

void features_reset(gen_features *f)
{
    for (size_t i = 0; i < f->name_count; i++)
        free(f->names[i]);
    f->city_count = f->placement_count = f->group_count = f->radio_count = 0;
    f->piece_count = f->join_count = f->attempt_count = f->predecessor_count = 0;
    f->name_count = 0;
}

void features_dispose(gen_features *f)
{
    features_reset(f);
    free(f->cities);
    free(f->placements);
    free(f->pieces);
    free(f->joins);
    free(f->attempts);
    free(f->groups);
    free(f->radios);
    free(f->predecessors);
    free(f->names);
    memset(f, 0, sizeof *f);
}
