/* The terminal through curses: cells, colours, keys and the mouse; and what the viewer draws:
 * the map around the cursor, a pane over its right part, and three lines at the foot. */
#define NCURSES_WIDECHAR 1

#include "clients/cli/view/screen.h"

#include "clients/cli/line/output.h"
#include "clients/cli/view/viewer_impl.h"

#include "core/utf8.h"
#include "core/visible.h"
#include "os/clock.h"

#include <curses.h>
#include <locale.h>
#include <stdlib.h>

enum {
    ESCAPE_MS = 25,   /* time to wait after Escape for the rest of a key's sequence */
    REDRAW = 0x0c,    /* Ctrl-L, which draws everything again */
    HASTY_ERRORS = 50 /* so many failed reads in a row mean that the terminal is gone */
};

struct screen {
    SCREEN *curses; /* owned */
    bool is_utf8;
    bool coloured;
    int hasty;
    bytes text; /* scratch memory of screen_text */
};

/* ---- opening and closing ---- */

bool screen_open(screen **out, bool colours, const char **reason)
{
    screen *s = calloc(1, sizeof *s);
    *out = NULL;
    *reason = "memory is out";
    if (!s)
        return false;
    (void)setlocale(LC_CTYPE, "");
    bytes_init(&s->text);
    /* The locale uses UTF-8 if one character of three bytes in UTF-8 can be read. */
    wchar_t c;
    s->is_utf8 = mbtowc(&c, "\xe2\x94\x80", 3) == 3 && c == 0x2500;
    s->curses = newterm(NULL, stdout, stdin);
    const char *cup = s->curses ? tigetstr("cup") : NULL;
    if (!cup || cup == (const char *)-1) {
        *reason = s->curses
                      ? "this kind of terminal (TERM) can't place its cursor"
                      : "this kind of terminal (TERM) is not known here; TERM=xterm may do";
        screen_close(s);
        return false;
    }
    (void)cbreak();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, TRUE);
    (void)set_escdelay(ESCAPE_MS);
    (void)mouseinterval(0);
    (void)mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    s->coloured = colours && has_colors() && start_color() == OK && COLORS >= 8;
    if (s->coloured)
        (void)use_default_colors();
    *out = s;
    return true;
}

void screen_close(screen *s)
{
    if (!s)
        return;
    if (s->curses) {
        /* On a terminal without an alternate screen, the shell's next line begins here. */
        (void)move(LINES - 1, 0);
        (void)clrtoeol();
        (void)refresh();
        (void)endwin();
        delscreen(s->curses);
    }
    bytes_dispose(&s->text);
    free(s);
}

/* ---- colours ---- */

/* Returns the terminal's colour that is nearest to `rgb`. Of 256 colours the first 16 are left
 * out, because users redefine them. */
