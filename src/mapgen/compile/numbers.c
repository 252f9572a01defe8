#include "mapgen/compile/numbers.h"

enum { ALL = 100 };

static const mapgen_number_rule rules[MAPGEN_NUMBERS] = {
    [MAPGEN_NUMBER_AGE] = {"age", 0, INT32_MAX},
    [MAPGEN_NUMBER_FUEL] = {"fuel", -1, ALL},
    [MAPGEN_NUMBER_STATUS] = {"status", -1, 1},
    [MAPGEN_NUMBER_SECURITY] = {"security", 0, INT32_MAX},
    [MAPGEN_NUMBER_AMMO] = {"ammo", 0, ALL},
    [MAPGEN_NUMBER_MAGAZINE] = {"magazine", 0, ALL},
    [MAPGEN_NUMBER_RADIATION] = {"amount", 0, ALL},
    [MAPGEN_NUMBER_DENSITY] = {"density", 0, INT32_MAX}};

const mapgen_number_rule *mapgen_number_of(mapgen_number number)
{
    return &rules[number];
}

int32_t mapgen_number_cut(mapgen_number number, int64_t value)
{
    const mapgen_number_rule *r = &rules[number];
    return value < r->least ? r->least : value > r->most ? r->most : (int32_t)value;
}
