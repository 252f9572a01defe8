/*
 * Recording what SQLite does to its files, and what a disk may hold of it after a power
 * failure. A disk is walked forwards only: synced operations are applied to the durable image
 * for good, the others wait in lists, of which each image takes its own choice.
 */
#include "crash_trace.h"

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

static const char *const FILE_ENDS[CRASH_FILES] = {"", "-journal", "-wal"};

/* ---- recording ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Which of the three files; -1 for others (temporary ones). */
static int which_file(const shim_op *op)
{
    if (op->kind == SHIM_DELETE)
        return ends_with(op->path, "-journal") ? CRASH_JOURNAL
               : ends_with(op->path, "-wal")   ? CRASH_WAL
                                               : -1;
    if (ends_with(op->path, "-journal"))
        return CRASH_JOURNAL;
    if (ends_with(op->path, "-wal"))
        return CRASH_WAL;
    return op->path[0] != '\0' ? CRASH_MAIN : -1;
}

static void add_op(crash_trace *t, const crash_op *op)
{
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        crash_op *grown = realloc(t->ops, room * sizeof *grown);
        if (!grown) {
            t->failed = true;
            return;
        }
        t->ops = grown;
        t->room = room;
    }
    t->ops[t->count++] = *op;
}

static void record_open(crash_trace *t, int file, int flags)
{
    if (t->exists[file] || !(flags & SQLITE_OPEN_CREATE))
        return;
    t->exists[file] = true;
    add_op(t, &(crash_op){.kind = CRASH_CREATE, .file = file});
}

static int record(void *payload, const shim_op *op, size_t *partial)
{
    crash_trace *t = payload;
    int file = which_file(op);
    (void)partial;
    if (file < 0)
        return SQLITE_OK;
    switch (op->kind) {
    case SHIM_OPEN:
        record_open(t, file, op->flags);
        break;
    case SHIM_WRITE:
        add_op(t, &(crash_op){.kind = CRASH_WRITE,
                              .file = file,
                              .offset = op->offset,
                              .data = t->data.size,
                              .size = op->size});
        bytes_put(&t->data, op->data, op->size);
        break;
    case SHIM_TRUNCATE:
        add_op(t, &(crash_op){.kind = CRASH_TRUNCATE, .file = file, .offset = op->offset});
        break;
    case SHIM_SYNC:
        add_op(t, &(crash_op){.kind = CRASH_SYNC, .file = file});
        break;
    case SHIM_DELETE:
        t->exists[file] = false;
        add_op(t, &(crash_op){.kind = CRASH_DELETE, .file = file, .directory = op->flags != 0});
        break;
    default:
        break;
    }
    return SQLITE_OK;
}

void crash_trace_begin(crash_trace *t, const crash_image *start)
{
    memset(t, 0, sizeof *t);
    bytes_init(&t->data);
    for (int i = 0; start && i < CRASH_FILES; i++)
        t->exists[i] = start->exists[i];
    t->listener = (shim_listener){.payload = t, .before = record};
    ck_assert_int_eq(shim_vfs_install(&t->listener), SQLITE_OK);
}

void crash_trace_mark(crash_trace *t, uint64_t marks)
{
    add_op(t, &(crash_op){.kind = CRASH_MARK, .marks = marks});
}

void crash_trace_end(crash_trace *t)
{
    shim_vfs_remove();
    ck_assert_msg(!t->failed && !t->data.failed, "no memory for a trace");
}

void crash_trace_dispose(crash_trace *t)
{
    free(t->ops);
    bytes_dispose(&t->data);
}

/* ---- images ---- */

/* What is new is zeros. */
static void set_size(bytes *b, size_t size)
{
    if (size > b->size) {
        size_t more = size - b->size;
        ck_assert(bytes_reserve(b, more));
        memset(b->data + b->size, 0, more);
    }
    b->size = size;
}

void crash_image_dispose(crash_image *image)
{
    for (int i = 0; i < CRASH_FILES; i++)
        bytes_dispose(&image->content[i]);
}

static void copy_image(crash_image *out, const crash_image *from)
{
    for (int i = 0; i < CRASH_FILES; i++) {
        bytes_init(&out->content[i]);
        out->exists[i] = from && from->exists[i];
        if (out->exists[i])
            bytes_put(&out->content[i], from->content[i].data, from->content[i].size);
        ck_assert(!out->content[i].failed);
    }
}

/* Names are durable in order, and a writer syncs that of its lock before it writes anything: so
 * it is there whenever something else can be half written. (Its process is none of today's.) */
static void put_lock(const char *path)
{
    char name[512];
    snprintf(name, sizeof name, "%s-lock", path);
    FILE *f = fopen(name, "w");
    ck_assert(f && fputs("pid 0\nhost h\nprogram p\nsince s\nwriters one\n", f) >= 0 &&
              fclose(f) == 0);
}

