/*
 * What the user changes from the map (--write): the terrain under the cursor, a special or a
 * note there.
 * Each change is a save of its own (portolan/save.h); edits can be taken back. Notes are shown
 * on the map and at its foot.
 */
#include "clients/cli/view/viewer_impl.h"
#include "core/array.h"
#include "core/error.h"
#include "core/utf8.h"
#include "core/visible.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns whether the map may write; else says why not. */
static bool may_change(viewer *v)
{
    if (!v->options->write)
        say(v, "This map only reads: portolan view --write lets it change the world");
    return v->options->write;
}

/* ---- what a save stores ---- */

/* A change: what atlas_save calls to fill the save. */
typedef struct change {
    ptl_save_cell cell;  /* the terrain to set; cell.oter NULL: none */
    const char *special; /* the special to place at cell.at; NULL: none */
    const ptl_note *note;
    int64_t undo; /* number of the edit to take back; 0: none */
} change;

static ptl_status fill(void *payload, ptl_save *save, ptl_error *err)
{
    const change *c = payload;
    if (c->note)
        return ptl_save_note_set(save, c->note, err);
    if (c->special)
        return ptl_save_special_add(NULL, save, c->special, c->cell.at, PTL_ROTATION_ANY, err);
    return c->undo ? ptl_save_undo(save, c->undo, err)
                   : ptl_save_cells_set(save, &c->cell, 1, err);
}

/* Stores a change. Returns false after a message. `seen` is the revision of notes that the user
 * has seen. */
static bool store(viewer *v, ptl_save_report *report, change *c, int64_t seen)
{
    ptl_error err = {0};
    ptl_save_options o = PTL_SAVE_OPTIONS_INIT;
    *report = (ptl_save_report)PTL_SAVE_REPORT_INIT;
    o.author = v->options->author;
    o.seen = seen;
    if (atlas_save(report, v->atlas, &o, fill, c, &err) == PTL_OK)
        return true;
    say(v, "%s", err.message);
    return false;
}

/* ---- terrain ---- */

/* Keeps an edit, so that it can be taken back. */
static void keep(viewer *v, int64_t number)
{
    if (ARRAY_ROOM(v->edits, v->edit_room, v->edit_count + 1))
        v->edits[v->edit_count++] = number;
}

static void place_special(viewer *v, const char *special)
{
    ptl_save_report r;
    change c = {.cell = {.at = v->at}, .special = special};
    if (!store(v, &r, &c, 0))
        return;
    keep(v, r.last);
    say(v, "Edit %jd: %s stands at %jd,%jd now; u takes it back", r.last, special, v->at.x,
        v->at.y);
}

static void set_terrain(viewer *v)
{
    ptl_save_report r;
    change c = {.cell = {v->at, v->terrain}};
    if (!store(v, &r, &c, 0))
        return;
    if (r.last == 0) {
        say(v, "It is %s already", v->terrain);
        return;
    }
    keep(v, r.last);
    say(v, "Edit %jd: %jd,%jd,%d is %s now; u takes it back%s", r.last, v->at.x, v->at.y,
        (int)v->at.z, v->terrain,
        r.maps_kept > 0 ? "; its local map, which a game has changed, stayed" : "");
}

void change_again(viewer *v)
{
    if (!may_change(v))
        return;
    if (v->terrain[0])
        set_terrain(v);
    else
        say(v, "No terrain was set yet: e");
}

void change_undo(viewer *v)
{
    ptl_save_report r;
    if (!may_change(v))
        return;
    if (v->edit_count == 0) {
        say(v, "Nothing was set here that can be taken back; portolan edit FILE --list lists "
               "all edits");
        return;
    }
    const int64_t number = v->edits[v->edit_count - 1];
    change c = {.undo = number};
    if (!store(v, &r, &c, 0))
        return;
    v->edit_count--;
    say(v, "Edit %jd is taken back", number);
}

/* ---- notes ---- */

