/* All that local maps of a game, or of our own pack, are made of, by way of an import. */
#ifndef TRUTH_CONTENT_H
#define TRUTH_CONTENT_H

#include "mapgen/compile/library.h"
#include "mapgen/compile/tiles.h"
#include "mapgen/ground/settings.h"
#include "mapgen/groups/groups.h"
#include "model/catalogue.h"
#include "support/truth/game_maps.h"

typedef struct truth_content {
    catalogue *cat;
    id_pool *pool;
    arena *memory;
    mapgen_compiler *compiler;
    mapgen_library *library;
    mapgen_tiles *tiles;
    mapgen_groups *groups;
    ground_settings settings; /* of the region `default` */
} truth_content;

/* game NULL: the embedded pack. False, with a word about it, if the game is not there. */
bool truth_content_load(truth_content *out, const truth_game *game);
/* Loads a game's content and reads its maps; false, with a word about it, if one is not there.
 */
bool truth_load(truth_content *out, game_maps *maps, const truth_game *game);
void truth_content_free(truth_content *content);
/* Returns the oter of an id that the game's maps name; NULL if the content has none. */
const cat_oter *truth_content_oter(const truth_content *content, uint32_t id);
/* Returns the pool's number of what the mapgen of a terrain is found by; line: which sides a
 * linear one connects. */
uint32_t truth_content_key(const truth_content *content, const char *terrain, uint8_t line);
/* Returns the sum of `mondensity` around a map, in thousandths. The OMTs around that the
 * reference has stand for those that it lacks. */
uint32_t truth_content_density(const truth_content *content, const game_maps *maps,
                               const game_map *map);

#endif
