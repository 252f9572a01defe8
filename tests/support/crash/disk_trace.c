/*
 * The record: operations on numbered files and numbered names. A file keeps its number under
 * all of its names; a name keeps its number whatever is under it.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "support/crash/disk_trace.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *list, size_t room, size_t size)
{
    void *out = realloc(list, room * size);
    ck_assert_msg(out != NULL, "no memory for a trace");
    return out;
}

static void add_op(disk_trace *t, const disk_op *op)
{
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->ops = grown(t->ops, t->room, sizeof *t->ops);
    }
    t->ops[t->count++] = *op;
}

/* ---- names and files ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static int find_name(const disk_trace *t, const char *text, size_t length)
{
    for (int i = 0; i < t->name_count; i++)
        if (strlen(t->names[i].text) == length && memcmp(t->names[i].text, text, length) == 0)
            return i;
    return -1;
}

static int name_number(disk_trace *t, const char *text)
{
    const int known = find_name(t, text, strlen(text));
    if (known >= 0)
        return known;
    if (t->name_count == t->name_room) {
        t->name_room = t->name_room ? 2 * t->name_room : 32;
        t->names = grown(t->names, (size_t)t->name_room, sizeof *t->names);
    }
    const char *slash = strrchr(text, '/');
    const int folder = slash ? find_name(t, text, (size_t)(slash - text)) : 0;
    if (folder < 0)
        t->unseen = "a folder";
    t->names[t->name_count] = (disk_name){
        .text = strdup(text), .folder = folder < 0 ? 0 : folder, .first = -1, .file = -1};
    return t->name_count++;
}

static int new_file(disk_trace *t, const char *name, bool is_folder)
{
    if (t->file_count == t->file_room) {
        t->file_room = t->file_room ? 2 * t->file_room : 32;
        t->kinds = grown(t->kinds, (size_t)t->file_room, 1);
    }
    t->kinds[t->file_count] = is_folder                     ? DISK_FOLDER
                              : ends_with(name, "-journal") ? DISK_JOURNAL
                              : ends_with(name, "-wal")     ? DISK_WAL
                                                            : DISK_MAIN;
    return t->file_count++;
}

bool disk_trace_place(disk_place *out, const disk_trace *t, const char *path)
{
    const size_t root = strlen(t->root);
    if (strncmp(path, t->root, root) != 0 || (path[root] != '/' && path[root] != '\0'))
        return false;
    const char *below = path[root] == '/' ? path + root + 1 : "";
    if (ends_with(below, "-shm") || strlen(below) >= sizeof out->text)
        return false;
    strcpy(out->text, below);
    out->name = find_name(t, below, strlen(below));
    return true;
}

/* The place's name, which may be new. */
static disk_name *name_at(disk_trace *t, disk_place *place)
{
    place->name = name_number(t, place->text);
    return &t->names[place->name];
}

/* ---- what the calls tell ---- */

int disk_trace_opened(disk_trace *t, disk_place *place, bool is_folder, bool may_make,
                      bool truncates)
{
    disk_name *name = name_at(t, place);
    if (name->file < 0 && !may_make)
        t->unseen = "a file that was opened";
    if (name->file < 0)
        disk_trace_enter(t, place, is_folder);
    else if (truncates)
        disk_trace_truncate(t, name->file, 0);
    return t->names[place->name].file;
}

void disk_trace_write(disk_trace *t, int file, const void *data, size_t size, int64_t offset)
{
    add_op(t, &(disk_op){.kind = DISK_WRITE,
                         .file = file,
                         .offset = offset,
                         .data = t->data.size,
                         .size = size});
    bytes_put(&t->data, data, size);
}

void disk_trace_truncate(disk_trace *t, int file, int64_t size)
{
    add_op(t, &(disk_op){.kind = DISK_TRUNCATE, .file = file, .offset = size});
}

/* A folder has one name for good. */
void disk_trace_sync(disk_trace *t, int file)
{
    disk_op op = {.kind = DISK_SYNC, .file = file};
    for (int i = 0; t->kinds[file] == DISK_FOLDER && i < t->name_count; i++)
        if (t->names[i].file == file) {
            op.kind = DISK_SYNC_FOLDER;
            op.name = i;
        }
    add_op(t, &op);
}

void disk_trace_enter(disk_trace *t, disk_place *place, bool is_folder)
{
    disk_name *name = name_at(t, place);
    name->file = new_file(t, name->text, is_folder);
    add_op(t, &(disk_op){.kind = DISK_ENTER, .name = place->name, .file = name->file});
}

void disk_trace_leave(disk_trace *t, const disk_place *place)
{
    if (place->name < 0 || t->names[place->name].file < 0) {
        t->unseen = "a name that was removed";
        return;
    }
    t->names[place->name].file = -1;
    add_op(t, &(disk_op){.kind = DISK_LEAVE, .name = place->name});
}

/* The file that moves or gets one more name; -1, and noted, if it is not known. */
static int moved(disk_trace *t, const disk_place *from)
{
    const int file = from->name < 0 ? -1 : t->names[from->name].file;
    if (file < 0 || t->kinds[file] == DISK_FOLDER)
        t->unseen = "a file that was renamed or linked";
    return file;
}

void disk_trace_link(disk_trace *t, const disk_place *from, disk_place *to)
{
    const int file = moved(t, from);
    name_at(t, to)->file = file;
    add_op(t, &(disk_op){.kind = DISK_ENTER, .name = to->name, .file = file});
}

void disk_trace_rename(disk_trace *t, const disk_place *from, disk_place *to)
{
    const int file = moved(t, from);
    if (file < 0)
        return;
    name_at(t, to)->file = file;
    t->names[from->name].file = -1;
    add_op(t, &(disk_op){
                  .kind = DISK_RENAME, .name = to->name, .other = from->name, .file = file});
}

/* ---- begin and end ---- */

void disk_trace_begin(disk_trace *t, const char *root)
{
    memset(t, 0, sizeof *t);
    char *real = realpath(root, NULL);
    ck_assert(real != NULL && strlen(real) < sizeof t->root);
    strcpy(t->root, real);
    free(real);
    bytes_init(&t->data);
    name_number(t, "");
    t->names[0].file = t->names[0].first = new_file(t, "", true);
    disk_image_take(&t->start, t->root);
    for (size_t i = 0; i < t->start.count; i++) {
        const disk_file *f = &t->start.files[i];
        const int number = name_number(t, f->name); /* it may move the names */
        disk_name *name = &t->names[number];
        name->file = name->first = new_file(t, f->name, f->is_folder);
    }
    disk_calls_watch(t);
}

void disk_trace_mark(disk_trace *t, uint64_t marks)
{
    add_op(t, &(disk_op){.kind = DISK_MARK, .marks = marks});
}

void disk_trace_dispose(disk_trace *t)
{
    disk_image_dispose(&t->start);
    free(t->ops);
    bytes_dispose(&t->data);
    for (int i = 0; i < t->name_count; i++)
        free(t->names[i].text);
    free(t->names);
    free(t->kinds);
}
