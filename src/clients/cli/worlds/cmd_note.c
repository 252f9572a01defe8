/* portolan note: writes notes on OMTs, removes them, and lists them. */
#include "clients/cli/worlds/saving.h"

#include <inttypes.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"text", "TEXT", "write this note on the OMT, in place of the viewer's earlier one", 0},
    {"remove", NULL, "remove the viewer's note from the OMT", 0},
    {"list", NULL, "list the notes", 0},
    {"viewer", "NAME",
     "whose note, such as a player (default: nobody's); with --list: only these", 0},
    {"symbol", "TEXT", "how a game shows the note: a character", 0},
    {"colour", "NAME", "in which colour it does", 0},
    {"radius", "N", "how far the note reaches, in OMTs (default: 0)", 0},
    {"dangerous", NULL, "the OMTs within the radius are to be avoided", 0},
    {"rect", "X0,Y0,X1,Y1", "with --list: notes in this rectangle of OMTs", 0},
    OPTION_WAIT,
    OPTION_SHARED,
    OPTIONS_ROWS,
    OPTION_QUIET,
    OPTIONS_END,
};

/* ---- changing ---- */

/* Writes a note, or, if it has no text, removes the one that is there. */
static int change(session *s, const ptl_note *note)
{
    static const report_column columns[] = {COLUMN(notes), COLUMN(revision), COLUMNS_END};
    const ptl_omt at = note->at;
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_save *save = NULL;
    NEED(session_open_world(s, PTL_OPEN_WRITE, NULL));
    ptl_status status = ptl_save_begin(&save, s->world, NULL, &s->err);
    if (status == PTL_OK)
        status = ptl_save_note_set(save, note, &s->err);
    if (saving_end(save, status, &report, &s->err) != PTL_OK)
        return session_failed(s);
    if (report.notes == 0) {
        tell("portolan note: nothing was changed: %s %" PRId64 ",%" PRId64 ",%d\n",
             note->text ? "this note is already at" : "this viewer has no note at", at.x, at.y,
             (int)at.z);
        return EXIT_FAILED;
    }
    if (s->style.format != ROWS_TABLE)
        return session_printed(
            s, rows_print_one(&s->style, columns,
                              CELLS(cell_uint(report.notes), cell_int(report.revision))));
    if (!s->shown.quiet)
        out_say("note %s %" PRId64 ",%" PRId64 ",%d (revision %" PRId64 ")\n",
                note->text ? "written at" : "removed from", at.x, at.y, (int)at.z,
                report.revision);
    return EXIT_DONE;
}

/* ---- listing ---- */

static bool put_note(void *payload, const ptl_note *n)
{
    return rows_put(payload,
                    CELLS(cell_text(n->viewer), cell_int(n->at.x), cell_int(n->at.y),
                          cell_int(n->at.z), cell_text(n->symbol), cell_text(n->colour),
                          cell_int(n->radius), cell_int(n->dangerous), cell_int(n->revision),
                          cell_text(n->text))) &&
           !stop_wanted();
}

static int list(session *s)
{
    static const report_column columns[] = {COLUMN(viewer),
                                            COLUMN(x),
                                            COLUMN(y),
                                            COLUMN(z),
                                            COLUMN(symbol),
                                            COLUMN_RANK(colour, 2),
                                            COLUMN_RANK(radius, 1),
                                            COLUMN_RANK(dangerous, 1),
                                            COLUMN_RANK(revision, 3),
                                            COLUMN_WRAP(text),
                                            COLUMNS_END};
    const int64_t *rect;
    int64_t v[4];
    NEED(saving_rect(s->args, v, &rect));
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    row_printer *r = rows_new(&s->style, columns, false);
    return saving_list_end(
        s, r,
        ptl_note_list(s->world, args_value(s->args, "viewer"), rect, put_note, r, &s->err));
}

static int run(session *s)
{
    static const char *const looks[] = {"symbol", "colour", "radius", "dangerous"};
    const args *a = s->args;
    const bool listed = args_has(a, "list");
    ptl_note note = PTL_NOTE_INIT;
    NEED(rows_style_from_args(&s->style, a, NULL));
    note.text = args_value(a, "text");
    if ((note.text != NULL) + args_has(a, "remove") + listed != 1)
        return usage_error(a, "give one of --text, --remove and --list");
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        if (!note.text && args_has(a, looks[i]))
            return usage_error(a, "--%s goes with --text", looks[i]);
    if (note.text && !note.text[0])
        return usage_error(a, "a note needs a text; --remove removes one");
    if (args_has(a, "rect") && !listed)
        return usage_error(a, "--rect goes with --list");
    if (listed && a->operand_count > 1)
        return usage_error(a, "an OMT goes with --text and --remove");
    if (listed)
        return list(s);
    NEED(saving_place(a, &note.at));
    NEED(args_int32(a, "radius", 0, PTL_NOTE_RADIUS_MAX, &note.radius));
    note.viewer = args_value(a, "viewer");
    note.symbol = args_value(a, "symbol");
    note.colour = args_value(a, "colour");
    note.dangerous = args_has(a, "dangerous");
    return change(s, &note);
}

const command note_command = {
    .name = "note",
    .group = GROUP_MAKE,
    .operands = "FILE [X,Y[,Z]]",
    .operand_help = "X,Y[,Z]  The OMT: absolute, and its level (0).\n",
    .summary = "Write a note on an OMT of a world, remove it, or list the notes.",
    .details =
        "A viewer, such as a player, has one note on an OMT at most. Notes may lie where "
        "no overmap is saved. They are stored beside edits and marks, as a game stores "
        "them (portolan/save.h): 'verify' checks and 'digest' covers them, but nothing "
        "that is generated depends on them.\n",
    .examples = "  portolan note w.db 90,90 --text \"a dry cellar\" --viewer ann\n"
                "  portolan note w.db 12,7,-1 --text nest --viewer ann --radius 3 --dangerous\n"
                "  portolan note w.db --list --viewer ann\n"
                "  portolan note w.db 90,90 --remove --viewer ann\n",
    .options = options,
    .run = run,
    .stopped = "a note is stored whole or not at all",
};
