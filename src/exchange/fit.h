/* Does a world fit a save's content? What is behind ptl_save_fit (portolan/save.h). */
#ifndef EXCHANGE_FIT_H
#define EXCHANGE_FIT_H

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "portolan/save.h"

/* Which of the catalogue's terrains and specials overmaps have. */
typedef struct save_usage {
    const catalogue *cat;         /* borrowed */
    uint8_t *terrains, *specials; /* owned */
} save_usage;

ptl_status save_usage_init(save_usage *u, const catalogue *cat, ptl_error *err);
void save_usage_dispose(save_usage *u);
void save_usage_add(save_usage *u, const ptl_chunk *chunk, const gen_features *features);

/* A ptl_save_pack whose id it owns. */
typedef struct fit_pack {
    char *id;
    bool own, listed, game;
    bool lacking; /* its ids can't be expected in the game */
    uint64_t lacked;
} fit_pack;

/* A ptl_save_id whose id it owns. */
typedef struct fit_id {
    ptl_content_kind kind;
    char *id;
    size_t pack;
} fit_id;

struct ptl_save_fit {
    char **mods; /* owned; the save's, in its order; NULL: no save was asked */
    size_t mod_count;
    fit_pack *packs; /* owned; of the content, in its order */
    size_t pack_count;
    char *data;      /* owned; the game's folder of content, with its slash; NULL: not known */
    fit_id *lacking; /* owned; sorted as the public header says */
    size_t lacking_count, room;
    uint64_t terrains, specials; /* different ones that the overmaps have */
};

/* Makes a new one: ptl_save_fit_free. */
ptl_status save_fit_new(ptl_save_fit **out, ptl_error *err);
/* Reads the mods that a save lists in SAVE/mods.json; folder is SAVE. */
ptl_status save_fit_mods(ptl_save_fit *fit, int folder, const char *where, ptl_error *err);
/* The rest, after save_fit_mods or without it. */
ptl_status save_fit_find(ptl_save_fit *fit, ptl_world *world, const save_usage *usage,
                         ptl_error *err);

#endif
