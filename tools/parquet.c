/*
 * Writes a part of a world file as Parquet, or into a database of DuckDB: a stream of columns
 * (portolan/arrow.h), which DuckDB's C library reads. `tools/parquet` builds and runs this
 * program, and finds the library. It is opened at run time, so nothing of it is needed to
 * build this.
 */
#include <portolan/portolan.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is used of DuckDB's C interface (its header, version 1). */
typedef struct duckdb_result {
    uint64_t numbers[3];
    void *columns;
    char *message;
    void *data;
} duckdb_result;

typedef struct duckdb {
    void *database, *connection;
    int (*open)(const char *path, void **database);
    int (*connect)(void *database, void **connection);
    int (*query)(void *connection, const char *sql, duckdb_result *out);
    const char *(*result_error)(duckdb_result *result);
    void (*destroy_result)(duckdb_result *result);
    int (*arrow_scan)(void *connection, const char *view, struct ArrowArrayStream *stream);
    void (*disconnect)(void **connection);
    void (*close)(void **database);
} duckdb;

typedef struct job {
    const char *library, *file, *what, *out, *of;
    ptl_arrow_options options;
} job;

_Noreturn static void die(const char *what, const char *why)
{
    fprintf(stderr, "portolan-parquet: %s: %s\n", what, why);
    exit(1);
}

static void check(ptl_status status, const char *what, const ptl_error *err)
{
    if (status != PTL_OK)
        die(what, err->message);
}

/* ---- DuckDB ---- */

static void load(duckdb *d, const char *library)
{
    void *const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    const struct {
        void *function;
        const char *name;
    } wanted[] = {{&d->open, "duckdb_open"},
                  {&d->connect, "duckdb_connect"},
                  {&d->query, "duckdb_query"},
                  {&d->result_error, "duckdb_result_error"},
                  {&d->destroy_result, "duckdb_destroy_result"},
                  {&d->arrow_scan, "duckdb_arrow_scan"},
                  {&d->disconnect, "duckdb_disconnect"},
                  {&d->close, "duckdb_close"}};
    if (!opened)
        die(library, dlerror());
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *const found = dlsym(opened, wanted[i].name);
        if (!found)
            die(library, dlerror());
        memcpy(wanted[i].function, &found, sizeof found);
    }
    if (d->open(NULL, &d->database) != 0 || d->connect(d->database, &d->connection) != 0)
        die(library, "no database could be opened");
}

/* Runs the SQL that consists of these three texts; the second one is a path, which is put
 * between quotation marks. If that fails, the file `part` goes, and the program ends. */
static void run(const duckdb *d, const char *begin, const char *path, const char *end,
                const char *part)
{
    char sql[10000];
    duckdb_result result = {{0}, NULL, NULL, NULL};
    size_t used = (size_t)snprintf(sql, sizeof sql, "%s", begin);
    for (; *path && used + 200 < sizeof sql; path++) {
        if (*path == '\'')
            sql[used++] = *path;
        sql[used++] = *path;
    }
    if (*path)
        die("OUT", "its name is too long");
    snprintf(sql + used, sizeof sql - used, "%s", end);
    if (d->query(d->connection, sql, &result) != 0) {
        remove(part);
        die("DuckDB", d->result_error(&result));
    }
    d->destroy_result(&result);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), tail = strlen(end);
    return size >= tail && strcmp(text + size - tail, end) == 0;
}

/* DuckDB reads the stream once, with all of its columns and rows: a SELECT that leaves some out
 * must not be asked of the stream itself. */
static void write_parquet(const duckdb *d, const char *out)
{
    char part[5000];
    if ((size_t)snprintf(part, sizeof part, "%s.part", out) >= sizeof part)
        die("OUT", "its name is too long");
    run(d, "COPY (SELECT * FROM stream) TO '", part, "' (FORMAT parquet, COMPRESSION zstd)",
        part);
    if (rename(part, out) != 0)
        die(out, strerror(errno));
}

static void write_table(const duckdb *d, const char *out, const char *table)
{
    char create[200];
    snprintf(create, sizeof create, "CREATE TABLE place.%s AS SELECT * FROM stream", table);
    run(d, "ATTACH '", out, "' AS place", "");
    run(d, create, "", "", "");
}

/* ---- Portolan ---- */

