/*
 * The notes, marks and facts of a save (portolan/save.h). A save has each key once: a later
 * value takes the place of an earlier one, and marks are added to earlier marks. When the save
 * is committed, each is compared with the stored row of its key.
 */
#include "core/array.h"
#include "core/sized.h"
#include "world/edits.h"
#include "world/save/save_impl.h"

#include <stdlib.h>

/* What an item takes beside its row: its place in the list and, at most, in the index. */
enum { ITEM_BYTES = sizeof(save_item) + 4 * sizeof(uint32_t) };

/* ---- collecting ---- */

void save_rows_dispose(save_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->items[i].row);
    free(rows->items);
    free(rows->index);
    *rows = (save_rows){.count = 0};
}

/* Returns the slot of a key: that of the item with it, or an empty one. There is always an
 * empty one. */
static uint32_t *slot_of(const save_rows *rows, const saved_row *row)
{
    size_t at = (size_t)saved_row_hash(row) & (rows->slots - 1);
    while (rows->index[at] && saved_row_compare(rows->items[rows->index[at] - 1].row, row) != 0)
        at = (at + 1) & (rows->slots - 1);
    return &rows->index[at];
}

/* Makes room for one more item, in a table that stays at most half full. */
static bool need_room(save_rows *rows)
{
    const size_t slots = rows->slots ? rows->slots * 2 : 16;
    if (!ARRAY_ROOM(rows->items, rows->room, rows->count + 1) || !rows->items)
        return false;
    if ((rows->count + 1) * 2 <= rows->slots)
        return true;
    uint32_t *index = calloc(slots, sizeof *index);
    if (!index)
        return false;
    free(rows->index);
    rows->index = index;
    rows->slots = slots;
    for (size_t i = 0; i < rows->count; i++)
        *slot_of(rows, rows->items[i].row) = (uint32_t)i + 1;
    return true;
}

/* Sets in `sum` the bits of both marks, and makes them those of the row. */
static void add_marks(uint8_t sum[PTL_MARKS_BYTES], saved_row *row, const saved_row *other)
{
    const uint8_t *a = row->data, *b = other->data;
    for (int i = 0; i < PTL_MARKS_BYTES; i++)
        sum[i] = a[i] | b[i];
    row->data = sum;
    row->removed = row->removed && other->removed;
}

