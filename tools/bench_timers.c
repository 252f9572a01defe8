#include "bench_timers.h"

#include "bench_common.h"
#include "codec/chunk_codec.h"
#include "codec/feature_codec.h"
#include "core/digest.h"
#include "gen/cities/city_map.h"
#include "gen/connect/connect.h"
#include "gen/noise/noise.h"
#include "gen/sites/sites.h"
#include "gen/specials/place.h"
#include "gen/specials/rules.h"
#include "store/sqlite/connection/stmt.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <zstd.h>

/* ---- the clock ---- */

static struct {
    bool on;
    timer_kind now;
    double since, tick; /* tick: of one switch */
    double seconds[TIMER_COUNT];
    uint64_t switches[TIMER_COUNT];
    bench_streams *streams;
    const noise_kernels *noise;
    noise_kernels timed_noise;
    const noise_columns *columns;
    noise_columns timed_columns;
} timers;

/* What passed goes to the kind so far. Between two readings lies what one takes: that is the
 * switch's cost, and the kind's that is charged. */
static timer_kind enter(timer_kind kind)
{
    const timer_kind before = timers.now;
    if (timers.on) {
        const double now = bench_seconds();
        timers.seconds[before] += now - timers.since;
        timers.switches[before]++;
        timers.since = now;
        timers.now = kind;
    }
    return before;
}

static double measure_tick(void)
{
    enum { ROUNDS = 7, SWITCHES = 20000 };
    double least = 1;
    for (int i = 0; i < ROUNDS; i++) {
        const double start = bench_seconds();
        for (int k = 0; k < SWITCHES; k++)
            enter(k % 2 ? TIMER_REST : TIMER_NOISE);
        const double each = (bench_seconds() - start) / SWITCHES;
        least = each < least ? each : least;
    }
    return least;
}

static void clear(void)
{
    memset(timers.seconds, 0, sizeof timers.seconds);
    memset(timers.switches, 0, sizeof timers.switches);
    timers.now = TIMER_REST;
    timers.since = bench_seconds();
}

void timers_start(void)
{
    timers.on = true;
    clear();
    timers.tick = measure_tick();
    clear();
}

void timers_stop(timer_sums *out)
{
    enter(TIMER_REST);
    timers.on = false;
    *out = (timer_sums){{0}, 0};
    for (int i = 0; i < TIMER_COUNT; i++) {
        double own = timers.tick * (double)timers.switches[i];
        if (own > timers.seconds[i])
            own = timers.seconds[i];
        out->seconds[i] = timers.seconds[i] - own;
        out->own += own;
    }
}

/* ---- wrapping ---- */

/* real_NAME is the library's, timed_NAME what the other files of the library call. */
#define WRAP(name)                                                                             \
    __typeof__(name) real_##name __asm__("__real_" #name);                                     \
    __typeof__(name) timed_##name __asm__("__wrap_" #name)

#define TIMED_CALL(kind, call)                                                                 \
    do {                                                                                       \
        const timer_kind before = enter(kind);                                                 \
        call;                                                                                  \
        enter(before);                                                                         \
    } while (0)

#define TIMED_RETURN(kind, type, call)                                                         \
    do {                                                                                       \
        const timer_kind before = enter(kind);                                                 \
        const type result = call;                                                              \
        enter(before);                                                                         \
        return result;                                                                         \
    } while (0)

/* ---- noise: the tables of functions, for all who use them ---- */

WRAP(noise_kernels_best);
WRAP(noise_columns_best);

static void timed_lake(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    TIMED_CALL(TIMER_NOISE, timers.noise->lake(land, x, y, out));
}

static void timed_forest(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    TIMED_CALL(TIMER_NOISE, timers.noise->forest(land, x, y, out));
}

static void timed_squares(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                          uint8_t out[NOISE_SQUARES])
{
    TIMED_CALL(TIMER_NOISE, timers.noise->squares(layer, bounds, x, y, out));
}

static void timed_grid_rows(noise_grid *grid, int index, const noise_layer *layer, int64_t y)
{
    TIMED_CALL(TIMER_NOISE, timers.noise->grid_rows(grid, index, layer, y));
}

