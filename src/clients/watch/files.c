#include "clients/watch/files.h"

#include "clients/os/throwaway.h"
#include "core/array.h"
#include "os/folder.h"

#include <stdlib.h>
#include <string.h>

/* ---- when to work ---- */

void pace_changed(pace *p, double now)
{
    if (!p->is_pending)
        p->first = now;
    p->is_pending = true;
    p->last = now;
}

pace_order pace_ask(pace *p, double now)
{
    if (!p->is_pending || (now < p->last + p->quiet && now < p->first + p->most))
        return PACE_WAIT;
    if (p->is_working) {
        if (p->is_left_off || p->left_off >= p->patience)
            return PACE_WAIT;
        p->is_left_off = true;
        return PACE_LEAVE_OFF;
    }
    p->is_pending = false;
    p->is_working = true;
    p->is_left_off = false;
    return PACE_BEGIN;
}

void pace_ended(pace *p, bool was_whole)
{
    p->is_working = false;
    p->left_off = was_whole ? 0 : p->left_off + 1;
}

/* ---- which files were saved ---- */

typedef struct walk {
    scan *out;
    notify *notes;
    bool failed; /* memory is out */
} walk;

static void add_file(walk *w, const char *path, const file_facts *facts)
{
    scan *s = w->out;
    if (s->count == SCAN_FILES_MAX) {
        s->is_cut = true;
        return;
    }
    if (!ARRAY_ROOM(s->files, s->room, s->count + 1)) {
        w->failed = true;
        return;
    }
    s->files[s->count++] = (scan_file){path, facts->size, facts->changed, facts->id};
}

/* Lists a folder and its subfolders. `folder` is the descriptor of the folder, which this
 * function closes, or -1 if the folder could not be opened. */
static void walk_folder(walk *w, int folder, const char *path, int depth)
{
    if (folder < 0)
        return;
    if (w->notes) /* if the system can't report changes, the regular scans find them, but later
                   */
        (void)notify_add(w->notes, path);
    folder_list *list = folder_list_of(folder);
    for (const char *name;
         list && !w->failed && !w->out->is_cut && (name = folder_list_next(list)) != NULL;) {
        file_facts facts;
        if (name[0] == '.' || !file_look_in(&facts, folder, name))
            continue;
        static const char end[] = ".json";
        const size_t before = strlen(path), size = strlen(name), tail = sizeof end - 1;
        const bool is_json = size >= tail && strcmp(name + size - tail, end) == 0;
        if (facts.kind != FILE_FOLDER && (facts.kind != FILE_REGULAR || !is_json))
            continue;
        char *inner = arena_alloc(w->out->memory, before + size + 2);
        w->failed = w->failed || !inner;
        if (!inner)
            continue;
        memcpy(inner, path, before);
        inner[before] = '/';
        memcpy(inner + before + 1, name, size + 1);
        if (facts.kind == FILE_REGULAR)
            add_file(w, inner, &facts);
        else if (depth < SCAN_DEPTH_MAX)
            walk_folder(w, folder_open_in(folder, name), inner, depth + 1);
    }
    folder_list_close(list);
    (void)file_close(folder);
}

static int compare(const void *a, const void *b)
{
    const scan_file *f = a, *g = b;
    return strcmp(f->path, g->path);
}

bool scan_roots_take(scan_roots *out, const char *const *directories, size_t count,
                     const char *game)
{
    file_facts facts;
    *out = (scan_roots){.paths = calloc(count + 1, sizeof *out->paths)};
    if (!out->paths)
        return false;
    for (size_t i = 0; i < count; i++)
        out->paths[out->count++] = directories[i];
    if (!game)
        return true;
    out->data = throwaway_path(game, "data");
    if (!out->data)
        return false;
    const bool has_data = file_look(&facts, out->data) && facts.kind == FILE_FOLDER;
    out->paths[out->count++] = has_data ? out->data : game;
    return true;
}

