/*
 * Repairing chunks, one after the other: a row by what the others say, the rest by making it
 * again or by single bits; what is left is set aside.
 */
#include "core/error.h"
#include "repair/repair_impl.h"
#include "store/sqlite/connection/prepared.h"

#include <stdio.h>
#include <string.h>

static bool is_other_content(const char *why)
{
    return strcmp(why, REPAIR_OTHER_CONTENT) == 0;
}

static void damage_text(char out[80], unsigned bad)
{
    snprintf(out, 80, "%s%s%s%s", bad & REPAIR_BAD_ROW ? "row " : "",
             bad & REPAIR_BAD_TILES ? "levels " : "",
             bad & REPAIR_BAD_FEATURES ? "features " : "",
             bad & REPAIR_BAD_EVENTS ? "events " : "");
    size_t length = strlen(out);
    if (length > 0)
        out[length - 1] = '\0';
    for (char *at = out; *at; at++)
        if (*at == ' ')
            *at = '+';
}

/* ---- the chunk's row ---- */

static ptl_status row_by_others(world_repair *w, repair_chunk *c, unsigned *bad, ptl_error *err)
{
    bool fixed = false;
    char where[REPAIR_WHERE_SIZE];
    ptl_status status = repair_chunk_row(&w->r, c, &fixed, err);
    if (status != PTL_OK || !fixed)
        return status;
    repair_row key = {.table = TABLE_CHUNK, .values = {repair_integer(c->id)}};
    status = repair_try_begin(&w->r, err);
    if (status != PTL_OK)
        return status;
    status = repair_row_replace(w->r.store, &key, &c->row.list[0], err);
    bool kept = status == PTL_OK;
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
    }
    ptl_status ended = repair_try_end(&w->r, kept, status == PTL_OK ? err : NULL);
    status = status == PTL_OK ? ended : status;
    if (status != PTL_OK || !kept)
        return status;
    repair_chunk_where(where, &w->r, &c->row.list[0]);
    status = repair_note(&w->r, PTL_REPAIR_RECOMPUTED, where,
                         "a value of its row was wrong: the other rows say what it was");
    return status == PTL_OK ? repair_chunk_check(&w->r, c, bad, err) : status;
}

/* ---- the rest ---- */

ptl_status repair_made_note(world_repair *w, const repair_row *chunk, unsigned bad)
{
    char where[REPAIR_WHERE_SIZE], damage[80];
    if (bad == 0)
        return PTL_OK;
    repair_chunk_where(where, &w->r, chunk);
    damage_text(damage, bad);
    return repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where, "%s damaged: the digests prove it",
                       damage);
}

static ptl_status make_again(world_repair *w, const repair_chunk *c, unsigned *bad, char *why,
                             bool *can, ptl_error *err)
{
    repair_place place;
    bool proved = false;
    ptl_status status = repair_can_make(w, &c->row.list[0], can, why, err);
    if (status != PTL_OK || !*can)
        return status;
    repair_place_of(&place, c);
    snprintf(why, PTL_ERROR_MESSAGE_SIZE, "made again, it comes out otherwise");
    status = repair_make(w, &place, c, repair_same_row, &proved, why, err);
    if (status != PTL_OK || !proved)
        return status;
    status = repair_made_note(w, &c->row.list[0], *bad);
    *bad = 0;
    return status;
}

static ptl_status flip_bits(world_repair *w, repair_chunk *c, unsigned *bad, ptl_error *err)
{
    const unsigned before = *bad;
    char where[REPAIR_WHERE_SIZE], damage[80];
    ptl_status status = repair_try_begin(&w->r, err);
    if (status != PTL_OK)
        return status;
    status = repair_chunk_bits(&w->r, c, bad, err);
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
        *bad = before;
    }
    bool kept = status == PTL_OK && *bad < before;
    ptl_status ended = repair_try_end(&w->r, kept, status == PTL_OK ? err : NULL);
    status = status == PTL_OK ? ended : status;
    if (status != PTL_OK || !kept)
        return status;
    repair_chunk_where(where, &w->r, &c->row.list[0]);
    damage_text(damage, before & ~*bad);
    return repair_note(&w->r, PTL_REPAIR_CORRECTED, where,
                       "%s: a value was wrong: the checksum proves what it was", damage);
}

