/*
 * What a game pays that lives in a world file, through the public API: a save of all that
 * happened in a while beside the smallest save, a level with edits beside one without, a walk
 * into new land with a thread that makes it, the bytes of marks, and what a world without edits
 * costs beside an older command. Prints a table or JSON; `tools/bench --game` builds and runs
 * it.
 *
 * What is compared is measured in turns, so that the disk and the other programs of the machine
 * weigh on both. Instructions are counted by valgrind, for the command with --against COMMAND
 * and for that of this build: those of many overmaps less those of few, so that the start is
 * left out.
 */
#include "bench_common.h"
#include "bench_explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SIGHT = 15,
    VIEW = 2 * SIGHT + 1,
    SIZE = PTL_CHUNK_SIZE,
    STATE_SIZE = 100000,
    MAPS = 40, /* local maps that are edited in turn */
    EDITED_CELLS = 1000,
    MARKED_SIDE = 20,  /* chunks along each side of the land with marks */
    SEEN_CELLS = 4237, /* cells of a level that a walk has seen */
    FEW = 8,           /* overmaps along one side, of a strip of eight */
    MANY = 40
};

typedef enum figure_id {
    SAVE_LEAST,
    SAVE,
    SAVE_RATIO,
    SAVE_LEAST_WAL,
    SAVE_WAL,
    SAVE_RATIO_WAL,
    SAVE_FILLED,
    LEVEL_PLAIN,
    LEVEL_EDITED,
    LEVEL_RATIO,
    VIEW_HALF,
    VIEW_MOST,
    VIEW_ALL,
    VIEW_WAITS,
    PREFETCH,
    MARKS,
    PLAIN_INSTRUCTIONS,
    PLAIN_BYTES,
    FIGURES
} figure_id;

typedef struct figure {
    const char *key, *text, *unit;
    double limit; /* the greatest that is wanted; below 0: none */
} figure;

static const figure figures[FIGURES] = {
    [SAVE_LEAST] = {"save_least_ms", "the smallest save: one fact of a byte", "ms", -1},
    [SAVE] = {"save_ms", "a save of a map, what is seen, a note, 100 kB of state", "ms", -1},
    [SAVE_RATIO] = {"save_ratio", "that, divided by the smallest save", "times", 1.5},
    [SAVE_LEAST_WAL] = {"save_least_wal_ms", "the smallest save, write-ahead log", "ms", -1},
    [SAVE_WAL] = {"save_wal_ms", "such a save, write-ahead log", "ms", -1},
    [SAVE_RATIO_WAL] = {"save_ratio_wal", "that, divided by the smallest save", "times", 1.5},
    [SAVE_FILLED] = {"save_filled_us", "of it, before the commit, which another thread may do",
                     "us", -1},
    [LEVEL_PLAIN] = {"level_us", "a level without edits read", "us", -1},
    [LEVEL_EDITED] = {"level_edited_us", "the same level with 1,000 edited cells", "us", -1},
    [LEVEL_RATIO] = {"level_ratio", "that, divided by the level without edits", "times", 1.25},
    [VIEW_HALF] = {"view_us", "a view of 31 x 31 on a walk into new land: half take", "us", -1},
    [VIEW_MOST] = {"view_99_us", "99 of 100 take", "us", 50},
    [VIEW_ALL] = {"view_slowest_us", "the slowest", "us", -1},
    [VIEW_WAITS] = {"view_waits", "views that waited for an overmap to be made", "", 0},
    [PREFETCH] = {"prefetch_slowest_ms", "the slowest prefetch between two steps", "ms", -1},
    [MARKS] = {"marks_bytes", "marks of a level of an overmap, in the file", "bytes", 600},
    [PLAIN_INSTRUCTIONS] = {"plain_instructions_percent",
                            "instructions an overmap without edits, more than before", "%",
                            0.3},
    [PLAIN_BYTES] = {"plain_bytes_percent", "bytes an overmap without edits, more than before",
                     "%", 0},
};

static double values[FIGURES];
static bool is_measured[FIGURES];

static void take(int id, double value)
{
    values[id] = value;
    is_measured[id] = true;
}