/* Finds the user's own note. Its texts are kept in the viewer. */
static bool take_own(void *payload, const ptl_note *n)
{
    viewer *v = payload;
    own_note *own = &v->note;
    own->is_there = n->at.z == v->at.z;
    if (!own->is_there)
        return true;
    (void)snprintf(own->symbol, sizeof own->symbol, "%s", n->symbol);
    (void)snprintf(own->colour, sizeof own->colour, "%s", n->colour);
    own->radius = n->radius;
    own->dangerous = n->dangerous;
    own->is_long = strlen(n->text) >= sizeof v->prompt.text;
    if (!own->is_long) {
        v->prompt.size = strlen(n->text);
        memcpy(v->prompt.text, n->text, v->prompt.size + 1);
    }
    return false;
}

/* Asks for a note; what the user has written here before stands in the line. */
static void ask_note(viewer *v)
{
    ptl_error err = {0};
    const int64_t rect[4] = {v->at.x, v->at.y, v->at.x, v->at.y};
    ptl_world *world;
    v->prompt = (prompt){.kind = 'w'};
    v->note = (own_note){.seen = 0};
    ptl_status status = atlas_reader(&world, v->atlas, &err);
    THEN(status, ptl_save_revision_load(&v->note.seen, world, &err));
    THEN(status, ptl_note_list(world, v->options->author ? v->options->author : "", rect,
                               take_own, v, &err));
    if (status == PTL_ERR_CANCELLED && v->note.is_there)
        status = PTL_OK;
    if (status == PTL_OK && !v->note.is_long)
        return;
    v->prompt.kind = 0;
    say(v, "%s",
        status == PTL_OK ? "The note here is too long to be changed in a line" : err.message);
}

static void set_note(viewer *v, const char *text)
{
    ptl_save_report r;
    ptl_note note = PTL_NOTE_INIT;
    change c = {.note = &note};
    note.viewer = v->options->author;
    note.at = v->at;
    note.text = text;
    note.symbol = v->note.symbol;
    note.colour = v->note.colour;
    note.radius = v->note.radius;
    note.dangerous = v->note.dangerous;
    if (store(v, &r, &c, v->note.seen))
        say(v, "%s",
            r.notes == 0 ? "The note is as it was"
            : *text      ? "The note is written"
                         : "The note is removed");
}

void change_ask(viewer *v, char kind)
{
    if (!may_change(v))
        return;
    if (kind == 'w') {
        ask_note(v);
        return;
    }
    v->prompt = (prompt){.kind = kind};
    if (kind == 'e') {
        v->prompt.size = strlen(v->terrain);
        memcpy(v->prompt.text, v->terrain, v->prompt.size + 1);
    }
}

void change_take(viewer *v, const prompt *typed)
{
    if (typed->kind == 'w') {
        set_note(v, typed->text);
    } else if (typed->kind == 'p' && typed->size > 0) {
        place_special(v, typed->text);
    } else if (typed->kind == 'e' && typed->size > 0) {
        memcpy(v->terrain, typed->text, typed->size + 1);
        set_terrain(v);
    }
}

/* ---- notes on the map ---- */

typedef struct drawing {
    viewer *v;
    ptl_omt from;
} drawing;

/* Draws one note, and keeps what the notes under the cursor say. */
static bool draw_note(void *payload, const ptl_note *n)
{
    const drawing *d = payload;
    viewer *v = d->v;
    if (n->at.z != d->from.z)
        return true;
    uint32_t symbol;
    if (utf8_decode(n->symbol, strlen(n->symbol), &symbol) == 0 || symbol < ' ' ||
        visible_unsafe(symbol) || utf8_columns(symbol) != 1)
        symbol = n->dangerous ? '!' : 'N';
    draw_mark(v, (int32_t)(n->at.y - d->from.y), (int32_t)(n->at.x - d->from.x), symbol);
    if (n->at.x == v->at.x && n->at.y == v->at.y)
        words_put(&v->notes_here, " | note%s%s%s: %s", n->viewer[0] ? " of " : "", n->viewer,
                  n->dangerous ? ", dangerous" : "", n->text);
    return true;
}

void draw_notes(viewer *v, ptl_omt from)
{
    ptl_error err = {0};
    drawing d = {v, from};
    const int64_t rect[4] = {from.x, from.y, from.x + v->map_columns - 1,
                             from.y + v->map_lines - 1};
    ptl_world *world;
    bytes_clear(&v->notes_here);
    if (atlas_reader(&world, v->atlas, &err) == PTL_OK)
        (void)ptl_note_list(world, NULL, rect, draw_note, &d, &err);
}
