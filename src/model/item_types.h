/* The types of JSON objects that define items. All have one set of ids. */
#pragma once

/* Sorted by strcmp. */
#define ITEM_TYPES                                                                             \
    "AMMO", "ARMOR", "BATTERY", "BIONIC_ITEM", "BOOK", "COMESTIBLE", "CONTAINER", "ENGINE",    \
        "GENERIC", "GUN", "GUNMOD", "ITEM", "MAGAZINE", "PET_ARMOR", "TOOL", "TOOLMOD",        \
        "TOOL_ARMOR", "WHEEL"