typedef struct bench {
    const char *folder, *content, *against; /* content: a directory; NULL: the embedded pack */
    int32_t saves, reads, steps;
    bool json, quick;
    char base[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE], program[BENCH_PATH_SIZE];
} bench;

/* ---- a save ---- */

/* The player's state as games write it, a text that differs from save to save; its size. */
static size_t write_state(char *out, uint64_t *random)
{
    size_t at = 0;
    while (at + 80 < STATE_SIZE)
        at += (size_t)snprintf(out + at, STATE_SIZE - at,
                               "{\"typeid\":\"item_%d\",\"charges\":%d,\"pos\":[%d,%d]},",
                               (int)bench_draw(random, 3000), (int)bench_draw(random, 100),
                               (int)bench_draw(random, 24), (int)bench_draw(random, 24));
    return at;
}

static void set_fact(ptl_save *save, const char *name, const void *value, size_t size)
{
    ptl_error err = {0};
    const ptl_fact_key key = {.space = "bench", .name = name, .scope = PTL_FACT_WORLD};
    bench_check(ptl_save_fact_set(save, &key, value, size, &err), "fact", &err);
}

static ptl_save *begin(ptl_world *world)
{
    ptl_save *save = NULL;
    ptl_error err = {0};
    bench_check(ptl_save_begin(&save, world, NULL, &err), "save", &err);
    return save;
}

static void commit(ptl_save *save)
{
    ptl_error err = {0};
    bench_check(ptl_save_commit(NULL, save, &err), "commit", &err);
}

static double save_least(ptl_world *world, int32_t number)
{
    const char value = (char)number;
    const double start = bench_seconds();
    ptl_save *save = begin(world);
    set_fact(save, "least", &value, 1);
    commit(save);
    return bench_seconds() - start;
}

static void mark_view(uint8_t bits[PTL_MARKS_BYTES], int64_t x, int64_t y)
{
    for (int64_t i = 0; i < VIEW * VIEW; i++) {
        const int64_t column = x - SIGHT + i % VIEW, row = y - SIGHT + i / VIEW,
                      cell = row * SIZE + column;
        if (column >= 0 && column < SIZE && row >= 0 && row < SIZE)
            bits[cell / 8] |= (uint8_t)(1u << cell % 8);
    }
}

/* A save in the middle of a game: the player went on by one OMT, and changed one tile. *filled
 * is the time before the commit. */
static double save_all(double *filled, ptl_world *world, ptl_local_map *map, const char *state,
                       size_t size, int32_t number)
{
    uint8_t bits[PTL_MARKS_BYTES] = {0};
    ptl_error err = {0};
    const int32_t x = 20 + number % 140, y = 20 + number / 140 % 140;
    const ptl_marks_key key = {.viewer = "player", .kind = PTL_MARKS_SEEN};
    const ptl_note note = {.size = sizeof note,
                           .viewer = "player",
                           .at = {x, y, 0},
                           .text = "a cellar, and somebody in it"};
    const double start = bench_seconds();
    ptl_save *save = begin(world);
    mark_view(bits, x, y);
    bench_check(ptl_local_terrain_set(map, number % 24, number / 24 % 24,
                                      number % 2 == 0 ? "t_pit" : "t_dirt"),
                "tile", NULL);
    bench_check(ptl_save_local_set(save, map, &err), "local map", &err);
    bench_check(ptl_save_marks_set(save, &key, bits, PTL_MARKS_ADD, &err), "marks", &err);
    bench_check(ptl_save_note_set(save, &note, &err), "note", &err);
    set_fact(save, "state", state, size);
    *filled = bench_seconds() - start;
    commit(save);
    return bench_seconds() - start;
}

