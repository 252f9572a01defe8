/* What the versions of saves differ in, and the members of an overmap's file that are not
 * read. */
#include "exchange/save_json.h"

static const save_version versions[] = {
    {.number = SAVE_VERSION_BN,
     .game = "Cataclysm: Bright Nights",
     .absolute = true,
     .diffuse = true,
     .frequencies = true,
     .numbered = true,
     .databases = true},
    {.number = SAVE_VERSION, .game = "Cataclysm: DDA 0.F", .diffuse = true, .camps = true},
    {.number = SAVE_VERSION_0I,
     .game = "Cataclysm: DDA 0.I",
     .frequencies = true,
     .numbered = true,
     .camps = true,
     .of_0i = true},
};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

const save_version *save_version_of(int64_t number)
{
    for (size_t i = 0; i < VERSIONS; i++)
        if (versions[i].number == number)
            return &versions[i];
    return NULL;
}

/* ---- members that are not read ---- */

/* How a member of an overmap's file is treated. USE_READ: other functions read it, or it says
 * only what Portolan finds out in another way. USE_PLAY: its entries belong to play (monsters,
 * vehicles). USE_DETAIL: its entries are details that Portolan does not store. */
typedef enum member_use { USE_READ, USE_PLAY, USE_DETAIL } member_use;

typedef struct known_member {
    const char *key;
    member_use use;
} known_member;

static const known_member members[] = {
    {"layers", USE_READ},
    {"region_id", USE_READ},
    {"monster_groups", USE_READ},
    {"cities", USE_READ},
    {"radios", USE_READ},
    {"overmap_special_placements", USE_READ},
    {"mapgen_arg_storage", USE_READ},
    {"mapgen_arg_index", USE_READ},
    {"joins_used", USE_READ},
    {"predecessors", USE_READ},
    {"connections_out", USE_READ}, /* not used: Portolan finds the crossings from the terrain */
    {"monster_map", USE_PLAY},
    {"horde_map", USE_PLAY},
    {"tracked_vehicles", USE_PLAY},
    {"scent_traces", USE_PLAY},
    {"npcs", USE_PLAY},
    {"camps", USE_PLAY},
    {"city_tiles", USE_DETAIL},
    {"rivers", USE_DETAIL},
    {"omt_stack_arguments_map", USE_DETAIL},
    /* Only overmaps in saves of Bright Nights have the four members that follow. */
    {"electric_grid_connections", USE_DETAIL},
    {"fluid_grid_connections", USE_DETAIL},
    {"fluid_grid_storage", USE_DETAIL},
    {"join_points", USE_DETAIL},
    /* Only overmaps in saves since version 39 have the members that follow. */
    {"map_data", USE_DETAIL},
    {"highway_connections", USE_DETAIL},
    {"pp_decision_storage", USE_DETAIL},
    {"pp_decisions_index", USE_DETAIL},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

ptl_status save_rest_read(save_json *j)
{
    save_counts *counts = &j->out->counts;
    for (json_walk w = json_walk_of(j->root); json_walk_next(&w);) {
        uint64_t entries = json_view_count(w.value);
        size_t i = 0;
        while (i < MEMBERS && !json_view_is(w.key, members[i].key))
            i++;
        const char *key = i < MEMBERS ? members[i].key : save_json_string(j, w.key);
        if (!key)
            return error_nomem(j->err);
        if (i == MEMBERS)
            TRY(save_json_lack(j, PTL_UNKNOWN_MEMBER, key, entries, w.key));
        else if (members[i].use == USE_DETAIL)
            counts->details_left_out += entries;
        else if (members[i].use == USE_PLAY)
            /* `monster_map` has two entries for each monster. */
            counts->members_left_out += strcmp(key, "monster_map") == 0 ? entries / 2 : entries;
    }
    return PTL_OK;
}
