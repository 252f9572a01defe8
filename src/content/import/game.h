/*
 * Takes the directory of a whole game as roots of an import: finds out which game it is, and
 * adds its core, content, names and mods in the order in which the game reads them.
 */
#ifndef CONTENT_IMPORT_GAME_H
#define CONTENT_IMPORT_GAME_H

#include "content/import/source.h"

/* The folders of a game. */
typedef struct game_place {
    const char *root; /* as given */
    const char *data; /* the folder that contains "json"; in the arena */
    /* The id of the mod that is the game's content itself ("dda"); NULL: the game does not
     * tell. */
    const char *json_mod;
} game_place;

/* In game.c: adds the roots that the option `game` stands for, before the directories.
 * Problems become remarks, with errors if reading would make no sense. */
void game_take(import *im);

/* ---- game.c ---- */

typedef struct game_mod {
    const char *id, *path, *folder; /* folder: the last part of the path */
    const json_t *info;             /* its MOD_INFO, owned by the import */
    bool base;                      /* it is the game's content itself */
    bool taken;
    size_t root; /* once it is taken: the number of its root */
} game_mod;

typedef struct game_mods {
    import *im;
    const char *path;  /* of the folder that contains the mods */
    const char *asked; /* where the ids come from, for remarks */
    game_mod *items;   /* owned; sorted by id */
    size_t count, capacity;
    const json_t *gone; /* dropped ids that saves may have; NULL: none */
} game_mods;

#endif
