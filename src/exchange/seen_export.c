/* Makes the files that say what a character has seen of overmaps (seen.h) from the marks and
 * notes of a viewer. Their texts have the games' own form. */
#include "core/array.h"
#include "exchange/seen.h"
#include "world/world.h"

#include <stdlib.h>

enum { DEGREES_SINCE = 34 }; /* the version since which `visible` has degrees */

/* ---- which overmaps ---- */

typedef struct known_chunks {
    const int32_t *rect;
    ptl_chunk_pos *list; /* owned */
    size_t count, room;
} known_chunks;

static bool keep_chunk(known_chunks *all, ptl_chunk_pos pos)
{
    const int32_t *r = all->rect;
    if ((r && (pos.x < r[0] || pos.y < r[1] || pos.x > r[2] || pos.y > r[3])) ||
        (all->count > 0 && save_place_order(&all->list[all->count - 1], &pos) == 0))
        return true;
    if (!ARRAY_ROOM(all->list, all->room, all->count + 1))
        return false;
    all->list[all->count++] = pos;
    return true;
}

static bool on_marks(void *payload, const ptl_marks_key *key,
                     const uint8_t bits[PTL_MARKS_BYTES])
{
    (void)bits;
    for (size_t k = 0; k < SEEN_KINDS; k++)
        if (seen_kinds[k].kind == key->kind)
            return keep_chunk(payload, key->chunk);
    return true;
}

static bool on_place(void *payload, const ptl_note *note)
{
    return keep_chunk(payload, ptl_omt_chunk(note->at));
}

static ptl_status find_chunks(known_chunks *out, const seen_source *s, ptl_error *err)
{
    size_t kept = 0;
    ptl_status status = ptl_marks_each(s->world, s->viewer, on_marks, out, err);
    THEN(status, ptl_note_list(s->world, s->viewer, NULL, on_place, out, err));
    if (status == PTL_ERR_CANCELLED) /* the callbacks have no other reason */
        return error_nomem(err);
    if (status == PTL_OK && out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, save_place_order);
    for (size_t i = 0; i < out->count; i++)
        if (i == 0 || save_place_order(&out->list[i - 1], &out->list[i]) != 0)
            out->list[kept++] = out->list[i];
    out->count = kept;
    if (status == PTL_OK && kept == 0)
        status = error_set(err, PTL_ERR_NOT_FOUND, "world '%s' has no marks or notes of '%s'%s",
                           ptl_world_name(s->world), s->viewer, s->rect ? " there" : "");
    return status;
}

/* ---- a text ---- */

typedef struct seen_writer {
    const seen_source *source;
    ptl_chunk_pos chunk;
    uint8_t cells[PTL_LEVELS][PTL_LEVEL_CELLS];
    uint8_t bits[PTL_MARKS_BYTES];
    bytes notes[PTL_LEVELS]; /* owned */
    uint64_t note_count;
    bytes text; /* owned */
} seen_writer;

static ptl_status read_level(seen_writer *w, int32_t z, ptl_error *err)
{
    uint8_t *cells = w->cells[z - PTL_Z_MIN];
    memset(cells, PTL_SEEN_NOT, PTL_LEVEL_CELLS);
    for (size_t k = 0; k < SEEN_KINDS; k++) {
        const seen_kind *kind = &seen_kinds[k];
        const ptl_marks_key key = {w->source->viewer, kind->kind, w->chunk, z};
        TRY(ptl_marks_load(w->bits, w->source->world, &key, err));
        for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
            /* Of several degrees the best one counts. */
            if (w->bits[i / 8] >> i % 8 & 1 && (cells[i] & kind->mask) < kind->value)
                cells[i] = (uint8_t)((cells[i] & ~kind->mask) | kind->value);
    }
    return PTL_OK;
}

/* Adds a note as the game writes it; its text has the symbol and the colour in front. */
static bool put_note(void *payload, const ptl_note *n)
{
    seen_writer *w = payload;
    bytes *out = &w->notes[n->at.z - PTL_Z_MIN], text;
    const int32_t x = (int32_t)(n->at.x - (int64_t)w->chunk.x * PTL_CHUNK_SIZE);
    const int32_t y = (int32_t)(n->at.y - (int64_t)w->chunk.y * PTL_CHUNK_SIZE);
    bytes_init(&text);
    bytes_printf(&text, "%s%s%s%s%s", n->symbol, n->symbol[0] ? ":" : "", n->colour,
                 n->colour[0] ? ";" : "", n->text);
    const char *all = bytes_text(&text);
    bytes_printf(out, "%s[%d,%d,", out->size > 0 ? "," : "", x, y);
    save_put_string(out, all ? all : "");
    bytes_printf(out, ",%s,%d]", n->dangerous ? "true" : "false", n->radius);
    w->note_count++;
    bytes_dispose(&text);
    return all && !out->failed;
}

