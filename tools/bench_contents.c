/*
 * Several contents side by side, through the public API: their import, their catalogue, and
 * overmaps by step: near the origin, and where contents with gradients have most cities, a
 * coast and nothing but sea. Prints a table or JSON; `tools/bench --contents` finds the
 * contents, builds and runs it.
 *
 * Each figure is the least of the runs, which take the contents in turn: what else the machine
 * does only adds to it. The first overmap of a file, which makes the world ready and brings the
 * names, is not counted; where bytes are what matters, a square of them. Bytes of an overmap
 * near the origin have lines of their own, with their limit.
 */
#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENTS_MAX = 8, DIRECTORIES_MAX = 4, PLACES = 5, ROWS = PTL_STEPS_MAX + 8 };

typedef struct place {
    const char *key, *text;
    int32_t x, y, width, height; /* chunks */
    bool behind;                 /* the square beside it to the north is there already */
} place;

static const place places[PLACES] = {
    {"near", "near the origin, x and y = -4 .. 3", -4, -4, 8, 8, false},
    {"behind", "beside those 64, y = 4 .. 11", -4, 4, 8, 8, true},
    {"cities", "x = 7 .. 9, y = 2 .. 7: most cities", 7, 2, 3, 6, false},
    {"coast", "x = 12, 13: a coast, if any", 12, 2, 2, 8, false},
    {"sea", "x = 20, 21: all sea, if any", 20, -4, 2, 8, false},
};

/* Figures of a content itself. */
enum {
    IMPORT_WALL,
    IMPORT_CPU,
    CATALOGUE_WALL,
    CATALOGUE_CPU,
    READY_CPU,
    BASE_SIZE,
    /* By how much the file grows for an overmap, all of it: by the 256 around the origin that
     * are the world's first, with all names; by the 64 in their middle when 64 others are
     * there. */
    BYTES_AROUND,
    BYTES_STEADY,
    HEADS
};

static const char *const heads[HEADS] = {"import, by the clock",
                                         "import, processor time",
                                         "catalogue, by the clock",
                                         "catalogue, processor time",
                                         "made ready to generate",
                                         "kB of the file with content alone",
                                         "kB an overmap, x and y = -8 .. 7, all growth",
                                         "kB an overmap, x and y = -4 .. 3, after 64 others"};

enum { BYTES_LIMIT = 40 }; /* kB an overmap; 0.F has one of its own, in tools/bench */

typedef struct content {
    const char *name;
    const char *directories[DIRECTORIES_MAX];
    size_t directory_count;
    char base[BENCH_PATH_SIZE];
    double head[HEADS], least[PLACES][ROWS]; /* below 0: not measured */
} content;

typedef struct bench {
    const char *folder;
    int32_t runs, sides; /* sides: of a place at most so many chunks */
    bool json;
    content contents[CONTENTS_MAX];
    size_t content_count;
} bench;

/* Rows behind the steps. */
enum { ROW_ENCODE, ROW_WRITE, ROW_WALL, ROW_CPU, ROW_BYTES, ROW_CITIES, ROW_TILES, MORE_ROWS };

static size_t row_count(void)
{
    return ptl_step_count() + MORE_ROWS;
}

static const char *row_name(size_t row)
{
    static const char *const more[] = {"(encode)",
                                       "(write and commit)",
                                       "(all, by the clock)",
                                       "(all, processor time)",
                                       "kB of the file",
                                       "cities",
                                       "tiles of growths"};
    return row < ptl_step_count() ? ptl_step_name(row) : more[row - ptl_step_count()];
}

static const place *listed; /* whose chunks are numbered */

static ptl_chunk_pos position(int32_t i)
{
    return (ptl_chunk_pos){listed->x + i % listed->width, listed->y + i / listed->width};
}

static void note(double *least, double value)
{
    if (*least < 0 || value < *least)
        *least = value;
}

/* ---- overmaps ---- */

static bool keep_number(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    (void)columns;
    (void)names;
    *(double *)payload = (double)values[0].integer;
    return true;
}