static int nearest_colour(const uint8_t rgb[3])
{
    /* How terminals show the first 16 of 256 colours, and the six values that red, green and
     * blue have in the next 216 colours: xterm's defaults. */
    static const uint8_t steps[6] = {0, 95, 135, 175, 215, 255};
    static const uint8_t first[16][3] = {
        {0, 0, 0},       {205, 0, 0},   {0, 205, 0},   {205, 205, 0},
        {0, 0, 238},     {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
        {127, 127, 127}, {255, 0, 0},   {0, 255, 0},   {255, 255, 0},
        {92, 92, 255},   {255, 0, 255}, {0, 255, 255}, {255, 255, 255}};
    const int from = COLORS >= 256 ? 16 : 0, to = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
    int best = from, least = INT32_MAX;
    for (int i = from; i < to; i++) {
        static const int weights[3] = {3, 6, 2};
        const int cube[3] = {(i - 16) / 36, (i - 16) / 6 % 6, (i - 16) % 6};
        int far = 0;
        for (int k = 0; k < 3; k++) {
            const int shown = i < 16    ? first[i][k]
                              : i < 232 ? steps[cube[k]]
                                        : 8 + 10 * (i - 232);
            far += weights[k] * (rgb[k] - shown) * (rgb[k] - shown);
        }
        if (far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}

/* ---- drawing ---- */

/* Returns a character that the locale can show in place of c. Without UTF-8 the lines of frames
 * become -, | and +. */
static wchar_t shown_as(const screen *s, uint32_t c)
{
    if (c < 0x80 || s->is_utf8)
        return (wchar_t)c;
    return c == 0x2500 ? '-' : c == 0x2502 ? '|' : c > 0x2502 && c < 0x2580 ? '+' : '?';
}

static void put_cell(const screen *s, int32_t line, int32_t column, const wchar_t *letter,
                     const pen *p)
{
    const attr_t look =
        (p->bold ? A_BOLD : 0) | (p->dim ? A_DIM : 0) | (p->reverse ? A_REVERSE : 0);
    int pair = 0;
    cchar_t cell;
    if (s->coloured && p->coloured) {
        /* Curses keeps a table of pairs of colours; a new pair replaces one that was not used
         * for long. */
        const int ink = nearest_colour(p->ink), paper = nearest_colour(p->paper);
        pair = alloc_pair(ink, ink == paper ? -1 : paper);
        pair = pair < 0 ? 0 : pair;
    }
    if (setcchar(&cell, letter, look, (short)pair, &pair) == OK)
        (void)mvadd_wch(line, column, &cell);
}

/* Puts a character of one column into a cell. Cells outside of the screen are ignored. */
static void screen_symbol(screen *s, int32_t line, int32_t column, uint32_t symbol,
                          const pen *p)
{
    const wchar_t letter[2] = {shown_as(s, symbol), 0};
    if (line >= 0 && line < LINES && column >= 0 && column < COLS)
        put_cell(s, line, column, letter, p);
}

void screen_text(screen *s, int32_t line, int32_t column, int32_t width, const char *text,
                 const pen *p)
{
    int32_t used = 0;
    if (line < 0 || line >= LINES || column < 0 || column >= COLS)
        return;
    width = width > COLS - column ? COLS - column : width;
    bytes_clear(&s->text);
    visible_put(&s->text, text, strlen(text));
    const char *shown = (const char *)s->text.data;
    for (size_t at = 0; at < s->text.size && !s->text.failed;) {
        wchar_t letter[CCHARW_MAX + 1];
        /* Finds the end of a character, with the combining marks after it, which belong into
         * the same cell. */
        int32_t columns = 0;
        size_t count = 0;
        while (at < s->text.size) {
            uint32_t c;
            const size_t size = utf8_decode(shown + at, s->text.size - at, &c);
            const int32_t more = (int32_t)utf8_columns(c);
            if (count > 0 && more > 0)
                break;
            at += size;
            columns += more;
            if (count < CCHARW_MAX && (more > 0 || s->is_utf8))
                letter[count++] = shown_as(s, c);
        }
        letter[count] = 0;

        if (used + columns > width)
            break;
        put_cell(s, line, column + used, letter, p);
        used += columns;
    }
    for (; used < width; used++)
        screen_symbol(s, line, column + used, ' ', p);
}

/* ---- what is typed ---- */

/* What keys mean. is_code: the key is one of curses' own codes, not a character. A character
 * that is not in the table means itself. */
static const struct {
    wint_t key;
    bool is_code;
    event means;
} keys[] = {
    {KEY_LEFT, true, {.kind = EVENT_MOVE, .dx = -1}},
    {KEY_RIGHT, true, {.kind = EVENT_MOVE, .dx = 1}},
    {KEY_UP, true, {.kind = EVENT_MOVE, .dy = -1}},
    {KEY_DOWN, true, {.kind = EVENT_MOVE, .dy = 1}},
    {KEY_SLEFT, true, {.kind = EVENT_MOVE, .dx = -1, .shift = true}},
    {KEY_SRIGHT, true, {.kind = EVENT_MOVE, .dx = 1, .shift = true}},
    {KEY_SR, true, {.kind = EVENT_MOVE, .dy = -1, .shift = true}},
    {KEY_SF, true, {.kind = EVENT_MOVE, .dy = 1, .shift = true}},
    {KEY_PPAGE, true, {.kind = EVENT_PAGE, .dy = -1}},
    {KEY_NPAGE, true, {.kind = EVENT_PAGE, .dy = 1}},
    {KEY_HOME, true, {.kind = EVENT_HOME}},
    {KEY_ENTER, true, {.kind = EVENT_ENTER}},
    {'\r', false, {.kind = EVENT_ENTER}},
    {'\n', false, {.kind = EVENT_ENTER}},
    {0x1b, false, {.kind = EVENT_ESCAPE}},
    {KEY_BACKSPACE, true, {.kind = EVENT_ERASE}},
    {'\b', false, {.kind = EVENT_ERASE}},
    {0x7f, false, {.kind = EVENT_ERASE}},
    {KEY_RESIZE, true, {.kind = EVENT_RESIZE}},
    {REDRAW, false, {.kind = EVENT_RESIZE}},
};

/* If reads fail at once, many times in a row, the terminal is gone. Without this test the
 * viewer's loop would never wait again. */
event screen_read(screen *s, int milliseconds)
{
    wint_t key;
    const double start = clock_seconds();
    timeout(milliseconds);
    const int got = get_wch(&key);
    if (got == KEY_CODE_YES || got == OK) {
        const bool is_code = got == KEY_CODE_YES;
        MEVENT m;
        s->hasty = 0;
        if (is_code && key == KEY_MOUSE && getmouse(&m) == OK) {
            if (m.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
                return (event){.kind = EVENT_WHEEL, .dy = m.bstate & BUTTON4_PRESSED ? -1 : 1};
            return (event){.kind = EVENT_CLICK, .line = m.y, .column = m.x};
        }
        if (!is_code && key == REDRAW)
            (void)clearok(stdscr, TRUE);
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
            if (keys[i].key == key && keys[i].is_code == is_code)
                return keys[i].means;
        return (event){.kind = is_code ? EVENT_NONE : EVENT_KEY, .key = (uint32_t)key};
    }
    s->hasty = (clock_seconds() - start) * 2000 < milliseconds ? s->hasty + 1 : 0;
    return (event){.kind = s->hasty > HASTY_ERRORS ? EVENT_GONE : EVENT_NONE};
}

/* ---- the whole screen ---- */

enum { FOOT_LINES = 3, LEAST_MAP = 3 };

static const pen plain = {.coloured = false};
static const pen faint = {.dim = true};

void draw_cursor(const viewer *v, int32_t *line, int32_t *column)
{
    *line = v->map_lines / 2;
    *column = v->map_columns / 2;
}

/* ---- the pane ---- */

enum { COLUMNS_BESIDE = 76, COLUMNS_MOST = 64, MARGIN = 1 };

static void into_bytes(void *payload, const char *text, size_t size)
{
    bytes_put(payload, text, size);
}

/* Draws a line of tiles again, in their colours. */
static void draw_tiles(screen *s, const pane_tile tiles[PTL_LOCAL_SIDE], int32_t line,
                       int32_t left)
{
    for (int32_t x = 0; x < PTL_LOCAL_SIDE && tiles[x].symbol; x++)
        screen_symbol(s, line, left + 2 * x + 1, tiles[x].symbol, &tiles[x].pen);
}

/* Draws the pane from the column `left` on, `columns` wide and `lines` high. The text is
 * wrapped anew at each drawing, since the terminal may have another size. Lines below the text
 * are cleared. */
static void pane_draw(pane *p, screen *s, int32_t left, int32_t columns, int32_t lines)
{
    const pen foot = {.reverse = true};
    const int32_t room = lines - 1;
    char rest[120];
    bytes wrapped = {.size = 0};
    prose words = {.width = (size_t)(columns > 2 * MARGIN ? columns - 2 * MARGIN : 1)};
    prose_put(&words, into_bytes, &wrapped, (const char *)p->text.data, p->text.size);
    prose_flush(&words, into_bytes, &wrapped);
    const size_t end = bytes_text(&wrapped) ? wrapped.size : 0;
    size_t at = 0;
    int32_t map = -1; /* the line at which the map of PANE_LOCAL begins */
    p->lines = 0;
    for (; at < end && wrapped.data[at] != '\0'; p->lines++) {
        const char *text = (const char *)&wrapped.data[at];
        const size_t size = strcspn(text, "\n");
        const int32_t line = p->lines - p->first;
        if (line >= 0 && line < room) {
            wrapped.data[at + size] = '\0';
            /* Lines that begin with a blank have their own margin. */
            const int32_t margin = text[0] == ' ' ? 0 : MARGIN;
            screen_text(s, line, left, columns, "", &plain);
            screen_text(s, line, left + margin, columns - margin, text, &plain);
            if (p->kind == PANE_LOCAL && map >= 0 && p->lines - map < PTL_LOCAL_SIDE)
                draw_tiles(s, p->tiles[p->lines - map], line, left);
        }
        if (map < 0 && size == 0)
            map = p->lines + 1;
        at += size + 1;
    }
    p->shown = p->lines < room ? p->lines : room;
    for (int32_t line = p->lines - p->first; line < room; line++)
        screen_text(s, line, left, columns, "", &plain);
    (void)snprintf(rest, sizeof rest,
                   p->lines > room ? " lines %d to %d of %d (arrows); m closes" : " m closes",
                   (int)p->first + 1, (int)(p->first + p->shown), (int)p->lines);
    screen_text(s, room, left, columns, rest, &foot);
    bytes_dispose(&wrapped);
}

/* ---- the map ---- */

/* Draws an OMT again in the colours of `p`, because a search has found it or the cursor is
 * there. */
static void draw_over(viewer *v, int32_t line, int32_t column, const pen *p)
{
    const ptl_oter oter = atlas_oter(v->atlas, column, line);
    const uint32_t symbol = oter == PTL_OTER_NONE ? ' ' : atlas_glyph(v->atlas, oter)->symbol;
    screen_symbol(v->screen, line, column, symbol, p);
}

/* Draws an OMT that is not saved: a thin pattern of dots, on grey if there are enough
 * colours. */
static void draw_unsaved(viewer *v, int32_t line, int32_t column, ptl_omt at)
{
    const bool coloured = v->screen->coloured && COLORS >= 16;
    const pen grey = {.coloured = true, .ink = {88, 88, 88}, .paper = {48, 48, 48}};
    const bool dot = (at.x % 4 == 0) && (at.y % 2 == 0);
    screen_symbol(v->screen, line, column, dot ? '.' : ' ', coloured ? &grey : &faint);
}

void draw_mark(viewer *v, int32_t line, int32_t column, uint32_t symbol)
{
    const pen mark = {.coloured = true,
                      .ink = {0, 0, 0},
                      .paper = {255, 175, 95},
                      .bold = true,
                      .reverse = !v->screen->coloured};
    screen_symbol(v->screen, line, column, symbol, &mark);
}

static void draw_map(viewer *v)
{
    int32_t line, column;
    ptl_error err = {0};
    const pen cursor = {.reverse = true, .bold = true};
    draw_cursor(v, &line, &column);
    const ptl_omt from = {v->at.x - column, v->at.y - line, v->at.z};
    if (!atlas_look(v->atlas, from, v->map_columns, v->map_lines, &err))
        say(v, "%s", err.message);
    for (int32_t y = 0; y < v->map_lines; y++) {
        for (int32_t x = 0; x < v->map_columns; x++) {
            const ptl_oter oter = atlas_oter(v->atlas, x, y);
            if (oter == PTL_OTER_NONE) {
                draw_unsaved(v, y, x, (ptl_omt){from.x + x, from.y + y, from.z});
            } else {
                const glyph *g = atlas_glyph(v->atlas, oter);
                pen p = {.coloured = true};
                memcpy(p.ink, g->ink, sizeof p.ink);
                memcpy(p.paper, g->paper, sizeof p.paper);
                screen_symbol(v->screen, y, x, g->symbol ? g->symbol : ' ', &p);
            }
        }
    }
    const pen lit = {.coloured = true,
                     .ink = {0, 0, 0},
                     .paper = {255, 255, 0},
                     .bold = true,
                     .reverse = !v->screen->coloured};
    draw_names(v, from);
    draw_notes(v, from);
    for (size_t i = 0; i < v->finds.count; i++) {
        const search_hit *h = v->finds.hits[i].hit;
        if (h->z == from.z && h->x >= from.x && h->x < from.x + v->map_columns &&
            h->y >= from.y && h->y < from.y + v->map_lines)
            draw_over(v, (int32_t)(h->y - from.y), (int32_t)(h->x - from.x), &lit);
    }
    draw_over(v, line, column, &cursor);
}

/* ---- the foot ---- */

static void draw_words(viewer *v, int32_t line, void (*words)(viewer *, bytes *))
{
    bytes text = {.size = 0};
    words(v, &text);
    words_fit(&text, v->columns);
    const char *shown = bytes_text(&text);
    screen_text(v->screen, line, 0, v->columns, shown ? shown : "", &plain);
    bytes_dispose(&text);
}

static void words_message(viewer *v, bytes *out)
{
    if (v->prompt.kind)
        bytes_printf(out, "%s%.*s",
                     v->prompt.kind == '/'   ? "search: "
                     : v->prompt.kind == 'g' ? "go to: "
                     : v->prompt.kind == 'e' ? "terrain: "
                     : v->prompt.kind == 'p' ? "special: "
                                             : "note: ",
                     (int)v->prompt.size, v->prompt.text);
    else if (v->message[0])
        bytes_put_text(out, v->message);
    else
        bytes_put_text(out,
                       v->options->write
                           ? "? help   / search   < > levels   Enter why   e set   w note   u "
                             "undo   q quit"
                           : "? help   / search   g go to   < > levels   Enter why   q quit");
}

/* Draws the message, or what is typed. A long message goes over the lines above, too; of what
 * is typed, the end is shown. Returns how many columns the last line has. */
static int32_t draw_message(viewer *v, int32_t line)
{
    bytes raw = {.size = 0}, text = {.size = 0}, wrapped = {.size = 0};
    prose words = {.width = (size_t)(v->columns > 0 ? v->columns : 1)};
    /* Names may have line breaks, which must not break the message. */
    words_message(v, &raw);
    visible_put(&text, (const char *)raw.data, raw.size);
    text.failed = text.failed || raw.failed;
    bytes_dispose(&raw);
    for (size_t i = 0; i < text.size; i++)
        text.data[i] = text.data[i] == '\n' ? ' ' : text.data[i];
    const char *shown = bytes_text(&text);
    if (!shown || v->prompt.kind) {
        const int32_t columns = shown ? words_columns(shown) : 0;
        while (shown && *shown && words_columns(shown) >= v->columns)
            for (shown++; ((unsigned char)*shown & 0xc0) == 0x80;)
                shown++;
        screen_text(v->screen, line, 0, v->columns, shown ? shown : "", &plain);
        bytes_dispose(&text);
        return columns < v->columns ? columns : v->columns - 1;
    }
    prose_put(&words, into_bytes, &wrapped, shown, text.size);
    prose_flush(&words, into_bytes, &wrapped);
    const char *at = bytes_text(&wrapped);
    for (const char *end = at; end && (end = strchr(end, '\n')) && line > 0; end++)
        line--;
    for (; at && *at; line++) {
        const size_t size = strcspn(at, "\n");
        bytes_clear(&text);
        bytes_put(&text, at, size);
        const char *part = bytes_text(&text);
        screen_text(v->screen, line, 0, v->columns, part ? part : "", &plain);
        at += size + (at[size] == '\n');
    }
    bytes_dispose(&text);
    bytes_dispose(&wrapped);
    return 0;
}

/* Below the map stand three lines of text. If the terminal has few lines, there is only one
 * line of text, and if it has very few, there is none. */
void draw_all(viewer *v)
{
    int32_t line, column;
    v->columns = COLS;
    v->lines = LINES;
    const int32_t foot = v->lines >= LEAST_MAP + FOOT_LINES ? FOOT_LINES : v->lines > 1 ? 1 : 0;
    /* The pane takes a part of the columns; in a narrow terminal it takes all of them. */
    int32_t beside = v->columns;
    if (v->columns >= COLUMNS_BESIDE)
        beside = v->columns * 3 / 5 > COLUMNS_MOST ? COLUMNS_MOST : v->columns * 3 / 5;
    v->map_lines = v->lines - foot;
    v->map_columns = v->columns - (v->pane.kind == PANE_NONE ? 0 : beside);
    (void)erase(); /* clears all cells before the picture is drawn */
    if (v->map_columns > 0 && v->map_lines > 0)
        draw_map(v);
    if (v->pane.kind != PANE_NONE && v->map_lines > 0)
        pane_draw(&v->pane, v->screen, v->map_columns, v->columns - v->map_columns,
                  v->map_lines);
    line = v->map_lines;
    const bool whole = v->lines - line >= FOOT_LINES;
    if (whole) {
        draw_words(v, line++, words_what);
        draw_words(v, line++, words_place);
    }
    int32_t typed = 0;
    if (line < v->lines && (v->prompt.kind || v->message[0]))
        typed = draw_message(v, v->lines - 1);
    else if (line < v->lines)
        draw_words(v, line, whole ? words_message : words_what);
    draw_cursor(v, &line, &column);
    if (v->prompt.kind) {
        line = v->lines - 1;
        column = typed;
    }
    /* Shows the picture, with the terminal's cursor in a cell of it. */
    (void)move(line < LINES ? line : LINES - 1, column < COLS ? column : COLS - 1);
    (void)refresh();
}