/* Puts the member `key`: for each level, runs of cells that have the same of the bits `mask`.
 * Without `degrees` a run says whether one of these bits is set. */
static void put_member(seen_writer *w, const char *key, uint8_t mask, bool degrees)
{
    static const char *const names[] = {"\"unseen\"", "\"vague\"", "\"outlines\"",
                                        "\"details\"", "\"full\""};
    bytes_printf(&w->text, "\"%s\":[", key);
    for (int i = 0; i < PTL_LEVELS; i++) {
        const uint8_t *cells = w->cells[i];
        bytes_put_text(&w->text, i > 0 ? ",[" : "[");
        for (size_t k = 0, start = 0; k <= PTL_LEVEL_CELLS; k++) {
            const int a = cells[start] & mask, b = k < PTL_LEVEL_CELLS ? cells[k] & mask : -1;
            if (degrees ? a == b : b >= 0 && (a != 0) == (b != 0))
                continue;
            bytes_printf(&w->text, "%s[%s,%zu]", start > 0 ? "," : "",
                         degrees  ? names[a]
                         : a != 0 ? "true"
                                  : "false",
                         k - start);
            start = k;
        }
        bytes_put_text(&w->text, "]\n");
    }
    bytes_put_text(&w->text, "],");
}

/* Puts the member `key`: for each level the elements of a list. */
static void put_lists(seen_writer *w, const char *key, bytes *lists)
{
    bytes_printf(&w->text, "\"%s\":[", key);
    for (int i = 0; i < PTL_LEVELS; i++) {
        bytes_put_text(&w->text, i > 0 ? ",[" : "[");
        if (lists)
            bytes_put(&w->text, lists[i].data, lists[i].size);
        bytes_put_text(&w->text, "]\n");
    }
    bytes_put_text(&w->text, "]");
}

static ptl_status write_text(seen_writer *w, ptl_error *err)
{
    const seen_source *s = w->source;
    const int64_t x = (int64_t)w->chunk.x * PTL_CHUNK_SIZE;
    const int64_t y = (int64_t)w->chunk.y * PTL_CHUNK_SIZE;
    const int64_t rect[4] = {x, y, x + PTL_CHUNK_SIZE - 1, y + PTL_CHUNK_SIZE - 1};
    w->note_count = 0;
    bytes_clear(&w->text);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        bytes_clear(&w->notes[z - PTL_Z_MIN]);
        TRY(read_level(w, z, err));
    }
    const ptl_status status = ptl_note_list(s->world, s->viewer, rect, put_note, w, err);
    if (status != PTL_OK)
        return status == PTL_ERR_CANCELLED ? error_nomem(err) : status;
    bytes_printf(&w->text, "# version %d\n{", s->version);
    put_member(w, "visible", SEEN_LEVEL_MASK, s->version >= DEGREES_SINCE);
    put_member(w, "explored", PTL_SEEN_MARKED, false);
    if (s->version == SAVE_VERSION_BN)
        put_member(w, "path", SEEN_PATH, false);
    put_lists(w, "notes", w->notes);
    bytes_put_text(&w->text, ",");
    put_lists(w, "extras", NULL);
    bytes_put_text(&w->text, "}");
    return w->text.failed ? error_nomem(err) : PTL_OK;
}

static ptl_status write_texts(seen_writer *w, const known_chunks *chunks,
                              const seen_text_visit *visit, ptl_error *err)
{
    ptl_store *store = w->source->world->store;
    const stop_hook stop = ops(store)->transaction->stop_hook(store);
    for (size_t i = 0; i < chunks->count; i++) {
        w->chunk = chunks->list[i];
        TRY(stop_check(&stop, err));
        TRY(write_text(w, err));
        TRY(visit->on_text(visit->payload, w->chunk, &w->text, w->note_count, err));
    }
    return PTL_OK;
}

ptl_status seen_export(const seen_source *source, const seen_text_visit *visit, ptl_error *err)
{
    ptl_store *store = source->world->store;
    known_chunks chunks = {.rect = source->rect};
    bool own;
    seen_writer *w = calloc(1, sizeof *w);
    if (!w)
        return error_nomem(err);
    w->source = source;
    ptl_status status = ops(store)->transaction->begin_lookups(store, &own, err);
    if (status == PTL_OK) {
        status = find_chunks(&chunks, source, err);
        THEN(status, write_texts(w, &chunks, visit, err));
        ops(store)->transaction->end_snapshot(store, own);
    }
    for (int i = 0; i < PTL_LEVELS; i++)
        bytes_dispose(&w->notes[i]);
    bytes_dispose(&w->text);
    free(chunks.list);
    free(w);
    return status;
}