/* Returns how many the file has. */
static double count(ptl_store *store, const char *sql)
{
    ptl_error err = {0};
    double out = 0;
    const ptl_query_options options = {
        .size = sizeof options, .on_row = keep_number, .payload = &out};
    if (ptl_query(store, sql, &options, &err) != PTL_OK)
        bench_die(sql, &err);
    return out;
}

static void measure_chunks(content *c, size_t at, ptl_store *store, ptl_world *world,
                           const char *path)
{
    static const char cities[] = "SELECT count(*) FROM city";
    static const char tiles[] = "SELECT count(*) FROM piece";
    const int32_t chunks = listed->width * listed->height - 1;
    const double size = bench_file_size(path);
    const double had_cities = count(store, cities), had_tiles = count(store, tiles);
    const double start = bench_seconds(), before = bench_cpu_seconds();
    const ptl_generate_report r = bench_generate_at(world, position, 1, chunks, 1);
    const double cpu = bench_cpu_seconds() - before, wall = bench_seconds() - start;
    const double each = 1000.0 / chunks;
    const size_t steps = ptl_step_count();
    double *least = c->least[at];
    for (size_t i = 0; i < steps; i++)
        note(&least[i], each * r.step_seconds[i]);
    note(&least[steps + ROW_ENCODE], each * r.encode_seconds);
    note(&least[steps + ROW_WRITE], each * r.write_seconds);
    note(&least[steps + ROW_WALL], each * wall);
    note(&least[steps + ROW_CPU], each * cpu);
    note(&least[steps + ROW_BYTES], (bench_file_size(path) - size) / 1000 / chunks);
    note(&least[steps + ROW_CITIES], (count(store, cities) - had_cities) / chunks);
    note(&least[steps + ROW_TILES], (count(store, tiles) - had_tiles) / chunks);
}

static void measure_place(const bench *b, content *c, size_t at)
{
    place p = places[at];
    char path[BENCH_PATH_SIZE];
    p.height = p.height < b->sides ? p.height : b->sides;
    p.width = p.width < b->sides ? p.width : b->sides;
    place before = p;
    before.y -= p.height;
    bench_path(path, b->folder, "contents.db");
    bench_copy_file(c->base, path);
    ptl_store *store = bench_open_store(path);
    ptl_world *world = bench_open_world(store);
    listed = &before;
    if (p.behind)
        bench_generate_at(world, position, 0, p.width * p.height, 1);
    listed = &p;
    bench_generate_at(world, position, 0, 1, 1);
    measure_chunks(c, at, store, world, path);
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(path);
}

/* The square of chunks around the origin, and that to its south. */
static place square(int32_t side, bool south)
{
    return (place){
        .x = -side / 2, .y = -side / 2 + (south ? side : 0), .width = side, .height = side};
}

/* Returns the kB that the file grew by for each chunk of p. */
static double growth(const char *path, const place *p)
{
    const double before = bench_file_size(path);
    const int32_t chunks = p->width * p->height;
    ptl_store *store = bench_open_store(path);
    ptl_world *world = bench_open_world(store);
    listed = p;
    bench_generate_at(world, position, 0, chunks, 1);
    ptl_world_close(world);
    ptl_store_close(store);
    return (bench_file_size(path) - before) / 1000 / chunks;
}

/* The same in each run: once is enough. */
static void measure_bytes(const bench *b, content *c)
{
    const place around = square(2 * b->sides, false), middle = square(b->sides, false),
                south = square(b->sides, true);
    char path[BENCH_PATH_SIZE];
    bench_path(path, b->folder, "contents.db");
    bench_copy_file(c->base, path);
    note(&c->head[BYTES_AROUND], growth(path, &around));
    bench_copy_file(c->base, path);
    growth(path, &south);
    note(&c->head[BYTES_STEADY], growth(path, &middle));
    bench_remove_file(path);
}

/* ---- contents themselves ---- */

static void import_content(const content *c, const char *path)
{
    ptl_error err = {0};
    ptl_import_options import = PTL_IMPORT_OPTIONS_INIT;
    import.directories = c->directories;
    import.directory_count = c->directory_count;
    ptl_store *store = bench_open_store(path);
    if (ptl_import(NULL, store, &import, &err) != PTL_OK)
        bench_die(c->name, &err);
    ptl_store_close(store);
}

