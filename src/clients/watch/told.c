#include "clients/watch/told.h"

#include "core/array.h"
#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILE_BYTES_MAX = 4 * 1024 * 1024 };

/* ---- lists ---- */

void told_list_dispose(told_list *l)
{
    bytes_dispose(&l->text);
    *l = (told_list){.count = 0};
}

static void take_bytes(bytes *to, bytes *from)
{
    bytes_dispose(to);
    *to = *from;
    bytes_init(from);
}

static void put_list(emitter *j, const char *key, const told_list *l)
{
    emit_key(j, key);
    emit_put(j, "[");
    emit_values(j, &l->text);
    emit_put(j, "]");
}

static void put_value(emitter *j, const char *key, const bytes *value)
{
    emit_key(j, key);
    if (value->size == 0)
        emit_null(j);
    emit_values(j, value);
}

/* ---- mistakes ---- */

void told_mistakes_dispose(told_mistakes *m)
{
    told_list_dispose(&m->errors);
    told_list_dispose(&m->others);
    for (size_t i = 0; i < m->pack_count; i++)
        free(m->packs[i].id);
    free(m->packs);
    *m = (told_mistakes){.pack_count = 0};
}

/*
 * Writes the line of the file that has the mistake. Of a long line it writes only a part around
 * the mistake. It also writes the column, counted from 1, at which the part begins.
 */