static void measure_saves(bench *b, ptl_journal journal, int first)
{
    double *least = bench_must(malloc((size_t)b->saves * sizeof *least)),
           *all = bench_must(malloc((size_t)b->saves * sizeof *all)),
           *filled = bench_must(malloc((size_t)b->saves * sizeof *filled));
    char *state = bench_must(malloc(STATE_SIZE));
    ptl_local_map *maps[MAPS] = {NULL};
    ptl_error err = {0};
    uint64_t random = 1;
    bench_copy_file(b->base, b->path);
    bench_opened o = bench_open(b->path, PTL_WRITERS_ONE, journal);
    for (int32_t i = 0; i < MAPS; i++)
        bench_check(ptl_local_get(&maps[i], o.world, (ptl_omt){60 + i, 90, 0}, NULL, &err),
                    "map", &err);
    for (int32_t i = -10; i < b->saves; i++) { /* the first ones make rows */
        const int32_t number = i + 10;
        const size_t size = write_state(state, &random);
        double before;
        const double taken_least = save_least(o.world, number),
                     taken =
                         save_all(&before, o.world, maps[number % MAPS], state, size, number);
        if (i >= 0) {
            least[i] = 1e3 * taken_least;
            all[i] = 1e3 * taken;
            filled[i] = 1e6 * before;
        }
    }
    take(first, bench_quantile(least, b->saves, 0.5));
    take(first + 1, bench_quantile(all, b->saves, 0.5));
    take(SAVE_FILLED, bench_quantile(filled, b->saves, 0.5));
    take(first + 2, values[first + 1] / values[first]);
    for (int32_t i = 0; i < MAPS; i++)
        ptl_local_free(maps[i]);
    bench_close(&o);
    bench_remove_file(b->path);
    free(state);
    free(filled);
    free(all);
    free(least);
}

/* ---- a level ---- */

static void edit_cells(ptl_world *world)
{
    ptl_save_cell *cells = bench_must(malloc(EDITED_CELLS * sizeof *cells));
    ptl_error err = {0};
    uint64_t random = 2;
    bool is_taken[SIZE * SIZE] = {false};
    for (int32_t i = 0; i < EDITED_CELLS;) {
        const int64_t cell = bench_draw(&random, SIZE * SIZE);
        if (is_taken[cell])
            continue;
        is_taken[cell] = true;
        const char *oter = i % 2 == 0 ? "road_ns" : "road_ew";
        cells[i++] = (ptl_save_cell){{cell % SIZE, cell / SIZE, 0}, oter};
    }
    ptl_save *save = begin(world);
    bench_check(ptl_save_cells_set(save, cells, EDITED_CELLS, &err), "cells", &err);
    commit(save);
    free(cells);
}

static double read_level(ptl_world *world)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_error err = {0};
    const double start = bench_seconds();
    bench_check(ptl_level_load(cells, world, (ptl_chunk_pos){0, 0}, 0, &err), "level", &err);
    return bench_seconds() - start;
}

static void measure_level(bench *b)
{
    char edited[BENCH_PATH_SIZE];
    double *times[2];
    bench_path(edited, b->folder, "game-edited.db");
    bench_copy_file(b->base, b->path);
    bench_copy_file(b->base, edited);
    bench_opened files[2] = {bench_open(b->path, PTL_WRITERS_ONE, PTL_JOURNAL_KEEP),
                             bench_open(edited, PTL_WRITERS_ONE, PTL_JOURNAL_KEEP)};
    edit_cells(files[1].world);
    for (int i = 0; i < 2; i++)
        times[i] = bench_must(malloc((size_t)b->reads * sizeof *times[i]));
    for (int32_t n = 0; n < b->reads; n++)
        for (int i = 0; i < 2; i++)
            times[i][n] = 1e6 * read_level(files[i].world);
    for (int i = 0; i < 2; i++) {
        take(LEVEL_PLAIN + i, bench_quantile(times[i], b->reads, 0.5));
        free(times[i]);
        bench_close(&files[i]);
    }
    take(LEVEL_RATIO, values[LEVEL_EDITED] / values[LEVEL_PLAIN]);
    bench_remove_file(b->path);
    bench_remove_file(edited);
}

/* ---- marks ---- */

static int count_bits(const uint8_t bits[PTL_MARKS_BYTES])
{
    int count = 0;
    for (size_t i = 0; i < PTL_MARKS_BYTES; i++)
        for (int bit = 0; bit < 8; bit++)
            count += bits[i] >> bit & 1;
    return count;
}

