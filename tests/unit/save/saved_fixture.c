#include "unit/save/saved_fixture.h"

void saved_open_file(place *p, int mode)
{
    ptl_open_options o = {.size = sizeof o, .mode = PTL_OPEN_CREATE};
    o.journal = mode == WAL ? PTL_JOURNAL_WAL : PTL_JOURNAL_TRUNCATE;
    OK(ptl_store_open(&p->store, p->path, &o, &err));
}

ptl_world *saved_world(ptl_store *store, bool is_base)
{
    ptl_world *world = NULL;
    const ptl_world_open_options o = {.size = sizeof o, .base = is_base};
    OK(ptl_world_open(&world, store, "w", &o, &err));
    return world;
}

ptl_world *saved_begin(place *p, int mode)
{
    if (mode == MEMORY) {
        open_place(p, MEMORY_BACKEND);
    } else {
        *p = (place){.memory = NULL};
        world_file_path(p->path);
        saved_open_file(p, mode);
    }
    import_builtin(p->store);
    ptl_world *world = create(p->store, "w", 11);
    generate(world, &(ptl_chunk_pos){0, 0}, 1, NULL);
    return world;
}

void saved_digest(char hex[65], ptl_world *world)
{
    ptl_world_digest_result d = PTL_WORLD_DIGEST_RESULT_INIT;
    OK(ptl_world_digest_get(&d, world, &err));
    memcpy(hex, d.hex, 65);
}

ptl_save *saved_save(ptl_world *world, int64_t seen)
{
    ptl_save *save = NULL;
    const ptl_save_options o = {.size = sizeof o, .seen = seen};
    OK(ptl_save_begin(&save, world, &o, &err));
    return save;
}

ptl_status saved_note(ptl_save *save, const char *viewer, ptl_omt at, const char *text)
{
    ptl_note note = PTL_NOTE_INIT;
    note.viewer = viewer;
    note.at = at;
    note.text = text;
    return ptl_save_note_set(save, &note, &err);
}
