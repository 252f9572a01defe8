#include "model/tile_class.h"

#include <string.h>

/* Flags of the games' content and of Portolan's own. */
typedef enum tile_bit {
    IS_WALL = 1 << 0,
    IS_DOOR = 1 << 1,
    IS_WINDOW = 1 << 2,
    IS_CLEAR = 1 << 3, /* one sees through it */
    IS_TREE = 1 << 4,
    IS_PLANT = 1 << 5,
    IS_INSIDE = 1 << 6,
    IS_ROAD = 1 << 7,
    IS_AIR = 1 << 8,
    IS_DEEP = 1 << 9,
    IS_WATER = 1 << 10,
    IS_LIQUID = 1 << 11,
    IS_SOFT = 1 << 12, /* it can be dug */
    IS_LOW = 1 << 13,  /* an obstacle that one sees over */
    IS_FULL = 1 << 14, /* no items can lie there */
    IS_STAIRS = 1 << 15
} tile_bit;

/* `begins`: all flags that begin with the word have the meaning. */
static const struct {
    const char *word;
    tile_bit bit;
    bool begins;
} flags[] = {{"WALL", IS_WALL, false},         {"AUTO_WALL_SYMBOL", IS_WALL, false},
             {"DOOR", IS_DOOR, false},         {"BARRICADABLE_DOOR", IS_DOOR, true},
             {"WINDOW", IS_WINDOW, false},     {"BARRICADABLE_WINDOW", IS_WINDOW, true},
             {"TRANSPARENT", IS_CLEAR, false}, {"TREE", IS_TREE, false},
             {"SHRUB", IS_PLANT, false},       {"YOUNG", IS_PLANT, false},
             {"FLOWER", IS_PLANT, false},      {"PLANT", IS_PLANT, false},
             {"INDOORS", IS_INSIDE, false},    {"ROAD", IS_ROAD, false},
             {"RAIL", IS_ROAD, false},         {"NO_FLOOR", IS_AIR, false},
             {"DEEP_WATER", IS_DEEP, false},   {"SHALLOW_WATER", IS_WATER, false},
             {"SWIMMABLE", IS_WATER, false},   {"LIQUID", IS_LIQUID, false},
             {"DIGGABLE", IS_SOFT, false},     {"PLOWABLE", IS_SOFT, false},
             {"PLANTABLE", IS_SOFT, false},    {"THIN_OBSTACLE", IS_LOW, false},
             {"NOITEM", IS_FULL, false},       {"GOES_UP", IS_STAIRS, false},
             {"GOES_DOWN", IS_STAIRS, false}};

uint32_t tile_flag(const char *flag, size_t length)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const size_t size = strlen(flags[i].word);
        if (length >= size && (flags[i].begins || length == size) &&
            memcmp(flag, flags[i].word, size) == 0)
            return (uint32_t)flags[i].bit;
    }
    return 0;
}

/* Terrains that the games' code and Portolan's name by their ids, and how ids begin or end of
 * what no flag tells. */
static const struct {
    const char *part;
    ptl_tile_class class;
} named[] = {{"t_rock", PTL_TILE_ROCK}, {"t_soil", PTL_TILE_ROCK}, {"t_clay", PTL_TILE_SOIL}};

static ptl_tile_class class_of_id(const char *id)
{
    const size_t length = strlen(id);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(id, named[i].part) == 0)
            return named[i].class;
    return length > 5 && strcmp(id + length - 5, "_roof") == 0 ? PTL_TILE_ROOF : PTL_TILE_OTHER;
}

/* Returns the class of ground that no flag describes further, by its colour. */
static ptl_tile_class class_of_ground(const tile_words *w)
{
    const bool soft = (w->flags & IS_SOFT) != 0;
    if (strstr(w->color, "green"))
        return PTL_TILE_GRASS;
    if (soft && strstr(w->color, "yellow"))
        return PTL_TILE_SAND;
    if (soft || strstr(w->color, "brown"))
        return PTL_TILE_SOIL;
    return strstr(w->color, "gray") ? PTL_TILE_PAVED : PTL_TILE_OTHER;
}

static ptl_tile_class class_of_built(const tile_words *w)
{
    const uint32_t f = w->flags;
    if (f & IS_WINDOW)
        return PTL_TILE_WINDOW;
    if (f & IS_DOOR)
        return PTL_TILE_DOOR;
    if (f & IS_LOW) /* fences, too, are drawn as walls are */
        return PTL_TILE_FENCE;
    if (f & IS_WALL)
        return f & IS_CLEAR ? PTL_TILE_WINDOW : PTL_TILE_WALL;
    if (w->wall) /* connected to walls, but none itself */
        return f & IS_CLEAR && f & IS_FULL ? PTL_TILE_WINDOW : PTL_TILE_DOOR;
    if (f & IS_CLEAR && f & IS_FULL && strstr(w->color, "cyan"))
        return PTL_TILE_WINDOW;
    return PTL_TILE_OTHER;
}

static ptl_tile_class class_of_terrain(const tile_words *w)
{
    const uint32_t f = w->flags;
    const ptl_tile_class known = class_of_id(w->id), built = class_of_built(w);
    if (known != PTL_TILE_OTHER)
        return known;
    if (f & IS_LIQUID && strstr(w->color, "red"))
        return PTL_TILE_HOT;
    if (f & (IS_DEEP | IS_WATER | IS_LIQUID))
        return f & IS_DEEP ? PTL_TILE_DEEP : PTL_TILE_WATER;
    if (f & IS_AIR)
        return PTL_TILE_AIR;
    if (f & (IS_TREE | IS_PLANT))
        return f & IS_TREE ? PTL_TILE_TREE : PTL_TILE_SHRUB;
    if (built != PTL_TILE_OTHER)
        return built;
    if (!(f & IS_CLEAR))
        return PTL_TILE_WALL;
    if (f & (IS_INSIDE | IS_STAIRS))
        return PTL_TILE_FLOOR;
    if (f & IS_ROAD)
        return strcmp(w->color, "light_gray") == 0 ? PTL_TILE_PAVED : PTL_TILE_ROAD;
    return class_of_ground(w);
}

ptl_tile_class tile_class_of(const tile_words *w)
{
    switch (w->layer) {
    case LOCAL_LAYER_TERRAIN:
        return class_of_terrain(w);
    case LOCAL_LAYER_FURNITURE:
        return w->flags & IS_PLANT || strstr(w->color, "green") ? PTL_TILE_SHRUB
                                                                : PTL_TILE_FURNITURE;
    case LOCAL_LAYER_TRAP:
        return PTL_TILE_TRAP;
    default:
        return PTL_TILE_FIELD;
    }
}
