#include "model/feature.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* Defines features_add_NAME, which returns a new entry, zeroed; NULL when memory is out. */
#define FEATURES_ADD(type, name, array)                                                        \
    type *features_add_##name(gen_features *f)                                                 \
    {                                                                                          \
        if (!ARRAY_ROOM(f->array, f->name##_room, f->name##_count + 1))                        \
            return NULL;                                                                       \
        return memset(&f->array[f->name##_count++], 0, sizeof *f->array);                      \
    }

FEATURES_ADD(gen_city, city, cities)
FEATURES_ADD(gen_placement, placement, placements)
FEATURES_ADD(gen_piece, piece, pieces)
FEATURES_ADD(gen_join, join, joins)
FEATURES_ADD(gen_attempt, attempt, attempts)
FEATURES_ADD(gen_group, group, groups)
FEATURES_ADD(gen_radio, radio, radios)
FEATURES_ADD(gen_predecessor, predecessor, predecessors)

gen_piece *features_add_pieces(gen_features *f, size_t count)
{
    if (!ARRAY_ROOM(f->pieces, f->piece_room, f->piece_count + (count > 0 ? count : 1)))
        return NULL;
    f->piece_count += count;
    return f->pieces + f->piece_count - count;
}

gen_join *features_add_joins(gen_features *f, size_t count)
{
    if (!ARRAY_ROOM(f->joins, f->join_room, f->join_count + (count > 0 ? count : 1)))
        return NULL;
    f->join_count += count;
    return f->joins + f->join_count - count;
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