static void timed_grid_column(noise_grid *grid, int index, const noise_layer *layer, int64_t x)
{
    TIMED_CALL(TIMER_NOISE, timers.noise->grid_column(grid, index, layer, x));
}

static void timed_forest_column(const noise_land *land, const noise_grid *grid, noise_column *c)
{
    TIMED_CALL(TIMER_NOISE, timers.columns->forest(land, grid, c));
}

static void timed_floodplain_column(const noise_land *land, const noise_grid *grid,
                                    noise_column *c)
{
    TIMED_CALL(TIMER_NOISE, timers.columns->floodplain(land, grid, c));
}

const noise_kernels *timed_noise_kernels_best(void)
{
    return timers.noise ? &timers.timed_noise : real_noise_kernels_best();
}

const noise_columns *timed_noise_columns_best(void)
{
    return timers.columns ? &timers.timed_columns : real_noise_columns_best();
}

void timers_prepare(void)
{
    timers.noise = real_noise_kernels_best();
    timers.timed_noise = *timers.noise;
    timers.timed_noise.lake = timed_lake;
    timers.timed_noise.forest = timed_forest;
    timers.timed_noise.squares = timed_squares;
    timers.timed_noise.grid_rows = timed_grid_rows;
    timers.timed_noise.grid_column = timed_grid_column;
    timers.columns = real_noise_columns_best();
    timers.timed_columns = *timers.columns;
    timers.timed_columns.forest = timed_forest_column;
    timers.timed_columns.floodplain = timed_floodplain_column;
}

/* ---- generation ---- */

WRAP(generator_run);
WRAP(plan_edge);
WRAP(rule_quota);
WRAP(rule_sectors);
WRAP(city_map_begin);
WRAP(place_special);
WRAP(site_map_begin);
WRAP(site_origins);
WRAP(site_window);
WRAP(connect_ends);
WRAP(connect_to_any);
WRAP(connect_link);
WRAP(connect_draw);
WRAP(connect_stub);
WRAP(connect_points);
WRAP(connect_parts);

ptl_status timed_generator_run(ptl_chunk **out, generator *g, ptl_chunk_pos pos,
                               edge *const edges[4], size_t step_count, generator_clock clock,
                               generator_times *times, ptl_error *err)
{
    TIMED_RETURN(TIMER_GENERATION, ptl_status,
                 real_generator_run(out, g, pos, edges, step_count, clock, times, err));
}

ptl_status timed_plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y,
                           edge_side side, ptl_error *err)
{
    TIMED_RETURN(TIMER_GENERATION, ptl_status, real_plan_edge(out, config, x, y, side, err));
}

void timed_rule_quota(generator *g, batch_entry *list, size_t count)
{
    TIMED_CALL(TIMER_SPECIALS, real_rule_quota(g, list, count));
}

void timed_rule_sectors(generator *g, batch_entry *list, size_t count)
{
    TIMED_CALL(TIMER_SPECIALS, real_rule_sectors(g, list, count));
}

void timed_city_map_begin(generator *g)
{
    TIMED_CALL(TIMER_SPECIALS, real_city_map_begin(g));
}

bool timed_place_special(generator *g, const place_order *order)
{
    TIMED_RETURN(TIMER_TILES, bool, real_place_special(g, order));
}

void timed_site_map_begin(generator *g)
{
    TIMED_CALL(TIMER_SITES, real_site_map_begin(g));
}

site_counts timed_site_origins(generator *g, uint16_t special, site_bits *out)
{
    TIMED_RETURN(TIMER_SITES, site_counts, real_site_origins(g, special, out));
}

void timed_site_window(generator *g, uint16_t special, int rotation, int32_t x, int32_t y,
                       int32_t width, int32_t height, uint64_t *rows)
{
    TIMED_CALL(TIMER_SITES, real_site_window(g, special, rotation, x, y, width, height, rows));
}

connect_result timed_connect_ends(generator *g, size_t connection, int32_t z, connect_end from,
                                  connect_end to)
{
    TIMED_RETURN(TIMER_PATHS, connect_result, real_connect_ends(g, connection, z, from, to));
}

