/*
 * The directory of a whole game as roots of an import: which game it is, and its core, content,
 * names and mods in the order in which the game reads them.
 */
#ifndef CONTENT_IMPORT_GAME_H
#define CONTENT_IMPORT_GAME_H

#include "content/import/source.h"

/* Where a game's directory has its data. */
typedef struct game_place {
    const char *root;     /* as given */
    const char *data;     /* what holds "json", in the arena */
    const char *json_mod; /* id of the mod that the content itself is ("dda"); NULL: not told */
} game_place;

/* "folder/name" in the arena; NULL (noted) when memory is out. */
const char *game_path(import *im, const char *folder, const char *name);
bool game_has(const char *path);

/* game.c: what the options' `game` stands for, in front of the directories. What is wrong with
 * it becomes remarks; then there is no need to read anything. */
void game_take(import *im);

/* ---- game_mods.c ---- */

typedef struct game_mod {
    const char *id, *path, *folder; /* folder: the last part of the path */
    const json_t *info;             /* its MOD_INFO; the import's */
    bool base;                      /* the content itself */
    bool taken;
    size_t root; /* of what is taken: its number */
} game_mod;

typedef struct game_mods {
    import *im;
    const char *path;  /* of the folder of mods */
    const char *asked; /* where ids come from: for remarks */
    game_mod *items;   /* owned; sorted by id */
    size_t count, capacity;
    const json_t *gone; /* ids that older saves have; NULL: none are known */
} game_mods;

/* The mods that there are; *place learns what the content itself is called. */
void game_mods_find(game_mods *m, import *im, game_place *place);
/* Makes roots of those that are asked for by name or by a save, each behind what it depends on.
 */
void game_mods_take(game_mods *m);
void game_mods_dispose(game_mods *m);

/*
 * The value of a small JSON file: new; NULL where there is none (missing true) or it can't be
 * read or is none, with the reason in `why` (size bytes).
 */
json_t *game_json(const char *path, bool *missing, char *why, size_t size);

#endif
