/*
 * Makes marks and notes of viewers from what a save's characters have seen. What is known of an
 * overmap that has a file is replaced: the viewer's marks of the kinds that saves have
 * (seen_kinds), and all of the viewer's notes there.
 */
#include "core/arena.h"
#include "core/array.h"
#include "core/utf8.h"
#include "exchange/seen.h"
#include "world/save/save_rows.h"
#include "world/world.h"

#include <stdlib.h>

/* ---- which files ---- */

typedef struct seen_entry {
    const char *character, *viewer; /* borrowed from seen_list.texts */
    ptl_chunk_pos chunk;
} seen_entry;

struct seen_list {
    const ptl_game_save_import_options *options; /* borrowed */
    arena *texts;                                /* owned */
    seen_entry *entries;                         /* owned */
    size_t count, room;
    bool too_many, failed; /* there are more files than are read; memory is out */
};

/* Does the name that a user gives mean this character? */
static bool is_named(const char *wanted, const char *character)
{
    char name[PTL_VIEWER_SIZE + 1];
    return strcmp(wanted, character) == 0 ||
           (seen_character_name(name, character) && strcmp(wanted, name) == 0);
}

static bool on_file(void *payload, const char *character, ptl_chunk_pos chunk)
{
    seen_list *l = payload;
    const char *wanted = l->options->character;
    if (wanted && !is_named(wanted, character))
        return true;
    l->too_many = l->count >= SAVE_FILES_MAX;
    if (l->too_many || !ARRAY_ROOM(l->entries, l->room, l->count + 1)) {
        l->failed = !l->too_many;
        return false;
    }
    const bool same =
        l->count > 0 && strcmp(l->entries[l->count - 1].character, character) == 0;
    const char *kept =
        same ? l->entries[l->count - 1].character : arena_strdup(l->texts, character);
    l->entries[l->count++] = (seen_entry){kept, NULL, chunk};
    l->failed = !kept;
    return !l->failed;
}

static int by_viewer(const void *pa, const void *pb)
{
    const seen_entry *a = pa, *b = pb;
    return ORDER_BY(strcmp(a->viewer, b->viewer), 0, strcmp(a->character, b->character), 0,
                    a->chunk.x, b->chunk.x, a->chunk.y, b->chunk.y);
}

static int by_character(const void *pa, const void *pb)
{
    const seen_entry *a = pa, *b = pb;
    return ORDER_BY(strcmp(a->character, b->character), 0, a->chunk.x, b->chunk.x, a->chunk.y,
                    b->chunk.y);
}

/* Finds the viewer of each file. The list is sorted by character. */
static ptl_status find_viewers(seen_list *l, ptl_error *err)
{
    char name[PTL_VIEWER_SIZE + 1];
    for (size_t i = 0; i < l->count; i++) {
        seen_entry *e = &l->entries[i];
        const bool is_first = i == 0 || strcmp(e->character, e[-1].character) != 0;
        if (l->options->viewer)
            e->viewer = l->options->viewer;
        else if (!is_first)
            e->viewer = e[-1].viewer;
        else if (!seen_character_name(name, e->character))
            return error_set(err, PTL_ERR_LIMIT,
                             "the name of the character '%s' has more than %d bytes: say which "
                             "viewer gets what it has seen",
                             e->character, PTL_VIEWER_SIZE);
        else if (!(e->viewer = arena_strdup(l->texts, name)))
            return error_nomem(err);
    }
    return PTL_OK;
}

/* Each viewer must get what one character has seen. The list is sorted by viewer. */
static ptl_status check_viewers(const seen_list *l, ptl_error *err)
{
    for (size_t i = 1; i < l->count; i++) {
        const seen_entry *a = &l->entries[i - 1], *b = &l->entries[i];
        if (strcmp(a->viewer, b->viewer) == 0 && strcmp(a->character, b->character) != 0)
            return error_set(err, PTL_ERR_ARGUMENT,
                             "the save has several characters for the viewer '%s', such as "
                             "'%s' and '%s': say which one",
                             a->viewer, a->character, b->character);
    }
    return PTL_OK;
}

