/*
 * What a page shows and changes of a world's saves (portolan/save.h): its edits and its notes.
 * Each request that changes something stores one save.
 */
#include "clients/server/answer.h"
#include "core/error.h"
#include "portolan/save.h"

#include <stdlib.h>

/* LISTED: most edits that are listed, the newest ones. SHOWN: most OMTs of an edit that are
 * listed. NOTES: most notes that are listed. SET: most OMTs that one request sets. */
enum { LISTED = 100, SHOWN = 1000, NOTES = 10000, SET = 100000 };

/* LOOKED: most OMTs of new edits that are looked at to tell which chunks have changed. CHANGED:
 * most chunks that are told. Beyond these the answer says that any chunk may have changed. */
enum { LOOKED = 100000, CHANGED = 256 };

static const int64_t NUMBER_MAX = INT64_C(999999999999999);

/* Reads a whole number that the request may leave out. */
static ptl_status asked_more(const asked *q, const char *name, int64_t lo, int64_t hi,
                             int64_t *out, ptl_error *err)
{
    return target_text(q->values, name) ? asked_int(q, name, lo, hi, out, err) : PTL_OK;
}

/* ---- the list of edits ---- */

typedef struct edit_rows {
    emitter *j;
    int64_t since;   /* edits up to this number are known to the page */
    uint64_t before; /* how many edits come before those that are listed */
    uint64_t count;
    int64_t last;           /* number of the last edit */
    int64_t first_new;      /* number of the first edit behind `since`; 0: there is none */
    ptl_chunk_pos *changed; /* chunks that edits behind `since` change, each once */
    size_t changed_count;
    uint64_t looked; /* OMTs of these edits that were looked at */
    bool any;        /* any chunk may have changed */
} edit_rows;

static bool count_edit(void *payload, const ptl_edit *e)
{
    edit_rows *r = payload;
    r->count++;
    r->last = e->number;
    if (r->first_new == 0 && e->number > r->since)
        r->first_new = e->number;
    return true;
}

static bool put_edit(void *payload, const ptl_edit *e)
{
    edit_rows *r = payload;
    if (r->count++ >= r->before)
        emit_put(r->j,
                 "{number:%jd, author:%s, text:%s, turn:%jd, undoes:%jd, undone_by:%jd, "
                 "chunks:%ju, cells:%ju, special:%s}",
                 e->number, e->author, e->text, e->turn, e->undoes, e->undone_by, e->chunks,
                 e->cells, e->special);
    return true;
}

static bool note_chunk(void *payload, ptl_omt at, const char *before, const char *after)
{
    edit_rows *r = payload;
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    size_t i = r->changed_count;
    (void)before;
    (void)after;
    while (i > 0 && (r->changed[i - 1].x != pos.x || r->changed[i - 1].y != pos.y))
        i--;
    if (i == 0 && r->changed_count < CHANGED)
        r->changed[r->changed_count++] = pos;
    else if (i == 0)
        r->any = true;
    r->any = r->any || ++r->looked > LOOKED;
    return !r->any;
}

/* Finds the chunks that were changed by the edits behind `since`. Of many edits it says that
 * any chunk may have changed. */
static ptl_status find_changed(edit_rows *r, ptl_world *world, ptl_error *err)
{
    r->any = r->first_new > 0 && r->last - r->first_new >= LISTED;
    for (int64_t n = r->first_new; n > 0 && n <= r->last && !r->any; n++) {
        const ptl_status status = ptl_edit_cell_list(world, n, note_chunk, r, err);
        if (status == PTL_ERR_NOT_FOUND || (status == PTL_ERR_CANCELLED && r->any))
            error_clear(err); /* numbers may be missing; or enough was looked at */
        else
            TRY(status);
    }
    return PTL_OK;
}

