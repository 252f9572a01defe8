/* Catalogues of real content, by way of an import into a file that is gone afterwards. */
#ifndef SUPPORT_CONTENT_CATALOGUE_H
#define SUPPORT_CONTENT_CATALOGUE_H

#include "model/catalogue.h"

/* Debian's copy of DDA 0.F. */
#define CONTENT_GAME "/usr/share/games/cataclysm-dda/json"

/* The path of a directory of ../shared/content. */
void content_shared(char *path, size_t size, const char *name);

/* Is it there? Says loudly if not, and fails where CI has ../shared, and so should have it. */
bool content_present(const char *path);

/* Unpacks a game of ../shared/content/today into a new folder: `game` of an import. False if it
 * is not there (content_present). */
bool content_game(char *folder, size_t size, const char *name);

/* directory NULL or no directories: the embedded pack; several: the base first. Fails the test
 * where it can't be imported. Free it with catalogue_free. */
catalogue *content_catalogue(const char *directory, bool lenient);
catalogue *content_catalogue_of(const char *const *directories, size_t count, bool lenient);

#endif
