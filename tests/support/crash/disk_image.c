/*
 * Images of a folder, and the disk: it is walked forwards only. Synced operations are applied
 * for good, the others wait in lists, one for each file's content and one for each folder's
 * names; each image takes its own choice of them.
 */
#include "support/crash/disk_image.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, NAME_ROOM = 1024, PATH_ROOM = 2 * NAME_ROOM };

/* ---- images ---- */

disk_file *disk_image_add(disk_image *image, const char *name, bool is_folder)
{
    if (image->count == image->room) {
        image->room = image->room ? 2 * image->room : 16;
        image->files = realloc(image->files, image->room * sizeof *image->files);
        ck_assert(image->files != NULL);
    }
    disk_file *f = &image->files[image->count++];
    *f = (disk_file){.name = strdup(name), .is_folder = is_folder};
    return f;
}

const disk_file *disk_image_find(const disk_image *image, const char *name)
{
    for (size_t i = 0; i < image->count; i++)
        if (strcmp(image->files[i].name, name) == 0)
            return &image->files[i];
    return NULL;
}

void disk_image_dispose(disk_image *image)
{
    for (size_t i = 0; i < image->count; i++) {
        free(image->files[i].name);
        bytes_dispose(&image->files[i].content);
    }
    free(image->files);
    *image = (disk_image){0};
}

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

static void read_file(bytes *out, const char *path, size_t size)
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
    set_size(out, size);
    ck_assert_uint_eq(size > 0 ? fread(out->data, 1, size, f) : 0, size);
    fclose(f);
}

static bool is_shared_memory(const char *name)
{
    const size_t n = strlen(name);
    return n >= 4 && strcmp(name + n - 4, "-shm") == 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted, without -shm; each to be freed, and the list. */
static char **list_folder(const char *path, size_t *count)
{
    char **list = NULL;
    DIR *dir = opendir(path);
    *count = 0;
    ck_assert_msg(dir != NULL, "%s: %s", path, strerror(errno));
    for (const struct dirent *d; (d = readdir(dir)) != NULL;) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0 ||
            is_shared_memory(d->d_name))
            continue;
        list = realloc(list, (*count + 1) * sizeof *list);
        ck_assert(list != NULL);
        list[(*count)++] = strdup(d->d_name);
    }
    closedir(dir);
    if (*count > 1)
        qsort(list, *count, sizeof *list, by_text);
    return list;
}

static void take(disk_image *out, const char *root, const char *below)
{
    char path[PATH_ROOM], name[NAME_ROOM];
    size_t count;
    snprintf(path, sizeof path, "%s/%s", root, below);
    char **list = list_folder(path, &count);
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        snprintf(name, sizeof name, "%s%s%s", below, *below ? "/" : "", list[i]);
        snprintf(path, sizeof path, "%s/%s", root, name);
        ck_assert_msg(stat(path, &info) == 0, "%s: %s", path, strerror(errno));
        disk_file *f = disk_image_add(out, name, S_ISDIR(info.st_mode));
        if (f->is_folder)
            take(out, root, name);
        else
            read_file(&f->content, path, (size_t)info.st_size);
        free(list[i]);
    }
    free(list);
}

void disk_image_take(disk_image *out, const char *root)
{
    *out = (disk_image){0};
    take(out, root, "");
}

static void empty_folder(const char *path)
{
    DIR *dir = opendir(path);
    ck_assert_msg(dir != NULL, "%s: %s", path, strerror(errno));
    for (const struct dirent *d; (d = readdir(dir)) != NULL;) {
        char inner[PATH_ROOM];
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, d->d_name);
        if (unlink(inner) == 0)
            continue;
        empty_folder(inner);
        ck_assert_msg(rmdir(inner) == 0, "%s: %s", inner, strerror(errno));
    }
    closedir(dir);
}

void disk_image_put(const disk_image *image, const char *root)
{
    empty_folder(root);
    for (size_t i = 0; i < image->count; i++) {
        const disk_file *file = &image->files[i];
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", root, file->name);
        if (file->is_folder) {
            ck_assert_msg(mkdir(path, 0777) == 0, "%s: %s", path, strerror(errno));
            continue;
        }
        FILE *f = fopen(path, "wb");
        ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
        const bytes *b = &file->content;
        size_t written = b->size ? fwrite(b->data, 1, b->size, f) : 0;
        ck_assert(fclose(f) == 0 && written == b->size);
    }
}

