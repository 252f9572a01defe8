/* Fault scenes of lists and counts of what a file holds. */
#include "portolan/portolan.h"
#include "support/fault/fault_loop.h"

/* ---- what callbacks are given ---- */

static bool mix_content(void *payload, const ptl_content_info *content)
{
    fault_mix_text(payload, content->digest);
    return true;
}

static bool mix_pack(void *payload, const ptl_pack_info *pack)
{
    fault_mix_text(payload, pack->id);
    fault_mix_number(payload, pack->objects);
    return true;
}

static bool mix_remark(void *payload, const ptl_remark *remark)
{
    fault_mix_text(payload, remark->message);
    return true;
}

static bool mix_key(void *payload, const ptl_unknown_key *key)
{
    fault_mix_text(payload, key->key);
    return true;
}

static bool mix_undone(void *payload, const ptl_mapgen_undone *undone)
{
    fault_mix_text(payload, undone->what);
    return true;
}

static bool mix_region(void *payload, const ptl_region_name *region)
{
    fault_mix_text(payload, region->name);
    return true;
}

static bool mix_special_name(void *payload, const ptl_special_name *special)
{
    fault_mix_text(payload, special->id);
    return true;
}

static bool mix_world(void *payload, const ptl_world_info *world)
{
    fault_mix_text(payload, world->name);
    return true;
}

static bool mix_place(void *payload, ptl_chunk_pos pos)
{
    fault_mix(payload, &pos, sizeof pos);
    return true;
}

static bool mix_overview(void *payload, ptl_chunk_pos pos,
                         const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    fault_mix(payload, &pos, sizeof pos);
    if (cells)
        fault_mix(payload, cells, PTL_OVERVIEW_CELLS * sizeof *cells);
    return true;
}

static bool mix_look(void *payload, const ptl_local_look *look)
{
    fault_mix_text(payload, look->id);
    fault_mix_text(payload, look->color);
    return true;
}

static bool mix_city(void *payload, const ptl_city_place *city)
{
    fault_mix_text(payload, city->name);
    return true;
}

static bool mix_special(void *payload, const ptl_special_place *special)
{
    fault_mix_text(payload, special->id);
    return true;
}

static bool mix_event(void *payload, const ptl_event_place *event)
{
    fault_mix_text(payload, event->detail);
    return true;
}

static bool mix_run(void *payload, const ptl_run_info *run)
{
    fault_mix_text(payload, run->command);
    return true;
}

static bool mix_sweep(void *payload, const ptl_sweep_info *sweep)
{
    fault_mix_text(payload, sweep->name);
    return true;
}

static bool mix_aside(void *payload, const ptl_set_aside *row)
{
    fault_mix_text(payload, row->table);
    return true;
}

static void mix_table(void *payload, const char *name, bool is_view)
{
    fault_mix_text(payload, name);
    fault_mix_number(payload, is_view);
}

static void mix_column(void *payload, const char *name, const char *type)
{
    fault_mix_text(payload, name);
    fault_mix_text(payload, type);
}

static bool mix_change(void *payload, const ptl_content_change *change)
{
    fault_mix_text(payload, change->kind);
    fault_mix_text(payload, change->id);
    fault_mix_text(payload, change->change);
    return true;
}

static bool mix_lacking(void *payload, const char *id)
{
    fault_mix_text(payload, id);
    return true;
}

/* ---- scenes ---- */

static ptl_status list_content(fault_place *p, ptl_error *err)
{
    ptl_status status = ptl_content_list(p->store, mix_content, p, err);
    if (status == PTL_OK)
        status = ptl_pack_list(p->store, mix_pack, p, err);
    if (status == PTL_OK)
        status = ptl_remark_list(p->store, mix_remark, p, err);
    if (status == PTL_OK)
        status = ptl_unknown_key_list(p->store, mix_key, p, err);
    if (status == PTL_OK)
        status = ptl_mapgen_undone_list(p->store, mix_undone, p, err);
    if (status == PTL_OK)
        status = ptl_content_change_list(p->store, mix_change, p, err);
    if (status == PTL_OK)
        status = ptl_lacking_terrain_list(p->store, mix_lacking, p, err);
    if (status == PTL_OK)
        status = ptl_region_name_list(p->store, mix_region, p, err);
    if (status == PTL_OK)
        status = ptl_special_name_list(p->store, mix_special_name, p, err);
    return status == PTL_OK ? ptl_local_look_list(p->store, mix_look, p, err) : status;
}

