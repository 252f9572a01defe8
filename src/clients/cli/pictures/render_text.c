/*
 * Prints a world as text. On a terminal, or if a place or a size is given, it prints a part
 * that fits, with coordinates; a foot says which part it is and how to see others. Into a file
 * or a pipe it prints the bare map, and all of it.
 */
#include "clients/cli/pictures/picture.h"

#include "clients/os/terminal.h"

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
    return out_ok() ? session_failed(s) : EXIT_FAILED; /* out_finish prints the message */
}

/* ---- the foot ---- */

/* Writes the foot: what is shown, and how to show something else. Returns its number of
 * lines. */
static int32_t make_foot(char out[FOOT_SIZE], const ptl_render_options *o,
                         const map_rect *saved, int32_t columns)
{
    char level[60];
    if (o->z_first == o->z_last)
        snprintf(level, sizeof level, "level %d", (int)o->z_first);
    else
        snprintf(level, sizeof level, "levels %d..%d", (int)o->z_first, (int)o->z_last);
    snprintf(out, FOOT_SIZE,
             "OMTs %jd,%jd to %jd,%jd, %s; saved: %jd,%jd to %jd,%jd. Elsewhere: --center X,Y "
             "or a city; --level Z; all: --plain",
             o->x0, o->y0, o->x1, o->y1, level, saved->x0, saved->y0, saved->x1, saved->y1);
    /* Break the foot at spaces into lines of at most `columns`, unless a
     * single word is longer. */
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
    /* The foot names the part that is shown, and its height decides how large that part is. So
     * the first pass estimates the height, and the second one uses it. */
    for (int pass = 0; pass < 2; pass++) {
        map_use(o, &part);
        const int32_t lines = make_foot(foot, o, saved, t.columns);
        if (!wish->where.has_size) {
            /* As many OMTs as fit beside the coordinates and above the foot; at least 1 x 1.
             * The margin has the longest y coordinate and a space. */
            const int a = snprintf(NULL, 0, "%jd", part.y0),
                      b = snprintf(NULL, 0, "%jd", part.y1);
            const int32_t columns =
                t.columns - (a > b ? a : b) - 1 - GAP_COLUMNS * (levels - 1);
            const int32_t rows = t.lines - 1 - lines - PROMPT_LINES;
            size[0] = columns / levels < 1 ? 1 : columns / levels;
            size[1] = rows < 1 ? 1 : rows;
        }
        /* A named centre may lie outside of `whole`; otherwise the part stays inside of it. */
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
