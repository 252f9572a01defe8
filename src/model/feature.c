#include "model/feature.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* Appends `more` entries to the list, which may move, and returns the first one. With more
 * == 0 it returns the list's end. */
static void *append_many(void **list, size_t *count, size_t *room, size_t more, size_t size)
{
    if (!array_grow(list, room, *count + (more > 0 ? more : 1), size))
        return NULL;
    unsigned char *entry = (unsigned char *)*list + *count * size;
    *count += more;
    return entry;
}

/* Appends one entry, which is zeroed. */
static void *append(void **list, size_t *count, size_t *room, size_t size)
{
    void *entry = append_many(list, count, room, 1, size);
    return entry ? memset(entry, 0, size) : NULL;
}

gen_city *features_add_city(gen_features *f)
{
    void *list = f->cities;
    gen_city *entry = append(&list, &f->city_count, &f->city_room, sizeof *entry);
    f->cities = list;
    return entry;
}

gen_placement *features_add_placement(gen_features *f)
{
    void *list = f->placements;
    gen_placement *entry =
        append(&list, &f->placement_count, &f->placement_room, sizeof *entry);
    f->placements = list;
    return entry;
}

gen_piece *features_add_pieces(gen_features *f, size_t count)
{
    void *list = f->pieces;
    gen_piece *first =
        append_many(&list, &f->piece_count, &f->piece_room, count, sizeof *first);
    f->pieces = list;
    return first;
}

gen_piece *features_add_piece(gen_features *f)
{
    gen_piece *entry = features_add_pieces(f, 1);
    return entry ? memset(entry, 0, sizeof *entry) : NULL;
}

gen_join *features_add_joins(gen_features *f, size_t count)
{
    void *list = f->joins;
    gen_join *first = append_many(&list, &f->join_count, &f->join_room, count, sizeof *first);
    f->joins = list;
    return first;
}

gen_join *features_add_join(gen_features *f)
{
    gen_join *entry = features_add_joins(f, 1);
    return entry ? memset(entry, 0, sizeof *entry) : NULL;
}

gen_attempt *features_add_attempt(gen_features *f)
{
    void *list = f->attempts;
    gen_attempt *entry = append(&list, &f->attempt_count, &f->attempt_room, sizeof *entry);
    f->attempts = list;
    return entry;
}

gen_group *features_add_group(gen_features *f)
{
    void *list = f->groups;
    gen_group *entry = append(&list, &f->group_count, &f->group_room, sizeof *entry);
    f->groups = list;
    return entry;
}

gen_radio *features_add_radio(gen_features *f)
{
    void *list = f->radios;
    gen_radio *entry = append(&list, &f->radio_count, &f->radio_room, sizeof *entry);
    f->radios = list;
    return entry;
}

gen_predecessor *features_add_predecessor(gen_features *f)
{
    void *list = f->predecessors;
    gen_predecessor *entry =
        append(&list, &f->predecessor_count, &f->predecessor_room, sizeof *entry);
    f->predecessors = list;
    return entry;
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
