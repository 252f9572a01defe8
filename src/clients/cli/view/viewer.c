/* The viewer's loop. It reads keys and clicks and does what they ask for: moves the cursor,
 * searches the whole world, goes to places, opens panes, generates and changes the world. */
#include "clients/cli/view/viewer.h"

#include "clients/cli/line/options.h"
#include "clients/cli/line/output.h"
#include "clients/cli/view/viewer_impl.h"
#include "core/error.h"
#include "core/utf8.h"
#include "os/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICK_MS = 250, FAR = 10, WHEEL = 3 };

/* How often the map is read again, because other processes may have changed it. */
static const double REFRESH_SECONDS = 1;

void say(viewer *v, const char *format, ...)
{
    va_list list;
    va_start(list, format);
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

void pane_open(pane *p, pane_kind kind)
{
    bytes_clear(&p->text);
    p->kind = kind;
    p->first = p->lines = p->shown = 0;
}

/* Opens the details of the OMT under the cursor. If these are open already, opens the OMT's
 * local map instead. */
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
        pane_open(&v->pane, PANE_NONE);
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

/* ---- searching ---- */

typedef struct patience {
    viewer *v;
    double told;
    bool given_up;
} patience;

/* Serves as go_on of the search: shows how many chunks were searched, and ends the search if a
 * key was pressed. */
static bool go_on(void *payload, uint64_t looked)
{
    patience *p = payload;
    if (clock_seconds() < p->told + 0.2)
        return !p->given_up;
    p->told = clock_seconds();
    say(p->v, "Looked at %ju overmaps; any key ends the search", looked);
    draw_all(p->v);
    p->given_up = screen_read(p->v->screen, 0).kind != EVENT_NONE ||
                  p->v->options->should_stop(p->v->options->payload);
    return !p->given_up;
}

/* Adds what the search has found, but only one hit for a place: a special and its terrain often
 * have the same name. */
static void add_hits(finds *f, const search_hits *hits, const char *kind)
{
    for (size_t i = 0; i < hits->held; i++) {
        const search_hit *h = &hits->list[i], *other = NULL;
        size_t at = 0;
        while (at < f->count && (other = f->hits[at].hit) &&
               (other->x != h->x || other->y != h->y || other->z != h->z))
            at++;
        if (at < f->count)
            continue;
        for (at = f->count++; at > 0 && f->hits[at - 1].hit->distance > h->distance; at--)
            f->hits[at] = f->hits[at - 1];
        f->hits[at].hit = h;
        f->hits[at].kind = kind;
    }
}

enum { COUNTS_MAX = 100 };

/* Writes how much a search has found: "2 cities, 1 special". Kinds without hits are left out.
 */
static void put_counts(char *out, size_t size, const search_result *r)
{
    const uint64_t counts[] = {r->cities.count, r->specials.count, r->terrains.count};
    static const char *const names[][2] = {
        {"city", "cities"}, {"special", "specials"}, {"OMT", "OMTs"}};
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < 3 && at < size; i++)
        if (counts[i] > 0)
            at += (size_t)snprintf(out + at, size - at, "%s%ju %s", at > 0 ? ", " : "",
                                   (uintmax_t)counts[i], names[i][counts[i] != 1]);
}

/* Moves the cursor to the present hit, and says where it is. */
static void go_to_hit(viewer *v)
{
    const finds *f = &v->finds;
    const search_hit *h = f->hits[f->now].hit;
    const search_result *r = f->result;
    const double far = hypot((double)(h->x - v->at.x), (double)(h->y - v->at.y));
    /* Finds the nearest of eight directions from the cursor to the hit; y grows to the south.
     */
    static const char *const names[8] = {"east", "south-east", "south", "south-west",
                                         "west", "north-west", "north", "north-east"};
    const double turn = atan2((double)(h->y - v->at.y), (double)(h->x - v->at.x)) / 0.785398163;
    char where[60] = "here";
    if (far >= 1)
        (void)snprintf(where, sizeof where, "%.0f %s", far, names[((int)lround(turn) + 8) % 8]);
    v->at = (ptl_omt){h->x, h->y, h->z};
    const bool is_cut =
        r->cities.held < r->cities.count || r->specials.held < r->specials.count;
    char counts[COUNTS_MAX];
    put_counts(counts, sizeof counts, r);
    say(v, "%zu of %zu%s: %s, %s (all: %s%s)", f->now + 1, f->count, is_cut ? " nearest" : "",
        h->what, where, counts,
        r->looked < r->chunks && r->looked > 0 ? ", not to the end" : "");
}

