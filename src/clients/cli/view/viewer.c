/* The viewer's loop: reads keys and clicks, and acts on them. */
#include "clients/cli/view/viewer_impl.h"

#include "core/error.h"
#include "core/utf8.h"
#include "os/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { TICK_MS = 250, FAR = 10, WHEEL = 3 };

/* How often the map is read again, because other processes may have changed it. */
static const double REFRESH_SECONDS = 1;

void say(viewer *v, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above. */
    (void)vsnprintf(v->message, sizeof v->message, format, list);
    va_end(list);
}

static void go(viewer *v, int64_t dx, int64_t dy, int32_t dz)
{
    const ptl_omt wanted = {v->at.x + dx, v->at.y + dy, v->at.z + dz};
    v->at = atlas_clamp(wanted);
    if (v->at.z != wanted.z)
        say(v, "Levels go from %d to %d", PTL_Z_MIN, PTL_Z_MAX);
    else if (v->at.x != wanted.x || v->at.y != wanted.y)
        say(v, "Here the world ends");
}

/* ---- panes ---- */

/* Opens the details of the OMT under the cursor; if they are open, its local map. */
static void on_enter(viewer *v)
{
    if (v->pane.kind == PANE_DETAILS) {
        say(v, "Reading the local map ...");
        draw_all(v);
        v->message[0] = '\0';
        local_open(v);
    } else if (v->pane.kind == PANE_NONE) {
        pane_open(&v->pane, PANE_DETAILS);
        words_details(v, &v->pane.text);
    } else {
        pane_close(&v->pane);
    }
}

static void generate(viewer *v)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(v->at);
    ptl_error err = {0};
    if (!v->options->write) {
        say(v, "This map only reads: portolan view --write lets it generate");
        return;
    }
    say(v, "Generating overmap %d,%d ...", (int)pos.x, (int)pos.y);
    draw_all(v);
    const double start = clock_seconds();
    if (atlas_generate(v->atlas, pos, &err) == PTL_OK)
        say(v, "Overmap %d,%d is saved (%.0f ms)", (int)pos.x, (int)pos.y,
            (clock_seconds() - start) * 1000);
    else
        say(v, "%s", err.message);
}

/* ---- what is typed at the foot ---- */

/* Edits the line at the foot. A text for "go to" that is no place is searched for instead. */
static void prompt_take(viewer *v, const event *e)
{
    prompt *p = &v->prompt;
    char letter[5];
    if (e->kind == EVENT_ENTER) {
        const prompt typed = v->prompt;
        ptl_omt place;
        v->prompt.kind = 0;
        if (typed.kind != '/' && find_place(v, typed.text, &place)) {
            v->at = place;
            go(v, 0, 0, 0);
        } else if (typed.kind == '/' || typed.size > 0) {
            find_start(v, typed.text);
        }
    } else if (e->kind == EVENT_ESCAPE) {
        p->kind = 0;
    } else if (e->kind == EVENT_ERASE) {
        while (p->size > 0 && ((unsigned char)p->text[p->size - 1] & 0xc0) == 0x80)
            p->size--; /* the last bytes of a UTF-8 character */
        p->size -= p->size > 0;
        p->text[p->size] = '\0';
    } else if (e->kind == EVENT_KEY && e->key >= ' ') {
        utf8_text(e->key, letter);
        const size_t size = strlen(letter);
        if (p->size + size < sizeof p->text) {
            memcpy(p->text + p->size, letter, size + 1);
            p->size += size;
        }
    }
}

/* ---- keys ---- */

/* Handles keys that mean the same on the map and in panes. Returns false for other keys. */
static bool key_of_all(viewer *v, uint32_t key)
{
    switch (key) {
    case 'q':
        v->over = true;
        return true;
    case '/':
    case 'g':
        v->prompt = (prompt){.kind = (char)key};
        pane_close(&v->pane);
        return true;
    case 'n':
    case 'N':
        pane_close(&v->pane);
        find_step(v, key == 'n' ? 1 : -1);
        return true;
    case '\t':
        find_list(v);
        return true;
    case '?':
        pane_open(&v->pane, PANE_HELP);
        words_help(v, &v->pane.text);
        return true;
    default:
        return false;
    }
}