void crash_image_put(const crash_image *image, const char *path)
{
    char name[512];
    put_lock(path);
    snprintf(name, sizeof name, "%s-shm", path);
    unlink(name);
    for (int i = 0; i < CRASH_FILES; i++) {
        snprintf(name, sizeof name, "%s%s", path, FILE_ENDS[i]);
        unlink(name);
        if (!image->exists[i])
            continue;
        FILE *f = fopen(name, "wb");
        ck_assert_msg(f != NULL, "%s can't be written", name);
        const bytes *b = &image->content[i];
        size_t written = b->size ? fwrite(b->data, 1, b->size, f) : 0;
        ck_assert(fclose(f) == 0 && written == b->size);
    }
}

void crash_image_take(crash_image *image, const char *path)
{
    char name[512];
    for (int i = 0; i < CRASH_FILES; i++) {
        bytes_init(&image->content[i]);
        snprintf(name, sizeof name, "%s%s", path, FILE_ENDS[i]);
        FILE *f = fopen(name, "rb");
        image->exists[i] = f != NULL;
        if (!f)
            continue;
        ck_assert(fseek(f, 0, SEEK_END) == 0);
        long size = ftell(f);
        ck_assert(size >= 0 && fseek(f, 0, SEEK_SET) == 0);
        set_size(&image->content[i], (size_t)size);
        ck_assert(size == 0 ||
                  fread(image->content[i].data, 1, (size_t)size, f) == (size_t)size);
        fclose(f);
    }
}

/* ---- the disk ---- */

static void apply(crash_image *image, const crash_trace *t, const crash_op *op)
{
    bytes *b = &image->content[op->file];
    switch (op->kind) {
    case CRASH_CREATE:
    case CRASH_DELETE:
        image->exists[op->file] = op->kind == CRASH_CREATE;
        set_size(b, 0);
        break;
    case CRASH_TRUNCATE:
        set_size(b, (size_t)op->offset);
        break;
    case CRASH_WRITE:
        if ((size_t)op->offset + op->size > b->size)
            set_size(b, (size_t)op->offset + op->size);
        memcpy(b->data + op->offset, t->data.data + op->data, op->size);
        break;
    default:
        break;
    }
}

static bool of_directory(const crash_op *op)
{
    return op->kind == CRASH_CREATE || op->kind == CRASH_DELETE;
}

/* The first count pending operations of a file become durable. */
static void settle(crash_disk *d, int file, size_t count)
{
    size_t *list = d->pending[file];
    for (size_t i = 0; i < count; i++)
        apply(&d->durable, d->trace, &d->trace->ops[list[i]]);
    d->pending_count[file] -= count;
    if (d->pending_count[file] > 0)
        memmove(list, list + count, d->pending_count[file] * sizeof *list);
}

/* How many pending operations there are up to the last one on the directory. */
static size_t up_to_directory(const crash_disk *d, int file)
{
    size_t n = d->pending_count[file];
    while (n > 0 && !of_directory(&d->trace->ops[d->pending[file][n - 1]]))
        n--;
    return n;
}

static void sync_directory(crash_disk *d)
{
    for (int i = 0; i < CRASH_FILES; i++)
        settle(d, i, up_to_directory(d, i));
}

static void pass(crash_disk *d, size_t index)
{
    const crash_op *op = &d->trace->ops[index];
    if (op->kind == CRASH_MARK) {
        d->marks |= op->marks;
        return;
    }
    if (op->kind != CRASH_SYNC) {
        d->pending[op->file][d->pending_count[op->file]++] = index;
        if (op->kind == CRASH_DELETE && op->directory)
            sync_directory(d);
        return;
    }
    if (d->deaf >> op->file & 1)
        return;
    if (op->file != CRASH_MAIN && up_to_directory(d, op->file) > 0)
        sync_directory(d);
    settle(d, op->file, d->pending_count[op->file]);
}

void crash_disk_init(crash_disk *d, const crash_trace *trace, const crash_image *start)
{
    memset(d, 0, sizeof *d);
    d->trace = trace;
    copy_image(&d->durable, start);
    for (int i = 0; i < CRASH_FILES; i++) {
        d->pending[i] = malloc((trace->count + 1) * sizeof *d->pending[i]);
        ck_assert(d->pending[i] != NULL);
    }
}

void crash_disk_dispose(crash_disk *d)
{
    crash_image_dispose(&d->durable);
    for (int i = 0; i < CRASH_FILES; i++)
        free(d->pending[i]);
}

void crash_disk_walk(crash_disk *d, size_t next)
{
    while (d->next < next)
        pass(d, d->next++);
}

/* ---- what may be left ---- */

typedef enum fate { LOST, KEPT, TORN, GARBLED } fate;

