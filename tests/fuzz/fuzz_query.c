/*
 * Arbitrary SQL of a user's, with limits, on a small world: it never writes, never passes the
 * limits by far, and leaves the store usable. Time is the process's own CPU time, so that a
 * loaded machine is no find.
 */
#include "fuzz/fuzz_base.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define TIME_LIMIT 0.05
#define TIME_MOST  2.0 /* sanitizers slow what runs between two looks at the clock */
enum { ROW_LIMIT = 1000, SQL_MAX = 20000, LOOK_AT_BYTES = 256 };

/*
 * SQLite is not instrumented, so that an engine would not see what a query makes it do. These
 * counters tell libFuzzer which instructions follow each other in the query's program.
 */
enum { COUNTERS = 1 << 14 };
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t followed[COUNTERS];

static ptl_store *store;
static struct stat before;
static uint64_t runs;

static void close_store(void)
{
    ptl_store_close(store);
}

static void set_up(void)
{
    const fuzz_base *base = fuzz_base_get();
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_READ};
    ptl_error err = {0};
    fuzz_expect(ptl_store_open(&store, base->path, &options, &err), &err, "the file opens");
    fuzz_check(stat(base->path, &before) == 0, "the file is there", base->path);
    atexit(close_store);
}

typedef struct result {
    uint64_t rows;
    size_t bytes;
} result;

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    result *r = payload;
    r->rows++;
    for (size_t i = 0; i < columns; i++) {
        fuzz_check(names[i] != NULL, "a column has a name", NULL);
        bool has_bytes = values[i].type == PTL_VALUE_TEXT || values[i].type == PTL_VALUE_BLOB;
        if (has_bytes && values[i].size > 0)
            r->bytes += values[i].size + (uint8_t)values[i].text[values[i].size - 1];
    }
    return true;
}

static bool on_instruction(void *payload, size_t columns, const char *const *names,
                           const ptl_value *values)
{
    uint32_t *last = payload, hash = 2166136261u;
    (void)names;
    for (size_t i = 0; columns > 1 && i < values[1].size; i++)
        hash = (hash ^ (uint8_t)values[1].text[i]) * 16777619u;
    uint8_t *counter = &followed[(*last * 31 ^ hash) % COUNTERS];
    *counter = (uint8_t)(*counter + (*counter < UINT8_MAX));
    *last = hash;
    return true;
}

/* sql has "EXPLAIN " in front. */
static void count_instructions(const char *sql)
{
    uint32_t last = 0;
    ptl_error err = {0};
    const ptl_query_options options = {
        .size = sizeof options, .row_limit = 5000, .on_row = on_instruction, .payload = &last};
    ptl_query(store, sql, &options, &err);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check_file(void)
{
    const fuzz_base *base = fuzz_base_get();
    struct stat now;
    fuzz_check(stat(base->path, &now) == 0 && now.st_size == before.st_size &&
                   now.st_mtim.tv_sec == before.st_mtim.tv_sec &&
                   now.st_mtim.tv_nsec == before.st_mtim.tv_nsec,
               "a query writes nothing", base->path);
    if (runs++ % LOOK_AT_BYTES != 0)
        return;
    size_t size;
    uint8_t *bytes = fuzz_read_file(base->path, &size);
    fuzz_check(bytes && size == base->size && memcmp(bytes, base->image, size) == 0,
               "a query changes no byte", base->path);
    free(bytes);
}

static void on_name(void *payload, const char *name)
{
    size_t *length = payload;
    *length += strlen(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char explain[] = "EXPLAIN ";
    result r = {0, 0};
    ptl_error err = {0};
    ptl_query_options options = {.size = sizeof options,
                                 .row_limit = ROW_LIMIT,
                                 .time_limit = TIME_LIMIT,
                                 .on_row = on_row,
                                 .payload = &r};
    if (!store)
        set_up();
    if (size > SQL_MAX)
        return 0;
    char *text = malloc(sizeof explain + size);
    fuzz_check(text != NULL, "memory", NULL);
    memcpy(text, explain, sizeof explain);
    char *sql = text + sizeof explain - 1;
    memcpy(sql, data, size);
    sql[size] = '\0';
    double start = cpu_seconds();
    ptl_status status = ptl_query(store, sql, &options, &err);
    fuzz_check(cpu_seconds() - start < TIME_MOST, "a query ends at its time limit", sql);
    fuzz_check(r.rows <= ROW_LIMIT, "a query ends at its row limit", sql);
    fuzz_check(status == PTL_OK || err.message[0], "an error has a message", sql);
    fuzz_check(status != PTL_ERR_INTERNAL && status != PTL_ERR_IO && status != PTL_ERR_BUSY,
               "an error is the query's fault", err.message);
    size_t length = 0;
    if (status == PTL_OK)
        ptl_query_column_list(store, sql, on_name, &length, &err);
    count_instructions(text);
    free(text);
    check_file();
    return 0;
}