ptl_status seen_list_read(seen_list **out, const ptl_game_save_import_options *options,
                          ptl_error *err)
{
    seen_list *l = *out = calloc(1, sizeof *l);
    if (!l || !(l->texts = arena_new()))
        return error_nomem(err);
    l->options = options;
    ptl_status status = ptl_seen_list(options->directory, on_file, l, err);
    if (status == PTL_OK && l->failed)
        status = error_nomem(err);
    if (status == PTL_OK && l->too_many)
        status = error_set(err, PTL_ERR_LIMIT, "%s: more than %d files of what was seen",
                           options->directory, SAVE_FILES_MAX);
    if (status == PTL_OK && l->count == 0 && options->character)
        status = error_set(err, PTL_ERR_NOT_FOUND,
                           "%s has no file of what a character '%s' has seen",
                           options->directory, options->character);
    if (status == PTL_OK && l->count > 1)
        qsort(l->entries, l->count, sizeof *l->entries, by_character);
    THEN(status, find_viewers(l, err));
    if (status == PTL_OK && l->count > 1)
        qsort(l->entries, l->count, sizeof *l->entries, by_viewer);
    THEN(status, check_viewers(l, err));
    return status;
}

size_t seen_list_count(const seen_list *list)
{
    return list->count;
}

void seen_list_free(seen_list *list)
{
    if (!list)
        return;
    arena_free(list->texts);
    free(list->entries);
    free(list);
}

/* ---- one file ---- */

/* A file whose marks and notes are put into a save. */
typedef struct taking {
    const seen_entry *entry;
    ptl_save *save; /* owned */
    ptl_game_save_import_report *report;
    int32_t z;                      /* the level that is read */
    uint8_t noted[PTL_MARKS_BYTES]; /* its OMTs that have a note already */
    uint8_t cells[PTL_LEVEL_CELLS]; /* what is known of its OMTs */
    uint8_t bits[PTL_MARKS_BYTES];  /* those of one kind */
    seen_file file;                 /* owned */
} taking;

static ptl_omt omt_of(const taking *t, int32_t x, int32_t y)
{
    const ptl_chunk_pos chunk = t->entry->chunk;
    return (ptl_omt){(int64_t)chunk.x * PTL_CHUNK_SIZE + x,
                     (int64_t)chunk.y * PTL_CHUNK_SIZE + y, t->z};
}

/* A list of OMTs that have notes. */
typedef struct noted_omts {
    ptl_omt *list; /* owned */
    size_t count, room;
} noted_omts;

static bool keep_place(void *payload, const ptl_note *note)
{
    noted_omts *all = payload;
    if (!ARRAY_ROOM(all->list, all->room, all->count + 1))
        return false;
    all->list[all->count++] = note->at;
    return true;
}

/* Removes in the save the notes that the viewer has in the overmap. */
static ptl_status drop_notes(taking *t, ptl_world *world, ptl_error *err)
{
    noted_omts all = {.count = 0};
    const ptl_omt a = omt_of(t, 0, 0);
    const int64_t rect[4] = {a.x, a.y, a.x + PTL_CHUNK_SIZE - 1, a.y + PTL_CHUNK_SIZE - 1};
    ptl_status status = ptl_note_list(world, t->entry->viewer, rect, keep_place, &all, err);
    if (status == PTL_ERR_CANCELLED) /* keep_place has no other reason */
        status = error_nomem(err);
    for (size_t i = 0; i < all.count && status == PTL_OK; i++) {
        const ptl_note gone = {
            .size = sizeof gone, .viewer = t->entry->viewer, .at = all.list[i]};
        status = ptl_save_note_set(t->save, &gone, err);
    }
    free(all.list);
    return status;
}

/*
 * Splits the text of a note: the games show "N:red;nest" as a red N with the text "nest". The
 * symbol is one character that stands before a colon, the colour a word before a semicolon;
 * each may be missing. seen_export.c puts them together again in the same way, so that no text
 * changes on its way through a world. Returns the text; the others are written into buffers.
 */
