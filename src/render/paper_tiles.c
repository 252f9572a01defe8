/* The table of classes of tiles: their names, and their colours on paper. A house looks like a
 * plan: dark walls around pale floors. */
#include "core/sized.h"
#include "portolan/style.h"

enum { PAPERS = PTL_STYLE_TERMINAL }; /* light and dark paper */

/* Colours, 0xRRGGBB. An ink has a contrast of at least 4.5 on its area, by the rules of WCAG 2
 * (tests/unit/render/test_render_paper.c). */
static const struct {
    const char *id, *name;
    struct {
        uint32_t area, ink;
    } colours[PAPERS];
} classes[PTL_TILE_CLASSES] = {
    [PTL_TILE_OTHER] = {"other", "other", {{0xe6dfd2, 0x65605a}, {0x4a463f, 0xb9b6b0}}},
    [PTL_TILE_AIR] = {"air", "open air", {{0xf7f3e9, 0x706c67}, {0x1d1f22, 0x898987}}},
    [PTL_TILE_ROCK] = {"rock", "rock or soil", {{0xb5aca0, 0x443e3a}, {0x4a4642, 0xb9b6b1}}},
    [PTL_TILE_WALL] = {"wall", "wall", {{0x5b4a42, 0xc6bfb8}, {0xc0ab99, 0x484039}}},
    [PTL_TILE_WINDOW] = {"window", "window", {{0x8fbcd8, 0x3d484f}, {0x4f86a8, 0x0d171d}}},
    [PTL_TILE_DOOR] = {"door", "door", {{0xc08a52, 0x362a1f}, {0xa8713a, 0x181008}}},
    [PTL_TILE_FENCE] = {"fence",
                        "fence or railing",
                        {{0xb89a78, 0x3d332a}, {0x80664a, 0xf2eee6}}},
    [PTL_TILE_FLOOR] = {"floor", "floor", {{0xf3e8db, 0x6c6660}, {0x54483f, 0xc0bbb3}}},
    [PTL_TILE_ROOF] = {"roof", "roof", {{0xc9b3a4, 0x4f453f}, {0x5e4d44, 0xccc5be}}},
    [PTL_TILE_PAVED] = {"paved", "paved ground", {{0xd5cdc2, 0x5b5651}, {0x57524c, 0xcbc8c2}}},
    [PTL_TILE_ROAD] = {"road", "road", {{0xa69c92, 0x393330}, {0x6e6862, 0xedebe5}}},
    [PTL_TILE_SOIL] = {"soil", "soil", {{0xdfcba6, 0x5d5446}, {0x544631, 0xbeb8ac}}},
    [PTL_TILE_SAND] = {"sand", "sand", {{0xf5e6ae, 0x6d654f}, {0x6b6140, 0xe3dfd4}}},
    [PTL_TILE_GRASS] = {"grass", "grass", {{0xdfe2b4, 0x63614f}, {0x454b30, 0xb9baac}}},
    [PTL_TILE_SHRUB] = {"shrub",
                        "shrub or small plant",
                        {{0xb4c98f, 0x4b4f3b}, {0x41582f, 0xc3c8b8}}},
    [PTL_TILE_TREE] = {"tree", "tree", {{0x86a86f, 0x323628}, {0x2b4a26, 0xa9b4a2}}},
    [PTL_TILE_WATER] = {"water", "water", {{0x8cc2e2, 0x3d4b54}, {0x2f628a, 0xd2dbdf}}},
    [PTL_TILE_DEEP] = {"deep", "deep water", {{0x68a5d4, 0x2b353e}, {0x204b72, 0xadbcc6}}},
    [PTL_TILE_HOT] = {"hot", "lava", {{0xe0703c, 0x36231a}, {0xb04a22, 0xf6ebe2}}},
    [PTL_TILE_FURNITURE] = {"furniture",
                            "furniture",
                            {{0xd8b893, 0x55483b}, {0x7d634a, 0xeee9e0}}},
    [PTL_TILE_TRAP] = {"trap", "trap", {{0xe3968a, 0x4e3733}, {0x8c453c, 0xe2cfc9}}},
    [PTL_TILE_FIELD] = {"field",
                        "something on the ground",
                        {{0xd9b0b0, 0x534443}, {0x6b4444, 0xcdbfbb}}},
    [PTL_TILE_THING] = {"thing",
                        "thing or creature",
                        {{0xf1d67e, 0x675b3a}, {0x7d6a22, 0xf3efe4}}},
};

ptl_status ptl_tile_look_describe(ptl_tile_look *out, ptl_tile_class number, ptl_map_style kind)
{
    const unsigned n = (unsigned)number, s = (unsigned)kind;
    const bool known = n < PTL_TILE_CLASSES && s < PTL_STYLE_COUNT;
    const ptl_status status = SIZED_CHECK(ptl_tile_look, out, NULL);
    if (status != PTL_OK)
        return status;
    ptl_tile_look l = {.id = "", .name = ""};
    if (known) {
        const unsigned paper = s < PAPERS ? s : PTL_STYLE_PAPER;
        l = (ptl_tile_look){.id = classes[n].id,
                            .name = classes[n].name,
                            .area = classes[n].colours[paper].area,
                            .ink = classes[n].colours[paper].ink};
    }
    SIZED_FILL(ptl_tile_look, out, &l);
    return known ? PTL_OK : PTL_ERR_NOT_FOUND;
}
