/* What the commands that draw share: options and files of pictures, maps as text, and the
 * choice of the part of a world that is shown. */
#include "clients/cli/pictures/picture.h"

#include "clients/os/terminal.h"

#include <inttypes.h>
#include <strings.h>

/* ---- options ---- */

int color_from_args(const args *a, bool *out)
{
    const char *when = args_value(a, "color"), *no_color = getenv("NO_COLOR");
    *out = terminal_is(STREAM_OUTPUT) && !(no_color && no_color[0]);
    if (!when || strcmp(when, "auto") == 0)
        return EXIT_DONE;
    *out = strcmp(when, "always") == 0;
    if (!*out && strcmp(when, "never") != 0)
        return usage_error(a, "--color '%s' is none of auto, always, never", when);
    return EXIT_DONE;
}

int32_t picture_tile_pixels(int64_t tiles)
{
    /* The longer side of the picture has at most SIDE_PIXELS pixels, and that of a tile at most
     * TILE_PIXELS_MAX. */
    enum { SIDE_PIXELS = 1200, TILE_PIXELS_MAX = 24 };
    const int64_t fits = SIDE_PIXELS / (tiles > 0 ? tiles : 1);
    return fits < 1 ? 1 : fits > TILE_PIXELS_MAX ? TILE_PIXELS_MAX : (int32_t)fits;
}

void picture_fit(ptl_render_options *o)
{
    enum { SIDE_PIXELS = 1000, SCALE_MOST = 16 };
    const int32_t unit = o->local ? PTL_LOCAL_SIDE : 1;
    const int64_t levels = abs(o->z_last - o->z_first) + 1;
    const int64_t width = (o->x1 - o->x0 + 1) * levels, height = o->y1 - o->y0 + 1;
    const int64_t longer = width > height ? width : height;
    if (o->scale > 0)
        return;
    o->scale = unit;
    while (o->parts && o->scale < SCALE_MOST * unit && 2 * o->scale * longer <= SIDE_PIXELS)
        o->scale *= 2;
}

int tide_from_args(const args *a, int64_t least, int64_t out[2])
{
    static const int64_t most = INT64_C(1000000000);
    const char *text = args_value(a, "tide");
    if (!text)
        return EXIT_DONE;
    if (!parse_span(text, least, most, out) || out[1] < out[0])
        return usage_error(a, "--tide '%s' is not TURN or TURN..TURN", text);
    if (out[1] - out[0] >= PTL_TIDE_FRAMES_MAX)
        return usage_error(a, "--tide '%s': an animation has up to %d turns", text,
                           PTL_TIDE_FRAMES_MAX);
    if (out[1] != out[0] && !args_has(a, "png"))
        return usage_error(a, "--tide '%s': several turns are an animation: give --png OUT.png",
                           text);
    return EXIT_DONE;
}

int picture_path_check(const args *a, const char *option)
{
    const char *path = args_value(a, option);
    file_facts facts;
    if (!path || strcmp(path, "-") == 0 ||
        (file_look(&facts, path) && facts.kind != FILE_REGULAR))
        return EXIT_DONE;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (dot && strcasecmp(dot, ".png") != 0)
        return usage_error(a, "--%s '%s': pictures are PNG; name it '%.*s.png'", option, path,
                           (int)(dot - path), path);
    return EXIT_DONE;
}