connect_result timed_connect_to_any(generator *g, size_t connection, int32_t z,
                                    connect_end from)
{
    TIMED_RETURN(TIMER_PATHS, connect_result, real_connect_to_any(g, connection, z, from));
}

connect_result timed_connect_link(generator *g, size_t connection, int32_t z, connect_end from,
                                  const connect_ground *ground)
{
    TIMED_RETURN(TIMER_PATHS, connect_result,
                 real_connect_link(g, connection, z, from, ground));
}

bool timed_connect_draw(generator *g, size_t connection, int32_t z, const path_node *nodes,
                        size_t count)
{
    TIMED_RETURN(TIMER_PATHS, bool, real_connect_draw(g, connection, z, nodes, count));
}

void timed_connect_stub(generator *g, size_t connection, int32_t z, connect_end end)
{
    TIMED_CALL(TIMER_PATHS, real_connect_stub(g, connection, z, end));
}

void timed_connect_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                          size_t count, connect_result *results)
{
    TIMED_CALL(TIMER_PATHS, real_connect_points(g, connection, z, ends, count, results));
}

int32_t timed_connect_parts(generator *g, size_t connection, int32_t z, int32_t *labels)
{
    TIMED_RETURN(TIMER_PATHS, int32_t, real_connect_parts(g, connection, z, labels));
}

/* ---- encoding ---- */

WRAP(chunk_encode);
WRAP(features_encode);
WRAP(checksum64);
WRAP(digest_init);
WRAP(digest_update);
WRAP(digest_update_counted);
WRAP(digest_update_u64);
WRAP(digest_final);
WRAP(ZSTD_compress2);

ptl_status timed_chunk_encode(encoded_chunk *out, codec *c, const ptl_chunk *chunk,
                              const ptl_oter defaults[PTL_LEVELS], const catalogue *cat,
                              ptl_error *err)
{
    TIMED_RETURN(TIMER_ENCODE, ptl_status,
                 real_chunk_encode(out, c, chunk, defaults, cat, err));
}

ptl_status timed_features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                                 const gen_features *f, const catalogue *cat, ptl_error *err)
{
    TIMED_RETURN(TIMER_ENCODE, ptl_status, real_features_encode(out, c, pos, f, cat, err));
}

int64_t timed_checksum64(const void *data, size_t size)
{
    TIMED_RETURN(TIMER_DIGESTS, int64_t, real_checksum64(data, size));
}

void timed_digest_init(digest_state *state)
{
    TIMED_CALL(TIMER_DIGESTS, real_digest_init(state));
}

void timed_digest_update(digest_state *state, const void *data, size_t size)
{
    TIMED_CALL(TIMER_DIGESTS, real_digest_update(state, data, size));
}

void timed_digest_update_counted(digest_state *state, const void *data, size_t size)
{
    TIMED_CALL(TIMER_DIGESTS, real_digest_update_counted(state, data, size));
}

void timed_digest_update_u64(digest_state *state, uint64_t value)
{
    TIMED_CALL(TIMER_DIGESTS, real_digest_update_u64(state, value));
}

void timed_digest_final(digest_state *state, digest *out)
{
    TIMED_CALL(TIMER_DIGESTS, real_digest_final(state, out));
}

static void *grown(void *data, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return data;
    *room = 2 * needed;
    void *moved = realloc(data, *room * size);
    if (!moved)
        bench_die("out of memory", NULL);
    return moved;
}

static void record(bench_streams *s, const void *data, size_t size)
{
    s->data = grown(s->data, &s->data_room, s->total + size, 1);
    s->sizes = grown(s->sizes, &s->sizes_room, s->count + 1, sizeof *s->sizes);
    memcpy(s->data + s->total, data, size);
    s->sizes[s->count++] = size;
    s->total += size;
}

void timers_record(bench_streams *streams)
{
    timers.streams = streams;
}

void bench_streams_dispose(bench_streams *s)
{
    free(s->data);
    free(s->sizes);
    *s = (bench_streams){0};
}