static void on_key(viewer *v, uint32_t key)
{
    /* Letters and digits that move the cursor. */
    static const struct {
        char key;
        int8_t dx, dy, times;
    } moves[] = {
        {'h', -1, 0, 1},   {'l', 1, 0, 1},   {'k', 0, -1, 1},   {'j', 0, 1, 1},
        {'H', -1, 0, FAR}, {'L', 1, 0, FAR}, {'K', 0, -1, FAR}, {'J', 0, 1, FAR},
        {'4', -1, 0, 1},   {'6', 1, 0, 1},   {'8', 0, -1, 1},   {'2', 0, 1, 1},
        {'7', -1, -1, 1},  {'9', 1, -1, 1},  {'1', -1, 1, 1},   {'3', 1, 1, 1},
    };
    enum { MOVES = sizeof moves / sizeof moves[0] };
    size_t move = 0;
    while (move < MOVES && key != (uint32_t)moves[move].key)
        move++;
    const bool open = v->pane.kind != PANE_NONE;
    if (key_of_all(v, key))
        return;
    if (key == 'm' && open)
        pane_close(&v->pane);
    else if (key == 'm')
        v->over = true;
    else if (open && (key == 'j' || key == 'k'))
        pane_scroll(&v->pane, key == 'j' ? 1 : -1);
    else if (open)
        say(v, "m closes what is open");
    else if (key == '<' || key == '>')
        go(v, 0, 0, key == '<' ? 1 : -1);
    else if (key == ' ')
        generate(v);
    else if (move < MOVES)
        go(v, moves[move].dx * moves[move].times, moves[move].dy * moves[move].times, 0);
    else
        say(v, "? tells the keys");
}

/* A click on the cursor does what Enter does; any other click moves the cursor there. */
static void on_click(viewer *v, const event *e)
{
    int32_t line, column;
    draw_cursor(v, &line, &column);
    if (e->line >= v->map_lines || e->column >= v->map_columns)
        return;
    if (e->line == line && e->column == column) {
        on_enter(v);
        return;
    }
    pane_close(&v->pane);
    go(v, e->column - column, e->line - line, 0);
}

/* Scrolls the pane if one is open, else moves the cursor. */
static void scroll_or_go(viewer *v, int32_t lines, int64_t dx, int64_t dy)
{
    if (v->pane.kind != PANE_NONE)
        pane_scroll(&v->pane, lines);
    else
        go(v, dx, dy, 0);
}

/* Any key or click clears the message. While a prompt is open, it gets all events. */
static void on_event(viewer *v, const event *e)
{
    if (e->kind != EVENT_NONE && e->kind != EVENT_RESIZE)
        v->message[0] = '\0';
    if (v->prompt.kind) {
        prompt_take(v, e);
        return;
    }
    switch (e->kind) {
    case EVENT_KEY:
        on_key(v, e->key);
        break;
    case EVENT_MOVE:
        scroll_or_go(v, e->dy, e->dx * (e->shift ? FAR : 1), e->dy * (e->shift ? FAR : 1));
        break;
    case EVENT_PAGE:
        scroll_or_go(v, e->dy * (v->map_lines - 2), 0, (int64_t)e->dy * (v->map_lines / 2));
        break;
    case EVENT_WHEEL:
        scroll_or_go(v, e->dy * WHEEL, 0, e->dy * WHEEL);
        break;
    case EVENT_HOME:
        v->at = v->home;
        break;
    case EVENT_ENTER:
        on_enter(v);
        break;
    case EVENT_ESCAPE:
        pane_close(&v->pane);
        break;
    case EVENT_CLICK:
        on_click(v, e);
        break;
    case EVENT_NONE:
    case EVENT_ERASE:
    case EVENT_RESIZE:
    case EVENT_GONE:
        break;
    }
}

/* ---- the loop ---- */

/* The screen is drawn after each event, and when the file was read again. */
static ptl_status loop(viewer *v, ptl_error *err)
{
    const viewer_options *o = v->options;
    const double start = clock_seconds();
    double read_at = start;
    draw_all(v);
    while (!v->over) {
        const event e = screen_read(v->screen, TICK_MS);
        if (e.kind == EVENT_GONE || o->should_stop(o->payload))
            return error_set(err, PTL_ERR_CANCELLED, "stopped");
        on_event(v, &e);
        v->over |= o->seconds >= 0 && clock_seconds() >= start + o->seconds;
        const bool stale = clock_seconds() > read_at + REFRESH_SECONDS;
        if (stale) {
            atlas_refresh(v->atlas);
            read_at = clock_seconds();
        }
        if (o->should_stop(o->payload))
            return error_set(err, PTL_ERR_CANCELLED, "stopped");
        atlas_idle(v->atlas);
        if (e.kind != EVENT_NONE || stale)
            draw_all(v);
    }
    return PTL_OK;
}

ptl_status viewer_run(const viewer_options *options, ptl_error *err)
{
    const char *reason;
    viewer *v = calloc(1, sizeof *v);
    if (!v)
        return error_nomem(err);
    v->options = options;
    v->at = v->home = atlas_clamp(options->at);
    pane_init(&v->pane);
    ptl_status status = atlas_open(&v->atlas, options, err);
    if (status == PTL_OK && !screen_open(&v->screen, options->colours, &reason))
        status = error_set(err, PTL_ERR_ARGUMENT, "%s", reason);
    THEN(status, loop(v, err));
    screen_close(v->screen);
    search_free(v->finds.result);
    pane_dispose(&v->pane);
    atlas_close(v->atlas);
    free(v);
    return status;
}
