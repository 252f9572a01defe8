#include "world/trial/ways.h"

static bool in_bin(const cat_bin *bin, uint16_t special)
{
    for (size_t i = 0; i < bin->count; i++)
        if (bin->specials[i] == special)
            return true;
    return false;
}

static uint32_t city_ways(const cat_city_settings *city, uint16_t special)
{
    uint32_t ways = 0;
    if (in_bin(&city->houses, special) || in_bin(&city->urban_houses, special))
        ways |= PTL_WAY_HOUSE;
    if (in_bin(&city->shops, special) || in_bin(&city->urban_shops, special))
        ways |= PTL_WAY_SHOP;
    if (in_bin(&city->parks, special))
        ways |= PTL_WAY_PARK;
    if (in_bin(&city->finales, special))
        ways |= PTL_WAY_FINALE;
    return ways;
}

static uint32_t highway_ways(const cat_highway *h, uint16_t special)
{
    const uint16_t roads[] = {h->flat,   h->ramp,      h->bridge,          h->road_bridge,
                              h->column, h->clockwise, h->counterclockwise};
    uint32_t ways = 0;
    for (size_t i = 0; i < sizeof roads / sizeof *roads; i++)
        if (roads[i] == special)
            ways |= PTL_WAY_HIGHWAY_ROAD;
    if (h->onramp == special)
        ways |= PTL_WAY_HIGHWAY_END;
    if (h->bend == special || in_bin(&h->bends, special))
        ways |= PTL_WAY_HIGHWAY_BEND;
    if (h->four_way == special || in_bin(&h->four_ways, special))
        ways |= PTL_WAY_HIGHWAY_FOUR;
    if (h->three_way == special || in_bin(&h->three_ways, special))
        ways |= PTL_WAY_HIGHWAY_THREE;
    if (in_bin(&h->interchanges, special))
        ways |= PTL_WAY_INTERCHANGE;
    return ways;
}

static bool is_nested(const catalogue *cat, uint16_t special)
{
    for (size_t i = 0; i < cat->special_count; i++)
        for (size_t k = 0; k < cat->specials[i].nested_count; k++)
            if (cat->specials[i].nested[k].special == special)
                return true;
    return false;
}

uint32_t special_ways(const gen_config *config, uint16_t special)
{
    const cat_region *region = config->region;
    uint32_t ways = config->city_size > 0 ? city_ways(&region->city, special) : 0;
    if (in_bin(&region->trails.trailheads, special))
        ways |= PTL_WAY_TRAILHEAD;
    if (region->highway)
        ways |= highway_ways(region->highway, special);
    if (region->highway && !config->highways.columns)
        ways |= PTL_WAY_HIGHWAYS_OFF;
    const cat_special *s = &config->cat->specials[special];
    if (s->building && region->levelled &&
        s->flags & (PTL_SPECIAL_CITY_UNIQUE | PTL_SPECIAL_UNIQUE))
        ways |= PTL_WAY_LIMITED;
    if (is_nested(config->cat, special))
        ways |= PTL_WAY_NESTED;
    return ways;
}

/* As step_specials and city_unique have it. */
ptl_roll special_roll(const gen_config *config, uint16_t special)
{
    const cat_special *s = &config->cat->specials[special];
    const bool one = (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) != 0;
    if (s->building)
        return one && config->region->levelled ? PTL_ROLL_SURE : PTL_ROLL_NONE;
    if (!one && !(s->flags & PTL_SPECIAL_UNIQUE))
        return PTL_ROLL_NONE;
    if (!config->region->levelled)
        return PTL_ROLL_CHANCE;
    if (!one)
        return PTL_ROLL_DECK;
    return config->options.placement == PTL_PLACEMENT_SECTORS ? PTL_ROLL_SURE : PTL_ROLL_CHANCE;
}