/* Takes a copy of a row that is `add`ed to the stored one (marks), or replaces it. */
static ptl_status take_row(ptl_save *save, const saved_row *given, bool add, ptl_error *err)
{
    save_rows *rows = &save->rows;
    saved_row row = *given;
    uint8_t sum[PTL_MARKS_BYTES];
    TRY(saved_row_check(&row, PTL_ERR_ARGUMENT, err));
    if (!need_room(rows))
        return error_nomem(err);
    uint32_t *slot = slot_of(rows, &row);
    const bool is_new = *slot == 0;
    save_item *item = &rows->items[is_new ? rows->count : *slot - 1];
    const size_t taken = saved_row_bytes(&row) + ITEM_BYTES;
    const size_t freed = is_new ? 0 : saved_row_bytes(item->row) + ITEM_BYTES;
    TRY(save_check_size(save, taken > freed ? taken - freed : 0, err));
    if (add && !is_new) {
        add_marks(sum, &row, item->row);
        add = item->add;
    }
    saved_row *copy = saved_row_copy(&row);
    if (!copy)
        return error_nomem(err);
    if (is_new)
        *slot = (uint32_t)++rows->count;
    else
        free(item->row);
    *item = (save_item){copy, add};
    rows->bytes += taken - freed;
    return PTL_OK;
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

ptl_status ptl_save_note_set(ptl_save *save, const ptl_note *note, ptl_error *err)
{
    ptl_note n = PTL_NOTE_INIT;
    saved_row row = SAVED_ROW_OF(SAVED_NOTE);
    error_clear(err);
    TRY(SIZED_TAKE(ptl_note, &n, note, err));
    row.viewer = text_or_empty(n.viewer);
    row.x = n.at.x;
    row.y = n.at.y;
    row.z = n.at.z;
    row.text = text_or_empty(n.text);
    row.removed = row.text[0] == '\0';
    if (!row.removed) {
        row.symbol = text_or_empty(n.symbol);
        row.colour = text_or_empty(n.colour);
        row.radius = n.radius;
        row.dangerous = n.dangerous;
    }
    return take_row(save, &row, false, err);
}

ptl_status ptl_save_marks_set(ptl_save *save, const ptl_marks_key *key,
                              const uint8_t bits[PTL_MARKS_BYTES], ptl_marks_mode mode,
                              ptl_error *err)
{
    saved_row row = saved_marks_row(key);
    error_clear(err);
    if (mode != PTL_MARKS_ADD && mode != PTL_MARKS_REPLACE)
        return error_set(err, PTL_ERR_ARGUMENT, "mode %d of marks", (int)mode);
    row.data = bits;
    row.size = PTL_MARKS_BYTES;
    row.removed = marks_count(bits) == 0;
    return take_row(save, &row, mode == PTL_MARKS_ADD, err);
}

ptl_status ptl_save_fact_set(ptl_save *save, const ptl_fact_key *key, const void *value,
                             size_t size, ptl_error *err)
{
    saved_row row = saved_fact_row(key);
    error_clear(err);
    row.data = value ? value : "";
    row.size = value ? size : 0;
    row.removed = !value;
    return take_row(save, &row, false, err);
}

/* ---- storing ---- */

/* What is to be written for an item, and what is stored under its key. */
typedef struct storing {
    const save_item *item;
    saved_row row; /* the item's; marks that are added have those that are stored */
    uint8_t sum[PTL_MARKS_BYTES];
    int64_t stored; /* revision of the stored row; 0: there is none */
    bool same;      /* nothing would change */
} storing;

/* Compares an item with the row that is stored under its key. */
static ptl_status compare_row(void *payload, const saved_row *row, ptl_error *err)
{
    storing *s = payload;
    (void)err;
    if (s->item->add)
        add_marks(s->sum, &s->row, row);
    s->stored = row->revision;
    s->same = saved_row_is_same(&s->row, row);
    return PTL_OK;
}

static ptl_status refuse(const saved_row *row, int64_t revision, int64_t seen, ptl_error *err)
{
    char name[300];
    saved_row_name(name, sizeof name, row);
    return error_set(err, PTL_ERR_EXISTS,
                     "another save has changed %s (revision %lld; this save has seen %lld)",
                     name, (long long)revision, (long long)seen);
}

/* Has an earlier save written the row that was handed over to the same struct? */
static bool has_own(const ptl_save *save, int64_t revision)
{
    const ptl_world *w = save->world;
    return save->attached && revision >= w->own_first && revision <= w->own_last;
}

/* Writes a row over the stored one, unless nothing changes. */
static ptl_status write_over(ptl_save *save, storing *s, ptl_save_report *report,
                             ptl_error *err)
{
    const ptl_world *world = save->world;
    uint64_t *const counts[SAVED_TYPES] = {&report->notes, &report->marks, &report->facts};
    if (s->same)
        return PTL_OK;
    if (!s->item->add && s->stored > save->seen && !has_own(save, s->stored))
        return refuse(&s->row, s->stored, save->seen, err);
    s->row.revision = report->revision + 1;
    ++*counts[s->row.type];
    return ops(world->store)->saved->put(world->store, world->row.id, &s->row, err);
}

ptl_status save_rows_write(ptl_save *save, ptl_save_report *report, ptl_error *err)
{
    const ptl_world *world = save->world;
    const saved_operations *saved = ops(world->store)->saved;
    TRY(saved->revision(&report->revision, world->store, world->row.id, err));
    for (size_t i = 0; i < save->rows.count; i++) {
        const save_item *item = &save->rows.items[i];
        const saved_which which = {.key = item->row, .for_other = true};
        storing s = {.item = item, .row = *item->row, .same = item->row->removed};
        TRY(saved->visit(world->store, world->row.id, &which, compare_row, &s, err));
        TRY(write_over(save, &s, report, err));
    }
    report->revision += report->notes + report->marks + report->facts > 0;
    return PTL_OK;
}
