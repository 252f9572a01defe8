/* The types of JSON objects that define items. Two items of different types never have the same
 * id. */
#pragma once

/* The types are in strcmp's order, so that they can be searched by halving. */
#define ITEM_TYPES                                                                             \
    "AMMO", "ARMOR", "BATTERY", "BIONIC_ITEM", "BOOK", "COMESTIBLE", "CONTAINER", "ENGINE",    \
        "GENERIC", "GUN", "GUNMOD", "ITEM", "MAGAZINE", "PET_ARMOR", "TOOL", "TOOLMOD",        \
        "TOOL_ARMOR", "WHEEL"
