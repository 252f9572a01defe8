/*
 * Overmaps of several contents side by side, by step, through the public API: near the origin,
 * and where contents with gradients have most cities, and nothing but sea. Prints a table or
 * JSON; `tools/bench --contents` finds the contents, builds and runs it.
 *
 * Each figure is the least of the runs, which take the contents in turn: what else the machine
 * does only adds to it. The first overmap of a file, which makes the world ready and brings the
 * names, is not counted.
 */
#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENTS_MAX = 8, DIRECTORIES_MAX = 4, PLACES = 3, ROWS = PTL_STEPS_MAX + 6 };

typedef struct place {
    const char *key, *text;
    int32_t x, y, width, height; /* chunks */
} place;

static const place places[PLACES] = {
    {"near", "near the origin, x = -4 .. 3", -4, -4, 8, 8},
    {"cities", "x = 8, 9: where there are gradients, most cities", 8, -4, 2, 8},
    {"sea", "x = 20, 21: where there are gradients, all sea", 20, -4, 2, 8},
};

typedef struct content {
    const char *name;
    const char *directories[DIRECTORIES_MAX];
    size_t directory_count;
    char base[BENCH_PATH_SIZE];
    double least[PLACES][ROWS]; /* below 0: not measured */
} content;

typedef struct bench {
    const char *folder;
    int32_t runs, sides; /* sides: of a place at most so many chunks */
    bool json;
    content contents[CONTENTS_MAX];
    size_t content_count;
} bench;

/* Rows behind the steps. */
enum { ROW_ENCODE, ROW_WRITE, ROW_WALL, ROW_CPU, ROW_BYTES, MORE_ROWS };

static size_t row_count(void)
{
    return ptl_step_count() + MORE_ROWS;
}

static const char *row_name(size_t row)
{
    static const char *const more[] = {"(encode)", "(write and commit)", "(all, by the clock)",
                                       "(all, processor time)", "kB of the file"};
    return row < ptl_step_count() ? ptl_step_name(row) : more[row - ptl_step_count()];
}

static const place *listed; /* whose chunks are numbered */

static ptl_chunk_pos position(int32_t i)
{
    return (ptl_chunk_pos){listed->x + i % listed->width, listed->y + i / listed->width};
}

static void note(content *c, size_t at, size_t row, double value)
{
    double *least = &c->least[at][row];
    if (*least < 0 || value < *least)
        *least = value;
}

static void measure(const bench *b, content *c, size_t at)
{
    place p = places[at];
    char path[BENCH_PATH_SIZE];
    p.height = p.height < b->sides ? p.height : b->sides;
    p.width = p.width < b->sides ? p.width : b->sides;
    const int32_t count = p.width * p.height - 1;
    listed = &p;
    bench_path(path, b->folder, "contents.db");
    bench_copy_file(c->base, path);
    ptl_store *store = bench_open_store(path);
    ptl_world *world = bench_open_world(store);
    bench_generate_at(world, position, 0, 1, 1);
    const double size = bench_file_size(path);
    const double start = bench_seconds(), before = bench_cpu_seconds();
    const ptl_generate_report r = bench_generate_at(world, position, 1, count, 1);
    const double each = 1000.0 / count;
    const size_t steps = ptl_step_count();
    note(c, at, steps + ROW_CPU, each * (bench_cpu_seconds() - before));
    note(c, at, steps + ROW_WALL, each * (bench_seconds() - start));
    for (size_t i = 0; i < steps; i++)
        note(c, at, i, each * r.step_seconds[i]);
    note(c, at, steps + ROW_ENCODE, each * r.encode_seconds);
    note(c, at, steps + ROW_WRITE, each * r.write_seconds);
    note(c, at, steps + ROW_BYTES, (bench_file_size(path) - size) / 1000 / count);
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(path);
}

