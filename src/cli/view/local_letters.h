/* A local map as letters, for terminals: one for each pair of terrain and furniture. */
#ifndef CLI_VIEW_LOCAL_LETTERS_H
#define CLI_VIEW_LOCAL_LETTERS_H

#include <portolan/local.h>

/* Pairs in the order in which they come, row by row; texts are the map's. */
typedef struct local_letters {
    const char *terrain[PTL_LOCAL_SIDE * PTL_LOCAL_SIDE];
    const char *furniture[PTL_LOCAL_SIDE * PTL_LOCAL_SIDE];
    int count;
} local_letters;

/* Returns the number of the pair on a tile, which is added where it is new. */
int local_letters_number(local_letters *letters, const ptl_local_map *map, int32_t x,
                         int32_t y);
/* Returns the letter of a pair; '?' of all beyond the letters. */
char local_letters_of(int number);

#endif