static void put_text(emitter *j, const ptl_diagnostic *what)
{
    size_t size;
    char *all = what->line > 0 ? file_read_small(what->file, FILE_BYTES_MAX, &size) : NULL;
    const char *at = all;
    for (int line = 1; at && line < what->line; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (at) {
        size_t from = 0, length = strcspn(at, "\r\n");
        const size_t column = what->column > 0 ? (size_t)what->column - 1 : 0;
        if (column > TOLD_TEXT_MAX / 2 && column < length)
            from = column - TOLD_TEXT_MAX / 2;
        if (length - from > TOLD_TEXT_MAX)
            length = from + TOLD_TEXT_MAX;
        emit_key(j, "text");
        emit_string(j, at + from, length - from);
        emit_key_uint(j, "from", from + 1);
    }
    free(all);
}

void told_mistakes_add(told_mistakes *m, const ptl_diagnostic *what)
{
    static const char *const names[] = {
        [PTL_WARNING] = "warning", [PTL_ERROR] = "error", [PTL_NOTE] = "note"};
    told_list *list = what->severity == PTL_ERROR ? &m->errors : &m->others;
    /* Counts one more remark in the list. The emitter's pointer to its buffer is set each time,
     * because the list, which contains the buffer, may have been moved. */
    list->j.out = &list->text;
    list->count++;
    emitter *j = &list->j;
    /* Counts the remark for its pack. The search starts at the end of the list, because
     * consecutive remarks are mostly about the same pack. */
    const char *id = what->pack ? what->pack : "";
    size_t i = m->pack_count;
    while (i > 0 &&
           (strcmp(m->packs[i - 1].id, id) != 0 || m->packs[i - 1].is_base != what->is_base))
        i--;
    char *copy = i == 0 ? strdup(id) : NULL;
    if (copy && ARRAY_ROOM(m->packs, m->pack_room, m->pack_count + 1)) {
        i = ++m->pack_count;
        m->packs[i - 1] = (told_pack){.id = copy, .is_base = what->is_base};
    } else {
        free(copy);
    }
    if (i > 0)
        m->packs[i - 1].counts[what->severity]++;
    else
        list->text.failed = true; /* there is no row for the pack, because memory is out */
    if (list->count > TOLD_MISTAKES_MAX)
        return;
    emit_put(j,
             "{severity:%s, file:%s, line:%d, column:%d, id:%s, code:%s, pack:%s, message:%s",
             names[what->severity], what->file, what->line, what->column, what->id,
             what->code ? what->code : "", what->pack ? what->pack : "", what->message);
    if (what->severity == PTL_ERROR)
        put_text(j, what);
    emit_put(j, "}");
}

/* ---- the whole state ---- */

bool told_init(told *t)
{
    *t = (told){.stage = "waiting", .lock = mutex_new()};
    return t->lock != NULL;
}

void told_dispose(told *t)
{
    mutex_free(t->lock);
    told_list_dispose(&t->files);
    told_mistakes_dispose(&t->mistakes);
    bytes_dispose(&t->changes);
    bytes_dispose(&t->rates);
    bytes_dispose(&t->maps);
}

void told_begin(told *t, unsigned save, const bytes *paths, size_t changed)
{
    mutex_lock(t->lock);
    t->save = save;
    told_list_dispose(&t->files);
    t->files.count = changed;
    t->files.j.out = &t->files.text;
    for (size_t i = 0, at = 0; i < TOLD_FILES_MAX && at < paths->size; i++) {
        const char *path = (const char *)paths->data + at;
        emit_text(&t->files.j, path);
        at += strlen(path) + 1;
    }
    mutex_unlock(t->lock);
}

void told_stage(told *t, const char *stage, uint64_t done, uint64_t total)
{
    mutex_lock(t->lock);
    t->stage = stage;
    t->done = done;
    t->total = total;
    mutex_unlock(t->lock);
}

void told_end(told *t, unsigned save, const char *result, const char *message,
              told_mistakes *mistakes)
{
    mutex_lock(t->lock);
    t->ended = save;
    t->result = result;
    (void)snprintf(t->message, sizeof t->message, "%s", message);
    if (mistakes) {
        told_mistakes_dispose(&t->mistakes);
        t->mistakes = *mistakes;
        *mistakes = (told_mistakes){.pack_count = 0};
    }
    mutex_unlock(t->lock);
}

void told_world(told *t, const char *world, const char *before, bytes *changes, bytes *rates)
{
    mutex_lock(t->lock);
    (void)snprintf(t->world, sizeof t->world, "%s", world);
    (void)snprintf(t->before, sizeof t->before, "%s", before);
    take_bytes(&t->changes, changes);
    take_bytes(&t->rates, rates);
    bytes_dispose(&t->maps);
    mutex_unlock(t->lock);
}

void told_maps(told *t, bytes *maps)
{
    mutex_lock(t->lock);
    take_bytes(&t->maps, maps);
    mutex_unlock(t->lock);
}

static const char *text_or_null(const char *text)
{
    return text[0] ? text : NULL;
}

void told_put(told *t, emitter *j)
{
    mutex_lock(t->lock);
    emit_put(j, "save:%u, stage:%s, done:%ju, total:%ju", t->save, t->stage, t->done, t->total);
    put_list(j, "files", &t->files);
    emit_put(j, "file_count:%ju, ended:%u, result:%s, message:%s", t->files.count, t->ended,
             t->result, text_or_null(t->message));
    put_list(j, "errors", &t->mistakes.errors);
    emit_key_uint(j, "error_count", t->mistakes.errors.count);
    put_list(j, "warnings", &t->mistakes.others);
    emit_key_uint(j, "warning_count", t->mistakes.others.count);
    const told_mistakes *m = &t->mistakes;
    emit_put(j, "packs:[");
    for (size_t i = 0; i < m->pack_count; i++) {
        const told_pack *p = &m->packs[i];
        if (!p->id[0])
            continue;
        emit_put(j, "{pack:%s, base:%i, errors:%ju, warnings:%ju, notes:%ju}", p->id,
                 p->is_base, p->counts[PTL_ERROR], p->counts[PTL_WARNING], p->counts[PTL_NOTE]);
    }
    emit_put(j, "], world:%s, before:%s", text_or_null(t->world), text_or_null(t->before));
    put_value(j, "changes", &t->changes);
    put_value(j, "rates", &t->rates);
    put_value(j, "maps", &t->maps);
    mutex_unlock(t->lock);
}
