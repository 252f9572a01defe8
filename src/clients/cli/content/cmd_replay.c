/*
 * portolan replay: grows a saved mutable special again, step by step, in the terminal. It
 * shows what each step placed, and a map of the levels as they fill. Without a terminal it
 * prints the steps, then the map.
 */
#include "clients/cli/session/session.h"
#include "clients/os/terminal.h"
#include "core/array.h"
#include "core/utf8.h"
#include "os/clock.h"

static const option_spec options[] = {
    OPTION_WORLD,
    {"delay", "MS", "0..10000 milliseconds between steps on a terminal (default: 60)", 0},
    {"steps", NULL, "print the steps as lines, on a terminal too", 0},
    OPTIONS_END,
};

/* An OMT that the growth has placed. */
typedef struct spot {
    int32_t x, y, z;
    ptl_oter oter;
} spot;

typedef struct player {
    const ptl_catalogue *cat;
    bool animate;
    int64_t delay;
    spot *spots; /* owned */
    size_t count, room;
    size_t drawn; /* number of lines of the map that is on the terminal */
} player;

static const char *const DIRECTIONS[] = {"north", "east", "south", "west"};

/* ---- the map ---- */

typedef struct bounds {
    int32_t x0, y0, x1, y1;
} bounds;

/* Draws the OMT at this position. If several were placed there, it draws the last of them. */
static void draw_spot(const player *p, int32_t x, int32_t y, int32_t z)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    char symbol[5] = ".";
    for (const spot *s = p->spots + p->count; s-- > p->spots;)
        if (s->x == x && s->y == y && s->z == z) {
            if (ptl_catalogue_oter(&t, p->cat, s->oter) == PTL_OK)
                utf8_text(t.symbol, symbol);
            break;
        }
    out_printf("%s", symbol[0] ? symbol : "?");
}

static void draw(player *p)
{
    bounds b = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < p->count; i++) {
        const spot *s = &p->spots[i];
        b.x0 = s->x < b.x0 ? s->x : b.x0;
        b.y0 = s->y < b.y0 ? s->y : b.y0;
        b.x1 = s->x > b.x1 ? s->x : b.x1;
        b.y1 = s->y > b.y1 ? s->y : b.y1;
    }

    for (int32_t z = PTL_Z_MAX; z >= PTL_Z_MIN; z--) {
        bool any = false;
        for (size_t i = 0; i < p->count && !any; i++)
            any = p->spots[i].z == z;
        if (!any)
            continue;
        out_printf("z %d\n", z);
        for (int32_t y = b.y0; y <= b.y1; y++) {
            out_text("  ");
            for (int32_t x = b.x0; x <= b.x1; x++)
                draw_spot(p, x, y, z);
            out_text("\n");
        }
        p->drawn += (size_t)(b.y1 - b.y0 + 2);
    }
}

/* ---- the steps ---- */

/* Prints a line for each step of the growth. */
static void tell_step(const player *p, const ptl_growth_step *step)
{
    switch (step->event) {
    case PTL_GROWTH_BEGINS:
        out_printf("%s at %d,%d,%d to the %s, draw %d\n", step->special, step->x, step->y,
                   step->z, DIRECTIONS[step->rotation & 3], step->count);
        break;
    case PTL_GROWTH_PHASE:
        out_printf("phase %d\n", step->phase);
        break;
    case PTL_GROWTH_PIECE: {
        ptl_terrain t = PTL_TERRAIN_INIT;
        const bool known = ptl_catalogue_oter(&t, p->cat, step->oter) == PTL_OK;
        out_printf("  %d,%d,%d  %s", step->x, step->y, step->z, known ? t.id : "?");
        if (step->piece[0])
            out_printf("  %s to the %s", step->piece, DIRECTIONS[step->rotation & 3]);
        if (step->rule >= 0)
            out_printf("  by rule %d of phase %d", step->rule, step->phase);
        out_text("\n");
        break;
    }
    case PTL_GROWTH_POSTPONED:
        out_printf("  %d,%d,%d  postponed: no rule of the phase fits\n", step->x, step->y,
                   step->z);
        break;
    case PTL_GROWTH_DONE:
        out_printf("done: %d OMTs\n", step->count);
        break;
    case PTL_GROWTH_UNDONE:
        if (step->rule < 0)
            out_printf("undone: it takes too %s, after %d pieces\n",
                       step->rule == -1 ? "many pieces" : "much work", step->count);
        else
            out_printf("undone: a mandatory join stays open at %d,%d,%d after %d pieces\n",
                       step->x, step->y, step->z, step->count);
        break;
    }
}