size_t timed_ZSTD_compress2(ZSTD_CCtx *context, void *out, size_t room, const void *data,
                            size_t size)
{
    bench_streams *s = timers.streams;
    if (s) {
        record(s, data, size);
        real_ZSTD_compress2(context, out, room, data, size);
        const double start = bench_seconds();
        const size_t packed = real_ZSTD_compress2(context, out, room, data, size);
        s->seconds += bench_seconds() - start;
        s->packed += ZSTD_isError(packed) ? size : packed;
        return packed;
    }
    TIMED_RETURN(TIMER_ZSTD, size_t, real_ZSTD_compress2(context, out, room, data, size));
}

/* ---- writing ---- */

WRAP(world_edges);
WRAP(world_has_chunk);
WRAP(world_write_chunk);
WRAP(stmt_prepare);
WRAP(stmt_step);
WRAP(stmt_run);
WRAP(sqlite_exec);
WRAP(store_begin);
WRAP(store_commit);

ptl_status timed_world_edges(ptl_world *world, ptl_chunk_pos pos, edge edges[4], ptl_error *err)
{
    TIMED_RETURN(TIMER_ROWS, ptl_status, real_world_edges(world, pos, edges, err));
}

ptl_status timed_world_has_chunk(ptl_world *world, ptl_chunk_pos pos, size_t step_count,
                                 bool *has, ptl_error *err)
{
    TIMED_RETURN(TIMER_ROWS, ptl_status,
                 real_world_has_chunk(world, pos, step_count, has, err));
}

ptl_status timed_world_write_chunk(ptl_world *world, const made_chunk *made, int64_t run_id,
                                   size_t step_count, bool *changed, bool *written,
                                   ptl_error *err)
{
    TIMED_RETURN(
        TIMER_ROWS, ptl_status,
        real_world_write_chunk(world, made, run_id, step_count, changed, written, err));
}

ptl_status timed_stmt_prepare(stmt **out, ptl_store *store, const char *sql, ptl_error *err)
{
    TIMED_RETURN(TIMER_SQLITE, ptl_status, real_stmt_prepare(out, store, sql, err));
}

ptl_status timed_stmt_step(stmt *s, bool *row, ptl_error *err)
{
    TIMED_RETURN(TIMER_SQLITE, ptl_status, real_stmt_step(s, row, err));
}

ptl_status timed_stmt_run(stmt *s, ptl_error *err)
{
    TIMED_RETURN(TIMER_SQLITE, ptl_status, real_stmt_run(s, err));
}

ptl_status timed_sqlite_exec(ptl_store *store, const char *sql, ptl_error *err)
{
    TIMED_RETURN(TIMER_SQLITE, ptl_status, real_sqlite_exec(store, sql, err));
}

ptl_status timed_store_begin(ptl_store *store, ptl_error *err)
{
    TIMED_RETURN(TIMER_SQLITE, ptl_status, real_store_begin(store, err));
}

ptl_status timed_store_commit(ptl_store *store, ptl_error *err)
{
    TIMED_RETURN(TIMER_SQLITE, ptl_status, real_store_commit(store, err));
}

/* ---- the system's calls, as libsqlite3 makes them: a program's own come before libc's ---- */

ssize_t pread64(int file, void *data, size_t size, off_t at);
ssize_t pwrite64(int file, const void *data, size_t size, off_t at);
int ftruncate64(int file, off_t size);

ssize_t pread64(int file, void *data, size_t size, off_t at)
{
    TIMED_RETURN(TIMER_IO, ssize_t, syscall(SYS_pread64, file, data, size, at));
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t at)
{
    TIMED_RETURN(TIMER_IO, ssize_t, syscall(SYS_pwrite64, file, data, size, at));
}

int ftruncate64(int file, off_t size)
{
    TIMED_RETURN(TIMER_IO, int, (int)syscall(SYS_ftruncate, file, size));
}

int fdatasync(int file)
{
    TIMED_RETURN(TIMER_SYNC, int, (int)syscall(SYS_fdatasync, file));
}

int fsync(int file)
{
    TIMED_RETURN(TIMER_SYNC, int, (int)syscall(SYS_fsync, file));
}
