#include "content/import/sources.h"

#include "core/array.h"
#include "core/error.h"
#include "os/clock.h"
#include "json/json_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is kept ---- */

static void forget_events(kept_source *file)
{
    for (size_t i = 0; i < file->count; i++) {
        kept_event *e = &file->events[i];
        if (e->kept) {
            json_decref(e->kept->json);
            free(e->kept->canonical);
        }
        free(e->kept);
        free(e->entries);
        free(e->message);
    }
    file->count = 0;
    file->scanned = false;
}

/* Frees what was read of a file, but for the path, which belongs to all of it. */
static void forget_read(kept_source *file)
{
    if (!file)
        return;
    forget_events(file);
    free(file->events);
    free(file->text);
    free(file);
}

void sources_forget(kept_source *kept)
{
    free(kept->path);
    forget_read(kept->before);
    forget_read(kept);
}

const kept_source *sources_finished(const kept_source *file)
{
    return file->finished ? file : file->before;
}

ptl_status ptl_sources_new(ptl_sources **out, ptl_error *err)
{
    error_clear(err);
    *out = calloc(1, sizeof **out);
    return *out ? PTL_OK : error_nomem(err);
}

/* Frees the index, since it is about an earlier import. */
static void forget_index(ptl_sources *sources)
{
    if (sources->index)
        sources->index_free(sources->index);
    sources->index = NULL;
}

void ptl_sources_free(ptl_sources *sources)
{
    for (size_t i = 0; sources && i < sources->count; i++)
        sources_forget(sources->files[i]);
    if (sources) {
        forget_index(sources);
        free(sources->files);
        strmap_dispose(&sources->numbers);
    }
    free(sources);
}

void sources_begin(import *im)
{
    if (im->options->sources)
        im->options->sources->import++;
}

void sources_end(import *im)
{
    ptl_sources *s = im->options->sources;
    size_t left = 0;
    if (!s)
        return;
    forget_index(s);
    for (size_t i = 0; i < s->count; i++) {
        kept_source *file = s->files[i];
        if (file->used != s->import) {
            sources_forget(file);
            continue;
        }
        s->files[left++] = file;
        file->finished = true;
        file->finished_place = file->place;
        forget_read(file->before);
        file->before = NULL;
    }
    if (left == s->count)
        return;
    s->count = left;
    strmap_dispose(&s->numbers);
    strmap_init(&s->numbers);
    for (size_t i = 0; i < left; i++)
        if (strmap_put(&s->numbers, s->files[i]->path, (uint32_t)i) != 0)
            import_no_memory(im);
}

static digest digest_of(const ptl_file_text *text)
{
    digest_state state;
    digest out;
    digest_init(&state);
    digest_update(&state, text->text, text->length);
    digest_final(&state, &out);
    return out;
}

kept_source *sources_find(import *im, const char *path, const file_facts *facts,
                          const ptl_file_text *text)
{
    const ptl_sources *s = im->options->sources;
    const uint32_t number = s ? strmap_get(&s->numbers, path) : STRMAP_NONE;
    kept_source *file = number == STRMAP_NONE ? NULL : s->files[number];
    /* If two of the given directories lead to the same path, the file is kept once, for the
     * first of them. For the second it is read again. */
    if (!file || file->used == s->import || !file->scanned || file->is_text != (text != NULL) ||
        file->lenient != im->options->lenient || (file->checked && !im->options->check))
        return NULL;
    if (text) {
        const digest now = digest_of(text);
        if (memcmp(&now, &file->digest, sizeof now) != 0)
            return NULL;
    } else if (file->fresh || !file_facts_same(&file->facts, facts))
        return NULL;
    file->used = s->import;
    return file;
}

/* Returns the struct in which a file of this path can be kept: that of the same file in an
 * earlier import that was broken off, or a new one, beside what the last finished import has
 * read. NULL if the path came already in this import, or memory is out. */
static kept_source *place_for(import *im, const char *path)
{
    ptl_sources *s = im->options->sources;
    const uint32_t number = strmap_get(&s->numbers, path);
    kept_source *there = number == STRMAP_NONE ? NULL : s->files[number];
    if (there && there->used == s->import)
        return NULL;
    if (there && !there->finished) {
        forget_events(there);
        free(there->text);
        there->text = NULL;
        there->hash = 0;
        return there;
    }
    kept_source *file = calloc(1, sizeof *file);
    if (file && there) {
        file->path = there->path;
        file->before = there;
        s->files[number] = file;
        return file;
    }
    if (!file || !(file->path = strdup(path)) || !ARRAY_ROOM(s->files, s->room, s->count + 1) ||
        strmap_put(&s->numbers, file->path, (uint32_t)s->count) != 0) {
        if (file)
            sources_forget(file);
        import_no_memory(im);
        return NULL;
    }
    s->files[s->count++] = file;
    return file;
}

kept_source *sources_add(import *im, const char *path, const file_facts *facts,
                         const ptl_file_text *text, char *content, size_t size)
{
    enum { SECONDS_SETTLED = 2 }; /* some file systems keep times in steps of two seconds */
    ptl_sources *s = im->options->sources;
    kept_source *file = s ? place_for(im, path) : NULL;
    if (!file)
        return NULL;
    file->is_text = text != NULL;
    if (text)
        file->digest = digest_of(text);
    else {
        file->facts = *facts;
        file->fresh = facts->changed.seconds + SECONDS_SETTLED >= clock_epoch();
    }
    file->lenient = im->options->lenient;
    file->checked = im->options->check;
    file->text = content;
    file->size = size;
    file->used = s->import;
    return file;
}

