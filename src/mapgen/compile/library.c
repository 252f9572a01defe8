#include "mapgen/compile/library.h"

#include <stdlib.h>
#include <string.h>

enum { ROLES = 3 };

/* What an id leads to. */
typedef struct library_slot {
    const mapgen_palette *palette;
    uint32_t first[ROLES], last[ROLES]; /* candidates; 0: none */
} library_slot;

struct mapgen_library {
    library_slot *slots; /* owned; by id of the pool */
    size_t slot_count;
    mapgen_candidate *candidates; /* owned; from 1 */
    uint32_t count, room;
};

mapgen_library *mapgen_library_new(void)
{
    return calloc(1, sizeof(mapgen_library));
}

void mapgen_library_free(mapgen_library *library)
{
    if (!library)
        return;
    free(library->slots);
    free(library->candidates);
    free(library);
}

static library_slot *slot_of(mapgen_library *library, uint32_t id)
{
    if (id >= library->slot_count) {
        const size_t wanted = 2 * (size_t)id + 1024;
        library_slot *slots = realloc(library->slots, wanted * sizeof *slots);
        if (!slots)
            return NULL;
        memset(slots + library->slot_count, 0, (wanted - library->slot_count) * sizeof *slots);
        library->slots = slots;
        library->slot_count = wanted;
    }
    return &library->slots[id];
}

bool mapgen_library_add_palette(mapgen_library *library, const mapgen_palette *palette)
{
    library_slot *slot = slot_of(library, palette->id);
    if (slot)
        slot->palette = palette;
    return slot != NULL;
}

static bool add_candidate(mapgen_library *library, const mapgen_entry *entry,
                          const mapgen_key *key)
{
    library_slot *slot = slot_of(library, key->id);
    if (library->count + 1 >= library->room) {
        const uint32_t room = library->room ? 2 * library->room : 256;
        mapgen_candidate *candidates = realloc(library->candidates, room * sizeof *candidates);
        if (!candidates)
            return false;
        library->candidates = candidates;
        library->room = room;
    }
    if (!slot)
        return false;
    const uint32_t number = ++library->count;
    library->candidates[number] = (mapgen_candidate){entry, key->row, key->column, 0};
    if (slot->last[entry->role])
        library->candidates[slot->last[entry->role]].next = number;
    else
        slot->first[entry->role] = number;
    slot->last[entry->role] = number;
    return true;
}

bool mapgen_library_add_entry(mapgen_library *library, const mapgen_entry *entry)
{
    bool good = true;
    for (uint32_t i = 0; i < entry->key_count && good && entry->weight > 0; i++)
        good = add_candidate(library, entry, &entry->keys[i]);
    return good;
}

const mapgen_palette *mapgen_library_palette(const mapgen_library *library, uint32_t id)
{
    return id < library->slot_count ? library->slots[id].palette : NULL;
}

const mapgen_candidate *mapgen_library_first(const mapgen_library *library, mapgen_role role,
                                             uint32_t key)
{
    const uint32_t number = key < library->slot_count ? library->slots[key].first[role] : 0;
    return number ? &library->candidates[number] : NULL;
}

const mapgen_candidate *mapgen_library_next(const mapgen_library *library,
                                            const mapgen_candidate *candidate)
{
    return candidate->next ? &library->candidates[candidate->next] : NULL;
}
