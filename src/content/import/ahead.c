#include "content/import/ahead.h"

#include "content/import/sources.h"
#include "core/error.h"
#include "core/hash.h"
#include "os/pool.h"

#include <stdatomic.h>
#include <stdlib.h>

struct scan_ahead {
    pool *pool; /* owned; NULL after ahead_finish */
    atomic_bool stop;
    kept_source **files; /* owned */
    size_t count, room;
};

/* A task for a thread: to scan one file. */
typedef struct file_scan {
    pool_task head;
    found_file *file;
} file_scan;

/* Threads may not ask the caller whether to stop, so ahead_finish asks for them. */
static bool stops(void *payload)
{
    return atomic_load_explicit(&((scan_ahead *)payload)->stop, memory_order_relaxed);
}

static void *reader_new(void *context)
{
    return json_reader_new((stop_hook){stops, context});
}

static void reader_free(void *reader)
{
    json_reader_free(reader);
}

static void scan(void *reader, pool_task *head)
{
    const found_file *f = ((file_scan *)head)->file;
    f->kept->hash = hash_quick(f->file.text, f->file.size);
    head->status = sources_record(f, reader);
}

static void scan_free(pool_task *head)
{
    free(head);
}

void ahead_begin(import *im)
{
    enum { THREADS = 2 }; /* the walk keeps a third one busy */
    if (!im->options->quick || im->options->sources)
        return;
    scan_ahead *a = im->source->ahead = calloc(1, sizeof *a);
    if (!a) {
        import_no_memory(im);
        return;
    }
    atomic_init(&a->stop, false);
    const pool_kind kind = {reader_new, reader_free, scan, scan_free, a};
    import_fail(im, pool_new(&a->pool, &kind, THREADS, im->err));
}

void ahead_take(import *im, found_file *file)
{
    scan_ahead *a = im->source->ahead;
    if (!a || !a->pool || !SOURCE_ROOM(im, a->files, a->count, a->room))
        return;
    file_scan *task = calloc(1, sizeof *task);
    kept_source *kept = sources_kept_alone(im, file->text, file->file.size);
    if (!task || !kept) {
        free(task);
        free(kept);
        import_no_memory(im);
        return;
    }
    a->files[a->count++] = file->kept = kept;
    task->file = file;
    pool_give(a->pool, &task->head);
}

void ahead_finish(import *im)
{
    scan_ahead *a = im->source->ahead;
    if (!a || !a->pool)
        return;
    import_await(im, a->pool);
    atomic_store_explicit(&a->stop, true, memory_order_relaxed);
    pool_free(a->pool);
    a->pool = NULL;
}

void ahead_free(scan_ahead *ahead)
{
    if (!ahead)
        return;
    pool_free(ahead->pool);
    for (size_t i = 0; i < ahead->count; i++)
        sources_forget(ahead->files[i]);
    free(ahead->files);
    free(ahead);
}
