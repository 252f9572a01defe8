/* portolan edit: changes OMTs of a world, places specials, takes edits back, and lists them. */
#include "clients/cli/worlds/saving.h"

#include <inttypes.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"set", "OTER", "give the OMT this oter, such as house_north", 0},
    {"place", "SPECIAL", "place a special with its origin on the OMT, as generation does", 0},
    {"rotate", "R", "with --place: north, east, south or west (default: as generation chooses)",
     0},
    {"undo", "N", "take edit N back", 0},
    {"list", NULL, "list the edits", 0},
    {"show", "N", "list the OMTs of edit N", 0},
    {"reset", NULL, "make --rect as it was generated, also local maps that a game has changed",
     0},
    {"dry-run", NULL, "with --reset: only say what would be done", 0},
    {"rect", "X0,Y0,X1,Y1", "with --list and --reset: a rectangle of OMTs, on all levels", 0},
    OPTIONS_SAVING,
    OPTION_WAIT,
    OPTION_SHARED,
    OPTIONS_ROWS,
    OPTION_QUIET,
    OPTIONS_END,
};

/* ---- changing ---- */

static int print_report(session *s, const ptl_save_report *r)
{
    static const report_column columns[] = {COLUMN(number), COLUMN(cells), COLUMN(maps_dropped),
                                            COLUMN(maps_kept), COLUMNS_END};
    if (s->style.format != ROWS_TABLE)
        return session_printed(
            s, rows_print_one(&s->style, columns,
                              CELLS(cell_int(r->last), cell_uint(r->cells),
                                    cell_uint(r->maps_dropped), cell_uint(r->maps_kept))));
    if (!s->shown.quiet)
        saving_say(r);
    return EXIT_DONE;
}

/* What becomes an edit: one of `set` and `special` is an id, or `undo` is a number. */
typedef struct wish {
    const char *set, *special;
    ptl_omt at;
    int32_t rotation;
    int64_t undo;
} wish;

static int read_rotation(const args *a, int32_t *out)
{
    static const char *const sides[] = {"north", "east", "south", "west"};
    const char *text = args_value(a, "rotate");
    *out = PTL_ROTATION_ANY;
    for (int32_t i = 0; text && i < 4; i++)
        if (strcmp(text, sides[i]) == 0)
            *out = i;
    if (text && *out == PTL_ROTATION_ANY)
        return usage_error(a, "--rotate '%s': say north, east, south or west", text);
    return EXIT_DONE;
}

static ptl_status fill(ptl_save *save, const wish *w, ptl_error *err)
{
    const ptl_save_cell cell = {w->at, w->set};
    if (w->set)
        return ptl_save_cells_set(save, &cell, 1, err);
    return w->special ? ptl_save_special_add(NULL, save, w->special, w->at, w->rotation, err)
                      : ptl_save_undo(save, w->undo, err);
}

/* Stores one edit. */
static int change(session *s, const wish *w)
{
    ptl_save_options o;
    NEED(saving_options(s->args, &o));
    NEED(session_open_world(s, PTL_OPEN_WRITE, NULL));
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_save *save = NULL;
    ptl_status status = ptl_save_begin(&save, s->world, &o, &s->err);
    if (status == PTL_OK)
        status = fill(save, w, &s->err);
    if (saving_end(save, status, &report, &s->err) != PTL_OK)
        return session_failed(s);
    if (report.last > 0)
        return print_report(s, &report);
    tell("portolan edit: nothing was changed: %" PRId64 ",%" PRId64 ",%d is %s already\n",
         w->at.x, w->at.y, (int)w->at.z, w->set);
    return EXIT_FAILED;
}

/* ---- resetting ---- */

static void say_reset(const ptl_edit_reset_report *r, bool dry)
{
    if (dry)
        out_say("this would be done: ");
    else if (r->number > 0)
        out_say("edit %" PRId64 ": ", r->number);
    out_say("%" PRIu64 " OMT%s of %" PRIu64 " edit%s as generated; %" PRIu64
            " local map%s removed",
            r->cells, plural(r->cells), r->edits, plural(r->edits), r->maps + r->maps_edited,
            plural(r->maps + r->maps_edited));
    if (r->maps_edited > 0)
        out_say(", %" PRIu64 " of which a game has changed", r->maps_edited);
    out_say("\n");
}

static int reset(session *s)
{
    static const report_column columns[] = {COLUMN(number), COLUMN(edits), COLUMN(chunks),
                                            COLUMN(cells),  COLUMN(maps),  COLUMN(maps_edited),
                                            COLUMNS_END};
    const args *a = s->args;
    const bool dry = args_has(a, "dry-run");
    ptl_save_options kept;
    NEED(saving_options(a, &kept));
    ptl_edit_reset_options o = {.size = sizeof o,
                                .author = kept.author,
                                .text = kept.text,
                                .turn = kept.turn,
                                .dry_run = dry};
    ptl_edit_reset_report r = PTL_EDIT_RESET_REPORT_INIT;
    const int64_t *rect;
    NEED(saving_rect(a, o.rect, &rect));
    if (!rect)
        return usage_error(a, "--reset needs --rect X0,Y0,X1,Y1, in OMTs");
    NEED(session_open_world(s, dry ? PTL_OPEN_READ : PTL_OPEN_WRITE, NULL));
    if (ptl_edit_reset(&r, s->world, &o, &s->err) != PTL_OK)
        return session_failed(s);
    if (!dry && r.cells + r.maps + r.maps_edited == 0) {
        tell("portolan edit: nothing was changed: all of the rectangle is as it was "
             "generated\n");
        return EXIT_FAILED;
    }
    if (s->style.format != ROWS_TABLE)
        return session_printed(
            s, rows_print_one(&s->style, columns,
                              CELLS(r.number ? cell_int(r.number) : cell_none(),
                                    cell_uint(r.edits), cell_uint(r.chunks), cell_uint(r.cells),
                                    cell_uint(r.maps), cell_uint(r.maps_edited))));
    if (!s->shown.quiet || dry)
        say_reset(&r, dry);
    return EXIT_DONE;
}

