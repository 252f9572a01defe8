/*
 * Does a world fit a save's content? As far as can be told: a save lists its mods, not what
 * they define. So ids are judged by the packs of our content that define them, which the save
 * must list; but the first one, unless it is Portolan's, is taken for the game's own.
 */
#ifndef EXCHANGE_FIT_H
#define EXCHANGE_FIT_H

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "portolan/world.h"

/* Which of the catalogue's terrains and specials overmaps have. */
typedef struct save_usage {
    const catalogue *cat;         /* borrowed */
    uint8_t *terrains, *specials; /* owned */
} save_usage;

ptl_status save_usage_init(save_usage *u, const catalogue *cat, ptl_error *err);
void save_usage_dispose(save_usage *u);
void save_usage_add(save_usage *u, const ptl_chunk *chunk, const gen_features *features);

typedef struct save_pack {
    char *id;        /* owned: of a mod, or the folder's name */
    bool own;        /* Portolan's */
    bool listed;     /* by the save */
    bool lacking;    /* its ids can't be expected in the game */
    uint64_t lacked; /* such ids that the overmaps have */
} save_pack;

typedef struct save_id {
    const char *kind; /* "terrain", "special", "region": a constant */
    char *id;         /* owned */
    size_t pack;
} save_id;

typedef struct save_fit {
    char **mods; /* owned; the save's, in its order; NULL: no save was asked */
    size_t mod_count;
    save_pack *packs; /* owned; of the content, in its order */
    size_t pack_count;
    save_id *lacking; /* owned; sorted by pack, kind and id */
    size_t lacking_count, room;
    uint64_t terrains, specials; /* different ones that the overmaps have */
} save_fit;

void save_fit_dispose(save_fit *fit);
/* The mods that a save lists in SAVE/mods.json; folder is SAVE. */
ptl_status save_fit_mods(save_fit *fit, int folder, const char *where, ptl_error *err);
/* The rest, after save_fit_mods or without it. */
ptl_status save_fit_find(save_fit *fit, ptl_world *world, const save_usage *usage,
                         ptl_error *err);

#endif
