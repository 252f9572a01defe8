#include "cli/pictures/map_window.h"

#include "cli/line/output.h"
#include "core/bytes.h"
#include "core/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t OMT_MAX = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
static const int64_t OMT_MIN = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;

/* ---- the command line ---- */

static map_rect of_chunks(const int64_t r[4])
{
    return (map_rect){r[0] * PTL_CHUNK_SIZE, r[1] * PTL_CHUNK_SIZE,
                      r[2] * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1,
                      r[3] * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1};
}

static int read_rect(map_wish *out, const args *a)
{
    const char *rect = args_value(a, "rect"), *omt = args_value(a, "omt");
    const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    int64_t r[4];
    int code = EXIT_DONE;
    out->has_rect = rect || omt;
    if (rect && omt)
        return usage_error(a, "give --rect or --omt, not both");
    if (rect)
        code = rect_from_text(a, "rect", rect, PTL_CHUNK_COORD_MAX, r);
    else if (omt)
        code = rect_from_text(a, "omt", omt, limit, r);
    if (code == EXIT_DONE && out->has_rect)
        out->rect = rect ? of_chunks(r) : (map_rect){r[0], r[1], r[2], r[3]};
    return code;
}

/* Reads "WxH". */
static bool parse_size(const char *text, int64_t *width, int64_t *height)
{
    char number[24];
    const size_t length = strcspn(text, "xX");
    if (text[length] == '\0' || length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    const int64_t most = OMT_MAX - OMT_MIN + 1;
    return parse_int(number, 1, most, width) && parse_int(text + length + 1, 1, most, height);
}

int map_wish_read(map_wish *out, const args *a)
{
    *out = (map_wish){.has_rect = false};
    int code = read_rect(out, a);
    if (code != EXIT_DONE)
        return code;
    const char *size = args_value(a, "size");
    out->center = args_value(a, "center");
    out->has_center = out->center != NULL;
    out->has_size = size != NULL;
    if (out->has_rect && (out->has_center || out->has_size))
        return usage_error(a, "give --%s, or --center and --size, not both",
                           args_has(a, "rect") ? "rect" : "omt");
    if (out->has_center && out->center[0] == '\0')
        return usage_error(a, "--center '' is neither X,Y nor a name");
    if (size && !parse_size(size, &out->width, &out->height))
        return usage_error(a, "--size '%s' is not WxH (OMTs, from 1x1)", size);
    return EXIT_DONE;
}

/* ---- what is saved ---- */

int map_saved(session *s, map_rect *out)
{
    bool any = false;
    int64_t extent[4];
    int code = session_extent(s, &any, extent);
    if (code != EXIT_DONE)
        return code;
    if (!any) {
        tell("portolan render: world '%s' has no saved chunks. Make some: portolan generate "
             "'%s' --world '%s' --radius 2\n",
             ptl_world_name(s->world), s->args->operands[0], ptl_world_name(s->world));
        return EXIT_FAILED;
    }
    *out = of_chunks(extent);
    return EXIT_DONE;
}

static ptl_chunk_pos chunk_at(int64_t x, int64_t y)
{
    return ptl_omt_chunk((ptl_omt){x, y, 0});
}

/* The first row's x and y, and how many rows came. */
typedef struct found_place {
    int64_t x, y, count;
} found_place;

static bool keep_place(void *payload, size_t columns, const char *const *names,
                       const ptl_value *values)
{
    found_place *out = payload;
    (void)names;
    if (out->count++ == 0 && columns >= 2) {
        out->x = values[0].integer;
        out->y = values[1].integer;
    }
    return true;
}

static int nothing_saved(session *s, int64_t world_id, const ptl_chunk_pos r[2])
{
    map_rect saved;
    found_place near = {0, 0, 0};
    char sql[400];
    int code = map_saved(s, &saved);
    if (code != EXIT_DONE)
        return code;
    /* In doubles: the squares of 2^23 chunks are exact. */
    snprintf(sql, sizeof sql,
             "SELECT x, y, max(%d - x, x - %d, 0.0) AS dx, max(%d - y, y - %d, 0.0) AS dy "
             "FROM chunk WHERE world_id = %" PRId64 " ORDER BY dx * dx + dy * dy, y, x LIMIT 1",
             (int)r[0].x, (int)r[1].x, (int)r[0].y, (int)r[1].y, world_id);
    ptl_query_options query = {.size = sizeof query, .on_row = keep_place, .payload = &near};
    if (ptl_query(s->store, sql, &query, &s->err) != PTL_OK)
        return session_failed(s);
    const ptl_chunk_pos from = chunk_at(saved.x0, saved.y0), to = chunk_at(saved.x1, saved.y1);
    tell("portolan render: none of the chunks %d,%d to %d,%d is saved. Saved chunks of world "
         "'%s' lie within %d,%d to %d,%d; the nearest is %" PRId64 ",%" PRId64
         ".\nMake these: portolan generate '%s' --world '%s' --rect %d,%d,%d,%d\n",
         (int)r[0].x, (int)r[0].y, (int)r[1].x, (int)r[1].y, ptl_world_name(s->world),
         (int)from.x, (int)from.y, (int)to.x, (int)to.y, near.x, near.y, s->args->operands[0],
         ptl_world_name(s->world), (int)r[0].x, (int)r[0].y, (int)r[1].x, (int)r[1].y);
    return EXIT_FAILED;
}

int map_check_saved(session *s, const map_rect *rect)
{
    const ptl_chunk_pos r[2] = {chunk_at(rect->x0, rect->y0), chunk_at(rect->x1, rect->y1)};
    const int64_t all = ((int64_t)r[1].x - r[0].x + 1) * ((int64_t)r[1].y - r[0].y + 1);
    int64_t world_id = 0, saved = 0;
    if (session_world_id(s, &world_id) != EXIT_DONE)
        return EXIT_FAILED;
    ptl_status status = ask_int(s, &saved,
                                "SELECT count(*) FROM chunk WHERE world_id = %" PRId64
                                " AND x BETWEEN %d AND %d AND y BETWEEN %d AND %d",
                                world_id, (int)r[0].x, (int)r[1].x, (int)r[0].y, (int)r[1].y);
    if (status != PTL_OK)
        return session_failed(s);
    if (saved == 0)
        return nothing_saved(s, world_id, r);
    if (saved < all)
        tell("portolan render: %" PRId64 " of %" PRId64 " chunks are not saved: %s\n",
             all - saved, all, args_has(s->args, "text") ? "blank" : "drawn dark");
    return EXIT_DONE;
}

/* ---- places ---- */

/* Asks a question of three pieces: the world's name stands after the first, `name` after the
 * second. EXIT_FAILED with a message. */
static int ask_place(session *s, found_place *out, const char *const pieces[3],
                     const char *name)
{
    char *world = sql_quote(ptl_world_name(s->world)), *quoted = sql_quote(name);
    bytes sql;
    bytes_init(&sql);
    *out = (found_place){0, 0, 0};
    if (world && quoted)
        bytes_printf(&sql, "%s%s%s%s%s", pieces[0], world, pieces[1], quoted, pieces[2]);
    const char *text = world && quoted ? bytes_text(&sql) : NULL;
    ptl_query_options query = {.size = sizeof query, .on_row = keep_place, .payload = out};
    ptl_status status = PTL_ERR_NOMEM;
    if (text)
        status = ptl_query(s->store, text, &query, &s->err);
    else
        s->err.status = status;
    free(world);
    free(quoted);
    bytes_dispose(&sql);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

static int largest_city(session *s, const map_rect *within, found_place *out)
{
    char rest[300];
    const ptl_chunk_pos from = chunk_at(within->x0, within->y0);
    const ptl_chunk_pos to = chunk_at(within->x1, within->y1);
    snprintf(rest, sizeof rest,
             " AND chunk_x BETWEEN %d AND %d AND chunk_y BETWEEN %d AND %d AND x BETWEEN "
             "%" PRId64 " AND %" PRId64 " AND y BETWEEN %" PRId64 " AND %" PRId64
             " AND name <> ",
             (int)from.x, (int)to.x, (int)from.y, (int)to.y, within->x0, within->x1, within->y0,
             within->y1);
    const char *const pieces[3] = {"SELECT x, y FROM v_city WHERE world = ", rest,
                                   " ORDER BY size DESC, name, y, x LIMIT 1"};
    return ask_place(s, out, pieces, "");
}

/* The nearest name of a city or a special, kept for as long as rows come. */
typedef struct near_name {
    suggestion suggestion;
    char best[128];
} near_name;

static bool offer_name(void *payload, size_t columns, const char *const *names,
                       const ptl_value *values)
{
    near_name *near = payload;
    const char *before = near->suggestion.best;
    (void)names;
    if (columns == 0 || !values[0].text || values[0].size >= sizeof near->best)
        return true;
    suggest_offer(&near->suggestion, values[0].text);
    if (near->suggestion.best != before) {
        snprintf(near->best, sizeof near->best, "%s", near->suggestion.best);
        near->suggestion.best = near->best;
    }
    return true;
}

/* Not finding one, in time, is no failure. */
static void find_near_name(session *s, const char *name, near_name *near)
{
    const double seconds = 2;
    char *world = sql_quote(ptl_world_name(s->world));
    bytes sql;
    bytes_init(&sql);
    near->best[0] = '\0';
    suggest_begin_loose(&near->suggestion, name);
    if (world)
        bytes_printf(&sql,
                     "SELECT name FROM v_city WHERE world = %s UNION SELECT id FROM "
                     "overmap_special WHERE kind = 'special'",
                     world);
    const char *text = world ? bytes_text(&sql) : NULL;
    ptl_query_options query = {
        .size = sizeof query, .on_row = offer_name, .payload = near, .time_limit = seconds};
    if (text)
        (void)ptl_query(s->store, text, &query, NULL);
    free(world);
    bytes_dispose(&sql);
}

static int no_such_place(session *s, const char *name)
{
    near_name near;
    find_near_name(s, name, &near);
    tell("portolan render: world '%s' has no saved city and no placed special '%s'",
         ptl_world_name(s->world), name);
    if (near.best[0])
        tell("; did you mean '%s'?\n", near.best);
    else
        tell(".\nCities: portolan query '%s' \"SELECT name, x, y FROM v_city ORDER BY name\"; "
             "specials: portolan stats '%s'\n",
             s->args->operands[0], s->args->operands[0]);
    return EXIT_FAILED;
}

static int named_place(session *s, const char *name, int64_t out[2])
{
    static const char *const city[3] = {
        "SELECT x, y FROM v_city WHERE world = ", " AND name = ",
        " COLLATE NOCASE ORDER BY size DESC, y, x"};
    static const char *const special[3] = {
        "SELECT x, y FROM v_special WHERE world = ", " AND special = ",
        " ORDER BY abs(x) + abs(y), y, x"};
    const char *kind = "cities are called";
    found_place found;
    int code = ask_place(s, &found, city, name);
    if (code == EXIT_DONE && found.count == 0) {
        kind = "specials are";
        code = ask_place(s, &found, special, name);
    }
    if (code != EXIT_DONE)
        return code;
    if (found.count == 0)
        return no_such_place(s, name);
    if (found.count > 1)
        tell("portolan render: %" PRId64 " %s '%s'; this is the %s, at %" PRId64 ",%" PRId64
             "\n",
             found.count, kind, name, kind[0] == 'c' ? "largest" : "nearest to 0,0", found.x,
             found.y);
    out[0] = found.x;
    out[1] = found.y;
    return EXIT_DONE;
}

int map_center(session *s, const map_wish *wish, const map_rect *within, int64_t out[2])
{
    if (wish->has_center)
        return parse_ints(wish->center, 2, OMT_MIN, OMT_MAX, out)
                   ? EXIT_DONE
                   : named_place(s, wish->center, out);
    found_place found;
    int code = largest_city(s, within, &found);
    out[0] = found.count ? found.x : within->x0 + (within->x1 - within->x0) / 2;
    out[1] = found.count ? found.y : within->y0 + (within->y1 - within->y0) / 2;
    return code;
}

/* Spans one direction: `size` OMTs around `middle` that lie in least..most, as many as go. */
static void span_around(int64_t middle, int64_t size, int64_t least, int64_t most,
                        int64_t out[2])
{
    const int64_t room = most - least + 1;
    size = size > room ? room : size;
    out[0] = middle - size / 2;
    out[0] = out[0] + size - 1 > most ? most - size + 1 : out[0];
    out[0] = out[0] < least ? least : out[0];
    out[1] = out[0] + size - 1;
}

map_rect map_around_within(const int64_t center[2], int64_t width, int64_t height,
                           const map_rect *within)
{
    int64_t x[2], y[2];
    span_around(center[0], width, within->x0, within->x1, x);
    span_around(center[1], height, within->y0, within->y1, y);
    return (map_rect){x[0], y[0], x[1], y[1]};
}

map_rect map_around(const int64_t center[2], int64_t width, int64_t height)
{
    const map_rect world = {OMT_MIN, OMT_MIN, OMT_MAX, OMT_MAX};
    return map_around_within(center, width, height, &world);
}
