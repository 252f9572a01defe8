/* portolan marks: changes, shows and lists which OMTs a viewer has marked, as seen for example.
 */
#include "clients/cli/worlds/saving.h"
#include "core/error.h"

#include <inttypes.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"list", NULL, "list the levels of overmaps that have marks", 0},
    {"show", NULL, "print the marks of --rect: # is marked, . is not", 0},
    {"add", NULL, "mark all of --rect", 0},
    {"replace", NULL, "mark all of --rect, and nothing else on that level", 0},
    {"clear", NULL, "remove the marks of --rect", 0},
    {"viewer", "NAME",
     "whose marks, such as a player's (default: nobody's); with --list: only these", 0},
    {"kind", "KIND",
     "seen (default), explored, vague, outlines, details, path or 0..15; with --list: only "
     "this "
     "kind",
     0},
    {"level", "Z", "-10..10 (default: 0); with --list: only this level", 0},
    {"rect", "X0,Y0,X1,Y1", "a rectangle of OMTs; with --list: only marks inside", 0},
    OPTION_WAIT,
    OPTION_SHARED,
    OPTIONS_ROWS,
    OPTION_QUIET,
    OPTIONS_END,
};

enum { SIDE = PTL_CHUNK_SIZE, SHOWN_WIDTH = 100000 };

static const char *const kinds[PTL_MARKS_KINDS] = {
    "seen", "explored", "vague", "outlines", "details", "path", "6",  "7",
    "8",    "9",        "10",    "11",       "12",      "13",   "14", "15"};

/* What the command line says: which marks are meant. */
typedef struct marks_wish {
    ptl_marks_key key; /* without the chunk */
    bool any_kind, any_level;
    const int64_t *rect; /* NULL: everywhere */
    int64_t corners[4];
} marks_wish;

static ptl_chunk_pos first_chunk(const int64_t rect[4])
{
    return ptl_omt_chunk((ptl_omt){rect[0], rect[1], 0});
}

