/* Begins saves, hands them over to another thread, and drops them (portolan/save.h). */
#include "core/sized.h"
#include "world/edits.h"
#include "world/save/save_impl.h"

#include <stdlib.h>

static ptl_status check_text(const char *subject, const char *text, size_t most, ptl_error *err)
{
    const size_t length = strlen(text);
    if (length > most)
        return error_set(err, PTL_ERR_ARGUMENT, "%s has %zu bytes; at most %zu", subject,
                         length, most);
    return world_text_check(subject, text, err);
}

ptl_status save_read_only(ptl_error *err)
{
    return error_set(err, PTL_ERR_READONLY, "the file was opened for reading alone");
}

ptl_status save_check_world(const ptl_world *world, ptl_error *err)
{
    if (world->base)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "world '%s' was opened without its edits, so nothing can be edited",
                         world->row.name);
    return PTL_OK;
}

static save_origin origin_of(const ptl_world *world)
{
    return (save_origin){.world_id = world->row.id,
                         .seed = world->row.seed,
                         .content_id = world->cat->content_id};
}

ptl_status save_check_content(const ptl_save *save, ptl_error *err)
{
    if (save->part_count == 0 || save->origin.content_id == save->world->cat->content_id)
        return PTL_OK;
    return error_set(err, PTL_ERR_MISMATCH,
                     "world '%s' has moved to another content since the save was begun: abort "
                     "it and make it again",
                     save->world->row.name);
}

/* Sets the revision that the caller has seen to the present one if the caller gives none. */
static ptl_status take_seen(int64_t *seen, const ptl_world *world, ptl_error *err)
{
    int64_t last;
    TRY(ops(world->store)->saved->revision(&last, world->store, world->row.id, err));
    if (*seen < 0 || *seen > last)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "the save has seen revision %lld; the world has revision %lld",
                         (long long)*seen, (long long)last);
    *seen = *seen ? *seen : last;
    return PTL_OK;
}

ptl_status ptl_save_begin(ptl_save **out, ptl_world *world, const ptl_save_options *options,
                          ptl_error *err)
{
    ptl_save_options o = PTL_SAVE_OPTIONS_INIT;
    error_clear(err);
    *out = NULL;
    TRY(SIZED_TAKE(ptl_save_options, &o, options, err));
    const char *author = o.author ? o.author : "", *text = o.text ? o.text : "";
    TRY(check_text("the author of a save", author, PTL_SAVE_AUTHOR_SIZE, err));
    TRY(check_text("the text of a save", text, PTL_SAVE_TEXT_SIZE, err));
    if (o.turn < 0)
        return error_set(err, PTL_ERR_ARGUMENT, "turn %lld; turns begin with 0",
                         (long long)o.turn);
    TRY(save_check_world(world, err));
    TRY(take_seen(&o.seen, world, err));
    ptl_save *save = calloc(1, sizeof *save);
    if (!save)
        return error_nomem(err);
    *save = (ptl_save){.world = world,
                       .author = strdup(author),
                       .text = strdup(text),
                       .turn = o.turn,
                       .seen = o.seen,
                       .origin = origin_of(world)};
    if (!save->author || !save->text) {
        ptl_save_abort(save);
        return error_nomem(err);
    }
    *out = save;
    return PTL_OK;
}

void ptl_save_abort(ptl_save *save)
{
    if (!save)
        return;
    free(save->author);
    free(save->text);
    free(save->parts);
    free(save->cells);
    for (size_t i = 0; i < save->map_count; i++)
        ptl_local_free(save->maps[i]);
    free((void *)save->maps);
    save_rows_dispose(&save->rows);
    free(save);
}

/* The save's present world may be in use by another thread, so only its origin is looked at. */
ptl_status ptl_save_attach(ptl_save *save, ptl_world *world, ptl_error *err)
{
    const save_origin *a = &save->origin, b = origin_of(world);
    error_clear(err);
    if (a->world_id != b.world_id || a->seed != b.seed || a->content_id != b.content_id)
        return error_set(
            err, PTL_ERR_ARGUMENT,
            "the save was begun for another world than '%s', or with other content",
            world->row.name);
    TRY(save_check_world(world, err));
    save->world = world;
    save->attached = true;
    return PTL_OK;
}

ptl_status save_check_size(const ptl_save *save, size_t more, ptl_error *err)
{
    const size_t held = save->rows.bytes + save->map_bytes + save->count * sizeof *save->cells;
    if (held + more > PTL_SAVE_SIZE_MAX)
        return error_set(err, PTL_ERR_LIMIT,
                         "a save holds at most %d bytes; this one has %zu, and %zu more were "
                         "given: commit it first",
                         PTL_SAVE_SIZE_MAX, held, more);
    return PTL_OK;
}