bool picture_is(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

/* ---- the file ---- */

int picture_end(session *s, out_file *file, ptl_status status)
{
    const bool closed = out_file_close(file, status == PTL_OK);
    progress_end(&s->shown);
    if (status == PTL_OK && closed)
        return EXIT_DONE;
    if (status != PTL_OK && stop_wanted())
        return stop_tell();
    if (status != PTL_OK && !out_ok())
        return EXIT_FAILED;
    return file->err.status != PTL_OK ? out_file_failed(file, s->args->command->name)
                                      : session_failed(s);
}

int picture_write(session *s, const char *path, const ptl_render_options *wanted)
{
    return picture_write_beside(s, path, wanted, s->args->operands, s->args->operand_count);
}

int picture_write_beside(session *s, const char *path, const ptl_render_options *wanted,
                         const char *const *inputs, size_t count)
{
    ptl_render_options o = *wanted;
    out_file file;
    o.on_progress = progress_count;
    o.payload = &s->shown;
    if (!out_file_open(&file, path, inputs, count))
        return out_file_failed(&file, s->args->command->name);
    progress_begin(&s->shown, "rows");
    s->shown.patience = 1;
    return picture_end(
        s, &file,
        picture_is(path, ".svg")
            ? ptl_render_svg_write(s->world, &o, out_file_write, &file, &s->err)
            : ptl_render_png_write(s->world, &o, out_file_write, &file, &s->err));
}

/*
 * Prints a world as text. On a terminal, or if a place or a size is given, it prints a part
 * that fits, with coordinates, and a foot: lines below the map that say which part it is and
 * how to see others. Into a file or a pipe it prints the bare map, and all of it.
 */

enum { FOOT_SIZE = 640, GAP_COLUMNS = 2, PROMPT_LINES = 1 };

static bool to_stdout(void *payload, const void *data, size_t size)
{
    (void)payload;
    out_raw(data, size);
    return out_ok() && !stop_wanted();
}

int render_text_all(session *s, const ptl_render_options *o, bool colours)
{
    ptl_status status = ptl_render_text_write(s->world, o, colours, to_stdout, NULL, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    if (stop_wanted())
        return stop_tell_how("what it printed is not all");
    return out_ok() ? session_failed(s) : EXIT_FAILED; /* out_finish prints why output failed */
}

/* ---- the foot ---- */

/* Writes the text that stands below the map: which part of the world is shown, and how to show
 * something else. Returns its number of lines. */
static int32_t make_foot(char out[FOOT_SIZE], const ptl_render_options *o,
                         const map_rect *saved, int32_t columns)
{
    char level[60];
    if (o->z_first == o->z_last)
        snprintf(level, sizeof level, "level %d", (int)o->z_first);
    else
        snprintf(level, sizeof level, "levels %d..%d", (int)o->z_first, (int)o->z_last);
    snprintf(out, FOOT_SIZE,
             "OMTs %" PRId64 ",%" PRId64 " to %" PRId64 ",%" PRId64 ", %s; saved: %" PRId64
             ",%" PRId64 " to %" PRId64 ",%" PRId64 ". Elsewhere: --center X,Y "
             "or a city; --level Z; all: --plain",
             o->x0, o->y0, o->x1, o->y1, level, saved->x0, saved->y0, saved->x1, saved->y1);
    /* Breaks the text at spaces into lines of at most `columns`, unless a single word is
     * longer. */
    int32_t lines = 1, column = 0;
    for (char *word = out; *word;) {
        size_t length = strcspn(word, " ");
        if (column > 0 && column + 1 + (int32_t)length > columns) {
            word[-1] = '\n';
            column = 0;
            lines++;
        }
        column += (int32_t)length + (column > 0);
        word += length + (word[length] == ' ');
    }
    return lines;
}

/* Chooses a range of `size` OMTs along one axis, with `middle` in its middle. If the range does
 * not lie in least..most, it is moved until it does, and made shorter if that is not enough. */
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

/* Returns a rectangle of this size around a place, moved and cut to lie inside `within`. */
static map_rect map_around_within(const int64_t center[2], int64_t width, int64_t height,
                                  const map_rect *within)
{
    int64_t x[2], y[2];
    span_around(center[0], width, within->x0, within->x1, x);
    span_around(center[1], height, within->y0, within->y1, y);
    return (map_rect){x[0], y[0], x[1], y[1]};
}

static int render_part(session *s, const text_wish *wish, const map_rect *whole,
                       const map_rect *saved, ptl_render_options *o)
{
    const terminal_size t = terminal_measure();
    const int32_t span = o->z_last - o->z_first;
    const int32_t levels = (span < 0 ? -span : span) + 1;
    int64_t center[2], size[2] = {wish->where.width, wish->where.height};
    char foot[FOOT_SIZE];
    NEED(map_center(s, &wish->where, whole, center));
    map_rect part = *whole;
    /* The text below the map says which part of the world is shown. Its height decides how
     * large that part can be. So the text is made twice: the first time for its height, the
     * second time for the part that fits. */
    for (int pass = 0; pass < 2; pass++) {
        map_use(o, &part);
        const int32_t lines = make_foot(foot, o, saved, t.columns);
        if (!wish->where.has_size) {
            /* Takes as many OMTs as fit into the terminal, but at least 1 x 1. At the left
             * stand the coordinates, as wide as the longest y and a space; below the map stands
             * the text. */
            const int a = snprintf(NULL, 0, "%" PRId64, part.y0),
                      b = snprintf(NULL, 0, "%" PRId64, part.y1);
            const int32_t columns =
                t.columns - (a > b ? a : b) - 1 - GAP_COLUMNS * (levels - 1);
            const int32_t rows = t.lines - 1 - lines - PROMPT_LINES;
            size[0] = columns / levels < 1 ? 1 : columns / levels;
            size[1] = rows < 1 ? 1 : rows;
        }
        /* If the user named a centre, the part may lie outside of the rectangle `whole`;
         * otherwise it is moved and cut to lie inside. */
        part = wish->where.center ? map_around(center, size[0], size[1])
                                  : map_around_within(center, size[0], size[1], whole);
    }
    map_use(o, &part);
    o->parts = PTL_RENDER_GRID;
    NEED(map_check_saved(s, &part));
    NEED(render_text_all(s, o, wish->colours));
    make_foot(foot, o, saved, t.columns);
    out_text(foot);
    out_text("\n");
    return EXIT_DONE;
}

int render_text(session *s, const text_wish *wish, ptl_render_options *o)
{
    const bool part = !wish->plain && (terminal_is(STREAM_OUTPUT) || wish->where.center ||
                                       wish->where.has_size);
    map_rect saved, whole = wish->where.rect;
    NEED(map_saved(s, &saved));
    if (!wish->where.has_rect)
        whole = saved;
    if (part)
        return render_part(s, wish, &whole, &saved, o);
    map_use(o, &whole);
    o->parts = wish->grid && !wish->plain ? PTL_RENDER_GRID : 0;
    NEED(map_check_saved(s, &whole));
    return render_text_all(s, o, wish->colours);
}

/* The functions from here on find which part of a world is shown: they read the options, find
 * places by name, and compare the part with what is saved. */

static const int64_t OMT_MAX = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
static const int64_t OMT_MIN = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;

/* ---- the command line ---- */

static map_rect of_chunks(const int64_t r[4])
{
    return (map_rect){r[0] * PTL_CHUNK_SIZE, r[1] * PTL_CHUNK_SIZE,
                      r[2] * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1,
                      r[3] * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1};
}

/* A rectangle is given by its corners or by a centre and a size, never by both. */
int map_wish_read(map_wish *out, const args *a)
{
    const char *size = args_value(a, "size");
    *out = (map_wish){.center = args_value(a, "center"), .has_size = size != NULL};
    const char *rect = args_value(a, "rect"), *omt = args_value(a, "omt");
    const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    int64_t r[4];
    out->has_rect = rect || omt;
    if (rect && omt)
        return usage_error(a, "give --rect or --omt, not both");
    if (rect)
        NEED(rect_from_text(a, "rect", rect, PTL_CHUNK_COORD_MAX, r));
    if (omt)
        NEED(rect_from_text(a, "omt", omt, limit, r));
    if (out->has_rect)
        out->rect = rect ? of_chunks(r) : (map_rect){r[0], r[1], r[2], r[3]};
    if (out->has_rect && (out->center || size))
        return usage_error(a, "give --%s, or --center and --size, not both",
                           args_has(a, "rect") ? "rect" : "omt");
    if (out->center && out->center[0] == '\0')
        return usage_error(a, "--center '' is neither X,Y nor a name");
    char width[24] = "";
    const size_t length = size ? strcspn(size, "xX") : 0;
    const int64_t most = OMT_MAX - OMT_MIN + 1;
    if (size && length < sizeof width)
        memcpy(width, size, length);
    if (size && (size[length] == '\0' || !parse_int(width, 1, most, &out->width) ||
                 !parse_int(size + length + 1, 1, most, &out->height)))
        return usage_error(a, "--size '%s' is not WxH (OMTs, from 1x1)", size);
    return EXIT_DONE;
}

void map_use(ptl_render_options *o, const map_rect *r)
{
    o->x0 = r->x0;
    o->y0 = r->y0;
    o->x1 = r->x1;
    o->y1 = r->y1;
}

/* ---- what is saved ---- */

/* Lists all of the world's saved chunks in the session, and returns the smallest rectangle
 * around them. */
int map_saved(session *s, map_rect *out)
{
    int64_t r[4] = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    NEED(session_saved_chunks(s, NULL));
    for (size_t i = 0; i < s->chunks.count; i++) {
        const ptl_chunk_pos at = s->chunks.positions[i];
        r[0] = at.x < r[0] ? at.x : r[0];
        r[1] = at.y < r[1] ? at.y : r[1];
        r[2] = at.x > r[2] ? at.x : r[2];
        r[3] = at.y > r[3] ? at.y : r[3];
    }
    if (s->chunks.count > 0) {
        *out = of_chunks(r);
        return EXIT_DONE;
    }
    tell("portolan %s: world '%s' has no saved chunks. Make some: portolan generate "
         "'%s' --world '%s' --radius 2\n",
         s->args->command->name, ptl_world_name(s->world), s->args->operands[0],
         ptl_world_name(s->world));
    return EXIT_FAILED;
}

static ptl_chunk_pos chunk_at(int64_t x, int64_t y)
{
    return ptl_omt_chunk((ptl_omt){x, y, 0});
}

static int64_t beyond(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least - v : v > most ? v - most : 0;
}

int map_check_saved(session *s, const map_rect *rect)
{
    const ptl_chunk_pos r0 = chunk_at(rect->x0, rect->y0), r1 = chunk_at(rect->x1, rect->y1);
    const int64_t all = ((int64_t)r1.x - r0.x + 1) * ((int64_t)r1.y - r0.y + 1);
    ptl_chunk_list_options inside = PTL_CHUNK_LIST_OPTIONS_INIT;
    inside.x0 = r0.x;
    inside.y0 = r0.y;
    inside.x1 = r1.x;
    inside.y1 = r1.y;
    NEED(session_saved_chunks(s, &inside));
    const int64_t count = (int64_t)s->chunks.count;
    if (count > 0 && count < all)
        tell("portolan %s: %jd of %jd chunks are not saved: %s\n", s->args->command->name,
             all - count, all, args_has(s->args, "text") ? "blank" : "left blank");
    if (count > 0)
        return EXIT_DONE;
    map_rect saved;
    NEED(map_saved(s, &saved));
    /* Finds the saved chunk nearest to the rectangle of chunks from r0 to r1. */
    ptl_chunk_pos near = {0, 0};
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < s->chunks.count; i++) {
        const ptl_chunk_pos at = s->chunks.positions[i];
        const int64_t dx = beyond(at.x, r0.x, r1.x), dy = beyond(at.y, r0.y, r1.y);
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            near = at;
        }
    }
    const ptl_chunk_pos from = chunk_at(saved.x0, saved.y0), to = chunk_at(saved.x1, saved.y1);
    tell("portolan %s: none of the chunks %d,%d to %d,%d is saved. Saved chunks of world "
         "'%s' lie within %d,%d to %d,%d; the nearest is %d,%d.\nMake these: portolan generate "
         "'%s' --world '%s' --rect %d,%d,%d,%d\n",
         s->args->command->name, r0.x, r0.y, r1.x, r1.y, ptl_world_name(s->world), from.x,
         from.y, to.x, to.y, near.x, near.y, s->args->operands[0], ptl_world_name(s->world),
         r0.x, r0.y, r1.x, r1.y);
    return EXIT_FAILED;
}