void scan_roots_dispose(scan_roots *r)
{
    free(r->paths);
    free(r->data);
}

bool scan_make(scan *out, const char *const *roots, size_t count, notify *notes)
{
    *out = (scan){.memory = arena_new()};
    walk w = {out, notes, !out->memory};
    for (size_t i = 0; i < count && !w.failed; i++) {
        file_facts facts;
        const char *path = arena_strdup(out->memory, roots[i]);
        w.failed = !path;
        if (!path || !file_look(&facts, path))
            continue;
        if (facts.kind == FILE_FOLDER) {
            walk_folder(&w, folder_open(path), path, 0);
        } else if (facts.kind == FILE_REGULAR) {
            /* Watches the folder that the file lies in. Many editors save by renaming a new
             * file, and only watching the folder notices that. */
            const char *slash = strrchr(path, '/');
            char *folder = slash ? arena_strndup(out->memory, path, (size_t)(slash - path) + 1)
                                 : arena_strdup(out->memory, ".");
            w.failed = !folder;
            if (folder && notes)
                (void)notify_add(notes, folder);
            add_file(&w, path, &facts);
        }
    }
    if (out->count > 1)
        qsort(out->files, out->count, sizeof *out->files, compare);
    return !w.failed;
}

void scan_dispose(scan *s)
{
    arena_free(s->memory);
    free(s->files);
    *s = (scan){.memory = NULL};
}

size_t scan_differences(const scan *before, const scan *now,
                        void (*on_file)(void *payload, const char *path), void *payload)
{
    size_t i = 0, j = 0, found = 0;
    while (i < before->count || j < now->count) {
        const int order = i == before->count ? 1
                          : j == now->count  ? -1
                                            : strcmp(before->files[i].path, now->files[j].path);
        const char *path = order > 0 ? now->files[j].path : before->files[i].path;
        const scan_file *a = order <= 0 ? &before->files[i] : NULL,
                        *b = order >= 0 ? &now->files[j] : NULL;
        if (!a || !b || a->size != b->size || a->changed.seconds != b->changed.seconds ||
            a->changed.nanoseconds != b->changed.nanoseconds || !file_id_same(&a->id, &b->id)) {
            found++;
            if (on_file)
                on_file(payload, path);
        }
        i += order <= 0;
        j += order >= 0;
    }
    return found;
}

/* ---- which terrains a change concerns ---- */

enum { FILE_BYTES_MAX = 16 * 1024 * 1024, WORD_BYTES_MAX = 200 };

/*
 * Each text between two quotation marks counts as a word. Some of these texts are not strings
 * of JSON. This does no harm, because only ids are looked up, and these contain neither
 * escapes nor line ends.
 */
bool concerned_read(concerned *out, const char *paths, size_t size)
{
    *out = (concerned){.memory = arena_new()};
    strmap_init(&out->words);
    bool good = out->memory != NULL;
    for (size_t at = 0; at < size && good; at += strlen(paths + at) + 1) {
        size_t read;
        char *text = file_read_small(paths + at, FILE_BYTES_MAX, &read);
        const char *quote = text ? strchr(text, '"') : NULL;
        for (; quote && good; quote = strchr(quote + 1, '"')) {
            const size_t length = strcspn(quote + 1, "\"\\\r\n");
            if (quote[1 + length] != '"' || length == 0 || length > WORD_BYTES_MAX)
                continue;
            const char *word = arena_strndup(out->memory, quote + 1, length);
            good = word && (concerned_has(out, word) || strmap_put(&out->words, word, 1) == 0);
        }
        free(text);
    }
    return good;
}

bool concerned_has(const concerned *c, const char *word)
{
    return strmap_get(&c->words, word) != STRMAP_NONE;
}

void concerned_dispose(concerned *c)
{
    strmap_dispose(&c->words);
    arena_free(c->memory);
    *c = (concerned){.memory = NULL};
}
