/* Post-process generators, which change maps after they were made: reads objects of type
 * pp_generator. */
#include "mapgen/groups/groups_impl.h"

typedef struct generator {
    uint32_t first, count; /* the generator's parts: index of the first, and how many */
    uint32_t from; /* the generator from which this one takes its parts; ID_NONE: it states
                      parts of its own */
} generator;

const char *const mapgen_process_names[MAPGEN_PROCESS_UNKNOWN] = {
    [MAPGEN_PROCESS_BASH] = "bash_damage",  [MAPGEN_PROCESS_MOVE] = "move_items",
    [MAPGEN_PROCESS_FIRE] = "add_fire",     [MAPGEN_PROCESS_BURN] = "pre_burn",
    [MAPGEN_PROCESS_BLOOD] = "place_blood", [MAPGEN_PROCESS_TRANSFORM] = "ter_furn_transform"};

static int32_t number_of(json_view part, const char *member)
{
    return mapgen_whole(json_view_get(part, member), 0, 0, MAPGEN_PROCESS_NUMBER_MAX);
}

static bool add_part(mapgen_groups *g, json_view part)
{
    if (!ARRAY_ROOM(g->processes, g->process_room, (size_t)g->process_count + 1))
        return false;
    g->processes[g->process_count++] = (mapgen_process){
        .kind = (mapgen_process_kind)mapgen_word_of(
            json_view_get(part, "type"), mapgen_process_names, MAPGEN_PROCESS_UNKNOWN),
        .attempts = number_of(part, "attempts"),
        .chance = number_of(part, "chance"),
        .low = number_of(part, "min_intensity"),
        .high = number_of(part, "max_intensity"),
        .first_day = number_of(part, "scaling_days_start"),
        .last_day = number_of(part, "scaling_days_end"),
        .special = json_view_is(json_view_get(part, "scope"), "overmap_special"),
        .transform = groups_member_id(g, part, "ter_furn_transform_used")};
    return true;
}

bool groups_add_processes(mapgen_groups *g, json_view object)
{
    if (!json_view_is(json_view_get(object, "type"), "pp_generator"))
        return true;
    const uint32_t id = groups_id(g, mapgen_object_name(object));
    const json_view parts = json_view_get(object, "sub_generators");
    generator *made = id != ID_NONE ? by_id_make(&g->generators, id, sizeof *made) : NULL;
    if (!made)
        return id == ID_NONE;
    const uint32_t from = parts.document ? ID_NONE : groups_member_id(g, object, "copy-from");
    /* The object copies the generator of its own id: it is a mod's version of it, and states no
     * parts of its own. */
    if (from == id)
        return true;
    *made = (generator){.first = g->process_count, .from = from};
    bool good = true;
    for (json_walk w = json_walk_of(parts); good && json_walk_next(&w);)
        good = add_part(g, w.value);
    made->count = g->process_count - made->first;
    return good;
}

size_t mapgen_processes_of(const mapgen_process **out, bool *known, mapgen_groups *groups,
                           uint32_t id)
{
    enum { CHAIN_MAX = 32 };
    groups_ask(groups, MAPGEN_SORT_PROCESSES);
    const generator *found = by_id_find(&groups->generators, id, sizeof *found);
    for (int i = 0; found && found->from != ID_NONE && i < CHAIN_MAX; i++)
        found = by_id_find(&groups->generators, found->from, sizeof *found);
    *known = found != NULL;
    *out = found ? groups->processes + found->first : NULL;
    return found ? found->count : 0;
}
