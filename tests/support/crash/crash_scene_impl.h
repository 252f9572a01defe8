/* What the files of the scenes share. */
#ifndef SUPPORT_CRASH_CRASH_SCENE_IMPL_H
#define SUPPORT_CRASH_CRASH_SCENE_IMPL_H

#include "support/crash/crash_scene.h"

/* Parts of commands. crash_must fails the test, crash_report tells what is saved now. */
void crash_must(crash_run *r, ptl_status status, const char *what);
void crash_report(crash_run *r, uint64_t bits);
void crash_open_file(crash_run *r, ptl_open_mode mode, ptl_journal journal);
void crash_open_world(crash_run *r);
void crash_close_all(crash_run *r);
void crash_make_chunks(crash_run *r, int from, int to, const char *last_step);
void crash_get_chunk(crash_run *r, int chunk);
void crash_get_chunk_at(crash_run *r, ptl_chunk_pos pos);
void crash_prepare_world(crash_run *r);
void crash_prepare_chunks(crash_run *r);

/* The scenes of crash_scene_files.c. */
void crash_prepare_backup(crash_run *r);
void crash_act_backup(crash_run *r);
void crash_prepare_export(crash_run *r);
void crash_act_export(crash_run *r);
void crash_prepare_save(crash_run *r);
void crash_act_save(crash_run *r);
void crash_prepare_into(crash_run *r);
void crash_prepare_into_databases(crash_run *r);
void crash_act_into(crash_run *r);
void crash_prepare_undo(crash_run *r);
void crash_prepare_undo_databases(crash_run *r);
void crash_act_undo(crash_run *r);

#endif