enum { ALL_KEPT, ALL_LOST, SOME_LOST, SOME_TORN, SOME_GARBLED, CUT_OFF, ONE_FILE };

const char *crash_variant_name(int variant)
{
    static const char *const names[CRASH_VARIANTS] = {
        "all writes kept",   "all unsynced writes lost", "some lost",           "some torn",
        "some with garbage", "the last ones lost",       "all of one file kept"};
    return names[variant];
}

typedef struct choice {
    int variant;
    size_t cut; /* CUT_OFF: operations before it are kept, it is torn */
    int file;   /* ONE_FILE */
    rng *r;
} choice;

static fate choose(const choice *c, size_t index, int file)
{
    uint32_t draw = rng_below(c->r, 10);
    switch (c->variant) {
    case ALL_KEPT:
        return KEPT;
    case ALL_LOST:
        return LOST;
    case SOME_LOST:
        return draw < 5 ? KEPT : LOST;
    case SOME_TORN:
        return draw < 4 ? KEPT : draw < 7 ? LOST : TORN;
    case SOME_GARBLED:
        return draw < 4 ? KEPT : draw < 6 ? LOST : draw < 8 ? TORN : GARBLED;
    case CUT_OFF:
        return index < c->cut ? KEPT : index > c->cut ? LOST : draw < 5 ? TORN : GARBLED;
    default:
        return file == c->file ? KEPT : LOST;
    }
}

/* Sector by sector old, new or, if garbled, noise; the file may have grown all the same. */
static void write_torn(bytes *b, const crash_trace *t, const crash_op *op, bool garbled, rng *r)
{
    size_t from = (size_t)op->offset, end = from + op->size;
    if (end > b->size)
        set_size(b,
                 rng_below(r, 2) ? end : from + rng_below(r, op->size + 1) / SECTOR * SECTOR);
    while (from < end && from < b->size) {
        size_t stop = (from / SECTOR + 1) * SECTOR;
        stop = stop < end ? stop : end;
        stop = stop < b->size ? stop : b->size;
        uint32_t draw = rng_below(r, garbled ? 3 : 2);
        if (draw == 1)
            memcpy(b->data + from, t->data.data + op->data + (from - (size_t)op->offset),
                   stop - from);
        for (size_t i = from; draw == 2 && i < stop; i++)
            b->data[i] = (uint8_t)rng_next(r);
        from = stop;
    }
}

static void leave_op(crash_image *out, const crash_disk *d, size_t index, const choice *c)
{
    const crash_op *op = &d->trace->ops[index];
    fate f = choose(c, index, op->file);
    if (f == LOST || !out->exists[op->file])
        return;
    if (op->kind == CRASH_WRITE && f != KEPT)
        write_torn(&out->content[op->file], d->trace, op, f == GARBLED, c->r);
    else
        apply(out, d->trace, op);
}

static size_t directory_ops_left(const crash_disk *d, int file, const choice *c)
{
    size_t total = 0, before_cut = 0;
    for (size_t i = 0; i < d->pending_count[file]; i++) {
        size_t index = d->pending[file][i];
        total += of_directory(&d->trace->ops[index]);
        before_cut += of_directory(&d->trace->ops[index]) && index < c->cut;
    }
    return c->variant == ALL_KEPT   ? total
           : c->variant == ALL_LOST ? 0
           : c->variant == CUT_OFF  ? before_cut
                                    : rng_below(c->r, total + 1);
}

/* Directory operations are kept up to some point; other operations belong to the file that
 * was there between two of them, and matter if it is the one that is left. */
static void leave_file(crash_image *out, const crash_disk *d, int file, const choice *c)
{
    size_t passed = 0, kept = directory_ops_left(d, file, c);
    for (size_t i = 0; i < d->pending_count[file]; i++) {
        size_t index = d->pending[file][i];
        const crash_op *op = &d->trace->ops[index];
        if (!of_directory(op)) {
            if (passed == kept)
                leave_op(out, d, index, c);
        } else if (passed++ < kept) {
            apply(out, d->trace, op);
        }
    }
}

void crash_disk_image(const crash_disk *d, int variant, rng *r, crash_image *out)
{
    choice c = {.variant = variant, .r = r, .file = (int)rng_below(r, CRASH_FILES)};
    size_t total = 0;
    for (int i = 0; i < CRASH_FILES; i++)
        total += d->pending_count[i];
    size_t at = rng_below(r, total ? total : 1);
    for (int i = 0; i < CRASH_FILES; i++) {
        if (at < d->pending_count[i]) {
            c.cut = d->pending[i][at];
            break;
        }
        at -= d->pending_count[i];
    }
    copy_image(out, &d->durable);
    for (int i = 0; i < CRASH_FILES; i++)
        leave_file(out, d, i, &c);
}