/* What a walk through a chunk sees of it. */
static void see_much(uint8_t bits[PTL_MARKS_BYTES], uint64_t *random)
{
    ptl_omt at = {bench_draw(random, SIZE), bench_draw(random, SIZE), 0};
    int way = (int)bench_draw(random, 4);
    memset(bits, 0, PTL_MARKS_BYTES);
    while (count_bits(bits) < SEEN_CELLS) {
        for (int i = 0; i < 10; i++) {
            if (bench_draw(random, 8) == 0)
                way = (int)bench_draw(random, 4);
            explore_step(&at, &way, random);
            at.x = (at.x + SIZE) % SIZE;
            at.y = (at.y + SIZE) % SIZE;
            mark_view(bits, at.x, at.y);
        }
    }
}

static void measure_marks(bench *b)
{
    uint8_t bits[PTL_MARKS_BYTES];
    ptl_error err = {0};
    uint64_t random = 4;
    bench_copy_file(b->base, b->path);
    const double before = bench_file_size(b->path);
    bench_opened o = bench_open(b->path, PTL_WRITERS_ONE, PTL_JOURNAL_KEEP);
    ptl_save *save = begin(o.world);
    for (int32_t i = 0; i < MARKED_SIDE * MARKED_SIDE; i++) {
        const ptl_marks_key key = {.viewer = "player",
                                   .kind = PTL_MARKS_SEEN,
                                   .chunk = {i % MARKED_SIDE, i / MARKED_SIDE}};
        see_much(bits, &random);
        bench_check(ptl_save_marks_set(save, &key, bits, PTL_MARKS_ADD, &err), "marks", &err);
    }
    commit(save);
    bench_close(&o);
    take(MARKS, (bench_file_size(b->path) - before) / (MARKED_SIDE * MARKED_SIDE));
    bench_remove_file(b->path);
}

/* ---- a walk ---- */

static void measure_walk(const bench *b)
{
    explored e;
    explore_measure(&e, b->base, b->path, b->steps);
    take(VIEW_HALF, e.half_us);
    take(VIEW_MOST, e.most_us);
    take(VIEW_ALL, e.slowest_us);
    take(VIEW_WAITS, e.waits);
    take(PREFETCH, e.prefetch_ms);
}

/* ---- a world without edits ---- */

static void read_count(void *payload, char *line)
{
    const char *found = strstr(line, "refs:");
    double count = 0;
    if (!found)
        return;
    for (found += strlen("refs:"); *found; found++)
        if (*found >= '0' && *found <= '9')
            count = 10 * count + (*found - '0');
    *(double *)payload = count;
}

/* Instructions of making a strip of overmaps, with a new file; *size gets that of the file. */
static double count_instructions(const bench *b, const char *command, int32_t rows,
                                 double *size)
{
    char rect[40], own[BENCH_PATH_SIZE], file[BENCH_PATH_SIZE];
    double count = 0;
    snprintf(rect, sizeof rect, "0,0,%d,7", (int)rows / 8 - 1);
    snprintf(own, sizeof own, "%s", command);
    snprintf(file, sizeof file, "%s", b->path);
    char *import[] = {NULL, "import", file, "--builtin", "-q", NULL};
    char *create[] = {NULL, "new", file, "bench", "--seed", "4711", NULL};
    char *generate[] = {NULL,
                        "--tool=cachegrind",
                        "--cache-sim=no",
                        "--cachegrind-out-file=/dev/null",
                        "--log-fd=1",
                        own,
                        "generate",
                        file,
                        "--rect",
                        rect,
                        "--jobs",
                        "1",
                        "-q",
                        NULL};
    bench_run(own, import, NULL, NULL);
    bench_run(own, create, NULL, NULL);
    bench_run("/usr/bin/valgrind", generate, read_count, &count);
    if (count <= 0)
        bench_die("valgrind has counted nothing", NULL);
    *size = bench_file_size(b->path);
    bench_remove_file(b->path);
    return count;
}