static void measure_import(const bench *b, content *c)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, b->folder, "import.db");
    const double start = bench_seconds(), before = bench_cpu_seconds();
    import_content(c, path);
    note(&c->head[IMPORT_CPU], 1000 * (bench_cpu_seconds() - before));
    note(&c->head[IMPORT_WALL], 1000 * (bench_seconds() - start));
    note(&c->head[BASE_SIZE], bench_file_size(path) / 1000);
    bench_remove_file(path);
}

/* A world's opening is its catalogue's: what else it reads is a row. The first chunk makes it
 * ready to generate, and is generated. */
static void measure_catalogue(const bench *b, content *c)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, b->folder, "contents.db");
    bench_copy_file(c->base, path);
    ptl_store *store = bench_open_store(path);
    const double start = bench_seconds(), before = bench_cpu_seconds();
    ptl_world *world = bench_open_world(store);
    const double opened = bench_cpu_seconds();
    note(&c->head[CATALOGUE_CPU], 1000 * (opened - before));
    note(&c->head[CATALOGUE_WALL], 1000 * (bench_seconds() - start));
    listed = &places[0];
    bench_generate_at(world, position, 0, 1, 1);
    note(&c->head[READY_CPU], 1000 * (bench_cpu_seconds() - opened));
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(path);
}

static void make_base(const bench *b, content *c)
{
    ptl_world_options world = PTL_WORLD_OPTIONS_INIT; /* the rule of the content's game */
    char name[64];
    snprintf(name, sizeof name, "base-%zu.db", (size_t)(c - b->contents));
    bench_path(c->base, b->folder, name);
    import_content(c, c->base);
    world.seed = 4711;
    bench_create_world(c->base, &world);
    for (size_t i = 0; i < HEADS; i++)
        c->head[i] = -1;
    for (size_t at = 0; at < PLACES; at++)
        for (size_t row = 0; row < ROWS; row++)
            c->least[at][row] = -1;
}

/* ---- printing ---- */

static double limit_of(size_t head)
{
    return head == BYTES_AROUND || head == BYTES_STEADY ? BYTES_LIMIT : 0;
}

static bool is_within(const content *c, size_t head)
{
    char what[160];
    snprintf(what, sizeof what, "%s, %s", c->name, heads[head]);
    return bench_within(what, "", c->head[head], limit_of(head), false);
}

static void print_table(const bench *b)
{
    printf("Portolan %s, least of %d runs\n\n%-50s", ptl_version(), (int)b->runs, "ms: once");
    for (size_t i = 0; i < b->content_count; i++)
        printf(" %12s", b->contents[i].name);
    putchar('\n');
    for (size_t head = 0; head < HEADS; head++) {
        printf("  %-48s", heads[head]);
        for (size_t i = 0; i < b->content_count; i++) {
            const bool within = is_within(&b->contents[i], head);
            printf(" %11.1f%c", b->contents[i].head[head], within ? ' ' : '!');
        }
        if (limit_of(head) > 0)
            printf("  limit %.0f", limit_of(head));
        putchar('\n');
    }
    printf("\nms an overmap\n");
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
        printf("%s\n    \"%s\": {\n      \"once\": {", i ? "," : "", b->contents[i].name);
        for (size_t head = 0; head < HEADS; head++) {
            (void)is_within(&b->contents[i], head);
            printf("%s\"%s\": %.6g", head ? ", " : "", heads[head], b->contents[i].head[head]);
        }
        printf("}");
        for (size_t at = 0; at < PLACES; at++) {
            printf(",\n      \"%s\": {", places[at].key);
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
        for (size_t i = 0; i < b.content_count; i++) {
            bench_tell(b.contents[i].name);
            measure_import(&b, &b.contents[i]);
            measure_catalogue(&b, &b.contents[i]);
            if (run == 0)
                measure_bytes(&b, &b.contents[i]);
            for (size_t at = 0; at < PLACES; at++)
                measure_place(&b, &b.contents[i], at);
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