/* ---- places ---- */

/* The best match so far among cities or specials, and the number of matches. */
typedef struct place_search {
    /* The name of the city, in upper or lower case; NULL: any city that has a name. */
    const char *name;
    const map_rect *within; /* only cities in this rectangle; NULL: anywhere */
    bool by_name;           /* cities of the same size are ordered by name before place */
    int64_t x, y, count;
    int32_t size;
    char city[256];
    near_name near; /* the most similar name, for the message */
} place_search;

static bool is_first(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    return ay < by || (ay == by && ax < bx);
}

/* Returns whether the city is a better match than the best city found so far. A larger city is
 * better. Of two cities of the same size the one is better that comes first by name (if
 * p->by_name is set), then by place. */
static bool is_better_city(const place_search *p, const ptl_city_place *c)
{
    const int order = p->by_name ? strcmp(c->name, p->city) : 0;
    if (p->count == 0 || c->radius != p->size)
        return p->count == 0 || c->radius > p->size;
    return order != 0 ? order < 0 : is_first(c->x, c->y, p->x, p->y);
}

static bool on_city(void *payload, const ptl_city_place *c)
{
    place_search *p = payload;
    const map_rect *w = p->within;
    if (p->name)
        near_offer(&p->near, c->name);
    if (p->name ? strcasecmp(c->name, p->name) != 0 : c->name[0] == '\0')
        return true;
    if (w && (c->x < w->x0 || c->x > w->x1 || c->y < w->y0 || c->y > w->y1))
        return true;
    if (is_better_city(p, c)) {
        p->x = c->x;
        p->y = c->y;
        p->size = c->radius;
        snprintf(p->city, sizeof p->city, "%s", c->name);
    }
    p->count++;
    return true;
}