static bool is_table(const char *name)
{
    const char *table;
    for (size_t i = 0; (table = ptl_arrow_table_name(i)) != NULL; i++)
        if (strcmp(name, table) == 0)
            return true;
    return false;
}

static void convert(const job *j)
{
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_READ};
    const bool omts = strcmp(j->what, "omt") == 0, table = is_table(j->what);
    duckdb d = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    struct ArrowArrayStream stream;
    ptl_error err = {0};
    ptl_store *store;
    ptl_world *world = NULL;
    load(&d, j->library);
    check(ptl_store_open(&store, j->file, &open, &err), j->file, &err);
    if (omts) {
        check(ptl_world_open(&world, store, j->of, NULL, &err), j->file, &err);
        check(ptl_arrow_omt_stream(&stream, world, &j->options, &err), j->what, &err);
    } else if (table) {
        check(ptl_arrow_table_stream(&stream, store, j->what, j->of, &j->options, &err),
              j->what, &err);
    } else {
        check(ptl_arrow_query_stream(&stream, store, j->what, NULL, &j->options, &err),
              "the query", &err);
    }
    if (d.arrow_scan(d.connection, "stream", &stream) != 0)
        die("DuckDB", "it did not take the stream");
    if (ends_with(j->out, ".duckdb"))
        write_table(&d, j->out, omts || table ? j->what : "result");
    else
        write_parquet(&d, j->out);
    if (stream.release)
        stream.release(&stream);
    d.disconnect(&d.connection);
    d.close(&d.database);
    ptl_world_close(world);
    ptl_store_close(store);
}

_Noreturn static void usage(FILE *to)
{
    fputs(
        "tools/parquet FILE WHAT OUT [--of NAME] [--chunks X,Y,X,Y] [--levels A..B]\n"
        "\n"
        "FILE is a world file, OUT a name that ends with .parquet or .duckdb. WHAT is omt (all "
        "OMTs\nof a world), a query in quotation marks, or one of these tables:\n ",
        to);
    const char *table;
    for (size_t i = 0; (table = ptl_arrow_table_name(i)) != NULL; i++)
        fprintf(to, " %s", table);
    fputs("\nNAME is the world or sweep; omt needs it. Chunks and levels are both included.\n",
          to);
    exit(to == stdout ? 0 : 2);
}

/* Reads whole numbers with a text between them. Returns false if the text is something else. */
static bool read_numbers(const char *text, int32_t *const *out, size_t count,
                         const char *between)
{
    for (size_t i = 0; i < count; i++) {
        char *end;
        const long value = strtol(text, &end, 10);
        const size_t gap = i + 1 < count ? strlen(between) : 0;
        if (end == text || value < INT32_MIN || value > INT32_MAX ||
            strncmp(end, between, gap) != 0)
            return false;
        *out[i] = (int32_t)value;
        text = end + gap;
    }
    return *text == '\0';
}

static void read_option(job *j, const char *option, const char *value)
{
    ptl_arrow_options *o = &j->options;
    int32_t *const corners[] = {&o->first.x, &o->first.y, &o->last.x, &o->last.y};
    int32_t *const levels[] = {&o->z_min, &o->z_max};
    bool known = true;
    if (strcmp(option, "--library") == 0)
        j->library = value;
    else if (strcmp(option, "--of") == 0)
        j->of = value;
    else if (strcmp(option, "--chunks") == 0)
        known = read_numbers(value, corners, 4, ",");
    else
        known = strcmp(option, "--levels") == 0 && read_numbers(value, levels, 2, "..");
    if (!known)
        usage(stderr);
}

int main(int argc, char **argv)
{
    job j = {.library = "libduckdb.so", .options = PTL_ARROW_OPTIONS_INIT};
    const char **const plain[] = {&j.file, &j.what, &j.out};
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            usage(stdout);
        if (strncmp(argv[i], "--", 2) == 0 && i + 1 < argc) {
            read_option(&j, argv[i], argv[i + 1]);
            i++;
        } else if (count < 3) {
            *plain[count++] = argv[i];
        } else {
            usage(stderr);
        }
    }
    if (count != 3 || (!j.of && strcmp(j.what, "omt") == 0) ||
        (!ends_with(j.out, ".parquet") && !ends_with(j.out, ".duckdb")))
        usage(stderr);
    convert(&j);
    return 0;
}
