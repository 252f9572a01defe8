/* ptl_save_fit (portolan/save.h) tells whether the save lists all content that the overmaps
 * use. */
#pragma once

#include "core/arena.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "portolan/save.h"

struct ptl_save_fit {
    arena *texts; /* owned; holds all texts below */
    /* Owned; ids of the mods that the save lists, in its order; NULL: the list was not read. */
    const char **mods;
    size_t mod_count;
    ptl_save_pack *packs; /* owned; the packs of the world's content, in their order */
    size_t pack_count, pack_room;
    const char *data;     /* the game's folder of content, ending with a slash; NULL: unknown */
    ptl_save_id *lacking; /* owned; ids that the game may lack, by pack, kind, id */
    size_t lacking_count, room;
    /* Numbers of different terrains and specials in the overmaps. */
    uint64_t terrains, specials;
    const catalogue *cat; /* borrowed while overmaps are written */
    /* Owned; by number in the catalogue: do the overmaps use it? */
    bool *has_terrain, *has_special;
};

/* Makes an empty ptl_save_fit; the caller must call ptl_save_fit_free, also after an error. */
ptl_status save_fit_new(ptl_save_fit **out, const catalogue *cat, ptl_error *err);
/* Notes the terrains and specials that an overmap uses. */
void save_fit_note(ptl_save_fit *fit, const ptl_chunk *chunk, const gen_features *features);
/* Reads the mods that a save lists in mods.json. `folder` is the open folder of the save,
 * `where` its path for messages. */
ptl_status save_fit_mods(ptl_save_fit *fit, int folder, const char *where, ptl_error *err);
/* Compares the noted terrains and specials with the content's packs, once all overmaps are
 * noted, and lists the ids that the game may lack. save_fit_mods may have been called before,
 * or not at all. */
ptl_status save_fit_find(ptl_save_fit *fit, ptl_world *world, ptl_error *err);
