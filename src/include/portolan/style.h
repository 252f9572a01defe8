/*
 * What kind of ground a terrain is (its *class*), and in which colours maps show each class.
 * All maps of Portolan (pictures, map tiles, the page of `portolan serve`) read the one table
 * that this header gives.
 */
#ifndef PORTOLAN_STYLE_H
#define PORTOLAN_STYLE_H

#include "portolan/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a map is drawn. */
typedef enum ptl_map_style {
    PTL_STYLE_PAPER,      /* like a printed map on light paper, by the classes of terrains */
    PTL_STYLE_DARK_PAPER, /* the same in colours for a dark screen */
    PTL_STYLE_TERMINAL,   /* with the symbols and colours that the content states */
    PTL_STYLE_COUNT
} ptl_map_style;

/* What a terrain is, whatever content it comes from. */
typedef enum ptl_map_class {
    PTL_MAP_OTHER, /* nothing in the content says what the terrain is */
    PTL_MAP_AIR,   /* open air above the ground */
    PTL_MAP_ROCK,  /* solid rock */
    PTL_MAP_EARTH, /* solid earth */
    PTL_MAP_FIELD,
    PTL_MAP_FARM, /* fields with crops, orchards */
    PTL_MAP_FOREST,
    PTL_MAP_THICK_FOREST,
    PTL_MAP_SWAMP,
    PTL_MAP_ROUGH,  /* ravines, cliffs, craters */
    PTL_MAP_BEACH,  /* sand beside the sea */
    PTL_MAP_SHORE,  /* the edge of a lake or of the sea, partly water */
    PTL_MAP_STREAM, /* a brook, narrower than an OMT */
    PTL_MAP_RIVER,
    PTL_MAP_LAKE,
    PTL_MAP_SEA,
    PTL_MAP_DEEP, /* below the surface of a lake or of the sea, and its bed */
    PTL_MAP_ROAD,
    PTL_MAP_BRIDGE, /* a road over water, with its ends */
    PTL_MAP_HIGHWAY,
    PTL_MAP_TRACK, /* a dirt road */
    PTL_MAP_TRAIL,
    PTL_MAP_RAIL,
    PTL_MAP_RAIL_BRIDGE,
    PTL_MAP_SEWER,
    PTL_MAP_SUBWAY,
    PTL_MAP_TUNNEL,    /* other ways below the ground, such as those of ants */
    PTL_MAP_BUILDING,  /* a building of towns */
    PTL_MAP_TOWN_OPEN, /* open ground of towns: parks, ponds, empty lots */
    PTL_MAP_SITE,      /* a special: a building or a place outside of towns */
    PTL_MAP_TOWN, /* the ground between the buildings of towns; no terrain has this class */
    PTL_MAP_CLASSES
} ptl_map_class;

/* How a map shows a class. */
typedef enum ptl_map_shape {
    PTL_MAP_AREA,  /* the whole OMT has the colour */
    PTL_MAP_WATER, /* the same, and shore lines are drawn where water ends */
    PTL_MAP_WAY,   /* a line through the OMT, over the ground of the OMTs around it */
    PTL_MAP_CLEAR  /* nothing: what lies below is seen */
} ptl_map_shape;

/* Groups of classes, in which a legend lists them. */
typedef enum ptl_map_group {
    PTL_MAP_GROUP_LAND,
    PTL_MAP_GROUP_WATER,
    PTL_MAP_GROUP_WAYS,
    PTL_MAP_GROUP_TOWNS,
    PTL_MAP_GROUP_SPECIALS,
    PTL_MAP_GROUPS
} ptl_map_group;

/* A class in one style. Colours are 0xRRGGBB. */
typedef struct ptl_map_look {
    size_t size;
    const char *id;      /* a word for programs, such as "thick_forest" */
    const char *name;    /* for people, such as "thick forest" */
    ptl_map_group group; /* where a legend has it */
    ptl_map_shape shape;
    /* For a way, its width in hundredths of an OMT, without its edges; else 0. */
    int32_t width;
    int32_t dash;        /* length of the dashes of a way in hundredths of an OMT; 0: none */
    ptl_map_class under; /* what lies at the sides of a way; PTL_MAP_OTHER: the ground around */
    uint32_t area;       /* the colour of the OMT, or of the line of a way */
    uint32_t ink;  /* the colour of a symbol or text on `area`; its contrast is 4.5 or more */
    uint32_t edge; /* the colour of the lines at both sides of a way, of the shore line of a
                    * water, and of a texture */
} ptl_map_look;

#define PTL_MAP_LOOK_INIT PTL_SIZED(ptl_map_look)

/* Describes how a style shows a class. For PTL_STYLE_TERMINAL, whose colours are those that the
 * content states for each terrain (ptl_color_find), the colours are those of light paper.
 * PTL_ERR_NOT_FOUND if there is no such class or style. */
PTL_API ptl_status ptl_map_look_describe(ptl_map_look *out, ptl_map_class class_number,
                                         ptl_map_style style);

/* What a tile of a local map is, whatever content it comes from. */
typedef enum ptl_tile_class {
    PTL_TILE_OTHER, /* nothing in the content says what it is */
    PTL_TILE_AIR,   /* no floor, so that one falls */
    PTL_TILE_ROCK,  /* rock or soil that fills the tile */
    PTL_TILE_WALL,
    PTL_TILE_WINDOW, /* also a wall of glass */
    PTL_TILE_DOOR,
    PTL_TILE_FENCE, /* also a railing or a low wall */
    PTL_TILE_FLOOR, /* ground in a building */
    PTL_TILE_ROOF,
    PTL_TILE_PAVED, /* a pavement beside a road, a yard */
    PTL_TILE_ROAD,
    PTL_TILE_SOIL,
    PTL_TILE_SAND,
    PTL_TILE_GRASS,
    PTL_TILE_SHRUB,
    PTL_TILE_TREE,
    PTL_TILE_WATER, /* shallow enough to wade */
    PTL_TILE_DEEP,  /* water that one swims in */
    PTL_TILE_HOT,   /* lava */
    PTL_TILE_FURNITURE,
    PTL_TILE_TRAP,
    PTL_TILE_FIELD, /* blood, fire, webs and the like */
    PTL_TILE_THING, /* items, creatures, vehicles, signs */
    PTL_TILE_CLASSES
} ptl_tile_class;

/* A class of tiles in one style. Colours are 0xRRGGBB. */
typedef struct ptl_tile_look {
    size_t size;
    const char *id;   /* a word for programs, such as "wall" */
    const char *name; /* for people */
    uint32_t area;    /* the colour of the tile */
    uint32_t ink;     /* the colour of a symbol on `area`; its contrast is 4.5 or more */
} ptl_tile_look;

#define PTL_TILE_LOOK_INIT PTL_SIZED(ptl_tile_look)

/* Describes how a style shows a class of tiles. For PTL_STYLE_TERMINAL, whose colours are those
 * of the content, the colours are those of light paper. PTL_ERR_NOT_FOUND if there is no such
 * class or style. */
PTL_API ptl_status ptl_tile_look_describe(ptl_tile_look *out, ptl_tile_class class_number,
                                          ptl_map_style style);

/* Returns the name of a group of classes, such as "Land"; "" if there is no such group. */
PTL_API const char *ptl_map_group_name(ptl_map_group group);

#ifdef __cplusplus
}
#endif
#endif
