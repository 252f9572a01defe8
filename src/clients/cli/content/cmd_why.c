/*
 * portolan why: tells why a special is or is not in a chunk, or in all saved chunks. Each
 * chunk is generated again with a listener (portolan/why.h), and what the listener heard
 * is put into words.
 */
#include "clients/cli/session/session.h"
#include "clients/lookup/why_json.h"
#include "clients/lookup/why_words.h"
#include "portolan/save.h"

static const option_spec options[] = {
    OPTION_WORLD,
    {"chunk", "X,Y", "one chunk, saved or not (default: a summary of all saved chunks)", 0},
    {"at", "X,Y", "one OMT: what the tests say of an origin there, and its chunk", 0},
    OPTIONS_ROWS,
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

/* What the user asks about: the special, and the rule of placement by which the world places
 * it. */
typedef struct question {
    session *s;
    const ptl_special *special;
    ptl_placement rule; /* the world's rule of placement */
    bool has_at;        /* the user asks about the OMT `at`, and not only about its chunk */
    ptl_omt at;
} question;

/* Prints the text and frees it. Returns false when memory is out. */
static bool print_words(bytes *text)
{
    const char *words = bytes_text(text);
    const bool good = words != NULL;
    out_text(good ? words : "");
    bytes_dispose(text);
    return good;
}

static bool print_row(row_printer *r, const question *q, ptl_chunk_pos pos, const ptl_why *w)
{
    return rows_put(r, CELLS(cell_text(q->special->id), cell_int(pos.x), cell_int(pos.y),
                             cell_text(why_verdict(w->verdict)), cell_int(w->asked),
                             cell_int(w->ground), cell_int(w->linked), cell_int(w->city),
                             cell_int(w->room), cell_int(w->failed), cell_int(w->placed),
                             cell_int(w->others)));
}

static const report_column columns[] = {
    COLUMN(special), COLUMN(chunk_x), COLUMN(chunk_y), COLUMN(verdict), COLUMN(asked),
    COLUMN(ground),  COLUMN(linked),  COLUMN(city),    COLUMN(room),    COLUMN(failed),
    COLUMN(placed),  COLUMN(others),  COLUMNS_END};

/* ---- one chunk ---- */

static const report_column place_columns[] = {
    COLUMN(special),   COLUMN(x),         COLUMN(y),      COLUMN(verdict), COLUMN(passed),
    COLUMN(wrong),     COLUMN(cells),     COLUMN(ground), COLUMN(wants),   COLUMN(want_count),
    COLUMN(nearest_x), COLUMN(nearest_y), COLUMNS_END};

static bool print_place(row_printer *r, const question *q, const ptl_why *w,
                        const ptl_why_place *p)
{
    return rows_put(r, CELLS(cell_text(q->special->id), cell_int(q->at.x), cell_int(q->at.y),
                             cell_text(why_verdict(w->verdict)), cell_int(p->passed),
                             cell_int(p->wrong), cell_int(p->cells), cell_text(p->ground),
                             cell_text(p->wants), cell_int(p->want_count),
                             p->has_nearest ? cell_int(p->nearest_x) : cell_none(),
                             p->has_nearest ? cell_int(p->nearest_y) : cell_none()));
}

/* What games have placed of the special in the chunk, put into words. */
typedef struct game_words {
    const char *special;
    bytes *text;
} game_words;

static bool put_placed(void *payload, const ptl_edit *e)
{
    const game_words *w = payload;
    if (e->undone_by == 0 && strcmp(e->special, w->special) == 0)
        words_put(w->text, "A game has placed one at %jd,%jd, by edit %jd.\n",
                  (intmax_t)e->origin.x, (intmax_t)e->origin.y, (intmax_t)e->number);
    return true;
}

static ptl_status put_games(bytes *text, const question *q, ptl_chunk_pos pos)
{
    const int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
    const int64_t rect[4] = {x, y, x + PTL_CHUNK_SIZE - 1, y + PTL_CHUNK_SIZE - 1};
    game_words w = {q->special->id, text};
    return ptl_edit_list(q->s->world, rect, put_placed, &w, &q->s->err);
}

/* Answers for one chunk. If the answer is printed as a table, it also tells what became of a
 * GLOBALLY_UNIQUE special in its home chunk. */
static int answer_chunk(const question *q, ptl_chunk_pos pos)
{
    session *s = q->s;
    const bool once = q->special->flags & PTL_SPECIAL_GLOBALLY_UNIQUE;
    ptl_why w = PTL_WHY_INIT, home = PTL_WHY_INIT;
    ptl_why_place place = PTL_WHY_PLACE_INIT;
    bytes text = {.size = 0};
    NEED(session_done(
        s, q->has_at
               ? ptl_why_place_get(&place, &w, NULL, s->world, q->special->id, q->at, &s->err)
               : ptl_why_get(&w, NULL, s->world, q->special->id, pos, &s->err)));
    if (s->style.format == ROWS_JSON || s->style.format == ROWS_JSONL) {
        emitter j = {&text, false};
        emit_put(&j, "{special:%s, chunk:[%d, %d]", q->special->id, pos.x, pos.y);
        why_put(&j, &w, once);
        if (q->has_at)
            why_put_place(&j, q->at, &place);
        emit_put(&j, "}");
        bytes_put_text(&text, "\n");
        return session_printed(s, print_words(&text));
    }
    if (s->style.format != ROWS_TABLE) {
        row_printer *r = rows_new(&s->style, q->has_at ? place_columns : columns, true);
        (void)(q->has_at ? print_place(r, q, &w, &place) : print_row(r, q, pos, &w));
        return session_printed(s, rows_finish(r));
    }
    const bool elsewhere =
        once && w.roll != PTL_ROLL_NONE && (w.home.x != pos.x || w.home.y != pos.y);
    if (elsewhere)
        NEED(session_done(s,
                          ptl_why_get(&home, NULL, s->world, q->special->id, w.home, &s->err)));
    why_words(&text, q->special, q->rule, pos, &w);
    if (elsewhere)
        why_chunk(&text, q->special, q->rule, w.home, &home);
    if (q->has_at)
        why_place(&text, q->special, q->at, &w, &place);
    const ptl_status status = put_games(&text, q, pos);
    if (status != PTL_OK) {
        bytes_dispose(&text);
        return session_done(s, status);
    }
    out_prose_begin(0);
    const bool good = print_words(&text);
    out_prose_end();
    return session_printed(s, good);
}

/* ---- all saved chunks ---- */

enum { VERDICTS = PTL_VERDICT_BUILDING + 1, OBSTACLES = 6 };

static const char *const OBSTACLE_TEXTS[OBSTACLES] = {
    "no ground: nowhere all OMTs on their locations",
    "no connection: its points nowhere as they must be",
    "no city: none as near and as large as it must be",
    "no room: other specials took it",
    "not closed: growths were undone",
    "fewer than asked for",
};

typedef struct why_totals {
    uint64_t chunks, with, asked, placed, others, failed;
    uint64_t verdicts[VERDICTS], obstacles[OBSTACLES];
    uint64_t other_content; /* number of chunks made with other content, which have no answer */
    ptl_chunk_pos other;    /* the first chunk of those that were made with other content */
} why_totals;

/* The answers for several chunks. list[i] is the answer for the chunk i of session.chunks; for
 * this, the chunks that have an answer are moved to its front. */
typedef struct answers {
    ptl_why *list; /* owned */
    size_t count;
    why_totals sum;
} answers;

/* Orders answers by the join that could not be continued, by the level of that join, and by the
 * terrain that stood where the join's next piece had to go. */
static int by_join(const void *a, const void *b)
{
    const ptl_why *const *v = a, *const *w = b;
    const int by_name = strcmp((*v)->join, (*w)->join);
    const int by_level = ((*v)->join_z > (*w)->join_z) - ((*v)->join_z < (*w)->join_z);
    return by_name    ? by_name
           : by_level ? by_level
                      : strcmp((*v)->join_ground, (*w)->join_ground);
}

/* Finds the join of a mutable special that kept the special from being placed in more chunks
 * than any other join did. Prints that join, its level, and the terrain that stood where the
 * join's next piece had to go. */
static bool print_join(const answers *a)
{
    bytes text = {.size = 0};
    const ptl_why **list = calloc(a->count + 1, sizeof *list);
    size_t count = 0, most = 0, at = 0;
    for (size_t i = 0; list && i < a->count; i++)
        if (a->list[i].join[0])
            list[count++] = &a->list[i];
    if (count > 0)
        qsort(list, count, sizeof *list, by_join);
    for (size_t i = 0, run = 0; i < count; i++) {
        run = i > 0 && by_join(&list[i - 1], &list[i]) == 0 ? run + 1 : 1;
        at = run > most ? i : at;
        most = run > most ? run : most;
    }
    if (count > 0) {
        words_put(&text, "  in %zu chunk%s it was %s", most, plural(most),
                  list[at]->join_undone == 0 ? "the root's " : "");
        why_join(&text, list[at]);
    }
    const bool good = list && print_words(&text);
    free(list);
    return good;
}

static bool print_summary(const question *q, const answers *a)
{
    const why_totals *t = &a->sum;
    out_prose_begin(0);
    bytes wish = {.size = 0};
    why_wish(&wish, q->special);
    bool good = print_words(&wish);
    out_printf("In %ju of %ju saved chunks; asked for %ju, placed %ju, by other specials or "
               "steps %ju.\n",
               t->with, t->chunks, t->asked, t->placed, t->others);
    for (size_t i = 1; i < VERDICTS; i++)
        if (t->verdicts[i] > 0)
            out_printf("  %ju chunk%s: not asked for: %s\n", t->verdicts[i],
                       plural(t->verdicts[i]), why_verdict((ptl_verdict)i));
    for (size_t i = 0; i < OBSTACLES; i++)
        if (t->obstacles[i] > 0)
            out_printf("  %ju chunk%s: %s\n", t->obstacles[i], plural(t->obstacles[i]),
                       OBSTACLE_TEXTS[i]);
    if (t->failed > 0)
        out_printf("  %ju growths were undone, since a join stayed open\n", t->failed);
    good = print_join(a) && good;
    out_prose_end();
    return good;
}

/* Adds the answer for one chunk to the totals. */
static void add_up(why_totals *sum, const ptl_why *w)
{
    sum->chunks++;
    sum->with += w->placed + w->others > 0;
    sum->asked += (uint64_t)w->asked;
    sum->placed += (uint64_t)w->placed;
    sum->others += (uint64_t)w->others;
    sum->failed += (uint64_t)w->failed;
    sum->verdicts[w->verdict]++;
    /* Counts the chunk in `obstacles`, by the reason why the special was placed less often than
     * asked. Elements 0 to 3: no origin passed the test of the ground, of the connections, of
     * the distance from a city or of the room between other specials. Element 4: a growth
     * failed. Element 5: any other reason. */
    if (w->verdict == PTL_VERDICT_ASKED && w->placed < w->asked)
        sum->obstacles[w->ground == 0   ? 0
                       : w->linked == 0 ? 1
                       : w->city == 0   ? 2
                       : w->room == 0   ? 3
                       : w->failed > 0  ? 4
                                        : 5]++;
}

/* Asks about one chunk. A chunk that was made with other content can't be generated again; it
 * is counted, but gives no answer. */
static ptl_status ask(const question *q, answers *a, ptl_chunk_pos pos)
{
    ptl_why *w = &a->list[a->count];
    *w = (ptl_why)PTL_WHY_INIT;
    const ptl_status status =
        ptl_why_get(w, NULL, q->s->world, q->special->id, pos, &q->s->err);
    if (status == PTL_OK) {
        q->s->chunks.positions[a->count++] = pos;
        add_up(&a->sum, w);
    }
    if (status != PTL_ERR_MISMATCH)
        return status;
    if (a->sum.other_content++ == 0)
        a->sum.other = pos;
    return PTL_OK;
}

static bool print_rows(const question *q, const answers *a)
{
    row_printer *r = rows_new(&q->s->style, columns, false);
    for (size_t i = 0; i < a->count; i++)
        if (!print_row(r, q, q->s->chunks.positions[i], &a->list[i]))
            break;
    return rows_finish(r);
}

/* Prints the totals over all chunks if the output is for people. As CSV, JSON lines or raw
 * rows, it prints a row for each chunk instead; as JSON, it prints the rows and the totals. */
static int print_answers(const question *q, const answers *a)
{
    session *s = q->s;
    const why_totals *sum = &a->sum;
    bool good = true;
    if (a->count == 0 && sum->other_content > 0)
        return session_failed(s);
    if (sum->other_content > 0)
        tell("portolan why: %ju chunks were made with other content than the world, and are "
             "not counted.\nOne of them: portolan why '%s' '%s' --world '%s' --chunk %d,%d\n",
             sum->other_content, s->args->operands[0], q->special->id, ptl_world_name(s->world),
             sum->other.x, sum->other.y);
    if (s->style.format == ROWS_TABLE) {
        good = print_summary(q, a);
    } else if (s->style.format == ROWS_JSON) {
        out_text("{\"special\": ");
        out_json_text(q->special->id);
        out_printf(", \"chunks\": %ju, \"with\": %ju, \"asked\": %ju, \"placed\": %ju, "
                   "\"others\": %ju, \"failed\": %ju, \"verdicts\": {",
                   sum->chunks, sum->with, sum->asked, sum->placed, sum->others, sum->failed);
        for (size_t i = 0; i < VERDICTS; i++)
            out_printf("%s\"%s\": %ju", i ? ", " : "", why_verdict((ptl_verdict)i),
                       sum->verdicts[i]);
        static const char *const names[OBSTACLES] = {"ground", "linked", "city",
                                                     "room",   "failed", "fewer"};
        out_text("}, \"obstacles\": {");
        for (size_t i = 0; i < OBSTACLES; i++)
            out_printf("%s\"%s\": %ju", i ? ", " : "", names[i], sum->obstacles[i]);
        out_text("}");
        out_text(",\n\"each\": ");
        good = print_rows(q, a);
        out_text("}\n");
    } else {
        good = print_rows(q, a);
    }
    return session_printed(s, good);
}

/* Asks for each saved chunk why the special is or is not in it. A signal ends this early. */
static int answer_all(const question *q)
{
    session *s = q->s;
    answers a = {.count = 0};
    bool stopped = false;
    ptl_status status = PTL_OK;
    NEED(session_saved_chunks(s, NULL));
    const size_t total = s->chunks.count;
    size_t done = 0;
    a.list = calloc(total + 1, sizeof *a.list);
    if (!a.list)
        return session_no_memory(s);
    progress_begin(&s->shown, "chunks");
    while (done < total && !stopped && status == PTL_OK) {
        status = ask(q, &a, s->chunks.positions[done]);
        stopped = status == PTL_ERR_CANCELLED && stop_wanted();
        if (status == PTL_OK)
            stopped = !progress_count(&s->shown, ++done, total);
    }
    progress_end(&s->shown);
    if (stopped)
        stop_tell_how("what it prints is about %zu of %zu chunks", done, total);
    int code = stopped ? EXIT_DONE : session_done(s, status);
    if (code == EXIT_DONE)
        code = print_answers(q, &a);
    free(a.list);
    return stopped ? EXIT_FAILED : code;
}

/* Reads the value of --at. */
static int read_place(const args *a, const char *text, ptl_omt *out)
{
    static const int64_t limit = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    int64_t v[2];
    if (!parse_ints(text, 2, PTL_CHUNK_SIZE - 1 - limit, limit, v))
        return usage_error(a, "--at '%s' is not X,Y, an OMT", text);
    *out = (ptl_omt){v[0], v[1], 0};
    return EXIT_DONE;
}

static int run(session *s)
{
    const args *a = s->args;
    bool given;
    ptl_omt at = {0, 0, 0};
    size_t number;
    ptl_chunk_pos pos;
    /* If the command line names a chunk, the world is opened with the content with which that
     * chunk was made. */
    const ptl_world_open_options as_made = {.size = sizeof as_made, .as_chunk = &pos};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_special special = PTL_SPECIAL_INIT;
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(chunk_from_args(a, "chunk", &given, &pos));
    const char *place = args_value(a, "at");
    if (place && given)
        return usage_error(a, "--at names an OMT, --chunk its chunk: one of them is enough");
    if (place)
        NEED(read_place(a, place, &at));
    if (place)
        pos = ptl_omt_chunk(at);
    given = given || place;
    NEED(session_open_world(s, PTL_OPEN_READ, given ? &as_made : NULL));
    const ptl_catalogue *cat = ptl_world_catalogue(s->world);
    (void)ptl_world_settings(&settings, s->world, NULL);
    (void)ptl_catalogue_find(&number, cat, PTL_CONTENT_SPECIAL, a->operands[1]);
    if (ptl_catalogue_special(&special, cat, number) != PTL_OK)
        return names_no_special(s, a->operands[1]);
    const question q = {.s = s,
                        .special = &special,
                        .rule = settings.placement,
                        .has_at = place != NULL,
                        .at = at};
    return given ? answer_chunk(&q, pos) : answer_all(&q);
}

const command why_command = {
    .name = "why",
    .group = GROUP_SPECIALS,
    .operands = "FILE SPECIAL",
    .summary = "Explain why a special is, or is not, where one looks for it.",
    .operand_help = "SPECIAL  The id of a special of the file's content.\n",
    .details =
        "A chunk is made again in memory, and each test that the special's places had to\n"
        "pass is counted: locations, connections, cities, room. Nothing is written. Who\n"
        "else places it is named: cities, trails, highways, other specials; of one that\n"
        "a world has once --chunk tells its home, too, and what became of it there. --at\n"
        "says which of the tests an origin at an OMT passes, and which cell it fails for.\n",
    .examples = "  portolan why w.db anthill\n"
                "  portolan why w.db anthill --chunk 0,0\n"
                "  portolan why w.db anthill --at 90,60\n",
    .options = options,
    .run = run,
    .stopped = "nothing can be said",
};