static void make_base(const bench *b, content *c)
{
    ptl_error err = {0};
    ptl_import_options import = PTL_IMPORT_OPTIONS_INIT;
    ptl_world_options world = PTL_WORLD_OPTIONS_INIT; /* the rule of the content's game */
    char name[64];
    import.directories = c->directories;
    import.directory_count = c->directory_count;
    snprintf(name, sizeof name, "base-%zu.db", (size_t)(c - b->contents));
    bench_path(c->base, b->folder, name);
    ptl_store *store = bench_open_store(c->base);
    if (ptl_import(store, &import, NULL, &err) != PTL_OK)
        bench_die(c->name, &err);
    ptl_store_close(store);
    world.seed = 4711;
    bench_create_world(c->base, &world);
    for (size_t at = 0; at < PLACES; at++)
        for (size_t row = 0; row < ROWS; row++)
            c->least[at][row] = -1;
}

/* ---- printing ---- */

static void print_table(const bench *b)
{
    printf("Portolan %s, ms an overmap, least of %d runs\n", ptl_version(), (int)b->runs);
    for (size_t at = 0; at < PLACES; at++) {
        printf("\n%-50s", places[at].text);
        for (size_t i = 0; i < b->content_count; i++)
            printf(" %12s", b->contents[i].name);
        putchar('\n');
        for (size_t row = 0; row < row_count(); row++) {
            printf("  %-48s", row_name(row));
            for (size_t i = 0; i < b->content_count; i++)
                printf(" %12.3f", b->contents[i].least[at][row]);
            putchar('\n');
        }
    }
}

static void print_json(const bench *b)
{
    printf("{\n  \"version\": \"%s\",\n  \"runs\": %d,\n  \"contents\": {", ptl_version(),
           (int)b->runs);
    for (size_t i = 0; i < b->content_count; i++) {
        printf("%s\n    \"%s\": {", i ? "," : "", b->contents[i].name);
        for (size_t at = 0; at < PLACES; at++) {
            printf("%s\n      \"%s\": {", at ? "," : "", places[at].key);
            for (size_t row = 0; row < row_count(); row++)
                printf("%s\"%s\": %.6g", row ? ", " : "", row_name(row),
                       b->contents[i].least[at][row]);
            printf("}");
        }
        printf("\n    }");
    }
    printf("\n  }\n}\n");
}

/* ---- the command line ---- */

static void usage(int code)
{
    fputs("portolan-bench-contents --folder DIR [--json] [--runs N] [--quick] "
          "NAME=DIR[,DIR...]...\n",
          code ? stderr : stdout);
    exit(code);
}

/* Takes NAME=DIR,DIR apart, in place. */
static void add_content(bench *b, char *text)
{
    char *at = strchr(text, '=');
    if (!at || strpbrk(text, "\"\\") || b->content_count == CONTENTS_MAX)
        usage(2);
    content *c = &b->contents[b->content_count++];
    *c = (content){.name = text};
    *at = '\0';
    for (char *d = strtok(at + 1, ","); d; d = strtok(NULL, ",")) {
        if (c->directory_count == DIRECTORIES_MAX)
            usage(2);
        c->directories[c->directory_count++] = d;
    }
}

static void read_options(bench *b, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            b->json = true;
        else if (strcmp(argv[i], "--quick") == 0)
            b->runs = b->sides = 2;
        else if (strcmp(argv[i], "--runs") == 0)
            b->runs = bench_number(argv[i], bench_value(argc, argv, &i), 1, 1000);
        else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc)
            b->folder = argv[++i];
        else if (argv[i][0] != '-')
            add_content(b, argv[i]);
        else
            usage(strcmp(argv[i], "--help") != 0 ? 2 : 0);
    }
    if (!b->folder || b->content_count == 0)
        usage(2);
}

int main(int argc, char **argv)
{
    static bench b = {.runs = 7, .sides = 8};
    read_options(&b, argc, argv);
    for (size_t i = 0; i < b.content_count; i++)
        make_base(&b, &b.contents[i]);
    for (int32_t run = 0; run < b.runs; run++)
        for (size_t i = 0; i < b.content_count; i++)
            for (size_t at = 0; at < PLACES; at++) {
                bench_tell(b.contents[i].name);
                measure(&b, &b.contents[i], at);
            }
    for (size_t i = 0; i < b.content_count; i++)
        bench_remove_file(b.contents[i].base);
    bench_tell("");
    if (b.json)
        print_json(&b);
    else
        print_table(&b);
    return 0;
}