ptl_status answer_edits(const asked *q, reply *out, ptl_error *err)
{
    edit_rows r = {.j = &out->j, .since = NUMBER_MAX};
    int64_t revision = 1;
    TRY(asked_more(q, "since", 0, NUMBER_MAX, &r.since, err));
    r.changed = calloc(CHANGED, sizeof *r.changed);
    ptl_status status = r.changed ? PTL_OK : error_nomem(err);
    THEN(status, ptl_save_revision_load(&revision, q->world, err));
    THEN(status, ptl_edit_list(q->world, NULL, count_edit, &r, err));
    THEN(status, find_changed(&r, q->world, err));
    emit_put(&out->j, "{last:%jd, count:%ju, revision:%jd, edits:[", r.last, r.count, revision);
    r.before = r.count > LISTED ? r.count - LISTED : 0;
    r.count = 0;
    THEN(status, ptl_edit_list(q->world, NULL, put_edit, &r, err));
    emit_put(&out->j, "], changed:");
    if (r.any || !r.changed) {
        emit_null(&out->j);
    } else {
        emit_put(&out->j, "[");
        for (size_t i = 0; i < r.changed_count; i++)
            emit_put(&out->j, "[%d, %d]", r.changed[i].x, r.changed[i].y);
        emit_put(&out->j, "]");
    }
    emit_put(&out->j, "}");
    free(r.changed);
    return status;
}

typedef struct cell_rows {
    emitter *j;
    uint64_t count;
} cell_rows;

static bool put_cell(void *payload, ptl_omt at, const char *before, const char *after)
{
    cell_rows *r = payload;
    if (r->count++ < SHOWN)
        emit_put(r->j, "[%jd, %jd, %d, %s, %s]", at.x, at.y, at.z, before, after);
    return true;
}

ptl_status answer_edit(const asked *q, reply *out, ptl_error *err)
{
    cell_rows r = {.j = &out->j};
    int64_t number = 0;
    TRY(asked_int(q, "number", 1, NUMBER_MAX, &number, err));
    emit_put(&out->j, "{number:%jd, cells:[", number);
    TRY(ptl_edit_cell_list(q->world, number, put_cell, &r, err));
    emit_put(&out->j, "], count:%ju}", r.count);
    return PTL_OK;
}

/* ---- the list of notes ---- */

static bool put_note(void *payload, const ptl_note *n)
{
    cell_rows *r = payload;
    if (r->count++ < NOTES)
        emit_put(r->j,
                 "{viewer:%s, x:%jd, y:%jd, z:%d, text:%s, symbol:%s, colour:%s, radius:%d, "
                 "dangerous:%i, revision:%jd}",
                 n->viewer, n->at.x, n->at.y, n->at.z, n->text, n->symbol, n->colour, n->radius,
                 n->dangerous, n->revision);
    return true;
}

/* The revision is read first: a note that is written meanwhile has a later one, so a save that
 * replaces it and has seen this revision is refused. */
ptl_status answer_notes(const asked *q, reply *out, ptl_error *err)
{
    cell_rows r = {.j = &out->j};
    int64_t revision = 1;
    TRY(ptl_save_revision_load(&revision, q->world, err));
    emit_put(&out->j, "{revision:%jd, notes:[", revision);
    TRY(ptl_note_list(q->world, NULL, NULL, put_note, &r, err));
    emit_put(&out->j, "], count:%ju}", r.count);
    return PTL_OK;
}

/* ---- changes: each is one save ---- */

/* Begins the save of a request, which may name an author and the game's turn. */
static ptl_status begin(ptl_save **out, const asked *q, const char *text, int64_t seen,
                        ptl_error *err)
{
    ptl_save_options o = PTL_SAVE_OPTIONS_INIT;
    bool has_turn;
    *out = NULL;
    TRY(asked_turn(q, &has_turn, &o.turn, err));
    o.author = target_text(q->values, "author");
    o.text = text;
    o.seen = seen;
    return ptl_save_begin(out, q->world, &o, err);
}

/* Commits the save if status is PTL_OK, and answers what it has changed; else aborts it. */
static ptl_status finish(reply *out, ptl_save *save, ptl_status status, ptl_error *err)
{
    ptl_save_report r = PTL_SAVE_REPORT_INIT;
    THEN(status, ptl_save_commit(&r, save, err));
    if (status == PTL_OK)
        emit_put(&out->j,
                 "{edit:%jd, cells:%ju, unchanged:%ju, maps_dropped:%ju, maps_kept:%ju, "
                 "notes:%ju, specials:%ju, revision:%jd}",
                 r.last, r.cells, r.unchanged, r.maps_dropped, r.maps_kept, r.notes, r.specials,
                 r.revision);
    else
        ptl_save_abort(save);
    return status;
}

