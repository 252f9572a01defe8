/* Fault scenes of files that can't be read as they lie: worlds of a content of before, files of
 * an older schema. */
#include "support/fault/fault_loop.h"
#include "support/fault/fault_stop.h"

#include <stdio.h>
#include <string.h>

static ptl_status import_other(fault_place *p, ptl_error *err)
{
    char path[2 * FAULT_PATH_SIZE];
    const char *directory = path;
    ptl_import_report report = {.size = sizeof report, .files = 0};
    snprintf(path, sizeof path, "%s/documents", p->content);
    const ptl_import_options options = {.size = sizeof options,
                                        .directories = &directory,
                                        .directory_count = 1,
                                        .lenient = true};
    ptl_status status = ptl_import(&report, p->store, &options, err);
    if (status == PTL_OK) {
        fault_mix_text(p, report.digest);
        fault_mix_number(p, (int64_t)report.stale_chunks);
    }
    return status;
}

static ptl_status read_past(fault_place *p, ptl_error *err)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_world *world;
    ptl_terrain t = PTL_TERRAIN_INIT;
    ptl_chunk *chunk = NULL;
    ptl_status status = ptl_world_open(&world, p->store, "w", NULL, err);
    const ptl_catalogue *cat = status == PTL_OK ? ptl_world_catalogue(world) : NULL;
    const size_t count = cat ? ptl_catalogue_count(cat, PTL_CONTENT_OTER) : 0;
    for (size_t i = 0; i < count; i++) {
        fault_mix_number(p, ptl_catalogue_oter(&t, cat, i));
        fault_mix_text(p, t.id);
        fault_mix_text(p, t.name);
        fault_mix_number(p, (int64_t)(t.symbol + t.flag_count));
    }
    if (status == PTL_OK)
        status = ptl_chunk_load(&chunk, world, (ptl_chunk_pos){0, 0}, err);
    if (status == PTL_OK) {
        ptl_chunk_level(cells, chunk, 0);
        fault_mix(p, cells, sizeof cells);
    }
    ptl_chunk_free(chunk);
    ptl_world_close(world);
    return status;
}

static bool mix_row(void *payload, size_t columns, const char *const *names,
                    const ptl_value *values)
{
    (void)names;
    for (size_t i = 0; i < columns; i++) {
        fault_mix_number(payload, values[i].integer);
        fault_mix(payload, values[i].text, values[i].text ? values[i].size : 0);
    }
    return true;
}

static ptl_status ask(fault_place *p, const char *sql, ptl_error *err)
{
    const ptl_query_options options = {.size = sizeof options, .on_row = mix_row, .payload = p};
    return ptl_query(p->store, sql, &options, err);
}

static ptl_status query_past(fault_place *p, ptl_error *err)
{
    return ask(p,
               "SELECT oter, terrain, special_placement, oter_rotate(oter, 1), oter_base(oter) "
               "FROM omt WHERE world = 'w' AND x BETWEEN 0 AND 179 AND y IN (7, 90) AND z = 0 "
               "AND terrain <> 'field'",
               err);
}

static ptl_status open_old(fault_place *p, ptl_error *err)
{
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = PTL_OPEN_READ,
                                      .busy_timeout_ms = 1,
                                      .should_stop = fault_stop_asked};
    ptl_status status = ptl_store_open(&p->store, p->path, &options, err);
    if (status == PTL_OK)
        fault_mix_number(p, ptl_store_private_copy(p->store)->version);
    for (int i = 0; i < 2 && status == PTL_OK; i++) /* the second one asks a used connection */
        status = ask(p,
                     "SELECT terrain, count(*) FROM omt WHERE world = 'w' AND chunk_x = 0 "
                     "AND chunk_y = 0 AND z = 0 GROUP BY 1",
                     err);
    ptl_store_close(p->store);
    p->store = NULL;
    return status;
}

const fault_scene fault_scenes_past[] = {
    {"import_other", FAULT_FILE_WORLD, FAULT_OPEN_WRITE, true, 3, import_other, NULL},
    {"read_past", FAULT_FILE_PAST, FAULT_OPEN_READ, false, 4, read_past, NULL},
    {"query_past", FAULT_FILE_PAST, FAULT_OPEN_READ, false, 2, query_past, NULL},
    {"open_old", FAULT_FILE_OLD, FAULT_OPEN_NOTHING, false, 4, open_old, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
