#include "gen/feature.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more entry; the list may move. False when memory is out. */
static bool grow(void **list, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 64;
    void *moved = realloc(*list, wanted * size);
    if (!moved)
        return false;
    *list = moved;
    *room = wanted;
    return true;
}

#define ADD(name, type)                                                                        \
    type *features_add_##name(gen_features *f)                                                 \
    {                                                                                          \
        void *list = f->LIST_##name;                                                           \
        if (!grow(&list, &f->ROOM_##name, f->COUNT_##name, sizeof(type)))                      \
            return NULL;                                                                       \
        f->LIST_##name = list;                                                                 \
        type *entry = &f->LIST_##name[f->COUNT_##name++];                                      \
        memset(entry, 0, sizeof *entry);                                                       \
        return entry;                                                                          \
    }

#define LIST_city       cities
#define ROOM_city       city_room
#define COUNT_city      city_count
#define LIST_placement  placements
#define ROOM_placement  placement_room
#define COUNT_placement placement_count
#define LIST_group      groups
#define ROOM_group      group_room
#define COUNT_group     group_count
#define LIST_radio      radios
#define ROOM_radio      radio_room
#define COUNT_radio     radio_count

ADD(city, gen_city)
ADD(placement, gen_placement)
ADD(group, gen_group)
ADD(radio, gen_radio)

const char *features_text(gen_features *f, const char *text)
{
    void *list = f->names;
    if (!grow(&list, &f->name_room, f->name_count, sizeof *f->names))
        return NULL;
    f->names = list;
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
    f->name_count = 0;
}

void features_dispose(gen_features *f)
{
    features_reset(f);
    free(f->cities);
    free(f->placements);
    free(f->groups);
    free(f->radios);
    free(f->names);
    memset(f, 0, sizeof *f);
}