static void measure_plain(bench *b)
{
    double instructions[2], bytes[2];
    char own[BENCH_PATH_SIZE + 40];
    const char *commands[] = {b->against, own};
    if (!b->against)
        return;
    (void)snprintf(own, sizeof own, "%.*s/../src/clients/cli/portolan",
                   (int)(strrchr(b->program, '/') - b->program), b->program);
    for (int i = 0; i < 2; i++) {
        double few, many;
        instructions[i] = -count_instructions(b, commands[i], FEW, &few);
        instructions[i] += count_instructions(b, commands[i], MANY, &many);
        bytes[i] = many - few;
    }
    take(PLAIN_INSTRUCTIONS, 100 * (instructions[1] / instructions[0] - 1));
    take(PLAIN_BYTES, 100 * (bytes[1] / bytes[0] - 1));
}

/* ---- the command line ---- */

static bool is_within(int id)
{
    return figures[id].limit < 0 || values[id] <= figures[id].limit;
}

static void print_table(const bench *b)
{
    printf("A game in a world file, with content %s\n\n", bench_content_name(b->content));
    for (int i = 0; i < FIGURES; i++) {
        if (!is_measured[i])
            continue;
        printf("%-58s %9.3f %-5s", figures[i].text, values[i], figures[i].unit);
        if (figures[i].limit >= 0)
            printf("  %s %g", is_within(i) ? "within" : "BEYOND", figures[i].limit);
        printf("\n");
    }
}

static void print_json(const bench *b)
{
    printf("{\"content\": \"%s\"", bench_content_name(b->content));
    for (int i = 0; i < FIGURES; i++) {
        if (!is_measured[i])
            continue;
        printf(", \"%s\": {\"value\": %.4f", figures[i].key, values[i]);
        if (figures[i].limit >= 0)
            printf(", \"limit\": %g, \"within_limit\": %s", figures[i].limit,
                   is_within(i) ? "true" : "false");
        printf("}");
    }
    printf("}\n");
}

static void read_options(bench *b, int argc, char **argv)
{
    const char *content = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            b->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            b->saves = b->reads = 20;
            b->steps = 300;
        } else if (strcmp(argv[i], "--content") == 0 && i + 1 < argc) {
            content = argv[++i];
        } else if (strcmp(argv[i], "--against") == 0 && i + 1 < argc) {
            b->against = argv[++i];
        } else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc) {
            b->folder = argv[++i];
        } else {
            const bool help = strcmp(argv[i], "--help") == 0;
            fputs(
                "portolan-bench-game [--json] [--quick] [--content builtin|dda|DIR] [--against "
                "COMMAND] [--folder DIR]\n",
                help ? stdout : stderr);
            exit(help ? 0 : 2);
        }
    }
    b->content = bench_content(content);
}

static void make_base(bench *b)
{
    bool unchanged;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    bench_path(b->base, b->folder, "game-base.db");
    bench_path(b->path, b->folder, "game.db");
    bench_remove_file(b->base);
    (void)bench_import(b->base, b->content, &unchanged);
    o.seed = 4711;
    bench_create_world(b->base, &o);
    bench_opened file = bench_open(b->base, PTL_WRITERS_ONE, PTL_JOURNAL_KEEP);
    explore_make(file.world, (ptl_chunk_pos){0, 0});
    bench_close(&file);
}

int main(int argc, char **argv)
{
    static bench b = {.folder = ".", .saves = 400, .reads = 2000, .steps = 10000};
    read_options(&b, argc, argv);
    const ssize_t size = readlink("/proc/self/exe", b.program, sizeof b.program - 1);
    if (size <= 0)
        bench_die("can't find this program's file", NULL);
    b.program[size] = '\0';
    make_base(&b);
    bench_tell(b.json ? "" : "saves");
    measure_saves(&b, PTL_JOURNAL_TRUNCATE, SAVE_LEAST);
    measure_saves(&b, PTL_JOURNAL_WAL, SAVE_LEAST_WAL);
    measure_level(&b);
    measure_marks(&b);
    bench_tell(b.json ? "" : "instructions");
    measure_plain(&b);
    bench_tell(b.json ? "" : "a walk");
    measure_walk(&b);
    bench_tell("");
    bench_remove_file(b.base);
    if (b.json)
        print_json(&b);
    else
        print_table(&b);
    return 0;
}