/* Reads a whole number and the blanks after it; *text becomes what follows. */
static bool take_number(const char **text, int64_t lo, int64_t hi, int64_t *out)
{
    const size_t sign = **text == '-';
    const size_t digits = strspn(*text + sign, "0123456789");
    const char *end = *text + sign + digits;
    if (digits == 0 || digits > 15 || (*end != ' ' && *end != '\0'))
        return false;
    *out = strtoll(*text, NULL, 10);
    *text = end + strspn(end, " ");
    return *out >= lo && *out <= hi;
}

/* Reads "X Y N X Y N ...": of each row of OMTs the first one and how many they are, from west
 * to east. *cells is the caller's, also after an error. */
static ptl_status read_runs(ptl_save_cell **cells, size_t *count, const asked *q,
                            const char *text, ptl_error *err)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1;
    *count = 0;
    *cells = malloc(SET * sizeof **cells);
    if (!*cells)
        return error_nomem(err);
    while (*text) {
        int64_t x, y, n;
        if (!take_number(&text, -most, most, &x) || !take_number(&text, -most, most, &y) ||
            !take_number(&text, 1, SET, &n))
            return error_set(err, PTL_ERR_ARGUMENT,
                             "runs are X Y N, as often as there are rows of OMTs");
        if ((size_t)n > SET - *count)
            return error_set(err, PTL_ERR_ARGUMENT, "at most %d OMTs are set at a time",
                             (int)SET);
        for (int64_t i = 0; i < n; i++)
            (*cells)[(*count)++] = (ptl_save_cell){{x + i, y, q->z}, q->text};
    }
    return PTL_OK;
}

ptl_status answer_set(const asked *q, reply *out, ptl_error *err)
{
    const char *runs = target_text(q->values, "runs");
    ptl_save_cell *cells = NULL;
    ptl_save *save = NULL;
    size_t count = 0;
    if (!runs || !*runs)
        return error_set(err, PTL_ERR_ARGUMENT, "runs is missing");
    ptl_status status = read_runs(&cells, &count, q, runs, err);
    THEN(status, begin(&save, q, target_text(q->values, "text"), 0, err));
    THEN(status, ptl_save_cells_set(save, cells, count, err));
    free(cells);
    return finish(out, save, status, err);
}

/* A special that can't stand there is refused with the reason and the nearest place. */
ptl_status answer_place(const asked *q, reply *out, ptl_error *err)
{
    ptl_save *save = NULL;
    int64_t rotation = PTL_ROTATION_ANY;
    TRY(asked_more(q, "rotation", PTL_ROTATION_ANY, 3, &rotation, err));
    ptl_status status = begin(&save, q, target_text(q->values, "text"), 0, err);
    THEN(status, ptl_save_special_add(NULL, save, q->text, q->omt, (int32_t)rotation, err));
    return finish(out, save, status, err);
}

ptl_status answer_undo(const asked *q, reply *out, ptl_error *err)
{
    ptl_save *save = NULL;
    int64_t number = 0;
    TRY(asked_int(q, "number", 1, NUMBER_MAX, &number, err));
    ptl_status status = begin(&save, q, target_text(q->values, "text"), 0, err);
    THEN(status, ptl_save_undo(save, number, err));
    return finish(out, save, status, err);
}

ptl_status answer_set_note(const asked *q, reply *out, ptl_error *err)
{
    ptl_note note = PTL_NOTE_INIT;
    ptl_save *save = NULL;
    int64_t radius = 0, dangerous = 0, seen = 0;
    TRY(asked_more(q, "radius", 0, PTL_NOTE_RADIUS_MAX, &radius, err));
    TRY(asked_more(q, "dangerous", 0, 1, &dangerous, err));
    TRY(asked_int(q, "seen", 1, NUMBER_MAX, &seen, err));
    note.viewer = target_text(q->values, "viewer");
    note.at = q->omt;
    note.text = target_text(q->values, "text");
    note.symbol = target_text(q->values, "symbol");
    note.colour = target_text(q->values, "colour");
    note.radius = (int32_t)radius;
    note.dangerous = dangerous == 1;
    ptl_status status = begin(&save, q, NULL, seen, err);
    THEN(status, ptl_save_note_set(save, &note, err));
    return finish(out, save, status, err);
}