/* ---- listing ---- */

static bool put_edit(void *payload, const ptl_edit *e)
{
    const report_cell none = cell_none();
    const bool placed = e->special[0] != '\0';
    return rows_put(payload,
                    CELLS(cell_int(e->number), cell_text(e->author), cell_int(e->turn),
                          cell_uint(e->chunks), cell_uint(e->cells),
                          placed ? cell_text(e->special) : none,
                          placed ? cell_int(e->origin.x) : none,
                          placed ? cell_int(e->origin.y) : none,
                          e->undoes ? cell_int(e->undoes) : none,
                          e->undone_by ? cell_int(e->undone_by) : none, cell_text(e->text))) &&
           !stop_wanted();
}

static bool put_cell(void *payload, ptl_omt at, const char *before, const char *after)
{
    return rows_put(payload, CELLS(cell_int(at.x), cell_int(at.y), cell_int(at.z),
                                   cell_text(before), cell_text(after))) &&
           !stop_wanted();
}

static int list(session *s)
{
    static const report_column columns[] = {
        COLUMN(number), COLUMN(author),    COLUMN(turn),      COLUMN_RANK(chunks, 2),
        COLUMN(cells),  COLUMN(special),   COLUMN_RANK(x, 2), COLUMN_RANK(y, 2),
        COLUMN(undoes), COLUMN(undone_by), COLUMN_WRAP(text), COLUMNS_END};
    const int64_t *rect;
    int64_t v[4];
    NEED(saving_rect(s->args, v, &rect));
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    row_printer *r = rows_new(&s->style, columns, false);
    return saving_list_end(s, r, ptl_edit_list(s->world, rect, put_edit, r, &s->err));
}

static int show(session *s, int64_t number)
{
    static const report_column columns[] = {COLUMN(x),      COLUMN(y),     COLUMN(z),
                                            COLUMN(before), COLUMN(after), COLUMNS_END};
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    row_printer *r = rows_new(&s->style, columns, false);
    return saving_list_end(s, r, ptl_edit_cell_list(s->world, number, put_cell, r, &s->err));
}

static int run(session *s)
{
    const args *a = s->args;
    wish w = {.set = args_value(a, "set"), .special = args_value(a, "place")};
    const bool placed = w.set || w.special;
    int64_t number = 0;
    NEED(rows_style_from_args(&s->style, a, NULL));
    if ((w.set != NULL) + (w.special != NULL) + args_has(a, "undo") + args_has(a, "list") +
            args_has(a, "show") + args_has(a, "reset") !=
        1)
        return usage_error(a, "give one of --set, --place, --undo, --reset, --list and --show");
    if (args_has(a, "rect") && !args_has(a, "list") && !args_has(a, "reset"))
        return usage_error(a, "--rect goes with --list and --reset");
    if (args_has(a, "dry-run") && !args_has(a, "reset"))
        return usage_error(a, "--dry-run goes with --reset");
    if (args_has(a, "rotate") && !w.special)
        return usage_error(a, "--rotate goes with --place");
    if (!placed && a->operand_count > 1)
        return usage_error(a, "an OMT goes with --set or --place");
    NEED(args_int(a, "undo", 1, INT64_MAX, &number));
    NEED(args_int(a, "show", 1, INT64_MAX, &number));
    if (placed)
        NEED(saving_place(a, &w.at));
    NEED(read_rotation(a, &w.rotation));
    w.undo = number;
    if (args_has(a, "reset"))
        return reset(s);
    if (args_has(a, "list"))
        return list(s);
    return args_has(a, "show") ? show(s, number) : change(s, &w);
}

const command edit_command = {
    .name = "edit",
    .group = GROUP_MAKE,
    .operands = "FILE [X,Y[,Z]]",
    .operand_help = "X,Y[,Z]  With --set or --place, the OMT: absolute, and its level (0).\n",
    .summary = "Set an OMT, place a special, take edits back, or list them.",
    .details =
        "An edit lies over the overmap, which stays as it was generated: 'regenerate' and "
        "'repair' keep edits, and --undo takes them back, each by its number. An edit can't be "
        "taken back before the later edits over its OMTs. Local maps that depend on an edited "
        "OMT are made anew, except those that a game has changed. The overmap must be saved, "
        "and the world must store its local maps (no --derive).\n\n"
        "--place takes the place only if generation could take it, and draws the special's "
        "connections; else it gives the reason, as 'why --at' does. The special is one edit, "
        "and goes with it.\n\n"
        "--reset makes a rectangle as it was generated, on all levels: by one new edit, which "
        "can be taken back, and by removing all local maps there, which can't. Edits that "
        "reach out of the rectangle stay in force outside; they can be taken back only when "
        "the new edit was.\n\n"
        "What shows the world shows it with its edits: local maps, render, export, serve, "
        "view, dump, show, the tables omt and terrain_count of SQL. What measures what was "
        "generated leaves them out: stats, compare, find, coverage, sweep, verify --seams, "
        "index.\n",
    .examples = "  portolan edit w.db 90,90 --set field --author ann\n"
                "  portolan edit w.db 90,89 --place woodland_cabin --rotate east\n"
                "  portolan edit w.db --list\n"
                "  portolan edit w.db --show 1\n"
                "  portolan edit w.db --undo 1\n"
                "  portolan edit w.db --reset --rect 120,20,140,40 --dry-run\n",
    .options = options,
    .run = run,
    .stopped = "an edit is stored whole or not at all",
};