static bool on_special(void *payload, const ptl_special_place *s)
{
    place_search *p = payload;
    const int64_t far = llabs(s->x) + llabs(s->y), best = llabs(p->x) + llabs(p->y);
    if (p->count++ == 0 || far < best || (far == best && is_first(s->x, s->y, p->x, p->y))) {
        p->x = s->x;
        p->y = s->y;
    }
    return true;
}

static int find_city(session *s, place_search *p)
{
    const map_rect *w = p->within;
    ptl_chunk_pos chunks[2];
    if (w) {
        chunks[0] = chunk_at(w->x0, w->y0);
        chunks[1] = chunk_at(w->x1, w->y1);
    }
    return session_done(s, ptl_city_list(s->store, ptl_world_name(s->world), w ? chunks : NULL,
                                         on_city, p, &s->err));
}

/* Finds a place by the name of a city or the id of a special; a city goes before a special of
 * that name. If several have the name, a message says which one was taken. */
static int named_place(session *s, const char *name, int64_t out[2])
{
    place_search p = {.name = name};
    near_begin(&p.near, name);
    NEED(find_city(s, &p));
    const bool city = p.count > 0;
    if (!city)
        NEED(session_done(s, ptl_special_list(s->store, ptl_world_name(s->world), name,
                                              on_special, &p, &s->err)));
    if (p.count == 0) {
        const char *file = s->args->operands[0];
        const ptl_catalogue *cat = ptl_world_catalogue(s->world);
        ptl_special special = PTL_SPECIAL_INIT;
        for (size_t i = 0; ptl_catalogue_special(&special, cat, i) == PTL_OK; i++)
            if (special.kind != PTL_SPECIAL_BUILDING)
                near_offer(&p.near, special.id);
        tell("portolan %s: world '%s' has no saved city and no placed special '%s'",
             s->args->command->name, ptl_world_name(s->world), p.name);
        if (p.near.best[0])
            tell("; did you mean '%s'?\n", p.near.best);
        else
            tell(".\nCities: portolan query '%s' \"SELECT name, x, y FROM v_city ORDER BY "
                 "name\"; specials: portolan stats '%s'\n",
                 file, file);
        return EXIT_FAILED;
    }
    if (p.count > 1)
        tell("portolan %s: %jd %s '%s'; this is the %s, at %jd,%jd\n", s->args->command->name,
             p.count, city ? "cities are called" : "specials are", name,
             city ? "largest" : "nearest to 0,0", p.x, p.y);
    out[0] = p.x;
    out[1] = p.y;
    return EXIT_DONE;
}

int map_center(session *s, const map_wish *wish, const map_rect *within, int64_t out[2])
{
    place_search p = {.within = within, .by_name = true};
    if (wish->center && parse_ints(wish->center, 2, OMT_MIN, OMT_MAX, out))
        return EXIT_DONE;
    if (wish->center)
        return named_place(s, wish->center, out);
    NEED(find_city(s, &p));
    out[0] = p.count ? p.x : within->x0 + (within->x1 - within->x0) / 2;
    out[1] = p.count ? p.y : within->y0 + (within->y1 - within->y0) / 2;
    return EXIT_DONE;
}

map_rect map_around(const int64_t center[2], int64_t width, int64_t height)
{
    const map_rect world = {OMT_MIN, OMT_MIN, OMT_MAX, OMT_MAX};
    return map_around_within(center, width, height, &world);
}