static const char *split_note(const char *text, char symbol[8], char colour[PTL_NOTE_LOOK_SIZE])
{
    uint32_t c;
    const size_t first = utf8_decode(text, strlen(text) + 1, &c);
    symbol[0] = colour[0] = '\0';
    if (c > ' ' && !strchr(":;", text[0]) && text[first] == ':' && text[first + 1]) {
        memcpy(symbol, text, first);
        symbol[first] = '\0';
        text += first + 1;
    }
    const size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (word > 0 && word < PTL_NOTE_LOOK_SIZE && text[word] == ';' && text[word + 1]) {
        memcpy(colour, text, word);
        colour[word] = '\0';
        text += word + 1;
    }
    return text;
}

/* Puts a note into the save. Of several notes on an OMT the game shows the first. */
static ptl_status take_note(void *payload, const seen_note *n, ptl_error *err)
{
    taking *t = payload;
    char symbol[8], colour[PTL_NOTE_LOOK_SIZE];
    const int32_t cell = n->y * PTL_CHUNK_SIZE + n->x;
    const uint8_t bit = (uint8_t)(1U << cell % 8);
    if (!n->text[0] || strlen(n->text) > PTL_NOTE_TEXT_SIZE || !utf8_is_plain(n->text) ||
        t->noted[cell / 8] & bit) {
        t->report->notes_left_out++;
        return PTL_OK;
    }
    t->noted[cell / 8] |= bit;
    t->report->notes++;
    const ptl_note note = {.size = sizeof note,
                           .viewer = t->entry->viewer,
                           .at = omt_of(t, n->x, n->y),
                           .text = split_note(n->text, symbol, colour),
                           .symbol = symbol,
                           .colour = colour,
                           .radius = n->radius,
                           .dangerous = n->dangerous};
    return ptl_save_note_set(t->save, &note, err);
}

static ptl_status take_level(taking *t, ptl_error *err)
{
    const seen_note_visit visit = {take_note, t};
    TRY(seen_file_level(&t->file, t->z, t->cells));
    for (size_t k = 0; k < SEEN_KINDS; k++) {
        const seen_kind *kind = &seen_kinds[k];
        const ptl_marks_key key = {t->entry->viewer, kind->kind, t->entry->chunk, t->z};
        memset(t->bits, 0, sizeof t->bits);
        for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
            if ((t->cells[i] & kind->mask) == kind->value)
                t->bits[i / 8] |= (uint8_t)(1U << i % 8);
        TRY(ptl_save_marks_set(t->save, &key, t->bits, PTL_MARKS_REPLACE, err));
    }
    memset(t->noted, 0, sizeof t->noted);
    return seen_file_notes(&t->file, t->z, &visit);
}

static ptl_status take_file(taking *t, ptl_world *world, const char *save, ptl_error *err)
{
    uint64_t extras = 0;
    ptl_save_report written = PTL_SAVE_REPORT_INIT;
    t->save = NULL;
    ptl_status status =
        seen_file_open(&t->file, save, t->entry->character, t->entry->chunk, err);
    THEN(status, ptl_save_begin(&t->save, world, NULL, err));
    t->z = PTL_Z_MIN;
    THEN(status, drop_notes(t, world, err));
    for (; t->z <= PTL_Z_MAX && status == PTL_OK; t->z++)
        status = take_level(t, err);
    THEN(status, seen_file_extras(&t->file, &extras));
    THEN(status, save_rows_write(t->save, &written, err));
    t->report->seen += status == PTL_OK;
    t->report->extras_left_out += extras;
    ptl_save_abort(t->save);
    seen_file_close(&t->file);
    return status;
}

ptl_status seen_import(const seen_list *list, ptl_world *world, const char *save,
                       ptl_game_save_import_report *report, ptl_error *err)
{
    const stop_hook stop = ops(world->store)->transaction->stop_hook(world->store);
    ptl_status status = PTL_OK;
    taking *t = list->count > 0 ? calloc(1, sizeof *t) : NULL;
    if (list->count > 0 && !t)
        return error_nomem(err);
    for (size_t i = 0; i < list->count && status == PTL_OK; i++) {
        t->entry = &list->entries[i];
        t->report = report;
        report->viewers += i == 0 || strcmp(t->entry->viewer, list->entries[i - 1].viewer) != 0;
        status = stop_check(&stop, err);
        THEN(status, take_file(t, world, save, err));
    }
    free(t);
    return status;
}