/* The old hits stay until the search has ended, because the screen is drawn
 * with them meanwhile. */
static void find_start(viewer *v, const char *words)
{
    ptl_error err = {0};
    patience p = {.v = v, .told = clock_seconds()};
    search_options o = {.from = v->at, .go_on = go_on, .payload = &p};
    finds *f = &v->finds;
    search_result *result;
    if (words[0] == '\0')
        words = f->words;
    if (!wish_parse(&o.wanted, words)) {
        say(v, "A search is one to 16 words, one of them without a dash before it");
        return;
    }
    const ptl_status status = atlas_search(&result, v->atlas, &o, &err);
    search_free(f->result);
    f->result = result;
    f->count = f->now = 0;
    if (words != f->words)
        (void)snprintf(f->words, sizeof f->words, "%s", words);
    if (status != PTL_OK) {
        say(v, "%s", err.message);
        search_free(f->result);
        f->result = NULL;
        return;
    }
    add_hits(f, &result->cities, "city");
    add_hits(f, &result->specials, "special");
    add_hits(f, &result->terrains, "terrain");
    if (f->count > 0)
        go_to_hit(v);
    else
        say(v, "'%s': no city and no special of this world, and no terrain on level %d%s",
            f->words, (int)v->at.z,
            result->looked < result->chunks && p.given_up ? " as far as was looked" : "");
}

/* Moves the cursor to the next hit of the search (step 1) or to the previous one (step -1). */
static void find_step(viewer *v, int step)
{
    finds *f = &v->finds;
    if (f->count == 0) {
        say(v, f->result ? "'%s' was not found" : "Nothing was searched yet: /", f->words);
        return;
    }
    f->now = (f->now + f->count + (size_t)(step > 0 ? 1 : f->count - 1)) % f->count;
    go_to_hit(v);
}

static void find_list(viewer *v)
{
    finds *f = &v->finds;
    if (f->count == 0) {
        find_step(v, 1);
        return;
    }
    pane_open(&v->pane, PANE_HITS);
    bytes *out = &v->pane.text;
    char counts[COUNTS_MAX];
    put_counts(counts, sizeof counts, f->result);
    words_put(out, "Found: %s\n%s (of an overmap the nearest is listed)\n\n", f->words, counts);
    for (size_t i = 0; i < f->count; i++) {
        const search_hit *h = f->hits[i].hit;
        words_put(out, " %c %6.0f  %-7s %s  %jd,%jd,%d\n", i == f->now ? '>' : ' ', h->distance,
                  f->hits[i].kind, h->what, h->x, h->y, (int)h->z);
    }
}

/* Reads X,Y or X,Y,Z, each also in the game's form (overmap'OMT). Returns false if it is no
 * place. */