static bool on_step(void *payload, const ptl_growth_step *step)
{
    player *p = payload;
    if (p->animate) {
        /* Moves the cursor to where the map began, and clears the screen from there. */
        if (p->drawn > 0)
            out_printf("\033[%zuA\033[J", p->drawn);
        p->drawn = 0;
    }
    if (step->event == PTL_GROWTH_BEGINS)
        p->count = 0;
    if (step->event == PTL_GROWTH_PIECE && !ARRAY_ROOM(p->spots, p->room, p->count + 1))
        return false;
    if (step->event == PTL_GROWTH_PIECE)
        p->spots[p->count++] = (spot){step->x, step->y, step->z, step->oter};
    if (!p->animate || step->event != PTL_GROWTH_PIECE)
        tell_step(p, step);
    if (p->animate) {
        draw(p);
        /* The pause is slept in slices, because a signal that comes just before a sleep does
         * not end that sleep. */
        enum { SLICE_MS = 100 };
        (void)out_flush();
        for (int64_t left = p->delay; left > 0 && !stop_wanted(); left -= SLICE_MS)
            clock_sleep((int)(left < SLICE_MS ? left : SLICE_MS));
    }
    return out_ok() && !stop_wanted();
}

/* Called if the user's number is not that of a mutable special: lists the numbers and ids of
 * the mutable specials in the chunk. */
static void tell_others(const session *s, ptl_chunk_pos pos)
{
    enum { SHOWN = 20 };
    const ptl_catalogue *cat = ptl_world_catalogue(s->world);
    ptl_placed_special special = PTL_PLACED_SPECIAL_INIT;
    ptl_special kind = PTL_SPECIAL_INIT;
    ptl_features *f;
    size_t count = 0, number;
    if (ptl_features_load(&f, s->world, pos, NULL) != PTL_OK)
        return;
    for (size_t i = 0; ptl_features_special(&special, f, i) == PTL_OK && count < SHOWN; i++)
        if (ptl_catalogue_find(&number, cat, PTL_CONTENT_SPECIAL, special.id) == PTL_OK &&
            ptl_catalogue_special(&kind, cat, number) == PTL_OK &&
            kind.kind == PTL_SPECIAL_MUTABLE)
            tell("%s%zu %s", count++ ? ", " : "Its specials that grow: ", i, special.id);
    if (count > 0)
        tell("\n");
    ptl_features_free(f);
}

static int run(session *s)
{
    const args *a = s->args;
    ptl_chunk_pos pos;
    int64_t place[2], number;
    char chunk[64] = "";
    player p = {.delay = 60, .animate = terminal_is(STREAM_OUTPUT) && !args_has(a, "steps")};
    const ptl_world_open_options as_made = {.size = sizeof as_made, .as_chunk = &pos};
    /* The operand is X,Y:N. X,Y is the chunk, and N is the number of the special in the list of
     * that chunk's specials. */
    const char *text = a->operands[1], *colon = strrchr(text, ':');
    const size_t size = colon ? (size_t)(colon - text) : sizeof chunk;
    if (size < sizeof chunk)
        memcpy(chunk, text, size);
    if (size >= sizeof chunk || !parse_int(colon + 1, 0, INT32_MAX, &number) ||
        !parse_ints(chunk, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, place))
        return usage_error(a, "'%s' is not X,Y:N, a chunk and a number of its specials",
                           a->operands[1]);
    pos = (ptl_chunk_pos){(int32_t)place[0], (int32_t)place[1]};
    NEED(args_int(a, "delay", 0, 10000, &p.delay));
    NEED(session_open_world(s, PTL_OPEN_READ, &as_made));
    p.cat = ptl_world_catalogue(s->world);
    const ptl_status status =
        ptl_growth_each(s->world, pos, (int32_t)number, on_step, &p, &s->err);
    if (status == PTL_OK && !p.animate)
        draw(&p);
    free(p.spots);
    const int code = session_done(s, status);
    if (status == PTL_ERR_NOT_FOUND)
        tell_others(s, pos);
    return code;
}

const command replay_command = {
    .name = "replay",
    .group = GROUP_SPECIALS,
    .operands = "FILE X,Y:N",
    .summary = "Grow a saved special again, step by step.",
    .operand_help = "X,Y:N  The chunk, and the number of one of its specials.\n",
    .details =
        "X,Y is a chunk and N the number of one of its specials, as the view v_special has\n"
        "them. The chunk is made again in memory; positions are the chunk's own, 0 to 179.\n",
    .examples = "  portolan replay w.db 0,0:9\n"
                "  portolan replay w.db 0,0:9 --delay 250\n",
    .options = options,
    .run = run,
    .stopped = "nothing was changed: the same command begins again",
};
