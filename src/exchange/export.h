/* ptl_save_fit (portolan/save.h): does the save list all content that the overmaps use? */
#ifndef EXCHANGE_EXPORT_H
#define EXCHANGE_EXPORT_H

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "portolan/save.h"

/* Which terrains and specials of a catalogue occur in some overmaps. */
typedef struct save_usage {
    const catalogue *cat;         /* borrowed */
    uint8_t *terrains, *specials; /* owned; 1 if it occurs, by number in the catalogue */
} save_usage;

ptl_status save_usage_init(save_usage *u, const catalogue *cat, ptl_error *err);
void save_usage_dispose(save_usage *u);
/* Adds what occurs in an overmap. */
void save_usage_add(save_usage *u, const ptl_chunk *chunk, const gen_features *features);

/* As ptl_save_pack, but owns its id. */
typedef struct fit_pack {
    char *id;
    bool own, listed, game;
    bool lacking; /* neither the save lists it, nor is it the game's own */
    uint64_t lacked;
} fit_pack;

/* As ptl_save_id, but owns its id. */
typedef struct fit_id {
    ptl_content_kind kind;
    char *id;
    size_t pack;
} fit_id;

struct ptl_save_fit {
    char **mods; /* owned; mods that the save lists, in its order; NULL: no save was read */
    size_t mod_count;
    fit_pack *packs; /* owned; packs of the world's content, in their order */
    size_t pack_count;
    /* Owned; the game's folder of content, ending with a slash; NULL: unknown. */
    char *data;
    fit_id *lacking; /* owned; ids from lacking packs, sorted as the public header says */
    size_t lacking_count, room;
    uint64_t terrains, specials; /* how many different ones occur in the overmaps */
};

/* Makes an empty one; to be freed by ptl_save_fit_free. */
ptl_status save_fit_new(ptl_save_fit **out, ptl_error *err);
/* Reads the mods that a save lists in mods.json. folder is the open folder of the save, where
 * its path for messages. */
ptl_status save_fit_mods(ptl_save_fit *fit, int folder, const char *where, ptl_error *err);
/* Fills in all the rest. save_fit_mods may have been called before, or not at all. */
ptl_status save_fit_find(ptl_save_fit *fit, ptl_world *world, const save_usage *usage,
                         ptl_error *err);

#endif
