/*
 * What the import does with objects of each type. Types that a module reads become tables.
 * What local maps, monsters, vehicles, people and names will need is kept as text. All other
 * types (recipes, dialogue, professions, ...) are only counted.
 */
#include "content/import/source.h"

#include <stdlib.h>
#include <string.h>

/* Sorted by strcmp, for the binary search. */
static const char *const kept_types[] = {
    "AMMO",
    "ARMOR",
    "BATTERY",
    "BIONIC_ITEM",
    "BOOK",
    "COMESTIBLE",
    "CONTAINER",
    "ENGINE",
    "GENERIC",
    "GUN",
    "GUNMOD",
    "ITEM",
    "ITEM_BLACKLIST",
    "ITEM_CATEGORY",
    "LOOT_ZONE",
    "MAGAZINE",
    "MIGRATION",
    "MONSTER",
    "MONSTER_BLACKLIST",
    "MONSTER_WHITELIST",
    "PET_ARMOR",
    "TOOL",
    "TOOLMOD",
    "TOOL_ARMOR",
    "WHEEL",
    "ammunition_type",
    "camp_migration",
    "connect_group",
    "effect_on_condition",
    "faction",
    "field_type",
    "forest_biome_component",
    "forest_biome_mapgen",
    "furniture",
    "furniture_migration",
    "gate",
    "item_group",
    "json_flag",
    "mapgen",
    "mission_definition",
    "monster_adjustment",
    "monstergroup",
    "name",
    "npc",
    "npc_class",
    "obsolete_terrain",
    "omt_placeholder",
    "palette",
    "pp_generator",
    "region_terrain_furniture",
    "scenario",
    "snippet",
    "start_location",
    "ter_furn_migration",
    "ter_furn_transform",
    "terrain",
    "trap",
    "trap_migration",
    "vehicle",
    "vehicle_group",
    "vehicle_part",
    "vehicle_part_migration",
    "vehicle_placement",
    "vehicle_spawn",
};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

treatment treatment_of(const content_module *const *modules, const char *type)
{
    for (size_t i = 0; modules[i]; i++)
        for (size_t j = 0; modules[i]->types[j]; j++)
            if (strcmp(modules[i]->types[j], type) == 0)
                return TREATMENT_TABLE;
    if (strcmp(type, "MOD_INFO") == 0)
        return TREATMENT_TABLE; /* read by pack.c */
    const size_t count = sizeof kept_types / sizeof kept_types[0];
    bool kept = bsearch(type, kept_types, count, sizeof kept_types[0], compare) != NULL;
    return kept ? TREATMENT_KEPT : TREATMENT_SKIPPED;
}

bool treatment_is_compiled(const char *type)
{
    return strcmp(type, "mapgen") == 0 || strcmp(type, "palette") == 0;
}
