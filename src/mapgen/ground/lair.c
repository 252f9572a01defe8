/*
 * Puts what lives and lies in caves, ant hills, mines and the like, by ids of the games'
 * contents. Amounts are counted from the game's maps where there are some (schema/mapgen.md,
 * "Ground").
 */
#include "mapgen/ground/ground_impl.h"

enum { LAST = LOCAL_SIDE - 1, HUNDRED = 100 };

typedef enum lair_kind { MONSTERS, A_MONSTER, ITEMS, FURNITURE } lair_kind;

typedef struct lair {
    const char *type; /* the terrain's type, or its beginning */
    lair_kind kind;
    const char *id;
    int least, most; /* number of item groups, or cost of the monsters */
    int chance;      /* in percent, for all of the row */
} lair;

/* All rows that fit count. */
static const lair lairs[] = {{"ants_food", ITEMS, "ant_food", 0, 2, 65},
                             {"ants_food", MONSTERS, "GROUP_ANT", 1, 3, 25},
                             {"ants_larvae_acid", A_MONSTER, "mon_ant_acid_larva", 10, 10, 100},
                             {"ants_larvae", ITEMS, "ant_egg", 0, 2, 80},
                             {"ants_larvae=", A_MONSTER, "mon_ant_larva", 10, 10, 100},
                             {"ants_queen_acid", A_MONSTER, "mon_ant_acid_queen", 1, 1, 100},
                             {"ants_queen=", A_MONSTER, "mon_ant_queen", 1, 1, 100},
                             {"ants_queen", ITEMS, "ant_egg", 3, 8, 100},
                             {"acid_anthill", MONSTERS, "GROUP_ANT_ACID", 2, 6, 100},
                             {"anthill", MONSTERS, "GROUP_ANT", 2, 6, 100},
                             {"slimepit", MONSTERS, "GROUP_SLIME", 6, 12, 100},
                             {"spiral", ITEMS, "spiral", 0, 3, 100},
                             {"mine_finale", A_MONSTER, "mon_dog_thing", 1, 1, 50},
                             {"mine_finale", ITEMS, "mine_equipment", 2, 6, 100},
                             {"mine_down", ITEMS, "mine_equipment", 0, 2, 75},
                             {"mine=", FURNITURE, "f_wreckage", 6, 14, 33},
                             {"mine=", ITEMS, "mine_equipment", 0, 2, 50},
                             {"mine=", MONSTERS, "GROUP_DARK_WYRM", 1, 3, 20},
                             {"cavern", MONSTERS, "GROUP_CAVE", 1, 3, 50},
                             {"cavern", ITEMS, "cavern", 1, 3, 100},
                             {"triffid_roots", MONSTERS, "GROUP_TRIFFID", 10, 18, 100},
                             {"triffid_finale", A_MONSTER, "mon_triffid_heart", 1, 1, 100},
                             {"triffid_finale", MONSTERS, "GROUP_TRIFFID", 4, 10, 100},
                             {"spider_pit", MONSTERS, "GROUP_SPIDER", 3, 8, 100},
                             {"spider_pit_under", ITEMS, "spider", 1, 4, 100},
                             {"hive", MONSTERS, "GROUP_BEE", 4, 10, 100},
                             {"hellmouth", MONSTERS, "GROUP_NETHER", 1, 3, 50},
                             {"rift", MONSTERS, "GROUP_NETHER", 1, 4, 50}};

/* Draws a tile of floor; false if some tries have found none. */
static bool draw_tile(ground *g, int *x, int *y)
{
    enum { TRIES = 40 };
    static const char *const floors[] = {"t_rock_floor", "t_dirt",      "t_slime",
                                         "t_floor_wax",  "t_grass",     "t_grass_dead",
                                         "t_floor",      "t_grass_tall"};
    for (int i = 0; i < TRIES; i++) {
        *x = rng_range(&g->random, 0, LAST);
        *y = rng_range(&g->random, 0, LAST);
        const char *here = id_pool_text(g->site->pool, ground_at(g, *x, *y));
        for (size_t k = 0; k < sizeof floors / sizeof floors[0]; k++)
            if (strcmp(here, floors[k]) == 0)
                return true;
    }
    return false;
}

void ground_inhabit(ground *g)
{
    for (size_t i = 0; i < sizeof lairs / sizeof lairs[0]; i++) {
        const lair *l = &lairs[i];
        /* Does the type begin with the name? A name that ends with "=" must be the whole
         * type. */
        const size_t size = strlen(l->type);
        const bool whole = l->type[size - 1] == '=';
        if (strncmp(g->type, l->type, size - whole) != 0 ||
            (whole && g->type[size - 1] != '\0') ||
            (int)rng_below(&g->random, HUNDRED) >= l->chance)
            continue;
        const int count = rng_range(&g->random, l->least, l->most);
        if (l->kind == MONSTERS)
            ground_monsters(g, l->id, count);
        for (int k = 0; k < count && l->kind != MONSTERS; k++) {
            int x = 0, y = 0;
            if (!draw_tile(g, &x, &y))
                continue;
            if (l->kind == FURNITURE) {
                ground_furnish(g, x, y, ground_id(g, l->id));
            } else {
                local_entity e = {.kind = l->kind == ITEMS ? LOCAL_ITEM_GROUP : LOCAL_MONSTER,
                                  .id = ground_id(g, l->id),
                                  .count = 1};
                e.x = e.x2 = (uint8_t)x;
                e.y = e.y2 = (uint8_t)y;
                local_map_add(g->map, &e);
            }
        }
    }
}