static ptl_status set_aside(world_repair *w, const repair_chunk *c, unsigned bad,
                            const char *why, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE], damage[80];
    ptl_status status;
    repair_chunk now;
    repair_chunk_where(where, &w->r, &c->row.list[0]);
    damage_text(damage, bad);
    /* What bits were tried on is not what is stored. */
    status = repair_chunk_read(&now, w->r.store, c->id, err);
    if (status == PTL_OK && bad == REPAIR_BAD_EVENTS)
        status = repair_set_aside(&w->r, &now.events, &c->row.list[0], why, err);
    else if (status == PTL_OK)
        status = repair_chunk_set_aside(&w->r, &now, why, err);
    repair_chunk_dispose(&now);
    if (status != PTL_OK)
        return status;
    return repair_note(
        &w->r, PTL_REPAIR_SET_ASIDE, where, "%s damaged, and %s: %s", damage, why,
        bad == REPAIR_BAD_EVENTS ? "its events are set aside"
        : is_other_content(why)  ? "set aside until then"
                                 : "set aside; 'generate' makes another in its place");
}

/* Its world can't be opened, or its content is damaged: nothing is lost by waiting. */
static ptl_status leave(world_repair *w, const repair_chunk *c, unsigned bad, const char *why)
{
    char where[REPAIR_WHERE_SIZE], damage[80];
    repair_chunk_where(where, &w->r, &c->row.list[0]);
    damage_text(damage, bad);
    return repair_note(&w->r, PTL_REPAIR_UNREPAIRED, where,
                       "%s damaged; it can't be made again now: %s", damage, why);
}

static ptl_status repair_damaged(world_repair *w, repair_chunk *c, unsigned bad, ptl_error *err)
{
    char why[PTL_ERROR_MESSAGE_SIZE] = "";
    bool can = false, ready = true;
    ptl_status status = PTL_OK;
    if (bad & REPAIR_BAD_ROW)
        status = row_by_others(w, c, &bad, err);
    if (status != PTL_OK || bad == 0)
        return status;
    if (bad & REPAIR_BAD_ROW)
        return repair_lost_chunk(w, c, err);
    status = make_again(w, c, &bad, why, &can, err);
    if (status == PTL_OK && bad != 0)
        status = flip_bits(w, c, &bad, err);
    if (status != PTL_OK || bad == 0)
        return status;
    char ignored[PTL_ERROR_MESSAGE_SIZE];
    status = repair_world_open(w, repair_int(&c->row.list[0], 1), &ready, ignored, err);
    if (status == PTL_OK && !ready)
        return leave(w, c, bad, ignored);
    return status == PTL_OK ? set_aside(w, c, bad, why, err) : status;
}

static ptl_status repair_chunk_of(world_repair *w, int64_t id, ptl_error *err)
{
    repair_chunk c;
    unsigned bad = 0;
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = repair_chunk_check(&w->r, &c, &bad, err);
    if (status == PTL_OK && bad != 0)
        status = repair_damaged(w, &c, bad, err);
    repair_chunk_dispose(&c);
    return status;
}

static ptl_status count_chunks(world_repair *w, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, w->r.store, "SELECT count(*) FROM chunk", err);
    if (status == PTL_OK)
        status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        w->r.total = (uint64_t)stmt_int(s, 0);
    stmt_free(s);
    return status;
}

ptl_status repair_chunks(world_repair *w, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = count_chunks(w, err);
    if (status == PTL_OK)
        status = stmt_prepare(&s, w->r.store,
                              "SELECT id FROM chunk WHERE id > ?1 ORDER BY id LIMIT 1", err);
    for (bool more = true; more && status == PTL_OK;) {
        stmt_bind_int(s, 1, after);
        status = stmt_step(s, &more, err);
        if (status != PTL_OK || !more)
            break;
        status = stmt_next_id(s, &after, "chunk", err);
        stmt_reset(s);
        if (status == PTL_OK)
            status = repair_chunk_of(w, after, err);
        w->r.done++;
        w->r.report.chunks++;
        if (status == PTL_OK)
            status = repair_breathe(&w->r, false, err);
    }
    stmt_free(s);
    return status;
}
