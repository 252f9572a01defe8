/*
 * portolan why: why a special is, or is not, in a chunk or in all saved chunks. Each chunk is
 * made again with a listener (portolan/forensics.h); this puts what it heard into words.
 */
#include "clients/cli/content/why_words.h"
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/session/coordinates.h"
#include "clients/cli/session/names.h"
#include "clients/cli/session/session.h"
#include "clients/lookup/why_json.h"
#include "os/clock.h"
#include "portolan/catalogue.h"
#include "portolan/forensics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"chunk", "X,Y", "one chunk, saved or not (default: a summary of all saved chunks)", 0},
    OPTIONS_ROWS,
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

/* What the command is about. */
typedef struct question {
    session *s;
    const ptl_special *special;
    const ptl_world_options *world;
    rows_style style;
} question;

/* ---- words ---- */

/* Prints what was put together, and frees it; false when memory is out. */
static bool print_words(bytes *text)
{
    const char *words = bytes_text(text);
    const bool good = words != NULL;
    out_text(good ? words : "");
    bytes_dispose(text);
    return good;
}

/* Of what a world has once, what became of it in its home: with `home`, which is another chunk.
 */
static bool print_chunk(const question *q, ptl_chunk_pos pos, const ptl_why *w,
                        const ptl_why *home)
{
    bytes text;
    bytes_init(&text);
    why_words(&text, q->special, q->world->placement, pos, w);
    if (home)
        why_chunk(&text, q->special, q->world->placement, w->home, home);
    out_prose_begin(0);
    const bool good = print_words(&text);
    out_prose_end();
    return good;
}

/* ---- rows ---- */

static const report_column columns[] = {
    {"special", "special", 0, 0}, {"chunk_x", "chunk_x", 0, 0}, {"chunk_y", "chunk_y", 0, 0},
    {"verdict", "verdict", 0, 0}, {"asked", "asked", 0, 0},     {"ground", "ground", 0, 0},
    {"linked", "linked", 0, 0},   {"city", "city", 0, 0},       {"room", "room", 0, 0},
    {"failed", "failed", 0, 0},   {"placed", "placed", 0, 0},   {"others", "others", 0, 0},
    {NULL, NULL, 0, 0},
};

static bool print_row(row_printer *r, const question *q, ptl_chunk_pos pos, const ptl_why *w)
{
    return rows_text(r, q->special->id) && rows_int(r, pos.x) && rows_int(r, pos.y) &&
           rows_text(r, why_verdict(w->verdict)) && rows_int(r, w->asked) &&
           rows_int(r, w->ground) && rows_int(r, w->linked) && rows_int(r, w->city) &&
           rows_int(r, w->room) && rows_int(r, w->failed) && rows_int(r, w->placed) &&
           rows_int(r, w->others);
}

/* False when memory is out. */
static bool print_chunk_json(const question *q, ptl_chunk_pos pos, const ptl_why *w)
{
    bytes text;
    bytes_init(&text);
    emitter j = {&text, false};
    emit_open(&j, '{');
    emit_key_text(&j, "special", q->special->id);
    emit_key(&j, "chunk");
    emit_open(&j, '[');
    emit_int(&j, pos.x);
    emit_int(&j, pos.y);
    emit_close(&j, ']');
    why_put(&j, w, q->special->flags & PTL_SPECIAL_GLOBALLY_UNIQUE);
    emit_close(&j, '}');
    bytes_put_text(&text, "\n");
    return print_words(&text);
}

/* ---- all saved chunks ---- */

enum { VERDICTS = PTL_VERDICT_BUILDING + 1, OBSTACLES = 6 };

static const char *const OBSTACLE_TEXTS[OBSTACLES] = {
    "no ground: nowhere all tiles on their locations",
    "no connection: its points nowhere as they must be",
    "no city: none as near and as large as it must be",
    "no room: other specials took it",
    "not closed: growths were undone",
    "fewer than asked for",
};

typedef struct why_totals {
    uint64_t chunks, with, asked, placed, others, failed;
    uint64_t verdicts[VERDICTS], obstacles[OBSTACLES];
    uint64_t other_content; /* chunks that only their own content can make again */
    ptl_chunk_pos other;    /* the first of them */
} why_totals;

static void print_summary(const question *q, const why_totals *t)
{
    out_prose_begin(0);
    bytes wish;
    bytes_init(&wish);
    why_wish(&wish, q->special);
    (void)print_words(&wish);
    out_printf("In %" PRIu64 " of %" PRIu64 " saved chunks; asked for %" PRIu64
               ", placed %" PRIu64 ", by other specials or steps %" PRIu64 ".\n",
               t->with, t->chunks, t->asked, t->placed, t->others);
    for (size_t i = 1; i < VERDICTS; i++)
        if (t->verdicts[i] > 0)
            out_printf("  %" PRIu64 " chunk%s: not asked for: %s\n", t->verdicts[i],
                       t->verdicts[i] == 1 ? "" : "s", why_verdict((ptl_verdict)i));
    for (size_t i = 0; i < OBSTACLES; i++)
        if (t->obstacles[i] > 0)
            out_printf("  %" PRIu64 " chunk%s: %s\n", t->obstacles[i],
                       t->obstacles[i] == 1 ? "" : "s", OBSTACLE_TEXTS[i]);
    if (t->failed > 0)
        out_printf("  %" PRIu64 " growths were undone, since a join stayed open\n", t->failed);
    out_prose_end();
}

