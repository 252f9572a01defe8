/*
 * Loads and checks what the source layer has found. With the option lenient, an object with an
 * error is left out, and the modules run again over the rest until nothing is wrong. A
 * reference to an object that was left out is reported as any other unknown reference; the
 * message also says where that object stands.
 */
#include "content/import/source.h"
#include "core/bytes.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* Mistakes show in the first round. Later rounds find those that arise because an object is
 * missing. */
enum { ROUNDS_MAX = 16 };

/* ---- leaving out ---- */

static void note_id(import *im, const json_t *id, size_t index)
{
    if (json_is_string(id) &&
        strmap_put(&im->source->left_out, json_string_value(id), (uint32_t)index) != 0)
        import_no_memory(im);
}

/* Leaves an object out. Its value stays, as its ids are still needed. */
static void leave_out(import *im, const source_object *object)
{
    import_source *source = im->source;
    const json_t *id = json_object_get(object->json, "id");
    const size_t index = source->wrong_count;
    if ((object->json && !source_own(im, object->json)) ||
        !source_grow(im, (void **)&source->wrong, index, &source->wrong_capacity,
                     sizeof *source->wrong))
        return;
    source->wrong[source->wrong_count++] = object;
    note_id(im, id ? id : json_object_get(object->json, "abstract"), index);
    for (size_t i = 0; i < json_array_size(id); i++)
        note_id(im, json_array_get(id, i), index);
}

/* Takes the objects that the errors from remark `first` on are about out of the lists that
 * modules read. */
static ptl_status take_out(import *im, size_t first)
{
    const import_source *source = im->source;
    bool *wrong = calloc((size_t)source->object_count + 1, sizeof *wrong);
    if (!wrong)
        return error_nomem(im->err);
    for (size_t i = first; i < source->diagnostic_count; i++)
        if (source->diagnostics[i].severity == PTL_ERROR)
            wrong[source->diagnostics[i].object->order] = true;
    for (size_t i = 0; i < source->type_count; i++) {
        source_type *type = &source->types[i]->objects;
        size_t left = 0;
        for (size_t k = 0; k < type->count; k++) {
            if (wrong[type->objects[k]->order])
                leave_out(im, type->objects[k]);
            else
                type->objects[left++] = type->objects[k];
        }
        type->count = left;
    }
    free(wrong);
    return source_status(im);
}

const char *left_out_text(import *im, const char *id)
{
    const import_source *source = im->source;
    if (source->wrong_count == 0)
        return "";
    uint32_t at = strmap_get(&source->left_out, id);
    if (at == STRMAP_NONE) { /* perhaps the id of an oter, which has a suffix */
        const char *last = strrchr(id, '_');
        const char *cut = last ? arena_strndup(im->arena, id, (size_t)(last - id)) : NULL;
        at = strmap_get(&source->left_out, cut ? cut : "");
    }
    if (at == STRMAP_NONE)
        return "";
    const source_object *object = source->wrong[at];
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "; that one is left out: %s:%d", object->file->path, object->line);
    const char *line = bytes_text(&text);
    const char *copy = line ? arena_strdup(im->arena, line) : NULL;
    bytes_dispose(&text);
    if (!copy)
        import_no_memory(im);
    return copy ? copy : "";
}

/* ---- rounds ---- */

/* What a round changes, as it was before the round. */
typedef struct checkpoint {
    ptl_import_report report;
    size_t diagnostics, own;
    uint64_t compared;
} checkpoint;

/* Goes back to before the round, but leaves out the objects with errors, and turns those
 * errors into warnings. */
static ptl_status end_round(import *im, const checkpoint *before)
{
    import_source *source = im->source;
    const size_t wrong = source->wrong_count;
    for (size_t i = before->own; i < source->own_count; i++)
        json_decref(source->own[i]);
    source->own_count = before->own;
    const ptl_status status = take_out(im, before->diagnostics);
    *im->report = before->report;
    im->report->left_out += source->wrong_count - wrong;
    im->compared = before->compared;
    unknown_forget(im);
    diagnostics_excuse(im, before->diagnostics);
    return status == PTL_OK ? source_status(im) : status;
}

/* Are there errors, and are all of them about objects that can be left out? */
static bool excusable(const import *im, size_t first)
{
    size_t found = 0;
    for (size_t i = first; i < im->source->diagnostic_count; i++) {
        const diagnostic *d = &im->source->diagnostics[i];
        if (d->severity == PTL_ERROR && !d->object)
            return false;
        found += d->severity == PTL_ERROR;
    }
    return found > 0;
}

ptl_status modules_run(import *im)
{
    for (int round = 0;; round++) {
        const checkpoint before = {*im->report, im->source->diagnostic_count,
                                   im->source->own_count, im->compared};
        for (size_t i = 0; im->modules[i] && !import_stopped(im) && !import_ended(im); i++)
            if (im->modules[i]->load)
                im->modules[i]->load(im);
        for (size_t i = 0; im->modules[i] && !import_stopped(im) && !import_ended(im); i++)
            if (im->modules[i]->check)
                im->modules[i]->check(im);
        ptl_status status = source_status(im);
        if (status != PTL_OK || !im->options->lenient || round == ROUNDS_MAX ||
            !excusable(im, before.diagnostics))
            return status;
        TRY(end_round(im, &before));
    }
}
