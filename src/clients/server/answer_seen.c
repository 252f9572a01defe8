/* What the characters of the shown save have seen. It is read from the save's folder on each
 * request, so that it is up to date while the game runs. */
#include "clients/server/answer.h"
#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>

enum { NAME_SIZE = 256 };

/* A file of the save, which says what one character has seen of one overmap. */
typedef struct seen_file {
    char character[NAME_SIZE];
    ptl_chunk_pos chunk;
} seen_file;

typedef struct seen_files {
    seen_file *list; /* owned */
    size_t count, room;
    bool failed;              /* memory is out */
    const ptl_chunk_pos *one; /* only files of this overmap are listed; NULL: all */
} seen_files;

static bool on_file(void *payload, const char *character, ptl_chunk_pos chunk)
{
    seen_files *all = payload;
    if (all->one && (all->one->x != chunk.x || all->one->y != chunk.y))
        return true;
    if (strlen(character) >= NAME_SIZE)
        return true; /* a name that no file system allows: not a file of a save */
    if (!ARRAY_ROOM(all->list, all->room, all->count + 1)) {
        all->failed = true;
        return false;
    }
    seen_file *f = &all->list[all->count++];
    f->chunk = chunk;
    memcpy(f->character, character, strlen(character) + 1);
    return true;
}

static int by_chunk(const void *a, const void *b)
{
    const seen_file *p = a, *q = b;
    if (p->chunk.y != q->chunk.y)
        return p->chunk.y < q->chunk.y ? -1 : 1;
    if (p->chunk.x != q->chunk.x)
        return p->chunk.x < q->chunk.x ? -1 : 1;
    return strcmp(p->character, q->character);
}

static int by_character(const void *a, const void *b)
{
    return strcmp(((const seen_file *)a)->character, ((const seen_file *)b)->character);
}

/* Lists the save's files, ordered by chunk. PTL_ERR_NOT_FOUND: the world of the request was not
 * read from a save. */
static ptl_status find_files(const asked *q, seen_files *all, ptl_error *err)
{
    if (!q->save || !q->shown || strcmp(q->text, q->shown) != 0)
        return error_set(err, PTL_ERR_NOT_FOUND, "'%s' is no world of a save", q->text);
    ptl_status status = ptl_seen_list(q->save, on_file, all, err);
    THEN(status, all->failed ? error_nomem(err) : PTL_OK);
    if (status == PTL_OK && all->count > 1)
        qsort(all->list, all->count, sizeof *all->list, by_chunk);
    return status;
}

ptl_status answer_explored(const asked *q, reply *out, ptl_error *err)
{
    seen_files all = {.one = NULL};
    const ptl_status status = find_files(q, &all, err);
    if (status == PTL_OK) {
        emit_put(&out->j, "{chunks:[");
        for (size_t i = 0; i < all.count; i++) {
            const ptl_chunk_pos at = all.list[i].chunk;
            if (i > 0 && at.x == all.list[i - 1].chunk.x && at.y == all.list[i - 1].chunk.y)
                continue;
            emit_put(&out->j, "%d, %d", at.x, at.y);
        }
        /* Counts the different characters that the files are about. */
        size_t characters = all.count > 0;
        if (all.count > 1)
            qsort(all.list, all.count, sizeof *all.list, by_character);
        for (size_t i = 1; i < all.count; i++)
            characters += by_character(&all.list[i - 1], &all.list[i]) != 0;
        emit_put(&out->j, "], characters:%zu}", characters);
    }
    free(all.list);
    return status;
}

/* ---- one level of an overmap ---- */

typedef struct seen_level {
    /* For each OMT how well the characters of the save have seen it: the highest value that any
     * of them has. */
    uint8_t cells[PTL_LEVEL_CELLS];
    uint8_t one[PTL_LEVEL_CELLS]; /* memory for what one character has seen */
    bytes text;                   /* the players' own notes on the map of this level, as JSON */
    emitter notes;
} seen_level;

static void on_note(void *payload, int32_t x, int32_t y, const char *text)
{
    seen_level *s = payload;
    emit_put(&s->notes, "[%d, %d, %s]", x, y, text);
}

ptl_status answer_seen(const asked *q, reply *out, ptl_error *err)
{
    seen_level *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    seen_files all = {.one = &q->chunk};
    s->notes = (emitter){&s->text, false};
    emit_put(&s->notes, "[");
    ptl_status status = find_files(q, &all, err);
    for (size_t k = 0; k < all.count && status == PTL_OK; k++) {
        const seen_file *f = &all.list[k];
        status = ptl_seen_load(s->one, q->save, f->character, f->chunk, q->z, on_note, s, err);
        /* Merges what one character has seen into what all characters have seen. Of two degrees
         * in which an OMT was seen, the higher one is kept. An OMT is marked if any character
         * has marked it. */
        for (size_t i = 0; i < PTL_LEVEL_CELLS && status == PTL_OK; i++) {
            const unsigned was = s->cells[i], now = s->one[i], mark = PTL_SEEN_MARKED;
            const unsigned most = (was & ~mark) > (now & ~mark) ? was & ~mark : now & ~mark;
            s->cells[i] = (uint8_t)(most | ((was | now) & mark));
        }
        /* The game has removed the file with what this character has seen, after the file was
         * listed. That is no error. */
        if (status == PTL_ERR_NOT_FOUND) {
            error_clear(err);
            status = PTL_OK;
        }
    }
    emit_put(&s->notes, "]");
    if (status == PTL_OK) {
        emit_put(&out->j, "{runs:[");
        for (size_t at = 0, from = 0; at < PTL_LEVEL_CELLS; from = at) {
            while (at < PTL_LEVEL_CELLS && s->cells[at] == s->cells[from])
                at++;
            emit_put(&out->j, "%d, %ju", s->cells[from], at - from);
        }
        emit_put(&out->j, "], notes:");
        emit_values(&out->j, &s->text);
        emit_put(&out->j, "}");
    }
    bytes_dispose(&s->text);
    free(all.list);
    free(s);
    return status;
}
