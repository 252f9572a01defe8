#include "mapgen/compile/library.h"

#include <stdlib.h>
#include <string.h>

/* What an id leads to. */
typedef struct library_slot {
    const mapgen_palette *palette;
} library_slot;

struct mapgen_library {
    library_slot *slots; /* owned; by id of the pool */
    size_t slot_count;
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

const mapgen_palette *mapgen_library_palette(const mapgen_library *library, uint32_t id)
{
    return id < library->slot_count ? library->slots[id].palette : NULL;
}
