/* ptl_save_fit (portolan/save.h): does the save list all content that the overmaps use? */
#pragma once

#include "core/arena.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "portolan/save.h"

struct ptl_save_fit {
    arena *texts;      /* owned; holds all texts below */
    const char **mods; /* owned; mods that the save lists, in its order; NULL: none was read */
    size_t mod_count;
    ptl_save_pack *packs; /* owned; packs of the world's content, in their order */
    size_t pack_count, pack_room;
    const char *data;     /* the game's folder of content, ending with a slash; NULL: unknown */
    ptl_save_id *lacking; /* owned; ids of packs that the game may lack, sorted as the public
                             header says */
    size_t lacking_count, room;
    uint64_t terrains, specials;     /* how many different ones occur in the overmaps */
    const catalogue *cat;            /* borrowed while overmaps are written */
    bool *has_terrain, *has_special; /* owned; does it occur? by number in the catalogue */
};

/* Makes an empty one; to be freed by ptl_save_fit_free. */
ptl_status save_fit_new(ptl_save_fit **out, const catalogue *cat, ptl_error *err);
/* Takes note of what occurs in an overmap. */
void save_fit_note(ptl_save_fit *fit, const ptl_chunk *chunk, const gen_features *features);
/* Reads the mods that a save lists in mods.json. folder is the open folder of the save, where
 * its path for messages. */
ptl_status save_fit_mods(ptl_save_fit *fit, int folder, const char *where, ptl_error *err);
/* Fills in all the rest, once all overmaps were noted. save_fit_mods may have been called
 * before, or not at all. */
ptl_status save_fit_find(ptl_save_fit *fit, ptl_world *world, ptl_error *err);