static ptl_chunk_pos last_chunk(const int64_t rect[4])
{
    return ptl_omt_chunk((ptl_omt){rect[2], rect[3], 0});
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Sets the bits of the cells of a chunk that lie in a rectangle of OMTs (NULL: of all). */
static void mask_of(uint8_t out[PTL_MARKS_BYTES], ptl_chunk_pos chunk, const int64_t *rect)
{
    const int64_t left = (int64_t)chunk.x * SIDE, top = (int64_t)chunk.y * SIDE;
    const int64_t x0 = rect ? greater(rect[0] - left, 0) : 0;
    const int64_t y0 = rect ? greater(rect[1] - top, 0) : 0;
    const int64_t x1 = rect ? lesser(rect[2] - left, SIDE - 1) : SIDE - 1;
    const int64_t y1 = rect ? lesser(rect[3] - top, SIDE - 1) : SIDE - 1;
    memset(out, 0, PTL_MARKS_BYTES);
    for (int64_t y = y0; y <= y1; y++)
        for (int64_t i = y * SIDE + x0; i <= y * SIDE + x1; i++)
            out[i / 8] |= (uint8_t)(1U << i % 8);
}

static uint64_t count_of(const uint8_t a[PTL_MARKS_BYTES], const uint8_t b[PTL_MARKS_BYTES])
{
    uint64_t count = 0;
    for (int i = 0; i < PTL_MARKS_BYTES; i++)
        for (unsigned both = a[i] & b[i]; both; both &= both - 1)
            count++;
    return count;
}

/* ---- listing ---- */

typedef struct listing {
    const marks_wish *wish;
    row_printer *rows;
    chunk_list *chunks; /* NULL, or the list that gets the chunks of the marks */
} listing;

/* Does the wish mean some of the marks? *cells is how many of them. */
static bool is_meant(const marks_wish *w, const ptl_marks_key *key,
                     const uint8_t bits[PTL_MARKS_BYTES], uint64_t *cells)
{
    uint8_t mask[PTL_MARKS_BYTES];
    if ((!w->any_kind && key->kind != w->key.kind) || (!w->any_level && key->z != w->key.z))
        return false;
    mask_of(mask, key->chunk, w->rect);
    *cells = count_of(mask, bits);
    return *cells > 0;
}

static bool put_marks(void *payload, const ptl_marks_key *key,
                      const uint8_t bits[PTL_MARKS_BYTES])
{
    const listing *l = payload;
    uint64_t cells;
    return (!is_meant(l->wish, key, bits, &cells) ||
            rows_put(l->rows, CELLS(cell_text(key->viewer), cell_text(kinds[key->kind]),
                                    cell_int(key->chunk.x), cell_int(key->chunk.y),
                                    cell_int(key->z), cell_uint(cells)))) &&
           !stop_wanted();
}

static int list(session *s, const marks_wish *w)
{
    static const report_column columns[] = {COLUMN(viewer),  COLUMN(kind), COLUMN(chunk_x),
                                            COLUMN(chunk_y), COLUMN(z),    COLUMN(cells),
                                            COLUMNS_END};
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    listing l = {.wish = w, .rows = rows_new(&s->style, columns, false)};
    return saving_list_end(s, l.rows,
                           ptl_marks_each(s->world, w->key.viewer, put_marks, &l, &s->err));
}

/* ---- showing ---- */

/* The marks of a row of chunks. */
typedef struct band {
    uint8_t (*bits)[PTL_MARKS_BYTES]; /* owned */
    char *line;                       /* owned; a line of text */
    ptl_chunk_pos first, last;
} band;

static ptl_status load_band(band *b, session *s, const marks_wish *w, int32_t y)
{
    ptl_marks_key key = w->key;
    for (int32_t x = b->first.x; x <= b->last.x; x++) {
        key.chunk = (ptl_chunk_pos){x, y};
        const ptl_status status =
            ptl_marks_load(b->bits[x - b->first.x], s->world, &key, &s->err);
        if (status != PTL_OK)
            return status;
    }
    return PTL_OK;
}

static bool is_marked(const band *b, int64_t x, int64_t y)
{
    const ptl_chunk_pos chunk = ptl_omt_chunk((ptl_omt){x, y, 0});
    const int64_t i = (y - (int64_t)chunk.y * SIDE) * SIDE + x - (int64_t)chunk.x * SIDE;
    return b->bits[chunk.x - b->first.x][i / 8] >> i % 8 & 1;
}

/* Prints a line of the rectangle: as text, or the marked OMTs as rows. */
static bool put_line(const band *b, const int64_t r[4], int64_t y, row_printer *rows)
{
    for (int64_t x = r[0]; x <= r[2]; x++) {
        const bool marked = is_marked(b, x, y);
        b->line[x - r[0]] = marked ? '#' : '.';
        if (rows && marked && !rows_put(rows, CELLS(cell_int(x), cell_int(y))))
            return false;
    }
    if (!rows) {
        out_visible(b->line, (size_t)(r[2] - r[0] + 1));
        out_text("\n");
    }
    return out_ok();
}

static ptl_status put_lines(band *b, session *s, const marks_wish *w, row_printer *rows)
{
    const int64_t *r = w->rect;
    for (int64_t y = r[1]; y <= r[3]; y++) {
        const int32_t chunk = ptl_omt_chunk((ptl_omt){0, y, 0}).y;
        const bool is_first = y == r[1] || y == (int64_t)chunk * SIDE;
        const ptl_status status = is_first ? load_band(b, s, w, chunk) : PTL_OK;
        if (status != PTL_OK)
            return status;
        if (stop_wanted() || !put_line(b, r, y, rows))
            return error_set(&s->err, PTL_ERR_CANCELLED, "the text was stopped");
    }
    return PTL_OK;
}

static int show(session *s, const marks_wish *w)
{
    static const report_column columns[] = {COLUMN(x), COLUMN(y), COLUMNS_END};
    const int64_t width = w->rect[2] - w->rect[0] + 1;
    band b = {.first = first_chunk(w->rect), .last = last_chunk(w->rect)};
    if (width > SHOWN_WIDTH)
        return usage_error(s->args, "--show prints at most %d OMTs in a line", SHOWN_WIDTH);
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    b.bits = calloc((size_t)(b.last.x - b.first.x + 1), sizeof *b.bits);
    b.line = malloc((size_t)width);
    int code = EXIT_FAILED;
    if (!b.bits || !b.line) {
        code = session_no_memory(s);
    } else if (s->style.format == ROWS_TABLE) {
        const ptl_status status = put_lines(&b, s, w, NULL);
        code = out_ok() ? session_done(s, status) : EXIT_DONE; /* out_finish tells it */
    } else {
        row_printer *rows = rows_new(&s->style, columns, false);
        code = saving_list_end(s, rows, rows ? put_lines(&b, s, w, rows) : PTL_OK);
    }
    free(b.bits);
    free(b.line);
    return code;
}

/* ---- changing ---- */

static bool keep_chunk(void *payload, const ptl_marks_key *key,
                       const uint8_t bits[PTL_MARKS_BYTES])
{
    const listing *l = payload;
    uint64_t cells;
    return !is_meant(l->wish, key, bits, &cells) || chunk_list_add(l->chunks, key->chunk);
}

/* Removes from the save's world the marks of a rectangle (NULL: of the whole level). */
static ptl_status clear(session *s, ptl_save *save, const marks_wish *w, const int64_t *rect)
{
    marks_wish there = *w;
    listing l = {.wish = &there, .chunks = &s->chunks};
    ptl_marks_key key = w->key;
    there.rect = rect;
    ptl_status status =
        ptl_marks_each(s->world, key.viewer ? key.viewer : "", keep_chunk, &l, &s->err);
    if (status == PTL_ERR_CANCELLED) /* keep_chunk has no other reason */
        return error_set(&s->err, PTL_ERR_NOMEM, "memory is out");
    for (size_t i = 0; i < s->chunks.count && status == PTL_OK; i++) {
        uint8_t bits[PTL_MARKS_BYTES], mask[PTL_MARKS_BYTES];
        key.chunk = s->chunks.positions[i];
        mask_of(mask, key.chunk, rect);
        status = ptl_marks_load(bits, s->world, &key, &s->err);
        for (int k = 0; k < PTL_MARKS_BYTES; k++)
            bits[k] &= (uint8_t)~mask[k];
        if (status == PTL_OK)
            status = ptl_save_marks_set(save, &key, bits, PTL_MARKS_REPLACE, &s->err);
    }
    return status;
}

static ptl_status add(session *s, ptl_save *save, const marks_wish *w)
{
    const ptl_chunk_pos first = first_chunk(w->rect), last = last_chunk(w->rect);
    ptl_status status = PTL_OK;
    ptl_marks_key key = w->key;
    for (int32_t y = first.y; y <= last.y; y++)
        for (int32_t x = first.x; x <= last.x && status == PTL_OK; x++) {
            uint8_t mask[PTL_MARKS_BYTES];
            key.chunk = (ptl_chunk_pos){x, y};
            mask_of(mask, key.chunk, w->rect);
            status = ptl_save_marks_set(save, &key, mask, PTL_MARKS_ADD, &s->err);
        }
    return status;
}

static int change(session *s, const marks_wish *w)
{
    static const report_column columns[] = {COLUMN(marks), COLUMN(revision), COLUMNS_END};
    const args *a = s->args;
    ptl_save_options o = PTL_SAVE_OPTIONS_INIT;
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_save *save = NULL;
    NEED(session_open_world(s, PTL_OPEN_WRITE, NULL));
    ptl_status status = ptl_save_revision_load(&o.seen, s->world, &s->err);
    if (status == PTL_OK)
        status = ptl_save_begin(&save, s->world, &o, &s->err);
    if (status == PTL_OK && !args_has(a, "add"))
        status = clear(s, save, w, args_has(a, "clear") ? w->rect : NULL);
    if (status == PTL_OK && !args_has(a, "clear"))
        status = add(s, save, w);
    if (saving_end(save, status, &report, &s->err) != PTL_OK)
        return session_failed(s);
    if (report.marks == 0) {
        tell("portolan marks: nothing was changed: the marks are so already\n");
        return EXIT_FAILED;
    }
    if (s->style.format != ROWS_TABLE)
        return session_printed(
            s, rows_print_one(&s->style, columns,
                              CELLS(cell_uint(report.marks), cell_int(report.revision))));
    if (!s->shown.quiet)
        out_say("marks of %" PRIu64 " overmap%s on level %d changed (revision %" PRId64 ")\n",
                report.marks, plural(report.marks), (int)w->key.z, report.revision);
    return EXIT_DONE;
}

/* ---- the command line ---- */

static int read_kind(const args *a, int32_t *out)
{
    const char *text = args_value(a, "kind");
    int64_t number;
    for (int32_t i = 0; text && i < PTL_MARKS_KINDS; i++)
        if (strcmp(text, kinds[i]) == 0) {
            *out = i;
            return EXIT_DONE;
        }
    if (text && !parse_int(text, 0, PTL_MARKS_KINDS - 1, &number))
        return usage_error(a,
                           "--kind '%s' is none of seen, explored, vague, outlines, details, "
                           "path and 0..%d",
                           text, PTL_MARKS_KINDS - 1);
    *out = text ? (int32_t)number : PTL_MARKS_SEEN;
    return EXIT_DONE;
}

static int run(session *s)
{
    const args *a = s->args;
    const bool listed = args_has(a, "list");
    marks_wish w = {.key.viewer = args_value(a, "viewer"),
                    .any_kind = listed && !args_has(a, "kind"),
                    .any_level = listed && !args_has(a, "level")};
    NEED(rows_style_from_args(&s->style, a, NULL));
    if (listed + args_has(a, "show") + args_has(a, "add") + args_has(a, "replace") +
            args_has(a, "clear") !=
        1)
        return usage_error(a, "give one of --list, --show, --add, --replace and --clear");
    NEED(read_kind(a, &w.key.kind));
    NEED(args_int32(a, "level", PTL_Z_MIN, PTL_Z_MAX, &w.key.z));
    NEED(saving_rect(a, w.corners, &w.rect));
    if (listed)
        return list(s, &w);
    if (!w.rect)
        return usage_error(a, "say where: --rect X0,Y0,X1,Y1, in OMTs");
    return args_has(a, "show") ? show(s, &w) : change(s, &w);
}

static const value_type values[] = {
    {"kind", VALUE_WORDS, "seen|explored|vague|outlines|details|path", NULL}, {0}};

const command marks_command = {
    .name = "marks",
    .group = GROUP_MAKE,
    .operands = "FILE",
    .summary = "Mark OMTs of a world as seen, show marks, or list them.",
    .details =
        "A viewer, such as a player, has marks of 16 kinds: seen, explored, and others "
        "that a game chooses. Marks may lie where no overmap is saved. --add, --replace "
        "and --clear change one kind on one level. With --show, --format and --json list "
        "the marked OMTs. Marks are stored beside edits and notes, as a game stores them "
        "(portolan/save.h).\n",
    .examples = "  portolan marks w.db --viewer ann --add --rect 80,80,100,100\n"
                "  portolan marks w.db --viewer ann --show --rect 70,75,110,105\n"
                "  portolan marks w.db --viewer ann --clear --rect 80,80,89,89 --kind seen\n"
                "  portolan marks w.db --list\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "marks are stored whole or not at all; what was printed is not all",
};