static uint64_t hash_content(const bytes *b)
{
    uint64_t h[2] = {b->size, 1}, word[2];
    size_t i = 0;
    for (; i + sizeof word <= b->size; i += sizeof word) {
        memcpy(word, b->data + i, sizeof word);
        h[0] = (h[0] ^ word[0]) * UINT64_C(0x9e3779b97f4a7c15);
        h[1] = (h[1] ^ word[1]) * UINT64_C(0xbf58476d1ce4e5b9);
        h[0] ^= h[0] >> 29;
        h[1] ^= h[1] >> 31;
    }
    return hash_add(hash_add(h[0], h[1]),
                    hash_bytes(b->data ? b->data + i : NULL, b->size - i));
}

uint64_t disk_image_hash(const disk_image *image, bool (*but)(const char *name))
{
    uint64_t sum = 0;
    for (size_t i = 0; i < image->count; i++) {
        const disk_file *f = &image->files[i];
        const size_t n = strlen(f->name);
        if ((n >= 5 && strcmp(f->name + n - 5, "-lock") == 0) || (but && but(f->name)))
            continue;
        sum ^= hash_add(hash_string(f->name), hash_content(&f->content));
    }
    return sum;
}

/* ---- the disk ---- */

static bool on_names(const disk_op *op)
{
    return op->kind == DISK_ENTER || op->kind == DISK_LEAVE || op->kind == DISK_RENAME;
}

/* The file, or folder, in whose list an operation waits. */
static int list_of(const disk_trace *t, const disk_op *op)
{
    if (!on_names(op))
        return op->file;
    /* A folder's own file: it has one name, and that for good, once it has it. */
    const int folder = t->names[op->name].folder;
    if (folder == 0)
        return 0;
    if (t->names[folder].first >= 0)
        return t->names[folder].first;
    for (const disk_op *at = op; at-- > t->ops;)
        if (at->kind == DISK_ENTER && at->name == folder)
            return at->file;
    ck_abort_msg("a name in a folder that was never made: %s", t->names[op->name].text);
}

static void apply_content(bytes *b, const disk_trace *t, const disk_op *op)
{
    if (op->kind == DISK_TRUNCATE) {
        set_size(b, (size_t)op->offset);
        return;
    }
    if ((size_t)op->offset + op->size > b->size)
        set_size(b, (size_t)op->offset + op->size);
    if (op->size > 0) {
        ck_assert_ptr_nonnull(b->data);
        memcpy(b->data + op->offset, t->data.data + op->data, op->size);
    }
}

static void apply_name(int *file, const disk_op *op)
{
    file[op->name] = op->kind == DISK_LEAVE ? -1 : op->file;
    if (op->kind == DISK_RENAME)
        file[op->other] = -1;
}

static bool depends(const disk_op *later, const disk_op *earlier)
{
    const bool moves = later->kind == DISK_RENAME;
    return earlier->name == later->name || (moves && earlier->name == later->other) ||
           (earlier->kind == DISK_RENAME &&
            (earlier->other == later->name || (moves && earlier->other == later->other)));
}

/* An operation on names, once for each; before it those of the list, and what it depends on. */
static void apply_names_to(int *file, bool *done, const disk *d, int list, size_t index)
{
    const disk_op *ops = d->trace->ops;
    for (size_t i = 0; i < d->pending_count[list] && d->pending[list][i] <= index; i++) {
        const size_t at = d->pending[list][i];
        if (!on_names(&ops[at]) || done[at])
            continue;
        done[at] = true;
        for (int other = 0; other < d->trace->file_count; other++)
            for (size_t k = 0; k < d->pending_count[other] && d->pending[other][k] < at; k++)
                if (other != list && on_names(&ops[d->pending[other][k]]) &&
                    depends(&ops[at], &ops[d->pending[other][k]]))
                    apply_names_to(file, done, d, other, d->pending[other][k]);
        apply_name(file, &ops[at]);
    }
}

