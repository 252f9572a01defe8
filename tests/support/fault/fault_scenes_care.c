/*
 * More scenes, as fault_scenes.c has them: journals, copies, migration, repair, making anew.
 */
#include "support/fault/fault_loop.h"
#include "support/fault/fault_stop.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const ptl_chunk_pos HERE = {0, 0}, NEW = {0, 1};

/* Into WAL mode, a chunk, and back. */
static ptl_status wal(fault_place *p, ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    ptl_store *store;
    ptl_world *world = NULL;
    ptl_chunk *chunk = NULL;
    options.journal = PTL_JOURNAL_WAL;
    options.busy_timeout_ms = 1;
    options.should_stop = fault_stop_asked;
    ptl_status status = ptl_store_open(&store, p->path, &options, err);
    if (status == PTL_OK)
        status = ptl_world_open(&world, store, "w", NULL, err);
    if (status == PTL_OK)
        status = ptl_chunk_get(&chunk, world, NEW, err);
    ptl_chunk_free(chunk);
    ptl_world_close(world);
    ptl_store_close(store);
    options.journal = PTL_JOURNAL_TRUNCATE;
    if (status != PTL_OK)
        return status;
    status = ptl_store_open(&store, p->path, &options, err);
    ptl_store_close(store);
    return status;
}

static ptl_status journal(fault_place *p, ptl_error *err)
{
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    ptl_status status = ptl_store_journal(p->store, &info, err);
    if (status == PTL_OK)
        fault_mix_number(p, info.mode);
    return status;
}

static ptl_status backup(fault_place *p, ptl_error *err)
{
    ptl_backup_options options = PTL_BACKUP_OPTIONS_INIT;
    options.replace = true;
    options.verify = true;
    return ptl_backup(p->store, p->export, &options, NULL, err);
}

static void look_at_backup(fault_place *p)
{
    fault_mix_number(p, access(p->export, R_OK));
}

static ptl_status migrate(fault_place *p, ptl_error *err)
{
    const ptl_open_options open = {
        .size = sizeof open, .busy_timeout_ms = 1, .should_stop = fault_stop_asked};
    ptl_migrate_options options = PTL_MIGRATE_OPTIONS_INIT;
    ptl_migrate_report report = PTL_MIGRATE_REPORT_INIT;
    options.open = &open;
    ptl_status status = ptl_migrate(p->path, &options, &report, err);
    if (status == PTL_OK)
        fault_mix_number(p, report.now);
    return status;
}

static ptl_status migrate_with_copy(fault_place *p, ptl_error *err)
{
    const ptl_open_options open = {
        .size = sizeof open, .busy_timeout_ms = 1, .should_stop = fault_stop_asked};
    ptl_migrate_options options = PTL_MIGRATE_OPTIONS_INIT;
    options.open = &open;
    options.backup = p->export;
    (void)unlink(p->export); /* left by a call that failed later on */
    return ptl_migrate(p->path, &options, NULL, err);
}

static ptl_status repair(fault_place *p, ptl_error *err)
{
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    ptl_status status = ptl_repair(p->store, NULL, &report, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)report.unrepaired);
    return status;
}

static ptl_status regenerate(fault_place *p, ptl_error *err)
{
    ptl_regenerate_options options = PTL_REGENERATE_OPTIONS_INIT;
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    options.positions = &HERE;
    options.position_count = 1;
    options.stale = false;
    ptl_status status = ptl_regenerate(p->world, &options, &report, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)report.changed);
    return status;
}

const fault_scene fault_scenes_care[] = {
    {"wal", FAULT_FILE_WORLD, FAULT_OPEN_NOTHING, true, 1, wal, NULL},
    {"journal", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, journal, NULL},
    {"backup", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 1, backup, look_at_backup},
    {"migrate", FAULT_FILE_OLDEST, FAULT_OPEN_NOTHING, false, 1, migrate, NULL},
    {"migrate_copy", FAULT_FILE_OLDEST, FAULT_OPEN_NOTHING, false, 1, migrate_with_copy, NULL},
    {"repair", FAULT_FILE_DAMAGED, FAULT_OPEN_WRITE, true, 1, repair, NULL},
    {"regenerate", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 1, regenerate, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