static bool find_place(const viewer *v, const char *text, ptl_omt *out)
{
    int64_t values[3] = {0, 0, v->at.z};
    size_t count = 0;
    for (const char *at = text; count < 3; count++) {
        at += strspn(at, " ");
        /* A coordinate is an absolute OMT such as "190", or as the game shows it: "1'10", the
         * overmap and the OMT in it. */
        char part[48];
        int64_t overmap = 0, local;
        const size_t size = strcspn(at, ", ");
        snprintf(part, sizeof part, "%.*s", (int)(size < sizeof part ? size : 0), at);
        char *mark = strchr(part, '\'');
        if (mark)
            *mark = '\0';
        if (!mark && !parse_int(part, -(INT64_C(1) << 40), INT64_C(1) << 40, &values[count]))
            return false;
        if (mark && (!parse_int(part, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, &overmap) ||
                     !parse_int(mark + 1, 0, PTL_CHUNK_SIZE - 1, &local)))
            return false;
        if (mark)
            values[count] = overmap * PTL_CHUNK_SIZE + local;
        at += size;
        at += strspn(at, " ");
        if (*at == '\0') {
            count++;
            break;
        }
        if (*at++ != ',')
            return false;
    }
    if (count < 2 || values[2] < PTL_Z_MIN || values[2] > PTL_Z_MAX)
        return false;
    *out = (ptl_omt){values[0], values[1], (int32_t)values[2]};
    return true;
}

/* ---- the line that is typed at the bottom of the screen ---- */

/* Edits the line at the bottom of the screen. If a text that was typed for "go to" is no place,
 * it is searched for instead. */
static void prompt_take(viewer *v, const event *e)
{
    prompt *p = &v->prompt;
    char letter[5];
    if (e->kind == EVENT_ENTER) {
        const prompt typed = v->prompt;
        ptl_omt place;
        v->prompt.kind = 0;
        if (typed.kind == 'e' || typed.kind == 'p' || typed.kind == 'w') {
            change_take(v, &typed);
        } else if (typed.kind != '/' && find_place(v, typed.text, &place)) {
            v->at = place;
            go(v, 0, 0, 0);
        } else if (typed.kind == '/' || typed.size > 0) {
            find_start(v, typed.text);
        }
    } else if (e->kind == EVENT_ESCAPE) {
        p->kind = 0;
    } else if (e->kind == EVENT_ERASE) {
        while (p->size > 0 && ((unsigned char)p->text[p->size - 1] & 0xc0) == 0x80)
            p->size--; /* together with the next statement, removes all bytes of the last UTF-8
                          character */
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

/* Handles a key that means the same on the map and in panes. Returns false for any other key.
 */
static bool key_of_all(viewer *v, uint32_t key)
{
    switch (key) {
    case 'q':
        v->over = true;
        return true;
    case '/':
    case 'g':
        v->prompt = (prompt){.kind = (char)key};
        pane_open(&v->pane, PANE_NONE);
        return true;
    case 'n':
    case 'N':
        pane_open(&v->pane, PANE_NONE);
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

/* Scrolls the pane by so many lines, but not beyond the ends of its text. */
static void pane_scroll(pane *p, int32_t lines)
{
    const int32_t most = p->lines - p->shown;
    p->first += lines;
    p->first = p->first > most ? most : p->first;
    p->first = p->first < 0 ? 0 : p->first;
}

static void on_key(viewer *v, uint32_t key)
{
    /* Letters and digits that move the cursor on the map. */
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
        pane_open(&v->pane, PANE_NONE);
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
    else if (key == 'e' || key == 'p' || key == 'w')
        change_ask(v, (char)key);
    else if (key == '.')
        change_again(v);
    else if (key == 'u')
        change_undo(v);
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
    pane_open(&v->pane, PANE_NONE);
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
        pane_open(&v->pane, PANE_NONE);
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
    v->pane = (pane){.kind = PANE_NONE};
    bytes_init(&v->pane.text);
    bytes_init(&v->notes_here);
    ptl_status status = atlas_open(&v->atlas, options, err);
    if (status == PTL_OK && !screen_open(&v->screen, options->colours, &reason))
        status = error_set(err, PTL_ERR_ARGUMENT, "%s", reason);
    THEN(status, loop(v, err));
    screen_close(v->screen);
    search_free(v->finds.result);
    bytes_dispose(&v->pane.text);
    bytes_dispose(&v->notes_here);
    free(v->edits);
    atlas_close(v->atlas);
    free(v);
    return status;
}