static void settle(disk *d, int list)
{
    apply_names_to(d->file, d->done, d, list, d->next);
    for (size_t i = 0; i < d->pending_count[list]; i++) {
        const disk_op *op = &d->trace->ops[d->pending[list][i]];
        if (!on_names(op))
            apply_content(&d->content[list], d->trace, op);
    }
    d->pending_count[list] = 0;
}

static void pend(disk *d, int list, size_t index)
{
    if (d->pending_count[list] == d->pending_room[list]) {
        d->pending_room[list] = d->pending_room[list] ? 2 * d->pending_room[list] : 16;
        d->pending[list] =
            realloc(d->pending[list], d->pending_room[list] * sizeof **d->pending);
        ck_assert(d->pending[list] != NULL);
    }
    d->pending[list][d->pending_count[list]++] = index;
}

static void pass(disk *d, size_t index)
{
    const disk_op *op = &d->trace->ops[index];
    if (op->kind == DISK_MARK)
        d->marks |= op->marks;
    else if (op->kind != DISK_SYNC && op->kind != DISK_SYNC_FOLDER)
        pend(d, list_of(d->trace, op), index);
    else if (!(d->deaf & d->trace->kinds[op->file]))
        settle(d, op->file);
}

void disk_init(disk *d, const disk_trace *trace)
{
    const size_t files = (size_t)trace->file_count, names = (size_t)trace->name_count;
    *d = (disk){.trace = trace,
                .content = calloc(files, sizeof *d->content),
                .file = calloc(names, sizeof *d->file),
                .pending = calloc(files, sizeof *d->pending),
                .pending_count = calloc(files, sizeof *d->pending_count),
                .pending_room = calloc(files, sizeof *d->pending_room),
                .done = calloc(trace->count + 1, sizeof *d->done)};
    ck_assert(d->content && d->file && d->pending && d->pending_count && d->pending_room &&
              d->done);
    for (int i = 0; i < trace->name_count; i++)
        d->file[i] = trace->names[i].first;
    for (size_t i = 0; i < trace->start.count; i++) {
        const bytes *b = &trace->start.files[i].content;
        bytes_put(&d->content[i + 1], b->data, b->size);
        ck_assert(!d->content[i + 1].failed);
    }
}

void disk_dispose(disk *d)
{
    for (int i = 0; i < d->trace->file_count; i++) {
        bytes_dispose(&d->content[i]);
        free(d->pending[i]);
    }
    free(d->content);
    free(d->file);
    free(d->pending);
    free(d->pending_count);
    free(d->pending_room);
    free(d->done);
}

void disk_walk(disk *d, size_t next)
{
    while (d->next < next)
        pass(d, d->next++);
}

/* ---- what may be left ---- */

typedef enum fate { LOST, KEPT, TORN, GARBLED } fate;

enum { ALL_KEPT, ALL_LOST, SOME_LOST, SOME_TORN, SOME_GARBLED, CUT_OFF, ONE_FILE };

