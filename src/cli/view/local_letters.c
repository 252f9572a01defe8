/* Pairs of terrain and furniture, and their letters. */
#include "cli/view/local_letters.h"

#include <string.h>

int local_letters_number(local_letters *letters, const ptl_local_map *map, int32_t x, int32_t y)
{
    const char *terrain = ptl_local_terrain(map, x, y);
    const char *furniture = ptl_local_furniture(map, x, y);
    int i = 0;
    while (i < letters->count && (strcmp(letters->terrain[i], terrain) != 0 ||
                                  strcmp(letters->furniture[i], furniture) != 0))
        i++;
    if (i == letters->count) {
        letters->terrain[i] = terrain;
        letters->furniture[i] = furniture;
        letters->count++;
    }
    return i;
}

char local_letters_of(int number)
{
    static const char letters[] =
        ".#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*%=&$@!:;,~^";
    return number < (int)sizeof letters - 1 ? letters[number] : '?';
}