static void print_summary_json(const question *q, const why_totals *t)
{
    out_text("{\"special\": ");
    out_json_text(q->special->id);
    out_printf(", \"chunks\": %" PRIu64 ", \"with\": %" PRIu64 ", \"asked\": %" PRIu64
               ", \"placed\": %" PRIu64 ", \"others\": %" PRIu64 ", \"failed\": %" PRIu64
               ", \"verdicts\": {",
               t->chunks, t->with, t->asked, t->placed, t->others, t->failed);
    for (size_t i = 0; i < VERDICTS; i++)
        out_printf("%s\"%s\": %" PRIu64, i ? ", " : "", why_verdict((ptl_verdict)i),
                   t->verdicts[i]);
    static const char *const names[OBSTACLES] = {"ground", "linked", "city",
                                                 "room",   "failed", "fewer"};
    out_text("}, \"obstacles\": {");
    for (size_t i = 0; i < OBSTACLES; i++)
        out_printf("%s\"%s\": %" PRIu64, i ? ", " : "", names[i], t->obstacles[i]);
    out_text("}");
}

/* The chunks that were asked, those that answered first, with their answers. */
typedef struct answers {
    chunk_list chunks;
    ptl_why *list; /* owned; of the first `count` chunks */
    size_t count;
    why_totals sum;
} answers;

/* Chunks that were made with other content are counted, and have no answer. */
static ptl_status ask(const question *q, answers *a, ptl_chunk_pos pos)
{
    ptl_why *w = &a->list[a->count];
    *w = (ptl_why)PTL_WHY_INIT;
    const ptl_status status = ptl_special_why(q->s->world, q->special->id, pos, w, &q->s->err);
    if (status == PTL_OK) {
        a->chunks.positions[a->count++] = pos;
        a->sum.chunks++;
        a->sum.with += w->placed + w->others > 0;
        a->sum.asked += (uint64_t)w->asked;
        a->sum.placed += (uint64_t)w->placed;
        a->sum.others += (uint64_t)w->others;
        a->sum.failed += (uint64_t)w->failed;
        a->sum.verdicts[w->verdict]++;
        if (w->verdict == PTL_VERDICT_ASKED && w->placed < w->asked)
            a->sum.obstacles[w->ground == 0   ? 0
                             : w->linked == 0 ? 1
                             : w->city == 0   ? 2
                             : w->room == 0   ? 3
                             : w->failed > 0  ? 4
                                              : 5]++;
    }
    if (status != PTL_ERR_MISMATCH)
        return status;
    if (a->sum.other_content++ == 0)
        a->sum.other = pos;
    return PTL_OK;
}

/* Asks each chunk; *stopped: not of all of them. */
static int ask_all(const question *q, answers *a, bool quiet, bool *stopped)
{
    progress shown;
    int code = EXIT_DONE;
    const double start = clock_seconds();
    progress_init(&shown, quiet);
    size_t done = 0;
    const size_t total = a->chunks.count;
    while (done < total && !*stopped) {
        const ptl_status status = ask(q, a, a->chunks.positions[done]);
        *stopped = status == PTL_ERR_CANCELLED && stop_wanted();
        if (status != PTL_OK && !*stopped)
            code = session_failed(q->s);
        if (status != PTL_OK)
            break;
        const double seconds = clock_seconds() - start;
        done++;
        const ptl_progress now = {.size = sizeof now,
                                  .done = done,
                                  .total = total,
                                  .seconds = seconds,
                                  .rate = seconds > 0 ? (double)done / seconds : 0};
        *stopped = !progress_show(&shown, &now);
    }
    progress_end(&shown);
    if (*stopped)
        stop_tell_how("what it prints is about %zu of %zu chunks", done, total);
    return code;
}

static bool print_rows(const question *q, const answers *a)
{
    row_printer *r = rows_new(&q->style, columns, false);
    bool good = r != NULL;
    for (size_t i = 0; i < a->count && good; i++)
        good = print_row(r, q, a->chunks.positions[i], &a->list[i]);
    rows_finish(r);
    return good || !out_ok();
}

