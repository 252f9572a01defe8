#include "content/mapgen/sound.h"

#include "content/import/source.h"
#include "core/error.h"
#include "os/pool.h"

#include <stdlib.h>

/* What the tasks have in common. */
typedef struct finding {
    const source_type *list;
    bool palettes;
    const mapgen_context *context;
} finding;

/* A task for a thread: to compile some neighbours in the list. */
typedef struct compiling {
    pool_task head;
    size_t first, end;
} compiling;

static void note_error(void *payload, const mapgen_remark *remark)
{
    *(bool *)payload |= remark->severity == PTL_ERROR;
}

/* Compiles objects in memory of the task's own, which is freed at its end: nobody needs what
 * was compiled, and the next task finds the memory warm. */
static void run(void *worker, pool_task *head)
{
    const finding *f = worker;
    const compiling *t = (const compiling *)head;
    bool has_error = false;
    mapgen_context own = *f->context;
    own.pool = id_pool_new();
    own.memory = arena_new();
    own.marks = NULL;
    own.tell = note_error;
    own.suggest = NULL;
    own.payload = &has_error;
    mapgen_compiler *c = own.pool && own.memory ? mapgen_compiler_new(&own) : NULL;
    for (size_t i = t->first; i < t->end && c; i++) {
        const source_object *object = f->list->objects[i];
        if (!object->kept || object->kept->sound)
            continue;
        const json_view v = json_view_of(&object->document);
        has_error = false;
        const void *compiled = f->palettes ? (const void *)mapgen_compile_palette(c, v)
                                           : mapgen_compile_entry(c, v);
        object->kept->sound = compiled && !has_error;
    }
    head->status = c && !mapgen_compiler_failed(c) ? PTL_OK : PTL_ERR_NOMEM;
    mapgen_compiler_free(c);
    arena_free(own.memory);
    id_pool_free(own.pool);
}

static void compiling_free(pool_task *head)
{
    free(head);
}

void sound_find(import *im, const source_type *list, bool palettes,
                const mapgen_context *context)
{
    enum { THREADS = 2, OF_ONE_TASK = 64 };
    finding f = {list, palettes, context};
    const pool_kind kind = {.run = run, .task_free = compiling_free, .context = &f};
    pool *p = NULL;
    import_fail(im, pool_new(&p, &kind, THREADS, im->err));
    for (size_t i = 0; i < list->count && !import_ended(im); i += OF_ONE_TASK) {
        compiling *t = calloc(1, sizeof *t);
        if (!t) {
            import_no_memory(im);
            break;
        }
        t->first = i;
        t->end = i + OF_ONE_TASK < list->count ? i + OF_ONE_TASK : list->count;
        pool_give(p, &t->head);
    }
    if (p)
        import_await(im, p);
    pool_free(p);
}
