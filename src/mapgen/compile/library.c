#include "mapgen/compile/library.h"

#include "mapgen/compile/by_id.h"

enum { ROLES = 3 };

/* What is registered under one id. */
typedef struct library_slot {
    const mapgen_palette *palette;
    mapgen_candidate *first[ROLES], *last[ROLES]; /* in the arena */
    bool palette_asked, entries_asked;            /* what the source was asked for already */
    uint32_t uniform, ground;
} library_slot;

struct mapgen_library {
    by_id slots;   /* owned; of type library_slot */
    arena *memory; /* owned; holds the candidates */
    mapgen_source source;
    bool failed;
};

mapgen_library *mapgen_library_new(void)
{
    mapgen_library *library = calloc(1, sizeof *library);
    if (!library)
        return NULL;
    library->memory = arena_new();
    if (library->memory)
        return library;
    free(library);
    return NULL;
}

void mapgen_library_free(mapgen_library *library)
{
    if (!library)
        return;
    arena_free(library->memory);
    by_id_dispose(&library->slots);
    free(library);
}

void mapgen_library_set_source(mapgen_library *library, const mapgen_source *source)
{
    library->source = *source;
}

bool mapgen_library_failed(const mapgen_library *library)
{
    return library->failed;
}

static library_slot *slot_of(mapgen_library *library, uint32_t id)
{
    return by_id_make(&library->slots, id, sizeof(library_slot));
}

static const library_slot *find_slot(const mapgen_library *library, uint32_t id)
{
    return by_id_find(&library->slots, id, sizeof(library_slot));
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
    mapgen_candidate *candidate = arena_alloc(library->memory, sizeof *candidate);
    if (!slot || !candidate)
        return false;
    *candidate = (mapgen_candidate){entry, key->row, key->column, NULL};
    if (slot->last[entry->role])
        slot->last[entry->role]->next = candidate;
    else
        slot->first[entry->role] = candidate;
    slot->last[entry->role] = candidate;
    return true;
}

bool mapgen_library_add_entry(mapgen_library *library, const mapgen_entry *entry)
{
    bool good = true;
    for (uint32_t i = 0; i < entry->key_count && good && entry->weight > 0; i++)
        good = add_candidate(library, entry, &entry->keys[i]);
    return good;
}

bool mapgen_library_add_entry_of(mapgen_library *library, const mapgen_entry *entry,
                                 uint32_t key)
{
    bool good = true;
    for (uint32_t i = 0; i < entry->key_count && good && entry->weight > 0; i++)
        if (entry->keys[i].id == key)
            good = add_candidate(library, entry, &entry->keys[i]);
    return good;
}

bool mapgen_library_set_uniform(mapgen_library *library, uint32_t key, uint32_t terrain)
{
    library_slot *slot = slot_of(library, key);
    if (slot)
        slot->uniform = terrain;
    return slot != NULL;
}

uint32_t mapgen_library_uniform(const mapgen_library *library, uint32_t key)
{
    const library_slot *slot = find_slot(library, key);
    return slot ? slot->uniform : ID_NONE;
}

bool mapgen_library_set_ground(mapgen_library *library, uint32_t key, uint32_t type)
{
    library_slot *slot = slot_of(library, key);
    if (slot)
        slot->ground = type;
    return slot != NULL;
}

uint32_t mapgen_library_ground(const mapgen_library *library, uint32_t key)
{
    const library_slot *slot = find_slot(library, key);
    return slot && slot->ground != ID_NONE ? slot->ground : key;
}

/* Returns the slot of an id after the source was asked for it. NULL: nothing is registered
 * for it, and the source has nothing either. */
static const library_slot *ask(mapgen_library *library, mapgen_sort sort, uint32_t id)
{
    if (id == ID_NONE)
        return NULL;
    if (!library->source.load)
        return find_slot(library, id);
    library_slot *slot = slot_of(library, id);
    library->failed = library->failed || !slot;
    if (!slot)
        return NULL;
    bool *asked = sort == MAPGEN_SORT_PALETTE ? &slot->palette_asked : &slot->entries_asked;
    if (*asked)
        return slot;
    *asked = true;
    library->source.load(library->source.payload, sort, id);
    return find_slot(library, id);
}

const mapgen_palette *mapgen_library_palette(mapgen_library *library, uint32_t id)
{
    const library_slot *slot = ask(library, MAPGEN_SORT_PALETTE, id);
    return slot ? slot->palette : NULL;
}

const mapgen_candidate *mapgen_library_first(mapgen_library *library, mapgen_role role,
                                             uint32_t key)
{
    const library_slot *slot = ask(library, MAPGEN_SORT_ENTRIES, key);
    return slot ? slot->first[role] : NULL;
}

const mapgen_candidate *mapgen_library_next(const mapgen_candidate *candidate)
{
    return candidate->next;
}