const char *disk_variant_name(int variant)
{
    static const char *const names[DISK_VARIANTS] = {"everything kept",
                                                     "everything unsynced lost",
                                                     "some lost",
                                                     "some torn",
                                                     "some with garbage",
                                                     "the last ones lost",
                                                     "all of one file kept",
                                                     "names kept, content lost",
                                                     "content kept, names lost"};
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
    case DISK_CONTENT_KEPT:
        return KEPT;
    case ALL_LOST:
    case DISK_NAMES_KEPT:
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

/* How many of a folder's pending names are there. */
static size_t names_left(const disk *d, int list, const choice *c)
{
    const size_t total = d->pending_count[list];
    size_t before_cut = 0;
    while (before_cut < total && d->pending[list][before_cut] < c->cut)
        before_cut++;
    switch (c->variant) {
    case ALL_KEPT:
    case DISK_NAMES_KEPT:
        return total;
    case ALL_LOST:
    case DISK_CONTENT_KEPT:
        return 0;
    case CUT_OFF:
        return before_cut;
    default:
        return rng_below(c->r, total + 1);
    }
}

/* Sector by sector old, new or, if garbled, noise; the file may have grown all the same. */
static void write_torn(bytes *b, const disk_trace *t, const disk_op *op, bool garbled, rng *r)
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

static void leave_content(bytes *out, const disk *d, int file, const choice *c)
{
    bytes_put(out, d->content[file].data, d->content[file].size);
    for (size_t i = 0; i < d->pending_count[file]; i++) {
        const disk_op *op = &d->trace->ops[d->pending[file][i]];
        const fate f = choose(c, d->pending[file][i], file);
        if (f == LOST)
            continue;
        if (op->kind == DISK_WRITE && f != KEPT)
            write_torn(out, d->trace, op, f == GARBLED, c->r);
        else
            apply_content(out, d->trace, op);
    }
    ck_assert(!out->failed);
}

static choice make_choice(const disk *d, int variant, rng *r)
{
    const int files = d->trace->file_count;
    choice c = {.variant = variant, .r = r, .file = (int)rng_below(r, (uint64_t)files)};
    size_t total = 0;
    for (int i = 0; i < files; i++)
        total += d->pending_count[i];
    size_t at = rng_below(r, total ? total : 1);
    for (int i = 0; i < files; i++) {
        if (at < d->pending_count[i]) {
            ck_assert_ptr_nonnull(d->pending[i]);
            c.cut = d->pending[i][at];
            break;
        }
        at -= d->pending_count[i];
    }
    return c;
}

/* The image that the files under these names make; a folder comes before what is in it, as it
 * got its name first. What lies in a folder that is not there is gone with it. */
static void put_together(disk_image *out, const disk *d, const int *file, const choice *c)
{
    const disk_trace *t = d->trace;
    *out = (disk_image){0};
    for (int i = 1; i < t->name_count; i++) {
        const int folder = t->names[i].folder;
        if (file[i] < 0 || (folder > 0 && !disk_image_find(out, t->names[folder].text)))
            continue;
        const bool is_folder = t->kinds[file[i]] == DISK_FOLDER;
        disk_file *f = disk_image_add(out, t->names[i].text, is_folder);
        if (!is_folder)
            leave_content(&f->content, d, file[i], c);
    }
}

void disk_image_left(disk_image *out, const disk *d, int variant, rng *r)
{
    const disk_trace *t = d->trace;
    const choice c = make_choice(d, variant, r);
    int *file = malloc((size_t)t->name_count * sizeof *file);
    bool *done = malloc(t->count + 1);
    ck_assert(file != NULL && done != NULL);
    memcpy(file, d->file, (size_t)t->name_count * sizeof *file);
    memcpy(done, d->done, t->count + 1);
    for (int list = 0; list < t->file_count; list++) {
        if (t->kinds[list] != DISK_FOLDER)
            continue;
        const size_t left = names_left(d, list, &c);
        if (left > 0)
            apply_names_to(file, done, d, list, d->pending[list][left - 1]);
    }
    put_together(out, d, file, &c);
    free(done);
    free(file);
}

/* ---- the record is whole ---- */

void disk_trace_end(disk_trace *t)
{
    disk_calls_watch(NULL);
    ck_assert_msg(!t->unseen, "something was not recorded: %s", t->unseen);
    ck_assert_msg(!t->data.failed, "no memory for a trace");
    disk d;
    disk_image said, there;
    rng r = rng_from_key(0);
    disk_init(&d, t);
    disk_walk(&d, t->count);
    disk_image_left(&said, &d, ALL_KEPT, &r);
    disk_image_take(&there, t->root);
    ck_assert_uint_eq(said.count, there.count);
    for (size_t i = 0; i < there.count; i++) {
        const disk_file *b = &there.files[i], *a = disk_image_find(&said, b->name);
        ck_assert_msg(a != NULL && a->content.size == b->content.size &&
                          (b->content.size == 0 ||
                           memcmp(a->content.data, b->content.data, b->content.size) == 0),
                      "%s was written in a way that was not recorded", b->name);
    }
    disk_image_dispose(&said);
    disk_image_dispose(&there);
    disk_dispose(&d);
}