static int print_answers(const question *q, const answers *a)
{
    bool good = true;
    switch (q->style.format) {
    case ROWS_TABLE:
        print_summary(q, &a->sum);
        break;
    case ROWS_JSON:
        print_summary_json(q, &a->sum);
        out_text(",\n\"each\": ");
        good = print_rows(q, a);
        out_text("}\n");
        break;
    default:
        good = print_rows(q, a);
    }
    return good ? EXIT_DONE : session_no_memory(q->s);
}

static int answer_all(const question *q, bool quiet)
{
    answers a = {.count = 0};
    bool stopped = false;
    int code = session_saved_chunks(q->s, NULL, &a.chunks);
    if (code == EXIT_DONE) {
        a.list = calloc(a.chunks.count + 1, sizeof *a.list);
        code = a.list ? ask_all(q, &a, quiet, &stopped) : session_no_memory(q->s);
    }
    if (code == EXIT_DONE && a.count == 0 && a.sum.other_content > 0)
        code = session_failed(q->s);
    else if (code == EXIT_DONE) {
        if (a.sum.other_content > 0)
            tell("portolan why: %" PRIu64
                 " chunks were made with other content than the world, "
                 "and are not counted.\nOne of them: portolan why '%s' '%s' --world '%s' "
                 "--chunk "
                 "%d,%d\n",
                 a.sum.other_content, q->s->args->operands[0], q->special->id,
                 ptl_world_name(q->s->world), a.sum.other.x, a.sum.other.y);
    }
    if (code == EXIT_DONE && a.list)
        code = print_answers(q, &a);
    chunk_list_dispose(&a.chunks);
    free(a.list);
    return stopped ? EXIT_FAILED : code;
}

static int answer_chunk(const question *q, ptl_chunk_pos pos)
{
    ptl_why w = PTL_WHY_INIT;
    if (ptl_special_why(q->s->world, q->special->id, pos, &w, &q->s->err) != PTL_OK)
        return session_failed(q->s);
    if (q->style.format == ROWS_TABLE) {
        ptl_why home = PTL_WHY_INIT;
        const bool elsewhere = q->special->flags & PTL_SPECIAL_GLOBALLY_UNIQUE &&
                               w.roll != PTL_ROLL_NONE &&
                               (w.home.x != pos.x || w.home.y != pos.y);
        if (elsewhere &&
            ptl_special_why(q->s->world, q->special->id, w.home, &home, &q->s->err) != PTL_OK)
            return session_failed(q->s);
        const bool good = print_chunk(q, pos, &w, elsewhere ? &home : NULL);
        return good ? EXIT_DONE : session_no_memory(q->s);
    } else if (q->style.format == ROWS_JSON || q->style.format == ROWS_JSONL) {
        return print_chunk_json(q, pos, &w) ? EXIT_DONE : session_no_memory(q->s);
    } else {
        row_printer *r = rows_new(&q->style, columns, true);
        const bool good = r && print_row(r, q, pos, &w);
        rows_finish(r);
        return good || !out_ok() ? EXIT_DONE : session_no_memory(q->s);
    }
    return EXIT_DONE;
}

static int run(const args *a)
{
    session s;
    bool given;
    ptl_chunk_pos pos;
    const ptl_world_open_options as_made = {.size = sizeof as_made, .as_chunk = &pos};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    rows_style style;
    int code = rows_style_from_args(&style, a, NULL);
    if (code == EXIT_DONE)
        code = chunk_from_args(a, "chunk", &given, &pos);
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_READ, given ? &as_made : NULL);
    if (code == EXIT_DONE) {
        const ptl_catalogue *cat = ptl_world_catalogue(s.world);
        ptl_special special = PTL_SPECIAL_INIT;
        size_t number;
        const question q = {&s, &special, &settings, style};
        (void)ptl_world_get_options(&settings, s.world, NULL);
        (void)ptl_catalogue_find(cat, PTL_CONTENT_SPECIAL, a->operands[1], &number);
        if (ptl_catalogue_special(cat, number, &special) != PTL_OK)
            code = names_no_special(&s, a->operands[1]);
        else
            code = given ? answer_chunk(&q, pos) : answer_all(&q, args_has(a, "quiet"));
    }
    session_close(&s);
    return code;
}

const command why_command = {
    .name = "why",
    .group = GROUP_SPECIALS,
    .operands = "FILE SPECIAL",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Explain why a special is, or is not, where one looks for it.",
    .operand_help = "SPECIAL  The id of a special of the file's content.\n",
    .details =
        "A chunk is made again in memory, and each test that the special's places had to\n"
        "pass is counted: locations, connections, cities, room. Nothing is written. Who\n"
        "else places it is named: cities, trails, highways, other specials; of one that\n"
        "a world has once --chunk tells its home, too, and what became of it there.\n",
    .examples = "  portolan why w.db anthill\n"
                "  portolan why w.db anthill --chunk 0,0\n",
    .options = options,
    .run = run,
    .stopped = "nothing can be said",
};
