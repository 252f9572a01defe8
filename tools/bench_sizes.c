#include "bench_sizes.h"

#include "bench_common.h"
#include "store/sqlite/connection/stmt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zdict.h>
#include <zstd.h>

enum { DICTIONARY_SIZE = 32 << 10, TABLES_MAX = 256 };

/* ---- tables ---- */

typedef struct table_size {
    char name[64];
    double bytes, unused;
} table_size;

typedef struct size_list {
    table_size tables[TABLES_MAX];
    size_t count;
} size_list;

static table_size *find_table(size_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->tables[i].name, name) == 0)
            return &list->tables[i];
    if (list->count == TABLES_MAX)
        bench_die("too many tables", NULL);
    table_size *t = &list->tables[list->count++];
    *t = (table_size){.bytes = 0};
    snprintf(t->name, sizeof t->name, "%s", name);
    return t;
}

/* Adds what the file's tables have, times sign. */
static void add_tables(size_list *list, const char *path, double sign)
{
    static const char sql[] = "SELECT name, sum(pgsize), sum(unused) FROM dbstat GROUP BY name";
    ptl_error err = {0};
    ptl_store *store = bench_open_store(path);
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, store, sql, &err);
    while (status == PTL_OK && (status = stmt_step(s, &row, &err)) == PTL_OK && row) {
        table_size *t = find_table(list, stmt_text(s, 0));
        t->bytes += sign * stmt_double(s, 1);
        t->unused += sign * stmt_double(s, 2);
    }
    if (status != PTL_OK)
        bench_die("sizes of tables (does this SQLite have dbstat?)", &err);
    stmt_free(s);
    ptl_store_close(store);
}

static int largest_first(const void *a, const void *b)
{
    const table_size *x = a, *y = b;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

void sizes_of_tables(const char *base, const char *path, int32_t chunks)
{
    static size_list list;
    double bytes = 0, unused = 0;
    list.count = 0;
    add_tables(&list, path, 1);
    add_tables(&list, base, -1);
    qsort(list.tables, list.count, sizeof *list.tables, largest_first);
    printf("%-36s %12s %12s\n", "tables and indexes", "bytes each", "unused");
    for (size_t i = 0; i < list.count; i++) {
        const table_size *t = &list.tables[i];
        bytes += t->bytes;
        unused += t->unused;
        if (t->bytes > 0)
            printf("%-36s %12.0f %12.0f\n", t->name, t->bytes / chunks, t->unused / chunks);
    }
    printf("%-36s %12.0f %12.0f\n\n", "all of them", bytes / chunks, unused / chunks);
}

/* ---- levels of compression ---- */

/* The streams from one on, and scratch memory. */
typedef struct trial {
    const bench_streams *streams;
    size_t first, offset; /* of the measured half */
    ZSTD_CCtx *in;
    ZSTD_DCtx *out;
    uint8_t *packed, *plain;
    size_t room;
    double share; /* of the chunks that were measured */
} trial;

typedef struct outcome {
    double bytes, in, out; /* of a chunk; ms */
} outcome;

static void pack_one(const trial *t, const uint8_t *data, size_t size, outcome *o)
{
    const double start = bench_seconds();
    const size_t packed = ZSTD_compress2(t->in, t->packed, t->room, data, size);
    o->in += bench_seconds() - start;
    if (ZSTD_isError(packed))
        bench_die(ZSTD_getErrorName(packed), NULL);
    o->bytes += (double)(packed < size ? packed : size);
    if (packed >= size)
        return; /* stored as it is */
    const double middle = bench_seconds();
    const size_t plain = ZSTD_decompressDCtx(t->out, t->plain, t->room, t->packed, packed);
    o->out += bench_seconds() - middle;
    if (plain != size)
        bench_die("zstd gave other bytes back", NULL);
}

static outcome pack_all(const trial *t)
{
    outcome o = {0};
    const uint8_t *at = t->streams->data + t->offset;
    for (size_t i = t->first; i < t->streams->count; i++) {
        pack_one(t, at, t->streams->sizes[i], &o);
        at += t->streams->sizes[i];
    }
    return (outcome){o.bytes / t->share, 1000 * o.in / t->share, 1000 * o.out / t->share};
}

static outcome try_level(trial *t, int level, const void *dictionary, size_t size)
{
    ZSTD_CCtx_reset(t->in, ZSTD_reset_session_and_parameters);
    ZSTD_DCtx_reset(t->out, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(t->in, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(t->in, ZSTD_c_dictIDFlag, 0);
    if (size > 0) {
        ZSTD_CCtx_loadDictionary(t->in, dictionary, size);
        ZSTD_DCtx_loadDictionary(t->out, dictionary, size);
    }
    return pack_all(t);
}

static void begin(trial *t, const bench_streams *streams, int32_t chunks)
{
    size_t largest = 0;
    *t = (trial){.streams = streams, .first = streams->count / 2};
    for (size_t i = 0; i < streams->count; i++) {
        t->offset += i < t->first ? streams->sizes[i] : 0;
        largest = streams->sizes[i] > largest ? streams->sizes[i] : largest;
    }
    t->share = (double)chunks * (double)(streams->count - t->first) / (double)streams->count;
    t->room = ZSTD_compressBound(largest);
    t->in = ZSTD_createCCtx();
    t->out = ZSTD_createDCtx();
    t->packed = malloc(t->room);
    t->plain = malloc(t->room);
    if (!t->in || !t->out || !t->packed || !t->plain)
        bench_die("out of memory", NULL);
}

void sizes_by_level(const bench_streams *streams, int32_t chunks)
{
    static const int levels[] = {1, 2, 3, 5, 9, 15, 19};
    trial t;
    if (streams->count < 20)
        return;
    begin(&t, streams, chunks);
    uint8_t *dictionary = malloc(DICTIONARY_SIZE);
    if (!dictionary)
        bench_die("out of memory", NULL);
    size_t size = ZDICT_trainFromBuffer(dictionary, DICTIONARY_SIZE, streams->data,
                                        streams->sizes, (unsigned)t.first);
    if (ZDICT_isError(size))
        size = 0;
    printf("Streams given to zstd: %.1f a chunk, %.1f kB, %.2f kB as stored now\n\n"
           "%-8s %12s %9s %9s   %12s %9s %9s\n",
           (double)streams->count / chunks, 1e-3 * (double)streams->total / chunks,
           1e-3 * (double)streams->packed / chunks, "level", "kB a chunk", "in, ms", "out, ms",
           "dictionary", "in, ms", "out, ms");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        const outcome a = try_level(&t, levels[i], NULL, 0);
        const outcome b = try_level(&t, levels[i], dictionary, size);
        printf("%-8d %12.2f %9.3f %9.3f   %12.2f %9.3f %9.3f\n", levels[i], a.bytes / 1000,
               a.in, a.out, size ? b.bytes / 1000 : 0, b.in, b.out);
    }
    printf("\nThe dictionary (%.0f kB) is trained on the first half of the streams, all are "
           "measured on the second.\n",
           (double)size / 1000);
    free(dictionary);
    free(t.packed);
    free(t.plain);
    ZSTD_freeCCtx(t.in);
    ZSTD_freeDCtx(t.out);
}
