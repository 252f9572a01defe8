/*
 * Tile sets: the pictures with which Cataclysm and its variants draw their maps. A tile set is
 * a folder of a game's `gfx`, with a file `tile_config.json` and pictures. ptl_render_png_write
 * draws with it (ptl_render_options.tileset). Portolan has no pictures of its own.
 */
#ifndef PORTOLAN_TILESET_H
#define PORTOLAN_TILESET_H

#include "portolan/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tile set in memory. It does not change after it was opened, so that several threads may
 * draw with it at the same time. */
typedef struct ptl_tileset ptl_tileset;

/*
 * Reads the tile set in a folder, with all its pictures. *out is new; close it with
 * ptl_tileset_close.
 *
 * PTL_ERR_NOT_FOUND: the folder or a file that it names is not there. PTL_ERR_FORMAT: a file is
 * no JSON or no PNG; the message says where. PTL_ERR_LIMIT: the pictures would take more than
 * 512 MB. PTL_ERR_UNSUPPORTED: the set is isometric, or the library was built without libpng
 * (PORTOLAN_RENDER=OFF).
 */
PTL_API ptl_status ptl_tileset_open(ptl_tileset **out, const char *folder, ptl_error *err);
PTL_API void ptl_tileset_close(ptl_tileset *tileset); /* NULL is fine */

/* What a tile set holds. */
typedef struct ptl_tileset_info {
    size_t size;
    const char
        *name; /* its name in the games' options, or its folder's; borrowed from the set */
    int32_t width, height; /* size of a tile in pixels */
    uint64_t tiles;        /* how many ids have a picture, parts of tiles included */
    uint64_t sprites;      /* how many pictures the set's files hold */
    /* How many pictures are named that the files do not hold. They are not drawn. */
    uint64_t missing;
} ptl_tileset_info;

#define PTL_TILESET_INFO_INIT PTL_SIZED(ptl_tileset_info)

/* Fills *out, whose `size` must be set. */
PTL_API ptl_status ptl_tileset_describe(ptl_tileset_info *out, const ptl_tileset *tileset);

#ifdef __cplusplus
}
#endif
#endif