static ptl_status list_worlds(fault_place *p, ptl_error *err)
{
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    ptl_status status = ptl_world_list(p->store, mix_world, p, err);
    if (status == PTL_OK)
        status = ptl_world_counts_load(&counts, p->store, "w", err);
    if (status == PTL_OK)
        status = ptl_run_list(p->store, NULL, 9, mix_run, p, err);
    if (status == PTL_OK)
        status = ptl_sweep_list(p->store, mix_sweep, p, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)(counts.chunks + counts.edges));
    return status;
}

static ptl_status list_chunks(fault_place *p, ptl_error *err)
{
    const ptl_chunk_list_options all = PTL_CHUNK_LIST_OPTIONS_INIT;
    ptl_chunk_info info = PTL_CHUNK_INFO_INIT;
    ptl_status status = ptl_chunk_list(p->store, "w", &all, mix_place, p, err);
    if (status == PTL_OK)
        status = ptl_chunk_info_load(&info, p->store, "w", (ptl_chunk_pos){0, 0}, err);
    if (status == PTL_OK)
        status = ptl_city_list(p->store, "w", NULL, mix_city, p, err);
    if (status == PTL_OK)
        status = ptl_city_each(p->store, "w", NULL, mix_city, p, err);
    if (status == PTL_OK)
        status = ptl_special_list(p->store, "w", NULL, mix_special, p, err);
    if (status == PTL_OK)
        status = ptl_special_each(p->store, "w", mix_special, p, err);
    if (status == PTL_OK)
        status = ptl_event_list(p->store, "w", NULL, mix_event, p, err);
    if (status == PTL_OK)
        status = ptl_overview_list(p->world, mix_overview, p, err);
    if (status == PTL_OK)
        fault_mix_text(p, info.content);
    return status;
}

static ptl_status load_edges(fault_place *p, ptl_error *err)
{
    ptl_features *features = NULL;
    ptl_status status = ptl_edges_load(&features, p->world, (ptl_chunk_pos){0, 0}, err);
    ptl_features_free(features);
    return status;
}

static ptl_status list_tables(fault_place *p, ptl_error *err)
{
    ptl_status status = ptl_table_list(p->store, mix_table, p, err);
    return status == PTL_OK ? ptl_table_column_list(p->store, "chunk", mix_column, p, err)
                            : status;
}

static ptl_status look_at_rest(fault_place *p, ptl_error *err)
{
    ptl_index_state state = PTL_INDEX_STATE_INIT;
    ptl_status status = ptl_index_state_load(&state, p->store, "w", err);
    if (status == PTL_OK)
        status = ptl_set_aside_list(p->store, mix_aside, p, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)(state.chunks + state.missing));
    return status;
}

/* A sweep of one overmap, counted. */
static ptl_status count_sweep(fault_place *p, ptl_error *err)
{
    const ptl_chunk_pos pos = {0, 0};
    ptl_sweep_options options = PTL_SWEEP_OPTIONS_INIT;
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    ptl_sweep_counts counts = PTL_SWEEP_COUNTS_INIT;
    options.seed_first = options.seed_last = 7;
    options.positions = &pos;
    options.position_count = 1;
    ptl_status status = ptl_sweep_run(&report, p->store, "s", &options, err);
    if (status == PTL_OK)
        status = ptl_sweep_counts_load(&counts, p->store, "s", err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)(counts.overmaps + counts.first));
    return status;
}

const fault_scene fault_scenes_lists[] = {
    {"list_content", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, list_content, NULL},
    {"list_worlds", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, list_worlds, NULL},
    {"list_chunks", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, list_chunks, NULL},
    {"load_edges", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, load_edges, NULL},
    {"list_tables", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, list_tables, NULL},
    {"look_at_rest", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, look_at_rest, NULL},
    {"count_sweep", FAULT_FILE_WORLD, FAULT_OPEN_WRITE, true, 2, count_sweep, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 0, NULL, NULL},
};