kept_source *sources_kept_alone(const import *im, char *content, size_t size)
{
    kept_source *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->alone = im;
    file->lenient = im->options->lenient;
    file->checked = im->options->check;
    file->text = content;
    file->size = size;
    return file;
}

char *sources_text(const kept_source *kept, size_t *size)
{
    *size = kept->size;
    return kept->text;
}

const char *ptl_sources_text(size_t *length, const ptl_sources *sources, const char *path)
{
    const uint32_t number = strmap_get(&sources->numbers, path);
    *length = 0;
    if (number == STRMAP_NONE)
        return NULL;
    const kept_source *file = sources_finished(sources->files[number]);
    if (!file)
        return NULL;
    const size_t mark = dialect_mark(file->text, file->size);
    *length = file->size - mark;
    return file->text + mark;
}

static int compare_places(const void *a, const void *b)
{
    const kept_source *x = *(const kept_source *const *)a, *y = *(const kept_source *const *)b;
    return x->place < y->place ? -1 : x->place > y->place;
}

ptl_status ptl_source_list(const ptl_sources *sources,
                           bool (*on_file)(void *payload, const char *path), void *payload,
                           ptl_error *err)
{
    const kept_source **files = calloc(sources->count + 1, sizeof *files);
    size_t count = 0;
    error_clear(err);
    if (!files)
        return error_nomem(err);
    for (size_t i = 0; i < sources->count; i++)
        if (sources->files[i]->used == sources->import)
            files[count++] = sources->files[i];
    qsort(files, count, sizeof *files, compare_places);
    for (size_t i = 0; i < count && on_file(payload, files[i]->path); i++)
        continue;
    free(files);
    return PTL_OK;
}

/* ---- scanning ---- */

/* The handler of a scan whose events (objects and problems) are kept: it stores each, and
 * passes it on to the handler `to`, if that is not NULL. */
typedef struct recorder {
    kept_source *file;
    const char *text; /* that is scanned */
    const scan_handler *to;
    bool failed; /* memory is out */
} recorder;

static kept_event *new_event(recorder *r)
{
    kept_source *file = r->file;
    if (r->failed || !ARRAY_ROOM(file->events, file->room, file->count + 1)) {
        r->failed = true;
        return NULL;
    }
    kept_event *e = &file->events[file->count++];
    memset(e, 0, sizeof *e);
    return e;
}

static ptl_status record_object(void *payload, const scan_object *object)
{
    recorder *r = payload;
    kept_event *e = new_event(r);
    if (!e)
        return PTL_ERR_NOMEM;
    scan_object told = *object;
    told.kept = e->kept = calloc(1, sizeof *e->kept);
    if (!e->kept)
        return PTL_ERR_NOMEM;
    ptl_status status = PTL_OK;
    if (r->to)
        status = r->to->on_object(r->to->payload, &told);
    else
        told.kept->listed = source_lists(r->file->alone, r->text, object);
    e->is_object = true;
    e->object = *object;
    e->object.document.entries = NULL;
    if (told.kept->listed) {
        const size_t size = object->document.count * sizeof *object->document.entries;
        e->entries = malloc(size);
        if (!e->entries)
            return PTL_ERR_NOMEM;
        memcpy(e->entries, object->document.entries, size);
        e->object.document.entries = e->entries;
    }
    return status;
}

static void record_problem(void *payload, const scan_problem *problem)
{
    recorder *r = payload;
    kept_event *e = new_event(r);
    if (r->to)
        r->to->on_problem(r->to->payload, problem);
    if (!e)
        return;
    e->problem = *problem;
    e->problem.message = e->message = strdup(problem->message);
    r->failed = r->failed || !e->message;
}

static ptl_status replay(kept_source *file, const scan_handler *handler)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < file->count && status == PTL_OK; i++) {
        kept_event *e = &file->events[i];
        scan_object object = e->object;
        object.kept = e->kept;
        if (e->is_object)
            status = handler->on_object(handler->payload, &object);
        else
            handler->on_problem(handler->payload, &e->problem);
    }
    return status;
}

/* Scans a text, and keeps what the scan tells. `to` may be NULL. */
static ptl_status record(kept_source *kept, json_reader *reader, char *text, size_t size,
                         const scan_handler *to)
{
    recorder r = {.file = kept, .text = text, .to = to};
    const scan_handler recording = {record_object, record_problem, &r, kept->lenient};
    const ptl_status status = scan_text(reader, text, size, &recording);
    kept->scanned = status == PTL_OK && !r.failed;
    return r.failed && status == PTL_OK ? PTL_ERR_NOMEM : status;
}

/* Only here is a file's text written to: the scan rewrites lenient JSON in this buffer as
 * strict JSON. Everywhere else it is const. */
static char *text_of(const found_file *file)
{
    return file->text + (file->file.text - file->text);
}

ptl_status sources_record(const found_file *file, json_reader *reader)
{
    return record(file->kept, reader, text_of(file), file->file.size, NULL);
}

ptl_status sources_scan(const found_file *file, json_reader *reader,
                        const scan_handler *handler)
{
    kept_source *kept = file->kept;
    if (!kept)
        return scan_text(reader, text_of(file), file->file.size, handler);
    kept->place = file->file.index;
    return kept->scanned ? replay(kept, handler)
                         : record(kept, reader, text_of(file), file->file.size, handler);
}
